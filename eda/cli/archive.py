"""`eda archive`."""

from __future__ import annotations

from pathlib import Path

import click

from eda.cli.common import done
from eda.cli.options import json_option, sessions_option


@click.command()
@click.argument("session_ids", metavar="ID...", nargs=-1, required=True)
@click.option("--back", is_flag=True, help="Bring them back.")
@sessions_option
@json_option
def archive(*, session_ids: tuple[str, ...], back: bool, folder: Path | None, as_json: bool) -> None:
    """Put sessions away: `eda sessions` does not list them any more, `eda sessions --archived` does."""
    from eda.session import as_typed, folders

    for name in session_ids:
        place = folders.restore(name, folder) if back else folders.archive(name, folder)
        text = f"{name} is back" if back else f"put {name} away; read it: eda show {as_typed(place)}"
        done(text, as_json=as_json, session=name, archived=not back)
