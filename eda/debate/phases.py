"""The kinds of phase: what each asks of the members, and one step of it.

The driver takes step after step of the phase that the debate is in, until a step begins the next phase. A kind keeps
nothing: what is still to be done follows from the state of the debate.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from eda.debate.floor.policies import RoundRobin, floor_of
from eda.debate.floor.stop import Stop, first_voters, hard_stop, may_speak, poll_due, room, why_nobody_speaks, why_stop
from eda.debate.terms import TOLD_ONCE, has_fixed_texts
from eda.debate.verdict import Paper, answer_of, given_to, offered_to, verdict_of
from eda.errors import UsageError
from eda.events import Bid, BidsTaken, Event, FloorGranted
from eda.panels.agenda import PhaseKind
from eda.panels.registry import completed

if TYPE_CHECKING:
    from eda.debate.driver import Driver


_BEFORE_TERMS = 2  # Messages from the naming of texts on which nobody has taken a side to the question for terms.


class RunningKind(PhaseKind, ABC):
    """A phase kind that can be run; one of a user's may leave out all but `run`."""

    @abstractmethod
    async def run(self, driver: Driver, /) -> None:
        """Take one step; the step that finds nothing left to do calls `driver.next_phase(why)`."""


class BlindPhase(RunningKind):
    """All members speak side by side, unseen by each other; their messages are published in seat order.

    The first ballot is taken beside it, where it comes right before.
    """

    line = "all write at once, unseen by each other"
    waiting = "all write side by side"
    each = sealed = True

    async def run(self, driver: Driver, /) -> None:
        """Ask all who are left."""
        first = driver.state.messages == driver.state.said  # without any message there is nothing to vote on
        if waiting := _left_to_ask(driver, anyway=first):
            # The first votes that are owed beside it.
            state, paper = driver.state, Paper(given_to(driver.state), answer_of(driver.state), first=True)
            offered = ((who, offered_to(who, paper.texts, state, driver.memory)) for who in first_voters(state))
            votes = [driver.seats[who].vote(paper, texts) for who, texts in offered if paper.texts]
            await driver.speak_together(waiting, sealed=True, votes=votes)


class RoundPhase(RunningKind):
    """Each member speaks once, in seat order, as far as messages are left; closing words are written side by side."""

    line = "each once, in seat order"
    waiting = "each speaks once"
    each = True

    async def run(self, driver: Driver, /) -> None:
        """Grant the floor to the next seat, and have it speak."""
        state = driver.state
        if state.grant is None:
            waiting = _left_to_ask(driver)
            if not waiting or await driver.summariser.before(state.messages + 1):
                return
            if state.agenda.stages[state.phase] == "closing" and state.agenda.beside_talk[1]:
                await driver.speak_together(waiting, sealed=False)
                return
            await driver.bus.store(FloorGranted(agent=waiting[0], why="in turn"))
        if state.grant is not None:
            await driver.speak(state.grant)


class OpenPhase(RunningKind):
    """The floor policy says who speaks, until a stop condition holds."""

    line = "the floor goes to one after the other"
    waiting = "the panel weighs who speaks next"

    async def run(self, driver: Driver, /) -> None:
        """Have the holder of the floor speak; else end the phase, poll, publish what is due or grant the floor."""
        state, circles = driver.state, driver.memory.parts.stagnation
        if state.grant is not None:
            await driver.speak(state.grant)
            return
        if await _asks_first(driver):
            return
        members = may_speak(state, _talkers(driver))
        stop = why_stop(state, driver.memory) or (None if members else why_nobody_speaks(state))
        if stop is not None:
            await self._over(driver, stop)
        elif poll_due(state) and await driver.take_poll(state.voters):
            return
        elif since := circles.due:
            await driver.bus.store(driver.briefing.moderator("circle", since=str(since)))
        elif _gathers(driver):
            await driver.bus.store(driver.briefing.moderator("together"))
        elif await driver.summariser.before(state.messages + 1):
            return
        elif floor_of(state).together:
            await driver.speak_together(may_speak(state, _talkers(driver))[: room(state)], sealed=False)
        else:
            await _grant(driver)
            if state.grant is not None:
                await driver.summariser.before(state.messages + 1)  # one that came in while members asked for the floor
                await driver.speak(state.grant)

    async def _over(self, driver: Driver, stop: Stop) -> None:
        """End the phase: after the answer that a person is owed, and after a question where all are silent."""
        state = driver.state
        answer = None
        if not hard_stop(state, driver.memory) and await driver.ask_terms(ends=True):
            return
        if not hard_stop(state, driver.memory) and driver.left > 0:
            answer = _called_on(driver, may_speak(state, _talkers(driver)))
        if answer is not None:
            if not await driver.summariser.before(state.messages + 1):
                await driver.bus.store(answer)
        elif stop.asks_first and not state.asked:
            await driver.bus.store(driver.briefing.moderator("silence"))
        else:
            driver.next_phase(stop.reason)


