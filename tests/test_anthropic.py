"""The `anthropic` runner: the real SDK over real HTTP against a server of our own on loopback."""

from __future__ import annotations

import asyncio
import json
import socket
import time
import traceback
from collections.abc import AsyncIterator
from email.utils import formatdate
from typing import Literal

import pytest
from anthropic import AsyncAnthropic
from fake_anthropic import Fail, FakeAnthropic, Say, Waits
from hypothesis import given, strategies as st
from pydantic import BaseModel, Field

from eda.debate.asking import call_made, reply_of_failure
from eda.errors import RunnerError, RunnerUnavailableError
from eda.events import UsageTotals
from eda.panels.persona import Persona
from eda.runners.api_client import blocks
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.protocol import Prompt, Runner, Usage
from eda.runners.server import TakesNotError, error_line, on_wait, secrets_of

KEY = "sk-ant-not-a-key-4711"
SPEAK = Prompt(
    purpose="speak", agent="Ada", system="House rules.", shared=("Question?", "[1] Bo: Yes."), ends=(1,), own="Speak."
)


class Wish(BaseModel):
    """A bid as a test asks for it."""

    wants: bool
    urgency: float = Field(ge=0, le=1)
    mood: Literal["calm", "cross"] = "calm"


BID = Prompt(purpose="bid", agent="Ada", system="House rules.", own="Bid.", answer=Wish)
GOOD = '{"wants": true, "urgency": 0.7, "mood": "cross"}'


def persona(model: str | None) -> Persona:
    return Persona(name="ada", title="Ada", role="r", description="d", instruction="i", model=model)


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
async def runner(fake: FakeAnthropic, waits: Waits) -> AsyncIterator[AnthropicRunner]:
    made = AnthropicRunner(api_key=KEY, base_url=fake.url, sleep=waits)
    yield made
    await made.close()


# What is sent


async def test_a_turn_is_streamed_priced_and_laid_out_for_the_cache(fake, runner):
    """Without it a reader stares at an empty screen, pays full price each turn, and never learns what it cost."""
    usage = {
        "input_tokens": 100,
        "output_tokens": 200,
        "cache_read_input_tokens": 1000,
        "cache_creation_input_tokens": 40,
    }
    fake.play(Say("It is so. It was so.", usage=usage))
    pieces: list[str] = []
    reply = await runner.run(SPEAK, pieces.append)
    assert reply.text == "".join(pieces) == "It is so. It was so."
    assert len(pieces) > 1
    assert reply.model == "claude-sonnet-5-5"
    assert reply.data is None
    cost = (100 * 2 + 40 * 2.5 + 1000 * 0.2 + 200 * 10) / 1e6
    assert reply.usage == Usage(100, 200, 1000, 40, pytest.approx(cost))
    (sent,) = fake.requests
    assert sent["system"] == [{"type": "text", "text": "House rules."}]
    (turn,) = sent["messages"]
    assert turn["content"] == [
        {"type": "text", "text": "Question?", "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": "\n\n[1] Bo: Yes.", "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": "\n\nSpeak."},
    ]
    assert sent["max_tokens"] >= 4000
    assert not {"temperature", "top_p", "top_k", "tool_choice", "thinking"} & sent.keys()
    assert fake.headers[0]["authorization"] == f"Bearer {KEY}"


@given(*[st.lists(st.text(alphabet="ab \n", max_size=30), max_size=9)] * 2)
def test_a_growing_transcript_keeps_its_blocks(parts, more):
    """Without it every turn pays for the whole transcript again: a cache finds whole blocks, not their beginnings."""
    before = blocks(parts, "own", [len(parts)])[:-1]
    after = blocks([*parts, *more], "own", [len(parts), len(parts) + len(more)])
    assert [block["text"] for block in after[: len(before)]] == [block["text"] for block in before]
    assert sum("cache_control" in block for block in after) <= 2
    assert all(block["text"].strip() for block in after)  # the API refuses blank blocks


