"""Who speaks next: fair, explained, and the same whenever it is asked again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hostile import panel_of
from hypothesis import given, strategies as st
from in_turn import in_one

from eda import (
    AgentListener,
    Debate,
    MessageBus,
    Persona,
    Prompt,
    Reply,
    Runner,
    RunnerError,
    ScriptedRunner,
    Session,
)
from eda.debate.addressing import Addressing
from eda.debate.control.changes import Seat, steer
from eda.debate.floor.policies import Bidding, RandomFloor, RoundRobin
from eda.debate.state import DebateState
from eda.errors import RunnerUnavailableError
from eda.events import (
    BallotCast,
    Bid,
    BidsTaken,
    FloorGranted,
    MemberChanged,
    MessagePosted,
    ModeratorSpoke,
    PhaseStarted,
    TurnFailed,
)
from eda.events.messages import talk_of
from eda.events.records import Move
from eda.memory.minutes.declared_moves import read_reply
from eda.panels.registry import FLOORS
from eda.panels.settings import FloorName, Settings
from eda.runners.protocol import OnText
from eda.runners.recorded import RecordedRunner, RecordingRunner
from eda.runners.simulated.runner import SimulatedRunner

NAMES = ["Maya", "Ruth", "Tomas", "Amara"]


def after(*speakers: str, to: str | None = None) -> DebateState:
    """A debate in which these have spoken; the last one asked `to` a question."""
    progress = DebateState()
    for number, who in enumerate(speakers, 1):
        addressed = to if number == len(speakers) else None
        progress.fold(MessagePosted(number=number, who=who, text=f"{addressed}, why?", to=addressed))
    return progress


def bids(**urgencies: float) -> list[Bid]:
    return [
        Bid(agent=name, wants=urgency > 0, urgency=urgency, reason="to say it") for name, urgency in urgencies.items()
    ]


def test_the_highest_urgency_gets_the_floor_and_the_reason_is_kept() -> None:
    """A reader who cannot see why somebody spoke cannot trust the order."""
    grant = Bidding().grant(NAMES, after("Amara"), bids(Maya=0.4, Ruth=0.9, Tomas=0.1))
    assert grant == FloorGranted(agent="Ruth", why="bid", urgency=0.9, reason="to say it")


def test_equal_bids_go_to_whoever_spoke_longest_ago_not_to_the_first_seat() -> None:
    """By seat order one agent would take every turn."""
    progress = after("Ruth", "Tomas", "Maya", "Amara")
    grant = Bidding().grant(NAMES, progress, bids(Maya=0.5, Ruth=0.5, Tomas=0.5))
    assert grant is not None
    assert grant.agent == "Ruth"


def test_who_is_asked_comes_before_the_most_urgent() -> None:
    """A question to somebody would be answered by somebody else."""
    grant = Bidding().grant(NAMES, after("Ruth", to="Tomas"), bids(Maya=1.0, Tomas=0.1))
    assert grant is not None
    assert grant.agent == "Tomas"
    assert (grant.why, grant.by) == ("asked", "Ruth")
    told = after("Amara", "Ruth")
    told.fold(MessagePosted(number=3, who="Ruth", text="Tomas, you are right.", to="Tomas"))
    assert Bidding().grant(NAMES, told, bids(Maya=1.0, Tomas=0.1)).agent == "Maya"


def test_who_is_asked_in_the_reason_of_a_move_alone_has_the_floor() -> None:
    """ "[WITHDRAW p3.0] because ... @Leila, does p11.0 satisfy you?" asked nobody: the whole message was a move."""
    text = "[WITHDRAW p1.0] because p2.0 says the same. @Tomas, does it satisfy you?"
    move = Move("withdraw", text.partition("] ")[2], "p1.0")
    asked = after("Amara", "Maya")
    asked.fold(
        MessagePosted(number=3, who="Ruth", text=text, to="Tomas", moves=(move,), moves_at=0, cut=((0, len(text)),))
    )
    assert Bidding().grant(NAMES, asked, bids(Maya=1.0, Tomas=0.1)) == FloorGranted(
        agent="Tomas", why="asked", by="Ruth"
    )


@pytest.mark.parametrize("name", ["bidding", "random", "moderated"])
def test_nobody_speaks_twice_in_a_row(name: FloorName) -> None:
    """A talker would fill the debate alone."""
    assert FLOORS.get(name).eligible(NAMES, after("Maya", "Ruth", to="Ruth")) == ["Maya", "Tomas", "Amara"]


def test_nobody_is_granted_the_floor_where_all_pass() -> None:
    """Silence must be seen as silence."""
    assert Bidding().grant(NAMES, after("Maya"), bids(Ruth=0, Tomas=0)) is None


@given(st.lists(st.floats(0.01, 1), min_size=30, max_size=60))
def test_with_equal_bids_everybody_speaks_equally_often(rounds: list[float]) -> None:
    """Whatever the urgencies, as long as all are equal, no seat is favoured."""
    progress = after("Maya")
    for number, urgency in enumerate(rounds, 2):
        eligible = Bidding().eligible(NAMES, progress)
        grant = Bidding().grant(NAMES, progress, bids(**dict.fromkeys(eligible, urgency)))
        assert grant is not None
        progress.fold(MessagePosted(number=number, who=grant.agent, text="..."))
    last_four = sorted(progress.spoke_at.values())[-4:]
    assert max(last_four) - min(last_four) == 3


def test_round_robin_goes_by_seat_again_and_again() -> None:
    """Whoever chose it wants to know who is next."""
    progress, spoken = DebateState(), []
    for number in range(1, 10):
        grant = RoundRobin().grant(NAMES, progress)
        progress.fold(grant)
        progress.fold(MessagePosted(number=number, who=grant.agent, text="..."))
        spoken.append(grant.agent)
    assert spoken == (NAMES * 3)[:9]


def test_lots_are_drawn_from_the_seed_and_nobody_speaks_twice_in_a_row() -> None:
    """The same seed must draw the same lots after a resume."""

    def drawn() -> list[str]:
        progress, spoken = DebateState(members=NAMES), []
        for number in range(1, 40):
            grant = RandomFloor().grant(NAMES, progress)
            progress.fold(grant)
            progress.fold(MessagePosted(number=number, who=grant.agent, text="..."))
            spoken.append(grant.agent)
        return spoken

    assert drawn() == drawn()
    assert all(a != b for a, b in zip(drawn(), drawn()[1:], strict=False))
    assert all(set(drawn()[start : start + 7]) == set(NAMES) for start in range(33))
    assert len({tuple(drawn()[start : start + 4]) for start in range(0, 36, 4)}) > 4, "one order again and again"


@pytest.mark.parametrize("name", ["round-robin", "random", "moderated"])
def test_whoever_comes_to_the_table_waits_behind_those_who_wait(name: FloorName) -> None:
    """Where members are replaced again and again, the newest would speak every time, and the others never."""
    (guest,) = panel_of({"Maya": "moody"})
    progress = DebateState(members=[*NAMES], personas=dict.fromkeys(NAMES, guest), seats=dict.fromkeys(NAMES, 0))
    granted = []
    for number in range(1, 30):
        come = guest.model_copy(update={"title": f"Guest {number}"})
        progress.fold(MemberChanged(who=progress.members[0], change="replaced", persona=come))
        grant = FLOORS.get(name).grant(progress.members, progress, ())
        assert grant is not None
        progress.fold(grant)
        progress.fold(MessagePosted(number=number, who=grant.agent, text="..."))
        granted.append(grant.agent)
    for start in range(29 - 3 * len(NAMES)):
        assert set(NAMES[1:]) <= set(granted[start : start + 3 * len(NAMES)])


@pytest.mark.parametrize("name", FLOORS.names())
def test_every_policy_obeys_one_contract(name: FloorName) -> None:
    """A policy that grants the floor to a stranger would hang the debate."""
    policy = FLOORS.get(name)
    grant = policy.grant(NAMES, after("Maya"), bids(Ruth=0.5, Tomas=0.5))
    assert grant is not None
    assert grant.agent in NAMES
    assert set(policy.eligible(NAMES, DebateState())) == set(NAMES)


@in_one(
    ("text", "addressed"),
    [
        ("I wonder, @Tomas, whether that holds.", "Tomas"),
        ("Tomas, what would that cost?", "Tomas"),
        ("That is fine. Amara: is it lawful?", "Amara"),
        ("What would you need, Maya?", "Maya"),
        ("maya, you said so.", "Maya"),
        ("A correction. Second, Maya, in m6 you ask where your neighbour goes.", "Maya"),
        ("Second, Maya and Tomas agree.", None),
        ("**Maya**, you said so.", "Maya"),
        ("It is so. **Maya:** why?", "Maya"),
        ("What would you need, **Maya**?", "Maya"),
        ("I agree with **Maya**, and with *Tomas*.", None),
        ("Tomas said it costs nothing.", None),
        ("I agree with Maya, and with Tomas.", None),
        ("Ruth, I say to myself, be kind.", None),
        ("Mayan temples, Tomasina?", None),
        ("", None),
    ],
)
def test_who_is_addressed(text: str, addressed: str | None) -> None:
    """A name that is only mentioned must not pull the floor to it; a question must."""
    assert Addressing(NAMES).find(text, "Ruth") == addressed


FULL = ["Ada Okafor", 'Robert "Bob" Miller', "Jane Miller", "Dr. Ines Sá"]


@pytest.mark.parametrize(
    ("text", "addressed"),
    [
        ("Okafor, what would that cost?", "Ada Okafor"),
        ("Bob, is it lawful?", 'Robert "Bob" Miller'),
        ("What would you need, Okafor?", "Ada Okafor"),
        ("Miller, is it lawful?", None),
        ("Sá, is it lawful?", None),
        ("Jane Miller, is it lawful?", "Jane Miller"),
        ("Okafor said so, and Bob, too.", None),
    ],
)
def test_a_last_name_or_nickname_addresses_who_alone_has_it(text: str, addressed: str | None) -> None:
    """Without it a question to "Okafor" is answered by whoever is loudest; with two Millers nobody can tell."""
    assert Addressing(FULL).find(text, "Dr. Ines Sá") == addressed


def test_a_question_comes_before_a_courtesy() -> None:
    """Without it "Thanks, Maya" after a question to Tomas takes the floor from Tomas."""
    text = "Tomas, what would that cost? Maya, you are right."
    names = Addressing(NAMES)
    assert names.find(text, "Ruth") == "Tomas"
    assert (names.asks(text, "Tomas"), names.asks(text, "Maya")) == (True, False)
    assert names.find("Tomas, you are right. Tomas, go on.", "Ruth") == "Tomas"


@pytest.mark.parametrize(
    "text",
    [
        "Tomas, you are right. Maya, so are you.",
        "**Maya**, your figures hold.\n\n**Tomas**, you left out the depot.",
        "Maya, Tomas and I agree on the costs.",
        "Maya, Tomas and Ruth agree on the costs.",
        "Maya, who spoke first, left out the depot.",
        "Maya, the engineer, left out the depot.",
    ],
)
def test_who_speaks_to_several_or_of_somebody_addresses_no_one(text: str) -> None:
    """A closing word to two members was shown as one's; and what is said of Maya as said to her."""
    assert Addressing((*NAMES, "Ida")).find(text, "Ida") is None


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Maya, Tomas: could you find out what it costs?", "Maya Tomas"),
        ("So.\n\n**Maya**, **Tomas** and **Amara**: who pays?", "Maya Tomas Amara"),
        ("Maya and Tomas, who pays?", "Maya Tomas"),
        ("Maya, Tomas and Amara agree. Who pays?", ""),
        ("Maya, Tomas has the figures: who pays?", "Maya"),
        ("Maya, Tomas, you are right.", ""),
        ("One thing I cannot answer: Maya, who would lock up on Thursdays?", "Maya"),
        ("As I said: Maya, you are right.", ""),
    ],
)
def test_a_question_under_several_names_asks_all_of_them(text: str, asked: str) -> None:
    """Only Maya was asked; Tomas, whose answer was wanted as much, never got the floor for it."""
    names = Addressing(NAMES)
    assert [name for name in NAMES if names.asks(text, name)] == [name for name in NAMES if name in asked.split()]
    assert (names.find(text, "Ruth") in asked.split()) == bool(asked)


