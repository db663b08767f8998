"""All errors that EDA raises on purpose, in one tree. The number is the exit code; without one it is 1.

    EdaError
    ├── UsageError              2: the request is not possible as given
    │   ├── UnknownNameError    2: a persona, panel, runner or session that does not exist
    │   └── SessionNameError    2: a session name that is not valid
    ├── PersonaError            2: a persona or panel file that cannot be read
    ├── AgendaError             2: an agenda file that cannot be used
    ├── InputError              2: a context file or transcript that cannot be read
    ├── PatternError            2: a pattern pack that cannot be used
    ├── StudyError              2: a study that cannot be used, or that is not the one that was frozen
    ├── SessionError            a session that cannot be opened or written
    │   ├── SessionBusyError    another process is writing the session
    │   ├── SessionExistsError  2: the name of a new session is taken
    │   └── LogDamagedError     a line of the log is not what was written
    ├── RunnerError             a call was not answered usably; the debate goes on
    │   ├── BudgetError         a call was not made because the budget does not cover it
    │   └── RunnerUnavailableError  nobody answers; the debate pauses
    ├── RefusedError            somebody at a page asks for what is not theirs
    └── SubscriberDeadlockError a subscriber waited for itself

The message of an error says what was wrong and where; its `hint` says what to do.
"""

import copyreg
from collections.abc import Iterable
from typing import Any, Literal

BudgetReason = Literal["tokens", "money"]

# The least ratio of difflib for a match: above `nope`/`copeland` (0.5) and `condorcet`/`consent` (0.63), below
# `rut`/`ruth` (0.86).
_LOOKS_ALIKE = 0.65
_BEGINNING = 3  # The fewest letters that match a name by the beginning of one of its words.


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Return up to three known names: those most similar to `name`, best first, then those with a word it begins."""
    from difflib import get_close_matches  # noqa: PLC0415 - only an error needs it

    by_lower = {candidate.lower().replace(" ", "-"): candidate for candidate in sorted(known)}
    wanted = name.lower().replace(" ", "-")
    matches = get_close_matches(wanted, list(by_lower), n=3, cutoff=_LOOKS_ALIKE)
    begun = [each for each in by_lower if f"-{each}".find(f"-{wanted}") >= 0] if len(wanted) >= _BEGINNING else []
    return [by_lower[match] for match in dict.fromkeys((*matches, *begun))][:3]


class EdaError(Exception):
    """An error that a person can act on."""

    exit_code = 1
    about = ""
    """The field of a request, or the setting, that is wrong; empty where it is another thing."""
    told: tuple[str, dict[str, Any]] | None = None
    """The message of the catalogue that says it, and its data; see `eda.words.fault`."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint
        """A sentence that says what to do; empty if the message is enough."""
        if hint:
            self.add_note(f"hint: {hint}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the error by its state, because a subclass may take other arguments than a message."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined] # of Python


class UsageError(EdaError):
    """The request is not possible as given."""

    exit_code = 2


class UnknownNameError(UsageError):
    """A name that does not exist. The hint gives the most similar known names or titles, else the known names.

    `where` is where they were looked for; another `hint` stands instead.
    """

    def __init__(
        self, kind: str, name: str, known: Iterable[str], titles: Iterable[str] = (), *, where: str = "", hint: str = ""
    ) -> None:
        names = sorted(known)
        close = [] if hint else nearest(name, (*names, *titles))
        data = {"kind": kind, "name": name, "where": where, "close": close, "known": names[:12], "hint": hint}
        if close:
            hint = f"Did you mean {' or '.join(close)}?"
        elif names and not hint:
            hint = f"Known: {', '.join(names[:12])}{f' and {len(names) - 12} more' * (len(names) > 12)}."
        elif not hint:
            hint = f"There is no {kind} yet."
        super().__init__(f"unknown {kind} {name!r}{where and f' in {where}'}", hint=hint)
        self.told = "error-unknown", data | {"more": max(0, len(names) - 12)}


class SessionNameError(UsageError):
    """A session name that could reach outside the folder of sessions, or that some system could not store."""


class PersonaError(EdaError):
    """A persona or panel file that cannot be read. The message gives file, line and reason."""

    exit_code = 2


class AgendaError(EdaError):
    """An agenda file that cannot be used. The message gives file, phase and reason."""

    exit_code = 2


class InputError(EdaError):
    """A context file or transcript that cannot be used. The message gives file, line and reason."""

    exit_code = 2


class PatternError(EdaError):
    """A pattern pack that cannot be used. The message gives file, pattern, place and reason."""

    exit_code = 2


class StudyError(EdaError):
    """A study that cannot be used, or that is not the one that was frozen. The message gives file, line and reason."""

    exit_code = 2


class SessionError(EdaError):
    """A session that cannot be opened or written."""


class SessionBusyError(SessionError):
    """Another process is writing the session."""


class SessionExistsError(SessionError):
    """The name of a new session is taken."""

    exit_code = 2


class LogDamagedError(SessionError):
    """A line of the log is not what was written. The log was not changed."""


class RunnerError(EdaError):
    """A call was not answered usably. The member loses its turn and the debate goes on."""

    usage: Any = None
    """The `Usage` of the failed call; None if it used nothing, or the usage is unknown."""
    model: str = ""
    """The model that was called; empty if unknown."""
    provider: str = ""
    """The name of the member's own runner, where that one called it; else empty."""


class RunnerUnavailableError(RunnerError):
    """No call can succeed until somebody acts (missing key, no credit) or waits. The debate pauses."""

    def __init__(self, message: str, *, hint: str = "", refused: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.refused = refused
        """Whether waiting does not help: another key, model or address is needed."""


class BudgetError(RunnerError):
    """A call was not made because the rest of the budget does not cover it."""

    def __init__(self, reason: BudgetReason) -> None:
        super().__init__(f"the budget has no {reason} left for this call", hint="Raise the limit: eda resume ID.")
        self.reason: BudgetReason = reason


class RefusedError(EdaError):
    """Somebody at a page asks for what is not theirs."""


class SubscriberDeadlockError(EdaError):
    """A subscriber waited for all subscribers, and so for itself."""
