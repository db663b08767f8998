"""`eda personas`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eda.cli.common import TEXT, json_option, note, personas_option, print_json
from eda.errors import UnknownNameError

if TYPE_CHECKING:
    from eda.panels import Library, Panel
    from eda.personas import Persona

__all__ = ["personas"]


@click.command()
@click.argument("name", type=TEXT, required=False)
@personas_option
@json_option
def personas(*, name: str | None, personas_dir: Path | None, as_json: bool) -> None:
    """List the personas and panels, or show the one called NAME."""
    from eda.panels import Library
    from eda.personas import Persona
    from eda.view.base import modelled
    from eda.view.people import print_library, print_panel, print_persona
    from eda.view.style import console_for

    library = Library(personas_dir, strict=False)
    found = _named(library, name) if name is not None else None
    if as_json:
        print_json(found.model_dump(mode="json") if found is not None else _all(library))
    elif found is None:
        print_library(console_for(), library)
        asking = modelled(library.personas.values())
        if asking:
            note(f"note: only the runners `anthropic` and `local` obey a persona's `model:`: {', '.join(asking)}")
    elif isinstance(found, Persona):
        print_persona(console_for(), found)
    else:
        print_panel(console_for(), found, library)
    for error in library.errors:
        note(f"broken: {error}" + (f" ({error.hint})" if error.hint else ""))


def _named(library: Library, name: str) -> Persona | Panel:
    for find in (library.persona, library.panel):
        try:
            return find(name)
        except UnknownNameError:
            continue
    raise UnknownNameError("persona or panel", name, {*library.personas, *library.panels})


def _all(library: Library) -> dict[str, Any]:
    return {
        "panels": [panel.model_dump(mode="json") for panel in library.panels.values()],
        "personas": [persona.model_dump(mode="json") for persona in library.personas.values()],
    }
