"""What a notebook shows of a memory."""

from __future__ import annotations

from abc import abstractmethod

from eda.events import cards
from eda.events.records import Proposal, Summary
from eda.memory.minutes.minutes import Items
from eda.memory.table import Standing, standing

_OPEN = "active"


def motion_table(memory: Items) -> cards.Html:
    """Return the texts on the table, the newest motion first: who made each, and who stands where on it."""
    live = [motion.live for motion in reversed(memory.motions) if motion.live is not None and motion.taken_up]

    def who(text: Proposal, stance: Standing, mark: str = "") -> str:
        return ", ".join(f"{name}{mark}" for name, _ in standing(text, stance))

    rows = [
        (
            text.id,
            text.content,
            text.proposer,
            ", ".join(filter(None, (who(text, "support"), who(text, "conditional", " (if)")))),
            who(text, "oppose"),
            who(text, "neutral"),
            "open" if text.status == _OPEN else text.status,
        )
        for text in live
    ]
    return cards.table(("On the table", "Text", "By", "For", "Against", "Undecided", "State"), rows)


class ShownMemory(Items):
    """How a `ConversationMemory` is shown."""

    @property
    @abstractmethod
    def message_count(self) -> int:
        """The number of messages."""

    @property
    @abstractmethod
    def summaries(self) -> tuple[Summary, ...]:
        """The standing summaries."""

    def __repr__(self) -> str:
        return f"<ConversationMemory {self._in_brief()}>"

    def _repr_html_(self) -> str:
        decided = [(each.id, each.outcome, each.status, ", ".join(each.supporters)) for each in self.decisions]
        told = [cards.said(f"m{each.first} to m{each.last}", each.text) for each in self.summaries]
        return cards.card(
            "Conversation memory",
            cards.line(self._in_brief()),
            motion_table(self),
            cards.table(("Decision or claim", "Text", "State", "By"), decided),
            cards.fold("Summaries", told),
        )

    def _in_brief(self) -> str:
        counts = (self.message_count, len(self.motions), len(self.decisions), len(self.summaries))
        words = ("message", "motion", "decision", "summary")
        many = ("messages", "motions", "decisions", "summaries")
        return ", ".join(f"{n} {one if n == 1 else more}" for n, one, more in zip(counts, words, many, strict=True))
