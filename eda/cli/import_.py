"""`eda import`."""

from __future__ import annotations

from pathlib import Path

import click

from eda.cli.common import done
from eda.cli.options import FILE, json_option, sessions_option


@click.command(name="import")
@click.argument("file", type=FILE)
@click.option("--session", "name", metavar="NEW", help="Name of the session. Default: the name that it had.")
@sessions_option
@json_option
def import_(*, file: Path, name: str | None, folder: Path | None, as_json: bool) -> None:
    """Make a session of FILE, which `eda export` wrote. Its checksums are verified."""
    from eda.session.folders import unpack

    with unpack(file, name, folder) as session:
        done(f"imported {session.name}; read it: eda show {session.typed}", as_json=as_json, session=session.name)
