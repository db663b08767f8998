"""Measures of how much members agree, at the last ask or over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import permutations
from math import log, log2

from eda.study.measures.base import Measure
from eda.study.rows import CellData, Choices

CONSENSUS = 1.0
"""The share of the members that makes a consensus."""


def consensus_share(choices: Choices) -> float | None:
    """Return the share of all who answered that hold the most frequent option; None where nobody answered."""
    counts = Counter(choice for choice in choices.values() if choice is not None)
    return max(counts.values(), default=0) / len(choices) if choices else None


def time_to_consensus(trajectory: Sequence[Choices], theta: float = CONSENSUS) -> int | None:
    """Return the first ask from which on the consensus share is `theta` or more to the end; None: not reached."""
    start = None
    for ask, choices in enumerate(trajectory):
        if (consensus_share(choices) or 0.0) < theta:
            start = None
        elif start is None:
            start = ask
    return start


def entropy(counts: Sequence[float], kinds: int) -> float | None:
    """Return the entropy of a distribution over `kinds`, 0 (all alike) to 1 (all kinds equally frequent)."""
    total = sum(counts)
    if not total or kinds < 2:
        return None
    return -sum(count / total * log(count / total) for count in counts if count) / log(kinds) + 0.0


def tastle_wierman(counts: Sequence[float]) -> float | None:
    """Return the consensus of ratings on an ordered scale, 0 (half at either end) to 1 (all alike).

    Args:
        counts: how many chose each step of the scale, in its order, two steps or more.
    """
    total, width = sum(counts), len(counts) - 1
    if not total or width < 1:
        return None
    middle = sum(place * count for place, count in enumerate(counts)) / total
    return 1 + sum(count / total * log2(1 - abs(place - middle) / width) for place, count in enumerate(counts) if count)


def kendall_w(rankings: Sequence[Mapping[str, float]]) -> float | None:
    """Return Kendall's coefficient of concordance W, corrected for ties, 0 to 1.

    Args:
        rankings: of each judge, the rank of each item; tied ranks are their mean. All rank the same items.
    """
    if len(rankings) < 2 or len(rankings[0]) < 2:
        return None
    judges, items = len(rankings), list(rankings[0])
    sums = [sum(ranks[item] for ranks in rankings) for item in items]
    middle = sum(sums) / len(sums)
    ties = sum(n**3 - n for ranks in rankings for n in Counter(ranks.values()).values())
    most = judges**2 * (len(items) ** 3 - len(items)) - judges * ties
    return 12 * sum((each - middle) ** 2 for each in sums) / most if most else None


def ranks_of(ranking: Sequence[str], items: Sequence[str]) -> dict[str, float]:
    """Return the rank of each item, from 1; those that the ranking leaves out share the places below it."""
    named = [item for item in dict.fromkeys(ranking) if item in items]
    rest = (len(named) + 1 + len(items)) / 2
    return {item: float(named.index(item) + 1) if item in named else rest for item in items}


def krippendorff_alpha(units: Sequence[Sequence[Hashable]], *, interval: bool = False) -> float | None:
    """Return Krippendorff's alpha: 1 - observed / expected disagreement; None where no two judged, or all alike.

    K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011.

    Args:
        units: of each thing that was judged, the values that judges gave; missing ones are left out.
        interval: whether values are numbers, whose squared difference is the disagreement; else it is that they differ.
    """

    def apart(one: Hashable, other: Hashable) -> float:
        return float(one - other) ** 2 if interval else float(one != other)  # type: ignore[operator] # numbers

    judged = [unit for unit in units if len(unit) > 1]
    pooled = Counter(value for unit in judged for value in unit)
    number = pooled.total()
    expected = sum(n * m * apart(a, b) for a, n in pooled.items() for b, m in pooled.items())
    if not expected:
        return None
    observed = sum(sum(apart(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in judged)
    return 1 - observed / (expected / (number - 1))


def _counts(data: CellData) -> list[float]:
    """Return how many hold each option at the last ask, in the order of the options."""
    held = Counter(data.last.values())
    options = data.cell.options or tuple(dict.fromkeys(each for each in data.last.values() if each is not None))
    return [float(held[option]) for option in options]


def _concordance(data: CellData) -> float | None:
    rankings = [row.ranking for row in data.ballots if row.vote == "last" and row.ranking and not row.invalid]
    items = data.cell.options or tuple(dict.fromkeys(text for ranking in rankings for text in ranking))
    return kendall_w([ranks_of(ranking, items) for ranking in rankings])


def _time(data: CellData) -> float | None:
    """Return the time to consensus; the number of asks where it was not reached, as a censored time."""
    if not data.trajectory:
        return None
    reached = time_to_consensus(data.trajectory)
    return float(len(data.trajectory) if reached is None else reached)


def _consensus(data: CellData) -> float | None:
    shared = consensus_share(data.last)
    return None if shared is None else float(shared >= CONSENSUS)


MEASURES = (
    Measure(
        "consensus_share",
        "share of the members that hold the most frequent option at the last ask",
        "used throughout the field",
        lambda data: consensus_share(data.last),
    ),
    Measure("consensus", "1 where all hold one option at the last ask, else 0", "of consensus_share", _consensus),
    Measure(
        "time_to_consensus",
        "first ask, from 0, from which on all hold one option to the end; the number of asks where none is (censored: "
        "`scipy.stats.ecdf` gives the Kaplan-Meier curve)",
        "Kaplan, Meier 1958; De Marzo et al. 2024, arXiv:2409.02822",
        _time,
        bounds=None,
    ),
    Measure(
        "entropy",
        "-sum p_k ln p_k / ln K of the K options at the last ask",
        "Shannon 1948",
        lambda data: entropy(_counts(data), len(_counts(data))),
    ),
    Measure(
        "ordinal_consensus",
        "1 + sum p_k log2(1 - abs(X_k - mu) / (Xmax - Xmin)) at the last ask, the options taken as steps of a scale",
        "Tastle, Wierman 2007, International Journal of Approximate Reasoning 45 (3)",
        lambda data: tastle_wierman(_counts(data)),
    ),
    Measure(
        "kendall_w",
        "12 S / (n^2 (K^3 - K) - n T) of the rankings on the last ballots; options left out are tied below",
        "Kendall, Babington Smith 1939, Annals of Mathematical Statistics 10 (3)",
        _concordance,
    ),
    Measure(
        "krippendorff_alpha",
        "1 - D_o / D_e, nominal, each ask a unit and each member a judge; missing answers allowed",
        "Krippendorff 2011, Computing Krippendorff's Alpha-Reliability",
        lambda data: krippendorff_alpha([[c for c in ask.values() if c is not None] for ask in data.trajectory]),
        bounds=(-1.0, 1.0),
    ),
)
