"""What stands below a running debate, and how many lines a debate takes above it."""

from __future__ import annotations

import io
import re
from types import SimpleNamespace

from rich.console import Console
from started import OPTIONS, QUESTION
from test_view import AT, MEMBERS

from eda import ConversationMemory, Debate, Settings
from eda.cli.terminal.live import LiveView, StatusArea
from eda.cli.terminal.printers import Sitting
from eda.cli.terminal.style import Colours
from eda.debate.state import DebateState
from eda.events import (
    Event,
    FloorGranted,
    MessagePosted,
    MessageWritten,
    PhaseStarted,
    SessionEnded,
    SessionStarted,
    TextStreamed,
)
from eda.memory.minutes.declared_moves import read_reply


def said(number: int, who: str, text: str) -> MessagePosted:
    return MessagePosted(seq=number + 2, at=AT, number=number, who=who, text=text, **read_reply(text)._asdict())


TALK: tuple[Event, ...] = (
    SessionStarted(seq=1, session="s", question="Ship it?", options=("Ship", "Wait"), members=MEMBERS),
    PhaseStarted(seq=2, phase="discussion"),
    said(1, "Ada", "[PROPOSE] Ship it in March, once every team has signed what it promised in the spring"),
    said(2, "Ben", "[SUPPORT p1.0] it is quick"),
    said(3, "Cleo", "[OPPOSE p1.0] nobody has signed\n[POSITION] o2"),
)


def below(*events: Event, width: int = 100, height: int = 40, no_color: bool = False) -> str:
    """The lines below a debate in which that happened."""
    out, progress, memory = io.StringIO(), DebateState(), ConversationMemory()
    status = StatusArea(Colours(member.title for member in MEMBERS), progress, memory)
    for event in events:
        if event.seq:
            progress.fold(event)
        for each in (event, *(memory.fold(event) if event.seq else ())):
            status.handle(each)
    given = {"width": width, "height": height, "no_color": no_color}
    Console(file=out, force_terminal=True, color_system="256", highlight=False, **given).print(status)  # type: ignore[arg-type]
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", out.getvalue())


def test_a_support_that_may_have_a_condition_is_named_as_in_doubt() -> None:
    """ "for, if ... Ben" stood for a support of which nobody knows whether it has a condition."""
    assert "for, if ... Ben (in doubt)" in below(
        *TALK[:3], said(2, "Ben", "[SUPPORT p1.0] I hope the region pays half")
    )


def test_each_open_text_stands_in_a_line_with_who_is_for_and_against_it() -> None:
    """After ten minutes of talk nobody knew any more what was on the table."""
    lines = [line.rstrip() for line in below(*TALK).split("\n")]
    assert lines[2].startswith("on the table ───")
    assert [line.split()[0] for line in lines[3:6]] == ["p1.0", "o2", "o1"]
    assert lines[3].startswith("p1.0  Ship it in March, once every team has signed")
    assert lines[3].endswith("…  for Ada, Ben · against Cleo")
    assert lines[4].endswith("for Cleo")
    assert lines[5].endswith("nobody is for or against it")
    assert lines[6].startswith("discussion · 21 of 24 messages left · 0 tokens · $0.00 · ")
    assert max(map(len, lines)) <= 100


def test_who_holds_an_option_and_put_another_text_since_stands_in_its_line() -> None:
    """Who amended another option was gone from the one that it held, until its next move."""
    put = said(4, "Cleo", "[PROPOSE] Ship it in two parts.")
    (line,) = (line for line in below(*TALK, put).split("\n") if line.startswith("o2"))
    assert "position of Cleo (has put p4.0 (m4) si" in line


