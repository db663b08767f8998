"""Asked together, by one call, members bid as they do one by one, and a bad answer costs a round and no more."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings, strategies as st

from eda import Debate, Event, MessageBus, Prompt, Reply, RunnerError, RunnerUnavailableError, Session, Settings, Usage
from eda.cli.program import cli
from eda.debate.asking import read_bids
from eda.debate.replay import progress_of
from eda.events import (
    BallotCast,
    BidsTaken,
    CallMade,
    FloorGranted,
    MessagePosted,
    ModeratorSpoke,
    PhaseStarted,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    TurnFailed,
)
from eda.panels.panel import Library
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.protocol import OnText
from eda.runners.recorded import RecordedRunner, RecordingRunner
from eda.runners.scripted import ScriptedRunner
from eda.runners.simulated.runner import SimulatedRunner
from eda.text import rough_tokens

QUESTION = "Should we move the billing service out of the monolith?"
PANEL = ("sceptic", "historian", "pragmatic-engineer", "finance-director")
TITLES = tuple(Library().persona(name).title for name in PANEL)


class Answering:
    """A runner whose bids a test chooses, by the prompt; the rest is simulated. It keeps what it was asked."""

    deterministic = True
    summarises = False

    def __init__(self, bids) -> None:
        self.asked: list[Prompt] = []
        self._bids = bids
        self._simulated = SimulatedRunner()

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        self.asked.append(prompt)
        answer = self._bids(prompt) if prompt.purpose == "bid" else None
        if isinstance(answer, Exception):
            raise answer
        if answer is None:
            return await self._simulated.run(prompt, on_text)
        return answer if isinstance(answer, Reply) else Reply("", answer, Usage(900, 60), "m")

    @property
    def bid_keys(self) -> list[tuple[object, ...]]:
        return [prompt.key for prompt in self.asked if prompt.purpose == "bid"]


def debate(runner="simulated", *, session=None, panel=PANEL, seed=3, **fields) -> Debate:
    chosen = Settings(**{"max_messages": 14, "summary_every": 4, "first_vote": False, **fields})
    return Debate(QUESTION, panel, runner, options=("Move it", "Wait"), settings=chosen, seed=seed, session=session)


def facts(ran: Debate, kind) -> list:
    return [event for event in ran.session.events() if isinstance(event, kind)]


def without_bid_calls(session: Session) -> list[dict[str, object]]:
    """The log but for how bids were asked for, and what a pause may change."""
    kept = []
    for event in session.events():
        if isinstance(event, SessionPaused | SessionResumed):
            continue
        if not (isinstance(event, CallMade) and event.purpose == "bid"):
            kept.append(event.model_dump(mode="json", exclude={"seq": True, "at": True, "settings": {"bids"}}))
    return kept


@settings(max_examples=settings().max_examples // 6, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    panel=st.sampled_from([PANEL, PANEL[:2], "red-team", "architecture-review"]),
    messages=st.integers(6, 30),
)
def test_asked_together_or_each_the_simulated_debate_is_the_same(seed: int, panel: object, messages: int) -> None:
    """Without it what saves money would change who speaks."""
    logs = []
    for bids in ("each", "together"):
        ran = debate(panel=panel, seed=seed, max_messages=messages, bids=bids)
        ran.run_sync()
        logs.append(without_bid_calls(ran.session))
    assert logs[0] == logs[1]


def test_a_round_is_one_call_with_a_name_of_its_own() -> None:
    """Without it the saving is on paper, and a recording mixes up its calls."""
    runner = Answering(lambda _: None)
    ran = debate(runner)
    ran.run_sync()
    rounds = facts(ran, BidsTaken)
    assert len(runner.bid_keys) == len(rounds) == len(set(runner.bid_keys)) > 3
    assert {(purpose, agent) for purpose, agent, _ in runner.bid_keys} == {("bid", "")}
    calls = [(c.purpose, c.agent, c.nth) for c in facts(ran, CallMade) if c.purpose == "bid"]
    assert calls == runner.bid_keys


def test_everybody_asked_is_described_by_its_own_values_and_nobody_else_is() -> None:
    """Without it a member bids for what somebody else cares about, or one who may not speak is asked."""
    runner = Answering(lambda _: None)
    debate(runner).run_sync()
    seen = 0
    for prompt in (prompt for prompt in runner.asked if prompt.purpose == "bid"):
        for persona in prompt.asked:
            assert f"- {persona.title}" in prompt.own.splitlines()
            (line,) = [line for line in prompt.shared[0].splitlines() if line.startswith(f"- {persona.title}, ")]
            assert all(trait in line for trait in (persona.role, *persona.values, *persona.fears))
        asked = prompt.own.partition("and nobody else:\n")[2].partition("\n\n")[0].splitlines()
        assert [line.partition(": ")[0] for line in asked] == [f"- {persona.title}" for persona in prompt.asked]
        assert prompt.lines[-1].who not in [persona.title for persona in prompt.asked] or len(asked) == len(PANEL)
        seen += len(prompt.asked)
    assert seen


@pytest.mark.parametrize(("members", "messages"), [(3, 24), (7, 24), pytest.param(5, 60, marks=pytest.mark.long)])
def test_one_prompt_for_all_takes_less_than_one_for_each(members: int, messages: int) -> None:
    """Without it the default would be the dearer one."""
    names = [persona.name for persona in Library().personas.values()][:members]
    sent = []
    for bids in ("each", "together"):
        runner = Answering(lambda _: None)
        debate(runner, panel=names, max_messages=messages, bids=bids, summary_every=12).run_sync()
        sent.append(sum(rough_tokens(len(prompt.text)) for prompt in runner.asked if prompt.purpose == "bid"))
    assert sent[1] < sent[0] * 0.75


@pytest.mark.parametrize("asks", [False, True])
def test_a_round_serves_as_many_turns_as_half_of_the_panel_but_a_question_goes_before_it(asks: bool) -> None:
    """Without it a bid costs as much as a speech; and who was asked would wait behind who was not."""
    urgency = dict(zip(TITLES, (0.3, 0.9, 0.6, 0.0), strict=True))
    third, most, second, silent = TITLES

    def bids(prompt: Prompt) -> dict[str, object]:
        return {
            "bids": [row(one.title, wants=urgency[one.title] > 0, urgency=urgency[one.title]) for one in prompt.asked]
        }

    class Plain(Answering):
        async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
            if prompt.purpose != "speak":
                return await super().run(prompt, on_text)
            asked = f"{silent.split()[0]}, what would you do with it?" if asks and prompt.last == 4 else "So it is."
            return Reply(f"Number {prompt.last * 37} of {prompt.agent} counts {prompt.last * 41} things. {asked}")

    ran = debate(Plain(bids), max_messages=12)
    ran.run_sync()
    turns = [event for event in ran.session.events() if isinstance(event, BidsTaken | FloorGranted)]
    order = ["bids" if isinstance(turn, BidsTaken) else turn.agent for turn in turns[:6]]
    expected = ["bids", most, "bids", second, third, "bids"] if asks else ["bids", most, second, "bids", most, third]
    assert order == expected


def row(agent: str, **fields: object) -> dict[str, object]:
    return {"agent": agent, "wants": False, "urgency": 0.0, "reason": "nothing new", **fields}


def test_a_bid_that_the_answer_does_not_hold_is_a_pass_that_says_so() -> None:
    """Without it a member that a model forgot has passed for a reason that nobody gave."""
    first, second, third, fourth = TITLES
    rows = [
        row(f" {second.upper()} ", wants=True, urgency=0.4, reason="a number"),
        row(second, wants=True, urgency=0.9, reason="again"),
        row(third, wants="perhaps"),
        row("Bob", wants=True, urgency=1.0),
        "no row",
    ]
    bids = {bid.agent: bid for bid in read_bids(Reply("", {"bids": rows}), TITLES) or ()}
    assert tuple(bids) == TITLES
    assert (bids[second].wants, bids[second].urgency, bids[second].reason) == (True, 0.4, "a number")
    assert (bids[third].wants, bids[third].fault) == (False, "unreadable")
    assert [bids[who].fault for who in (first, fourth)] == ["missing", "missing"]


answers = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.sampled_from([*TITLES, "agent", "wants"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["bids", "agent", "wants", "urgency", "reason", "x"]), inner, max_size=5)
    ),
    max_leaves=12,
)


@settings(max_examples=settings().max_examples * 2)
@given(answer=answers, text=st.text(max_size=60), wrapped=st.booleans())
def test_whatever_is_answered_each_has_one_bid_or_nobody_was_heard(answer: object, text: str, wrapped: bool) -> None:
    """Without it one strange answer breaks the round, or seats a stranger."""
    data = {"bids": answer} if wrapped else answer
    bids = read_bids(Reply(text, data if isinstance(data, dict) else None), TITLES)
    assert bids is None or tuple(bid.agent for bid in bids) == TITLES


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (Reply("I would rather not say."), "held no member's bid"),
        (Reply("", {"wants": True, "urgency": 1.0}), "held no member's bid"),
        (Reply("", {"bids": [row("Bob", wants=True)]}), "held no member's bid"),
        (RunnerError("the line is dead"), "the line is dead"),
    ],
    ids=["prose", "one bid", "a stranger", "failed"],
)
def test_where_nobody_was_heard_each_is_asked_and_it_is_no_silence(answer: object, error: str) -> None:
    """Without it a small model that writes no lists ends every discussion before it has begun."""
    runner = Answering(lambda prompt: answer if prompt.asked else None)
    ran = debate(runner, bids="together")
    result = ran.run_sync()
    plain = debate(bids="each")
    assert plain.run_sync().messages == result.messages
    assert [m.text for m in facts(ran, MessagePosted)] == [m.text for m in facts(plain, MessagePosted)]
    failed = facts(ran, TurnFailed)
    assert len(failed) == len(facts(ran, BidsTaken)) > 0
    calls = 1 if isinstance(answer, RunnerError) else 2  # an answer that cannot be read is asked for once more
    assert sum(not agent for _, agent, _ in runner.bid_keys) == calls * len(failed)
    assert {(fact.who, fact.purpose) for fact in failed} == {("", "bid")}
    assert error in failed[0].error
    assert len(set(runner.bid_keys)) == len(runner.bid_keys)


def test_what_a_failed_call_for_all_took_is_counted() -> None:
    """Without it a call that is paid for is in no sum."""
    error = RunnerError("refused")
    error.usage, error.model = Usage(500, 1), "m"
    ran = debate(Answering(lambda prompt: error if prompt.asked else None))
    ran.run_sync()
    paid = [call for call in facts(ran, CallMade) if call.purpose == "bid" and not call.agent]
    assert len(paid) == len(facts(ran, TurnFailed)) > 0
    assert {call.input_tokens for call in paid} == {500}


def test_a_panel_whose_bids_cannot_be_heard_talks_in_seat_order_and_votes() -> None:
    """Without it a cheap model that is down ends the talk of the dear one, for want of anything to say."""
    ran = debate(Answering(lambda _: RunnerError("down")))
    result = ran.run_sync()
    assert result.reason == "messages"
    assert {fact.why for fact in facts(ran, ModeratorSpoke)} <= {"together", "unheard"}
    unheard = [grant.agent for grant in facts(ran, FloorGranted) if grant.why == "no bid heard"]
    assert len(unheard) > len(PANEL)
    assert unheard[: len(PANEL)] == [member.title for member in ran.members]
    assert len(facts(ran, BallotCast)) == len(PANEL)


def test_a_runner_that_is_gone_pauses_and_the_same_call_is_made_again() -> None:
    """Without it a refused key in the middle of a round costs the round."""
    gone = [RunnerUnavailableError("no key")]
    runner = Answering(lambda prompt: gone.pop() if prompt.last > 5 and gone else None)
    session = Session.in_memory()
    ran = debate(runner, session=session)
    with pytest.raises(RunnerUnavailableError):
        ran.run_sync()
    Debate.resume(session, runner).run_sync()
    repeated = [key for key in runner.bid_keys if runner.bid_keys.count(key) == 2]
    assert len(repeated) == 2
    whole = debate()
    whole.run_sync()
    assert without_bid_calls(session)[1:] == without_bid_calls(whole.session)[1:]


@pytest.mark.parametrize("limit", [{"max_tokens": 12_000}, {"max_cost": 0.05}])
def test_a_round_that_does_not_fit_into_the_budget_is_not_asked(limit: dict[str, float]) -> None:
    """Without it the ballot is paid for with somebody else's money."""

    class Paid(SimulatedRunner):
        async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
            said = await super().run(prompt, on_text)
            return Reply(said.text, said.data, Usage(rough_tokens(len(prompt.text)), 50, cost=0.002), "m")

    ran = debate(Paid(), max_messages=60, **limit)
    result = ran.run_sync()
    assert result.reason in ("tokens", "money")
    assert result.spent.tokens <= limit.get("max_tokens", 1e9)
    assert len(facts(ran, BallotCast)) == len(PANEL)
    assert result.verdict is not None


