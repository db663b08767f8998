"""The simulated panel plays every move, in clean and in careless dress, and each debate runs to its end."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from simulated_table import LIBRARY, MONOLITH, OPTIONS, POLICY, PRODUCT, Table, answer

from eda import Debate, MessagePosted, Prompt, Reply
from eda.errors import UsageError
from eda.events import Event
from eda.events.records import Line
from eda.panels.agenda import agenda_names
from eda.runners.protocol import OnText
from eda.runners.shipped import make_runner
from eda.runners.simulated.runner import SimulatedRunner

OPEN = "How could we cut the time of the nightly batch?"
YES_NO = "Should we move the billing service out of the monolith?"
ALWAYS = [name for name in agenda_names() if name not in ("delphi", "oxford")]
"""Formats that take an open question."""
REACTS = {"support", "oppose", "neutral"}


class Listening(SimulatedRunner):
    """Keeps what it is asked and what it answers."""

    def __init__(self, *, careless: bool = True) -> None:
        super().__init__(careless=careless)
        self.answered: list[tuple[Prompt, str]] = []

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        self.answered.append((prompt, ""))
        reply = await super().run(prompt, on_text)
        self.answered[-1] = (prompt, reply.text)
        return reply


def debated(agenda: str, seed: int, runner: SimulatedRunner, **given: Any) -> Debate:
    question = OPEN if agenda in ALWAYS and seed % 2 else YES_NO
    debate = Debate(question, PRODUCT, runner, agenda=agenda, seed=seed, **given)
    debate.run_sync()
    return debate


def facts(debate: Debate, kind: type[Event]) -> list[Any]:
    return [fact for fact in debate.session.events() if isinstance(fact, kind)]


def test_a_clean_panel_plays_every_move():
    """What reads a move that no offline debate makes would be tested by nothing but single lines."""
    lines = [
        line
        for question, names, seed in ((MONOLITH, PRODUCT, 2), (LIBRARY, POLICY, 4))
        for _, line in Table(question, names, seed=seed).run(30).moves
    ]
    for seed in range(1, 14, 2):
        for fact in facts(debated("brainstorm", seed, SimulatedRunner()), MessagePosted):
            lines += fact.text.splitlines()
    tags = {line[1:].partition("]")[0].partition(" ")[0] for line in lines if line.startswith("[")}
    assert {"PROPOSE", "AMEND", "SUPPORT", "OPPOSE", "NEUTRAL", "WITHDRAW", "POSITION", "NOTE", "DECISION"} <= tags
    assert any(re.match(r"\[AMEND p\S+ p\S+\]", line) for line in lines), "nobody joins two proposals"
    assert any(re.match(r"\[SUPPORT p\S+\] (only )?if ", line) for line in lines), "nobody makes a condition"


def test_whoever_holds_something_else_denies_a_claim():
    """A debate in which everybody accepts "we are agreed" shows nothing of what a denial does."""
    one, two, _ = OPTIONS[MONOLITH]
    table = Table(MONOLITH)
    seat = table.panel[0]
    lines = (Line(5, seat.title, "Well."), Line(6, "Maya", f"Good.\n\n[DECISION] {one}"))
    prompt = replace(
        table.ask("speak", seat, "discussion", 6), lines=lines, positions={seat.title: f"Firmly for “{two}”."}
    )
    assert "[DENY m6] " in answer(prompt)
    assert "[DENY" not in answer(replace(prompt, positions={seat.title: f"Firmly for “{one}”."}))
    assert "[DENY" not in answer(replace(prompt, lines=lines[::-1])), "it denied that before"


def test_a_careless_panel_is_named_in_the_spec_and_again_after_a_resume():
    """`eda debate --runner simulated:careless` would be refused, or play clean once it is resumed."""
    runner = make_runner("simulated:careless")
    assert isinstance(runner, SimulatedRunner)
    assert runner.careless
    assert runner.spec == "simulated:careless"
    assert make_runner("simulated").spec == "simulated"
    with pytest.raises(UsageError, match=r"simulated:sloppy"):
        make_runner("simulated:sloppy")


def test_a_careless_debate_is_the_same_again():
    """A fault that a careless reply brings to light could not be seen twice."""
    first, second = (
        [each for _, each in runner.answered] for runner in (Listening(), Listening()) if debated("panel", 3, runner)
    )
    assert first == second
    assert len(first) > 20
