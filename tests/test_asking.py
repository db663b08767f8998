"""Which model is asked, who is asked when it fails, what is said while one waits, and what is kept of failures."""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256

import pytest
from answering import asked_for
from click.testing import CliRunner, Result
from fake_anthropic import Fail, FakeAnthropic, Say, Waits
from rich.console import Console

from eda import ConversationMemory, Debate, Result as Outcome
from eda.cli import cli
from eda.cli.terminal.live import LiveView
from eda.cli.terminal.printers import Sitting
from eda.debate.state import DebateState
from eda.errors import RunnerError, RunnerUnavailableError, UsageError
from eda.events import BallotCast, BidsTaken, CallDelayed, CallMade, SessionStarted, SummaryWritten, TurnFailed
from eda.panels.persona import Persona
from eda.panels.settings import Settings
from eda.runners.messages_api import anthropic
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.models import ModelSpec
from eda.runners.protocol import Prompt, close_runner, digest
from eda.runners.recorded import RecordedRunner, RecordingRunner
from eda.runners.shipped import make_runner
from eda.session import Session

KEY = "sk-ant-not-a-key-4711"
SPEAK = Prompt(purpose="speak", agent="Ada", own="Speak.")
SONNET, HAIKU, OPUS = "claude-sonnet-5-5", "claude-haiku-5-5", "claude-opus-5-5"
OVERLOADED = Fail(529, "overloaded_error", "Overloaded")


@pytest.fixture
def made(fake: FakeAnthropic) -> Callable[..., AnthropicRunner]:
    return partial(AnthropicRunner, api_key=KEY, base_url=fake.url, sleep=Waits(), attempts=2)


@pytest.fixture
def eda(tmp_path, monkeypatch, fake) -> Callable[..., Result]:
    """The program, with a key, at the fake."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.delenv("EDA_RUNNER", raising=False)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
    return lambda *args: CliRunner().invoke(cli, args, prog_name="eda", catch_exceptions=False)


def ask(runner: AnthropicRunner, prompt: Prompt = SPEAK, on_text: Callable[[str], None] | None = None):
    async def once():
        try:
            return await runner.run(prompt, on_text)
        finally:
            await runner.close()

    return asyncio.run(once())


def panel(request: dict) -> Say:
    """A panel that bids and votes as asked."""
    properties = asked_for(request)
    if "wants" in properties:
        return Say('{"wants": true, "urgency": 0.6, "reason": "I know it"}')
    if "choice" in properties:
        return Say('{"choice": "Wait", "reason": "too early"}')
    return Say(f"I would wait, said {request['model']}. We know too little.")


# Which model


@pytest.mark.parametrize(
    ("spec", "whole"),
    [
        ("anthropic", f"anthropic:{SONNET}+{HAIKU}"),
        ("anthropic:opus", f"anthropic:{OPUS}+{HAIKU}"),
        ("anthropic:+sonnet", f"anthropic:{SONNET}+{SONNET}"),
        ("anthropic:opus+inherit", f"anthropic:{OPUS}+{OPUS}"),
        ("anthropic:inherit+haiku,fallback=opus", f"anthropic:{SONNET}+{HAIKU},fallback={OPUS}"),
        ("anthropic,fallback=haiku", f"anthropic:{SONNET}+{HAIKU},fallback={HAIKU}"),
    ],
)
def test_a_session_keeps_in_full_who_is_asked(monkeypatch, spec, whole):
    """Without it a session resumed a year later goes on with other models than it began with."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.delenv("EDA_RUNNER", raising=False)
    assert Debate("Is it so?", ["sceptic", "historian"], spec).started.runner == whole
    assert make_runner(whole).spec == whole
    assert str(ModelSpec.parse(whole)) == whole


@pytest.mark.parametrize(
    "spec", ["anthropic:a b", "anthropic,fallback=", "anthropic:m,temperature=0", "anthropic:m,x=1"]
)
def test_a_spec_that_makes_no_sense_is_refused(spec):
    """Without it a slip is found at the first call, after the session was made."""
    with pytest.raises(UsageError):
        ModelSpec.parse(spec)


