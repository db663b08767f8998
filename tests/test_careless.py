"""Servers that are careless, and runners that a debate makes for itself: nothing of either is left to chance."""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from answering import PANEL, Wire, answered, asked_for
from fake_anthropic import Fail, Say, Waits
from fake_chat import local_runner
from hypothesis import given, strategies as st

from eda import Debate, Session, Settings, TextStreamed, ask
from eda.errors import RunnerError, RunnerUnavailableError
from eda.events import CallDelayed, CallMade, MessagePosted, SessionPaused, SessionStarted
from eda.report.formatting import clean
from eda.runners.answer_text import VisibleText, readable
from eda.runners.answers import BidAnswer
from eda.runners.chat_completions.runner import ChatRunner
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.protocol import Prompt, close_runner
from eda.runners.repair import without_thinking
from eda.text import rough_tokens

SPEAK = Prompt(purpose="speak", agent="Ada", own="Speak.")
START = '{"type":"message_start","message":{"usage":{"input_tokens":"12","output_tokens":-4}}}'
STOP = '{"type":"message_stop"}'


# Events that are none

NONSENSE = [
    (),
    ("[]",),
    ("null",),
    ("{}",),
    ("{bad",),
    ("\udcff",),  # a byte that is no UTF-8
    ("[" * 100_000,),
    ('{"type":5}',),
    ('{"type":"error"}',),
    ('{"type":"message_start"}',),
    ('{"type":"message_start","message":null}', STOP),
    ('{"type":"content_block_delta","index":0}', STOP),
    ('{"type":"content_block_start","index":0}', STOP),
    ('{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":null}}', STOP),
    ('{"type":"content_block_start","index":0,"content_block":{"type":"text","text":["a"]}}', STOP),
    ('{"type":"message_delta"}', STOP),
]


