"""`eda steer`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eda.cli.common import changed, note, print_json
from eda.cli.options import TEXT, json_option, person_option, personas_option, sessions_option
from eda.errors import UsageError

if TYPE_CHECKING:
    from eda.events import Event
    from eda.panels.settings import Settings
    from eda.session import Session

__all__ = ["steer"]


@click.command()
@click.argument("session_id", metavar="ID")
@click.option(
    "--mute",
    "muted",
    type=TEXT,
    multiple=True,
    metavar="NAME",
    help="This member may not speak; it still votes. Repeatable.",
)
@click.option(
    "--unmute", "unmuted", type=TEXT, multiple=True, metavar="NAME", help="This member may speak again. Repeatable."
)
@click.option("--add", "added", type=TEXT, multiple=True, metavar="PERSONA", help="Seat one more persona. Repeatable.")
@click.option(
    "--replace",
    "replaced",
    type=TEXT,
    multiple=True,
    metavar="NAME=PERSONA",
    help="Give a member's seat to a persona. Repeatable.",
)
@click.option(
    "--remove", "removed", type=TEXT, multiple=True, metavar="NAME", help="This member leaves the panel. Repeatable."
)
@click.option(
    "--set",
    "settings",
    type=TEXT,
    multiple=True,
    metavar="KEY=VALUE",
    help="Change a setting, for example max_messages=40. Repeatable.",
)
@person_option("asks")
@personas_option
@sessions_option
@json_option
def steer(*, session_id: str, folder: Path | None, as_json: bool, **given: Any) -> None:
    """Change session ID: its members, who may speak, its settings.

    Either all changes are made or none. A session that is running in another terminal applies them after the current
    turn; any other session applies them with `eda resume`. A muted member still hears the others, is polled and votes.
    Settings have the names that `eda show ID --json` prints; the value `none` removes a limit.
    """
    from eda.debate.control.changes import Added, Change, Changed, Muted, Removed, Replaced, Unmuted
    from eda.debate.replay import progress_of
    from eda.debate.validation import typed_setting
    from eda.panels.library import Library
    from eda.session import Session

    library, who = Library(given["personas_dir"]), given["who"]
    changes: list[Change] = [Added(library.persona(name), who) for name in given["added"]]
    for pair in given["replaced"]:
        name, persona = _replacement(pair)
        changes.append(Replaced(name, library.persona(persona), who))
    changes += [Unmuted(name, who) for name in given["unmuted"]]
    changes += [Muted(name, who) for name in given["muted"]]
    changes += [Removed(name, who) for name in given["removed"]]
    if given["settings"]:
        pairs = [typed_setting(pair) for pair in given["settings"]]
        twice = next((key for place, (key, _) in enumerate(pairs) if key in dict(pairs[:place])), None)
        if twice:
            raise UsageError(f"{twice} is set twice", hint="Set it once.")
        changes.append(Changed(dict(pairs)))
    if not changes:
        raise UsageError("no change was given", hint="`eda steer --help` lists the changes.")
    with Session.read(session_id, folder) as session:
        before = progress_of(session).settings
    facts, running = changed(session_id, folder, changes)
    if as_json:
        print_json({"session": session_id, "facts": [fact.model_dump(mode="json", exclude={"at"}) for fact in facts]})
        return
    for line in _lines(facts, before):
        click.echo(line)
    if not running:
        with Session.read(session_id, folder) as session:
            note(_going_on(session))


def _replacement(text: str) -> tuple[str, str]:
    name, _, persona = (part.strip() for part in text.partition("="))
    if not (name and persona):
        raise UsageError(f"--replace {text!r} does not have the form NAME=PERSONA")
    return name, persona


def _going_on(session: Session) -> str:
    """Return how to continue the session; for an ended one, what that needs."""
    from eda.debate.floor.stop import why_stop
    from eda.debate.replay import memory_of, progress_of
    from eda.debate.validation import extended_settings

    progress = progress_of(session)
    try:
        extended_settings(session, progress, memory_of(session), {})
    except UsageError as error:
        return f"{error}. {error.hint}"
    at = progress.at
    over = why_stop(progress, memory_of(session)) if at is not None and at.does.open else None
    ends = f"the discussion ends at once ({over.reason}); " if over and progress.ended is None else ""
    return f"{ends}go on with: eda resume {session.typed}"


def _lines(facts: Iterable[Event], before: Settings) -> list[str]:
    """Return the changes that were made, a line each."""
    from eda.cli.terminal.entries import Context

    context = Context(before)
    return [entry.text for fact in facts for entry in context.entries(fact)]
