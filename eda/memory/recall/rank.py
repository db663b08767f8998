"""Ranks messages by the words of a query: its own and, discounted, those of its neighbours.

The score is a sum over the words of the query. Each word counts once, at its best place within a window around the
message, with its inverse document frequency (Robertson and Sparck Jones 1976). Repetition does not count, because
messages are short. Short messages count less: "Yes, the battery." says little by itself.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

NEAR = (0.6, 0.45, 0.3, 0.15)  # Factors on a word 1, 2, 3 or 4 messages away; 1 for a word of the message itself.
REACH = len(NEAR)  # Greatest distance of a neighbour, in messages.
_SHORT = 6.0  # Words of a message that counts half as much as an endless one.
_MEANING = 0.6  # Share of the best score by words that the nearest meaning adds. Chosen on meetings (AMI, QMSum).


def rarity(holding: int, count: int) -> float:
    """Return the weight of a word that `holding` of `count` messages have; always above 0."""
    return math.log(1 + (max(count - holding, 0) + 0.5) / (holding + 0.5))


def worth(size: int) -> float:
    """Return the factor on a message of `size` words, from 0 to 1."""
    return size / (size + _SHORT)


def fuse(ranked: Sequence[tuple[float, int]], alike: Mapping[int, float]) -> list[tuple[float, int]]:
    """Return the results by words and those `alike` in meaning, best first; `alike` has all results by words."""
    by_words = {number: score for score, number in ranked}
    unit = max(by_words.values(), default=1.0)
    nearest = max(alike.values(), default=0.0) or 1.0
    scored = ((by_words.get(n, 0.0) + _MEANING * unit * near / nearest, n) for n, near in alike.items())
    return sorted(scored, key=lambda each: (-each[0], each[1]))


def rank(
    postings: Sequence[tuple[float, Sequence[int]]], lengths: Sequence[int], wanted: Callable[[int], bool], pool: int
) -> list[tuple[float, int]]:
    """Return scores and numbers of the messages `wanted`, best first, the earlier first among equals.

    `postings` has for each word its weight and its messages; `lengths` has the words of each message by number,
    from 1. Only the `pool` messages that are best by themselves are ranked with their neighbours.
    """
    hits: defaultdict[int, list[int]] = defaultdict(list)
    for term, (_, numbers) in enumerate(postings):
        for number in numbers:
            hits[number].append(term)
    weights = [weight for weight, _ in postings]
    alone = {
        number: (sum([weights[term] for term in terms]) * worth(lengths[number]), -number)
        for number, terms in hits.items()
    }
    mine = list(filter(wanted, hits))
    best = heapq.nlargest(pool, mine, key=alone.__getitem__)
    if len(mine) < len(hits):  # a wanted message may be beside one that is not
        best += heapq.nlargest(pool, hits, key=alone.__getitem__)
    shown = [n for n in _beside(best, REACH) if 0 < n < len(lengths) and wanted(n)]
    around = {number: hits[number] for number in _beside(best, 2 * REACH) & hits.keys()}
    scores = _scores(shown, lengths, around, weights)
    return sorted(((score, n) for n, score in scores.items()), key=lambda each: (-each[0], each[1]))


def _beside(numbers: Iterable[int], reach: int) -> set[int]:
    """Return the numbers, and those up to `reach` away from one."""
    return {number + away for number in numbers for away in range(-reach, reach + 1)}


_AROUND = {0: 1.0} | {side * away: share for away, share in enumerate(NEAR, 1) for side in (-1, 1)}
"""Factor on a word by its distance in messages; the scores are summed in this order."""


def _scores(
    shown: Sequence[int], lengths: Sequence[int], hits: Mapping[int, Sequence[int]], weights: Sequence[float]
) -> dict[int, float]:
    """Return the score of each message by the `hits` around it."""
    own = {number: worth(lengths[number]) for number in shown}
    counts = {number: worth(lengths[number]) for number in hits}
    best: dict[int, dict[int, float]] = {number: {} for number in shown}
    for away, share in _AROUND.items():
        for neighbour, terms in hits.items():
            number = neighbour - away
            if number in best:
                # At most the neighbour's own factor, or a long message would rank above the only one that matched.
                factor = share * min(own[number], counts[neighbour])
                of_number = best[number]
                for term in terms:
                    value = weights[term] * factor
                    if value > of_number.get(term, 0.0):
                        of_number[term] = value
    return {number: sum(by_term.values()) for number, by_term in best.items()}
