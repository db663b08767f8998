"""`eda stress --again`: what an answer hinges on, by debates that are held again with one thing altered."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import click

from eda.cli.common import note, print_json, say, spoken
from eda.debate.stress import Free
from eda.report.formatting import fitted, money
from eda.report.stress_words import free_lines
from eda.runners.shipped import given_runner
from eda.session import Session
from eda.study.altered import Only, Untried, alterations
from eda.study.experiment import Experiment
from eda.text import clean


def held_again(
    session: Session,
    free: Sequence[Free],
    names: Mapping[str, str],
    *,
    premises: Sequence[str],
    models: Sequence[str],
    only: Only,
    runs: int,
    budget: float | None,
    runner: str | None,
    plan: bool,
    as_json: bool,
) -> None:
    """Hold the debate again with each alteration, or with `plan` say what that takes, and print what came of it."""
    arms, untried = alterations(session, premises, models, only)
    answers = None if runner is None or plan else given_runner(runner)
    experiment = Experiment(session, arms, runs, answers, usd=budget, told=None if as_json else _tell)
    experiment.check()
    rows = [{"what": arm.what, "kind": arm.kind, "places": [*arm.places], "at": arm.at} for arm in arms]
    forecast = experiment.forecast()
    done = {"arms": rows, "forecast": forecast} if plan else asyncio.run(experiment.run())
    data = {**done, "free": [asdict(row) for row in free], "not_tried": [asdict(each) for each in untried]}
    if as_json:
        print_json(data)
        return
    lines = [_phrase(row) for row in rows] if plan else _lines(data)
    for line in (*lines, *free_lines(free, names, spoken()), *map(_left, untried)):
        click.echo(fitted(clean(line), sys.stdout))
    if plan:
        (least, most), calls = forecast["runs"], forecast["calls"][1]
        cost = money(forecast["cost"][1], int(not forecast["priced"]), words=spoken())
        note(say("stress-again-plan", arms=len(arms), least=least, most=most, calls=calls, cost=cost))
    elif data["paused"]:
        note(say("stress-again-paused"))


def _lines(data: Mapping[str, Any]) -> list[str]:
    """Return the answer in a few sentences, and a row for each alteration."""
    control, rows = data["control"], [row for row in data["arms"] if "finding" in row]
    if not rows:
        return []
    hinges = [row for row in rows if row["hinges"]]
    rest = [row["high"] for row in rows if not row["hinges"]]
    lines = [say("stress-again-held", held=control["of"] - control["changed"], of=control["of"])]
    for row in hinges:
        figures = {"changed": row["changed"], "of": row["of"], "became": row["became"]}
        lines.append(say("stress-again-hinges", what=_phrase(row), **figures))
    points = round(100 * max(rest, default=0))
    lines.append(say("stress-again-rest", some=len(hinges), tried=len(rows), points=points))
    for row in rows:
        shown = {name: f"{100 * row[name]:+.0f}" for name in ("estimate", "low", "high")}
        counts = {"changed": str(row["changed"]), "of": str(row["of"])}
        lines.append(say("stress-row", what=_phrase(row), finding=row["finding"], **counts, **shown))
    return lines


def _phrase(row: Mapping[str, Any]) -> str:
    return say("stress-altered", kind=row["kind"], what=row["what"], places=row["places"])


def _left(each: Untried) -> str:
    what = say("stress-altered", kind=each.kind, what=each.what, places=[])
    return say("stress-again-untried", what=what, why=each.why)


def _tell(done: int, planned: int) -> None:
    note(say("stress-again-done", done=done, planned=planned))
