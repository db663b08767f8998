"""Runs a study: every cell that is not done, within the budget. The same command again is the whole of resuming.

An engine says where cells run: in this process, or in several. It does nothing else. Commands on several machines may
share one folder: each runs the cells that no other one has begun.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread
from typing import Any

from eda.debate.collector import collect_seldom
from eda.errors import RunnerUnavailableError, StudyError, UnknownNameError
from eda.runners.models import FREE, asks_models, model_for
from eda.runners.protocol import Prompt
from eda.study.cells import PLAYER, Plan, plan_of
from eda.study.file import StudyFile
from eda.study.freeze import begun_run, ended, freeze
from eda.study.ledger import note, note_cell, settle
from eda.study.run_cell import CellRunner, run_here
from eda.study.status import CellState, Status, forget_failures, note_failure, status_of
from eda.words import ENGLISH

AT_ONCE = 8
"""Cells side by side in one process: the quota of a server is the limit, not the processor."""
_LIVES = 5
"""Pools of processes that a cell may bring down before it counts as one that cannot be run."""
Submit = Callable[[str, Mapping[str, float]], Awaitable[CellState]]
"""Runs a cell within limits of its own."""


@asynccontextmanager
async def in_process(plan: Plan, out: Path, workers: int | None) -> AsyncIterator[tuple[Submit, int]]:
    """Run cells side by side in this process; all wait where a server asks for rest."""
    runner = CellRunner(plan, out)
    try:
        yield runner.run, workers or AT_ONCE
    finally:
        await runner.close()


@asynccontextmanager
async def in_processes(plan: Plan, out: Path, workers: int | None) -> AsyncIterator[tuple[Submit, int]]:
    """Run a cell in each of several processes; where one is killed, its cell goes on in another."""
    width = workers or os.cpu_count() or 1
    call = partial(run_here, str(plan.study.path.resolve()), str(out.resolve()))  # noqa: ASYNC240 - at once
    pools: list[ProcessPoolExecutor] = []

    def pool() -> None:
        pools.append(ProcessPoolExecutor(width, get_context("spawn"), _begin))

    async def submit(cell_id: str, most: Mapping[str, float]) -> CellState:
        for _ in range(_LIVES):
            now = pools[-1]
            try:
                return await asyncio.get_running_loop().run_in_executor(now, call, cell_id, most)
            except BrokenProcessPool:
                if pools[-1] is now:
                    pool()
        return CellState(cell_id, "failed", ENGLISH.say("study-killed", times=str(_LIVES)), "Run it again: --retry.")

    pool()
    try:
        yield submit, width
    finally:
        for each in pools:
            each.shutdown(cancel_futures=True)


def _begin() -> None:
    """Leave Ctrl-C to the parent, which waits for the cells that are being run; end at once where it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_seldom()
    parent = parent_process()

    def watch() -> None:
        wait([parent.sentinel] if parent else [])
        os._exit(1)

    Thread(target=watch, daemon=True).start()


Engine = Callable[[Plan, Path, int | None], AbstractAsyncContextManager[tuple[Submit, int]]]
ENGINES: Mapping[str, Engine] = {"asyncio": in_process, "process": in_processes}
"""The engines by name."""


Told = Callable[[Status], object]
"""Told of the status after each cell."""
_SIZE = 2
"""A cell is begun while this many times what the largest one took are left: no debate is cut short by the budget."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to."""

    status: Status
    paused: str = ""
    """Why no more cells were begun, where some are left; empty where all were."""
    hint: str = ""

    def __repr__(self) -> str:
        return f"<Outcome: {self.status}{'; paused: ' + self.paused if self.paused else ''}>"


async def run(
    study: StudyFile,
    out: Path | None = None,
    *,
    engine: str = "asyncio",
    workers: int | None = None,
    retry: bool = False,
    told: Told | None = None,
) -> Outcome:
    """Run all cells that are not done, and return how far the study has come.

    Args:
        study: The study.
        out: The folder of the cells; None for one of the study's name beside its file.
        engine: `asyncio` or `process`.
        workers: Cells side by side; None for 8 in one process, and one for each processor in several.
        retry: Also run what failed again.
        told: Called with the status at the beginning and after each cell.

    Raises:
        StudyError: the file cannot be used, or is not the one that was frozen; nothing was run.
        UnknownNameError: there is no such engine.
    """
    if engine not in ENGINES:
        raise UnknownNameError("engine", engine, ENGINES)
    plan, where = plan_of(study), study.out(out)
    check_prices(plan)
    manifest = freeze(plan, where)
    begun_run(where, manifest, engine)
    status = status_of(plan, where)
    settle(where, status.cells)
    if retry:
        for cell_id in forget_failures(plan, where):
            note(where, "retried", cell=cell_id)
        status = status_of(plan, where)
    work = Work(plan, where, status, told or (lambda _: None))
    todo = [cell_id for cell_id, cell in status.cells.items() if cell.state not in ("ended", "failed")]
    if todo:
        async with ENGINES[engine](plan, where, workers) as (submit, width):

            async def noted(cell_id: str, most: Mapping[str, float]) -> CellState:
                state = await submit(cell_id, most)
                note_cell(where, state)
                return state

            for follows in (False, True):  # first the cells that need no other one
                await work.run(
                    [cell_id for cell_id in todo if bool(plan.cells[cell_id].needs) == follows], noted, width
                )
    status = status_of(plan, where)
    settle(where, status.cells)
    ended(where, manifest)
    if not (work.paused or status.failures) and status.counts["ended"] < len(plan.cells):
        work.paused = "another command runs cells that are left, or that those need"
        work.hint = "Run the same command again when the other one has ended."
    return Outcome(status, work.paused, work.hint)