class PollPhase(RunningKind):
    """Each member says privately where it stands; the stances are published in seat order."""

    line = "each says privately where it stands"
    waiting = "each is asked in private where it stands"
    asks = "poll"

    async def run(self, driver: Driver, /) -> None:
        """Poll all who are left."""
        waiting = driver.without_vote()
        if not waiting or not await driver.take_poll(waiting, new=not driver.state.done):
            driver.next_phase("done")


class BallotPhase(RunningKind):
    """All members vote side by side; the ballots are published in seat order."""

    line = "each votes"
    waiting = "the panel votes"
    asks: Literal["ballot", "first-ballot"] = "ballot"

    async def run(self, driver: Driver, /) -> None:
        """Ask all who are left for their ballots."""
        await driver.take_ballot(first=self.asks == "first-ballot")


class FirstBallotPhase(BallotPhase):
    """All members vote in private on what was given with the question, before anybody speaks. It decides nothing."""

    line = "each votes in private on what was given; nobody sees it before the end"
    waiting = "each votes in private, before anybody speaks"
    asks = "first-ballot"


class VerdictPhase(RunningKind):
    """The votes, or the last poll, are counted."""

    line = waiting = "the votes are counted"
    asks = "nothing"

    async def run(self, driver: Driver, /) -> None:
        """Finish the summaries, count, and end the session."""
        if await driver.summariser.finish(ends=True):
            return
        if driver.state.verdict is None and _said_over(driver):
            driver.back_to_the_talk()
        elif driver.state.verdict is None:
            await driver.bus.store(verdict_of(driver.state, driver.memory))
        else:
            driver.next_phase("done")


# By the name that an agenda gives.
SHIPPED: Mapping[str, RunningKind] = {
    "first-ballot": FirstBallotPhase(),
    "blind": BlindPhase(),
    "open": OpenPhase(),
    "round": RoundPhase(),
    "poll": PollPhase(),
    "ballot": BallotPhase(),
    "verdict": VerdictPhase(),
}


def checked(part: object) -> RunningKind | None:
    """Return the kind with the defaults of `PhaseKind` for what it leaves out, or None where it cannot be run."""
    return completed(part, RunningKind, "run")  # type: ignore[type-abstract]  # it makes a subclass


def _said_over(driver: Driver) -> bool:
    """Return whether a person spoke, or did something that counts, since the vote: moves that all failed do neither."""
    memory = driver.memory
    return any(
        memory.parts.messages.line(number).text or any(act.counted for act in memory.acts(number))
        for number in driver.state.said_over
    )


def _left_to_ask(driver: Driver, *, anyway: bool = False) -> list[str]:
    """Return who is left to speak in this phase; where nobody is, or a limit is reached and not `anyway`, end it."""
    state, waiting = driver.state, driver.without_turn()
    short = hard_stop(state, driver.memory) if waiting and not anyway else None
    if waiting and short is None:
        return waiting
    over = driver.left <= 0 and not set(state.active) <= set(state.done)
    driver.next_phase(short or ("messages" if over else "done"))
    return []


def _half_polled(driver: Driver) -> list[str]:
    """Return who is missing from a poll of this moment that a pause cut: the stances of the others stand."""
    state = driver.state
    if state.settings.consensus is None or not state.polled or state.polled_at != state.messages:
        return []
    polled = {stance.who for stance in state.polled[-1]}
    return [title for title in state.voters if title not in polled]


