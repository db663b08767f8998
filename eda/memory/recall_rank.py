"""Ranks what a search found: a message counts for its own words and, discounted, for those of its neighbours.

The score is a sum over the words of the query. Each word counts once, at its best place within a window around the
message, with its inverse document frequency (Robertson and Sparck Jones 1976); how often it is repeated does not
matter in messages as short as these. Short messages count less: "Yes, the battery." says little by itself.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache

__all__ = ["NEAR", "REACH", "fuse", "rank", "rarity", "worth"]

NEAR = (0.6, 0.45, 0.3, 0.15)
"""What a word counts for, said 1, 2, 3 or 4 messages away; 1 where it is said in the message itself."""
REACH = len(NEAR)
"""How many messages away a neighbour may be."""
_SHORT = 6.0
"""A message of so many words counts half of what an endless one does."""
_MEANING = 0.6
"""What being nearest in meaning adds, as a share of the best score by words. Chosen on meetings (AMI, QMSum)."""


def rarity(holding: int, count: int) -> float:
    """The weight of a word that `holding` of `count` messages hold. Always above 0."""
    return math.log(1 + (max(count - holding, 0) + 0.5) / (holding + 0.5))


def worth(size: int) -> float:
    """What a message of `size` words counts, from 0 to 1."""
    return size / (size + _SHORT)


def fuse(found: Sequence[tuple[float, int]], alike: Mapping[int, float]) -> list[tuple[float, int]]:
    """What was found by words, and what is `alike` in meaning, best first; `alike` has all that was found."""
    by_words = {number: score for score, number in found}
    unit = max(by_words.values(), default=1.0)
    nearest = max(alike.values(), default=0.0) or 1.0
    scored = ((by_words.get(n, 0.0) + _MEANING * unit * near / nearest, n) for n, near in alike.items())
    return sorted(scored, key=lambda each: (-each[0], each[1]))


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
    def counts(number: int) -> float:
        return worth(length(number))

    def alone(number: int) -> tuple[float, int]:
        return sum(weights[term] for term in hits[number]) * counts(number), -number

    mine = [number for number in hits if wanted(number)]
    best = heapq.nlargest(pool, mine, key=alone)
    if len(mine) < len(hits):  # what is wanted may be the neighbour of what is not
        best += heapq.nlargest(pool, hits, key=alone)
    near = {number + away for number in best for away in range(-REACH, REACH + 1)}
    found = sorted(
        (-_score(number, hits, weights, counts), number) for number in near if length(number) and wanted(number)
    )
    return [(-score, number) for score, number in found]


def _score(number: int, hits: dict[int, list[int]], weights: Sequence[float], counts: Callable[[int], float]) -> float:
    own = counts(number)
    best = {term: weights[term] * own for term in hits.get(number, ())}
    for away, share in enumerate(NEAR, 1):
        for neighbour in (number - away, number + away):
            terms = hits.get(neighbour)
            if terms:
                # No more than the neighbour has itself, or a long message would come before the only one that matched.
                factor = share * min(own, counts(neighbour))
                for term in terms:
                    if (value := weights[term] * factor) > best.get(term, 0.0):
                        best[term] = value
    return sum(best.values())