def test_of_several_who_are_asked_one_who_wants_the_floor_has_it() -> None:
    """The last name alone counted, even where that member had nothing to say."""
    progress = after("Tomas", "Maya", "Amara")
    progress.fold(MessagePosted(number=4, who="Ruth", text="Maya, Tomas: who pays?", to="Tomas"))
    for wanting, first in (({"Maya": 0.1, "Amara": 0.9}, "Maya"), ({"Maya": 0.9, "Tomas": 0.1}, "Tomas")):
        grant = Bidding().grant(NAMES, progress, bids(**wanting))
        assert grant == FloorGranted(agent=first, why="asked", by="Ruth")


@pytest.mark.parametrize(
    ("text", "addressed"),
    [
        ("Maya, who pays?", "Maya"),
        ("Maya, the depot is full.", "Maya"),
        ("Tomas, Maya is right about the costs.", "Tomas"),
        ("Maya, your figures hold. Tomas, you left out the depot: who pays?", "Tomas"),
        ("Maya, and the depot?", "Maya"),
    ],
)
def test_one_of_several_names_may_be_addressed(text: str, addressed: str) -> None:
    """Without it a question beside a courtesy, or a name behind another, is answered by nobody."""
    assert Addressing(NAMES).find(text, "Ida") == addressed