async def _asks_first(driver: Driver) -> bool:
    """Ask whom a pause left out of a poll, name what nobody spoke of, or ask for terms; return whether that was due."""
    half = _half_polled(driver)
    if half and await driver.take_poll(half, new=False):
        return True
    state, left = driver.state, room(driver.state)
    late = left <= state.said // 2 + _BEFORE_TERMS and not has_fixed_texts(state)
    for why, items in TOLD_ONCE.items() if left > 0 else ():
        said = state.moderated.get(why, (0,))[0] == state.round or (why == "unheard" and not late)
        if not said and (what := items(driver.memory, state)):
            await driver.bus.store(driver.briefing.moderator(why, what=what))
            return True
    return await driver.ask_terms()


def _gathers(driver: Driver) -> bool:
    """Return whether to ask for one text: once, two thirds through, if several wait and the newest joins none."""
    state = driver.state
    if "together" in state.moderated or has_fixed_texts(state) or state.said < 2 * room(state):
        return False
    if driver.memory.parts.minutes.state.taken_up < 2:
        return False
    motions = [motion for motion in driver.memory.motions if motion.live is not None and motion.taken_up]
    texts = [text for motion in motions for text in motion.versions if text.status == "active"]
    newest = max(texts, key=lambda text: text.message, default=None)
    return not (newest and newest.joins)  # who joins texts had all others before it


def _talkers(driver: Driver) -> list[str]:
    """Return who may have the floor: a person only who has typed something, or where turns go in order."""
    in_order = floor_of(driver.state).in_order
    return [title for title in driver.state.active if in_order or driver.seats[title].ready]


def _called_on(driver: Driver, members: Sequence[str]) -> FloorGranted | None:
    """Return the grant to the member whom a person has just addressed, if there is one.

    Where turns go in order, a person who is addressed has none before another person who waits longer: two who speak to
    each other would keep the rest from the floor.
    """
    last, ago = driver.state.last, driver.state.floor_ago
    if last is None or last.to not in members or last.who not in driver.seats:
        return None
    people = [title for title in members if driver.seats[title].persona.person]
    if not driver.seats[last.who].persona.person:
        return None
    if last.to in people and floor_of(driver.state).in_order and any(ago(each) < ago(last.to) for each in people):
        return None
    return FloorGranted(agent=last.to, why="addressed", by=last.who)


async def _grant(driver: Driver) -> None:
    """Grant the floor as the policy says, once those are asked whom the policy wants asked."""
    state, policy, talkers = driver.state, floor_of(driver.state), _talkers(driver)
    members = may_speak(state, talkers)
    if (first := _called_on(driver, members) or policy.first(members, state)) is not None:
        await driver.bus.store(first)
        return
    facts: list[Event] = []
    bids: tuple[Bid, ...] = ()
    failed = False
    if policy.asks != "nobody":
        answer = await (driver.take_bids(members) if policy.asks == "bids" else driver.ask_moderator(members))
        if answer.bids is None:
            await driver.bus.store(*answer.facts)
            driver.move_on_if_short([answer])
            return
        late = [who for who in may_speak(state, _talkers(driver)) if who not in talkers]  # typed while others bid
        members, bids, failed = late or members, answer.bids, answer.failed
        bids += ((await driver.take_bids(late)).bids or ()) if late else ()
        facts += answer.facts
    granted = policy.grant(members, state, bids)
    if granted is not None and granted.agent not in members:
        raise UsageError(f"the floor {state.floor!r} was granted to {granted.agent!r}, who may not speak now")
    if policy.asks == "bids" or granted is None:  # counted as a round in which nobody wants to speak
        facts.append(BidsTaken(bids=bids))
    if granted is None and failed:
        granted = RoundRobin().grant(members, state).model_copy(update={"why": "no bid heard"})
    if granted is not None:
        facts.append(granted)
    elif not state.asked and {*_talkers(driver)} <= {*talkers}:  # who has typed something meanwhile is not silent
        facts.append(driver.briefing.moderator("silence"))
    await driver.bus.store(*facts)
