"""`eda steer`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eda.cli.common import TEXT, changed, json_option, note, personas_option, print_json, sessions_option
from eda.errors import UsageError

if TYPE_CHECKING:
    from eda.events import Event
    from eda.session import Session
    from eda.settings import Settings

__all__ = ["steer"]


@click.command()
@click.argument("session_id", metavar="ID")
@click.option(
    "--mute", "muted", type=TEXT, multiple=True, metavar="NAME", help="Ask it for no turn; it still votes; repeat."
)
@click.option("--unmute", "unmuted", type=TEXT, multiple=True, metavar="NAME", help="Let it speak again; repeat.")
@click.option("--add", "added", type=TEXT, multiple=True, metavar="PERSONA", help="Seat this one, too; repeat.")
@click.option(
    "--replace", "replaced", type=TEXT, multiple=True, metavar="NAME=PERSONA", help="Seat one for another; repeat."
)
@click.option("--remove", "removed", type=TEXT, multiple=True, metavar="NAME", help="Have it leave; repeat.")
@click.option(
    "--set",
    "settings",
    type=TEXT,
    multiple=True,
    metavar="KEY=VALUE",
    help="Such as max_messages=40; repeat.",
)
@click.option("--as", "who", type=TEXT, default="you", show_default=True, metavar="NAME", help="Who asks for it.")
@personas_option
@sessions_option
@json_option
def steer(*, session_id: str, folder: Path | None, as_json: bool, **given: Any) -> None:
    """Change session ID: who sits, who may speak, how it is run.

    All changes are made at once, or none. A session that is running, in another terminal, has them after its turn; any
    other goes on with them by `eda resume`. A muted member hears the others, is polled and votes. A setting is named as
    `eda show ID --json` names it; `none` takes a limit away.
    """
    from eda.changing import typed_setting
    from eda.panels import Library
    from eda.replay import progress_of
    from eda.session import Session
    from eda.steering import Added, Change, Changed, Muted, Removed, Replaced, Unmuted

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
            raise UsageError(f"{twice} is set twice", hint="Say once what it is to be.")
        changes.append(Changed(dict(pairs)))
    if not changes:
        raise UsageError("nothing is to be changed", hint="`eda steer --help` lists what can be.")
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
        raise UsageError(f"--replace {text!r} is not of the form NAME=PERSONA")
    return name, persona


def _going_on(session: Session) -> str:
    """How it goes on; of a session that has ended, what it takes."""
    from eda.changing import extended_settings
    from eda.replay import progress_of
    from eda.stop import why_stop

    progress = progress_of(session)
    try:
        extended_settings(session, progress, {})
    except UsageError as error:
        return f"{error}. {error.hint}"
    at = progress.at
    over = why_stop(progress, len(progress.active)) if at is not None and at.kind == "open" else None
    ends = f"the talk ends at once ({over}); what is left goes on" if over and progress.ended is None else "go on"
    return f"{ends} with: eda resume {session.typed}"


def _lines(facts: Iterable[Event], before: Settings) -> list[str]:
    """What was done, a line a change."""
    from eda.events import MemberChanged, SettingChanged
    from eda.view.phrases import member_phrase, setting_phrases

    lines = []
    for fact in facts:
        if isinstance(fact, MemberChanged):
            lines.append(member_phrase(fact))
        elif isinstance(fact, SettingChanged):
            lines += setting_phrases(before, fact.settings)
    return lines
