"""`eda report`, and what follows a verdict: the baseline where it is asked for, and the report."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eda.cli.common import json_option, note, patterns_option, print_json, sessions_option
from eda.cli.models import model_options, with_models
from eda.errors import SessionError, UnknownNameError, UsageError

if TYPE_CHECKING:
    from eda.debate import Debate
    from eda.patterns import PatternPack
    from eda.protocols import Runner
    from eda.session import Session
    from eda.view.written import Written

__all__ = ["afterwards", "made_up_for", "report"]


@click.command()
@click.argument("session_id", metavar="ID")
@click.option("--format", "shape", type=click.Choice(["md", "json"]), default="md", show_default=True, help="How.")
@click.option("--runner", metavar="SPEC", help="Have this model write the prose anew; else no call is made.")
@model_options
@patterns_option
@sessions_option
@json_option
def report(
    *,
    session_id: str,
    shape: str,
    runner: str | None,
    models: dict[str, Any],
    patterns: PatternPack | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Print the report on session ID: verdict, tally, reasons, dissent, what is open, and how it was run.

    It is written into the session's folder too, as report.md and report.json. A debate with a model has its prose
    written once, at its end; every quote is looked up in the message that it names.
    """
    from eda.runners.names import make_runner
    from eda.session import Session
    from eda.view.report import report_data
    from eda.view.written import is_model

    asked: Runner | None = None
    if runner is not None or any(models.values()):
        with Session.read(session_id, folder) as session:
            spec = with_models(runner, models, session.started().runner) or session.started().runner
        asked = make_runner(spec)
        if not is_model(asked):
            raise UsageError(f"the runner {spec!r} writes no prose", hint="Leave --runner out, or name a model.")
    written = _written(session_id, folder, asked, patterns)
    if written.failed:
        note(f"note: no model wrote the prose: {written.failed}")
    if as_json or shape == "json":
        print_json(report_data(written.report))
    else:
        click.echo(written.markdown, nl=False)


async def afterwards(debate: Debate, tell: Callable[[str], None], *, baseline: bool) -> None:
    """What follows a verdict. Whatever fails of it, which `tell` is told, the debate stands."""
    from eda.baseline import take_baseline
    from eda.report import publisher
    from eda.session import as_typed
    from eda.view.written import is_model, write_report

    session, progress, memory, runner = debate.session, debate.progress, debate.memory, debate.runner
    if progress.verdict is None or progress.ended is None:
        return
    try:
        if baseline:
            failed = await take_baseline(progress, runner, publisher(session, progress, memory))
            if failed:
                tell(f"warning: there is no baseline: {failed}")
        asked = runner if is_model(runner) else None
        written = await write_report(session, asked, progress=progress, memory=memory)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        written = await write_report(session, progress=progress, memory=memory)
        tell("stopped: the report is written without a model")
    if written.failed:
        tell(f"note: no model wrote the report's prose: {written.failed}")
        tell(f"hint: Ask again: eda report {as_typed(session.folder or Path(session.name))} --runner SPEC")


def made_up_for(session: Session, runner: Runner | str | None, patterns: PatternPack | None, *, as_json: bool) -> bool:
    """Write the report that a process ended before, with the session's runner or another; gives whether it had."""
    from eda.replay import memory_of, progress_of
    from eda.runners.names import make_runner
    from eda.setup import session_runner
    from eda.view.data import debate_data
    from eda.view.written import write_report

    if session.folder is None or (session.folder / "report.md").exists():
        return False
    progress = progress_of(session)
    if progress.started is None or progress.ended is None or progress.extended or progress.verdict is None:
        return False
    memory = memory_of(session, patterns)
    asked = make_runner(runner) if isinstance(runner, str) else runner or session_runner(progress.started.runner)
    written = asyncio.run(_asked(write_report(session, asked, progress=progress, memory=memory), asked))
    if written.failed:
        note(f"note: no model wrote the report's prose: {written.failed}")
    note(f"the debate had ended ({progress.ended}) without its report; now it is written: eda report {session.name}")
    if as_json:
        print_json(debate_data(progress.started, progress, memory))
    return True


def _written(session_id: str, folder: Path | None, runner: Runner | None, patterns: PatternPack | None) -> Written:
    from eda.replay import memory_of, progress_of
    from eda.report import report_of
    from eda.session import Session
    from eda.view.report import report_markdown
    from eda.view.written import Written, write_report

    try:
        with Session.open(session_id, folder) as session:
            return asyncio.run(_asked(write_report(session, runner, memory=memory_of(session, patterns)), runner))
    except (UsageError, UnknownNameError):
        raise
    except SessionError:
        if runner is not None:
            raise
    with Session.read(session_id, folder) as session:  # it is being written, or may not be
        found = report_of(session, progress_of(session), memory_of(session, patterns))
        return Written(found, report_markdown(found))


async def _asked(work: Any, runner: Runner | None) -> Written:
    from eda.runners.names import let_go

    try:
        written: Written = await work
        return written
    finally:
        if runner is not None:
            await let_go(runner)
