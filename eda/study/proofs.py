"""Proofs of the instrument: panels whose truth is planted go through debate, ballots, tables and statistics.

A proof runs many small studies in memory, with no model, and counts how often the interval covers what was planted.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from eda.debate.debate import Debate
from eda.panels.settings import Settings
from eda.runners.protocol import OnText, Prompt, Reply
from eda.runners.simulated.runner import SimulatedRunner
from eda.session import Session
from eda.study.cells import Cell, Plan, plan_of
from eda.study.effects import effects
from eda.study.file import Study
from eda.study.fold import rows_of
from eda.study.run_cell import CellRunner
from eda.study.tables import to_arrow
from eda.study.tasks.base import Task

_FORMAT = """
name = "one-round"
title = "One round"
description = "Each member speaks once."
promise = "A vote."
[[phase]]
name = "round"
kind = "round"
[[phase]]
name = "ballot"
kind = "ballot"
[[phase]]
name = "verdict"
kind = "verdict"
"""
_FILE = """
name = "proof"
tasks = "jury"
seeds = {seeds}
[fixed]
runner = "player"
format = "one-round.toml"
floor = "round-robin"
share = 0.0
poll = {{every = "round", ask = "choice"}}
{planted}
[arms]
talk = {{}}
reask = {{}}
[[hypotheses]]
measure = "{measure}"
contrast = ["talk", "reask"]
"""
_STUDIES = 200
COVERED = range(181, 199)
"""Of 200 intervals of 95 %, those that may cover the truth: what chance alone leaves in 999 of 1,000 proofs."""
_MINDS = ("ACB", "ACB", "ACB", "BCA", "BCA", "CBA", "CBA")
_OPTIONS = ("Approve it", "Build it anew", "Cancel it")
_SEEDS = 10


@dataclass(frozen=True, slots=True)
class Proof:
    """What is planted, and how it is looked for."""

    line: str
    planted: str
    """Keys of `[fixed]`."""
    measure: str
    truth: float
    pairs: int
    """Pairs of talk and re-asking in each study."""

    def text(self) -> str:
        """Return the file of all studies together: each takes as many seeds as it has pairs."""
        return _FILE.format(seeds=_STUDIES * self.pairs, planted=self.planted, measure=self.measure)


PROOFS: Mapping[str, Proof] = {
    "null-noise": Proof(
        "members change at random when they are asked again, and talk does nothing",
        'personas = ["sceptic", "historian", "economist"]\nmax_messages = 3\nskill = 0.7\nnoise = 0.3',
        "votes_changed",
        0.0,
        8,
    ),
    "planted-influence": Proof(
        "an outvoted member goes over to most others with chance 0.3",
        'personas = ["sceptic", "historian", "economist", "ethicist", "methodologist"]\n'
        "max_messages = 5\nskill = 0.5\nconformity = 0.3",
        "conformity",
        0.3,
        6,
    ),
}
FIXED_MINDS = "fixed-minds"
NAMES = (FIXED_MINDS, *PROOFS)


def prove(name: str) -> dict[str, Any]:
    """Return what came of a proof: `name`, `ok`, `covered`, `studies`, and what was planted and found."""
    return _fixed_minds() if name == FIXED_MINDS else _covered(name, PROOFS[name])


def _covered(name: str, proof: Proof) -> dict[str, Any]:
    blocks = [range(number, _STUDIES, 8) for number in range(8)]
    with TemporaryDirectory() as folder:
        (Path(folder) / "one-round.toml").write_text(_FORMAT, encoding="utf-8")
        file = Path(folder) / "proof.toml"
        file.write_text(proof.text(), encoding="utf-8")
        with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
            futures = [pool.submit(_studies, str(file), block, proof.pairs) for block in blocks]
            found = [row for future in futures for row in future.result()]
    known = [row for row in found if row["estimate"] is not None]
    covered = sum(row["low"] <= proof.truth <= row["high"] for row in known)
    return {
        "name": name,
        "ok": covered in COVERED and len(known) == _STUDIES,
        "covered": covered,
        "studies": len(known),
        "planted": proof.truth,
        "found": sum(row["estimate"] for row in known) / max(1, len(known)),
        "what": proof.line,
    }


def _studies(file: str, numbers: Sequence[int], pairs: int) -> list[dict[str, Any]]:
    """Return the effect of each of these studies, run in this process."""
    return asyncio.run(_all(_plan(file), numbers, pairs))


@cache
def _plan(file: str) -> Plan:
    return plan_of(Study.load(file))


async def _all(plan: Plan, numbers: Sequence[int], pairs: int) -> list[dict[str, Any]]:
    runner = CellRunner(plan, Path())
    by_seed: dict[int, list[Cell]] = {}
    for cell in plan.cells.values():
        by_seed.setdefault(cell.seed, []).append(cell)
    found = []
    for number in numbers:
        rows: dict[str, list[Any]] = {}
        for seed in range(number * pairs, (number + 1) * pairs):
            for cell in by_seed[seed]:
                with Session.in_memory(cell.id) as session:
                    await runner.debate(cell, session).run()
                    for name, more in rows_of(session, cell).items():
                        rows.setdefault(name, []).extend(more)
        found += effects(to_arrow(rows), plan.study.hypotheses)
    return found


class _Fixed(SimulatedRunner):
    """Seven minds that never move: each ballot ranks the options as its seat does."""

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return the seat's own ranking of a ballot; a plain answer to all else."""
        if prompt.purpose != "ballot":
            return await super().run(prompt, on_text)
        mind = _MINDS[prompt.members.index(prompt.agent)]
        order = [option for letter in mind for option in _OPTIONS if option.startswith(letter)]
        ids = [next(text.id for text in prompt.texts if text.text == option) for option in order]
        data = {"ranking": ids, "choice": ids[0], "reason": "I said so."}
        return Reply(orjson.dumps(data).decode(), data, model="fixed")


def _fixed_minds() -> dict[str, Any]:
    """Return whether any rule reports that talk changed the outcome of a panel in which nobody moves."""
    members = ("sceptic", "historian", "economist", "pragmatic-engineer", "data-scientist", "ethicist", "methodologist")
    changed: list[str] = []
    counted = 0
    for seed in range(_SEEDS):
        task = Task(f"fixed-{seed}", "Which of the three shall it be?", _OPTIONS)
        cell = Cell(task.id, task, {}, "talk", seed)
        with Session.in_memory(task.id) as session:
            settings = Settings(max_messages=8, fixed_options=True)
            Debate(
                task.question, members, _Fixed(), options=_OPTIONS, settings=settings, seed=seed, session=session
            ).run_sync()
            outcomes: list[Any] = rows_of(session, cell)["outcomes"]
        before, after = ({row.rule: row.outcome for row in outcomes if row.vote == vote} for vote in ("first", "last"))
        counted += len(before.keys() & after.keys())
        changed += [rule for rule in before if rule in after and before[rule] != after[rule]]
    return {
        "name": FIXED_MINDS,
        "ok": not changed and counted >= _SEEDS,
        "covered": counted - len(changed),
        "studies": counted,
        "planted": 0.0,
        "found": len(changed) / max(1, counted),
        "what": "seven members never move: no rule reports a change",
    }
