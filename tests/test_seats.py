"""Models of single members, and providers, on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from answering import answered
from click.testing import CliRunner, Result
from fake_chat import FakeChat

from eda.cli import cli
from eda.events import CallMade, VerdictReached
from eda.runners.models import providers
from eda.session import Session

KEY = "sk-not-a-key-4711-of-nobody"
PAIR = ("--persona", "sceptic", "--persona", "historian", "--option", "Go", "--option", "Wait", "--session", "one")


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[FakeChat, FakeChat]]:
    with FakeChat("ollama") as own, FakeChat("openrouter") as other:
        own.answer = other.answer = answered
        yield own, other


@pytest.fixture
def eda(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    for each in providers().values():
        for name in each.keys:
            monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    return lambda *args: CliRunner().invoke(cli, args, prog_name="eda", catch_exceptions=False)


def test_one_member_has_another_vendors_model_and_each_vendor_its_sum(servers, eda, monkeypatch):
    """Without it a panel of two vendors needs a program, and nobody knows whom to pay."""
    own, other = servers
    monkeypatch.setenv("EDA_OPENAI_KEY", KEY)
    spec, seat = f"ollama:{own.base}#qwen3:4b", f"Walter=openrouter:{other.base}#google/gemini-x:free"
    done = eda("debate", "Go?", *PAIR, "--runner", spec, "--seat", seat, "--max-messages", "4", "-q", "--bids", "each")
    assert done.exit_code == 0
    with Session.read("one", Path("sessions")) as session:
        facts = [*session.events()]
    assert any(isinstance(fact, VerdictReached) for fact in facts)
    calls = [fact for fact in facts if isinstance(fact, CallMade)]
    assert {call.purpose for call in calls if call.provider == "openrouter"} >= {"speak", "bid", "ballot"}
    assert {call.agent for call in calls if call.provider == "openrouter"} == {"Walter"}
    assert {call.model for call in calls if call.agent == "Walter"} == {"google/gemini-x:free"}
    told = json.loads(eda("show", "--cost", "one", "--json").stdout)
    assert {row["name"] for row in told["by_provider"]} == {"ollama", "openrouter"}
    paid = next(row for row in told["by_provider"] if row["name"] == "openrouter")
    assert paid["cost"] == pytest.approx(0.00014 * paid["calls"])
    assert "provider\topenrouter" in eda("show", "--cost", "one").stdout


@pytest.mark.parametrize(
    ("given", "words", "hint"),
    [
        (("--seat", "Ruth=openai:x"), "`simulated` is none", "--runner PROVIDER:MODEL"),
        (("--runner", "ollama:m", "--seat", "Nobody=openai:x"), "unknown member 'Nobody'", "Ruth"),
        (("--runner", "ollama:m", "--seat", "Ruth"), "names no model", "--seat Maya="),
        (("--runner", "ollama:m", "--seat", "Ruth=openai"), "names no model", "Ruth=openai:MODEL"),
        (("--runner", "ollama:m", "--seat", "Ruth=openai:x"), "OPENAI_API_KEY is not set", "Set OPENAI_API_KEY"),
        (("--runner", "opnai:x"), "unknown runner 'opnai'", "openai"),
    ],
)
def test_a_mistake_is_told_before_anything_is_written(eda, given, words, hint):
    """Without it a session is begun that cannot go on."""
    done = eda("debate", "Go?", *PAIR, *given)
    assert done.exit_code in (1, 2)
    assert words in done.stderr
    assert hint in done.stderr
    assert not Path("sessions").exists()


def test_doctor_tells_keys_servers_and_models(servers, eda, monkeypatch):
    """Without it a newcomer finds out about each provider by a debate that fails."""
    own, _ = servers
    own.models = ["qwen3:4b", "b", "c", "d"]
    there = {name: replace(each, url=own.base) for name, each in providers().items() if name == "ollama"}
    away = {"vllm": replace(providers()["vllm"], url="http://127.0.0.1:9/v1")}
    for module in ("eda.cli.doctor", "eda.runners.chat_completions.runner"):
        monkeypatch.setattr(f"{module}.providers", lambda: {**providers(), **there, **away})
    monkeypatch.setenv("OPENROUTER_API_KEY", KEY)
    shown = eda("doctor").stdout
    assert f"openrouter: OPENROUTER_API_KEY set, ends with {KEY[-4:]}" in shown
    assert "gemini: no key in GEMINI_API_KEY" in shown
    assert KEY not in shown
    monkeypatch.delenv("OPENROUTER_API_KEY")
    live = eda("doctor", "--live", "--runner", f"ollama:{own.base}").stdout
    assert "needs no key; 4 models: qwen3:4b, b, c, ..." in live
    assert "vLLM is not there" in live
    assert "qwen3:4b answered in" in live
    assert "no cost" in live


def test_a_newcomer_with_another_key_is_told_of_that_runner(eda, monkeypatch):
    """Without it whoever has a key for OpenRouter reads that they need one of Anthropic."""
    monkeypatch.setenv("OPENROUTER_API_KEY", KEY)
    monkeypatch.delenv("EDA_RUNNER")
    done = eda("debate", "Go?", *PAIR, "--max-messages", "2", "-q")
    assert done.exit_code == 2
    assert "--runner openrouter:MODEL" in done.stderr


@pytest.mark.parametrize("what", ["wrong key", "wrong model", "no credit", "no such address"])
def test_what_no_call_can_mend_leaves_no_session(servers, eda, monkeypatch, what):
    """Without it each typing mistake is a session in the list."""
    _, other = servers
    monkeypatch.setenv("EDA_OPENAI_KEY", KEY)
    other.error(what, "openai")
    done = eda("debate", "Go?", *PAIR, "--runner", f"openrouter:{other.base}#m")
    other.answer = answered
    assert done.exit_code == 1
    assert "hint: " in done.stderr
    assert "no session is kept" in done.stderr
    assert KEY not in done.output
    assert list(Path("sessions").iterdir()) == []