def test_the_options_choose_the_models_and_a_resume_keeps_them(fake, eda):
    """Without it a panel paid for with one model is taken up again with another, dearer one."""
    fake.answer = panel
    who = ("--persona", "sceptic", "--persona", "historian", "--option", "Wait", "--option", "Go", "--session", "one")
    models = ("--speak-model", "opus", "--cheap-model", "sonnet", "--fallback-model", "haiku")
    done = eda("debate", "Shall we go?", *who, *models, "--max-messages", "4", "--quiet")
    assert done.exit_code == 0, done.output
    assert {sent["model"] for sent in fake.requests} == {OPUS, SONNET}
    with Session.read("one") as session:
        assert session.started().runner == f"anthropic:{OPUS}+{SONNET},fallback={HAIKU}"
    fake.requests.clear()
    assert eda("resume", "one", "--max-messages", "6", "--quiet").exit_code == 0
    assert {sent["model"] for sent in fake.requests} == {OPUS, SONNET}
    fake.requests.clear()
    eda("resume", "one", "--max-messages", "8", "--speak-model", "haiku", "--quiet")
    assert {sent["model"] for sent in fake.requests} == {HAIKU, SONNET}
    fake.requests.clear()
    asked = eda("ask", "one", "sceptic", "Why?", "--runner", "anthropic:sonnet", "--json")
    assert json.loads(asked.stdout)["model"] == SONNET


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--runner", "simulated", "--speak-model", "opus"), "has no models to choose"),
        (("--runner", "simulatd", "--cheap-model", "opus"), "Did you mean simulated"),
        (("--temperature", "0.5"), "--runner local:URL"),
        (("--speak-model", "a b"), "no name of a model"),
    ],
)
def test_options_that_a_runner_does_not_take_are_refused(eda, args, words):
    """Without it somebody believes that a model was chosen where none was."""
    done = eda("debate", "Q?", "--quiet", *args)
    assert done.exit_code == 2
    assert words in done.stderr


def test_a_dated_id_has_its_price_and_a_retired_one_says_which_to_take(fake, made):
    """Without it an id copied from the provider's page costs an unknown sum, or a retired one ends in a riddle."""
    dated = ask(made(f"{SONNET}-20260901"))
    assert dated.model == f"{SONNET}-20260901"
    assert dated.usage.cost == pytest.approx((100 * 2 + 20 * 10) / 1e6)
    fake.play(Fail(404, "not_found_error", "model: claude-3-opus"))
    with pytest.raises(RunnerUnavailableError) as caught:
        ask(made("claude-3-opus"))
    assert "--speak-model sonnet" in caught.value.hint


def test_an_unknown_price_is_unknown_and_so_is_a_call_that_nobody_counted(fake, made):
    """Without it a new model, or a gateway that tells no usage, looks free, and a budget is never reached."""
    assert ask(made("claude-next-9")).usage.cost is None
    fake.play(Say("So.", usage=None))
    assert ask(made()).usage.cost is None


# Fallback


@pytest.mark.parametrize(
    "troubles",
    [
        (OVERLOADED, OVERLOADED),
        (Fail(404, "not_found_error"),),
        (Say("I can", stop="refusal"),),
        (Say(""),),
        (Fail(429, "rate_limit_error", headers={"retry-after": "3600"}),),
        (Say("no end", stop="max_tokens"),),
    ],
    ids=["overloaded", "unknown", "refusal", "empty", "hour", "cut"],
)
def test_a_call_that_failed_is_asked_of_the_fallback_once(fake, made, troubles):
    """Without it an outage of one model stops a panel that another could have served."""
    fake.play(*troubles, OVERLOADED, Say("Whole."))
    reply = ask(made(fallback_model="opus"))
    assert (reply.text, reply.model) == ("Whole.", OPUS)
    assert [sent["model"] for sent in fake.requests] == [*[SONNET] * len(troubles), OPUS, OPUS]


