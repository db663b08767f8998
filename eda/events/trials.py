"""The fact that a vote was taken once more, to see what the verdict rests on. It decides nothing."""

from __future__ import annotations

from typing import ClassVar, Literal

from eda.events.base import Event

__all__ = ["Changed", "VoteTried"]

Changed = Literal["nothing", "premise", "terms", "order"]
"""What was otherwise than at the vote: nothing, what all were told to count on no more, what was settled as a member
wished, or the order of the ballots."""


class VoteTried(Event):
    """The members were asked for their ballots once more, and the ballots were counted."""

    beside: ClassVar[bool] = True
    type: Literal["vote_tried"] = "vote_tried"
    changed: Changed
    what: str = ""
    """The premise, or the wish, in its own words; empty of the others."""
    run: int
    """From 1, of each change."""
    outcome: tuple[str, ...] = ()
    """Ids of the motions that won or were adopted; none where nothing did."""
    verdict: int
    """Number of the fact whose vote was taken again."""
    calls: int = 0
    cost: float | None = None
    """US dollars; None where a price is not known."""
