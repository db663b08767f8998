"""A study from its file: what is run, what is kept when it is killed, what it may cost, and what is refused."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from in_turn import each_other
from proofs import prove
from started import PATIENCE, PLAIN, ran

from eda import Session
from eda.cli import cli
from eda.events import BaselineTaken, CallMade, Event, MessagePosted
from eda.panels.allowed import allow
from eda.session.places import lock_folder
from eda.study import Study
from eda.study.cells import Cell, Plan, behaviour, plan_of
from eda.study.file import digest, terms_of
from eda.study.freeze import audit
from eda.study.ledger import entries
from eda.study.status import Status, settle, state_of, status_of
from eda.study.study import run
from eda.study.tables import Stored

FILE = """
name = "ways"
tasks = "tasks.jsonl"
seeds = 2
[fixed]
personas = ["sceptic", "historian", "economist"]
runner = "simulated"
max_messages = 3
[factors]
floor = ["round-robin", "bidding"]
[arms]
talk = {}
single = {}
"""
HYPOTHESIS = """[[hypotheses]]
measure = "accuracy"
contrast = ["talk", "single"]
"""
FILE += HYPOTHESIS
OWN = '''
"""Runners that are killed, paid, broken or gone."""

import os
import signal
import subprocess
import sys

from eda import RunnerUnavailableError, Usage
from eda.runners.simulated.runner import SimulatedRunner
from dataclasses import replace
from pathlib import Path

class Mortal(SimulatedRunner):
    """Kills its process at a call whose number the environment names."""

    calls = 0

    async def run(self, prompt, on_text=None):
        Mortal.calls += 1
        if os.environ.get("DIE_AT") == str(Mortal.calls):
            os.kill(os.getpid(), signal.SIGKILL)
        return await super().run(prompt, on_text)


class Paid(SimulatedRunner):
    """Costs a cent a call."""

    async def run(self, prompt, on_text=None):
        reply = await super().run(prompt, on_text)
        return replace(reply, usage=Usage(900, 100, cost=0.01))


class Broken(SimulatedRunner):
    """Raises on the first task, as long as there is a file of that name."""

    async def run(self, prompt, on_text=None):
        if "number 0" in prompt.question and Path("broken").exists():
            raise ValueError("the wire is cut")
        return await super().run(prompt, on_text)


class Gone(SimulatedRunner):
    """Nobody answers, as long as there is a file of that name."""

    async def run(self, prompt, on_text=None):
        if Path("gone").exists():
            raise RunnerUnavailableError("nobody answers", hint="Start the server.")
        return await super().run(prompt, on_text)
'''
TASKS = [
    {"id": f"t{n}", "question": f"Which way is shorter, number {n}?", "options": ["North", "South"], "answer": "South"}
    for n in range(3)
]
ONE = ('"tasks.jsonl"', '{file = "tasks.jsonl", count = 1}')
TWO = ('"tasks.jsonl"', '{file = "tasks.jsonl", count = 2}')
ONCE = ("seeds = 2", "seeds = 1")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a study, its tasks, and runners of its own."""
    (tmp_path / "tasks.jsonl").write_text("".join(json.dumps(task) + "\n" for task in TASKS))
    (tmp_path / "study.toml").write_text(FILE)
    (tmp_path / "ours_here.py").write_text(OWN)
    allow(tmp_path / "ours_here.py")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rewrite(here: Path, *changes: tuple[str, str]) -> Study:
    """The study, with parts of its file replaced."""
    text = (here / "study.toml").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (here / "study.toml").write_text(text)
    return Study.load(here / "study.toml")


def eda(*args: str) -> Result:
    return CliRunner().invoke(cli, ["study", *args], prog_name="eda", catch_exceptions=False)


def table(study: Study, out: Path) -> dict[str, bytes]:
    """All tables of the cells in a folder, as CSV and as Parquet."""
    found = Stored(out, cells_of(study))
    return {path.name: path.read_bytes() for kind in ("parquet", "csv") for path in found.write(out / "made", kind)}


def cells_of(study: Study) -> list[Cell]:
    return list(plan_of(study).cells.values())


def facts(out: Path, cell: str, kind: type[Any]) -> list[Any]:
    with Session.read(out / "cells" / cell) as session:
        return [event for event in session.events() if isinstance(event, kind)]


