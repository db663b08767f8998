"""What a proof comes to, and how its parts are spread over the processors."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from typing import Any, TypeVar

T = TypeVar("T")
P = TypeVar("P")
Row = dict[str, Any]
_BLOCKS = 16
"""Blocks that parts are dealt into: several a processor, so that none waits long for the other."""


@dataclass(frozen=True, slots=True)
class Check:
    """One figure beside the one that it should be."""

    what: str
    expected: float
    found: float
    tolerance: float = 0.0

    @property
    def off(self) -> float:
        """How far out it is, in tolerances; of an exact figure infinitely far or not at all."""
        apart = abs(self.found - self.expected)
        return apart / self.tolerance if self.tolerance else float("inf") if apart else 0.0


def row_of(name: str, what: str, checks: Sequence[Check]) -> Row:
    """Return what came of a proof: `covered` of `studies` checks hold; `planted` and `found` are the furthest out."""
    worst = max(checks, key=lambda check: check.off)
    held = sum(check.off <= 1 for check in checks)
    return {
        "name": name,
        "ok": held == len(checks),
        "covered": held,
        "studies": len(checks),
        "planted": worst.expected,
        "found": worst.found,
        "what": f"{what}; furthest out: {worst.what}" if worst.off else what,
        "checks": [{**asdict(check), "ok": check.off <= 1} for check in checks],
    }


def spread(work: Callable[[Sequence[P]], list[T]], parts: Sequence[P], *, here: bool = False) -> list[T]:
    """Return what `work` makes of each part, in order: blocks of them in several processes, or all of them `here`."""
    if here:
        return work(parts)
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        made = list(pool.map(work, [parts[start::_BLOCKS] for start in range(_BLOCKS)]))
    return [made[place % _BLOCKS][place // _BLOCKS] for place in range(len(parts))]
