"""Runners of the Chat Completions API, against servers that answer field by field as each kind does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from answering import PANEL, answered
from fake_anthropic import Fail, Say, Waits
from fake_chat import ERRORS, KINDS, FakeChat

from eda import Debate, Session, Settings
from eda.errors import PersonaError, RunnerError, RunnerUnavailableError, UsageError
from eda.events import CallMade, SessionStarted
from eda.panels.panel import Library
from eda.panels.persona import load_persona
from eda.runners.answers import BallotAnswer, BidsAnswer, ScoredAnswer
from eda.runners.api_client import strict
from eda.runners.chat_completions.runner import ChatRunner
from eda.runners.models import FREE, Model, ModelSpec, Price, asks_models, model_for, priced_by, providers
from eda.runners.protocol import Prompt, Usage
from eda.runners.recorded import RecordedRunner, RecordingRunner
from eda.runners.server import TRIES, on_wait
from eda.runners.shipped import make_runner

KEY = "sk-not-a-key-4711"
SPEAK = Prompt(purpose="speak", own="Speak.")
VOTE = Prompt(purpose="ballot", own="Vote.", answer=BallotAnswer)
WISH = {"choice": "Go", "reason": "It is time."}


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[str, FakeChat]]:
    with (
        FakeChat("openai") as one,
        FakeChat("openrouter") as two,
        FakeChat("vllm") as three,
        FakeChat("ollama") as four,
    ):
        yield {fake.kind: fake for fake in (one, two, three, four)}


@pytest.fixture(params=KINDS)
def chat(request: pytest.FixtureRequest, servers: dict[str, FakeChat]) -> FakeChat:
    fake = servers[request.param]
    fake.play()
    fake.raw = None
    return fake


@pytest.fixture
def openai(servers: dict[str, FakeChat]) -> FakeChat:
    servers["openai"].play()
    servers["openai"].raw = None
    return servers["openai"]


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for each in providers().values():
        for name in each.keys:
            monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("EDA_OPENAI_KEY", KEY)


def runner_of(fake: FakeChat, models: str = "m", **given: Any) -> ChatRunner:
    return ChatRunner(f"{fake.kind}:{fake.base}#{models}", sleep=Waits(), **given)


async def failed(fake: FakeChat, prompt: Prompt = SPEAK) -> RunnerError:
    runner = runner_of(fake)
    with pytest.raises(RunnerError) as told:
        await runner.run(prompt)
    await runner.close()
    assert KEY not in f"{told.value} {told.value.hint}"
    return told.value


# Answers


async def test_words_usage_and_cost_are_read_and_reasoning_is_not_spoken(chat):
    """Without it a budget counts cached tokens twice, or the panel hears what a model only thinks."""
    used = {"input_tokens": 10, "output_tokens": 3, "cache_read_input_tokens": 90}
    chat.play(Say("So be it. \u2028 Yes.", thinking="Let me see.", usage=used))
    heard: list[str] = []
    runner = runner_of(chat)
    reply = await runner.run(SPEAK, heard.append)
    await runner.close()
    assert (reply.text, "".join(heard), reply.model, reply.answered) == (*2 * ["So be it. \u2028 Yes."], "m", "m")
    known = chat.kind in ("openai", "openrouter", "vllm")
    cost = {"openai": None, "openrouter": 0.00014}.get(chat.kind, 0.0)
    assert reply.usage == Usage(10 if known else 100, 3, 90 if known else 0, 0, cost)
    assert chat.headers[0]["authorization"] == f"Bearer {KEY}"
    assert chat.requests[0]["stream_options"] == {"include_usage": True}


async def test_a_schema_is_sent_strictly_and_the_answer_fits_it(chat):
    """Without it a server that can hold a model to a form is not asked to."""
    chat.play(Say(json.dumps(WISH)))
    runner = runner_of(chat)
    reply = await runner.run(VOTE)
    await runner.close()
    assert reply.data is not None
    assert reply.data["choice"] == "Go"
    sent = chat.requests[0]["response_format"]
    assert (sent["type"], sent["json_schema"]["strict"]) == ("json_schema", True)
    assert ("provider" in chat.requests[0]) == (chat.kind == "openrouter")


@pytest.mark.parametrize("answer", [BallotAnswer, BidsAnswer, ScoredAnswer])
def test_a_strict_schema_requires_all_fields_and_allows_no_other(answer):
    """Without it OpenAI refuses the schema, and every answer is asked for in words."""

    def check(schema: Any) -> None:
        if isinstance(schema, dict):
            if "properties" in schema:
                assert schema["required"] == list(schema["properties"])
                assert schema["additionalProperties"] is False
            assert "default" not in schema
        for each in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
            check(each)

    check(strict(answer))


async def test_what_all_share_stands_first_and_alike(openai):
    """Without it no provider's cache finds the beginning of a prompt again."""
    runner = runner_of(openai)
    for own in ("You are Ada.", "You are Ben."):
        await runner.run(
            Prompt(purpose="speak", system="Rules.", shared=("Q.", "m1: Hello."), held=("Memory.",), own=own)
        )
    await runner.close()
    system, user = openai.requests[0]["messages"]
    assert (system, user["content"]) == (
        {"role": "system", "content": "Rules."},
        "Q.\n\nm1: Hello.\n\nMemory.\n\nYou are Ada.",
    )
    assert openai.requests[1]["messages"][1]["content"].startswith("Q.\n\nm1: Hello.\n\nMemory.")


