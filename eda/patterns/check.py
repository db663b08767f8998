"""Examples are run through the whole pack, so that a report says not only whether but by what a line is found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eda.patterns.pack import PatternPack
    from eda.patterns.pattern import Pattern

__all__ = ["CheckRow", "check"]


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One example or counter-example, tried."""

    pattern: str
    example: str
    wanted: bool
    """True for an example, False for a counter-example."""
    matched: bool
    """Whether the pattern itself matched."""
    by: tuple[str, ...]
    """Every pattern of the pack, of whatever kind, that matched."""

    @property
    def ok(self) -> bool:
        """Whether the pattern did what its author says."""
        return self.wanted == self.matched


def check(pack: PatternPack, patterns: Iterable[Pattern]) -> list[CheckRow]:
    """Run every example and counter-example of `patterns`."""
    rows: list[CheckRow] = []
    for pattern in patterns:
        for wanted, examples in ((True, pattern.examples), (False, pattern.counter_examples)):
            for example in examples:
                by = tuple(dict.fromkeys(hit.pattern for hit in pack.find(example)))
                rows.append(CheckRow(pattern.name, example, wanted, pattern.name in by, by))
    return rows
