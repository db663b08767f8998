"""`eda rename`."""

from __future__ import annotations

from pathlib import Path

import click

from eda.cli.options import sessions_option


@click.command()
@click.argument("session_id", metavar="ID")
@click.argument("new", metavar="NEW")
@sessions_option
def rename(*, session_id: str, new: str, folder: Path | None) -> None:
    """Give session ID the name NEW."""
    from eda.session import as_typed
    from eda.session.folders import rename as renamed

    click.echo(f"{session_id} is {as_typed(renamed(session_id, new, folder))} now")
