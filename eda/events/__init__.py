"""The facts of a debate. A fact is frozen, says what happened in the past tense, and forbids fields it does not know.

Only the bus stamps `seq` and `at`. `StoredEvent` is what a log may hold; the announced events at the end are derived
from stored ones and never written.
"""

from __future__ import annotations

from typing import Annotated, get_args

from pydantic import Field, TypeAdapter

from eda.events.after import BaselineTaken, ReportWritten, SingleAnswer
from eda.events.announced import (
    AnnouncedEvent,
    CallDelayed,
    DecisionFound,
    ProposalMade,
    ReactionSeen,
    SubscriberFailed,
    TextStreamed,
)
from eda.events.base import Event
from eda.events.session import (
    SCHEMA_VERSION,
    EndReason,
    MemberChanged,
    MemoryCorrected,
    PhaseStarted,
    SessionEnded,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SettingChanged,
)
from eda.events.talk import (
    Bid,
    BidsTaken,
    CallMade,
    FloorGranted,
    MessagePosted,
    ModeratorSpoke,
    NoteTaken,
    SideMessagePosted,
    SummaryWritten,
    TurnFailed,
    TurnPassed,
)
from eda.events.votes import (
    Ballot,
    BallotCast,
    StanceTaken,
    VerdictReached,
)

__all__ = [
    "EVENT_TYPES",
    "SCHEMA_VERSION",
    "STORED_TYPES",
    "AnnouncedEvent",
    "Ballot",
    "BallotCast",
    "BaselineTaken",
    "Bid",
    "BidsTaken",
    "CallDelayed",
    "CallMade",
    "DecisionFound",
    "EndReason",
    "Event",
    "FloorGranted",
    "MemberChanged",
    "MemoryCorrected",
    "MessagePosted",
    "ModeratorSpoke",
    "NoteTaken",
    "PhaseStarted",
    "ProposalMade",
    "ReactionSeen",
    "ReportWritten",
    "SessionEnded",
    "SessionPaused",
    "SessionResumed",
    "SessionStarted",
    "SettingChanged",
    "SideMessagePosted",
    "SingleAnswer",
    "StanceTaken",
    "StoredEvent",
    "SubscriberFailed",
    "SummaryWritten",
    "TextStreamed",
    "TurnFailed",
    "TurnPassed",
    "VerdictReached",
    "stored_event",
]

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
    | StanceTaken
    | BallotCast
    | VerdictReached
    | CallMade
    | TurnPassed
    | TurnFailed
    | SettingChanged
    | MemberChanged
    | MemoryCorrected
    | SessionPaused
    | SessionResumed
    | SessionEnded
    | BaselineTaken
    | ReportWritten,
    Field(discriminator="type"),
]

STORED_TYPES: tuple[type[Event], ...] = get_args(get_args(StoredEvent)[0])
"""The members of `StoredEvent`."""

stored_event: TypeAdapter[Event] = TypeAdapter(StoredEvent)
"""Reads one stored fact from JSON or from a dict."""

EVENT_TYPES: tuple[type[Event], ...] = (*STORED_TYPES, *AnnouncedEvent.__subclasses__())
"""Every concrete class that a subscriber can name."""
