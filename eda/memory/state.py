"""What the minutes remember between two messages. Whoever reads it while hearing looks at the newest items only."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from eda.events import AnnouncedEvent
from eda.memory.items import AgentItem, DecisionItem, ProposalItem
from eda.memory.link import Candidate
from eda.memory.options import Options
from eda.memory.signs import Scene
from eda.records import OpenQuestion, Reaction, Ruled

__all__ = ["CLAIMS", "HEARD", "OPEN", "State", "Vote"]

OPEN = 12
"""Open proposals that may be answered: the newest ones."""
HEARD = 12
"""Messages that a remark may answer."""
CLAIMS = 6
"""Decisions that may still be confirmed, contested or said again."""

Found = list[AnnouncedEvent]


@dataclass(frozen=True, slots=True)
class Vote:
    """A written vote that answers no proposal yet."""

    message: int
    agent: str
    reaction: Reaction


@dataclass(slots=True)
class State:
    """What is known so far."""

    options: Options
    members: tuple[str, ...] = ()
    imported: bool = False
    sided: bool = False
    """Speakers argue a side that they were given: what they say is not where they stand."""
    declares: bool = False
    """Moves were declared: from then on patterns add only what a message without any says beyond doubt."""
    formal: bool = False
    """Proposals are voted on in writing: from then on turns of speech propose and decide nothing."""
    titled: bool = False
    """Proposals carry a title (`PROPOSED:`): what is voted on without one is none."""
    number: int = 0
    proposals: dict[str, ProposalItem] = field(default_factory=dict)
    decisions: dict[str, DecisionItem] = field(default_factory=dict)
    reactions: list[Reaction] = field(default_factory=list)
    agents: dict[str, AgentItem] = field(default_factory=dict)
    open: dict[str, None] = field(default_factory=dict)
    """Ids of the proposals that are still open, oldest first."""
    recent: list[str] = field(default_factory=list)
    """Ids of the newest decisions, oldest first."""
    heard: deque[Candidate] = field(default_factory=lambda: deque(maxlen=HEARD))
    votes: deque[Vote] = field(default_factory=lambda: deque(maxlen=HEARD))
    last_proposal: str | None = None
    last_speaker: str | None = None
    scene: Scene = field(default_factory=Scene)
    minuted: int = 0
    """The last message whose minutes were taken."""
    questions: list[OpenQuestion] = field(default_factory=list)
    unresolved: list[Ruled] = field(default_factory=list)
    """What the minutes say of items that are not there, or are others now."""

    def newest_open(self, limit: int = OPEN) -> list[ProposalItem]:
        """The newest open proposals, oldest first."""
        newest = list(islice(reversed(self.open), limit))
        return [self.proposals[key] for key in reversed(newest)]

    def newest_decisions(self) -> list[DecisionItem]:
        """The newest decisions and claims, oldest first."""
        return [self.decisions[key] for key in self.recent]

    def place_proposal(self, item: ProposalItem) -> None:
        """Put an open proposal where its message stands among the others: as costly as what came after it."""
        _place(self.proposals, item.id, item, lambda key: self.proposals[key].message > item.message)
        _place(self.open, item.id, None, lambda key: self.proposals[key].message > item.message)

    def place_decision(self, item: DecisionItem) -> None:
        """Put a decision where its message stands among the others."""
        _place(self.decisions, item.id, item, lambda key: self.decisions[key].made > item.made)
        before = sum(1 for key in self.recent if self.decisions[key].made <= item.made)
        self.recent.insert(before, item.id)
        del self.recent[:-CLAIMS]

    def place_reaction(self, reaction: Reaction) -> None:
        """Put a reaction where its message stands among the others."""
        at = len(self.reactions)
        while at and self.reactions[at - 1].message > reaction.message:
            at -= 1
        self.reactions.insert(at, reaction)

    def proposal(self, key: str | None) -> ProposalItem | None:
        """The proposal of that id, if there is one."""
        return self.proposals.get(key) if key else None


def _place(held: dict[str, Any], key: str, value: object, later: Callable[[str], bool]) -> None:
    after: list[tuple[str, Any]] = []
    while held and later(next(reversed(held))):
        after.append(held.popitem())
    held[key] = value
    held.update(reversed(after))
