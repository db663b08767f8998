"""Facts of the talk: who was heard, what was said, noted and summed up, and what that took."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from eda.events.base import Event, Frozen
from eda.records import Move, RangeMinutes
from eda.settings import SummaryStyle

__all__ = [
    "Bid",
    "BidsTaken",
    "CallMade",
    "FloorGranted",
    "MessagePosted",
    "ModeratorSpoke",
    "NoteTaken",
    "SideMessagePosted",
    "SummaryWritten",
    "TurnFailed",
    "TurnPassed",
]


class Bid(Frozen):
    """One agent's wish to speak."""

    agent: str
    wants: bool
    urgency: float = Field(default=0.0, ge=0, le=1)
    reason: str = ""


class BidsTaken(Event):
    """Everybody was asked who wants to speak: every bid and every pass, in seat order."""

    type: Literal["bids_taken"] = "bids_taken"
    bids: tuple[Bid, ...]
    cut: bool = False
    """Whether a pause cut the round: these are kept, and the others are asked when it goes on."""


class FloorGranted(Event):
    """The floor is the agent's until its message, or its failed turn, follows."""

    type: Literal["floor_granted"] = "floor_granted"
    agent: str
    reason: str = ""


class MessagePosted(Event):
    """Somebody said something. The whole reply is kept; `talk` is what others see."""

    type: Literal["message_posted"] = "message_posted"
    number: int
    who: str
    text: str
    moves_at: int | None = None
    """Where the block of move lines begins in `text`; None where there is none."""
    moves: tuple[Move, ...] = ()
    to: str | None = None
    """Who is addressed by name."""
    reply_to: int | None = None
    sealed: bool = False
    """A blind opening: in nobody else's context before the next phase."""
    ref: str | None = None
    """The id that the message had in an imported transcript."""
    topic: str | None = None
    t: float | None = None
    """Seconds from the start, in an imported transcript."""

    @property
    def talk(self) -> str:
        """The text without its move lines."""
        return self.text if self.moves_at is None else self.text[: self.moves_at].rstrip()


class ModeratorSpoke(Event):
    """The engine said something to the panel. Not a member's message: it has no number."""

    type: Literal["moderator_spoke"] = "moderator_spoke"
    text: str
    to: str | None = None
    why: str = ""
    """What moved the engine to speak: `silence`, or `circle` where the debate repeats itself."""


class SideMessagePosted(Event):
    """A word of a talk with one member, aside from the panel: in nobody else's context, and in no tally."""

    type: Literal["side_message_posted"] = "side_message_posted"
    number: int
    """From 1, a numbering of its own."""
    who: str
    to: str
    text: str
    after: int = 0
    """The last message of the panel that had been posted."""
    auto: bool = False
    """Nobody asked: a comment of a member that comments on events."""
    on: str = ""
    """What a comment is on: the id of a decision or proposal, or `verdict`."""


class NoteTaken(Event):
    """A person flagged something to remember. A member's notes are moves of its messages."""

    type: Literal["note_taken"] = "note_taken"
    who: str
    text: str
    importance: int = Field(default=500, ge=1, le=1000)
    topic: str = ""
    after: int = 0
    """The last message that had been posted."""
    private: bool = False
    """Shown to nobody else, in no prompt."""


class SummaryWritten(Event):
    """Messages `first` to `last` were summed up."""

    type: Literal["summary_written"] = "summary_written"
    first: int
    last: int
    level: int = 1
    text: str
    by: str = "extractive"
    style: SummaryStyle = "concise"
    minutes: RangeMinutes | None = None
    """Taken by the same call; None where no model wrote it, or it took none."""


class CallMade(Event):
    """A runner was asked and answered."""

    type: Literal["call_made"] = "call_made"
    purpose: str
    agent: str = ""
    last: int = 0
    """The last message that had been posted when it was asked."""
    attempt: int = 1
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost: float | None = 0.0
    """US dollars; None where the model's price is unknown."""
    characters: int = 0
    """Of the prompt; 0 where it was not counted."""


class TurnPassed(Event):
    """A member had the floor and passed it, or said again what had been said and was passed over."""

    type: Literal["turn_passed"] = "turn_passed"
    who: str
    why: str
    repeats: int = 0
    """The message that its reply repeated; 0 where the member itself passed."""


class TurnFailed(Event):
    """Somebody was asked and gave no usable answer; the debate went on without it."""

    type: Literal["turn_failed"] = "turn_failed"
    who: str
    purpose: str
    error: str
