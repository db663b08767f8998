"""A study in Python: what it will take, what can be done with it, and what its cells come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from eda.errors import UsageError
from eda.events.messages import UsageTotals
from eda.report.forecast import MOST, USUAL, forecast_run
from eda.runners.models import asks_models
from eda.session import Session
from eda.study.cells import Cell, Plan, key, plan_of
from eda.study.effects import Pair, effects, pairs, rates
from eda.study.file import ORDERS_PAIR, Hypothesis, StudyFile
from eda.study.freeze import audit, deviations, exported, freeze, manifest_of, plan_to_read, provenance_of
from eda.study.ledger import head_of_freeze
from eda.study.measures import MEASURES
from eda.study.run import run
from eda.study.run_cell import CellRunner
from eda.study.statistics import smallest_effect
from eda.study.status import Progress, Status, status_of
from eda.study.tables import Frames, Stored

_COUNTED_AS = "local:http://127.0.0.1"
"""Stands for a runner that asks no model where calls are counted."""
_WORST = 1.0
"""The largest standard deviation of a difference between two shares of one pair."""


def plan_data(plan: Plan, out: Path) -> dict[str, Any]:
    """Return the plan as JSON has it: rows by arm, totals, what is done, and the smallest effects."""
    rows = _rows(plan)
    study, status = plan.study, status_of(plan, out)
    return {
        "study": study.name,
        "cells": len(plan.cells),
        "done": status.counts["ended"],
        "tasks": len(_tasks(plan)),
        "seeds": len(study.seeds),
        "levels": {factor: sorted({each[factor] for each in study.levels()}) for factor in study.levels()[0]},
        "arms": rows,
        "calls": sum(row["calls"] for row in rows),
        "tokens": sum(row["tokens"] for row in rows),
        "cost": _sum([row["cost"] for row in rows]),
        "most": _sum([row["most"] for row in rows]),
        "budget": study.budget.limits,
        "hypotheses": [_power(plan, each) for each in study.hypotheses],
    }


def _power(plan: Plan, hypothesis: Hypothesis) -> dict[str, Any]:
    study = plan.study
    tasks = len(_tasks(plan))
    pairs = tasks if tasks > 1 else len(study.seeds)
    alpha = hypothesis.alpha / len(study.hypotheses)  # as Holm's first step asks
    effect = smallest_effect(_WORST, pairs, alpha)
    return {
        "measure": hypothesis.measure,
        "contrast": list(hypothesis.contrast),
        "clusters": pairs,
        "smallest_effect": None if effect is None else min(1.0, effect),
        "wanted": hypothesis.smallest,
        "enough": hypothesis.smallest is None or (effect is not None and effect <= hypothesis.smallest),
    }


def _tasks(plan: Plan) -> set[str]:
    return {cell.task.item for cell in plan.cells.values()}


def _sum(amounts: Sequence[float | None]) -> float | None:
    """Return the sum; None where one of the amounts is not known."""
    known = [each for each in amounts if each is not None]
    return sum(known) if len(known) == len(amounts) else None


def _rows(plan: Plan) -> list[dict[str, Any]]:
    """Return what the cells of each arm take, from a forecast of one cell of each combination of levels."""
    study = plan.study
    number: Counter[tuple[Any, str]] = Counter()
    first: dict[tuple[Any, str], Cell] = {}
    for cell in plan.cells.values():
        group = key(cell.crossed), cell.arm
        number[group] += 1
        first.setdefault(group, cell)
    talk = {group: _taken(plan, cell) for group, cell in first.items() if not study.arms[cell.arm].single}
    rows = []
    for arm in study.arms:
        taken = [
            _times(talk.get(group) or _alone(study, arm, group, talk), number[group])
            for group in first
            if group[1] == arm
        ]
        cells = sum(number[group] for group in first if group[1] == arm)
        calls, tokens, cost, most = (_sum(column) for column in zip(*taken, strict=True))
        whole = {"calls": int(calls or 0), "tokens": int(tokens or 0), "cost": cost, "most": most}
        rows.append({"arm": arm, "cells": cells, **whole})
    return rows


Taken = tuple[float | None, float | None, float | None, float | None]
"""Calls, tokens, dollars, and the most dollars; None where a price is not known."""


def _taken(plan: Plan, cell: Cell) -> Taken:
    """Return what a cell usually takes; the panel that a forecast plays is the simulated one."""
    setup = plan.setups[cell.id]
    if setup.arm.votes:
        return 0.0, 0.0, 0.0, 0.0
    spec = setup.runner if asks_models(setup.runner) else _COUNTED_AS
    timeless = replace(setup, made=setup.made.untimed())
    cells = CellRunner(replace(plan, setups={cell.id: timeless}), Path())

    def taken(place: int) -> UsageTotals:
        return forecast_run(lambda runner: cells.debate(cell, Session.in_memory(), runner), spec, place)[1]

    usual = taken(USUAL)
    if not asks_models(setup.runner):
        return usual.calls, usual.tokens, 0.0, 0.0
    cost, dearest = (None if each.unpriced_calls else each.cost for each in (usual, taken(MOST)))
    return usual.calls, usual.tokens, cost, dearest


def _alone(study: StudyFile, arm: str, group: tuple[Any, str], talk: dict[tuple[Any, str], Taken]) -> Taken:
    """Return what a single member takes: as much as the talk that it is matched with, or an answer's share of it."""
    like = next((taken for (levels, _), taken in talk.items() if levels == group[0]), (1.0, 0.0, None, None))
    return like if study.arms[arm].follows else _times(like, 1 / (like[0] or 1))


