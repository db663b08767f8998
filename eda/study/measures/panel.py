"""Measures of a panel: how much its members agree, and what they say, about whom, and which private facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from eda.report.effect import gini
from eda.study.measures.base import Measure, mean
from eda.study.rows import CellData, Choices


def consensus_share(choices: Choices) -> float | None:
    """Return the share of all who answered that hold the most frequent option; None where nobody answered."""
    counts = Counter(choice for choice in choices.values() if choice is not None)
    return max(counts.values(), default=0) / len(choices) if choices else None


def krippendorff_alpha(units: Sequence[Sequence[Hashable]]) -> float | None:
    """Return Krippendorff's alpha, nominal; None where no two judged, or all alike.

    It is 1 - observed / expected disagreement.

    K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011.

    Args:
        units: of each thing that was judged, the values that judges gave; missing ones are left out.
    """
    judged = [unit for unit in units if len(unit) > 1]
    pooled = Counter(value for unit in judged for value in unit)
    number = pooled.total()
    expected = number**2 - sum(n**2 for n in pooled.values())
    if not expected:
        return None
    observed = sum((len(unit) ** 2 - sum(n**2 for n in Counter(unit).values())) / (len(unit) - 1) for unit in judged)
    return 1 - observed / (expected / (number - 1))


def _time(data: CellData) -> float | None:
    """Return the first ask from which on all agree; the number of asks where none is, as a censored time."""
    apart = (place for place, choices in enumerate(data.trajectory, 1) if consensus_share(choices) != 1)
    return float(max(apart, default=0)) if data.trajectory else None


_HIDDEN = "Stasser, Titus 1985; HiddenBench 2025, arXiv:2505.11556"
MEASURES = (
    Measure(
        "consensus_share",
        "share of the members that hold the most frequent option at the last ask",
        "used throughout the field",
        lambda data: consensus_share(data.last),
    ),
    Measure(
        "consensus",
        "1 where all hold one option at the last ask, else 0",
        "of consensus_share",
        lambda data: float(consensus_share(data.last) == 1) if data.last else None,
    ),
    Measure(
        "time_to_consensus",
        "first ask, from 0, from which on all hold one option to the end; the number of asks where none is (censored: "
        "`scipy.stats.ecdf` gives the Kaplan-Meier curve)",
        "Kaplan, Meier 1958; De Marzo et al. 2024, arXiv:2409.02822",
        _time,
        bounds=None,
    ),
    Measure(
        "krippendorff_alpha",
        "1 - D_o / D_e, nominal, each ask a unit and each member a judge; missing answers allowed",
        "Krippendorff 2011, Computing Krippendorff's Alpha-Reliability",
        lambda data: krippendorff_alpha([[c for c in ask.values() if c is not None] for ask in data.trajectory]),
        bounds=(-1.0, 1.0),
    ),
    Measure(
        "gini",
        "half the mean difference of the members' numbers of words over their mean, 0 to 1 - 1/n",
        "Gini 1912",
        lambda data: gini([member.words for member in data.members]) if data.messages else None,
    ),
    Measure(
        "sharing",
        "share of the private facts of the members that spoke which they said themselves, in the words they were told",
        _HIDDEN,
        lambda data: mean(
            [fact.said_at is not None for fact in data.facts if any(each.seat == fact.seat for each in data.messages)]
        ),
    ),
    Measure(
        "pooling",
        "share of all private facts that anybody said, in the words that were told",
        _HIDDEN,
        lambda data: mean([*{fact.fact: fact.heard_at is not None for fact in data.facts}.values()]),
    ),
)
