"""`eda personas`: the list of personas and panels, or one of them."""

from __future__ import annotations

import re
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from eda.cli.common import note, print_json, say
from eda.cli.names import PERSONA_OR_PANEL
from eda.cli.options import json_option, panels_option, personas_option
from eda.cli.terminal.header import modelled
from eda.cli.terminal.style import console_for, line, prose, under
from eda.errors import UnknownNameError
from eda.panels.library import Library, Panel
from eda.panels.persona import Persona
from eda.panels.settings import limit
from eda.report.formatting import listed, one_line


@click.command()
@click.argument("name", type=PERSONA_OR_PANEL, required=False)
@personas_option
@panels_option
@json_option
def personas(*, name: str | None, personas_dir: Path | None, panels_dir: Path | None, as_json: bool) -> None:
    """List the personas and panels, or show the one named NAME."""
    library = Library(personas_dir, panels=panels_dir, strict=False)
    entry = _named(library, name) if name is not None else None
    if as_json:
        kinds = {"panels": library.panels, "personas": library.personas}
        every = {kind: [each.model_dump(mode="json") for each in named.values()] for kind, named in kinds.items()}
        print_json(entry.model_dump(mode="json") if entry is not None else every)
    elif entry is None:
        print_library(console_for(), library)
        asking = modelled(library.personas.values())
        if asking:
            note(say("formats-personas-models", asking=tuple(asking)))
    elif isinstance(entry, Persona):
        print_persona(console_for(), entry)
    else:
        print_panel(console_for(), entry, library)
    for error in library.errors:
        note(f"broken: {error}" + (f" ({error.hint})" if error.hint else ""))


def _named(library: Library, name: str) -> Persona | Panel:
    for find in (library.persona, library.panel):
        try:
            return find(name, files=True)
        except UnknownNameError:
            continue
    raise UnknownNameError("persona or panel", name, {*library.personas, *library.panels})


_LINE_END = re.compile(r"(?<!\n)\n(?![\n\s>#|*+\-\d])")
"""A line end within a paragraph of Markdown, which a screen does not keep."""


def print_library(console: Console, library: Library) -> None:
    """Print all panels and all personas."""
    line(console, Text("Panels", style="bold"))
    for panel in library.panels.values():
        line(console, Text(f"  {panel.name}", "bold"))
        under(console, prose(panel.description), 6)
        under(console, Text(listed(panel.members), "dim"), 6)
    line(console, Text("\nPersonas", style="bold"))
    for persona in library.personas.values():
        name, role = ("  " + persona.name, "bold"), (f", {one_line(persona.role)}", "dim")
        line(console, Text.assemble(name, f"  {one_line(persona.title)}", role))
        under(console, Text(one_line(persona.description)), 6)


def print_persona(console: Console, persona: Persona) -> None:
    """Print one persona in full."""
    line(console, _head(persona))
    under(console, prose(persona.description), 2)
    lists = (("values", persona.values), ("fears", persona.fears), ("moved by", persona.moved_by))
    for title, phrases in lists:
        if phrases:
            line(console, Text(f"\n{title}", style="bold"))
            for phrase in phrases:
                under(console, Text(f"· {one_line(phrase)}"), 2)
    if persona.voice:
        line(console, Text("\nvoice", style="bold"))
        under(console, prose(persona.voice), 2)
    figures = f"\nstubbornness {persona.stubbornness:g}, talkativeness {persona.talkativeness:g}"
    model = say("formats-persona-model", model=persona.model) if persona.model else ""
    for text in filter(None, (figures, model)):
        line(console, Text(text, style="dim"))
    line(console, Text("\ninstruction", style="bold"))
    under(console, prose(_LINE_END.sub(" ", persona.instruction)), 2)


def _head(persona: Persona) -> Text:
    name = (f"  {persona.name}", "dim")
    return Text.assemble((one_line(persona.title), "bold"), f", {one_line(persona.role)}", name)


def print_panel(console: Console, panel: Panel, library: Library) -> None:
    """Print one panel and its members."""
    line(console, Text.assemble((one_line(panel.title), "bold"), (f"  {panel.name}", "dim")))
    under(console, prose(panel.description), 2)
    defaults = [f"floor {panel.floor}"] if panel.floor else []
    most = panel.chosen.get(limit("messages"))
    defaults += [say("formats-panel-limit", most=most)] if most else []
    if defaults:
        under(console, Text(", ".join(defaults), style="dim"), 2)
    line(console, Text())
    for member in library.members(panel):
        line(console, Text("  ") + _head(member))
        under(console, Text(one_line(member.description)), 6)
