"""Events that are announced to subscribers and never stored."""

from typing import Literal

from pydantic import Field

from eda.events.acts import Act
from eda.events.base import AnnouncedEvent
from eda.events.messages import MessagePosted
from eda.events.records import Decision, Proposal, Reaction

__all__ = [
    "ActsRead",
    "CallDelayed",
    "DecisionFound",
    "MessageWritten",
    "ProposalMade",
    "ReactionSeen",
    "SubscriberFailed",
    "TextStreamed",
]


class ActsRead(AnnouncedEvent):
    """Memory read the acts of a message. The events of its items, such as `ProposalMade`, follow."""

    type: Literal["acts_read"] = "acts_read"
    message: int
    """Number of the message."""
    who: str
    acts: tuple[Act, ...]
    """What it does, and what of it counts for nobody."""


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
    """A member's model sent a piece of its message. `MessagePosted` follows once the message is complete."""

    type: Literal["text_streamed"] = "text_streamed"
    agent: str
    text: str


class MessageWritten(AnnouncedEvent):
    """One of the messages that members write side by side is complete. All are posted once the last one is."""

    type: Literal["message_written"] = "message_written"
    message: MessagePosted
    """As it will be posted; its number becomes lower where somebody before it passes."""


class CallDelayed(AnnouncedEvent):
    """A call failed for a reason that may pass, and will be tried again; or it waits for a server's limits."""

    type: Literal["call_delayed"] = "call_delayed"
    agent: str
    """The member for which the call is made; empty for a call of the engine itself."""
    purpose: str
    seconds: float = Field(ge=0)
    """Time until the next attempt."""
    reason: str
    attempt: int
    """The attempt that failed or waits, from 1."""


class SubscriberFailed(AnnouncedEvent):
    """A subscriber raised an error, or fell behind and now reads the log to catch up."""

    type: Literal["subscriber_failed"] = "subscriber_failed"
    subscriber: str
    error: str
    last_seq: int
    """`seq` of the last fact that the subscriber received."""
