"""Models of how choices move without an argument, fitted to the trajectories of a study and compared on unseen cells.

A choice is a vector over the options, 1 at the choice; a stated belief is its probabilities. A model predicts the next
vector of each member; the score is its mean log likelihood, with a share of answers drawn at random as re-ask noise.

Three models are nulls: in them nobody listens. Members of a panel may think alike without talk, and a noisy answer is
followed by one nearer to what all hold: the null `alike` knows that. Two asks cannot tell such minds from influence;
more asks can, and the arm in which members hear nobody can.

`nulls.py FOLDER` prints for each arm whether the tables in that folder (Parquet, of `eda study report --notebook`) beat
the nulls.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pyarrow import parquet

from eda.study.rows import CellData
from eda.study.statistics import paired_interval
from eda.study.tables import Frames

FOLDS = 10
"""Groups of cells that are left out in turn; with no more cells than that, each cell."""
NOISE = (0.002, 0.01, 0.02, 0.05, 0.075, 0.1, 0.125, 0.15, 0.175, 0.2, 0.225, 0.25, 0.3, 0.35, 0.4, 0.5, 0.7, 1.0)
"""Shares of answers that are drawn at random, as tried."""
WEIGHTS = tuple(step / 20 for step in range(21))
"""Weights of others, as tried."""
NULLS = ("constant", "persistent", "alike")
"""The models in which nobody listens."""

Step = Callable[[Any, int, float], Any]
"""Takes asks (asks x members x options), the ask to start from, and a parameter; returns the next vectors."""


def _others(now: Any) -> Any:
    """Return the mean of the other members, for each; one's own vector where there are none."""
    return (now.sum(axis=0) - now) / (len(now) - 1) if len(now) > 1 else now


def _alike(asks: Any, at: int, weight: float) -> Any:
    so_far = asks[: at + 1].mean(axis=0)
    return (1 - weight) * so_far + weight * _others(so_far)


def _voter(asks: Any, at: int, weight: float) -> Any:
    return (1 - weight) * asks[at] + weight * _others(asks[at])


def _friedkin_johnsen(asks: Any, at: int, weight: float) -> Any:
    return (1 - weight) * asks[0] + weight * asks[at].mean(axis=0)


def _majority(asks: Any, at: int, weight: float) -> Any:
    others = _others(asks[at])
    best = others == others.max(axis=1, keepdims=True)
    return (1 - weight) * asks[at] + weight * best / best.sum(axis=1, keepdims=True)


def _hegselmann_krause(asks: Any, at: int, bound: float) -> Any:
    now = asks[at]
    near = np.abs(now[:, None] - now[None]).sum(axis=2) / 2 <= bound
    return near @ now / near.sum(axis=1, keepdims=True)


def _dirichlet(asks: Any, at: int, weight: float) -> Any:
    """Return the mean of a Dirichlet belief: the first answer is its prior, what others held at each ask is counted."""
    return (1 - weight) * asks[0] + weight * _others(asks[: at + 1].mean(axis=0))


MODELS: dict[str, tuple[Step, tuple[float, ...], str]] = {
    "constant": (lambda asks, _at, _weight: asks[0], (0.0,), "each keeps its first answer, but for re-ask noise"),
    "persistent": (lambda asks, at, _weight: asks[at], (0.0,), "each keeps its last answer, but for re-ask noise"),
    "alike": (_alike, WEIGHTS, "each keeps a mind like those of the others, of which all answers so far tell"),
    "voter": (_voter, WEIGHTS, "each takes, with one chance, the choice of another member; for beliefs DeGroot's mean"),
    "friedkin-johnsen": (_friedkin_johnsen, WEIGHTS, "the mean of all, pulled back towards the first answer"),
    "hegselmann-krause": (_hegselmann_krause, WEIGHTS, "the mean of all who are near enough"),
    "majority": (_majority, WEIGHTS, "each takes, with one chance, the choice of most others"),
    "dirichlet": (_dirichlet, WEIGHTS, "the first answer, updated by all that others have answered so far (Choi 2025)"),
}
"""Each model: its step, the parameters that are tried, and a line about it."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a model predicts cells that it was not fitted to."""

    model: str
    line: str
    weight: float
    """The parameter of the best fit to all cells."""
    noise: float
    """The share of answers drawn at random, of that fit."""
    score: float
    """Mean log likelihood of an answer in a cell that was left out."""
    gain: float
    """`score` minus that of the best null."""
    low: float
    high: float
    """Interval of the gain, clustered by item."""
    beats: bool
    """Whether all of it is above 0: people who listen as the model says tell more than any null does."""