def test_a_message_number_names_what_is_answered() -> None:
    """A reply to the future, or to a number that is part of a word, is none."""
    assert Addressing.answered("In m3 you said so, and in m2.", 5) == 3
    assert Addressing.answered("In m9 you will say so.", 5) is None
    assert Addressing.answered("The m3u file of item3.", 5) is None


def test_nobody_answers_its_own_message() -> None:
    """ "As I said in m1, against m2" would be shown as Ada's answer to Ada, and hide whom she answers."""
    said = ("We keep it.", "We sell it.", "As I said in m1, we keep it, against m2.", "My m1 and my m3 say it all.")
    members = tuple(
        Persona(name=who.lower(), title=who, role="r", description="d", instruction="i") for who in ("Ada", "Ben")
    )
    bus = MessageBus()
    seats = [AgentListener(each, ScriptedRunner({})).join(bus) for each in members]
    posted = []
    for number, (text, seat) in enumerate(zip(said, (0, 1, 0, 0), strict=True), 1):
        message = seats[seat].message(number, text, sealed=False)
        bus.publish(message)
        posted.append(message.reply_to)
    assert posted == [None, None, 2, None]


class Moderating(SimulatedRunner):
    """The simulated panel; a test says whom the moderator names."""

    def __init__(
        self, named: Callable[[Prompt], object], said: Callable[[Prompt], str | None] = lambda _: None
    ) -> None:
        self.prompts: list[Prompt] = []
        self._named, self._said = named, said

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        self.prompts.append(prompt)
        if prompt.purpose == "moderate":
            given = self._named(prompt)
            if isinstance(given, Exception):
                raise given
            return Reply("", data=given) if isinstance(given, dict) else Reply(str(given))
        text = self._said(prompt) if prompt.purpose == "speak" else ""
        return Reply(text) if text else await super().run(prompt, on_text)


