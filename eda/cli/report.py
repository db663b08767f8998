"""`eda report`, and the report that follows a verdict."""

import asyncio
import shlex
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import click
from rich.markdown import Markdown

from eda.cli.common import done, note, print_json, say, spoken_of
from eda.cli.options import (
    language_option,
    runner_option,
    session_command,
    session_options,
)
from eda.cli.terminal.style import paged
from eda.debate.debate import Debate
from eda.debate.replay import memory_of, progress_of, read_back
from eda.debate.state import DebateState
from eda.debate.validation import session_runner
from eda.errors import SessionError, UsageError
from eda.memory import ConversationMemory
from eda.report.forms import Written, in_each_form, minutes_lines, report_data
from eda.report.gather import report_of
from eda.report.json_data import debate_data
from eda.report.write import write_report
from eda.runners.protocol import Runner, closing
from eda.runners.shipped import make_runner, model_of
from eda.session import Session
from eda.session.places import PAGE_FILE
from eda.transcripts.analysis import minutes_report, stored_rows

T = TypeVar("T")


@session_command
@click.option("--html", "page", is_flag=True, help="Write the report as one HTML file, and print where it is.")
@language_option
@runner_option("Have this model choose anew what the report quotes. Without it no call is made.")
@session_options
def report(
    *,
    session_id: str | Path,
    page: bool,
    language: str | None,
    runner: str | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Print the report on session ID: verdict, tally, reasons, dissent, open questions, and how it was run.

    The report is also written to the session's folder, as report.md, report.json and report.html, a page to pass on. If
    the panel used a model, that model chooses once, at the end, what it quotes; each quote is looked up in its message.
    Of an imported transcript its minutes are printed.
    """
    if _is_transcript(session_id, folder, as_json=as_json, page=page):
        return
    written, place = _written(session_id, folder, model_of(runner, "cannot choose quotations"), language or "")
    if written.failed:
        note(say("sessions-no-prose", failed=written.failed))
    if page:
        place.write_text(written.page, "utf-8")
        note(str(place), "written")
    if as_json:
        print_json(report_data(written.report))
    elif not page and sys.stdout.isatty():
        with paged(long=True) as console:
            console.print(Markdown(written.markdown, hyperlinks=False))
    elif not page:
        click.echo(written.markdown, nl=False)


def _is_transcript(session_id: str | Path, folder: Path | None, *, as_json: bool, page: bool) -> bool:
    """Print the minutes of a recorded transcript; return False for a debate."""
    with spoken_of(Session.read(session_id, folder)) as session:
        if session.started().kind != "transcript":
            return False
        if page:
            raise UsageError(
                f"session {session.name!r} is a recorded transcript, whose minutes have no page",
                hint="Leave out --html.",
            )
        minutes = minutes_report(session.name, stored_rows(session), memory_of(session))
    done("\n".join(minutes_lines(minutes)), as_json=as_json, **minutes)
    return True


async def afterwards(debate: Debate, tell: Callable[[str], None]) -> None:
    """Write the report. Failures are passed to `tell` and leave the debate as it is."""
    if debate.progress.verdict is not None and debate.progress.ended is not None:
        await _follow(debate.session, debate.progress, debate.memory, debate.runner, tell)


async def _follow(
    session: Session,
    progress: DebateState,
    memory: ConversationMemory,
    runner: Runner,
    tell: Callable[[str], None],
) -> None:
    try:
        may = progress.report is None and getattr(runner, "reports", True)  # a choice that exists is not paid for twice
        written = await write_report(session, runner if may else None, progress=progress, memory=memory)
    except asyncio.CancelledError:
        if (task := asyncio.current_task()) is not None:
            task.uncancel()
        written = await write_report(session, progress=progress, memory=memory)
        tell(say("running-no-writer"))
    if written.failed:
        tell(say("sessions-no-prose", failed=written.failed))
        tell(say("sessions-report-runner", typed=session.typed, spec=shlex.quote(getattr(runner, "spec", "SPEC"))))


def complete_missing_report(session: Session, runner: Runner | str | None, *, as_json: bool) -> bool:
    """Write the report if the debate's process ended before it. Return whether it was missing."""
    progress = progress_of(session)
    if session.folder is None or progress.started is None or progress.verdict is None:
        return False
    if (session.folder / "report.md").exists() or progress.ended is None or progress.extended:
        return False
    memory = memory_of(session)
    writer = make_runner(runner) if isinstance(runner, str) else runner or session_runner(session)
    asyncio.run(_closing(_follow(session, progress, memory, writer, note), writer))
    note(say("sessions-made-late", ended=progress.ended, typed=session.typed))
    if as_json:
        print_json(debate_data(progress.started, progress, memory))
    return True


def _written(session_id: str | Path, folder: Path | None, runner: Runner | None, language: str) -> tuple[Written, Path]:
    """Return the report, and where its page stands: in the session's folder, else here."""
    try:
        with spoken_of(Session.open(session_id, folder)) as session:
            made = asyncio.run(_closing(write_report(session, runner, language=language), runner))
            return made, (session.folder or Path()) / PAGE_FILE
    except (SessionError, UsageError):
        if runner is not None:
            raise
    # Another process writes it, it is read-only, or comes with EDA.
    with spoken_of(Session.read(session_id, folder)) as session:
        progress, memory = read_back(session)
        place = Path(f"{session.name}-{PAGE_FILE}")
        return in_each_form(session, report_of(session, progress, memory, language), memory), place


async def _closing(work: Awaitable[T], runner: Runner | None) -> T:
    async with closing(runner):
        return await work
