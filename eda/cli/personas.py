"""`eda personas`."""

from __future__ import annotations

from pathlib import Path

import click

from eda.cli.common import TEXT, note, personas_option

__all__ = ["personas"]


@click.command()
@click.argument("name", type=TEXT, required=False)
@personas_option
def personas(*, name: str | None, personas_dir: Path | None) -> None:
    """List the personas and panels, or show the one called NAME."""
    from eda.errors import UnknownNameError
    from eda.panels import Library
    from eda.view.base import modelled
    from eda.view.people import print_library, print_panel, print_persona
    from eda.view.style import console_for

    library = Library(personas_dir, strict=False)
    console = console_for()
    if name is None:
        print_library(console, library)
        asking = modelled(library.personas.values())
        if asking:
            note(f"note: a persona's `model:` is obeyed by the runner `anthropic` only: {', '.join(asking)}")
    else:
        try:
            print_persona(console, library.persona(name))
        except UnknownNameError:
            try:
                print_panel(console, library.panel(name), library)
            except UnknownNameError:
                raise UnknownNameError("persona or panel", name, {*library.personas, *library.panels}) from None
    for error in library.errors:
        note(f"broken: {error}" + (f" ({error.hint})" if error.hint else ""))
