"""The input of a summary: a range of messages, and the items that the summary must not lose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from eda.events.records import Decision, Line, Proposal, Stance, Summary
from eda.memory.summaries.due import Due

__all__ = ["Item", "SummaryInput", "items_of"]


@dataclass(frozen=True, slots=True)
class Item:
    """An item that the summary of its range must not lose."""

    kind: Literal["agreement", "disagreement", "decision", "proposal", "question"]
    message: int
    """Of an agreement or disagreement, the last message on that side."""
    who: str
    """Empty for a decision; for an agreement or disagreement, everybody on that side."""
    text: str
    """The words of the item, on one line."""
    id: str = ""
    """Empty where the item has no id."""

    @property
    def line(self) -> str:
        """The line of the item in a summary."""
        match self.kind:
            case "decision":
                return f"Decided: {_ended(self.text)} (m{self.message})."
            case "proposal":
                return f"Proposed by {self.who}: {_ended(self.text)} (m{self.message})."
            case "agreement":
                return f"Agreed: {self.who} with “{_ended(self.text)}” (m{self.message})."
            case "disagreement":
                return f"Disagreed: {self.who} with “{_ended(self.text)}” (m{self.message})."
            case "question":
                return f"[UNRESOLVED] {self.who} (m{self.message}): {self.text}"


@dataclass(frozen=True, slots=True)
class SummaryInput:
    """A range and everything that its summary is written from."""

    due: Due
    items: tuple[Item, ...] = ()
    """Decisions, open proposals, who agreed and who did not, open questions: in this order, oldest first."""
    minutes: str = ""
    """The items of the range so far, as the minute-taker sees them; empty for a fold."""
    lines: tuple[Line, ...] = ()
    """The messages, at level 1."""
    texts: tuple[str, ...] = ()
    """The messages as a prompt shows them."""
    after: tuple[Line, ...] = ()
    """The messages that follow, as far as they are known: they may answer a question of the range."""
    sources: tuple[Summary, ...] = ()
    """The summaries that a fold joins."""

    @property
    def required(self) -> tuple[Item, ...]:
        """The items without which a summary is incomplete."""
        return tuple(item for item in self.items if item.kind in ("decision", "proposal", "question"))


_SIDES: tuple[tuple[Literal["agreement", "disagreement"], Stance], ...] = (
    ("agreement", "support"),
    ("disagreement", "oppose"),
)


def items_of(due: Due, decisions: Iterable[Decision], active: Sequence[Proposal]) -> list[Item]:
    """Return the decisions, open proposals, agreements and disagreements of a range."""
    span = range(due.first, due.last + 1)
    items = [
        Item("decision", d.messages[0], "", _line(d.outcome), d.id)
        for d in decisions
        if d.messages and d.messages[0] in span
    ]
    items += [Item("proposal", p.message, p.proposer, _line(p.content), p.id) for p in active if p.message in span]
    for kind, stance in _SIDES:
        for proposal in active:
            taken = [r for r in proposal.reactions if r.reaction == stance and r.message in span]
            who = ", ".join(r.agent for r in taken if r.agent != proposal.proposer)
            if who:
                items.append(Item(kind, max(r.message for r in taken), who, _line(proposal.content)))
    return items


def _line(text: str) -> str:
    return " ".join(text.split())


def _ended(text: str) -> str:
    return text.rstrip(".")
