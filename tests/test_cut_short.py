"""What is said and done where a run was cut short, or is not over yet: by a kill, a closed terminal, a second one."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner, Result
from rich.console import Console
from test_resume import new_debate

from eda import Session
from eda.cli import cli
from eda.cli.terminal.live import LiveView
from eda.cli.terminal.printers import Sitting
from eda.events import SessionPaused


def eda(folder: Path, *args: str) -> Result:
    return CliRunner().invoke(cli, [*args, "--sessions", str(folder)], prog_name="eda")


@pytest.fixture(scope="module")
def held(folder: Path) -> Path:
    """The folder of a session, which is held once and copied for each test."""
    with Session.create("s", folder) as session:
        new_debate(session, seed=5).run_sync()
    return folder / "s"


@pytest.fixture
def ended(held: Path, tmp_path: Path) -> Path:
    """A folder with the session `s`, whose process ended after the verdict and before the report."""
    copytree(held, tmp_path / "s")
    return tmp_path


@pytest.mark.parametrize("json_too", [False, True])
def test_a_resume_writes_the_report_that_is_missing(ended: Path, *, json_too: bool) -> None:
    """Killed in its last second, a debate that was paid for had no report, and resume only said that it had ended."""
    log = (ended / "s" / "events.jsonl").read_bytes()
    done = eda(ended, "resume", "s", *(["--json"] if json_too else []))
    assert done.exit_code == 0
    assert "now it is written" in done.stderr
    assert not json_too or json.loads(done.stdout)["reason"] == "messages"
    assert "# Should we move" in (ended / "s" / "report.md").read_text()
    assert (ended / "s" / "events.jsonl").read_bytes() == log, "nothing is doubled"
    again = eda(ended, "resume", "s")
    assert (again.exit_code, "has ended (messages)" in again.stderr) == (2, True)


def test_a_higher_limit_goes_on_without_the_missing_report(ended: Path) -> None:
    """Who asks for more talk gets it."""
    assert eda(ended, "resume", "s", "--max-messages", "18", "--quiet").exit_code == 0
    assert json.loads((ended / "s" / "report.json").read_text())["run"]["messages"] == 18
    assert (ended / "s" / "report.md").exists()


def test_a_closed_terminal_is_said() -> None:
    """`Input/output error` in a log file sounds like a broken disk."""
    master, slave = os.openpty()
    os.close(master)
    args = [sys.executable, "-c", "from eda.cli import main; main()", "list", "formats"]
    done = subprocess.run(args, stdout=slave, stderr=subprocess.PIPE, check=False)
    os.close(slave)
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: the terminal was closed")
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(("reason", "shown"), [("person", "/resume goes on"), ("stopped", "stopping")])
def test_only_a_pause_is_called_one(reason: str, shown: str, ended: Path) -> None:
    """With Ctrl-C the screen's last word was to type `/resume`, and then the program was gone."""
    with Session.read("s", ended) as session:
        started = session.started()
    debate = new_debate(Session.in_memory())
    debate.progress.fold(SessionPaused(reason=reason))
    out = io.StringIO()
    console = Console(file=out, width=80, force_terminal=True, color_system=None)
    with LiveView(console, Sitting(started, resumed_at=0), debate.progress, debate.memory) as live:
        console.print(live.status)
    assert shown in out.getvalue()


def test_the_report_says_what_was_changed_by_hand(ended: Path) -> None:
    """A choice that a person reworded after the talk would stand there as the words of who is cited for it."""
    shown = eda(ended, "show", "s", "--json")
    data = json.loads(shown.stdout)
    first = data["verdict"]["motion"]
    second = next(each["id"] for each in data["proposals"] if each["id"] != first and each["status"] != "accepted")
    eda(ended, "edit", "s", first, "Hire *one* writer.", "--as", "Ada")
    eda(ended, "edit", "s", second, "--strike", "--as", "Ada")
    minutes = eda(ended, "show", "s").stdout
    assert f"{first} corrected by Ada: Hire *one* writer." in minutes
    assert f'"{data["verdict"]["text"][:40]}' in minutes.partition("Stands now, by vote:")[2]
    assert minutes.count(f"{second} struck by Ada") == len(("where it was struck", "under what is closed"))
    label = "- Corrected by hand: "
    (line,) = [line for line in eda(ended, "report", "s").stdout.splitlines() if line.startswith(label)]
    reworded, struck = line.removeprefix(label).split("; ")
    assert (reworded.split()[0], struck.split()[0]) == (first, second)
    assert reworded.endswith("now reads: Hire \\*one\\* writer. (Ada)")
    assert struck.endswith("was struck (Ada).")
    kept = json.loads(eda(ended, "report", "s", "--json").stdout)["run"]["corrected"]
    assert [(each["item"], each["text"]) for each in kept] == [(first, "Hire *one* writer."), (second, "")]
