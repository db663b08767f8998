"""The facts of a debate. A fact is frozen, says what happened in the past tense, and forbids fields it does not know.

Only the bus stamps `seq` and `at`. `StoredEvent` is what a log may hold; the announced events at the end are derived
from stored ones and never written.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter

from eda.personas import Persona
from eda.records import Decision, Document, Move, Proposal, Reaction

__all__ = [
    "EVENT_TYPES",
    "SCHEMA_VERSION",
    "STORED_TYPES",
    "AnnouncedEvent",
    "Ballot",
    "BallotCast",
    "Bid",
    "BidsTaken",
    "CallMade",
    "DecisionFound",
    "Event",
    "FloorGranted",
    "MessagePosted",
    "ModeratorSpoke",
    "PhaseStarted",
    "ProposalMade",
    "ReactionSeen",
    "SessionEnded",
    "SessionPaused",
    "SessionResumed",
    "SessionStarted",
    "SettingChanged",
    "Settings",
    "StoredEvent",
    "SubscriberFailed",
    "SummaryWritten",
    "TextStreamed",
    "TurnFailed",
    "VerdictReached",
    "stored_event",
]

SCHEMA_VERSION = 1
"""Of the log. An older one is lifted by small upcasters in `session/`."""

FloorName = Literal["bidding", "round-robin", "random"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Settings(_Frozen):
    """How a debate is run. Stored with its first fact, so that a resume runs it the same way."""

    max_messages: int = Field(default=24, ge=1)
    """Messages in all, openings and closings included."""
    floor: FloorName = "bidding"
    summary_every: int = Field(default=12, ge=2)
    """Messages a summary covers."""
    full_budget: int = Field(default=8000, ge=200)
    """Tokens of the full context."""
    brief_budget: int = Field(default=600, ge=100)
    """Tokens of the brief context."""
    max_seconds: float | None = Field(default=None, gt=0)
    """Wall clock, pauses left out."""
    max_tokens: int | None = Field(default=None, gt=0)
    """Of all calls, in and out."""
    max_cost: float | None = Field(default=None, gt=0)
    """US dollars, of all calls whose price is known."""


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
    """As given on the command line (`simulated`, `anthropic:MODEL`), or the class of an own runner."""
    patterns: str = ""
    """Fingerprint of the pattern pack."""


class PhaseStarted(Event):
    """The agenda moved on."""

    type: Literal["phase_started"] = "phase_started"
    phase: str
    round: int = 1
    """1, and one more each time that an ended session is taken up again."""
    why: str = ""
    """What ended the phase before: done, messages, silence, time, tokens, money or extended."""


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


class SummaryWritten(Event):
    """Messages `first` to `last` were summed up."""

    type: Literal["summary_written"] = "summary_written"
    first: int
    last: int
    level: int = 1
    text: str
    by: str = "extractive"


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
    | SummaryWritten
    | BallotCast
    | VerdictReached
    | CallMade
    | TurnFailed
    | SettingChanged
    | SessionPaused
    | SessionResumed
    | SessionEnded,
    Field(discriminator="type"),
]

STORED_TYPES: tuple[type[Event], ...] = (
    SessionStarted,
    PhaseStarted,
    BidsTaken,
    FloorGranted,
    MessagePosted,
    ModeratorSpoke,
    SummaryWritten,
    BallotCast,
    VerdictReached,
    CallMade,
    TurnFailed,
    SettingChanged,
    SessionPaused,
    SessionResumed,
    SessionEnded,
)
"""The members of `StoredEvent`; a test holds the two together."""

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


class SubscriberFailed(AnnouncedEvent):
    """A subscriber raised, or fell too far behind and catches up from the log."""

    type: Literal["subscriber_failed"] = "subscriber_failed"
    subscriber: str
    error: str
    last_seq: int


EVENT_TYPES: tuple[type[Event], ...] = (
    *STORED_TYPES,
    ProposalMade,
    DecisionFound,
    ReactionSeen,
    TextStreamed,
    SubscriberFailed,
)
"""Every concrete class that a subscriber can name."""
