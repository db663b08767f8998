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
from eda.debate.replay import progress_of
from eda.debate.verdict import rule_of
from eda.errors import StudyError, UnknownNameError, UsageError
from eda.events import MessagePosted
from eda.runners.protocol import Runner
from eda.session import Session
from eda.session.fork import Change, upto
from eda.session.fork import fork as forked
from eda.session.names import LOG_FILE
from eda.session.store import replace_file
from eda.study.cells import Cell, Plan
from eda.study.effects import Contrast, effects
from eda.study.engines import AT_ONCE
from eda.study.file import Study, digest
from eda.study.freeze import begun
from eda.study.measures import measure_named
from eda.study.player import Branch, SimulatedPlayer
from eda.study.run import Outcome, Told, Work, check_prices
from eda.study.run_cell import CellRunner
from eda.study.setup import PLAYER, Setup
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
from eda.study.tables import Tables, arrow, tables

CHANGED, SAME, RECORDED = "changed", "unchanged", "recorded"
"""The branches, and the session that they come from; the arms of the tables."""
_CELL, _TIME = "cell", "fork"
"""The levels that tell branches apart: the cell that they come from, and the number of the pair."""
_OWN = ("calls", "failed_turns", "tokens", "output_tokens", "cost", "unpriced_calls", "seconds")
"""What of a state counts up, so that what both branches were given can be taken away."""


@dataclass(frozen=True, slots=True)
class Fork:
    """What is changed, after which message, in which cells."""

    changes: tuple[str, ...]
    """As for `eda fork`, such as `persona:sceptic=optimist`; also `fact:MEMBER=all`, every fact of the task."""
    at: int | None = None
    """The last message that both branches have; None where a decision rule alone is another."""
    times: int = 20
    """How often each branch goes on."""
    arm: str = ""
    """Empty for the first arm with talk."""
    cell: str = ""
    """Empty for all cells of the arm that ended."""

    @property
    def id(self) -> str:
        """The name of its folder: the same whatever the number of times."""
        return digest([self.changes, self.at, self.arm, self.cell])[:16]

    @property
    def words(self) -> str:
        """What is changed, and where."""
        return " and ".join(self.changes) + (f" at m{self.at}" if self.at is not None else "")

    @property
    def rule(self) -> str:
        """The decision rule, where nothing else changes."""
        kind, _, rule = self.changes[0].partition(":")
        return rule.strip() if len(self.changes) == 1 and kind.strip() == "rule" else ""


@dataclass(frozen=True)
class Found:
    """What a fork came to."""

    fork: Fork
    effects: Sequence[Mapping[str, Any]]
    """As of `eda.study.effects`, with `unchanged`: the same measure of the unchanged branch less what was recorded."""
    cells: int
    """Cells that were gone back in."""
    left_out: int = 0
    """Cells that have no such message."""
    outcome: Outcome | None = None
    """How far the branches have come; None where nothing had to be run."""

    def data(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        own = {**asdict(self.fork), "fork": self.fork.id, "cells": self.cells, "left_out": self.left_out}
        status = self.outcome and self.outcome.status.data() | {"paused": self.outcome.paused}
        return {**own, "effects": list(self.effects), "status": status}


async def fork(
    study: Study,
    what: Fork,
    out: Path | None = None,
    *,
    measures: Sequence[str] = (),
    retry: bool = False,
    told: Told | None = None,
) -> Found:
    """Run both branches of every cell as often as wanted, and return what the change makes. What is done is kept.

    Args:
        study: One that was begun.
        what: The change.
        out: Folder of the study; None for the one of its name beside the file.
        measures: What is measured; empty for what the frozen hypotheses measure.
        retry: Also run branches that failed again.
        told: Called with the status at the beginning and after each branch.

    Raises:
        StudyError: the study was not begun, or has no such cell or message; nothing was run.
        UnknownNameError: there is no such arm, member, persona, setting, rule or measure.
        UsageError: the change is none, or is not possible there.
    """
    plan, where = begun(study, out)
    wanted = tuple(measure_named(name).name for name in measures) or _measures(study)
    what = _checked(plan, what)
    sources = _sources(plan, where, what)
    branches = _Branches(plan, where, what, sources)
    outcome = None
    if branches.counted:
        branches.keep(wanted)
    else:
        check_prices(branches.plan)
        outcome = await branches.run(wanted, told, retry=retry)
    return _found(plan, where, what, wanted, len(branches.begin), branches.left_out, outcome)


def forks_of(plan: Plan, out: Path) -> list[dict[str, Any]]:
    """Return what each fork of a study came to, as JSON has it; no call is made."""
    made = []
    for file in sorted((out / FORKS).glob(f"*/{FORK_FILE}")):
        kept = orjson.loads(file.read_bytes())
        what = Fork(**{**kept["fork"], "changes": tuple(kept["fork"]["changes"])})
        made.append(_found(plan, out, what, kept["measures"], kept["cells"], kept["left_out"], None).data())
    return made


def _measures(study: Study) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.measure for each in study.hypotheses)) or ("outcome_changed",)


