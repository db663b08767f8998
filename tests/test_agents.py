"""Programs that are logged in on the machine as runners: stand-ins of our own speak as they do, and misbehave."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from in_turn import in_turn
from stand_ins import on_path

from eda.cli import cli
from eda.errors import RunnerError, RunnerUnavailableError, UsageError
from eda.events import BallotCast, CallMade, MessagePosted
from eda.panels.allowed import ALLOWED, allow
from eda.runners.agents.programs import AgentRunner
from eda.runners.answers import BallotAnswer
from eda.runners.models import ModelSpec
from eda.runners.protocol import Prompt
from eda.runners.shipped import default_spec, make_runner, named_runner
from eda.session import Session

SPEAK = Prompt(purpose="speak", agent="Ruth", system="You are Ruth.", own="What do you say?")
VOTE = Prompt(purpose="ballot", agent="Ruth", system="You are Ruth.", own="Vote.", answer=BallotAnswer)


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the stand-ins on the PATH, and return the file where each notes what it was given."""
    on_path(tmp_path / "bin", monkeypatch)
    monkeypatch.setenv("FAKE_NOTES", str(tmp_path / "notes.jsonl"))
    monkeypatch.delenv(ALLOWED, raising=False)
    monkeypatch.delenv("FAKE_AGENT", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "notes.jsonl"


@pytest.fixture
def eda(notes: Path) -> Callable[..., Result]:
    return lambda *args: CliRunner().invoke(cli, args, prog_name="eda", catch_exceptions=False)


SPECS = ("claude-code:sonnet", "codex:gpt-x", "acp:acp --fast")


def noted(notes: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in notes.read_text().splitlines()] if notes.exists() else []


async def reached(state: Callable[[], bool]) -> None:
    until = time.monotonic() + 10
    while not state():
        assert time.monotonic() < until
        await asyncio.sleep(0.01)


async def at_once(_: float) -> None:
    await asyncio.sleep(0)


def runner(spec: str, **more: Any) -> AgentRunner:
    return AgentRunner(spec, **{"sleep": at_once, **more})


@pytest.mark.parametrize("spec", SPECS)
async def test_a_program_answers_in_a_folder_of_its_own(notes: Path, spec: str) -> None:
    """In the user's folder it would read CLAUDE.md and AGENTS.md, and run the hooks of whoever wrote them."""
    pieces: list[str] = []
    reply = await runner(spec).run(SPEAK, pieces.append)
    assert reply.text.startswith("I weigh the")
    assert "".join(pieces) == reply.text
    if not spec.startswith("acp"):
        (told,) = noted(notes)
        assert told["text"].endswith("What do you say?")
        assert Path(told["cwd"]) != Path.cwd()
        assert not os.path.exists(told["cwd"])  # noqa: ASYNC240, PTH110
        assert reply.usage.cost == 0.0  # by subscription
        assert reply.usage.output_tokens == 20
        assert spec.partition(":")[2] in " ".join(told["args"]) or reply.model in told["args"]


@pytest.mark.parametrize("spec", SPECS)
async def test_a_vote_is_held_to_its_schema_where_the_program_can(notes: Path, spec: str) -> None:
    reply = await runner(spec).run(VOTE)
    assert reply.data is not None
    assert reply.data["choice"] == "Go"
    if spec.startswith("codex"):
        assert "--output-schema" in noted(notes)[0]["args"]


@pytest.mark.parametrize(("spec", "trouble"), in_turn(SPECS, ["flood", "long line", "die", "half", "rubbish"], 3))
async def test_a_broken_program_is_no_member_that_spoke(
    notes: Path, monkeypatch: pytest.MonkeyPatch, spec: str, trouble: str
) -> None:
    """What it said before it broke is no message: the debate pauses, and names the program."""
    monkeypatch.setenv("FAKE_AGENT", trouble)
    with pytest.raises(RunnerUnavailableError) as failed:
        await runner(spec, attempts=2).run(SPEAK)
    assert "the disk is full" in str(failed.value) or trouble != "die"
    assert "\x1b" not in str(failed.value)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("how", ["deadline", "cancelled"])
async def test_a_call_that_is_given_up_leaves_no_process(
    notes: Path, monkeypatch: pytest.MonkeyPatch, spec: str, how: str
) -> None:
    """Else each Ctrl-C leaves an agent that goes on spending, with the programs that it has started."""
    monkeypatch.setenv("FAKE_AGENT", "hang")
    asked = asyncio.ensure_future(runner(spec, attempts=1, timeout=0.7 if how == "deadline" else 60).run(SPEAK))
    await reached(lambda: asked.done() or any("pids" in note for note in noted(notes)))
    if how == "cancelled":
        asked.cancel()
    with pytest.raises((RunnerUnavailableError, asyncio.CancelledError)):
        await asked
    pids = [pid for note in noted(notes) for pid in note.get("pids", ())]
    await reached(lambda: not any(map(alive, pids)))
    assert pids or how == "deadline"


@pytest.mark.parametrize(
    ("spec", "trouble", "told"),
    [
        ("claude-code", "limit", "2026-11-28 13:41 UTC"),
        ("codex", "limit", "Try again at 3:05 PM"),
        ("claude-code", "no login", "Not logged in"),
        ("codex", "no login", "Not logged in"),
        ("acp:acp", "no login", "Authentication required"),
        ("acp:no-such-program-here", "", "is not installed"),
    ],
)
async def test_what_only_the_user_can_mend_is_told_at_once(
    notes: Path, monkeypatch: pytest.MonkeyPatch, spec: str, trouble: str, told: str
) -> None:
    """A limit pauses the debate, and says until when."""
    monkeypatch.setenv("FAKE_AGENT", trouble)
    with pytest.raises(RunnerUnavailableError, match=told) as failed:
        await runner(spec, attempts=7).run(SPEAK)
    assert failed.value.refused == (trouble != "limit")
    assert failed.value.hint
    assert sum("text" in note for note in noted(notes)) <= 1


async def test_a_refusal_is_no_outage(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_AGENT", "error")
    with pytest.raises(RunnerError, match="refused") as failed:
        await runner("acp:acp").run(SPEAK)
    assert not isinstance(failed.value, RunnerUnavailableError)


async def test_what_an_agent_asks_for_is_refused_and_told(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it an agent writes where the panel only wanted to talk."""
    monkeypatch.setenv("FAKE_AGENT", "permission")
    reply = await runner("acp:acp").run(SPEAK)
    answers = [note for note in noted(notes) if note.get("id") in (77, 78)]
    assert answers[0]["result"] == {"outcome": {"outcome": "selected", "optionId": "no"}}
    assert "error" in answers[1]
    assert reply.refused == ("rm -rf",)


def test_what_was_refused_is_a_fact_that_the_report_lists_and_a_replay_keeps(
    eda: Callable[..., Result], notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else nobody learns afterwards that an agent wanted to do more than talk."""
    monkeypatch.setenv("FAKE_AGENT", "permission")
    pair = ("--persona", "sceptic", "--persona", "historian", "--option", "Go", "--option", "Wait")
    common = ("debate", "Go?", *pair, "--max-messages", "4")
    seat = ("--runner", "claude-code", "--seat", "Walter=acp:acp", "--record")
    for name, more in (("one", seat), ("two", ("--runner", "recorded:sessions/one/calls.jsonl"))):
        done = eda(*common, *more, "--session", name)
        assert done.exit_code == 0, done.output
        with Session.read(name, Path("sessions")) as session:
            refused = {
                fact.agent: fact.refused for fact in session.events() if isinstance(fact, CallMade) and fact.refused
            }
        assert refused == {"Walter": ("rm -rf",)}
        told = [line for line in Path(f"sessions/{name}/report.md").read_text().splitlines() if "rm -rf" in line]
        assert len(told) == 1
        assert "rm -rf" in Path(f"sessions/{name}/report.html").read_text()


async def test_words_of_another_session_are_not_the_members(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_AGENT", "another session")
    reply = await runner("acp:acp").run(SPEAK)
    assert reply.text.startswith("I weigh")


def test_a_command_may_hold_what_separates_models() -> None:
    spec = "acp:npx -y @x/agent --a=b,c=d + http://h#m"
    assert str(ModelSpec.parse(spec)) == spec
    assert ModelSpec.parse("claude-code:opus+haiku").cheap == "haiku"
    with pytest.raises(UsageError):
        AgentRunner("acp:'unended")


@pytest.mark.parametrize("spec", ["claude-code", "codex:gpt-x", "acp:acp"])
def test_a_program_that_only_data_name_is_not_started(notes: Path, spec: str) -> None:
    with pytest.raises(UsageError, match="because a file names it"):
        make_runner(spec)
    if spec.startswith("acp"):
        allow("acp:acp --other")
        with pytest.raises(UsageError):
            make_runner(spec)
    make_runner(named_runner(spec))
    assert noted(notes) == []


def test_three_agents_hold_a_debate_that_is_replayed_without_them(
    eda: Callable[..., Result], notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = ("--persona", "sceptic", "--persona", "historian", "--persona", "pragmatic-engineer")
    common = ("debate", "Go?", *pair, "--option", "Go", "--option", "Wait", "--max-messages", "6")
    seats = ("--seat", "Walter=codex:gpt-x", "--seat", "Maya=acp:acp")
    done = eda(*common, "--runner", "claude-code", *seats, "--session", "one", "--record", "-q")
    assert done.exit_code == 0, done.output
    with Session.read("one", Path("sessions")) as session:
        facts = list(session.events())
        assert session.started().runner == "claude-code"
    calls = [fact for fact in facts if isinstance(fact, CallMade)]
    assert {call.provider for call in calls if call.agent == "Walter"} == {"codex"}
    assert {call.model for call in calls if call.agent == "Maya"} == {"acp"}
    assert {fact.ballot.choice for fact in facts if isinstance(fact, BallotCast)} == {"Go"}
    made = len(noted(notes))
    monkeypatch.delenv(ALLOWED)
    again = eda(*common, "--runner", "recorded:sessions/one/calls.jsonl", "--session", "two", "-q")
    assert again.exit_code == 0, again.output
    assert len(noted(notes)) == made
    with Session.read("two", Path("sessions")) as session:
        replayed = [fact.text for fact in session.events() if isinstance(fact, MessagePosted)]
    assert replayed == [fact.text for fact in facts if isinstance(fact, MessagePosted)]


def test_a_limit_pauses_a_debate_that_goes_on_afterwards(
    eda: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = ("--persona", "sceptic", "--persona", "historian", "--option", "Go", "--option", "Wait")
    done = eda("debate", "Go?", *pair, "--runner", "claude-code", "--max-messages", "2", "--session", "one", "-q")
    assert done.exit_code == 0, done.output
    monkeypatch.setenv("FAKE_AGENT", "limit")
    done = eda("resume", "one", "--max-messages", "4", "-q")
    assert done.exit_code == 1
    assert "2026-11-28 13:41 UTC" in done.output
    monkeypatch.delenv("FAKE_AGENT")
    monkeypatch.delenv(ALLOWED)  # its own session names the program
    done = eda("resume", "one", "-q")
    assert done.exit_code == 0, done.output


def test_doctor_tells_who_is_logged_in_and_what_stays_on(eda: Callable[..., Result], notes: Path) -> None:
    told = {each["name"]: each for each in json.loads(eda("doctor", "--json").stdout)["checks"]}
    assert noted(notes) == []
    assert told["claude-code"]["value"].endswith("/claude")
    assert told["claude-code"]["hint"]
    live = {
        each["name"]: each
        for each in json.loads(eda("doctor", "--live", "--runner", "codex", "--json").stdout)["checks"]
    }
    assert "ada@example.org" in live["claude-code"]["value"]
    assert "ChatGPT" in live["codex"]["value"]
    assert live["live"]["value"]["cost"] == 0


def test_a_seats_program_is_named_again_where_a_session_goes_on(
    eda: Callable[..., Result], notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log that names a program is data, whoever wrote it."""
    pair = ("--persona", "sceptic", "--persona", "historian", "--option", "Go", "--option", "Wait")
    seat = ("--runner", "claude-code", "--seat", "Walter=acp:acp --fast")
    done = eda("debate", "Go?", *pair, *seat, "--max-messages", "2", "--session", "one", "-q")
    assert done.exit_code == 0, done.output
    made = len(noted(notes))
    monkeypatch.delenv(ALLOWED)
    done = eda("resume", "one", "--max-messages", "4", "-q")
    assert done.exit_code == 2
    assert "--allow 'acp:acp --fast'" in done.output
    assert len(noted(notes)) == made
    done = eda("resume", "one", "--max-messages", "4", "--allow", "acp:acp --fast", "-q")
    assert done.exit_code == 0, done.output


def test_whoever_has_a_program_and_no_key_is_told_of_it(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setattr("eda.runners.shipped.providers", dict)
    with pytest.raises(UsageError) as told:
        default_spec()
    assert "--runner claude-code" in told.value.hint
