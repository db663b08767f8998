"""Every error that EDA raises on purpose, in one tree.

    EdaError                    exit code 1, and of those below where no other is named
    ├── UsageError              2: what was asked for cannot be done as asked
    │   ├── UnknownNameError    2: a persona, panel, runner or session that does not exist
    │   └── SessionNameError    2: a session name that is no plain name
    ├── PersonaError            2: a persona or panel file that cannot be read
    ├── AgendaError             2: an agenda file that cannot be used
    ├── InputError              2: a context file or transcript that cannot be read
    ├── PatternError            2: a pattern pack that cannot be used
    ├── SessionError            a session that cannot be opened or written
    │   ├── SessionBusyError    another process is writing it
    │   ├── SessionExistsError  2: a session of that name is there already
    │   └── LogDamagedError     a line in the middle of the log is not what was written
    ├── RunnerError             a call failed; the turn may be passed and the debate goes on
    │   └── RunnerUnavailableError  no call will succeed; the debate pauses
    └── SubscriberDeadlockError a subscriber waited for itself

An error says what was wrong and where; its `hint` says what to do.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

__all__ = [
    "AgendaError",
    "EdaError",
    "InputError",
    "LogDamagedError",
    "PatternError",
    "PersonaError",
    "RunnerError",
    "RunnerUnavailableError",
    "SessionBusyError",
    "SessionError",
    "SessionExistsError",
    "SessionNameError",
    "SubscriberDeadlockError",
    "UnknownNameError",
    "UsageError",
    "nearest",
]

_LOOKS_ALIKE = 0.65
"""Ratio of difflib: `nope` is no `copeland` (0.5), nor `condorcet` a `consent` (0.63); `rut` is Ruth (0.86)."""
_BEGINNING = 3
"""Letters of a word that tell which is meant."""


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The up to three known names that look most like `name`, best first; then those with a word that it begins."""
    by_lower = {candidate.lower().replace(" ", "-"): candidate for candidate in sorted(known)}
    wanted = name.lower().replace(" ", "-")
    matches = difflib.get_close_matches(wanted, list(by_lower), n=3, cutoff=_LOOKS_ALIKE)
    begun = [each for each in by_lower if f"-{each}".find(f"-{wanted}") >= 0] if len(wanted) >= _BEGINNING else []
    return [by_lower[match] for match in dict.fromkeys((*matches, *begun))][:3]


class EdaError(Exception):
    """Something went wrong that a person can act on."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint
        """What to do about it, a sentence; empty where the message says it all."""
        if hint:
            self.add_note(f"hint: {hint}")


class UsageError(EdaError):
    """What was asked for cannot be done as asked."""

    exit_code = 2


class UnknownNameError(UsageError):
    """A name that stands for nothing; the message gives the nearest names."""

    def __init__(self, kind: str, name: str, known: Iterable[str], titles: Iterable[str] = ()) -> None:
        names = sorted(known)
        close = nearest(name, (*names, *titles))
        if close:
            hint = f"Did you mean {' or '.join(close)}?"
        elif names:
            more = f" and {len(names) - 12} more" if len(names) > 12 else ""
            hint = f"Known: {', '.join(names[:12])}{more}."
        else:
            hint = "There is none yet."
        super().__init__(f"unknown {kind} {name!r}", hint=hint)


class SessionNameError(UsageError):
    """A session name that could reach outside the sessions folder or is no plain name."""


class PersonaError(EdaError):
    """A persona or panel file that cannot be read: file, line, reason."""

    exit_code = 2


class AgendaError(EdaError):
    """An agenda file that cannot be used: file, phase, reason."""

    exit_code = 2


class InputError(EdaError):
    """A file given as input that cannot be used: file, line where there is one, reason."""

    exit_code = 2


class PatternError(EdaError):
    """A pattern pack that cannot be used: file, pattern, place, reason."""

    exit_code = 2


class SessionError(EdaError):
    """A session that cannot be opened or written."""


class SessionBusyError(SessionError):
    """Another process is writing the session."""


class SessionExistsError(SessionError):
    """A session of that name is there already."""

    exit_code = 2


class LogDamagedError(SessionError):
    """A line of the log is not what was written; nothing was changed."""


class RunnerError(EdaError):
    """A call failed. The turn is passed; the debate goes on."""

    usage: Any = None
    """What the call took all the same, as `Usage`; None where that is nothing, or is not known."""
    model: str = ""
    """The model that took it."""


class RunnerUnavailableError(RunnerError):
    """No call will succeed until somebody acts (no key, no credit) or waits. The debate pauses."""


class SubscriberDeadlockError(EdaError):
    """A subscriber waited for all subscribers, itself included."""
