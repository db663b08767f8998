"""Rebuilds state and memory from a session's log. `memory.json` and `recall.sqlite` save folding and indexing it."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable
from typing import Any

import orjson

from eda.bus import MessageBus
from eda.debate.state import DebateState
from eda.events import AnnouncedEvent, CallMade, Event
from eda.memory import ConversationMemory
from eda.memory.patterns import PatternPack, default_pack
from eda.memory.snapshot import fingerprint
from eda.session import Session
from eda.session.fork import upto

_EXPORT_VERSION = 4
"""Of the file around the memory. `memory.json` of another version is not read: the memory is folded from the log."""


def progress_of(session: Session) -> DebateState:
    """Return the state of the session's debate.

    Raises:
        LogDamagedError, SessionError: its log cannot be read.
    """
    progress = DebateState()
    for event in session.events():
        progress.fold(event)
    return progress


def memory_of(session: Session, patterns: PatternPack | None = None, *, at: int | None = None) -> ConversationMemory:
    """Return the session's memory: what `memory.json` has where log, code and patterns agree with it, and later facts.

    Args:
        session: Open for reading or writing.
        patterns: The pack to read free text with; None for the default one.
        at: The memory as it stood after this message; None for now.

    Raises:
        UsageError: the session has no such message.
        LogDamagedError, SessionError: its log cannot be read.
    """
    session = session if at is None else upto(session, at)
    memory = _exported(session, patterns) or ConversationMemory(patterns, fact=session.fact)
    for event in session.events(memory.seq):
        memory.fold(event)
    return memory


def publisher(session: Session, progress: DebateState, memory: ConversationMemory) -> Callable[..., object]:
    """Return what stores facts of a session, open for writing, as one group and folds them into state and memory."""

    def fold(event: Event) -> Iterable[AnnouncedEvent]:
        progress.fold(event)
        if isinstance(event, CallMade):
            session.journal.settle(event.purpose, event.agent, event.nth)
        return memory.fold(event)

    return MessageBus(session.log, fold).publish


def save_memory(session: Session, memory: ConversationMemory) -> None:
    """Write `memory.json`, where the session is on disk. Without it nothing is lost: it is made again from the log."""
    if session.folder is None:
        return
    state, index = memory.to_json(), memory.index()
    session.write_memory(
        {
            "version": _EXPORT_VERSION,
            "fold": fingerprint(memory.patterns),
            "last": _stamp(session, memory.seq),
            "digest": _digest(state),
            "index": zlib.crc32(index),
            "memory": state,
        },
        index,
    )


def _exported(session: Session, patterns: PatternPack | None) -> ConversationMemory | None:
    data = session.read_memory()
    if data is None:
        return None
    try:
        if data["version"] != _EXPORT_VERSION or data["fold"] != fingerprint(patterns or default_pack()):
            return None
        if data["digest"] != _digest(data["memory"]):
            return None
        seq = data["memory"]["seq"]
        if not 0 < seq <= session.log.last_seq or data["last"] != _stamp(session, seq):
            return None
        index = session.read_recall()
        own = index if index is not None and zlib.crc32(index) == data["index"] else None
        return ConversationMemory.from_json(data["memory"], patterns, fact=session.fact, index=own)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return None


def _digest(state: Any) -> str:
    """Tells an export that somebody has edited."""
    return hashlib.sha256(orjson.dumps(state, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _stamp(session: Session, seq: int) -> Any:
    """What tells the fact `seq` from that of another log."""
    event = next(session.events(seq - 1), None) if seq else None
    return event.model_dump(mode="json") if event is not None else None