async def test_only_claude_at_openrouter_gets_cache_marks(servers):
    """Without it Claude by way of OpenRouter is paid in full at each turn, or another server refuses the request."""
    fake = servers["openrouter"]
    fake.play()
    prompt = Prompt(purpose="speak", system="Rules.", shared=("Q.", "m1: Hello."), ends=(1,), own="You are Ada.")
    for model in ("anthropic/claude-x", "openai/gpt-x:free"):
        runner = runner_of(fake, model)
        await runner.run(prompt)
        await runner.close()
    (_, marked), (_, plain) = (body["messages"] for body in fake.requests)
    assert ["cache_control" in part for part in marked["content"]] == [True, True, False]
    assert plain["content"] == "Q.\n\nm1: Hello.\n\nYou are Ada."


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        ("max_tokens", "used up its tokens before it had written one sentence"),
        ("refusal", "refused to answer"),
        ("tool_use", "a call of a tool"),
    ],
)
async def test_an_answer_that_is_cut_refused_or_a_tool_is_told(openai, stop, words):
    """Without it half a sentence, or nothing, is taken for what a member says."""
    openai.answer = lambda _: Say("" if stop == "tool_use" else "And so the", stop=stop)
    assert words in str(await failed(openai))


@pytest.mark.parametrize("kind", ["openrouter", "vllm"])
async def test_a_stream_without_a_reason_to_finish_is_tried_again(servers, kind):
    """Without it a broken connection is a speech that ends in the middle of a word."""
    fake = servers[kind]
    fake.raw = None
    fake.play(Say("A half tho", then="cut"), Say("A half tho", then="drop"), Say("A", then="api_error"), Say("Whole."))
    runner = runner_of(fake)
    assert (await runner.run(SPEAK)).text == "Whole."
    await runner.close()
    assert len(fake.requests) == 4


async def test_comments_keep_a_call_alive_and_other_line_ends_are_read(openai):
    """Without it a busy router looks dead, and a server that writes CRLF looks broken."""
    lines = [
        ": OPENROUTER PROCESSING",
        "",
        'data: {"choices":[{"delta":{"content":[{"type":"thinking","text":"no"},{"type":"text","text":"Yes"}]}}]}',
        "",
        'data:{"choices":[{"delta":{"content":"."},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,',
        'data: "completion_tokens":2,"total_tokens":9}}',
        "",
        "data: [DONE]",
    ]
    openai.raw = "\r\n".join(lines).encode()
    runner = runner_of(openai)
    reply = await runner.run(SPEAK)
    await runner.close()
    assert (reply.text, reply.usage.input_tokens, reply.usage.output_tokens) == ("Yes.", 5, 4)