def moderated(runner: Runner, floor: FloorName = "moderated", **settings: object) -> Debate:
    debate = Debate(
        "Should we move?",
        ["sceptic", "historian", "pragmatic-engineer", "finance-director"],
        runner,
        settings=Settings.model_validate({"floor": floor, "max_messages": 20, **settings}),
    )
    debate.run_sync()
    return debate


def granted(debate: Debate) -> list[FloorGranted]:
    """The grants of the discussion."""
    facts = list(debate.session.events())
    begins = next(f.seq for f in facts if isinstance(f, PhaseStarted) and f.phase == "discussion")
    ends = next(f.seq for f in facts if isinstance(f, PhaseStarted) and f.phase == "closing")
    return [fact for fact in facts if isinstance(fact, FloorGranted) and begins < fact.seq < ends]


def test_the_moderator_names_who_is_next_and_why() -> None:
    """A reader sees whose choice it was; the call is paid for, so it is counted."""
    runner = Moderating(lambda prompt: {"agent": prompt.members[-1].upper(), "why": "holds the other view"})
    debate = moderated(runner)
    reasons = {(grant.why, grant.reason) for grant in granted(debate)}
    assert ("named", "holds the other view") in reasons
    asked = [prompt for prompt in runner.prompts if prompt.purpose == "moderate"]
    assert len({prompt.key for prompt in asked}) == len(asked) == debate.progress.by_purpose["moderate"].calls
    assert all(prompt.lines[-1].who not in prompt.members for prompt in asked), "nobody twice in a row"
    assert not [fact for fact in debate.session.events() if isinstance(fact, BidsTaken | TurnFailed)]


