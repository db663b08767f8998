"""What is shown can be read: lines end between words, choices keep apart, of sides it is said who argues which."""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import re
import struct
import termios
from pathlib import Path

import pytest
from rich.console import Console
from started import PLAIN, on_terminal, ran

from eda.cli.terminal.live import LiveView
from eda.cli.terminal.printers import PlainView, Sitting
from eda.cli.terminal.transcript import print_minutes
from eda.cli.terminal.verdict import ballot_phrase
from eda.debate.state import DebateState
from eda.events import Ballot, BallotCast, Event, FloorGranted, MessagePosted, PhaseStarted, SessionStarted
from eda.memory import ConversationMemory
from eda.panels.agenda import load_agenda
from eda.panels.panel import Library
from eda.panels.persona import Persona
from eda.report.formatting import fitted

ROOT = Path(__file__).parent.parent
MEMBERS = tuple(
    Persona(name=name.lower(), title=name, role=role, description="Sits.", instruction="You sit.")
    for name, role in (("Ada", "pragmatic engineer"), ("Ben", "city resident and citizens' advocate"))
)
OXFORD = SessionStarted(session="one", question="Ship it?", members=MEMBERS, agenda=load_agenda("oxford"))


def screen(events: list[Event], width: int = 60, *, sides: bool = False, verbose: bool = False) -> str:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=width, height=40, highlight=False, color_system=None)
    progress = DebateState()
    progress.fold(OXFORD)
    started = OXFORD if sides else OXFORD.model_copy(update={"agenda": SessionStarted(session="one").agenda})
    with LiveView(console, Sitting(started, verbose=verbose), progress, ConversationMemory()) as view:
        for event in events:
            progress.fold(event)
            view.handle(event)
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r", "", out.getvalue())


def test_a_debate_with_sides_says_who_argues_which() -> None:
    """A member that holds Yes and speaks for No looks like a fault where nobody says that sides were given."""
    shown = screen([PhaseStarted(phase="speeches"), MessagePosted(number=1, who="Ben", text="No.")], sides=True)
    assert "● Ada  pragmatic engineer, argues for" in shown
    assert "m1 Ben  city resident and citizens' advocate, argues" in shown
    lines: list[str] = []
    PlainView(lines.append, Sitting(OXFORD)).handle(PhaseStarted(phase="speeches"))
    assert any("Ada (pragmatic engineer, argues for)" in line for line in lines)


def test_minutes_say_who_argued_which_under_each_name() -> None:
    """On a narrow terminal the second half of who sat would stand at the margin, as if it were another thing."""
    out = io.StringIO()
    started = SessionStarted(session="one", question="Ship it?", members=MEMBERS, agenda=load_agenda("oxford"))
    progress, memory = DebateState(), ConversationMemory()
    progress.fold(started)
    memory.fold(started)
    console = Console(file=out, force_terminal=True, width=40, highlight=False, color_system=None)
    print_minutes(console, started, progress, memory, [started])
    lines = [line.rstrip() for line in out.getvalue().split("\n")]
    assert "sat     Ada, pragmatic engineer, argued" in lines
    assert lines[lines.index("sat     Ada, pragmatic engineer, argued") + 1] == "        for"


def test_a_session_that_is_taken_up_again_knows_its_sides() -> None:
    """After a pause the screen would leave out what it said before it."""
    started = SessionStarted(session="one", question="Ship it?", members=MEMBERS, agenda=load_agenda("oxford"))
    again = Sitting(started, resumed_at=4, seats={"Ada": 0, "Ben": 3})
    assert [again.role(member).split(", ")[-1] for member in MEMBERS] == ["argues for", "argues against"]


def test_a_speakers_line_that_is_too_long_goes_on_under_the_name() -> None:
    """On a narrow terminal "on m1" would stand at the margin, among the numbers."""
    message = MessagePosted(number=2, who="Ben", text="No.", to="Ada", reply_to=1)
    shown = screen([PhaseStarted(phase="rebuttals"), message], verbose=True)
    assert "  m2 Ben  city resident and citizens' advocate · to Ada ·   \n     on m1 " in shown


