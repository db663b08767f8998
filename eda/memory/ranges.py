"""What is noted of a range of messages until its summary is written.

What a summary must not lose is noted when its range is full. What is said later changes nothing in it, so a session
that is cut and resumed asks its model for the very same summary.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import TypeAdapter

from eda.memory.extractive import open_questions
from eda.memory.material import LAG, Due, Item, Material, items_of
from eda.memory.minutes import Minutes
from eda.memory.taking import MinutesAnswer, checked, held_lines
from eda.memory.tiles import Tiles
from eda.memory.transcript import Recent
from eda.records import Proposal, RangeMinutes
from eda.settings import Settings

__all__ = ["Ranges"]

_NEWEST = 40
"""Newest decisions and proposals among which those of a range are looked for."""
_OPEN = 12
"""The same of open proposals."""


@dataclass(frozen=True, slots=True)
class _Noted:
    first: int
    last: int
    items: tuple[Item, ...]
    held: str


_all_noted = TypeAdapter(list[_Noted])


class Ranges:
    """Notes of the ranges that are full and not summed up yet."""

    def __init__(self) -> None:
        self.every = Settings().summary_every
        """Messages a summary covers."""
        self._noted: dict[tuple[int, int], _Noted] = {}

    def heard(self, number: int, tiles: Tiles, minutes: Minutes) -> None:
        """Message `number` is the last one: where it makes a range full, note what is held of that."""
        beyond = number - tiles.covered
        if beyond > 0 and beyond % self.every == 0:
            self._note(Due(number - self.every + 1, number), minutes)

    def summed_up(self, tiles: Tiles, minutes: Minutes) -> None:
        """A summary was taken: let the notes of its range go, and note what a fold that is due now is made of."""
        self._noted = {key: noted for key, noted in self._noted.items() if noted.last > tiles.covered}
        run = tiles.due_fold()
        if run is not None:
            self._note(Due(run[0].first, run[-1].last, level=2), minutes)

    def material(self, due: Due, tiles: Tiles, minutes: Minutes, recent: Recent) -> Material:
        """All that the summary that is due is made of."""
        noted = self._noted.get((due.first, due.last)) or self._note(due, minutes)
        if due.level > 1:
            within = (s for s in tiles.standing if due.first <= s.first and s.last <= due.last)
            return Material(due, noted.items, sources=tuple(within))
        lines = recent.lines(due.first, due.last)
        return Material(
            due,
            (*noted.items, *open_questions(lines)),
            noted.held,
            lines=lines,
            texts=recent.texts(due.first, due.last),
            after=recent.lines(due.last + 1, due.last + LAG - 1),
        )

    def minuted(self, due: Due, answer: MinutesAnswer, minutes: Minutes, recent: Recent) -> RangeMinutes:
        """The minutes that a model took, as far as they hold."""
        lines = recent.lines(due.first, due.last)
        return checked(answer, lines, due.first, due.last, _newest(minutes), minutes.newest_decisions(_NEWEST))[0]

    def to_json(self) -> dict[str, Any]:
        """Everything that `from_json` needs."""
        return {"every": self.every, "noted": [asdict(noted) for noted in self._noted.values()]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Ranges:
        """The same again."""
        ranges = cls()
        ranges.every = data["every"]
        ranges._noted = {(noted.first, noted.last): noted for noted in _all_noted.validate_python(data["noted"])}
        return ranges

    def _note(self, due: Due, minutes: Minutes) -> _Noted:
        decisions = minutes.newest_decisions(_NEWEST)
        held = held_lines(_newest(minutes), decisions, due.first, due.last) if due.level == 1 else ""
        items = items_of(due, decisions, minutes.newest_open(_OPEN))
        noted = _Noted(due.first, due.last, tuple(items), held)
        self._noted[due.first, due.last] = noted
        return noted


def _newest(minutes: Minutes) -> tuple[Proposal, ...]:
    """The newest proposals and, with them, those that are still open."""
    both = (*minutes.newest_proposals(_NEWEST), *minutes.newest_open(_OPEN))
    return tuple(sorted({proposal.id: proposal for proposal in both}.values(), key=lambda one: one.message))
