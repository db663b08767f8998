"""Rebuilds state and memory from a session's log. `memory.json` saves folding it."""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

import orjson

from eda.debate.state import DebateState
from eda.events import AnnouncedEvent, CallMade, Event, SessionStarted
from eda.memory import ConversationMemory
from eda.memory.snapshot import code_version, dump, load
from eda.panels.registry import Parts
from eda.session import Session
from eda.session.fork import upto

# Of the file around state and memory. A `memory.json` of another version is not read: the log is folded.
_EXPORT_VERSION = 7
_Saved = Mapping[str, Any]


def progress_of(session: Session) -> DebateState:
    """Return the state of the session's debate, from `memory.json` where log and code agree with it, and later facts.

    Raises:
        LogDamagedError, SessionError: its log cannot be read.
    """
    progress = _state(_saved(session), session)
    for event in session.events(progress.last_seq):
        _fold(progress, event, session)
    return progress


def memory_of(session: Session, *, at: int | None = None) -> ConversationMemory:
    """Return the session's memory: what `memory.json` has where log and code agree with it, and later facts.

    Args:
        session: Open for reading or writing.
        at: The memory as it stood after this message; None for now.

    Raises:
        UsageError: the session has no such message.
        LogDamagedError, SessionError: its log cannot be read.
    """
    session = session if at is None else upto(session, at)
    memory = _memory(_saved(session), session)
    for event in session.events(memory.seq):
        memory.fold(event)
    return memory


def read_back(
    session: Session, read: Callable[[Event], object] = lambda _: None
) -> tuple[DebateState, ConversationMemory]:
    """Return what `progress_of` and `memory_of` return, with one reading of the log; `read` is told of each fact."""
    saved = _saved(session)
    progress, memory = _state(saved, session), _memory(saved, session)
    for event in session.events(min(progress.last_seq, memory.seq)):
        read(event)
        if event.seq > progress.last_seq:
            _fold(progress, event, session)
        if event.seq > memory.seq:
            memory.fold(event)
    return progress, memory


def publisher(session: Session, progress: DebateState, memory: ConversationMemory) -> Callable[..., tuple[Event, ...]]:
    """Return what stores facts of a session, open for writing, as one group and folds them into state and memory.

    Raises:
        SessionError: it is open for reading only: told before a call is paid for.
    """
    session.log.append((), durable=False)

    def fold(event: Event) -> Iterable[AnnouncedEvent]:
        progress.fold(event)
        if isinstance(event, CallMade):
            session.journal.settle(*event.key)
        return memory.fold(event)

    from eda.bus import MessageBus  # noqa: PLC0415 - who reads a session needs no event loop, which takes long to load

    return MessageBus(session.log, fold).publish


def save_memory(session: Session, progress: DebateState, memory: ConversationMemory) -> None:
    """Write `memory.json`, where the session is on disk. Without it nothing is lost: it is made again from the log."""
    if session.folder is None or progress.last_seq != memory.seq:
        return
    parts = orjson.dumps({"state": dump(progress), "memory": memory.to_json()})
    packed = b64encode(zlib.compress(parts, level=1)).decode()
    session.write_memory(
        {
            "version": _EXPORT_VERSION,
            "code": code_version(),
            "last": _stamp(session, memory.seq),
            "packed": packed,
        }
    )


def _saved(session: Session) -> _Saved:
    """Return the `state` and `memory` that `save_memory` wrote; empty where log or code do not agree with them."""
    data = session.read_memory() or {}
    with suppress(KeyError, TypeError, ValueError, AttributeError, zlib.error):
        seq, ours = data["last"]["seq"], (data["version"], data["code"]) == (_EXPORT_VERSION, code_version())
        if ours and 0 < seq <= session.log.last_seq and data["last"] == _stamp(session, seq):
            return dict(orjson.loads(zlib.decompress(b64decode(data["packed"]))))
    return {}


def _state(saved: _Saved, session: Session) -> DebateState:
    """Return the saved state; a new one where there is none."""
    with suppress(ValueError):
        if saved:
            return load(DebateState, saved["state"], started=session.started(), parts=Parts())
    return DebateState()


def _fold(progress: DebateState, event: Event, session: Session) -> None:
    """Fold a fact; before the first of a talk by hand, its setup, which the log lacks."""
    if progress.started is None and not isinstance(event, SessionStarted):
        progress.fold(session.started())
    progress.fold(event)


def _memory(saved: _Saved, session: Session) -> ConversationMemory:
    """Return the saved memory; a new one where there is none."""
    with suppress(KeyError, TypeError, ValueError, AttributeError, IndexError):
        if saved:
            return ConversationMemory.from_json(saved["memory"], fact=session.fact)
    return ConversationMemory(fact=session.fact)


def _stamp(session: Session, seq: int) -> Any:
    """Return what tells the fact `seq` from that of another log."""
    event = next(session.events(seq - 1), None) if seq else None
    return event.model_dump(mode="json") if event is not None else None
