"""What forks came to: their branches as the cells of tables, and the effect of each change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from eda.report.formatting import count
from eda.study.cells import Cell, Plan
from eda.study.effects import Contrast, effects
from eda.study.file import digest
from eda.study.status import CELLS, FORK_FILE, FORKS
from eda.study.tables import Tables, arrow, tables

CHANGED, SAME, RECORDED = "changed", "unchanged", "recorded"
"""The branches, and the session that they come from: the arms of a fork's tables."""
CELL, TIME = "cell", "fork"
"""The levels that tell branches apart: the cell that they come from, and the number of the pair."""


@dataclass(frozen=True, slots=True)
class Fork:
    """What is changed, after which message, in which cells."""

    changes: tuple[str, ...]
    """As for `eda fork`, such as `persona:sceptic=visionary`; also `fact:MEMBER=all`, every fact of the task."""
    at: int | None = None
    """The last message that both branches have; None where the decision rule alone is another."""
    times: int = 20
    """How often each branch goes on."""
    arm: str = ""
    """Empty for that of `cell`, else the first one with talk."""
    cell: str = ""
    """Empty for all cells of the arm."""

    @property
    def id(self) -> str:
        """The name of its folder: the same whatever the number of times."""
        return digest([self.changes, self.at, self.arm, self.cell])[:16]

    @property
    def rule(self) -> str:
        """The decision rule, where nothing else changes; else empty."""
        kind, _, rule = self.changes[0].partition(":")
        return rule.strip() if len(self.changes) == 1 and kind.strip() == "rule" else ""


def forks_of(plan: Plan, out: Path) -> list[dict[str, Any]]:
    """Return what each fork of a study came to, as `run_fork` does without the status. No call is made."""
    return [
        found_in(plan, out, orjson.loads(file.read_bytes())) for file in sorted((out / FORKS).glob(f"*/{FORK_FILE}"))
    ]


def words(found: Mapping[str, Any]) -> list[str]:
    """Return a fork in lines: what was changed where, and for each measure the effect, with what chance does."""
    often = f", {count(found['times'], 'time')}" if any(row["unchanged"] for row in found["effects"]) else ""
    where = f" at m{found['at']}" if found["at"] else ""
    lines = [f"{' and '.join(found['changes'])}{where}; {count(found['cells'], 'cell')} of {found['arm']}{often}"]
    for row in found["effects"]:
        size = f"{count(row['pairs'], 'pair')} in {count(row['clusters'], 'cluster')}"
        same = f"; nothing changed, minus what was recorded: {_interval(row['unchanged'])}" if row["unchanged"] else ""
        mark = "" if row["frozen"] else " (exploratory)"
        lines.append(f"{row['measure']}, changed minus unchanged{mark}: {_interval(row)}, {size}{same}")
    return lines


def _interval(row: Mapping[str, Any]) -> str:
    if row["estimate"] is None:
        return "no pairs yet"
    return f"{row['estimate']:+.3f} [{row['low']:+.3f}, {row['high']:+.3f}]"


def cells_in(plan: Plan, fork: Fork) -> list[Cell]:
    """Return the cells that a fork goes back in."""
    return [cell for cell in plan.cells.values() if cell.arm == fork.arm and fork.cell in ("", cell.id)]


def branches_of(sources: Sequence[Cell], fork: Fork) -> dict[str, Cell]:
    """Return the branches by the names of their sessions, pair by pair, so that a fork that is cut is balanced."""
    made = [
        replace(cell, id=_name(cell, branch, time), arm=branch, levels=_levels(cell, str(time)), needs=())
        for time in range(fork.times)
        for cell in sources
        for branch in (CHANGED, SAME)
    ]
    return {cell.id: cell for cell in made}


def _name(cell: Cell, branch: str, time: int) -> str:
    return f"{cell.id}-{branch}-{time}"


def _levels(cell: Cell, time: str) -> dict[str, str]:
    return {**cell.levels, CELL: cell.id, TIME: time}


def found_in(plan: Plan, out: Path, kept: dict[str, Any]) -> dict[str, Any]:
    """Return what a fork came to, by its file."""
    fork = Fork(tuple(kept["changes"]), *(kept[key] for key in ("at", "times", "arm", "cell")))
    folder, sources, measures = out / FORKS / fork.id, cells_in(plan, fork), kept["measures"]
    if (folder / CELLS).exists():
        made = _tables(
            out, folder, [cell for cell in sources if (folder / CELLS / _name(cell, SAME, 0)).exists()], fork
        )
        if not {CHANGED, SAME} <= {row["arm"] for row in made["cells"].to_pylist() if row["status"] == "ended"}:
            return {**kept, "fork": fork.id, "effects": []}
        rows = effects(made, [Contrast(each, (CHANGED, SAME)) for each in measures])
        noise = effects(made, [Contrast(each, (SAME, f"{RECORDED}, {TIME}={RECORDED}")) for each in measures])
        rows = [row | {"unchanged": same} for row, same in zip(rows, noise, strict=True)]
    else:  # another count of the same ballots
        contrasts = [Contrast(each, (f"{fork.arm}, rule={fork.rule}", fork.arm)) for each in measures]
        rows = [row | {"unchanged": None} for row in effects(tables(out, sources), contrasts)]
    return {**kept, "fork": fork.id, "effects": [row | {"contrast": [CHANGED, SAME]} for row in rows]}


def _tables(out: Path, folder: Path, sources: Sequence[Cell], fork: Fork) -> Tables:
    """Return the tables of the branches and of the cells that they come from; of one task, each cell is a cluster."""
    if len({cell.task.item for cell in sources}) == 1:
        sources = [replace(cell, task=replace(cell.task, id=cell.id)) for cell in sources]
    recorded = [replace(cell, arm=RECORDED, levels=_levels(cell, RECORDED)) for cell in sources]
    both = tables(folder, branches_of(sources, fork).values()), tables(out, recorded)
    return {name: arrow().concat_tables([each[name] for each in both]) for name in both[0]}
