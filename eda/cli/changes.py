"""The commands that change a session: steer, edit, fork."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from eda.cli.common import TEXT, Whole, changed, done, note, print_json, say, spoken_of, standard_input, tell_ended
from eda.cli.options import (
    at_option,
    message_number,
    one_of,
    person_option,
    personas_option,
    repeatable,
    session_command,
    session_options,
)
from eda.cli.terminal.entries import Context
from eda.debate.control.changes import Change, Changed, Corrected, Noted, Seat, extended_settings, typed_settings
from eda.debate.control.forks import changed as change_of, reworded
from eda.debate.floor.stop import why_stop
from eda.debate.replay import progress_of, read_back
from eda.errors import UsageError
from eda.events import LineAnswered, MemoryCorrected
from eda.panels.panel import Library
from eda.report.phrases import parent_phrase
from eda.session import Session
from eda.session.fork import Change as Fork, answers, fork as forked

name_option = click.option("--session", "name", metavar="NEW", help="Name of the new session. Default: a free one.")


@session_command
@at_option("The last message that both sessions have. Default: all of ID.")
@repeatable("--change", "changes", "WHAT:VALUE", "What the new session has otherwise.")
@name_option
@personas_option
@session_options
def fork(
    *,
    session_id: str | Path,
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
      --change setting:KEY=VALUE              any setting of `eda show ID --json`
      --change rule:borda                     another decision rule
      --change model:speak=opus               also model:cheap=... and model:fallback=...
      --change runner:local:URL               another runner

    Go on with `eda resume NEW`. Unchanged, with the same replies, it goes on as ID did. `eda resume NEW --runner
    recorded` takes the replies that `--record` kept for ID until a prompt differs, and asks the session's runner then.
    """  # noqa: D301 - click leaves the lines after this mark as they are
    change = change_of(changes, Library(personas_dir)) if changes else None
    with spoken_of(Session.read(session_id, folder, sound=at is not None)) as session:
        make_fork(session, at, name, folder, change, as_json=as_json)
        if session.log.damage:
            note(say("running-forked-sound", damage=str(session.log.damage)))


def make_fork(
    session: Session, at: int | None, name: str | None, folder: Path | None, change: Fork | None, *, as_json: bool
) -> None:
    """Fork a session after a message, with a change, and print the name of the new one."""
    with forked(session, at, name, folder, change=change) as new:
        parent = new.started().parent
        text = say("running-forked", session=new.name, parent=parent_phrase(parent), typed=new.typed)
        later = session.events(new.log.last_seq) if at else ()
        late = {each.who for each in later if isinstance(each, LineAnswered) and answers(each, at or 0)}
        text = "\n".join((text, *(say("running-answer-left-out", who=who, number=at or 0) for who in late)))
        done(text, as_json=as_json, session=new.name, parent=parent and asdict(parent))


@session_command
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
    session_id: str | Path,
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
    ballot adopted stay: TEXT stands beside them as another version, and the next ballot has both. `-` reads TEXT from
    the input.
    """  # noqa: D301 - click leaves the lines after this mark as they are
    if note is not None:
        if item is not None:
            raise one_of("ITEM", "--note")
        words = standard_input().strip() if note == "-" else note
        _keep(session_id, folder, Noted(words, who, importance or 500, topic, private), as_json=as_json)
        return
    if item is None:
        raise UsageError("say what to edit", hint=f"eda edit {session_id} ITEM TEXT, or --note TEXT")
    text = standard_input().strip() if text == "-" else text
    if strike:
        if text is not None:
            raise one_of("TEXT", "--strike")
    elif not (text or "").strip():
        raise UsageError("the text is empty", hint="Give the new text, or --strike.")
    elif re.fullmatch("m?[0-9]+", item):
        with spoken_of(Session.read(session_id, folder)) as session:
            make_fork(session, message_number(item), name, folder, reworded(text or ""), as_json=as_json)
        return
    _keep(session_id, folder, Corrected(item, text or "", who), as_json=as_json)


def _keep(session_id: str | Path, folder: Path | None, new: Corrected | Noted, *, as_json: bool) -> None:
    """Have a session's memory keep a correction or a note, and print what it keeps."""
    (fact,), _ = changed(session_id, folder, [new])
    with spoken_of(Session.read(session_id, folder)) as session:
        if as_json:
            key, less = ("note", {"seq", "at", "type"}) if isinstance(new, Noted) else ("fact", {"at", "type"})
            print_json({"session": session.name, key: fact.model_dump(mode="json", exclude=less)})
        elif isinstance(new, Noted):
            sort = "private" if new.private else "shared"
            note(say("sessions-note-kept", sort=sort, importance=new.importance, session=session.typed))
            tell_ended(session.name, progress_of(session))
        else:
            assert isinstance(fact, MemoryCorrected)
            how = "beside" if fact.version else "corrected" if new.text else "struck"
            note(say("sessions-corrected", item=new.item, how=how, version=fact.version, session=session.typed))


