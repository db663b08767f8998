"""`eda sessions`: the list of saved sessions. A new column is a value in `session_row` and one in `_COLUMNS`.

What the list says of a session is stored beside its log, so that a list of a thousand sessions reads no log. The record
names the size and the time of the log that it was made from; where they differ, it is made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import orjson
from rich.console import Console
from rich.text import Text

from eda.cli.common import decided, note, print_json
from eda.cli.dates import DateType, Span
from eda.cli.options import session_options
from eda.cli.terminal.style import columns, console_for, print_tabbed
from eda.errors import EdaError
from eda.report.formatting import money, one_line
from eda.session.names import ARCHIVE, LOG_FILE, OVERVIEW_FILE, SOCKET_FILE, session_names, sessions_folder

if TYPE_CHECKING:
    from eda.debate.state import DebateState
    from eda.events import SessionStarted


class _Column(NamedTuple):
    cell: Callable[[Mapping[str, Any]], str]
    """The cell of a session that can be read."""
    sort: Callable[[Mapping[str, Any]], Any]
    """What the list is sorted by."""
    width: int = 0
    """Columns of a terminal from which it is shown."""


def outcome_text(row: Mapping[str, Any]) -> str:
    """Return what a session came to, in words: the answer, a list's items, `no verdict`, or nothing so far."""
    undecided = row.get("verdict") and row["outcome"] is None
    return "none" if undecided else decided(row.get("outcome"))


