"""A person at the table, from Python: asked when it is their turn, heard when they like, waited for no longer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from in_turn import in_turn
from test_resume import OPTIONS, QUESTION

from eda import Debate, Prompt, Session, Settings
from eda.errors import RunnerError, UnknownNameError, UsageError
from eda.events import (
    BallotCast,
    BidsTaken,
    CallMade,
    FloorGranted,
    MessagePosted,
    ModeratorSpoke,
    PhaseStarted,
    SessionEnded,
    StanceTaken,
    TurnFailed,
    TurnPassed,
)
from eda.panels.agenda import load_agenda
from eda.runners.human import HumanRunner, persona_of
from eda.runners.protocol import OnText, Reply
from eda.runners.scripted import ScriptedRunner
from eda.runners.simulated.runner import SimulatedRunner

PANEL = ["sceptic", "historian", "pragmatic-engineer"]
MOST = 12
"""Messages of a debate `with_ada`."""
Answer = Callable[[Prompt], str]


def human(answer: Answer) -> HumanRunner:
    async def ask(prompt: Prompt) -> str:
        return answer(prompt)

    return HumanRunner(ask, letters=True)


def with_ada(
    answer: Answer = lambda _: "",
    session: Session | None = None,
    floor: str = "bidding",
    rule: str | None = None,
    read_typed: str = "model",
    most: int = MOST,
    **given: object,
) -> Debate:
    return Debate(
        QUESTION,
        PANEL,
        options=OPTIONS,
        settings=Settings(max_messages=most, floor=floor, rule=rule, first_vote=False, read_typed=read_typed),
        session=session,
        human="Ada",
        seats={"Ada": human(answer)},
        **given,
    )


def spoken(prompt: Prompt) -> str:
    return {"speak": f"My {prompt.stage} word.\n[POSITION] {OPTIONS[0]}", "ballot": "A"}.get(prompt.purpose, "")


def of(debate: Debate, kind: type) -> list:
    return [event for event in debate.session.events() if isinstance(event, kind)]


async def test_a_person_opens_closes_and_votes_like_everybody() -> None:
    """Somebody who must decide on Monday takes part, and is counted."""
    asked: list[Prompt] = []

    def answer(prompt: Prompt) -> str:
        asked.append(prompt)
        return spoken(prompt)

    debate = with_ada(answer, most=20)
    result = await debate.run()
    assert [(prompt.purpose, prompt.stage) for prompt in asked] == [
        ("speak", "opening"),
        ("speak", "closing"),
        ("ballot", "discussion"),
    ]
    said = [message for message in of(debate, MessagePosted) if message.who == "Ada"]
    assert [(message.sealed, message.talk) for message in said] == [
        (True, "My opening word."),
        (False, "My closing word."),
    ]
    assert debate.memory.last_position("Ada") == OPTIONS[0]
    (cast,) = [cast for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada"]
    assert cast.ballot.choice == asked[-1].options[0]
    assert {each.choices for each in of(debate, BallotCast)} == {cast.choices}
    assert set(asked[-1].options) == set(cast.choices)
    assert cast.choices[: len(OPTIONS)] == tuple(OPTIONS), "what the panel proposed comes after what was given"
    assert result.verdict is not None
    assert not [call for call in of(debate, CallMade) if call.agent == "Ada"]


async def test_who_passes_is_passed_and_who_does_not_vote_abstains() -> None:
    """Enter must be an answer."""
    debate = with_ada(most=20)
    await debate.run()
    assert [(p.who, p.why, p.repeats) for p in of(debate, TurnPassed) if p.who == "Ada"] == [("Ada", "passed", 0)] * 2
    (ballot,) = [cast.ballot for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada"]
    assert (ballot.choice, ballot.invalid) == (None, False)


@pytest.mark.parametrize("floor", ["bidding", "random", "moderated", "simultaneous"])
async def test_agents_go_on_talking_whether_or_not_the_person_does(floor: str) -> None:
    """A phone call must not stop four colleagues."""
    debate = with_ada(floor=floor)
    result = await debate.run()
    passed = len(of(debate, TurnPassed)) - 1  # the place of the opening that Ada passed went to the discussion
    assert result.messages + passed == MOST, "only closing words that were passed are missing"
    assert not [grant for grant in of(debate, FloorGranted) if grant.agent == "Ada" and grant.why != "closing"]
    assert not [bid for taken in of(debate, BidsTaken) for bid in taken.bids if bid.agent == "Ada"]


async def test_with_round_robin_the_person_has_a_turn_in_order() -> None:
    """Who asks for turns in order is asked in order."""
    debate = with_ada(spoken, floor="round-robin")
    await debate.run()
    discussion = [g.agent for g in of(debate, FloorGranted) if g.why == "in turn"]
    assert discussion[:4] == [*(member.title for member in debate.members[:3]), "Ada"]


async def test_what_is_said_at_any_time_is_posted_after_the_turn() -> None:
    """An interjection that waits for a free moment never comes."""
    debate = with_ada()

    @debate.on(MessagePosted)
    def interject(message: MessagePosted) -> None:
        if message.number in (5, 8):
            debate.say(f"About m{message.number}: I doubt it.\n[PROPOSE] Wait until April {message.number}")

    await debate.run()
    said = [message for message in of(debate, MessagePosted) if message.who == "Ada"]
    assert [message.number for message in said] == [6, 9]
    assert [message.reply_to for message in said] == [5, 8]
    assert "p6.0" in {proposal.id for proposal in debate.memory.proposals if proposal.proposer == "Ada"}


@pytest.mark.parametrize(
    ("floor", "call"), in_turn(["bidding", "round-robin", "random", "moderated"], ["@sceptic", "@Ruth", "@ruth,"])
)
async def test_an_addressed_agent_answers_next(call: str, floor: str) -> None:
    """A question to one member is worth asking only where that member answers."""
    debate = with_ada(floor=floor)
    debate.bus.subscribe(
        MessagePosted, lambda m: debate.say(f"{call} what would change your mind?") if m.number == 7 else None
    )
    await debate.run()
    (asked,) = [m for m in of(debate, MessagePosted) if m.who == "Ada"]
    assert asked.to == "Ruth"
    answer = next(m for m in of(debate, MessagePosted) if m.number == asked.number + 1)
    grant = next(g for g in of(debate, FloorGranted) if g.seq > asked.seq)
    assert (answer.who, grant.agent, grant.why, grant.by) == ("Ruth", "Ruth", "addressed", "Ada")


async def test_the_line_below_a_move_is_talk() -> None:
    """Ben's proposal to rent half a stall ended "... so half is plenty, ill ring the bowls lot by friday"."""
    debate = with_ada()
    text = "[PROPOSE] Rent half a stall for 60\ncleo says 210 is all we have\n[SUPPORT o1]\nbecause it is cheap"
    debate.bus.subscribe(MessagePosted, lambda m: debate.say(text) if m.number == 6 else None)
    await debate.run()
    (said,) = [m for m in of(debate, MessagePosted) if m.who == "Ada"]
    assert [(move.kind, move.text) for move in said.moves] == [
        ("propose", "Rent half a stall for 60"), ("support", "because it is cheap"),
    ]  # fmt: skip
    assert said.talk == "cleo says 210 is all we have"


