"""What `eda import` takes: the options that say what a file is, and what could not be read of it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import click

from eda.cli.common import note, say, tell_wait
from eda.cli.kinds import TEXT
from eda.cli.options import patterns_option
from eda.cli.setting_options import PartOption, together
from eda.errors import UsageError
from eda.events import CallMade
from eda.events.messages import UsageTotals
from eda.panels.files import UserFile
from eda.panels.registry import TRANSCRIPTS
from eda.report.formatting import count, money, one_line, tokens
from eda.report.write import is_model
from eda.runners.shipped import close_runner, make_runner
from eda.session import Session
from eda.text import MAX_MESSAGE

if TYPE_CHECKING:
    from eda.memory import ConversationMemory
    from eda.runners.protocol import Runner
    from eda.transcripts import Row, Transcripts


def _columns(_ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    from eda.transcripts.table import FIELDS

    pairs = [pair.partition("=") for each in given for pair in each.split(",") if pair.strip()]
    for field, _, name in pairs:
        if field.strip() not in FIELDS or not name.strip():
            raise click.BadParameter(f"{field.strip()!r} is none of {', '.join(FIELDS)}, each with =NAME after it.")
    return {field.strip(): name.strip() for field, _, name in pairs}


transcript_options = together(
    click.option(
        "--as",
        "kind",
        cls=PartOption,
        registry=TRANSCRIPTS,
        help="What FILE is. Default: what its first kilobytes say.",
    ),
    click.option(
        "--columns",
        multiple=True,
        callback=_columns,
        metavar="FIELD=NAME,...",
        help="Columns of a csv file; FIELD is speaker, text, time, id, conv, topic, reply_to or question. Default: "
        "the column of that name.",
    ),
    click.option(
        "--option",
        "options",
        type=TEXT,
        multiple=True,
        help="An option to vote on. Default: the first row's `options`.",
    ),
    click.option("--skip-bad", is_flag=True, help="Skip and count rows of a jsonl file that cannot be read."),
    click.option(
        "--runner",
        metavar="SPEC",
        help="Have this model take minutes, each item quoted and checked. Without it no call is made.",
    ),
    patterns_option,
)
"""What a transcript is; the command receives `kind`, `columns`, `options`, and so on."""


def tell_unread(path: Path, transcript: Transcripts) -> None:
    """Print what is no message, what could not be read, each with its line, and what was cut."""
    name = UserFile(path, UsageError).place()
    if transcript.left_out:
        parts = tuple(f"{one_line(what)} ({number:,})" for what, number in sorted(transcript.left_out.items()))
        note(say("transcripts-left-out", name=name, kind=transcript.kind, parts=parts))
    if transcript.skipped:
        rows = count(transcript.skipped, "bad row" if transcript.kind == "jsonl" else "part")
        note(say("transcripts-skipped", rows=rows, name=name, kind=transcript.kind))
        for fault in transcript.faults:
            note(f"  {fault}")
        if transcript.skipped > len(transcript.faults):
            note(f"  and {transcript.skipped - len(transcript.faults):,} more")
    if transcript.unknown:
        note(say("transcripts-no-speaker", name=name, number=transcript.unknown))
    if transcript.too_long:
        note(say("transcripts-cut", number=transcript.too_long, name=name, most=MAX_MESSAGE))


class Minutes:
    """Takes the minutes of conversations, by a model where one is named; a context, which closes the model's runner."""

    def __init__(self, spec: str | None) -> None:
        """Make the runner of that spec; None for patterns alone.

        Raises:
            EdaError: there is no such runner, it lacks a key, or it is no model, which could take no minutes.
        """
        self._runner = _model(spec) if spec else None
        self._loop = asyncio.Runner()
        self._calls: list[CallMade] = []

    def of(self, rows: list[Row], session: Session | None = None, **given: Any) -> ConversationMemory:
        """Return the memory of a conversation; with a `session`, its facts are stored there."""
        from eda.transcripts import analyze, take_minutes

        if self._runner is None:
            return analyze(rows, session=session, minutes_only=session is None, **given)
        from eda.runners.server import on_wait

        on_wait.set(tell_wait)
        session = session or Session.in_memory()
        try:
            return self._loop.run(take_minutes(rows, self._runner, session=session, **given))
        finally:
            self._calls += [fact for fact in session.events() if isinstance(fact, CallMade)]

    def tell_spent(self) -> None:
        """Print what the calls took."""
        if self._calls:
            total = UsageTotals()
            for call in self._calls:
                total.add(call)
            took = f"{tokens(total.tokens)}, {money(total.cost, total.unpriced_calls)}"
            note(f"minutes by {one_line(self._calls[-1].model or 'a model')}: {count(total.calls, 'call')}, {took}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._runner is not None:
            self._loop.run(close_runner(self._runner))
        self._loop.close()


def _model(spec: str) -> Runner:
    runner = make_runner(spec)
    if not is_model(runner):
        raise UsageError(f"the runner {spec!r} takes no minutes", hint="Leave out --runner, or name a model.")
    return runner


class Bar(NamedTuple):
    """A progress bar."""

    begin: Callable[[int], object]
    """To be called with the number of messages, once it is known."""
    advance: Callable[[object], object]
    """To be called with each message."""


@contextmanager
def reading_bar() -> Iterator[Bar]:
    """Show a progress bar if the error stream is a terminal."""
    if not sys.stderr.isatty():
        yield Bar(lambda _total: None, lambda _message: None)
        return
    from rich.console import Console  # a pipe needs none of it
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("reading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)
        yield Bar(lambda total: bar.update(task, total=total), lambda _message: bar.advance(task))
