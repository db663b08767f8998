"""Announced to subscribers, never stored: each can be found again by reading the log."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from eda.events.base import Event
from eda.records import Decision, Proposal, Reaction

__all__ = [
    "AnnouncedEvent",
    "CallDelayed",
    "DecisionFound",
    "ProposalMade",
    "ReactionSeen",
    "SubscriberFailed",
    "TextStreamed",
]


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
