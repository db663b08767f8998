"""Effects: what a measure differs by between two arms or two levels, paired, with its interval."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from eda.errors import UnknownNameError
from eda.study.file import Hypothesis, terms_of
from eda.study.measures import MEASURES, measure_named
from eda.study.measures.base import mean
from eda.study.statistics import (
    cluster_means,
    equivalence,
    holm,
    mixed_interval,
    paired_interval,
    sign_flips,
    smallest_effect,
    wilson,
)
from eda.study.tables import Score, Source
from eda.text import grouped

MAIN = "talk"
"""The arm in which levels are compared, where a study has it and the contrast names no arm."""
_RULE = "rule"  # A factor that is counted, not run: its levels are decision rules.


class Pair(NamedTuple):
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


class _Paired(NamedTuple):
    """The pairs of a contrast, and what has none."""

    found: list[Pair]
    unpaired: int  # Values without a partner.
    lost: list[str]  # The cluster of each pair that a cell which failed would have made.

    def estimate(self, lost: float) -> float:
        """Return the mean of the clusters' means, had each lost pair had this difference."""
        rows = [(pair.difference, pair.cluster) for pair in self.found] + [(lost, cluster) for cluster in self.lost]
        means = cluster_means(*zip(*rows, strict=True))
        return sum(means) / len(means)


def effects(
    tables: Source, hypotheses: Sequence[Hypothesis], *, frozen: bool = True, mixed: bool = False
) -> list[dict[str, Any]]:
    """Return the effect of each hypothesis, in plain JSON types.

    Each has `measure`, `contrast`, `estimate` (the first side minus the second, the mean of the clusters), `low` and
    `high` (at 1 - alpha), `pooled` (the mean of all pairs),
    `pairs`, `clusters`, `method`, `p` (sign flips), `p_holm` (adjusted for the number of hypotheses), `equivalent`
    (p of the test that the effect is within `smallest`; null without it), `detectable` (the smallest effect that this
    size finds with 80 %), `unpaired` (values without a partner), `if_failed` (the least and the greatest estimate, had
    each cell that failed had a value; null where none did, or the measure has no bounds); `alpha` and `smallest` as
    given, and `frozen`. Without a pair the numbers are null.

    Args:
        tables: Those of a study, in memory or in its folder.
        hypotheses: Contrasts of a measure.
        frozen: Whether the study's file has them.
        mixed: Have `mixed` be the estimate of a mixed model with its interval; else it is null.

    Raises:
        UnknownNameError: there is no such measure, arm, factor or level.
        UsageError: cells are paired by what they are not.
    """
    tables.scores((each.measure, rule) for each in hypotheses for rule in _rules(each))  # in one pass
    found = [_effect(tables, hypothesis, frozen=frozen, mixed=mixed) for hypothesis in hypotheses]
    tested = [row for row in found if row["p"] is not None]
    for row, adjusted in zip(tested, holm([row["p"] for row in tested]), strict=True):
        row["p_holm"] = adjusted
    return found


def pairs(tables: Source, hypothesis: Hypothesis) -> list[Pair]:
    """Return the pairs of a hypothesis, whose mean difference is its effect; the errors are those of `effects`."""
    return _pairs(tables, hypothesis).found


