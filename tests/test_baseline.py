"""The baseline: made where a run was cut before it, said where it was asked for and is not there; what it cost."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from fake_anthropic import Fail, FakeAnthropic, Say
from started import ran

from eda import Debate, Session, Settings
from eda.cli import cli
from eda.events import BaselineTaken, CallMade, ReportWritten
from eda.runners.model_runner import GREETING

KEEP = "Keep it"
PROSE = {"verdict": "It stays.", "reasons": [], "dissent": [], "risks": [], "open": []}


def eda(folder: Path, *args: str) -> Result:
    return CliRunner().invoke(cli, [*args, "--sessions", str(folder)], prog_name="eda")


def kinds(folder: Path) -> list[str]:
    with Session.read("s", folder) as session:
        return [type(event).__name__ for event in session.events() if isinstance(event, BaselineTaken | ReportWritten)]


def answers(body: dict[str, Any]) -> Say | Fail:
    """Single answers, and the prose of a report; a greeting."""
    if "ANSWER" in json.dumps(body):
        return Say(f"ANSWER: {KEEP}", usage={"input_tokens": 29_000, "output_tokens": 1_000})
    return Say("Hello." if GREETING.own in json.dumps(body) else json.dumps(PROSE))


@pytest.fixture
def ended(tmp_path: Path) -> Path:
    """A folder with the session `s`, asked to have a baseline, whose process ended right after the verdict."""
    with Session.create("s", tmp_path) as session:
        Debate(
            "Should we keep it?",
            ["sceptic", "historian", "pragmatic-engineer"],
            options=(KEEP, "Drop it"),
            settings=Settings(max_messages=7, baseline=True),
            session=session,
        ).run_sync()
    return tmp_path


def test_a_resume_takes_the_baseline_that_a_run_was_cut_before(ended: Path, fake: FakeAnthropic) -> None:
    """Who asked for the comparison, and lost the connection at the last moment, could never have it."""
    fake.play()
    fake.answer = answers
    runner = ("--runner", f"local:{fake.url}")
    assert "it was asked for and not taken; resuming the session takes it" in eda(ended, "report", "s").stdout
    made = eda(ended, "resume", "s", *runner)
    assert (made.exit_code, "without its baseline" in made.stderr) == (0, True)
    assert kinds(ended) == ["BaselineTaken", "ReportWritten"]
    report = eda(ended, "report", "s").stdout
    assert "- Asked without a debate: of " in report
    assert "not taken" not in report
    asked = len(fake.requests)
    again = eda(ended, "resume", "s", *runner)
    assert (again.exit_code, "has ended (messages)" in again.stderr, len(fake.requests)) == (2, True, asked)


def test_what_the_baseline_cost_stands_beside_what_the_debate_cost(ended: Path, fake: FakeAnthropic) -> None:
    """It can cost as much as the debate did, and stood nowhere but in a table that nobody was sent to."""
    fake.play()
    fake.answer = answers
    eda(ended, "resume", "s", "--runner", f"local:{fake.url}")
    with Session.read("s", ended) as session:
        calls = [call for call in session.events() if isinstance(call, CallMade) and call.purpose == "baseline"]
    assert len(calls) == 1  # thirty thousand tokens are more than the debate took
    more = eda(ended, "resume", "s", "--max-messages", "8", "--runner", f"local:{fake.url}")
    for shown in (more.stdout, eda(ended, "report", "s").stdout, eda(ended, "show", "s").stdout):
        (cost,) = re.findall(r"\d+ calls, .* \(and for the baseline (.*)\)", shown.replace(r"\$", "$"))
        assert cost == "2 calls, 60.0k tokens, $0.00"
    data = json.loads(eda(ended, "report", "s", "--json").stdout)["helped"]
    assert (data["for_baseline"]["calls"], data["baseline_due"]) == (2, False)


def test_prose_that_was_paid_for_is_not_asked_for_again_with_a_late_baseline(ended: Path, fake: FakeAnthropic) -> None:
    """A server that refused the single answers and wrote the report would be paid twice for the report."""
    fake.play()
    fake.answer = lambda body: Fail(400) if "ANSWER" in json.dumps(body) else answers(body)
    refused = eda(ended, "resume", "s", "--runner", f"local:{fake.url}")
    assert "warning: there is no baseline" in refused.stderr
    assert kinds(ended) == ["ReportWritten"]
    fake.answer = answers
    eda(ended, "resume", "s", "--runner", f"local:{fake.url}")
    assert kinds(ended) == ["ReportWritten", "BaselineTaken"]


MODEL = '''
"""A simulated panel that counts as a language model; asked alone, each call in five says the other option."""

from dataclasses import replace

from eda import Reply, Usage
from eda.runners.simulated.runner import SimulatedRunner


class Model(SimulatedRunner):
    summarises = True

    async def run(self, prompt, on_text=None):
        if prompt.purpose == "baseline":
            choice = sorted(prompt.options)[not prompt.nth % 5]
            return Reply(f"ANSWER: {choice}", usage=Usage(200 + 10 * (prompt.nth % 3), 20))
        return replace(await super().run(prompt, on_text), usage=Usage(500, 50))
'''


@pytest.mark.long
def test_a_baseline_costs_no_more_than_its_debate(tmp_path: Path) -> None:
    """With ten times the calls, answers without talk would be better for that alone."""
    (tmp_path / "ours_alone.py").write_text(MODEL)
    args = ("debate", "Should we keep it?", "--option", KEEP, "--option", "Drop it", "--runner", "ours_alone:Model")
    more = ("--max-messages", "6", "--baseline", "--session", "one", "--sessions", "here", "--json")
    ran_json = ran(*args, *more, cwd=tmp_path)
    assert ran_json.returncode == 0, ran_json.stderr
    row = json.loads(ran_json.stdout)
    taken, took = row["helped"]["baseline"], row["helped"]["for_baseline"]
    assert 0.8 * row["helped"]["tokens"] < took["input_tokens"] + took["output_tokens"] <= row["helped"]["tokens"]
    assert len(taken["reasked"]) == 10
    assert taken["tokens"] <= row["helped"]["tokens"]
    assert taken["outcome"] in (KEEP, "Drop it")
    with Session.read("one", tmp_path / "here") as session:
        assert [event.unsteady[1] for event in session.events() if isinstance(event, BaselineTaken)] == [5]


def test_a_late_baseline_is_not_asked_of_a_simulated_panel(ended: Path) -> None:
    """It has no answers of its own: the comparison would be with nothing."""
    made = eda(ended, "resume", "s")
    assert made.exit_code == 0
    assert "warning: there is no baseline: this runner is not a language model" in made.stderr
    assert kinds(ended) == []
    assert (ended / "s" / "report.md").exists()


def test_a_baseline_can_be_asked_for_when_the_debate_is_over(ended: Path, fake: FakeAnthropic) -> None:
    """To steer an ended session to one would be taken for more talk, and the resume refused."""
    fake.play()
    fake.answer = answers
    for wish in ("baseline=no", "baseline=yes"):
        assert eda(ended, "steer", "s", "--set", wish).exit_code == 0
    assert eda(ended, "resume", "s", "--runner", f"local:{fake.url}").exit_code == 0
    assert "- Asked without a debate: of 1 single answer at 30.0k tokens, 1 takes" in eda(ended, "report", "s").stdout


def test_more_talk_ends_with_the_baseline_too(ended: Path, fake: FakeAnthropic) -> None:
    """The second verdict of a session would stand without the comparison that was asked for the first."""
    fake.play()
    fake.answer = answers
    with Session.open("s", ended) as session:
        assert session.started().settings.baseline
    done = eda(ended, "resume", "s", "--max-messages", "9", "--runner", f"local:{fake.url}", "--quiet")
    assert done.exit_code == 0
    assert "BaselineTaken" in kinds(ended)


def test_a_debate_of_refusals_alone_has_no_exit_code_of_success(tmp_path: Path, fake: FakeAnthropic) -> None:
    """A script would take the empty verdict for what a panel decided."""
    fake.play()
    fake.answer = lambda _: Say("I'm sorry, but I can't help with that.")
    options = ("--option", KEEP, "--option", "Drop it", "--runner", f"local:{fake.url}", "--max-messages", "7")
    made = eda(tmp_path, "debate", "Should we keep it?", *options, "--session", "s", "--quiet")
    assert made.exit_code == 1
    assert "nobody spoke and nobody voted" in made.stderr
