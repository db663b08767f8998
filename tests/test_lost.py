"""Nothing is lost to an error: a debate over real HTTP, with the real SDK, whatever the server or the wire does."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from email.utils import formatdate
from functools import partial
from typing import Any

import pytest
from answering import PANEL, TITLES, Wire, answered, asked_for, first_fails, own_words
from click.testing import CliRunner
from fake_anthropic import Fail, FakeAnthropic, Say, Waits
from hypothesis import HealthCheck, given, settings, strategies as st
from in_turn import each_other

from eda import Debate, MessagePosted, Session, Settings
from eda.cli import cli
from eda.errors import RunnerError, RunnerUnavailableError
from eda.events import (
    BallotCast,
    BidsTaken,
    CallDelayed,
    CallMade,
    Event,
    FloorGranted,
    SessionEnded,
    SessionPaused,
    SessionResumed,
    TextStreamed,
    TurnFailed,
    TurnPassed,
    VerdictReached,
)
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.protocol import Prompt, Reply, close_runner
from eda.runners.server import on_wait
from eda.runners.simulated.runner import SimulatedRunner

KEY = "sk-ant-not-a-key-4711"
OPUS = "claude-opus-5-5"
HALF = "HALFATHOUGHT"
OUTCOME = (MessagePosted, FloorGranted, BidsTaken, BallotCast, VerdictReached, TurnFailed, TurnPassed, SessionEnded)


@pytest.fixture
def made(fake: FakeAnthropic) -> Callable[..., AnthropicRunner]:
    return partial(AnthropicRunner, api_key=KEY, base_url=fake.url, sleep=Waits())


@pytest.fixture(scope="module")
def calm(server: FakeAnthropic) -> list[dict[str, Any]]:
    """What comes of the debate where nothing goes wrong."""
    server.play()
    server.answer = answered
    of = debate(AnthropicRunner(api_key=KEY, base_url=server.url))
    run(of)
    return outcome(of)


def debate(runner: Any, session: Session | None = None, **fields: Any) -> Debate:
    chosen = Settings(**{"max_messages": 7, **fields})
    return Debate("Shall we go?", PANEL, runner, options=("Go", "Wait"), settings=chosen, session=session)


def run(of: Debate) -> list[CallDelayed]:
    """Run it to its end; gives the waits that were announced."""
    waits: list[CallDelayed] = []
    of.on(CallDelayed)(waits.append)

    async def once() -> None:
        try:
            await of.run()
        finally:
            await close_runner(of.runner)

    asyncio.run(once())
    return waits


def events(of: Debate, *kinds: type[Event]) -> list[Any]:
    return [event for event in of.session.events() if isinstance(event, kinds or Event)]


def outcome(of: Debate) -> list[dict[str, Any]]:
    """All that was decided and said, without what a call took; ballots, which are cast side by side, by voters."""
    ballots = sorted(events(of, BallotCast), key=lambda cast: (not cast.first, cast.ballot.agent))
    rest = (event for event in events(of, *OUTCOME) if not isinstance(event, BallotCast))
    return [event.model_dump(exclude={"seq", "at"}) for event in (*ballots, *rest)]


def in_order(of: Debate) -> bool:
    """Whether messages are numbered 1, 2, 3 and each grant is used up by its holder before the next."""
    numbers = [message.number for message in events(of, MessagePosted)]
    holder = ""
    for event in events(of, FloorGranted, MessagePosted, TurnFailed, TurnPassed):
        if isinstance(event, FloorGranted):
            if holder:
                return False
            holder = event.agent
        elif getattr(event, "purpose", "speak") == "speak" and not getattr(event, "sealed", False):
            if holder not in ("", event.who):
                return False
            holder = ""
    return numbers == list(range(1, len(numbers) + 1))


# What passes

LIMIT = partial(Fail, 429, "rate_limit_error", "Slow down")
PASSING: dict[str, tuple[Callable[[], Fail | Say], float]] = {
    "429, seconds": (lambda: LIMIT({"retry-after": "9"}), 9),
    "429, milliseconds": (lambda: LIMIT({"retry-after-ms": "9000"}), 9),
    "429, date": (lambda: LIMIT({"retry-after": formatdate(time.time() + 100, usegmt=True)}), 9),
    "429": (LIMIT, 0.3),
    "529": (lambda: Fail(529, "overloaded_error", "Overloaded"), 0.3),
    "500": (lambda: Fail(500), 0.3),
    "503": (lambda: Fail(503), 0.3),
    "overloaded in mid-stream": (lambda: Say(HALF, then="overloaded_error"), 0.3),
    "ends early": (lambda: Say(HALF, then="cut"), 0.3),
    "drops in mid-stream": (lambda: Say(HALF, then="drop"), 0.3),
}


@pytest.mark.parametrize("case", each_other(PASSING, of=3))
def test_every_call_fails_once_and_the_debate_is_the_one_that_met_no_error(fake, made, calm, case):
    """Without it a bad hour of the provider costs turns, doubles messages, or ends a sentence in the middle."""
    trouble, least = PASSING[case]
    fake.answer = first_fails(trouble())
    stormy = debate(made())
    heard: list[TextStreamed] = []
    stormy.on(TextStreamed)(heard.append)
    waits = run(stormy)
    assert outcome(stormy) == calm
    assert in_order(stormy)
    assert events(stormy, TurnFailed) == []
    assert len(waits) * 2 == len(fake.requests)
    assert {wait.attempt for wait in waits} == {1}
    assert all(least <= wait.seconds < 130 for wait in waits)
    assert len({wait.seconds for wait in waits}) > len(waits) / 2  # not all agents at once
    assert HALF not in "".join(message.text for message in events(stormy, MessagePosted))
    assert events(stormy, CallDelayed, TextStreamed) == []
    assert {event.agent for event in heard} <= set(TITLES)


def test_the_words_of_a_second_try_do_not_run_on_from_those_of_the_first():
    """Without it the screen shows `[PROPOI say ...`: half a move line that was held back, before the whole answer."""

    class Retried(SimulatedRunner):
        async def run(self, prompt: Prompt, on_text: Any = None) -> Reply:
            tell = on_wait.get()
            if on_text is not None and tell is not None:
                on_text("[PROPO")
                reason = "the answer broke off"
                tell(CallDelayed(agent=prompt.agent, purpose=prompt.purpose, seconds=1, reason=reason, attempt=1))
            return await super().run(prompt, on_text)

    of = debate(Retried(), max_messages=6)
    heard: list[TextStreamed] = []
    of.on(TextStreamed)(heard.append)
    waits = run(of)
    assert len(waits) == 3
    assert {event.agent for event in heard} == {wait.agent for wait in waits}
    assert "PROPO" not in "".join(event.text for event in heard)


@pytest.mark.long
def test_a_connection_that_breaks_before_an_answer_and_one_that_stalls(fake, made, calm):
    """Without it a flaky network, or a silent server, holds the floor for good."""
    stalls = iter([Say(HALF, then="stall")])
    fake.answer = lambda body: answered(body) if asked_for(body) else next(stalls, answered(body))
    with Wire(fake.url) as wire:
        wire.cuts = 5
        stormy = debate(made(base_url=wire.url, timeout=1.0))
        waits = run(stormy)
    assert len(waits) >= 6
    assert outcome(stormy) == calm


def test_a_server_that_only_pings_is_given_up(fake, made):
    """Without it an answer that got stuck behind a gateway keeps the floor, and the debate, for ever."""
    fake.answer = lambda _: Say(HALF, then="pings")
    runner = made(timeout=0.2, attempts=1)

    async def once() -> None:
        async with asyncio.timeout(30):
            try:
                await runner.run(Prompt(purpose="speak", own="Speak."))
            finally:
                await runner.close()

    with pytest.raises(RunnerError, match=r"no progress for 0\.2 seconds"):
        asyncio.run(once())


# What lasts

LASTING = {
    **{name: PASSING[name][0] for name in ("429", "529", "ends early", "drops in mid-stream")},
    "refusal": lambda: Say("I can", stop="refusal"),
    "too long": lambda: Fail(413, "request_too_large"),
}


@pytest.mark.parametrize("case", each_other(LASTING, first=1))
def test_what_lasts_goes_to_the_fallback_and_without_one_pauses_or_costs_turns_only(fake, made, case):
    """Without it an outage of one model ends the debate of all, or one member's bad prompt stops it.

    A refusal is an answer, and costs its turn. A call that nobody answers is none: it pauses the debate.
    """
    trouble = LASTING[case]()
    fake.answer = lambda body: trouble if not asked_for(body) and body["model"] != OPUS else answered(body)
    helped = debate(made(attempts=2, fallback_model="opus"))
    waits = run(helped)
    assert helped.progress.ended == "messages"
    assert events(helped, TurnFailed) == []
    assert {call.model for call in events(helped, CallMade) if call.purpose == "speak"} == {OPUS}
    assert any(f"now {OPUS} is asked" in wait.reason for wait in waits)
    fake.answer = lambda body: trouble if "You are Ruth," in own_words(body) and not asked_for(body) else answered(body)
    alone = debate(made(attempts=2), floor="round-robin")
    if case not in ("refusal", "too long"):
        with pytest.raises(RunnerUnavailableError, match="failed 2 times"):
            run(alone)
        assert events(alone, TurnFailed) == []
        fake.answer = answered
        again = Debate.resume(alone.session, made())
        run(again)
        assert {message.who for message in events(again, MessagePosted)} == set(TITLES)
        return
    run(alone)
    assert alone.progress.ended == "messages"
    assert {failed.who for failed in events(alone, TurnFailed)} == {"Ruth"}
    said = {message.who for message in events(alone, MessagePosted)}
    assert said == set(TITLES) - {"Ruth"}
    assert in_order(helped)
    assert in_order(alone)
    assert alone.progress.verdict is not None


TROUBLES = [trouble() for trouble, _ in PASSING.values()] + [Say("", stop="refusal"), Fail(400), Say("Eh?")]


@given(st.lists(st.sampled_from([None, *range(len(TROUBLES))]), max_size=40))
@settings(
    max_examples=settings().max_examples // 6,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_whatever_fails_when_one_member_at_most_holds_the_floor(fake, made, script):
    """Without it some order of errors gives two agents the floor, a number twice, or a half message."""
    fake.play(*(step for place in script for step in ([] if place is None else [TROUBLES[place]])))
    fake.answer = answered
    inner = made(attempts=2)
    speaking, most = 0, 0

    class Watched:
        async def run(self, prompt: Prompt, on_text: Any = None) -> Reply:
            nonlocal speaking, most
            alone = prompt.purpose == "speak" and prompt.phase != "opening"
            speaking += alone
            most = max(most, speaking)
            try:
                return await inner.run(prompt, on_text)
            finally:
                speaking -= alone

    of = debate(Watched())

    async def once() -> None:
        nonlocal of
        while of.progress.ended is None:
            try:
                await of.run()
            except RunnerUnavailableError:
                of = Debate.resume(of.session, Watched())
        await inner.close()

    asyncio.run(once())
    assert in_order(of)
    assert most <= 1
    assert HALF not in "".join(message.text for message in events(of, MessagePosted))
    of.session.log.close()


# What stops all

STOPPING = {
    "key": Fail(401, "authentication_error", "invalid x-api-key"),
    "credit": Fail(400, "invalid_request_error", "Your credit balance is too low to access the API."),
    "billing in mid-stream": Say(HALF, then="billing_error"),
    "limit": Fail(429, "rate_limit_error", code="enforced_spend_limit_reached"),
    "rest": Fail(429, "rate_limit_error", headers={"retry-after": "3600"}),
}


@pytest.mark.parametrize(
    ("case", "after"),
    # Before all, among the first ballots, before the openings, after them, and in the discussion. Not among the
    # openings: those that arrived before the pause stand, so that their numbers depend on the wire.
    each_other(
        [*(("key", after) for after in (0, 2, 3, 6, 13)), *((case, 6) for case in STOPPING if case != "key")], of=3
    ),
)
def test_a_dead_key_pauses_and_a_good_one_ends_the_same_debate(fake, made, calm, tmp_path, case, after):
    """Without it the credit that ran out at night takes the debate with it, or doubles what was said."""
    fake.answer = lambda body: STOPPING[case] if len(fake.requests) > after else answered(body)
    with Session.create("one", tmp_path) as session:
        with pytest.raises(RunnerUnavailableError) as stopped:
            run(debate(made(), session))
        assert stopped.value.hint
        assert [event.why for event in session.events() if isinstance(event, SessionPaused)] == [str(stopped.value)]
        fake.answer = answered
        again = Debate.resume(session, made())
        run(again)
        assert outcome(again) == calm
        assert in_order(again)
        assert len(events(again, SessionResumed)) == 1
    assert HALF not in (tmp_path / "one" / "events.jsonl").read_text()


def test_the_program_says_how_to_go_on_after_a_dead_key(fake, tmp_path, monkeypatch):
    """Without it one is left with a traceback, and does not learn that nothing was lost."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.delenv("EDA_RUNNER", raising=False)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
    eda = partial(CliRunner().invoke, cli, prog_name="eda", catch_exceptions=False)
    fake.answer = lambda body: STOPPING["key"] if len(fake.requests) > 6 else answered(body)
    stopped = eda(
        ["debate", "Shall we go?", "--session", "one", "--max-messages", "9", "--floor", "round-robin", "--quiet"]
    )
    assert stopped.exit_code == 1
    assert "go on with: eda resume one" in stopped.stderr
    assert "ANTHROPIC_API_KEY" in stopped.stderr
    assert "Traceback" not in stopped.stderr
    fake.answer = answered
    assert eda(["resume", "one", "--quiet"]).exit_code == 0
    with Session.read("one") as session:
        numbers = [event.number for event in session.events() if isinstance(event, MessagePosted)]
    assert numbers == list(range(1, 10))