async def test_a_server_that_does_not_stream_is_read_all_the_same(openai):
    """Without it a server that ignores `stream` answers nothing."""
    message = {"role": "assistant", "content": "Whole.", "reasoning_content": "hm"}
    usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
    whole = {"model": "m", "choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}
    openai.answer = lambda _: Fail(200, message=json.dumps(whole))
    runner = runner_of(openai)
    reply = await runner.run(SPEAK)
    await runner.close()
    assert (reply.text, reply.usage.tokens) == ("Whole.", 7)


async def test_a_ballot_that_shows_its_form_is_sent_no_other(openai):
    """Its own form asks for a ranking; a schema that stood below it required a choice, which no strict schema has."""
    openai.play(Say('{"ranking": ["o1"]}'))
    runner = runner_of(openai)
    await runner.run(
        Prompt(purpose="ballot", held=('JSON only: {"ranking": ["an id"]}',), own="Vote.", answer=BallotAnswer)
    )
    await runner.close()
    assert "JSON schema" not in json.dumps(openai.requests[-1]["messages"])


# What a server does not take


@pytest.mark.parametrize("kind", sorted(ERRORS["no schema"]))
async def test_a_server_without_schemas_is_asked_in_words_from_then_on(openai, kind):
    """Without it a server that knows no schema answers nothing, or each call is made twice."""
    status, body = ERRORS["no schema"][kind]
    openai.play(
        Fail(status, message=json.dumps(body)), Say(json.dumps(WISH)), Say(json.dumps({**WISH, "choice": "Wait"}))
    )
    runner = runner_of(openai)
    first, second = await runner.run(VOTE), await runner.run(VOTE)
    await runner.close()
    assert [reply.data and reply.data["choice"] for reply in (first, second)] == ["Go", "Wait"]
    assert ["response_format" in body for body in openai.requests] == [True, False, False]
    assert "JSON schema" in openai.requests[1]["messages"][0]["content"]


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'",
            "max_tokens",
        ),
        ("'max_tokens' or 'max_completion_tokens' is too large: 8000. Maximum context length is 4096", "max_tokens"),
        ("body.stream_options: Extra inputs are not permitted", "stream_options"),
    ],
)
async def test_a_field_that_is_refused_by_name_is_left_out_from_then_on(openai, words, field):
    """Without it a model is out of reach over one field of a request."""
    openai.play(Fail(400, message=words), Say("Yes."), Say("No."))
    runner = runner_of(openai)
    assert [(await runner.run(SPEAK)).text for _ in range(2)] == ["Yes.", "No."]
    await runner.close()
    assert [field in body for body in openai.requests] == [True, False, False]
    assert ["max_completion_tokens" in body for body in openai.requests[1:]] == 2 * ["Unsupported" in words]


async def test_calls_side_by_side_learn_it_together_and_it_is_told_once(openai):
    """Without it all but one of the openings fail, or the same notice comes five times."""

    def answer(body: dict[str, Any]) -> Say | Fail:
        return (
            Say("Yes.")
            if "max_completion_tokens" in body
            else Fail(400, message="Use 'max_completion_tokens' instead.")
        )

    openai.answer, told = answer, list[str]()
    before = on_wait.set(lambda delayed: told.append(delayed.reason))
    runner = runner_of(openai)
    replies = await asyncio.gather(*(runner.run(SPEAK) for _ in range(4)))
    on_wait.reset(before)
    await runner.close()
    assert {reply.text for reply in replies} == {"Yes."}
    assert told == ["m does not take max_tokens: it goes by its other name from now on"]


async def test_a_refusal_that_cannot_be_helped_is_made_once(openai):
    """Without it a request that is refused for another reason goes round for ever."""
    openai.answer = lambda _: Fail(400, message="max_completion_tokens, response_format and seed are all bad")
    assert "did not take the question" in str(await failed(openai, VOTE))
    assert len(openai.requests) <= 4


