"""What a summary is made of, and what it must not lose.

It is noted when its range is full, so that a resume asks for the summary in the words of the run that was cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from eda.protocols import Line
from eda.records import Decision, Proposal, Stance, Summary

__all__ = ["LAG", "Due", "Item", "Material", "items_of"]

LAG = 6
"""Messages after a range's last one before its summary must stand."""
_ATTEMPTS = 10
"""What sets the attempts of one level apart from those of the next: 1, 2, 3 of level 1; 11, 12, 13 of level 2."""


@dataclass(frozen=True, slots=True)
class Due:
    """A range that is to be summed up."""

    first: int
    last: int
    level: int = 1
    """Over 1: summaries of the range are folded into one."""

    def attempt(self, tried: int) -> int:
        """The attempt that a call is named by: two levels may end with the same message."""
        return _ATTEMPTS * (self.level - 1) + tried


@dataclass(frozen=True, slots=True)
class Item:
    """Something that the summary of its range must not lose."""

    kind: Literal["agreement", "disagreement", "decision", "proposal", "question"]
    message: int
    """Of an agreement or disagreement, the last that took that side."""
    who: str
    """Empty of a decision; of an agreement or disagreement, all who took that side."""
    text: str
    """Its own words, on one line."""
    id: str = ""
    """Empty of what has none."""

    @property
    def line(self) -> str:
        """As a summary lists it."""
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
class Material:
    """A range and all that a summary of it is made of."""

    due: Due
    items: tuple[Item, ...] = ()
    """Decisions, open proposals, who agreed and who did not, open questions: in this order, oldest first."""
    held: str = ""
    """What memory holds of the range, as the minute-taker is shown it; empty of a fold."""
    lines: tuple[Line, ...] = ()
    """The messages of level 1."""
    texts: tuple[str, ...] = ()
    """The same as a prompt shows them."""
    after: tuple[Line, ...] = ()
    """The messages that follow, as far as they are known: what was asked may be answered there."""
    sources: tuple[Summary, ...] = ()
    """The summaries of a fold."""

    @property
    def kept(self) -> tuple[Item, ...]:
        """The items that a summary is refused without."""
        return tuple(item for item in self.items if item.kind in ("decision", "proposal", "question"))


_SIDES: tuple[tuple[Literal["agreement", "disagreement"], Stance], ...] = (
    ("agreement", "support"),
    ("disagreement", "oppose"),
)


def items_of(due: Due, decisions: Iterable[Decision], active: Sequence[Proposal]) -> list[Item]:
    """What was decided, is on the table and was answered in a range."""
    span = range(due.first, due.last + 1)
    found = [
        Item("decision", d.messages[0], "", _line(d.outcome), d.id)
        for d in decisions
        if d.messages and d.messages[0] in span
    ]
    found += [Item("proposal", p.message, p.proposer, _line(p.content), p.id) for p in active if p.message in span]
    for kind, stance in _SIDES:
        for proposal in active:
            taken = [r for r in proposal.reactions if r.reaction == stance and r.message in span]
            who = ", ".join(r.agent for r in taken if r.agent != proposal.proposer)
            if who:
                found.append(Item(kind, max(r.message for r in taken), who, _line(proposal.content)))
    return found


def _line(text: str) -> str:
    return " ".join(text.split())


def _ended(text: str) -> str:
    return text.rstrip(".")
