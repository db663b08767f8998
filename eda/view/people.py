"""Personas and panels, for somebody who picks who is to sit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.console import Console, RenderableType
from rich.text import Text

from eda.panels import Library, Panel
from eda.personas import Persona
from eda.view.style import hanging, prose
from eda.view.text import listed, one_line

__all__ = ["print_library", "print_panel", "print_persona"]

_LINE_END = re.compile(r"(?<!\n)\n(?![\n\s>#|*+\-\d])")
"""A line end within a paragraph of Markdown; it is where the author's editor broke the line."""


def print_library(console: Console, library: Library) -> None:
    """Everybody who can be seated, and who sits together."""
    _line(console, Text("Panels", style="bold"))
    for panel in library.panels.values():
        _line(console, Text.assemble(("  " + panel.name, "bold"), (f"  {listed(panel.members)}", "dim")))
        _under(console, prose(panel.description), 6)
    _line(console, Text("\nPersonas", style="bold"))
    for persona in library.personas.values():
        head = Text.assemble(
            ("  " + persona.name, "bold"), f"  {one_line(persona.title)}", (f", {one_line(persona.role)}", "dim")
        )
        _line(console, head)
        _under(console, Text(one_line(persona.description)), 6)


def print_persona(console: Console, persona: Persona) -> None:
    """One persona in full."""
    _line(
        console,
        Text.assemble((one_line(persona.title), "bold"), f", {one_line(persona.role)}", (f"  {persona.name}", "dim")),
    )
    _under(console, prose(persona.description), 2)
    lists: Sequence[tuple[str, Sequence[str]]] = (
        ("values", persona.values),
        ("fears", persona.fears),
        ("moved by", persona.moved_by),
    )
    for title, phrases in lists:
        if phrases:
            _line(console, Text(f"\n{title}", style="bold"))
            for phrase in phrases:
                _under(console, Text(f"· {one_line(phrase)}"), 2)
    if persona.voice:
        _line(console, Text("\nvoice", style="bold"))
        _under(console, prose(persona.voice), 2)
    _line(
        console, Text(f"\nstubbornness {persona.stubbornness:g}, talkativeness {persona.talkativeness:g}", style="dim")
    )
    if persona.model:
        note = f"model {one_line(persona.model)} (the runners `anthropic` and `local` obey it)"
        _line(console, Text(note, style="dim"))
    _line(console, Text("\ninstruction", style="bold"))
    _under(console, prose(_LINE_END.sub(" ", persona.instruction)), 2)


def print_panel(console: Console, panel: Panel, library: Library) -> None:
    """One panel and its members."""
    _line(console, Text.assemble((one_line(panel.title), "bold"), (f"  {panel.name}", "dim")))
    _under(console, prose(panel.description), 2)
    defaults = [f"floor {panel.floor}"] if panel.floor else []
    defaults += [f"at most {panel.max_messages} messages"] if panel.max_messages else []
    if defaults:
        _under(console, Text(", ".join(defaults), style="dim"), 2)
    _line(console, Text())
    for member in library.members(panel):
        head = Text.assemble(
            ("  " + one_line(member.title), "bold"), f", {one_line(member.role)}", (f"  {member.name}", "dim")
        )
        _line(console, head)
        _under(console, Text(one_line(member.description)), 6)


def _line(console: Console, text: Text) -> None:
    console.print(text, soft_wrap=not console.is_terminal)


def _under(console: Console, text: Text, indent: int) -> None:
    if console.is_terminal:
        part: RenderableType = hanging(text, indent, console.width)
        console.print(part)
    else:
        for line in text.split("\n"):
            console.print(Text(" " * indent).append_text(line) if line else line, soft_wrap=True)
