"""Any moment of a session can be gone back to: looked at, or gone on from in another session."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from eda import Debate, Settings, memory_of
from eda.cli import cli
from eda.errors import UsageError
from eda.events import Event, MessagePosted
from eda.session import Session
from eda.session.fork import fork, upto

EXAMPLE = Path(__file__).parent.parent / "sessions" / "example"


def eda(*args: object, code: int = 0) -> Result:
    done = CliRunner().invoke(cli, [str(arg) for arg in args], catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done


def course(session: Session) -> list[dict[str, object]]:
    """The facts without their places, and without those that a resume adds."""
    beside = ("session_started", "session_resumed", "call_made", "floor_granted")
    return [event.model_dump(exclude={"seq", "at"}) for event in session.events() if event.type not in beside]


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sessions")
    with Session.create("one", folder) as session:
        Debate(
            "Ship it?", "red-team", "simulated", options=("Go", "Wait"), settings=Settings(max_messages=12),
            session=session, seed=3,
        ).run_sync()  # fmt: skip
    return folder


@pytest.mark.parametrize("at", range(1, 13))
def test_an_unchanged_fork_goes_on_as_the_session_did(sessions: Path, at: int) -> None:
    """What differs after a change would be laid to the change, and came from the fork."""
    with Session.read("one", sessions) as session:
        expected = course(session)
        with fork(session, at, f"m{at}", sessions) as forked:
            assert forked.started().parent == f"one at m{at}"
            Debate.resume(forked).run_sync()
            assert course(forked) == expected


def test_the_memory_of_a_message_is_what_it_was_then(sessions: Path) -> None:
    """A table with what was said later would explain an earlier turn wrongly."""
    with Session.read("one", sessions) as session:
        past: list[Event] = []
        for event in session.events():
            past.append(event)
            if isinstance(event, MessagePosted):
                memory = memory_of(session, at=event.number)
                assert memory.seq == event.seq
                assert list(upto(session, event.number).events()) == past
        assert memory_of(session, at=12).message_count == 12


def test_a_message_that_there_is_not_is_answered_with_the_range(sessions: Path) -> None:
    """`--at m99` would make a copy of the whole and call it m99."""
    with Session.read("one", sessions) as session:
        for at in (0, 13, -1):
            with pytest.raises(UsageError, match=f"no message m{at}") as caught:
                memory_of(session, at=at)
            assert caught.value.hint == "Its messages are m1 to m12."


def test_a_session_is_forked_and_changed_by_hand(sessions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What would the panel have said with another sceptic? Nobody could ask."""
    monkeypatch.setenv("EDA_SESSIONS", str(sessions))
    assert eda("fork", "one", "--at", "m4").stdout.startswith("one-at-m4 comes from one at m4; ")
    assert json.loads(eda("fork", "one", "--at", "4", "--json").stdout)["session"] == "one-at-m4-2"
    eda("steer", "one-at-m4", "--set", "max_messages=6")
    eda("resume", "one-at-m4", "--quiet")
    rows = {row["session"]: row for row in json.loads(eda("sessions", "--json").stdout)["sessions"]}
    assert (rows["one-at-m4"]["from"], rows["one-at-m4"]["messages"]) == ("one at m4", 6)
    assert "exists already" in eda("fork", "one", "--session", "one-at-m4", code=2).stderr
    assert "write it as m12" in eda("fork", "one", "--at", "four", code=2).stderr
    shown = json.loads(eda("show", "one", "--at", "m4", "--json").stdout)
    assert [message["number"] for message in shown["transcript"]] == [1, 2, 3, 4]
    assert eda("fork", "one", "--session", "copy").exit_code == 0
    with Session.read("one") as session, Session.read("copy") as copy:
        assert course(copy) == course(session)


def test_the_example_is_forked_in_a_moment(tmp_path: Path) -> None:
    """Whoever waits for a fork makes none."""
    with Session.read(EXAMPLE) as session:
        for at in range(1, 21):
            began = time.process_time()
            fork(session, at, f"m{at}", tmp_path).close()
            assert time.process_time() - began < 1
