"""The program as a process: in a pipe, on a terminal, with Ctrl-C, with a closed output, on a full disk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from in_turn import each_other
from started import OPTIONS, PATIENCE, PLAIN, QUESTION, SLOW, on_terminal, program, ran, wait_for

from eda.cli import cli
from eda.text import plain_text

Eda = Callable[..., Result]

FULL_DISK = """
import resource, sys
sys.dont_write_bytecode = True  # else it leaves half of one, which fails every later import
resource.setrlimit(resource.RLIMIT_FSIZE, ({0}, {0}))
from eda.cli import main; main()
"""


@pytest.fixture
def eda(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Eda:
    monkeypatch.chdir(tmp_path)
    return lambda *args: CliRunner().invoke(cli, args, prog_name="eda", catch_exceptions=False)


def test_a_full_disk_is_said_and_what_was_stored_stays(eda: Eda, tmp_path: Path) -> None:
    """Two hours of debate must not end in a stack trace, nor in a log that no longer opens."""
    script = FULL_DISK.format(40_000)
    args = ("debate", QUESTION, "--session", "one", "--max-messages", "30")
    done = ran(*args, script=script, cwd=tmp_path)
    errors = done.stderr
    assert done.returncode == 1
    assert b"events.jsonl" in errors
    assert b"eda resume one" in errors
    assert b"Traceback" not in errors
    stored = json.loads(eda("show", "one", "--json").stdout)["messages"]
    assert 5 <= stored < 30
    eda("resume", "one", "--quiet")
    assert json.loads(eda("show", "one", "--json").stdout)["messages"] > stored


@pytest.mark.long
def test_a_disk_that_is_full_from_the_start_leaves_nothing(eda: Eda, tmp_path: Path) -> None:
    """Half a session would be left, which can neither be resumed nor made again."""
    script = FULL_DISK.format(0)
    args = ("debate", QUESTION, "--session", "one", "--record")
    done = ran(*args, script=script, cwd=tmp_path)
    errors = done.stderr
    assert done.returncode == 1
    assert b"error: sessions/one/events.jsonl: cannot be written" in errors
    assert b"begin again" in errors
    assert b"eda resume" not in errors
    assert b"Traceback" not in errors
    assert not (tmp_path / "sessions" / "one").exists()
    assert eda(*args, "--quiet").exit_code == 0


@pytest.mark.parametrize("args", [("--session", "one"), ("--json",)])
def test_a_closed_output_is_said(tmp_path: Path, args: tuple[str, ...]) -> None:
    """`>&-` in a cron line gave a stack trace, and a debate that was paid for and shown to nobody."""
    done = ran("debate", QUESTION, *args, cwd=tmp_path, stdout=None, preexec_fn=lambda: os.close(1))
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: the output is closed")
    assert b"Traceback" not in done.stderr
    assert not (tmp_path / "sessions").exists()


INTERRUPTED = """
import os, signal, sys
wanted = sys.argv.pop(1)
def watch(event, args):
    if event == "import" and args[0] == wanted:
        os.kill(os.getpid(), signal.SIGINT)