def test_what_grants_the_floor_each_time_is_said_once() -> None:
    """Twenty times "next in seat order" hides who speaks to whom."""
    turns: list[Event] = [PhaseStarted(phase="rebuttals")]
    for number, member in enumerate((*MEMBERS, *MEMBERS), 1):
        turns.append(FloorGranted(agent=member.title, why="in turn"))
        turns.append(MessagePosted(number=number, who=member.title, text="Well."))
    assert screen(turns, width=100, verbose=True).count("next in seat order") == 1


def test_a_choice_that_is_a_sentence_stands_in_one_without_its_full_stop() -> None:
    """Else "for Ask first., blocks Wait." is no English, and where options hold commas nobody knows where one ends."""
    blocked = ("Wait, then ask.", "Wait a year.")
    ballot = Ballot(agent="Ada", choice="Ask first.", blocked=blocked, reason="it is safe")
    cast = BallotCast(ballot=ballot, choices=("Ask first.", *blocked))
    said = "Accepts “Ask first”. Blocks “Wait, then ask”, “Wait a year”."
    assert ballot_phrase(cast) == said


def test_a_terminal_gets_no_line_that_ends_within_a_word() -> None:
    """The first line of a first debate would end in "set ANTHROP", and the next begin with "IC_API_KEY"."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 30, 0, 0))
    with os.fdopen(ours), os.fdopen(theirs, "w") as stream:
        said = fitted("  proposal active: freeze all features until then", stream)
        wide = fitted("“データベースを今すぐ移行する”, or not", stream)  # 24 characters, in 38 columns
        report = fitted("The panel came to no verdict at all.\n- Rule: a majority of the votes cast.", stream, 0)
    assert said == "  proposal active: freeze all\n    features until then"
    assert wide == "“データベースを今すぐ移行する”,\n  or not"
    assert report == "The panel came to no verdict\nat all.\n- Rule: a majority of the\n  votes cast."
    assert fitted("a line for a pipe, however long it is", io.StringIO()) == "a line for a pipe, however long it is"


def test_a_terminal_that_lacks_our_marks_is_shown_their_likes(tmp_path: Path) -> None:
    """A verdict's bars were rows of question marks, which look like what nobody knows."""
    args = ("show", "example", "--verbose", "--sessions", str(ROOT / "sessions"))
    done = ran(*args, script="import sys; sys.stdout.reconfigure(encoding='ascii')\n" + PLAIN, cwd=tmp_path)
    assert done.returncode == 0
    assert b'Viktor Accepts "Move it this quarter" (o1)' in done.stdout
    assert b"= m1 to m12 summed up" in done.stdout


def test_what_was_analysed_begins_on_a_line_of_its_own_and_ends_each_between_words(tmp_path: Path) -> None:
    """The bar that says how far the reading is was left in front of the first line."""
    said = "RESOLVED: merge the documents of all departments"
    (tmp_path / "meeting.jsonl").write_text(json.dumps({"speaker": "Ana", "text": said}))
    with on_terminal(tmp_path, "import", "--minutes", "meeting.jsonl", width=48, script=PLAIN) as terminal:
        assert terminal.end() == 0
    assert terminal.raw.split("meeting: 1 message")[0].endswith(("\n", "\x1b[2K"))
    assert max(map(len, re.split(r"[\r\n]+", terminal.shown.split("meeting:")[1]))) <= 48


def test_an_unknown_panel_is_answered_with_each_panel_once() -> None:
    """The hint "Architecture review, ..., architecture-review" names all twice and is cut before the last."""
    with pytest.raises(Exception, match="unknown panel") as error:
        Library().panel("zzz")
    assert "Architecture review" not in error.value.hint  # type: ignore[attr-defined]
    assert "research-review" in error.value.hint  # type: ignore[attr-defined]
