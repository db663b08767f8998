"""A study in Python: what it will take, what can be done with it, and what its cells come to.

To run it is to run every cell that is not done, within the budget. The same command again is the whole of resuming.
Commands in several processes, or on several machines, may share one folder: each runs the cells that no other one has
begun.
"""

import asyncio
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isnan, nan
from pathlib import Path
from typing import Any

from eda.debate.asking import side_by_side
from eda.errors import RunnerUnavailableError, UsageError
from eda.events import UsageTotals
from eda.report.forecast import MOST, USUAL, forecast_run
from eda.runners.models import asks_models, model_for
from eda.runners.protocol import Prompt
from eda.session import Session
from eda.study.cells import Cell, Plan, key, plan_of
from eda.study.effects import Pair, effects, pairs, rates
from eda.study.file import ORDERS_PAIR, Hypothesis, StudyFile
from eda.study.freeze import audit, deviations, exported, freeze, manifest_of, plan_to_read, provenance_of
from eda.study.ledger import LEDGER, entries_after, head_of_freeze, note, remember
from eda.study.measures import MEASURES
from eda.study.run_cell import CellRunner
from eda.study.statistics import cluster_means, found_in, smallest_effect
from eda.study.status import CellState, Progress, Status, forget_failures, noted, settle, status_of
from eda.study.tables import Frames, Stored
from eda.text import grouped

AT_ONCE = 8
"""Cells side by side: the quota of a server is the limit, not the processor."""
_PART = 500  # Cells, in the order of the plan, of which all are begun before the next ones are.
# A cell is begun while this many times what the largest one took are left: no debate is cut short by the budget.
_SIZE = 2
Told = Callable[[Status], object]
"""Told of the status after each cell."""


async def run(
    study: StudyFile,
    out: Path | None = None,
    *,
    workers: int = AT_ONCE,
    retry: bool = False,
    told: Told = lambda _: None,
) -> Status:
    """Run all cells that are not done, and return how far the study has come, and why no more cells were begun.

    Args:
        study: The study.
        out: The folder of the cells; None for one of the study's name beside its file.
        workers: Cells side by side; all wait where a server asks for rest.
        retry: Also run what failed again.
        told: Called with the status at the beginning and after each cell.

    Raises:
        StudyError: the file cannot be used, or is not the one that was frozen; nothing was run.
    """
    plan, where = plan_of(study), study.out(out)
    check_prices(plan)
    manifest = freeze(plan, where)
    note(where, "run", machine=platform.platform())
    status = settle(plan, where)
    if retry:
        forget_failures(plan, where)
        status = status_of(plan, where)
    cells, todo = CellRunner(plan, where), [*status.todo]
    work = Work(status, cells, told)
    try:
        # What a talk is compared with soon follows it, so that a study which is cut short has pairs.
        for part in (*(todo[at : at + _PART] for at in range(0, len(todo), _PART)), todo):
            for follows in (False, True):  # first the cells that need no other one
                these = iter([cell_id for cell_id in part if bool(plan.cells[cell_id].needs) == follows])
                await side_by_side(work.run(these) for _ in part[:workers])
    finally:
        await cells.close()
    found = settle(plan, where)
    remember(where, manifest["study"], manifest["parts"])
    found.paused, found.hint = status.paused, status.hint
    if found.todo and not (found.paused or found.failures):
        found.paused = "another command runs cells that are left, or that those need"
        found.hint = "Run the same command again when the other one has ended."
    return found


def check_prices(plan: Plan) -> None:
    """Refuse a budget in dollars for a model whose price nobody knows."""
    if plan.study.budget.usd is None:
        return
    for spec in sorted({setup.runner for setup in plan.setups.values() if asks_models(setup.runner)}):
        for prompt in (Prompt(purpose="speak"), Prompt(purpose="ballot")):
            model = model_for(spec, prompt)
            if model is None or model.price is None:
                raise plan.study.fault(
                    f"the price of a model of {spec!r} is not known",
                    "Write budget = {tokens = 2000000}, which holds for every model.",
                    None,
                    "budget",
                )


