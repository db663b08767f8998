"""`eda list personas` and `eda list panels`."""

from __future__ import annotations

import re

from rich.console import Console
from rich.text import Text

from eda.cli.common import note, print_json, say
from eda.cli.terminal.header import modelled
from eda.cli.terminal.style import console_for, line, prose, under
from eda.errors import UnknownNameError
from eda.panels.library import Library, Panel
from eda.panels.persona import Persona
from eda.panels.settings import limit
from eda.report.formatting import listed, one_line


def show_people(kind: str, name: str | None, library: Library, *, as_json: bool) -> None:
    """Print the `personas` or the `panels`, or the persona or panel that is called `name`."""
    entry = _named(library, name) if name is not None else None
    if as_json:
        every = library.personas if kind == "personas" else library.panels
        entries = [each.model_dump(mode="json") for each in every.values()]
        print_json(entry.model_dump(mode="json") if entry is not None else entries)
    elif entry is None:
        print_people(console_for(), kind, library)
        asking = modelled(library.personas.values())
        if asking and kind == "personas":
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


def print_people(console: Console, kind: str, library: Library) -> None:
    """Print all panels, or all personas."""
    for panel in library.panels.values() if kind == "panels" else ():
        line(console, Text(panel.name, "bold"))
        under(console, prose(panel.description), 4)
        under(console, Text(listed(panel.members), "dim"), 4)
    for persona in library.personas.values() if kind == "personas" else ():
        role = (f", {one_line(persona.role)}", "dim")
        line(console, Text.assemble((persona.name, "bold"), f"  {one_line(persona.title)}", role))
        under(console, Text(one_line(persona.description)), 4)


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
