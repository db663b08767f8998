"""What if: debates of a study are gone back in, and on from there with one thing changed, and with nothing."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from started import ran
from test_study_run import OWN, TASKS

from eda import Session
from eda.cli import cli
from eda.events import BallotCast, MessagePosted
from eda.panels.allowed import allow
from eda.study import Study

FILE = """
name = "ways"
tasks = "hidden-profile"
seeds = 2
[fixed]
personas = ["sceptic", "historian", "economist"]
runner = "player"
floor = "round-robin"
max_messages = 6
share = 0
[arms]
talk = {}
reask = {}
single = {members = 1}
[[hypotheses]]
measure = "accuracy"
contrast = ["talk", "reask"]
"""
SIMULATED = """
name = "ways"
tasks = "tasks.jsonl"
seeds = 1
[fixed]
personas = ["sceptic", "historian", "economist"]
runner = "ours_here.py:Mortal"
max_messages = 6
"""
PERSONA = ("--at", "m3", "--change", "persona:sceptic=visionary")


def eda(*args: str, code: int = 0) -> Result:
    done = CliRunner().invoke(cli, ["study", *args], catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done


def forked(*args: str, file: str = "study.toml", code: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(eda("fork", file, *args, "--json", code=code).stdout)
    return found


def begun(folder: Path, text: str = FILE, *changes: tuple[str, str]) -> None:
    """Run a study of this file there."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "study.toml").write_text(text)
    (folder / "tasks.jsonl").write_text("".join(json.dumps(task) + "\n" for task in TASKS))
    (folder / "ours_here.py").write_text(OWN)
    allow(folder / "ours_here.py")
    asyncio.run(Study.load(folder / "study.toml").run())


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def certain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study in which nothing is random."""
    folder = tmp_path_factory.mktemp("certain")
    begun(folder)
    return folder


def branches(folder: Path, found: dict[str, Any]) -> dict[str, Path]:
    return {each.name: each for each in sorted((folder / "ways/forks" / found["fork"] / "cells").iterdir())}


def said(folder: Path) -> list[str]:
    with Session.read(folder) as session:
        return [f"{each.who}: {each.text}" for each in session.events() if isinstance(each, MessagePosted)]


def test_where_nothing_is_random_nothing_changed_is_exactly_nothing(
    certain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What going back does by itself would be taken for what the change does."""
    monkeypatch.chdir(certain)
    found = forked(*PERSONA, "--times", "2", "--measure", "votes_changed", "--measure", "argument_diversity")
    assert [row["unchanged"]["estimate"] for row in found["effects"]] == [0, 0]
    assert [(row["pairs"], row["unchanged"]["pairs"], row["frozen"]) for row in found["effects"]] == [(4, 2, False)] * 2
    assert (found["cells"], found["status"]["ended"]) == (2, 8)
    for name, folder in branches(certain, found).items():
        recorded = said(certain / "ways/cells" / name.partition("-")[0])
        assert said(folder)[:3] == recorded[:3]
        assert (said(folder) == recorded) == ("unchanged" in name)
    assert ">What if</h2><ul>" in Path(eda("report", "study.toml").stdout.strip()).read_text()


def test_where_much_is_random_nothing_changed_covers_nothing(here: Path) -> None:
    """Branches that drew as the recorded debate did would be no new runs, and every interval too narrow."""
    noisy = ("share = 0\n", "share = 0.5\nnoise = 0.2\nconformity = 0.3\ndrift = 0.1\nskill = 0.7\n")
    begun(here, FILE, noisy, ("seeds = 2", "seeds = 4"), ("reask = {}\n", ""), ('"reask"', '"single"'))
    found = forked(*PERSONA, "--times", "2", "--measure", "consensus_share", "--measure", "votes_changed")
    folders = branches(here, found)
    for row in found["effects"]:
        assert row["unchanged"]["low"] <= 0 <= row["unchanged"]["high"]
    twice = [said(folder) == said(folders[name[:-1] + "1"]) for name, folder in folders.items() if name[-2:] == "-0"]
    assert not all(twice)  # each time draws anew
    parts = [said(folder)[3:] for name, folder in folders.items() if "unchanged" in name]
    anew = [said(here / "ways/cells" / name.partition("-")[0])[3:] for name in folders if "unchanged" in name]
    assert parts != anew


