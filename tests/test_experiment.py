"""A debate is held again with one thing altered, by scripted members whose votes depend on known premises."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from eda.cli.program import cli
from eda.debate.debate import Debate
from eda.debate.hinges import CONTROLS
from eda.errors import RunnerUnavailableError, UnknownNameError, UsageError
from eda.events import MessagePosted
from eda.panels.documents.document import Document
from eda.panels.settings import Settings
from eda.runners.protocol import Prompt
from eda.runners.scripted import ScriptedRunner
from eda.session import Session
from eda.study.altered import UNKNOWN, played_by, premise, together, turned, without_member
from eda.study.experiment import Experiment

KEEP, SELL = "Keep our own nurses", "Sell the service"
LOSS, NIGHT, RENT, SPARE = "Norrline loses 3 % of callers", "Nights cost double", "The rent runs out", "Two lines spare"
BRIEFING = Document("briefing.md", f"# Lines\n{LOSS}.\n{NIGHT}.\n{RENT}. {SPARE}.\nThe door is blue.\n")
SAID = "The pilot failed in May."


class Minds(ScriptedRunner):
    """All sell without LOSS, and without both RENT and SPARE; by chance a member votes otherwise."""

    def __init__(self, noise: float = 0.0, fails_after: int = 10**9) -> None:
        super().__init__(self.speak, ballots=self.vote, declares=False)
        self.noise, self.left = noise, fails_after

    def speak(self, prompt: Prompt) -> str:
        self.left -= 1
        if self.left < 0:
            raise RunnerUnavailableError("the server is away")
        return SAID if prompt.last == 4 else f"I have read it, as {prompt.agent}, in turn {prompt.last}."

    def vote(self, prompt: Prompt) -> Mapping[str, Any]:
        read = "\n".join(document.text for document in prompt.documents)
        sell = LOSS not in read or not (RENT in read or SPARE in read)
        if random.Random(f"{prompt.seed}:{prompt.agent}:{len(read)}").random() < self.noise:
            sell = not sell
        return {"choice": SELL if sell else KEEP, "reason": ""}


@pytest.fixture
def debated(tmp_path: Path) -> Session:
    runner = Minds()
    settings = Settings(max_messages=6, floor="round-robin")
    session = Session.create("nurses", tmp_path)
    panel = ["sceptic", "economist", "historian", "visionary"]
    asyncio.run(
        Debate(
            "Who answers the calls?", panel, runner, options=[KEEP, SELL], documents=[BRIEFING], settings=settings,
            session=session,
        ).run()
    )  # fmt: skip
    return session


def test_the_premise_on_which_all_votes_rest_is_found_and_no_other(debated: Session) -> None:
    """Who is asked "and what if that figure is wrong?" gets an answer by experiment."""
    both = together([premise(debated, RENT), premise(debated, SPARE)])
    arms = [premise(debated, each) for each in (LOSS, NIGHT, RENT)]
    arms += [both, without_member(debated, "historian"), turned(debated, "seats"), turned(debated, "options")]
    table = asyncio.run(Experiment(debated, arms, 10, Minds(0.05)).run())
    assert {row["what"] for row in table["arms"] if row["hinges"]} == {LOSS, both.what}
    first, night = table["arms"][:2]
    assert first["places"] == ["briefing.md l. 2"]
    assert table["control"]["of"] == CONTROLS * 10
    assert first["of"] == 10 > night["of"]  # the plan goes on only where an effect is near
    assert first["low"] > 0.3
    with Session.read(debated.folder / "stress" / first["read"]) as run:
        assert LOSS not in run.started().documents[0].text
        assert run.started().parent.changed == f"premise:{LOSS}"


@pytest.mark.parametrize("after", [3, 30, 55])
def test_a_stress_that_is_cut_short_comes_to_the_same_table(debated: Session, tmp_path: Path, after: int) -> None:
    """Runs are paid for: none is begun again, and a stop must not choose what is found."""
    arms = [premise(debated, LOSS), premise(debated, NIGHT)]
    whole = asyncio.run(Experiment(debated, arms, 5, Minds(0.2), tmp_path / "whole").run())
    with pytest.raises(RunnerUnavailableError):
        asyncio.run(Experiment(debated, arms, 5, Minds(0.2, after), tmp_path / "cut").run())
    assert asyncio.run(Experiment(debated, arms, 5, Minds(0.2), tmp_path / "cut").run()) == whole
    assert asyncio.run(Experiment(debated, arms, 5, Minds(0.2, 0), tmp_path / "cut").run()) == whole


def test_a_passage_that_a_member_said_goes_from_where_it_was_said_first(debated: Session, tmp_path: Path) -> None:
    """What was said before it stays; a figure of a few words leaves a gap that says so."""
    arm = premise(debated, "failed in  May")
    assert (arm.at, arm.places[0]) == (5, "m5")
    table = asyncio.run(Experiment(debated, [arm], 4, Minds(), tmp_path / "runs").run())
    with Session.read(tmp_path / "runs" / table["arms"][0]["read"]) as run:
        said = [event.text for event in run.events() if isinstance(event, MessagePosted)]
    before = [event.text for event in debated.events() if isinstance(event, MessagePosted)]
    assert said[:5] == [*before[:4], f"The pilot {UNKNOWN}."]
    assert len(said) == len(before) == 6
    assert (table["arms"][0]["finding"], table["control"]) == ("unseen", {"changed": 0, "of": 2 * CONTROLS * 2})


def test_nothing_is_started_that_cannot_be_compared(debated: Session, tmp_path: Path) -> None:
    """A table of what nobody can compare would be believed."""
    for words in ("nobody said this", " ", SAID):  # a message that says nothing else cannot go without it
        with pytest.raises(UsageError):
            premise(debated, words)
    with pytest.raises(UnknownNameError):
        without_member(debated, "Nobody")
    with pytest.raises(UsageError):
        together([premise(debated, LOSS), premise(debated, "failed in May")])
    arm = premise(debated, LOSS)
    with pytest.raises(UsageError):
        asyncio.run(Experiment(debated, [arm], 4, None, tmp_path / "runs").run())  # a runner of the user's own
    assert not (tmp_path / "runs").exists()


def test_a_budget_is_kept_and_a_forecast_says_what_it_takes(debated: Session, tmp_path: Path) -> None:
    """Nobody begins what they cannot pay for."""
    experiment = Experiment(debated, [premise(debated, LOSS), played_by("simulated")], 10, Minds(), tmp_path / "runs")
    runs, calls = experiment.forecast()["runs"], experiment.forecast()["calls"]
    assert (runs, calls[1] / calls[0]) == ([4 * 4, 4 * 10], 2.5)
    experiment.tokens = 0
    table = asyncio.run(experiment.run())
    assert table["paused"] or not experiment.forecast()["tokens"][0]


def test_the_command_holds_it_again_and_plans_it_first(tmp_path: Path) -> None:
    """Who types `eda stress --again` gets the table as data, what cannot be tried, and pays for no run twice."""
    with Session.create("calls", tmp_path) as session:
        wanted = Settings(max_messages=4, fixed_options=True)
        Debate("Who?", ["sceptic", "historian"], options=[KEEP, SELL], documents=[BRIEFING], settings=wanted,
               session=session).run_sync()  # fmt: skip

    def stressed(*more: str) -> Any:
        given = ["stress", "calls", "--again", "--premise", NIGHT, "--runs", "4", "--sessions", str(tmp_path), *more]
        return CliRunner().invoke(cli, given)

    plan = json.loads(stressed("--plan", "--json").stdout)
    assert [(row["kind"], row["what"]) for row in plan["arms"]] == [
        ("premise", NIGHT), ("order", "seats"), ("order", "options"),
    ]  # fmt: skip
    assert plan["arms"][0]["places"] == ["briefing.md l. 3"]
    assert {row["kind"] for row in plan["not_tried"]} == {"member"}  # of two members none can be left out
    assert plan["forecast"]["runs"] == [20, 20]
    assert not (tmp_path / "calls" / "stress").exists()
    table = json.loads(stressed("--json").stdout)
    assert table["control"]["of"] == 8
    assert {*table["arms"][0]} >= {"what", "kind", "changed", "of", "estimate", "low", "high", "hinges", "became"}
    assert {row["kind"] for row in table["free"]} >= {"rule", "without"}
    assert json.loads(stressed("--json").stdout) == table
    assert "briefing.md l. 3" in stressed().stdout
    assert stressed("--only", "terms").exit_code != 0
