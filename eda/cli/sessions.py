"""`eda sessions`: the list of saved sessions. A new column is a value in `session_row` and a cell in `_COLUMNS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from eda.cli.common import print_json
from eda.cli.options import json_option, sessions_option
from eda.cli.terminal.style import columns, console_for, print_tabbed
from eda.debate.replay import progress_of
from eda.debate.state import DebateState
from eda.errors import EdaError
from eda.events import SessionStarted
from eda.report.formatting import one_line
from eda.session import Session, session_names, sessions_folder

_COLUMNS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "session": lambda row: one_line(row["session"]),
    "question": lambda row: one_line(row["question"] or f"({row['kind']})"),
    "panel": lambda row: one_line(row["panel"]),
    "messages": lambda row: str(row["messages"]),
    "state": lambda row: row["state"],
    "date": lambda row: (row["last"] or "")[:16].replace("T", " "),
}
"""The columns in order, each with the cell of a session that can be read."""
_STYLES = {"session": "bold", "panel": "dim", "date": "dim"}
_STATES = {"ended": "green", "paused": "yellow", "unfinished": "yellow", "running": "cyan", "unreadable": "red"}
_WIDE = 120
"""Columns of a terminal from which the list has a column for the panel."""
_NAMES = 80
"""Columns of a terminal from which a session's name is never broken."""


@click.command()
@sessions_option
@json_option
def sessions(*, folder: Path | None, as_json: bool) -> None:
    """List the saved sessions. A session that cannot be read is listed with the reason.

    `eda resume` continues a paused or unfinished session. `running`: another process is working on it.
    """
    where = sessions_folder(folder)
    rows = [_row(name, where) for name in session_names(where)]
    rows.sort(key=lambda row: row.get("last") or "", reverse=True)
    if as_json:
        print_json({"sessions": rows})
    elif not rows:
        click.echo(f'no sessions in {where}; start one: eda debate "Should we ...?"')
    else:
        print_sessions(rows, console_for())


def _row(name: str, where: Path) -> dict[str, Any]:
    """Return the row of a session; for one that cannot be read, its name and the reason."""
    from eda.debate.control.socket import is_running

    try:
        with Session.read(name, where) as session:
            progress = progress_of(session)
            running = progress.ended is None and is_running(session)
            return session_row(session.started(), progress, running=running)
    except EdaError as error:
        return {"session": name, "error": str(error)}


def session_row(started: SessionStarted, progress: DebateState, *, running: bool = False) -> dict[str, Any]:
    """Return the row of a session, as `--json` prints it. `running`: whether another process runs it."""
    return {
        "session": started.session,
        "kind": started.kind,
        "question": started.question,
        "panel": started.panel or ", ".join(member.title for member in started.members),
        "messages": progress.messages,
        "state": "running" if running else progress.state,
        "reason": progress.ended or progress.paused,
        "outcome": progress.verdict.outcome if progress.verdict else None,
        "runner": started.runner,
        "started": progress.first_at.isoformat() if progress.first_at else None,
        "last": progress.last_at.isoformat() if progress.last_at else None,
    }


def print_sessions(rows: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print a table on a terminal, lines with tabs in a pipe; an unreadable session has the reason as its question."""
    cells = [_cells(row) for row in rows]
    if not console.is_terminal:
        print_tabbed(console, [list(row.values()) for row in cells])
        return
    names = [name for name in _COLUMNS if name != "panel" or console.width >= _WIDE]
    table = columns(names, {"messages"})
    table.columns[0].no_wrap = console.width >= _NAMES
    table.columns[0].overflow = "fold"
    for row in cells:
        broken = row["state"] == "unreadable"
        styles = {**_STYLES, "question": "red" if broken else "", "state": _STATES[row["state"]]}
        row["date"] = row["date"][:10]
        texts = {name: Text(row[name], style=styles.get(name, "")) for name in names}
        texts["question"].no_wrap, texts["question"].overflow = not broken, "ellipsis"
        table.add_row(*texts.values())
    console.print(table)


def _cells(row: Mapping[str, Any]) -> dict[str, str]:
    if "error" not in row:
        return {name: cell(row) for name, cell in _COLUMNS.items()}
    known = {"session": one_line(row["session"]), "question": one_line(row["error"]), "state": "unreadable"}
    return {name: known.get(name, "") for name in _COLUMNS}
