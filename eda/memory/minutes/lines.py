"""Applies declared moves: those of a message, and those that a person's line makes once the person has said so."""

from __future__ import annotations

from eda.events import AnnouncedEvent, LineAnswered, MessagePosted
from eda.memory.minutes import positions
from eda.memory.minutes.items import acts_of_moves
from eda.memory.minutes.ledger import Ledger
from eda.memory.minutes.resolve import names_own
from eda.memory.minutes.rules import Rules
from eda.memory.minutes.rulings import undo_message
from eda.memory.minutes.state import State, Talk


def declare(state: State, message: MessagePosted, ledger: Ledger) -> None:
    """Apply the moves of a message; a text comes first that another of them names."""
    for act in sorted(acts_of_moves(message, message.moves), key=names_own):
        if act.kind == "position" and (why := positions.declare_position(state, message, act)):
            state.leave(act, why)
        ledger.apply(act)


def answer_line(state: State, rules: Rules, event: LineAnswered) -> list[AnnouncedEvent]:
    """Apply what a person says that a line of theirs does, or undo what it did; return what changed, in order."""
    message = MessagePosted(number=event.message, who=event.who, text="", moves=event.moves)
    if event.answer == "taken back":
        undo_message(state, message)
    else:
        if event.answer == "asked":
            state.asked[event.message] = state.number
        talk = Talk(event.message, event.who, "", frozenset(), "", declares=True)
        declare(state, message, rules.ledger(state, talk))
    return state.announced()
