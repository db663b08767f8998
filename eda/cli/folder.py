"""The commands that move, delete, pack and copy sessions: rename, archive, delete, export, redact."""

import asyncio
import csv
import io
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import orjson

from eda.cli.common import FILE, TEXT, agrees, done, note, say, spoken_of
from eda.cli.options import one_of, place_of, repeatable, runner_option, session_command, session_options
from eda.errors import EdaError, UsageError
from eda.events import stored_event
from eda.report.formatting import count, listed, one_line
from eda.session import Session, folders
from eda.session.frames import COLUMNS
from eda.session.names import as_typed, free_name, session_names, sessions_folder
from eda.session.places import MEMORY_FILE, existing
from eda.session.store import replace_file

# Places that are named of what is left in a copy without names.
_PLACES = 4


@session_command
@click.argument("new", metavar="NEW")
@session_options
def rename(*, session_id: str | Path, new: str, folder: Path | None, as_json: bool) -> None:
    """Give session ID the name NEW."""
    place = folders.rename(session_id, new, folder)
    done(say("sessions-renamed", name=Path(session_id).name, typed=as_typed(place)), as_json=as_json, session=new)


@click.command()
@click.argument("session_ids", metavar="ID...", nargs=-1, required=True, type=place_of)
@click.option("--back", is_flag=True, help="Bring them back.")
@session_options
def archive(*, session_ids: tuple[str | Path, ...], back: bool, folder: Path | None, as_json: bool) -> None:
    """Put sessions away: `eda sessions` does not list them any more, `eda sessions --archived` does."""
    places = [folders.archive(name, folder, back=back) for name in session_ids]
    key = "sessions-back" if back else "sessions-archived"
    text = "\n".join(say(key, name=place.name, typed=as_typed(place)) for place in places)
    done(text, as_json=as_json, sessions=[place.name for place in places], archived=not back)


@click.command()
@click.argument("session_ids", metavar="ID...", nargs=-1, required=True, type=place_of)
@click.option("--yes", is_flag=True, help="Do not ask.")
@session_options
def delete(*, session_ids: tuple[str | Path, ...], yes: bool, folder: Path | None, as_json: bool) -> None:
    """Delete sessions, each with its whole folder. You are asked first; `eda archive` only puts them away."""
    if not yes and not sys.stdin.isatty():
        raise UsageError("nobody can be asked here", hint="Add --yes, if you mean it.")
    deleted = []
    for name in session_ids:
        place = existing(name, folder)
        files = listed(sorted(one_line(path.name) for path in place.iterdir() if not path.name.startswith(".")))
        if yes or agrees(say("sessions-ask-delete", place=str(place), files=files)):
            folders.delete(name, folder)
            deleted.append(place.name)
        else:
            note(say("sessions-stays", name=place.name))
    done("\n".join(say("sessions-deleted", name=name) for name in deleted), as_json=as_json, deleted=deleted)


@click.command()
@click.argument("session_id", metavar="[ID]", required=False, type=place_of)
@click.option("--to", type=FILE, help="The file to write. Default: ID.eda.")
@click.option("--tables", type=FILE, help="Write tables into this new folder, as CSV: of ID, or of all sessions.")
@session_options
def export(
    *, session_id: str | Path | None, to: Path | None, tables: Path | None, folder: Path | None, as_json: bool
) -> None:
    """Write session ID into one file, which `eda import` takes: its log, recording and report, with checksums.

    With --tables, write it, or all sessions, as tables: messages, ballots, stances and calls.
    """
    if tables is not None:
        if to is not None:
            raise one_of("--tables", "--to")
        where = sessions_folder(folder)
        places = [where / name for name in session_names(where)] if session_id is None else [session_id]
        rows = _write_tables(tables, places, folder)
        done(f"wrote {count(rows, 'session')} into {tables}", as_json=as_json, folder=str(tables), sessions=rows)
        return
    if session_id is None:
        raise UsageError("say which session", hint="eda export ID, or all of them: eda export --tables FOLDER")
    with spoken_of(Session.read(session_id, folder)) as session:
        file = to or Path(f"{session.name}.eda")
        folders.pack(session, file)
    done(say("sessions-packed", file=str(file)), as_json=as_json, file=str(file))