def test_texts_that_begin_alike_are_cut_where_they_differ_and_who_is_against_is_named() -> None:
    """Three wordings of one trial read the same, and the only name against them was cut away."""
    trial = "Open on Sundays for half a year as a trial, with two volunteers each Sunday"
    talk = [
        *TALK[:2],
        said(1, "Ada", f"[PROPOSE] {trial}"),
        said(2, "Ben", f"[AMEND p1.0] {trial}; it ends if the heating costs pass 900"),
        said(3, "Cleo", "[OPPOSE p1.0] too dear\n[OPPOSE p2.0] too dear"),
        said(4, "Ada", "[SUPPORT p2.0] fair"),
    ]
    lines = below(*talk, width=72).split("\n")
    wider, first = (next(line for line in lines if line.startswith(each)) for each in ("p2.0", "p1.0"))
    assert wider.split("  ")[1].startswith("… ")
    assert "it ends" in wider
    assert "it ends" not in first
    assert all("against Cleo" in line for line in (wider, first))


def test_texts_without_a_line_are_named() -> None:
    """A text that is on the table and that nobody sees is lost."""
    lines = below(*TALK, height=12).split("\n")
    assert lines[2].startswith("on the table · 1 more: o1 ──")
    assert "o1" not in "".join(lines[3:])


def test_without_room_or_colours_there_is_no_table() -> None:
    """Sixty columns and NO_COLOR have the two lines that they always had."""
    for shown in (below(*TALK, width=60), below(*TALK, no_color=True)):
        assert "on the table" not in shown
        assert "21 of 24 messages left" in shown


def test_who_still_writes_side_by_side_is_named() -> None:
    """Five openings come one after another, and nobody knew whom one waited for."""
    opening = (TALK[0], PhaseStarted(seq=2, phase="opening"))
    assert "still writing: Ada, Ben, Cleo" in below(*opening)
    assert "still writing: Ada, Cleo" in below(*opening, MessageWritten(message=said(2, "Ben", "Well.")))


def test_the_panel_votes_once_those_who_vote_are_asked() -> None:
    """While a late summary was being made the screen said that the panel votes, and a vote typed then became talk."""
    progress = DebateState()
    for event in (TALK[0], PhaseStarted(seq=2, phase="ballot")):
        progress.fold(event)
    status = StatusArea(Colours(member.title for member in MEMBERS), progress, ConversationMemory())
    at_it = list[str]()
    for voting in (False, True):
        status.voting = lambda voting=voting: voting  # type: ignore[misc]
        at_it.append(status.at_it().plain.partition(";")[0])
    assert at_it == ["what was said last is read before the vote", "the panel votes"]


def test_the_report_is_told_as_being_written_until_it_is() -> None:
    """ "The report is being written" stayed beside "Enter closes the table"."""
    progress = DebateState()
    for event in (TALK[0], SessionEnded(seq=2, reason="messages")):
        progress.fold(event)
    status = StatusArea(Colours(member.title for member in MEMBERS), progress, ConversationMemory())
    at_it = [status.at_it().plain]
    status.reported = lambda: True
    assert [*at_it, status.at_it().plain] == ["the report is being written", "the debate is over"]


def test_what_is_being_written_stands_above_the_table() -> None:
    """Its place is fixed: words that stream in push nothing about."""
    granted = FloorGranted(seq=7, at=AT, agent="Ben", why="in turn")
    lines = below(*TALK, granted, TextStreamed(agent="Ben", text="Half a sent")).split("\n")
    assert [line.strip() for line in lines[1:3]] == ["⠋ Ben is writing", "Half a sent"]
    assert lines[3].startswith("on the table")


async def test_a_debate_of_thirty_messages_takes_eight_lines_and_a_half_a_message() -> None:
    """Four screens more, of bids and reasons, hid what was said."""
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=100, height=40, highlight=False, color_system=None)
    debate = Debate(QUESTION, "product-decision", options=OPTIONS[1::2], settings=Settings(max_messages=30))
    line = SimpleNamespace()  # what a person types into draws the lines below by itself: only what scrolls is counted
    view = LiveView(console, Sitting(debate.started), debate.progress, debate.memory, line)  # type: ignore[arg-type]
    debate.bus.subscribe(Event, view.handle)
    with view:
        await debate.run()
    shown = out.getvalue().split("\n")
    assert debate.progress.messages >= 25
    assert (len(shown) + 9) / 30 < 8.6, "and nine that say what it took, and how to go on"
    assert sum(line.startswith((" m", "  m")) for line in shown) == debate.progress.messages