def nulls(tables: Frames) -> list[dict[str, Any]]:
    """Return the fits of all models in each arm, in plain JSON types: the fields of `Fit`, and `arm`.

    In each arm the best model comes first. What `talk` gains over the nulls, `reask` should not. An arm without two
    asks, or with one cell, has no rows.
    """
    cells = [data for data in tables.data if data.cell.status == "ended"]
    arms = dict.fromkeys(data.cell.arm for data in cells)
    return [
        {"arm": arm, **asdict(fit)}
        for arm in arms
        for fit in fit_nulls([data for data in cells if data.cell.arm == arm])
    ]


def fit_nulls(cells: Sequence[CellData]) -> list[Fit]:
    """Return how well each model predicts the next answers of members, the best first.

    Each model is fitted to all folds of items but one and judged on that one. Cells without two asks are left out; no
    cells that can be used give an empty list.
    """
    runs = [(data.cell.item, run) for data in cells if (run := vectors(data)) is not None]
    items = list(dict.fromkeys(item for item, _ in runs))
    if len(items) < 2:  # one item: its seeds are what is left out
        runs = [(f"{item} {place}", run) for place, (item, run) in enumerate(runs)]
        items = [item for item, _ in runs]
    if len(items) < 2:
        return []
    fold_of = {item: place % FOLDS for place, item in enumerate(items)}
    folds = np.array([fold_of[item] for item, _ in runs])
    answers = np.array([run[1:].sum() for _, run in runs])
    scores, best = {}, {}
    for name, (step, weights, _) in MODELS.items():
        grid = [(weight, noise) for weight in weights for noise in NOISE]
        likely = np.array([_likelihood(run, step, weights) for _, run in runs])
        held_out = np.zeros(len(runs))
        for fold in np.unique(folds):
            out = folds == fold
            held_out[out] = likely[out][:, likely[~out].sum(axis=0).argmax()]
        scores[name], best[name] = held_out / answers, grid[int(likely.sum(axis=0).argmax())]
    fits, null = [], max((scores[name] for name in NULLS), key=lambda score: float(score.mean()))
    for name, score in scores.items():
        gains = paired_interval((score - null).tolist(), [item for item, _ in runs])
        gain = (gains.estimate, gains.low, gains.high)
        fits.append(Fit(name, MODELS[name][2], *best[name], float(score.mean()), *gain, beats=gains.low > 0))
    return sorted(fits, key=lambda fit: -fit.score)


def vectors(data: CellData) -> Any | None:
    """Return the answers of the members that answered each ask: asks x members x options; None below two asks."""
    options = data.cell.options or tuple(
        sorted({row.choice for ask in data.asks for row in ask.values() if row.choice is not None})
    )
    members = [
        who
        for who in (data.asks[0] if data.asks else ())
        if all(who in ask and (ask[who].beliefs or ask[who].choice in options) for ask in data.asks)
    ]
    if len(data.asks) < 2 or len(options) < 2 or not members:
        return None
    run = np.zeros((len(data.asks), len(members), len(options)))
    for at, ask in enumerate(data.asks):
        for place, who in enumerate(members):
            row = ask[who]
            run[at, place] = [row.beliefs.get(o, 0.0) if row.beliefs else float(row.choice == o) for o in options]
    return run


def _likelihood(run: Any, step: Step, weights: Sequence[float]) -> list[float]:
    """Return the log likelihood of a run for each weight and noise, in the order of the grid."""
    noise, found = np.array(NOISE), []
    for weight in weights:
        predicted = np.array([step(run, at, weight) for at in range(len(run) - 1)])
        noisy = (1 - noise) * predicted[..., None] + noise / run.shape[2]
        found.append((run[1:, ..., None] * np.log(noisy)).sum(axis=(0, 1, 2)))
    return [float(each) for row in found for each in row]


def told(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return, for each arm, whether its data beat the nulls, and with which model of influence.

    Args:
        rows: As `nulls` returns them, the best of each arm first.
    """
    found = {}
    for arm in dict.fromkeys(row["arm"] for row in rows):
        of_arm = [row for row in rows if row["arm"] == arm]
        null = next(row for row in of_arm if row["model"] in NULLS)
        better = [row for row in of_arm if row["low"] > 0]
        if better:
            best = better[0]
            found[arm] = (
                f"“{best['model']}” ({best['line']}) predicts unseen answers better than every null, by"
                f" {best['gain']:.3f} [{best['low']:.3f}, {best['high']:.3f}] in log likelihood an answer."
            )
        else:
            found[arm] = (
                f"no model of influence predicts unseen answers better than the null “{null['model']}”"
                f" ({null['line']}): the answers alone do not show that members moved each other."
            )
    return found


def main(folder: str) -> None:
    """Print what the tables in a folder say."""
    tables = Frames({path.stem: parquet.read_table(path) for path in sorted(Path(folder).glob("*.parquet"))})
    for arm, line in told(nulls(tables)).items():
        print(f"{arm}: {line}")


if __name__ == "__main__":
    main(*sys.argv[1:])
