"""The program in a shell: a question from a pipe, and what the shell completes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from started import PATIENCE, PLAIN, on_terminal, ran

from eda.cli import cli
from eda.session import Session

ASKED = ("debate", "-", "--quiet", "--max-messages", "10", "--session", "one")


def test_a_question_of_some_paragraphs_comes_from_a_pipe(tmp_path: Path) -> None:
    """A question that is kept in a file would have to be quoted for the shell."""
    done = ran(*ASKED, cwd=tmp_path, stdin=None, input=b"Should we ship\non Friday?\n\nThe tests are green.\n")
    assert done.returncode == 0, done.stderr
    with Session.read("one", tmp_path / "sessions") as session:
        assert session.started().question == "Should we ship on Friday? The tests are green."


@pytest.mark.parametrize(
    ("text", "args", "why"),
    [
        (" \n\n", ASKED, "error: the question is empty"),
        ("why " * 5000, ASKED, "error: the question on standard input: is larger than 16 kB\nhint: Ask in a few sen"),
        ("Ship?", (*ASKED, "--context", "-"), "error: the question and --context cannot both be read from standard"),
    ],
)
def test_a_question_that_cannot_be_read_writes_nothing(
    text: str, args: tuple[str, ...], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A debate on no question, or on a log file, would cost as much as one on a question."""
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, args, input=text)
    assert done.exit_code == 2
    assert why in done.stderr
    assert not list(tmp_path.iterdir())


def test_no_question_is_awaited_from_a_keyboard(tmp_path: Path) -> None:
    """The program would seem to hang."""
    with on_terminal(tmp_path, "debate", "-", script=PLAIN) as terminal:
        assert terminal.end() == 2
        assert "which is a terminal here" in " ".join(terminal.shown.split())


def test_the_program_alone_opens_the_sessions_in_the_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A newcomer who types its name would have to read a page of commands first."""
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("BROWSER", "echo opened %s")
    with on_terminal(tmp_path, script=PLAIN) as terminal:
        terminal.wait_for("opened file:")
        assert "/?token=" in terminal.shown
    done = ran(cwd=tmp_path, stdin=subprocess.DEVNULL)
    assert done.returncode == 0
    assert b"eda debate" in done.stdout


def completed(line: str) -> str:
    """What click's own script for bash would be told, in one line."""
    env = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" ")), "_EDA_COMPLETE": "bash_complete"}
    done = CliRunner().invoke(cli, [], prog_name="eda", env=env)
    assert not done.stderr
    return " ".join(sorted(word.removeprefix("plain,") for word in done.stdout.split()))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("eda dia", ""),
        ("eda debate x --language d", "de"),
        ("eda debate x --fixed", "--fixed-options"),
        ("eda nosuch x", ""),
    ],
)
def test_a_shell_is_told_the_commands_and_options_that_there_are(line: str, words: str) -> None:
    """An error would be written into the line that somebody types."""
    assert completed(line) == words


def test_bash_completes_commands_and_options(tmp_path: Path) -> None:
    """What a script prints is worth nothing before a shell has run it."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    program = tmp_path / "bin" / "eda"
    program.parent.mkdir()
    program.write_text(f'#!{bash}\nexec {sys.executable} -m eda "$@"\n')
    program.chmod(0o755)
    lines = {"eda dif": "diff", "eda show x --verb": "--verbose"}
    line = "COMP_WORDS=({}); COMP_CWORD={}; COMPREPLY=(); _eda_completion eda; echo ${{COMPREPLY[*]}}\n"
    script = 'eval "$(_EDA_COMPLETE=bash_source eda)"\n' + "".join(
        line.format(typed, typed.count(" ")) for typed in lines
    )
    env = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        [bash, "-c", script], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.stderr == ""
    printed = [" ".join(sorted(line.split())) for line in done.stdout.splitlines()]
    assert dict(zip(lines, printed, strict=True)) == lines
