"""`eda list`: what can be named in a command, a format or a file of settings."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from eda.cli.common import note, print_json, say
from eda.cli.kinds import Named
from eda.cli.options import FORMAT, PERSONA_OR_PANEL, json_option, panels_option, personas_option
from eda.cli.terminal.header import modelled
from eda.cli.terminal.style import console_for, line, prose, under
from eda.errors import UnknownNameError
from eda.memory.patterns import PatternPack, default_pack
from eda.panels.agenda import Agenda, Phase, agenda_file, agenda_names, load_agenda
from eda.panels.panel import Library, Panel
from eda.panels.persona import Persona
from eda.panels.registry import FLOORS, PHASES, RULES, RUNNERS, STOPS, SUMMARISERS, TRANSCRIPTS, Registry, line_of
from eda.panels.settings import limit
from eda.report.formatting import count, fitted, listed, one_line
from eda.runners.models import model_table
from eda.voting import rule_named

_REGISTRIES: dict[str, Registry] = {
    "rules": RULES,
    "floors": FLOORS,
    "stops": STOPS,
    "phases": PHASES,
    "summarisers": SUMMARISERS,
    "runners": RUNNERS,
    "transcripts": TRANSCRIPTS,
}
_KINDS = ("formats", "personas", "panels", *_REGISTRIES, "models", "patterns")


def _names(ctx: click.Context) -> Iterable[str]:
    kinds = {"formats": FORMAT, "personas": PERSONA_OR_PANEL, "panels": PERSONA_OR_PANEL}
    named = kinds.get(ctx.params.get("kind", ""))
    return named.names(ctx) if named else ()


@click.command("list")
@click.argument("kind", type=click.Choice(_KINDS), required=False, metavar="[KIND]")
@click.argument("name", type=Named(_names), required=False)
@click.option("--check", is_flag=True, help="Check patterns against their own examples; exit 1 if one is wrong.")
@personas_option
@panels_option
@json_option
@click.pass_context
def list_(
    ctx: click.Context,
    /,
    *,
    kind: str | None,
    name: str | None,
    check: bool,
    personas_dir: Path | None,
    panels_dir: Path | None,
    as_json: bool,
) -> None:
    """List what can be named, or what is of one KIND, or show the one of it that is called NAME.

    KIND is formats, personas, panels, rules, floors, stops, phases, summarisers, runners, transcripts, models or
    patterns. NAME can be the file of a format, a persona, a panel, or of patterns of your own.
    """
    if check and kind != "patterns":
        raise click.UsageError("--check needs the kind `patterns`")
    if name and kind not in ("formats", "personas", "panels", "patterns"):
        raise click.UsageError(f"{kind} have a line each, and no more to show")
    library = Library(personas_dir, panels=panels_dir, strict=False)
    if kind == "formats":
        _show_formats(name, as_json=as_json)
    elif kind in ("personas", "panels"):
        _show_people(kind, name, library, as_json=as_json)
    elif kind == "patterns":
        pack = PatternPack.from_toml(Path(name)) if name else default_pack()
        ctx.exit(_check(pack, as_json=as_json) if check else _show_patterns(pack, as_json=as_json))
    elif kind == "models":
        models = {model.id: model.model_dump(mode="json", exclude={"id"}) for model in model_table().model}
        _print_lines(models, dict.fromkeys(models, ""), as_json=as_json)
    elif kind is not None:
        lines = _REGISTRIES[kind].lines()
        _print_lines(lines, lines, as_json=as_json)
    else:
        every = {"formats": list(agenda_names()), "personas": list(library.personas), "panels": list(library.panels)}
        every |= {each: list(registry.names()) for each, registry in _REGISTRIES.items()}
        every["models"] = [model.id for model in model_table().model]
        every["patterns"] = [pattern.name for pattern in default_pack().patterns]
        _print_lines(every, {each: ", ".join(names) for each, names in every.items()}, as_json=as_json)


def _print_lines(data: object, lines: dict[str, str], *, as_json: bool) -> None:
    """Print each name with its line below it."""
    if as_json:
        print_json(data)
        return
    for name, told in lines.items():
        _block(console_for(), Text(one_line(name), style="bold"), one_line(told), indent=2)


def _block(console: Console, head: Text, *below: str | Text, indent: int = 3) -> None:
    """Print a head, and what stands below it, but for what is empty."""
    line(console, head)
    for text in below:
        if text:
            under(console, Text(text) if isinstance(text, str) else text, indent)


# Patterns


def _show_patterns(pack: PatternPack, *, as_json: bool) -> int:
    """Print the kind, the name, the confidence and an example of each pattern."""
    if as_json:
        print_json([asdict(pattern) for pattern in pack.patterns])
        return 0
    for pattern in pack.patterns:
        example = f"  “{one_line(pattern.examples[0])}”" if pattern.examples else ""
        told = f"{pattern.kind:<10} {one_line(pattern.name):<24} {pattern.confidence:.2f}{example}"
        click.echo(fitted(told, sys.stdout))
    return 0


def _check(pack: PatternPack, *, as_json: bool) -> int:
    """Run each example and counter-example, print what matched and how many are wrong; return the exit code."""
    rows = pack.check()
    wrong = sum(not row.ok for row in rows)
    if as_json:
        keys = {"pattern": "pattern", "line": "example", "wanted": "wanted", "matched": "matched", "by": "by"}
        print_json([{key: getattr(row, name) for key, name in keys.items()} for row in rows])
        return min(wrong, 1)
    for row in rows:
        verdict, wanted = "ok   " if row.ok else "WRONG", "finds" if row.wanted else "leaves alone"
        by = f"(matched by {listed(row.by) if row.by else 'none'})"
        told = f"{verdict} {one_line(row.pattern)} {wanted} “{one_line(row.example)}” {by}"
        click.echo(fitted(told, sys.stdout))
    click.echo(fitted(say("sessions-patterns-checked", lines=len(rows), wrong=wrong), sys.stdout))
    return min(wrong, 1)


# Formats

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
    None: "Ends with one answer; with a list by `--answer list`.",
}
_UNTIL = {"settled": "until no stance moves", "unblocked": "until a choice wins that nobody blocks"}


def _show_formats(name: str | None, *, as_json: bool) -> None:
    """Print the debate formats, or one: its name, or the path of its file."""
    agendas = [load_agenda(known) for known in ([name] if name else agenda_names())]
    if as_json:
        data = [agenda.model_dump(mode="json") for agenda in agendas]
        print_json(data[0] if name else data)
        return
    console = console_for()
    if name:
        _print_format(console, agendas[0], agenda_file(name))
        return
    for agenda in agendas:
        phases = Text(" > ".join(phase.name for phase in agenda), style="dim")
        _block(console, Text(agenda.name, style="bold"), *_promised(agenda), phases)


def _promised(agenda: Agenda) -> tuple[str, str]:
    return one_line(agenda.description), f"Ends with: {one_line(agenda.promise)}"


def _print_format(console: Console, agenda: Agenda, path: str) -> None:
    """Print one format in full, and the path of its file."""
    rule = rule_named(agenda.rule)
    _block(
        console,
        Text.assemble((one_line(agenda.title), "bold"), (f"  {agenda.name}", "dim")),
        *_promised(agenda),
        say("formats-votes", choices=_VOTED_ON[agenda.choices], name=rule.name, line=rule.line),
        _ANSWER[agenda.answer] if agenda.has_ballot else "",
        say("formats-sides", sides=agenda.sides) if agenda.sides else "",
        "Members are not told who is who." if agenda.anonymous else "",
        say("formats-hears", hears=str(agenda.hears)) if agenda.hears != "all" else "",
    )
    for number, phase in enumerate(agenda, 1):
        floor = f"Floor: {phase.floor}. {line_of(FLOORS.get(phase.floor))}" if phase.floor else _FLOOR_OPEN
        head = Text.assemble((f"\n{number}. {phase.name}", "bold"), (f"  {_how(phase)}", "dim"))
        _block(console, head, floor if phase.does.open else "", prose(phase.instruction))
    line(console, Text("\n" + say("formats-file", path=str(path)), style="dim"))


def _how(phase: Phase) -> str:
    most = f"at most {count(phase.messages, 'message')}" if phase.messages else ""
    until = _UNTIL.get(phase.until or "", "")
    again = say("formats-back", until=until, back_to=phase.back_to, laps=phase.laps) if until else ""
    return "; ".join(filter(None, (phase.does.line, most, again)))


# Personas and panels

_LINE_END = re.compile(r"(?<!\n)\n(?![\n\s>#|*+\-\d])")
"""A line end within a paragraph of Markdown, which a screen does not keep."""


def _show_people(kind: str, name: str | None, library: Library, *, as_json: bool) -> None:
    """Print the `personas` or the `panels`, or the persona or panel that is called `name`."""
    entry = _named(library, name) if name is not None else None
    every = library.personas if kind == "personas" else library.panels
    if as_json:
        shown = [each.model_dump(mode="json") for each in ([entry] if entry else every.values())]
        print_json(shown[0] if entry else shown)
    elif entry is None:
        _print_people(console_for(), kind, library)
    elif isinstance(entry, Persona):
        _print_persona(console_for(), entry)
    else:
        _print_panel(console_for(), entry, library)
    for error in library.errors:
        note(f"broken: {error}" + (f" ({error.hint})" if error.hint else ""))


def _named(library: Library, name: str) -> Persona | Panel:
    for find in (library.persona, library.panel):
        try:
            return find(name, files=True)
        except UnknownNameError:
            continue
    raise UnknownNameError("persona or panel", name, {*library.personas, *library.panels})


def _print_people(console: Console, kind: str, library: Library) -> None:
    """Print all panels, or all personas."""
    if kind == "panels":
        for panel in library.panels.values():
            members = Text(listed(panel.members), "dim")
            _block(console, Text(panel.name, "bold"), prose(panel.description), members, indent=4)
        return
    for persona in library.personas.values():
        role = (f", {one_line(persona.role)}", "dim")
        head = Text.assemble((persona.name, "bold"), f"  {one_line(persona.title)}", role)
        _block(console, head, one_line(persona.description), indent=4)
    if asking := modelled(library.personas.values()):
        note(say("formats-personas-models", asking=tuple(asking)))


def _print_persona(console: Console, persona: Persona) -> None:
    """Print one persona in full."""
    _block(console, _head(persona), prose(persona.description), indent=2)
    lists = {"values": persona.values, "fears": persona.fears, "moved by": persona.moved_by}
    parts = {title: [Text(f"· {one_line(each)}") for each in phrases] for title, phrases in lists.items()}
    for title, texts in (parts | {"voice": [prose(persona.voice)] if persona.voice else []}).items():
        if texts:
            _block(console, Text(f"\n{title}", style="bold"), *texts, indent=2)
    figures = f"\nstubbornness {persona.stubbornness:g}, talkativeness {persona.talkativeness:g}"
    line(console, Text(figures, style="dim"))
    if persona.model:
        line(console, Text(say("formats-persona-model", model=persona.model), style="dim"))
    instruction = prose(_LINE_END.sub(" ", persona.instruction))
    _block(console, Text("\ninstruction", style="bold"), instruction, indent=2)


def _head(persona: Persona) -> Text:
    name = (f"  {persona.name}", "dim")
    return Text.assemble((one_line(persona.title), "bold"), f", {one_line(persona.role)}", name)


def _print_panel(console: Console, panel: Panel, library: Library) -> None:
    """Print one panel and its members."""
    most = panel.chosen.get(limit("messages"))
    defaults = [f"floor {panel.floor}"] if panel.floor else []
    defaults += [say("formats-panel-limit", most=most)] if most else []
    head = Text.assemble((one_line(panel.title), "bold"), (f"  {panel.name}", "dim"))
    _block(console, head, prose(panel.description), Text(", ".join(defaults), style="dim"), indent=2)
    line(console, Text())
    for member in library.members(panel):
        _block(console, Text("  ") + _head(member), one_line(member.description), indent=6)
