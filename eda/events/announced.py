"""Events that are announced to subscribers and never stored."""

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


class ActsRead(AnnouncedEvent, type="acts_read"):
    """Memory read the acts of a message. The events of its items, such as `ProposalMade`, follow."""

    message: int
    """Number of the message."""
    who: str
    acts: tuple[Act, ...]
    """What it does, and what of it counts for nobody."""


class ProposalMade(AnnouncedEvent, type="proposal_made"):
    """Memory found a proposal."""

    proposal: Proposal


class DecisionFound(AnnouncedEvent, type="decision_found"):
    """Memory found a decision."""

    decision: Decision


class ReactionSeen(AnnouncedEvent, type="reaction_seen"):
    """Memory found a reaction."""

    reaction: Reaction


class TextStreamed(AnnouncedEvent, type="text_streamed"):
    """A member's model sent a piece of its message. `MessagePosted` follows once the message is complete."""

    agent: str
    text: str


class MessageWritten(AnnouncedEvent, type="message_written"):
    """One of the messages that members write side by side is complete. All are posted once the last one is."""

    message: MessagePosted
    """As it will be posted; its number becomes lower where somebody before it passes."""


class CallDelayed(AnnouncedEvent, type="call_delayed"):
    """A call failed for a reason that may pass, and will be tried again; or it waits for a server's limits."""

    agent: str
    """The member for which the call is made; empty for a call of the engine itself."""
    purpose: str
    seconds: float = Field(ge=0)
    """Time until the next attempt."""
    reason: str
    attempt: int
    """The attempt that failed or waits, from 1."""


class SubscriberFailed(AnnouncedEvent, type="subscriber_failed"):
    """A subscriber raised an error, or fell behind and now reads the log to catch up."""

    subscriber: str
    error: str
    last_seq: int
    """`seq` of the last fact that the subscriber received."""
