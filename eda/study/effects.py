"""Effects: what a measure differs by between two arms or two levels, paired, with its interval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from eda.errors import UnknownNameError, UsageError
from eda.study.file import Hypothesis, terms_of
from eda.study.measures import MEASURES, Measure, measure_named
from eda.study.rows import CellData
from eda.study.statistics import (
    cluster_means,
    equivalence,
    holm,
    paired_interval,
    sign_flips,
    smallest_effect,
    wilson,
)
from eda.study.tables import Frames

MAIN = "talk"
"""The arm in which levels are compared, where a study has it and the contrast names no arm."""
_RULE = "rule"
"""A factor that is counted, not run: its levels are decision rules."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A hypothesis that the study's file did not freeze, with the fields of one that it did."""

    measure: str
    contrast: tuple[str, str]
    pair: Sequence[str] = ("task", "seed")
    alpha: float = 0.05
    smallest: float | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two values of a measure that are compared."""

    cluster: str
    """What it belongs to: its task; where there is one task only, itself."""
    first: float
    second: float
    cells: tuple[tuple[str, ...], tuple[str, ...]]
    """Ids of the cells of each value."""

    @property
    def difference(self) -> float:
        """The first value minus the second."""
        return self.first - self.second


Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Paired:
    """The pairs of a contrast, and what has none."""

    found: list[Pair]
    unpaired: int
    """Values without a partner."""
    lost: list[str]
    """The cluster of each pair that a cell which failed would have made."""

    def estimate(self, lost: float) -> float:
        """Return the mean of the clusters' means, had each lost pair had this difference."""
        rows = [(pair.difference, pair.cluster) for pair in self.found] + [(lost, cluster) for cluster in self.lost]
        means = cluster_means(*zip(*rows, strict=True))
        return sum(means) / len(means)


def effects(tables: Frames, hypotheses: Iterable[Hypothesis | Contrast]) -> list[dict[str, Any]]:
    """Return the effect of each hypothesis, in plain JSON types.

    Each has `measure`, `contrast`, `estimate` (the first side minus the second, the mean of the clusters), `low` and
    `high` (at 1 - alpha), `pooled` (the mean of all pairs),
    `pairs`, `clusters`, `method`, `p` (sign flips), `p_holm` (adjusted for the number of hypotheses), `equivalent`
    (p of the test that the effect is within `smallest`; null without it), `detectable` (the smallest effect that this
    size finds with 80 %), `unpaired` (values without a partner), `if_failed` (the least and the greatest estimate, had
    each cell that failed had a value; null where none did, or the measure has no bounds); `alpha` and `smallest` as
    given, and `frozen`: whether it is a hypothesis of the file. Without a pair the numbers are null.

    Args:
        tables: As `eda.study.tables.tables` returns them.
        hypotheses: Of the study's file; or `Contrast`.

    Raises:
        UnknownNameError: there is no such measure, arm, factor or level.
        UsageError: cells are paired by what they are not.
    """
    cells = tables.data
    found = [_effect(cells, hypothesis) for hypothesis in hypotheses]
    tested = [row for row in found if row["p"] is not None]
    for row, adjusted in zip(tested, holm([row["p"] for row in tested]), strict=True):
        row["p_holm"] = adjusted
    return found


def pairs(tables: Frames, hypothesis: Hypothesis | Contrast) -> list[Pair]:
    """Return the pairs of a hypothesis, whose mean difference is its effect; the errors are those of `effects`."""
    return _pairs(tables.data, hypothesis).found


