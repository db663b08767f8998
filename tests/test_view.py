"""What people see: nothing that is shown can steer the terminal, and nothing that happened is left out."""

from __future__ import annotations

import io
import json
import re
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner
from rich.console import Console
from told import verdict_lines

from eda.cli import cli
from eda.cli.sessions import print_sessions
from eda.cli.terminal import style
from eda.cli.terminal.live import LiveView
from eda.cli.terminal.printers import PlainView, Sitting
from eda.cli.terminal.transcript import print_minutes
from eda.cli.terminal.verdict import answer_of
from eda.debate.state import DebateState
from eda.events import (
    STORED_TYPES,
    Ballot,
    BallotCast,
    Bid,
    BidsTaken,
    CallMade,
    DecisionFound,
    Event,
    FloorGranted,
    MessagePosted,
    ModeratorSpoke,
    PhaseStarted,
    ProposalMade,
    ReactionSeen,
    SessionEnded,
    SessionStarted,
    SummaryWritten,
    TextStreamed,
    TurnFailed,
    VerdictReached,
)
from eda.events.outcome import Undecided
from eda.events.records import Decision, Proposal, Quote, Reaction
from eda.memory import ConversationMemory
from eda.panels.documents.document import Document
from eda.panels.persona import Persona, modelled
from eda.report.formatting import clean, money, one_line, shorten, span, tokens
from eda.report.json_data import session_data
from eda.report.overview import session_row
from eda.words import Words

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
EVIL = "\x1b]0;owned\x07\x1b[31mred\x1b[2J [/bold] [link=x]y[/link] \x07\u202eback\u202c \x9b31mend\ud800"


def persona(name: str, *, model: str | None = None) -> Persona:
    return Persona(
        name=name.lower(), title=name, role=f"{name}'s role", description="Sits.", instruction="You sit.", model=model
    )


MEMBERS = (persona("Ada"), persona("Ben"), persona("Cleo"))
PROPOSAL = Proposal(id="p4.0", message=4, proposer="Ada", content="Ship it in March")
REACTION = Reaction(
    message=5, agent="Ben", reaction="oppose", to="p4.0", quote=Quote(5, 0, 11, "no owner yet"), answered=4
)
VERDICT = VerdictReached(
    rule="majority",
    outcome="Ship",
    tally={"Ship": ("Ada", "Cleo"), "Wait": ("Ben",)},
    dissent=(Ballot(agent="Ben", choice="Wait", reason="Nobody owns month end."),),
    evidence=(4, 5),
)


def story(text: str = "First paragraph.\n\nSecond paragraph.") -> list[Event]:
    """One of each kind of fact, with what memory would announce."""
    events: list[Event] = [
        SessionStarted(
            session="one", question="Ship it?", options=("Ship", "Wait"), members=MEMBERS, runner="simulated"
        ),
        PhaseStarted(phase="opening"),
        MessagePosted(number=1, who="Ada", text=text, sealed=True),
        MessagePosted(number=2, who="Ben", text="I would wait.", sealed=True),
        PhaseStarted(phase="discussion", why="done"),
        BidsTaken(
            bids=(
                Bid(agent="Ada", wants=True, urgency=0.8, reason="the cost was left out"),
                Bid(agent="Ben", wants=True, urgency=0.4, reason="has seen this fail"),
                Bid(agent="Cleo", wants=False),
                Bid(agent="Dan", wants=False, fault="missing"),
            )
        ),
        FloorGranted(agent="Ada", why="bid", urgency=0.8, reason="the cost was left out"),
        TextStreamed(agent="Ada", text="Let us ship "),
        CallMade(purpose="speak", agent="Ada", input_tokens=1200, output_tokens=300, cost=0.0042),
        MessagePosted(number=3, who="Ada", text="Let us ship.\n[PROPOSE] Ship it in March", moves_at=12, to="Ben"),
        ProposalMade(proposal=PROPOSAL),
        ModeratorSpoke(text="Name what is missing."),
        TurnFailed(who="Cleo", purpose="speak", error="overloaded"),
        MessagePosted(number=4, who="Ben", text="Not yet.", reply_to=3),
        ReactionSeen(reaction=REACTION),
        DecisionFound(decision=Decision(id="d4.0", messages=(4,), topic="date", outcome="March it is")),
        SummaryWritten(first=1, last=4, text="Ada proposed March."),
        PhaseStarted(phase="ballot", why="messages"),
        *(
            BallotCast(ballot=Ballot(agent=who, choice=choice, reason="as I said"), choices=("Ship", "Wait"))
            for who, choice in (("Ada", "Ship"), ("Ben", "Wait"), ("Cleo", "Ship"))
        ),
        PhaseStarted(phase="verdict", why="done"),
        VERDICT,
        SessionEnded(reason="messages"),
    ]
    return [event.model_copy(update={"at": AT}) for event in events]


