"""What only some members are told, and what they open for: in their own prompts and nowhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import eda
from eda import Debate, Prompt, Reply, Session
from eda.debate.ask import ask
from eda.debate.control.changes import Seat, steer
from eda.errors import UnknownNameError, UsageError
from eda.panels.panel import Library
from eda.panels.settings import Settings
from eda.runners.protocol import OnText
from eda.runners.simulated.runner import SimulatedRunner

PANEL = ["sceptic", "historian", "pragmatic-engineer"]
FACT = "The vault of Candidate B was flooded in March"
OTHER = "Candidate A paid its debts"


class Kept(SimulatedRunner):
    """Keeps what it was asked."""

    def __init__(self) -> None:
        self.prompts: list[Prompt] = []

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        assert prompt.text
        self.prompts.append(prompt)
        return await super().run(prompt, on_text)


def held(runner: Kept, **given: Any) -> Debate:
    settings = Settings(max_messages=8, bids="each", consensus=1.0, poll_every=2)
    debate = Debate("Which candidate?", PANEL, runner, options=("A", "B"), settings=settings, seed=3, **given)
    debate.run_sync()
    return debate


def test_a_fact_stands_in_every_prompt_of_its_member_and_in_no_other() -> None:
    """A hidden profile is one only as long as the facts are hidden."""
    runner = Kept()
    titles = [member.title for member in Debate("Which?", PANEL).members]
    debate = held(runner, facts={titles[1].lower(): (FACT, f"  {OTHER}\n"), "sceptic": OTHER})
    assert debate.session.started().facts == {titles[1]: (FACT, OTHER), titles[0]: (OTHER,)}
    assert {"speak", "bid", "poll", "ballot"} <= {prompt.purpose for prompt in runner.prompts if prompt.agent}
    for prompt in runner.prompts:
        assert (FACT in prompt.text) == (prompt.agent == titles[1]), prompt.key
        assert (OTHER in prompt.text) == (prompt.agent in titles[:2]), prompt.key
        assert FACT not in "".join((prompt.system, *prompt.shared, *prompt.held))


async def test_a_member_that_is_asked_aside_after_a_resume_still_knows_it(tmp_path: Path) -> None:
    """The first fact holds it, so a session that is opened again has it."""
    with Session.create("told", tmp_path) as session:
        debate = Debate("Which?", PANEL, options=("A", "B"), facts={"historian": [FACT]}, session=session)
        await debate.run()
    runner = Kept()
    with Session.open("told", tmp_path) as session:
        await ask(session, debate.members[1].title, "What do you know?", runner)
        await ask(session, debate.members[0].title, "What do you know?", runner)
    assert [FACT in prompt.text for prompt in runner.prompts] == [True, False]


def test_an_anonymous_seat_keeps_its_facts() -> None:
    """Names may be hidden as a factor of the same study."""
    runner = Kept()
    debate = Debate("Which?", PANEL, runner, options=("A", "B"), agenda="delphi", facts={"historian": [FACT]})
    debate.run_sync()
    assert debate.started.facts == {"Panelist B": (FACT,)}
    assert {prompt.agent for prompt in runner.prompts if FACT in prompt.text} == {"Panelist B"}


def test_a_seat_that_another_persona_takes_keeps_its_facts() -> None:
    """A fork that swaps the persona changes nothing else."""
    debate = held(Kept(), facts={"historian": [FACT]})
    steer(debate.session, [Seat("replaced", debate.members[1].title, Library().persona("economist"))])
    runner = Kept()
    again = Debate.resume(debate.session, runner, max_messages=14)
    again.run_sync()
    assert again.members[1].name == "economist"
    assert {prompt.agent for prompt in runner.prompts if FACT in prompt.text} == {again.members[1].title}


def test_an_opening_stance_is_told_to_its_member_alone() -> None:
    """Assigned stances start a debate from a known disagreement."""
    runner = Kept()
    debate = held(runner, stances={"sceptic": "b"})
    title = debate.members[0].title
    assert debate.started.stances == {title: "B"}
    assert {prompt.agent for prompt in runner.prompts if 'asked to open for "B"' in prompt.text} == {title}


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ({"facts": {"Nobody": ["x"]}}, UnknownNameError, "Nobody"),
        ({"facts": {"sceptic": [" "]}}, UsageError, "a fact of"),
        ({"facts": {"sceptic": [3]}}, UsageError, "a fact of"),
        ({"facts": {"sceptic": ["x"], "Sceptic": ["y"]}}, UsageError, "named twice"),
        ({"stances": {"sceptic": "C"}}, UnknownNameError, "option to open for"),
        ({"stances": {"Nobody": "A"}}, UnknownNameError, "Nobody"),
    ],
)
def test_bad_input_is_named(given: dict[str, Any], error: type[Exception], says: str) -> None:
    """A fact for nobody would be a study without its treatment."""
    with pytest.raises(error, match=says):
        Debate("Which?", PANEL, options=("A", "B"), **given)


def test_the_first_fact_names_the_version() -> None:
    """Rows of two versions must be told apart."""
    assert Debate("Shall we?", PANEL).started.eda == eda.__version__
