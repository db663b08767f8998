"""What if: each debate of an arm goes back to message mN, and on from there with one thing changed, and with nothing.

A branch is an ordinary session, and the folder of a fork is like that of a study. Both branches of a pair draw alike,
so they differ by the change alone; the branch in which nothing changed, beside what was recorded, is the noise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from eda.debate.control.forks import changed
from eda.debate.person import member_called
from eda.errors import StudyError, UnknownNameError, UsageError
from eda.report.formatting import count
from eda.runners.protocol import Runner
from eda.session import Session
from eda.session.fork import Change, upto
from eda.session.fork import fork as forked
from eda.session.names import LOG_FILE
from eda.session.store import replace_file
from eda.study.cells import PLAYER, Cell, Plan, Setup, plan_of
from eda.study.effects import Contrast, effects
from eda.study.file import StudyFile, digest
from eda.study.freeze import begun, deviations
from eda.study.ledger import note
from eda.study.measures import measure_named
from eda.study.player import Branch, SimulatedPlayer
from eda.study.run import AT_ONCE, Told, Work, check_prices
from eda.study.run_cell import CellRunner
from eda.study.status import (
    CELLS,
    FORK_FILE,
    FORKS,
    RETRIED,
    CellState,
    Status,
    forget_failures,
    session_state,
    status_of,
)
from eda.study.tables import Frames, arrow, tables
from eda.words import ENGLISH

_COUNTED = ("calls", "tokens", "output_tokens", "cost", "unpriced_calls")
"""What of a state grows: a branch did not take what it was given."""


async def run_fork(
    study: StudyFile,
    fork: Fork,
    out: Path | None = None,
    *,
    measures: Sequence[str] = (),
    retry: bool = False,
    told: Told | None = None,
) -> dict[str, Any]:
    """Run both branches of every cell as often as wanted; return what the change makes, in plain JSON types.

    The same fork again goes on where the last one was stopped. The keys are those of `Fork` with `fork` (its id),
    `cells`, `left_out` (cells without such a message), `effects` (as of `eda.study.effects`, each with `unchanged`: the
    unchanged branch minus what was recorded), `status` (as of `Status`) and `paused`.

    Args:
        study: One that was begun.
        fork: What is changed.
        out: Folder of the study; None for the one of its name beside the file.
        measures: What is compared; empty for what the frozen hypotheses measure.
        retry: Also run the branches that failed again.
        told: Called with the status at the beginning and after each branch.

    Raises:
        StudyError: the study was not begun, or has no such cell or message; nothing was run.
        UnknownNameError: there is no such arm, member, persona, setting, rule or measure.
        UsageError: the change is none, or is not possible there.
    """
    where, plan = study.out(out), plan_of(study)
    deviations(plan, where, begun(study, where))
    names = [measure_named(name).name for name in measures or [each.measure for each in study.hypotheses]]
    branches = _Branches(plan, where, _checked(plan, fork), [*dict.fromkeys(names)] or ["outcome_changed"])
    check_prices(branches.plan)
    note(where, "forked", cell=branches.out.name)
    return await branches.run_all(told, retry=retry)


def _checked(plan: Plan, fork: Fork) -> Fork:
    """Return the fork with its arm named, once there are such a cell and arm, and it says what and where."""
    arms, own = plan.study.arms, plan.cells.get(fork.cell)
    if not fork.changes:
        raise UsageError("nothing is to be changed", hint="Say what: --change persona:MEMBER=PERSONA.")
    changed(fork.changes)
    if fork.cell and own is None:
        raise StudyError(f"the study has no cell {fork.cell!r}", hint="eda study table --format csv lists them.")
    if fork.arm and fork.arm not in arms:
        raise UnknownNameError("arm", fork.arm, arms)
    talk = [name for name, arm in arms.items() if arm.exchange == "all" and not arm.single]
    arm = fork.arm or (own.arm if own else next(iter(talk), ""))
    if own and own.arm != arm:
        raise StudyError(f"cell {own.id} is of the arm {own.arm!r}", hint="Leave --arm out.")
    if arm not in talk:  # what a control does follows talk, and a change there would not
        raise StudyError(
            f"members of the arm {arm!r} do not hear each other, so nothing follows from a change",
            hint=f"Choose one of {', '.join(talk)}." if talk else "Add an arm with talk.",
        )
    if fork.at is None:
        raise StudyError("it is not said where to go back to", hint="Name the last message that is kept: --at m4.")
    return replace(fork, arm=arm)


class _Branches(CellRunner):
    """The branches of a fork, and what runs them. The change is checked in each cell before anything is run."""

    def __init__(self, plan: Plan, out: Path, fork: Fork, measures: Sequence[str]) -> None:
        self._study, self._where, self._fork, self._measures = plan, out, fork, measures
        self._given: dict[str, CellState] = {}
        """What both branches of a cell were given, by its id."""
        setups, lacking, self._left_out = dict[str, Setup](), "", 0
        states = status_of(plan, out).cells
        sources = [cell for cell in cells_in(plan, fork) if states[cell.id].done]
        if not sources:
            raise StudyError(
                f"the debate of {fork.cell or f'any cell of the arm {fork.arm!r}'} has not ended",
                hint=f"First: eda study run {plan.study.path}.",
            )
        for source in sources:
            with Session.read(out / CELLS / source.id) as session:
                try:
                    past = upto(session, fork.at)
                except UsageError as error:
                    lacking, self._left_out = error.hint, self._left_out + 1
                    continue
            self._given[source.id] = session_state(past, source.id)
            before = past.started().runner
            runner = self._change(source, past)(past)[0].started().runner
            setup = plan.setups[source.id]
            setups[source.id] = setup if runner == before else replace(setup, runner=runner)
        if not self._given:
            raise StudyError(f"no cell of the arm {fork.arm!r} has a message m{fork.at}", hint=lacking)
        cells = branches_of([source for source in sources if source.id in self._given], fork)
        by_branch = {CHANGED: setups, SAME: plan.setups}
        made = {name: by_branch[cell.arm][cell.levels[CELL]] for name, cell in cells.items()}
        super().__init__(Plan(plan.study, cells, made), out / FORKS / fork.id)

    async def run_all(self, told: Told | None, *, retry: bool) -> dict[str, Any]:
        """Run the branches that are not done, within what the study's budget leaves; return what came of it."""
        if retry:
            forget_failures(self.plan, self.out)
        status = self._status()
        self._keep(status.spent)
        limited = bool(self.plan.study.budget.limits)

        def show(now: Status) -> None:
            if limited:  # where this is killed, the next run of the study knows what it took
                self._keep(self._status().spent)
            if told is not None:
                told(now)

        work = Work(self.plan, self.out, replace(status, spent=status_of(self._study, self._where).spent), show)
        try:
            todo = [name for name, state in status.cells.items() if state.state not in ("ended", "failed")]
            await work.run(todo, self.run, AT_ONCE)
        finally:
            await self.close()
            status = self._status()
            kept = self._keep(status.spent)
        return found_in(self._study, self._where, kept) | {
            "status": status.data(),
            "paused": work.paused and f"{work.paused}. {work.hint}",
        }

    async def run(self, cell_id: str, most: Mapping[str, float] | None = None) -> CellState:
        """Run a branch to its end, made first where it is not there; see `CellRunner.run`."""
        cell, log = self.plan.cells[cell_id], self.out / CELLS / cell_id / LOG_FILE
        if not (log.exists() and log.stat().st_size):
            source = self._study.cells[cell.levels[CELL]]
            with Session.read(self._where / CELLS / source.id) as session:
                change = self._change(source, session) if cell.arm == CHANGED else None
                forked(session, self._fork.at, cell_id, log.parent.parent, change=change).close()
        return self._own(await super().run(cell_id, most))

    def _keep(self, took: tuple[float, int]) -> dict[str, Any]:
        """Write what the fork is and what it took into its folder, and return it."""
        own = {"cells": len(self._given), "left_out": self._left_out, "measures": self._measures, "took": [*took]}
        kept = {**asdict(self._fork), "changes": [*self._fork.changes], **own}
        self.out.mkdir(parents=True, exist_ok=True)
        replace_file(self.out / FORK_FILE, orjson.dumps(kept))
        return kept

    def _runner(self, setup: Setup, cell: Cell) -> tuple[Runner, bool]:
        if setup.runner != PLAYER:
            return super()._runner(setup, cell)
        source = self._study.cells[cell.levels[CELL]]
        with Session.read(self._where / CELLS / source.id) as one, Session.read(self.out / CELLS / cell.id) as other:
            known, now = one.started().facts, other.started()
        titles = (member.title for member in now.members)
        told = {seat: {*now.facts.get(who, ())} - {*known.get(who, ())} for seat, who in enumerate(titles)}
        branch = Branch(self._fork.at or 0, f"fork {cell.levels[TIME]}", told)
        return SimulatedPlayer(source.task, source.seed, arm=source.arm, branch=branch, **setup.player), False

    def _change(self, source: Cell, past: Session) -> Change:
        """Return the change of one cell: every fact of its task is each that the member was not told."""
        texts = []
        for text in self._fork.changes:
            kind, _, value = text.partition(":")
            who, _, fact = value.partition("=")
            if (kind.strip(), fact.strip()) != ("fact", "all"):
                texts.append(text)
                continue
            title = member_called(past.started().members, who).title
            known = past.started().facts.get(title, ())
            if not (more := [each for each in source.task.facts.all if each not in known]):
                raise UsageError(f"{title} knows all facts of task {source.task.id!r}", hint="Choose another member.")
            texts += [f"fact:{who}={each}" for each in more]
        return changed(texts, self._study.setups[source.id].made.panel_library)

    def _status(self) -> Status:
        """Return how far the branches have come, and what they took beside what they were given."""
        found = status_of(self.plan, self.out)
        folders = [folder.name.partition("-")[0] for each in (CELLS, RETRIED) for folder in (self.out / each).glob("*")]
        given = [self._given[name] for name in folders if name in self._given]
        usd, tokens = sum(each.cost for each in given), sum(each.tokens for each in given)
        cells = {name: self._own(state) for name, state in found.cells.items()}
        return Status(cells, (max(0.0, found.spent[0] - usd), found.spent[1] - tokens))

    def _own(self, state: CellState) -> CellState:
        given = self._given[state.id.partition("-")[0]]
        return replace(state, **{name: max(0, getattr(state, name) - getattr(given, name)) for name in _COUNTED})


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
    """The last message that both branches have."""
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


