"""`eda import`."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from eda.cli.common import done, say
from eda.cli.kinds import FILE, TEXT
from eda.cli.options import session_options
from eda.cli.process import interruptible
from eda.cli.transcripts import Minutes, reading_bar, tell_unread, transcript_options
from eda.errors import InputError, UnknownNameError, UsageError
from eda.memory.patterns import PatternPack
from eda.panels.files import UserFile
from eda.report.formatting import listed
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
    folder: Path | None,
    as_json: bool,
) -> None:
    """Make a session of FILE: what `eda export` wrote, whose checksums are verified, or a transcript.

    A transcript is of a kind that --as lists; `eda analyze --help` says how its messages are made. Each of its
    conversations becomes a session that ended. You can show, recall, report and ask it; nobody can go on with it.
    """
    from eda.debate.replay import read_back, save_memory
    from eda.transcripts import read_transcripts

    interruptible()
    stream = None if file.is_dir() else UserFile(file, InputError, what="transcript").seekable()
    if kind is None and not columns and stream and _is_export(stream):
        with folders.unpack(file, name, folder, stream=stream) as session:
            done(
                say("sessions-imported", name=session.name, typed=session.typed), as_json=as_json, session=session.name
            )
        return
    made: list[tuple[str, str, int]] = []
    with reading_bar() as bar, Minutes(runner) as minutes:
        transcript = read_transcripts(file, kind=kind, columns=columns, skip_bad=skip_bad, stream=stream)
        chosen = _chosen(transcript.conversations, conv, name)
        bar.begin(sum(map(len, chosen.values())))
        for own, rows in chosen.items():
            with Session.create(name or free_name(own, sessions_folder(folder)), folder) as session:
                try:
                    about = {"options": options, "question": question}
                    minutes.of(rows, session, patterns=patterns, on_message=bar.advance, **about)
                    save_memory(session, *read_back(session, patterns))
                except BaseException:
                    session.discard()
                    raise
                made.append((session.name, session.typed, len(rows)))
    lines = [say("sessions-imported-talk", new=new, number=number, typed=typed) for new, typed, number in made]
    sessions = [{"session": new, "messages": number} for new, _, number in made]
    done("\n".join(lines), as_json=as_json, session=made[0][0], kind=transcript.kind, sessions=sessions)
    tell_unread(file, transcript)
    minutes.tell_spent()


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
