"""What was paid for is counted, used where it can be, and replayed as it was; also where a debate stops half way."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fake_anthropic import FakeAnthropic, Say
from in_turn import in_turn

from eda import Debate, MessagePosted, Prompt, Reply, ScriptedRunner, Session, Settings, Usage
from eda.cli.cost import cost_data
from eda.debate.control.changes import Corrected, steer
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.state import DebateState
from eda.errors import RunnerUnavailableError
from eda.events import (
    BallotCast,
    CallMade,
    FloorGranted,
    PhaseStarted,
    SessionPaused,
    StanceTaken,
    SummaryWritten,
    TurnFailed,
)
from eda.report.formatting import money
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.models import look_up
from eda.runners.recorded import RecordedRunner, RecordingRunner

PANEL, TITLES = ("sceptic", "historian", "pragmatic-engineer"), ("Ruth", "Walter", "Maya")
WORDS = (
    "anchor",
    "basin",
    "cedar",
    "dune",
    "ember",
    "ferry",
    "gravel",
    "harbour",
    "island",
    "juniper",
    "kiln",
    "ladder",
)


class Paid:
    """Answers for money. One member's call of one purpose is refused once the others have their answers."""

    spec = "anthropic:claude-sonnet-5-5+claude-haiku-5-5"

    def __init__(self, refuses: str = "", purpose: str = "") -> None:
        self.refuses, self.purpose = refuses, purpose
        self.asked: list[tuple[str, str]] = []

    async def run(self, prompt: Prompt, on_text: Any = None) -> Reply:
        self.asked.append((prompt.purpose, prompt.agent))
        if prompt.agent == self.refuses and prompt.purpose == self.purpose:
            for _ in range(9):
                await asyncio.sleep(0)
            raise RunnerUnavailableError("no credit")
        used, data = Usage(input_tokens=1000, output_tokens=100), None
        match prompt.purpose:
            case "bid" if prompt.agent:
                data = {"wants": True, "urgency": 0.5}
            case "bid":
                data = {"bids": [{"agent": one.agent, "wants": True, "urgency": 0.5} for one in prompt.each]}
            case "poll":
                data = {"choice": prompt.options[0], "confidence": 0.5}
            case "ballot":
                data = {"choice": prompt.options[0], "reason": "so"}
            case "summarise":
                data = {"summary": "They talked."}
        place = 7 * prompt.last + TITLES.index(prompt.agent) if prompt.agent else 0
        text = " ".join(WORDS[(place * step + step) % len(WORDS)] + str(place) for step in (1, 3, 5, 7))
        model = look_up("sonnet" if prompt.purpose == "speak" else "haiku")
        return Reply(f"I say {text}.", data, model.priced(used), model.id)


def debate(runner: Any, session: Session | None = None, prompts: dict[str, str] | None = None, **fields: Any) -> Debate:
    chosen = Settings(**{"max_messages": 6, **fields})
    given = {"options": ("Go", "Wait"), "settings": chosen, "session": session, "prompts": prompts}
    return Debate("Shall we go?", PANEL, runner, **given)


def of_kind(session: Session, kind: Any) -> list[Any]:
    return [event for event in session.events() if isinstance(event, kind)]


@pytest.mark.parametrize(("purpose", "refused"), in_turn(["speak", "bid", "poll", "ballot"], TITLES))
def test_answers_that_others_had_before_a_pause_are_counted_and_used(refused: str, purpose: str):
    """Without it an account that runs dry in mid-round throws away what it paid for, and no bill shows it."""
    runner = Paid(refused, purpose)
    given = {"max_messages": 11, "bids": "each", "consensus": 1.0, "poll_every": 4}
    first = debate(runner, **given)
    with pytest.raises(RunnerUnavailableError):
        first.run_sync()
    session = first.session
    answered = [asked for asked in runner.asked if asked != (purpose, refused)]
    waiting = [name[:2] for name in session.journal.waiting]  # openings are published all together
    assert sorted([*((call.purpose, call.agent) for call in of_kind(session, CallMade)), *waiting]) == sorted(answered)
    assert {purpose for purpose, _ in waiting} <= {"speak"}

    anew = Paid()
    Debate.resume(session, anew).run_sync()
    assert anew.asked[0] == (purpose, refused)
    calm = Paid()
    whole = debate(calm, **given)
    whole.run_sync()
    assert sorted([*answered, *anew.asked]) == sorted(calm.asked)
    assert [(event.number, event.who, event.text) for event in of_kind(session, MessagePosted)] == [
        (event.number, event.who, event.text) for event in of_kind(whole.session, MessagePosted)
    ]
    for kind in (StanceTaken, BallotCast):
        assert len(of_kind(session, kind)) == len(of_kind(whole.session, kind))


