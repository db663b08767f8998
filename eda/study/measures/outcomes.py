"""Measures of what the panel decided."""

from __future__ import annotations

from eda.study.cell_data import CellData
from eda.study.measures.base import Measure
from eda.study.rows import Vote


def _right(data: CellData, vote: Vote) -> float | None:
    outcome = data.outcome(vote)
    return None if outcome is None or outcome.right is None else float(outcome.right)


def _gain(data: CellData, over: Vote) -> float | None:
    before, after = _right(data, over), _right(data, "last")
    return None if before is None or after is None else after - before


def _undecided(data: CellData) -> float | None:
    outcome = data.outcome("last")
    return None if outcome is None else float(outcome.outcome is None)


def _changed(data: CellData) -> float | None:
    before, after = data.outcome("first"), data.outcome("last")
    if before is None or after is None or _new(data, after.outcome):
        return None
    return float(before.outcome != after.outcome)


def _new(data: CellData, outcome: str | None) -> bool:
    """Return whether it was not offered before, and so cannot be compared."""
    return bool(data.cell.options) and outcome is not None and outcome not in data.cell.options


def _condorcet(data: CellData) -> float | None:
    outcome = data.outcome("last")
    return None if outcome is None or outcome.condorcet is None else float(outcome.outcome == outcome.condorcet)


def _cycle(data: CellData) -> float | None:
    outcome = data.outcome("last")
    return None if outcome is None else float(outcome.cycle)


_CHOI = "Choi et al. 2025, arXiv:2508.17536"
MEASURES = (
    Measure(
        "accuracy",
        "1 where the outcome is the true answer, else 0; no outcome is 0",
        "used throughout the field",
        lambda data: _right(data, "last"),
    ),
    Measure("undecided", "1 where the vote had no winner, else 0", "companion of accuracy", _undecided),
    Measure(
        "gain_over_blind_vote",
        "accuracy minus the accuracy of the same rule on the ballots before the first message",
        _CHOI,
        lambda data: _gain(data, "first"),
        bounds=(-1.0, 1.0),
    ),
    Measure(
        "gain_over_single",
        "accuracy minus the accuracy of the most frequent of the answers that the model gave alone",
        "Wang et al. 2023, arXiv:2203.11171; Smit et al. 2024, arXiv:2311.17371",
        lambda data: _gain(data, "single"),
        bounds=(-1.0, 1.0),
    ),
    Measure(
        "outcome_changed",
        "1 where the first ballots and the last ones come to different outcomes under one rule, else 0; not defined "
        "where the outcome was not offered before",
        "companion of gain_over_blind_vote",
        _changed,
    ),
    Measure(
        "condorcet_efficiency",
        "of the votes that have an option which beats each other one by pairs: 1 where that wins, else 0",
        "Merrill 1984, American Journal of Political Science 28 (1)",
        _condorcet,
    ),
    Measure("cycle", "1 where the best options beat each other in a circle, else 0", "Condorcet 1785", _cycle),
)
