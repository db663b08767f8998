"""`eda import`: a session of a file of EDA's own, or of a transcript, with minutes by a model where one is named."""

import asyncio
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from eda.cli.common import FILE, TEXT, PartOption, done, json_text, note, say, tell_wait
from eda.cli.options import one_of, runner_option, session_options
from eda.cli.process import interruptible
from eda.debate.replay import read_back, save_memory
from eda.errors import InputError, UnknownNameError, UsageError
from eda.events import MAX_MESSAGE, CallMade, UsageTotals
from eda.memory import ConversationMemory
from eda.memory.patterns import PatternPack
from eda.panels.files import UserFile
from eda.panels.registry import TRANSCRIPTS
from eda.report.formatting import count, fitted, listed, money, one_line, tokens
from eda.report.forms import minutes_lines
from eda.runners.protocol import Runner, close_runner
from eda.runners.server import on_wait
from eda.runners.shipped import model_of
from eda.session import Session, folders
from eda.session.names import free_name, sessions_folder
from eda.transcripts.analysis import analyze, minutes_report, take_minutes
from eda.transcripts.kind import Row
from eda.transcripts.read import MOST, Transcripts, read_transcripts
from eda.transcripts.table import FIELDS

_SHOWN = 10  # Names of conversations in an error.


def _columns(_ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:

    pairs = [pair.partition("=") for each in given for pair in each.split(",") if pair.strip()]
    for field, _, name in pairs:
        if field.strip() not in FIELDS or not name.strip():
            raise click.BadParameter(f"{field.strip()!r} is none of {', '.join(FIELDS)}, each with =NAME after it.")
    return {field.strip(): name.strip() for field, _, name in pairs}


@click.command(name="import")
@click.argument("file", type=FILE)
@click.option("--session", "name", metavar="NEW", help="Name of the session. Default: the one it had, or FILE's.")
@click.option("--conv", type=TEXT, metavar="ID", help="Import only this conversation of the file. Default: all.")
@click.option("--question", type=TEXT, default="", help="What the talk is about. Default: what the file says.")
@click.option(
    "--as", "kind", cls=PartOption, registry=TRANSCRIPTS, help="What FILE is. Default: what its first kilobytes say."
)
@click.option(
    "--columns",
    multiple=True,
    callback=_columns,
    metavar="FIELD=NAME,...",
    help="Columns of a csv file; FIELD is speaker, text, time, id, conv, topic, reply_to or question. Default: "
    "the column of that name.",
)
@click.option(
    "--option", "options", type=TEXT, multiple=True, help="An option to vote on. Default: the first row's `options`."
)
@click.option("--skip-bad", is_flag=True, help="Skip and count rows of a jsonl file that cannot be read.")
@runner_option("Have this model take minutes, each item quoted and checked. Without it no call is made.")
@click.option(
    "--patterns", type=FILE, multiple=True, help="With --minutes: patterns of your own, added to EDA's. Repeatable."
)
@click.option("--minutes", "minutes_only", is_flag=True, help="Only print the decisions, proposals and positions.")
@session_options
def import_(
    *,
    file: Path,
    name: str | None,
    conv: str | None,
    question: str,
    kind: str | None,
    columns: Mapping[str, str],
    options: tuple[str, ...],
    skip_bad: bool,
    runner: str | None,
    patterns: tuple[Path, ...],
    minutes_only: bool,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Make a session of FILE: what `eda export` wrote, whose checksums are verified, or a transcript.

    A transcript (`-` for standard input) is of a kind that --as lists. Its first kilobytes say which. Each of its
    conversations becomes a session that ended. You can show, recall, report and ask it; nobody can go on with it.

    Minutes are what talk marks (`Proposal:`, `RESOLVED:`, `[PROPOSE]`), and what a model finds: without --runner none
    is called. Other passages that may hold a proposal or a decision are listed apart, each with a confidence from 0 to
    1. With --minutes --json, each conversation is printed as an object on a line of its own.

    In captions, consecutive cues of one speaker with at most 2 seconds between them are one message; without a speaker,
    cues are joined until a sentence ends. A jsonl file has `speaker` and `text` in each object. Optional fields are
    `id`, `conv`, `t`, `sent`, `topic`, `reply_to`, `question` and, in the first row of a conversation, `options`.
    """
    interruptible()
    if minutes_only and name is not None:
        raise one_of("--minutes", "--session")
    if patterns and not minutes_only:
        raise click.UsageError("--patterns needs --minutes")
    model = model_of(runner, "takes no minutes")
    raw = UserFile(file, InputError, what="transcript").raw(MOST, larger="Divide it.")
    if kind is None and not (columns or minutes_only) and _is_export(raw):
        with folders.unpack(file, name, folder, raw=raw) as session:
            done(
                say("sessions-imported", name=session.name, typed=session.typed), as_json=as_json, session=session.name
            )
        return
    made: list[dict[str, Any]] = []
    printed: list[str] = []  # below a bar on the same terminal nothing can be written
    columns_of_bar = (TextColumn("reading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    hidden = not sys.stderr.isatty()
    with (
        _taking(model) as minutes,
        Progress(*columns_of_bar, console=Console(stderr=True), transient=True, disable=hidden) as bar,
    ):
        transcript = read_transcripts(file, kind=kind, columns=columns, skip_bad=skip_bad, raw=raw)
        chosen = _chosen(transcript.conversations, conv, name)
        task = bar.add_task("reading", total=sum(map(len, chosen.values())))
        given: dict[str, Any] = {
            "options": options,
            "patterns": PatternPack.of(patterns),
            "on_message": lambda _: bar.advance(task),
        }
        for own, rows in chosen.items():
            if minutes_only:
                found = minutes_report(own, rows, minutes(rows, **given))
                if as_json:
                    printed.append(json_text(found, pretty=False))
                else:
                    printed += [fitted(line, sys.stdout) for line in minutes_lines(found)]
                continue
            with (
                Session.create(name or free_name(own, sessions_folder(folder)), folder) as session,
                ExitStack() as failed,
            ):
                failed.callback(session.discard)
                minutes(rows, session, question=question, **given)
                save_memory(session, *read_back(session))
                failed.pop_all()
                made.append({"session": session.name, "messages": len(rows)})
                printed.append(say("sessions-imported-talk", new=session.name, number=len(rows), typed=session.typed))
    if made:
        done("\n".join(printed), as_json=as_json, session=made[0]["session"], kind=transcript.kind, sessions=made)
    else:
        click.echo("\n".join(printed))
    tell_unread(file, transcript)


def _chosen(conversations: Mapping[str, list[Row]], conv: str | None, name: str | None) -> Mapping[str, list[Row]]:
    """Return the conversations to import.

    Raises:
        UsageError: there is none of that id, or one name is given for several.
    """
    if conv is not None and conv not in conversations:
        raise UnknownNameError("conversation", conv, list(conversations))
    chosen = conversations if conv is None else {conv: conversations[conv]}
    if name is not None and len(chosen) > 1:
        first = listed(list(chosen)[:_SHOWN]) + (", ..." if len(chosen) > _SHOWN else "")
        raise UsageError(
            f"the file holds {len(chosen):,} conversations, and --session names one session",
            hint=f"Choose one with --conv ID, or leave out --session. They are {first}.",
        )
    return chosen


def _is_export(raw: bytes) -> bool:
    """True if this is a ZIP file with the manifest of an export of EDA."""
    try:
        with zipfile.ZipFile(BytesIO(raw)) as packed:
            return "manifest.json" in packed.namelist()
    except (zipfile.BadZipFile, RuntimeError):
        return False


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


@contextmanager
def _taking(runner: Runner | None) -> Iterator[Callable[..., ConversationMemory]]:
    """Yield what takes the minutes of a conversation, and stores them in a `session`: a model, or patterns alone.

    At the end the model's runner is closed, and what its calls took is printed.
    """
    calls: list[CallMade] = []

    def minutes(rows: list[Row], session: Session | None = None, **given: Any) -> ConversationMemory:
        if runner is None:
            return analyze(rows, session=session, minutes_only=session is None, **given)

        on_wait.set(tell_wait)
        session = session or Session.in_memory()
        try:
            return loop.run(take_minutes(rows, runner, session=session, **given))
        finally:
            calls.extend(fact for fact in session.events() if isinstance(fact, CallMade))

    with asyncio.Runner() as loop:
        try:
            yield minutes
        finally:
            if runner is not None:
                loop.run(close_runner(runner))
    if calls:
        total = UsageTotals()
        for call in calls:
            total.add(call)
        took = f"{tokens(total.tokens)}, {money(total.cost, total.unpriced_calls)}"
        note(f"minutes by {one_line(calls[-1].model or 'a model')}: {count(total.calls, 'call')}, {took}")
