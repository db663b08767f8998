"""Gives a control the turns of the talk that it follows, so that the two differ in what is heard alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eda.debate.floor.policies import Floor
from eda.debate.state import DebateState
from eda.events import Bid, Event, FloorGranted, MessagePosted, PhaseStarted
from eda.memory import ConversationMemory


class SameTurns(Floor):
    """A floor that grants each turn as another debate did, and the condition that ends a discussion where that did."""

    line = "As in the debate with talk."
    reason = "talk"
    phrase = "the discussion that it follows was over"

    def __init__(self, talk: Iterable[Event]) -> None:
        """Follow the debate that has these facts."""
        now = "", 1
        self._speakers: list[str] = []
        self._ends: dict[tuple[str, int], int] = {}
        for event in talk:
            if isinstance(event, PhaseStarted):
                now = event.phase, event.lap
                self._ends[now] = len(self._speakers)
            elif isinstance(event, MessagePosted):
                self._speakers.append(event.who)
                self._ends[now] = len(self._speakers)

    def grant(self, members: Sequence[str], state: DebateState, bids: Sequence[Bid] = (), /) -> FloorGranted:  # noqa: ARG002 - the protocol's shape
        """Return the grant to who wrote the message of that number; to who spoke longest ago where it may not speak."""
        speaker = "".join(self._speakers[state.messages : state.messages + 1])
        agent = speaker if speaker in members else min(members, key=state.floor_ago)
        return FloorGranted(agent=agent, reason="as in the debate with talk")

    def check(self, state: DebateState, _: ConversationMemory, /) -> bool:
        """Return whether the discussion has as many messages as that one."""
        now = state.phase, state.laps.get(state.phase, 1)
        return state.messages >= self._ends.get(now, state.messages + 1)