@session_command
@repeatable("--mute", "muted", "NAME", "This member may not speak; it still votes.")
@repeatable("--unmute", "unmuted", "NAME", "This member may speak again.")
@repeatable("--add", "added", "PERSONA", "Seat one more persona.")
@repeatable("--replace", "replaced", "NAME=PERSONA", "Give a member's seat to a persona.")
@repeatable("--remove", "removed", "NAME", "This member leaves the panel.")
@repeatable("--set", "settings", "KEY=VALUE", "Change a setting: `eda show ID --json` lists them.")
@person_option("asks")
@personas_option
@session_options
def steer(*, session_id: str | Path, folder: Path | None, as_json: bool, **given: Any) -> None:
    """Change session ID: its members, who may speak, its settings.

    Either all changes are made or none. A session that is running in another terminal applies them after the current
    turn; any other session applies them with `eda resume`. A muted member still hears the others, is polled and votes.
    Settings have the names that `eda show ID --json` prints; the value `none` removes a limit.
    """
    changes = _changes(given)
    if not changes:
        raise UsageError("no change was given", hint="`eda steer --help` lists the changes.")
    with spoken_of(Session.read(session_id, folder)) as session:
        before = progress_of(session).settings
    facts, running = changed(session_id, folder, changes)
    if as_json:
        print_json({"session": session.name, "facts": [fact.model_dump(mode="json", exclude={"at"}) for fact in facts]})
        return
    context = Context(before)
    for fact in facts:
        for entry in context.entries(fact):
            click.echo(entry.text)
    if not running:
        with spoken_of(Session.read(session_id, folder)) as session:
            note(_going_on(session))


def _changes(given: Mapping[str, Any]) -> list[Change]:
    """Return the changes that the options ask for, in the order in which they are made."""
    library, who = Library(given["personas_dir"]), given["who"]
    changes: list[Change] = [Seat("added", persona=library.persona(name), by=who) for name in given["added"]]
    for text in given["replaced"]:
        name, _, persona = (part.strip() for part in text.partition("="))
        if not (name and persona):
            raise UsageError(f"--replace {text!r} does not have the form NAME=PERSONA")
        changes.append(Seat("replaced", name, library.persona(persona), who))
    changes += [Seat("unmuted", name, by=who) for name in given["unmuted"]]
    changes += [Seat("muted", name, by=who) for name in given["muted"]]
    changes += [Seat("removed", name, by=who) for name in given["removed"]]
    if chosen := typed_settings(given["settings"]):
        changes.append(Changed(chosen))
    return changes


def _going_on(session: Session) -> str:
    """Return how to continue the session; for an ended one, what that needs."""
    progress, memory = read_back(session)
    try:
        extended_settings(session, progress, memory, {})
    except UsageError as error:
        return f"{error}. {error.hint}"
    at = progress.at
    over = why_stop(progress, memory) if at is not None and at.does.open else None
    return say("sessions-steered", ends=over.reason if over and progress.ended is None else "", typed=session.typed)