def test_the_model_reads_what_the_prompt_says():
    """Without it a cut between blocks could lose or double words."""
    lines = tuple(f"[m{number}] Bo: a line of some length, number {number}" for number in range(300))
    prompt = Prompt(purpose="speak", shared=("Question?", *lines), own="Speak.")
    sent = blocks(prompt.shared, prompt.own, [1, 301])
    assert "".join(block["text"] for block in sent) == prompt.text
    assert [place for place, block in enumerate(sent) if "cache_control" in block] == [0, 300]


# What comes back


async def test_thinking_is_not_speech(fake, runner):
    """Without it a persona's private thinking is read out to the panel."""
    fake.play(Say("Aloud.", thinking="Secretly."))
    pieces: list[str] = []
    assert (await runner.run(SPEAK, pieces.append)).text == "".join(pieces) == "Aloud."


async def test_a_structured_answer_is_asked_for_and_checked(fake, runner):
    """Without it bids are guessed from prose, or braces run over the screen."""
    fake.play(Say(GOOD, thinking="Hm."))
    pieces: list[str] = []
    reply = await runner.run(BID, pieces.append)
    assert reply.data == {"wants": True, "urgency": 0.7, "mood": "cross"}
    assert pieces == []
    output = fake.requests[0]["output_config"]
    assert output["effort"] == "low"
    assert output["format"]["type"] == "json_schema"
    assert set(output["format"]["schema"]["properties"]) == {"wants", "urgency", "mood"}


@pytest.mark.parametrize("bad", ['{"wants": true, "urgency": 7}', "I would rather not say.", '{"wants": tr'])
async def test_an_answer_that_does_not_fit_has_text_and_no_data(fake, runner, bad):
    """Without it the runner and the debate ask again each, for reasons of which the member hears one."""
    fake.play(Say(bad), Say(GOOD))
    reply = await runner.run(BID)
    assert (reply.text, reply.data) == (bad, None)
    assert len(fake.requests) == 1


async def test_a_model_that_nobody_knows_is_asked_for_json_in_words(fake, waits):
    """Without it a newer or a local model gets a field that it refuses, and no bid is ever read."""
    fake.play(Say(f"Sure:\n```json\n{GOOD}\n```"))
    runner = AnthropicRunner(cheap_model="my-own", api_key=KEY, base_url=fake.url, sleep=waits)
    reply = await runner.run(BID)
    await runner.close()
    assert reply.data is not None
    (sent,) = fake.requests
    assert "output_config" not in sent
    assert '"urgency"' in sent["messages"][0]["content"][-1]["text"]


async def test_a_refused_schema_is_told_once_and_known_to_calls_side_by_side(fake, runner):
    """Each vote would be made twice; and no error text of a server says for certain what it refuses."""
    fake.play()
    fake.answer = lambda body: Fail(400) if "format" in body.get("output_config", {}) else Say(GOOD)
    told = []
    token = on_wait.set(lambda wait: told.append(wait.reason))
    replies = await asyncio.gather(*[runner.run(BID) for _ in range(5)])
    on_wait.reset(token)
    assert all(reply.data for reply in replies)
    assert ["format" in body.get("output_config", {}) for body in fake.requests] == [True, *[False] * 5]
    assert '"urgency"' in fake.requests[1]["messages"][0]["content"][-1]["text"]
    assert [reason.partition(":")[0] for reason in told] == [f"{replies[0].model} does not take output_config.format"]


async def test_a_call_that_is_refused_in_words_as_well_keeps_its_schema(fake, runner):
    """One call that is too long would cost all others their form."""
    fake.play(Fail(400, message="prompt is too long"), Fail(400, message="prompt is too long"), Say(GOOD))
    with pytest.raises(RunnerError, match="too long"):
        await runner.run(BID)
    assert (await runner.run(BID)).data
    assert "format" in fake.requests[-1]["output_config"]


async def test_a_speech_cut_at_the_limit_ends_with_a_sentence(fake, runner):
    """Without it messages end in the middle of a word, or a long speech is lost whole."""
    fake.play(Say("We should wait. Then we sho", stop="max_tokens"), Say("We should nev", stop="max_tokens"))
    assert (await runner.run(SPEAK)).text == "We should wait."
    with pytest.raises(RunnerError, match="before it had written one sentence"):
        await runner.run(SPEAK)


