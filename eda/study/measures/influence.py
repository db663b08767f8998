"""Who moves whom: the influence matrix of Friedkin and Johnsen, fitted by least squares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eda.study.cell_data import CellData
from eda.study.measures.base import Measure
from eda.study.measures.polarisation import position

_HARD = 1e4
"""Weight of the equation that a row's weights sum to 1: far above that of the data."""


def influence(trajectories: Sequence[Sequence[Sequence[float]]]) -> tuple[Any, Any]:
    """Return trust A (n x n, each row >= 0 with the sum 1) and susceptibility L (n, 0 to 1) that fit best.

    They minimise the sum of (x(t+1) - L A x(t) - (1 - L) x(0))^2. A row of A is that of no influence where L is 0.

    Args:
        trajectories: of each run, the n positions at each ask. Runs of the same members can be pooled; together they
            need n steps or more.
    """
    import numpy as np
    from scipy.optimize import nnls

    runs = [np.asarray(run, dtype=float) for run in trajectories]
    size = runs[0].shape[1]
    now, then = np.concatenate([run[:-1] for run in runs]), np.concatenate([run[1:] for run in runs])
    first = np.concatenate([np.repeat(run[:1], len(run) - 1, axis=0) for run in runs])
    trust, susceptible = np.eye(size), np.zeros(size)
    for member in range(size):
        # Weights on what all hold now, and on one's own first position, are >= 0 and sum to 1: a convex problem.
        known = np.column_stack([now, first[:, member]])
        weights, _ = nnls(np.vstack([known, np.full(size + 1, _HARD)]), np.append(then[:, member], _HARD))
        susceptible[member] = min(1.0, weights[:size].sum())
        if susceptible[member] > 1e-9:
            trust[member] = weights[:size] / weights[:size].sum()
    return trust, susceptible


def trajectory_of(data: CellData) -> list[list[float]]:
    """Return the positions of all members at each ask; empty where one has none at some ask."""
    members = list(data.asks[0]) if data.asks else []
    rows = [[position(ask[who], data.cell.options) if who in ask else None for who in members] for ask in data.asks]
    return [[each for each in row if each is not None] for row in rows] if all(None not in row for row in rows) else []


def _susceptibility(data: CellData) -> float | None:
    trajectory = trajectory_of(data)
    if not trajectory or len(trajectory) <= len(trajectory[0]):
        return None
    return float(influence([trajectory])[1].mean())


MEASURES = (
    Measure(
        "susceptibility",
        "mean of the diagonal of L in the least-squares fit of x(t+1) = L A x(t) + (1 - L) x(0), A row-stochastic; "
        "not defined with fewer steps than members",
        "Friedkin, Johnsen 1990, Journal of Mathematical Sociology 15 (3-4)",
        _susceptibility,
    ),
)
