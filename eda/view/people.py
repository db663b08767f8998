"""Personas and panels, for somebody who picks who is to sit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from eda.panels import Library, Panel
from eda.personas import Persona
from eda.view.style import line, prose, under
from eda.view.text import listed, one_line

__all__ = ["print_library", "print_panel", "print_persona"]

_LINE_END = re.compile(r"(?<!\n)\n(?![\n\s>#|*+\-\d])")
"""A line end within a paragraph of Markdown; it is where the author's editor broke the line."""


def print_library(console: Console, library: Library) -> None:
    """Everybody who can be seated, and who sits together."""
    line(console, Text("Panels", style="bold"))
    for panel in library.panels.values():
        line(console, Text(f"  {panel.name}", "bold"))
        under(console, prose(panel.description), 6)
        under(console, Text(listed(panel.members), "dim"), 6)
    line(console, Text("\nPersonas", style="bold"))
    for persona in library.personas.values():
        head = Text.assemble(
            ("  " + persona.name, "bold"), f"  {one_line(persona.title)}", (f", {one_line(persona.role)}", "dim")
        )
        line(console, head)
        under(console, Text(one_line(persona.description)), 6)


def print_persona(console: Console, persona: Persona) -> None:
    """One persona in full."""
    line(
        console,
        Text.assemble((one_line(persona.title), "bold"), f", {one_line(persona.role)}", (f"  {persona.name}", "dim")),
    )
    under(console, prose(persona.description), 2)
    lists: Sequence[tuple[str, Sequence[str]]] = (
        ("values", persona.values),
        ("fears", persona.fears),
        ("moved by", persona.moved_by),
    )
    for title, phrases in lists:
        if phrases:
            line(console, Text(f"\n{title}", style="bold"))
            for phrase in phrases:
                under(console, Text(f"· {one_line(phrase)}"), 2)
    if persona.voice:
        line(console, Text("\nvoice", style="bold"))
        under(console, prose(persona.voice), 2)
    line(
        console, Text(f"\nstubbornness {persona.stubbornness:g}, talkativeness {persona.talkativeness:g}", style="dim")
    )
    if persona.model:
        note = f"model {one_line(persona.model)} (the runners `anthropic` and `local` obey it)"
        line(console, Text(note, style="dim"))
    line(console, Text("\ninstruction", style="bold"))
    under(console, prose(_LINE_END.sub(" ", persona.instruction)), 2)


def print_panel(console: Console, panel: Panel, library: Library) -> None:
    """One panel and its members."""
    line(console, Text.assemble((one_line(panel.title), "bold"), (f"  {panel.name}", "dim")))
    under(console, prose(panel.description), 2)
    defaults = [f"floor {panel.floor}"] if panel.floor else []
    defaults += [f"at most {panel.max_messages} messages"] if panel.max_messages else []
    if defaults:
        under(console, Text(", ".join(defaults), style="dim"), 2)
    line(console, Text())
    for member in library.members(panel):
        head = Text.assemble(
            ("  " + one_line(member.title), "bold"), f", {one_line(member.role)}", (f"  {member.name}", "dim")
        )
        line(console, head)
        under(console, Text(one_line(member.description)), 6)
