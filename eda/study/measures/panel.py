"""Measures of a panel: how much its members agree, and what they say, about whom, and which private facts."""

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations, takewhile
from math import log, log2

from eda.report.effect import gini
from eda.study.measures.base import Measure, mean
from eda.study.rows import CellData, Choices

CONSENSUS = 1.0
"""The share of the members that makes a consensus."""


def consensus_share(choices: Choices) -> float | None:
    """Return the share of all who answered that hold the most frequent option; None where nobody answered."""
    counts = Counter(choice for choice in choices.values() if choice is not None)
    return max(counts.values(), default=0) / len(choices) if choices else None


def time_to_consensus(trajectory: Sequence[Choices], theta: float = CONSENSUS) -> int | None:
    """Return the first ask from which on the consensus share is `theta` or more to the end; None: not reached."""
    agreed = [(consensus_share(choices) or 0.0) >= theta for choices in trajectory]
    last = len([*takewhile(bool, reversed(agreed))])
    return len(agreed) - last if last else None


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


def _counts(data: CellData) -> list[float]:
    """Return how many hold each option at the last ask, in the order of the options."""
    held = Counter(data.last.values())
    options = data.cell.options or tuple(dict.fromkeys(each for each in data.last.values() if each is not None))
    return [float(held[option]) for option in options]


def _time(data: CellData) -> float | None:
    """Return the time to consensus; the number of asks where it was not reached, as a censored time."""
    if not data.trajectory:
        return None
    reached = time_to_consensus(data.trajectory)
    return float(len(data.trajectory) if reached is None else reached)


def _consensus(data: CellData) -> float | None:
    shared = consensus_share(data.last)
    return None if shared is None else float(shared >= CONSENSUS)


_LONG = 4  # The fewest letters of a word that counts as one of content.


def argument_diversity(texts: Sequence[str]) -> float | None:
    """Return 1 minus the mean Jaccard similarity of the content words of each two texts; None below two texts."""
    words = [{word for word in re.findall(r"\w+", text.casefold()) if len(word) >= _LONG} for text in texts]
    return mean([1 - len(one & other) / len(one | other) for one, other in combinations(words, 2) if one | other])


def _sharing(data: CellData) -> float | None:
    spoke = {message.seat for message in data.messages}
    return mean([fact.said_at is not None for fact in data.facts if fact.seat in spoke])


def _pooling(data: CellData) -> float | None:
    heard = {fact.fact for fact in data.facts if fact.heard_at is not None}
    return mean([fact in heard for fact in {each.fact for each in data.facts}])


_HIDDEN = "Stasser, Titus 1985; HiddenBench 2025, arXiv:2505.11556"
_TALK = "arXiv:2603.28813"
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
        "peer_reference",
        "share of the messages that name another member or answer a message",
        _TALK,
        lambda data: mean([bool(message.names) or message.reply_to is not None for message in data.messages]),
    ),
    Measure(
        "argument_diversity",
        "1 minus the mean Jaccard similarity of the content words of each two messages",
        _TALK,
        lambda data: argument_diversity([message.text for message in data.messages]),
    ),
    Measure(
        "sharing",
        "share of the private facts of the members that spoke which they said themselves, in the words they were told",
        _HIDDEN,
        _sharing,
    ),
    Measure(
        "pooling",
        "share of all private facts that anybody said, in the words that were told",
        _HIDDEN,
        _pooling,
    ),
)