# Errors


CASES = [(what, kind) for what, kinds in ERRORS.items() if what != "no schema" for kind in kinds]
TOLD = {
    "wrong key": ("refuses this key or account", "EDA_OPENAI_KEY"),
    "wrong model": ("does not know what was asked for", "Is m the name of a model there?"),
    "no credit": ("refuses this key or account", "EDA_OPENAI_KEY"),
    "no such address": ("has no such address", "/v1"),
    "too long": ("the prompt is too long for m", "longer context"),
}


@pytest.mark.parametrize(("what", "kind"), CASES)
async def test_each_error_is_named_once_with_what_to_do(openai, what, kind):
    """Without it a typing mistake is a stack of JSON, retried seven times."""
    openai.error(what, kind)
    error = await failed(openai)
    words, hint = TOLD[what]
    assert words in str(error)
    assert hint in error.hint
    assert len(openai.requests) == 1
    assert isinstance(error, RunnerUnavailableError) == (what != "too long")
    assert getattr(error, "refused", True)


async def test_a_page_a_limit_and_a_day_are_told_apart(openai):
    """Without it a web page is taken for a model, or a limit of a day is waited out in seconds."""
    openai.answer = lambda _: Fail(429, message="Rate limit exceeded: free-models-per-day")
    assert "refuses this key or account" in str(await failed(openai))
    openai.play(Fail(429, message="slow down", headers={"retry-after": "0"}), Say("Yes."))
    runner = runner_of(openai)
    assert (await runner.run(SPEAK)).text == "Yes."
    await runner.close()
    openai.answer = lambda _: Fail(200, message="<html>Welcome</html>")
    assert "what came is no answer of a model but text/html" in str(await failed(openai))
    openai.answer = lambda _: Fail(503, message="<html>Away</html>")
    openai.requests.clear()
    assert "(503)" in str(await failed(openai))
    assert len(openai.requests) == TRIES


async def test_a_prompt_that_is_moderated_costs_one_turn(openai):
    """Without it one flagged sentence ends the whole debate as if the key were wrong."""
    openai.answer = lambda _: Fail(403, message="m requires moderation. Your input was flagged for violence")
    error = await failed(openai)
    assert "refuses this prompt" in str(error)
    assert not isinstance(error, RunnerUnavailableError)


# Specs, keys and prices


@pytest.mark.parametrize(
    "spec",
    [
        "openrouter:anthropic/claude-x:free+openai/gpt-x,fallback=meta/llama:free",
        "openai:gpt-x,temperature=0.5,top-p=0.9",
        "openai:http://127.0.0.1:9/v1#m+n",
        "ollama:qwen3:4b",
        "ollama",
        "vllm:http://gpu:8000/v1",
    ],
)
def test_a_spec_is_what_is_read_back_from_it(spec):
    """Without it a resume asks another model."""
    assert asks_models(spec)
    assert str(ModelSpec.parse(spec)) == spec


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ("openai:http://h:1#m", "openai:http://h:1/v1#m"),
        ("openai:https://h/api/v3/#m", "openai:https://h/api/v3#m"),
        ("openai:http://h:1/v1/chat/completions#m", "openai:http://h:1/v1#m"),
    ],
)
def test_an_address_is_understood_as_it_is_pasted(given, plain):
    """Without it every second address lacks a part."""
    assert str(ModelSpec.parse(given)) == plain


@pytest.mark.parametrize(
    ("spec", "words", "hint"),
    [
        ("openrouter", "needs the name of a model", "openrouter.ai/models"),
        ("gemini:x", "GEMINI_API_KEY is not set", "aistudio"),
        ("mistral:7b", "MISTRAL_API_KEY is not set", "ollama:mistral"),
        ("openai:http://me:secret@h#m", "holds a name, password or query", "EDA_OPENAI_KEY"),
        ("openai:sk-abc", "a key was given where the name of a model goes", "environment"),
        ("ollama:http://#m", "no URL of a server", "ollama:http://HOST:PORT/v1#MODEL"),
    ],
)
def test_what_is_wrong_with_a_spec_is_told_with_what_to_write(spec, words, hint):
    """Without it a newcomer guesses."""
    with pytest.raises((UsageError, RunnerUnavailableError)) as told:
        make_runner(spec)
    assert words in str(told.value)
    assert hint in told.value.hint


