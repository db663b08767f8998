"""Ranks what a search found: a message counts for its own words and, discounted, for those of its neighbours.

The score is a sum over the words of the query. Each word counts once, at its best place within a window around the
message, with its inverse document frequency (Robertson and Sparck Jones 1976); how often it is repeated does not
matter in messages as short as these. Short messages count less: "Yes, the battery." says little by itself.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from functools import cache

__all__ = ["REACH", "rank", "rarity"]

_NEAR = (0.6, 0.45, 0.3, 0.15)
"""What a word counts for, said 1, 2, 3 or 4 messages away; 1 where it is said in the message itself."""
REACH = len(_NEAR)
"""How many messages away a neighbour may be."""
_SHORT = 6.0
"""A message of so many words counts half of what an endless one does."""


def rarity(holding: int, count: int) -> float:
    """The weight of a word that `holding` of `count` messages hold. Always above 0."""
    return math.log(1 + (max(count - holding, 0) + 0.5) / (holding + 0.5))


def rank(
    postings: Sequence[tuple[float, Sequence[int]]],
    length: Callable[[int], int],
    wanted: Callable[[int], bool],
    pool: int,
) -> list[tuple[float, int]]:
    """Scores and numbers of the messages `wanted`, best first, the earlier first among equals.

    `postings` has for each word its weight and the messages that hold it; `length` counts a message's words. Only the
    `pool` messages that are best by themselves are looked at together with their neighbours.
    """
    hits: dict[int, list[int]] = {}
    for term, (_, numbers) in enumerate(postings):
        for number in numbers:
            hits.setdefault(number, []).append(term)
    weights = [weight for weight, _ in postings]

    @cache
    def worth(number: int) -> float:
        size = length(number)
        return size / (size + _SHORT)

    def alone(number: int) -> tuple[float, int]:
        return sum(weights[term] for term in hits[number]) * worth(number), -number

    mine = [number for number in hits if wanted(number)]
    best = heapq.nlargest(pool, mine, key=alone)
    if len(mine) < len(hits):  # what is wanted may be the neighbour of what is not
        best += heapq.nlargest(pool, hits, key=alone)
    near = {number + away for number in best for away in range(-REACH, REACH + 1)}
    found = sorted(
        (-_score(number, hits, weights, worth), number) for number in near if length(number) and wanted(number)
    )
    return [(-score, number) for score, number in found]


def _score(number: int, hits: dict[int, list[int]], weights: Sequence[float], worth: Callable[[int], float]) -> float:
    own = worth(number)
    best = {term: weights[term] * own for term in hits.get(number, ())}
    for away, share in enumerate(_NEAR, 1):
        for neighbour in (number - away, number + away):
            terms = hits.get(neighbour)
            if terms:
                # No more than the neighbour has itself, or a long message would come before the only one that matched.
                factor = share * min(own, worth(neighbour))
                for term in terms:
                    if (value := weights[term] * factor) > best.get(term, 0.0):
                        best[term] = value
    return sum(best.values())
