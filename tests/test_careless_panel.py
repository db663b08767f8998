"""The simulated panel plays every move, in clean and in careless dress, and each debate runs to its end."""

from __future__ import annotations

import re
from typing import Any

import pytest
from careless_panel import DRESSES, CarelessRunner, dressed
from in_turn import in_turn
from simulated_table import LIBRARY, MONOLITH, POLICY, PRODUCT, Table

from eda import Debate, MessagePosted, Prompt, Reply
from eda.errors import UsageError
from eda.events import BallotCast, Event, SessionEnded
from eda.memory.minutes.declared_moves import read_reply
from eda.panels.agenda import agenda_names
from eda.runners.protocol import OnText
from eda.runners.shipped import make_runner
from eda.runners.simulated.runner import SimulatedRunner

OPEN = "How could we cut the time of the nightly batch?"
YES_NO = "Should we move the billing service out of the monolith?"
ALWAYS = [name for name in agenda_names() if name not in ("delphi", "oxford")]
"""Formats that take an open question."""
REACTS = {"support", "oppose", "neutral"}


class Listening(CarelessRunner):
    """Keeps what it is asked and what it answers."""

    def __init__(self) -> None:
        super().__init__()
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


def test_a_clean_panel_plays_the_usual_moves():
    """What reads a move that no offline debate makes would be tested by nothing but single lines."""
    tables = [Table(MONOLITH, POLICY, seed=0), Table(MONOLITH, PRODUCT, seed=3), Table(LIBRARY, PRODUCT, seed=4)]
    lines = [line for table in tables for _, line in table.run(30).moves]
    tags = {line[1:].partition("]")[0].partition(" ")[0] for line in lines if line.startswith("[")}
    assert {"PROPOSE", "AMEND", "SUPPORT", "OPPOSE", "UNDECIDED", "POSITION"} <= tags
    assert any(re.match(r"\[SUPPORT p\S+\] if ", line) for line in lines), "nobody makes a condition"


def test_a_spec_names_a_panel_of_fixed_minds_and_no_other():
    """`--runner simulated:fixd` would move like any panel, and a study take it for its null."""
    assert make_runner("simulated").spec == "simulated"
    assert make_runner("simulated:fixed").spec == "simulated:fixed"
    with pytest.raises(UsageError, match=r"simulated:sloppy"):
        make_runner("simulated:sloppy")


def test_a_careless_debate_is_the_same_again():
    """A fault that a careless reply brings to light could not be seen twice."""
    first, second = (
        [each for _, each in runner.answered] for runner in (Listening(), Listening()) if debated("panel", 3, runner)
    )
    assert first == second
    assert len(first) > 20


@pytest.mark.parametrize("tag", DRESSES["tags"])
def test_a_move_says_the_same_in_every_dress(tag):
    """Whole turns of careless models would be lost for an asterisk."""
    lines = (
        "[PROPOSE] Buy twelve buses and count for one winter.",
        "[AMEND p1.0] Buy ten buses and count for one winter.",
        "[AMEND p1.0 p2.0] Buy ten buses; and beside it: rent two.",
        "[SUPPORT p1.0] it can be undone",
        "[OPPOSE p2.0] it cannot be undone",
        "[UNDECIDED p3.0] too early",
        "[WITHDRAW p4.0]",
        "[POSITION] Twelve first.",
        "[DENY m2] I have agreed to nothing of the kind",
    )
    for line in lines:
        clean = read_reply(f"Talk.\n\n{line}").moves
        assert len(clean) == 1
        assert read_reply(f"Talk.\n\n{dressed(line, tag)}").moves == clean


def puppets(text: str) -> list[str]:
    """What a reply says in the name of somebody else, of the lines that careless_panel.toml has for it."""
    begins = (line.partition(" ")[2].partition(",")[0] for line in DRESSES["puppets"])
    return re.findall(rf"^\W*[^\n:]+:\W* ((?:{'|'.join(begins)}), .*)$", text, re.MULTILINE)


def resolves(debate: Debate) -> None:
    """Each act names something that exists, or stands among the unresolved."""
    memory = debate.memory
    ids = {version.id for motion in memory.motions for version in motion.versions} | {p.id for p in memory.proposals}
    assert all(one.to in ids for one in memory.reactions if one.to is not None)
    for fact in facts(debate, MessagePosted):
        acts = {(one.reaction, one.agent) for one in memory.reactions if one.message == fact.number}
        acts |= {(one.kind, one.agent) for one in memory.unresolved if one.message == fact.number}
        missing = [move for move in fact.moves if move.kind in REACTS and (move.kind, fact.who) not in acts]
        assert not missing, f"m{fact.number}: {missing}"


def keeps_null(debate: Debate, answered: list[tuple[Prompt, str]]) -> None:
    """A ballot whose choice is null is no vote, whatever it ranks, and is not asked for once more."""
    asked = [(prompt.agent, prompt.attempt, text) for prompt, text in answered if prompt.purpose == "ballot"]
    for agent in debate.progress.members:
        cast = [fact.ballot for fact in facts(debate, BallotCast) if fact.ballot.agent == agent]
        first = [text for who, attempt, text in asked if (who, attempt) == (agent, 1)]
        assert all(ballot.choice is None for ballot, text in zip(cast, first, strict=True) if '"choice":null' in text)


@pytest.mark.parametrize(("agenda", "seed"), in_turn(agenda_names(), [1, 2, 3], 3))
def test_whatever_a_careless_panel_writes_its_debate_runs_to_its_end(agenda, seed):
    """One odd reply would end a paid debate, put words in a member's mouth, or be counted for what it does not say."""
    runner = Listening()
    debate = debated(agenda, seed, runner)
    assert isinstance(list(debate.session.events())[-1], SessionEnded)
    resolves(debate)
    for prompt, text in runner.answered:
        for line in puppets(text) if prompt.purpose == "speak" else ():
            others = (other for other, _ in runner.answered if other.agent != prompt.agent)
            assert not any(line in other.text for other in others), line
    keeps_null(debate, runner.answered)
