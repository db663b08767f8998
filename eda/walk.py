"""`Walk`: goes through the agenda step by step. What comes next is decided by the facts alone.

A step publishes what belongs together as one group. So a log cut anywhere can be taken up again: the steps that are
missing are the steps that would have come.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterable, Mapping

from eda.agenda import phase_after
from eda.bids import Asked, Bids
from eda.briefing import Briefing
from eda.bus import MessageBus
from eda.events import (
    BidsTaken,
    Event,
    FloorGranted,
    MessagePosted,
    PhaseStarted,
    SessionEnded,
    SessionStarted,
    SideMessagePosted,
    TextStreamed,
)
from eda.floor import floor_policy
from eda.listener import AgentListener, Turn, side_by_side
from eda.memory import ConversationMemory
from eda.memory.summaries import Summariser
from eda.progress import Progress
from eda.stop import hard_stop, may_speak, why_stop, worn_out
from eda.voting import ballot_choices, majority

__all__ = ["Walk"]


class Walk:
    """The one driver of a debate: listeners start nothing, and the floor starts no turn by itself."""

    def __init__(
        self,
        bus: MessageBus,
        seats: Mapping[str, AgentListener],
        bids: Bids,
        briefing: Briefing,
        memory: ConversationMemory,
        progress: Progress,
        summariser: Summariser,
        started: SessionStarted,
    ) -> None:
        self.bus = bus
        self.memory = memory
        self.progress = progress
        self._seats = seats
        self._bids = bids
        self._titles = tuple(seats)
        self._briefing = briefing
        self._summariser = summariser
        self._started = started

    async def to_the_end(self) -> None:
        """Take step after step until the session has ended."""
        steps: dict[str, Callable[[], Awaitable[None]]] = {
            "opening": self._opening,
            "discussion": self._discussion,
            "closing": self._closing,
            "ballot": self._ballot,
            "verdict": self._verdict,
        }
        if not self.progress.phase:
            self._next_phase("")
        while self.progress.ended is None:
            await self._comments()
            await steps[self.progress.phase]()
            # A runner that answers at once must keep neither a Ctrl-C nor other debates waiting.
            await asyncio.sleep(0)

    def _next_phase(self, why: str) -> None:
        phase = phase_after(self.progress.phase)
        if phase is None:
            self.bus.publish(SessionEnded(reason=self.progress.why_moved or "done"))
        else:
            self.bus.publish(PhaseStarted(phase=phase.name, round=self.progress.round, why=why))

    async def _opening(self) -> None:
        """All members are asked side by side; what they said is published in seat order."""
        waiting = self._waiting()
        if not waiting:
            self._next_phase("done")
            return
        number = self.progress.messages
        turns = await side_by_side(
            self._seats[title].speak(number + place, sealed=True) for place, title in enumerate(waiting, 1)
        )
        self.bus.publish(*_numbered((fact for turn in turns for fact in turn.facts), number + 1))
        self._stop_short(turns)

    async def _discussion(self) -> None:
        """One turn: the floor is granted where nobody holds it, and its holder speaks."""
        if self.progress.grant is None:
            circles = self.memory.circles
            why = why_stop(self.progress, len(self._titles)) or worn_out(self.progress, self._titles, circles)
            if why:
                self._next_phase(why)
                return
            if circles.due is not None:
                self.bus.publish(self._briefing.circle(circles.due))
                return
            if await self._summariser.before(self.progress.messages + 1):
                return
            await self._grant()
        if self.progress.grant is not None:
            await self._speak(self.progress.grant)

    async def _closing(self) -> None:
        """Each member once, in seat order, as far as there is room."""
        if self.progress.grant is None:
            waiting = self._waiting()
            if not waiting or hard_stop(self.progress):
                self._next_phase("done")
                return
            if await self._summariser.before(self.progress.messages + 1):
                return
            self.bus.publish(FloorGranted(agent=waiting[0], reason="closing word"))
        if self.progress.grant is not None:
            await self._speak(self.progress.grant)

    async def _ballot(self) -> None:
        """All vote side by side; the ballots are published in seat order."""
        started = self._started
        cast = self.progress.ballots
        choices = cast[0].choices if cast else ballot_choices(started.question, started.options, self.memory.proposals)
        waiting = [title for title in self._titles if title not in self.progress.done] if choices else []
        if not waiting:
            self._next_phase("done")
            return
        self._summariser.begin()
        turns = await side_by_side(self._seats[title].vote(choices) for title in waiting)
        self.bus.publish(*(fact for turn in turns for fact in turn.facts))

    async def _verdict(self) -> None:
        if await self._summariser.finish():
            return
        if self.progress.verdict is None:
            cast = self.progress.ballots
            self.bus.publish(
                majority(
                    [event.ballot for event in cast],
                    cast[0].choices if cast else (),
                    agents=self.memory.agents,
                    proposals=self.memory.proposals,
                    decisions=self.memory.decisions,
                )
            )
        else:
            self._next_phase("done")

    async def _comments(self) -> None:
        """Members that comment unasked say, between turns, their word on what was found since the last one."""
        side = self.memory.side
        while (due := side.due) is not None and self.progress.grant is None and not hard_stop(self.progress):
            turn = await self._seats[due.who].comment(due, side.last + 1)
            # A question asked aside meanwhile may have taken the number.
            self.bus.publish(*(_renumbered_aside(fact, side.last + 1) for fact in turn.facts))

    def _waiting(self) -> list[str]:
        """Who has not had a turn in this phase, as many as there is room for."""
        room = self.progress.settings.max_messages - self.progress.messages
        waiting = [title for title in self._titles if title not in self.progress.done]
        return waiting[: max(0, room)]

    async def _grant(self) -> None:
        policy = floor_policy(self.progress.settings.floor)
        members = may_speak(self.progress, self._titles)
        asked = await self._bids.take(members) if policy.takes_bids else Asked()
        if asked.bids is None:
            self.bus.publish(*asked.facts)
            self._stop_short([asked])
            return
        facts = (*asked.facts, BidsTaken(bids=asked.bids)) if policy.takes_bids else ()
        granted = policy.grant(members, self.progress, asked.bids)
        if granted is not None:
            self.bus.publish(*facts, granted)
        elif self.progress.silent == 0:
            self.bus.publish(*facts, self._briefing.nudge())
        else:
            self.bus.publish(*facts)

    async def _speak(self, grant: FloorGranted) -> None:
        def stream(text: str) -> None:
            self.bus.announce(TextStreamed(agent=grant.agent, text=text))

        shown = stream if self.bus.has_listener(TextStreamed) else None
        turn = await self._seats[grant.agent].speak(self.progress.messages + 1, grant, on_text=shown)
        self.bus.publish(*turn.facts)
        self._stop_short([turn])

    def _stop_short(self, turns: Iterable[Turn | Asked]) -> None:
        """Go on to the next phase where a budget had no room for a call."""
        short = next((turn.short for turn in turns if turn.short), "")
        if short:
            self._next_phase(short)


def _numbered(facts: Iterable[Event], number: int) -> list[Event]:
    """The same facts, their messages numbered from `number` on: an opening that failed leaves no hole."""
    numbers = itertools.count(number)
    return [f.model_copy(update={"number": next(numbers)}) if isinstance(f, MessagePosted) else f for f in facts]


def _renumbered_aside(fact: Event, number: int) -> Event:
    return fact.model_copy(update={"number": number}) if isinstance(fact, SideMessagePosted) else fact
