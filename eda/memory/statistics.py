"""Counts of what memory holds, and of what covers the history."""

from __future__ import annotations

from eda.memory.context import Context
from eda.memory.parts import Parts
from eda.records import MemoryStats

__all__ = ["statistics"]


def statistics(parts: Parts, context: Context) -> MemoryStats:
    """The counts; `context` is the one whose sections are measured."""
    covered = parts.tiles.covered
    first = parts.recent.first_kept
    return MemoryStats(
        summary_count=parts.tiles.written,
        decision_count=len(parts.minutes.decisions),
        proposal_count=len(parts.minutes.active),
        agent_count=len(parts.minutes.agents),
        total_messages=parts.recent.count,
        note_count=len(parts.notes),
        summarised=covered,
        verbatim=parts.recent.count - max(covered, first - 1),
        uncovered=max(0, first - 1 - covered),
        recallable=parts.said.recall.count,
        tokens={section.name: section.tokens for section in context.sections},
        token_ratio=parts.tokens.ratio,
        token_error=parts.tokens.error,
    )