@pytest.mark.parametrize(
    "given", [{"agent": "Nobody", "why": "x"}, {"why": "x"}, "Let Maya speak!", RunnerError("down"), {"agent": 3}]
)
def test_where_the_moderator_names_nobody_who_waited_longest_speaks(given: object) -> None:
    """A bad answer must neither stop the debate nor give the floor to a stranger, and it is on record."""
    debate = moderated(Moderating(lambda _: given))
    failed = [fact for fact in debate.session.events() if isinstance(fact, TurnFailed)]
    assert {(fact.who, fact.purpose) for fact in failed} == {("moderator", "moderate")}
    assert {grant.why for grant in granted(debate)} <= {"longest", "asked"}
    assert len(failed) == sum(grant.why == "longest" for grant in granted(debate)) > 0
    assert debate.progress.ended == "messages"


def test_who_is_addressed_speaks_next_without_asking_the_moderator() -> None:
    """A question is answered by whom it was put to."""

    def said(prompt: Prompt) -> str:
        asks = prompt.stage == "discussion" and prompt.agent != "Beatriz"
        return f"Beatriz, what would year {prompt.last} cost?" if asks else ""

    debate = moderated(Moderating(lambda prompt: {"agent": prompt.members[0], "why": "x"}, said))
    grants = granted(debate)
    for before, now in pairwise(grants):
        if before.agent != "Beatriz" and now.why != "waited":  # who waits too long comes before an answer
            assert (now.agent, now.why, now.by) == ("Beatriz", "asked", before.agent)
    assert [grant.why for grant in grants].count("asked") > 2


def test_a_moderated_debate_is_replayed_from_its_recording(tmp_path: Path) -> None:
    """Whoever checks a verdict replays it without a key, the moderator's choices included."""
    live = moderated(RecordingRunner(Moderating(lambda prompt: {"agent": prompt.members[0]}), tmp_path / "calls.jsonl"))
    again = moderated(RecordedRunner(tmp_path / "calls.jsonl"))
    said = [[f.text for f in d.session.events() if isinstance(f, MessagePosted)] for d in (live, again)]
    assert said[0] == said[1]
    assert granted(live)[0].reason == granted(again)[0].reason


class _Cut:
    """Asks the inner runner, but for the fifth speech, which finds no server."""

    summarises = False
    deterministic = True

    def __init__(self, inner: Runner) -> None:
        self._inner = inner

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        if prompt.purpose == "speak" and prompt.last == 4:
            raise RunnerUnavailableError("no server")
        return await self._inner.run(prompt, on_text)


def test_who_was_named_and_is_muted_before_it_speaks_leaves_a_recording_that_replays(tmp_path: Path) -> None:
    """The moderator is then asked again after the same message: two calls of one name would be one in a recording."""

    def said(name: str, runner: Runner) -> list[str]:
        with Session.create(name, tmp_path) as session:
            debate = Debate(
                "Should we move?",
                ["sceptic", "historian", "pragmatic-engineer", "finance-director"],
                _Cut(runner),
                settings=Settings(floor="moderated", max_messages=10),
                session=session,
            )
            with pytest.raises(RunnerUnavailableError):
                debate.run_sync()
            assert debate.progress.grant is not None
            steer(session, [Seat("muted", debate.progress.grant.agent)])
            Debate.resume(session, runner).run_sync()
            return [f"{f.agent}: {f.why} {f.reason}" for f in session.events() if isinstance(f, FloorGranted)]

    live = Moderating(lambda prompt: {"agent": prompt.members[0], "why": f"of {len(prompt.members)}"})
    assert said("live", RecordingRunner(live, tmp_path / "calls.jsonl")) == said(
        "again", RecordedRunner(tmp_path / "calls.jsonl")
    )
    assert len({prompt.key for prompt in live.prompts}) == len(live.prompts)


