"""Names the calls of a session: the first call of a purpose and member is 1, the next one 2, and so on.

The names follow from the log alone, so that a resume and a replay name each call as the uninterrupted run does.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from eda.events import CallMade, Event, SessionPaused, SessionStarted, TurnFailed

_NUMBERED = 4
"""The schema version from which on the log holds the number of each call."""
_OldName = tuple[str, str, int, int]


@dataclass
class CallNames:
    """A fold over the log that counts the calls of each purpose and member."""

    _counts: dict[tuple[str, str], int] = field(default_factory=dict)
    _numbered: bool = True
    """False for the part of a log that an older version wrote."""
    _old: set[_OldName] = field(default_factory=set)
    """Calls of such a part, each once: a call that was made again after a pause had the same name."""
    _newest: list[_OldName] = field(default_factory=list)
    """Calls of such a part since the last other fact."""

    def next(self, purpose: str, agent: str) -> int:
        """Return the number of the next call of this purpose and member, from 1."""
        return self._counts.get((purpose, agent), 0) + 1

    @property
    def any(self) -> bool:
        """Whether a call was made."""
        return bool(self._counts)

    def fold(self, event: Event) -> None:
        """Take one fact in. A call whose answer nobody used has no number: it is made again under its name."""
        if isinstance(event, SessionStarted):
            self._numbered = event.schema_version >= _NUMBERED
        elif isinstance(event, CallMade | TurnFailed) and event.nth:
            self._numbered = True
            name = (event.purpose, _asked(event))
            self._counts[name] = max(event.nth, self._counts.get(name, 0))
        elif not self._numbered:
            self._fold_old(event)

    def _fold_old(self, event: Event) -> None:
        """Count a call of an older log, which holds neither numbers nor whether an answer was used."""
        if isinstance(event, CallMade):
            key = (event.purpose, event.agent, event.last, event.attempt)
            if key not in self._old:
                self._old.add(key)
                self._newest.append(key)
                self._add(key, 1)
            return
        if isinstance(event, SessionPaused):  # the calls before it brought answers that nobody used
            for key in self._newest:
                self._old.discard(key)
                self._add(key, -1)
        elif isinstance(event, TurnFailed):
            name = (event.purpose, _asked(event))
            if not any(key[:2] == name for key in self._newest[-1:]):  # the call took nothing: it has no fact
                self._counts[name] = self._counts.get(name, 0) + 1
        self._newest = []

    def _add(self, key: tuple[str, str, int, int], calls: int) -> None:
        self._counts[key[:2]] = self._counts.get(key[:2], 0) + calls


def _asked(event: CallMade | TurnFailed) -> str:
    """The member that was asked; empty for the moderator, whom no member is."""
    if isinstance(event, CallMade):
        return event.agent
    return "" if event.purpose == "moderate" else event.who
