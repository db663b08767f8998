"""The items of the minutes. They change in place during a conversation; readers get frozen records of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

from eda.events.records import (
    AgentState,
    Decision,
    DecisionStatus,
    MinutedStatus,
    Position,
    Proposal,
    ProposalStatus,
    Quote,
    Reaction,
    Source,
    StatusChange,
)
from eda.text import lower, normalise, words

__all__ = ["AgentItem", "DecisionItem", "ProposalItem", "plain"]

MAX_POSITIONS = 200
"""Most positions kept of one agent; the oldest are dropped first."""
MAX_CONTRIBUTIONS = 12
"""Most lines kept of one agent's key contributions."""
MAX_RESTATED = 20
"""Most restatements kept of an item."""


_WORD = re.compile(r"\w+")


def plain(text: str) -> str:
    """Return the words of a text in lower case: what two texts share that differ in case, spaces and punctuation."""
    return " ".join(_WORD.findall(lower(normalise(text))))


@dataclass(slots=True)
class ProposalItem:
    """A proposal that may still change."""

    id: str
    message: int
    proposer: str
    content: str
    quote: Quote | None
    source: Source
    pattern: str
    confidence: float
    written: bool = False
    amends: str | None = None
    joins: tuple[str, ...] = ()
    lineage: str = ""
    """How the text that it amends was resolved: `id`, `words` and so on; empty if it amends none."""
    amended_by: str | None = None
    status: ProposalStatus = "active"
    standing: dict[str, Reaction] = field(default_factory=dict)
    history: list[Reaction] = field(default_factory=list)
    changes: list[StatusChange] = field(default_factory=list)
    restated: list[Quote] = field(default_factory=list)
    minuted: MinutedStatus = ""
    minuted_why: str = ""
    corrected: str = ""
    at: datetime | None = None
    words: frozenset[str] = field(init=False)
    plain: str = field(init=False)
    _record: Proposal | None = field(init=False, default=None, compare=False)

    def __post_init__(self) -> None:
        self.words, self.plain = words(self.content), plain(self.content)

    def react(self, reaction: Reaction) -> None:
        """Add a reaction; an earlier one of the same agent moves to the history."""
        earlier = self.standing.get(reaction.agent)
        if earlier is not None:
            self.history.append(earlier)
        self.standing[reaction.agent] = reaction
        self._record = None

    def recall(self, reaction: Reaction) -> None:
        """Add a reaction that a later one of the same agent has replaced already."""
        self.history.append(reaction)
        self._record = None

    def move(self, status: ProposalStatus, messages: tuple[int, ...], why: str) -> None:
        """Change the status, citing the messages that caused it; a struck proposal stays struck."""
        if self.status not in (status, "struck"):
            self.status = status
            self.changes.append(StatusChange(status, messages, why))
            self._record = None

    def restate(self, quote: Quote) -> None:
        """Note that the proposal was made again."""
        if len(self.restated) < MAX_RESTATED:
            self.restated.append(quote)
            self._record = None

    def ruled(self, minuted: MinutedStatus, why: str) -> None:
        """Note that the minute-taker confirmed or denied the item."""
        self.minuted, self.minuted_why = minuted, why
        self._record = None

    def reword(self, text: str, by: str) -> None:
        """Replace the text by a person's correction."""
        self.content, self.corrected = text, by
        self.__post_init__()
        self._record = None

    def strike(self, by: str, messages: tuple[int, ...]) -> None:
        """Strike the proposal: a person says that it is none."""
        self.corrected = by
        self.move("struck", messages, f"struck by {by}")

    def link(self, *, amended_by: str | None) -> None:
        """Note which proposal amends this one; None where that proposal was removed."""
        self.amended_by = amended_by
        self._record = None

    def backers(self, stance: str) -> list[str]:
        """Return the agents whose stance on the proposal is `stance`."""
        return [agent for agent, reaction in self.standing.items() if reaction.reaction == stance]

    @property
    def record(self) -> Proposal:
        """The item as a frozen record."""
        if self._record is None:
            self._record = Proposal(
                id=self.id,
                message=self.message,
                proposer=self.proposer,
                content=self.content,
                status=self.status,
                reactions=tuple(self.standing.values()),
                history=tuple(self.history),
                changes=tuple(self.changes),
                amends=self.amends,
                joins=self.joins,
                amended_by=self.amended_by,
                restated=tuple(self.restated),
                quote=self.quote,
                source=self.source,
                pattern=self.pattern,
                confidence=self.confidence,
                minuted=self.minuted,
                corrected=self.corrected,
                at=self.at,
            )
        return self._record