async def test_the_key_of_a_provider_is_sent_to_nobody_else(openai, monkeypatch):
    """Without it whoever is named in a command is given the user's key."""
    monkeypatch.delenv("EDA_OPENAI_KEY")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.delenv("EDA_RUNNER", raising=False)
    runner = runner_of(openai)
    await runner.run(SPEAK)
    await runner.close()
    assert KEY not in json.dumps(openai.headers)


async def test_a_server_of_ones_own_says_which_model_it_has(servers):
    """Without it whoever runs one model has to type its name."""
    fake = servers["ollama"]
    fake.play()
    fake.models = ["qwen3:4b", "other"]
    runner = ChatRunner(f"ollama:{fake.base}", sleep=Waits())
    assert (await runner.run(SPEAK)).model == "qwen3:4b"
    assert runner.spec == f"ollama:{fake.base}#qwen3:4b"
    await runner.close()


def test_prices_of_the_user_count_at_a_provider_and_not_on_ones_own_machine():
    """Without it a debate at another vendor costs "unknown", or a model at home has a price."""
    price = Price(input=1, output=2, cache_read=0.1)
    usage = Usage(input_tokens=1_000_000, output_tokens=1_000_000)
    with priced_by([Model(id="Vendor/Gpt-X", price=price)]):
        model = model_for("openrouter:Vendor/Gpt-X", SPEAK)
        assert model is not None
        assert (model.id, model.priced(usage).cost) == ("Vendor/Gpt-X", 3)
        assert model_for("ollama:Vendor/Gpt-X", SPEAK) == Model(id="Vendor/Gpt-X", price=FREE)
    assert model_for("openrouter:Vendor/Gpt-X", SPEAK) == Model(id="Vendor/Gpt-X")


# Mixed panels


def mixed(servers: dict[str, FakeChat]) -> tuple[str, list[Any]]:
    """The spec of the debate's runner, and three members of three vendors."""
    specs = {kind: f"{kind}:{servers[kind].base}#{kind}-model" for kind in ("openai", "openrouter", "ollama")}
    library = Library()
    members = [library.persona(name) for name in PANEL]
    own = [
        members[0].model_copy(update={"model": specs["openai"]}),
        members[1].model_copy(update={"model": specs["openrouter"]}),
    ]
    return specs["ollama"], [*own, members[2]]


def vendors(session: Session) -> dict[str, set[str]]:
    """The models that answered each member, and the engine."""
    asked: dict[str, set[str]] = {}
    for fact in session.events():
        if isinstance(fact, CallMade):
            asked.setdefault(fact.agent, set()).add(f"{fact.provider} {fact.model}")
    return asked


async def test_a_panel_of_three_vendors_debates_is_resumed_and_replayed(servers, tmp_path):
    """Without it a panel of one vendor's model agrees with itself, or a resume seats other minds."""
    for fake in servers.values():
        fake.play()
        fake.raw, fake.answer = None, answered
    spec, members = mixed(servers)
    short = Settings(max_messages=6, summary_every=4)
    expected = {
        "": {" ollama-model"},
        "Ruth": {"openai openai-model"},
        "Walter": {"openrouter openrouter-model"},
        "Maya": {" ollama-model"},
    }
    calls = tmp_path / "calls.jsonl"
    with Session.create("mixed", tmp_path) as session:
        recording = RecordingRunner(make_runner(spec), calls)
        first = await Debate("Go?", members, recording, options=("Go", "Wait"), settings=short, session=session).run()
        await recording.inner.close()
        assert first.verdict is not None
        assert vendors(session) == expected
        await Debate.resume(session, max_messages=8).run()
        assert vendors(session) == expected
        assert KEY not in (tmp_path / "mixed" / "events.jsonl").read_text() + calls.read_text()
    asked = [len(fake.requests) for fake in servers.values()]
    with Session.create("again", tmp_path) as session:
        replay = Debate("Go?", members, RecordedRunner(calls), options=("Go", "Wait"), settings=short, session=session)
        again = await replay.run()
        assert again.verdict is not None
        assert (again.verdict.outcome, again.messages) == (first.verdict.outcome, first.messages)
        assert vendors(session) == expected
    assert asked == [len(fake.requests) for fake in servers.values()]


