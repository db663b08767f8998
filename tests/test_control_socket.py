"""A session that runs in one terminal is changed from another: between two turns, each change a fact in its log."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from started import OPTIONS, QUESTION, SLOW, program, wait_for
from test_resume import new_debate

from eda import Debate, Session
from eda.cli import cli
from eda.debate.control.changes import Change, Changed, Seat
from eda.debate.control.queue import Told
from eda.debate.control.socket import changed_session, control_socket
from eda.errors import SessionError, UsageError
from eda.events import MemberChanged, MessagePosted, SettingChanged
from eda.session.names import SOCKET_FILE

DEBATE = ("debate", QUESTION, *OPTIONS, "--session", "s", "--sessions")


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="asyncio has no Unix sockets there")


@pytest.fixture(autouse=True)
def in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def eda(command: str, *args: str) -> Result:
    return CliRunner().invoke(cli, [command, "s", *args, "--sessions", "."], prog_name="eda")


def state() -> str:
    """Of the one session, as the list of sessions has it; the minutes say the same."""
    listed = CliRunner().invoke(cli, ["sessions", "--sessions", ".", "--json"])
    (row,) = json.loads(listed.stdout)["sessions"]
    shown = eda("show")
    assert f" s · {row['state']}" in f" {shown.stdout}".replace("\n", " ")
    assert ("not finished; go on with: eda resume" in shown.stderr) == (row["state"] == "unfinished")
    return str(row["state"])


def no_wait(_: str) -> None:
    """Nobody is told that a turn must end first."""


def test_a_session_in_another_terminal_is_changed_while_it_runs() -> None:
    """Else whoever watches a debate go astray must stop it to mute one agent."""
    with program(*DEBATE, ".", script=SLOW) as process:
        wait_for(process, "m6 ")
        steered = eda("steer", "--mute", "maya", "--set", "max_messages=20", "--as", "Ada", "--json")
        assert steered.exit_code == 0, steered.output
        assert state() == "running"
        noted = eda("edit", "--note", "Mind the auditors.", "--as", "Ada")
        assert noted.output.endswith("kept, importance 500; list them: eda show s --sessions . --notes\n")
        for wrong in (("steer", "--mute", "maya"), ("steer", "--mute", "Nobody"), ("edit", "p99.0", "--strike")):
            refused = eda(*wrong)
            assert refused.exit_code == 2
            assert refused.stderr.count("error: ") == 1
        assert process.stdout is not None
        shown = process.stdout.read().decode()
        assert process.wait() == 0
    assert "table: Maya is muted (by Ada)\nsetting: max_messages: 30, now 20\n" in shown
    with Session.read("s", Path()) as session:
        events = list(session.events())
    (change,) = [event for event in events if isinstance(event, MemberChanged)]
    (setting,) = [event for event in events if isinstance(event, SettingChanged)]
    assert [fact["seq"] for fact in json.loads(steered.stdout)["facts"]] == [change.seq, setting.seq]
    said = [event.who for event in events if isinstance(event, MessagePosted) and event.seq > change.seq]
    assert len(said) > 2
    assert "Maya" not in said
    assert not Path("s", SOCKET_FILE).exists()


@pytest.mark.long
def test_the_socket_of_a_killed_program_blocks_nobody() -> None:
    """The socket is left behind, and nobody opens: the session is a saved one like any other, and does not run."""
    with program(*DEBATE, ".", script=SLOW) as process:
        wait_for(process, "m6 ")
        assert Path("s", SOCKET_FILE).is_socket()
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert state() == "unfinished"
    assert "eda resume s" in eda("steer", "--mute", "maya").output
    assert eda("resume", "--quiet").exit_code == 0
    assert state() == "ended"
    assert not Path("s", SOCKET_FILE).exists()


def test_a_session_without_a_socket_is_waited_for_and_then_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """So it is where the system has no such sockets, and where another program takes a note."""
    monkeypatch.setattr("eda.debate.control.socket._LOCK_SECONDS", 0.01)
    with Session.create("s", Path()) as session:
        new_debate(session).run_sync()
        refused = eda("steer", "--mute", "maya")
    assert refused.exit_code == 1
    assert "another process is writing the session 's'" in refused.output


@pytest.mark.long
def test_a_path_longer_than_that_of_a_socket_is_no_obstacle(tmp_path: Path) -> None:
    """A path of a hundred letters, or fewer in scripts of three bytes each, and nobody could change the session."""
    sessions = tmp_path / ("会" * 50)
    with program(*DEBATE, str(sessions), script=SLOW) as process:
        wait_for(process, "m6 ")
        assert (sessions / "s" / SOCKET_FILE).is_socket()
        facts, ran = changed_session("s", sessions, [Changed({"max_messages": 20})], no_wait)
        assert ran
        assert isinstance(facts[0], SettingChanged)
        assert process.stdout is not None
        process.stdout.read()
        assert process.wait() == 0
    assert not (sessions / "s" / SOCKET_FILE).exists()


async def test_what_a_running_session_does_not_know_is_refused() -> None:
    """A program of another version, or one that is none of ours, must not end the debate."""
    with Session.create("s", Path()) as session:
        debate = new_debate(session)
        async with control_socket(debate):
            for request in (b"[]{\n", b'[{"kind": "sung"}]\n', b"\n", b"[" * 2_000_000 + b"\n"):
                reader, writer = await asyncio.open_unix_connection(f"s/{SOCKET_FILE}")
                writer.write(request)
                assert b"does not know that change" in await reader.readline()
                writer.close()
            with pytest.raises(UsageError, match="has not begun"):
                await asyncio.to_thread(changed_session, "s", Path(), [Seat("muted", "maya")], no_wait)
        result = await debate.run()
    assert result.verdict is not None


async def test_who_waits_is_told_that_the_session_stopped_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A change that was never made must not look as if it had been."""
    monkeypatch.setattr("eda.debate.control.socket._CLOSING_SECONDS", 0)
    with Session.create("s", Path()) as session:
        await new_debate(session).run()
        debate = Debate.resume(session, max_messages=40)
        taken = asyncio.Event()
        take = debate.inbox.change

        def change(changes: Sequence[Change], told: Told | None = None) -> None:
            take(changes, told)
            taken.set()

        monkeypatch.setattr(debate.inbox, "change", change)
        async with control_socket(debate):
            asked = asyncio.create_task(
                asyncio.to_thread(changed_session, "s", Path(), [Changed({"max_messages": 20})], no_wait)
            )
            await taken.wait()
        with pytest.raises(SessionError, match="stopped before the change was made"):
            await asked


async def test_who_comes_when_the_run_is_over_is_told_at_once() -> None:
    """A change that nobody would do any more must not keep who asked for it waiting."""
    with Session.create("s", Path()) as session:
        debate = new_debate(session)
        await debate.run()
        async with asyncio.timeout(60), control_socket(debate):
            with pytest.raises(SessionError, match="stopped before the change was made"):
                await asyncio.to_thread(changed_session, "s", Path(), [Changed({"max_messages": 20})], no_wait)
