"""A debate from what was said in it: its memory, and its state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eda.debate.quoted import quoted
from eda.debate.state import DebateState
from eda.events import Event, MessagePosted, PhaseStarted, SessionStarted
from eda.memory import ConversationMemory
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.minutes import Minutes
from eda.memory.minutes.model_minutes import Quoted
from eda.memory.minutes.state import TRANSCRIPT, State
from eda.memory.parts import Parts
from eda.panels.persona import Persona
from eda.words import Words


def posted(number: int, who: str, text: str, **fields: Any) -> MessagePosted:
    """Return a message with the moves that are read in it."""
    return MessagePosted(number=number, who=who, text=text, **read_reply(text, who)._asdict(), **fields)


def debated(*talk: tuple[str, str], question: str = "Which?", options: tuple[str, ...] = ()) -> ConversationMemory:
    """Return the memory of a debate in which this was said, by title and text."""
    memory = ConversationMemory()
    memory.fold(SessionStarted(seq=1, session="s", question=question, options=options))
    for number, (who, text) in enumerate(talk, 1):
        memory.fold(posted(number, who, text))
    return memory


def recorded(*talk: tuple[str, str], options: tuple[str, ...] = ()) -> ConversationMemory:
    """Return the memory of recorded talk, in which patterns read what nobody declared."""
    memory = ConversationMemory()
    memory.parts.minutes = Minutes(State()).begin(options, TRANSCRIPT)
    for number, (who, text) in enumerate(talk, 1):
        memory.fold(posted(number, who, text))
    return memory


def lines_of(points: Sequence[Quoted], parts: Parts, last: int, words: Words) -> tuple[list[str], int]:
    """Return the lines of a summary of messages up to `last`, and how many of its points no message bears out."""
    lines, dropped = quoted(points, parts, last, words)
    return [*lines], dropped


def told(*events: Event) -> ConversationMemory:
    """Return the memory of a debate in which this happened."""
    memory = ConversationMemory()
    memory.fold(SessionStarted(session="s", question="Should we move?", seq=1))
    for seq, event in enumerate(events, 2):
        memory.fold(event.model_copy(update={"seq": seq}))
    return memory


def folded(
    talk: Sequence[tuple[str, str]], members: tuple[Persona, ...], options: tuple[str, ...]
) -> tuple[DebateState, ConversationMemory]:
    """Return the state and the memory of a debate in which this was said, by title and text."""
    state, memory = DebateState(), ConversationMemory()
    events: list[Event] = [
        SessionStarted(seq=1, session="s", question="Which?", members=members, options=options),
        PhaseStarted(seq=2, phase="discussion"),
    ]
    events += (posted(number, who, text) for number, (who, text) in enumerate(talk, 1))
    for event in events:
        state.fold(event)
        memory.fold(event)
    return state, memory
