"""Facts about votes: polls, ballots, the verdict, and the baseline and report that follow a verdict."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from eda.events.base import Event, Frozen
from eda.events.records import Cited

__all__ = ["Ballot", "BallotCast", "BaselineTaken", "ReportWritten", "SingleAnswer", "StanceTaken", "VerdictReached"]


class StanceTaken(Event):
    """A member answered a poll in private. No context shows the answer; polls are counted from these facts."""

    type: Literal["stance_taken"] = "stance_taken"
    who: str
    poll: int
    """Number of the poll, from 1."""
    choices: tuple[str, ...] = ()
    choice: str | None = None
    """One of the choices; None if the member holds none of them."""
    score: float | None = Field(default=None, ge=-1, le=1)
    """From -1 (against) to 1 (for); only where the poll is about a single proposal."""
    confidence: float | None = Field(default=None, ge=0, le=1)
    change_mind: str = ""
    """What would change the member's mind, in one sentence."""
    after: int = 0
    """Number of the last message that the member had heard."""
    invalid: bool = False
    """True if the member gave no usable answer, even on the second try."""


class Ballot(Frozen):
    """One vote."""

    agent: str
    choice: str | None
    """The first choice; None for an abstention, or for a ballot that only approves, scores or blocks."""
    ranking: tuple[str, ...] = ()
    """Best first, each option once. Options that are left out are tied after all ranked ones."""
    approved: tuple[str, ...] = ()
    scores: dict[str, float] = {}
    """0 to 10 for each option."""
    blocked: tuple[str, ...] = ()
    """Options that the voter cannot live with."""
    withheld: tuple[str, ...] = ()
    """The voter's own proposals, where nobody votes on their own. The ballot says nothing about them."""
    confidence: float | None = None
    """0 to 1."""
    reason: str = ""
    invalid: bool = False
    """True if the answer was unusable twice. The ballot counts as an abstention."""


class BallotCast(Event):
    """A member voted."""

    type: Literal["ballot_cast"] = "ballot_cast"
    ballot: Ballot
    choices: tuple[str, ...]
    """What the member could choose from."""


class VerdictReached(Event):
    """The panel's result, the rule that produced it, and who disagreed."""

    type: Literal["verdict_reached"] = "verdict_reached"
    rule: str
    outcome: str | None
    """The choice that won; None if none did."""
    note: str = ""
    """Why no choice won, for another reason than a missing majority: no quorum, no choices."""
    tally: dict[str, tuple[str, ...]]
    """The voters of each choice."""
    abstained: tuple[str, ...] = ()
    dissent: tuple[Ballot, ...] = ()
    """The ballots for another choice than the outcome."""
    evidence: tuple[int, ...] = ()
    """Numbers of the messages that support the outcome."""
    figures: dict[str, float] = {}
    """The figure of each option under the rule."""
    order: tuple[str, ...] = ()
    """All options, best first, if the rule ranks them."""
    margin: float | None = None
    """The lead of the outcome's figure over the next one; None if nothing won."""
    tie: str = ""
    """A sentence that says how a tie was broken."""
    blocked: dict[str, tuple[str, ...]] = {}
    """For each blocked option, who cannot live with it."""
    behind: dict[str, tuple[int, ...]] = {}
    """For each option that is a proposal, the numbers of the messages that made or supported it."""
    before: dict[str, tuple[str, ...]] = {}
    """The holders of each option in the first poll, if a poll was taken before the vote that was counted."""
    quorum: float = 0.5
    """More than this share of the members (0 to 1) had to vote."""
    judge: str = ""
    """Who decided, if the rule is `judge`."""


class SingleAnswer(Frozen):
    """One answer of the speakers' model to the question alone."""

    text: str
    choice: str | None
    """The choice that the answer takes; None if it could not be read."""


class BaselineTaken(Event):
    """The model answered the question without a debate, as often as the debate's tokens would pay for."""

    type: Literal["baseline_taken"] = "baseline_taken"
    choices: tuple[str, ...]
    answers: tuple[SingleAnswer, ...]
    outcome: str | None
    """The choice of most answers; None if two choices are level or no answer could be read."""
    tokens: int = 0
    """Tokens of all answers, in and out."""


class ReportWritten(Event):
    """A model wrote the prose of the report. Each quote was checked against the message it cites."""

    type: Literal["report_written"] = "report_written"
    verdict: str
    """One or two sentences on the reasons for the verdict and what follows; empty if no sentence passed the checks."""
    reasons: tuple[Cited, ...] = ()
    dissent: tuple[Cited, ...] = ()
    risks: tuple[Cited, ...] = ()
    open: tuple[Cited, ...] = ()
    dropped: tuple[Cited, ...] = ()
    """Statements that were left out because the cited message does not contain the quote."""
    by: str = ""
    """The model."""
