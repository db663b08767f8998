"""An outage pauses the debate, whatever the server does and whenever; what is resumed is as if nothing had been."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from fake_anthropic import Fail, FakeAnthropic, Waits
from fake_chat import local_runner
from faulty import CHAT_FAULTS, FAULTS, MOMENTS, SLOW, Faulty, calm, evening, resumed, run_into, runner_of
from in_turn import each_other, in_turn

from eda import Debate, Reply
from eda.cli import cli
from eda.errors import RunnerUnavailableError
from eda.events import BallotCast, MessagePosted
from eda.runners.human import HumanRunner
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.protocol import Prompt
from eda.runners.server import FEW_TRIES, TRIES, Caller, PassingError, Server
from eda.runners.simulated.runner import SimulatedRunner
from eda.session import Session

SPEAK = Prompt(purpose="speak", own="Speak.")


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return asyncio.run(calm(tmp_path_factory.mktemp("calm")))


@pytest.fixture(scope="module")
def expected_of_chat(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return asyncio.run(calm(tmp_path_factory.mktemp("calm"), "vllm"))


@pytest.fixture
def eda(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    return lambda *args: CliRunner().invoke(cli, args, prog_name="eda", catch_exceptions=False)


IN_TURN = {fault: list(MOMENTS)[place % 4] for place, fault in enumerate(FAULTS)}


@pytest.mark.parametrize(
    ("fault", "moment"),
    [
        *each_other(IN_TURN.items(), of=3),
        *in_turn(("refuses connections", "calls a tool only"), list(MOMENTS)[1:]),
    ],
)
async def test_the_debate_pauses_and_goes_on_as_if_nothing_had_been(fault, moment, expected, tmp_path):
    """Without it an outage at night is turns that failed, votes that nobody cast, and a verdict on nothing."""
    with Faulty(fault, MOMENTS[moment]) as server:
        assert await run_into(server, "one", tmp_path)
        assert await resumed(server, "one", tmp_path) == expected


CHAT_ONLY = [fault for fault in CHAT_FAULTS if CHAT_FAULTS[fault] != FAULTS.get(fault, b"")]


@pytest.mark.parametrize(
    ("fault", "moment"), each_other((fault, list(MOMENTS)[place % 4]) for place, fault in enumerate(CHAT_ONLY))
)
async def test_the_same_holds_of_a_server_of_the_other_api(fault, moment, expected_of_chat, tmp_path):
    """Without it what keeps a debate whole at one vendor loses it at all others."""
    with Faulty(fault, MOMENTS[moment], "vllm") as server:
        assert await run_into(server, "one", tmp_path, kind="vllm")
        assert await resumed(server, "one", tmp_path, kind="vllm") == expected_of_chat


async def test_an_evening_with_the_server_off_three_times_is_as_if_it_had_never_been_off(expected, tmp_path):
    """The whole point: who starts the server again has the debate that they would have had."""
    assert await evening(tmp_path) == expected


VAIN = ("refuses all with 400", "refuses all with 413", "answers blanks", "answers JSON without fields")
"""Answers, and no failures: only what a greeting gets tells that they are of the server, and not of one call."""
GIVEN_UP = [fault for fault in FAULTS if not fault.startswith(("answers 4", "answers 5"))]


@pytest.mark.parametrize(("fault", "kind"), in_turn(GIVEN_UP, ["claude", "vllm"]))
async def test_a_server_that_never_gave_a_usable_answer_is_given_up_after_two_tries(fault, kind):
    """Without it whoever mistyped an address waits half a minute, and reads of a connection that broke."""
    with Faulty(fault, MOMENTS["start"], kind) as server:
        waits = Waits()
        runner = runner_of(server, kind, 0.2 if "seconds" in WORDS[fault] else 5.0, waits)
        with pytest.raises(RunnerUnavailableError) as told:
            await runner.run(SPEAK)
        await runner.close()
    if fault == "refuses the key":
        assert (server.failed, told.value.refused) == (1, True)
    elif fault == "hangs up":  # a wire that breaks may hold next time
        assert (server.failed, len(waits)) == (TRIES, TRIES - 1)
    elif fault in VAIN:  # the call, and a greeting
        assert (server.failed, len(waits)) == (2, 0)
    else:
        assert len(waits) == FEW_TRIES - 1
    assert WORDS[fault] in str(told.value)
    assert not server.asked - server.failed


WORDS = {
    "refuses connections": "is not there",
    "hangs up": "disconnected without sending a response",
    "is silent": "no progress for 0.2 seconds",
    "drips a byte at a time": "no progress for 0.2 seconds",
    "drips words for ever": "no end after 1 seconds",
    "answers 200 with HTML": "what came is no answer of a model but text/html",
    "answers an empty 200": "the answer broke off",
    **dict.fromkeys(VAIN, "gives no usable answer any more"),
    "redirects": "redirects to http://127.0.0.1:9/v1/messages, and no redirect is followed (307)",
    "streams nonsense": "what came is no answer of a model",
    "calls a tool only": "the answer was a call of a tool and held no text",
    "refuses the key": "refuses this key or account",
}


@pytest.mark.parametrize(
    ("fault", "kind", "hint"),
    [
        ("answers 429", "vllm", "The server is there"),
        ("answers 500", "claude", "The server is there"),
        ("answers an empty 200", "vllm", "The server is there"),
        ("refuses connections", "vllm", "Does it run, and is the address right?"),
        ("answers 200 with HTML", "claude", "Is ANTHROPIC_BASE_URL right?"),
    ],
)
async def test_what_to_do_fits_what_failed(fault: str, kind: str, hint: str):
    """A server that said "slow down" was doubted to run, and to be at the address at which it had answered."""
    with Faulty(fault, MOMENTS["start"], kind) as server:
        runner = runner_of(server, kind, 5.0, Waits())
        with pytest.raises(RunnerUnavailableError) as told:
            await runner.run(SPEAK)
        await runner.close()
    assert hint in told.value.hint


async def test_a_name_that_does_not_resolve_is_told_from_a_server_that_is_down(monkeypatch):
    """Without a network it sent people to the status page of a provider."""

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    runner = AnthropicRunner("m", api_key="sk-ant-not-a-key-4711", base_url="http://a.invalid", sleep=Waits())
    with pytest.raises(RunnerUnavailableError) as told:
        await runner.run(SPEAK)
    await runner.close()
    assert "typing mistake" in told.value.hint


# One breaker a server


async def test_calls_of_all_runners_share_one_breaker_and_one_probe():
    """Without it five openings ask a dead server for five deadlines each."""
    with Faulty("is silent", MOMENTS["start"], "vllm") as server:
        runners = [local_runner(server.url, name, timeout=0.3, sleep=Waits()) for name in "mnopq"]
        ends = await asyncio.gather(*(runner.run(SPEAK) for runner in runners), return_exceptions=True)
        for runner in runners:
            await runner.close()
    assert {type(end) for end in ends} == {RunnerUnavailableError}
    assert len({str(end) for end in ends}) == 1
    assert server.failed == len(runners) + 1


async def test_one_call_that_gets_through_closes_the_breaker():
    """Without it a server that came back while it was probed is given up all the same."""
    server, waits, failed = Server(), Waits(), dict.fromkeys("abc", 0)

    def caller(name: str) -> Caller:
        return Caller(name, 3, "Wait.", waits, lambda *_: None)

    async def once(name: str) -> str:
        await asyncio.sleep(0)
        failed[name] += 1
        if failed["a"] < 3:
            raise PassingError("down")
        return name

    assert await asyncio.gather(*(server.call(lambda name=name: once(name), caller(name)) for name in failed)) == [
        *failed
    ]
    assert failed == {"a": 3, "b": 3, "c": 3}


# What the command line says


def test_a_key_that_is_refused_and_a_model_that_nobody_knows_leave_no_session(fake: FakeAnthropic, eda, tmp_path):
    """Without it each typing mistake is a session in the list."""
    for fail, words in ((Fail(401, "authentication_error"), "EDA_LOCAL_KEY"), (Fail(404, "not_found_error"), "Is m")):
        fake.answer = lambda _, fail=fail: fail
        done = eda("debate", "Go?", "--session", "one", "--runner", f"local:{fake.url}#m", "--record")
        assert done.exit_code == 1
        assert words in done.stderr
        assert "eda resume" not in done.stderr
        assert "no session is kept" in done.stderr
        assert list((tmp_path / "sessions").iterdir()) == []


@pytest.mark.parametrize("model", ["", "#m"])
def test_a_server_that_is_not_there_leaves_no_session(eda, tmp_path, model):
    """Without it each try until the server runs is an empty session in the list: go, go-2, go-3."""
    with Faulty() as server:
        address = server.url
    done = eda("debate", "Go?", "--runner", f"local:{address}{model}", "--quiet")
    assert done.exit_code == 1
    assert "no session is kept" in done.stderr
    assert "Does it run, and is the address right?" in done.stderr
    assert "eda resume" not in done.stderr
    assert list((tmp_path / "sessions").iterdir()) == []


def test_a_debate_that_is_stopped_at_its_first_call_leaves_no_session(eda, tmp_path, monkeypatch):
    """The documentation said so, and an empty session took the name."""

    async def interrupted(*_: object, **__: object) -> None:
        signal.raise_signal(signal.SIGTERM)
        await asyncio.Event().wait()

    with monkeypatch.context() as patched:
        patched.setattr(SimulatedRunner, "run", interrupted)
        done = eda("debate", "Go?", "--session", "one", "--runner", "simulated", "--quiet")
    assert done.exit_code == 130
    assert "no session is kept" in done.stderr
    assert list((tmp_path / "sessions").iterdir()) == []


async def test_a_vote_of_a_person_is_something_that_is_kept():
    """It is no call, and the session that held it alone would have been taken for an empty one."""

    class Hanging(SimulatedRunner):
        async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
            asyncio.get_running_loop().call_soon(stop_once_voted)
            await asyncio.Event().wait()
            raise AssertionError

    def stop_once_voted() -> None:
        if "Ada" in debate.inbox.to_vote:
            asyncio.get_running_loop().call_soon(stop_once_voted)
        else:
            debate.stop()

    async def ask(_: Prompt) -> str:
        return "A"

    seats = {"Ada": HumanRunner(ask, letters=True)}
    debate = Debate("Go?", ["sceptic", "historian"], Hanging(), options=("Go", "Stay"), human="Ada", seats=seats)
    async with asyncio.timeout(30):
        await debate.run()
    assert [cast.ballot.agent for cast in debate.session.events() if isinstance(cast, BallotCast)] == ["Ada"]
    assert not debate.untouched


def test_a_session_of_before_stays_where_its_server_is_not_there(eda, tmp_path):
    """What was saved once is not thrown away by a try to go on with it."""
    with Faulty() as server:
        address = server.url
    eda("debate", "Go?", "--session", "one", "--runner", "simulated", "--max-messages", "6", "--quiet")
    done = eda("resume", "one", "--runner", f"local:{address}#m", "--max-messages", "12", "--quiet")
    assert done.exit_code == 1
    assert "go on with: eda resume one" in done.stderr
    with Session.read("one", tmp_path / "sessions") as session:
        assert [fact.number for fact in session.events() if isinstance(fact, MessagePosted)] == [*range(1, 7)]


@pytest.mark.long
def test_the_deadline_is_a_setting_that_a_resume_keeps_and_can_change(eda, tmp_path):
    """Without it a small machine that needs minutes for a prompt has the same debate paused again and again."""
    with Faulty("is silent", MOMENTS["mid-phase"], "vllm") as server:
        given = ("--session", "one", "--runner", f"local:{server.url}#m", "--call-timeout", "0.2", "--quiet")
        done = eda("debate", "Go?", "--persona", "sceptic", "--persona", "historian", "--no-first-vote", *given)
        assert (done.exit_code, "no progress for 0.2 seconds" in done.stderr) == (1, True)
        done = eda("resume", "one", "--quiet")
        assert (done.exit_code, "no progress for 0.2 seconds" in done.stderr) == (1, True)
        done = eda("resume", "one", "--call-timeout", "0.3", "--quiet")
        assert (done.exit_code, "no progress for 0.3 seconds" in done.stderr) == (1, True)


def test_a_debate_in_which_nobody_spoke_or_voted_does_not_succeed(fake: FakeAnthropic, eda):
    """Without it a script takes an evening of refusals for a decision."""
    fake.answer = lambda _: Fail(413, "request_too_large")
    done = eda("debate", "Go?", "--session", "one", "--runner", f"local:{fake.url}#m", "--json", "--max-messages", "5")
    assert done.exit_code == 1
    assert "no session is kept" in done.stderr
    assert "unknown session" in eda("show", "one").stderr


def test_every_slow_fault_is_one_that_is_tried() -> None:
    """A deadline that no fault meets is tested by none."""
    assert set(SLOW) < set(FAULTS) == set(WORDS) | {fault for fault in FAULTS if fault.startswith("answers ")}
