"""A freeze that holds: one command names what a referee has to know of a study, whatever was done to its folder."""

from __future__ import annotations

import json
import shutil
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from eda.cli import cli
from eda.session.chain import links
from eda.study import Study
from eda.study.freeze import audit
from eda.study.ledger import entries

FILE = """
name = "ways"
tasks = "jury"
seeds = 2
[fixed]
personas = ["sceptic", "historian", "economist"]
max_messages = 3
[arms]
talk = {}
reask = {}
[[hypotheses]]
measure = "accuracy"
contrast = ["talk", "reask"]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a study, and a user who ran none before."""
    (tmp_path / "study.toml").write_text(FILE)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Where a study was run, and a copy of all that it left there."""
    here, kept = (tmp_path_factory.mktemp(name) for name in ("here", "kept"))
    (here / "study.toml").write_text(FILE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(here / "data"))
        patch.chdir(here)
        assert eda("run", "study.toml").exit_code == 0
        assert codes() == []
    shutil.copytree(here, kept, dirs_exist_ok=True)
    return here, kept


@pytest.fixture
def done(ran: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a study that was run, as it was then: its ledger names it by its place."""
    here, kept = ran
    shutil.rmtree(here)
    shutil.copytree(kept, here)
    monkeypatch.setenv("XDG_DATA_HOME", str(here / "data"))
    monkeypatch.chdir(here)
    return here / "ways"


def eda(*args: str) -> Result:
    return CliRunner().invoke(cli, ["study", *args], prog_name="eda", catch_exceptions=False)


def codes(*args: str) -> list[str]:
    """What `eda study verify` names; its exit code says whether anything speaks against the freeze."""
    checked = eda("verify", "study.toml", *args, "--json")
    found = json.loads(checked.stdout)
    assert checked.exit_code == (0 if found["holds"] else 1)
    return [row["code"] for row in found["found"]]


def test_an_honest_study_holds_and_lists_what_was_added_openly(done: Path) -> None:
    """Seeds that are added are no fraud, and no secret."""
    text = (done.parent / "study.toml").read_text()
    (done.parent / "study.toml").write_text(text.replace("seeds = 2", "seeds = 3"))
    assert eda("run", "study.toml").exit_code == 0
    assert eda("table", "study.toml", "--format", "csv").exit_code == 0
    assert codes() == ["seeds-added"]
    assert eda("verify", "study.toml").exit_code == 0
    assert "seeds added: 1" in eda("table", "study.toml").stdout


def test_cells_that_were_deleted_and_drawn_anew_are_named(done: Path) -> None:
    """Whoever draws again until the estimate pleases says nothing of it."""
    before = {path.name: (path / "events.jsonl").read_bytes() for path in (done / "cells").iterdir()}
    gone = sorted(before)[:2]
    for name in gone:
        shutil.rmtree(done / "cells" / name)
    assert codes() == ["gone"]
    assert eda("run", "study.toml").exit_code == 0
    (row,) = json.loads(eda("verify", "study.toml", "--json").stdout)["found"]
    assert (row["code"], sorted(row["cells"])) == ("deleted", gone)
    assert eda("report", "study.toml").exit_code == 0
    assert all(name in (done / "report.html").read_text().split('id="deviations"')[1].split("<h2")[0] for name in gone)


def test_a_manifest_that_was_removed_does_not_make_another_first_freeze(done: Path) -> None:
    """A hypothesis that was found in the data was none before the first call."""
    (done / "manifest.json").unlink()
    text = (done.parent / "study.toml").read_text()
    (done.parent / "study.toml").write_text(text.replace('"accuracy"', '"outcome_changed"'))
    assert eda("run", "study.toml").exit_code == 0
    (row,) = json.loads(eda("verify", "study.toml", "--json").stdout)["found"]
    assert (row["code"], row["parts"]) == ("frozen-again", ["hypotheses"])
    (done / "manifest.json").unlink()
    (done / "ledger.jsonl").unlink()  # then the cells are older, and this user's ledger knows another one
    assert eda("run", "study.toml").exit_code == 0
    assert codes()[0] == "ledger"
    for log in (done / "cells").glob("*/events.jsonl"):
        first = json.loads(log.read_bytes().splitlines()[0])["at"]
        log.write_bytes(log.read_bytes().replace(first.encode(), b"2020" + first[4:].encode(), 1))
    assert "older" in codes()


def test_a_manifest_or_an_entry_that_was_edited_is_named(done: Path) -> None:
    """The file that says what was frozen is a text like any other."""
    manifest, ledger = done / "manifest.json", done / "ledger.jsonl"
    kept, lines = manifest.read_text(), ledger.read_bytes()
    manifest.write_text(kept.replace('"accuracy"', '"outcome_changed"'))
    assert codes() == ["manifest"]
    manifest.write_text(kept)
    ledger.write_bytes(lines.replace(b'"state":"ended"', b'"state":"endet"', 1))
    assert codes() == ["ledger"]
    ledger.write_bytes(b"".join(lines.splitlines(keepends=True)[:-1]))
    assert codes() == ["ledger", "unnoted"]
    ledger.unlink()
    assert codes()[:2] == ["ledger", "unledgered"]


