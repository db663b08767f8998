"""`eda debate --dry-run`: what a debate will take, without a call; held against real calls over HTTP."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from answering import asked_for
from click.testing import CliRunner
from fake_anthropic import FakeAnthropic, Say, Waits
from in_turn import each_other
from starlette.requests import Request
from starlette.responses import Response

from eda import Debate, Document, Result
from eda.cli.program import cli
from eda.debate.prepared import prepared
from eda.debate.replay import publisher
from eda.debate.validation import panel_settings
from eda.errors import UsageError
from eda.panels.panel import Library
from eda.panels.request import DebateRequest
from eda.panels.settings import Settings
from eda.report.forecast import Forecast, forecast, foreseen, named_models
from eda.report.gather import report_of
from eda.report.write import choose_quotes
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.protocol import Runner

pytestmark = pytest.mark.usefixtures("no_runner")


@pytest.fixture
def no_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    """A forecast is of a model, unless another runner is named."""
    monkeypatch.delenv("EDA_RUNNER")


QUESTION = "Should we move the billing system to the new ledger this year?"
WORDS = (
    *("ledger", "invoice", "rollback", "customer", "quarter", "migration", "audit", "latency", "refund", "contract"),
    *("estimate", "pilot", "support", "team", "risk", "budget", "schedule", "vendor", "report", "control", "training"),
    *("outage", "metric", "script", "batch", "queue", "owner", "review", "sample"),
)


def blocks(body: dict[str, Any]) -> list[dict[str, str]]:
    return [*body.get("system", ()), *body["messages"][0]["content"]]


class Counting(FakeAnthropic):
    """A server that answers what it is asked for, at a length of its own, and counts tokens by the request's text."""

    words = 100
    """Of a speech."""
    per_token = 4.0
    """Characters."""
    names: Sequence[str] = tuple(member.title for member in Library().members("product-decision"))
    """Of the members who are asked for bids together."""

    async def _messages(self, request: Request) -> Response:
        body = json.loads(await request.body())
        sent = sum(len(block["text"]) for block in blocks(body)) + sum(
            len(str(m["content"])) for m in body["messages"][1:]
        )
        text = self._answer(body)
        usage = {"input_tokens": round(sent / self.per_token), "output_tokens": round(len(text) / self.per_token)}
        self.script.append(Say(text, usage=usage))
        return await super()._messages(request)

    def _answer(self, body: dict[str, Any]) -> str:
        asked = asked_for(body)
        shown = "\n".join(block["text"] for block in blocks(body)) + str(body["messages"])
        who, last = re.findall(r"You are (\w+)", shown)[-1:], max(map(int, re.findall(r"\[m(\d+)\]", shown)), default=0)
        # The same replies whatever else the prompts say, and in whichever order they come in.
        chance = random.Random(f"{who} {last} {sorted(asked)}")
        said = " ".join(f"{chance.choice(WORDS)} {chance.choice(WORDS)}{chance.randint(2, 999)}" for _ in range(99))
        if "bids" in asked:
            bid = {"wants": True, "reason": said[:60]}
            return json.dumps({"bids": [{"agent": name, "urgency": chance.random(), **bid} for name in self.names]})
        if "wants" in asked:
            return json.dumps({"wants": True, "urgency": round(chance.random(), 2), "reason": said[:60]})
        report = {"line": said[:60], **{key: [] for key in ("reasons", "dissent", "risks", "open")}}
        for form, told in (("takes", {"takes": "not at all", "change": ""}), ("risks", report)):
            if form in asked:
                return json.dumps(told)
        if "choice" in asked:
            return json.dumps({"choice": "Yes", "reason": said[:80]})
        if "summary" in asked:
            lines = re.findall(r"\[m(\d+)\] (\w+): ((?:\w+ ){3})", "\n".join(each["text"] for each in blocks(body)))
            rows = [{"message": int(number), "quote": quote} for number, _, quote in lines[-6:]]
            return json.dumps({"summary": rows})
        speech = " ".join(chance.choice(WORDS) + ("." if chance.random() < 0.1 else "") for _ in range(self.words))
        reason = " ".join(chance.choice(WORDS) for _ in range(8))
        moves = [f"[PROPOSE] {reason} {reason}", f"[SUPPORT p1.0] {reason}", f"[OPPOSE p2.0] {reason}"]
        # What is lost in a last message is asked about, and no forecast foresees it.
        there = [move for move in moves if move.startswith("[PROPOSE") or f"- {move.split()[1][:-1]} " in shown]
        chosen = "\n".join(move for move in there if chance.random() < 0.5)
        return f"{speech}.\n\n{chosen}\n[POSITION] Yes, because of the {chance.choice(WORDS)}."


