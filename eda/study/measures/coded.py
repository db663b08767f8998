"""Measures that need a coder: discourse quality and the deliberative reason index, from `codes.csv`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import sqrt

from eda.study.measures.agreement import krippendorff_alpha, ranks_of
from eda.study.measures.base import Measure, mean
from eda.study.rows import CellData

DQI = ("justification", "common_good", "respect", "counterarguments", "constructive")
"""The items of discourse quality that a coder judges of a message."""
CONSIDERATION = "consideration:"
"""How the items begin that a member rates of itself."""
_WEAK = 0.2
"""Two correlations that are both nearer to 0 are a weak signal."""


def correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return Pearson's correlation; None where one of the two does not vary."""
    middles = sum(one) / len(one), sum(other) / len(other)
    pairs = [(x - middles[0], y - middles[1]) for x, y in zip(one, other, strict=True)]
    spread = sqrt(sum(x * x for x, _ in pairs) * sum(y * y for _, y in pairs))
    return sum(x * y for x, y in pairs) / spread if spread > 1e-12 else None


def ranked(values: Sequence[float]) -> list[float]:
    """Return the rank of each value, from 1; equal ones share their mean rank."""
    below = [sum(other < value for other in values) for value in values]
    return [low + (1 + values.count(value)) / 2 for low, value in zip(below, values, strict=True)]


def reason_index(
    considerations: Sequence[Sequence[float]], preferences: Sequence[Sequence[float]], *, corrected: bool = True
) -> float | None:
    """Return the deliberative reason index of a group; 1 where who agrees on reasons agrees as much on preferences.

    For each two members, d is the distance of (r, rho) from the line r = rho, with Spearman's correlation of their
    considerations and of their preferences. The mean of 1 - d is scaled so that |r - rho| = 1 is -1.

    Args:
        considerations: of each member, its rating of each consideration.
        preferences: of the same members, its rank of each option.
        corrected: whether 1 - d of a pair shrinks in proportion where both correlations are below 0.2, without which
            random answers score above 0.
    """
    values = []
    for one, other in combinations(range(len(considerations)), 2):
        agree = correlation(ranked(considerations[one]), ranked(considerations[other]))
        prefer = correlation(ranked(preferences[one]), ranked(preferences[other]))
        if agree is None or prefer is None:
            continue
        signal = min(1.0, max(abs(agree), abs(prefer)) / _WEAK) if corrected else 1.0
        values.append((1 - abs(agree - prefer) / sqrt(2)) * signal)
    least = 1 - sqrt(2) / 2
    average = mean(values)
    return None if average is None else 2 * (average - least) / (1 - least) - 1


def _reason(data: CellData) -> float | None:
    rated: dict[str, dict[str, float]] = {}
    for code in data.codes:
        if code.item.startswith(CONSIDERATION):
            rated.setdefault(code.unit, {})[code.item] = code.value
    ballots = {row.member: row.ranking for row in data.ballots if row.vote == "last" and row.ranking}
    who = [member for member in rated if member in ballots]
    items = sorted(set.intersection(*(set(rated[each]) for each in who))) if who else []
    if len(who) < 2 or len(items) < 2 or len(data.cell.options) < 2:
        return None
    ranks = [ranks_of(ballots[each], data.cell.options) for each in who]
    return reason_index(
        [[rated[each][item] for item in items] for each in who],
        [[rank[option] for option in data.cell.options] for rank in ranks],
    )


def _judged(data: CellData) -> Mapping[tuple[str, str], list[float]]:
    """Return the judgements of each message and item."""
    judged: dict[tuple[str, str], list[float]] = {}
    for code in data.codes:
        if code.item in DQI:
            judged.setdefault((code.unit, code.item), []).append(code.value)
    return judged


def _quality(data: CellData) -> float | None:
    judged = _judged(data)
    totals: dict[str, float] = {}
    for (unit, _), values in judged.items():
        totals[unit] = totals.get(unit, 0.0) + sum(values) / len(values)
    return mean(list(totals.values()))


MEASURES = (
    Measure(
        "reason_index",
        "mean over pairs of 1 - abs(r - rho) / sqrt 2, scaled to -1 .. 1, r of the rated considerations and rho of the "
        "rankings; weak signals (both below 0.2) shrink",
        "Niemeyer, Veri et al. 2024, American Political Science Review; correction: arXiv:2604.16963",
        _reason,
        bounds=None,
    ),
    Measure(
        "discourse_quality",
        "mean over messages of the sum of five coded items, each the mean over coders",
        "Steenbergen et al. 2003, Comparative European Politics 1 (1)",
        _quality,
        bounds=None,
    ),
    Measure(
        "coder_agreement",
        "Krippendorff's alpha (interval) of the coders over messages and items",
        "Krippendorff 2011",
        lambda data: krippendorff_alpha(list(_judged(data).values()), interval=True),
        bounds=(-1.0, 1.0),
    ),
)