def _checked(plan: Plan, what: Fork) -> Fork:
    """Return the fork with its arm named, once its cell, arm and numbers are such as there are."""
    study = plan.study
    if not what.changes:
        raise UsageError("nothing is to be changed", hint="Say what: --change persona:MEMBER=PERSONA.")
    if what.times < 1:
        raise UsageError(f"{what.times} is no number of times", hint="Give 1 or more.")
    changed(what.changes)
    if what.cell and what.cell not in plan.cells:
        hint = "The table `cells` lists them: eda study table FILE --format csv."
        raise StudyError(f"the study has no cell {what.cell!r}", hint=hint)
    if what.arm and what.arm not in study.arms:
        raise UnknownNameError("arm", what.arm, study.arms)
    panels = [name for name, arm in study.arms.items() if not arm.single]
    talks = [name for name in panels if study.arms[name].exchange == "all"]
    arm = what.arm or (plan.cells[what.cell].arm if what.cell else next(iter(talks or panels), ""))
    if what.cell and plan.cells[what.cell].arm != arm:
        raise StudyError(f"cell {what.cell} is of the arm {plan.cells[what.cell].arm!r}", hint="Leave --arm out.")
    if arm not in panels:
        there = f"Choose one of {', '.join(panels)}." if panels else "Add an arm with a panel."
        raise StudyError(f"in the arm {arm!r} nobody talks, so there is no message to go back to", hint=there)
    if what.at is None and not what.rule:
        raise StudyError("it is not said where to go back to", hint="Name the last message that is kept: --at m4.")
    return replace(what, arm=arm)


def _sources(plan: Plan, out: Path, what: Fork) -> list[Cell]:
    states = status_of(plan, out).cells
    cells = [plan.cells[what.cell]] if what.cell else [cell for cell in plan.cells.values() if cell.arm == what.arm]
    if ended := [cell for cell in cells if states[cell.id].done]:
        return ended
    whose = f"cell {what.cell}" if what.cell else f"any cell of the arm {what.arm!r}"
    raise StudyError(f"the debate of {whose} has not ended", hint=f"Run it first: eda study run {plan.study.path}.")


