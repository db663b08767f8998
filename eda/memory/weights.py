"""How much each sign counts, in log-odds, by kind and register: the numbers are data, fitted by benchmarks/fit.py.

A sign's weight is what it counts anywhere plus what it counts in this register. `~name` is the pattern of that name,
`says-kind` that anything of that kind was found, `any` the same for every message.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

__all__ = ["REGISTERS", "THRESHOLDS", "WEIGHTS"]

REGISTERS = ("terse", "choice", "prose")
"""Short turns; short turns about given options; long turns."""


def _load() -> tuple[dict[tuple[str, str], dict[str, float]], dict[tuple[str, str], float]]:
    table = tomllib.loads(Path(__file__).with_name("weights.toml").read_text(encoding="utf8"))
    weights: dict[tuple[str, str], dict[str, float]] = {}
    thresholds: dict[tuple[str, str], float] = {}
    for kind, parts in table.items():
        for register in REGISTERS:
            merged = dict(parts.get("anywhere", {}))
            for sign, weight in parts.get(register, {}).items():
                merged[sign] = merged.get(sign, 0.0) + weight
            weights[kind, register] = merged
            thresholds[kind, register] = parts["threshold"][register]
    return weights, thresholds


_loaded = _load()
WEIGHTS: Mapping[tuple[str, str], Mapping[str, float]] = _loaded[0]
"""By kind and register: the weight of each sign."""
THRESHOLDS: Mapping[tuple[str, str], float] = _loaded[1]
"""By kind and register: the confidence from which a finding counts."""