def test_what_both_took_is_counted_at_each_ones_price(fake, made):
    """Without it a fallback makes the bill larger than the status line."""
    fake.play(Say("A half tho", then="drop"), OVERLOADED, Say("Whole."))
    reply = ask(made(fallback_model="opus"))
    assert reply.usage.output_tokens == 21
    assert reply.usage.cost == pytest.approx((100 * 2 + 10 + 100 * 4 + 20 * 20) / 1e6)


@pytest.mark.parametrize("trouble", [Fail(401, "authentication_error"), Fail(402, "billing_error")])
def test_a_bad_key_asks_no_fallback(fake, made, trouble):
    """Without it a dead key is tried twice a call; it is the same key."""
    fake.play(trouble)
    with pytest.raises(RunnerUnavailableError):
        ask(made(fallback_model="opus"))
    assert len(fake.requests) == 1


def test_where_the_fallback_fails_too_both_reasons_are_said(fake, made):
    """Without it one looks for the trouble at the wrong model."""
    fake.play(OVERLOADED, OVERLOADED, Say("", stop="refusal"))
    with pytest.raises(RunnerError, match=rf"{SONNET} failed 2 times.*and the fallback: {OPUS} refused") as caught:
        ask(made(fallback_model="opus"))
    assert (caught.value.model, caught.value.usage.input_tokens) == (OPUS, 100)


def test_a_call_that_took_nothing_reports_no_usage(fake, made):
    """Without it each refused connection is listed as a call that cost $0.00."""
    fake.play(OVERLOADED, OVERLOADED)
    with pytest.raises(RunnerError) as caught:
        ask(made())
    assert caught.value.usage is None


# In a debate


def run(debate: Debate) -> Outcome:
    async def once():
        try:
            return await debate.run()
        finally:
            await close_runner(debate.runner)

    return asyncio.run(once())


def facts_of(debate: Debate, kind: type):
    return [event for event in debate.session.events() if isinstance(event, kind)]


def test_waits_are_announced_with_who_waits_and_why(fake, made, tmp_path):
    """Without it a panel that is throttled looks like one that hangs; recorded or not."""
    fake.answer = panel
    fake.script.extend([Fail(429, "rate_limit_error", "Slow down", headers={"retry-after": "9"})])
    runner = RecordingRunner(made(), tmp_path / "calls.jsonl")
    debate = Debate("Is it so?", ["sceptic", "historian"], runner, settings=Settings(max_messages=2, first_vote=False))
    waits: list[CallDelayed] = []
    debate.on(CallDelayed)(waits.append)
    run(debate)
    (wait,) = waits
    assert wait.agent in [member.title for member in debate.members]
    assert (wait.purpose, wait.attempt) == ("speak", 1)
    assert wait.seconds >= 9
    assert "Slow down (429)" in wait.reason
    assert facts_of(debate, CallDelayed) == []


def test_two_debates_that_share_a_runner_hear_of_their_own_waits(fake, made):
    """Without it a service shows the waits of one customer to another."""
    fake.answer = panel
    fake.script.extend([OVERLOADED] * 2)
    runner = made(attempts=3)
    debates = [Debate(q, ["sceptic", "historian"], runner, settings=Settings(max_messages=2)) for q in ("A?", "B?")]
    heard: list[list[CallDelayed]] = [[], []]
    for debate, waits in zip(debates, heard, strict=True):
        debate.on(CallDelayed)(waits.append)

    async def one_after_another() -> None:
        await debates[0].run()
        await debates[1].run()
        await runner.close()

    asyncio.run(one_after_another())
    assert [len(waits) for waits in heard] == [2, 0]


