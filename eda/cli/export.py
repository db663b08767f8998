"""`eda export`."""

from __future__ import annotations

from pathlib import Path

import click

from eda.cli.common import done, note
from eda.cli.options import FILE, json_option, one_of, sessions_option
from eda.errors import UsageError


@click.command()
@click.argument("session_id", metavar="[ID]", required=False)
@click.option("--to", type=FILE, help="The file to write. Default: ID.eda.")
@click.option("--sqlite", type=FILE, help="Write tables into this SQLite file: of ID, or of all sessions.")
@sessions_option
@json_option
def export(*, session_id: str | None, to: Path | None, sqlite: Path | None, folder: Path | None, as_json: bool) -> None:
    """Write session ID into one file, which `eda import` takes: its log, recording and report, with checksums.

    With --sqlite, write it, or all sessions, as tables: sessions, messages, proposals, reactions, ballots, stances,
    notes and calls.
    """
    from eda.cli.show import place_of
    from eda.report.formatting import count
    from eda.session import Session, session_names, sessions_folder
    from eda.session.folders import own_file, pack

    if sqlite is not None and to is not None:
        raise one_of("--sqlite", "--to")
    if sqlite is not None:
        from eda.report.tables import write_tables

        where = sessions_folder(folder)
        places = [where / name for name in session_names(where)] if session_id is None else [place_of(session_id)]
        with own_file(sqlite) as file:
            rows, unread = write_tables(file, places, folder)
        for reason in unread:
            note(f"left out: {reason}")
        done(f"wrote {count(rows, 'session')} into {sqlite}", as_json=as_json, file=str(sqlite), sessions=rows)
        return
    if session_id is None:
        raise UsageError("say which session", hint="eda export ID, or all of them: eda export --sqlite FILE")
    with Session.read(place_of(session_id), folder) as session:
        file = to or Path(f"{session.name}.eda")
        pack(session, file)
    done(f"wrote {file}; to read it elsewhere: eda import {file}", as_json=as_json, file=str(file))