def _write_tables(to: Path, places: Sequence[str | Path], sessions: Path | None) -> int:
    """Write the rows of sessions into CSV files in a new folder; return how many were read. Lists are JSON."""
    frames: dict[str, list[dict[str, Any]]] = {name: [] for name in COLUMNS}
    read = 0
    for place in places:
        try:
            with Session.read(place, sessions) as session:
                for name, rows in session.frames().items():
                    frames[name] += rows
        except EdaError as error:
            note(str(error), "left-out")
        else:
            read += 1
    with folders.own(to, folder=True):
        for name, rows in frames.items():
            text = io.StringIO()
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(COLUMNS[name].split())
            writer.writerows([map(_as_field, row.values()) for row in rows])
            replace_file(to / f"{name}.csv", text.getvalue().encode("utf-8"))
    return read


def _as_field(value: Any) -> Any:
    if isinstance(value, list | tuple | dict):
        return orjson.dumps(value).decode()
    return value.isoformat() if isinstance(value, datetime) else value


@session_command
@click.option(
    "--names", "members", is_flag=True, help="Replace the names of the members, and of people who wrote notes or asked."
)
@repeatable("--name", "names", "NAME", 'Replace this person too; with other names of theirs: "Jane Doe=Janie".')
@runner_option("Have this model look at the copy, too: what it takes for telling is listed with the rest.")
@click.option("--checked", is_flag=True, help="You have read the list of what is left, and nobody is in it.")
@click.option("--to", type=TEXT, metavar="NEW", help="Name of the copy. Default: redacted.")
@session_options
def redact(
    *,
    session_id: str | Path,
    members: bool,
    names: tuple[str, ...],
    runner: str | None,
    checked: bool,
    to: str | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Write a copy of session ID without names: each is replaced wherever it stands, notes and report included.

    The session itself stays as it is. The copy has no recording, since prompts are full of names. What may still tell
    who somebody is, is listed with its place; the exit code is 1 until you say that you have --checked it.
    """
    from eda.debate.replay import read_back, save_memory
    from eda.report.forms import save_report
    from eda.report.gather import report_of
    from eda.report.recognised import telling_in
    from eda.report.verify import seal_copy
    from eda.runners.shipped import model_of
    from eda.session.redaction import Redaction, left_in, texts_in, texts_of

    if not (members or names):
        raise UsageError("say what to replace", hint=f'eda redact {session_id} --names, or --name "Jane Doe".')
    reader = model_of(runner, "cannot look at a copy")
    name = to or free_name("redacted", sessions_folder(folder))
    with spoken_of(Session.read(session_id, folder)) as session:
        redaction = Redaction(session.events(), members=members, names=names)
        facts = [
            stored_event.validate_python(redaction.of(event, name).model_dump(mode="json"))
            for event in session.events()
        ]
        ours = session.ours
    with Session.of_facts(name, facts, folder, ours=ours) as copy:
        progress, memory = read_back(copy)
        save_memory(copy, progress, memory)
        if progress.verdict is not None:
            save_report(copy, report_of(copy, progress, memory), memory)
            with Session.read(session_id, folder) as session:
                seal_copy(session, copy)
        files = {MEMORY_FILE: orjson.dumps(memory.to_json()).decode(), **texts_of(sessions_folder(folder) / name)}
        left = left_in(facts, files, redaction.persons)
        if reader is not None:
            left = asyncio.run(telling_in(texts_in(facts), reader)) | left
        lines = [say("sessions-redacted", name=copy.name, session=Path(session_id).name, names=len(redaction.persons))]
        lines += [f"  {one.pseudonym}: {', '.join(dict.fromkeys(one.names))}" for one in redaction.persons]
        text = "\n".join((*lines, say("sessions-read-it", typed=copy.typed)))
        done(
            text,
            as_json=as_json,
            session=copy.name,
            names={name: one.pseudonym for one in redaction.persons for name in one.names},
            left=left,
        )
    if left and not as_json:
        for each, places in left.items():
            note(say("sessions-redact-left", name=each, places=places[:_PLACES], more=max(0, len(places) - _PLACES)))
    if left and not checked:
        note(say("sessions-redact-check", typed=copy.typed))
        raise click.exceptions.Exit(1)
