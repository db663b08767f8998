"""Runs a study: every cell that is not done, within the budget. The same command again is the whole of resuming.

Commands in several processes, or on several machines, may share one folder: each runs the cells that no other one has
begun.
"""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from eda.debate.asking import side_by_side
from eda.errors import RunnerUnavailableError
from eda.runners.models import asks_models, model_for
from eda.runners.protocol import Prompt
from eda.study.cells import Plan, plan_of
from eda.study.file import StudyFile
from eda.study.freeze import freeze
from eda.study.ledger import LEDGER, entries_after, note, remember
from eda.study.run_cell import CellRunner
from eda.study.status import CellState, Status, forget_failures, noted, settle, status_of

AT_ONCE = 8
"""Cells side by side: the quota of a server is the limit, not the processor."""
_PART = 500
"""Cells, in the order of the plan, of which all are begun before the next ones are."""
_SIZE = 2
"""A cell is begun while this many times what the largest one took are left: no debate is cut short by the budget."""
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
