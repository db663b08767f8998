"""Measures of what was said: by whom, about whom, and which private facts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from eda.report.effect import gini
from eda.study.measures.base import Measure, mean
from eda.study.rows import CellData

_LONG = 4
"""The fewest letters of a word that counts as one of content."""


def argument_diversity(texts: Sequence[str]) -> float | None:
    """Return 1 minus the mean Jaccard similarity of the content words of each two texts; None below two texts."""
    words = [{word for word in re.findall(r"\w+", text.casefold()) if len(word) >= _LONG} for text in texts]
    return mean([1 - len(one & other) / len(one | other) for one, other in combinations(words, 2) if one | other])


def _sharing(data: CellData) -> float | None:
    spoke = {message.seat for message in data.messages}
    return mean([fact.said_at is not None for fact in data.facts if fact.seat in spoke])


def _pooling(data: CellData) -> float | None:
    said: dict[str, bool] = {}
    for fact in data.facts:
        said[fact.fact] = said.get(fact.fact, False) or fact.heard_at is not None
    return mean(list(said.values()))


_HIDDEN = "Stasser, Titus 1985; HiddenBench 2025, arXiv:2505.11556"
_TALK = "arXiv:2603.28813"
MEASURES = (
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