SITTING = Sitting(
    SessionStarted(
        session="one",
        question="Ship it?",
        members=MEMBERS,
        options=("Ship", "Wait"),
        documents=(Document("plan.md", "Ship in March."),),
        runner="simulated",
        seed=7,
    ),
    verbose=True,
)


def plain(text: str = "First paragraph.\n\nSecond paragraph.") -> list[str]:
    lines: list[str] = []
    view = PlainView(lines.append, SITTING)
    for event in story(text):
        view.handle(event)
    return lines


def live(width: int, text: str = "First paragraph.\n\nSecond paragraph.", **console: object) -> str:
    out = io.StringIO()
    progress, memory = DebateState(), ConversationMemory()
    # One colour system in all tests: rich keeps a style's codes as first rendered.
    console = {"color_system": "256", **console}
    screen = Console(file=out, force_terminal=True, width=width, height=40, highlight=False, **console)
    with LiveView(screen, SITTING, progress, memory) as view:
        for event in story(text):
            progress.fold(event)
            view.handle(event)
            screen.print(view.status)
    return out.getvalue()


def minutes(*, terminal: bool, width: int = 100, text: str = "Well, it depends.") -> str:
    out = io.StringIO()
    progress, memory = DebateState(), ConversationMemory()
    events = [event for event in story(text) if isinstance(event, STORED_TYPES)]
    for seq, event in enumerate(events, 1):
        progress.fold(event)
        memory.fold(event.model_copy(update={"seq": seq}))
    console = Console(file=out, force_terminal=terminal, width=width, highlight=False, color_system=None)
    first = events[0]
    assert isinstance(first, SessionStarted)
    print_minutes(console, first, progress, memory, events)
    return out.getvalue()


def test_text_of_a_model_cannot_steer_the_terminal() -> None:
    """A reply could clear the screen, rename the window or forge the verdict that a person reads."""
    shown = clean(EVIL)
    assert shown.startswith("red [/bold] [link=x]y[/link] back end")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800]", shown)
    for output in ("\n".join(plain(EVIL)), minutes(terminal=False, text=EVIL)):
        assert "\x1b" not in output
        assert "[/bold] [link=x]y[/link] back" in output
    on_screen = live(100, EVIL)
    assert "\x1b]" not in on_screen
    assert "[2J" not in on_screen
    assert "[/bold]" in on_screen


@pytest.mark.parametrize("text", ["a\r\nb", "a\rb", "a\u2028b", "a\x1b[0m\nb", "a\x1b]8;;http://x\x1b\\\nb"])
def test_line_ends_of_any_kind_stay_line_ends(text: str) -> None:
    """A line of a pipe could otherwise begin with what somebody else said."""
    assert clean(text) == "a\nb"


def test_an_unfinished_escape_code_swallows_nothing() -> None:
    """The rest of a message would be gone without a trace."""
    assert clean("\x1b]0;the rest of what was said") == "0;the rest of what was said"


def test_short_forms() -> None:
    """A count that reads wrongly is worse than none; an unknown price is not a free call."""
    assert [tokens(950), tokens(3400), tokens(1_200_000)] == ["950 tokens", "3.4k tokens", "1.2M tokens"]
    assert [money(0.0), money(0.0123), money(2.5)] == ["$0.00", "$0.0123", "$2.50"]
    assert [money(0.0, marks=[each]) for each in ("recorded", "simulated")] == ["replayed", "$0.00"]
    assert money(0.5, marks=["recorded"]) == "$0.5000"
    assert [money(0.0, 2), money(0.5, 2)] == ["not priced", "$0.5000 + 2 calls of unknown price"]
    assert [span(42), span(3723)] == ["0:42", "1:02:03"]
    assert shorten("one two three four", 12) == "one two…"
    assert shorten("x" * 30, 10) == "x" * 9 + "…"
    assert one_line(" a\n\tb ") == "a b"


