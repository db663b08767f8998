"""The records of a model's minutes: items with the words they are based on, and judgements on known items."""

from dataclasses import dataclass

from eda.events.records import Stance

__all__ = ["Minuted", "OpenQuestion", "RangeMinutes", "Ruled"]


@dataclass(frozen=True, slots=True)
class Minuted:
    """One item of model minutes: a proposal, decision, reaction or open question, with the words it is based on."""

    message: int
    quote: str
    """An exact quotation from the message."""
    text: str = ""
    """The wording of a proposal, decision or question; the reason of a reaction."""
    stance: Stance | None = None
    """Only of a reaction."""
    to: str | None = None
    """Id of the proposal that a reaction is about, or that a decision accepts."""
    about: str = ""
    """That proposal's text, so that the item is not linked to another if later patterns no longer find it."""
    who: str = ""
    """Author of the message, taken from the log."""
    start: int = 0
    """Offset of the quote in the message's `talk`."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """The judgement of model minutes on an item that a pattern found."""

    id: str
    quote: str
    """The item's text, so that the judgement is not linked to another if later patterns no longer find it."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class RangeMinutes:
    """The model minutes of a range of messages, checked when its summary was written."""

    proposals: tuple[Minuted, ...] = ()
    decisions: tuple[Minuted, ...] = ()
    reactions: tuple[Minuted, ...] = ()
    questions: tuple[Minuted, ...] = ()
    answered: tuple[Minuted, ...] = ()
    """The messages that answer an open question: `to` is that question's message (`m12`), `text` its words or empty."""
    confirmed: tuple[Ruled, ...] = ()
    denied: tuple[Ruled, ...] = ()
    conditions: tuple[Minuted, ...] = ()
    """Words beside a support that stands in full, on which it may depend: its author is asked."""
    unsourced: tuple[Minuted, ...] = ()
    """Figures on which a text rests, and for which nobody names a source."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that model minutes list as unanswered, or (`unsourced`) a figure without a source."""

    message: int
    who: str
    text: str
    unsourced: bool = False
    answered: int = 0
    """The message that answers it by the minutes, though nobody wrote it who was asked; else 0."""
    named: tuple[int, ...] = ()
    """The messages of others that name its own, and may answer it."""
