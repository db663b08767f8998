"""How a line that a person typed was read, and what the person answered to that."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from eda.events.base import Event
from eda.events.records import Move

__all__ = ["MAX_MESSAGE", "LineAnswered", "LineOffered", "LineRead", "bounded"]


@dataclass(frozen=True, slots=True)
class LineRead:
    """How a person's line was read."""

    how: Literal["counted", "offered", "asked", "talk"]
    """`counted` at once, as the moves of its message; `offered` until the person says yes; `asked`: it is not known
    what it means; `talk`: it takes no side and puts no text."""
    moves: tuple[Move, ...] = ()
    """Those that are offered."""
    why: str = ""
    """Why it is asked about: a `RemarkDoubt`."""
    ids: tuple[str, ...] = ()
    """The texts that it may mean, or names as talk; in older sessions also those of which it says what is not read."""
    left: Annotated[tuple[str, ...], Field(exclude_if=lambda left: not left)] = ()
    """The words beside what counts, or is offered, that take a side, or put or name a text, and are not read."""


class LineOffered(Event, type="line_offered", beside=True, people=("who",)):
    """A model was asked what a person's line states that was not read, and the person is asked whether that is so."""

    who: str
    message: int
    moves: tuple[Move, ...] = ()
    """What it would do; empty where it states nothing, or the call failed."""
    # What is not offered, and why: `no opposition`, `no support` or `no condition` of theirs that it takes back, or
    # `which text` where it is not clear what it says of one.
    why: str = ""
    ids: tuple[str, ...] = ()  # The texts that this is about.


class LineAnswered(Event, type="line_answered", context="begins anew", beside=True, people=("who",)):
    """A person said whether a line of theirs was read rightly, or took back what it did.

    Or a member was `asked` what its messages declare, because they have no declared move, or one that does not count.
    """

    who: str
    message: int
    """Number of the message that holds the line."""
    answer: Literal["yes", "no", "taken back", "asked"]
    moves: tuple[Move, ...] = ()
    """What the line does from now on; of a line taken back what it did."""
    # What a member that was asked answered, though the words of its messages say otherwise: it counts for nobody.
    denied: tuple[Move, ...] = Field(default=(), exclude_if=lambda moves: not moves)
    # The answer of a member that was asked, where nothing could be read in it.
    unread: str = Field(default="", exclude_if=lambda words: not words)
    # Whether a member was asked as soon as its message was heard, about acts in it that do not count.
    at_once: bool = Field(default=False, exclude_if=lambda at_once: not at_once)
    # What the typed line that answers goes on to say, which follows in a message with all of its words.
    says: str = Field(default="", exclude_if=lambda words: not words)


MAX_MESSAGE = 50_000  # Most characters of one message.


def bounded(text: str) -> str:
    """Return the text of a message, cut where it is too long; its last line then says so."""
    if len(text) <= MAX_MESSAGE:
        return text
    return f"{text[: MAX_MESSAGE - 100].rstrip()}\n\n(EDA cut this message: it had {len(text):,} characters.)"
