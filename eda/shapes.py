"""The shapes of structured answers: what a runner is asked to fill in, and how it is checked."""

from __future__ import annotations

from pydantic import BaseModel, Field

__all__ = [
    "BallotAnswer",
    "BidAnswer",
    "BidsAnswer",
    "MemberBid",
    "ModerateAnswer",
    "PollAnswer",
    "Score",
    "ScoredAnswer",
]


class BidAnswer(BaseModel):
    """What a member answers when asked whether it wants to speak."""

    wants: bool
    urgency: float = Field(default=0.5, ge=0, le=1)
    reason: str = ""


class MemberBid(BidAnswer):
    """The bid of one member among others."""

    agent: str


class BidsAnswer(BaseModel):
    """What is answered for all who are asked together whether they want to speak."""

    bids: list[MemberBid]


class BallotAnswer(BaseModel):
    """What a member answers when asked for its vote."""

    choice: str | None
    ranking: list[str] = []
    approved: list[str] = []
    blocked: list[str] = []
    confidence: float | None = Field(default=None, ge=0, le=1)
    reason: str = ""


class Score(BaseModel):
    """What a member gives one choice."""

    choice: str
    score: float = Field(ge=0, le=10)


class ScoredAnswer(BallotAnswer):
    """The same where the rule counts scores."""

    scores: list[Score] = []


class ModerateAnswer(BaseModel):
    """Whom the moderator gives the floor."""

    agent: str
    why: str = ""


class PollAnswer(BaseModel):
    """What a member answers when asked privately where it stands."""

    choice: str | None = None
    confidence: float = Field(ge=0, le=1)
    change_mind: str = ""
