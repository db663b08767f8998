"""Reads a session back: the log is the truth. `memory.json` and `recall.sqlite` save folding and indexing it."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import orjson

from eda.briefing import Briefing, Part
from eda.bus import MessageBus
from eda.errors import UnknownNameError
from eda.events import AnnouncedEvent, Event
from eda.memory import ConversationMemory
from eda.patterns import PatternPack
from eda.personas import Persona
from eda.progress import Progress
from eda.protocols import Prompt
from eda.session import Session
from eda.stop import may_speak
from eda.verdict import choices_now, offered_to

__all__ = ["Explained", "explained_prompt", "memory_of", "progress_of", "publisher", "save_memory", "speaker_prompt"]

_EXPORT_VERSION = 3
"""Another one is not read: the memory is made anew from the log, with what is found by now."""


def progress_of(session: Session) -> Progress:
    """Where the session's debate stands.

    Raises:
        LogDamagedError, SessionError: its log cannot be read.
    """
    progress = Progress()
    for event in session.events():
        progress.fold(event)
    return progress


def memory_of(session: Session, patterns: PatternPack | None = None) -> ConversationMemory:
    """The session's memory: from `memory.json` where that agrees with log and patterns, and the facts after it.

    Args:
        session: Open for reading or writing.
        patterns: The pack to read free text with; None for the default one.

    Raises:
        LogDamagedError, SessionError: its log cannot be read.
    """
    memory = _exported(session, patterns) or ConversationMemory(patterns, fact=session.fact)
    for event in session.events(memory.seq):
        memory.fold(event)
    return memory


def publisher(session: Session, progress: Progress, memory: ConversationMemory) -> Callable[..., object]:
    """What stores facts of a session that is open for writing, as one group, and folds them in."""

    def fold(event: Event) -> Iterable[AnnouncedEvent]:
        progress.fold(event)
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
            "patterns": memory.patterns.fingerprint,
            "last": _stamp(session, memory.seq),
            "digest": _digest(state),
            "index": zlib.crc32(index),
            "memory": state,
        },
        index,
    )


@dataclass(frozen=True, slots=True)
class Explained:
    """What an agent would be given next, part by part."""

    agent: str
    parts: tuple[Part, ...]
    budget: int
    """Tokens that memory may take."""
    calls: int
    """Calls that the estimate of tokens has learned from."""
    error: float | None
    """How far off it was, as a share; None before the first call."""

    @property
    def tokens(self) -> int:
        """Of all parts."""
        return sum(part.tokens for part in self.parts)


def explained_prompt(session: Session, agent: str, *, patterns: PatternPack | None = None) -> Explained:
    """What `agent` would be given for its next speech: the parts, what each takes, what was left out of each and why.

    Raises:
        UnknownNameError: nobody of that name sits on the panel.
    """
    persona, briefing, memory, progress = _briefed(session, agent, patterns)
    parts = briefing.explain(persona, _next(session, persona, briefing, memory, progress))
    return Explained(persona.title, parts, memory.full_budget, memory.tokens.calls, memory.tokens.error)


def speaker_prompt(session: Session, agent: str, *, brief: bool = False, patterns: PatternPack | None = None) -> str:
    """The prompt that `agent` would be given next: for its speech or vote, or (`brief`) for its bid.

    Where bids are asked for together, that is the one prompt for all who may speak.

    Raises:
        UnknownNameError: nobody of that name sits on the panel.
    """
    persona, briefing, memory, progress = _briefed(session, agent, patterns)
    if brief:
        return _bid(persona, briefing, progress).text
    return _next(session, persona, briefing, memory, progress).text


def _bid(persona: Persona, briefing: Briefing, progress: Progress) -> Prompt:
    if progress.settings.bids != "together" or progress.apart:
        return briefing.bid(persona)
    asked = {persona.title, *may_speak(progress, progress.active)}
    agents = [member for member in progress.panel if member.title in asked and not member.person]
    return briefing.bids(agents)


def _next(
    session: Session, persona: Persona, briefing: Briefing, memory: ConversationMemory, progress: Progress
) -> Prompt:
    if progress.at is not None and progress.at.kind == "ballot":
        cast = progress.ballots
        choices = cast[0].choices if cast else choices_now(session.started(), memory)
        return briefing.vote(persona, offered_to(persona.title, choices, progress, memory))
    if progress.at is not None and progress.at.kind == "poll":
        return briefing.poll(persona, choices_now(session.started(), memory), number=1)  # no text tells which poll
    holds_floor = progress.grant is not None and progress.grant.agent == persona.title
    return briefing.speak(persona, progress.grant if holds_floor else None)


def _briefed(
    session: Session, agent: str, patterns: PatternPack | None
) -> tuple[Persona, Briefing, ConversationMemory, Progress]:
    started = session.started()
    progress = progress_of(session)
    persona = next((m for m in progress.panel if agent.casefold() in m.called), None)
    if persona is None:
        raise UnknownNameError("agent", agent, [member.title for member in progress.panel])
    memory = memory_of(session, patterns)
    if progress.at is not None and progress.at.kind == "verdict":
        progress.phase = progress.agenda.taken_up_at  # what a session that is taken up again begins with
    return persona, Briefing(started, memory, progress), memory, progress


def _exported(session: Session, patterns: PatternPack | None) -> ConversationMemory | None:
    data = session.read_memory()
    if data is None:
        return None
    try:
        if data["version"] != _EXPORT_VERSION or data["patterns"] != ConversationMemory(patterns).patterns.fingerprint:
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