def test_plain_lines_say_everything_one_paragraph_a_line() -> None:
    """Somebody who greps a log of a debate finds who spoke, who wanted to, what was proposed and how it ended."""
    lines = plain()
    for line in (
        "question: Ship it?",
        "option: Wait",
        "context: plan.md",
        "panel: Ada (Ada's role), Ben (Ben's role), Cleo (Cleo's role)",
        "runner: simulated, seed 7",
        "m1 Ada: First paragraph.",
        "  Second paragraph.",
        (
            "bids: Ada 0.80 (the cost was left out), Ben 0.40 (has seen this fail); "
            "passing: Cleo; no bid in the answer: Dan"
        ),
        "floor: Ada has the floor · urgency 0.80: the cost was left out",
        "m3 Ada to Ben: Let us ship.",
        "proposal: p4.0 Ada proposes: Ship it in March",
        "moderator: Name what is missing.",
        "failed: Cleo (speak): overloaded",
        "reaction: Ben opposes p4.0: no owner yet",
        "decision: d4.0 date: March it is",
        "summary: m1 to m4 summed up, extractive: Ada proposed March.",
        "phase: ballot · the messages for the discussion were used up",
        "vote: Ben: Accepts “Wait”.",
        "verdict: “Ship” won. 2 of 3 put it first. Against: Ben.",
        "against: Ben puts “Wait” first: “Nobody owns month end.” (ballot)",
        "votes: 1 for “Wait” (Ben)",
        "ended: the messages for the discussion were used up; then the panel voted",
    ):
        assert line in lines
    assert all("\n" not in line and "\x1b" not in line for line in lines)


def test_an_unusable_vote_is_said_once() -> None:
    """The same sentence twice for each voter hides the votes that count."""
    lines: list[str] = []
    view = PlainView(lines.append, SITTING)
    view.handle(TurnFailed(who="Ada", purpose="ballot", error="named none"))
    view.handle(BallotCast(ballot=Ballot(agent="Ada", choice=None, reason="named none"), choices=("A",)))
    view.handle(VERDICT)
    assert [line for line in lines if "named none" in line] == ["vote: Ada: Abstained. (named none)"]


def test_silence_is_said() -> None:
    """A panel that stops for want of bids looks hung otherwise."""
    lines: list[str] = []
    PlainView(lines.append, SITTING).handle(BidsTaken(bids=(Bid(agent="Ada", wants=False),)))
    assert lines[-1] == "bids: nobody asks for the floor"


@pytest.mark.parametrize("width", [60, 100, 200])
def test_the_screen_shows_the_debate_at_any_width(width: int) -> None:
    """A debate in a small pane must be as readable as one on a wall."""
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", live(width))
    for part in (
        "Ship it?",
        "● Ada",
        "has read plan.md",
        "opening",
        "Second paragraph.",
        "→ Ada has the floor · urgency 0.80",
        "· bids: Ada 0.80",
        "⚑ p4.0 Ada proposes: Ship it in March",
        "− Ben opposes p4.0: no owner yet",
        "✓ d4.0 date: March it is",
        "≡ m1 to m4 summed up",
        "✗ Cleo (speak): overloaded",
        "Verdict",
        "against Ben puts “Wait” first: “Nobody owns",
    ):
        assert part in shown, part
    assert "Let us ship." in shown
    assert "[PROPOSE]" not in shown
    assert "20 of 24 messages left · 1.5k tokens · $0.0042" in shown
    assert all(len(line.rstrip()) <= width for line in shown.replace("\r", "\n").split("\n"))