def test_cells_are_what_is_crossed_and_keep_their_names(here: Path) -> None:
    """A cell whose name moved would be paid for twice."""
    study = Study.load("study.toml")
    cells = cells_of(study)
    assert len(cells) == 3 * 2 * 2 * 2
    assert len({cell.id for cell in cells}) == len(cells)
    assert {cell.arm for cell in cells} == {"talk", "single"}
    more = cells_of(rewrite(here, ("seeds = 2", "seeds = 3"), ('"bidding"', '"bidding", "random"')))
    assert {cell.id for cell in cells} < {cell.id for cell in more}
    assert len(more) == 3 * 3 * 3 * 2
    other = cells_of(rewrite(here, ("max_messages = 3", "max_messages = 4")))
    assert not {cell.id for cell in more} & {cell.id for cell in other}


def test_the_order_of_speaking_goes_with_the_seed(here: Path) -> None:
    """Whoever always speaks last would have the effect of speaking last."""
    study = rewrite(here, ("[arms]", "seats = {permute = 3}\n[arms]"), ("seeds = 2", "seeds = 6"), ("single = {}", ""),
                    ('["talk", "single"]', '["seats=0", "seats=1"]\npair = ["task"]'))  # fmt: skip
    cells = cells_of(study)
    assert len(cells) == 3 * 6 * 2
    assert sorted(cell.levels["seats"] for cell in cells) == sorted("012" * 12)
    plan = plan_of(study)
    first = {
        seats[int(cell.levels["seats"]) % len(seats)].name for cell in cells if (seats := plan.setups[cell.id].seats)
    }
    assert first == {"sceptic", "historian", "economist"}


def test_an_id_depends_on_all_that_a_model_is_shown(here: Path) -> None:
    """Two cells of one name with other prompts would be counted as one."""
    plain = {cell.id for cell in cells_of(Study.load("study.toml"))}
    (here / "words").mkdir()
    (here / "words" / "report.md").write_text(
        (Path(__import__("eda").__file__).parent / "debate" / "prompts" / "report.md").read_text() + "\nBe brief."
    )
    own = cells_of(rewrite(here, ("[factors]", 'prompts = "words"\n[factors]')))
    assert not plain & {cell.id for cell in own}
    assert digest({"b": 1, "a": (2,)}) == digest({"a": [2], "b": 1})
    assert len(behaviour()) == 16


def noted_in(file: str) -> list[dict[str, Any]]:
    """The deviations of a study."""
    return json.loads(eda("status", file, "--json").stdout)["deviations"]


def test_the_same_command_again_runs_what_is_missing(here: Path) -> None:
    """The whole of resuming: nothing is run, or paid, twice."""
    rewrite(here, ONE, ONCE)
    first = eda("run", "study.toml", "--json")
    assert first.exit_code == 0, first.output
    assert json.loads(first.stdout)["ended"] == 4
    logs = {path: path.stat().st_mtime_ns for path in (here / "ways" / "cells").glob("*/events.jsonl")}
    assert len(logs) == 4
    assert json.loads(eda("run", "study.toml", "--json").stdout)["ended"] == 4
    assert {path: path.stat().st_mtime_ns for path in logs} == logs
    rewrite(here, ("seeds = 1", "seeds = 2"))
    assert json.loads(eda("run", "study.toml", "--json").stdout)["ended"] == 8
    assert {path: path.stat().st_mtime_ns for path in logs} == logs
    assert [(each["code"], each["seeds"]) for each in noted_in("study.toml")] == [("seeds-added", 1)]


def test_a_study_that_is_killed_gives_the_table_of_the_uninterrupted_one(here: Path) -> None:
    """A night's work must not depend on the power."""
    study = rewrite(here, ('"simulated"', '"ours_here.py:Mortal"'), TWO, ONCE)
    died = ran("study", "run", "study.toml", "--out", "cut", env_more={"DIE_AT": "50"})
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()
    assert 0 < status_of(plan_of(study), here / "cut").counts["ended"] < 8
    asyncio.run(run(study, here / "cut"))
    asyncio.run(run(study, here / "whole"))
    assert table(study, here / "cut") == table(study, here / "whole")