def rates(
    tables: Frames, measures: Iterable[str] = MEASURES, factors: Iterable[str] | None = None
) -> list[dict[str, Any]]:
    """Return each measure in each arm and combination of levels: `estimate`, `low`, `high`, `cells`, `clusters`.

    In the `estimate` each cluster counts once, in `pooled` each member, or each cell: see `Measure.pooled`.

    A rate of cells that are 0 or 1, one a cluster, has Wilson's interval.

    Args:
        tables: As `eda.study.tables.tables` returns them.
        measures: Their names.
        factors: Those whose levels are kept apart; None for all.

    Raises:
        UnknownNameError: there is no such measure.
    """
    cells, rows = [data for data in tables.data if data.cell.status == "ended"], []
    apart = None if factors is None else set(factors)
    for name in measures:
        measure = measure_named(name)
        groups: dict[tuple[str, tuple[tuple[str, str], ...]], list[CellData]] = {}
        for data in cells:
            levels = {key: level for key, level in data.cell.levels.items() if apart is None or key in apart}
            groups.setdefault((data.cell.arm, tuple(sorted(levels.items()))), []).append(data)
        for (arm, combined), group in groups.items():
            values = _values(measure, group, lambda data: (data.cell.item, data.cell.cell))
            if not values:
                continue
            clusters = _clusters({key: str(key[0]) for key in values})
            made = paired_interval([*values.values()], clusters, bounds=measure.bounds)
            low, high, method = made.low, made.high, made.method
            if made.clusters == made.pairs and set(values.values()) <= {0.0, 1.0}:
                (low, high), method = wilson(int(sum(values.values())), made.pairs), "Wilson"
            row = {"measure": name, "arm": arm, "levels": dict(combined), "estimate": made.estimate, "low": low}
            row["pooled"] = measure.pooled(group)
            rows.append({**row, "high": high, "cells": made.pairs, "clusters": made.clusters, "method": method})
    return rows


def _effect(cells: Sequence[CellData], hypothesis: Hypothesis | Contrast) -> dict[str, Any]:
    paired, measure = _pairs(cells, hypothesis), measure_named(hypothesis.measure)
    found = paired.found
    row: dict[str, Any] = {
        "measure": measure.name, "contrast": list(hypothesis.contrast), "estimate": None, "low": None, "high": None,
        "pairs": len(found), "clusters": 0, "pooled": None, "method": "", "p": None, "p_holm": None, "equivalent": None,
        "detectable": None, "unpaired": paired.unpaired, "if_failed": None,
        "alpha": hypothesis.alpha, "smallest": hypothesis.smallest,
        "frozen": isinstance(hypothesis, Hypothesis),
    }  # fmt: skip
    if not found:
        return row
    differences, clusters = [pair.difference for pair in found], [pair.cluster for pair in found]
    width = measure.bounds[1] - measure.bounds[0] if measure.bounds else None
    made = paired_interval(
        differences, clusters, confidence=1 - hypothesis.alpha, bounds=None if width is None else (-width, width)
    )
    means = cluster_means(differences, clusters)
    spread = (sum((each - made.estimate) ** 2 for each in means) / max(1, len(means) - 1)) ** 0.5
    row |= asdict(made) | {"pooled": sum(differences) / len(differences), "p": sign_flips(differences, clusters)}
    if hypothesis.smallest is not None:
        row["equivalent"] = equivalence(differences, clusters, hypothesis.smallest, width)
    if paired.lost and width is not None:
        row["if_failed"] = [paired.estimate(end * width) for end in (-1, 1)]
    if spread:
        row["detectable"] = smallest_effect(spread, len(means), hypothesis.alpha)
    return row


