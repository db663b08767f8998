"""`--runner local:URL`: a server of the user's own, over real HTTP, that knows as little as such servers do."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result
from fake_anthropic import Fail, Say, Waits
from fake_chat import local_runner
from in_turn import in_one
from pydantic import BaseModel, Field

from eda.cli import cli
from eda.errors import RunnerError, RunnerUnavailableError, UsageError
from eda.events import CallMade
from eda.panels.persona import Persona
from eda.runners.protocol import Prompt, Runner, Usage
from eda.runners.shipped import make_runner, named_runner
from eda.session import Session
from eda.text import rough_tokens

SPEAK = Prompt(purpose="speak", agent="Ada", system="House rules.", shared=("Question?",), own="Speak.")


class Wish(BaseModel):
    """A bid as a test asks for it."""

    wants: bool
    urgency: float = Field(ge=0, le=1)


BID = Prompt(purpose="bid", agent="Ada", own="Bid.", answer=Wish)
GOOD = '{"wants": true, "urgency": 0.7}'


@pytest.fixture
def nobody() -> str:
    """A URL where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


@pytest.fixture
def eda(tmp_path, monkeypatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    return lambda *args: CliRunner().invoke(cli, args, prog_name="eda", catch_exceptions=False)


def seat(model: str) -> Persona:
    return Persona(name="ada", title="Ada", role="r", description="d", instruction="i", model=model)


def panel(request: dict) -> Say:
    """What a small model answers: a speech, or JSON where the prompt asks for some."""
    asked = "".join(block["text"] for block in request["messages"][0]["content"][-2:])
    if '{"' not in asked:
        return Say("I would wait. We know too little.", usage=None)
    if '"wants"' in asked:
        return Say("<think>Hm {so}.</think>" + '{"wants": true, "urgency": 0.6, "reason": "I know it"}', usage=None)
    return Say('{"choice": "Wait", "reason": "too early"}', usage=None)


async def test_it_needs_no_key_and_is_sent_none(fake, monkeypatch):
    """Without it a local server asks for an account, or gets to see the user's key for another service."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-not-a-key-4711")
    monkeypatch.delenv("EDA_RUNNER", raising=False)
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token-4711")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Gateway-Key: 4711\nAuthorization: Bearer 4711")
    runner = local_runner(f"{fake.url}/v1/", "qwen3:4b")
    reply = await runner.run(SPEAK)
    await runner.close()
    assert isinstance(runner, Runner)
    assert (reply.text, reply.model, reply.usage.cost) == ("It is so.", "qwen3:4b", 0.0)
    assert "4711" not in json.dumps(fake.headers)
    assert "x-gateway-key" not in fake.headers[0]
    assert "output_config" not in fake.requests[0]


async def test_a_proxy_that_wants_a_key_gets_its_own(fake, monkeypatch):
    """Without it nobody can use a proxy of their company."""
    monkeypatch.setenv("EDA_LOCAL_KEY", "team-key-for-the-proxy")
    runner = local_runner(fake.url, "m")
    await runner.run(SPEAK)
    fake.play(Fail(401, "authentication_error", "bad key team-key-for-the-proxy"))
    with pytest.raises(RunnerUnavailableError, match=r"bad key \[key\]") as caught:
        await runner.run(SPEAK)
    await runner.close()
    assert "EDA_LOCAL_KEY" in caught.value.hint


@pytest.mark.parametrize(("listed", "name"), [(["a/b-7b", "c"], "a/b-7b"), ([], "local"), (None, "local")])
async def test_a_model_that_is_not_named_is_the_first_that_the_server_lists(fake, listed, name):
    """Without it a server that holds to names refuses every call."""
    fake.models = listed
    runner = local_runner(fake.url)
    assert runner.model_for(SPEAK) == "local"
    assert (await runner.run(SPEAK)).model == name
    await runner.run(BID)
    await runner.close()
    assert {sent["model"] for sent in fake.requests} == {name}


async def test_json_is_asked_for_in_words_and_read_beside_thinking(fake):
    """Without it no bid of a local model is ever read: such servers ignore the field that asks for JSON."""
    fake.play(Say(f"<think>Right, {{}}.</think>```json\n{GOOD}\n```"), Say("No."))
    runner = local_runner(fake.url, "m")
    assert (await runner.run(BID)).data == {"wants": True, "urgency": 0.7}
    assert '"urgency"' in fake.requests[0]["messages"][0]["content"][-1]["text"]
    assert (await runner.run(BID)).data is None
    await runner.close()
    assert len(fake.requests) == 2


async def test_thinking_in_the_text_is_not_speech(fake):
    """Without it a persona's private thinking is read out, where the server does not know the model's format."""
    fake.play(Say("<think>Secretly.</think>\n\nAloud."), Say("<think>Too long to e"))
    runner = local_runner(fake.url, "m")
    assert (await runner.run(SPEAK)).text == "Aloud."
    with pytest.raises(RunnerError, match="without any text"):
        await runner.run(SPEAK)
    await runner.close()


async def test_what_a_server_does_not_count_is_estimated_and_free_all_the_same(fake):
    """Without it a budget of tokens is never spent, and `eda show --cost` shows a debate of 0 tokens."""
    fake.play(Say("So.", usage=None))
    runner = local_runner(fake.url, "m")
    reply = await runner.run(SPEAK)
    await runner.close()
    sent = rough_tokens(len(SPEAK.text))
    assert (reply.text, reply.usage) == ("So.", Usage(input_tokens=sent, output_tokens=1, cost=0.0))


async def test_sampling_is_passed_on_and_only_where_asked_for(fake):
    """Without it a panel on a local model cannot be made livelier, or a strict server refuses what it does not know."""
    plain = local_runner(fake.url, "m")
    await plain.run(SPEAK)
    assert not {"temperature", "top_p", "seed"} & fake.requests[0].keys()
    runner = make_runner(f"local:{fake.url}#m,temperature=0,top-p=0.9")
    await runner.run(Prompt(purpose="speak", own="x", seed=7))
    assert {key: fake.requests[1][key] for key in ("temperature", "top_p", "seed")} == {
        "temperature": 0,
        "top_p": 0.9,
        "seed": 7,
    }
    await plain.close()
    await runner.close()


@pytest.mark.parametrize(("wish", "model"), [("other:7b", "other:7b"), ("sonnet", "m"), ("inherit", "m")])
async def test_a_persona_has_its_own_model_but_none_of_claudes(fake, wish, model):
    """Without it a folder of personas made for Claude fails its every turn on a local server."""
    runner = local_runner(fake.url, "m", cheap="small")
    await runner.run(Prompt(purpose="speak", own="x", persona=seat(wish)))
    await runner.run(Prompt(purpose="bid", own="x", persona=seat(wish)))
    await runner.close()
    assert [sent["model"] for sent in fake.requests] == [model, "small"]


@pytest.mark.parametrize("model", [None, "m"])
async def test_a_server_that_is_not_there_is_said_after_a_second_try(nobody, model):
    """Without it a server that was never started costs a minute of waiting, and then a turn, and then the next."""
    waits = Waits()
    runner = local_runner(nobody, model or "", fallback="n", sleep=waits)
    with pytest.raises(RunnerUnavailableError, match="is not there") as caught:
        await runner.run(SPEAK)
    await runner.close()
    assert "/v1/chat/completions" in caught.value.hint
    assert len(waits) == 1
    assert waits[0] < 1


@in_one(
    "spec",
    [
        "local:",
        "local:localhost:8080",
        "local:http://",
        "local:ftp://127.0.0.1",
        "local:http://127.0.0.1:port",
        "local:http://me:secret@127.0.0.1",
        "local:http://127.0.0.1?key=secret",
        "local:http://127.0.0.1#a b",
        "local:http://127.0.0.1#m,temperature=9",
        "local:http://127.0.0.1#m,temperature=nan",
        "local:http://127.0.0.1#m,top-p=0",
        "local:http://127.0.0.1#m,top-k=3",
        "local",
    ],
)
def test_what_cannot_be_asked_is_refused_before_any_call(spec):
    """Without it a slip of the finger is found after the session was made, or a password is kept in it."""
    with pytest.raises(UsageError) as caught:
        make_runner(spec)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("spec", ["local:http://[::1]:8080/api#a/b:4b+c,fallback=d,temperature=0.5", "local:http://h"])
def test_a_spec_makes_the_same_runner_again(spec):
    """Without it a resume asks other models than the session did."""
    assert make_runner(named_runner(spec)).spec == spec


def test_a_debate_with_a_local_server_ends_in_a_verdict_that_costs_nothing(fake, eda):
    """The whole point: a panel at home, resumed with the same server and model, with nothing paid and nothing sent."""
    fake.answer = panel
    fake.models = ["tiny"]
    args = ("--persona", "sceptic", "--persona", "historian", "--option", "Wait", "--option", "Go", "--session", "one")
    done = eda("debate", "Shall we go?", *args, "--runner", f"local:{fake.url}", "--max-messages", "5", "--json")
    assert done.exit_code == 0, done.output
    started = json.loads(done.stdout)
    assert started["verdict"]["outcome"] == "Wait"
    more = eda("resume", "one", "--max-messages", "7", "--cheap-model", "tinier", "--quiet")
    assert more.exit_code == 0, more.output
    assert {sent["model"] for sent in fake.requests} == {"tiny", "tinier"}
    with Session.read("one") as session:
        calls = [event for event in session.events() if isinstance(event, CallMade)]
    assert {call.cost for call in calls} == {0.0}
    answer = eda("ask", "one", "sceptic", "Why?", "--json")
    assert json.loads(answer.stdout)["model"] == "tiny"


def test_a_debate_without_its_server_ends_and_says_what_to_do(nobody, eda):
    """Without it somebody who forgot to start the server gets a traceback, or a debate of failed turns."""
    done = eda("debate", "Shall we go?", "--session", "one", "--runner", f"local:{nobody}", "--quiet")
    assert done.exit_code == 1
    assert "/v1/chat/completions" in done.stderr
    assert "the same command begins anew" in done.stderr


async def test_a_server_that_rests_before_it_lists_its_models_pauses_the_debate(fake):
    """Without it every turn of an hour of rest fails, and the debate ends with nothing said."""
    fake.models = Fail(429, "rate_limit_error", headers={"retry-after": "3600"})
    runner = local_runner(fake.url, sleep=Waits())
    with pytest.raises(RunnerUnavailableError, match="3600 seconds of rest"):
        await runner.run(SPEAK)
    await runner.close()