def test_a_budget_that_has_no_room_for_the_moderator_ends_the_discussion() -> None:
    """A cheap call is a call: a limit that it may pass is none."""
    debate = moderated(Moderating(lambda prompt: {"agent": prompt.members[0]}), max_tokens=24_000)
    assert debate.progress.ended == "tokens"
    assert debate.progress.spent.tokens <= 24_000
    assert debate.progress.verdict is not None


def test_simultaneous_speakers_see_nothing_of_each_other_and_all_of_it_afterwards() -> None:
    """Who hears the first answer anchors on it."""
    runner = Moderating(
        lambda _: None, lambda prompt: f"As {prompt.agent} I cite m{prompt.last + 1} and {prompt.last}."
    )
    debate = moderated(runner, "simultaneous")
    asked = [p for p in runner.prompts if p.purpose == "speak" and p.stage == "discussion"]
    rounds = {prompt.last: {p.agent for p in asked if p.last == prompt.last} for prompt in asked}
    assert list(rounds) == [4, 8, 12]
    assert all(len(speakers) == 4 for speakers in rounds.values())
    assert all(prompt.lines[-1].number == prompt.last for prompt in asked)
    said = [fact for fact in debate.session.events() if isinstance(fact, MessagePosted)]
    assert [fact.number for fact in said] == list(range(1, 21))
    assert not any(fact.reply_to for fact in said if 4 < fact.number <= 16), "none answers what it has not heard"


def named(number: int, who: str, whom: str, *, sealed: bool = False) -> MessagePosted:
    return MessagePosted(number=number, who=who, text=f"So.\n[NEXT {whom}]", next=whom, sealed=sealed)


def test_whom_a_speaker_names_has_the_floor_and_nobody_is_asked_for_a_bid() -> None:
    """A call for bids after each speech costs a fifth of a debate, and says what the speaker could have said."""
    state = DebateState(members=NAMES)
    state.fold(named(1, "Maya", "Tomas"))
    eligible = Bidding().eligible(NAMES, state)
    assert Bidding().first(eligible, state) == FloorGranted(agent="Tomas", why="next", by="Maya")
    state.fold(FloorGranted(agent="Tomas", why="next", by="Maya"))
    assert Bidding().first(eligible, state) is None, "a turn that comes to nothing is not granted twice"


ZOE = Persona(name="zoe", title="Zoe", role="r", description="d", instruction="i", person=True)


def test_a_line_that_a_person_types_meanwhile_calls_off_nobody_whom_a_speaker_named() -> None:
    state = DebateState(members=[*NAMES, "Zoe"], personas={"Zoe": ZOE})
    for asked, granted in ((None, False), (None, True), ("Amara", False)):
        state.fold(named(1, "Maya", "Tomas"))
        if granted:
            state.fold(FloorGranted(agent="Zoe", why="bid"))
        state.fold(MessagePosted(number=2, who="Zoe", text="I hope it stays dry.", to=asked))
        wanted = None if asked else FloorGranted(agent="Tomas", why="next", by="Maya")
        assert Bidding().first(NAMES, state) == wanted


def test_a_person_who_is_named_and_has_typed_nothing_holds_nobody_up() -> None:
    state = DebateState(members=[*NAMES, "Zoe"], personas={"Zoe": ZOE})
    state.fold(named(1, "Maya", "Zoe"))
    assert Bidding().first(NAMES, state) is None, "all are asked for bids"
    grant = Bidding().grant(NAMES[1:], state, bids(**dict.fromkeys(NAMES[1:], 0.5)))
    assert grant is not None
    state.fold(grant)
    assert not state.named


@pytest.mark.parametrize("why", ["circle", "silence"])
def test_after_the_moderator_has_spoken_all_are_asked(why: str) -> None:
    """Two who call each other would go on in the circle that they were told of."""
    state = DebateState(members=NAMES)
    state.fold(named(1, "Maya", "Tomas"))
    state.fold(ModeratorSpoke(text="Leave it.", why=why))
    assert Bidding().first(NAMES[1:], state) is None


def test_blind_openings_name_by_most() -> None:
    """Five who could not hear each other name five members."""
    state = DebateState(members=NAMES)
    for number, (who, whom) in enumerate(zip(NAMES, ("Ruth", "Amara", "Ruth", "Maya"), strict=True), 1):
        state.fold(named(number, who, whom, sealed=True))
    state.fold(PhaseStarted(phase="discussion"))
    assert Bidding().first(NAMES, state) == FloorGranted(agent="Ruth", why="next")