def _pairs(cells: Sequence[CellData], hypothesis: Hypothesis | Contrast) -> _Paired:
    """Return the pairs of a hypothesis, and what has none."""
    measure, pair = measure_named(hypothesis.measure), tuple(hypothesis.pair)
    if strange := [each for each in pair if each not in ("task", "seed")]:
        raise UsageError(f"cells cannot be paired by {strange[0]!r}", hint="Pair by task, by seed, or by both.")
    whole = [_side(cells, term) for term in hypothesis.contrast]
    sides = [[data for data in side if data.cell.status == "ended"] for side in whole]
    apart = {name for term in hypothesis.contrast for name, _ in terms_of(term)}
    values = [_values(measure, side, lambda data: _key(data, pair, apart)) for side in sides]
    both = [key for key in values[0] if key in values[1]]
    items = {_key(data, pair, apart): data.cell.item for side in whole for data in side}
    clusters = _clusters({key: items[key] if "task" in pair else _name(key) for key in both})
    ids: list[dict[Key, list[str]]] = [{}, {}]
    for side, of in zip(sides, ids, strict=True):
        for data in side:
            of.setdefault(_key(data, pair, apart), []).append(data.cell.cell)
    found = [
        Pair(_name(cluster), values[0][key], values[1][key], (tuple(ids[0][key]), tuple(ids[1][key])))
        for key, cluster in zip(both, clusters, strict=True)
    ]
    failed = {
        _key(data, pair, apart): data.cell.item for side in whole for data in side if data.cell.status == "failed"
    }
    alone = "task" not in pair or len(set(items.values())) == 1
    lost = [_name(key) if alone else item for key, item in failed.items() if key not in both]
    return _Paired(found, sum(len(side) - len(both) for side in values), lost)


def _name(cluster: object) -> str:
    """Return the name of a cluster: of an item, or of a pair by all that its two cells share."""
    if isinstance(cluster, tuple):
        return ", ".join("=".join(part) if isinstance(part, tuple) else str(part) for part in cluster)
    return str(cluster)


def _clusters(item_of: Mapping[Key, str]) -> list[object]:
    """Return what each pair belongs to: its item; where there is one item only, itself."""
    return list(item_of) if len(set(item_of.values())) == 1 else list(item_of.values())


def _values(measure: Measure, cells: Sequence[CellData], key: Any) -> dict[Key, float]:
    """Return the value of the measure of each group of cells with the same key, of those that have one."""
    groups: dict[Key, list[CellData]] = {}
    for data in cells:
        groups.setdefault(key(data), []).append(data)
    values = {each: measure.of(group) for each, group in groups.items()}
    return {each: value for each, value in values.items() if value is not None}


def _key(data: CellData, pair: Sequence[str], apart: set[str]) -> Key:
    """Return what two cells of a pair share: what they are paired by, the arm, and all levels but those apart."""
    cell = data.cell
    arm = () if "arm" in apart else (cell.arm,)
    levels = tuple((name, level) for name, level in sorted(cell.levels.items()) if name not in apart)
    return (*(getattr(cell, name) for name in pair), *arm, *levels)


def _side(cells: Sequence[CellData], term: str) -> list[CellData]:
    """Return the cells of one side of a contrast, its rule set where the side names one that is counted.

    A side without an arm is of the arm `MAIN`, where there is one.
    """
    parts = dict(terms_of(term))
    arms = {data.cell.arm for data in cells}
    if "arm" not in parts and MAIN in arms:
        parts["arm"] = MAIN
    for name, level in parts.items():
        if name == "arm":
            cells = _kept(cells, "arm", level, [data.cell.arm for data in cells])
        elif name == _RULE and not any(_RULE in data.cell.levels for data in cells):
            rules = {row.rule for data in cells for row in data.outcomes}
            if rules and level not in rules:
                raise UnknownNameError("rule", level, rules)
            cells = [data.under(level) for data in cells]  # the same ones, their ballots counted by that rule
        else:
            factors = {factor for data in cells for factor in data.cell.levels}
            if cells and name not in factors:
                raise UnknownNameError("factor", name, factors)
            cells = _kept(cells, f"level of {name!r}", level, [data.cell.levels.get(name, "") for data in cells])
    return list(cells)


def _kept(cells: Sequence[CellData], kind: str, wanted: str, have: Sequence[str]) -> list[CellData]:
    if cells and wanted not in have:
        raise UnknownNameError(kind, wanted, set(have))
    return [data for data, each in zip(cells, have, strict=True) if each == wanted]