def test_a_wait_is_a_line_in_a_pipe(fake, eda, monkeypatch):
    """Without it a log of a night's run has a hole of two minutes that nobody can explain."""
    made_before = AnthropicRunner.__init__
    monkeypatch.setattr(anthropic.AnthropicRunner, "__init__", partial_init(made_before))
    fake.answer = panel
    fake.script.append(OVERLOADED)
    done = eda("debate", "Is it so?", "--persona", "sceptic", "--persona", "historian", "--max-messages", "2")
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("waiting: ")]
    # The first ballot and the opening are asked side by side: either may meet the trouble.
    assert re.fullmatch(
        r"waiting: again in \d+ s: Overloaded \(529\), from \S+ \(.+, (ballot|speak), attempt 1\)", line
    )


def test_a_wait_for_the_report_is_seen_too(fake, eda, monkeypatch):
    """Without it the program seems to hang after its verdict, for as long as the model is overloaded."""
    monkeypatch.setattr(anthropic.AnthropicRunner, "__init__", partial_init(AnthropicRunner.__init__))
    troubles = iter([OVERLOADED])

    def answer(request: dict) -> Say | Fail:
        schema = asked_for(request)
        return next(troubles, panel(request)) if "reasons" in schema else panel(request)

    fake.answer = answer
    done = eda("debate", "Is it so?", "--persona", "sceptic", "--persona", "historian", "--max-messages", "2")
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("waiting: ")]
    assert re.fullmatch(r"waiting: again in \d+ s: Overloaded .+ \(.+, report, attempt 1\)", line)


def partial_init(before: Callable[..., None]) -> Callable[..., None]:
    """The same runner, which waits no time."""

    def init(self: AnthropicRunner, *args: object, **kwargs: object) -> None:
        before(self, *args, **kwargs, sleep=Waits())

    return init


def test_unreadable_bids_pass_unreadable_ballots_do_not_count_and_all_of_it_is_recorded(fake, made):
    """Without it one model that never learns JSON stops the panel, or speaks and votes by accident."""

    def clumsy(request: dict) -> Say:
        return Say("Eh?") if asked_for(request) else panel(request)

    fake.answer = clumsy
    settings = Settings(first_vote=False)
    debate = Debate("Is it so?", ["sceptic", "historian"], made(), options=["Go", "Wait"], settings=settings)
    result = run(debate)
    bids = [bid for event in facts_of(debate, BidsTaken) for bid in event.bids]
    assert bids
    assert {(bid.wants, bid.fault) for bid in bids} == {(False, "unreadable")}
    assert [event.ballot.choice for event in facts_of(debate, BallotCast)] == [None, None]
    assert {(event.purpose, event.error) for event in facts_of(debate, TurnFailed)} == {
        ("bid", "the answer held no member's bid"),
        ("terms", "the answer does not say what would bring you in"),
        ("ballot", "it is not clear what 'Eh?' accepts or refuses"),
    }
    assert result.verdict is not None
    assert result.verdict.unreadable == tuple(member.title for member in debate.members)
    assert result.verdict.abstained == ()


def test_what_a_failed_call_took_is_a_fact_too(fake, made):
    """Without it refusals, which are paid for, are in no budget and in no sum."""
    fake.answer = lambda request: panel(request) if asked_for(request) else Say("", stop="refusal")
    debate = Debate("Is it so?", ["sceptic", "historian"], made(), settings=Settings(max_messages=4, summary_every=2))
    with pytest.raises(RunnerUnavailableError, match=r"every turn failed, the last with: .* refused to answer"):
        run(debate)
    failed = facts_of(debate, TurnFailed)
    paid = [call for call in facts_of(debate, CallMade) if call.purpose == "speak"]
    assert len(paid) == len([event for event in failed if event.purpose == "speak"]) > 0
    assert {(call.model, call.input_tokens) for call in paid} == {(SONNET, 100)}
    assert debate.progress.spent.tokens == sum(
        call.input_tokens + call.output_tokens for call in facts_of(debate, CallMade)
    )


