"""`Driver`: goes through the agenda step by step. What comes next depends on the facts alone.

A step publishes what belongs together as one group. So a log that is cut anywhere can be resumed: the missing steps are
the steps that would have come.
"""

from collections.abc import Awaitable, Container, Iterable, Sequence

from eda import events
from eda.bus import MessageBus
from eda.debate import terms, tries as surveys
from eda.debate.asking import Checked, Turn, ask_for_bids, ask_for_fields, my_turn, numbered, side_by_side
from eda.debate.control.queue import ControlQueue
from eda.debate.course import UNDECLARED
from eda.debate.declares import with_doubts, with_lost_acts
from eda.debate.floor.stop import conditions, hard_stop, is_opening, left_out, settled, shares_now, votes_beside
from eda.debate.line_reader import may_depend, stated
from eda.debate.listener import AgentListener
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.seating import Seating
from eda.debate.verdict import Paper, answer_of, given_to, offered_to, paper_of, polled_now, slate_now, verdict_of
from eda.errors import BudgetReason
from eda.memory.summariser import Summariser
from eda.panels.agenda import Phase
from eda.panels.registry import PHASES
from eda.runners.answers import ModerateAnswer
from eda.runners.protocol import Reply, Runner
from eda.runners.repair import fields_of, validated
from eda.words import ENGLISH