async def test_two_who_speak_to_each_other_do_not_keep_a_third_from_the_floor() -> None:
    """Ana asked Cleo, Cleo answered Ana, and Ben had no turn between the opening and the middle of the talk."""
    asks = {"Ada": "@Cleo, who pays?", "Cleo": "Ada, the fees do.", "Ben": "I have a van."}

    def seat(name: str) -> HumanRunner:
        return human(lambda prompt: asks[name] if prompt.purpose == "speak" else "A")

    debate = Debate(
        QUESTION,
        PANEL[:2],
        options=OPTIONS,
        settings=Settings(max_messages=18, floor="round-robin", first_vote=False),
        human="Ada",
        seats={name: seat(name) for name in asks},
    )
    await debate.run()
    talk = [grant.agent for grant in of(debate, FloorGranted)]
    assert talk[:6] == ["Ruth", "Walter", "Ada", "Cleo", "Ben", "Ruth"]


async def test_what_is_said_while_all_write_blind_is_sealed() -> None:
    """An opening that others could read would move them before they have written theirs."""
    asked: list[Prompt] = []
    debate = with_ada(lambda prompt: asked.append(prompt) or "")
    debate.bus.subscribe(PhaseStarted, lambda phase: debate.say("I am first.") if phase.phase == "opening" else None)
    await debate.run()
    first = of(debate, MessagePosted)[0]
    assert (first.who, first.sealed, first.number) == ("Ada", True, 1)
    assert "opening" not in [prompt.stage for prompt in asked if prompt.purpose == "speak"]