def test_a_refused_summary_is_extracted_and_paid_for(fake, made):
    """Without it a model that will not sum up leaves a hole in memory, and the calls in no sum."""

    words = iter(["rent", "harbour", "winter", "bridge", "ledger", "copper", "orchard", "signal", "timber", "velvet"])

    def unwilling(request: dict) -> Say:
        properties = asked_for(request)
        summing = request["model"] == HAIKU and not {"wants", "choice"} & properties
        if summing:
            return Say("", stop="refusal")
        return panel(request) if request["model"] == HAIKU else Say(f"The {next(words)} is what I think of.")

    fake.answer = unwilling
    settings = Settings(max_messages=8, summary_every=4)
    debate = Debate("Is it so?", ["sceptic", "historian"], made(), settings=settings, options=["Go", "Wait"])
    run(debate)
    summaries = facts_of(debate, SummaryWritten)
    assert {summary.by for summary in summaries} == {"extractive"}
    calls = [call for call in facts_of(debate, CallMade) if call.purpose == "summarise"]
    assert len(calls) == 3 * len(summaries) > 0


def test_a_replay_of_failed_calls_takes_what_they_took(fake, made, tmp_path):
    """Without it a recording of an evening with refusals ends elsewhere, and cheaper, than that evening."""
    fake.answer = lambda request: panel(request) if asked_for(request) else Say("", stop="refusal")
    path = tmp_path / "calls.jsonl"
    calls = []
    for runner in (lambda: RecordingRunner(made(), path), lambda: RecordedRunner(path)):
        debate = Debate("Is it so?", ["sceptic", "historian"], runner(), settings=Settings(max_messages=3))
        with pytest.raises(RunnerUnavailableError, match="every turn failed"):
            run(debate)
        calls.append([event.model_dump(exclude={"at"}) for event in facts_of(debate, CallMade)])
    assert calls[0] == calls[1]
    assert "speak" in {call["purpose"] for call in calls[0]}


def test_the_status_line_says_who_waits_and_for_how_long():
    """Without it a throttled panel looks like one that hangs, to somebody at a terminal."""
    members = tuple(Debate("Is it so?", ["sceptic", "historian"]).members)
    screen = Console(file=io.StringIO(), width=120, force_terminal=True, color_system=None)
    view = LiveView(
        screen,
        Sitting(SessionStarted(session="one", question="Q?", members=members)),
        DebateState(),
        ConversationMemory(),
    )
    delay = {"agent": members[0].title, "purpose": "speak", "reason": "Slow [/x] down (429), from m", "attempt": 1}
    view.handle(CallDelayed(seconds=60, **delay))
    assert view.status.at_it().plain == (
        f"waiting: again in 60 s: Slow [/x] down (429), from m ({members[0].title}, speak, attempt 1)"
    )
    view.handle(CallDelayed(seconds=0, **{**delay, "reason": "now n is asked, since m failed"}))
    asked = f"({members[0].title}, speak, attempt 1)"
    assert view.status.at_it().plain == f"waiting: now n is asked, since m failed {asked}"


def test_a_persona_keeps_its_own_model(fake, made):
    """Without it a panel of different models is a panel of one."""
    ada = Persona(name="ada", title="Ada", role="r", description="d", instruction="i", model="opus")
    assert ask(made(), Prompt(purpose="speak", own="x", persona=ada)).model == OPUS
    assert ask(made(), Prompt(purpose="bid", own="x", persona=ada)).model == HAIKU


def test_the_digest_of_a_prompt_is_that_of_its_text_whatever_was_asked_before() -> None:
    """The hash of what prompts share goes on from the prompt before; one of another debate begins anew."""
    one = Prompt(purpose="speak", system="House rules.", shared=("Question?", "", "m1: yes"), own="You are Ann.")
    grown = replace(one, shared=(*one.shared, "m2: \ud83d no"), held=("Table.",), own="")
    for prompt in (one, grown, one, Prompt(purpose="bid"), replace(grown, system=""), grown, replace(one, own="Bea")):
        assert digest(prompt) == sha256(prompt.text.encode("utf-8", "replace")).hexdigest()