def check_prices(plan: Plan) -> None:
    """Refuse a budget in dollars for a model whose price nobody knows, and answers that match dollars of none."""
    for setup in plan.setups.values():
        model = model_for(setup.runner, Prompt(purpose="speak"))
        free = model.price in (None, FREE) if model else setup.runner in (PLAYER, "simulated")
        if setup.arm.match == "usd" and free:
            hint = "Match by calls, or by output_tokens."
            raise plan.study.fault(
                f"no dollars of {setup.runner!r} are known that answers can match", hint, None, "arms"
            )
    if plan.study.budget.usd is None:
        return
    for spec in sorted({setup.runner for setup in plan.setups.values() if asks_models(setup.runner)}):
        for prompt in (Prompt(purpose="speak"), Prompt(purpose="ballot")):
            model = model_for(spec, prompt)
            if model is None or model.price is None:
                hint = "Write budget = {tokens = 2000000}, which holds for every model."
                raise plan.study.fault(f"the price of a model of {spec!r} is not known", hint, None, "budget")


async def side_by_side(worker: Callable[[], Coroutine[Any, Any, None]], width: int) -> None:
    """Run `width` of these workers until all have ended; the first error ends the others too, and is raised."""
    workers = [asyncio.create_task(worker()) for _ in range(width)]
    try:
        await asyncio.gather(*workers)
    finally:
        for each in workers:
            each.cancel()
        await asyncio.gather(*workers, return_exceptions=True)


class Work:
    """The cells of a run under way, and the money that they may take."""

    def __init__(self, plan: Plan, out: Path, status: Status, told: Told) -> None:
        self.paused = ""
        self.hint = ""
        self._plan = plan
        self._out = out
        self._status = status
        self._told = told
        self._reserved: dict[str, Mapping[str, float]] = {}
        self._settled = asyncio.Event()
        told(status)

    async def run(self, todo: list[str], submit: Submit, width: int) -> None:
        """Run these cells, `width` side by side, until all are done or no more can be begun."""
        waiting = iter(todo)
        await side_by_side(partial(self._worker, waiting, submit), min(width, len(todo)))

    async def _worker(self, waiting: Iterable[str], submit: Submit) -> None:
        for cell_id in waiting:
            if not all(self._status.cells[needed].done for needed in self._plan.cells[cell_id].needs):
                continue
            most = await self._room(cell_id)
            if most is None:
                return
            try:
                state = await submit(cell_id, most)
            except RunnerUnavailableError as error:
                self.paused, self.hint = self.paused or str(error), self.hint or error.hint
                return
            except StudyError:
                raise
            except Exception as error:  # noqa: BLE001 - an engine lost the cell; the others go on
                note_failure(self._out, cell_id, error)
                state = CellState(cell_id, "failed", f"{type(error).__name__}: {error}")
            finally:
                self._reserved.pop(cell_id, None)
                self._settled.set()
            before, (usd, tokens) = self._status.cells[cell_id], self._status.spent
            spent = (usd + state.cost - before.cost, tokens + state.tokens - before.tokens)
            self._status = replace(self._status, cells={**self._status.cells, cell_id: state}, spent=spent)
            self._told(self._status)

    async def _room(self, cell_id: str) -> dict[str, float] | None:
        """Reserve what a cell may take and return it, once there is room; None where no more cells are to be begun."""
        limits = self._plan.study.budget.limits
        while not self.paused:
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
                self.paused = "the budget has no room for another cell"
                self.hint = "Raise `budget` in the file, and run the same command again."
                return None
            self._settled.clear()
            await self._settled.wait()
        return None

    def _share(self, place: int, left: float) -> float:
        """Return what a cell may take of what is left; 0 where that is too little for one like the largest so far."""
        cells = [cell for cell in self._status.cells.values() if cell.done]
        largest = max(((cell.cost, cell.tokens)[place] for cell in cells), default=None)
        if largest is None:
            return left if not self._reserved else 0  # nobody knows yet what a cell takes, so one is run alone
        return _SIZE * largest if 0 < _SIZE * largest <= left else left if not largest else 0
