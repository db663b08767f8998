"""The standing summaries tile the history: each begins where the one before it ends, and there is never one too many.

Older ones are folded four into one. Which four: those whose fold is the least often rewritten (the lowest level, then
the oldest), as in a log-structured merge tree (O'Neil et al. 1996). Folding the four that cover the fewest messages
instead would rewrite one of them at each fold: 134 times in 5,000 messages, where this rule comes to seven.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter

from eda.records import Summary

__all__ = ["FOLDED", "MOST", "Tiles"]

MOST = 10
"""Summaries that stand at once: with so many, no other is added before some are folded."""
FOLDED = 4
"""Summaries that are folded into one."""
_SPARED = 3
"""The newest summaries, which are not folded."""
_REASONS_KEPT = 20

_summaries = TypeAdapter(list[Summary])


class Tiles:
    """The summaries that stand, in order: together they cover messages 1 to `covered`, each once."""

    def __init__(self) -> None:
        self._standing: list[Summary] = []
        self._refused: deque[str] = deque(maxlen=_REASONS_KEPT)
        self.written = 0
        """Summaries taken in all, those that were folded since included."""

    @property
    def standing(self) -> tuple[Summary, ...]:
        """In the order of their messages."""
        return tuple(self._standing)

    @property
    def covered(self) -> int:
        """The last message that a summary covers; 0 before the first. So many messages are covered."""
        return self._standing[-1].last if self._standing else 0

    @property
    def refused(self) -> tuple[str, ...]:
        """Why the last few summaries that did not fit were not taken, oldest first."""
        return tuple(self._refused)

    def add(self, summary: Summary) -> bool:
        """Take a summary that follows the last one, or covers just what some that stand cover; False for any other."""
        place = self._place(summary)
        if place is None:
            self._refused.append(
                f"a summary of messages {summary.first} to {summary.last} would leave a gap or an overlap: "
                f"{self.covered} messages are covered"
            )
            return False
        self._standing[place] = [summary]
        self.written += 1
        return True

    def due_fold(self) -> tuple[Summary, ...] | None:
        """The summaries to fold into one next; None while few enough stand."""
        if len(self._standing) < MOST:
            return None
        starts = range(len(self._standing) - _SPARED - FOLDED + 1)
        runs = (self._standing[start : start + FOLDED] for start in starts)
        return tuple(min(runs, key=lambda run: max(summary.level for summary in run)))

    def to_json(self) -> dict[str, Any]:
        """Everything that `from_json` needs."""
        return {
            "standing": [asdict(summary) for summary in self._standing],
            "written": self.written,
            "refused": list(self._refused),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | Sequence[Any]) -> Tiles:
        """The same again; a plain list holds the summaries of a state that was saved before there were folds."""
        tiles = cls()
        for summary in _summaries.validate_python(data["standing"] if isinstance(data, Mapping) else data):
            tiles.add(summary)
        if isinstance(data, Mapping):
            tiles.written = data["written"]
            tiles._refused.extend(data["refused"])
        return tiles

    def _place(self, summary: Summary) -> slice | None:
        if summary.last < summary.first:
            return None
        if summary.first == self.covered + 1:
            return slice(len(self._standing), None)
        starts = [place for place, one in enumerate(self._standing) if one.first == summary.first]
        ends = [place for place, one in enumerate(self._standing) if one.last == summary.last]
        return slice(starts[0], ends[0] + 1) if starts and ends else None
