"""`eda formats`."""

from __future__ import annotations

import click

from eda.cli.common import TEXT, json_option, print_json

__all__ = ["formats"]


@click.command()
@click.argument("name", type=TEXT, required=False)
@json_option
def formats(*, name: str | None, as_json: bool) -> None:
    """List the formats that a debate can have, or show the one called NAME (or that of a file)."""
    from eda.agenda import agenda_file, agenda_names, load_agenda
    from eda.view.formats import print_format, print_formats
    from eda.view.style import console_for

    shown = [load_agenda(name)] if name else [load_agenda(known) for known in agenda_names()]
    if as_json:
        data = [agenda.model_dump(mode="json") for agenda in shown]
        print_json(data[0] if name else data)
    elif name:
        print_format(console_for(), shown[0], agenda_file(name))
    else:
        print_formats(console_for(), shown)
