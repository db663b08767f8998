"""Panels whose truth is planted go through debate, ballots, tables and statistics; how often is it found?

A proof runs many small studies in memory, with no model, and counts how often the interval covers what was planted.
"""

from __future__ import annotations

import asyncio
import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import accumulate, product
from math import comb, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from eda.debate.debate import Debate
from eda.debate.replay import read_back
from eda.panels.agenda import read_agenda
from eda.panels.registry import RULES
from eda.panels.settings import Settings
from eda.report.effect import helped
from eda.runners.protocol import OnText, Prompt, Reply
from eda.runners.simulated.runner import SimulatedRunner
from eda.session import Session
from eda.study.cells import Cell, plan_of
from eda.study.effects import effects, rates
from eda.study.file import Hypothesis, StudyFile
from eda.study.fold import Rows, rows_of
from eda.study.run_cell import CellRunner
from eda.study.tables import Frames, to_arrow
from eda.study.tasks.base import Task
from proofs.base import Check, Row, row_of, spread

_FORMAT = """
name = "rounds"
title = "Rounds"
description = "Each member votes, speaks, and votes again."
promise = "A vote."
[[phase]]
name = "first"
kind = "first-ballot"
{rounds}
[[phase]]
name = "ballot"
kind = "ballot"
[[phase]]
name = "verdict"
kind = "verdict"
"""
_ROUND = """
[[phase]]
name = "round-{number}"
kind = "round"
"""
_FILE = """
name = "proof"
seeds = {seeds}
tasks = "{tasks}"
[fixed]
runner = "player"
format = "rounds.toml"
floor = "round-robin"
{planted}
"""
_STUDIES, _ERRORS = 200, 3
"""Studies of a proof, and the most standard errors between the mean of what they find and the truth."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one study finds of what is planted, with its interval; and a second figure, which has to be above 0."""

    estimate: float
    low: float
    high: float
    also: float | None = None


@dataclass(frozen=True, slots=True)
class Planted:
    """What is planted, and how it is looked for."""

    line: str
    truth: float
    seeds: int
    """Seeds of each study."""
    find: Callable[[Frames], Found]
    planted: str = ""
    """Keys of `[fixed]`, and the tables of the file after it; empty for a panel of urns."""
    tasks: str = "jury"


def _contrast(measure: str) -> Callable[[Frames], Found]:
    def find(tables: Frames) -> Found:
        row = effects(tables, [Hypothesis(measure=measure, contrast=("talk", "reask"))])[0]
        return Found(row["estimate"], row["low"], row["high"])

    return find


def _sharing(tables: Frames) -> Found:
    row = next(row for row in rates(tables, ["sharing"]) if row["levels"]["share"] == "0.4")
    gain = effects(tables, [Hypothesis(measure="accuracy", contrast=("share=0.9", "share=0.4"))])[0]
    return Found(row["estimate"], row["low"], row["high"], gain["estimate"])


def _drift(tables: Frames) -> Found:
    drift, right = rates(tables, ["drift", "accuracy"])
    return Found(drift["estimate"], drift["low"], drift["high"], right["estimate"] - _TRUE / (_TRUE + _FALSE))


PLANTED: Mapping[str, Planted] = {
    "null-noise": Planted(
        "members change at random when they are asked again, and talk does nothing",
        0.0,
        6,
        _contrast("votes_changed"),
        'personas = ["sceptic", "historian"]\nmax_messages = 2\nskill = 0.7\nnoise = 0.3\nshare = 0.0\n'
        "[arms]\ntalk = {}\nreask = {}",
    ),
    "planted-influence": Planted(
        "an outvoted member goes over to most others with chance 0.3",
        0.3,
        12,
        _contrast("conformity"),
        'personas = ["sceptic", "historian", "economist"]\nmax_messages = 3\nskill = 0.5\n'
        "conformity = 0.3\nshare = 0.0\n[arms]\ntalk = {}\nreask = {}",
    ),
    "hidden-profile": Planted(
        "a member says each fact that it alone knows with chance 0.4; where it is 0.9, panels are right more often",
        0.4,
        6,
        _sharing,
        'personas = ["sceptic", "historian", "economist"]\nmax_messages = 3\nfirst_vote = false\n'
        "[factors]\nshare = [0.4, 0.9]",
        "hidden-profile",
    ),
    "martingale": Planted(
        "urns draw from their beliefs and add what others drew: beliefs do not drift, and most are right more than one",
        0.0,
        6,
        _drift,
    ),
}


