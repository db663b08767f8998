"""`eda stress`: what a verdict hinges on, by votes taken again."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast, get_args

import click

from eda.cli import options
from eda.cli.common import note, print_json, say, speak, spoken, tell_wait
from eda.cli.kinds import NUMBER, TEXT, Whole
from eda.cli.process import interruptible
from eda.cli.stress_again import held_again
from eda.debate.hinges import CONTROLS
from eda.debate.replay import read_back
from eda.debate.state import DebateState
from eda.debate.stress import Arm, Only, Stress, arms_of, free_answers
from eda.debate.stress import stress as tried
from eda.errors import UsageError
from eda.events import CallMade, VoteTried
from eda.report.formatting import fitted, money
from eda.report.stress_words import arm_phrase, free_lines, stress_lines, stress_rows
from eda.runners.server import on_wait
from eda.session import Session
from eda.study.altered import Only as AgainOnly
from eda.text import clean

_VOTE, _AGAIN = get_args(Only), get_args(AgainOnly)
_ONLY = [each for each in dict.fromkeys((*_VOTE, *_AGAIN)) if each]


@click.command()
@options.session_argument
@click.option("--runs", type=Whole(4), default=10, show_default=True, help="Votes with each change.")
@click.option("--premise", type=TEXT, multiple=True, help="What might not hold, in your words. Repeatable.")
@click.option("--only", type=click.Choice(_ONLY), help="One kind of change; members and models need --again.")
@click.option("--again", is_flag=True, help="Hold the debate itself again, from its start or a premise on.")
@click.option("--model", type=TEXT, multiple=True, metavar="RUNNER", help="Who else answers, with --again. Repeatable.")
@click.option("--budget", type=NUMBER, metavar="USD", help="Take no further vote once this is spent.")
@click.option("--plan", is_flag=True, help="Say what would be tried and what it takes, and start nothing.")
@options.runner_option("Runner to use instead of the session's.")
@options.session_options
def stress(
    *,
    session_id: str,
    runs: int,
    premise: tuple[str, ...],
    only: str | None,
    again: bool,
    model: tuple[str, ...],
    budget: float | None,
    plan: bool,
    runner: str | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Say what the verdict of session ID hinges on.

    First what the ballots tell without a call: each rule, each ballot left out. Then the last vote is taken again, with
    one thing changed: a passage or figure that is not known, a wish that is settled, the order of the ballots; beside
    votes with nothing changed. What was tried is kept in the session, so the same command goes on where it stopped.

    The debate itself is held again with --again: without each premise, without each member, with each order turned.
    """
    known, kind = _AGAIN if again else _VOTE, cast(Any, only or "")
    if kind not in known or (model and not again):
        raise UsageError(
            f"{'--model' if model and not again else only} does not go {'with' if again else 'without'} --again",
            hint=f"Kinds here: {', '.join(filter(None, known))}.",
        )
    with Session.read(session_id, folder) if plan else Session.open(session_id, folder) as session:
        progress, memory = read_back(session)
        speak(progress.settings.language)
        if progress.verdict is None or not progress.ballots:
            raise UsageError(f"session {session.typed} has no verdict by ballots", hint=f"eda show {session.typed}")
        if again:
            interruptible()
            on_wait.set(tell_wait)
            wanted: dict[str, Any] = {
                "premises": premise,
                "models": model,
                "only": only or "",
                "runs": runs,
                "budget": budget,
            }
            free = free_answers(progress, memory)
            held_again(session, free, _names(progress), runner=runner, plan=plan, as_json=as_json, **wanted)
            return
        arms = arms_of(memory, progress, premise, kind)
        if plan:
            _planned(session, arms, runs, len(progress.ballots), as_json=as_json)
            return
        interruptible()
        on_wait.set(tell_wait)
        wanted = {"premises": premise, "only": kind, "runs": runs, "budget": budget}
        done = asyncio.run(tried(session, runner, tell=_quiet if as_json else _tell, **wanted))
        if as_json:
            print_json(stress_data(done))
            return
        progress, memory = read_back(session)
        names, words = _names(progress), spoken()
        for line in (
            *stress_lines(done, names, words),
            *stress_rows(done, words),
            *free_lines(done.free, names, words),
        ):
            click.echo(fitted(clean(line), sys.stdout))
        note(say("stress-cost", calls=done.calls, cost=money(done.cost or 0.0, int(done.cost is None), words=spoken())))


def stress_data(done: Stress) -> dict[str, Any]:
    """Return what was tried as data."""
    return {
        "control": done.control._asdict(),
        "arms": [
            {
                "what": each.arm.what,
                "kind": each.arm.changed,
                "messages": each.arm.where,
                **each.share._asdict(),
                **(asdict(each.beside) if each.beside else {}),
                "hinges": each.hinges,
                "became": each.became,
            }
            for each in done.arms
        ],
        "free": [asdict(each) for each in done.free],
        "not_tried": [{"what": arm.what, "kind": arm.changed} for arm in done.left],
        "cost": done.cost,
        "calls": done.calls,
    }


def _planned(session: Session, arms: list[Arm], runs: int, voters: int, *, as_json: bool) -> None:
    """Print what would be tried, and what that takes at the price of the session's own ballots."""
    progress, memory = read_back(session)
    costs = [fact.cost for fact in session.events() if isinstance(fact, CallMade) and fact.purpose == "ballot"]
    calls = (len(arms) + CONTROLS) * runs * voters
    replayed = session.started().runner.startswith("recorded")  # whose calls cost nothing, and these will
    each = None if not costs or replayed or None in costs else sum(cost or 0.0 for cost in costs) / len(costs)
    free = free_answers(progress, memory)
    if as_json:
        rows = [{"what": arm.what, "kind": arm.changed, "messages": arm.where} for arm in arms]
        cost = None if each is None else each * calls
        print_json({"arms": rows, "runs": runs, "calls": calls, "cost": cost, "free": [asdict(row) for row in free]})
        return
    for arm in arms:
        click.echo(fitted(clean(arm_phrase(arm, spoken())), sys.stdout))
    for line in free_lines(free, _names(progress), spoken()):
        click.echo(fitted(clean(line), sys.stdout))
    price = money((each or 0.0) * calls, int(each is None), words=spoken())
    note(say("stress-plan", arms=len(arms), runs=runs, calls=calls, cost=price))


def _names(progress: DebateState) -> dict[str, str]:
    """Return the titles of the texts that were voted on, or their words, by their ids."""
    return {text.id: text.title or text.text for text in (progress.verdict.offered if progress.verdict else ())}


def _tell(fact: VoteTried) -> None:
    note(say("stress-tried", run=str(fact.run), what=arm_phrase(Arm(fact.changed, fact.what), spoken())))


def _quiet(_: VoteTried) -> None:
    """Say nothing: the output is JSON."""
