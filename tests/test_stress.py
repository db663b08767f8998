"""What a verdict hinges on is found where it was planted, and nothing else is; what was tried is kept."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from eda import Debate, Prompt, Reply, Session, Settings
from eda.cli.program import cli
from eda.debate.replay import read_back
from eda.debate.stress import Stress, stress
from eda.errors import RunnerUnavailableError, UsageError
from eda.events import VoteTried
from eda.report.gather import report_of
from eda.report.markdown import report_markdown

PANEL = ["sceptic", "historian", "pragmatic-engineer"]
PIVOT, OTHER = "Norrline loses 3 % of callers", "the lease ends in May"


class Minds:
    """All are for leaving; two stay where the pivot is not known."""

    spec, summarises, declares = "scripted", False, False

    def __init__(self) -> None:
        self.asked: list[Prompt] = []

    async def run(self, prompt: Prompt, _: Any = None) -> Reply:
        self.asked.append(prompt)
        if prompt.purpose == "ballot":
            doubts = f"not known, wherever it was said, and count on it no more: {PIVOT}" in prompt.text
            stays = doubts and prompt.agent != "Ruth"
            return Reply("", {"choice": "o2" if stays else "o1", "ranking": ["o2"] if stays else ["o1"]})
        if prompt.purpose == "bid":
            return Reply("", {"bids": [{"agent": each.title, "wants": False} for each in prompt.asked]})
        return Reply(f"{prompt.agent} weighs case {prompt.last}: {PIVOT}, and {OTHER}.")


def saved(folder: Path) -> None:
    wanted = Settings(max_messages=6, floor="round-robin", first_vote=False)
    with Session.create("one", folder) as session:
        options = ("Leave the firm", "Keep it")
        Debate("Which?", PANEL, Minds(), options=options, settings=wanted, session=session).run_sync()


def tried(folder: Path, runner: Any, **given: Any) -> Stress:
    with Session.open("one", folder) as session:
        return asyncio.run(stress(session, runner, **given))


def test_a_planted_pivot_is_found_and_nothing_else(tmp_path: Path) -> None:
    """The next meeting's first question is what happens if that figure is wrong."""
    saved(tmp_path)
    log = (tmp_path / "one" / "events.jsonl").read_bytes()
    done = tried(tmp_path, Minds(), premises=(PIVOT, OTHER), only="premises", runs=8)
    assert done.control == (0, 16)
    found = {each.arm.what: (each.hinges, *each.share) for each in done.arms}
    assert found == {PIVOT: (True, 8, 8), OTHER: (False, 0, 4)}
    assert done.arms[0].became == ("o2",)
    assert (tmp_path / "one" / "events.jsonl").read_bytes().startswith(log), "the debate stands as it was"
    with Session.read("one", tmp_path) as session:
        text = report_markdown(report_of(session, *read_back(session)))
        assert "What it hinges on" in text
        assert PIVOT in text.partition("What it hinges on")[2]
        assert read_back(session)[0].verdict.outcome == "Leave the firm"


def test_what_was_cut_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """A second run of the same command would pay for all of it again."""
    saved(tmp_path)
    whole = tmp_path / "whole"
    whole.mkdir()
    saved(whole)
    expected = tried(whole, Minds(), premises=(PIVOT,), only="premises", runs=4)

    class Cut(Minds):
        async def run(self, prompt: Prompt, on_text: Any = None) -> Reply:
            if len(self.asked) == 10:
                raise SystemError("killed")
            return await super().run(prompt, on_text)

    with pytest.raises(SystemError):
        tried(tmp_path, Cut(), premises=(PIVOT,), only="premises", runs=4)
    rest = Minds()
    done = tried(tmp_path, rest, premises=(PIVOT,), only="premises", runs=4)
    assert done == expected
    assert len(rest.asked) == 3 * (12 - 3), "three votes had been taken"


def test_the_ballots_tell_what_costs_nothing(tmp_path: Path) -> None:
    """Each rule and each ballot left out were found out by hand."""
    saved(tmp_path)
    args = ["stress", "one", "--plan", "--premise", PIVOT, "--json", "--sessions", str(tmp_path)]
    data = json.loads(CliRunner().invoke(cli, args).stdout)
    assert [(row["kind"], row["what"]) for row in data["arms"]] == [("premise", PIVOT), ("order", "")]
    assert data["arms"][0]["messages"], "the places of a premise are shown before it starts"
    assert data["calls"] == 4 * 10 * 3
    assert {row["kind"] for row in data["free"]} == {"rule", "without", "ballots"}
    with Session.read("one", tmp_path) as session:
        assert not any(isinstance(event, VoteTried) for event in session.events())


def test_without_a_verdict_by_ballots_nothing_is_tried(tmp_path: Path) -> None:
    class Gone(Minds):
        async def run(self, prompt: Prompt, on_text: Any = None) -> Reply:
            if prompt.purpose == "ballot":
                raise RunnerUnavailableError("no key")
            return await super().run(prompt, on_text)

    with Session.create("one", tmp_path) as session, suppress(RunnerUnavailableError):
        Debate(
            "Which?", PANEL, Gone(), options=("A", "B"), settings=Settings(first_vote=False), session=session
        ).run_sync()
    with pytest.raises(UsageError, match="no verdict by ballots"):
        tried(tmp_path, Minds())