def rates(
    tables: Source, measures: Iterable[str] = MEASURES, factors: Iterable[str] | None = None
) -> list[dict[str, Any]]:
    """Return each measure in each arm and combination of levels: `estimate`, `low`, `high`, `cells`, `clusters`.

    In the `estimate` each cluster counts once, in `pooled` each member, or each cell: see `Measure.cases`.

    A rate of cells that are 0 or 1, one a cluster, has Wilson's interval.

    Args:
        tables: Those of a study, in memory or in its folder.
        measures: Their names.
        factors: Those whose levels are kept apart; None for all.

    Raises:
        UnknownNameError: there is no such measure.
    """
    names, rows = [*measures], []
    apart = None if factors is None else set(factors)
    ended = [score for score in tables.scores((name, "") for name in names) if score.cell.status == "ended"]
    levels = ([row for row in score.cell.levels.items() if apart is None or row[0] in apart] for score in ended)
    groups = grouped(((score.cell.arm, tuple(sorted(own))), score) for score, own in zip(ended, levels, strict=True))
    for name in names:
        for (arm, combined), group in groups.items():
            values = _values((name, ""), group, lambda score: (score.cell.item, score.cell.cell))
            if not values:
                continue
            clusters = _clusters({key: str(key[0]) for key in values})
            made = paired_interval([value for value, _ in values.values()], clusters, bounds=MEASURES[name].bounds)
            low, high, method = made.low, made.high, made.method
            if made.clusters == made.pairs and {value for value, _ in values.values()} <= {0.0, 1.0}:
                (low, high), method = wilson(round(made.estimate * made.pairs), made.pairs), "Wilson"
            row = {"measure": name, "arm": arm, "levels": dict(combined), "estimate": made.estimate, "low": low}
            total, number = map(sum, zip(*(score.cases[name, ""] for score in group), strict=True))
            row["pooled"] = total / number
            rows.append({**row, "high": high, "cells": made.pairs, "clusters": made.clusters, "method": method})
    return rows


def _effect(tables: Source, hypothesis: Hypothesis, *, frozen: bool, mixed: bool) -> dict[str, Any]:
    paired, measure = _pairs(tables, hypothesis), measure_named(hypothesis.measure)
    found = paired.found
    row: dict[str, Any] = {
        "measure": measure.name, "contrast": list(hypothesis.contrast), "estimate": None, "low": None, "high": None,
        "pairs": len(found), "clusters": 0, "pooled": None, "method": "", "p": None, "p_holm": None, "equivalent": None,
        "detectable": None, "unpaired": paired.unpaired, "if_failed": None,
        "alpha": hypothesis.alpha, "smallest": hypothesis.smallest, "frozen": frozen, "mixed": None,
    }  # fmt: skip
    if not found:
        return row
    differences, clusters = [pair.difference for pair in found], [pair.cluster for pair in found]
    width = (measure.bounds[1] - measure.bounds[0]) * len(hypothesis.contrast) / 2 if measure.bounds else None
    made = paired_interval(
        differences, clusters, confidence=1 - hypothesis.alpha, bounds=None if width is None else (-width, width)
    )
    means = cluster_means(differences, clusters)
    spread = (sum((each - made.estimate) ** 2 for each in means) / max(1, len(means) - 1)) ** 0.5
    row |= made._asdict() | {"pooled": sum(differences) / len(differences), "p": sign_flips(differences, clusters)}
    if mixed:
        row["mixed"] = mixed_interval(differences, clusters, hypothesis.alpha)
    if hypothesis.smallest is not None:
        row["equivalent"] = equivalence(differences, clusters, hypothesis.smallest, width)
    if paired.lost and width is not None:
        row["if_failed"] = [paired.estimate(end * width) for end in (-1, 1)]
    if spread:
        row["detectable"] = smallest_effect(spread, len(means), hypothesis.alpha)
    return row


def _pairs(tables: Source, hypothesis: Hypothesis) -> _Paired:
    """Return the pairs of a hypothesis, and what has none."""
    rules = _rules(hypothesis)
    terms = [*zip(hypothesis.contrast, rules, strict=True)]
    whole = [_side(tables.scores([(hypothesis.measure, rule)]), term) for term, rule in terms]
    apart = {name for term in hypothesis.contrast for name, _ in terms_of(term)}

    def key(score: Score) -> Key:
        return _key(score, hypothesis.pair, apart)

    sides, by_task = [_that(side, "ended") for side in whole], "task" in hypothesis.pair
    values = [_values((hypothesis.measure, rule), side, key) for side, rule in zip(sides, rules, strict=True)]
    both = [each for each in values[0] if all(each in side for side in values)]
    items = {key(score): score.cell.item for side in whole for score in side}
    owners = {each: item if by_task else _name(each) for each, item in items.items()}
    clusters = _clusters({each: owners[each] for each in both})
    found = [_pair(_name(name), [side[each] for side in values]) for each, name in zip(both, clusters, strict=True)]
    failed = {key(score) for side in whole for score in _that(side, "failed")} - {*both}
    names = dict(zip(owners, map(_name, _clusters(owners)), strict=True))
    unpaired = sum(map(len, values)) - len(both) * len(values)
    return _Paired(found, unpaired, [names[each] for each in items if each in failed])


