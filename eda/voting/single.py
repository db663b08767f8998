"""Rules in which no ballots are weighed against each other: a judge decides, or what the debate moved does."""

from __future__ import annotations

from collections.abc import Sequence

from eda.events import Ballot
from eda.voting.outcome import Count, Outcome, best, ranked

__all__ = ["judge", "shift"]


def judge(name: str) -> Count:
    """The first choice of the member of that title decides. Figures: 1 for it, 0 for the others."""

    def count(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Outcome:
        own = next((ballot for ballot in ballots if ballot.agent.casefold() == name.casefold()), None)
        order = ranked(own, choices) if own else ()
        figures = {choice: float(choice in order[:1]) for choice in choices}
        if not order:
            return Outcome(figures=figures, note=f"{name}, who judges, named no choice")
        return Outcome(order[0], (*order, *(choice for choice in lots if choice not in order)), figures)

    return count


def shift(before: Sequence[Ballot], after: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Outcome:
    """The side that gained most between two polls, whoever is larger. Figures: shares gained, -1 to 1.

    A poll is read as ballots. A share is of all who were asked, the undecided too, as in debates that are judged by how
    many minds they change.
    """
    figures = {choice: round(_share(after, choice) - _share(before, choice), 9) for choice in choices}
    if any(figure > 0 for figure in figures.values()):
        return best(figures, lots)
    return Outcome(order=best(figures, lots).order, figures=figures, note="no side gained")


def _share(poll: Sequence[Ballot], choice: str) -> float:
    return sum(ballot.choice == choice for ballot in poll) / len(poll) if poll else 0.0
