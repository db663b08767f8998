"""`eda rename`."""

from __future__ import annotations

from pathlib import Path

import click

from eda.cli.common import done
from eda.cli.options import json_option, sessions_option


@click.command()
@click.argument("session_id", metavar="ID")
@click.argument("new", metavar="NEW")
@sessions_option
@json_option
def rename(*, session_id: str, new: str, folder: Path | None, as_json: bool) -> None:
    """Give session ID the name NEW."""
    from eda.session import as_typed
    from eda.session.folders import rename as renamed

    place = renamed(session_id, new, folder)
    done(f"{session_id} is {as_typed(place)} now", as_json=as_json, session=new)
