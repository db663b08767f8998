"""Measures of beliefs and estimates against the truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eda.study.cell_data import CellData
from eda.study.measures.base import Measure, mean
from eda.study.measures.polarisation import variance
from eda.study.rows import StanceRow
from eda.voting.choices import same_words


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
    collective = (sum(estimates) / len(estimates) - truth) ** 2
    return collective, sum(errors) / len(errors), variance(estimates) or 0.0


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
