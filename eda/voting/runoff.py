"""The instant run-off: who has the fewest votes leaves, and its ballots go to whom they name next."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from eda.events import Ballot
from eda.voting.outcome import Outcome, best, ranked

__all__ = ["instant_runoff"]


def instant_runoff(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Outcome:
    """Round by round the option with the fewest votes leaves, until one is left. Figures: votes in its last round.

    A ballot whose options have all left counts no more. Of several with the fewest, the one leaves that the lots put
    last; `tied` names all who could have won under other lots ("parallel universes": V. Conitzer, M. Rognlie, L. Xia,
    "Preference Functions that Score Rankings and Maximum Likelihood Estimation", 2009).
    """
    orders = [order for ballot in ballots if (order := ranked(ballot, choices))]
    if not orders:
        return best(dict.fromkeys(choices, 0.0), lots, anybody=False)
    left = list(lots)
    gone: list[str] = []
    rounds: list[dict[str, int]] = []
    figures: dict[str, float] = {}
    notes: list[str] = []
    while len(left) > 1 or not rounds:
        votes = _votes(orders, left)
        rounds.append(votes)
        figures.update(votes)
        last = _fewest(votes)
        if len(left) > 1:
            if len(last) > 1 and figures[last[0]]:
                notes.append(f"round {len(rounds)}: {' and '.join(last)} were level, and the lot sent {last[-1]} out")
            left.remove(last[-1])
            gone.append(last[-1])
    winners = _winners(orders, lots)
    return Outcome(
        winner=left[0],
        order=(left[0], *reversed(gone)),
        figures={choice: float(figures[choice]) for choice in choices},
        rounds=tuple(rounds),
        tied=winners if len(winners) > 1 else (),
        note="; ".join(notes),
    )


def _votes(orders: Sequence[Sequence[str]], left: Sequence[str]) -> dict[str, int]:
    votes = dict.fromkeys(left, 0)
    for order in orders:
        for choice in order:
            if choice in votes:
                votes[choice] += 1
                break
    return votes


def _fewest(votes: dict[str, int]) -> list[str]:
    least = min(votes.values())
    return [choice for choice, count in votes.items() if count == least]


def _winners(orders: Sequence[Sequence[str]], lots: Sequence[str]) -> tuple[str, ...]:
    """All who win under some order in which those that are level leave, in the order of the lots."""

    @cache
    def from_here(left: tuple[str, ...]) -> frozenset[str]:
        if len(left) == 1:
            return frozenset(left)
        votes = _votes(orders, left)
        some = tuple(choice for choice in left if votes[choice])
        if not some:
            return frozenset(left)
        if len(some) < len(left):  # those without a vote leave first, in whatever order, and hand nothing on
            return from_here(some)
        leaving = _fewest(votes)
        return frozenset().union(*(from_here(tuple(c for c in left if c != out)) for out in leaving))

    found = from_here(tuple(lots))
    return tuple(choice for choice in lots if choice in found)
