"""Schemas of structured answers, and the figures and lists in words that they take."""

from functools import partial
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from eda.panels.settings import Takes
from eda.text import regex

_FIGURE = regex(r"(\d{1,9}(?:[.,]\d{1,9})?)\s*(?:(%)|(?:/|out of)\s*([1-9]\d{0,8}))?")


def figure(value: Any, most: int) -> Any:
    """Return a number that a model wrote as text ("0.7", "70 %", "7/10"), on a scale up to `most`; else `value`."""
    match = _FIGURE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return value
    number = float(match[1].replace(",", "."))
    of = 100 if match[2] else int(match[3] or 0)
    return round(number / of * most, 6) if of else number


DEGREES = {
    **dict.fromkeys(("very high", "very sure", "very confident", "certain", "extremely high", "sehr hoch"), 0.95),
    **dict.fromkeys(("high", "sure", "confident", "fairly sure", "hoch", "sicher", "ziemlich sicher"), 0.8),
    **dict.fromkeys(("medium", "moderate", "middling", "mittel", "mittelhoch"), 0.5),
    **dict.fromkeys(("low", "unsure", "niedrig", "gering", "unsicher"), 0.2),
    **dict.fromkeys(("very low", "very unsure", "sehr niedrig", "sehr gering", "sehr unsicher"), 0.05),
}
"""Shares that models write as words: how urgent a bid is; how sure a voter is only a figure of its own says."""
# A share above 1 is a percentage between these two; one of 1 to 10 could be a figure out of ten as well.
_LEAST_PERCENT, _MOST_PERCENT = 10, 100


def share(value: Any) -> Any:
    """Return a share from 0 to 1 that a model wrote in another form ("80 %", "8/10", 80, "high"); else `value`."""
    if isinstance(value, str):
        value = DEGREES.get(" ".join(value.casefold().strip(" .").split()), value)
    value = figure(value, 1)
    return value / 100 if isinstance(value, int | float) and _LEAST_PERCENT < value <= _MOST_PERCENT else value


def _several(value: Any) -> Any:
    """Return a list, also if one text or nothing stands for it."""
    return [] if value is None else [value] if isinstance(value, str) else value


def _line(value: Any) -> Any:
    """Return a text, also if nothing or a list of sentences stands for it."""
    return " ".join(map(str, value or ())) if isinstance(value, list | None) else value


# One of the values that a schema lists, in any case.
_LISTED = BeforeValidator(lambda value: value.strip(" .").lower() if isinstance(value, str) else value)
_Share = Annotated[float, Field(ge=0, le=1), BeforeValidator(share)]
_Line = Annotated[str, BeforeValidator(_line)]
_Choices = Annotated[list[str], BeforeValidator(_several)]
_Message = Annotated[  # its number as written; a vote is worth more than a slip in what moved it
    str | None,
    BeforeValidator(lambda value: str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None),
]


# Answers on terms that are whole by themselves, as models word them.
TAKES: dict[str, Takes] = {
    **dict.fromkeys(("as it is", "as is", "so wie es ist", "wie es ist", "so wie er ist", "wie er ist"), "as it is"),
    **dict.fromkeys(("not at all", "never", "nie", "gar nicht", "überhaupt nicht"), "not at all"),
}
# A change stands in a field of its own beside it.
_TAKES = TAKES | dict.fromkeys(("with change", "with changes", "mit änderung", "mit einer änderung"), "with a change")


class Answer(BaseModel):
    """A structured answer, or a part of one. What validates it is built when it is first used."""

    model_config = ConfigDict(defer_build=True)


class BidAnswer(Answer):
    """A member's answer to whether it wants to speak."""

    wants: bool
    urgency: _Share = 0.5
    reason: _Line = ""


class MemberBid(BidAnswer):
    """The bid of one member in an answer for several."""

    agent: str


class BidsAnswer(Answer):
    """The bids of all members that one call asks."""

    bids: list[MemberBid]


class BallotAnswer(Answer):
    """A member's vote."""

    choice: str | None
    ranking: _Choices = []
    approved: _Choices = []
    also: _Choices = []
    apart: Annotated[list[Any], BeforeValidator(_several)] = []
    blocked: _Choices = []
    moved_by: _Message = None
    confidence: _Share | None = None
    reason: _Line = ""


class Score(Answer):
    """A member's score for one choice."""

    choice: str
    score: Annotated[float, Field(ge=0, le=10), BeforeValidator(partial(figure, most=10))]


class ScoredAnswer(BallotAnswer):
    """A vote under a rule that counts scores."""

    scores: list[Score] = []


class ModerateAnswer(Answer):
    """The member to whom the moderator gives the floor."""

    agent: str
    why: _Line = ""


class TermsAnswer(Answer):
    """What would bring a member in that is not for the leading text."""

    takes: Annotated[
        Takes,
        BeforeValidator(
            lambda value: _TAKES.get(word := value.strip(" .!\"'*`").lower(), word) if isinstance(value, str) else value
        ),
    ]
    change: _Line = ""


class TellingAnswer(Answer):
    """What of a text tells who somebody is."""

    telling: _Choices


class _Act(Answer):
    on: Annotated[str | None, _LISTED] = None
    words: _Line = ""


class DeclaredAct(_Act):
    """What a member declares when it is asked, about one text."""

    does: Annotated[
        Literal[
            "propose",
            "amend",
            "support",
            "support if",
            "oppose",
            "undecided",
            "hold",
            "deny",
            "withdraw text",
            "withdraw opposition",
            "withdraw support",
            "withdraw condition",
        ],
        _LISTED,
    ]
    title: _Line = ""


class DeclaredActs(Answer):
    """What a member declares when it is asked; an empty list is an answer, and no list is none."""

    acts: list[DeclaredAct]


class StatedAct(_Act):
    """What a line of a person states about one text."""

    does: Annotated[  # a person holds nothing
        Literal[
            "support",
            "oppose",
            "undecided",
            "propose",
            "amend",
            "withdraw text",
            "withdraw opposition",
            "withdraw support",
            "withdraw condition",
            "unclear",
        ],
        _LISTED,
    ]
    names: _Line = ""
    """The words of the line that name the text; none where it answers a message that is about the text."""


class StatedActs(Answer):
    """What a line of a person states; nothing where it is talk, a question, irony, or about another matter."""

    acts: list[StatedAct] = []


class Belief(Answer):
    """The probability that a member gives one choice."""

    choice: str
    probability: Annotated[float, Field(ge=0, allow_inf_nan=False), BeforeValidator(partial(figure, most=1))]


class BeliefsAnswer(Answer):
    """A member's private answer to a poll of beliefs."""

    beliefs: list[Belief] = []


class PollAnswer(Answer):
    """A member's private answer to a poll."""

    choice: str | None
    moved_by: _Message = None
    confidence: _Share | None = None
    change_mind: _Line = ""
