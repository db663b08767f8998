"""People's votes before and after they talked become cells: counted as panels are, and beside them in one table."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("pyarrow", reason="the extra `study` is not installed")
pytest.importorskip("scipy", reason="the extra `study` is not installed")

from proofs import prove
from proofs.people import CROWD, DELIDATA, TRUTH

from eda.cli import cli
from eda.errors import StudyError
from eda.study import Study

COUNTED = """\
room\tfirst\tthen
a\tCounter({'WRONG': 2, 'RIGHT': 1})\tCounter({'RIGHT': 3})
b\tCounter({'WRONG': 2})\tCounter({'RIGHT': 1, 'WRONG': 1})
c\tCounter({'WRONG': 5})\tCounter({'WRONG': 5})
d\tCounter()\tCounter({'RIGHT': 2})
"""
WIDE = """\
GROUP,ITEM,N1,N2,N3,B1,B2,B3,A1,A2,A3
1,x,Ada,Ben,Cleo,yes,yes,no,yes,yes,yes
2,x,Ada,Dan,Dan,yes,no,no,yes,no,no
3,y,Ada,Ben,Cleo,no,no,yes,yes,yes,yes
4,y,Ada,Ben,Cleo,no,yes,no,no,,no
"""
KEY = "ITEM;KIND;TRUE\nx;hard;yes\ny;easy;\n"
ROWS = """\
jury,case,who,alone,together
j1,t1,Ada,guilty,guilty
j1,t1,Ben,free,guilty
j2,t1,Cleo,free,free
j2,t1,Dan,free,free
"""
CHAT = """\
jury,who,said
j1,Ada,"He was there, I saw him."
j1,Ben,Then I was wrong.
"""
PAGE = "study-people.md"
ROW = ("group=jury", "task=case", "member=who", "before=alone", "after=together")
TALK = ("talk.file=chat.csv", "talk.group=jury", "talk.member=who", "talk.text=said")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("counted.tsv", COUNTED), ("wide.csv", WIDE), ("key.csv", KEY), ("rows.csv", ROWS)):
        Path(name).write_text(text, encoding="utf-8")
    Path("chat.csv").write_text(CHAT, encoding="utf-8")


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["study", *args], catch_exceptions=False)


def read(file: str, *votes: str) -> dict[str, Any]:
    """Import a table and return what the command says."""
    done = run("import", file, "--json", *(part for each in votes for part in ("--votes", each)))
    assert done.exit_code == 0, done.output
    return dict(json.loads(done.stdout))


def measured(file: str, name: str) -> list[dict[str, Any]]:
    return list(json.loads(run("table", file, "--measure", name, "--json").stdout))


def wide() -> dict[str, Any]:
    seats = [f"{key}={column}{n}" for key, column in (("member", "N"), ("before", "B"), ("after", "A")) for n in "123"]
    more = ("lookup.file=key.csv", "lookup.on=ITEM", "truth=TRUE", "levels.kind=KIND")
    return read("wide.csv", "group=GROUP", "task=ITEM", *seats, *more)


def test_counts_give_the_mean_of_the_groups_and_of_their_members() -> None:
    """One without the other would be cited as the other."""
    found = read("counted.tsv", "group=room", "before=first", "after=then", "answer=RIGHT")
    assert (found["groups"], found["read"]) == (4, 3)
    assert [*found["left_out"].values()] == [1]
    of = {name: measured("counted.toml", name) for name in ("members_right_first", "members_right_last")}
    assert [(row[0]["estimate"], row[0]["pooled"]) for row in of.values()] == [
        (pytest.approx(1 / 9), pytest.approx(1 / 10)),
        (pytest.approx(1 / 2), pytest.approx(4 / 10)),
    ]
    assert measured("counted.toml", "members_gain")[0]["estimate"] == pytest.approx(7 / 18)
    (none,) = measured("counted.toml", "right_from_none")
    assert (none["estimate"], none["cells"]) == (0.5, 2)  # of a and b, which end with a right member
    assert not measured("counted.toml", "conformity")  # counts do not say who changed


def test_a_group_is_whole_or_left_out_and_a_task_counts_once_or_by_its_cases() -> None:
    """A member without a second vote would count as one that stayed, and two of one name as one."""
    assert wide()["left_out"] == {"a member has no vote after the talk": 1}
    again = run("run", "wide.toml", "--json")  # a group that is left out has not failed: no run can mend it
    told = json.loads(again.stdout)
    assert (again.exit_code, told["failed"], told["excluded"], told["paused"]) == (0, 0, 1, "")
    assert "1 left out: a member has no vote after the talk" in run("status", "wide.toml").stderr
    cells = Study.load("wide.toml").frames()["cells"].to_pylist()
    assert [row["reason"] for row in cells if row["status"] == "excluded"] == ["a member has no vote after the talk"]
    rows = {row["levels"]["kind"]: row for row in measured("wide.toml", "conformity")}
    hard, easy = rows["hard"], rows["easy"]
    assert (hard["estimate"], hard["pooled"], hard["cells"]) == (0.5, 0.5, 2)
    assert (easy["estimate"], easy["cells"]) == (0, 1)
    assert {row["levels"]["kind"] for row in measured("wide.toml", "accuracy")} == {"hard"}  # y has no known answer
    assert {row["levels"]["kind"]: row["estimate"] for row in measured("wide.toml", "consensus")} == {
        "hard": 0.5,
        "easy": 1,
    }
    assert run("report", "wide.toml").exit_code == 0
    assert "kind=hard" in Path("wide/report.html").read_text(encoding="utf-8")
    members = Study.load("wide.toml").frames()["members"].to_pylist()
    assert [row["member"] for row in members][3:6] == ["Ada 1", "Dan 2", "Dan 3"]


def test_what_people_said_is_in_the_tables_and_the_session_is_shown() -> None:
    """Measures of talk would say that they were silent."""
    read("rows.csv", *ROW, *TALK)
    frames = Study.load("rows.toml").frames()
    assert [(row["member"], row["text"]) for row in frames["messages"].to_pylist()] == [
        ("Ada", "He was there, I saw him."),
        ("Ben", "Then I was wrong."),
    ]
    cells = frames["cells"].to_pylist()
    assert [(row["runner"], row["seed"], row["options"], row["calls"]) for row in cells] == [
        ("people", 0, ["free", "guilty"], 0),
        ("people", 1, ["free", "guilty"], 0),
    ]
    shown = CliRunner().invoke(cli, ["show", f"rows/cells/{cells[0]['cell']}"], catch_exceptions=False)
    assert shown.exit_code == 0
    assert "Then I was wrong." in shown.output
    assert run("report", "rows.toml").exit_code == 0


def test_people_and_panels_stand_in_one_table_and_in_one_effect() -> None:
    """Two tables of two instruments compare the instruments."""
    task = {"id": "t1", "question": "Did he do it?", "options": ["guilty", "free"], "answer": "guilty"}
    Path("tasks.jsonl").write_text(json.dumps(task), encoding="utf-8")
    Path("both.toml").write_text(
        'name = "both"\ntasks = "tasks.jsonl"\nseeds = 2\n[fixed]\nrunner = "player"\nmax_messages = 4\n'
        "[arms]\ntalk = {}\n"
        "[arms.people.votes]\n"
        'file = "rows.csv"\ngroup = "jury"\ntask = "case"\nmember = "who"\nbefore = "alone"\nafter = "together"\n'
        'answer = "guilty"\n[[hypotheses]]\nmeasure = "accuracy"\ncontrast = ["talk", "people"]\npair = ["task"]\n',
        encoding="utf-8",
    )
    study = Study.load("both.toml")
    planned = {row["arm"]: (row["cells"], row["calls"] > 0) for row in study.planned()["arms"]}
    assert planned == {"talk": (2, True), "people": (2, False)}
    asyncio.run(study.run())
    (effect,) = study.results().effects
    assert (effect["pairs"], effect["estimate"]) == (1, 0.5)  # the player is always right, one jury of two is
    refused = CliRunner().invoke(cli, ["study", "import", "both.toml"])
    assert isinstance(refused.exception, SystemExit)
    assert "eda study run" in refused.output


@pytest.mark.parametrize(
    ("spoil", "names"),
    [
        (lambda: read("wide.csv", "group=GRUOP", "before=B1", "after=A1"), "GROUP"),
        (lambda: read("rows.csv", "group=jury", "before=alone", "after=together"), "j1"),
        (lambda: read("rows.csv", "group=jury", "before=alone", "before=who", "after=together"), "before"),
        (lambda: read("rows.csv", "group=jury", "befor=alone", "after=together"), "befor"),
        (lambda: read("wide.csv", "group=GROUP", "before=B1", "after=A1", "talk.file=x"), "talk"),
        (lambda: read("rows.csv", *ROW, *TALK[:-1], "talk.text=sad"), "said"),
    ],
)
def test_a_table_that_cannot_be_read_as_named_is_refused(spoil: Callable[[], object], names: str) -> None:
    """A column by mistake would be published as a finding."""
    with pytest.raises(AssertionError) as refused:
        spoil()
    assert "rror" in str(refused.value)
    assert names in str(refused.value)
    assert not [*Path().glob("*.toml")]  # it would stand in the way of the same command without the mistake


def test_votes_that_changed_after_they_were_read_are_refused() -> None:
    """The figures would be of other votes than those that were frozen."""
    wide()
    Path("key.csv").write_text(KEY.replace("hard;yes", "hard;no"), encoding="utf-8")
    with pytest.raises(StudyError, match="votes"):
        asyncio.run(Study.load("wide.toml").run())


def published(folder: Path) -> None:
    """Write small files in the layout of the published ones."""
    deli = COUNTED.replace("first\tthen", "onboarding_types\tgame_types").replace("RIGHT", "CORRECT")
    (folder / DELIDATA).write_text(deli, encoding="utf-8")
    parts = ("NAME", "ORIGINAL_LABEL", "RECONSIDERED_LABEL")
    columns = ["DELIBERATION_ID", "DATA_ID", *(f"MEMBER_{seat}_{part}" for seat in "123" for part in parts)]
    rows = [columns, ["1", "x", *"AnyByyCyy"], ["2", "y", *"AnyByyCyy"]]
    (folder / CROWD).write_text("\n".join(map(",".join, rows)), encoding="utf-8")
    truth = "DATASET,DATA_ID,GROUND_TRUTH_LABEL\nd-sarcasm,x,y\nd-relation,y,\n"
    (folder / TRUTH).write_text(truth, encoding="utf-8")


def test_the_proof_is_skipped_without_the_files_and_fails_on_others(tmp_path: Path) -> None:
    """A proof that holds whatever it reads proves nothing."""
    assert prove("people")["skipped"]
    published(tmp_path)
    found = prove("people", folder=tmp_path)
    assert not found["ok"]
    assert {check["what"]: check["found"] for check in found["checks"]}["DeliData: members right alone"] == 0.1


def test_each_command_and_file_of_the_page_runs(tmp_path: Path) -> None:
    """Whoever has the published files copies them from there."""
    text = (Path(__file__).parent.parent / "docs" / PAGE).read_text(encoding="utf-8")
    published(tmp_path)
    for command in re.findall(r"^\$ (eda .*)$", text, re.MULTILINE):
        assert CliRunner().invoke(cli, shlex.split(command)[1:]).exit_code == 0, command
    (file,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    Path("crowd.toml").write_text(file, encoding="utf-8")
    assert json.loads(run("import", "crowd.toml", "--json").stdout)["read"] == 2
