"""Measures of how far the members stand apart. A position is a number: see `positions`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import fsum, sqrt

from eda.study.cell_data import CellData
from eda.study.measures.base import Measure
from eda.study.rows import StanceRow

TOLERANCE = 0.05
"""Positions that differ by no more are neighbours; clusters are joined by neighbours."""
LEAST = 0.01
"""The least share of the members that makes a cluster."""


def positions(data: CellData, ask: Mapping[str, StanceRow]) -> list[float]:
    """Return the positions of all who have one, in seat order.

    It is the stated score; else, with two options, the belief in the first, or 1 for the first and 0 for the second;
    else the option itself where it is a number.
    """
    found = (position(row, data.cell.options) for row in ask.values())
    return [each for each in found if each is not None]


def position(row: StanceRow, options: Sequence[str]) -> float | None:
    """Return the position of one answer, as in `positions`; None where it has none."""
    if row.score is not None:
        return row.score
    if len(options) == 2:
        if row.beliefs:
            return row.beliefs.get(options[0], 0.0)
        return None if row.choice not in options else float(row.choice == options[0])
    try:
        return float(str(row.choice).replace(",", "").strip())
    except ValueError:
        return None


def variance(values: Sequence[float]) -> float | None:
    """Return the variance, by n; None where there are no values."""
    if not values:
        return None
    middle = sum(values) / len(values)
    return fsum((value - middle) ** 2 for value in values) / len(values)


def bimodality(values: Sequence[float]) -> float | None:
    """Return the bimodality coefficient; 5/9 is that of a uniform distribution. None below 4 values."""
    n, spread = len(values), variance(values)
    if n < 4 or not spread:
        return None
    middle = sum(values) / n
    third, fourth = (fsum((value - middle) ** 3 for value in values), fsum((value - middle) ** 4 for value in values))
    skew = third / n / (spread * sqrt(spread)) * sqrt(n * (n - 1)) / (n - 2)
    kurtosis = (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * (fourth / n / spread**2 - 3) + 6)
    return (skew**2 + 1) / (kurtosis + 3 * (n - 1) ** 2 / ((n - 2) * (n - 3)))


def esteban_ray(values: Sequence[float], alpha: float = 1.3) -> float | None:
    """Return the polarisation of Esteban and Ray (K = 1) of groups of equal positions; `alpha` in (0, 1.6]."""
    if not values:
        return None
    shares = {value: count / len(values) for value, count in Counter(values).items()}
    return fsum(p ** (1 + alpha) * q * abs(x - y) for x, p in shares.items() for y, q in shares.items())


def clusters(values: Sequence[float], tolerance: float = TOLERANCE, least: float = LEAST) -> int:
    """Return the number of chains of positions with gaps up to `tolerance` that hold `least` of all or more."""
    ordered, sizes = sorted(values), list[int]()
    for place, value in enumerate(ordered):
        if place and value - ordered[place - 1] <= tolerance:
            sizes[-1] += 1
        else:
            sizes.append(1)
    return sum(size >= least * len(ordered) for size in sizes)


def _last(count: Callable[[list[float]], float | None]) -> Callable[[CellData], float | None]:
    def fold(data: CellData) -> float | None:
        values = positions(data, data.asks[-1]) if data.asks else []
        return count(values) if values else None

    return fold


MEASURES = (
    Measure("variance", "variance of the positions at the last ask", "opinion dynamics", _last(variance), None),
    Measure(
        "bimodality",
        "(skew^2 + 1) / (kurtosis + 3 (n-1)^2 / ((n-2) (n-3))) of the positions at the last ask, from 4 members on",
        "Pfister et al. 2013, Frontiers in Psychology 4:700",
        _last(bimodality),
        None,
    ),
    Measure(
        "esteban_ray",
        "sum over i, j of p_i^(1+a) p_j abs(x_i - x_j), a = 1.3, of the positions at the last ask",
        "Esteban, Ray 1994, Econometrica 62 (4)",
        _last(esteban_ray),
        None,
    ),
    Measure(
        "clusters",
        "components of abs(x_i - x_j) <= 0.05 at the last ask that hold 1 % of the members or more",
        "Deffuant et al. 2000; Hegselmann, Krause 2002",
        _last(lambda values: float(clusters(values))),
        None,
    ),
)