def words(found: Mapping[str, Any]) -> list[str]:
    """Return a fork in lines: what was changed where, and for each measure the effect, with what chance does."""
    often = f", {count(found['times'], 'time')}" if found["effects"] else ""
    where = f"at m{found['at']}; {count(found['cells'], 'cell')} of {found['arm']}{often}"
    lines = [f"{' and '.join(found['changes'])} {where}"]
    for row in found["effects"]:
        size = f"{count(row['pairs'], 'pair')} in {count(row['clusters'], 'cluster')}"
        figures = {"effect": _interval(row), "size": size, "unchanged": _interval(row["unchanged"])}
        lines.append(ENGLISH.say("study-fork-effect", measure=row["measure"], frozen=bool(row["frozen"]), **figures))
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
    folder, measures = out / FORKS / fork.id, kept["measures"]
    made = _tables(
        out, folder, [c for c in cells_in(plan, fork) if (folder / CELLS / _name(c, SAME, 0)).exists()], fork
    )
    if not {CHANGED, SAME} <= {row["arm"] for row in made["cells"].to_pylist() if row["status"] == "ended"}:
        return {**kept, "fork": fork.id, "effects": []}
    rows = effects(made, [Contrast(each, (CHANGED, SAME)) for each in measures])
    noise = effects(made, [Contrast(each, (SAME, f"{RECORDED}, {TIME}={RECORDED}")) for each in measures])
    return {
        **kept,
        "fork": fork.id,
        "effects": [row | {"unchanged": same} for row, same in zip(rows, noise, strict=True)],
    }


def _tables(out: Path, folder: Path, sources: Sequence[Cell], fork: Fork) -> Frames:
    """Return the tables of the branches and of the cells that they come from; of one task, each cell is a cluster."""
    if len({cell.task.item for cell in sources}) == 1:
        sources = [replace(cell, task=replace(cell.task, id=cell.id)) for cell in sources]
    recorded = [replace(cell, arm=RECORDED, levels=_levels(cell, RECORDED)) for cell in sources]
    both = tables(folder, branches_of(sources, fork).values()), tables(out, recorded)
    return Frames({name: arrow().concat_tables([each[name] for each in both]) for name in both[0]})
