"""Proofs of the instrument: panels whose truth is planted, and figures that were published, are found again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from proofs.base import Row
from proofs.hinges import hinges
from proofs.panels import PLANTED, fixed_minds, planted
from proofs.people import people
from proofs.published import formulas, juries, opinion_dynamics, statistics, voting_paradoxes
from proofs.stressed import stressed

__all__ = ["NAMES", "PLANTED", "prove"]

_PROOFS: Mapping[str, Callable[[float], Row]] = {
    "fixed-minds": fixed_minds,
    **{name: partial(planted, name) for name in PLANTED},
    "opinion-dynamics": opinion_dynamics,
    "voting-paradoxes": voting_paradoxes,
    "juries": juries,
    "formulas": formulas,
    "statistics": statistics,
    "hinges": hinges,
    "stressed": stressed,
    "people": people,
}
NAMES = tuple(_PROOFS)


def prove(name: str, size: float = 1.0, folder: Path | None = None) -> Row:
    """Return what came of a proof.

    The row has `name`, `ok`, `covered` of `studies` (intervals that hold the truth; or figures within tolerance),
    `planted` and `found` (the means; or the figure that is furthest out), and `what`. Proofs of several figures list
    them as `checks`, each with `what`, `expected`, `found`, `tolerance`, `ok`.

    Args:
        name: One of `NAMES`.
        folder: That of the files of people's votes, which `people` needs; without it that proof is `skipped`.
        size: The share of the studies, seeds and profiles that are run; below 1 in this process, with tolerances that
            are wider by as much as chance is.
    """
    return people(size, folder) if name == "people" else _PROOFS[name](size)