def test_the_end_of_a_long_text_is_shown_without_wrapping_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it a long reply is laid out anew ten times a second, and nothing else gets its turn."""
    text = "\n".join(f"Line {number} of what is being written." for number in range(9_000))
    cleaned: list[str] = []
    monkeypatch.setattr(style, "clean", lambda text: cleaned.append(text) or clean(text))
    ends = [style.last_lines(text[:length], Console(), 80) for length in (30, 4_095, 4_096, 8_300, len(text))]
    assert [line.plain for line in ends[-1]] == text.splitlines()[-6:]
    assert [len(lines) for lines in ends] == [1, 6, 6, 6, 6]
    assert max(map(len, cleaned)) < 10_000


def test_a_message_is_on_the_screen_while_it_is_written() -> None:
    """Waiting a minute before a blank screen, nobody knows whether it works."""
    out = io.StringIO()
    screen = Console(file=out, force_terminal=True, width=80, height=30, color_system=None)
    progress = DebateState()
    with LiveView(screen, SITTING, progress, ConversationMemory()) as view:
        granted = FloorGranted(agent="Ben", why="in turn")
        progress.fold(granted)
        view.handle(granted)
        view.handle(TextStreamed(agent="Ben", text="Half a sent"))
        screen.print(view.status)
        assert "is writing" in out.getvalue()
        assert "Half a sent" in out.getvalue()


def test_colours_follow_the_seat_and_no_color() -> None:
    """A persona that changes colour on resume is a stranger; NO_COLOR is asked for by those who cannot read colours."""
    assert "\x1b[1;38;5;32mAda" in live(100)
    assert "38;5;" not in live(100, no_color=True)


def test_a_verdict_without_a_winner_is_no_outcome() -> None:
    """A tie must not read as a decision."""
    tie = VerdictReached(rule="majority", outcome=None, tally={"A": ("Ada",), "B": ("Ben",)}, abstained=("Cleo",))
    assert verdict_lines(tie)[0] == "verdict: No verdict: no choice has more than half of the votes."
    nobody = VerdictReached(
        rule="majority", outcome=None, note=Undecided("nobody voted"), tally={"A": ()}, abstained=("Ada",)
    )
    assert answer_of(nobody) == "No verdict: nobody voted."


@pytest.mark.parametrize("terminal", [True, False])
def test_minutes_hold_all_parts(terminal: bool) -> None:
    """Minutes that leave out who dissented, or what is open, mislead whoever was not there."""
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", minutes(terminal=terminal))
    for part in (
        "Ship it?",
        "one · ended (the messages for the discussion were used up; then the panel voted)",
        "4 messages · ",
        "2026-11-21 09:30 UTC",
        "“Ship” won. 2 of 3 put it first.",
        "Ada, Ada's role",
        "— discussion",
        "Well, it depends.",
        "Ben  Accepts “Wait”. (as I said)" if terminal else "Ben Accepts “Wait”. (as I said)",
        "moderator: Name what is missing.",
        "The table after m4",
        "majority; adopted with 2 of 3 votes: Ada, Cleo]",
        "Verdict",
        "Nobody owns month end.",
    ):
        assert part in shown, part


def test_minutes_in_a_pipe_do_not_wrap() -> None:
    """A paragraph cut at column 80 is not found by grep."""
    long = "word " * 60
    assert " ".join(long.split()) in minutes(terminal=False, width=80, text=long)


def test_everything_is_in_the_json() -> None:
    """A script that reads a session must not have to parse the screen."""
    progress, memory = DebateState(), ConversationMemory()
    stored = [event for event in story() if isinstance(event, STORED_TYPES)]
    for event in stored:
        progress.fold(event)
        memory.fold(event)
    first = stored[0]
    assert isinstance(first, SessionStarted)
    data = session_data(first, progress, memory, stored)
    assert [message["number"] for message in data["transcript"]] == [1, 2, 3, 4]
    assert data["transcript"][2]["text"] == "Let us ship."
    assert data["verdict"]["dissent"][0]["reason"] == "Nobody owns month end."
    assert [ballot["agent"] for ballot in data["ballots"]] == ["Ada", "Ben", "Cleo"]
    assert data["state"] == "ended"
    assert data["spent"]["tokens"] == 1500
    assert {"decisions", "proposals", "agents", "summaries", "notes", "consensus"} <= set(data)
    row = session_row(first, progress)
    assert (row["messages"], row["state"], row["outcome"]) == (4, "ended", "Ship")


@pytest.mark.parametrize(("terminal", "width"), [(True, 60), (True, 140), (False, 80)])
def test_lists_show_the_unreadable_beside_the_rest(terminal: bool, width: int) -> None:
    """One damaged session must not hide a year of others."""
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=width, color_system=None)
    good = {"session": "good", "kind": "debate", "question": "Ship it?", "panel": "red-team", "messages": 12}
    good |= {"state": "ended", "last": "2026-11-21T09:30:00+00:00"}
    rows = [good, {"session": "bad", "error": "line 7 is not what was written"}]
    print_sessions(rows, console)
    shown = " ".join(out.getvalue().split())
    assert "good" in shown
    assert "2026-11-21" in shown
    assert "unreadable" in shown
    assert "bad: line 7 is not what was written" in shown or not terminal
    assert "line 7" in shown


def test_a_list_of_80_columns_shows_what_was_decided() -> None:
    """A list of questions alone tells nobody which session to open."""
    out = io.StringIO()
    row = {"session": "good", "kind": "debate", "question": "Ship it?", "panel": "red-team", "messages": 12}
    row |= {"state": "ended", "verdict": True, "outcome": "Ship", "last": "2026-11-21T09:30:00+00:00"}
    print_sessions([row], Console(file=out, force_terminal=True, width=80, color_system=None))
    assert {"Ship", "2026-11-21"} <= {*out.getvalue().split()}


def test_who_asks_for_a_model_is_known() -> None:
    """A person who wrote `model: opus` must learn that the simulated panel does not heed it."""
    assert modelled((persona("Ada", model="opus"), persona("Ben", model="inherit"), persona("Cleo"))) == {"Ada": "opus"}


def test_a_pipe_names_all_whom_a_message_addresses_as_show_does() -> None:
    """ "m9 Rosa" live, and "m9 Rosa to Eli, Gerard" in show."""
    lines: list[str] = []
    first, second, third = (member.title for member in MEMBERS)
    said = f"{second}, in m2 you are right. {third}, what of the price?"
    PlainView(lines.append, SITTING).handle(MessagePosted(number=3, who=first, text=said, to=third))
    assert any(line.startswith(f"m3 {first} to {second}, {third}: ") for line in lines), lines


def test_a_message_without_words_says_so_in_a_pipe() -> None:
    """ "m2 Anjali: Anjali" looked like her words."""
    lines: list[str] = []
    who = MEMBERS[0].title
    PlainView(lines.append, SITTING).handle(MessagePosted(number=2, who=who, text="[SUPPORT p1.0]", cut=((0, 14),)))
    assert f"m2 {who}: (no words)" in lines


def test_one_message_one_member_or_the_table_alone_are_shown() -> None:
    """Who follows a citation wants one message, and no transcript around it."""
    show = lambda *given: CliRunner().invoke(cli, ["show", "example", *given])  # noqa: E731 - a command with its arguments
    one = show("--from", "m15", "--to", "m15").stdout
    assert one.split()[:2] == ["m15", "Ruth"]
    assert "m16 Lucien" not in one
    said = show("--only", "VIKTOR", "--json")
    assert {message["who"] for message in json.loads(said.stdout)["transcript"]} == {"Viktor"}
    table = show("--table", "--at", "m8").stdout
    assert table.lstrip().startswith("The table after m8")
    assert "p14.0" not in table
    assert json.loads(show("--table", "--json").stdout)["title"] == "The table after m20"
    nobody = show("--only", "Vikor")
    assert (nobody.exit_code, "Did you mean Viktor?" in nobody.stderr) == (2, True)


def test_figures_have_the_decimal_mark_of_their_language() -> None:
    german = Words("de")
    assert "32,9k von 90k" in tokens(32_900, 90_000, german)
    assert (money(0.0042, words=german), money(0, most=0.5, words=german)) == ("0,0042 $", "0,00 $ von 0,50 $")
    assert (money(0.0042), money(0.01, most=0.05)) == ("$0.0042", "$0.0100 of $0.0500")
