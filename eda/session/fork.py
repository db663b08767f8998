"""Goes back to any message of a session: to look at it as it stood, or to go on from there in another session."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

from eda.errors import UsageError
from eda.events import Event, MessagePosted, SessionStarted
from eda.session.names import free_name, sessions_folder
from eda.session.store import Session


def upto(session: Session, at: int) -> Session:
    """Return the session as it stood after message `at`, in memory.

    Raises:
        UsageError: it has no such message.
        LogDamagedError, SessionError: its log cannot be read.
    """
    past = Session.in_memory(session.name)
    past.log.append(list(_facts(session, at)), durable=False)
    return past


def fork(session: Session, at: int | None = None, name: str | None = None, sessions: Path | None = None) -> Session:
    """Create a session that is equal to this one up to message `at`, and open it for writing.

    Its first fact says where it comes from. It goes on with a resume; what is to be otherwise is changed before.

    Args:
        session: Open for reading or writing.
        at: The last message that both have; None for all facts.
        name: The new session's; None for a free one.
        sessions: The folder of the new session; None for the default one.

    Raises:
        UsageError: the session has no such message.
        SessionNameError, SessionExistsError, SessionError: as `Session.create`.
    """
    first, *facts = session.events() if at is None else _facts(session, at)
    if isinstance(first, SessionStarted):
        place = "" if at is None else f" at m{at}"
        name = name or free_name(f"{session.name}{place}", sessions_folder(sessions))
        first = first.model_copy(update={"session": name, "parent": f"{session.name}{place}"})
    return Session.of_facts(name or session.name, [first, *facts], sessions)


def between(session: Session, first: int, last: int) -> Iterator[Event]:
    """Yield the facts of messages `first` to `last`, with what happened before and after each. Reads no others.

    Raises:
        LogDamagedError, SessionError: its log cannot be read.
    """

    def next_message(seq: int) -> int:
        return next((event.number for event in session.events(seq) if isinstance(event, MessagePosted)), sys.maxsize)

    places = range(session.log.last_seq)
    start, end = (bisect_left(places, number, key=next_message) for number in (first, last + 1))
    over = next_message(end) == sys.maxsize
    yield from takewhile(lambda event: over or event.seq <= end, session.events(start))


def _facts(session: Session, at: int) -> Iterator[Event]:
    last = 0
    for event in session.events():
        yield event
        if isinstance(event, MessagePosted):
            last = event.number
            if last == at:
                return
    there = f"Its messages are m1 to m{last}." if last else "It has no message yet."
    raise UsageError(f"session {session.name!r} has no message m{at}", hint=there)