class _Branches:
    """The branches of one fork: the change is checked in each cell before anything is run."""

    def __init__(self, plan: Plan, out: Path, what: Fork, sources: Sequence[Cell]) -> None:
        self.what, self.out, self.folder = what, out, out / FORKS / what.id
        self.begin: dict[str, CellState] = {}
        """What both branches of a cell were given, by its id."""
        self.left_out = 0
        self._study = plan
        setups, lacking, after = dict[str, Setup](), UsageError(""), False
        for source in sources:
            with Session.read(out / CELLS / source.id) as session:
                try:
                    past = upto(session, what.at)
                except UsageError as error:
                    lacking, self.left_out = error, self.left_out + 1
                    continue
                later = session.events(past.log.last_seq)
                after = after or any(isinstance(event, MessagePosted) for event in later)
            self.begin[source.id] = session_state(past, source.id)
            if what.rule and what.rule == rule_of(progress_of(past)):
                raise StudyError(f"the decision rule is {what.rule} already", hint="Name another one.")
            runner = past.started().runner
            now = runner if what.at is None else self.change(source, past)(past)[0].started().runner
            setup = plan.setups[source.id]
            setups[source.id] = setup if now == runner else replace(setup, runner=now)
        if not self.begin:
            reason = f"no cell of the arm {what.arm!r} that ended has a message m{what.at}"
            raise StudyError(reason, hint=lacking.hint)
        self.counted = bool(what.rule) and not after
        cells = {} if self.counted else _cells([plan.cells[each] for each in self.begin], what)
        made = {name: (setups if cell.arm == CHANGED else plan.setups)[_source(name)] for name, cell in cells.items()}
        self.plan = Plan(plan.study, cells, made, {})

    def source(self, name: str) -> Cell:
        """Return the cell that a branch comes from."""
        return self._study.cells[_source(name)]

    def change(self, source: Cell, past: Session) -> Change:
        """Return the change of one cell: every fact of its task is each that the member was not told."""
        texts = []
        for text in self.what.changes:
            kind, _, value = text.partition(":")
            who, _, fact = value.partition("=")
            if kind.strip() != "fact" or fact.strip() != "all":
                texts.append(text)
                continue
            title = member_called(past.started().members, who).title
            known = past.started().facts.get(title, ())
            if not (more := [each for each in source.task.facts.all if each not in known]):
                raise StudyError(f"{title} knows all facts of task {source.task.id!r}", hint="Choose another member.")
            texts += [f"fact:{who}={each}" for each in more]
        return changed(texts, self._study.setups[source.id].library)

    async def run(self, measures: Sequence[str], told: Told | None, *, retry: bool) -> Outcome:
        """Run the branches that are not done, within what the study's budget leaves."""
        if retry:
            forget_failures(self.plan, self.folder)
        status = self.status()
        self.keep(measures, status.spent)
        before = status_of(self._study, self.out).spent
        limited = self._study.study.budget.model_dump(exclude_none=True)

        def show(now: Status) -> None:
            if limited:  # what a killed fork took counts in the next run of the study
                (usd, tokens), own = now.spent, status.spent
                self.keep(measures, (usd - before[0] + own[0], tokens - before[1] + own[1]))
            if told is not None:
                told(now)

        work = Work(self.plan, self.folder, replace(status, spent=before), show)
        runner = _BranchRunner(self)
        try:
            todo = [name for name, state in status.cells.items() if state.state not in ("ended", "failed")]
            await work.run(todo, runner.run, AT_ONCE)
        finally:
            await runner.close()
            self.keep(measures, self.status().spent)
        return Outcome(self.status(), work.paused, work.hint)

    def status(self) -> Status:
        """Return how far the branches have come, and what they took beside what they were given."""
        found = status_of(self.plan, self.folder)
        names = [folder.name for each in (CELLS, RETRIED) for folder in (self.folder / each).glob("*")]
        given = [self.begin[_source(name)] for name in names if _source(name) in self.begin]
        usd, tokens = sum(each.cost for each in given), sum(each.tokens for each in given)
        cells = {name: self.own(state) for name, state in found.cells.items()}
        return Status(cells, (max(0.0, found.spent[0] - usd), found.spent[1] - tokens))

    def own(self, state: CellState) -> CellState:
        """Return the state of a branch without what it was given."""
        given = self.begin[_source(state.id)]
        return replace(state, **{name: max(0, getattr(state, name) - getattr(given, name)) for name in _OWN})

    def keep(self, measures: Sequence[str], took: tuple[float, int] = (0.0, 0)) -> None:
        """Write what the fork is and what it took into its folder."""
        self.folder.mkdir(parents=True, exist_ok=True)
        own = {"fork": asdict(self.what), "measures": measures, "cells": len(self.begin), "left_out": self.left_out}
        replace_file(self.folder / FORK_FILE, orjson.dumps({**own, "took": took}))


