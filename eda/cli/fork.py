"""`eda fork`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eda.cli.common import done, say
from eda.cli.options import personas_option, repeatable, session_argument, session_options
from eda.cli.show import at_option, place_of
from eda.report.phrases import parent_phrase
from eda.session import Session

if TYPE_CHECKING:
    from eda.session.fork import Change

name_option = click.option("--session", "name", metavar="NEW", help="Name of the new session. Default: a free one.")


@click.command()
@session_argument
@at_option("The last message that both sessions have. Default: all of ID.")
@repeatable("--change", "changes", "WHAT:VALUE", "What the new session has otherwise.")
@name_option
@personas_option
@session_options
def fork(
    *,
    session_id: str,
    at: int | None,
    changes: Sequence[str],
    name: str | None,
    personas_dir: Path | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Make a session that is equal to ID up to a message, and can go on otherwise.

    WHAT:VALUE is one of these; repeat --change for more:

    \b
      --change persona:sceptic=economist      another persona takes the sceptic's seat
      --change option:"Wait a year"           one more option beside those given
      --change setting:max-messages=40        any setting of `eda show ID --json`
      --change model:speak=opus               also model:cheap=... and model:fallback=...
      --change runner:local:URL               another runner
      --change rule:borda                     another decision rule
      --change fact:sceptic="It leaks"        what only the sceptic is told

    Go on with `eda resume NEW`. Unchanged, with the same replies, it goes on as ID did. `eda resume NEW --runner
    recorded` takes the replies that `--record` kept for ID until a prompt differs, and asks the session's runner then.
    """  # noqa: D301 - click leaves the lines after this mark as they are
    from eda.debate.control.forks import changed
    from eda.panels.library import Library

    change = changed(changes, Library(personas_dir)) if changes else None
    with Session.read(place_of(session_id), folder) as session:
        make_fork(session, at, name, folder, change, as_json=as_json)


def make_fork(
    session: Session, at: int | None, name: str | None, folder: Path | None, change: Change | None, *, as_json: bool
) -> None:
    """Fork a session after a message, with a change, and print the name of the new one."""
    from eda.session.fork import fork as forked

    with forked(session, at, name, folder, change=change) as new:
        parent = new.started().parent
        text = say("running-forked", session=new.name, parent=parent_phrase(parent), typed=new.typed)
        done(text, as_json=as_json, session=new.name, parent=parent and asdict(parent))