@pytest.mark.parametrize(
    ("say", "match"),
    [(Say("I can", stop="refusal"), "refused"), (Say("", stop="max_tokens"), "without any text")],
)
async def test_a_refusal_and_a_reply_of_thinking_alone_are_failures_that_say_so(fake, runner, waits, say, match):
    """Without it half a refusal is posted, or the same refusal is paid for seven times."""
    fake.play(say)
    with pytest.raises(RunnerError, match=match) as caught:
        await runner.run(SPEAK)
    assert not isinstance(caught.value, RunnerUnavailableError)
    assert len(fake.requests) == 1
    assert waits == []


@pytest.mark.parametrize("nothing", ["", " \n"])
async def test_an_empty_reply_is_one_and_says_what_it_took(fake, runner, nothing):
    """Without it nobody can ask once more, and the call is in no sum."""
    fake.play(Say(nothing))
    reply = await runner.run(SPEAK)
    assert (reply.text, reply.usage.output_tokens) == ("", 2 * 20), "its own, and those of the greeting"


# What goes wrong


@pytest.mark.parametrize(
    "trouble",
    [
        Fail(429, "rate_limit_error"),
        Fail(529, "overloaded_error"),
        *map(Fail, (408, 500, 503)),
        Fail(400, headers={"x-should-retry": "true"}),
        Say("A half tho", then="overloaded_error"),
        Say("A half tho", then="cut"),
        Say("A half tho", then="drop"),
    ],
)
async def test_what_may_pass_is_asked_again_and_no_half_text_is_kept(fake, runner, waits, trouble):
    """Without it a hiccup of the network costs a turn, or half a sentence becomes a message."""
    fake.play(trouble, trouble, Say("Whole."))
    reply = await runner.run(SPEAK, lambda piece: None)
    assert reply.text == "Whole."
    assert len(fake.requests) == 3
    assert 0 < waits[0] < waits[1] < 2
    assert all(headers["x-stainless-retry-count"] == "0" for headers in fake.headers)  # the SDK does not ask again too


async def test_a_stall_is_a_failure_too(fake, waits):
    """Without it a silent server holds the floor for good."""
    fake.play(Say("A half tho", then="stall"))
    fake.answer = lambda _: Say("Whole.")
    runner = AnthropicRunner(api_key=KEY, base_url=fake.url, sleep=waits, timeout=1.0)
    heard: list[str] = []
    before = on_wait.set(lambda delayed: heard.append(delayed.reason))
    assert (await runner.run(SPEAK)).text == "Whole."
    on_wait.reset(before)
    assert [reason.partition(",")[0] for reason in heard] == [
        "no progress for 1 seconds; --call-timeout sets another limit"
    ]
    await runner.close()


async def test_usage_counts_the_attempts_that_failed(fake, runner):
    """Without it a bad evening costs more than the status line and the budget ever saw."""
    fake.play(Say("A half tho", then="drop"), Fail(529), Say("Whole."))
    usage = (await runner.run(SPEAK)).usage
    assert (usage.input_tokens, usage.output_tokens) == (200, 21)
    assert usage.cost == pytest.approx((200 * 2 + 21 * 10) / 1e6)


