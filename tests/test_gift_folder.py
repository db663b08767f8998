"""A session's folder that somebody sent: nothing in it stands for a file elsewhere, whatever is done with it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from eda.cli import cli
from eda.errors import SessionError
from eda.session import Session
from eda.session.folders import noted
from eda.session.names import LOG_FILE, OVERVIEW_FILE, SEATS_FILE
from eda.session.places import MARK_FILE, MEMORY_FILE, RECEIPT_FILE, fresh

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows makes no links without a privilege")
SECRET = "a key of somebody\n"  # noqa: S105 - that it stays where it is is what is tested
FILES = (
    LOG_FILE,
    ".lock",
    MARK_FILE,
    MEMORY_FILE,
    fresh(MEMORY_FILE),
    "journal.jsonl",
    "calls.jsonl",
    "report.md",
    RECEIPT_FILE,
    fresh(RECEIPT_FILE),
    "receipt.salts",
    OVERVIEW_FILE,
    fresh(OVERVIEW_FILE),
    SEATS_FILE,
    ".door",
)
DOORS = (
    ("sessions",),
    ("show", "one"),
    ("resume", "one", "--trust", "--max-messages", "9", "--record"),
    ("edit", "one", "--note", "hi"),
    ("seal", "one"),
    ("export", "one", "--to", "one.eda"),
)


def eda(*args: str) -> str:
    done = CliRunner().invoke(cli, [*args, "--sessions", "s"])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.output


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session of somebody else."""
    place = tmp_path_factory.mktemp("sent")
    options = ["--option", "Go", "--option", "Wait", "--max-messages", "5", "--runner", "simulated", "--quiet"]
    done = CliRunner().invoke(cli, ["debate", "Ship?", *options, "--session", "one", "--sessions", str(place / "s")])
    assert done.exit_code == 0, done.output
    return place


@pytest.mark.parametrize("name", FILES)
def test_a_link_is_neither_read_nor_written_through(
    sent: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`mark -> ~/.ssh/authorized_keys` was overwritten, and what `journal.jsonl` stood for got a model's words."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(sent / "s", "s")
    outside, place = tmp_path / "outside", tmp_path / "s" / "one" / name
    outside.write_text(SECRET)
    for target, door in (*((outside, door) for door in DOORS), (tmp_path / "made", DOORS[2])):
        place.unlink(missing_ok=True)
        place.symlink_to(target)
        told = eda(*door)
        assert SECRET.strip() not in told
        assert outside.read_text() == SECRET
        assert not (tmp_path / "made").exists()
    written = (path for path in tmp_path.rglob("*") if path != outside and path.is_file() and not path.is_symlink())
    assert not [path for path in written if SECRET.encode() in path.read_bytes()]


@pytest.mark.parametrize("name", [LOG_FILE, MEMORY_FILE, OVERVIEW_FILE, "journal.jsonl", "report.json", RECEIPT_FILE])
def test_a_pipe_or_a_device_holds_nobody_up(
    sent: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(sent / "s", "s")
    place = tmp_path / "s" / "one" / name
    for make in (os.mkfifo, lambda path: path.symlink_to("/dev/zero")):
        place.unlink(missing_ok=True)
        make(place)
        for door in DOORS[:3]:
            assert "elsewhere" in eda(*door) or door == ("sessions",)


def test_the_ledger_is_not_written_through_a_link(sent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(sent / "s", "s")
    Path("outside").write_text(SECRET)
    Path("s/ledger.jsonl").symlink_to(tmp_path / "outside")
    eda("delete", "one", "--yes")
    assert Path("outside").read_text() == SECRET
    with Session.read("one", Path("s")) as session:
        assert session.started().question == "Ship?"


def test_a_ledger_that_is_no_file_is_neither_read_nor_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path("s")
    told = eda("sessions", "--audit")
    folder.mkdir()
    os.mkfifo(folder / "ledger.jsonl")
    assert eda("sessions", "--audit") == told
    with pytest.raises(SessionError):
        noted(folder, "deleted", "one")
    (folder / "ledger.jsonl").unlink()
    noted(folder, "deleted", "one")
    assert eda("sessions", "one", "--audit").split()[1:] == ["deleted", "one", "owner"]