from eda.cli import main
sys.addaudithook(watch)
main()
"""
"""The program, stopped when it imports the module named first."""


@pytest.mark.parametrize("module", each_other(["click", "eda.cli.start", "pydantic", "filelock"], 1))
def test_ctrl_c_while_it_starts(tmp_path: Path, module: str) -> None:
    """Who mistypes and stops it at once should see their prompt again, not thirty lines of Python."""
    args = (module, "debate", QUESTION, "--session", "one")
    done = ran(*args, script=INTERRUPTED, cwd=tmp_path, fresh=True)
    assert done.returncode == 130, done.stderr
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""
    assert not (tmp_path / "sessions" / "one").exists()


def test_help_imports_nothing_heavy() -> None:
    """`eda --help` that takes a second is a program that nobody explores."""
    heavy = ("pydantic", "rich", "yaml", "orjson", "anthropic", "eda.debate", "asyncio")
    script = (
        "import sys\nfrom eda.cli import cli\n"
        "cli(['--help'], prog_name='eda', standalone_mode=False)\n"
        f"print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    for name in ("debate", "resume", "sessions", "show", "import", "list"):
        assert name in done.stdout


def test_no_command_imports_the_sdk_before_a_live_call(tmp_path: Path) -> None:
    """The SDK takes a second to import; who runs offline, shows or analyses must not wait for it."""
    (tmp_path / "talk.jsonl").write_text(
        json.dumps({"speaker": "Maya", "text": "I propose that we use Postgres."}) + "\n"
    )
    script = (
        "import sys\nfrom eda.cli import cli\n"
        "for args in (['debate', 'Q?', '--session', 'one', '-q', '--max-messages', '4'], ['show', 'one'],\n"
        "             ['sessions'], ['list', 'panels'], ['show', 'one', '--table'],\n"
        "             ['resume', 'one', '--max-messages', '6', '-q'],\n"
        "             ['import', 'talk.jsonl', '--minutes']):\n"
        "    try:\n        cli(args, prog_name='eda')\n"
        "    except SystemExit as end:\n        assert not end.code, args\n"
        "print('anthropic' in sys.modules, file=sys.stderr)"
    )
    done = ran(script=script, cwd=tmp_path)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, b"False"), done.stderr.decode()


def test_python_m_eda_is_the_same_program() -> None:
    """Where the script is not on the path, this is how it is started."""
    done = subprocess.run([sys.executable, "-m", "eda", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("eda 0.")


@pytest.mark.parametrize(
    "how",
    [
        signal.SIGINT,
        pytest.param(signal.SIGTERM, marks=pytest.mark.long),
        pytest.param(signal.SIGHUP, marks=pytest.mark.long),
    ],
)
def test_stopping_saves_and_says_how_to_go_on(tmp_path: Path, eda: Eda, how: signal.Signals) -> None:
    """Ctrl-C in the middle of a paid debate must lose nothing that was said."""
    args = ("debate", QUESTION, "--session", "one", "--max-messages", "12")
    with program(*args, script=SLOW, cwd=tmp_path) as process:
        wait_for(process, "m6 ")
        process.send_signal(how)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"go on with: eda resume one" in errors
    assert b"Traceback" not in errors
    stopped = json.loads(eda("show", "one", "--json").stdout)
    assert stopped["state"] == "paused"
    assert stopped["messages"] >= 5
    eda("resume", "one", "--quiet")
    ended = json.loads(eda("show", "one", "--json").stdout)
    assert ended["state"] == "ended"
    assert [m["text"] for m in ended["transcript"]][: stopped["messages"]] == [m["text"] for m in stopped["transcript"]]


@pytest.mark.long
def test_round_robin_stops_too(tmp_path: Path, eda: Eda) -> None:
    """Where nobody bids and the runner answers at once, Ctrl-C was heard only when all 5,000 messages were written."""
    args = ("debate", QUESTION, "--session", "one", "--floor", "round-robin", "--max-messages", "5000")
    args += ("--runner", "simulated")
    with program(*args, cwd=tmp_path) as process:
        wait_for(process, "m9 ")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"go on with: eda resume one" in errors
    assert b"Traceback" not in errors
    stopped = json.loads(eda("show", "one", "--json").stdout)["messages"]
    assert 9 <= stopped < 2000
    more = str(stopped + 6)
    assert eda("resume", "one", "--quiet", "--max-messages", more).exit_code == 0
    assert json.loads(eda("show", "one", "--json").stdout)["state"] == "ended"


def test_a_closed_pipe_stops_the_debate(tmp_path: Path, eda: Eda) -> None:
    """`eda debate ... | head` would otherwise go on spending money where nobody reads."""
    args = ("debate", QUESTION, "--session", "one", "--max-messages", "20")
    with program(*args, script=SLOW, cwd=tmp_path) as process:
        wait_for(process, "m1 ")
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"eda resume one" in errors
    assert b"Traceback" not in errors
    assert json.loads(eda("show", "one", "--json").stdout)["messages"] < 20


@pytest.fixture(scope="module")
def debated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one session, which tests only read."""
    folder = tmp_path_factory.mktemp("debated")
    args = ("debate", QUESTION, "--max-messages", "12", "--session", "one", "--quiet")
    CliRunner().invoke(cli, (*args, "--sessions", str(folder / "sessions")), catch_exceptions=False)
    return folder