def test_a_round_that_all_write_unseen_is_written_again_as_a_whole():
    """Whoever wrote before the pause would be heard by those who write after it: another debate."""

    class NotInTheOpening(Paid):
        async def run(self, prompt: Prompt, on_text: Any = None) -> Reply:
            self.purpose = "speak" if prompt.last else ""
            return await super().run(prompt, on_text)

    given = {"max_messages": 9, "floor": "simultaneous"}
    cut, whole = debate(NotInTheOpening("Walter"), **given), debate(Paid(), **given)
    with pytest.raises(RunnerUnavailableError):
        cut.run_sync()
    Debate.resume(cut.session, Paid()).run_sync()
    whole.run_sync()
    said = [
        [(said.number, said.who, said.text) for said in of_kind(each.session, MessagePosted)] for each in (cut, whole)
    ]
    assert said[0] == said[1]


def test_a_round_of_bids_that_is_cut_twice_asks_nobody_twice():
    """Without it each pause in a round throws away the bids that were paid for before the last one."""
    refused, asked = {"Walter", "Maya"}, Counter[tuple[int, str]]()

    def bid(prompt: Prompt) -> dict[str, Any]:
        if prompt.agent in refused:
            raise RunnerUnavailableError("no credit")
        asked[prompt.last, prompt.agent] += 1
        return {"wants": True, "urgency": 0.5}

    def runner() -> ScriptedRunner:
        return ScriptedRunner(lambda prompt: f"I, {prompt.agent}, say {prompt.last}: {WORDS[prompt.last]}.", bids=bid)

    chosen = Settings(max_messages=10, bids="each")
    first = Debate("Shall we go?", [*PANEL, "visionary"], runner(), settings=chosen)
    with pytest.raises(RunnerUnavailableError):
        first.run_sync()
    refused.discard("Walter")
    with pytest.raises(RunnerUnavailableError):
        Debate.resume(first.session, runner()).run_sync()
    refused.clear()
    Debate.resume(first.session, runner()).run_sync()
    assert {title for _, title in asked} >= set(TITLES)
    assert set(asked.values()) == {1}


def test_all_vote_on_the_same_choices_also_where_one_is_struck_in_mid_ballot():
    """Ballots on different choices cannot be counted together, and who voted already cannot be asked again for free."""

    class Proposing(Paid):
        async def run(self, prompt: Prompt, on_text: Any = None) -> Reply:
            reply = await super().run(prompt, on_text)
            moves = f"\n\n[PROPOSE] Let {prompt.agent} move the archive." if prompt.phase == "opening" else ""
            return replace(reply, text=reply.text + moves)

    first = Debate("What comes first?", PANEL, Proposing("Walter", "ballot"), settings=Settings(max_messages=6))
    with pytest.raises(RunnerUnavailableError):
        first.run_sync()
    steer(first.session, [Corrected(first.memory.proposals[0].id, "", "you")])
    Debate.resume(first.session, Proposing()).run_sync()
    cast = of_kind(first.session, BallotCast)
    assert len(cast) == 3
    assert len({each.choices for each in cast}) == 1


def test_a_call_is_named_by_how_many_came_before_it_and_one_that_was_never_used_is_no_such_call():
    """By any other name a replay would give the member the answer that it never came to say."""
    ran = debate(Paid())
    ran.run_sync()
    started = ran.session.started()
    progress = DebateState()
    for fact in (started, PhaseStarted(phase="discussion"), FloorGranted(agent="Ruth")):
        progress.fold(fact)
    speaker, numbers = PromptBuilder(started, ran.memory, progress), []
    made = CallMade(purpose="speak", agent="Ruth")
    failed = TurnFailed(who="Ruth", purpose="speak", error="overloaded", nth=2)
    for fact in (made, made.model_copy(update={"nth": 1}), failed, made.model_copy(update={"agent": "Maya", "nth": 7})):
        progress.fold(fact)
        numbers.append(speaker.speak(progress.personas["Ruth"], progress.grant).nth)
    assert numbers == [1, 2, 3, 3]


def test_a_summary_that_stood_before_a_pause_is_kept():
    """Without it the longest prompt of the debate is paid for twice where the account runs dry beside it."""

    class Dry(Paid):
        async def run(self, prompt: Prompt, on_text: Any = None) -> Reply:
            if prompt.purpose == "speak" and ("summarise", "") in self.asked:
                self.refuses, self.purpose = prompt.agent, "speak"
            return await super().run(prompt, on_text)

    first, anew = debate(Dry(), max_messages=14, summary_every=4), Paid()
    with pytest.raises(RunnerUnavailableError):
        first.run_sync()
    assert [(each.first, each.last) for each in of_kind(first.session, SummaryWritten)] == [(1, 4)]
    Debate.resume(first.session, anew).run_sync()
    calls = [call.last for call in of_kind(first.session, CallMade) if call.purpose == "summarise"]
    assert calls.count(4) == calls.count(8) == calls.count(12) > 0