def planted(name: str, size: float = 1.0) -> Row:
    """Return what came of a proof; `size` is the share of its studies that is run, and a small one is run here."""
    proof, studies = PLANTED[name], max(2, round(_STUDIES * size))
    with TemporaryDirectory() as folder:
        (Path(folder) / "rounds.toml").write_text(_format(), encoding="utf-8")
        file, keys = Path(folder) / "proof.toml", {"planted": proof.planted, "tasks": proof.tasks}
        file.write_text(_FILE.format(seeds=studies * proof.seeds, **keys), encoding="utf-8")
        found = spread(partial(_studies, name, str(file)), range(studies), here=size < 1)
    covered = sum(each.low <= proof.truth <= each.high for each in found)
    estimates, second = [each.estimate for each in found], [each.also for each in found if each.also is not None]
    off = abs(fmean(estimates) - proof.truth) / _error(estimates) if size >= 1 else 0.0  # few studies know no spread
    least = fmean(second) - (_ERRORS * _error(second) if size >= 1 else 0) if second else 1.0
    return {
        "name": name,
        "ok": covered in covers(studies) and off <= _ERRORS and least > 0,
        "covered": covered,
        "studies": studies,
        "planted": proof.truth,
        "found": fmean(estimates),
        "what": proof.line,
    } | ({"gain": fmean(second)} if second else {})


def _format(rounds: int = 1) -> str:
    return _FORMAT.format(rounds="".join(_ROUND.format(number=number) for number in range(1, rounds + 1)))


def covers(studies: int) -> range:
    """Return how many of so many intervals of 95 % may cover the truth: what chance leaves in 997 of 1,000 proofs."""
    chances = [comb(studies, hits) * 0.95**hits * 0.05 ** (studies - hits) for hits in range(studies + 1)]
    so_few = list(accumulate(chances))
    return range(bisect_left(so_few, 0.003), bisect_left(so_few, 0.9995) + 1)


def _error(values: Sequence[float]) -> float:
    return stdev(values) / sqrt(len(values))


def _studies(name: str, file: str, numbers: Sequence[int]) -> list[Found]:
    """Return what each of these studies finds, run in this process."""
    return asyncio.run(_all(PLANTED[name], file, numbers))


async def _all(proof: Planted, file: str, numbers: Sequence[int]) -> list[Found]:
    found = []
    for number in numbers:
        rows: Rows = {}
        for seed in range(number * proof.seeds, (number + 1) * proof.seeds):
            for cell, debate in _by_seed(file).get(seed, ()) if proof.planted else [_urns(seed)]:
                with Session.in_memory(cell.id) as session:
                    await debate(session).run()
                    for table, more in rows_of(session, cell).items():
                        rows.setdefault(table, []).extend(more)
        found.append(proof.find(to_arrow(rows)))
    return found


Cells = list[tuple[Cell, Callable[[Session], Debate]]]


@cache
def _by_seed(file: str) -> dict[int, Cells]:
    """Return the cells of all studies of a file, by seed."""
    plan = plan_of(StudyFile.load(file))
    runner, found = CellRunner(plan, Path()), dict[int, Cells]()
    for cell in plan.cells.values():
        found.setdefault(cell.seed, []).append((cell, partial(runner.debate, cell)))
    return found


# Minds that the player does not have

_POLLED = re.compile('(?<=kind = )"(?:first-)?ballot"')
"""The votes of a format, which are polls where a rule compares polls."""
_OPTIONS = ("Approve it", "Build it anew", "Cancel it")
_MINDS = ("ACB", "ACB", "ACB", "BCA", "BCA", "CBA", "CBA")
_TRUE, _FALSE = 7, 3
"""Parameters of the Beta distribution of first beliefs, and what they count for in later ones."""


class _Fixed(SimulatedRunner):
    """Seven minds that never move: each ballot and each poll ranks the options as its seat does."""

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return the seat's own ranking of a ballot or poll; a plain answer to all else."""
        if prompt.purpose not in ("ballot", "poll"):
            return await super().run(prompt, on_text)
        mind = _MINDS[prompt.members.index(prompt.agent)]
        order = [option for letter in mind for option in _OPTIONS if option.startswith(letter)]
        ids = [_id_of(prompt, option) for option in order]
        scores = dict(zip(ids, (10, 5, 0), strict=True))
        return _reply({"ranking": ids, "choice": ids[0], "approved": ids[:2], "scores": scores})


