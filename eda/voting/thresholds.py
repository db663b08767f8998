"""Rules that ask for a share of the votes cast, or that nobody objects. Abstaining is no vote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from eda.events import Ballot
from eda.voting.outcome import Count, Outcome, best, first_choices

__all__ = ["consent", "majority", "supermajority", "unanimity"]

_HALF = Fraction(1, 2)


def majority(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Outcome:
    """More than half of the votes cast. Figures: first choices."""
    return _over(_HALF, ballots, choices, lots)


def supermajority(share: Fraction) -> Count:
    """The rule that asks for `share` of the votes cast, or more."""

    def count(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Outcome:
        return _over(share, ballots, choices, lots)

    return count


unanimity = supermajority(Fraction(1))
"""Every vote that was cast. Figures: first choices."""


def consent(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Outcome:
    """Of the options that nobody blocks, the one that is first for most. Figures: first choices, 0 for a blocked one.

    An option that nobody puts first is not carried by the silence of all.
    """
    votes = first_choices(ballots, choices)
    blocked = {choice for ballot in ballots if not ballot.invalid for choice in ballot.blocked}
    free = {choice: 0.0 if choice in blocked else figure for choice, figure in votes.items()}
    found = best(free, lots, anybody=any(votes.values()))
    if found.winner is not None and not free[found.winner]:
        return replace(found, winner=None, tied=(), note="every option that anybody puts first is blocked")
    return found


def _over(share: Fraction, ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Outcome:
    """The most first choices, where they are `share` of the votes or more; more than that, where it is a half."""
    figures = first_choices(ballots, choices)
    votes = sum(map(int, figures.values()))
    most = best(figures, lots, anybody=votes > 0)
    if most.winner is None:
        return most
    has = int(figures[most.winner])
    enough = has > share * votes if share == _HALF else has >= share * votes
    return most if enough else replace(most, winner=None, tied=())