def test_who_is_told_every_fact_votes_for_the_right_option(certain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fact that a branch tells nobody would leave it as it was."""
    monkeypatch.chdir(certain)
    found = forked("--at", "m3", "--change", "fact:sceptic=all", "--times", "1")
    right = dict[str, bool]()
    tasks = {each.cell: each.answer for each in rows(certain)}
    for name, folder in branches(certain, found).items():
        with Session.read(folder) as session:
            last = [each.ballot for each in session.events() if isinstance(each, BallotCast) and not each.first]
            told = session.started().facts
        (vote,) = [ballot.choice for ballot in last if ballot.agent == "Ruth"]
        right[name] = vote == tasks[name.partition("-")[0]]
        assert (len(told["Ruth"]) > len(told["Walter"])) == ("-changed-" in name)
    assert all(right[name] == ("-changed-" in name) for name in right)


def rows(folder: Path) -> list[Any]:
    from eda.study.rows import CellRow

    table = Study.load(folder / "study.toml").frames()["cells"]
    return [CellRow.model_construct(**record) for record in table.to_pylist()]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--at", "m40", "--change", "rule:borda"), "no cell of the arm 'talk' has a message m40"),
        (("--at", "3rd", "--change", "rule:borda"), "is no message"),
        (("--at", "m3"), "nothing is to be changed"),
        (("--change", "persona:sceptic=visionary"), "where to go back to"),
        (("--at", "m3", "--change", "persona:sceptic"), "persona:MEMBER=PERSONA"),
        (("--at", "m3", "--change", "persona:sceptic=nobody"), "unknown persona 'nobody'"),
        (("--at", "m3", "--change", "persona:nobody=visionary"), "unknown member 'nobody'"),
        (("--at", "m3", "--change", "persona:sceptic=sceptic"), "has that seat already"),
        (("--at", "m3", "--change", "mood:sceptic=good"), "unknown change 'mood'"),
        (("--at", "m3", "--change", "rule:majority"), "is majority already"),
        (("--at", "m3", "--change", "rule:bordo"), "borda"),
        (("--at", "m3", "--change", "setting:max_messages=6"), "so already"),
        (("--at", "m3", "--change", "runner:nobody"), "unknown runner 'nobody'"),
        (("--at", "m3", "--change", "model:speak=opus"), "has no models to choose"),
        (("--at", "m3", "--change", "fact:sceptic="), 'fact:MEMBER="TEXT"'),
        ((*PERSONA, "--arm", "tolk"), "unknown arm 'tolk'"),
        ((*PERSONA, "--arm", "single"), "do not hear each other"),
        ((*PERSONA, "--arm", "reask"), "do not hear each other"),
        ((*PERSONA, "--cell", "0123"), "no cell '0123'"),
        ((*PERSONA, "--measure", "acuracy"), "accuracy"),
        ((*PERSONA, "--out", "elsewhere"), "no study was begun there"),
    ],
)
def test_what_cannot_be_changed_is_named_and_nothing_is_run(
    certain: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], message: str
) -> None:
    """A slip in a word would cost the calls of half a fork."""
    monkeypatch.chdir(certain)
    before = sorted(map(str, certain.rglob("fork.json")))
    done = CliRunner().invoke(cli, ["study", "fork", "study.toml", *args], prog_name="eda", standalone_mode=True)
    output = done.output + str(done.exception or "")
    assert message in output or message in getattr(done.exception, "hint", ""), output
    assert done.exit_code != 0
    assert sorted(map(str, certain.rglob("fork.json"))) == before


@pytest.mark.long
def test_a_killed_fork_goes_on_where_it_was(here: Path) -> None:
    """What was done is kept, what was cut goes on, and the effects are those of a run that was never stopped."""
    begun(here, SIMULATED)
    args = ("study", "fork", "study.toml", *PERSONA, "--times", "2", "--measure", "consensus_share", "--json")
    killed = ran(*args, cwd=here, env_more={"DIE_AT": "90"})
    assert killed.returncode == -signal.SIGKILL
    (folder,) = (here / "ways/forks").iterdir()
    logs = {log.parent.name: log.read_bytes() for log in folder.glob("cells/*/events.jsonl")}
    ended = {name: log for name, log in logs.items() if b'"session_ended"' in log}
    assert ended
    assert len(ended) < 12
    done = forked(*args[3:-1])
    assert done["status"]["ended"] == 12
    assert all((folder / "cells" / name / "events.jsonl").read_bytes() == log for name, log in ended.items())
    folder.rename(here / "kept")
    assert forked(*args[3:-1])["effects"] == done["effects"]


def test_a_fork_takes_what_the_budget_of_the_study_leaves_and_pays_for_no_prefix(here: Path) -> None:
    """Messages that both branches were given would be charged to each of them."""
    begun(
        here, SIMULATED, ("ours_here.py:Mortal", "ours_here.py:Paid"), ("seeds = 1", "seeds = 1\nbudget = {usd = 9.0}")
    )
    found = forked(*PERSONA, "--times", "1")
    spent = json.loads(eda("status", "study.toml", "--json").stdout)["cost"]
    calls = found["status"]["calls"]
    assert found["took"][0] == pytest.approx(calls / 100)
    study = Study.load(here / "study.toml")
    whole = {row.cell: row.calls for row in rows(here)}
    assert calls < 2 * sum(whole.values())
    assert spent == pytest.approx((sum(whole.values()) + calls) / 100)
    (here / "study.toml").write_text(study.text.replace("9.0", f"{spent + 0.2:.2f}"))
    paused = forked(*PERSONA, "--times", "2", code=1)
    assert "the budget has no room" in paused["paused"]
    assert paused["status"]["absent"] > 0
    (here / "study.toml").write_text(study.text)
    assert forked(*PERSONA, "--times", "2")["status"]["ended"] == 12


def test_from_python_as_from_the_command_line(certain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who works in a notebook would have to start a process."""
    monkeypatch.chdir(certain)
    study = Study.load("study.toml")
    found = asyncio.run(study.fork(at=3, change="persona:sceptic=visionary", times=1, arm="talk"))
    assert found == forked(*PERSONA, "--times", "1", "--arm", "talk")
