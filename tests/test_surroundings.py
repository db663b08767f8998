"""Where the program is run: a folder that is gone, an input that is closed, text in another encoding, a closed door."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from started import OPTIONS, QUESTION, ran

from eda import Event, memory_of, progress_of
from eda.cli import cli
from eda.report.gather import report_of
from eda.session import Session

SESSIONS = Path(__file__).resolve().parent.parent / "sessions"


def eda(*args: str, given: bytes | None = None) -> Result:
    return CliRunner().invoke(cli, list(args), input=given, prog_name="eda")


def debated(sessions: Path) -> Result:
    return eda("debate", QUESTION, *OPTIONS, "--session", "s", "--sessions", str(sessions), "-q", "--max-messages", "6")


def test_a_debate_needs_no_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a shell that stands in a folder that was made anew gives "No such file or directory", and nothing else."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    done = debated(tmp_path)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("name", ["two words & Заметки 会議 اجتماع", "x" * 200], ids=["spaces and scripts", "long"])
def test_any_folder_will_do(tmp_path: Path, name: str) -> None:
    """Without it a name that no shell likes, or that is longer than a socket's may be, costs the session."""
    sessions = tmp_path / name
    context = tmp_path / f"{name[:40]}.md"
    context.write_text("The invoices are late.", encoding="utf-8")
    here = ("--sessions", str(sessions))
    begun = eda("debate", QUESTION, "--context", str(context), "--session", "s", *here, "--max-messages", "6", "-q")
    assert begun.exit_code == 0, begun.output
    for command in (
        ("edit", "s", "--note", "Mind the auditors."),
        ("resume", "s", "--max-messages", "9"),
        ("report", "s"),
    ):
        done = eda(*command, *here)
        assert done.exit_code == 0, done.output
    assert "Mind the auditors." in eda("show", "s", "--notes", *here).stdout
    assert (sessions / "s" / "report.md").is_file()
    hint = eda("resume", "s", *here).stderr.partition("eda resume s --sessions ")[2]
    assert str(sessions) in shlex.split(hint)


def test_a_closed_input_is_an_empty_one(tmp_path: Path) -> None:
    """`<&-` in a cron line gave a stack trace."""
    done = ran("import", "--minutes", "-", cwd=tmp_path, stdin=None, preexec_fn=lambda: os.close(0))
    assert done.returncode != 0
    assert done.stderr.startswith(b"error: ")
    assert b"Traceback" not in done.stderr


def test_a_note_in_another_encoding_is_kept(tmp_path: Path) -> None:
    """Text from an old file, piped in, gave a stack trace."""
    assert debated(tmp_path).exit_code == 0
    done = eda("edit", "s", "--note", "-", "--sessions", str(tmp_path), given=b"caf\xe9 first")
    assert done.exit_code == 0, done.output
    assert "caf\ufffd first" in eda("show", "s", "--notes", "--sessions", str(tmp_path)).stdout


def test_a_session_that_nobody_may_look_into_hides_no_other(tmp_path: Path) -> None:
    """One folder with other rights, and none of the sessions would be listed, or that one were missed."""
    assert debated(tmp_path).exit_code == 0
    (tmp_path / "closed").symlink_to("closed")  # permissions do not hold for everybody who runs the tests
    listed = eda("sessions", "--sessions", str(tmp_path))
    assert listed.exit_code == 0
    assert QUESTION in listed.stdout
    assert "closed/events.jsonl: cannot be opened" in listed.stdout


def test_a_report_reads_the_log_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time it is read costs half a second where thousands of messages were said."""
    with Session.read("example", SESSIONS) as session:
        progress, memory = progress_of(session), memory_of(session)
        wholes: list[int] = []
        events = Session.events

        def counted(self: Session, after: int = 0) -> Iterator[Event]:
            yield from events(self, after)
            wholes.append(after)

        monkeypatch.setattr(Session, "events", counted)
        assert report_of(session, progress, memory).counted.rows
        assert wholes == [0]


def test_a_limit_that_is_reached_is_named_as_it_is_typed(tmp_path: Path) -> None:
    """Whoever set --budget-tokens has never heard of `max_tokens`."""
    where = ("--sessions", str(tmp_path))
    assert eda("debate", QUESTION, "--session", "s", *where, "-q", "--budget-tokens", "9000").exit_code == 0
    again = eda("resume", "s", *where, "--max-messages", "90")
    assert again.exit_code == 2
    assert f"eda resume s --sessions {tmp_path} --budget-tokens ..." in again.stderr


def piped(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Run `command` in bash, `eda` being the program, and print the exit code of its first part at the end."""
    program = f'eda() {{ \'{sys.executable}\' -m eda "$@"; }}; {command}; echo "code ${{PIPESTATUS[0]}}"'
    return subprocess.run(["bash", "-c", program], cwd=folder, capture_output=True, check=False, text=True)


@pytest.mark.parametrize(
    ("command", "reader"),
    [
        ("show example", "head -1"),
        pytest.param("show example --json", "true", marks=pytest.mark.long),
        pytest.param("sessions", "head -1", marks=pytest.mark.long),
        pytest.param("show example --tally", "true", marks=pytest.mark.long),
    ],
)
def test_a_reader_that_has_read_enough_is_no_failure(tmp_path: Path, command: str, reader: str) -> None:
    """A script with `set -o pipefail` would stop at `eda show x | head`, or show a traceback."""
    done = piped(tmp_path, f"eda {command} | {reader}")
    assert done.stdout.splitlines()[-1] == "code 0"
    assert done.stderr == ""


FULL = """
import resource, signal, sys
from eda.cli import cli
import eda.cli.debate, eda.cli.start, eda.debate.debate

sys.dont_write_bytecode = True  # else a module is compiled by half

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (16_000, 16_000))
cli(prog_name="eda")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs RLIMIT_FSIZE")
def test_a_full_disk_says_how_far_the_debate_is_saved(tmp_path: Path) -> None:
    """Whoever reads `No space left on device` at midnight does not know what is lost."""
    args = ["debate", "Ship it?", "--session", "one", "--sessions", str(tmp_path), "--quiet"]
    done = ran(*args, script=FULL)
    assert done.returncode == 1
    assert b"eda resume" in done.stderr
    assert not list(tmp_path.glob("**/*.new"))
    assert eda("resume", "one", "--sessions", str(tmp_path), "--quiet").exit_code == 0


def test_what_a_killed_process_was_writing_is_removed(tmp_path: Path) -> None:
    """Half a file would lie beside the whole one for ever."""
    debated(tmp_path)
    (tmp_path / "s" / ".memory.json.new").write_text("half")
    eda("edit", "s", "--note", "x", "--sessions", str(tmp_path))
    assert not list(tmp_path.glob("**/*.new"))