@pytest.fixture
def raw() -> Iterator[ThreadingHTTPServer]:
    """A server that answers each question with the events in its `events`, as they are, called what its `kind` says."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-type", getattr(self.server, "kind", "text/event-stream"))
            self.end_headers()
            for event in self.server.events:
                self.wfile.write(f"event: message_start\ndata: {event}\n\n".encode(errors="surrogateescape"))

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def claude(url: str, **given: Any) -> AnthropicRunner:
    return AnthropicRunner("m", cheap_model="m", api_key="none", base_url=url, **given)


@pytest.mark.parametrize("events", NONSENSE, ids=lambda events: ascii(events)[:40])
async def test_a_stream_of_nonsense_is_a_failed_call(raw, events):
    """Without it a proxy that sends an odd event ends the debate in a traceback."""
    raw.events = events
    runner = claude(f"http://127.0.0.1:{raw.server_port}", attempts=2, sleep=Waits())
    with pytest.raises(RunnerError, match=r"^m (failed 2 times|answered without any text)"):
        await runner.run(SPEAK, lambda piece: None)
    await runner.close()


async def test_figures_that_are_none_are_left_out(raw):
    """Without it a gateway that counts in words, or below zero, ends the debate, or breaks its log."""
    raw.events = (START, '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"So."}}', STOP)
    runner = claude(f"http://127.0.0.1:{raw.server_port}", sleep=Waits())
    reply = await runner.run(SPEAK)
    await runner.close()
    assert reply.text == "So."
    estimated = rough_tokens(len(SPEAK.text)), rough_tokens(len("So."))
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == estimated


HALF = '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Half a"}}'


async def test_a_stop_without_a_reason_is_none(raw):
    """Without it the half of a speech that a gateway let go of is posted as all of it."""
    raw.events = (START, HALF, '{"type":"message_delta","delta":{"stop_reason":""},"usage":{}}')
    runner = claude(f"http://127.0.0.1:{raw.server_port}", attempts=1, sleep=Waits())
    with pytest.raises(RunnerError, match="broke off"):
        await runner.run(SPEAK)
    await runner.close()


async def test_a_reason_that_was_given_stands(raw):
    """Without it a gateway that counts once more after the end makes half a speech, or a refusal, a whole reply."""
    told = ('{"type":"message_delta","delta":{"stop_reason":"refusal"}}', '{"type":"message_delta","delta":{}}')
    raw.events = (START, HALF, *told, STOP)
    runner = claude(f"http://127.0.0.1:{raw.server_port}", attempts=1, sleep=Waits())
    with pytest.raises(RunnerError, match="refused"):
        await runner.run(SPEAK)
    await runner.close()


@pytest.mark.parametrize("none", ["inf", "1e999", "nan", "-5", "soon", "Mon, 99 Foo 2000"])
async def test_a_wait_that_is_none_is_not_kept(fake, none):
    """Without it a header that a gateway made up stops the debate."""
    fake.play(Fail(429, "rate_limit_error", headers={"retry-after": none}))
    waits = Waits()
    runner = local_runner(fake.url, "m", sleep=waits)
    assert (await runner.run(SPEAK)).text == "It is so."
    await runner.close()
    assert len(waits) == 1
    assert waits[0] < 1


async def test_a_page_in_place_of_an_answer_is_called_one(raw):
    """Without it whoever wrote the address of a web page looks for a connection that breaks."""
    raw.events, raw.kind = (), "text/html"
    runner = claude(f"http://127.0.0.1:{raw.server_port}", attempts=1, sleep=Waits())
    with pytest.raises(RunnerError, match="what came is no answer of a model but text/html"):
        await runner.run(SPEAK)
    await runner.close()


# Thinking that is sent as text

TAGS = st.sampled_from(
    ["<think>", "</think>", "<thinking>", "</thinking>", "<th", ">", " ", "\n", "a", "b.", "\ud83d\ude00", "\x07"]
)


@given(st.lists(TAGS, max_size=12).map("".join), st.data())
def test_what_is_shown_while_it_is_written_is_what_is_said(text, data):
    """Without it a persona's private thinking stands on the screen for as long as it is being written."""
    pieces: list[str] = []
    visible = VisibleText(pieces.append)
    rest = text
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        visible(rest[:size])
        rest = rest[size:]
    shown, said = "".join(pieces).strip(), without_thinking(readable(text))
    assert shown == said or (not shown and any(tag.startswith(said) for tag in ("<think>", "<thinking>")))


NOISE = "\x1b]0;mine\x07\x1b[2J\x9b31mNo\ud83d\ude00w\rover \ud83d it."


async def test_what_a_model_says_steers_no_terminal_of_a_program(raw):
    """Without it `print(message.text)`, which the README shows, clears the screen, or dies of half a character."""
    halves = [{"type": "content_block_delta", "delta": {"type": "text_delta", "text": piece}} for piece in NOISE]
    raw.events = (START, *map(json.dumps, halves), STOP)
    runner = claude(f"http://127.0.0.1:{raw.server_port}", attempts=1, sleep=Waits())
    pieces: list[str] = []
    reply = await runner.run(SPEAK, pieces.append)
    assert reply.text == "No😀w\nover \ufffd it."
    assert "".join(pieces) == reply.text  # a code whose letters come one by one is none the less one
    unseen = {"type": "content_block_start", "content_block": {"type": "text", "text": "\u200b\x1b[2J"}}
    raw.events = (START, json.dumps(unseen), STOP)
    with pytest.raises(RunnerError, match="without any text"):
        await runner.run(SPEAK)
    await runner.close()


async def test_half_a_character_in_an_answer_that_does_not_fit_is_sent_back(raw):
    """Without it one odd letter of a small model ends the debate in a traceback."""
    half = {"type": "content_block_start", "content_block": {"type": "text", "text": "What \ud83d?"}}
    raw.events = (START, json.dumps(half), STOP)
    runner = claude(f"http://127.0.0.1:{raw.server_port}", attempts=1, sleep=Waits())
    reply = await runner.run(Prompt(purpose="bid", agent="Ada", own="Bid.", answer=BidAnswer))
    await runner.close()
    assert (reply.text, reply.data) == ("What \ufffd?", None)


