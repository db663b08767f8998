"""Lists of sessions and of runs: a table on a terminal, a line each with tabs between the fields in a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from eda.view.style import columns
from eda.view.text import listed, money, one_line, shorten

__all__ = ["print_runs", "print_sessions"]

_STATES = {"ended": "green", "paused": "yellow", "unfinished": "yellow", "running": "cyan", "unreadable": "red"}
_WIDE = 120
"""Columns of a screen on which the panel has a place in the list."""
_NAMES = 80
"""Columns of a screen on which a session's name is never broken."""


def print_sessions(rows: Sequence[dict[str, Any]], console: Console) -> None:
    """A row a session; an unreadable one says why."""
    cells = [_session_cells(row) for row in rows]
    if not console.is_terminal:
        _print_tabbed(cells, console)
        return
    wide = console.width >= _WIDE
    table = columns(["session", "question", *(["panel"] if wide else []), "messages", "state", "date"], {"messages"})
    table.columns[0].no_wrap = console.width >= _NAMES
    table.columns[0].overflow = "fold"
    for session, question, panel, said, state, date in cells:
        broken = state == "unreadable"
        asked = Text(question, style="red" if broken else "", no_wrap=not broken, overflow="ellipsis")
        between = [Text(panel, style="dim")] if wide else []
        state_text = Text(state, style=_STATES[state])
        table.add_row(Text(session, style="bold"), asked, *between, said, state_text, Text(date[:10], style="dim"))
    console.print(table)


def print_runs(rows: Sequence[dict[str, Any]], console: Console) -> None:
    """A row a debate, and how often each outcome came."""
    cells = [_run_cells(row) for row in rows]
    outcomes = [row["outcome"] or "no verdict" for row in rows]
    counted = sorted({name: outcomes.count(name) for name in outcomes}.items(), key=lambda item: -item[1])
    summary = "; ".join(f"{number} of {len(rows)}: {one_line(name)}" for name, number in counted)
    if not console.is_terminal:
        _print_tabbed(cells, console)
        console.out(summary, highlight=False)
        return
    table = columns(
        ["seed", "outcome", "votes", "messages", "changed minds", "cost", "session"], {"seed", "messages", "cost"}
    )
    for row in cells:
        shown = [shorten(cell, 60) if place == 1 else cell for place, cell in enumerate(row)]
        styles = ["dim", "bold", "", "", "", "dim", ""]
        table.add_row(*(Text(cell, style=style) for cell, style in zip(shown, styles, strict=True)))
    console.print(table)
    console.print(Text(summary))


def _session_cells(row: dict[str, Any]) -> list[str]:
    if "error" in row:
        return [one_line(row["session"]), one_line(row["error"]), "", "", "unreadable", ""]
    question = row["question"] or f"({row['kind']})"
    date = (row["last"] or "")[:16].replace("T", " ")
    names = map(one_line, (row["session"], question, row["panel"]))
    return [*names, str(row["messages"]), row["state"], date]


def _run_cells(row: dict[str, Any]) -> list[str]:
    votes = " : ".join(str(number) for number in sorted(row["votes"].values(), reverse=True))
    outcome = one_line(row["outcome"] or f"no verdict ({row['none_because'] or row['reason']})")
    changed = listed(row["changed_minds"]) or "–"
    cost = money(row["cost"], row["unpriced_calls"])
    return [str(row["seed"]), outcome, votes, str(row["messages"]), changed, cost, one_line(row["session"])]


def _print_tabbed(cells: Sequence[Sequence[str]], console: Console) -> None:
    for row in cells:
        console.file.write("\t".join(row) + "\n")