def _that(scores: Iterable[Score], status: str) -> list[Score]:
    """Return the scores of the cells that ended so."""
    return [score for score in scores if score.cell.status == status]


def _pair(cluster: str, sides: Sequence[tuple[float, tuple[str, ...]]]) -> Pair:
    """Return the pair of the values of two sides with their cells; of four, of the differences of each two."""
    if len(sides) > 2:
        sides = [(one[0] - other[0], one[1] + other[1]) for one, other in (sides[:2], sides[2:])]
    (first, ours), (second, theirs) = sides
    return Pair(cluster, first, second, (ours, theirs))


def _rules(hypothesis: Hypothesis) -> list[str]:
    """Return the rule that each side names, which is counted unless the study has it as a factor; else empty."""
    return [dict(terms_of(term)).get(_RULE, "") for term in hypothesis.contrast]


def _name(cluster: object) -> str:
    """Return the name of a cluster: of an item, or of a pair by all that its two cells share."""
    if isinstance(cluster, tuple):
        return ", ".join("=".join(part) if isinstance(part, tuple) else str(part) for part in cluster)
    return str(cluster)


def _clusters(item_of: Mapping[Key, str]) -> list[object]:
    """Return what each pair belongs to: its item; where there is one item only, itself."""
    return list(item_of) if len(set(item_of.values())) == 1 else list(item_of.values())


def _values(
    of: tuple[str, str], scores: Iterable[Score], key: Callable[[Score], Key]
) -> dict[Key, tuple[float, tuple[str, ...]]]:
    """Return what a measure under a rule comes to in the cells with the same key that have a value, and their ids."""
    groups = grouped((key(score), score) for score in scores if score.values[of] is not None)
    means = {each: mean([score.values[of] or 0.0 for score in group]) or 0.0 for each, group in groups.items()}
    return {each: (means[each], tuple(score.cell.cell for score in group)) for each, group in groups.items()}


def _key(score: Score, pair: Sequence[str], apart: set[str]) -> Key:
    """Return what two cells of a pair share: what they are paired by, the arm, and all levels but those apart."""
    cell = score.cell
    arm = () if "arm" in apart else (cell.arm,)
    levels = tuple((name, level) for name, level in sorted(cell.levels.items()) if name not in apart)
    return (*(getattr(cell, name) for name in pair), *arm, *levels)


def _side(scores: Sequence[Score], term: str) -> list[Score]:
    """Return the cells of one side of a contrast. A side without an arm is of the arm `MAIN`, where there is one."""
    parts = dict(terms_of(term))
    if MAIN in {score.cell.arm for score in scores}:
        parts = {"arm": MAIN} | parts
    for name, level in parts.items():
        counted = name == _RULE and not any(_RULE in score.cell.levels for score in scores)
        have = [
            score.rules if counted else {{"arm": score.cell.arm, **score.cell.levels}.get(name)} for score in scores
        ]
        known = {each for of in have for each in of if each is not None}
        if scores and level not in known:
            _refuse(scores, name, level, known, counted=counted)
        if not counted:  # else the same cells, their ballots counted by that rule
            scores = [score for score, of in zip(scores, have, strict=True) if level in of]
    return [*scores]


def _refuse(scores: Sequence[Score], name: str, level: str, known: set[str], *, counted: bool) -> None:
    """Refuse a factor that no cell has, or a level that is none of those known; of rules none may be known."""
    if known:
        raise UnknownNameError(name if name == "arm" or counted else f"level of {name!r}", level, known)
    if not counted:
        raise UnknownNameError("factor", name, {factor for score in scores for factor in score.cell.levels})
