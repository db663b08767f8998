"""`eda sessions`: the list of saved sessions. A new column is a value in `session_row` and one in `_COLUMNS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.console import Console
from rich.text import Text

from eda.cli.common import decided, note, print_json, say
from eda.cli.dates import DateType, Span
from eda.cli.options import session_options
from eda.cli.terminal.style import columns, console_for, print_tabbed
from eda.report.formatting import money, one_line
from eda.report.overview import overview
from eda.session.names import ARCHIVE, session_names, sessions_folder


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


def _parent(row: Mapping[str, Any]) -> str:
    if not row.get("from"):
        return ""
    from eda.events import Parent
    from eda.report.phrases import parent_phrase

    return parent_phrase(Parent(**row["from"]))


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
    "from": _Column(_parent, _parent, 140),
    "date": _Column(_last, lambda row: row.get("last") or ""),
}
"""The columns in order; on a terminal the date is shown as an age."""
_FIGURES = {"messages", "margin", "cost", "date"}
_LARGEST_FIRST = {"margin", "messages", "cost", "date"}
_STYLES = {"session": "bold", "members": "dim", "from": "dim", "date": "dim"}
_STATES = {"ended": "green", "paused": "yellow", "unfinished": "yellow", "running": "cyan", "unreadable": "red"}
_NAMES = 80
"""Columns of a terminal from which a session's name is never broken."""


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
        click.echo(say("sessions-none-like", names=len(names), where=str(where)))
    else:
        click.echo(say("sessions-none", where=str(where)))
    if not (as_json or archived or words or any(only.values())):
        for group in _groups(where, names):
            note(say("sessions-more", group=str(group)))


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