def test_a_recording_of_it_replays_to_the_same_log(tmp_path: Path) -> None:
    """Without it a recorded debate cannot be shown again."""
    recorded = debate(RecordingRunner(SimulatedRunner(), tmp_path / "calls.jsonl"))
    recorded.run_sync()
    replay = RecordedRunner(tmp_path / "calls.jsonl")
    replayed = debate(replay)
    replayed.run_sync()
    assert not replay.differences
    assert without_bid_calls(replayed.session)[1:] == without_bid_calls(recorded.session)[1:]
    assert facts(replayed, BidsTaken)


class Moody:
    """A pure function of its prompt: now and then a call for all fails, is no JSON, or forgets somebody."""

    deterministic = True
    summarises = True
    spec = "moody"

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        del on_text
        draw = random.Random(f"{prompt.key} {prompt.text}")
        usage = Usage(len(prompt.text) // 4, 40)
        await asyncio.sleep(0)
        if prompt.purpose == "bid":
            if draw.random() < 0.15:
                raise RunnerError("not now")
            rows = [row(one.agent, wants=draw.random() < 0.7, urgency=draw.random()) for one in prompt.each]
            if prompt.asked and draw.random() < 0.6:
                return Reply("", {"bids": rows[: draw.randint(0, len(rows))]}, usage, "m")
            return Reply("", {"bids": rows} if prompt.asked else row("", wants=draw.random() < 0.7), usage, "m")
        if prompt.purpose == "ballot":
            return Reply("", {"choice": draw.choice(prompt.options)}, usage, "m")
        return Reply(" ".join(f"{draw.randint(0, 999)}" for _ in range(12)) + ".", None, usage, "m")


@settings(
    max_examples=settings().max_examples // 6,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 10_000), bids=st.sampled_from(["each", "together", "list"]), part=st.floats(0.01, 0.99))
def test_cut_anywhere_and_resumed_it_is_the_debate_that_would_have_been(
    tmp_path_factory: pytest.TempPathFactory, seed: int, bids: str, part: float
) -> None:
    """Without it a power cut between two ways of asking makes another debate."""
    folder = tmp_path_factory.mktemp("cut")
    with Session.create("s", folder) as session:
        debate(Moody(), session=session, seed=seed, bids=bids).run_sync()
        expected = without_bid_calls(session)
    log = folder / "s" / "events.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    (folder / "cut" / "s").mkdir(parents=True)
    (folder / "cut" / "s" / "events.jsonl").write_bytes(b"".join(lines[: max(1, int(len(lines) * part))]))
    with Session.open("s", folder / "cut") as session:
        Debate.resume(session, Moody()).run_sync()
        assert without_bid_calls(session) == expected


def test_a_new_debate_asks_together_and_an_older_session_goes_on_asking_each() -> None:
    """Without it the same session, resumed by a newer program, becomes another one."""
    new = debate(max_messages=6)
    new.run_sync()
    assert progress_of(new.session).settings.bids == "list"
    old = Session.in_memory()
    members = tuple(Library().persona(name) for name in PANEL)
    MessageBus(old.log).publish(
        SessionStarted(session=old.name, question=QUESTION, members=members, settings=Settings(max_messages=12))
    )
    runner = Answering(lambda _: None)
    Debate.resume(old, runner).run_sync()
    assert runner.bid_keys
    assert all(agent for _, agent, _ in runner.bid_keys)


def test_both_ways_can_be_chosen_at_the_start_and_changed_later(tmp_path: Path) -> None:
    """Without it whoever has a model that cannot answer for many is stuck with a call too many a turn."""
    base = ["--sessions", str(tmp_path), "--quiet"]
    first = ["debate", QUESTION, "--session", "s", "--max-messages", "12", "--bids", "each", *base]
    assert CliRunner().invoke(cli, first).exit_code == 0
    assert CliRunner().invoke(cli, ["resume", "s", "--max-messages", "20", "--bids", "together", *base]).exit_code == 0
    with Session.read("s", tmp_path) as session:
        asked: list[Event] = [e for e in session.events() if isinstance(e, CallMade | SessionResumed)]
    resumed = next(place for place, event in enumerate(asked) if isinstance(event, SessionResumed))
    before, after = (
        {bool(event.agent) for event in part if isinstance(event, CallMade) and event.purpose == "bid"}
        for part in (asked[:resumed], asked[resumed:])
    )
    assert (before, after) == ({True}, {False})


def test_all_are_asked_of_the_cheap_model_whatever_a_member_wishes() -> None:
    """Without it one member's dear model is paid for everybody's bids."""
    runner = AnthropicRunner(api_key="sk-ant-not-a-key")
    wishing = Library().persona("sceptic").model_copy(update={"model": "opus"})
    prompt = Prompt(purpose="bid", asked=(wishing, Library().persona("historian")))
    assert runner.model_for(prompt) == runner.given.cheap


def test_scripted_bids_are_asked_for_one_by_one() -> None:
    """Without it a script of bids would have to know how they are asked for."""
    wanting = TITLES[2]
    runner = ScriptedRunner(
        lambda prompt: f"I have thought about it {prompt.last} times.", bids=lambda p: {"wants": p.agent == wanting}
    )
    ran = debate(runner)
    ran.run_sync()
    granted = [fact.agent for fact in facts(ran, FloorGranted) if fact.why != "closing"]
    assert set(granted) == {wanting}


def test_the_last_summary_is_begun_beside_the_ballot() -> None:
    """Without it everybody waits for a summary that could have been written while the votes came in."""
    happened: list[str] = []

    class Noting(Moody):
        async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
            happened.append(f"{prompt.purpose} begins")
            if prompt.purpose == "bid":  # else the talk may fall silent before a summary is due
                return Reply("", {"bids": [row(one.agent, wants=True, urgency=0.5) for one in prompt.each]})
            reply = await super().run(prompt, on_text)
            happened.append(f"{prompt.purpose} ends")
            return reply

    ran = debate(Noting(), summary_every=14)
    ran.run_sync()
    assert [fact.phase for fact in facts(ran, PhaseStarted)][-1] == "verdict"
    assert happened.count("summarise begins") >= 1
    assert happened.index("summarise begins") < happened.index("ballot ends")