@dataclass(slots=True)
class DecisionItem:
    """A decision, or the claim of one."""

    id: str
    by: str
    topic: str
    outcome: str
    status: DecisionStatus
    source: Source
    pattern: str
    confidence: float
    status_why: str = ""
    messages: list[int] = field(default_factory=list)
    quotes: list[Quote] = field(default_factory=list)
    supporters: dict[str, int] = field(default_factory=dict)
    """The supporters in order of support, with the message of each."""
    opposers: dict[str, int] = field(default_factory=dict)
    """Those who oppose a decision or deny a claim, with the message of each."""
    supersedes: str | None = None
    superseded_by: str | None = None
    proposal: str | None = None
    link: str = ""
    """How the proposal was resolved."""
    written: bool = False
    minuted: MinutedStatus = ""
    minuted_why: str = ""
    corrected: str = ""
    at: datetime | None = None
    words: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.words = words(self.outcome)

    @property
    def made(self) -> int:
        """The number of the first message that stated it; 0 without messages."""
        return self.messages[0] if self.messages else 0

    @property
    def last(self) -> int:
        """The number of the last message that stated it; 0 without messages."""
        return self.messages[-1] if self.messages else 0

    def restate(self, quote: Quote) -> None:
        """Add a restatement; of many the first and the newest are kept."""
        self.messages.append(quote.message)
        self.quotes.append(quote)
        del self.messages[1:-MAX_RESTATED], self.quotes[1:-MAX_RESTATED]

    def takes_side(self, reaction: Reaction) -> None:
        """Move the reacting agent to the side of its reaction, since that message."""
        sides = {"support": self.supporters, "oppose": self.opposers}
        side = sides.pop(reaction.reaction, None)
        if side is not None:
            (other,) = sides.values()
            other.pop(reaction.agent, None)
            side.setdefault(reaction.agent, reaction.message)

    def takes_sides_of(self, proposal: ProposalItem) -> None:
        """Take over the sides on the proposal it is about; the author of the decision supports it in any case."""
        for reaction in proposal.standing.values():
            if reaction.agent != self.by:
                self.takes_side(reaction)

    def ruled(self, minuted: MinutedStatus, why: str) -> None:
        """Note that the minute-taker confirmed or denied the item."""
        self.minuted, self.minuted_why = minuted, why

    @property
    def record(self) -> Decision:
        """The item as a frozen record."""
        return Decision(
            id=self.id,
            messages=tuple(self.messages),
            topic=self.topic,
            outcome=self.outcome,
            supporters=tuple(self.supporters),
            status=self.status,
            supersedes=self.supersedes,
            superseded_by=self.superseded_by,
            proposal=self.proposal,
            quotes=tuple(self.quotes),
            source=self.source,
            pattern=self.pattern,
            confidence=self.confidence,
            minuted=self.minuted,
            corrected=self.corrected,
            at=self.at,
        )


@dataclass(slots=True)
class AgentItem:
    """The state of one agent."""

    agent: str
    message_count: int = 0
    word_count: int = 0
    positions: list[Position] = field(default_factory=list)
    holds: tuple[str, ...] = ()
    since: int | None = None
    """The message since which the agent holds these options."""
    key_contributions: list[str] = field(default_factory=list)

    def take(self, position: Position) -> None:
        """Add a position."""
        self.positions.append(position)
        if len(self.positions) > MAX_POSITIONS:
            del self.positions[: MAX_POSITIONS // 2]

    def contribute(self, line: str) -> None:
        """Add a key contribution."""
        if line not in self.key_contributions:
            self.key_contributions.append(line)
            if len(self.key_contributions) > MAX_CONTRIBUTIONS:
                del self.key_contributions[0]

    def take_back(self, line: str) -> None:
        """Remove a key contribution."""
        if line in self.key_contributions:
            self.key_contributions.remove(line)

    def reword(self, line: str, text: str) -> None:
        """Replace a key contribution."""
        if line in self.key_contributions:
            self.key_contributions[self.key_contributions.index(line)] = text

    @property
    def record(self) -> AgentState:
        """The item as a frozen record."""
        return AgentState(
            agent=self.agent,
            message_count=self.message_count,
            word_count=self.word_count,
            last_position=self.positions[-1].text if self.positions else "",
            positions=tuple(self.positions),
            holds=self.holds,
            key_contributions=tuple(self.key_contributions),
        )
