"""A report that a run was cut before, and a debate of which nothing came."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from fake_anthropic import FakeAnthropic, Say

from eda import Debate, Session, Settings
from eda.cli import cli
from eda.events import ReportWritten
from eda.runners.model_runner import GREETING
from eda.words import Words

KEEP = "Keep it"
PROSE = {"line": "It stays.", "reasons": [], "dissent": [], "risks": [], "open": []}


def eda(folder: Path, *args: str) -> Result:
    return CliRunner().invoke(cli, [*args, "--sessions", str(folder)], prog_name="eda")


def test_a_resume_writes_the_report_that_a_run_was_cut_before(tmp_path: Path, fake: FakeAnthropic) -> None:
    """Who lost the connection at the last moment would have a verdict without its page."""
    with Session.create("s", tmp_path) as session:
        settings, panel = Settings(max_messages=7), ["sceptic", "historian", "pragmatic-engineer"]
        Debate("Should we keep it?", panel, options=(KEEP, "Drop it"), settings=settings, session=session).run_sync()
    fake.play()
    fake.answer = lambda body: Say("Hello." if GREETING.own in json.dumps(body) else json.dumps(PROSE))
    runner = ("--runner", f"local:{fake.url}")
    made = eda(tmp_path, "resume", "s", *runner)
    assert (made.exit_code, "without its report" in made.stderr) == (0, True)
    with Session.read("s", tmp_path) as session:
        assert [fact.by for fact in session.events() if isinstance(fact, ReportWritten)]
    asked = len(fake.requests)
    again = eda(tmp_path, "resume", "s", *runner)
    assert (again.exit_code, "has ended (messages)" in again.stderr, len(fake.requests)) == (2, True, asked)


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.long), "de"])
def test_a_run_shows_the_answer_in_the_words_of_the_model(tmp_path: Path, fake: FakeAnthropic, language: str) -> None:
    """The page and `eda show` had it, and who watched the debate saw only a title."""
    ballot, prose = {"ranking": ["o1"], "reason": "It works."}, PROSE | {"line": "Keep it here."}
    fake.play()

    def answer(body: Any) -> Say:
        asked = json.dumps(body)
        return Say(json.dumps(prose if "risks" in asked else ballot) if "JSON" in asked else "I would keep it.")

    fake.answer = answer
    options = ("--option", KEEP, "--option", "Drop it", "--runner", f"local:{fake.url}", "--max-messages", "7")
    made = eda(tmp_path, "debate", "Should we keep it?", *options, "--session", "s", "--language", language)
    assert made.exit_code == 0, made.stderr
    with Session.read("s", tmp_path) as session:
        (fact,) = (fact for fact in session.events() if isinstance(fact, ReportWritten))
    assert fact.line == "Keep it here."
    assert made.stdout.splitlines().count(Words(language).say("report-line", line=fact.line, by=fact.by)) == 1


def test_a_debate_of_refusals_alone_has_no_exit_code_of_success(tmp_path: Path, fake: FakeAnthropic) -> None:
    """A script would take the empty verdict for what a panel decided."""
    fake.play()
    fake.answer = lambda _: Say("I'm sorry, but I can't help with that.")
    options = ("--option", KEEP, "--option", "Drop it", "--runner", f"local:{fake.url}", "--max-messages", "7")
    made = eda(tmp_path, "debate", "Should we keep it?", *options, "--session", "s", "--quiet")
    assert made.exit_code == 1
    assert "nobody spoke and nobody voted" in made.stderr
