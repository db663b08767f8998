"""A study in Python: its file with what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eda.study.file import StudyFile
from eda.study.fork import Fork, run_fork
from eda.study.freeze import plan_to_read
from eda.study.run import Outcome, run
from eda.study.status import Progress
from eda.study.tables import Frames, tables


class Study(StudyFile):
    """A study that can be run. Get one from `Study.load`."""

    async def run(self, out: Path | None = None, **given: Any) -> Outcome:
        """Run what is not done yet; see `eda.study.run.run`. A notebook shows how far it has come."""
        with Progress() as line:
            return await run(self, out, **{"told": line.show, **given})

    async def fork(
        self,
        *,
        change: str | Sequence[str],
        at: int | None = None,
        times: int = 20,
        arm: str = "",
        cell: str = "",
        **given: Any,
    ) -> dict[str, Any]:
        """Go back to message `at` of each debate, change one thing, and go on `times` times; see `eda.study.fork`."""
        changes = (change,) if isinstance(change, str) else tuple(change)
        return await run_fork(self, Fork(changes, at, times, arm, cell), **given)

    def frames(self, out: Path | None = None) -> Frames:
        """Return the tables of all cells, in Arrow, by name; see `eda.study.tables`."""
        plan = plan_to_read(self, self.out(out))
        return tables(self.out(out), plan.cells.values())
