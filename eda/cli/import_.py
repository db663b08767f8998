"""`eda import`."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from eda.cli.common import done, json_text, say
from eda.cli.kinds import FILE, TEXT
from eda.cli.options import one_of, session_options
from eda.cli.process import interruptible
from eda.cli.transcripts import Minutes, reading_bar, tell_unread, transcript_options
from eda.errors import InputError, UnknownNameError, UsageError
from eda.memory.patterns import PatternPack
from eda.panels.files import UserFile
from eda.report.formatting import fitted, listed
from eda.report.transcript import minutes_lines
from eda.session import Session, folders, free_name, sessions_folder

if TYPE_CHECKING:
    from eda.transcripts import Row

_SHOWN = 10  # Names of conversations in an error.


@click.command(name="import")
@click.argument("file", type=FILE)
@click.option("--session", "name", metavar="NEW", help="Name of the session. Default: the one it had, or FILE's.")
@click.option("--conv", type=TEXT, metavar="ID", help="Import only this conversation of the file. Default: all.")
@click.option("--question", type=TEXT, default="", help="What the talk is about. Default: what the file says.")
@transcript_options
@click.option("--minutes", "minutes_only", is_flag=True, help="Only print the decisions, proposals and positions.")
@click.option("--explain", is_flag=True, help="With --minutes: print the words and the pattern that each rests on.")
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
    patterns: PatternPack | None,
    minutes_only: bool,
    explain: bool,
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
    from eda.debate.replay import read_back, save_memory
    from eda.transcripts import minutes_report, read_transcripts

    interruptible()
    if explain and not minutes_only:
        raise UsageError("--explain needs --minutes", hint="`eda show` prints what a session rests on.")
    if minutes_only and name is not None:
        raise one_of("--minutes", "--session")
    taker = Minutes(runner)
    stream = None if file.is_dir() else UserFile(file, InputError, what="transcript").seekable()
    if kind is None and not (columns or minutes_only) and stream and _is_export(stream):
        with folders.unpack(file, name, folder, stream=stream) as session:
            done(
                say("sessions-imported", name=session.name, typed=session.typed), as_json=as_json, session=session.name
            )
        return
    made: list[tuple[str, str, int]] = []
    printed: list[str] = []  # below a bar on the same terminal nothing can be written
    with reading_bar() as bar, taker as minutes:
        transcript = read_transcripts(file, kind=kind, columns=columns, skip_bad=skip_bad, stream=stream)
        chosen = _chosen(transcript.conversations, conv, name)
        bar.begin(sum(map(len, chosen.values())))
        for own, rows in chosen.items():
            if minutes_only:
                memory = minutes.of(rows, options=options, patterns=patterns, on_message=bar.advance)
                found = minutes_report(own, rows, memory)
                printed += _printed(found, memory.explain if explain else None, as_json=as_json)
                continue
            with Session.create(name or free_name(own, sessions_folder(folder)), folder) as session:
                try:
                    about = {"options": options, "question": question}
                    minutes.of(rows, session, patterns=patterns, on_message=bar.advance, **about)
                    save_memory(session, *read_back(session, patterns))
                except BaseException:
                    session.discard()
                    raise
                made.append((session.name, session.typed, len(rows)))
    if minutes_only:
        for line in printed:
            click.echo(line)
    else:
        lines = [say("sessions-imported-talk", new=new, number=number, typed=typed) for new, typed, number in made]
        sessions = [{"session": new, "messages": number} for new, _, number in made]
        done("\n".join(lines), as_json=as_json, session=made[0][0], kind=transcript.kind, sessions=sessions)
    tell_unread(file, transcript)
    minutes.tell_spent()


def _printed(found: dict[str, Any], explain: Callable[[str], Any] | None, *, as_json: bool) -> list[str]:
    """Return the lines of the minutes of one conversation."""
    if as_json:
        return [json_text(found, pretty=False)]
    return [fitted(line, sys.stdout) for line in minutes_lines(found, explain)]


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


def _is_export(stream: BinaryIO) -> bool:
    """True if a file is a ZIP file with the manifest of an export of EDA."""
    try:
        with zipfile.ZipFile(stream) as packed:
            return "manifest.json" in packed.namelist()
    except (zipfile.BadZipFile, NotImplementedError):
        return False
    finally:
        stream.seek(0)
