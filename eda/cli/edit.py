"""`eda edit`: what a person puts into a session after the fact."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from eda.cli.common import changed, print_json, say, standard_input, tell_ended
from eda.cli.common import note as tell
from eda.cli.fork import make_fork, name_option
from eda.cli.kinds import TEXT, Whole
from eda.cli.options import one_of, person_option, session_argument, session_options
from eda.cli.show import message_number, place_of
from eda.debate.control.changes import Corrected, Noted
from eda.debate.control.forks import reworded
from eda.debate.replay import memory_of, progress_of
from eda.errors import EdaError, UsageError
from eda.events import MemoryCorrected, MessagePosted
from eda.session import Session
from eda.session.fork import upto


@click.command()
@session_argument
@click.argument("item", type=TEXT, required=False, metavar="[ITEM]")
@click.argument("text", type=TEXT, required=False)
@click.option("--strike", is_flag=True, help="Take the item off the table, every ballot and every list.")
@click.option("--note", type=TEXT, metavar="TEXT", help="Add a note, which members are shown; `-` reads it.")
@click.option("--importance", type=Whole(1, 1000), help="Importance of the note, 1 to 1000. Default: 500.")
@click.option("--topic", type=TEXT, default="", metavar="T", help="Topic of the note.")
@click.option("--private", is_flag=True, help="Hide the note from the panel.")
@person_option("edits")
@name_option
@session_options
def edit(
    *,
    session_id: str,
    item: str | None,
    text: str | None,
    strike: bool,
    note: str | None,
    importance: int | None,
    topic: str,
    private: bool,
    who: str,
    name: str | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Reword ITEM of session ID as TEXT, strike it, or add a note. The transcript of ID is never changed.

    \b
      eda edit ID p12.0 "Move in May"   reword a proposal, a decision (d12.0, v30.0) or a note (n3)
      eda edit ID m9 --strike           strike the claim in a message, or any item by its id
      eda edit ID m12 "Not before May"  a new session, equal to ID up to m12, with m12 reworded
      eda edit ID --note "Ask legal"    a note; `eda show ID --notes` lists them

    Items and notes can be edited while the session runs; the log records the change and who made it. Words that a
    ballot adopted stay: TEXT stands beside them as another version, and the next ballot has both. A message without
    TEXT opens your EDITOR; `-` reads TEXT from the input.
    """  # noqa: D301 - click leaves the lines after this mark as they are
    if note is not None:
        if item is not None:
            raise one_of("ITEM", "--note")
        words = standard_input().strip() if note == "-" else note
        _take(session_id, folder, Noted(words, who, importance or 500, topic, private), as_json=as_json)
        return
    if item is None:
        raise UsageError("say what to edit", hint=f"eda edit {session_id} ITEM TEXT, or --note TEXT")
    if strike and text is not None:
        raise one_of("TEXT", "--strike")
    if text == "-":
        text = standard_input().strip()
    if not strike and re.fullmatch("m?[0-9]+", item):
        _reword(session_id, message_number(item), text, name, folder, as_json=as_json)
        return
    if not strike and not (text or "").strip():
        raise UsageError("the correction is empty", hint="Give the new text, or --strike.")
    (fact,), _ = changed(session_id, folder, [Corrected(item, text or "", who)])
    assert isinstance(fact, MemoryCorrected)
    if as_json:
        print_json({"session": session_id, "fact": fact.model_dump(mode="json", exclude={"at", "type"})})
    else:
        how = "struck" if strike else "beside" if fact.version else "corrected"
        tell(say("sessions-corrected", item=item, how=how, version=fact.version, session=session_id))


def _reword(
    session_id: str, message: int, text: str | None, name: str | None, folder: Path | None, *, as_json: bool
) -> None:
    """Make a session that is equal up to a message, with that one message reworded."""
    with Session.read(place_of(session_id), folder) as session:
        *_, was = (each.text for each in upto(session, message).events() if isinstance(each, MessagePosted))
        make_fork(session, message, name, folder, reworded(_edited(was) if text is None else text), as_json=as_json)


def _take(session_id: str, folder: Path | None, new: Noted, *, as_json: bool) -> None:
    """Add a note, and print whether memory holds it as a note of its own."""

    def notes() -> tuple[Any, ...]:
        with Session.read(session_id, folder) as session:
            return memory_of(session).private_notes()

    before = set(notes())
    (event,), _ = changed(session_id, folder, [new])
    saved = next((each for each in notes() if each not in before), None)
    if as_json:
        given = event.model_dump(mode="json", exclude={"seq", "at", "type"})
        print_json({"session": session_id, "note": given, "kept": asdict(saved) if saved else None})
        return
    if saved is None:
        tell(say("sessions-note-again", session=session_id))
    else:
        sort = "private" if saved.private else "shared"
        tell(say("sessions-note-kept", sort=sort, importance=saved.importance, session=session_id))
    with Session.read(session_id, folder) as session:
        tell_ended(session_id, progress_of(session))


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
