"""Why an item is there is worked out when somebody asks, from the item and its quote; little is stored for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from eda.errors import UnknownNameError
from eda.memory.items import DecisionItem, ProposalItem
from eda.patterns import PatternPack
from eda.records import Quote

__all__ = ["Explanation", "explain"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why memory holds an item."""

    item: str
    source: str
    pattern: str
    confidence: float
    quotes: tuple[Quote, ...]
    exceptions: tuple[tuple[str, bool], ...]
    """Each exception of the pattern that was looked at, and whether it held."""
    links: tuple[str, ...]
    """The reactions that were bound to it, with sign and score."""
    history: tuple[str, ...]

    def __str__(self) -> str:
        found = f"pattern {self.pattern}" if self.pattern else self.source
        lines = [f"{self.item}: found by {found}, confidence {self.confidence:.2f}"]
        lines += [f"  m{quote.message} [{quote.start}:{quote.end}] “{quote.text}”" for quote in self.quotes]
        lines += [f"  exception {'holds' if held else 'does not hold'}: {text}" for text, held in self.exceptions]
        lines += [f"  {line}" for line in (*self.links, *self.history)]
        return "\n".join(lines)


def explain(
    item_id: str,
    proposals: Mapping[str, ProposalItem],
    decisions: Mapping[str, DecisionItem],
    pack: PatternPack,
) -> Explanation:
    """What made the item `item_id`.

    Raises:
        UnknownNameError: there is no such item.
    """
    if item_id in proposals:
        proposal = proposals[item_id]
        return Explanation(
            item_id,
            proposal.source,
            proposal.pattern,
            proposal.confidence,
            ((proposal.quote,) if proposal.quote else ()) + tuple(proposal.restated),
            _exceptions(proposal.quote, proposal.pattern, pack),
            tuple(
                f"m{r.message} {r.agent}: {r.reaction}, linked by {r.link or 'nothing'} ({r.score:.2f})"
                for r in (*proposal.history, *proposal.standing.values())
            ),
            (
                *(f"{c.status}: {c.why} ({', '.join(f'm{m}' for m in c.messages)})" for c in proposal.changes),
                *_minuted(proposal),
            ),
        )
    if item_id in decisions:
        decision = decisions[item_id]
        return Explanation(
            item_id,
            decision.source,
            decision.pattern,
            decision.confidence,
            tuple(decision.quotes),
            _exceptions(decision.quotes[0] if decision.quotes else None, decision.pattern, pack),
            (
                *(f"m{number} {name}: for" for name, number in decision.supporters.items()),
                *(f"m{number} {name}: against" for name, number in decision.opposers.items()),
            ),
            (
                f"{decision.status}" + (f", accepts {decision.proposal}" if decision.proposal else ""),
                *_minuted(decision),
            ),
        )
    raise UnknownNameError("item", item_id, (*proposals, *decisions))


def _minuted(item: ProposalItem | DecisionItem) -> tuple[str, ...]:
    why = f": {item.minuted_why}" if item.minuted_why else ""
    return (f"{item.minuted} by the minutes{why}",) if item.minuted else ()


def _exceptions(quote: Quote | None, pattern: str, pack: PatternPack) -> tuple[tuple[str, bool], ...]:
    if quote is None or not pattern:
        return ()
    return tuple(pack.looked_at(quote.text, pattern))