async def test_a_server_that_never_stops_writing_is_stopped(raw):
    """Without it the panel waits for ever for one member of a small model that repeats itself, aloud or in thought."""
    said, thought = (
        {"type": "content_block_delta", "delta": {"type": f"{kind}_delta", kind: "And so on. " * 2000}}
        for kind in ("text", "thinking")
    )
    raw.events = itertools.chain((START,), itertools.repeat(json.dumps(said)))
    runner = claude(f"http://127.0.0.1:{raw.server_port}", attempts=1, sleep=Waits())
    reply = await runner.run(SPEAK)
    assert len(reply.text) < 300_000
    assert reply.text.endswith("And so on.")
    raw.events = itertools.chain((START,), itertools.repeat(json.dumps(thought)))
    with pytest.raises(RunnerError, match="without any text"):
        await runner.run(SPEAK)
    await runner.close()


def test_cleaning_a_long_text_takes_no_longer_for_each_letter():
    """Without it a page that was decoded wrongly freezes whatever shows it, for minutes."""
    assert clean("\x9d" * 300_000 + "end") == "end"


async def test_no_thinking_is_streamed(fake):
    """Without it the screen shows what the message that follows does not hold."""
    fake.play(Say("<think>Secretly, <b>so</b>.</think>\n\nAloud. <think>is a tag."), Say("<thinker> is none."))
    runner = local_runner(fake.url, "m")
    for whole in ("Aloud. <think>is a tag.", "<thinker> is none."):
        pieces: list[str] = []
        assert (await runner.run(SPEAK, pieces.append)).text == whole == "".join(pieces)
        assert len(pieces) > 1
    await runner.close()


# A server that was asked for no model by name


def local(url: str, **fields: Any) -> ChatRunner:
    return local_runner(url, sleep=Waits(), **fields)


def debate(runner: Any, session: Session | None = None, **fields: Any) -> Debate:
    chosen = Settings(**{"max_messages": 4, **fields})
    return Debate("Shall we go?", PANEL, runner, options=("Go", "Wait"), settings=chosen, session=session)


def models(session: Session) -> set[str]:
    return {event.model for event in session.events() if isinstance(event, CallMade)}


def test_a_model_that_nobody_named_is_the_same_after_a_resume(fake, tmp_path):
    """Without it a server that lists its latest model first goes on with another panel than it began with."""
    fake.answer = answered
    fake.models = ["tiny", "large"]
    with Session.create("one", tmp_path) as session:
        debate(f"local:{fake.url}", session).run_sync()
        assert session.started().runner == f"local:{fake.url}#tiny"
        fake.models = ["large", "tiny"]
        Debate.resume(session, max_messages=6).run_sync()
        asyncio.run(ask(session, "Ruth", "Why?"))
        assert models(session) == {"tiny"}


def test_a_model_whose_name_no_spec_can_hold_is_asked_all_the_same(fake, tmp_path):
    """Without it a file name with a space in it ends the debate before it began."""
    fake.answer = answered
    fake.models = ["a model, with+more"]
    with Session.create("one", tmp_path) as session:
        debate(f"local:{fake.url}", session).run_sync()
        assert session.started().runner == f"local:{fake.url}"
        assert models(session) == {"a model, with+more"}


def test_the_list_of_models_is_asked_for_again_too(fake, tmp_path):
    """Without it one broken connection at the first call ends the debate in a traceback."""
    fake.answer = answered
    fake.models = ["tiny"]
    with Wire(fake.url) as wire:
        wire.cuts = 3
        runner = local(wire.url)
        of = debate(runner)

        async def once() -> None:
            await of.run()
            await close_runner(runner)

        asyncio.run(once())
    assert of.session.started().runner == f"local:{wire.url}#tiny"
    assert models(of.session) == {"tiny"}


