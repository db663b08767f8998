"""`eda list formats`: the debate formats, for somebody who picks one."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from eda.cli.common import print_json, say
from eda.cli.setting_options import import_from_here
from eda.cli.terminal.style import console_for, line, prose, under
from eda.panels.agenda import Agenda, Phase, agenda_file, agenda_names, load_agenda
from eda.panels.registry import FLOORS, line_of
from eda.report.formatting import count, one_line
from eda.voting import rule_named


def show_formats(name: str | None, *, as_json: bool) -> None:
    """Print the debate formats, or one: its name, or the path of its file."""
    if name:
        import_from_here()
    shown = [load_agenda(name)] if name else [load_agenda(known) for known in agenda_names()]
    if as_json:
        data = [agenda.model_dump(mode="json") for agenda in shown]
        print_json(data[0] if name else data)
    elif name:
        print_format(console_for(), shown[0], agenda_file(name))
    else:
        print_formats(console_for(), shown)


_INDENT = 3
_FLOOR_OPEN = "Floor: the panel's, or that of --floor; else bidding. `eda list floors` says what each promises."
_VOTED_ON = {
    "auto": "what was given (options, or yes and no) and the open proposals",
    "options": "the options",
    "proposals": "the proposals",
    "both": "options and proposals",
}
_ANSWER = {
    "one": "Ends with one answer.",
    "list": "Ends with a list: each motion is adopted or not by itself.",
    None: "Ends with one answer where options are given or the question is answered by yes or no, else with a list.",
}
_UNTIL = {"settled": "until no stance moves", "unblocked": "until a choice wins that nobody blocks"}


def print_formats(console: Console, agendas: Sequence[Agenda]) -> None:
    """Print a few lines on each format."""
    for agenda in agendas:
        line(console, Text(agenda.name, style="bold"))
        _under(console, Text(one_line(agenda.description)))
        _under(console, Text(f"Ends with: {one_line(agenda.promise)}"))
        _under(console, Text(" > ".join(phase.name for phase in agenda), style="dim"))


def print_format(console: Console, agenda: Agenda, path: str) -> None:
    """Print one format in full, and the path of its file."""
    line(console, Text.assemble((one_line(agenda.title), "bold"), (f"  {agenda.name}", "dim")))
    _under(console, Text(one_line(agenda.description)))
    _under(console, Text(f"Ends with: {one_line(agenda.promise)}"))
    rule = rule_named(agenda.rule)
    _under(console, Text(say("formats-votes", choices=_VOTED_ON[agenda.choices], name=rule.name, line=rule.line)))
    if agenda.has_ballot:
        _under(console, Text(_ANSWER[agenda.answer]))
    if agenda.sides:
        _under(console, Text(say("formats-sides", sides=agenda.sides)))
    if agenda.anonymous:
        _under(console, Text("Members are not told who is who."))
    if agenda.hears != "all":
        _under(console, Text(say("formats-hears", hears=str(agenda.hears))))
    for number, phase in enumerate(agenda, 1):
        line(console, Text.assemble((f"\n{number}. {phase.name}", "bold"), (f"  {_how(phase)}", "dim")))
        if phase.does.open:
            named = f"Floor: {phase.floor}. {line_of(FLOORS.get(phase.floor))}" if phase.floor else _FLOOR_OPEN
            _under(console, Text(named))
        if phase.instruction:
            _under(console, prose(phase.instruction.strip()))
    line(console, Text("\n" + say("formats-file", path=str(path)), style="dim"))


def _under(console: Console, text: Text) -> None:
    under(console, text, _INDENT)


def _how(phase: Phase) -> str:
    parts = [phase.does.line]
    if phase.messages:
        parts.append(f"at most {count(phase.messages, 'message')}")
    if phase.until:
        parts.append(say("formats-back", until=_UNTIL[phase.until], back_to=phase.back_to, laps=phase.laps))
    return "; ".join(parts)
