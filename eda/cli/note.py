"""`eda note`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click
from rich.text import Text

from eda.cli.common import changed, print_json, say, standard_input, tell_ended
from eda.cli.common import note as tell
from eda.cli.kinds import TEXT, Whole
from eda.cli.options import one_of, person_option, session_argument, session_options
from eda.cli.terminal.style import console_for, print_rows, print_tabbed
from eda.debate.control.changes import Noted
from eda.debate.replay import memory_of, progress_of
from eda.events.records import Note
from eda.memory import ConversationMemory
from eda.report.formatting import clean, one_line
from eda.session import Session


@click.command()
@session_argument
@click.argument("text", type=TEXT, required=False)
@click.option("--importance", type=Whole(1, 1000), help="Importance, 1 to 1000. Default: 500.")
@click.option(
    "--topic",
    type=TEXT,
    default="",
    metavar="T",
    help="Topic of the new note. Without TEXT, list only notes on this topic.",
)
@click.option("--about", type=TEXT, metavar="QUESTION", help="List the notes that are relevant to a question.")
@person_option("takes the note")
@click.option("--private", is_flag=True, help="Hide the note from the panel. Without TEXT, list private notes too.")
@click.option("--stats", is_flag=True, help="Count the notes by topic and by importance.")
@session_options
def note(
    *,
    session_id: str,
    text: str | None,
    importance: int | None,
    topic: str,
    about: str | None,
    who: str,
    private: bool,
    stats: bool,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Add TEXT to the notes of session ID. Without TEXT, list the notes, most important first.

    When the session continues, members are shown its most important notes, but never the private ones. A note that is
    nearly the same as an earlier one is merged with it and has the higher importance.
    """
    if text == "-":
        text = standard_input().strip()
    if text is not None:
        if stats:
            raise one_of("TEXT", "--stats")
        if about is not None:
            raise one_of("TEXT", "--about")
        _take(session_id, folder, Noted(text, who, importance or 500, topic, private), as_json=as_json)
        return
    if importance is not None:
        raise one_of("--importance", "a list of notes")
    if about is not None and topic:
        raise one_of("--about", "--topic")
    notes = _chosen(_memory(session_id, folder), topic, about, private=private)
    if stats:
        _count(session_id, notes, as_json=as_json)
        return
    if as_json:
        print_json({"session": session_id, "notes": [asdict(each) for each in notes]})
        return
    if not notes:
        sort = "some" if topic or about is not None else "all"
        tell(say("sessions-no-notes", sort=sort, session=session_id))
    _print(notes)


def _take(session_id: str, folder: Path | None, new: Noted, *, as_json: bool) -> None:
    """Add a note, and print whether memory holds it as a note of its own."""
    before = set(_memory(session_id, folder).private_notes())
    (event,), _ = changed(session_id, folder, [new])
    saved = next((note for note in _memory(session_id, folder).private_notes() if note not in before), None)
    if as_json:
        given = event.model_dump(mode="json", exclude={"seq", "at", "type"})
        print_json({"session": session_id, "note": given, "kept": asdict(saved) if saved else None})
    elif saved is None:
        tell(say("sessions-note-again", session=session_id))
    else:
        sort = "private" if saved.private else "shared"
        tell(say("sessions-note-kept", sort=sort, importance=saved.importance, session=session_id))
    if not as_json:
        with Session.read(session_id, folder) as session:
            tell_ended(session_id, progress_of(session))


def _chosen(memory: ConversationMemory, topic: str, about: str | None, *, private: bool) -> Sequence[Note]:
    if about is not None:
        return memory.notes_about(about, private=private)
    if topic:
        return memory.notes_on(topic, private=private)
    return memory.private_notes() if private else memory.notes


def _memory(session_id: str, folder: Path | None) -> ConversationMemory:
    with Session.read(session_id, folder) as session:
        return memory_of(session)


def _count(session_id: str, notes: Sequence[Note], *, as_json: bool) -> None:
    """Print how many notes there are, on each topic and of each importance."""
    topics = Counter(note.topic for note in notes).most_common()
    weights = sorted(Counter(note.importance for note in notes).items(), reverse=True)
    if as_json:
        by_weight = {str(weight): number for weight, number in weights}
        print_json({"session": session_id, "notes": len(notes), "topics": dict(topics), "importance": by_weight})
        return
    rows = [["notes", "", str(len(notes))], *(["topic", one_line(topic) or "none", str(n)] for topic, n in topics)]
    rows += [["importance", str(weight), str(number)] for weight, number in weights]
    print_rows(console_for(), ["", "", "notes"], rows, {"notes"})


def _print(notes: Sequence[Note]) -> None:
    console = console_for()
    for each in notes:
        where = f"m{each.message}" if each.message else ""
        marks = [each.topic, "private" if each.private else ""]
        if not console.is_terminal:
            print_tabbed(console, [[str(each.importance), where, each.who, *marks, each.text]])
            continue
        beside = "  ".join(part for part in (each.id, where, each.who, *marks) if part)
        console.print(Text.assemble((f"{each.importance:>4}  ", "bold"), (clean(beside), "dim")))
        console.print(Text(clean(each.text)), style="")