class Work:
    """The cells of a run under way, and the money that they may take."""

    def __init__(self, status: Status, cells: CellRunner, told: Told) -> None:
        self._plan, self._status, self._cells, self._told = cells.plan, status, cells, told
        self._read = (cells.out / LEDGER).stat().st_size
        self._reserved: dict[str, Mapping[str, float]] = {}
        self._largest = _larger([], status.cells.values())
        self._settled = asyncio.Event()
        told(status)

    async def run(self, waiting: Iterable[str]) -> None:
        """Run cells one after the other, until all are done or no more can be begun."""
        for cell_id in waiting:
            self._hear()
            if self._status.cells[cell_id].done or not all(
                self._status.cells[needed].done for needed in self._plan.cells[cell_id].needs
            ):
                continue
            most = await self._room(cell_id)
            if most is None:
                return
            try:
                await self._cells.run(cell_id, most)
            except RunnerUnavailableError as error:
                self._status.paused, self._status.hint = str(error), error.hint
                return
            finally:
                self._reserved.pop(cell_id, None)
                self._settled.set()
            self._hear()
            self._told(self._status)

    def _hear(self) -> None:
        """Take in the ends of cells that this command and others have noted: all spend of one budget."""
        found, self._read = entries_after(self._cells.out, self._read)
        ends = [noted(entry) for entry in found if entry["kind"] == "cell" and entry["cell"] in self._status.cells]
        for state in ends:
            self._status.put(state)
        self._largest = _larger(self._largest, ends)

    async def _room(self, cell_id: str) -> dict[str, float] | None:
        """Reserve what a cell may take and return it, once there is room; None where no more cells are to be begun."""
        limits = self._plan.study.budget.limits
        while not self._status.paused:
            most: dict[str, float] = {}
            for place, name in enumerate(("usd", "tokens")):
                if name in limits:
                    left = limits[name] - self._status.spent[place]
                    left -= sum(reserved[name] for reserved in self._reserved.values())
                    most[name] = self._share(place, left)
            if all(share > 0 for share in most.values()):
                self._reserved[cell_id] = most
                return most
            if not self._reserved:
                self._status.paused = "the budget has no room for another cell"
                self._status.hint = "Raise `budget` in the file, and run the same command again."
                return None
            self._settled.clear()
            await self._settled.wait()
        return None

    def _share(self, place: int, left: float) -> float:
        """Return what a cell may take of what is left; 0 where that is too little for one like the largest so far."""
        if not self._largest:
            return left if not self._reserved else 0  # nobody knows yet what a cell takes, so one is run alone
        largest = self._largest[place]
        return _SIZE * largest if 0 < _SIZE * largest <= left else left if not largest else 0


def _larger(before: Sequence[float], cells: Iterable[CellState]) -> Sequence[float]:
    """Return the dollars and the tokens of the largest cell that is done, of these and those before."""
    took = [*([before] if before else []), *((cell.cost, cell.tokens) for cell in cells if cell.done)]
    return [max(column) for column in zip(*took, strict=True)]


def _power(plan: Plan, hypothesis: Hypothesis, pilot: Stored | None) -> dict[str, Any]:
    """Return what this size shows at worst, and what it finds if clusters differ as those of a pilot do."""
    study, tasks = plan.study, len(_tasks(plan))
    clusters = tasks if tasks > 1 else len(study.seeds)
    alpha = hypothesis.alpha / len(study.hypotheses)  # as Holm's first step asks
    # Without a pilot: 1 is the largest standard deviation of a difference between two shares of one pair.
    least = smallest_effect(1.0, clusters, alpha)
    found = pairs(pilot, hypothesis) if pilot else []
    means = cluster_means([pair.difference for pair in found], [pair.cluster for pair in found])
    likely = None
    if min(clusters, len(means)) > 1:
        effect = hypothesis.smallest or sum(means) / len(means)
        likely = {"clusters": len(means), "effect": effect, "found": found_in(means, effect, clusters, alpha)}
    return {
        "measure": hypothesis.measure,
        "contrast": list(hypothesis.contrast),
        "clusters": clusters,
        "smallest_effect": None if least is None else min(1.0, least),
        "wanted": hypothesis.smallest,
        "enough": hypothesis.smallest is None or (least is not None and least <= hypothesis.smallest),
        "pilot": likely,
    }


def _tasks(plan: Plan) -> set[str]:
    return {cell.task.item for cell in plan.cells.values()}


def _rows(plan: Plan) -> list[dict[str, Any]]:
    """Return what the cells of each arm take, from a forecast of one cell of each combination of levels."""
    study, groups = plan.study, grouped(((key(cell.crossed), cell.arm), cell) for cell in plan.cells.values())
    taken = {group: _taken(plan, cells[0]) for group, cells in groups.items() if not study.arms[group[1]].single}
    rows = {arm: dict.fromkeys(("cells", *_TAKEN), 0.0) for arm in study.arms}
    for (levels, arm), cells in groups.items():
        like = next((taken[levels, other] for other in study.arms if (levels, other) in taken), [1.0, 0.0, nan, nan])
        # One that answers alone takes as much as the talk that it is matched with, or an answer's share of it.
        share = 1.0 if not study.arms[arm].single or study.arms[arm].follows else 1 / (like[0] or 1)
        each = [1.0, *(share * amount for amount in taken.get((levels, arm), like))]
        rows[arm] = {name: rows[arm][name] + len(cells) * amount for name, amount in zip(rows[arm], each, strict=True)}
    return [
        {"arm": arm}
        | {name: None if isnan(most) else most if name in _TAKEN[2:] else int(most) for name, most in row.items()}
        for arm, row in rows.items()
    ]


