"""`eda stress`: what a verdict hinges on, by votes with one thing changed."""

import asyncio
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from eda.cli import options
from eda.cli.common import NUMBER, TEXT, Whole, note, print_json, say, speak, spoken, spoken_of, tell_wait
from eda.cli.process import interruptible
from eda.debate.arms import ONLY, Arm, Only, Wanted
from eda.debate.replay import read_back
from eda.debate.stress import planned, stress as tried
from eda.events import VoteTried
from eda.report.formatting import fitted, money
from eda.report.stress_words import arm_phrase, free_lines, names_of, plan_words, stress_lines, stress_rows
from eda.runners.server import on_wait
from eda.session import Session
from eda.text import clean


@options.session_command
@click.option("--runs", type=Whole(3), default=10, show_default=True, help="Votes with each change.")
@click.option("--premise", type=TEXT, multiple=True, help="What might not hold, in your words. Repeatable.")
@click.option("--joint", is_flag=True, help="Try the premises given with --premise also all at once.")
@click.option("--only", type=click.Choice([*ONLY]), help="One kind of change; members and models need --again.")
@click.option("--again", is_flag=True, help="Hold the debate itself again, from its start or a premise on.")
@click.option("--model", type=TEXT, multiple=True, metavar="RUNNER", help="Who else answers, with --again. Repeatable.")
@click.option("--budget", type=NUMBER, metavar="USD", help="Begin no run that would take more.")
@click.option("--plan", is_flag=True, help="Say what would be tried and what it takes, and start nothing.")
@options.runner_option("Runner to use instead of the session's.")
@options.session_options
def stress(
    *,
    session_id: str | Path,
    runs: int,
    premise: tuple[str, ...],
    joint: bool,
    only: Only | None,
    again: bool,
    model: tuple[str, ...],
    budget: float | None,
    plan: bool,
    runner: str | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Say what the verdict of session ID hinges on.

    First what the ballots tell without a call: each rule, each ballot left out. Then members vote again, with one
    thing changed: a passage or figure that is not known, a wish that is settled, the order of the ballots; beside
    votes with nothing changed. What was tried is kept in the session, so the same command goes on where it stopped.

    With --again the debate itself is held again: without each premise, without each member, with each order turned.
    """
    with spoken_of(Session.read(session_id, folder) if plan else Session.open(session_id, folder)) as session:
        progress, memory = read_back(session)
        speak(progress.settings.language)
        if plan:
            found = planned(session, progress, memory, Wanted(premise, only or "", again, joint, model), runs)
            if as_json:
                print_json(found.data())
                return
            told = plan_words(found, progress, spoken())
            _print((*told["changed"], *told["left"], *told["free"]))
            note(str(told["takes"]))
            return
        interruptible()
        on_wait.set(tell_wait)
        changes: dict[str, Any] = {"premises": premise, "only": only or "", "again": again, "joint": joint}
        tell = (lambda _: None) if as_json else _tell
        done = asyncio.run(tried(session, runner, **changes, models=model, runs=runs, budget=budget, tell=tell))
    if as_json:
        print_json(done.data())
        return
    names, words = names_of(progress), spoken()
    _print(
        (
            *(line for line, _ in stress_lines(done, names, words)),
            *stress_rows(done, words),
            *free_lines(done.free, names, words),
        )
    )
    note(say("stress-cost", calls=done.calls, cost=money(done.cost or 0.0, int(done.cost is None), words=words)))
    if done.paused:
        note(say("stress-paused"))


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(fitted(clean(line), sys.stdout))


def _tell(fact: VoteTried) -> None:
    what = arm_phrase(Arm(fact.changed, fact.what), spoken())
    note(say("stress-tried", run=str(fact.run), what=what, held=fact.kept is not None))
