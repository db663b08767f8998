"""Measures of positions and beliefs: how far the members stand apart, drift, and move each other.

A position is a number: see `positions`.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import fsum
from statistics import pvariance

from eda.study.measures.base import Measure, mean
from eda.study.rows import CellData, StanceRow
from eda.voting.choices import same_words

TOLERANCE = 0.05
"""Positions that differ by no more are neighbours; clusters are joined by neighbours."""
LEAST = 0.01
"""The least share of the members that makes a cluster."""


def positions(data: CellData, ask: Mapping[str, StanceRow]) -> list[float]:
    """Return the positions of all who have one, in seat order.

    It is the stated score; else, with two options, the belief in the first, or 1 for the first and 0 for the second;
    else the option itself where it is a number.
    """
    return [at for row in ask.values() if (at := position(row, data.cell.options)) is not None]


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


def esteban_ray(values: Sequence[float], alpha: float = 1.3) -> float:
    """Return the polarisation of Esteban and Ray (K = 1) of groups of equal positions; `alpha` in (0, 1.6]."""
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


def _belief(row: StanceRow, answer: str) -> float:
    """Return the stated belief in the truth; where none is stated, 1 for the true choice and 0 for another."""
    if not row.beliefs:
        return float(bool(row.right))
    return sum(belief for option, belief in row.beliefs.items() if same_words(option, answer))


def drift(data: CellData) -> float | None:
    """Return the mean change of the belief in the truth from one ask to the next; None without truth or two asks."""
    answer = data.cell.answer
    if answer is None:
        return None
    return mean(
        [
            _belief(after[who], answer) - _belief(row, answer)
            for before, after in zip(data.asks, data.asks[1:], strict=False)
            for who, row in before.items()
            if who in after
        ]
    )


def prediction_errors(estimates: Sequence[float], truth: float) -> tuple[float, float, float]:
    """Return the squared error of the mean estimate, the mean squared error, and the variance of the estimates.

    The first is the second minus the third (S. E. Page, "The Difference", 2007): the diversity prediction theorem.
    """
    errors = [(each - truth) ** 2 for each in estimates]
    return (sum(estimates) / len(estimates) - truth) ** 2, sum(errors) / len(errors), pvariance(estimates)


def _part(place: int) -> Callable[[CellData], float | None]:
    def fold(data: CellData) -> float | None:
        try:
            truth = float(str(data.cell.answer))
            estimates = [float(choice) for choice in data.last.values() if choice is not None]
        except ValueError:
            return None
        return prediction_errors(estimates, truth)[place] if estimates else None

    return fold


_PAGE = "Page 2007, The Difference (diversity prediction theorem)"


MEASURES = (
    Measure("variance", "variance of the positions at the last ask", "opinion dynamics", _last(pvariance), None),
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
    Measure(
        "drift",
        "mean of p_i,y(t+1) - p_i,y(t), the belief in the truth, over members and asks; 0 where talk is a martingale",
        "Choi et al. 2025, arXiv:2508.17536",
        drift,
        bounds=(-1.0, 1.0),
    ),
    Measure("collective_error", "squared error of the mean of the last estimates", _PAGE, _part(0), None),
    Measure("individual_error", "mean squared error of the last estimates", _PAGE, _part(1), None),
    Measure("diversity", "variance of the last estimates", _PAGE, _part(2), None),
)
