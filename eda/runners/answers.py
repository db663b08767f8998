"""Schemas of structured answers, and how an answer is checked against them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

import orjson
from pydantic import BaseModel, BeforeValidator, Field

from eda.runners.protocol import Reply

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
    "structured",
]

_FIGURE = re.compile(r"(\d{1,9}(?:[.,]\d{1,9})?)\s*(?:(%)|(?:/|out of)\s*([1-9]\d{0,8}))?")


def figure(value: Any, most: int) -> Any:
    """Return a number that a model wrote as text ("0.7", "70 %", "7/10"), on a scale up to `most`; else `value`."""
    match = _FIGURE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return value
    number = float(match[1].replace(",", "."))
    of = 100 if match[2] else int(match[3] or 0)
    return round(number / of * most, 6) if of else number


def _several(value: Any) -> Any:
    """A list, also if one text or nothing stands for it."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else value


def _line(value: Any) -> Any:
    """A text, also if nothing or a list of sentences stands for it."""
    if value is None:
        return ""
    return " ".join(map(str, value)) if isinstance(value, list) else value


_Share = Annotated[float, Field(ge=0, le=1), BeforeValidator(partial(figure, most=1))]
_Line = Annotated[str, BeforeValidator(_line)]
_Choices = Annotated[list[str], BeforeValidator(_several)]


class BidAnswer(BaseModel):
    """A member's answer to whether it wants to speak."""

    wants: bool
    urgency: _Share = 0.5
    reason: _Line = ""


class MemberBid(BidAnswer):
    """The bid of one member in an answer for several."""

    agent: str


class BidsAnswer(BaseModel):
    """The bids of all members that one call asks."""

    bids: list[MemberBid]


class BallotAnswer(BaseModel):
    """A member's vote."""

    choice: str | None
    ranking: _Choices = []
    approved: _Choices = []
    blocked: _Choices = []
    confidence: _Share | None = None
    reason: _Line = ""


class Score(BaseModel):
    """A member's score for one choice."""

    choice: str
    score: Annotated[float, Field(ge=0, le=10), BeforeValidator(partial(figure, most=10))]


class ScoredAnswer(BallotAnswer):
    """A vote under a rule that counts scores."""

    scores: list[Score] = []


class ModerateAnswer(BaseModel):
    """The member to whom the moderator gives the floor."""

    agent: str
    why: _Line = ""


class PollAnswer(BaseModel):
    """A member's private answer to a poll."""

    choice: str | None = None
    confidence: _Share
    change_mind: _Line = ""


def structured(reply: Reply) -> Mapping[str, Any] | None:
    """Return the structured answer: the reply's data, or the JSON object in its text; None if it has neither."""
    if isinstance(reply.data, Mapping):
        return reply.data
    start, end = reply.text.find("{"), reply.text.rfind("}")
    try:
        fields = orjson.loads(reply.text[start : end + 1].encode("utf-8", "replace")) if 0 <= start < end else None
    except orjson.JSONDecodeError:
        return None
    return fields if isinstance(fields, dict) else None
