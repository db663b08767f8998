"""`eda delete`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from eda.cli.common import done, note
from eda.cli.options import json_option, sessions_option
from eda.errors import UsageError


@click.command()
@click.argument("session_ids", metavar="ID...", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Do not ask.")
@sessions_option
@json_option
def delete(*, session_ids: tuple[str, ...], yes: bool, folder: Path | None, as_json: bool) -> None:
    """Delete sessions, each with its whole folder. You are asked first; `eda archive` only puts them away."""
    from eda.report.formatting import listed, one_line
    from eda.session import folders
    from eda.session.store import existing

    if not yes and not sys.stdin.isatty():
        raise UsageError("nobody can be asked here", hint="Add --yes, if you mean it.")
    for name in session_ids:
        place = existing(name, folder)
        files = listed(sorted(one_line(path.name) for path in place.iterdir() if not path.name.startswith(".")))
        if yes or click.confirm(f"delete {place} for good ({files})?", err=True):
            folders.delete(name, folder)
            done(f"deleted {name}", as_json=as_json, session=name, deleted=True)
        else:
            note(f"{name} stays")
