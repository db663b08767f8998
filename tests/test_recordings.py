"""Sessions that were recorded replay as they were; and no key is in anything that is kept or shown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from answering import answered
from click.testing import CliRunner, Result
from fake_anthropic import Fail, FakeAnthropic, Say
from recordings.make import HERE, MEMBERS, NAMES, debate, facts

from eda import Session
from eda.cli import cli
from eda.errors import RunnerError
from eda.personas import Persona
from eda.runners.recorded import RecordedRunner

ANEW = (
    "The prompts, or what the engine asks, changed since tests/recordings was made. "
    "If that was meant, make them anew: python tests/recordings/make.py"
)


def replayed(name: str, folder: Path, members: tuple[Persona, ...] = MEMBERS) -> tuple[list[str], list[str], str]:
    """The facts of a replay, the differences that it reported, and what stopped it."""
    stopped = ""
    with Session.create(name, folder) as session:
        of = debate(name, f"recorded:{HERE / f'{name}.jsonl'}", session, members)
        try:
            of.run_sync()
        except RunnerError as error:
            stopped = str(error)
        assert isinstance(of.runner, RecordedRunner)
        return facts(session), [str(one) for one in of.runner.differences], stopped


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_session_replays_line_for_line(name, tmp_path):
    """Without it a session that was paid for once cannot be shown again, nor a change of the engine be judged by it."""
    lines, differences, stopped = replayed(name, tmp_path)
    if differences or stopped:
        pytest.fail("\n\n".join([*differences, stopped, ANEW]))
    kept = (HERE / f"{name}.log.jsonl").read_text().splitlines()
    for number, (line, expected) in enumerate(zip(lines, kept, strict=False), 1):
        assert line == expected, f"line {number} of the log. {ANEW}"
    assert len(lines) == len(kept), ANEW


def test_a_recording_holds_what_a_bad_evening_brings():
    """Without it the replays prove no more than that a quiet debate can be replayed."""
    calls = {name: [json.loads(line) for line in (HERE / f"{name}.jsonl").read_text().splitlines()] for name in NAMES}
    claude = calls["claude"]
    assert {call["key"][0] for call in claude} == {"speak", "bid", "summarise", "ballot"}
    (failed,) = [call for call in claude if "error" in call]
    assert failed["usage"]["output_tokens"] == 20  # it was paid for all the same
    assert any(call["usage"]["input_tokens"] == 200 for call in claude)  # asked twice
    assert {call["model"] for call in calls["local"]} == {"tiny"}
    assert all((HERE / f"{name}.jsonl").stat().st_size < 300_000 for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_one_changed_word_of_a_persona_is_reported_where_it_first_counts(name, tmp_path):
    """Without it answers to old prompts pass for answers to new ones, and nobody can say which prompt changed."""
    old = MEMBERS[1]
    new = old.model_copy(update={"instruction": old.instruction.replace("old", "new")})
    _, differences, _ = replayed(name, tmp_path, (MEMBERS[0], new, MEMBERS[2]))
    (difference,) = differences
    assert difference.startswith("the prompt of speak of Walter after m0, attempt 1 changed")
    assert "\n-You weigh what is old." in difference
    assert "\n+You weigh what is new." in difference


# Questions aside


@pytest.fixture
def eda(fake: FakeAnthropic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """The program, in a folder of its own, with a key, at the fake."""
    fake.answer = answered
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-not-a-key-4711")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
    return partial(_run, partial(CliRunner().invoke, cli, prog_name="eda", catch_exceptions=False))


def _run(program: Callable[..., Result], *args: str) -> Result:
    return program(args)


DEBATE = ("debate", "Shall we go?", "--persona", "sceptic", "--persona", "historian", "--max-messages", "4", "--quiet")


def test_a_recorded_session_goes_on_being_recorded_when_a_member_is_asked(eda):
    """Without it the one call that was asked by hand is the one that cannot be replayed."""
    calls = Path("sessions/one/calls.jsonl")
    eda(*DEBATE, "--session", "one", "--record")
    before = (Path("sessions/one/events.jsonl").read_bytes(), len(calls.read_text().splitlines()))
    answers = [json.loads(eda("ask", "one", "Ruth", question, "--json").stdout) for question in ("Why?", "Why not?")]
    rows = [json.loads(line) for line in calls.read_text().splitlines()]
    assert len(rows) == before[1] + 2
    assert [row["key"][:2] for row in rows[-2:]] == [["ask", "Ruth"]] * 2
    assert rows[-1]["key"] != rows[-2]["key"]
    Path("sessions/one/events.jsonl").write_bytes(before[0])
    spec = f"recorded:{calls.absolute()}"
    for question, answer in zip(("Why?", "Why not?"), answers, strict=True):
        again = eda("ask", "one", "Ruth", question, "--runner", spec, "--json")
        assert json.loads(again.stdout)["answer"] == answer["answer"]
        assert "changed" not in again.stderr


def test_a_session_that_is_not_recorded_stays_so_and_a_changed_question_is_said(eda):
    """Without it a question leaves a file that makes a resume believe that all was recorded; or gets an old answer."""
    eda(*DEBATE, "--session", "one")
    eda("ask", "one", "Ruth", "Why?")
    assert not Path("sessions/one/calls.jsonl").exists()
    eda(*DEBATE, "--session", "two", "--record")
    eda("ask", "two", "Ruth", "Why?")
    log = Path("sessions/two/events.jsonl")
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-3]))
    other = eda("ask", "two", "Ruth", "Who?", "--runner", "recorded:sessions/two/calls.jsonl", "--json")
    assert other.stderr.count("changed since it was recorded") == 1
    assert re.search(r"\n\+.*Who\?", other.stderr)


# Keys

SECRET = "sk-ant-0815-SECRET-key"  # noqa: S105 - it opens nothing


@pytest.mark.parametrize("runner", ["anthropic", "local"])
def test_no_key_is_in_anything_that_is_kept_or_shown(eda, fake, tmp_path, monkeypatch, capfd, runner):
    """Without it a session that is sent to a friend, or a screen that is shared, gives the account away."""
    guarded = fake.url.replace("//", "//me:SECRET-password@")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", guarded)
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    monkeypatch.setenv("EDA_LOCAL_KEY", SECRET)
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-team: SECRET-of-the-team")
    troubles = iter([(429, "slow down"), (500, "x" * 280), (400, "nonsense"), (413, "too large")])

    def echo(body: dict[str, Any]) -> Fail | Say:
        status, words = next(troubles, (401, "bad key") if len(fake.requests) > 8 else (200, ""))
        sent = f"{fake.headers[-1]['authorization']} {fake.headers[-1].get('x-team', '')}"
        message = f"{words}: {SECRET}\n{sent}"
        return answered(body) if status == 200 else Fail(status, message=message, headers={"x-echo": SECRET})

    fake.answer = echo
    spec = "anthropic" if runner == "anthropic" else f"local:{fake.url}#m"
    done = eda(*DEBATE[:-1], "--runner", spec, "--record", "--session", "one")
    assert done.exit_code == 1
    assert "eda resume one" in done.stderr
    assert "bad key: [key] B" in done.stderr
    shown = [done, eda("ask", "one", "Ruth", "Why?"), eda("doctor", "--runner", spec, "--live")]
    shown.append(eda("debate", "Q?", "--runner", f"local:{guarded}"))
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url.replace("//", "//me:SECRET/password@"))
    shown.append(eda("debate", "Q?", "--runner", "anthropic", "--session", "two"))
    assert all("SECRET" not in one.output + one.stderr for one in shown)
    assert "SECRET" not in "".join(capfd.readouterr())
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"events.jsonl", "calls.jsonl"} <= {path.name for path in kept}
    assert [path for path in kept if b"SECRET" in path.read_bytes()] == []