@pytest.fixture(scope="module")
def server() -> Iterator[Counting]:
    with Counting() as fake:
        yield fake


CASES = [
    ("red-team", 150, 4.0, {}, (Document("plan.md", "It costs much. " * 200),)),
    ("research-review", 120, 4.1, {"summary_every": 6}, ()),
]
"""Panels at replies of a usual length."""
WIDE = [("product-decision", 60), ("red-team", 200)]
"""Replies of less than half of what the house rules allow, and of more."""


def debated(
    server: Counting, panel: str, words: int, per_token: float, given: dict[str, Any], documents: tuple[Document, ...]
) -> tuple[Forecast, Result]:
    """What was foreseen, and what the server counted."""
    server.play()
    server.words, server.per_token = words, per_token
    seats = Library().panel(panel)
    server.names = [member.title for member in Library().members(panel)]
    settings = panel_settings(seats).model_copy(update={"max_messages": 14, **given})

    def debate(runner: Runner) -> Debate:
        return Debate(QUESTION, seats, runner, documents=documents, settings=settings)

    runner = AnthropicRunner(api_key="sk-ant-not-a-key", base_url=server.url, sleep=Waits())
    foreseen = forecast(debate, runner.spec)
    played = debate(runner)

    async def play() -> Result:
        done = await played.run()
        session, progress, memory = played.session, played.progress, played.memory
        report = report_of(session, progress, memory)
        await choose_quotes(session, progress, memory, report, runner, publisher(session, progress, memory))
        await runner.close()
        return done

    return foreseen, asyncio.run(play())


@pytest.mark.parametrize("panel", each_other(sorted(Library().panels)))
def test_every_panel_that_comes_with_eda_is_forecast(panel: str) -> None:
    """Without it a panel is added whose forecast nobody has looked at."""
    seats = Library().panel(panel)
    settings = panel_settings(seats).model_copy(update={"max_messages": 4})
    foreseen = forecast(lambda runner: Debate(QUESTION, seats, runner, settings=settings), named_models("anthropic"))
    least, usual, most = foreseen.totals
    assert least.tokens < usual.tokens < most.tokens
    assert 0 < least.cost < usual.cost < most.cost
    assert {"speak", "ballot"} <= {purpose for purpose, _ in foreseen.runs[1]}


@pytest.mark.parametrize(
    ("panel", "words", "per_token", "given", "documents"), each_other(CASES, 1), ids=[case[0] for case in CASES]
)
def test_the_forecast_is_near_what_a_server_counts(
    server: Counting, panel: str, words: int, per_token: float, given: dict[str, Any], documents: tuple[Document, ...]
) -> None:
    """Without it somebody plans 20 cents and pays two dollars: the server's replies are none that was assumed."""
    foreseen, result = debated(server, panel, words, per_token, given, documents)
    assert result.reason == "messages"
    least, usual, most = foreseen.totals
    assert usual.calls == pytest.approx(result.spent.calls, rel=0.15)
    assert usual.calls == pytest.approx(len(server.requests), rel=0.15)
    assert usual.input_tokens == pytest.approx(result.spent.input_tokens, rel=0.25)
    assert usual.tokens == pytest.approx(result.spent.tokens, rel=0.25)
    assert least.input_tokens < result.spent.input_tokens < most.input_tokens
    assert {model for _, model in foreseen.runs[1]} == {body["model"] for body in server.requests}


@pytest.mark.parametrize(("panel", "words"), WIDE)
def test_what_short_and_long_replies_take_is_between_the_least_and_the_most(
    server: Counting, panel: str, words: int
) -> None:
    """Without it the range that is shown does not hold for the models that it is shown for."""
    foreseen, result = debated(server, panel, words, 4.0, {"max_messages": 9}, ())
    least, _, most = foreseen.totals
    assert least.tokens < result.spent.tokens < most.tokens