@pytest.mark.long
def test_two_commands_share_a_folder_and_run_each_cell_once(here: Path) -> None:
    """Two processors would be of no use if what runs on them was paid twice, or were other cells."""
    study = rewrite(here, ONCE, ("single = {}", ""),
                    ('"talk", "single"', '"floor=bidding", "floor=round-robin"'))  # fmt: skip
    asyncio.run(run(study, here / "one"))
    command = [sys.executable, "-c", PLAIN, "study", "run", "study.toml", "--out", "many"]
    both = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(2)]
    assert {each.wait(PATIENCE * 5) for each in both} <= {0, 1}
    assert [entry["kind"] for entry in entries(here / "many")][:3] == ["frozen", "run", "run"]
    assert ran("study", "run", "study.toml", "--out", "many").returncode == 0
    assert table(study, here / "many") == table(study, here / "one")
    assert not [each for each in audit(here / "many") if each["code"] != "folder"]
    noted = {(each["cell"], each["head"], each["state"]) for each in entries(here / "many") if each["kind"] == "cell"}
    assert sorted(noted) == sorted({(cell, head, "ended") for cell, head, _ in noted})
    assert sorted(cell for cell, *_ in noted) == sorted(cell.id for cell in cells_of(study))  # each has one end


def test_a_cell_that_another_command_ends_meanwhile_is_not_called_deleted(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A study would stand accused of what two of its own commands did side by side."""
    study = rewrite(here, ONE, ONCE)
    looked = status_of

    def later(plan: Plan, out: Path) -> Status:
        """The status as it was before the other command came to its end."""
        found = looked(plan, out)
        monkeypatch.setattr("eda.study.status.status_of", looked)
        asyncio.run(run(study))
        return found

    plan = plan_of(study)
    study.freeze()
    monkeypatch.setattr("eda.study.status.status_of", later)
    settle(plan, study.out())
    ends = [each["cell"] for each in entries(study.out()) if each["kind"] == "cell"]
    assert sorted(ends) == sorted(plan.cells)  # and each is noted once
    assert not audit(study.out())


@pytest.mark.parametrize("name", ["open", "create"])
def test_a_cell_that_another_command_ends_while_this_one_begins_it_has_not_failed(
    here: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Six of a hundred cells of two commands were noted as failed after they had been noted as ended."""
    study = rewrite(here, ('"simulated"', '"player"'), ONE, ONCE, ("single = {}", "reask = {}"),
                    ('"talk", "single"', '"talk", "reask"'))  # fmt: skip
    begin = getattr(Session, name)
    if name == "open":  # a cell that was begun
        log = here / "ways" / "cells" / cells_of(study)[0].id / "events.jsonl"
        asyncio.run(run(study))
        log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))

    def later(*given: Any, **more: Any) -> Session:
        """Opens or makes the session after the other command has come to its end."""
        monkeypatch.setattr(Session, name, begin)
        with ThreadPoolExecutor() as other:
            other.submit(asyncio.run, run(study)).result()
        return begin(*given, **more)

    monkeypatch.setattr(Session, name, later)
    found = asyncio.run(run(study))
    assert found.counts["ended"] == len(cells_of(study))
    ends = [each["state"] for each in entries(study.out()) if each["kind"] == "cell"]
    assert set(ends) == {"ended"}


