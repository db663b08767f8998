"""What a study will take, and what it can show, before its first call: cells, calls, dollars, the smallest effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from eda.events.messages import UsageTotals
from eda.report.forecast import MOST, USUAL, forecast_run
from eda.runners.models import asks_models
from eda.session import Session
from eda.study.cells import Cell, Plan, key
from eda.study.file import Hypothesis, StudyFile
from eda.study.run_cell import CellRunner
from eda.study.statistics import smallest_effect
from eda.study.status import status_of

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
