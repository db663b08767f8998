"""How the messages of a round are shared out: at least half of them are discussion."""

from __future__ import annotations

from typing import NamedTuple

from eda.debate.state import DebateState
from eda.panels.agenda import Agenda, Phase
from eda.words import ENGLISH


class Shares(NamedTuple):
    """What a round has room for beside its discussion."""

    openings: int
    """The most messages of the phases that come before the discussion and are hidden until their end."""
    closings: bool
    """Whether each member has a closing word."""


def shares(agenda: Agenda, most: int, members: int, *, opens: bool = True) -> Shares:
    """Return the openings and closing words for which a round of `most` messages has room.

    At least half of the messages are discussion, where the format has an open phase. So closing words are left out
    first; then there are as many openings as fit, in seat order, at least one.

    Args:
        agenda: the format.
        most: messages of the round.
        members: who may speak.
        opens: False for a debate that is taken up again: nobody opens once more.
    """
    openings, closings = _beside(agenda, members, opens=opens)
    half = most // 2
    if openings + closings <= half:
        return Shares(openings, closings=True)
    return Shares(min(openings, max(1, half)), closings=closings == 0)


def _beside(agenda: Agenda, members: int, *, opens: bool) -> tuple[int, int]:
    """Return the messages that all openings and all closing words of an agenda with a discussion take."""
    openings, closings = agenda.beside_talk
    return members * openings * opens, members * closings


def shares_now(state: DebateState) -> Shares:
    """Return the shares of the present round, for those who may speak now."""
    most = state.settings.limits.messages - state.round_at
    return shares(state.agenda, most, len(state.active), opens=state.round == 1)


def left_out(state: DebateState, phase: Phase) -> bool:
    """True for a phase of closing words for which the messages of this round have no room."""
    return state.agenda.is_closing(phase) and not shares_now(state).closings


def is_opening(state: DebateState) -> bool:
    """True in a phase before the discussion that is hidden until its end."""
    later = state.agenda.later(state.phase)
    return state.does.sealed and any(phase.does.open for phase in later)


def without_room(agenda: Agenda, most: int, members: int, *, opens: bool = True) -> str:
    """Return a note on the openings and closing words for which `most` messages have no room; empty if they have."""
    openings, closings = _beside(agenda, members, opens=opens)
    room = shares(agenda, most, members, opens=opens)
    talk, needed = most - room.openings - closings * room.closings, 2 * (openings + closings)
    few = room.openings < openings
    if room.closings and not few:
        return ""
    numbers = {"most": most, "talk": talk, "openings": room.openings, "members": openings, "needed": needed}
    shown = {name: str(number) for name, number in numbers.items()}
    return ENGLISH.say("procedure-short", few=few, closing=bool(room.closings), **shown)
