"""`Walk`: goes through the agenda step by step. What comes next is decided by the facts alone.

A step publishes what belongs together as one group. So a log cut anywhere can be taken up again: the steps that are
missing are the steps that would have come.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Literal

from eda.agenda import Phase, PhaseKind
from eda.bids import Asked, Bids
from eda.briefing import Briefing
from eda.bus import MessageBus
from eda.events import (
    BidsTaken,
    EndReason,
    Event,
    FloorGranted,
    MessagePosted,
    PhaseStarted,
    SessionEnded,
    SessionStarted,
    SideMessagePosted,
    StanceTaken,
    TextStreamed,
    VerdictReached,
)
from eda.floor import floor_policy
from eda.inbox import Inbox
from eda.listener import AgentListener, Turn, side_by_side
from eda.memory import ConversationMemory
from eda.memory.summaries import Summariser
from eda.moderator import Moderator
from eda.person import Person
from eda.progress import Progress
from eda.stop import hard_stop, may_speak, poll_due, room, settled, why_stop, worn_out
from eda.verdict import choices_now, offered_to, verdict_of

__all__ = ["Walk"]

_BUDGETS = ("tokens", "money", "time")


class Walk:
    """The one driver of a debate: listeners start nothing, and the floor starts no turn by itself."""

    def __init__(
        self,
        bus: MessageBus,
        seats: Mapping[str, AgentListener],
        bids: Bids,
        moderator: Moderator,
        briefing: Briefing,
        memory: ConversationMemory,
        progress: Progress,
        summariser: Summariser,
        started: SessionStarted,
        inbox: Inbox,
    ) -> None:
        self.bus = bus
        self.memory = memory
        self.progress = progress
        self._seats = seats
        self._bids = bids
        self._moderator = moderator
        self._briefing = briefing
        self._summariser = summariser
        self._started = started
        self._inbox = inbox

    async def to_the_end(self) -> None:
        """Take step after step until the session has ended."""
        steps: dict[PhaseKind, Callable[[], Awaitable[None]]] = {
            "blind": self._blind,
            "open": self._open,
            "round": self._round,
            "poll": self._poll,
            "ballot": self._ballot,
            "verdict": self._verdict,
        }
        if self.progress.at is None:
            self._next_phase("")
        while self.progress.ended is None:
            await self._comments()
            if await self._inbox.look():
                self._next_phase("person")
            elif self.progress.at is not None:
                await steps[self.progress.at.kind]()
            # A runner that answers at once must keep neither a Ctrl-C nor other debates waiting.
            await asyncio.sleep(0)

    def _next_phase(self, why: EndReason | Literal[""]) -> None:
        progress = self.progress
        back = self._back_to()
        short = hard_stop(progress) or self._no_room(back) if back else None
        phase = back if back and not short else progress.agenda.after(progress.phase)
        if phase and why in _BUDGETS and self._counted(phase):
            phase = progress.agenda.after(phase.name)
        while phase and self._asked_later(phase):
            phase = progress.agenda.after(phase.name)
        if phase is None:
            self.bus.publish(SessionEnded(reason=progress.why_moved or "done"))
            return
        lap = progress.laps.get(phase.name, 0) + 1
        moved = short or ("lap" if back else why)
        self.bus.publish(PhaseStarted(phase=phase.name, round=progress.round, lap=lap, why=moved))

    def _back_to(self) -> Phase | None:
        """The phase to go through once more, where this one has not come to what it is for."""
        progress, at = self.progress, self.progress.at
        if at is None or at.until is None or progress.laps.get(at.name, 0) >= at.laps:
            return None
        reached = settled(progress) if at.until == "settled" else self._verdict_now().outcome is not None
        return None if reached else progress.agenda.phase(at.back_to)

    def _counted(self, phase: Phase) -> bool:
        """Whether it is a count that would be taken once more with nothing said since: what is left may not reach."""
        progress = self.progress
        counts = phase.kind in ("poll", "ballot") and phase.name in progress.laps
        return counts and progress.counted_at == progress.messages

    def _asked_later(self, phase: Phase) -> bool:
        """Whether it would ask what a later phase asks again, and there is no room to say anything in between."""
        later = {each.kind for each in self.progress.agenda.later(phase.name)}
        return self._left + self.progress.on_top <= 0 and phase.kind in ("poll", "ballot") and phase.kind in later

    def _no_room(self, phase: Phase) -> EndReason | None:
        """`messages` where there is none to go through a phase again: for a word of each, where each has one."""
        wanted = len(self.progress.active) if phase.kind in ("blind", "round") else 1
        return None if self._left >= wanted else "messages"

    async def _blind(self) -> None:
        """All members are asked side by side; what they said is published in seat order."""
        waiting = self._waiting()
        first = self.progress.messages == self.progress.said  # of all words: without any there is nothing to vote on
        short = hard_stop(self.progress) if waiting and not first else None
        if short or not waiting:
            self._next_phase(short or self._why_over)
            return
        await self._speak_together(waiting, sealed=True)

    async def _speak_together(self, titles: Sequence[str], *, sealed: bool) -> None:
        number = self.progress.messages

        def publish(turns: Sequence[Turn]) -> None:
            self.bus.publish(*_numbered(_facts(turns), number + 1))

        # Sealed words that came before a pause stand: who is still to speak hears none of them. Of a round that is
        # heard at its end, a part would be another debate.
        turns = await side_by_side(
            (self._seats[title].speak(number + place, sealed=sealed) for place, title in enumerate(titles, 1)),
            keep=publish if sealed else None,
        )
        publish(turns)
        self._stop_short(turns)

    async def _open(self) -> None:
        """One turn: the floor is granted where nobody holds it, and its holder speaks."""
        if self.progress.grant is None:
            half = self._half_polled()
            if half and await self._take_poll(half, new=False):
                return
            circles, members = self.memory.circles, self.progress.active
            why = why_stop(self.progress, len(members)) or worn_out(self.progress, self._talkers, circles)
            if why:
                await self._talk_over(why)
                return
            if poll_due(self.progress) and await self._take_poll(self.progress.voters):
                return
            if circles.due is not None:
                self.bus.publish(self._briefing.circle(circles.due))
                return
            if await self._summariser.before(self.progress.messages + 1):
                return
            if self.progress.floor == "simultaneous":
                left = room(self.progress, len(members))
                await self._speak_together(may_speak(self.progress, self._talkers)[:left], sealed=False)
                return
            await self._grant()
        if self.progress.grant is not None:
            await self._speak(self.progress.grant)

    async def _talk_over(self, why: EndReason) -> None:
        """End an open phase: after the answer that a person is owed, and after a question where all are silent."""
        answer = self._owed()
        if answer is not None:
            if not await self._summariser.before(self.progress.messages + 1):
                self.bus.publish(answer)
        elif why == "silence" and not self.progress.asked:
            self.bus.publish(self._briefing.nudge())
        else:
            self._next_phase(why)

    async def _round(self) -> None:
        """Each member once, in seat order, as far as there is room."""
        if self.progress.grant is None:
            waiting = self._waiting()
            short = hard_stop(self.progress) if waiting else None
            if short or not waiting:
                self._next_phase(short or self._why_over)
                return
            if await self._summariser.before(self.progress.messages + 1):
                return
            closing = self.progress.agenda.stage(self.progress.phase) == "closing"
            self.bus.publish(FloorGranted(agent=waiting[0], reason="closing word" if closing else "next in seat order"))
        if self.progress.grant is not None:
            await self._speak(self.progress.grant)

    async def _poll(self) -> None:
        """All say privately where they stand; the stances are published in seat order."""
        waiting = self._unasked()
        if not waiting or not await self._take_poll(waiting, new=not self.progress.done):
            self._next_phase("done")

    async def _take_poll(self, titles: Sequence[str], *, new: bool = True) -> bool:
        """Whether there was something to ask, and money to ask it; where not `new`, for the last poll."""
        choices = self._choices()
        if not choices:
            return False
        number = max(self.progress.polls, default=0) + new
        asked = (self._seats[title].poll(choices, number) for title in titles)
        facts = _facts(await side_by_side(asked, keep=self._publish))
        self.bus.publish(*facts)
        return any(isinstance(fact, StanceTaken) for fact in facts)

    def _half_polled(self) -> list[str]:
        """Who was not heard in a poll of this moment, where a pause cut it: the stances of the others stand."""
        polls, progress = self.progress.polled, self.progress
        if progress.settings.consensus is None or not polls or progress.polled_at != progress.messages:
            return []
        heard = {stance.who for stance in polls[-1]}
        return [title for title in progress.voters if title not in heard]

    async def _ballot(self) -> None:
        """All vote side by side; the ballots are published in seat order."""
        cast = self.progress.ballots
        choices = cast[0].choices if cast else self._choices()
        waiting = self._unasked() if choices else []
        if not waiting:
            self._next_phase("done")
            return
        self._summariser.begin()

        offered = {title: offered_to(title, choices, self.progress, self.memory) for title in waiting}

        votes = (self._seats[title].vote(choices, offered[title]) for title in waiting)
        self._publish(await side_by_side(votes, keep=self._publish))

    async def _verdict(self) -> None:
        if await self._summariser.finish():
            return
        if self.progress.verdict is None:
            self.bus.publish(self._verdict_now())
        else:
            self._next_phase("done")

    def _choices(self) -> tuple[str, ...]:
        """What there is to vote on now."""
        return choices_now(self._started, self.memory)

    def _verdict_now(self) -> VerdictReached:
        """What the votes, or the last poll, come to."""
        return verdict_of(self.progress, self.memory)

    async def _comments(self) -> None:
        """Members that comment unasked say, between turns, their word on what was found since the last one."""
        side = self.memory.side
        while (due := side.due) is not None and self.progress.grant is None and not hard_stop(self.progress):
            turn = await self._seats[due.who].comment(due, side.last + 1)
            # A question asked aside meanwhile may have taken the number.
            self.bus.publish(*(_renumbered_aside(fact, side.last + 1) for fact in turn.facts))

    def _waiting(self) -> list[str]:
        """Who has not had a turn in this phase, as many as there is room for."""
        waiting = [title for title in self.progress.active if title not in self.progress.done]
        return waiting[: max(0, self._left + self.progress.on_top)]

    @property
    def _why_over(self) -> EndReason:
        """Why a phase ends in which nobody is left to be asked: all had a turn, or there is no room for more."""
        return "done" if set(self.progress.active) <= set(self.progress.done) else "messages"

    def _unasked(self) -> list[str]:
        """Who has not been polled, or has not voted, in this phase."""
        return [title for title in self.progress.voters if title not in self.progress.done]

    @property
    def _left(self) -> int:
        """Messages that the debate has left."""
        return self.progress.settings.max_messages - self.progress.messages

    @property
    def _talkers(self) -> list[str]:
        """Who may have the floor of an open phase; a person only who has something to say, or has a turn in order."""
        in_order = self.progress.floor == "round-robin"
        return [title for title in self.progress.active if in_order or self._seats[title].ready]

    def _called_on(self, members: Sequence[str]) -> FloorGranted | None:
        """Whom a person has addressed answers next."""
        last = self.progress.last
        if last is None or last.to not in members or not isinstance(self._seats.get(last.who), Person):
            return None
        return FloorGranted(agent=last.to, reason=f"addressed by {last.who}")

    def _owed(self) -> FloorGranted | None:
        """The answer to what a person asked just before an open phase is over, where the limits allow one more."""
        if hard_stop(self.progress) or self._left <= 0:
            return None
        return self._called_on(may_speak(self.progress, self._talkers))

    async def _grant(self) -> None:
        """Give the floor to whom the policy names, asking the members or the moderator where it wants that."""
        policy = floor_policy(self.progress.floor)
        members = may_speak(self.progress, self._talkers)
        first = self._called_on(members) or policy.first(members, self.progress)
        if first is not None:
            self.bus.publish(first)
            return
        bidding = self.progress.floor == "bidding"
        asked = await (self._bids.take(members, self._keep_bids) if bidding else self._moderator.name(members))
        if asked.bids is None:
            self.bus.publish(*asked.facts)
            self._stop_short([asked])
            return
        facts = list(asked.facts)
        if bidding:
            facts.append(BidsTaken(bids=asked.bids))
        granted = policy.grant(members, self.progress, asked.bids)
        if granted is None and asked.unheard:
            next_seat = floor_policy("round-robin").grant(members, self.progress, ())
            granted = next_seat and next_seat.model_copy(update={"reason": "no bid could be heard: next in seat order"})
        if granted is not None:
            facts.append(granted)
        elif not self.progress.asked:
            facts.append(self._briefing.nudge())
        self.bus.publish(*facts)

    def _publish(self, turns: Sequence[Turn]) -> None:
        self.bus.publish(*_facts(turns))

    def _keep_bids(self, turns: Sequence[Turn]) -> None:
        """Of a round of bids that a pause cuts: who is not among them is asked when it goes on."""
        bids = [*self.progress.bids_cut, *(turn.bid for turn in turns if turn.bid is not None)]
        self.bus.publish(*_facts(turns), BidsTaken(bids=tuple(bids), cut=True))

    async def _speak(self, grant: FloorGranted) -> None:
        def stream(text: str) -> None:
            self.bus.announce(TextStreamed(agent=grant.agent, text=text))

        shown = stream if self.bus.has_listener(TextStreamed) else None
        turn = await self._seats[grant.agent].speak(self.progress.messages + 1, grant, on_text=shown)
        self.bus.publish(*turn.facts)
        self._stop_short([turn])

    def _stop_short(self, turns: Iterable[Turn | Asked]) -> None:
        """Go on to the next phase where a budget had no room for a call."""
        short = next((turn.short for turn in turns if turn.short), None)
        if short:
            self._next_phase(short)


def _facts(turns: Iterable[Turn]) -> list[Event]:
    return [fact for turn in turns for fact in turn.facts]


def _numbered(facts: Iterable[Event], number: int) -> list[Event]:
    """The same facts, their messages numbered from `number` on: an opening that failed leaves no hole."""
    numbers = itertools.count(number)
    return [f.model_copy(update={"number": next(numbers)}) if isinstance(f, MessagePosted) else f for f in facts]


def _renumbered_aside(fact: Event, number: int) -> Event:
    return fact.model_copy(update={"number": number}) if isinstance(fact, SideMessagePosted) else fact