def _words(key: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda row: one_line(row.get(key) or "")


def _last(row: Mapping[str, Any]) -> str:
    return (row.get("last") or "")[:16].replace("T", " ")


_COLUMNS: Mapping[str, _Column] = {
    "session": _Column(_words("session"), _words("session")),
    "question": _Column(lambda row: one_line(row["question"] or f"({row['kind']})"), _words("question")),
    "state": _Column(_words("state"), _words("state")),
    "verdict": _Column(lambda row: one_line(outcome_text(row)), outcome_text, 100),
    "margin": _Column(
        lambda row: "" if row.get("margin") is None else f"{row['margin']:g}", lambda row: row.get("margin") or 0, 130
    ),
    "members": _Column(lambda row: ", ".join(map(one_line, row.get("members", ()))), _words("panel"), 160),
    "messages": _Column(lambda row: str(row["messages"]), lambda row: row.get("messages", 0), 80),
    "cost": _Column(
        lambda row: money(row.get("cost", 0), row.get("unpriced_calls", 0)), lambda row: row.get("cost", 0), 110
    ),
    "from": _Column(_words("from"), _words("from"), 140),
    "date": _Column(_last, lambda row: row.get("last") or ""),
}
"""The columns in order; on a terminal the date is shown as an age."""
_FIGURES = {"messages", "margin", "cost", "date"}
_LARGEST_FIRST = {"margin", "messages", "cost", "date"}
_STYLES = {"session": "bold", "members": "dim", "from": "dim", "date": "dim"}
_STATES = {"ended": "green", "paused": "yellow", "unfinished": "yellow", "running": "cyan", "unreadable": "red"}
_NAMES = 80
"""Columns of a terminal from which a session's name is never broken."""


_VERSION = 1
"""Of the row: one more with each change of it."""

_DATE = DateType()


@click.command()
@click.argument("words", nargs=-1, metavar="[WORD]...")
@click.option("--state", type=click.Choice(list(_STATES)), help="Only sessions in this state.")
@click.option(
    "--since", type=_DATE, metavar="DATE", help="Only sessions that went on at this date or later, such as yesterday."
)
@click.option("--until", type=_DATE, metavar="DATE", help="Only sessions that went on at this date or earlier.")
@click.option(
    "--sort", type=click.Choice(list(_COLUMNS)), default="date", show_default=True, help="The column to sort by."
)
@click.option("--archived", is_flag=True, help="List those that were put away with `eda archive`.")
@session_options
def sessions(
    *, words: tuple[str, ...], sort: str, archived: bool, folder: Path | None, as_json: bool, **only: Any
) -> None:
    """List the saved sessions, or those that have each WORD in their name, question, verdict or members.

    A session that cannot be read is listed with the reason. `eda resume` continues a paused or unfinished session.
    `running`: another process is working on it.
    """
    where = sessions_folder(folder) / ARCHIVE if archived else sessions_folder(folder)
    names = session_names(where)
    rows = [row for name in names if _wanted(row := overview(where / name), words, **only)]
    rows.sort(key=_COLUMNS[sort].sort, reverse=sort in _LARGEST_FIRST)
    if as_json:
        print_json({"sessions": rows})
    elif rows:
        print_sessions(rows, console_for())
    elif names:
        click.echo(f"none of the {len(names)} sessions in {where} is like that")
    else:
        start = "the example that comes with EDA: eda show example"
        click.echo(f'no sessions in {where}; start one: eda debate "Should we ...?"; {start}')
    if not (as_json or archived or words or any(only.values())):
        for group in _groups(where, names):
            note(f"more: eda sessions --sessions {group}")


def _groups(where: Path, names: Sequence[str]) -> list[Path]:
    """Return the folders beside the sessions that hold sessions, such as those of `--repeat`."""
    if not where.is_dir():
        return []
    others = sorted({path.name for path in where.iterdir()} - {ARCHIVE, *names})
    return [where / name for name in others if (where / name).is_dir() and session_names(where / name)]


def _wanted(
    row: Mapping[str, Any], words: Sequence[str], *, state: str | None, since: Span | None, until: Span | None
) -> bool:
    text = " ".join(
        (row["session"], row.get("question", ""), row.get("panel", ""), *row.get("members", ()), outcome_text(row))
    ).casefold()
    last = datetime.fromisoformat(row["last"]) if row.get("last") else None
    return (
        all(word.casefold() in text for word in words)
        and state in (None, row.get("state", "unreadable"))
        and (since is None or (last is not None and since.begin <= last))
        and (until is None or (last is not None and last < until.end))
    )


def print_sessions(rows: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print a table on a terminal, lines with tabs in a pipe; an unreadable session has the reason as its question."""
    cells = [_cells(row) for row in rows]
    if not console.is_terminal:
        print_tabbed(console, [list(row.values()) for row in cells])
        return
    names = [name for name, column in _COLUMNS.items() if console.width >= column.width]
    names = [name for name in names if name != "from" or any(row["from"] for row in cells)]
    table = columns([name if name != "date" else "age" for name in names], _FIGURES - {"date"} | {"age"})
    table.columns[0].no_wrap = console.width >= _NAMES
    table.columns[0].overflow = "fold"
    now = datetime.now(UTC)
    for row, data in zip(cells, rows, strict=True):
        broken = row["state"] == "unreadable"
        styles = {**_STYLES, "question": "red" if broken else "", "state": _STATES[row["state"]]}
        row["date"] = _age(now - datetime.fromisoformat(data["last"])) if data.get("last") else ""
        texts = {name: Text(row[name], style=styles.get(name, "")) for name in names}
        for name in {"question", "verdict", "members", "from"} & texts.keys():
            texts[name].no_wrap, texts[name].overflow = not broken, "ellipsis"
        table.add_row(*texts.values())
    console.print(table)


def _age(passed: Any) -> str:
    """Return how long ago something was, in its largest unit: `5 min`, `3 h`, `12 d`."""
    seconds = max(0, int(passed.total_seconds()))
    for unit, length in (("d", 86_400), ("h", 3600)):
        if seconds >= length:
            return f"{seconds // length} {unit}"
    return f"{seconds // 60} min"


def _cells(row: Mapping[str, Any]) -> dict[str, str]:
    if "error" not in row:
        return {name: column.cell(row) for name, column in _COLUMNS.items()}
    known = {"session": one_line(row["session"]), "question": one_line(row["error"]), "state": "unreadable"}
    return {name: known.get(name, "") for name in _COLUMNS}


def overview(folder: Path) -> dict[str, Any]:
    """Return the row of a session; for one that cannot be read, its name and the reason."""
    try:
        made_from = _log_of(folder)
        row = _stored(folder, made_from) or _made(folder, made_from)
    except EdaError as error:
        return {"session": folder.name, "error": str(error)}
    running = row["state"] != "ended" and (folder / SOCKET_FILE).exists() and _running(folder)
    return {**row, "session": folder.name} | ({"state": "running"} if running else {})


def _log_of(folder: Path) -> list[int]:
    """Return what tells the log from an earlier one; nothing where it cannot be looked at."""
    with suppress(OSError):
        stat = (folder / LOG_FILE).stat()
        return [_VERSION, stat.st_size, stat.st_mtime_ns]
    return []


def _stored(folder: Path, made_from: list[int]) -> dict[str, Any] | None:
    with suppress(OSError, orjson.JSONDecodeError, KeyError, TypeError):
        record = orjson.loads((folder / OVERVIEW_FILE).read_bytes())
        if record["made_from"] == made_from and isinstance(record["row"], dict):
            return dict(record["row"])
    return None


def _made(folder: Path, made_from: list[int]) -> dict[str, Any]:
    """Return the row of a session's log, and store it where the folder can be written."""
    from eda.debate.replay import progress_of
    from eda.session.store import Session, replace_file

    with Session.read(folder) as session:
        row = session_row(session.started(), progress_of(session))
    with suppress(OSError, EdaError):
        replace_file(folder / OVERVIEW_FILE, orjson.dumps({"made_from": made_from, "row": row}))
    return row


def _running(folder: Path) -> bool:
    from eda.debate.control.socket import is_running
    from eda.session.store import Session

    with Session.read(folder) as session:
        return is_running(session)


def session_row(started: SessionStarted, progress: DebateState) -> dict[str, Any]:
    """Return the row of a session, as `--json` prints it."""
    verdict, spent = progress.verdict, progress.spent
    return {
        "session": started.session,
        "kind": started.kind,
        "question": started.question,
        "panel": started.panel or ", ".join(member.title for member in started.members),
        "members": list(progress.members),
        "messages": progress.messages,
        "state": progress.state,
        "reason": progress.ended or progress.paused,
        "verdict": verdict is not None,
        "outcome": verdict.outcome if verdict else None,
        "margin": verdict.margin if verdict else None,
        "cost": spent.cost,
        "unpriced_calls": spent.unpriced_calls,
        "from": started.parent,
        "runner": started.runner,
        "started": progress.first_at.isoformat() if progress.first_at else None,
        "last": progress.last_at.isoformat() if progress.last_at else None,
    }