@pytest.fixture
def tokyo():
    """The clock on the wall is nine hours ahead."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "JST-9")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize(
    "headers",
    [
        lambda: {"retry-after": "9"},
        lambda: {"retry-after-ms": "9000"},
        lambda: {"retry-after": formatdate(time.time() + 40, usegmt=True)},
        lambda: {"retry-after": formatdate(time.time() + 40)},
    ],
    ids=["seconds", "milliseconds", "date", "date without a zone"],
)
async def test_the_wait_that_the_server_asks_for_is_kept(fake, runner, waits, headers, tokyo):
    """Without it each retry meets the same limit, and the account is throttled for longer."""
    fake.play(Fail(429, "rate_limit_error", headers=headers()))
    await runner.run(SPEAK)
    (wait,) = waits
    assert 9 <= wait <= 50
    fake.play(*3 * [Fail(429, "rate_limit_error", headers={"retry-after": "0"})])
    await runner.run(SPEAK)
    assert 0.3 < waits[1] < waits[3]  # one that wants none is not pestered


async def test_a_wait_of_an_hour_is_not_waited(fake, runner, waits):
    """Without it the panel hangs for an hour with nothing on the screen."""
    fake.play(Fail(429, "rate_limit_error", headers={"retry-after": "3600"}))
    with pytest.raises(RunnerError, match="3600 seconds"):
        await runner.run(SPEAK)
    assert waits == []


async def test_asking_again_is_bounded(fake, runner, waits):
    """Without it an outage of the provider hangs the debate."""
    fake.play(*[Fail(529, "overloaded_error", "Overloaded")] * 20)
    with pytest.raises(RunnerError, match=r"failed 7 times.*Overloaded \(529\)"):
        await runner.run(SPEAK)
    assert len(fake.requests) == 7
    assert sum(waits) < 60


async def test_no_server_at_all(waits):
    """Without it a wrong base URL ends in a traceback."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    runner = AnthropicRunner(api_key=KEY, base_url=f"http://127.0.0.1:{port}", sleep=waits, attempts=2)
    with pytest.raises(RunnerError, match="failed 2 times"):
        await runner.run(SPEAK)
    await runner.close()


@pytest.mark.parametrize("url", ["localhost:8000", "http://127.0.0.1:port"])
async def test_a_base_url_that_is_none_is_said_at_once(waits, url):
    """Without it a slip in ANTHROPIC_BASE_URL costs half a minute of waiting, or ends in a traceback."""
    with pytest.raises(RunnerUnavailableError, match="base URL") as caught:
        await AnthropicRunner(api_key=KEY, base_url=url, sleep=waits).run(SPEAK)
    assert "ANTHROPIC_BASE_URL" in caught.value.hint
    assert waits == []


