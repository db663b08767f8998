"""A session as it stood after any of its messages: the same log, folded up to there."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import Any

from eda.debate.state import DebateState
from eda.errors import UsageError
from eda.events import Event, PhaseStarted
from eda.memory import ConversationMemory
from eda.memory.snapshot import dump, load
from eda.panels.registry import Parts
from eda.serve.shown import Said, status_of, table_of
from eda.session import Session
from eda.words import ENGLISH

_APART = 40
"""Messages between two places from which a fold goes on."""
_KEPT = 8
"""Sessions whose past is kept."""


class Past:
    """The past of sessions. What was folded once is kept: a step in time folds few messages anew."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[object, dict[int, tuple[Any, Any]]] = OrderedDict()
        """By the first fact of a session, by message: the state and the memory."""

    def at(self, name: str, folder: Path, number: int) -> list[Said]:
        """Return the table and the state as they stood after a message.

        Raises:
            EdaError: the session cannot be read, or has no such message.
        """
        with self._lock, Session.read(name, folder) as session:
            state, memory = self._folded(session, number)
            return [
                table_of(state, memory),
                {**status_of(state, None, written=False), "state": f"m{number}", "why": ""},
            ]

    def _folded(self, session: Session, number: int) -> tuple[DebateState, ConversationMemory]:
        first = session.fact(1)
        kept = self._kept.setdefault((session.name, first.at), {})
        self._kept.move_to_end((session.name, first.at))
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        state, memory = DebateState(), ConversationMemory(fact=session.fact)
        if before := max((place for place in kept if place <= number), default=0):
            state = load(DebateState, kept[before][0], started=first, parts=Parts())
            memory = ConversationMemory.from_json(kept[before][1], fact=session.fact)
        for fact in session.events(state.last_seq):
            if state.messages == number and not _shows(fact, state):
                break
            state.fold(fact)
            memory.fold(fact)
            if state.last is fact and state.messages % _APART == 0:
                kept[state.messages] = (dump(state), memory.to_json())
        if state.messages < number or not number:
            hint = ENGLISH.say("show-messages", last=state.messages)
            raise UsageError(f"session {session.name!r} has no message m{number}", hint=hint)
        return state, memory


def _shows(fact: Event, state: DebateState) -> bool:
    """Return whether a fact shows the sealed message before it to all, as a fork there has it."""
    last = state.last
    return isinstance(fact, PhaseStarted) and last is not None and last.sealed and fact.seq == last.seq + 1
