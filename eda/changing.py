"""What settings a debate that has begun can be given: what cannot be is refused, with what it has and what would do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from eda.errors import UnknownNameError, UsageError
from eda.progress import Progress
from eda.session import Session
from eda.settings import Settings
from eda.setup import fitting
from eda.stop import why_stop
from eda.verdict import rule_of

__all__ = ["changed_settings", "extended_settings", "typed_setting"]

_LIMITS = {
    "tokens": ("max_tokens", "--budget-tokens"),
    "money": ("max_cost", "--budget"),
    "time": ("max_seconds", "--budget-time"),
    "messages": ("max_messages", "--max-messages"),
}
"""What ended a discussion, and the setting that must be higher for it to go on, with its option of `eda resume`."""
_NEEDED = {
    "int": "a whole number",
    "float": "a number",
    "finite": "a number",
    "bool": "yes or no",
    "string": "a name",
    "literal": "{expected}",
    "greater_than": "more than {gt}",
    "greater_than_equal": "{ge} or more",
    "less_than": "less than {lt}",
    "less_than_equal": "{le} or less",
}
"""What a setting has to be, by how the kind of a fault is called, or begins."""


def typed_setting(text: str) -> tuple[str, str | None]:
    """A setting as a person types it, `KEY=VALUE`; `none` takes a limit away.

    Raises:
        UsageError: it is not of that form.
    """
    key, _, value = (part.strip() for part in text.partition("="))
    if not (key and value):
        raise UsageError(f"{text!r} is not of the form KEY=VALUE", hint="Such as max_messages=40.")
    return key, None if value.casefold() == "none" else value


def changed_settings(progress: Progress, changes: Mapping[str, object]) -> Settings:
    """The settings with these changes, by their names in `Settings`.

    Raises:
        UnknownNameError: a setting that is none, or a judge that does not sit.
        UsageError: a value that it cannot have, or cannot have any more; one that would change nothing.
    """
    unknown = next((name for name in changes if name not in Settings.model_fields), None)
    if unknown is not None:
        raise UnknownNameError("setting", unknown, Settings.model_fields)
    none = {"judge": ""} if changes.get("judge", "") is None else {}
    if changes.get("bids", "") is None:
        raise UsageError("bids cannot be none", hint="It has to be 'each' or 'together'.")
    try:
        settings = Settings.model_validate(progress.settings.model_dump() | dict(changes) | none)
    except ValidationError as error:
        raise _refused(error.errors(include_url=False)[0]) from None
    _check_spent(progress, settings, changes)
    _check_late(progress, settings)
    _check_use(progress, settings, changes)
    if {"rule", "judge", "consensus"} & changes.keys():
        settings = fitting(settings, progress.agenda, progress.panel, progress.panel)
    return settings


def extended_settings(session: Session, progress: Progress, changes: Mapping[str, object]) -> Settings:
    """The settings that a session is taken up with.

    Raises:
        UnknownNameError: a setting that is none.
        UsageError: a value that it cannot have, the session has ended and no limit is raised, or one is reached
            already.
    """
    name = session.name
    higher = f"eda resume {session.typed} --max-messages {progress.messages + 12}"
    if progress.ended is not None and not changes and not progress.extended:
        raise UsageError(
            f"session {name!r} has ended ({progress.ended})", hint=f"Read it: eda show {session.typed}. Go on: {higher}"
        )
    settings = changed_settings(progress, changes)
    reached = why_stop(replace(progress, settings=settings, silent=0, failed=0), members=1)
    if progress.ended is not None and reached:
        setting, option = _LIMITS[reached]
        raise UsageError(
            f"session {name!r} has reached its limit of {reached}",
            hint=f"Raise {setting} above the limit it had: eda resume {session.typed} {option} ...",
        )
    return settings


def _refused(fault: ErrorDetails) -> UsageError:
    name, given = ".".join(map(str, fault["loc"])), fault["input"]
    kind = fault["type"]
    needed = _NEEDED.get(kind) or _NEEDED.get(kind.partition("_")[0], fault["msg"])
    shown = "none" if given is None else repr(str(given))
    return UsageError(f"{name} cannot be {shown}", hint=f"It has to be {needed.format_map(fault.get('ctx', {}))}.")


def _check_spent(progress: Progress, settings: Settings, changes: Mapping[str, object]) -> None:
    """A limit that is reached already would end the talk without anybody having asked for that."""
    spent = progress.spent
    taken: dict[str, tuple[float, str]] = {
        "max_messages": (progress.messages, f"has {progress.messages:,} messages"),
        "max_tokens": (spent.tokens, f"has taken {spent.tokens:,} tokens"),
        "max_cost": (spent.cost, f"has cost ${spent.cost:.4f}"),
        "max_seconds": (spent.seconds, f"has taken {spent.seconds:.1f} s"),
    }
    for name in taken.keys() & changes.keys():
        limit = getattr(settings, name)
        if limit is not None and taken[name][0] >= limit:
            more = f", such as {progress.messages + 12}" if name == "max_messages" else ""
            raise UsageError(
                f"{name} cannot be {limit:,}: the debate {taken[name][1]} already", hint=f"Give more than that{more}."
            )


def _check_late(progress: Progress, settings: Settings) -> None:
    """What was made by a setting that stands in the log is not made anew by another."""
    if progress.settings.summary_every != settings.summary_every:
        raise UsageError(
            "summary_every cannot be changed: the summaries that stand were made by it", hint="Begin a new session."
        )
    if not progress.ballots or progress.ended is not None:
        return
    for name in ("rule", "own_proposals"):
        if getattr(progress.settings, name) != getattr(settings, name):
            cast = f"{len(progress.ballots)} of {len(progress.voters)} ballots are cast"
            raise UsageError(
                f"{name} cannot be changed now: {cast}, and were asked for by it",
                hint="Let the vote end; `eda tally` then counts the same ballots by any rule.",
            )


def _check_use(progress: Progress, settings: Settings, changes: Mapping[str, object]) -> None:
    """What would change nothing was meant otherwise."""
    rule = rule_of(replace(progress, settings=settings))
    if rule == "judge" and not settings.judge:
        raise UsageError("the rule judge needs a judge", hint="Set a member who decides, too: judge=NAME.")
    if changes.get("judge") and rule != "judge":
        raise UsageError(f"judge is for the rule judge, and here {rule} decides", hint="Set rule=judge, too.")
    if "poll_every" in changes and settings.consensus is None:
        raise UsageError("poll_every is for a consensus that ends the talk", hint="Set it, too, such as consensus=0.8.")