async def test_a_server_that_never_lists_its_models_pauses_the_debate_before_its_first_phase(fake):
    """Without it a wire that breaks each time is a traceback, or a debate in which every turn fails."""
    delays: list[CallDelayed] = []
    with Wire(fake.url) as wire:
        wire.cuts = 10**6
        runner = local(wire.url, attempts=2)
        with pytest.raises(RunnerUnavailableError, match=r"the list of models of .* failed 2 times"):
            await runner.run(SPEAK)
        await runner.close()
        of = debate(local(wire.url, attempts=2), max_messages=3)
        of.on(CallDelayed)(delays.append)
        with pytest.raises(RunnerUnavailableError):
            await of.run()
        await close_runner(of.runner)
    assert [type(fact) for fact in of.session.events()] == [SessionStarted, SessionPaused]
    assert delays


# Runners that a debate made for itself


def test_a_debate_lets_go_of_the_runner_that_it_made(fake, monkeypatch, tmp_path):
    """Without it a script that runs a hundred debates ends with a hundred open connections and a page of warnings."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-not-a-key-4711")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
    fake.answer = answered
    runners = []

    async def asked_after(of: Debate) -> None:
        await ask(of, "Ruth", "Why?")

    with Session.create("one", tmp_path) as session:
        for of in (debate("anthropic", session), None, None):
            of = of or Debate.resume(session, max_messages=4 + 2 * len(runners))  # noqa: PLW2901 - one after another
            of.run_sync()
            assert not of.runner.client._clients
            asyncio.run(asked_after(of))
            runners.append(of.runner)
    assert not any(runner.client._clients for runner in runners)
    gc.collect()  # what was left open would warn now, and a warning is an error


def test_a_script_that_closes_no_runner_hears_nothing_of_it(fake):
    """Without it a second debate of the same script prints a page of tracebacks between its lines."""
    runner, complaints = local_runner(fake.url, "m"), list[Any]()

    async def once() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        await runner.run(SPEAK)
        await asyncio.sleep(0)

    for _ in range(3):
        asyncio.run(once())
        gc.collect()
    assert complaints == []


async def test_a_runner_is_asked_from_two_threads_at_once(fake):
    """Without it debates that run in threads and share a runner hang up on each other in the middle of a call."""
    runner = local_runner(fake.url, "m")
    client = await runner.client.open()
    await asyncio.to_thread(lambda: asyncio.run(runner.run(SPEAK)))
    assert (await runner.run(SPEAK)).text
    assert await runner.client.open() is client
    assert not client.is_closed
    await runner.close()


async def test_a_debate_keeps_its_hands_off_a_runner_that_it_was_given(fake):
    """Without it the first of two debates that share a runner hangs up on the second."""
    fake.answer = answered
    runner = local(fake.url, model="m")
    of = debate(runner)
    await of.run()
    await ask(of, "Ruth", "Why?")
    assert runner.client._clients
    await runner.close()


async def test_a_fallback_is_seen_and_what_was_half_written_is_not_run_on(fake):
    """Without it a reader sees the first half of one model's reply run into the whole of another's."""
    fake.answer = lambda body: (
        Say("Half a th", then="invalid_request_error")
        if body["model"] == "m" and not asked_for(body)
        else answered(body)
    )
    runner = local(fake.url, model="m", fallback="n")
    of = debate(runner, max_messages=5)
    shown: dict[str, str] = {}
    seen: list[bool] = []
    of.on(CallDelayed)(lambda event: shown.pop(event.agent, None))

    def stream(event: TextStreamed) -> None:
        shown[event.agent] = shown.get(event.agent, "") + event.text

    def posted(message: MessagePosted) -> None:
        if not message.sealed:
            seen.append(
                shown.pop(message.who, message.talk).strip() == message.talk.strip()
            )  # a short line is shown once it is whole

    of.on(TextStreamed)(stream)
    of.on(MessagePosted)(posted)
    await of.run()
    await runner.close()
    assert seen == [True, True, True]
