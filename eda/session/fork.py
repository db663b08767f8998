"""Goes back to any message of a session: to look at it as it stood, or to go on from there in another session."""

import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path

from eda.errors import SessionExistsError
from eda.events import Event, LineAnswered, MessagePosted, Parent, PhaseStarted, SessionEnded
from eda.session.names import free_name, sessions_folder
from eda.session.places import check_free
from eda.session.store import Session
from eda.words import fault

Change = Callable[[Session], tuple[Session, str]]
"""Makes another session of one that is in memory, and says in words what differs: see `eda.debate.control.forks`."""


def upto(session: Session, at: int | None) -> Session:
    """Return the session as it stood after message `at`, or now for None, in memory.

    Raises:
        UsageError: it has no such message.
        LogDamagedError, SessionError: its log cannot be read.
    """
    return Session.in_memory(session.name, session.events() if at is None else _facts(session, at))


def fork(
    session: Session,
    at: int | None = None,
    name: str | None = None,
    sessions: Path | None = None,
    *,
    change: Change | None = None,
) -> Session:
    """Create a session that is equal to this one up to message `at`, and open it for writing.

    Its first fact says where it comes from, and what was changed. It goes on with a resume.

    Args:
        session: Open for reading or writing.
        at: The last message that both have, 0 for the setup alone; None for all facts.
        name: The new session's; None for a free one.
        sessions: The folder of the new session; None for the default one.
        change: What is to be otherwise; None for nothing.

    Raises:
        UsageError: the session has no such message, or cannot be changed so.
        SessionNameError, SessionExistsError, SessionError: as `Session.create`. Nothing is made then, and as above.
    """
    if next(session.events(), None) != session.begun:
        raise fault("error-fork-by-hand", session=session.name)
    # At 0 nothing has happened but the setup.
    past, changed = Session.in_memory(session.name, [session.started()]) if at == 0 else upto(session, at), ""
    head = session.head(past.log.last_seq)
    if change is not None:
        past, changed = change(past)
    free = free_name(name or (session.name if at is None else f"{session.name} at m{at}"), sessions_folder(sessions))
    try:
        check_free(name or free, sessions)
    except SessionExistsError:
        raise fault("error-name-taken", SessionExistsError, session=name or free, name=free) from None
    name = name or free
    parent = Parent(session=session.name, at=at, changed=changed, head=head)
    first = past.started().model_copy(update={"session": name, "parent": parent})
    return Session.of_facts(name, [first, *past.events(1)], sessions, ours=session.ours)


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
    last, events = 0, session.events()
    for event in events:
        yield event
        if isinstance(event, MessagePosted):
            last = event.number
            if last == at:
                yield from _belonging(event, events)
                return
    raise fault("error-no-message", session=session.name, message=f"m{at}", last=last)


def _belonging(message: MessagePosted, events: Iterator[Event]) -> Iterator[Event]:
    """Yield the phase that shows sealed messages to all, and what leads to an answer of a line's author on its reading.

    Nothing beyond the next message, phase or end of the debate belongs to a message.
    """
    since = list[Event]()
    for nth, event in enumerate(events):
        shows = isinstance(event, PhaseStarted) and message.sealed and not nth
        if isinstance(event, MessagePosted | PhaseStarted | SessionEnded) and not shows:
            return
        since.append(event)
        if shows or answers(event, message.number):
            yield from since
            since.clear()


def answers(event: Event, at: int) -> bool:
    """Return whether an event is what a person says of how its line in message `at` was read."""
    return isinstance(event, LineAnswered) and event.message == at and event.answer != "asked"
