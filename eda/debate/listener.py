"""`AgentListener`: one member of the panel. It hears every message; asked, it bids for the floor, speaks and votes.

It starts nothing by itself: `Debate` asks it and the floor decides; or, by hand, whoever awaits `bid` or `speak`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from eda.bus import MessageBus
from eda.bus.subscription import Subscription
from eda.debate.addressing import addressing_of
from eda.debate.asking import (
    CALLS_A_TURN,
    CALLS_A_VOTE,
    Answer,
    Checked,
    Corrected,
    Turn,
    ask,
    ask_for_bids,
    ask_for_fields,
    keeping_refusals,
    numbered,
    read_stance,
    read_vote,
)
from eda.debate.declares import declared
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.prompts.lookups import MOST, PASSAGES, ROOM, Seeking
from eda.debate.prompts.member_view import followed, own_prompts, seen_by
from eda.debate.prompts.prefix import hears_all
from eda.debate.speech import ShownText, as_stances, as_wishes, no_speech, passes, shown_from_the_start
from eda.debate.state import DebateState
from eda.debate.terms import read_terms
from eda.debate.tries import Tries, read_beliefs
from eda.debate.verdict import Paper, deciding_rule, opposed_by
from eda.errors import RunnerError, UsageError
from eda.events import (
    Ballot,
    BallotText,
    Doubt,
    Event,
    FloorGranted,
    MessagePosted,
    PhaseStarted,
    Proposal,
    StanceTaken,
    TermsNamed,
    TurnFailed,
    TurnPassed,
    bounded,
    talk_of,
)
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.names import without_name
from eda.memory.minutes.proposals import what_became
from eda.memory.patterns import Language
from eda.panels.persona import Persona
from eda.panels.settings import Poll
from eda.runners.answers import ScoredAnswer
from eda.runners.protocol import Prompt, Reply, Runner
from eda.runners.repair import fields_of
from eda.voting.answers import question


class AgentListener:
    """A persona with its runner, on a bus.

    By hand: `AgentListener(persona, runner).join(bus)`, then `await listener.bid()` or `await listener.speak()`. Its
    prompts are made from what it has heard on that bus. A `Debate` gives it `prompts` made from the debate's memory.

    Asked for anything, it raises RunnerUnavailableError where no call will succeed; any other failure is a fact.
    """

    def __init__(self, persona: Persona, runner: Runner, *, prompts: PromptBuilder | None = None) -> None:
        """Seat `persona`; `prompts` is the debate's builder, None for one of the listener's own."""
        self.persona, self.title, self.runner = persona, persona.title, runner
        # By what names the members are addressed; `Seating` tells it of the others.
        self.addressing = addressing_of(persona.title)
        self._by_hand = prompts is None
        self._all = prompts or own_prompts(persona)  # the prompts of a member that hears all
        state = self._state
        # The number of the last message heard.
        self.heard = state.heard
        # Messages posted but not heard yet: the phase that hides them has not ended.
        self._sealed = set(range(state.heard + 1, state.messages + 1))
        # Numbers below `heard` of messages that it was not told of.
        self._missed: set[int] = set()
        self._bus: MessageBus | None = None
        self._subscriptions: tuple[Subscription, ...] = ()

    @property
    def _prompts(self) -> PromptBuilder:
        return self._all if self._state.hears == "all" else seen_by(self._all, self.title)

    @property
    def _state(self) -> DebateState:
        return self._all.state

    def join(self, bus: MessageBus) -> "AgentListener":
        """Hear the messages of `bus` from now on; return self. By hand, those that its log holds are heard first."""
        hears: dict[type[Event], Callable[..., None]] = (
            {Event: self._follow} if self._by_hand else {MessagePosted: self.hear, PhaseStarted: self.unseal}
        )
        for event in bus.facts() if self._by_hand else ():
            self._follow(event)
        name, self._bus = f"listener {self.title}", bus
        self._subscriptions = tuple(bus.subscribe(kind, hear, name=name) for kind, hear in hears.items())
        return self

    def leave(self) -> None:
        """Hear nothing of the bus any more."""
        for subscription in self._subscriptions:
            subscription.cancel()
        self._bus, self._subscriptions = None, ()

    def hear(self, message: MessagePosted) -> None:
        """Take in a message that was posted. A sealed one is heard when its phase ends."""
        if message.sealed:
            self._sealed.add(message.number)
        else:
            self._hear(message.number)

    def unseal(self, _: PhaseStarted) -> None:
        """Hear what was said in the phase that ended and was hidden until now."""
        for number in sorted(self._sealed):
            self._hear(number)
        self._sealed.clear()

    def _hear(self, number: int) -> None:
        self._missed.update(set(range(self.heard + 1, number)) - self._sealed)
        self.heard = max(self.heard, number)

    def has_heard(self, number: int) -> bool:
        """True if it has heard message `number`; its prompts show no other."""
        return number <= self.heard and number not in self._missed and number not in self._sealed

    @property
    def _hears(self) -> Callable[[int], bool]:
        """What its prompts show it: of who has heard all no message is looked at."""
        all_heard = self.heard >= self._state.messages and not (self._missed or self._sealed)
        return hears_all if all_heard else self.has_heard

    def _follow(self, event: Event) -> None:
        """Fold a fact of the bus into the listener's own view."""
        if not event.stored:
            return
        stranger = isinstance(event, MessagePosted) and event.who not in self._state.personas
        self._all = followed(self._all, event)
        if stranger:
            self.addressing = addressing_of(*self._state.members)
        if isinstance(event, MessagePosted):
            self.hear(event)
        elif isinstance(event, PhaseStarted):
            self.unseal(event)

    @property
    def ready(self) -> bool:
        """True if the floor may be granted to it while others could talk on."""
        return True

    @property
    def bids_alone(self) -> bool:
        """True if it is asked for its bid by itself: it does not hear all, or its class has a `bid` of its own."""
        return type(self).bid is not AgentListener.bid or self._state.hears != "all"

    async def bid(self) -> Turn:
        """Ask whether the member wants to speak; return its bid with the facts of the call.

        An unreadable answer, or none, is a pass. By hand, the facts are published; in a debate, by who asked.
        """
        bus = self._joined()
        turn = await ask_for_bids(
            self.runner, self._prompts.bid(self.persona, self._hears), [self.title], self._prompts.corrected
        )
        if self._by_hand:
            bus.publish(*turn.facts)
        return turn

    async def speak(self) -> MessagePosted:
        """Have the member speak on the bus that it joined, and return its message.

        Raises:
            UsageError: it has not joined a bus.
            RunnerError: no message came of the turn; what the calls took is published.
        """
        bus = self._joined()
        turn = await self.take_turn(bus.messages + 1)
        for fact in bus.publish(*numbered(turn.facts, MessagePosted, bus.messages + 1)):
            if isinstance(fact, MessagePosted):
                return fact
        failed = [fact.error for fact in turn.facts if isinstance(fact, TurnFailed)]
        passed = [fact.fault or fact.why for fact in turn.facts if isinstance(fact, TurnPassed)]
        raise RunnerError(f"{self.title} said nothing: {next(iter((*failed, *passed)), 'the turn was passed')}")

    async def take_turn(
        self,
        number: int,
        grant: FloorGranted | None = None,
        *,
        sealed: bool = False,
        on_text: Callable[[str], None] | None = None,
    ) -> Turn:
        """Return the facts of a turn: message `number`, or a turn that was passed or failed where there is none.

        A reply that repeats an earlier message or is no speech is asked for once more, with the reason. If the second
        is none either, the turn is passed, and the fact says why. Only a call that fails makes a failed turn.
        """
        prompt = first = self._prompts.speak(self.persona, grant, self._hears)
        facts: list[Event] = []
        seeking, repeats, tries = self._seeking(prompt, number, alone=grant is not None), None, 0
        while tries < CALLS_A_TURN:
            # The text of a second call is not streamed: it would run on from the words of the first.
            shown = ShownText(on_text, self.title, self._named(), self._language) if on_text and not tries else None
            with shown_from_the_start(shown) as take:
                answer = await ask(self.runner, prompt, take)
            facts += answer.calls
            if answer.reply is None:
                return Turn((*facts, *(() if answer.short else (self._failed("speak", answer),))), short=answer.short)
            text = without_name(answer.reply.text.strip(), self.title)
            if passes(text):
                return Turn((*facts, TurnPassed(who=self.title, why="nothing new")))
            if (sought := await seeking.sought(prompt, text)) is not None:
                facts, prompt = [*facts, *sought[0]], sought[1]
                continue
            tries += 1
            message = self.message(number, text, sealed=sealed)
            wrong = seeking.too_many or no_speech(message.whole, first)
            if wrong := wrong or ("" if message.moves or message.talk else "no words of the reply were its own"):
                prompt = self._prompts.corrected(prompt, wrong, text)
                continue
            repeats = None if sealed else self._prompts.repeated(self.title, message.read, message.moves)
            if repeats is None:
                return Turn((*facts, message))
            prompt = self._prompts.again(prompt, repeats)
        of = {"why": "no speech", "fault": wrong} if wrong else {"why": "repeated", "repeats": repeats or 0}
        return Turn((*facts, TurnPassed.model_validate({"who": self.title, **of})))

    def _seeking(self, prompt: Prompt, number: int, *, alone: bool) -> Seeking:
        """Return what it may seek for message `number`; who speak at the same time number what they find apart."""
        free, beside = self._all.memory.parts.evidence.next, number - self._state.messages - 1
        first = free + beside * MOST * PASSAGES
        result = first if alone else free + len(self._state.members) * MOST * PASSAGES + beside * ROOM
        nth = self._state.calls.next("tool", self.title)
        return Seeking(self.runner, self._prompts.lookups, prompt, self.has_heard, first, result, nth)

    def message(self, number: int, text: str, *, sealed: bool) -> MessagePosted:
        """Return the message that a reply makes."""
        text = bounded(text)
        read = read_reply(text, self.title, self._named(), language=self._language)
        talk = talk_of(text, read.cut)
        to, reply_to = None, None
        if not sealed:
            to, reply_to = self.addressing.read(talk, text, self.title, self.heard + 1, self._is_own)
        at, sides = self._state.at, self._all.yes_no
        moves = as_stances(read.moves, sides) if sides else read.moves
        return MessagePosted(
            number=number,
            who=self.title,
            text=text,
            to=to,
            reply_to=reply_to,
            sealed=sealed,
            **read._replace(moves=as_wishes(moves) if at and at.wishes else moves)._asdict(),
        )

    def _is_own(self, number: int) -> bool:
        return self.has_heard(number) and self._all.memory.parts.polls.authors.get(number) == self.title

    @property
    def _language(self) -> Language:
        """In whose words a reply makes moves."""
        return self._all.memory.patterns.language

    def _named(self) -> dict[str, str]:
        """Return the roles, by title, of the members in whose names a reply may have lines, its own speaker's too."""
        return {title: persona.role for title, persona in self._state.personas.items()}

    async def declare(self) -> Turn:
        """Ask what its messages declare, which have no declared move; return that as moves of the last of them."""
        return await declared(self.runner, self._prompts, self.persona, self.has_heard)

    async def poll(self, texts: tuple[BallotText, ...], number: int, survey: Poll | None = None) -> Turn:
        """Ask privately what the member holds, in poll `number` or as a `survey` asks. No usable answer is None."""
        shown = self._prompts.shown(self.persona, texts, self.runner)
        prompt = self._prompts.poll(self.persona, texts, self._hears, survey)
        read = read_beliefs if survey and survey.ask == "beliefs" else self._read_stance
        tries = Tries(lambda reply: read(reply, shown), shown, self._prompts, self.title, ids=False)
        answer = await self._fields(prompt, tries.read, tries.corrected)
        if answer.short:
            return Turn(answer.calls, short=answer.short)
        failed = (self._failed("poll", answer),) if answer.fields is None else ()
        stance = StanceTaken(
            who=self.title,
            poll=number,
            choices=tuple(text.text for text in texts),
            after=self.heard,
            raw=tuple(tries.raw),
            survey=survey is not None,
            **(answer.fields or {"choice": None, "invalid": True, "missing": not tries.raw}),
        )
        return Turn((*answer.calls, *failed, stance))

    def _read_stance(self, reply: Reply, shown: Sequence[BallotText]) -> Checked:
        return read_stance(reply, shown, self._ended)

    async def terms(self, text: Proposal) -> Turn:
        """Ask what would bring the member in for a text. No usable answer names nothing."""
        prompt = self._prompts.terms(self.persona, text, self._hears)
        answer = await ask_for_fields(self.runner, prompt, read_terms, self._prompts.corrected)
        if answer.short:
            return Turn(answer.calls, short=answer.short)
        failed = () if answer.fields else (self._failed("terms", answer),)
        of = {"who": self.title, "on": text.id, "after": self.heard, **(answer.fields or {"takes": None})}
        return Turn((*answer.calls, *failed, TermsNamed.model_validate(of)))

    async def vote(self, paper: Paper, offered: tuple[BallotText, ...]) -> Turn:
        """Ask for a vote on those `offered` of all texts of the paper, up to three times, each time more simply.

        What speaks against a ballot is asked about once: a reason that refuses what it accepts, a text that the member
        opposed. The ballot then stands as it is given; with the doubt, unless it accepts again what the member opposed.
        """
        if not offered:
            words, own = self._state.settings.words, self._state.hears == "all"
            reason = words.say("procedure-nothing-offered", own=own)
            return Turn((paper.cast(Ballot(agent=self.title, choice=None, reason=reason)),))
        shown = self._prompts.shown(self.persona, offered, self.runner)
        prompt = self._prompts.vote(self.persona, offered, self._hears, first=paper.first, answer=paper.answer)
        asked = set[str]()
        read = keeping_refusals(lambda reply: self._doubted(self._read_ballot(reply, shown), shown, asked), shown)
        tries = Tries(
            read,
            shown,
            self._prompts,
            self.title,
            None if self.persona.person else paper,  # a person's line is read with what it wants beside the answer
            ids=deciding_rule(self._state).counts != "scores",
        )
        answer = await self._fields(prompt, tries.read, tries.corrected, CALLS_A_VOTE)
        if answer.short and paper.first:
            return Turn(answer.calls, short=answer.short)
        failed = () if answer.fields else (self._failed("ballot", answer),)
        withheld = tuple(text.text for text in paper.texts if text not in offered)
        given = {"withheld": withheld, **(answer.fields or {"choice": None, "invalid": True, "missing": not tries.raw})}
        ballot = Ballot.model_validate({"agent": self.title, "raw": tries.raw, **given})
        return Turn((*answer.calls, *failed, paper.cast(ballot)))

    async def _fields(
        self,
        prompt: Prompt,
        read: Callable[[Reply], Checked],
        corrected: Corrected,
        calls: int = CALLS_A_TURN,
    ) -> Answer:
        answer = await ask_for_fields(self.runner, prompt, read, corrected, calls=calls)
        number = (answer.fields or {}).get("moved_by")
        line = self._prompts.memory.parts.messages.line
        heard = number and self.has_heard(number) and self._state.hears_of(self.title, line(number).who)
        names = not number or (heard and not self._is_own(number))
        return answer if names else replace(answer, fields={**(answer.fields or {}), "moved_by": None})

    def _read_ballot(self, reply: Reply, shown: Sequence[BallotText]) -> Checked:
        """Return a vote as fields of a `Ballot`, and what is wrong with it."""
        fields, wrong = fields_of(ScoredAnswer, reply)
        counts = deciding_rule(self._state).counts
        return (None, wrong) if wrong else read_vote(fields, reply.text, shown, counts, self._ended)

    @property
    def _ended(self) -> dict[str, str]:
        """What became of texts that are open no more, by their ids."""
        motions = self._prompts.memory.motions
        return {
            text.id: what_became(text, each) for each in motions for text in each.versions if text.status != "active"
        }

    def _doubted(self, read: Checked, shown: Sequence[BallotText], asked: set[str]) -> Checked:
        """Return what was read, with the doubt that it accepts texts which it opposed and was not `asked` about yet."""
        fields, wrong = read
        if fields is None:
            return read
        ids, opposed = {each.id: each.text for each in shown}, opposed_by(self.title, self._prompts.memory)
        taken = [key for text in fields.get("approved", ()) for key, words in ids.items() if words == text]
        doubts = [Doubt("opposed", (key,), at=opposed[key]) for key in taken if key in opposed and key not in asked]
        asked |= {key for each in doubts for key in each.texts}
        told = "; ".join(filter(None, (wrong, question(doubts, ids))))
        return {**fields, "doubts": (*fields.get("doubts", ()), *doubts)}, told

    def _failed(self, purpose: str, answer: Answer) -> TurnFailed:
        return TurnFailed(who=self.title, purpose=purpose, error=answer.why, nth=answer.failed)

    def _joined(self) -> MessageBus:
        """Return the bus that it joined."""
        if self._bus is None:
            raise UsageError(f"{self.title} hears no bus: join a bus first", hint="listener.join(bus)")
        return self._bus
