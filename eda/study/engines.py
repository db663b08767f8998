"""Where cells run: in this process, in several processes, on many machines. An engine does nothing else."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread

from eda.errors import StudyError
from eda.study.cells import Plan, behaviour
from eda.study.run_cell import CellRunner, run_here
from eda.study.status import CellState
from eda.words import ENGLISH

AT_ONCE = 8
"""Cells side by side in one process: the quota of a server is the limit, not the processor."""
_LIVES = 5
"""Pools of processes that a cell may bring down before it counts as one that cannot be run."""
Submit = Callable[[str, Mapping[str, float]], Awaitable[CellState]]
"""Runs a cell within limits of its own."""


@dataclass(frozen=True, slots=True)
class Where:
    """What an engine is told: the plan, the folder of the study, how many at once, and the address of a scheduler."""

    plan: Plan
    out: Path
    workers: int | None = None
    scheduler: str = ""

    @property
    def call(self) -> Callable[[str, Mapping[str, float]], CellState]:
        """What runs a cell in another process."""
        return partial(run_here, str(self.plan.study.path.resolve()), str(self.out.resolve()), behaviour())


@asynccontextmanager
async def in_process(where: Where) -> AsyncIterator[tuple[Submit, int]]:
    """Run cells side by side in this process; all share one limiter a server."""
    runner = CellRunner(where.plan, where.out)
    try:
        yield runner.run, where.workers or AT_ONCE
    finally:
        await runner.close()


@asynccontextmanager
async def in_processes(where: Where) -> AsyncIterator[tuple[Submit, int]]:
    """Run a cell in each of several processes; where one is killed, its cell goes on in another."""
    width = where.workers or os.cpu_count() or 1
    pools: list[ProcessPoolExecutor] = []

    def pool() -> None:
        pools.append(ProcessPoolExecutor(width, get_context("spawn"), _end_with_the_parent))

    async def submit(cell_id: str, most: Mapping[str, float]) -> CellState:
        for _ in range(_LIVES):
            now = pools[-1]
            try:
                return await asyncio.get_running_loop().run_in_executor(now, where.call, cell_id, most)
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


@asynccontextmanager
async def on_dask(where: Where) -> AsyncIterator[tuple[Submit, int]]:
    """Run cells on the workers of a Dask scheduler; without an address, on a cluster of this machine.

    Raises:
        StudyError: Dask is not installed, or the scheduler does not answer.
    """
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise StudyError("the engine `dask` needs Dask", hint="Install it: pip install 'eda-panel[dask]'.") from None
    size = {"n_workers": where.workers or os.cpu_count(), "threads_per_worker": 1, "dashboard_address": None}
    try:
        async with AsyncExitStack() as stack:
            cluster = distributed.LocalCluster(**size, asynchronous=True) if not where.scheduler else None
            address = where.scheduler if cluster is None else await stack.enter_async_context(cluster)
            client = await stack.enter_async_context(distributed.Client(address, asynchronous=True))

            async def submit(cell_id: str, most: Mapping[str, float]) -> CellState:
                state: CellState = await client.submit(where.call, cell_id, dict(most), pure=False)
                return state

            yield submit, sum((await client.nthreads()).values()) or 1
    except OSError as error:
        raise StudyError(
            f"no Dask scheduler answers at {where.scheduler}: {error}", hint="Start one: dask scheduler."
        ) from None


def _end_with_the_parent() -> None:
    """Leave Ctrl-C to the parent, which waits for the cells that are being run; end at once where it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def watch() -> None:
        wait([parent.sentinel] if parent else [])
        os._exit(1)

    Thread(target=watch, daemon=True).start()


Engine = Callable[[Where], AbstractAsyncContextManager[tuple[Submit, int]]]
ENGINES: Mapping[str, Engine] = {"asyncio": in_process, "process": in_processes, "dask": on_dask}
"""The engines by name."""