def _times(taken: Taken, times: float) -> Taken:
    calls, tokens, cost, most = (None if each is None else each * times for each in taken)
    return calls, tokens, cost, most


class Study(StudyFile):
    """A study that can be run. Get one from `Study.load`."""

    async def run(self, out: Path | None = None, **given: Any) -> Status:
        """Run what is not done yet; see `eda.study.run.run`. A notebook shows how far it has come."""
        with Progress() as line:
            return await run(self, out, **{"told": line.show, **given})

    def planned(self, out: Path | None = None) -> dict[str, Any]:
        """Return what the study will take, and what it can show; see `plan_data`. No call is made."""
        plan, where = plan_of(self), self.out(out)
        frozen = manifest_of(where)
        return plan_data(plan, where) | {"deviations": deviations(plan, where, frozen) if frozen else []}

    def freeze(self, out: Path | None = None) -> str:
        """Freeze the study before its first call, if it is not; return the digest to deposit.

        Raises:
            StudyError: the file cannot be used, or is not the one that was frozen.
        """
        where = self.out(out)
        freeze(plan_of(self), where)
        return head_of_freeze(where)

    def status(self, out: Path | None = None) -> Status:
        """Return how far the study has come."""
        where = self.out(out)
        return status_of(plan_to_read(self, where) if manifest_of(where) else plan_of(self), where)

    def results(self, out: Path | None = None, extra: Hypothesis | None = None) -> Results:
        """Return what the study came to, once it is as it was frozen, with an effect that was not frozen.

        Raises:
            StudyError: it was not begun, or differs from the frozen file.
        """
        return Results(plan_to_read(self, self.out(out)), self.out(out), extra)

    def frames(self, out: Path | None = None) -> Frames:
        """Return the tables of all cells, in Arrow, by name; see `eda.study.tables`."""
        return self.results(out).tables.frames()


FOLDER = "tables"
"""Where the tables are written, in the study's folder."""


@dataclass(frozen=True)
class Results:
    """What the cells in a folder come to."""

    plan: Plan
    out: Path
    """The study's folder."""
    extra: Hypothesis | None = None
    """An effect that was not frozen; it is marked as exploratory."""

    @cached_property
    def tables(self) -> Stored:
        """The rows of all cells."""
        return Stored(self.out, self.plan.cells.values())

    @cached_property
    def status(self) -> Status:
        """How far the study has come."""
        return status_of(self.plan, self.out)

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """What was frozen."""
        return manifest_of(self.out) or {}

    @cached_property
    def deviations(self) -> list[dict[str, Any]]:
        """What departs from the freeze, or is not as it was noted; see `eda.study.freeze.audit`."""
        return audit(self.out)

    @cached_property
    def effects(self) -> list[dict[str, Any]]:
        """The effects, as `eda.study.effects.effects` gives them.

        Raises:
            UnknownNameError: there is no such measure, arm, factor or level.
            UsageError: the extra `study` is not installed, or no two cells of the contrast can be a pair.
        """
        study, extra = self.plan.study, self.extra
        if extra and (reason := study.unpaired(extra.contrast, extra.pair)):
            raise UsageError(f"--contrast {' '.join(extra.contrast)} {reason}", hint=f"In the file: {ORDERS_PAIR}")
        found = effects(self.tables, study.hypotheses)
        more = effects(self.tables, [extra], frozen=False) if extra else []
        return found + [{**row, "p": None, "p_holm": None} for row in more]  # nobody knows how many were looked at

    @cached_property
    def pairs(self) -> list[list[Pair]]:
        """The pairs of each effect."""
        return [pairs(self.tables, each) for each in (*self.plan.study.hypotheses, self.extra) if each]

    def rates(self, factors: Iterable[str] | None = None) -> list[dict[str, Any]]:
        """Return the rates of what the effects measure, without effects of all; see `eda.study.effects.rates`."""
        return rates(self.tables, dict.fromkeys(row["measure"] for row in self.effects) or MEASURES, factors)

    def data(self) -> dict[str, Any]:
        """Return effects, rates, status and deviations as JSON has them."""
        return {
            "study": self.plan.study.name,
            "effects": self.effects,
            "rates": self.rates(),
            "status": self.status.data(),
            "deviations": self.deviations,
        }

    def write_tables(self, kind: str) -> list[Path]:
        """Write every table into the folder `tables` as `csv`, `parquet` or `json`, and return the files."""
        paths = self.tables.write(self.out / FOLDER, kind, provenance_of(self.out))
        exported(self.out, paths)
        return paths