def test_a_study_that_its_budget_cuts_short_has_pairs(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All talk was run first: who had money for half of it had no effect to look at."""
    monkeypatch.setattr("eda.study.study._PART", 4)
    study = rewrite(here, ('"simulated"', '"player"'), ("seeds = 2", "seeds = 2\nbudget = {tokens = 125000}"),
                    ("single = {}", "reask = {}"), ('"talk", "single"', '"talk", "reask"'))  # fmt: skip
    asyncio.run(run(study))
    arms = Counter(cell.arm for cell in cells_of(study) if status_of(plan_of(study), study.out()).cells[cell.id].done)
    assert arms["talk"] < 12
    assert arms["reask"] > arms["talk"] / 2


def test_a_cell_is_the_same_in_every_process(here: Path) -> None:
    """A set has another order in each process: a mind that followed it could not be run again."""
    study = rewrite(
        here, ('"tasks.jsonl"', '{name = "jury", count = 1}'), ('"economist"', '"economist", "ethicist"'),
        ('"simulated"', '"player"\nshare = 1.0\nfloor = "round-robin"'), ("max_messages = 3", "max_messages = 8"),
        ('floor = ["round-robin", "bidding"]', ""), ("single = {}", ""), ONCE,
        ('contrast = ["talk", "single"]', 'contrast = ["talk", "reask"]'), ("talk = {}", "talk = {}\nreask = {}"),
    )  # fmt: skip
    done = ran("study", "run", "study.toml", "--out", "other", env_more={"PYTHONHASHSEED": "1"})
    assert done.returncode == 0, done.stderr.decode()
    asyncio.run(run(study, here / "own"))
    other, own = (
        [event.model_dump(exclude={"at"}) for cell in cells_of(study) for event in facts(here / out, cell.id, Event)]
        for out in ("other", "own")
    )
    assert other == own


def test_another_version_reads_a_study_and_does_not_go_on_with_it(here: Path) -> None:
    """A measure that was thought of later is asked of runs that were paid for; half of a table is of no version."""
    study = rewrite(here, ONE, ONCE)
    assert eda("run", "study.toml").exit_code == 0
    made = study.frames()["cells"]
    manifest = here / "ways" / "manifest.json"
    manifest.write_text(manifest.read_text().replace(behaviour(), "0" * 16))
    before = manifest.read_bytes()
    refused = eda("run", "study.toml")
    assert (refused.exit_code, manifest.read_bytes()) == (2, before)
    assert "0000000000000000" in refused.stderr
    assert "--out DIR" in refused.stderr
    assert study.frames()["cells"].equals(made)
    status = json.loads(eda("status", "study.toml", "--json").stdout)
    assert (status["ended"], status["cells"]) == (4, 4)
    rewrite(here, ("max_messages = 3", "max_messages = 4"))
    assert "is not the file that was frozen" in eda("table", "study.toml").stderr


def test_a_command_that_leaves_cells_to_another_one_says_so(here: Path) -> None:
    """Exit code 0 would let a script make the report of a part."""
    rewrite(here, ('"tasks.jsonl"', '"one.jsonl"'), ONCE)
    (here / "one.jsonl").write_text(json.dumps(TASKS[0]))
    assert eda("run", "study.toml").exit_code == 0
    study = Study.load("study.toml")
    talk = next(cell.id for cell in plan_of(study).cells.values() if cell.arm == "talk")
    log = study.out() / "cells" / talk / "events.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    with lock_folder(log.parent):
        left = eda("run", "study.toml")
    assert left.exit_code == 1
    assert "another command" in left.stderr
    assert eda("run", "study.toml").exit_code == 0


def test_a_single_member_answers_as_often_as_the_panel_was_asked(here: Path) -> None:
    """A control that is given less would make any panel look good."""
    study = rewrite(here, ONE, ONCE)
    asyncio.run(study.run())
    out, plan = study.out(), plan_of(study)
    single = next(cell for cell in plan.cells.values() if cell.arm == "single")
    talk = single.needs[0]
    assert (plan.cells[talk].task, plan.cells[talk].levels) == (single.task, single.levels)
    (taken,) = facts(out, single.id, BaselineTaken)
    assert len(taken.answers) == len(facts(out, talk, CallMade)) == len(facts(out, single.id, CallMade))
    assert state_of(out / "cells" / single.id, single.id).done


def test_an_arm_reads_what_a_panel_said_of_another_task(here: Path) -> None:
    """Without it nobody knows whether any text would have done."""
    study = rewrite(here, ("single = {}", "unrelated = {}"), ('"single"]', '"unrelated"]'), ONCE, TWO)  # fmt: skip
    asyncio.run(study.run())
    out, plan = study.out(), plan_of(study)
    cell = next(cell for cell in plan.cells.values() if cell.arm == "unrelated")
    like, other = (plan.cells[needed] for needed in cell.needs)
    assert like.task == cell.task != other.task
    with Session.read(out / "cells" / cell.id) as session:
        (document,) = session.started().documents
        assert session.started().settings.hears == "none"
    assert all(message.text in document.text for message in facts(out, other.id, MessagePosted))


def test_a_control_has_the_turns_and_the_asks_of_the_talk_that_it_is_compared_with(here: Path) -> None:
    """An arm that spoke or was asked more often would differ in that, too, whatever the floor."""
    study = rewrite(here, ('"simulated"', '"player"'), ("max_messages = 3", "max_messages = 6\npoll = {every = 3}"),
                    ("single = {}", "reask = {}\nreflect = {}\nunrelated = {}"), ('"single"]', '"reask"]'),
                    ONCE, TWO)  # fmt: skip
    asyncio.run(study.run())
    made, turns, asks = study.frames(), dict[str, list[str]](), dict[str, list[tuple[str, str, int]]]()
    for row in made["messages"].to_pylist():
        turns.setdefault(row["cell"], []).append(row["member"])
    for row in made["stances"].to_pylist():
        asks.setdefault(row["cell"], []).append((row["instrument"], row["member"], row["ask"]))
    pairs = 0
    for cell_id, like in ((cell.id, cell.needs[0]) for cell in cells_of(study) if cell.needs):
        assert turns[cell_id] == turns[like]
        assert sorted(asks[cell_id]) == sorted(asks[like])
        pairs += 1
    assert pairs == 2 * 3 * 2
    assert len({tuple(speakers) for speakers in turns.values()}) > 1  # bids had made other orders
    again = Stored(study.out()).frames()  # what the cells are stands in the folder: no generator is asked
    assert all(again[name].equals(each) for name, each in made.items())


@pytest.mark.parametrize("poll", ['{every = "round"}', '{every = 2, ask = "choice"}'])
def test_polls_along_the_way_and_polls_that_stop_a_debate_are_told_apart(here: Path, poll: str) -> None:
    """A trajectory of two instruments would show a change of the question as one of mind."""
    study = rewrite(here, ("max_messages = 3", f"max_messages = 9\nconsensus = 1.0\npoll_every = 3\npoll = {poll}"),
                    ('"simulated"', '"player"\nnoise = 0.5'), ("single = {}", ""), ONE, ONCE,
                    ('"talk", "single"', '"floor=bidding", "floor=round-robin"'))  # fmt: skip
    asyncio.run(study.run())
    polled = 0
    for data in study.frames().data:
        survey, stops = ([row for row in data.stances if row.instrument == kind] for kind in ("survey", "poll"))
        after = sorted({(row.ask, row.after) for row in survey})
        assert [ask for ask, _ in after] == list(range(len(after)))
        assert [at for _, at in after] == sorted({at for _, at in after})
        assert (after[0][1], after[-1][1]) == (0, data.cell.messages)
        assert {len(row.beliefs) for row in survey} == {0 if "choice" in poll else 2}
        assert {row.instrument for ask in data.asks for row in ask.values()} == {"survey"}
        polled += bool(stops)
    assert polled


def test_a_budget_holds_over_all_cells(here: Path) -> None:
    """Whoever says ten dollars pays ten at most, however many cells are side by side."""
    study = rewrite(here, ('"simulated"', '"ours_here.py:Paid"'), ("seeds = 2", "seeds = 1\nbudget = {usd = 1.0}"))
    first = eda("run", "study.toml", "--json")
    found = json.loads(first.stdout)
    assert first.exit_code == 1
    assert "no room for another cell" in found["paused"]
    assert 0.5 < found["cost"] <= 1.0
    assert 0 < found["ended"] < 12
    assert found["unfinished"] == 0
    rewrite(here, ("usd = 1.0", "usd = 50"))
    again = eda("run", "study.toml", "--json")
    assert again.exit_code == 0
    assert json.loads(again.stdout)["ended"] == len(cells_of(study))
    (noted,) = noted_in("study.toml")
    assert (noted["code"], noted["before"], noted["after"]) == ("budget", '{"usd":1.0}', '{"usd":50.0}')


def test_commands_that_share_a_folder_share_its_budget(here: Path) -> None:
    """Whoever types the command once for each processor would pay as many times what the file allows."""
    study = rewrite(here, ('"simulated"', '"ours_here.py:Paid"'), ("seeds = 2", "seeds = 1\nbudget = {usd = 1.0}"))

    async def both() -> list[Status]:
        return [*await asyncio.gather(*(run(study, workers=1) for _ in range(2)))]

    told = asyncio.run(both())
    assert all("no room for another cell" in each.paused for each in told)
    assert 0.5 < max(usd for usd, _ in (each.spent for each in told)) <= 1.0


def test_a_budget_in_dollars_needs_prices(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that cannot be held is no limit."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    rewrite(here, ('"simulated"', '"anthropic:claude-unheard-of"'), ("seeds = 2", "seeds = 2\nbudget = {usd = 2.0}"))
    refused = eda("run", "study.toml")
    assert refused.exit_code == 2
    assert "is not known" in refused.stderr
    assert not (here / "ways").exists()


def test_what_fails_is_shown_and_run_again_when_asked(here: Path) -> None:
    """One broken cell must neither end the study nor be hidden in it."""
    (here / "broken").touch()
    rewrite(here, ('"simulated"', '"ours_here.py:Broken"'), TWO, ONCE)
    first = eda("run", "study.toml", "--json")
    found = json.loads(first.stdout)
    assert (first.exit_code, found["ended"], found["failed"]) == (1, 4, 2)
    assert {row["reason"] for row in found["failures"]} == {"ValueError: the wire is cut"}
    lost = {row["cell"]: row for row in Study.load("study.toml").frames()["cells"].to_pylist() if row["reason"]}
    for each in (*found["failures"], *found["waiting"]):
        assert lost[each["cell"]]["reason"] == each["reason"]
    assert [len(found[key]) for key in ("failures", "waiting")] == [2, 2]
    assert {row["reason"].split(",")[-1] for row in found["waiting"]} == {" which failed"}
    (here / "broken").unlink()
    assert json.loads(eda("run", "study.toml", "--json").stdout)["ended"] == 4
    told = eda("status", "study.toml").stderr
    assert "failed: ValueError: the wire is cut" in told
    assert "2 controls are not begun: the talk that they follow failed" in told
    assert json.loads(eda("run", "study.toml", "--retry", "--json").stdout)["ended"] == 8


def test_an_outage_pauses_the_study(here: Path) -> None:
    """A thousand cells that fail one by one because the server is down would all have to be looked at."""
    (here / "gone").touch()
    rewrite(here, ('"simulated"', '"ours_here.py:Gone"'), ONE, ONCE)
    paused = eda("run", "study.toml", "--workers", "2")
    assert paused.exit_code == 1
    assert "paused: nobody answers" in paused.stderr
    assert json.loads(eda("status", "study.toml", "--json").stdout)["failed"] == 0
    (here / "gone").unlink()
    assert json.loads(eda("run", "study.toml", "--json").stdout)["ended"] == 4


@pytest.mark.parametrize(
    ("old", "new", "named"),
    each_other(
        [
            ('contrast = ["talk", "single"]', 'contrast = ["single", "talk"]', "'hypotheses'"),
            ("single = {}", "single = {}\noracle = {}", "'arms'"),
            ("max_messages = 3", "max_messages = 7", "'fixed'"),
            ('"bidding"]', '"random"]', "levels were taken out"),
            ("seeds = 2", "seeds = [0, 5]", "seeds were taken out"),
            ('name = "ways"', 'name = "other"', "holds the study 'ways'"),
        ],
        of=3,
    ),
)
def test_what_was_frozen_cannot_be_changed(here: Path, old: str, new: str, named: str) -> None:
    """A hypothesis that was made after the data would be printed as one that was made before."""
    rewrite(here, ("seeds = 2", "seeds = 2"), ('"tasks.jsonl"', '"one.jsonl"'))
    (here / "one.jsonl").write_text(json.dumps(TASKS[0]))
    assert eda("run", "study.toml", "--out", "out").exit_code == 0
    before = sorted((here / "out" / "cells").iterdir())
    rewrite(here, (old, new))
    for command in ("plan", "run"):
        refused = eda(command, "study.toml", "--out", "out")
        assert refused.exit_code == 2
        assert named in refused.stderr
        assert "frozen.toml" in refused.stderr
    assert sorted((here / "out" / "cells").iterdir()) == before
    assert (here / "out" / "frozen.toml").read_text() != (here / "study.toml").read_text()


def test_a_table_of_a_part_needs_no_cell_of_each_arm(here: Path) -> None:
    """A budget ends after the cells of talk: the frozen file is right, and has no effect yet."""
    rewrite(here, ("seeds = 2", "seeds = 2\nbudget = {tokens = 30000}"))
    assert eda("run", "study.toml").exit_code == 1
    found = eda("table", "study.toml", "--json")
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["effects"][0]["estimate"] is None
    assert eda("table", "study.toml", "--measure", "accuracy", "--contrast", "talk", "singel").exit_code == 2


def test_a_contrast_names_a_matrix_as_the_file_does() -> None:
    """A comma within a level began another arm."""
    assert terms_of("reask, floor=bidding") == [("arm", "reask"), ("floor", "bidding")]
    assert terms_of("hears=[[1, 0], [1, 1]], talk") == [("hears", "[[1,0],[1,1]]"), ("arm", "talk")]


def test_a_plan_says_what_a_run_will_note_and_where_it_will_stop(here: Path) -> None:
    """Whoever adds seeds, or gives too small a budget, learns it before the run and not from it."""
    rewrite(here, ('"tasks.jsonl"', '"one.jsonl"'), ('"round-robin", "bidding"', '"round-robin"'))
    (here / "one.jsonl").write_text(json.dumps(TASKS[0]))
    assert eda("run", "study.toml").exit_code == 0
    rewrite(here, ("seeds = 2", "seeds = 3\nbudget = {tokens = 9000}"))
    planned = eda("plan", "study.toml")
    assert "a run notes as a deviation: seeds added: 1" in planned.stdout
    assert "budget: 9,000 tokens has no room" in planned.stderr


def test_changed_tasks_and_personas_are_refused_after_the_freeze(here: Path) -> None:
    """Half of the cells would be about other questions, and the table would not say which."""
    (here / "people").mkdir()
    persona = "---\nname: ada\ntitle: Ada\ndescription: Counts.\n---\nYou are Ada. You count.\n"
    (here / "people" / "ada.md").write_text(persona)
    rewrite(here, ("[fixed]", '[fixed]\npersonas_dir = "people"'), ('"economist"', '"ada"'), ONCE)
    assert eda("run", "study.toml").exit_code == 0
    (here / "people" / "ada.md").write_text(persona + "Twice.\n")
    assert "a persona, prompt" in eda("run", "study.toml").stderr
    (here / "people" / "ada.md").write_text(persona)
    (here / "tasks.jsonl").write_text("".join(json.dumps(task) + "\n" for task in TASKS[:2]))
    assert "'tasks' changed" in eda("run", "study.toml").stderr


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("seeds = 2", "seed = 2", 4, "did you mean 'seeds'?"),
        ("seeds = 2", "seeds = 0", 4, "a number of seeds"),
        ("max_messages = 3", "max_mesages = 3", 8, "did you mean 'max_messages'?"),
        ("max_messages = 3", 'max_messages = "six"', 8, "whole number"),
        ('"historian"', '"historan"', 6, "historian"),
        ("floor =", "flor =", 10, "did you mean 'floor'?"),
        ('"bidding"', '"biding"', 10, "'bidding'"),
        ('["round-robin", "bidding"]', '"bidding"', 10, "no list of levels"),
        ("single = {}", "singel = {}", 13, "did you mean 'single'?"),
        ("single = {}", 'single = {exchange = "nobody"}', 13, "'none'"),
        ('"talk", "single"', '"talk", "singel"', 16, "did you mean 'single'?"),
        ('"talk", "single"', '"floor=bidding", "floor=randm"', 16, "level of 'floor'"),
        ('"accuracy"', '"acuracy"', 15, "did you mean 'accuracy'?"),
        ('"tasks.jsonl"', '"task.jsonl"', None, "no such file"),
        ('"tasks.jsonl"', '"hidden-profil"', 3, "hidden-profile"),
        ("[factors]", "[factors", 9, "TOML"),
        ("talk = {}", "", 16, "'talk' is no arm"),
        ("talk = {}\nsingle = {}\n" + HYPOTHESIS, "single = {}", 11, "no arm talks"),
        ('"tasks.jsonl"', '"open.jsonl"', 13, "gives no options"),
        ('"talk", "single"', '"rule=bordaa", "rule=majority"', 16, "did you mean 'borda'?"),
        ("[arms]", "seats = {permute = 4}\n[arms]", None, "there are 3"),
        ("seeds = 2", "seeds = 2\nbudget = {eur = 2}", 5, "'budget.eur' is no key"),
        ('tasks = "tasks.jsonl"', 'tasks = {name = "hidden-profile", count = 0}', 3, "tasks.count"),
        ("talk = {}\nsingle = {}\n" + HYPOTHESIS, "talk = {}\nunrelated = {}", None, "there is one task"),
        ("single = {}", "single = {members = 4}", None, "an arm asks for 4 of 3 members"),
        ('runner = "simulated"', 'runner = "simulated"\nnoise = 0.3', None, "a parameter of the simulated player"),
        ('runner = "simulated"', 'runner = "player"\nnoise = 3', None, "no share of 1"),
        ('runner = "simulated"', 'runner = "player"\nskill = "high"', 8, "'high', which is no share of 1"),
        ("max_messages = 3", 'poll = {every = "round", ask = "believes"}', 8, "'poll.ask'"),
        ("max_messages = 3", 'stances = {Nobody = "Yes"}', None, "unknown member 'Nobody'"),
        ('contrast = ["talk", "single"]', 'contrast = ["seats=0", "seats=1"]', 17, "no cells of both are of one seed"),
        ("seeds = 2", "seeds = [3, 3]", 4, "'seeds' holds one of them twice"),
        ('"talk", "single"', '"talk", "talk"', None, "'talk' with itself"),
        ("single = {}", 'single = {members = 1, match = "usd"}', 13, "'calls' or 'output_tokens'"),
    ],
)
def test_bad_input_is_named_and_nothing_is_run(here: Path, old: str, new: str, line: int | None, said: str) -> None:
    """A typing error that is found after a night was the night's only result."""
    text = FILE.replace(old, new).replace("[arms]", "seats = {permute = 2}\n[arms]" if "seats=" in new else "[arms]")
    assert text != FILE
    (here / "study.toml").write_text(
        text.replace('"tasks.jsonl"', '{file = "tasks.jsonl", count = 1}') if "one task" in said else text
    )
    (here / "open.jsonl").write_text('{"question": "How many?", "answer": "12"}')
    refused = eda("run", "study.toml")
    assert refused.exit_code == 2, refused.output
    assert said in refused.stderr
    assert "Traceback" not in refused.stderr
    if line is not None:
        assert f"study.toml, line {line}" in refused.stderr
    assert sorted(path.name for path in here.iterdir()) == ["open.jsonl", "ours_here.py", "study.toml", "tasks.jsonl"]


def test_a_plan_says_what_it_takes_and_what_it_can_show(here: Path) -> None:
    """Whoever begins a study that cannot show its effect has spent the money before it knows."""
    planned = json.loads(eda("plan", "study.toml", "--json").stdout)
    assert (planned["cells"], planned["tasks"], planned["seeds"]) == (24, 3, 2)
    assert planned["levels"] == {"floor": ["bidding", "round-robin"]}
    assert [row["cells"] for row in planned["arms"]] == [12, 12]
    assert planned["calls"] == sum(row["calls"] for row in planned["arms"]) > 0
    (power,) = planned["hypotheses"]
    assert (power["clusters"], power["smallest_effect"]) == (3, 1)
    assert not (here / "ways").exists()
    assert "no call was made" in eda("plan", "study.toml").stdout


def test_effects_tables_and_report_come_from_the_sessions(here: Path) -> None:
    """From file to report with no Python written."""
    rewrite(here, ONCE)
    assert eda("table", "study.toml").exit_code == 2  # nothing was begun
    assert eda("run", "study.toml").exit_code == 0
    (effect,) = json.loads(eda("table", "study.toml", "--json").stdout)["effects"]
    assert effect["measure"] == "accuracy"
    assert effect["low"] <= effect["estimate"] <= effect["high"]
    assert (effect["pairs"], effect["frozen"]) == (6, True)
    asked = ("--measure", "accuracy", "--contrast", "floor=bidding", "floor=round-robin")
    assert "(exploratory)" in eda("table", "study.toml", *asked).stdout
    (planned,) = json.loads(eda("plan", "study.toml", "--pilot", "ways", "--json").stdout)["hypotheses"]
    assert (planned["pilot"]["clusters"], planned["pilot"]["effect"]) == (3, pytest.approx(effect["estimate"]))
    assert 0 <= planned["pilot"]["found"] <= 1
    assert "if pairs differ as in the pilot" in eda("plan", "study.toml", "--pilot", "ways").stdout
    assert eda("table", "study.toml", "--format", "csv").exit_code == 0
    cells = (here / "ways" / "tables" / "cells.csv").read_text().splitlines()
    assert len(cells) == 1 + 12
    assert eda("report", "study.toml").exit_code == 0
    html = (here / "ways" / "report.html").read_text()
    for cell in cells_of(Study.load("study.toml")):
        assert f"cells/{cell.id}/events.jsonl" in html
        assert (here / "ways" / "cells" / cell.id / "events.jsonl").exists()
    assert "://" not in html.replace("http://www.w3.org", "")
    assert "too small to matter" not in html  # the hypothesis says nothing of it


@pytest.mark.long
def test_no_rule_reports_a_change_where_nobody_moves() -> None:
    """An instrument that finds an effect of talk in seven fixed minds finds it anywhere.

    `tests/test_helped.py` holds the same of each rule, without a study around it.
    """
    row = prove("fixed-minds", 0.01)
    assert row["ok"]
    assert row["covered"] == row["studies"] >= 15 * 2 * 12  # rules, arms, rules that count each


def test_a_study_runs_from_python(here: Path) -> None:
    """In a notebook there is no command line."""
    study = rewrite(here, ONE, ONCE)
    seen: list[int] = []
    found = asyncio.run(study.run(told=lambda status: seen.append(status.counts["ended"])))
    assert (found.paused, found.counts["ended"]) == ("", 4)
    assert seen == list(range(5))
    assert study.frames()["cells"].num_rows == 4
    assert isinstance(plan_of(study), Plan)
    assert study.out().samefile(here / "ways")
