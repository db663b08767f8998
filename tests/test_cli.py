"""The program as people use it: in a pipe, on a terminal, with Ctrl-C, and with all that can be typed wrongly."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from eda.cli import cli
from eda.session import Session

Eda = Callable[..., Result]
QUESTION = "Should we move the billing service out of the monolith this quarter?"
OPTIONS = ("--option", "Move it", "--option", "Wait a quarter")

SLOW = """
import asyncio
from eda.runners.simulated import SimulatedRunner

plain = SimulatedRunner.run

async def slow(self, prompt, on_text=None):
    await asyncio.sleep(0.15)
    return await plain(self, prompt, on_text)

SimulatedRunner.run = slow
from eda.cli import main
main()
"""
"""The program, with a simulated runner that takes its time."""


@pytest.fixture
def eda(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Eda:
    monkeypatch.chdir(tmp_path)

    def run(*args: str, code: int = 0) -> Result:
        result = CliRunner().invoke(cli, args, prog_name="eda")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == code, result.output
        assert "Traceback" not in result.output
        return result

    return run


def debated(eda: Eda, name: str = "one", *more: str) -> Result:
    return eda("debate", QUESTION, *OPTIONS, "--max-messages", "12", "--session", name, *more)


def program(*args: str, script: str = "from eda.cli import main; main()", **kept: object) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "TERM": "xterm-256color", "COLORTERM": ""}
    environment.pop("NO_COLOR", None)
    environment.update(kept.pop("env", {}))
    return subprocess.Popen([sys.executable, "-c", script, *args], env=environment, **kept)


def test_a_debate_ends_in_a_saved_verdict(eda: Eda) -> None:
    """The first thing anybody tries: a question, no key, a verdict."""
    done = debated(eda)
    assert "no language model" in done.stderr
    assert done.stderr.count("\n") == 1
    for part in (
        f"question: {QUESTION}",
        "phase: opening",
        "m1 ",
        "phase: ballot",
        "vote: ",
        "verdict: ",
        "saved: one",
    ):
        assert part in done.stdout
    assert "read it: eda show one\n" in done.stdout
    assert Path("sessions/one/events.jsonl").is_file()
    assert "\x1b" not in done.output


def test_a_session_names_itself_after_the_question(eda: Eda) -> None:
    """Two debates on one question must not overwrite each other."""
    first = eda("debate", "Is it so?", "--quiet").stdout
    second = eda("debate", "Is it so?", "--quiet").stdout
    assert "session: is-it-so\n" in first
    assert "session: is-it-so-2\n" in second


def test_quiet_is_the_verdict_and_the_name(eda: Eda) -> None:
    """A script that mails the outcome wants nothing else."""
    lines = debated(eda, "one", "--quiet").stdout.splitlines()
    assert lines[0].startswith("verdict: ")
    assert lines[-1] == "session: one"
    assert not [line for line in lines if re.match(r"m\d|phase|floor|bids", line)]


def test_json_is_one_object_and_nothing_else(eda: Eda) -> None:
    """`eda debate --json | jq` must work."""
    done = debated(eda, "one", "--json")
    data = json.loads(done.stdout)
    assert data["session"] == "one"
    assert data["state"] == "ended"
    assert data["messages"] == 12
    assert set(data["verdict"]["tally"]) == {"Move it", "Wait a quarter"}
    assert data["failures"] == []
    shown = json.loads(eda("show", "one", "--json").stdout)
    assert len(shown["transcript"]) == 12
    assert shown["verdict"] == data["verdict"]


def test_everything_that_can_be_set_is_stored(eda: Eda, tmp_path: Path) -> None:
    """A setting that is read and then forgotten makes another debate than the one that was asked for."""
    (tmp_path / "plan.md").write_text("The plan costs 3 sprints.\n")
    limits = ("--max-messages", "10", "--floor", "random", "--summary-every", "4", "--budget", "5")
    limits += ("--budget-tokens", "900000", "--budget-time", "600", "--seed", "11", "--context", "plan.md")
    eda("debate", QUESTION, "--persona", "sceptic", "--persona", "historian", "--session", "one", "--quiet", *limits)
    data = json.loads(eda("show", "one", "--json").stdout)
    assert (
        data["settings"]
        | {
            "max_messages": 10,
            "floor": "random",
            "summary_every": 4,
            "max_cost": 5.0,
            "max_tokens": 900_000,
            "max_seconds": 600.0,
        }
        == data["settings"]
    )
    assert data["seed"] == 11
    assert data["documents"] == ["plan.md"]
    assert [member["name"] for member in data["members"]] == ["sceptic", "historian"]
    assert data["messages"] <= 10


def test_a_panel_brings_its_defaults_and_flags_win(eda: Eda) -> None:
    """A panel that was tuned for round robin must not silently run on bids."""
    eda("debate", QUESTION, "--panel", "red-team", "--session", "one", "--quiet")
    eda("debate", QUESTION, "--panel", "red-team", "--session", "two", "--quiet", "--max-messages", "11")
    one, two = (json.loads(eda("show", name, "--json").stdout)["settings"] for name in ("one", "two"))
    assert (one["floor"], one["max_messages"]) == ("round-robin", 25)
    assert (two["floor"], two["max_messages"]) == ("round-robin", 11)


def test_repeat_is_a_row_a_seed(eda: Eda) -> None:
    """Whoever asks how stable a verdict is needs the seeds side by side, and every session kept."""
    runs = json.loads(debated(eda, "r", "--repeat", "3", "--seed", "5", "--json").stdout)["runs"]
    assert [run["seed"] for run in runs] == [5, 6, 7]
    assert [run["session"] for run in runs] == ["r-s5", "r-s6", "r-s7"]
    assert all(run["messages"] == 12 and isinstance(run["changed_minds"], list) for run in runs)
    rows = debated(eda, "t", "--repeat", "2").stdout.splitlines()
    assert [row.split("\t")[-1] for row in rows[:2]] == ["t-s0", "t-s1"]
    assert rows[2].startswith(("1 of 2: ", "2 of 2: "))
    assert len(eda("sessions").stdout.splitlines()) == 5
    for ending in ("", "-2"):
        runs = json.loads(eda("debate", "Is it so?", "--repeat", "2", "--json").stdout)["runs"]
        assert [run["session"] for run in runs] == [f"is-it-so{ending}-s0", f"is-it-so{ending}-s1"]


def test_one_seed_one_debate(eda: Eda) -> None:
    """A finding that nobody can run again is an anecdote."""
    keys = ("transcript", "verdict", "decisions", "proposals")
    shown = []
    for name in ("one", "two"):
        debated(eda, name, "--seed", "3", "--quiet")
        data = json.loads(eda("show", name, "--json").stdout)
        shown.append([[{**m, "at": None} for m in data["transcript"]], *(data[key] for key in keys[1:])])
    assert shown[0] == shown[1]


def test_a_recorded_debate_can_be_replayed_and_resumed(eda: Eda) -> None:
    """Calls that were paid for once are not paid for again; and recording must not cost the resume."""
    first = debated(eda, "one", "--record", "--quiet").stdout
    second = debated(eda, "two", "--runner", "recorded:sessions/one/calls.jsonl", "--quiet").stdout
    assert first.splitlines()[:-1] == second.splitlines()[:-1]
    eda("resume", "one", "--max-messages", "14", "--quiet")


def test_resume_goes_on_with_the_numbering(eda: Eda) -> None:
    """A session taken up again that starts from m1 has forgotten what it was about."""
    debated(eda)
    ended = eda("resume", "one", code=2)
    assert "max-messages" in ended.stderr
    again = eda("resume", "one", "--max-messages", "15")
    assert "resumed: after m12" in again.stdout
    assert "m13 " in again.stdout
    assert "m1 " not in again.stdout
    shown = json.loads(eda("show", "one", "--json").stdout)
    assert [message["number"] for message in shown["transcript"]] == list(range(1, shown["messages"] + 1))
    assert shown["round"] == 2


def test_sessions_and_show_and_context(eda: Eda) -> None:
    """What was saved last week must be found, read and understood."""
    assert "no sessions" in eda("sessions").stdout
    debated(eda, "one", "--quiet")
    row = eda("sessions").stdout.split("\t")
    assert row[0] == "one"
    assert row[3:5] == ["12", "ended"]
    listed = json.loads(eda("sessions", "--json").stdout)["sessions"]
    assert listed[0]["question"] == QUESTION
    shown = eda("show", "one").stdout
    for heading in (QUESTION, "Transcript", "Positions", "Verdict", "m12"):
        assert heading in shown
    members = json.loads(eda("show", "one", "--json").stdout)["members"]
    prompt = eda("context", "one", "--agent", members[0]["title"]).stdout
    assert QUESTION in prompt
    assert eda("context", "one", "--agent", members[0]["title"], "--brief").stdout != prompt
    assert eda("context", "one").stdout.strip()
    assert len(eda("context", "one", "--brief").stdout) < len(eda("context", "one").stdout)


def test_an_unreadable_session_does_not_hide_the_rest(eda: Eda) -> None:
    """One damaged log must not cost the list of all others; and nothing of it is changed by looking."""
    debated(eda, "good", "--quiet")
    debated(eda, "bad", "--quiet")
    log = Path("sessions/bad/events.jsonl")
    lines = log.read_bytes().splitlines(keepends=True)
    damaged = b"".join([*lines[:4], lines[4].replace(b'"seq"', b'"sqe"'), *lines[5:]])
    log.write_bytes(damaged)
    listed = eda("sessions").stdout
    assert "good" in listed
    assert "unreadable" in listed
    for command in ("show", "resume", "context"):
        assert "line 5" in eda(command, "bad", code=1).stderr
    assert log.read_bytes() == damaged


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["debate", ""], "the question is empty"),
        (["debate", " \t\n"], "the question is empty"),
        (["debate"], "QUESTION"),
        (["debate", "Q?", "--panel", "product-decison"], "Did you mean product-decision"),
        (["debate", "Q?", "--persona", "sceptik", "--persona", "historian"], "Did you mean sceptic"),
        (["debate", "Q?", "--persona", "sceptic"], "two members"),
        (["debate", "Q?", "--persona", "sceptic", "--persona", "sceptic"], "twice"),
        (["debate", "Q?", "--persona", "sceptic", "--panel", "red-team"], "--panel and --persona"),
        (["debate", "Q?", "--runner", "simulatd"], "Did you mean simulated"),
        (["debate", "Q?", "--runner", "recorded:nothing.jsonl"], "nothing.jsonl"),
        (["debate", "Q?", "--runner", "recorded"], "recorded:FILE"),
        (["debate", "Q?", "--session", "../../etc/passwd"], "is no session name"),
        (["debate", "Q?", "--session", ""], "is no session name"),
        (["debate", "Q?", "--context", "nothing.md"], "nothing.md"),
        (["debate", "Q?", "--context", "binary.bin"], "binary"),
        (["debate", "Q?", "--context", "large.txt"], "1 MB"),
        (["debate", "Q?", "--context", "."], "folder"),
        (["debate", "Q?", "--option", "A", "--option", "A"], "twice"),
        (["debate", "Q?", "--max-messages", "0"], "at least 1"),
        (["debate", "Q?", "--max-messages", "many"], "no whole number"),
        (["debate", "Q?", "--max-messages", "99999999999999999999"], "too large"),
        (["debate", "Q?", "--seed", "-1"], "at least 0"),
        (["debate", "Q?", "--budget", "nan"], "over 0"),
        (["debate", "Q?", "--budget-time", "inf"], "over 0"),
        (["debate", "Q?", "--floor", "auction"], "bidding"),
        (["debate", "Q?", "--json", "--quiet"], "--json and --quiet"),
        (["debate", "Q?", "--personas-dir", "nowhere"], "no such folder"),
        (["debate", "Q?", "--colour"], "--colour"),
        (["resume", "nothing-here"], "unknown session"),
        (["resume", "one/two"], "is no session name"),
        (["show", "nothing-here"], "unknown session"),
        (["context", "../x"], "is no session name"),
        (["analyze", "nothing.jsonl"], "nothing.jsonl"),
        (["analyze"], "FILE"),
        (["personas", "sceptik"], "Did you mean sceptic"),
        (["debat"], "Did you mean debate"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_typed_wrongly_is_said_and_nothing_is_made(eda: Eda, args: list[str], says: str) -> None:
    """A typo must cost a line on the screen: not a stack trace, not half a session, not a called model."""
    Path("binary.bin").write_bytes(b"\x00\x01\x02" * 50)
    Path("large.txt").write_bytes(b"word " * 250_000)
    done = eda(*args, code=2)
    assert says in done.stderr
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.strip().splitlines()) <= 2
    assert done.stdout == ""
    assert not Path("sessions").exists()


def test_near_names_of_sessions_and_agents(eda: Eda) -> None:
    """Nobody remembers the whole name that a session gave itself."""
    debated(eda, "billing", "--quiet")
    assert "Did you mean billing" in eda("show", "biling", code=2).stderr
    assert "unknown agent" in eda("context", "billing", "--agent", "Nobody", code=2).stderr
    before = Path("sessions/billing/events.jsonl").read_bytes()
    assert "already" in eda("debate", "Q?", "--session", "billing", code=2).stderr
    assert Path("sessions/billing/events.jsonl").read_bytes() == before


def test_without_a_key_anthropic_says_how_to_get_one(eda: Eda) -> None:
    """The commonest mistake of the first minute; it must not leave an empty session behind."""
    done = eda("debate", "Q?", "--runner", "anthropic", code=1)
    assert "ANTHROPIC_API_KEY" in done.stderr
    assert not Path("sessions").exists() or not list(Path("sessions").glob("*/events.jsonl"))


def test_a_session_that_is_being_written_is_left_alone(eda: Eda) -> None:
    """Two writers would tear the log of both."""
    debated(eda, "one", "--quiet")
    with Session.open("one"):
        assert "another process" in eda("resume", "one", "--max-messages", "20", code=1).stderr
        assert QUESTION in eda("show", "one").stdout


def test_a_full_disk_is_said_and_what_was_stored_stays(eda: Eda, tmp_path: Path) -> None:
    """Two hours of debate must not end in a stack trace, nor in a log that no longer opens."""
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))\nfrom eda.cli import main; main()"
    )
    args = ("debate", QUESTION, "--session", "one", "--max-messages", "30")
    process = program(*args, script=script, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert b"events.jsonl" in errors
    assert b"eda resume one" in errors
    assert b"Traceback" not in errors
    stored = json.loads(eda("show", "one", "--json").stdout)["messages"]
    assert 5 <= stored < 30
    eda("resume", "one", "--quiet")
    assert json.loads(eda("show", "one", "--json").stdout)["messages"] > stored


def test_a_folder_of_claude_code_agents_sits_as_it_is(eda: Eda) -> None:
    """People have folders full of agents; what `model:` does, and does not, is said where it matters."""
    folder = Path("agents")
    folder.mkdir()
    for name, model in (("code-reviewer", "opus"), ("doc-writer", "inherit")):
        text = f"---\nname: {name}\ndescription: Use for {name}.\nmodel: {model}\ntools: Read\n---\nYou are a {name}.\n"
        (folder / f"{name}.md").write_text(text)
    listed = eda("personas", "--personas-dir", "agents")
    assert "code-reviewer" in listed.stdout
    assert "anthropic" in listed.stderr
    shown = eda("personas", "code-reviewer", "--personas-dir", "agents").stdout
    assert "only the runner `anthropic` obeys it" in shown
    names = ("--persona", "code-reviewer", "--persona", "doc-writer", "--personas-dir", "agents")
    said = eda("debate", "Merge it?", *names, "--max-messages", "6", "--quiet").stderr
    assert "Code Reviewer (opus)" in said
    assert "Doc Writer" not in said


def test_a_broken_persona_is_named_and_hides_nobody(eda: Eda) -> None:
    """One bad file in a folder of forty must be found by its line, and the other thirty-nine stay usable."""
    Path("mine").mkdir()
    Path("mine/broken.md").write_text("---\nname: Not A Slug\ndescription: x\n---\nYou.\n")
    done = eda("personas", "--personas-dir", "mine")
    assert "sceptic" in done.stdout
    assert "broken.md, line 2" in done.stderr
    assert "broken.md, line 2" in eda("debate", "Q?", "--personas-dir", "mine", code=2).stderr


def test_personas_and_panels_are_shown(eda: Eda) -> None:
    """Whoever picks a panel must see who they are before paying for their talk."""
    everyone = eda("personas").stdout
    assert "Panels" in everyone
    assert "sceptic" in everyone
    assert "moved by" in eda("personas", "sceptic").stdout
    assert "round-robin" in eda("personas", "red-team").stdout


ROWS = [
    {"id": "a1", "conv": "c1", "speaker": "Maya", "text": "I propose that we use Postgres."},
    {"id": "a2", "conv": "c1", "speaker": "Ben", "text": "I agree with Maya's proposal."},
    {"id": "b1", "conv": "c2", "speaker": "Cleo", "text": "Hello [/bold] \x1b[31mthere."},
]


def test_analyze_prints_an_object_a_conversation(eda: Eda) -> None:
    """A researcher reads the findings with a script, by the ids of their own file."""
    Path("talk.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    reports = [json.loads(line) for line in eda("analyze", "talk.jsonl", "--json").stdout.splitlines()]
    assert [report["conv"] for report in reports] == ["c1", "c2"]
    assert reports[0]["proposals"][0]["message_id"] == "a1"
    assert {"decisions", "proposals", "agents", "summaries", "messages"} <= set(reports[0])
    text = eda("analyze", "talk.jsonl").stdout
    assert text.startswith("c1: 2 messages, 2 speakers")
    assert "proposal" in text


def test_a_bad_row_is_named_and_can_be_skipped(eda: Eda) -> None:
    """In a file of ten thousand rows, "invalid JSON" without a line is no help."""
    rows = [json.dumps(ROWS[0]), "no json", json.dumps({"speaker": "Ben"}), json.dumps(ROWS[1])]
    Path("talk.jsonl").write_text("\n".join(rows))
    refused = eda("analyze", "talk.jsonl", "--json", code=2)
    assert "talk.jsonl, line 2" in refused.stderr
    assert refused.stdout == ""
    went_on = eda("analyze", "talk.jsonl", "--json", "--skip-bad")
    assert json.loads(went_on.stdout)["messages"] == 2
    assert "skipped 2 bad rows" in went_on.stderr


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
    for name in ("debate", "resume", "sessions", "show", "context", "analyze", "personas"):
        assert name in done.stdout


def test_no_command_imports_the_sdk_before_a_live_call(tmp_path: Path) -> None:
    """The SDK takes a second to import; who runs offline, shows or analyses must not wait for it."""
    (tmp_path / "talk.jsonl").write_text(json.dumps(ROWS[0]) + "\n")
    script = (
        "import sys\nfrom eda.cli import cli\n"
        "for args in (['debate', 'Q?', '--session', 'one', '-q'], ['show', 'one'], ['sessions'], ['personas'],\n"
        "             ['context', 'one'], ['resume', 'one', '--max-messages', '40', '-q'],\n"
        "             ['analyze', 'talk.jsonl']):\n"
        "    try:\n        cli(args, prog_name='eda')\n"
        "    except SystemExit as end:\n        assert not end.code, args\n"
        "print('anthropic' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "False"


def test_bare_version_and_help(eda: Eda) -> None:
    """Somebody who types `eda` must see what it can do."""
    assert "Commands" in eda().stdout
    assert eda("--version").stdout.startswith("eda 0.")
    assert "--personas-dir" in eda("debate", "--help").stdout


def test_python_m_eda_is_the_same_program() -> None:
    """Where the script is not on the path, this is how it is started."""
    done = subprocess.run([sys.executable, "-m", "eda", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("eda 0.")


def wait_for(process: subprocess.Popen[bytes], needle: bytes) -> bytes:
    seen = b""
    assert process.stdout is not None
    while needle not in seen:
        line = process.stdout.readline()
        assert line, seen
        seen += line
    return seen


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopping_saves_and_says_how_to_go_on(tmp_path: Path, eda: Eda, how: signal.Signals) -> None:
    """Ctrl-C in the middle of a paid debate must lose nothing that was said."""
    args = ("debate", QUESTION, "--session", "one", "--max-messages", "20")
    process = program(*args, script=SLOW, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(process, b"floor: ")
    process.send_signal(how)
    _, errors = process.communicate(timeout=20)
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


def test_a_closed_pipe_stops_the_debate(tmp_path: Path, eda: Eda) -> None:
    """`eda debate ... | head` would otherwise go on spending money where nobody reads."""
    args = ("debate", QUESTION, "--session", "one", "--max-messages", "20")
    process = program(*args, script=SLOW, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(process, b"m1 ")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=20) == 130
    assert b"eda resume one" in errors
    assert b"Traceback" not in errors
    assert json.loads(eda("show", "one", "--json").stdout)["messages"] < 20


@pytest.mark.parametrize("command", [("show", "one"), ("context", "one"), ("personas",), ("sessions",)])
def test_head_ends_a_listing_quietly(tmp_path: Path, eda: Eda, command: tuple[str, ...]) -> None:
    """`| head -1` is how people look at long output; a stack trace below it looks like a crash."""
    debated(eda, "one", "--quiet")
    reader, writer = os.pipe()
    os.close(reader)
    process = program(*command, cwd=tmp_path, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    _, errors = process.communicate(timeout=20)
    assert errors == b""


def on_terminal(cwd: Path, *args: str, width: int, stop_at: bytes = b"", **env: str) -> tuple[int, str]:
    """The exit code, and all that a terminal of that width was sent."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    env |= {"COLUMNS": str(width), "LINES": "40"}
    process = program(*args, script=SLOW, cwd=cwd, stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    seen, deadline = b"", time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([ours], [], [], 1)[0]:
            continue
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break  # the program has ended
        if not piece:
            break
        seen += piece
        if stop_at and stop_at in seen:
            process.send_signal(signal.SIGINT)
            stop_at = b""
    code = process.wait(timeout=20)
    os.close(ours)
    return code, seen.decode()


@pytest.mark.parametrize("width", [60, 140])
def test_the_live_view_on_a_real_terminal(tmp_path: Path, width: int) -> None:
    """What most people see: colours, who has the floor, the verdict, and their cursor back at the end."""
    args = ("debate", QUESTION, *OPTIONS, "--session", "one", "--max-messages", "11")
    code, seen = on_terminal(tmp_path, *args, width=width)
    assert code == 0, seen
    assert "\x1b[1;38;5;32m" in seen
    assert seen.rfind("\x1b[?25h") > seen.rfind("\x1b[?25l")
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen)
    for part in ("opening", "has the floor", "Verdict", "11/11 messages", "took: 11 messages", "eda show one"):
        assert part in shown, part
    assert "MarkupError" not in shown
    assert "Traceback" not in shown


def test_no_color_is_obeyed(tmp_path: Path) -> None:
    """NO_COLOR is set by people who cannot read the colours."""
    args = ("debate", QUESTION, "--session", "one", "--max-messages", "10")
    _, seen = on_terminal(tmp_path, *args, width=90, NO_COLOR="1")
    assert "38;5;" not in seen
    assert "Verdict" in seen


def test_ctrl_c_on_a_terminal_gives_the_cursor_back(tmp_path: Path) -> None:
    """A shell without a cursor is what people remember of a program."""
    args = ("debate", QUESTION, "--session", "one", "--max-messages", "20")
    code, seen = on_terminal(tmp_path, *args, width=90, stop_at=b"has the floor")
    assert code == 130
    assert "go on with: eda resume one" in seen
    assert "Traceback" not in seen
    assert seen.rfind("\x1b[?25h") > seen.rfind("\x1b[?25l")