def test_two_who_name_each_other_keep_nobody_from_the_floor() -> None:
    """Whoever nobody names would never be heard."""
    state, had = DebateState(members=NAMES), dict.fromkeys(NAMES, 0)
    rounds, waits = 0, dict.fromkeys(NAMES, 0)
    for number in range(1, 200):
        members = Bidding().eligible(NAMES, state)
        grant = Bidding().first(members, state)
        if grant is None:
            rounds += 1
            asked = bids(**dict.fromkeys(members, 0.5))
            grant = Bidding().grant(members, state, asked)
            state.fold(BidsTaken(bids=tuple(asked)))
        assert grant is not None
        state.fold(grant)
        state.fold(named(number, grant.agent, "Ruth" if grant.agent != "Ruth" else "Maya"))
        waits = {who: 0 if who == grant.agent else turns + 1 for who, turns in waits.items()}
        had = {who: max(had[who], waits[who]) for who in NAMES}
    assert max(had.values()) <= 4 * len(NAMES)
    assert rounds <= 200 / len(NAMES), "most turns are named"


@in_one(
    ("text", "whom", "talk"),
    [
        ("I doubt it.\n[SUPPORT p1.0] cheap\n[NEXT Ruth]", "Ruth Lang", "I doubt it."),
        ("I doubt it. **[NEXT: Ben]**", "Ben", "I doubt it."),
        ("I doubt it.\n[SUPPORT p1.0] cheap\n[NEXT Ben] Thank you!", "Ben", "I doubt it."),
        ("I doubt it.\n[NEXT Ben], what of the price?", "Ben", "I doubt it.\nwhat of the price?"),
        ("I doubt it. [NEXT: Ben] Thanks to all.", "Ben", "I doubt it. Thanks to all."),
        ("I doubt it.\n[NEXT Ben]\nThank you all.", "Ben", "I doubt it.\n\nThank you all."),
        ("I doubt it.\nBen (a member): It is dear. [NEXT Ruth]", "Ruth Lang", "I doubt it."),
        ("I doubt it.\nBen (a member): It is dear.\nSo it is. [NEXT Ruth]", "Ruth Lang", "I doubt it."),
        ("I doubt it.\n[NEXT steps] we wait", "", "I doubt it.\n[NEXT steps] we wait"),
        ("I doubt it.\n[NEXT Ada]", "", "I doubt it.\n[NEXT Ada]"),
        ("I doubt it.\n> [NEXT Ben]", "", "I doubt it.\n> [NEXT Ben]"),
    ],
)
def test_whom_a_message_names_is_one_other_member_and_no_talk(text: str, whom: str, talk: str) -> None:
    """A heading "Next steps" gave somebody the floor, or a member took it for itself."""
    read = read_reply(text, "Ada", {"Ada": "a member", "Ben": "a member", "Ruth Lang": "a member"})
    assert read.next == whom
    assert talk_of(text, read.cut).strip() == talk


def test_closing_words_are_written_side_by_side_and_the_first_ballot_beside_the_openings() -> None:
    """Each that waits for another is a step that a reader waits for."""
    under_way, most = 0, dict[tuple[str, str], int]()

    class Waiting(SimulatedRunner):
        deterministic = False

        async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
            nonlocal under_way
            under_way += 1
            key = (prompt.purpose, prompt.stage)
            most[key] = max(most.get(key, 0), under_way)
            for _ in range(50):  # others begin meanwhile
                await asyncio.sleep(0)
            under_way -= 1
            return await super().run(prompt, on_text)

    options = ("Go now", "Wait a year")
    debate = Debate("Should we?", "product-decision", Waiting(), options=options, settings=Settings(max_messages=24))
    debate.run_sync()
    size = len(debate.members)
    assert most["speak", "closing"] == size
    assert most["speak", "opening"] > size, "with the first ballots"
    kinds = [type(fact) for fact in debate.session.events() if isinstance(fact, BallotCast | MessagePosted)]
    assert kinds[: 2 * size] == [*[BallotCast] * size, *[MessagePosted] * size]
