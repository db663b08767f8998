"""`eda sessions`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from eda.cli.common import json_option, print_json, sessions_option
from eda.errors import EdaError

__all__ = ["sessions"]


@click.command()
@sessions_option
@json_option
def sessions(*, folder: Path | None, as_json: bool) -> None:
    """List the saved sessions; one that cannot be read is listed with the reason.

    `eda resume` goes on with one that is paused or unfinished. One that is running has another process at it.
    """
    from eda.session import session_names, sessions_folder

    where = sessions_folder(folder)
    rows = [_row(name, where) for name in session_names(where)]
    rows.sort(key=lambda row: row.get("last") or "", reverse=True)
    if as_json:
        print_json({"sessions": rows})
    elif not rows:
        click.echo(f'no sessions in {where}; make one: eda debate "Should we ...?"')
    else:
        from eda.view.style import console_for
        from eda.view.tables import print_sessions

        print_sessions(rows, console_for())


def _row(name: str, where: Path) -> dict[str, Any]:
    from eda.door import is_running
    from eda.replay import progress_of
    from eda.session import Session
    from eda.view.data import session_row

    try:
        with Session.read(name, where) as session:
            progress = progress_of(session)
            running = progress.ended is None and is_running(session)
            return session_row(session.started(), progress, running=running)
    except EdaError as error:
        return {"session": name, "error": str(error)}