@pytest.mark.parametrize("limit", each_other([{"max_tokens": 90_000}, {"max_cost": 0.15}]), ids=["tokens", "money"])
def test_a_budget_holds_for_what_a_server_counts(server: Counting, limit: dict[str, Any]) -> None:
    """Without it a budget is kept for our own count of tokens, and not for the one that is paid for."""
    server.play()
    server.words, server.per_token = 190, 3.0
    server.names = [member.title for member in Library().members("product-decision")]
    runner = AnthropicRunner(api_key="sk-ant-not-a-key", base_url=server.url, sleep=Waits())

    async def play() -> Result:
        given = Settings(max_messages=40, **limit)
        done = await Debate(QUESTION, "product-decision", runner, settings=given).run()
        await runner.close()
        return done

    result = asyncio.run(play())
    assert result.reason in ("tokens", "money")
    assert result.verdict is not None
    assert result.verdict.abstained == ()
    assert 5 < result.messages < 30
    assert result.spent.tokens <= limit.get("max_tokens", 1e9)
    assert result.spent.cost <= limit.get("max_cost", 1e9)


@cache
def dry(*args: str, seats: tuple[str, ...] = ("sceptic", "historian")) -> Any:
    """What is printed, which several tests look at."""
    named = [option for seat in seats for option in ("--persona", seat)]
    done = CliRunner().invoke(cli, ["debate", QUESTION, *named, "--dry-run", *args])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout) if "--json" in args else done.stdout


def test_a_forecast_needs_no_key_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """Without it somebody has to pay, or to tidy up, to learn what it would cost."""
    data = dry("--json", "--max-messages", "12", "--sessions", str(tmp_path), seats=())
    assert list(tmp_path.iterdir()) == []
    assert data["runner"] == "anthropic:claude-sonnet-5-5+claude-haiku-5-5"
    assert {(row["purpose"], row["model"]) for row in data["rows"]} == {
        ("speak", "claude-sonnet-5-5"),
        ("bid", "claude-haiku-5-5"),
        ("ballot", "claude-haiku-5-5"),
        ("summarise", "claude-haiku-5-5"),
        ("report", "claude-sonnet-5-5"),
        ("terms", "claude-haiku-5-5"),
    }
    totals = data["totals"]
    assert totals["least"]["cost"] < totals["usual"]["cost"] < totals["most"]["cost"]
    assert sum(row["cost"] for row in data["rows"]) == pytest.approx(totals["usual"]["cost"])


def test_models_settings_and_documents_count(tmp_path: Path) -> None:
    """Without it the forecast is of some debate, and not of the one that was asked for."""
    plan = tmp_path / "plan.md"
    plan.write_text("The plan costs three sprints. " * 400)
    few = ("--json", "--max-messages", "8")
    usual = dry(*few)["totals"]["usual"]
    dear = dry(*few, "--speak-model", "opus")["totals"]["usual"]
    short = dry("--json", "--max-messages", "5")["totals"]["usual"]
    read = dry(*few, "--context", str(plan))["totals"]["usual"]
    limited = dry(*few, "--budget", "0.02")["totals"]["usual"]
    assert dear["cost"] > 1.5 * usual["cost"]
    assert short["calls"] < usual["calls"]
    assert read["tokens"] > usual["tokens"] + usual["calls"] * 1_500
    assert limited["cost"] <= 0.02 < usual["cost"]


def test_a_limit_of_time_does_not_cut_a_forecast() -> None:
    """Without it the forecast depends on how fast this machine plays the panel."""
    few = ("--json", "--max-messages", "8")
    assert dry(*few, "--budget-time", "0.001")["totals"] == dry(*few)["totals"]


def test_what_all_share_is_read_from_the_cache_after_the_first_call() -> None:
    """Without it a long context file is counted at full price at every turn."""
    rows = {row["purpose"]: row for row in dry("--json", "--floor", "round-robin", "--max-messages", "14")["rows"]}
    assert rows["speak"]["cache_hit_rate"] > 0.4
    assert rows["speak"]["cache_write_tokens"] > 0


def test_a_model_without_a_price_costs_unknown() -> None:
    """Without it the forecast of a new model is nothing but its bids."""
    said = dry("--speak-model", "brand-new", "--max-messages", "8")
    lines = [line.split("\t") for line in said.splitlines()]
    assert next(row for row in lines if row[:2] == ["speak", "brand-new"])[-1] == "not priced"
    assert sum("unknown price" in row[-1] for row in lines if row[0] == "total") == 3


def test_it_says_what_it_assumed() -> None:
    """Without it a guess looks like a quotation."""
    said = dry("--max-messages", "8")
    assert "assumed: prices of" in said
    assert "speak 265 (115 to 620)" in said
    assert "no call was made" in said
    assert re.search(r"(?m)^about \$[\d.]+; \$[\d.]+ where replies are short, \$[\d.]+ where they are long", said)


