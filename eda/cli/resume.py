"""`eda resume`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eda.cli import interruptible
from eda.cli.common import (
    Whole,
    human_options,
    json_option,
    limit_options,
    note,
    one_of,
    patterns_option,
    sessions_option,
)
from eda.cli.grouped import Grouped
from eda.cli.models import model_options, with_models

if TYPE_CHECKING:
    from eda.patterns import PatternPack
    from eda.protocols import Runner

__all__ = ["resume"]


@click.command(cls=Grouped)
@click.argument("session_id", metavar="ID")
@click.option("--max-messages", type=Whole(), metavar="N", help="A new limit; more than before takes up an ended one.")
@limit_options
@human_options
@click.option("--bids", type=click.Choice(["each", "together"]), help="A call to each for its bid, or one for all.")
@click.option("--runner", metavar="SPEC", help="Another runner than the session's own.")
@model_options
@patterns_option
@sessions_option
@json_option
@click.option("--quiet", "-q", is_flag=True, help="Print the verdict and the session's name only.")
@click.pass_context
def resume(
    ctx: click.Context,
    /,
    *,
    session_id: str,
    max_messages: int | None,
    runner: str | None,
    models: dict[str, Any],
    patterns: PatternPack | None,
    folder: Path | None,
    as_json: bool,
    quiet: bool,
    human: str | None,
    human_time: float | None,
    **limits: float | str | None,
) -> None:
    """Go on with session ID where it stopped: same panel, same memory, same numbering.

    One that a limit has ended takes a higher one. One that was recorded goes on being recorded.
    """
    if as_json and quiet:
        raise one_of("--json", "--quiet")
    if human is not None and (as_json or quiet):
        raise one_of("--human", "--json" if as_json else "--quiet")
    from eda.cli.report import made_up_for
    from eda.cli.running import advice, finish, recorded_in, run, seat_of
    from eda.debate import Debate
    from eda.members import is_seat_of
    from eda.runners.names import make_runner
    from eda.runners.recorded import CALLS_FILE
    from eda.session import Session
    from eda.setup import session_runner
    from eda.view.base import Sitting

    interruptible()
    with Session.open(session_id, folder) as session:
        runner = with_models(runner, models, session.started().runner)
        chosen: Runner | str | None = runner
        if session.folder is not None and (session.folder / CALLS_FILE).exists():
            asked = make_runner(runner) if runner else session_runner(session.started().runner)
            chosen = recorded_in(session.folder, asked)
        limited = max_messages is not None or any(limit is not None for limit in limits.values())
        if not limited and made_up_for(session, chosen, patterns, as_json=as_json):
            return
        seat, seats = seat_of(human, human_time)
        debate = Debate.resume(
            session,
            chosen,
            max_messages=max_messages,
            settings={name: limit for name, limit in limits.items() if limit is not None},
            patterns=patterns,
            human=human,
            seats=seats,
        )
        if session.repaired:
            note(f"note: {session.repaired}")
        progress = debate.progress
        sitting = Sitting.again(session.started(), progress.messages, debate.members, progress.settings, progress.seats)
        advice(sitting.runner, runner or sitting.runner, sitting)
        for person in debate.members:
            if person.person and (human is None or not is_seat_of(human, person)):
                note(f"note: {person.title}'s seat stays empty; to take it again: --human {shlex.quote(person.title)}")
        result = run(debate, sitting, silent=as_json or quiet, baseline=progress.settings.baseline, seat=seat)
        ctx.exit(finish(debate, result, sitting, as_json=as_json, quiet=quiet))
