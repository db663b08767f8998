"""`eda fork`."""

from __future__ import annotations

from pathlib import Path

import click

from eda.cli.common import done
from eda.cli.options import session_options
from eda.cli.show import at_option, place_of


@click.command()
@click.argument("session_id", metavar="ID")
@at_option("The last message that both sessions have. Default: all of ID.")
@click.option("--session", "name", metavar="NEW", help="Name of the new session. Default: a free one.")
@session_options
def fork(*, session_id: str, at: int | None, name: str | None, folder: Path | None, as_json: bool) -> None:
    """Make a session that is equal to ID up to a message, and can go on otherwise.

    Change it with `eda steer NEW`, then go on with `eda resume NEW`. Unchanged, with the same replies, it goes on as ID
    did.
    """
    from eda.session import Session
    from eda.session.fork import fork as forked

    with Session.read(place_of(session_id), folder) as session, forked(session, at, name, folder) as new:
        parent = new.started().parent
        text = f"{new.name} is {parent}; change it: eda steer {new.typed}; go on: eda resume {new.typed}"
        done(text, as_json=as_json, session=new.name, parent=parent)