async def test_the_spec_of_a_member_may_be_spelled_otherwise_or_be_wrong(servers):
    """Without it an address without /v1 is asked round and round, or a spec of a late member ends the program."""
    fake = servers["ollama"]
    fake.play()
    runner = make_runner(f"vllm:{servers['vllm'].base}#m")
    persona = Library().persona("sceptic").model_copy(update={"model": f"ollama:{fake.url}#own"})
    reply = await runner.run(Prompt(purpose="speak", own="Speak.", persona=persona))
    assert (reply.model, reply.provider, fake.requests[0]["model"]) == ("own", "ollama", "own")
    wrong = Prompt(purpose="speak", own="Speak.", persona=persona.model_copy(update={"model": "openai:a b"}))
    assert model_for(runner.spec, wrong).id == "m"
    with pytest.raises(RunnerUnavailableError, match="no name of a model"):
        await runner.run(wrong)
    await runner.close()


def test_a_member_whose_runner_lacks_a_key_is_found_out_before_anything_is_written(tmp_path):
    """Without it the debate pauses at the first turn of that member, after the others were paid for."""
    member = Library().persona("sceptic").model_copy(update={"model": "gemini:gemini-x"})
    with pytest.raises(RunnerUnavailableError, match="GEMINI_API_KEY is not set"):
        Debate("Go?", [member, "historian"], "ollama:m")
    nameless = member.model_copy(update={"model": "ollama:,top-p=1"})
    with pytest.raises(UsageError, match="names no model"):
        Debate("Go?", [nameless, "historian"], "ollama:m")
    assert Debate("Go?", [member, "historian"], "simulated")  # which asks no model


def test_a_persona_file_names_a_provider_but_no_address(tmp_path):
    """Without it a persona that somebody sends has the debate, and a key, sent to them."""
    path = tmp_path / "ada.md"
    text = "---\nname: ada\ndescription: Numbers.\nmodel: {}\n---\nYou are Ada, who counts.\n"
    path.write_text(text.format("openrouter:google/gemini-x"))
    assert load_persona(path).model == "openrouter:google/gemini-x"
    path.write_text(text.format("openai:http://evil.example/v1#m"))
    with pytest.raises(PersonaError, match=r"ada\.md.*4.*names no address"):
        load_persona(path)


def test_a_claude_of_the_table_is_nobody_elses_model():
    """Without it a Claude Code agent's `model: opus` is asked of a server that has none."""
    member = Library().persona("sceptic")
    prompt = Prompt(purpose="speak", persona=member.model_copy(update={"model": "opus"}))
    assert make_runner("ollama:m").model_for(prompt) == "m"
    for spec, model in (("ollama:m", "m"), ("anthropic:sonnet", "claude-opus-5-5")):
        assert model_for(spec, prompt).id == model
    own = Prompt(purpose="speak", persona=member.model_copy(update={"model": "openrouter:x/y"}))
    assert model_for("anthropic:sonnet", own).id == "x/y"


def test_a_session_keeps_the_models_of_its_members(servers, tmp_path):
    """Without it nobody can say later who was asked."""
    spec, members = mixed(servers)
    with Session.create("kept", tmp_path) as session:
        debate = Debate("Go?", members, spec, options=("Go", "Wait"), session=session)
        assert isinstance(debate.started, SessionStarted)
        assert [member.model for member in debate.started.members] == [member.model for member in members]
