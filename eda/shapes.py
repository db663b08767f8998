"""The shapes of structured answers: what a runner is asked to fill in, and how it is checked."""

from __future__ import annotations

import re
from functools import partial
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

__all__ = [
    "BallotAnswer",
    "BidAnswer",
    "BidsAnswer",
    "MemberBid",
    "ModerateAnswer",
    "PollAnswer",
    "Score",
    "ScoredAnswer",
    "figure",
]

_FIGURE = re.compile(r"(\d{1,9}(?:[.,]\d{1,9})?)\s*(?:(%)|(?:/|out of)\s*([1-9]\d{0,8}))?")


def figure(value: Any, most: int) -> Any:
    """A number in words, as models write it ("0.7", "70 %", "7/10"), on a scale up to `most`; else `value` itself."""
    match = _FIGURE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return value
    number = float(match[1].replace(",", "."))
    of = 100 if match[2] else int(match[3] or 0)
    return round(number / of * most, 6) if of else number


def _several(value: Any) -> Any:
    """A list, also where one text or nothing stands for it."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else value


def _line(value: Any) -> Any:
    """A text, also where nothing or a list of sentences stands for it."""
    if value is None:
        return ""
    return " ".join(map(str, value)) if isinstance(value, list) else value


_Share = Annotated[float, Field(ge=0, le=1), BeforeValidator(partial(figure, most=1))]
_Line = Annotated[str, BeforeValidator(_line)]
_Choices = Annotated[list[str], BeforeValidator(_several)]


class BidAnswer(BaseModel):
    """What a member answers when asked whether it wants to speak."""

    wants: bool
    urgency: _Share = 0.5
    reason: _Line = ""


class MemberBid(BidAnswer):
    """The bid of one member among others."""

    agent: str


class BidsAnswer(BaseModel):
    """What is answered for all who are asked together whether they want to speak."""

    bids: list[MemberBid]


class BallotAnswer(BaseModel):
    """What a member answers when asked for its vote."""

    choice: str | None
    ranking: _Choices = []
    approved: _Choices = []
    blocked: _Choices = []
    confidence: _Share | None = None
    reason: _Line = ""


class Score(BaseModel):
    """What a member gives one choice."""

    choice: str
    score: Annotated[float, Field(ge=0, le=10), BeforeValidator(partial(figure, most=10))]


class ScoredAnswer(BallotAnswer):
    """The same where the rule counts scores."""

    scores: list[Score] = []


class ModerateAnswer(BaseModel):
    """Whom the moderator gives the floor."""

    agent: str
    why: _Line = ""


class PollAnswer(BaseModel):
    """What a member answers when asked privately where it stands."""

    choice: str | None = None
    confidence: _Share
    change_mind: _Line = ""
