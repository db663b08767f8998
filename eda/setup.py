"""Checks what a debate is given before its first fact: what is refused here leaves nothing behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import ValidationError

from eda.errors import UnknownNameError, UsageError
from eda.panels import Library, Panel
from eda.personas import Persona
from eda.progress import Progress
from eda.protocols import Runner
from eda.runners.names import make_runner
from eda.session import Session, as_typed
from eda.settings import Settings
from eda.stop import why_stop

__all__ = ["again", "checked_options", "checked_question", "chosen", "extended_settings", "panel_settings", "seated"]

FEWEST_MEMBERS = 2


def seated(panel: str | Panel | Sequence[str | Persona], library: Library) -> tuple[Panel | None, tuple[Persona, ...]]:
    """The panel, where one was named, and who sits, in seat order.

    Raises:
        UnknownNameError: no panel or persona of that name.
        UsageError: fewer than two members, or one twice.
    """
    if isinstance(panel, str):
        panel = library.panel(panel)
    if isinstance(panel, Panel):
        return panel, library.members(panel)
    members = tuple(library.persona(who) if isinstance(who, str) else who for who in panel)
    if len(members) < FEWEST_MEMBERS:
        raise UsageError("a panel needs at least two members", hint="Name another persona: eda personas")
    titles = [member.title for member in members]
    twice = sorted({title for title in titles if titles.count(title) > 1})
    if twice:
        raise UsageError(f"{', '.join(twice)} would sit twice", hint="Name each persona once.")
    return None, members


def panel_settings(panel: Panel | None) -> Settings:
    """The settings that a panel's file gives; the defaults for the rest."""
    given = {"floor": panel.floor, "max_messages": panel.max_messages} if panel else {}
    return Settings.model_validate({key: value for key, value in given.items() if value is not None})


def chosen(settings: Settings) -> Settings:
    """The settings of a new debate: where it was left open how bids are asked for, all together."""
    return settings if settings.bids else settings.model_copy(update={"bids": "together"})


def checked_question(question: str) -> str:
    """The question on one line.

    Raises:
        UsageError: it is empty.
    """
    cleaned = " ".join(question.split())
    if not cleaned:
        raise UsageError("the question is empty", hint='Ask one: eda debate "Should we ...?"')
    return cleaned


def checked_options(options: Sequence[str]) -> tuple[str, ...]:
    """The options, each on one line.

    Raises:
        UsageError: one is empty or given twice, or there is only one.
    """
    cleaned = tuple(" ".join(option.split()) for option in options)
    if any(not option for option in cleaned):
        raise UsageError("an option is empty")
    folded = [option.casefold() for option in cleaned]
    if len(set(folded)) < len(folded):
        raise UsageError("an option is given twice")
    if len(cleaned) == 1:
        raise UsageError("one option is no choice", hint="Give at least two, or none.")
    return cleaned


def again(spec: str) -> Runner:
    """The runner that a session was run with.

    Raises:
        UsageError: it was one of the user's own, which only they can make.
    """
    try:
        return make_runner(spec)
    except UnknownNameError:
        raise UsageError(
            f"the session was run with a runner of its own ({spec})",
            hint="Pass one: Debate.resume(session, runner), or eda resume ID --runner SPEC.",
        ) from None


_LIMITS = {"tokens": "max_tokens", "money": "max_cost", "time": "max_seconds", "messages": "max_messages"}
"""What ended a discussion, and the setting that must be higher for it to go on."""


def extended_settings(session: Session, progress: Progress, changes: Mapping[str, object]) -> Settings:
    """The settings that a session is taken up with.

    Raises:
        UsageError: a setting that is none, the session has ended and no limit is raised, or a limit is reached already.
    """
    name = session.name
    typed = as_typed(session.folder) if session.folder else name
    higher = f"eda resume {typed} --max-messages {progress.messages + 12}"
    if progress.ended is not None and not changes:
        raise UsageError(
            f"session {name!r} has ended ({progress.ended})", hint=f"Read it: eda show {typed}. Go on: {higher}"
        )
    try:
        settings = Settings.model_validate(progress.settings.model_dump() | dict(changes))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise UsageError(f"setting {'.'.join(map(str, first['loc']))!r}: {first['msg'].lower()}") from None
    if settings.summary_every != progress.settings.summary_every:
        raise UsageError(
            "summary_every cannot be changed: the summaries that stand were made by it", hint="Begin a new session."
        )
    if "max_messages" in changes and settings.max_messages <= progress.messages:
        raise UsageError(
            f"session {name!r} has {progress.messages} messages already", hint=f"Give a limit above that: {higher}"
        )
    reached = why_stop(replace(progress, settings=settings, silent=0, failed=0), members=1)
    if progress.ended is not None and reached:
        raise UsageError(
            f"session {name!r} has reached its limit of {reached}",
            hint=f"Raise {_LIMITS[reached]} above the limit it had.",
        )
    return settings