@pytest.mark.parametrize("command", [("show", "one"), ("list", "personas")])
def test_head_ends_a_listing_quietly(debated: Path, command: tuple[str, ...]) -> None:
    """`| head -1` is how people look at long output; a stack trace below it looks like a crash."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        assert ran(*command, cwd=debated, stdout=closed).stderr == b""


def test_the_live_view_on_a_real_terminal(tmp_path: Path) -> None:
    """What most people see: colours, who has the floor, the verdict, and their cursor back at the end."""
    args = ("debate", QUESTION, *OPTIONS, "--session", "one", "--max-messages", "11")
    with on_terminal(tmp_path, *args, width=60) as terminal:
        assert terminal.end() == 0, terminal.raw
    seen, shown = terminal.raw, terminal.shown
    assert "\x1b[1;38;5;32m" in seen
    assert seen.rfind("\x1b[?25h") > seen.rfind("\x1b[?25l")
    for part in ("opening", "has the floor", "Verdict", "0 of 11 messages left", "took: 11 messages", "eda show one"):
        assert part in shown, part
    assert "MarkupError" not in shown
    assert "Traceback" not in shown


def test_no_color_is_obeyed(tmp_path: Path) -> None:
    """NO_COLOR is set by people who cannot read the colours."""
    args = ("debate", QUESTION, "--session", "one", "--max-messages", "10")
    with on_terminal(tmp_path, *args, width=90, script=PLAIN, NO_COLOR="1") as terminal:
        assert terminal.end() == 0, terminal.raw
    assert "38;5;" not in terminal.raw
    assert "Verdict" in terminal.raw


def test_ctrl_c_on_a_terminal_gives_the_cursor_back(tmp_path: Path) -> None:
    """A shell without a cursor is what people remember of a program."""
    args = ("debate", QUESTION, "--session", "one", "--max-messages", "20")
    with on_terminal(tmp_path, *args, width=90) as terminal:
        terminal.wait_for("has the floor")
        terminal.type("\x03")
        assert terminal.end() == 130
    seen = terminal.raw
    assert "go on with: eda resume one" in seen
    assert "Traceback" not in seen
    assert seen.rfind("\x1b[?25h") > seen.rfind("\x1b[?25l")


@pytest.mark.long
def test_an_unknown_price_is_said_below_the_live_view(tmp_path: Path, eda: Eda) -> None:
    """With `--budget 1` and a new model the debate would go on past one dollar, and the screen would show $0.00."""
    eda("debate", QUESTION, "--session", "one", "--record", "--quiet", "--max-messages", "10")
    calls = tmp_path / "sessions" / "one" / "calls.jsonl"
    calls.write_text(calls.read_text().replace('"cost": 0.0', '"cost": null'))
    args = ("debate", QUESTION, "--runner", f"recorded:{calls}", "--max-messages", "10", "--budget", "1")
    with on_terminal(tmp_path, *args, width=140) as terminal:
        assert terminal.end() == 0, terminal.raw
    for part in ("opening", "Verdict", "0 of 10 messages left", "eda show"):
        assert part in terminal.shown, part
    assert terminal.raw.count("is unknown: --budget cannot be kept") == 1
    assert "Traceback" not in terminal.raw


def test_what_can_be_printed_stands_on_a_screen_as_it_is() -> None:
    """Such a text is not looked through for what could take over a terminal, so none of its letters may be of that."""
    letters = "".join(filter(str.isprintable, map(chr, range(sys.maxunicode + 1))))
    steering = "\x1b[2J\x9b\r\x85\u2028\u202e\u200b\ufeff\U000e0041\ud800\t"
    assert plain_text(letters) == plain_text(f"{letters}\x00") == letters
    assert not any(map(str.isprintable, steering.replace("[2J", "")))
