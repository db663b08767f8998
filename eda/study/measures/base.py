"""What a measure is."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from eda.study.rows import CellData


class Measure(NamedTuple):
    """A number read out of the rows of a cell, without a call."""

    name: str
    definition: str
    citation: str
    fold: Callable[[CellData], float | None]
    """Returns the value; None where it is not defined."""
    bounds: tuple[float, float] | None = (0.0, 1.0)
    """The least and the greatest value; None where there is no such bound."""
    cases: Callable[[CellData], Sequence[float]] | None = None
    """Returns what its value in a cell is the mean of, as of members; None where it is no such mean."""


def share(name: str, definition: str, citation: str, cases: Callable[[CellData], Sequence[float]]) -> Measure:
    """Return the measure whose value in a cell is the share of its cases that are 1."""
    return Measure(name, definition, citation, lambda cell: mean(cases(cell)), cases=cases)


def difference(first: float | None, second: float | None) -> float | None:
    """Return the first value minus the second; None where one of them is not defined."""
    return None if first is None or second is None else first - second


def mean(values: Sequence[float]) -> float | None:
    """Return the mean, of truth values the share of the true ones; None where there are none."""
    return sum(values) / len(values) if values else None
