"""What memory holds. Every record is frozen: a change makes a new record, so nobody who was shown one can alter memory.

Message numbers are 1, 2, 3, as people and agents see them. Offsets count characters of a message's text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "AgentState",
    "Consensus",
    "Decision",
    "DecisionStatus",
    "Document",
    "MemoryStats",
    "Move",
    "MoveKind",
    "Note",
    "Position",
    "Proposal",
    "ProposalStatus",
    "Quote",
    "Reaction",
    "Source",
    "Stance",
    "StatusChange",
    "Summary",
]

Stance = Literal["support", "oppose", "neutral"]
ProposalStatus = Literal["active", "accepted", "rejected", "modified", "withdrawn"]
DecisionStatus = Literal["claimed", "decided", "superseded"]
Source = Literal["declared", "pattern", "minutes", "procedure"]
MoveKind = Literal["propose", "amend", "support", "oppose", "neutral", "withdraw", "position", "note"]


@dataclass(frozen=True, slots=True)
class Document:
    """A text that the panel must have read."""

    name: str
    """The file's name without its folder."""
    text: str


@dataclass(frozen=True, slots=True)
class Move:
    """One declared move of a speaker: `[SUPPORT p12.0] because ...`."""

    kind: MoveKind
    text: str = ""
    """What follows the bracket: the proposal's wording, the reason, the position."""
    target: str | None = None
    """The id it names, as written (`p12.0`), or None."""
    importance: int | None = None
    """Of a note, 1 to 1000."""


@dataclass(frozen=True, slots=True)
class Quote:
    """The words that an item rests on, and where they stand."""

    message: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Reaction:
    """One agent's answer to a proposal, or to somebody's statement."""

    message: int
    agent: str
    reaction: Stance
    to: str | None = None
    """The id of the proposal that it answers; None where it answers none."""
    answered: int | None = None
    """The number of the message that it answers, where one was found."""
    quote: Quote | None = None
    source: Source = "pattern"
    pattern: str = ""
    score: float = 1.0
    """How sure the link is, 0 to 1."""
    link: str = ""
    """How the link was found: id, reply, quotation, name, words or recency."""


@dataclass(frozen=True, slots=True)
class StatusChange:
    """A step in a proposal's life, with the messages that caused it."""

    status: ProposalStatus
    messages: tuple[int, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something that somebody put on the table."""

    id: str
    """`p12.0` declared (message, order), `p12@140` found (message, offset)."""
    message: int
    proposer: str
    content: str
    status: ProposalStatus = "active"
    reactions: tuple[Reaction, ...] = ()
    """The standing reaction of each agent, in the order in which agents first reacted."""
    history: tuple[Reaction, ...] = ()
    """Reactions that a later one of the same agent replaced, oldest first."""
    changes: tuple[StatusChange, ...] = ()
    amends: str | None = None
    """The id of the proposal that this one changes."""
    amended_by: str | None = None
    """The id of the proposal that changes this one."""
    restated: tuple[Quote, ...] = ()
    """Where it was said again."""
    quote: Quote | None = None
    source: Source = "pattern"
    pattern: str = ""
    confidence: float = 1.0

    def backers(self, stance: Stance) -> tuple[str, ...]:
        """Who holds `stance` on it now."""
        return tuple(r.agent for r in self.reactions if r.reaction == stance)


@dataclass(frozen=True, slots=True)
class Decision:
    """Something that was decided, or that somebody claims was."""

    id: str
    """`d12.0` or `d12@140`, as for proposals."""
    messages: tuple[int, ...]
    """The messages that state it, first the one that made it."""
    topic: str
    outcome: str
    supporters: tuple[str, ...] = ()
    status: DecisionStatus = "decided"
    """`claimed` until the procedure or others' assent confirms it."""
    supersedes: str | None = None
    superseded_by: str | None = None
    proposal: str | None = None
    """The id of the proposal that it accepts, where it accepts one."""
    quotes: tuple[Quote, ...] = ()
    """One for each message that states it."""
    source: Source = "pattern"
    pattern: str = ""
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Position:
    """What an agent stood for at a message."""

    message: int
    agent: str
    text: str
    options: tuple[str, ...] = ()
    """Which of the debate's options it holds; empty where it names none."""
    after: str | None = None
    """Who had spoken just before."""
    source: Source = "pattern"


@dataclass(frozen=True, slots=True)
class AgentState:
    """What memory knows of one agent."""

    agent: str
    message_count: int = 0
    last_position: str = ""
    positions: tuple[Position, ...] = ()
    """Its positions, oldest first."""
    holds: tuple[str, ...] = ()
    """The options that it holds now."""
    key_contributions: tuple[str, ...] = ()
    """Its proposals, decisions and strongest statements, a line each, bounded."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What was said from message `first` to message `last`, both included."""

    first: int
    last: int
    text: str
    level: int = 1
    by: str = "extractive"
    """The model that wrote it, or `extractive`."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that somebody wanted remembered."""

    message: int
    who: str
    text: str
    importance: int = 500
    """1 to 1000."""
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Consensus:
    """Whether everybody who voiced a stance now holds the same."""

    reached: bool
    basis: str
    """`options`, `proposal` or `none`: what the judgement rests on."""
    on: str = ""
    """The option, or the accepted proposal's content."""
    holders: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """Who voiced another stance."""
    since: int | None = None
    """The message since which it holds."""

    def __bool__(self) -> bool:
        return self.reached


@dataclass(frozen=True, slots=True)
class MemoryStats:
    """Counts of what memory holds."""

    summary_count: int
    decision_count: int
    proposal_count: int
    """Active proposals."""
    agent_count: int
    total_messages: int
