"""`eda fork` and `eda edit`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eda.cli.common import done, say, standard_input
from eda.cli.kinds import TEXT
from eda.cli.options import personas_option, repeatable, session_argument, session_options
from eda.cli.show import at_option, message_argument, place_of
from eda.errors import EdaError, UsageError
from eda.events import MessagePosted
from eda.report.phrases import parent_phrase
from eda.session import Session

if TYPE_CHECKING:
    from eda.session.fork import Change

_name_option = click.option("--session", "name", metavar="NEW", help="Name of the new session. Default: a free one.")


@click.command()
@session_argument
@at_option("The last message that both sessions have. Default: all of ID.")
@repeatable("--change", "changes", "WHAT:VALUE", "What the new session has otherwise.")
@_name_option
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
        _make(session, at, name, folder, change, as_json=as_json)


@click.command()
@session_argument
@message_argument
@click.option("--text", type=TEXT, help="The new words; `-` reads them from the input. Default: opens your EDITOR.")
@_name_option
@session_options
def edit(
    *, session_id: str, message: int, text: str | None, name: str | None, folder: Path | None, as_json: bool
) -> None:
    """Make a session that is equal to ID up to MESSAGE, such as m12, with that one message reworded.

    What came after it is not carried over: `eda resume NEW` shows how the panel goes on from the other words. ID stays
    as it is.
    """
    from eda.debate.control.forks import reworded
    from eda.session.fork import upto

    with Session.read(place_of(session_id), folder) as session:
        *_, was = (each.text for each in upto(session, message).events() if isinstance(each, MessagePosted))
        new = standard_input() if text == "-" else _edited(was) if text is None else text
        _make(session, message, name, folder, reworded(new), as_json=as_json)


def _make(
    session: Session, at: int | None, name: str | None, folder: Path | None, change: Change | None, *, as_json: bool
) -> None:
    from eda.session.fork import fork as forked

    with forked(session, at, name, folder, change=change) as new:
        parent = new.started().parent
        text = say("running-forked", session=new.name, parent=parent_phrase(parent), typed=new.typed)
        done(text, as_json=as_json, session=new.name, parent=parent and asdict(parent))


def _edited(text: str) -> str:
    """Return the text as somebody left it in their editor.

    Raises:
        UsageError: there is no terminal, and no editor is set.
        EdaError: the editor failed.
    """
    hint = "Set EDITOR to one that works, or give the words: --text."
    if not (sys.stdin.isatty() or os.environ.get("VISUAL") or os.environ.get("EDITOR")):
        raise UsageError("there is no terminal to edit in", hint=hint)
    try:
        edited = click.edit(text, extension=".md")
    except (click.ClickException, OSError, ValueError) as error:
        why = error.format_message() if isinstance(error, click.ClickException) else error
        raise EdaError(f"the message was not edited: {why}", hint=hint) from error
    return text if edited is None else edited
