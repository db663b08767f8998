"""Ranks what a search found: a message counts for its own words and, discounted, for those of its neighbours.

The score is a sum over the words of the query. Each word counts once, at its best place within a window around the
message, with its inverse document frequency (Robertson and Sparck Jones 1976); how often it is repeated does not
matter in messages as short as these. Short messages count less: "Yes, the battery." says little by itself.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Mapping, Sequence

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
    lengths: Sequence[int],
    wanted: Callable[[int], bool],
    pool: int,
) -> list[tuple[float, int]]:
    """Scores and numbers of the messages `wanted`, best first, the earlier first among equals.

    `postings` has for each word its weight and the messages that hold it; `lengths` has each message's words by its
    number, 0 where there is none. Only the `pool` messages that are best by themselves are looked at together with
    their neighbours.
    """
    hits: dict[int, list[int]] = {}
    for term, (_, numbers) in enumerate(postings):
        for number in numbers:
            if number in hits:
                hits[number].append(term)
            else:
                hits[number] = [term]
    weights = [weight for weight, _ in postings]
    alone = {
        number: (sum([weights[term] for term in terms]) * worth(lengths[number]), -number)
        for number, terms in hits.items()
    }
    mine = list(filter(wanted, hits))
    best = heapq.nlargest(pool, mine, key=alone.__getitem__)
    if len(mine) < len(hits):  # what is wanted may be the neighbour of what is not
        best += heapq.nlargest(pool, hits, key=alone.__getitem__)
    near = {number + away for number in best for away in range(-REACH, REACH + 1)}
    shown = [n for n in near if 0 < n < len(lengths) and lengths[n] and wanted(n)]
    within = {number + away for number in best for away in range(-2 * REACH, 2 * REACH + 1)}
    around = {number: hits[number] for number in within & hits.keys()}
    found = sorted((-score, n) for n, score in _scores(shown, lengths, around, weights).items())
    return [(-score, number) for score, number in found]


_AROUND = {0: 1.0} | {side * away: share for away, share in enumerate(NEAR, 1) for side in (-1, 1)}
"""What a word counts for, said in the message itself or so many messages later; the order is that of the sum."""


def _scores(
    shown: Sequence[int], lengths: Sequence[int], hits: Mapping[int, Sequence[int]], weights: Sequence[float]
) -> dict[int, float]:
    """What each of the messages is worth by the `hits` around it."""
    own = {number: worth(lengths[number]) for number in shown}
    counts = {number: worth(lengths[number]) for number in hits}
    best: dict[int, dict[int, float]] = {number: {} for number in shown}
    for away, share in _AROUND.items():
        for neighbour, terms in hits.items():
            number = neighbour - away
            if number in best:
                # No more than the neighbour has itself, or a long message would come before the only one that matched.
                factor = share * min(own[number], counts[neighbour])
                of_number = best[number]
                for term in terms:
                    value = weights[term] * factor
                    if value > of_number.get(term, 0.0):
                        of_number[term] = value
    return {number: sum(by_term.values()) for number, by_term in best.items()}
