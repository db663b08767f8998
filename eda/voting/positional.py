"""Rules that add up points: of first choices, approvals, scores, places."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from eda.events import Ballot
from eda.voting.outcome import Outcome, best, first_choices, has_voted, ranked

__all__ = ["approval", "borda", "plurality", "score"]


def plurality(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Outcome:
    """The most first choices, however few. Figures: first choices."""
    figures = first_choices(ballots, choices)
    return best(figures, lots, anybody=any(figures.values()))


def approval(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Outcome:
    """The most approvals (S. J. Brams, P. C. Fishburn, "Approval Voting", 1978). Figures: approvals."""
    figures = {choice: float(sum(choice in ballot.approved for ballot in ballots)) for choice in choices}
    return best(figures, lots, anybody=any(figures.values()))


def score(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Outcome:
    """The highest mean score. Figures: means, 0 to 10.

    A ballot without scores is left out; an option that a scoring ballot leaves out has 0 from it, so that one friend
    alone carries none. Where its voter was not asked about an option, the ballot is left out of that one's mean.
    """
    scoring = [ballot for ballot in ballots if ballot.scores]
    figures = {}
    for choice in choices:
        asked = [ballot.scores.get(choice, 0.0) for ballot in scoring if choice not in ballot.withheld]
        figures[choice] = round(fsum(asked) / max(1, len(asked)), 9)
    return best(figures, lots, anybody=bool(scoring))


def borda(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Outcome:
    """A point for each option that a ballot puts below, half a point for each that it puts level. Figures: points.

    Options that a ballot leaves out are level with each other, below all that it names; one that its voter was not
    asked about is level with all others. This is Borda's count as in a tournament: the averaged Borda rule of
    Z. Terzopoulou and U. Endriss, "The Borda class", Journal of Mathematical Economics, 2021. Abstentions are left out.
    """
    figures = dict.fromkeys(choices, 0.0)
    anybody = False
    for ballot in filter(has_voted, ballots):
        order = ranked(ballot, choices)
        anybody = anybody or bool(order)
        unasked = [choice for choice in choices if choice in ballot.withheld and choice not in order]
        level = (len(choices) - len(unasked) - len(order) - 1) / 2
        for choice in choices if order else ():
            if choice in unasked:
                figures[choice] += (len(choices) - 1) / 2
            else:
                below = len(choices) - len(unasked) - 1 - order.index(choice) if choice in order else level
                figures[choice] += below + len(unasked) / 2
    return best(figures, lots, anybody=anybody)