async def test_what_a_stopped_call_had_taken_is_counted(fake: FakeAnthropic):
    """Without it each Ctrl-C in mid-sentence is a gap between the log and the bill."""
    inner = AnthropicRunner(api_key="sk-ant-not-a-key-4711", base_url=fake.url)
    fake.answer = lambda _: Say("Half a thought", then="stall")
    begun: set[str] = set()

    class Heard:
        async def run(self, prompt: Prompt, on_text: Any = None) -> Reply:
            def first_words(_: str) -> None:
                begun.add(prompt.agent)
                if len(begun) == len(TITLES):
                    of.stop()

            return await inner.run(prompt, first_words)

    of = debate(Heard(), floor="round-robin", first_vote=False)
    async with asyncio.timeout(60):
        await of.run()
    await inner.close()
    calls = of_kind(of.session, CallMade)
    assert [(call.agent, call.input_tokens, call.output_tokens) for call in calls] == [(one, 100, 1) for one in TITLES]
    assert not of_kind(of.session, (MessagePosted, FloorGranted))
    assert isinstance(list(of.session.events())[-1], SessionPaused)


async def test_a_call_that_was_given_up_before_its_first_word_is_counted_at_an_unknown_price(fake: FakeAnthropic):
    """Without it what a stopped call had the provider read is paid for, and the bill says that nothing is missing."""
    arrived, release = threading.Event(), threading.Event()

    def silent(_: dict[str, Any]) -> Say:
        arrived.set()
        release.wait(60)
        return Say()

    fake.answer = silent
    inner = AnthropicRunner(api_key="sk-ant-not-a-key-4711", base_url=fake.url)
    short = {"house": "Be brief."}  # too short for a cache, so that no call waits for the first one to write it
    of = debate(inner, floor="round-robin", prompts=short, first_vote=False)
    running = asyncio.create_task(of.run())
    assert await asyncio.to_thread(arrived.wait, 60)
    of.stop()
    await running
    release.set()
    await inner.close()
    calls = of_kind(of.session, CallMade)
    assert [call.agent for call in calls] == list(TITLES)
    assert all(call.cost is None and call.model == inner.given.speak for call in calls)
    total = cost_data([*calls, CallMade(purpose="speak", cost=0.1)])["total"]
    assert "of unknown price" in money(total["known_cost"], total["unpriced_calls"])


async def test_calls_that_were_stopped_are_listed_in_seat_order_whoever_hung_up_first():
    """Without it the log of a stopped debate is in the order of the network."""

    class Stopped(Paid):
        async def run(self, prompt: Prompt, on_text: Any = None) -> Reply:
            self.asked.append((prompt.purpose, prompt.agent))
            if len(self.asked) == len(TITLES):
                of.stop()
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            with suppress(asyncio.CancelledError):  # it takes a while to hang up, for the first seat longest
                for _ in range(9 - 3 * TITLES.index(prompt.agent)):
                    await asyncio.sleep(0)
            given_up = asyncio.CancelledError()
            given_up.usage = Usage(input_tokens=100, output_tokens=1)
            raise given_up

    of = debate(Stopped(), floor="round-robin")
    await of.run()
    assert [call.agent for call in of_kind(of.session, CallMade)] == list(TITLES)


def rows(session: Session) -> list[dict[str, Any]]:
    lines = (Path(session.folder or "") / "events.jsonl").read_text().splitlines()
    return [
        {k: v for k, v in json.loads(line).items() if k not in ("at", "chain", "crc", "runner", "session")}
        for line in lines
    ]


@pytest.mark.parametrize("limits", [{}, {"max_cost": 0.035}, {"max_tokens": 24_000}], ids=["none", "money", "tokens"])
def test_a_recording_of_a_model_replays_byte_for_byte_and_ends_where_it_ended(limits: dict[str, Any], tmp_path: Path):
    """Without it a replay puts summaries elsewhere, and wants calls that the budget had no money for."""
    given = {"max_messages": 18, "summary_every": 4, **limits}
    with Session.create("live", tmp_path) as live, Session.create("replay", tmp_path) as replay:
        debate(RecordingRunner(Paid(), tmp_path / "calls.jsonl"), live, **given).run_sync()
        again = debate(RecordedRunner(tmp_path / "calls.jsonl"), replay, **given)
        result = again.run_sync()
        assert again.runner.differences == []
        assert rows(replay) == rows(live)
        assert of_kind(live, SummaryWritten)
        assert result.reason == {"max_cost": "money", "max_tokens": "tokens"}.get(next(iter(limits), ""), "messages")


def test_a_recording_without_a_summary_replays_its_report_too(tmp_path: Path):
    """Without it the replay of a short debate lacks the call that the bill of the first one has."""
    runner = RecordingRunner(Paid(), tmp_path / "calls.jsonl")
    asyncio.run(runner.run(Prompt(purpose="report")))
    assert RecordedRunner(tmp_path / "calls.jsonl").summarises