def test_a_study_under_way_is_not_accused(done: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 14,500 cells under way twenty were called unnoted: they ended between a look at the ledger and one at them."""
    whole, read = (done / "ledger.jsonl").read_bytes(), iter([entries(done)[:-1]])
    monkeypatch.setattr("eda.study.freeze.entries", lambda out: next(read, None) or entries(out))
    assert not audit(done)
    assert (done / "ledger.jsonl").read_bytes() == whole


def test_a_file_that_is_not_the_frozen_one_is_named(done: Path) -> None:
    """A referee has the file of the paper: its hypothesis was exchanged, and the folder left as it was."""
    text = (done.parent / "study.toml").read_text()
    (done.parent / "study.toml").write_text(text.replace('"accuracy"', '"outcome_changed"'))
    (row,) = json.loads(eda("verify", "study.toml", "--json").stdout)["found"]
    assert (row["code"], row["parts"]) == ("file", ["hypotheses"])
    assert eda("verify", "study.toml").exit_code == 1


def test_other_folders_of_the_study_are_named_and_counted(done: Path) -> None:
    """Three are run and the best is kept: what this user's ledger knows, it says, in the folder that is kept too."""
    assert eda("run", "study.toml", "--out", "second").exit_code == 0
    text = (done.parent / "study.toml").read_text()
    (done.parent / "study.toml").write_text(text.replace('"ways"', '"renamed"'))
    assert eda("run", "study.toml", "--out", "third").exit_code == 0
    shutil.rmtree(done)
    shutil.rmtree(done.parent / "second")
    found = json.loads(eda("verify", "study.toml", "--out", "third", "--json").stdout)
    assert not found["holds"]
    assert [(row["code"], Path(row["folder"]).name) for row in found["found"]] == [
        ("folder", "ways"),
        ("folder", "second"),
    ]
    first = json.loads((done.parent / "third" / "ledger.jsonl").read_bytes().splitlines()[0])
    assert first["others"] == ["ways", "second"]


@pytest.mark.parametrize("chained", [False, True])
def test_a_changed_figure_is_named_though_its_checksums_were_made_anew(done: Path, *, chained: bool) -> None:
    """A checksum is no proof: whoever changes a line computes it again, and its chain too."""
    log = min((done / "cells").glob("*/events.jsonl"))
    made, head = [], ""
    for line in log.read_bytes().splitlines(keepends=True):
        body, _, crc = line.replace(b'"max_messages":3', b'"max_messages":4').rpartition(b',"crc":"')
        if chained:
            text = body.rpartition(b',"chain":"')[0]
            head = [*links([*made, text + b',"chain":"' + b"0" * 64 + b'","crc":"00000000"}\n'])][-1][1]
            body = text + b',"chain":"' + head.encode() + b'"'
        made.append(body + b',"crc":"%08x"}\n' % zlib.crc32(body))
        del crc
    assert b"".join(made) != log.read_bytes()
    log.write_bytes(b"".join(made))
    found = json.loads(eda("verify", "study.toml", "--json").stdout)["found"]
    assert [(row["code"], row["cells"]) for row in found] == [("changed", [log.parent.name])]


def test_a_file_that_was_changed_after_its_export_is_named(done: Path) -> None:
    """The table that is sent in is the one that was made."""
    assert eda("table", "study.toml", "--format", "csv").exit_code == 0
    file = done / "tables" / "outcomes.csv"
    file.write_text(file.read_text().replace("True", "False").replace("true", "false"))
    assert codes() == ["export"]


def test_rows_that_are_not_what_the_ledger_has_are_read_out_of_the_log_again(done: Path) -> None:
    """Rows are kept so that no log is read again; whoever changes them moves no figure."""
    study = Study.load(done.parent / "study.toml")
    made = {name: table.to_pylist() for name, table in study.frames().items()}
    logs = {log: log.read_bytes() for log in (done / "cells").glob("*/events.jsonl")}
    for log, text in logs.items():
        log.write_bytes(b" " * len(text))  # no log is read: it has no facts
    assert {name: table.to_pylist() for name, table in study.frames().items()} == made
    for log, text in logs.items():
        log.write_bytes(text)
        rows = log.with_name("rows.json")
        rows.write_bytes(rows.read_bytes().replace(b'"right":true', b'"right":false'))
    assert {name: table.to_pylist() for name, table in study.frames().items()} == made
    for rows in (done / "cells").glob("*/rows.json"):
        rows.unlink()
    assert {name: table.to_pylist() for name, table in study.frames().items()} == made
    assert codes() == []


def test_a_digest_that_was_deposited_before_the_run_is_checked(here: Path) -> None:
    """A registry has the digest, so that nobody need be believed."""
    asked = eda("freeze", "study.toml")
    digest = asked.stdout.strip()
    assert len(digest) == 64
    assert not (here / "ways" / "cells").exists()
    for form in ("osf", "aspredicted"):
        text = eda("freeze", "study.toml", "--export", form).stdout
        assert digest in text.replace("\n", "")
        assert "accuracy, talk minus reask" in text
    assert json.loads(eda("freeze", "study.toml", "--export", "json").stdout)["digest"] == digest
    assert eda("run", "study.toml").exit_code == 0
    assert codes("--digest", digest) == []
    assert codes("--digest", "0" * 64) == ["deposit"]
    assert Study.load("study.toml").freeze() == digest


def test_attempts_are_in_the_ledger(done: Path) -> None:
    """A cell that failed and was run again has had two chances."""
    log = min((done / "cells").glob("*/events.jsonl"))
    log.write_bytes(log.read_bytes()[:-20])
    assert codes() == ["changed"]
    entries = [json.loads(line) for line in (done / "ledger.jsonl").read_bytes().splitlines()]
    assert [entry["kind"] for entry in entries] == ["frozen", "run", *["cell"] * 4]
    assert {entry["cell"] for entry in entries[2:]} == {path.name for path in (done / "cells").iterdir()}


def test_an_entry_that_was_cut_short_by_a_loss_of_power_accuses_nobody(done: Path) -> None:
    """It was never confirmed; what comes after it stands in the chain."""
    with (done / "ledger.jsonl").open("ab") as file:
        file.write(b'{"at":"2026-01-02T03:04:05+00:00","kind":"ru')
    assert eda("run", "study.toml").exit_code == 0
    assert codes() == []