# What a cell takes: the last is the most dollars. What is not known is no number.
_TAKEN = ("calls", "tokens", "cost", "most")


def _taken(plan: Plan, cell: Cell) -> list[float]:
    """Return what a cell usually takes; the panel that a forecast plays is the simulated one."""
    setup = plan.setups[cell.id]
    if setup.arm.votes:
        return [0.0] * len(_TAKEN)
    paid = asks_models(setup.runner)
    cells = CellRunner(
        replace(plan, setups={cell.id: replace(setup, made=setup.made.limited({"seconds": None}))}), Path()
    )

    def taken(place: int) -> UsageTotals:
        # Calls of a runner that asks no model are counted as those of a local server.
        spec = setup.runner if paid else "local:http://127.0.0.1"
        return forecast_run(lambda runner: cells.debate(cell, Session.in_memory(), runner), spec, place)[1]

    usual = taken(USUAL)
    dollars = [nan if each.unpriced_calls else each.cost for each in (usual, taken(MOST))] if paid else [0.0, 0.0]
    return [usual.calls, usual.tokens, *dollars]


class Study(StudyFile):
    """A study that can be run. Get one from `Study.load`."""

    async def run(self, out: Path | None = None, **given: Any) -> Status:
        """Run what is not done yet; see `run` of this module. A notebook shows how far it has come."""
        with Progress() as line:
            return await run(self, out, **{"told": line.show, **given})

    def planned(self, out: Path | None = None, pilot: Path | None = None) -> dict[str, Any]:
        """Return what the study will take, and what it can show, as JSON has it. No call is made.

        Args:
            out: The folder of the cells; None for one of the study's name beside its file.
            pilot: That of a study which was run before: how its clusters differ says how likely this one finds what.
        """
        plan, where, before = plan_of(self), self.out(out), Stored(pilot) if pilot else None
        rows, frozen, levels = _rows(plan), manifest_of(where), self.levels()
        taken = {name: [row[name] for row in rows] for name in _TAKEN}
        return {
            "study": self.name,
            "cells": len(plan.cells),
            "done": status_of(plan, where).counts["ended"],
            "tasks": len(_tasks(plan)),
            "seeds": len(self.seeds),
            "levels": {factor: sorted({each[factor] for each in levels}) for factor in levels[0]},
            "arms": rows,
            **{name: None if None in each else sum(each) for name, each in taken.items()},
            "budget": self.budget.limits,
            "hypotheses": [_power(plan, each, before) for each in self.hypotheses],
            "deviations": deviations(plan, where, frozen) if frozen else [],
        }

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

    def results(self, out: Path | None = None, extra: Hypothesis | None = None, *, mixed: bool = False) -> "Results":
        """Return what the study came to, once it is as it was frozen, with an effect that was not frozen.

        Raises:
            StudyError: it was not begun, or differs from the frozen file.
        """
        return Results(plan_to_read(self, self.out(out)), self.out(out), extra, mixed)

    def frames(self, out: Path | None = None) -> Frames:
        """Return the tables of all cells, in Arrow, by name; see `eda.study.tables`."""
        return self.results(out).tables.frames()


@dataclass(frozen=True)
class Results:
    """What the cells in a folder come to."""

    plan: Plan
    out: Path
    """The study's folder."""
    extra: Hypothesis | None = None
    """An effect that was not frozen; it is marked as exploratory."""
    mixed: bool = False
    """Whether a mixed model stands beside each effect."""

    @cached_property
    def tables(self) -> Stored:
        """The rows of all cells."""
        return Stored(self.out, self.plan.cells.values())

    @cached_property
    def status(self) -> Status:
        """How far the study has come."""
        return status_of(self.plan, self.out)

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
        found = effects(self.tables, study.hypotheses, mixed=self.mixed)
        more = effects(self.tables, [extra], frozen=False, mixed=self.mixed) if extra else []
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
        paths = self.tables.write(self.out / "tables", kind, provenance_of(self.out))
        exported(self.out, paths)
        return paths
