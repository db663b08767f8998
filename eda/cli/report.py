"""`eda report`, and what follows a verdict: the baseline where it is asked for, and the report."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from eda.cli.common import json_option, note, patterns_option, print_json, sessions_option
from eda.cli.models import model_options, with_models
from eda.errors import SessionError, UnknownNameError, UsageError
from eda.view.text import fitted

if TYPE_CHECKING:
    from eda.debate import Debate
    from eda.memory import ConversationMemory
    from eda.patterns import PatternPack
    from eda.progress import Progress
    from eda.protocols import Runner
    from eda.session import Session
    from eda.view.written import Written

__all__ = ["afterwards", "made_up_for", "report"]

T = TypeVar("T")


@click.command()
@click.argument("session_id", metavar="ID")
@click.option(
    "--format", "shape", type=click.Choice(["md", "json"]), default="md", show_default=True, help="Text or data."
)
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
    if runner is not None or models:
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
        click.echo(fitted(written.markdown, sys.stdout, 0), nl=False)


async def afterwards(debate: Debate, tell: Callable[[str], None], *, baseline: bool) -> None:
    """What follows a verdict. Whatever fails of it, which `tell` is told, the debate stands."""
    if debate.progress.verdict is not None and debate.progress.ended is not None:
        await _follow(debate.session, debate.progress, debate.memory, debate.runner, tell, baseline=baseline)


async def _follow(
    session: Session,
    progress: Progress,
    memory: ConversationMemory,
    runner: Runner,
    tell: Callable[[str], None],
    *,
    baseline: bool,
) -> None:
    from eda.baseline import take_baseline
    from eda.replay import publisher
    from eda.view.written import is_model, write_report

    try:
        if baseline:
            no_model = "" if is_model(runner) else "this runner is no language model"
            failed = no_model or await take_baseline(progress, runner, publisher(session, progress, memory))
            if failed:
                tell(f"warning: there is no baseline: {failed}")
        asked = runner if progress.report is None else None  # prose that was paid for is not asked for again
        written = await write_report(session, asked, progress=progress, memory=memory)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        written = await write_report(session, progress=progress, memory=memory)
        tell("stopped: the report is written without a model")
    if written.failed:
        tell(f"note: no model wrote the report's prose: {written.failed}")
        spec = shlex.quote(getattr(runner, "spec", "SPEC"))
        tell(f"hint: eda report {session.typed} --runner {spec}")


def made_up_for(session: Session, runner: Runner | str | None, patterns: PatternPack | None, *, as_json: bool) -> bool:
    """Make the baseline and the report that a process ended before, with the session's runner or another.

    Gives whether there was anything to make up for.
    """
    from eda.replay import memory_of, progress_of
    from eda.runners.names import make_runner
    from eda.setup import session_runner
    from eda.view.data import debate_data

    progress = progress_of(session)
    if session.folder is None or progress.started is None or progress.verdict is None:
        return False
    baseline = progress.baseline_due
    made = (session.folder / "report.md").exists() and not baseline
    if made or progress.ended is None or progress.extended:
        return False
    memory = memory_of(session, patterns)
    asked = make_runner(runner) if isinstance(runner, str) else runner or session_runner(progress.started.runner)
    asyncio.run(_asked(_follow(session, progress, memory, asked, note, baseline=baseline), asked))
    made_up = "baseline; the report is written" if baseline else "report; now it is written"
    note(f"the debate had ended ({progress.ended}) without its {made_up}: eda report {session.typed}")
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


async def _asked(work: Awaitable[T], runner: Runner | None) -> T:
    from eda.runners.names import let_go

    try:
        return await work
    finally:
        if runner is not None:
            await let_go(runner)