def test_a_report_that_no_model_can_write_is_memorys_own_and_says_so(fake, tmp_path, monkeypatch):
    """Without it the last call of a debate costs its verdict, or a reader takes memory's report for a model's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.delenv("EDA_RUNNER", raising=False)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
    eda = partial(CliRunner().invoke, cli, prog_name="eda", catch_exceptions=False)

    def reported(trouble: Say | Fail, *args: str) -> tuple[str, str]:
        fake.answer = lambda body: trouble if "reasons" in asked_for(body) else answered(body)
        done = eda(args)
        assert done.exit_code == 0
        report, _, run = (tmp_path / "sessions" / "one" / "report.md").read_text().partition("## How it was run")
        return report + run[run.rindex("\n*") :], done.stderr  # what it cost is left out, who wrote it is not

    debated = (
        "debate",
        "Shall we go?",
        "--option",
        "Go",
        "--option",
        "Wait",
        "--session",
        "one",
        "--max-messages",
        "2",
    )
    first, told = reported(Say("", stop="refusal"), *debated, "--persona", "sceptic", "--persona", "historian")
    assert "No model wrote any of it: every line is from the log." in first
    assert "refused to answer\nhint: eda report one --runner anthropic" in told
    asked_again = ("report", "one", "--runner", "anthropic")
    for trouble in (Say('{"reasons": "We', stop="max_tokens"), STOPPING["key"]):
        again, told = reported(trouble, *asked_again)
        assert "note: no model chose what the report quotes: " in told
        assert again == first
    prose = {"reasons": [], "dissent": [], "risks": [], "open": []}
    last, told = reported(Say(json.dumps(prose)), *asked_again)
    assert ("chose what is quoted" in last, "No model wrote" in last, told) == (True, False, "")


# What comes too late


@pytest.mark.parametrize("how", ["stopped", "timed out"])
def test_the_late_answer_of_a_call_that_was_given_up_goes_nowhere(fake, made, tmp_path, how):
    """Without it a reply that comes after its turn lands in a later one, and somebody speaks twice."""
    fake.answer = lambda body: Say(f"{HALF} and more") if len(fake.requests) == 1 else answered(body)
    with Wire(fake.url) as wire, Session.create("one", tmp_path) as session:
        wire.holds = HALF[:5].encode()
        of = debate(made(base_url=wire.url, timeout=1.0 if how == "timed out" else 60), session)
        if how == "stopped":
            of.on(TextStreamed)(lambda event: None)

            async def stopped() -> None:
                running = asyncio.create_task(of.run())
                assert await asyncio.to_thread(wire.held.wait, 30)
                of.stop()
                await running
                await of.runner.close()

            asyncio.run(stopped())
        else:
            assert run(of)
        before = (tmp_path / "one" / "events.jsonl").read_bytes()
        wire.release.set()
        assert wire.late.wait(30)
        assert (tmp_path / "one" / "events.jsonl").read_bytes() == before
        assert HALF.encode() not in before
        if how == "stopped":
            of = Debate.resume(session, made())
            run(of)
        assert in_order(of)
        assert [message.number for message in events(of, MessagePosted)] == list(range(1, 8))


def test_a_debate_that_is_stopped_in_mid_stream_hangs_up(fake, made):
    """Without it Ctrl-C leaves a model writing, and the reader paying."""
    half = HALF * 20
    fake.answer = lambda body: Say(half, then="stall") if not asked_for(body) and "m4" in str(body) else answered(body)
    of = debate(made())
    of.on(TextStreamed)(lambda event: of.stop() if event.text in half else None)
    run(of)
    assert fake.hung_up.wait(30)
    assert isinstance(events(of)[-1], SessionPaused)
    assert len(events(of, MessagePosted)) == 4
