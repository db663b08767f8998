"""Arms that take apart why minds move: what is heard of a speech, and seats that a script plays."""

from __future__ import annotations

import asyncio
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="the extra `study` is not installed")
pytest.importorskip("scipy", reason="the extra `study` is not installed")

from eda.errors import StudyError
from eda.runners.protocol import Prompt, Reply
from eda.study import Study
from eda.study.effects import rates
from eda.study.player import Confederates, Stage
from eda.study.tasks import Task

EXAMPLE = Path(__file__).parent.parent / "examples" / "choices.toml"
ARMS = """
name = "arms"
tasks = "jury"
seeds = 1
[fixed]
runner = "player"
skill = 0.6
conformity = 1.0
floor = "round-robin"
personas = ["sceptic", "historian", "economist", "pragmatic-engineer", "visionary"]
max_messages = 10
[arms]
talk = {}
reask = {}
choices = {}
empty = {}
confederates = {confederates = {seats = 3, arguments = ["It is the cheaper one.", "Nobody has regretted it."]}}
anonymous = {}
named = {}
"""


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The tables of a study of all these arms, its cells by id, and what was measured in each arm."""
    file = tmp_path_factory.mktemp("arms") / "arms.toml"
    file.write_text(ARMS, encoding="utf-8")
    study = Study.load(file)
    asyncio.run(study.run())
    frames = study.frames()
    measured = rates(frames, ["conformity", "votes_changed", "members_right_last"])
    cells = {row["cell"]: row for row in frames["cells"].to_pylist()}
    return frames, cells, {(row["arm"], row["measure"]): float(row["estimate"]) for row in measured}


def said(ran: Any, arm: str) -> list[dict[str, Any]]:
    frames, cells, _ = ran
    return [row for row in frames["messages"].to_pylist() if cells[row["cell"]]["arm"] == arm]


def of(ran: Any, arm: str, measure: str) -> float:
    return ran[2][arm, measure]


def test_each_arm_says_as_much_and_is_heard_less(ran: Any) -> None:
    """A control that is asked less, or that hears more than it should, is none."""
    calls = {row["arm"]: row["calls"] for row in ran[1].values()}
    assert {arm: len(said(ran, arm)) for arm in calls} == dict.fromkeys(calls, 10)
    assert calls["choices"] == calls["empty"] == calls["talk"]
    assert all("I know" not in row["text"] and "points" not in row["text"] for row in said(ran, "choices"))
    assert any("I know" in row["text"] for row in said(ran, "talk"))
    words = {arm: sum(row["words"] for row in said(ran, arm)) for arm in ("choices", "empty", "talk")}
    assert words["choices"] < words["empty"] < words["talk"]
    assert {row["moves"][0] for row in said(ran, "choices")} == {"position"}


def test_choices_alone_move_by_conformity_and_nobody_moves_who_hears_nobody(ran: Any) -> None:
    """What is planted is found in the arm that lets it through."""
    assert of(ran, "choices", "conformity") == of(ran, "empty", "conformity") == 1
    assert of(ran, "reask", "conformity") == of(ran, "reask", "votes_changed") == 0


def test_confederates_hold_a_wrong_answer_and_are_no_subjects(ran: Any) -> None:
    """Their own votes would count as those of members that were never moved."""
    frames, cells, _ = ran
    played = {(row["cell"], row["member"]) for row in frames["members"].to_pylist() if row["scripted"]}
    assert {cells[cell]["arm"] for cell, _ in played} == {"confederates"}
    assert len(played) == 3
    theirs = [row for row in frames["stances"].to_pylist() if (row["cell"], row["member"]) in played]
    assert {row["right"] for row in theirs} == {False}
    texts = [row["text"] for row in said(ran, "confederates") if (row["cell"], row["member"]) in played]
    assert all(("cheaper" in text) != ("regretted" in text) for text in texts)
    assert of(ran, "confederates", "conformity") == 1  # of those who are no confederates, whom three outvote
    assert of(ran, "confederates", "members_right_last") == 0


class Model:
    """Answers as a language model might: with reasons, and its position in one form or another, or in none."""

    spec = "model"

    def __init__(self, text: str) -> None:
        self.text, self.asked = text, list[Prompt]()

    async def run(self, prompt: Prompt, on_text: Any = None) -> Reply:
        self.asked.append(prompt)
        return Reply(self.text)


TASK = Task("t", "Which?", ("North", "South"), "South")


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("It is nearer by a mile.\n\n[POSITION] o2", "o2"),
        ("It is nearer by a mile.\n\n[POSITION] North", "o1"),
        ("It was o1.\n[POSITION] o1\nBut no.\n[POSITION] o2: it is nearer", "o2"),
        ("It is nearer by a mile.\n\n[POSITION] I lean towards South now, because it is nearer", "o2"),
        ("It is nearer.\n\n[POSITION] Not o1, but o2", "o2"),
        ("Nearer or not, I stay with it.", "o1"),  # its position from before stands
        ("It is nearer.\n\n[POSITION] North or South", None),
        ("[PASS]", ""),
        ("[LOOKUP how far it is]", ""),
    ],
)
def test_of_a_speech_its_declared_choice_alone_is_heard(text: str, heard: str | None) -> None:
    """A reason that slips through, or a choice that nobody declared, would be the effect."""
    model = Model(text)
    prompt = Prompt(
        purpose="speak", agent="Ada", members=("Ada", "Ben"), last=3, own="Speak.", positions={"Ada": "North"}
    )
    reply = asyncio.run(Stage(model, TASK, 1, "choices", None).run(prompt))
    assert "nearer" not in reply.text
    assert reply.text.endswith(f"[POSITION] {heard}") is bool(heard)
    assert (reply.text == text) is (heard == "")  # who passes, or looks something up first, makes no speech
    assert "[POSITION]" in model.asked[0].own
    poll = Prompt(purpose="poll", agent="Ada", members=("Ada", "Ben"))
    assert asyncio.run(Stage(model, TASK, 1, "choices", None).run(poll)).text == text


@pytest.mark.parametrize(("hold", "option"), [("wrong", "North"), ("right", "South"), ("North", "North")])
def test_what_confederates_hold(hold: str, option: str) -> None:
    """The arm would say another thing than its name."""
    assert Confederates(hold=hold).held(TASK) == option


def test_what_they_cannot_hold_is_refused_before_the_first_call(tmp_path: Path) -> None:
    """A study of a night would fail in each cell."""
    file = tmp_path / "arms.toml"
    for line in ('confederates = {confederates = {hold = "Nrth"}}', "confederates = {confederates = {seats = 0}}"):
        file.write_text(ARMS.split("[arms]", maxsplit=1)[0] + "[arms]\ntalk = {}\n" + line, encoding="utf-8")
        with pytest.raises(StudyError):
            Study.load(file).planned()


@pytest.mark.parametrize("seeds", [5, pytest.param(30, marks=pytest.mark.long)])
def test_the_example_finds_what_its_players_do(tmp_path: Path, seeds: int) -> None:
    """A paper's table takes one file of thirty lines."""
    text = EXAMPLE.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 30
    assert tomllib.loads(text)["arms"].keys() >= {"talk", "choices", "reask"}
    file = tmp_path / "choices.toml"
    file.write_text(text.replace("seeds = 30", f"seeds = {seeds}"), encoding="utf-8")
    study = Study.load(file)
    asyncio.run(study.run())
    found = {row["measure"]: row for row in study.results().effects}
    assert found["accuracy"]["estimate"] > 0  # reasons bring what each alone knows
    assert found["conformity"]["estimate"] > 0  # choices alone bring majorities
    assert json.dumps(study.results().data())
