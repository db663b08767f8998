"""A debate on given options, from what was said in it: its state and its memory."""

from __future__ import annotations

from collections.abc import Sequence

from eda.debate.state import DebateState
from eda.events import Event, MessagePosted, PhaseStarted, SessionStarted
from eda.memory import ConversationMemory
from eda.memory.minutes.declared_moves import read_reply
from eda.panels.persona import Persona


def folded(
    talk: Sequence[tuple[str, str]], members: tuple[Persona, ...], options: tuple[str, ...]
) -> tuple[DebateState, ConversationMemory]:
    """Return the state and the memory of a debate in which this was said, by title and text."""
    state, memory = DebateState(), ConversationMemory()
    events: list[Event] = [
        SessionStarted(seq=1, session="s", question="Which?", members=members, options=options),
        PhaseStarted(seq=2, phase="discussion"),
    ]
    for number, (who, text) in enumerate(talk, 1):
        events.append(MessagePosted(number=number, who=who, text=text, **read_reply(text)._asdict()))
    for event in events:
        state.fold(event)
        memory.fold(event)
    return state, memory
