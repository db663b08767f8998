"""Sessions as tables of SQLite, for SQL and what reads it: one row a message, proposal, reaction, ballot, call ..."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson

from eda.debate.replay import memory_of, progress_of
from eda.errors import EdaError, SessionError
from eda.session import Session
from eda.session.frames import COLUMNS, row_of

_TABLES: Mapping[str, str] = {
    "sessions": "session kind question panel members state reason rule answer outcome margin messages calls tokens "
    "cost started last runner seed parent",
    "proposals": "session id message proposer status motion content",
    "reactions": "session message agent reaction to source why",
    "notes": "session message at who importance topic private text",
    **COLUMNS,
}
"""The columns of each table. What holds several values is JSON."""


def write_tables(file: Path, places: Sequence[str | Path], sessions: Path | None = None) -> tuple[int, list[str]]:
    """Write sessions into an empty file; return how many, and why others were left out.

    Raises:
        SessionError: the disk refused.
    """
    written, left_out = 0, []
    try:
        with closing(sqlite3.connect(file)) as database:
            for name, columns in _TABLES.items():
                database.execute(f"CREATE TABLE {name} ({_named(columns)})")
            for place in places:
                try:
                    with Session.read(place, sessions) as session:
                        tables = _tables(session)
                except EdaError as error:
                    left_out.append(str(error))
                    continue
                written += 1
                for name, rows in tables.items():
                    marks = ", ".join("?" * len(_TABLES[name].split()))
                    database.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)  # noqa: S608 - its own names
            database.commit()
    except sqlite3.Error as error:
        raise SessionError(f"{file}: cannot be written ({error})", hint="Free some space or check the disk.") from error
    return written, left_out


def _named(columns: str) -> str:
    return ", ".join(f'"{column}"' for column in columns.split())


def _tables(session: Session) -> dict[str, list[list[Any]]]:
    memory = memory_of(session)
    tables: dict[str, list[list[Any]]] = {name: [] for name in _TABLES}

    def add(table: str, *of: Any, **known: Any) -> None:
        known["session"] = session.name
        tables[table].append([*map(_stored, row_of(_TABLES[table], *of, **known).values())])

    add("sessions", **_session(session))
    for name, rows in session.frames().items():
        for row in rows:
            add(name, **row)
    motions = {text.id: motion.id for motion in memory.motions for text in motion.versions}
    for proposal in memory.proposals:
        add("proposals", proposal, motion=motions.get(proposal.id, proposal.id))
    for name, items in (("reactions", memory.reactions), ("notes", memory.private_notes())):
        for item in items:
            add(name, item)
    return tables


def _session(session: Session) -> dict[str, Any]:
    started, progress = session.started(), progress_of(session)
    verdict = progress.verdict
    return {
        **{name: getattr(started, name) for name in ("kind", "question", "panel", "runner", "seed", "parent")},
        **{name: getattr(progress, name) for name in ("members", "state", "messages")},
        **{name: getattr(verdict, name) if verdict else None for name in ("rule", "answer", "outcome", "margin")},
        **{name: getattr(progress.spent, name) for name in ("calls", "tokens", "cost")},
        "reason": progress.ended or progress.paused,
        "started": progress.first_at,
        "last": progress.last_at,
    }


def _stored(value: Any) -> Any:
    if isinstance(value, list | tuple | dict):
        return orjson.dumps(value).decode()
    return value.isoformat() if hasattr(value, "isoformat") else value