class _BranchRunner(CellRunner):
    """Runs a branch: a session that has the first messages of a cell already."""

    def __init__(self, branches: _Branches) -> None:
        super().__init__(branches.plan, branches.folder)
        self._branches = branches

    async def run(self, cell_id: str, most: Mapping[str, float] | None = None) -> CellState:
        """Run a branch to its end and return how far it has come; see `CellRunner.run`."""
        of, log = self._branches, self.out / CELLS / cell_id / LOG_FILE
        if not (log.exists() and log.stat().st_size):
            with Session.read(of.out / CELLS / _source(cell_id)) as session:
                source = of.source(cell_id)
                change = of.change(source, session) if self.plan.cells[cell_id].arm == CHANGED else None
                forked(session, of.what.at, cell_id, self.out / CELLS, change=change).close()
        return of.own(await super().run(cell_id, most))

    def _runner(self, setup: Setup, cell: Cell) -> tuple[Runner, bool]:
        if setup.runner != PLAYER:
            return super()._runner(setup, cell)
        of, source = self._branches, self._branches.source(cell.id)
        with Session.read(of.out / CELLS / source.id) as one, Session.read(self.out / CELLS / cell.id) as other:
            known, facts = one.started().facts, other.started().facts
        told = {who: {*each} - {*known.get(who, ())} for who, each in facts.items()}
        branch = Branch(of.what.at or 0, f"fork {cell.levels[_TIME]}", told)
        return SimulatedPlayer(source.task, source.seed, arm=source.arm, branch=branch, **setup.player), False


def _source(name: str) -> str:
    """Return the id of the cell that a branch comes from."""
    return name.partition("-")[0]


def _cells(sources: Sequence[Cell], what: Fork) -> dict[str, Cell]:
    """Return the branches by the names of their sessions, time by time, so that a fork that is cut is balanced."""
    cells = {}
    for time in range(what.times):
        for source in sources:
            for branch in (CHANGED, SAME):
                name = f"{source.id}-{branch}-{time}"
                cells[name] = replace(source, id=name, arm=branch, levels=_levels(source, str(time)))
    return cells


def _levels(source: Cell, time: str) -> dict[str, str]:
    return {**source.levels, _CELL: source.id, _TIME: time}


def _found(
    plan: Plan, out: Path, what: Fork, measures: Sequence[str], cells: int, left_out: int, outcome: Outcome | None
) -> Found:
    folder = out / FORKS / what.id
    sources = [cell for cell in plan.cells.values() if cell.arm == what.arm and what.cell in ("", cell.id)]
    if not (folder / CELLS).exists():
        made = tables(out, sources)
        rows = effects(made, [Contrast(each, (f"{what.arm}, rule={what.rule}", what.arm)) for each in measures])
        rows = [row | {"unchanged": None} for row in rows]
    else:
        begun = [cell for cell in sources if (folder / CELLS / f"{cell.id}-{SAME}-0").exists()]
        made = _tables(out, folder, begun, what)
        rows = effects(made, [Contrast(each, (CHANGED, SAME)) for each in measures])
        noise = effects(made, [Contrast(each, (SAME, f"{RECORDED}, {_TIME}={RECORDED}")) for each in measures])
        rows = [row | {"unchanged": same} for row, same in zip(rows, noise, strict=True)]
    named = [row | {"contrast": [what.words, SAME], "frozen": False} for row in rows]
    return Found(what, named, cells, left_out, outcome)


def _tables(out: Path, folder: Path, sources: Sequence[Cell], what: Fork) -> Tables:
    """Return the tables of the branches and of the cells that they come from; of one task, each cell is a cluster."""
    if len({cell.task.item for cell in sources}) == 1:
        sources = [replace(cell, task=replace(cell.task, id=cell.id)) for cell in sources]
    recorded = [replace(cell, arm=RECORDED, levels=_levels(cell, RECORDED)) for cell in sources]
    both = tables(folder, _cells(sources, what).values()), tables(out, recorded)
    return {name: arrow().concat_tables([each[name] for each in both]) for name in both[0]}