@pytest.mark.parametrize(("more", "back_to"), [(0, "ballot"), (6, "discussion")])
async def test_what_is_said_during_the_vote_is_voted_on(more: int, back_to: str) -> None:
    """Three people agreed on a text after the ballots were cast, and an older one was decided."""
    debate = with_ada(spoken, floor="round-robin")

    def heard(cast: BallotCast) -> None:
        if debate.progress.laps["ballot"] == 1 and not debate.inbox.waits("Ada") and cast.ballot.agent == "Ada":
            debate.say("[PROPOSE] Keep it, and look again in a year.")
            if more:
                debate.change(max_messages=debate.progress.messages + more)

    debate.bus.subscribe(BallotCast, heard, name="Ada")
    result = await debate.run()
    said = next(message for message in of(debate, MessagePosted) if "look again" in message.text)
    again = next(phase for phase in of(debate, PhaseStarted) if phase.why == "talk")
    assert again.phase == back_to
    last = of(debate, BallotCast)[-len(debate.members) :]
    assert {cast.ballot.agent for cast in last} == {member.title for member in debate.members}
    assert all(cast.seq > said.seq for cast in last)
    assert f"p{said.number}.0" in {text.id for text in result.verdict.offered}
    assert len(of(debate, SessionEnded)) == 1


async def test_what_is_said_when_the_debate_has_ended_is_not_lost() -> None:
    """The sentence that somebody was typing for two minutes is in the log, and heard when it goes on."""
    debate = with_ada()
    debate.bus.subscribe(SessionEnded, lambda _: debate.say("One more thing."))
    result = await debate.run()
    last = of(debate, MessagePosted)[-1]
    assert (last.who, last.text, last.number) == ("Ada", "One more thing.", result.messages)
    again = Debate.resume(debate.session, max_messages=30)
    await again.run()
    assert "One more thing." in [m.text for m in of(again, MessagePosted)]


async def test_what_is_said_when_the_debate_is_stopped_is_not_lost() -> None:
    """Ctrl-C after a sentence must keep the sentence, and the turn that it cut."""

    class Hanging(SimulatedRunner):
        async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
            if prompt.purpose == "speak" and prompt.last == 6:
                debate.say("Before we stop: hire first.")
                debate.stop()
                await asyncio.Event().wait()
            return await super().run(prompt, on_text)

    debate = with_ada(runner=Hanging())
    assert (await debate.run()).reason == "stopped"
    assert of(debate, MessagePosted)[-1].text == "Before we stop: hire first."
    grant = debate.progress.grant
    assert grant is not None
    again = Debate.resume(debate.session, "simulated")
    await again.run()
    assert next(m.who for m in of(again, MessagePosted) if m.number == 8) == grant.agent


