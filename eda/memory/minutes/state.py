"""The state of the minutes between two messages. The fold of a message reads the newest items only."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any

from eda.events import AnnouncedEvent
from eda.events.model_minutes import OpenQuestion, Ruled
from eda.events.records import Reaction, Unresolved
from eda.memory.minutes.items import AgentItem, DecisionItem, ProposalItem
from eda.memory.minutes.options import Options
from eda.memory.patterns import Language, PatternPack, default_pack
from eda.memory.patterns.cues import Scene
from eda.memory.snapshot import Given

__all__ = ["CLAIMS", "HEARD", "OPEN", "Candidate", "State", "Vote"]

OPEN = 12
"""Newest open proposals that a message may answer."""
HEARD = 12
"""Newest messages that a remark may answer."""
TIMES = 240
"""Messages whose time is kept: a model's minutes go back no further."""
CLAIMS = 6
"""Newest decisions that may still be confirmed, contested or restated."""

Events = list[AnnouncedEvent]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposal, or a message without one (`id` None), that a reaction may answer."""

    id: str | None
    message: int
    who: str
    text: str
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Vote:
    """A written vote that is not linked to a proposal yet."""

    message: int
    agent: str
    reaction: Reaction


@dataclass(slots=True)
class State:
    """The items so far, and the recent course of the conversation."""

    options: Options = field(default_factory=Options)
    members: tuple[str, ...] = ()
    imported: bool = False
    sided: bool = False
    """Speakers argue a side that they were given, which is not their own position."""
    declares: bool = False
    """Moves were declared. From then on patterns add only sure items, from messages without moves."""
    formal: bool = False
    """Proposals are voted on in writing. From then on turns of speech propose and decide nothing."""
    titled: bool = False
    """Proposals have a title (`PROPOSED:`). A text without one is no proposal."""
    number: int = 0
    proposals: dict[str, ProposalItem] = field(default_factory=dict)
    decisions: dict[str, DecisionItem] = field(default_factory=dict)
    reactions: list[Reaction] = field(default_factory=list)
    agents: dict[str, AgentItem] = field(default_factory=dict)
    open: dict[str, None] = field(default_factory=dict)
    """Ids of the open proposals, oldest first."""
    recent: list[str] = field(default_factory=list)
    """Ids of the newest decisions, oldest first."""
    heard: deque[Candidate] = field(default_factory=lambda: deque(maxlen=HEARD))
    votes: deque[Vote] = field(default_factory=lambda: deque(maxlen=HEARD))
    last_proposal: str | None = None
    last_speaker: str | None = None
    scene: Scene = field(default_factory=Scene)
    times: dict[int, datetime] = field(default_factory=dict)
    """When each of the last messages was posted."""
    pack: Given[PatternPack] = field(default_factory=default_pack)
    minuted: int = 0
    """The last message covered by a model's minutes."""
    questions: list[OpenQuestion] = field(default_factory=list)
    unapplied: list[Ruled] = field(default_factory=list)
    """Rulings on items that are gone or have other words by now."""
    unresolved: list[Unresolved] = field(default_factory=list)

    @property
    def language(self) -> Language:
        """The words that the code looks for beside the patterns."""
        return self.pack.language

    def begin(self, number: int, at: datetime | None) -> None:
        """Begin with message `number`, posted at `at`."""
        self.number = number
        if at is not None:
            self.times[number] = at
        self.times.pop(number - TIMES, None)

    def newest_open(self, limit: int = OPEN) -> list[ProposalItem]:
        """Return the newest open proposals, oldest first."""
        newest = list(islice(reversed(self.open), limit))
        return [self.proposals[key] for key in reversed(newest)]

    def newest_decisions(self) -> list[DecisionItem]:
        """Return the newest decisions and claims, oldest first."""
        return [self.decisions[key] for key in self.recent]

    def place_proposal(self, item: ProposalItem) -> None:
        """Insert an open proposal in the order of messages; the cost grows with the number of later ones."""
        item.at = self.times.get(item.message)
        _place(self.proposals, item.id, item, lambda key: self.proposals[key].message > item.message)
        _place(self.open, item.id, None, lambda key: self.proposals[key].message > item.message)

    def place_decision(self, item: DecisionItem) -> None:
        """Insert a decision in the order of messages."""
        item.at = self.times.get(item.made)
        _place(self.decisions, item.id, item, lambda key: self.decisions[key].made > item.made)
        before = sum(1 for key in self.recent if self.decisions[key].made <= item.made)
        self.recent.insert(before, item.id)
        del self.recent[:-CLAIMS]

    def place_reaction(self, reaction: Reaction) -> None:
        """Insert a reaction in the order of messages."""
        at = len(self.reactions)
        while at and self.reactions[at - 1].message > reaction.message:
            at -= 1
        self.reactions.insert(at, reaction)

    def proposal(self, key: str | None) -> ProposalItem | None:
        """Return the proposal of that id, if there is one."""
        return self.proposals.get(key) if key else None


def _place(items: dict[str, Any], key: str, value: object, later: Callable[[str], bool]) -> None:
    after: list[tuple[str, Any]] = []
    while items and later(next(reversed(items))):
        after.append(items.popitem())
    items[key] = value
    items.update(reversed(after))
