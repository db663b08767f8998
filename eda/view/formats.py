"""Formats of debate, for somebody who picks one."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from eda.agenda import Agenda, Phase
from eda.floor import FLOOR_LINES
from eda.view.style import line, prose, under
from eda.view.text import count, one_line
from eda.voting import rule_named

__all__ = ["print_format", "print_formats"]

_INDENT = 3
_KINDS = {
    "blind": "all write at once, unseen by each other",
    "open": "the floor goes to one after the other",
    "round": "each once, in seat order",
    "poll": "each says privately where it stands",
    "ballot": "each votes",
    "verdict": "the votes are counted",
}
_FLOOR_OPEN = "Floor: the panel's, or that of --floor; else bidding. `eda formats` says what each promises."
_UNTIL = {"settled": "until no stance moves", "unblocked": "until a choice wins that nobody blocks"}


def print_formats(console: Console, agendas: Sequence[Agenda]) -> None:
    """A few lines each."""
    for agenda in agendas:
        line(console, Text(agenda.name, style="bold"))
        _under(console, Text(one_line(agenda.description)))
        _under(console, Text(f"Ends with: {one_line(agenda.promise)}"))
        _under(console, Text(" > ".join(phase.name for phase in agenda), style="dim"))
    line(console, Text("\nWho has the floor (--floor)", style="bold"))
    for floor, promise in FLOOR_LINES.items():
        _under(console, Text.assemble((floor, "bold"), f"  {promise}"))


def print_format(console: Console, agenda: Agenda, path: str) -> None:
    """One in full, and the path of its file."""
    line(console, Text.assemble((one_line(agenda.title), "bold"), (f"  {agenda.name}", "dim")))
    _under(console, Text(one_line(agenda.description)))
    _under(console, Text(f"Ends with: {one_line(agenda.promise)}"))
    rule = rule_named(agenda.rule)
    _under(console, Text(f"Votes on {_on(agenda)}. Decides by {rule.name}: {rule.line}"))
    if agenda.sides:
        _under(console, Text(f"Sides, taken in turn by seat: {', '.join(map(one_line, agenda.sides))}."))
    if agenda.anonymous:
        _under(console, Text("Members are not told who is who."))
    for number, phase in enumerate(agenda, 1):
        line(console, Text.assemble((f"\n{number}. {phase.name}", "bold"), (f"  {_how(phase)}", "dim")))
        if phase.kind == "open":
            named = f"Floor: {phase.floor}. {FLOOR_LINES[phase.floor]}" if phase.floor else _FLOOR_OPEN
            _under(console, Text(named))
        if phase.instruction:
            _under(console, prose(phase.instruction.strip()))
    line(console, Text(f"\nIts file, to copy for one of your own: {path}", style="dim"))


def _under(console: Console, text: Text) -> None:
    under(console, text, _INDENT)


def _on(agenda: Agenda) -> str:
    said = {
        "auto": "the options, else yes and no, else the proposals",
        "options": "the options",
        "proposals": "the proposals",
        "both": "options and proposals",
    }
    return said[agenda.choices]


def _how(phase: Phase) -> str:
    parts = [_KINDS[phase.kind]]
    if phase.messages:
        parts.append(f"at most {count(phase.messages, 'message')}")
    if phase.until:
        parts.append(f"{_UNTIL[phase.until]}, else back to {phase.back_to}; {phase.laps} times at most")
    return "; ".join(parts)