class Driver:
    """Drives a debate: it runs phase after phase, and gives each what it needs to ask the members and to move on.

    Listeners start nothing, and the floor starts no turn by itself.
    """

    def __init__(
        self,
        bus: MessageBus,
        briefing: PromptBuilder,
        seats: Seating,
        summariser: Summariser,
        inbox: ControlQueue,
        runner: Runner,
        *,
        model: bool,
        declares: bool,
    ) -> None:
        """Drive the debate whose state and memory `briefing` makes its prompts from.

        `model`: the runner asks one. `declares`: members that declare nothing are asked what they hold.
        """
        self.bus, self.seats, self.summariser = bus, seats, summariser
        self.briefing, self.memory, self.state = briefing, briefing.memory, briefing.state
        self._inbox, self._runner = inbox, runner
        self._model, self._declares = model, declares

    async def to_the_end(self) -> None:
        """Take step after step until the session has ended."""
        if self.state.at is None:
            self.next_phase("")
        while self.state.ended is None:
            self._keep_off_the_ballot()
            if await self._inbox.look():
                self.next_phase("person")
            elif unread := self._unread():
                await self.bus.store(*await stated(self._runner, self.briefing, unread))
            elif self.state.does.ballots and await self._clears_up():
                continue
            elif unclear := self._unclear():
                turns = await side_by_side((self.seats[title].declare() for title in unclear), self.publish)
                await self.bus.store(*_facts(turns))
            elif await self._survey():
                continue
            elif self.state.at is not None:
                await PHASES.get(self.state.at.kind).run(self)
            await my_turn()  # a runner that answers at once must keep neither a Ctrl-C nor other debates waiting

    def _unread(self) -> int:
        """Return the message whose line a model reads now; 0 where none. A sealed one waits until it is heard."""
        first = self.state.unread[0] if self.state.unread else 0
        return first if first <= self.state.heard and self.reads(first) else 0

    def reads(self, message: int) -> bool:
        """Return whether a model is asked what the line of a message states, now or once it is heard."""
        return self._model and self.state.settings.read_typed == "model" and message in self.state.unread

    def _unclear(self) -> list[str]:
        """Return the members that are asked now what they declare: their messages do so in vain, or not at all."""
        state = self.state
        if not self._declares or state.agenda.sides:
            return []
        agents, fixed = [who for who in state.active if not state.is_person(who)], state.settings.fixed_options
        if state.does.ballots:
            return [] if state.done or fixed else with_doubts(agents, state, self.memory)
        if not state.does.speaks or state.grant is not None or state.heard != state.messages:
            return []
        asked = state.asked_once if state.does.open else agents
        unclear = {who for who in agents if who not in asked and state.undeclared.get(who, 0) >= UNDECLARED}
        unclear |= set() if fixed else {*with_lost_acts(agents, state, self.memory)}
        return [] if unclear and hard_stop(state, self.memory) else [who for who in agents if who in unclear]

    async def _clears_up(self) -> bool:
        """Return whether persons were asked, or minutes written, before a vote: either may leave more to be asked."""
        state = self.state
        if await self.seats.settle(state.voters):
            return True
        if not state.ballots and await self.summariser.finish_minutes(ends=True):
            return True
        offered = may_depend(state, self.memory)
        await self.bus.store(*offered)
        return bool(offered)

    def next_phase(self, why: str) -> None:
        """Begin the phase that follows, or end the session; `why` is what ended this phase."""
        state = self.state
        back = self._back_to()
        wanted = len(state.active) if back and back.does.each else 1
        short = back and (hard_stop(state, self.memory) or (None if self.left >= wanted else "messages"))
        phase = back if back and not short else state.agenda.after(state.phase)
        if phase and self._repeats_count(phase, why):
            phase = state.agenda.after(phase.name)
        while phase and (self._repeated_later(phase) or left_out(state, phase) or votes_beside(state, phase)):
            phase = state.agenda.after(phase.name)
        if phase is None:
            self.bus.publish(events.SessionEnded(reason=state.why_moved or "done"))
            return
        lap = state.laps.get(phase.name, 0) + 1
        moved = short or ("lap" if back else why)
        self.bus.publish(events.PhaseStarted(phase=phase.name, round=state.round, lap=lap, why=moved))

    def back_to_the_talk(self) -> None:
        """Have the panel talk on, as far as messages are left, and vote again: the ballots are of an older table."""
        agenda = self.state.agenda
        name = agenda.taken_up_at if self.left > 0 else [each.name for each in agenda if each.does.ballots][-1]
        lap = self.state.laps.get(name, 0) + 1
        self.bus.publish(events.PhaseStarted(phase=name, round=self.state.round, lap=lap, why="talk"))

    def _back_to(self) -> Phase | None:
        """Return the phase to go back to, or None where this one has reached its aim or has no lap left."""
        state, at = self.state, self.state.at
        if at is None or at.until is None or state.laps.get(at.name, 0) >= at.laps:
            return None
        reached = settled(state) if at.until == "settled" else verdict_of(state, self.memory).outcome is not None
        return None if reached else state.phase_named(at.back_to)

    def _repeats_count(self, phase: Phase, why: str) -> bool:
        """True if a limit ended the phase before, this poll or ballot already ran, and no message was posted since."""
        state = self.state
        limits = {each.reason for each in conditions(state) if each.hard}
        return why in limits and phase.does.votes and phase.name in state.laps and state.counted_at == state.messages

    def _repeated_later(self, phase: Phase) -> bool:
        """True if a later phase repeats this vote and no messages are left between them."""
        later = {each.does.asks for each in self.state.agenda.later(phase.name)}
        return self.left + self.state.on_top <= 0 and phase.does.votes and phase.does.asks in later

    def _keep_off_the_ballot(self) -> None:
        """Keep as notes the texts that cannot be voted on, because only what was given can."""
        if not self.state.settings.fixed_options:
            return
        noted, words = {note.topic for note in self.memory.notes}, self.state.settings.words
        written = [text for motion in self.memory.motions if motion.taken_up for text in motion.versions]
        self.bus.publish(
            *(
                events.NoteTaken(
                    who=_PROCEDURE,
                    text=words.say("procedure-off-the-ballot", who=text.proposer, text=text.content),
                    topic=text.id,
                    after=self.state.messages,
                )
                for text in written
                if text.message and text.id not in noted
            )
        )

    @property
    def left(self) -> int:
        """Messages that the debate has left."""
        return self.state.settings.limits.messages - self.state.messages

    def without_turn(self) -> list[str]:
        """Return the active members without a turn in this phase, as many as there are messages left for.

        Where these are too few for all, people come first: whoever sits down with a panel is heard.
        """
        state = self.state
        waiting = [title for title in state.active if title not in state.done]
        most = shares_now(state).openings - state.said if is_opening(state) else self.left + state.on_top
        return (waiting if most >= len(waiting) else sorted(waiting, key=state.is_person, reverse=True))[: max(0, most)]

    def without_vote(self) -> list[str]:
        """Return who has not been polled, or has not voted, in this phase."""
        return [title for title in self.state.voters if title not in self.state.done]

    async def take_bids(self, members: Sequence[str]) -> Turn:
        """Ask these members, in seat order; return every bid and pass. A person is not asked: what they typed bids."""
        seats = [self.seats[title] for title in members]
        agents = [seat for seat in seats if not seat.persona.person]
        bids = {bid.agent: bid for bid in self.state.bids_cut}
        turns = await self._ask_agents(agents, bids)
        facts = tuple(_facts(turns))
        if any(turn.bids is None for turn in turns):
            return Turn(facts, None, _short(turns))
        failed = 0 < len(agents) == sum(turn.failed for turn in turns)
        turns += [await seat.bid() for seat in seats if seat.persona.person]
        bids.update({bid.agent: bid for bid in _bids(turns)})
        return Turn(facts, tuple(bids[title] for title in members if title in bids), failed=failed)

    async def _ask_agents(self, agents: Sequence[AgentListener], there: Container[str]) -> list[Turn]:
        """Return the bids of all who can be asked in one call, then of the others whose bid is not `there` yet."""
        together = self.state.settings.bids in ("together", "list") and not self.state.apart
        shared, turns = [seat for seat in agents if together and not seat.bids_alone], list[Turn]()
        if shared:  # one call shows them the messages that all of them have heard
            members = [seat.persona for seat in shared]
            prompt = self.briefing.bid(members, lambda number: all(seat.has_heard(number) for seat in shared))
            asked = [seat.title for seat in shared]
            turns.append(await ask_for_bids(self._runner, prompt, asked, self.briefing.corrected))

        def keep(cut: Sequence[Turn]) -> None:  # a pause cuts the round: who has no bid is asked on resume
            self.bus.publish(*_facts(cut), events.BidsTaken(bids=(*self.state.bids_cut, *_bids(cut)), cut=True))

        alone = (seat.bid() for seat in agents if seat not in shared and seat.title not in there)
        return turns + await side_by_side(alone, keep)

    async def ask_moderator(self, members: Sequence[str]) -> Turn:
        """Have the moderator name one of `members`; return it with the reason as its bid, or a failed turn."""
        prompt = self.briefing.moderate(tuple(members))
        answer = await ask_for_fields(
            self._runner, prompt, lambda reply: _named(reply, members), self.briefing.corrected
        )
        if answer.short:
            return Turn(answer.calls, bids=None, short=answer.short)
        if answer.fields is None:
            failed = events.TurnFailed(who=_MODERATOR, purpose="moderate", error=answer.why, nth=answer.failed)
            return Turn((*answer.calls, failed))
        return Turn(answer.calls, (events.Bid(**answer.fields),))

    async def speak(self, grant: events.FloorGranted) -> None:
        """Have the holder of the floor speak, and publish its message or why there is none."""

        def stream(text: str) -> None:
            self.bus.announce(events.TextStreamed(agent=grant.agent, text=text))

        shown = stream if self.bus.has_listener(events.TextStreamed) else None
        turn = await self.seats[grant.agent].take_turn(self.state.messages + 1, grant, on_text=shown)
        await self.bus.store(*turn.facts)
        self.move_on_if_short([turn])

    async def speak_together(
        self, titles: Sequence[str], *, sealed: bool, votes: Sequence[Awaitable[Turn]] = ()
    ) -> None:
        """Have members speak, and take `votes`, side by side; announce messages as they come, publish in seat order."""
        number = self.state.messages

        async def written(title: str, place: int) -> Turn:
            turn = await self.seats[title].take_turn(number + place, sealed=sealed)
            for fact in turn.facts:
                if isinstance(fact, events.MessagePosted):
                    self.bus.announce(events.MessageWritten(message=fact))
            return turn

        def keep(cut: Sequence[Turn]) -> None:  # the journal has what was said
            self.publish([turn for turn in cut if any(isinstance(fact, events.BallotCast) for fact in turn.facts)])

        turns = await side_by_side([*votes, *(written(title, place) for place, title in enumerate(titles, 1))], keep)
        await self.bus.store(*numbered(_facts(turns), events.MessagePosted, number + 1))
        self.move_on_if_short(turns[len(votes) :])

    async def take_poll(self, titles: Sequence[str], *, new: bool = True) -> bool:
        """Ask members for their stances; where not `new`, for the last poll. Return whether anything came of it.

        Minutes that are due come first, as a step of their own: they may find a proposal to choose from.
        """
        if new and await self.summariser.finish_minutes():
            return True
        texts = polled_now(self.state, self.memory)
        if not texts:
            return False
        number = self.state.next_poll if new else max(self.state.polls, default=0)
        offered = {title: offered_to(title, texts, self.state, self.memory, own=True) for title in titles}
        return await self._take_stances(self.seats[who].poll(heard, number) for who, heard in offered.items() if heard)

    async def _survey(self) -> bool:
        """Take the poll of the settings where it is due; return whether anything came of it."""
        state, poll = self.state, self.state.settings.poll
        titles, texts = surveys.due(state), given_to(state)
        if poll is None or not titles or not texts:
            return False
        number = state.next_poll if (not state.surveys or state.messages > state.surveyed_at) else max(state.surveys)
        return await self._take_stances(self.seats[title].poll(texts, number, poll) for title in titles)

    async def _take_stances(self, polls: Iterable[Awaitable[Turn]]) -> bool:
        if await self.seats.settle(self.state.voters):
            return True
        with self._inbox.taking_votes():
            facts = _facts(await side_by_side(polls, keep=self.publish))
            await self.bus.store(*facts)
        return any(isinstance(fact, events.StanceTaken) for fact in facts)

    async def ask_terms(self, *, ends: bool = False) -> bool:
        """Ask those who are due what would bring them in, side by side; return whether anybody was asked."""
        if (asked := terms.due(self.state, self.memory, ends=ends)) is None:
            return False
        text, titles = asked
        if await self.seats.settle(titles):
            return True  # they may be brought in by that
        turns = await side_by_side((self.seats[title].terms(text) for title in titles), keep=self.publish)
        await self.bus.store(*_facts(turns))
        self.move_on_if_short(turns)
        return True

    async def take_ballot(self, *, first: bool = False) -> None:
        """Have all who have not voted vote side by side; where nobody is left, begin the next phase.

        The first vote cast fixes what is offered. Before it comes, as a step of its own, who has no room.
        """
        state = self.state
        cast = state.first_ballots if first else state.ballots
        if cast:
            paper = paper_of(cast[0])
        elif first:
            paper = Paper(given_to(state), answer_of(state), first)
        else:
            texts, left_out = slate_now(state, self.memory)
            if left_out and not state.asked:
                text = state.settings.words.say("procedure-no-room", ids=left_out)
                await self.bus.store(events.ModeratorSpoke(text=text, why="left out"))
                return
            paper = Paper(texts, answer_of(state))
        waiting = self.without_vote() if paper.texts else []
        if not waiting:
            self.next_phase("done")
            return
        offered = {title: offered_to(title, paper.texts, state, self.memory) for title in waiting}
        turns: dict[str, Turn] = {}

        async def vote(who: str) -> None:
            """Take a vote; a person can change it until all are in, and it stands until another is given."""
            turns[who] = await self.seats[who].vote(paper, offered[who])
            while not await self._inbox.stands(who):
                new = await self.seats[who].vote(paper, offered[who])
                given = [fact for fact in new.facts if isinstance(fact, events.BallotCast) and not fact.ballot.invalid]
                turns[who] = new if given else turns[who]

        with self._inbox.taking_votes(waiting):
            try:
                await side_by_side(map(vote, waiting))
            finally:  # what was given is kept where another call cannot be made
                if turns:
                    await self.bus.store(*_facts(turns[who] for who in waiting if who in turns))
        self.move_on_if_short(turns.values())

    def publish(self, turns: Sequence[Turn]) -> None:
        """Publish the facts of several turns as one group."""
        self.bus.publish(*_facts(turns))

    def move_on_if_short(self, turns: Iterable[Turn]) -> None:
        """Begin the next phase where a budget had no room for a call of these turns."""
        if short := _short(turns):
            self.next_phase(short)


def _short(turns: Iterable[Turn]) -> BudgetReason | None:
    """Return the budget that had no room for a call of these turns."""
    return next((turn.short for turn in turns if turn.short), None)


def _facts(turns: Iterable[Turn]) -> list[events.Event]:
    return [fact for turn in turns for fact in turn.facts]


def _bids(turns: Iterable[Turn]) -> list[events.Bid]:
    return [bid for turn in turns for bid in turn.bids or ()]


_PROCEDURE = "procedure"  # Who takes the notes of what the fixed options keep off the ballot.
_MODERATOR = "moderator"  # Who failed, where the call gave no name.


def _named(reply: Reply, members: Sequence[str]) -> Checked:
    """Read whom the moderator names, as the fields of a `Bid`."""
    fields, _ = validated(ModerateAnswer, fields_of(ModerateAnswer, reply)[0] or {"agent": reply.text})
    name = " ".join(str(fields["agent"] if fields else "").strip(" *_`@.\n").split())
    if (title := {member.casefold(): member for member in members}.get(name.casefold())) is None:
        return None, ENGLISH.say("prompt-nobody", name=repr(name[:80]) if name else "")
    return {"agent": title, "wants": True, "reason": " ".join(fields["why"].split()) if fields else ""}, ""
