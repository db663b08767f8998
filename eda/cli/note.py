"""`eda note`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eda.cli.common import TEXT, Whole, changed, json_option, one_of, print_json, sessions_option
from eda.cli.common import note as say
from eda.view.text import clean, one_line

if TYPE_CHECKING:
    from eda.records import Note

__all__ = ["note"]


@click.command()
@click.argument("session_id", metavar="ID")
@click.argument("text", type=TEXT, required=False)
@click.option("--importance", type=Whole(1, 1000), metavar="N", help="1 to 1000; 500 where none is given.")
@click.option("--topic", type=TEXT, default="", metavar="T", help="Of the new note; without TEXT, list only these.")
@click.option("--about", type=TEXT, metavar="QUESTION", help="List the notes that bear on a question.")
@click.option("--as", "who", type=TEXT, default="you", show_default=True, metavar="NAME", help="Who takes the note.")
@click.option("--private", is_flag=True, help="Keep it from the panel; without TEXT, list private notes too.")
@sessions_option
@json_option
def note(
    *,
    session_id: str,
    text: str | None,
    importance: int | None,
    topic: str,
    about: str | None,
    who: str,
    private: bool,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Keep TEXT as a note in session ID. Without TEXT: list the notes, the most important first.

    Members are shown the most important notes when the session goes on, private ones never. Nearly the same note twice
    is one note, with the higher importance.
    """
    if text == "-":
        text = clean(sys.stdin.buffer.read().decode("utf-8", "replace")).strip()
    if text is not None:
        if about is not None:
            raise one_of("TEXT", "--about")
        _take(session_id, text, who, importance or 500, topic, private=private, folder=folder, as_json=as_json)
        return
    if importance is not None:
        raise one_of("--importance", "a list of notes")
    if about is not None and topic:
        raise one_of("--about", "--topic")
    found = _found(session_id, about, topic, private=private, folder=folder)
    if as_json:
        print_json({"session": session_id, "notes": [asdict(each) for each in found]})
        return
    if not found:
        none = "no such notes" if topic or about is not None else "no notes"
        say(f'{none}; take one: eda note {session_id} "..."')
    _print(found)


def _take(
    session_id: str,
    text: str,
    who: str,
    importance: int,
    topic: str,
    *,
    private: bool,
    folder: Path | None,
    as_json: bool,
) -> None:
    from eda.steering import Noted

    before = set(_all(session_id, folder))
    (taken,), _ = changed(session_id, folder, [Noted(text, who, importance, topic, private)])
    kept = next((note for note in _all(session_id, folder) if note not in before), None)
    if as_json:
        given = taken.model_dump(mode="json", exclude={"seq", "at", "type"})
        print_json({"session": session_id, "note": given, "kept": asdict(kept) if kept else None})
    elif kept is None:
        say(f"there is a note already that says so: eda note {session_id}")
    else:
        listed = f"eda note {session_id}{' --private' if kept.private else ''}"
        say(f"kept, {'private, ' if kept.private else ''}importance {kept.importance}; list them: {listed}")


def _all(session_id: str, folder: Path | None) -> Sequence[Note]:
    from eda.replay import memory_of
    from eda.session import Session

    with Session.read(session_id, folder) as session:
        return memory_of(session).private_notes()


def _found(session_id: str, about: str | None, topic: str, *, private: bool, folder: Path | None) -> Sequence[Note]:
    from eda.replay import memory_of
    from eda.session import Session

    with Session.read(session_id, folder) as session:
        memory = memory_of(session)
    if about is not None:
        return memory.notes_about(about, private=private)
    if topic:
        return memory.notes_on(topic, private=private)
    return memory.private_notes() if private else memory.notes


def _print(found: Sequence[Note]) -> None:
    from rich.text import Text

    from eda.view.style import console_for

    console = console_for()
    for each in found:
        where = f"m{each.message}" if each.message else ""
        marks = [each.topic, "private" if each.private else ""]
        if not console.is_terminal:
            fields = [str(each.importance), where, each.who, *marks, each.text]
            console.file.write("\t".join(one_line(part) for part in fields) + "\n")
            continue
        beside = "  ".join(part for part in (each.id, where, each.who, *marks) if part)
        console.print(Text.assemble((f"{each.importance:>4}  ", "bold"), (clean(beside), "dim")))
        console.print(Text(clean(each.text)), style="")
