"""Reads a session back: the log is the truth, `memory.json` only saves folding what it has folded already."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson

from eda.briefing import Briefing
from eda.errors import UnknownNameError
from eda.memory import ConversationMemory
from eda.patterns import PatternPack
from eda.progress import Progress
from eda.session import Session
from eda.voting import ballot_choices

__all__ = ["memory_of", "progress_of", "save_memory", "speaker_prompt"]

_EXPORT_VERSION = 1


def progress_of(session: Session) -> Progress:
    """Where the session's debate stands."""
    progress = Progress()
    for event in session.events():
        progress.fold(event)
    return progress


def memory_of(session: Session, patterns: PatternPack | None = None) -> ConversationMemory:
    """The session's memory: from `memory.json` where that agrees with log and patterns, and the facts after it."""
    memory = _exported(session, patterns) or ConversationMemory(patterns)
    for event in session.events(memory.seq):
        memory.fold(event)
    return memory


def save_memory(session: Session, memory: ConversationMemory) -> None:
    """Write `memory.json`. Without it nothing is lost: it is made again from the log."""
    state = memory.to_json()
    session.write_memory(
        {
            "version": _EXPORT_VERSION,
            "patterns": memory.patterns.fingerprint,
            "last": _stamp(session, memory.seq),
            "digest": _digest(state),
            "memory": state,
        }
    )


def speaker_prompt(session: Session, agent: str, *, brief: bool = False, patterns: PatternPack | None = None) -> str:
    """The prompt that `agent` would be given next: for its speech or vote, or (`brief`) for its bid.

    Raises:
        UnknownNameError: nobody of that name sits on the panel.
    """
    started = session.started()
    progress = progress_of(session)
    persona = next((m for m in started.members if agent.casefold() in (m.title.casefold(), m.name)), None)
    if persona is None:
        raise UnknownNameError("agent", agent, [member.title for member in started.members])
    memory = memory_of(session, patterns)
    briefing = Briefing(started, memory, progress)
    if brief:
        return briefing.bid(persona, progress.heard).text
    if progress.phase == "ballot":
        choices = ballot_choices(started.question, started.options, memory.proposals)
        return briefing.vote(persona, progress.heard, choices).text
    if progress.phase == "verdict":
        progress.phase = "discussion"  # what a session that is taken up again begins with
    holds_floor = progress.grant is not None and progress.grant.agent == persona.title
    return briefing.speak(persona, progress.heard, progress.grant if holds_floor else None).text


def _exported(session: Session, patterns: PatternPack | None) -> ConversationMemory | None:
    data = session.read_memory()
    if data is None:
        return None
    try:
        if data["version"] != _EXPORT_VERSION or data["patterns"] != ConversationMemory(patterns).patterns.fingerprint:
            return None
        if data["digest"] != _digest(data["memory"]):
            return None
        memory = ConversationMemory.from_json(data["memory"], patterns)
        agrees = 0 < memory.seq <= session.log.last_seq and data["last"] == _stamp(session, memory.seq)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return None
    return memory if agrees else None


def _digest(state: Any) -> str:
    """Tells an export that somebody has edited."""
    return hashlib.sha256(orjson.dumps(state, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _stamp(session: Session, seq: int) -> Any:
    """What tells the fact `seq` from that of another log."""
    event = next(session.events(seq - 1), None) if seq else None
    return event.model_dump(mode="json") if event is not None else None
