"""`eda steer`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eda.cli.common import changed, note, print_json, say
from eda.cli.names import PERSONA
from eda.cli.options import person_option, personas_option, repeatable, session_argument, session_options
from eda.debate.floor.stop import why_stop
from eda.debate.replay import progress_of, read_back
from eda.errors import UsageError
from eda.session import Session

if TYPE_CHECKING:
    from eda.debate.control.changes import Change


@click.command()
@session_argument
@repeatable("--mute", "muted", "NAME", "This member may not speak; it still votes.")
@repeatable("--unmute", "unmuted", "NAME", "This member may speak again.")
@repeatable("--add", "added", "PERSONA", "Seat one more persona.", PERSONA)
@repeatable("--replace", "replaced", "NAME=PERSONA", "Give a member's seat to a persona.")
@repeatable("--remove", "removed", "NAME", "This member leaves the panel.")
@repeatable("--set", "settings", "KEY=VALUE", "Change a setting, for example max-messages=40.")
@person_option("asks")
@personas_option
@session_options
def steer(*, session_id: str, folder: Path | None, as_json: bool, **given: Any) -> None:
    """Change session ID: its members, who may speak, its settings.

    Either all changes are made or none. A session that is running in another terminal applies them after the current
    turn; any other session applies them with `eda resume`. A muted member still hears the others, is polled and votes.
    Settings have the names that `eda show ID --json` prints; the value `none` removes a limit.
    """
    from eda.cli.terminal.entries import Context

    changes = _changes(**given)
    if not changes:
        raise UsageError("no change was given", hint="`eda steer --help` lists the changes.")
    with Session.read(session_id, folder) as session:
        before = progress_of(session).settings
    facts, running = changed(session_id, folder, changes)
    if as_json:
        print_json({"session": session_id, "facts": [fact.model_dump(mode="json", exclude={"at"}) for fact in facts]})
        return
    context = Context(before)
    for fact in facts:
        for entry in context.entries(fact):
            click.echo(entry.text)
    if not running:
        with Session.read(session_id, folder) as session:
            note(_going_on(session))


def _changes(
    *,
    personas_dir: Path | None,
    who: str,
    added: Sequence[str],
    replaced: Sequence[str],
    unmuted: Sequence[str],
    muted: Sequence[str],
    removed: Sequence[str],
    settings: Sequence[str],
) -> list[Change]:
    """Return the changes that the options ask for, in the order in which they are made."""
    from eda.debate.control.changes import Added, Changed, Muted, Removed, Replaced, Unmuted, typed_settings
    from eda.panels.library import Library

    library = Library(personas_dir)
    changes: list[Change] = [Added(library.persona(name), who) for name in added]
    for name, persona in map(_replacement, replaced):
        changes.append(Replaced(name, library.persona(persona), who))
    for kind, names in ((Unmuted, unmuted), (Muted, muted), (Removed, removed)):
        changes += [kind(name, who) for name in names]
    if chosen := typed_settings(settings):
        changes.append(Changed(chosen))
    return changes


def _replacement(text: str) -> tuple[str, str]:
    name, _, persona = (part.strip() for part in text.partition("="))
    if not (name and persona):
        raise UsageError(f"--replace {text!r} does not have the form NAME=PERSONA")
    return name, persona


def _going_on(session: Session) -> str:
    """Return how to continue the session; for an ended one, what that needs."""
    from eda.debate.control.changes import extended_settings

    progress, memory = read_back(session)
    try:
        extended_settings(session, progress, memory, {})
    except UsageError as error:
        return f"{error}. {error.hint}"
    at = progress.at
    over = why_stop(progress, memory) if at is not None and at.does.open else None
    ends = over.reason if over and progress.ended is None else ""
    return say("sessions-steered", ends=ends, typed=session.typed)
