"""Explains why an item is in memory: who read it, in which words, and how each target was resolved."""

from __future__ import annotations

from eda.events.records import Quote
from eda.memory.minutes.items import DecisionItem, ProposalItem
from eda.memory.patterns import PatternPack

_READERS = {"declared": "a declared move", "minutes": "minutes", "procedure": "the procedure"}


def explain(item: ProposalItem | DecisionItem, pack: PatternPack) -> str:
    """Return why an item is in memory, in lines."""
    quotes = _quotes(item)
    reader = f"pattern {item.pattern}" if item.pattern else _READERS.get(item.source, item.source)
    lines = [f"{item.id}: found by {reader}, confidence {item.confidence:.2f}"]
    lines += [f"  m{each.message} [{each.start}:{each.end}] “{each.text}”" for each in quotes]
    checked = pack.looked_at(quotes[0].text, item.pattern) if quotes and item.pattern else []
    lines += [f"  exception {'holds' if applies else 'does not hold'}: {text}" for text, applies in checked]
    rest = _of_proposal(item) if isinstance(item, ProposalItem) else _of_decision(item)
    lines += [f"  {line}" for line in rest]
    if item.minuted:
        lines.append(f"  {item.minuted} by the minutes" + (f": {item.minuted_why}" if item.minuted_why else ""))
    return "\n".join(lines)


def _quotes(item: ProposalItem | DecisionItem) -> list[Quote]:
    if isinstance(item, DecisionItem):
        return list(item.quotes)
    return [*((item.quote,) if item.quote else ()), *item.restated]


def _of_proposal(item: ProposalItem) -> list[str]:
    lines = [f"amends {item.amends}, resolved by {item.lineage or 'nothing'}"] if item.amends else []
    lines += [f"joins {key}" for key in item.joins]
    lines += [
        f"m{r.message} {r.agent}: {r.reaction}, read from {_READERS.get(r.source, f'pattern {r.pattern}')}, "
        f"linked by {r.link or 'nothing'} ({r.score:.2f})" + (f": {r.why}" if r.why else "")
        for r in (*item.history, *item.standing.values())
    ]
    return lines + [f"{c.status}: {c.why} ({', '.join(f'm{m}' for m in c.messages)})" for c in item.changes]


def _of_decision(item: DecisionItem) -> list[str]:
    lines = [f"m{number} {name}: for" for name, number in item.supporters.items()]
    lines += [
        f"m{number} {name}: {'takes it back' if name == item.by else 'against'}"
        for name, number in item.opposers.items()
    ]
    about = f", accepts {item.proposal}" if item.proposal and item.status != "claimed" else ""
    about = f", about {item.proposal}" if item.proposal and item.status in ("claimed", "disputed") else about
    resolved = f", resolved by {item.link}" if item.proposal and item.link else ""
    why = f": {item.status_why}" if item.status_why else ""
    return [*lines, f"{item.status}{why}{about}{resolved}"]
