"""A long session is shown from its end, through a pager, or in the part that is asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from started import PLAIN, on_terminal

from eda import MessagePosted, Session
from eda.cli import cli
from eda.debate.replay import publisher, read_back, save_memory
from eda.events import Event, PhaseStarted, SessionStarted
from eda.session import schema

MESSAGES = 230


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    with Session.create("s", folder) as session:
        progress, memory = read_back(session)
        publish = publisher(session, progress, memory)
        publish(SessionStarted(session="s", question="What shall we do?"))
        for number in range(1, MESSAGES + 1):
            about = "the lighthouse" if number in (70, 210) else "the harbour"
            publish(MessagePosted(number=number, who="Ada", text=f"Point {number} is about {about}."))
            if number == 99:
                publish(PhaseStarted(phase="closing"))
        save_memory(session, progress, memory)
    return folder


def shown(sessions: Path, *args: str) -> Result:
    return CliRunner().invoke(cli, ["show", "s", *args, "--sessions", str(sessions)], prog_name="eda")


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"Point (\d+) is", text)]


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ((), range(1, MESSAGES + 1)),
        (("--from", "m228"), range(228, MESSAGES + 1)),
        (("--to", "3"), range(1, 4)),
        (("--from", "m99", "--to", "m101"), range(99, 102)),
    ],
)
def test_the_messages_that_are_asked_for_are_printed(
    sessions: Path, args: tuple[str, ...], expected: Sequence[int]
) -> None:
    """Else whoever looks for one message of a week's talk must read it all."""
    done = shown(sessions, *args)
    assert done.exit_code == 0, done.output
    assert numbers(done.stdout) == [*expected]
    assert ("— closing" in done.stdout) == ({99, 100} <= {*expected})
    transcript = json.loads(shown(sessions, *args, "--json").stdout)["transcript"]
    assert [row["number"] for row in transcript] == [*expected]


@pytest.mark.parametrize("args", [("--from", "m0"), ("--to", "m231"), ("--from", "m9", "--to", "m8")])
def test_a_range_that_is_none_is_refused(sessions: Path, args: tuple[str, ...]) -> None:
    """Nothing printed would look like a session without messages."""
    done = shown(sessions, *args)
    assert done.exit_code == 2
    assert f"Its messages are m1 to m{MESSAGES}." in done.stderr


def test_a_terminal_shows_the_last_messages_through_the_pager(sessions: Path) -> None:
    """A hundred thousand messages take half a minute to scroll by, and nobody reads them so."""
    with on_terminal(sessions, "show", "s", "--sessions", ".", script=PLAIN, PAGER="sed s/Point/Paged/") as terminal:
        assert terminal.end() == 0
        assert "Transcript from m31 (`--from m1`: all)" in terminal.shown
        assert numbers(terminal.shown.replace("Paged", "Point")) == [*range(31, MESSAGES + 1)]
        assert "Point" not in terminal.shown


@pytest.mark.parametrize("pager", ["head -n 2", "true", "there-is-no-such-pager"])
def test_who_leaves_the_pager_has_seen_enough(sessions: Path, pager: str) -> None:
    """A stack trace on the screen that the pager gave back."""
    with on_terminal(sessions, "show", "s", "--sessions", ".", script=PLAIN, PAGER=pager) as terminal:
        assert terminal.end() == 0
        assert "Traceback" not in terminal.shown
        assert ("Point 31" in terminal.shown) == pager.startswith("there")


def test_the_log_of_a_decided_session_is_read_once(eda: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    """The page above the transcript and the transcript are made of the same facts."""
    eda("debate", "Tea or coffee?", "--option", "Tea", "--option", "Coffee", "--max-messages", "8", "--session", "s")
    read, decode = list[bytes](), schema.decode

    def counted(line: bytes) -> Event:
        read.append(line)
        return decode(line)

    monkeypatch.setattr(schema, "decode", counted)
    eda("show", "s")
    assert [json.loads(line)["type"] for line in read].count("verdict_reached") == 1