@pytest.mark.parametrize(
    "trouble",
    [
        Fail(401, "authentication_error", "invalid x-api-key"),
        Fail(402, "billing_error"),
        Fail(403, "permission_error"),
        Fail(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
        Fail(400, "invalid_request_error", "You have reached your specified workspace API usage limits."),
        Fail(429, "rate_limit_error", code="enforced_spend_limit_reached"),
        Fail(404, "not_found_error", "model: claude-sonnet-5-5"),
        Say("A half tho", then="billing_error"),
    ],
)
async def test_what_will_not_pass_stops_all_calls_at_once(fake, runner, waits, trouble):
    """Without it a debate with a dead key goes on, turn after failed turn, in place of a pause that can be resumed."""
    fake.play(trouble)
    with pytest.raises(RunnerUnavailableError) as caught:
        await runner.run(SPEAK)
    assert caught.value.hint
    assert len(fake.requests) == 1
    assert waits == []


@pytest.mark.parametrize(
    ("trouble", "wish"), [(Fail(400, "invalid_request_error"), None), (Fail(413), None), (Fail(404), "gpt-9")]
)
async def test_what_one_turn_did_wrong_costs_one_turn(fake, runner, waits, trouble, wish):
    """Without it one persona's misspelt model, or one prompt too long, ends the debate for all."""
    fake.play(trouble)
    with pytest.raises(RunnerError) as caught:
        await runner.run(Prompt(purpose="speak", own="x", persona=persona(wish)))
    assert not isinstance(caught.value, RunnerUnavailableError)
    assert len(fake.requests) == (1 if wish else 2)  # a greeting tells that it is not the server


@pytest.mark.parametrize("trouble", [Say("{}"), Fail(413)])
async def test_a_greeting_is_counted_with_the_call_that_it_doubts(fake, runner, trouble):
    """An empty reply cost two calls, of which the count of a session told one, and the tokens of none."""
    fake.play(Say("I speak."))
    plain = (await runner.run(SPEAK)).usage
    assert plain.greetings == 0
    fake.play()
    fake.answer = lambda body: Say("Hello.") if "Say hello" in json.dumps(body) else trouble
    try:
        reply = await runner.run(SPEAK)
    except TakesNotError as error:
        reply = reply_of_failure(error)
    sizes = 1 + isinstance(trouble, Say)
    assert (reply.usage.greetings, reply.usage.tokens) == (1, plain.tokens * sizes)
    spent = UsageTotals()
    spent.add(call_made(SPEAK, reply))
    assert (spent.calls, spent.input_tokens + spent.output_tokens) == (2, plain.tokens * sizes)


async def test_a_server_that_answers_greetings_alone_is_given_up_in_the_end(fake, runner):
    """Without it a proxy that lets no long prompt through ends the debate with a vote that nobody cast."""
    fake.answer = lambda body: Say("Hello.") if "Say hello" in json.dumps(body) else Fail(413)
    for _ in range(4):
        with pytest.raises(TakesNotError):
            await runner.run(SPEAK)
    with pytest.raises(RunnerUnavailableError, match="gives no usable answer"):
        await runner.run(SPEAK)
    fake.play(Say("I speak."))
    assert (await runner.run(SPEAK)).text == "I speak."


@pytest.mark.parametrize("status", [400, 401, 404, 429])
async def test_the_key_is_in_no_error(fake, waits, status):
    """Without it a server that repeats the key puts it on the screen, into the session and into bug reports."""
    fake.play(Fail(status, message=f"bad key {KEY}"))
    runner = AnthropicRunner(api_key=KEY, base_url=fake.url, sleep=waits, attempts=1)
    with pytest.raises(RunnerError) as caught:
        await runner.run(SPEAK)
    await runner.close()
    shown = "".join(traceback.format_exception(caught.value)) + caught.value.hint + repr(runner)
    assert KEY not in shown
    assert "[key]" in str(caught.value)


def test_no_short_password_and_no_query_of_an_address_is_in_an_error():
    """Without it `hunter2`, or the token that a gateway wants in its URL, is on the screen once a server repeats it."""
    secrets = secrets_of("x", "https://me:hunter%402@gate.example/?token=k%2F7%25&v=1&t=long-key&u=long-key-two#abc")
    shortest_first = sorted(secrets, key=len)
    told = error_line(
        RunnerError("no hunter@2, k/7% or k%2F7%25; abc, long-key-two: max 1 for the abcissa"), shortest_first
    )
    assert told == "no [key], [key] or [key]; [key], [key]: max 1 for the abcissa"


async def test_a_cancelled_call_hangs_up(fake, runner):
    """Without it Ctrl-C leaves the model writing, and the reader paying."""
    fake.play(Say("A half tho", then="stall"), Say("Whole."))
    begun = asyncio.Event()
    call = asyncio.create_task(runner.run(SPEAK, lambda piece: begun.set()))
    await begun.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await asyncio.to_thread(fake.hung_up.wait, 3)
    assert (await runner.run(SPEAK)).text == "Whole."


# Life


async def test_the_fake_answers_plain_calls_as_the_sdk_expects(fake):
    """Without it the tests could rest on a server that the SDK understands by luck."""
    fake.play(Say(GOOD))
    async with AsyncAnthropic(api_key=KEY, base_url=fake.url) as client:
        message = await client.messages.parse(
            model="m", max_tokens=9, messages=[{"role": "user", "content": "x"}], output_format=Wish
        )
    assert message.parsed_output == Wish(wants=True, urgency=0.7, mood="cross")
    assert message.usage.output_tokens == 20


def test_one_runner_serves_many_debates_one_after_another(fake, waits):
    """Without it the second `run_sync` of a script fails with a closed event loop."""
    runner = AnthropicRunner(api_key=KEY, base_url=fake.url, sleep=waits)

    async def once() -> str:
        reply = await runner.run(SPEAK)
        await runner.close()
        return reply.text

    assert [asyncio.run(once()) for _ in range(2)] == ["It is so."] * 2
    assert isinstance(runner, Runner)
    assert not runner.deterministic
    assert runner.summarises
