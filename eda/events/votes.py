"""Facts of polls and ballots, and what they came to."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from eda.events.base import Event, Frozen

__all__ = [
    "Ballot",
    "BallotCast",
    "StanceTaken",
    "VerdictReached",
]


class StanceTaken(Event):
    """A member said privately where it stands. In nobody's context; polls count, words do not."""

    type: Literal["stance_taken"] = "stance_taken"
    who: str
    poll: int
    """From 1: all stances of one poll have one number."""
    choices: tuple[str, ...] = ()
    choice: str | None = None
    """One of the choices; None where it holds none of them."""
    score: float | None = Field(default=None, ge=-1, le=1)
    """How far it is for the proposal in question, where there is but one."""
    confidence: float | None = Field(default=None, ge=0, le=1)
    change_mind: str = ""
    """What would change its mind, one sentence."""
    after: int = 0
    """The last message that it had heard."""
    invalid: bool = False
    """No usable answer came, also when asked again."""


class Ballot(Frozen):
    """One vote."""

    agent: str
    choice: str | None
    """The first choice; None: an abstention, or a ballot that only approves, scores or blocks."""
    ranking: tuple[str, ...] = ()
    """Best first, each option once; those left out come after all named, tied."""
    approved: tuple[str, ...] = ()
    scores: dict[str, float] = {}
    """0 to 10 each."""
    blocked: tuple[str, ...] = ()
    """What the voter cannot live with."""
    withheld: tuple[str, ...] = ()
    """What it was not asked about: its own proposals, where nobody votes for those. It says nothing of them."""
    confidence: float | None = None
    """0 to 1."""
    reason: str = ""
    invalid: bool = False
    """Asked for again once, invalid again, and counted as an abstention."""


class BallotCast(Event):
    """A member voted; `choices` is what it could choose from."""

    type: Literal["ballot_cast"] = "ballot_cast"
    ballot: Ballot
    choices: tuple[str, ...]


class VerdictReached(Event):
    """What the panel came to, by which rule, and who did not agree."""

    type: Literal["verdict_reached"] = "verdict_reached"
    rule: str
    outcome: str | None
    """The choice that won; None where none did."""
    note: str = ""
    """Why none did, where it was not for want of a majority: no quorum, no choice."""
    tally: dict[str, tuple[str, ...]]
    """Who voted for each choice."""
    abstained: tuple[str, ...] = ()
    dissent: tuple[Ballot, ...] = ()
    """The ballots for another choice than the outcome."""
    evidence: tuple[int, ...] = ()
    """Messages that the outcome rests on."""
    figures: dict[str, float] = {}
    """Each option's figure under the rule."""
    order: tuple[str, ...] = ()
    """All options, best first, where the rule ranks them."""
    margin: float | None = None
    """By how much the outcome's figure leads the next one; None where nothing won."""
    tie: str = ""
    """How a tie was broken, in words."""
    blocked: dict[str, tuple[str, ...]] = {}
    """Who cannot live with which option."""
    behind: dict[str, tuple[int, ...]] = {}
    """Of each option that is a proposal: the messages that made it and that speak for it."""
    before: dict[str, tuple[str, ...]] = {}
    """Who held each option in the first poll, where one was taken before what was counted."""
    quorum: float = 0.5
    """More than this share of the members had to vote."""
    judge: str = ""
    """Who decided, where the rule is `judge`."""
