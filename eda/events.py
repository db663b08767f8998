"""The facts of a debate. A fact is frozen, says what happened in the past tense, and forbids fields it does not know.

Only the bus stamps `seq` and `at`. `StoredEvent` is what a log may hold; the announced events at the end are derived
from stored ones and never written.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter

from eda.personas import Persona
from eda.records import Decision, Document, Move, Proposal, RangeMinutes, Reaction
from eda.settings import Settings, SummaryStyle

__all__ = [
    "EVENT_TYPES",
    "SCHEMA_VERSION",
    "STORED_TYPES",
    "AnnouncedEvent",
    "Ballot",
    "BallotCast",
    "Bid",
    "BidsTaken",
    "CallDelayed",
    "CallMade",
    "DecisionFound",
    "Event",
    "FloorGranted",
    "MessagePosted",
    "ModeratorSpoke",
    "NoteTaken",
    "PhaseStarted",
    "ProposalMade",
    "ReactionSeen",
    "SessionEnded",
    "SessionPaused",
    "SessionResumed",
    "SessionStarted",
    "SettingChanged",
    "SideMessagePosted",
    "StoredEvent",
    "SubscriberFailed",
    "SummaryWritten",
    "TextStreamed",
    "TurnFailed",
    "TurnPassed",
    "VerdictReached",
    "stored_event",
]

SCHEMA_VERSION = 2
"""Of the log. 2 added side messages, notes, passed turns and minutes; what a log of 1 lacks has its default."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Event(_Frozen):
    """What all facts share."""

    seq: int = 0
    """Place in the log, from 1; 0 until the bus has stamped it."""
    at: AwareDatetime | None = None
    """UTC; None until the bus has stamped it."""


class SessionStarted(Event):
    """Everything that a resume needs to run the debate the same way."""

    type: Literal["session_started"] = "session_started"
    schema_version: int = SCHEMA_VERSION
    session: str
    kind: Literal["debate", "transcript"] = "debate"
    question: str = ""
    options: tuple[str, ...] = ()
    panel: str = ""
    """The name of the panel, empty where the members were named one by one."""
    members: tuple[Persona, ...] = ()
    """In seat order, in full."""
    documents: tuple[Document, ...] = ()
    settings: Settings = Settings()
    seed: int = 0
    runner: str = ""
    """What makes it again (`simulated`, `anthropic:SPEAK+CHEAP`, see `runners.spec`), or the class of an own one."""
    patterns: str = ""
    """Fingerprint of the pattern pack."""
    prompts: dict[str, str] = {}
    """Prompt texts that replace the shipped ones, by name."""


class PhaseStarted(Event):
    """The agenda moved on."""

    type: Literal["phase_started"] = "phase_started"
    phase: str
    round: int = 1
    """1, and one more each time that an ended session is taken up again."""
    why: str = ""
    """What ended the phase before: done, messages, silence, circle, time, tokens, money or extended."""


class Bid(_Frozen):
    """One agent's wish to speak."""

    agent: str
    wants: bool
    urgency: float = Field(default=0.0, ge=0, le=1)
    reason: str = ""


class BidsTaken(Event):
    """Everybody was asked who wants to speak: every bid and every pass, in seat order."""

    type: Literal["bids_taken"] = "bids_taken"
    bids: tuple[Bid, ...]


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


class Ballot(_Frozen):
    """One vote."""

    agent: str
    choice: str | None
    """One of the choices, or None: an abstention."""
    reason: str = ""


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
    """A member had the floor, said again what had been said, and was passed over."""

    type: Literal["turn_passed"] = "turn_passed"
    who: str
    why: str
    repeats: int
    """The message that its reply repeated."""


class TurnFailed(Event):
    """Somebody was asked and gave no usable answer; the debate went on without it."""

    type: Literal["turn_failed"] = "turn_failed"
    who: str
    purpose: str
    error: str


class SettingChanged(Event):
    """The settings that hold from here on."""

    type: Literal["setting_changed"] = "setting_changed"
    settings: Settings


class SessionPaused(Event):
    """The debate stopped where it can be taken up again."""

    type: Literal["session_paused"] = "session_paused"
    reason: str


class SessionResumed(Event):
    """The debate was taken up again."""

    type: Literal["session_resumed"] = "session_resumed"


class SessionEnded(Event):
    """The agenda is done, or a stop condition held."""

    type: Literal["session_ended"] = "session_ended"
    reason: str


StoredEvent = Annotated[
    SessionStarted
    | PhaseStarted
    | BidsTaken
    | FloorGranted
    | MessagePosted
    | ModeratorSpoke
    | SideMessagePosted
    | NoteTaken
    | SummaryWritten
    | BallotCast
    | VerdictReached
    | CallMade
    | TurnPassed
    | TurnFailed
    | SettingChanged
    | SessionPaused
    | SessionResumed
    | SessionEnded,
    Field(discriminator="type"),
]

STORED_TYPES: tuple[type[Event], ...] = get_args(get_args(StoredEvent)[0])
"""The members of `StoredEvent`."""

stored_event: TypeAdapter[Event] = TypeAdapter(StoredEvent)
"""Reads one stored fact from JSON or from a dict."""


class AnnouncedEvent(Event):
    """Announced to subscribers, never stored: it can be found again by reading the log."""


class ProposalMade(AnnouncedEvent):
    """Memory found a proposal."""

    type: Literal["proposal_made"] = "proposal_made"
    proposal: Proposal


class DecisionFound(AnnouncedEvent):
    """Memory found a decision."""

    type: Literal["decision_found"] = "decision_found"
    decision: Decision


class ReactionSeen(AnnouncedEvent):
    """Memory found a reaction."""

    type: Literal["reaction_seen"] = "reaction_seen"
    reaction: Reaction


class TextStreamed(AnnouncedEvent):
    """A piece of a message that is being written. It becomes a fact only when the whole message is posted."""

    type: Literal["text_streamed"] = "text_streamed"
    agent: str
    text: str


class CallDelayed(AnnouncedEvent):
    """Attempt `attempt` of a call failed in a way that may pass; the next one is made after `seconds`."""

    type: Literal["call_delayed"] = "call_delayed"
    agent: str
    """Empty where the engine asks for itself."""
    purpose: str
    seconds: float = Field(ge=0)
    reason: str
    attempt: int


class SubscriberFailed(AnnouncedEvent):
    """A subscriber raised, or fell too far behind and catches up from the log."""

    type: Literal["subscriber_failed"] = "subscriber_failed"
    subscriber: str
    error: str
    last_seq: int


EVENT_TYPES: tuple[type[Event], ...] = (*STORED_TYPES, *AnnouncedEvent.__subclasses__())
"""Every concrete class that a subscriber can name."""