async def test_a_time_limit_passes_for_the_person() -> None:
    """Nobody waits for somebody who has gone for coffee; a clock that the test drives says when."""
    ringing: list[asyncio.Future[None]] = []

    def wait(seconds: float) -> Awaitable[object]:
        assert seconds == 30
        ringing.append(asyncio.get_running_loop().create_future())
        return ringing[-1]

    async def never(prompt: Prompt) -> str:
        asyncio.get_running_loop().call_soon(ringing[-1].set_result, None)
        await asyncio.Event().wait()
        return "too late"

    debate = Debate(
        QUESTION,
        PANEL,
        human="Ada",
        seats={"Ada": HumanRunner(never, seconds=30, wait=wait)},
        settings=Settings(first_vote=False),
    )
    await debate.run()
    assert [(p.why, p.seconds) for p in of(debate, TurnPassed) if p.who == "Ada"] == [("silent", 30)] * 2
    (ballot,) = [cast.ballot for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada"]
    assert (ballot.choice, ballot.reason, ballot.missing, ballot.raw) == (None, "", True, ())


@pytest.mark.parametrize(("answer", "stays"), [(None, True), ("no idea", True), ("none", False), ("", False)])
async def test_a_vote_that_is_being_changed_stands_until_another_is_given(answer: str | None, stays: bool) -> None:
    """A page said "5 of 5 ballots in" of somebody who had begun to change hers, and her vote was missing."""
    late, asked = asyncio.Event(), list[Prompt]()

    class Late(SimulatedRunner):
        async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
            if prompt.purpose == "ballot" and prompt.agent == "Ruth":
                await late.wait()
            return await super().run(prompt, on_text)

    def change() -> None:
        if "Ada" in debate.inbox.to_vote:
            asyncio.get_running_loop().call_soon(change)
        else:
            debate.inbox.take_back_vote("Ada")

    async def ask(prompt: Prompt) -> str:
        if prompt.purpose != "ballot":
            return ""
        asked.append(prompt)
        if len(asked) == 1:
            asyncio.get_running_loop().call_soon(change)
            return "A"
        late.set()
        return answer if answer is not None else await asyncio.Event().wait() or ""

    async def wait(_: float) -> None:
        await (late if answer is None else asyncio.Event()).wait()

    seats = {"Ada": HumanRunner(ask, seconds=30, letters=True, wait=wait)}
    settings = Settings(max_messages=MOST, first_vote=False)
    debate = Debate(QUESTION, PANEL, Late(), options=OPTIONS, settings=settings, human="Ada", seats=seats)
    async with asyncio.timeout(30):
        await debate.run()
    (ballot,) = [cast.ballot for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada"]
    assert len(asked) > 1
    assert (ballot.choice == asked[0].texts[0].text) == stays
    assert not ballot.invalid


async def test_an_answer_in_time_counts() -> None:
    """The clock must not win a draw."""

    async def wait(_: float) -> None:
        await asyncio.Event().wait()

    async def ask(_: Prompt) -> str:
        return "here"

    reply = await HumanRunner(ask, seconds=30, wait=wait).run(Prompt(purpose="speak", agent="Ada"))
    assert reply.text == "here"


async def test_an_ask_that_fails_is_a_failed_turn_and_not_the_end() -> None:
    """A lost connection to the person must not end what the others pay for."""

    async def broken(_: Prompt) -> str:
        raise ConnectionResetError("gone")

    with pytest.raises(RunnerError, match="asking Ada failed: gone"):
        await HumanRunner(broken).run(Prompt(purpose="speak", agent="Ada"))
    debate = Debate(QUESTION, PANEL, human="Ada", seats={"Ada": HumanRunner(broken)})
    assert (await debate.run()).verdict is not None


def voting(*typed: str) -> tuple[Answer, list[Prompt]]:
    """Who types this at a ballot, one after another, and what it was asked there."""
    answers = iter(typed)
    seen: list[Prompt] = []

    def answer(prompt: Prompt) -> str:
        if prompt.purpose != "ballot":
            return ""
        seen.append(prompt)
        return next(answers)

    return answer, seen


@pytest.mark.parametrize(
    ("typed", "choice"),
    [
        (["B"], 1),
        (["b."], 1),
        ([OPTIONS[0]], OPTIONS[0]),
        (["I am for Fix the test suite first"], OPTIONS[1]),
        (["B > A"], 1),
        (["Z", "A"], 0),
        (["either of them", "nonsense", "no idea"], None),
    ],
)
async def test_votes_as_people_type_them(typed: list[str], choice: int | str | None) -> None:
    """A letter, a wording, an order; what is none of these is asked once more, then shown as invalid."""
    answer, seen = voting(*typed)
    debate = with_ada(answer)
    await debate.run()
    (ballot,) = [cast.ballot for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada"]
    wanted = seen[0].options[choice] if isinstance(choice, int) else choice
    assert ballot.choice == wanted
    assert ballot.invalid == (choice is None)
    if typed == ["B > A"]:
        assert ballot.ranking == (seen[0].options[1], seen[0].options[0])
    assert len(seen) == len(typed)


async def test_a_person_scores_where_scores_are_counted() -> None:
    """What a person found grave was in no mean, and nobody was told."""
    answer, seen = voting("B > A", "B 7, A 2.5")
    debate = with_ada(answer, rule="score")
    await debate.run()
    (ballot,) = [cast.ballot for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada"]
    first, second = seen[0].options[:2]
    assert ballot.scores == {second: 7, first: 2.5}
    assert ballot.choice == second
    assert len(seen) == 2


async def test_a_person_is_not_held_to_rank_its_own_proposals_last() -> None:
    """Where nobody votes for its own, a person's would lose a duel by every ballot that was not asked about it."""

    def voting(prompt: Prompt) -> str:
        return "[PROPOSE] Wait until April" if prompt.purpose == "speak" else "A"

    settings = Settings(max_messages=14, own_proposals=False)
    debate = Debate(QUESTION, PANEL, agenda="brainstorm", settings=settings, human="Ada", seats={"Ada": human(voting)})
    await debate.run()
    (ballot,) = [cast.ballot for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada"]
    assert ballot.withheld == ("Wait until April",)


async def test_a_person_is_polled_too() -> None:
    """A stance is a stance, whoever holds it."""
    debate = Debate(
        QUESTION,
        PANEL,
        options=OPTIONS,
        agenda=load_agenda("oxford"),
        human="Ada",
        seats={"Ada": human(lambda prompt: "A" if prompt.purpose == "poll" else "")},
    )
    await debate.run()
    polls = [stance for stance in of(debate, StanceTaken) if stance.who == "Ada"]
    assert len(polls) >= 2
    assert all(stance.choice in OPTIONS and stance.confidence is None and not stance.invalid for stance in polls)


async def test_an_empty_line_in_a_poll_is_none_of_the_texts() -> None:
    """Who pressed Enter was told of a call that failed, and had no stance."""
    debate = Debate(
        QUESTION,
        PANEL,
        options=OPTIONS,
        human="Ada",
        seats={"Ada": human(lambda prompt: "" if prompt.purpose == "poll" else "I wait.")},
        agenda=load_agenda("oxford"),
    )
    await debate.run()
    polls = [stance for stance in of(debate, StanceTaken) if stance.who == "Ada"]
    assert polls
    assert all((stance.choice, stance.invalid, stance.missing) == (None, False, False) for stance in polls)
    assert not [each for each in of(debate, TurnFailed) if each.who == "Ada"]


async def test_a_person_among_anonymous_members_is_anonymous() -> None:
    """In a Delphi round nobody may know who is the boss."""
    agenda = load_agenda("delphi")
    debate = Debate(QUESTION, PANEL, options=OPTIONS, agenda=agenda, human="Ada", seats={"Ada": human(spoken)})
    await debate.run()
    assert debate.members[-1].title == "Panelist D"
    assert any(m.who == "Panelist D" and "My opening word" in m.text for m in of(debate, MessagePosted))
    debate.memory.full_context("Panelist A")


async def test_a_seat_of_an_agent_can_have_a_runner_of_its_own() -> None:
    """One member on another model, in one debate."""
    own = ScriptedRunner(lambda prompt: f"Scripted, after m{prompt.last}.")
    debate = Debate(QUESTION, PANEL, options=OPTIONS, seats={"sceptic": own}, settings=Settings(max_messages=12))
    await debate.run()
    said = {m.who: m.text for m in of(debate, MessagePosted)}
    assert said["Ruth"].startswith("Scripted")
    assert not said["Walter"].startswith("Scripted")


@pytest.mark.parametrize("name", ["Ruth", "sceptic", "Moderator", "", "x" * 61, "a\x1bb"])
def test_names_that_cannot_be_are_refused(name: str) -> None:
    """Two members of one name could not be told apart in the log."""
    with pytest.raises(UsageError):
        Debate(QUESTION, PANEL, human=name)


def test_a_runner_for_nobody_is_refused() -> None:
    """A slip in a name would leave the seat on the wrong model."""
    with pytest.raises(UnknownNameError, match="unknown member"):
        Debate(QUESTION, PANEL, seats={"scptic": ScriptedRunner({})})


@pytest.mark.parametrize(("name", "plain"), [("Ada", "ada"), ("Zoë M.", "zo-m-f7546f13"), ("小林", "person-bb8b40a6")])
def test_any_name_makes_a_persona(name: str, plain: str) -> None:
    """People are called what they are called."""
    persona = persona_of(name)
    assert (persona.title, persona.name, persona.person) == (name, plain, True)


async def test_who_has_no_seat_cannot_speak() -> None:
    """Words in nobody's name must not enter the log."""
    debate = Debate(QUESTION, PANEL, settings=Settings(max_messages=8))
    with pytest.raises(UsageError, match="no person sits here"):
        debate.say("hello")
    seated = with_ada()
    with pytest.raises(UsageError, match="no seat of a person's"):
        seated.say("hello", "Ruth")
    with pytest.raises(UsageError, match="nothing to say"):
        seated.say("  ")


class _Silent(SimulatedRunner):
    """Nobody wants the floor; while that is asked the first time, Ada types a line."""

    debate: Debate

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        if prompt.purpose != "bid":
            return await super().run(prompt, on_text)
        if self.debate.progress.asked == 0 and not of(self.debate, BidsTaken):
            self.debate.say("I doubt it.")
        bids = [{"agent": each.agent, "wants": False, "urgency": 0, "reason": ""} for each in prompt.each]
        return Reply("", {"bids": bids} if prompt.each else bids[0])


async def test_who_types_while_nobody_asks_for_the_floor_is_not_called_silent() -> None:
    """The moderator said that nobody asked for the floor while a person's line waited."""
    runner = _Silent()
    debate = with_ada(runner=runner)
    runner.debate = debate
    await debate.run()
    facts = [fact for fact in debate.session.events() if isinstance(fact, ModeratorSpoke | MessagePosted)]
    (line,) = [fact for fact in facts if isinstance(fact, MessagePosted) and fact.text == "I doubt it."]
    silence = next(fact for fact in facts if isinstance(fact, ModeratorSpoke) and fact.why == "silence")
    assert facts.index(line) < facts.index(silence)


class _Eager(SimulatedRunner):
    """Everybody wants the floor at once; while the first are asked, Ada types a line."""

    debate: Debate

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        if prompt.purpose != "bid":
            return await super().run(prompt, on_text)
        if not of(self.debate, BidsTaken) and not self.debate.inbox.waits("Ada"):
            self.debate.say("I doubt it.")
        bids = [{"agent": each.agent, "wants": True, "urgency": 1, "reason": "now"} for each in prompt.each]
        return Reply("", {"bids": bids} if prompt.each else {**bids[0]} if bids else {"wants": True, "urgency": 1})


async def test_who_types_while_others_bid_is_heard_before_the_next_speech() -> None:
    """The line waited for a whole speech, though nobody had the floor when it came."""
    runner = _Eager()
    debate = with_ada(runner=runner)
    runner.debate = debate
    await debate.run()
    first = next(fact for fact in debate.session.events() if isinstance(fact, MessagePosted) and not fact.sealed)
    assert (first.who, first.text) == ("Ada", "I doubt it.")
