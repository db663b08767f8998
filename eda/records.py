"""What memory holds. Every record is frozen: a change makes a new record, so nobody who was shown one can alter memory.

Message numbers are 1, 2, 3, as people and agents see them. Offsets count characters of a message's text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = [
    "AgentState",
    "Cited",
    "Consensus",
    "Decision",
    "DecisionStatus",
    "Direction",
    "Document",
    "MemoryStats",
    "Minuted",
    "MinutedStatus",
    "Move",
    "MoveKind",
    "Note",
    "OpenQuestion",
    "Position",
    "Proposal",
    "ProposalStatus",
    "Quote",
    "RangeMinutes",
    "Reaction",
    "Recalled",
    "Ruled",
    "SideLine",
    "Source",
    "Stance",
    "StanceChange",
    "StatusChange",
    "Summary",
]

Stance = Literal["support", "oppose", "neutral"]
ProposalStatus = Literal["active", "accepted", "rejected", "modified", "withdrawn", "struck"]
DecisionStatus = Literal["claimed", "decided", "superseded", "struck"]
Source = Literal["declared", "pattern", "minutes", "procedure"]
MinutedStatus = Literal["", "confirmed", "denied"]
Direction = Literal["towards", "away", "aside"]
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
    topic: str = ""
    """Of a note: `[NOTE 700 pricing]`."""


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
    minuted: MinutedStatus = ""
    """What the minute-taker said of it, where it was found by a pattern. A denied one stays, out of every context."""

    corrected: str = ""
    """Who struck or reworded it; empty where nobody did."""

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
    minuted: MinutedStatus = ""
    """What the minute-taker said of it, where it was found by a pattern. A denied one stays, out of every context."""
    corrected: str = ""
    """Who struck or reworded it; empty where nobody did."""


@dataclass(frozen=True, slots=True)
class Minuted:
    """One item of the minutes: a proposal, decision, reaction or open question, with the words that it rests on."""

    message: int
    quote: str
    """Words of that message."""
    text: str = ""
    """The proposal's, decision's or question's wording; of a reaction, the reason."""
    stance: Stance | None = None
    """Of a reaction."""
    to: str | None = None
    """The id of the proposal that a reaction answers or a decision accepts."""
    about: str = ""
    """That proposal's own words, so that this is never bound to another where better patterns no longer find it."""
    who: str = ""
    """The message's author, as the log has it."""
    start: int = 0
    """Where the quote begins in the message's talk."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """What the minute-taker says of an item that a pattern found."""

    id: str
    quote: str
    """The item's own words, so that it is never bound to another where better patterns no longer find it."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class RangeMinutes:
    """The minutes of a range of messages, as checked when its summary was taken."""

    proposals: tuple[Minuted, ...] = ()
    decisions: tuple[Minuted, ...] = ()
    reactions: tuple[Minuted, ...] = ()
    questions: tuple[Minuted, ...] = ()
    confirmed: tuple[Ruled, ...] = ()
    denied: tuple[Ruled, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that the minutes list as not answered."""

    message: int
    who: str
    text: str


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
    word_count: int = 0
    """Of its messages, move lines left out."""
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
    private: bool = False
    """A person's own: shown to nobody else, in no prompt."""
    id: str = field(default="", compare=False)
    """`n1`, `n2`, in the order in which they were taken."""
    corrected: str = ""
    """Who struck or reworded it; empty where nobody did."""
    struck: bool = False
    """In no list and no context any more."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """One message that a search found."""

    message_id: int
    who: str
    text: str
    score: float
    """Higher is better; comparable within one search only."""


@dataclass(frozen=True, slots=True)
class SideLine:
    """One side message: of a talk with one member, or a comment that nobody asked for."""

    number: int
    who: str
    to: str
    text: str
    auto: bool = False
    """Nobody asked for it."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A sentence of a report, and the words of the panel that hold it."""

    text: str
    """Empty where the quote says it all."""
    message: int
    """0 where the words stand on a ballot."""
    quote: str
    who: str = ""
    """Who wrote that message."""


@dataclass(frozen=True, slots=True)
class Consensus:
    """Whether everybody who voiced a stance now holds the same."""

    reached: bool
    basis: str
    """`ballot`, `poll`, `options`, `proposal` or `none`: what the judgement rests on."""
    on: str = ""
    """The option that most hold, or the accepted proposal's content; empty where no option has more than another."""
    holders: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """Who voiced another stance; of a poll or ballot also who held none, or gave no usable answer."""
    since: int | None = None
    """The message since which it holds."""

    def __bool__(self) -> bool:
        return self.reached


@dataclass(frozen=True, slots=True)
class StanceChange:
    """A member said in private that it stands elsewhere than before."""

    who: str
    poll: int | None
    """The number of the poll in which it said so; None for a ballot."""
    before: str | None
    """The choice that it held in the poll before, or in its blind opening; None where it held none."""
    after: str | None
    message: int
    """The last message of somebody else that it had heard; 0 where there was none."""
    speaker: str
    """Who wrote that; empty where there was none."""
    joined: str
    """Who held the new choice before and spoke last; empty where nobody held it."""
    direction: Direction
    """Seen from the choice that most held before; where several are level, from all of those: `aside` is from one of
    them to another, or between two others."""


@dataclass(frozen=True, slots=True)
class MemoryStats:
    """Counts of what memory holds, and of what covers the history."""

    summary_count: int
    """Summaries written in all, those that were folded since included."""
    decision_count: int
    proposal_count: int
    """Active proposals."""
    agent_count: int
    total_messages: int
    note_count: int = 0
    summarised: int = 0
    """Messages that the standing summaries cover."""
    verbatim: int = 0
    """Messages after those, kept in full."""
    uncovered: int = 0
    """Messages that are neither: always 0."""
    recallable: int = 0
    """Messages that a search looks through."""
    tokens: Mapping[str, int] = field(default_factory=dict)
    """Of each section of the full context."""
    token_ratio: float = 1.0
    """Tokens as the provider counts them, for each that four characters would make."""
    token_error: float | None = None
    """How far off the last estimates were, as a share; None before the first call."""