def test_it_says_where_a_budget_cuts_the_talk_short() -> None:
    """Without it a budget that is too small for the debate looks like a debate that is cheap."""
    few = ("--max-messages", "8")
    cut = "with usual replies the discussion is cut short: the money budget is used up"
    assert cut in dry(*few, "--budget", "0.02")
    assert cut not in dry(*few, "--budget", "5")


@pytest.mark.parametrize(
    ("format_", "counted", "fewest", "usual", "most", "seed"),
    each_other(
        [
            ("delphi", "poll", 2, 3, 4, 1),
            ("delphi", "poll", 2, 3, 4, 2),
            ("mediation", "ballot", 1, 2, 3, 2),
            ("mediation", "ballot", 1, 2, 3, 1),
        ]
    ),
)
def test_the_range_holds_for_a_panel_that_agrees_at_once_and_for_one_that_never_does(
    format_: str, counted: str, fewest: int, usual: int, most: int, seed: int
) -> None:
    """Without it a panel whose stances do not settle takes twice what long replies were said to take at most.

    And what is usual would hang on the seed: twice as much for one as for the next.
    """
    settings = Settings(max_messages=24)
    seats, options = ["sceptic", "historian"], () if format_ == "mediation" else ("Go", "Wait")
    foreseen = forecast(
        lambda runner: Debate(QUESTION, seats, runner, options=options, settings=settings, agenda=format_, seed=seed),
        named_models("anthropic"),
    )
    for rows, laps in zip(foreseen.runs, (fewest, usual, most), strict=True):
        assert sum(spent.calls for (purpose, _), spent in rows.items() if purpose == counted) == laps * len(seats)


def test_a_local_server_is_free_and_not_asked() -> None:
    """Without it the forecast of a local model needs the server up, or has a price that nobody asks."""
    data = dry("--json", "--runner", "local:http://127.0.0.1:9#mine", "--max-messages", "8")
    assert {row["model"] for row in data["rows"]} == {"mine"}
    assert data["totals"]["most"]["cost"] == 0


@pytest.mark.parametrize("spec", ["simulated", "recorded:calls.jsonl"])
def test_a_runner_that_asks_no_model_has_no_forecast(spec: str) -> None:
    """Without it `--runner simulated --dry-run` shows the price of something else."""
    with pytest.raises(UsageError, match="asks no model"):
        named_models(spec)
    done = CliRunner().invoke(cli, ["debate", QUESTION, "--dry-run", "--runner", spec])
    assert done.exit_code == 2


@pytest.mark.parametrize(
    ("personas", "short"), [(["sceptic", "historian"], 12), pytest.param([], 24, marks=pytest.mark.long)]
)
def test_a_long_debate_is_reckoned_from_two_shorter_ones(
    monkeypatch: pytest.MonkeyPatch, personas: list[str], short: int
) -> None:
    """Without it the price of a thousand messages takes two minutes to work out."""
    monkeypatch.setattr("eda.report.forecast._SHORTER", (short, 2 * short))
    asked = {"question": QUESTION, "personas": personas, "runner": "anthropic", "seed": 2}
    made = prepared(DebateRequest.of({**asked, "settings": {"max_messages": 3 * short}}))
    reckoned, whole = foreseen(made), forecast(made.debate, named_models("anthropic"))
    assert (reckoned.of, whole.of) == ((short, 2 * short), ())
    assert reckoned.ended == whole.ended == ("silence", "messages", "messages")
    for ours, real in zip(reckoned.totals, whole.totals, strict=True):
        assert ours.calls == pytest.approx(real.calls, rel=0.04)
        assert ours.tokens == pytest.approx(real.tokens, rel=0.08)
        assert ours.cost == pytest.approx(real.cost, rel=0.04)
    assert sum(spent.calls for spent in reckoned.runs[1].values()) == pytest.approx(reckoned.totals[1].calls, abs=2)


def test_it_says_that_a_long_debate_is_reckoned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it figures that nobody played look like those of a whole debate."""
    monkeypatch.setattr("eda.report.forecast._SHORTER", (3, 5))
    assert "reckoned from debates of 3 and 5 messages" in dry("--max-messages", "6")
    assert dry("--max-messages", "6", "--json")["of_messages"] == [3, 5]
    assert "reckoned" not in dry("--max-messages", "5")
    assert "reckoned" not in dry("--max-messages", "6", "--budget", "5"), "a budget may end it before"
