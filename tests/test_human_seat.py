"""The seat at the terminal: key by key through a real pseudo-terminal, and line by line through a pipe."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from started import OPTIONS, PATIENCE, PLAIN, QUESTION, SLOW, on_terminal, program, ran, wait_for

from eda.cli import cli

ARGS = ("debate", QUESTION, *OPTIONS, "--session", "one", "--human", "Ada", "--max-messages", "12", "--no-first-vote")
LONG = (*ARGS, "--max-messages", "60", "--verbose")
"""Longer than a slow machine takes to type; `/next` ends it."""


OPENING = re.compile(r"(?ms)^opening ─+$.*^opening · \d+ of 60 messages left · [^\n]* · \d+:\d\d$\n> I fear the Mach$")
"""What a person sees while they type: nothing is drawn over what stands above."""


def session(cwd: Path) -> dict:
    done = CliRunner().invoke(cli, ["show", "one", "--json", "--sessions", str(cwd / "sessions")], prog_name="eda")
    return json.loads(done.stdout)


def said(cwd: Path) -> list[str]:
    return [message["text"] for message in session(cwd)["transcript"] if message["who"] == "Ada"]


def test_a_whole_debate_at_the_terminal(tmp_path: Path) -> None:
    """Open, interject, ask, vote: with slips of the finger, and while the others talk."""
    with on_terminal(tmp_path, *LONG) as terminal:
        terminal.wait_for("your opening")
        terminal.type("I fear the Mach")
        terminal.wait_for("I fear the Mach")
        terminal.wait_for_rows(OPENING)
        terminal.type("\x7f\x7frch deadline.\r")
        terminal.wait_for("has the floor")
        terminal.type("@maya what would")
        terminal.wait_for("@maya what would")
        terminal.wait_for("has the floor")  # the others have gone on meanwhile
        terminal.type(" change your mind?\r")
        terminal.wait_for("addressed by Ada")
        terminal.type("/next\r")
        terminal.wait_for("you have the floor")
        terminal.type("\x1b[200~First line.\nSecond line.\x1b[201~")
        terminal.wait_for("Second line.")
        terminal.type("\r")
        terminal.wait_for("your vote?")
        terminal.wait_for("B. ")
        terminal.type("b\r")
        terminal.wait_for("Adopt something beside it?")
        terminal.type("\r")
        terminal.wait_for("read as: You accept: ")
        terminal.type("\r")
        assert terminal.end() == 0
        assert "Traceback" not in terminal.shown
        assert terminal.state == terminal.before, "the terminal is as it was"
        assert terminal.raw.rfind("\x1b[?25h") > terminal.raw.rfind("\x1b[?25l")
    assert said(tmp_path) == [
        "I fear the March deadline.",
        "@maya what would change your mind?",
        "First line.\nSecond line.",
    ]
    shown = session(tmp_path)
    asked = next(m for m in shown["transcript"] if m["text"].startswith("@maya"))
    assert asked["to"] == "Maya"
    assert shown["transcript"][asked["number"]]["who"] == "Maya"
    (ballot,) = [each for each in shown["ballots"] if each["agent"] == "Ada"]
    assert ballot["choice"] is not None


def test_ctrl_c_pauses_and_gives_the_terminal_back(tmp_path: Path) -> None:
    """Half a sentence was typed: it is shown, nothing else is lost, and the person is told how to go on."""
    with on_terminal(tmp_path, *LONG) as terminal:
        terminal.wait_for("your opening")
        terminal.type("My opening.\rand then I wan")
        terminal.wait_for("has the floor")
        terminal.type("\x03")
        assert terminal.end() == 130
        assert "go on with: eda resume one --human Ada" in terminal.shown
        assert "not sent: and then I wan" in terminal.shown
        assert "Traceback" not in terminal.shown
        assert terminal.state == terminal.before
    assert session(tmp_path)["state"] == "paused"
    assert said(tmp_path) == ["My opening."]
    with on_terminal(tmp_path, "resume", "one", "--human", "Ada") as terminal:
        terminal.wait_for("has the floor")
        terminal.type("Here again.\r")
        terminal.wait_for("Here again.")
        terminal.type("/next\r")
        terminal.wait_for("you have the floor")
        terminal.type("\r")
        terminal.wait_for("your vote?")
        terminal.type("\r")
        terminal.wait_for("read as: You leave your ballot empty")  # whoever pressed Enter a moment too late
        terminal.type("\r")
        assert terminal.end() == 0, terminal.shown
    assert said(tmp_path) == ["My opening.", "Here again."]
    assert session(tmp_path)["reason"] == "person"


def test_what_is_typed_is_edited_as_in_a_shell(tmp_path: Path) -> None:
    """An earlier line comes back, a name is completed, several lines make one message, and wide signs stay whole."""
    with on_terminal(tmp_path, *LONG, script=PLAIN) as terminal:
        terminal.wait_for("your opening")
        terminal.type("/tabel\r")
        terminal.wait_for("Did you mean /table?")
        terminal.type("\x1b[A\x7f\x7fle\x15@ma\t")  # the line before without its last letters, all taken back, a name
        terminal.wait_for("@Maya")
        terminal.type(", 漢字の\x1b\rzweite Zeile")
        terminal.wait_for("zweite Zeile")
        terminal.type("\x1a!\r")  # Ctrl-Z: a program that nothing can wake goes on
        terminal.wait_for("discussion")
        terminal.type("\x03")
        assert terminal.end() == 130
    assert said(tmp_path) == ["@Maya, 漢字の\nzweite Zeile!"]


@pytest.mark.long
def test_a_terminal_that_is_closed_keeps_what_was_typed(tmp_path: Path) -> None:
    """A lost connection must not take the sentence with it that was sent a moment before."""
    with on_terminal(tmp_path, *LONG) as terminal:
        terminal.wait_for("your opening")
        terminal.type("My opening.\r")
        terminal.wait_for("has the floor")
        terminal.type("One more thing.\rhalf a")
        terminal.wait_for("> half a")
        assert terminal.hang_up() in (1, 130), "1 where its last words had no terminal any more"
    assert session(tmp_path)["state"] == "paused"
    assert said(tmp_path) == ["My opening.", "One more thing."]


@pytest.mark.long
def test_ctrl_d_leaves_the_table_and_the_debate_goes_on(tmp_path: Path) -> None:
    """Who has to go must not take the others with them."""
    with on_terminal(tmp_path, *ARGS, script=PLAIN) as terminal:
        terminal.wait_for("your opening")
        terminal.type("\x04")
        terminal.wait_for("Ada has left the table")
        assert terminal.end() == 0
        assert "your vote?" not in terminal.shown
    shown = session(tmp_path)
    assert shown["state"] == "ended"
    assert [member["muted"] for member in shown["members"] if member["person"]] == [True]
    assert "Ada" not in [each["agent"] for each in shown["ballots"]]


@pytest.mark.long
def test_commands_print_above_what_is_typed(tmp_path: Path) -> None:
    """Help that garbles the screen is no help."""
    with on_terminal(tmp_path, *LONG) as terminal:
        terminal.wait_for("your opening")
        terminal.type("[PROPOSE] Hire first\r")
        terminal.wait_for("has the floor")
        terminal.type("/pause\r")
        terminal.wait_for("paused; /resume goes on")
        terminal.type("/help\r")
        terminal.wait_for("stop the debate; `eda resume` continues it")
        terminal.type("/table\r")
        terminal.wait_for('Ada: "Hire first"')
        terminal.type("/tabel\r/note Mind the auditors\r")
        terminal.wait_for("Did you mean /table?")
        terminal.wait_for("Ada: Mind the auditors")
        terminal.type("/quit\r")
        assert terminal.end() == 130
        drawn = re.split(r"[\r\n]+", terminal.shown)
        free = ("note: ", "stopped after", ">")  # the editor goes to the row below its line without a line end
        assert [line for line in drawn if len(line) > 80 and not line.startswith(free)] == []
    assert "Hire first" in [each["content"] for each in session(tmp_path)["proposals"]]


def write(process: subprocess.Popen[bytes], text: str) -> None:
    assert process.stdin is not None
    process.stdin.write(text.encode())
    process.stdin.flush()


def test_a_debate_over_a_pipe(tmp_path: Path) -> None:
    """A program, or a test, takes part as a person does: a line is a message or a command."""
    with program(*LONG, script=SLOW, cwd=tmp_path, stderr=subprocess.STDOUT) as process:
        wait_for(process, "to you: your opening")
        write(process, "My ")
        write(process, "opening.\n")
        wait_for(process, "floor: ")
        write(process, "@Maya why?\n//not a command\n/nxt\n")
        wait_for(process, "Ada to Maya: @Maya why?")
        wait_for(process, "Did you mean /next")
        write(process, "/next\n")
        wait_for(process, "to you: you have the floor")
        write(process, "\n")
        wait_for(process, "to you: your vote?")
        write(process, "/vote A\n")
        output = process.communicate(timeout=PATIENCE)[0].decode()
    assert process.returncode == 0, output
    (ballot,) = (each for each in session(tmp_path)["ballots"] if each["agent"] == "Ada")
    assert (ballot["choice"], ballot["ranking"], ballot["invalid"]) == ("Wait a quarter", ["Wait a quarter"], False)
    assert "Traceback" not in output
    assert said(tmp_path) == ["My opening.", "@Maya why?", "/not a command"]


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A folder with a debate that Ada left at once, having no input, and what was printed."""
    folder = tmp_path_factory.mktemp("left")
    done = ran(*ARGS, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


def test_no_input_at_all_leaves_at_once(left: tuple[Path, bytes]) -> None:
    """Started by a timer, a debate with a seat for a person must not wait for ever."""
    assert said(left[0]) == []
    assert b"Ada has left the table" in left[1]


@pytest.mark.long
def test_at_the_end_of_a_file_a_person_leaves(tmp_path: Path) -> None:
    """A debate must not wait for a line that will never come."""
    words = tmp_path / "words.txt"
    words.write_text("One word.\n")
    with words.open() as file:
        done = ran(*ARGS, cwd=tmp_path, stdin=file)
    assert done.returncode == 0, done.stderr
    assert said(tmp_path) == ["One word."]
    assert b"Ada has left the table" in done.stdout


@pytest.mark.long
def test_a_resume_without_the_person_says_so(tmp_path: Path) -> None:
    """An empty seat is no secret, and how to take it is no riddle."""
    with program(*LONG, script=SLOW, cwd=tmp_path, stderr=subprocess.STDOUT) as process:
        wait_for(process, "to you: your opening")
        write(process, "My opening.\n")
        wait_for(process, "floor: ")
        process.send_signal(signal.SIGINT)
        process.wait(timeout=PATIENCE)  # with its input open: at the end of the input Ada would leave
    again = ("resume", "one", "--max-messages", "14", "--sessions", str(tmp_path / "sessions"))
    done = CliRunner().invoke(cli, again, prog_name="eda")
    assert done.exit_code == 0, done.output
    assert "note: Ada's seat stays empty; to take it again: --human Ada" in done.output
    assert "table: Ada has left the table" in done.output


def test_a_person_is_not_asked_aside(left: tuple[Path, bytes]) -> None:
    """`unknown member 'Ada'. Did you mean Maya?` of who sits there, Ada herself."""
    done = CliRunner().invoke(cli, ["ask", "one", "Ada", "Why?", "--sessions", str(left[0] / "sessions")])
    assert done.exit_code == 2
    assert "Ada is a person: no model answers for them" in done.stderr


@pytest.mark.parametrize("others", [["--json"], ["--quiet"], ["--dry-run"]])
def test_options_that_exclude_a_person_say_so(others: list[str]) -> None:
    """A debate that shows nothing has nobody at it."""
    done = CliRunner().invoke(cli, ["debate", QUESTION, "--human", "Ada", *others], prog_name="eda")
    assert done.exit_code == 2
    assert "--human" in done.output
    done = CliRunner().invoke(cli, ["debate", QUESTION, "--human-time", "5"], prog_name="eda")
    assert (done.exit_code, "--human NAME" in done.output) == (2, True)