class _Urn(SimulatedRunner):
    """A mind that is an urn: it says what it draws, and after a round what others drew is added (Choi 2025)."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._seed = seed

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:  # noqa: ARG002 - of a runner
        """Return what is drawn of the belief; asked for the belief, that."""
        size, rng = len(prompt.members), Random(f"{self._seed} {prompt.agent}")
        lines = [line for line in prompt.lines if line.number <= prompt.last // size * size]
        drawn = [_OPTIONS[0] in line.text for line in lines if line.who != prompt.agent]
        prior = _TRUE + _FALSE
        belief = (prior * rng.betavariate(_TRUE, _FALSE) + sum(drawn)) / (prior + len(drawn))
        right = Random(f"{self._seed} {prompt.agent} {prompt.purpose} {prompt.nth}").random() < belief
        option = _OPTIONS[not right]
        if prompt.purpose == "speak":
            return Reply(f"After {prompt.last} messages my draw is “{option}” once more, by my urn.", model="urn")
        if prompt.purpose == "poll":
            pairs = zip(_OPTIONS, (belief, 1 - belief), strict=False)
            return _reply({"beliefs": {_id_of(prompt, each): round(share, 9) for each, share in pairs}})
        return _reply({"ranking": [_id_of(prompt, option)], "choice": _id_of(prompt, option)})


def _id_of(prompt: Prompt, option: str) -> str:
    return next(text.id for text in prompt.texts if text.text == option)


def _reply(data: Mapping[str, Any]) -> Reply:
    data = {**data, "reason": "I said so."}
    return Reply(orjson.dumps(data).decode(), data, model="planted")


def _urns(seed: int) -> tuple[Cell, Callable[[Session], Debate]]:
    """Return two rounds of three urns, whose beliefs are asked before and after each."""
    task = Task(f"urns-{seed}", "Which of the two is it?", _OPTIONS[:2], _OPTIONS[0])
    settings = {"max_messages": 6, "floor": "round-robin", "poll": "beliefs", "fixed_options": True}
    return _cell(task, seed, _Urn(seed), ("sceptic", "historian", "economist"), settings, _format(2))


def _cell(
    task: Task, seed: int, runner: SimulatedRunner, members: Sequence[str], settings: Mapping[str, Any], agenda: str
) -> tuple[Cell, Callable[[Session], Debate]]:
    def debate(session: Session) -> Debate:
        return Debate(
            task.question, members, runner, options=task.options, settings=Settings(**settings), seed=seed,
            session=session, agenda=read_agenda(agenda, "rounds.toml"),
        )  # fmt: skip

    return Cell(task.id, task, {}, "talk", seed), debate


def fixed_minds(size: float = 1.0) -> Row:
    """Return whether anything reports that talk changed a panel in which nobody moves.

    Each rule decides panels that talk and panels that are asked again without talk. The votes before and after are
    counted by every rule that can; `eda show` says what differs; and the effect of talk is measured over all of them.
    """
    members = ("sceptic", "historian", "economist", "pragmatic-engineer", "data-scientist", "ethicist", "methodologist")
    checks, rows = list[Check](), Rows()
    arms = {"talk": "all", "reask": "none"}
    for seed, rule, arm in product(range(max(1, round(4 * size))), RULES.names(), arms):
        task, told = Task(f"fixed-{seed}", "Which of the three shall it be?", _OPTIONS), f"{rule}, {arm}, seed {seed}"
        settings = {"max_messages": 7, "fixed_options": rule != "shift", "rule": rule, "hears": arms[arm]}
        settings |= {"judge": "Sceptic"} if rule == "judge" else {}
        agenda = _format() if rule != "shift" else _POLLED.sub('"poll"', _format())
        made, debate = _cell(task, seed, _Fixed(), members, settings, agenda)
        cell = replace(made, id=f"{seed}-{rule}-{arm}".replace("/", "-"), arm=arm, levels={"rule": rule})
        with Session.in_memory(cell.id) as session:
            debate(session).run_sync()
            found, shown = rows_of(session, cell), helped(*read_back(session))
        for table, more in found.items():
            rows.setdefault(table, []).extend(more)
        outcomes: list[Any] = found["outcomes"]
        before, after = ({row.rule: row.outcome for row in outcomes if row.vote == vote} for vote in ("first", "last"))
        checks += [Check(f"{told}, counted by {each}", 0.0, float(before[each] != after[each])) for each in before]
        apart = bool(shown) and not shown.before_level and shown.before != shown.after  # level votes are not compared
        moved = len(shown.differs) + len(shown.new) + apart if shown else 1
        checks.append(Check(f"{told}, members and outcomes that differ by eda show", 0.0, moved))
        checks.append(Check(f"{told}, members who stayed by eda show", len(members), len(shown.stayed) if shown else 0))
    contrasts = [
        Hypothesis(measure=measure, contrast=("talk", "reask")) for measure in ("outcome_changed", "votes_changed")
    ]
    for row in effects(to_arrow(rows), contrasts):
        checks.append(Check(f"{row['measure']}, talk minus reask", 0.0, row["estimate"]))
        checks.append(Check(f"{row['measure']}, p of talk minus reask", 1.0, row["p"]))
    return row_of("fixed-minds", "seven members never move: no rule, no effect and no page reports a change", checks)
