"""Checks each change of a debate's settings while it runs, and on resume.

The one rule: what is refused leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from pydantic import ValidationError

from eda.debate.floor.stop import reached_limit
from eda.debate.state import DebateState
from eda.debate.validation import check_fixed, check_settings, checked_parts
from eda.errors import UnknownNameError, UsageError
from eda.memory import ConversationMemory
from eda.panels.files import in_words
from eda.panels.settings import SETTINGS, Settings, setting_of
from eda.session import Session
from eda.voting.choices import given


def typed_setting(text: str) -> tuple[str, str | None]:
    """Return the name and the value of a setting typed as `KEY=VALUE`; `none` takes a limit away.

    Raises:
        UsageError: it is not of that form.
    """
    key, _, value = (part.strip() for part in text.partition("="))
    if not (key and value):
        raise UsageError(f"{text!r} is not of the form KEY=VALUE", hint="Such as max-messages=40.")
    return key, None if value.casefold() == "none" else value


def typed_settings(texts: Iterable[str]) -> dict[str, str | None]:
    """Return the values of settings typed as `KEY=VALUE`, by name.

    Raises:
        UsageError: one is not of that form, or is set twice.
    """
    chosen: dict[str, str | None] = {}
    for key, value in map(typed_setting, texts):
        if key in chosen:
            raise UsageError(f"{key} is set twice", hint="Set it once.")
        chosen[key] = value
    return chosen


def changed_settings(progress: DebateState, changes: Mapping[str, object]) -> Settings:
    """Return the settings with these changes, by their names in `Settings`.

    Raises:
        UnknownNameError: a setting that is none, or a judge that does not sit.
        UsageError: a value that it cannot have, or cannot have any more; one that would change nothing.
    """
    changes = dict(setting_of(name, value) or (name, value) for name, value in changes.items())
    unknown = next((name for name in changes if name not in Settings.model_fields), None)
    if unknown is not None:
        raise UnknownNameError("setting", unknown, Settings.model_fields)
    none = {"judge": ""} if changes.get("judge", "") is None else {}
    if changes.get("bids", "") is None:
        raise UsageError("bids cannot be none", hint=f"It has to be {' or '.join(SETTINGS['bids'].choices)}.")
    try:
        settings = Settings.model_validate(progress.settings.model_dump() | dict(changes) | none)
    except ValidationError as error:
        raise in_words(error) from None
    if {"floor", "rule", "stop", "summariser"} & changes.keys():
        checked_parts(progress.parts, settings, progress.agenda)
    _check_late(progress, settings)
    if settings.fixed_options and progress.started is not None:
        check_fixed(progress.agenda, given(progress.started.question, progress.started.options))
    if {"rule", "judge", "consensus", "poll_every", "answer"} & changes.keys():
        settings = check_settings(settings, progress.agenda, progress.panel, progress.panel)
    return settings


def extended_settings(
    session: Session, progress: DebateState, memory: ConversationMemory, changes: Mapping[str, object]
) -> Settings:
    """Return the settings that a session is resumed with.

    Raises:
        UnknownNameError: a setting that is none.
        UsageError: a value that it cannot have, the session has ended and no limit is raised, or one is reached
            already.
    """
    name = session.name
    if progress.ended is not None and not changes and not progress.extended:
        raise UsageError(
            f"session {name!r} has ended ({progress.ended})",
            hint=f"Read it: eda show {session.typed}. "
            f"Go on: eda resume {session.typed} --max-messages {progress.messages + 12}",
        )
    settings = changed_settings(progress, changes)
    reached = reached_limit(replace(progress, settings=settings), memory) if progress.ended is not None else None
    if reached is not None:
        option = reached.option or "..."
        raise UsageError(
            f"session {name!r} has reached its limit of {reached.reason}",
            hint=f"Raise {reached.limit} above the limit it had: eda resume {session.typed} {option} ...",
        )
    return settings


def _check_late(progress: DebateState, settings: Settings) -> None:
    """Refuse a change of a setting by which summaries were written or ballots cast already."""
    if progress.settings.summariser != settings.summariser:
        raise UsageError(
            "summariser cannot be changed: the summaries that stand were made by it", hint="Begin a new session."
        )
    if progress.settings.first_vote != settings.first_vote:
        raise UsageError(
            "first_vote cannot be changed: a first ballot comes before the debate", hint="Begin a new session."
        )
    if not progress.ballots or progress.ended is not None:
        return
    for name in ("rule", "own_proposals", "answer", "fixed_options"):
        if getattr(progress.settings, name) != getattr(settings, name):
            raise UsageError(
                f"{name} cannot be changed now: {len(progress.ballots)} of {len(progress.voters)} ballots are cast, "
                "and were asked for by it",
                hint="Let the vote end; `eda tally` then counts the same ballots by any rule.",
            )
