"""What a measure is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from eda.study.rows import CellData

Level = Literal["cell", "group"]


@dataclass(frozen=True, slots=True)
class Measure:
    """A number read out of the rows of cells, without a call."""

    name: str
    definition: str
    citation: str
    fold: Callable[[CellData], float | None] | Callable[[Sequence[CellData]], float | None]
    """Returns the value; None where it is not defined."""
    bounds: tuple[float, float] | None = (0.0, 1.0)
    """The least and the greatest value; None where there is no such bound."""
    level: Level = "cell"
    """What has a value: a cell, or a group: all cells of a task, seed and set of levels."""

    def of(self, cells: Sequence[CellData]) -> float | None:
        """Return the value of a group of cells: of a measure of cells the mean over those that have one."""
        if self.level == "group":
            return self.fold(cells)  # type: ignore[arg-type] # the level says which of the two it is
        return mean([value for cell in cells if (value := self.fold(cell)) is not None])  # type: ignore[arg-type] # same


def mean(values: Sequence[float]) -> float | None:
    """Return the mean, of truth values the share of the true ones; None where there are none."""
    return sum(values) / len(values) if values else None
