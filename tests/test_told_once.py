"""What readers are told of conditions, ties, claims, signatures and lost words is so, and is told once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from told import MEMBERS, MOVE, TALK, WAIT, Told

from eda import Session
from eda.cli.terminal.transcript import print_minutes
from eda.debate.quoted import quoted
from eda.debate.replay import read_back
from eda.events import Ballot, BallotCast, BallotText, Cited, MessagePosted, PhaseStarted, ReportWritten, SessionEnded
from eda.memory.context.acts import act_line
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.model_minutes import Quoted
from eda.report.forms import report_html, report_markdown
from eda.report.gather import report_of
from eda.report.model import Report
from eda.report.stances import stances
from eda.report.write import offered_line
from eda.voting import Account, verdict
from eda.words import ENGLISH

SHIPPED = Path(__file__).parent.parent / "sessions"
OPENINGS = (
    ("Ada", "Two copies.\n[PROPOSE] Keep a second copy"),
    *((who, "I listen.") for who in ("Ben", "Cleo", "Dan")),
)
OPENINGS += (("Eve", "Me too."),)


def table(*said: str, who: str = "Ben") -> Told:
    """A debate in which a member says something after the openings."""
    told, roles = Told(talk=OPENINGS), {each.title: each.role for each in MEMBERS}
    told.tell(PhaseStarted(phase="discussion", why="done"))
    for number, text in enumerate(said, len(OPENINGS) + 1):
        told.tell(MessagePosted(number=number, who=who, text=text, **read_reply(text, who, roles)._asdict()))
    return told


def report(told: Told) -> Report:
    return report_of(told.session, told.progress, told.memory)


def decided(told: Told, *ballots: Ballot, texts: Sequence[BallotText]) -> Told:
    """The debate with its verdict by these ballots."""
    told.tell(PhaseStarted(phase="ballot", why="messages"))
    words, members = tuple(each.text for each in texts), [each.title for each in MEMBERS]
    told.tell(*(BallotCast(ballot=each, choices=words, texts=tuple(texts)) for each in ballots))
    reached = verdict(Account(ballots, texts=texts), "majority", 0.5, 1, members)
    return told.tell(PhaseStarted(phase="verdict", why="done"), reached, SessionEnded(reason="messages"))


OPTIONS = (BallotText(id="o1", motion="o1", text=MOVE), BallotText(id="o2", motion="o2", text=WAIT))


@pytest.mark.parametrize(
    ("said", "marks"),
    [
        ("[POSITION] o1, if the second key is in my hand", [("o1", "if")]),
        ("[POSITION] If the tests pass, o1", [("o1", "if")]),
        ("[POSITION] p1.0 provided that the tests pass", [("p1.0", "if")]),
        ("[POSITION] p1.0, it keeps July", [("p1.0", "text")]),
        ("[POSITION] o1", [("o1", "text")]),
        ("[POSITION] p1.0\n[SUPPORT p1.0] if the tests pass", [("p1.0", "if")]),
        ("[SUPPORT o1] if the tests pass\n[POSITION] o1", [("o1", "if")]),
        ("[POSITION] o1\n[SUPPORT p1.0] it keeps July", [("o1", "text"), ("p1.0", "text")]),
    ],
)
def test_a_position_on_a_condition_is_drawn_as_one(said: str, marks: list[tuple[str, str]]) -> None:
    """Who held o1 "if the second key is in my hand" had the mark of who holds it in full."""
    told = table(f"So.\n{said}")
    texts = report(told.votes()).texts
    columns, _ = stances(told.session.events(), told.memory, texts)
    assert [(each.label, each.kind) for each in columns[0].marks["Ben"]] == marks


def test_a_position_alone_takes_no_condition_back() -> None:
    told = table("So.\n[SUPPORT p1.0] if the tests pass", "Still.\n[POSITION] p1.0").votes()
    columns, _ = stances(told.session.events(), told.memory, report(told).texts)
    assert [(each.label, each.kind) for each in columns[0].marks["Ben"]] == [("p1.0", "if")]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (("[SUPPORT p1.0] if the tests pass", "[POSITION] p1.0"), "p1.0 on a condition (declared in m7)"),
        (("[SUPPORT p1.0] if the tests pass\n[POSITION] p1.0",), "p1.0 on a condition (declared in m6)"),
        (("[POSITION] p1.0\n[SUPPORT p1.0] it keeps July",), "p1.0 (declared in m6)"),
    ],
)
def test_show_says_that_a_position_is_held_on_a_condition(said: Sequence[str], told: str) -> None:
    """ "p3.0" stood alone for who holds it on a condition."""
    out, debate = StringIO(), table(*(f"So.\n{each}" for each in said))
    facts = [*debate.session.events()]
    print_minutes(
        Console(file=out, width=3000), debate.session.started(), debate.progress, debate.memory, facts, since=6
    )
    assert f"Ben  {told}\n" in out.getvalue().partition("Positions")[2]


def test_who_ranks_another_text_as_equal_puts_no_other_first() -> None:
    """ "Nobody refuses it. Dan puts o2 first" was told of who ranked it beside the answer, as equal."""
    both = (MOVE, WAIT)
    plain = [Ballot(agent=who, choice=MOVE, ranking=(MOVE,), approved=both) for who in ("Ada", "Ben", "Cleo")]
    tied = Ballot(agent="Dan", choice=None, ranking=(both,), approved=both, reason="Either will do.")
    other = Ballot(agent="Eve", choice=WAIT, ranking=(WAIT, MOVE), approved=both, reason="Tests first.")
    told = decided(Told(), *plain, tied, other, texts=OPTIONS)
    text = " ".join(report(told).rest)
    assert "Nobody refuses it." in text
    assert "Eve puts" in text
    assert "Dan" not in text


def test_of_a_line_that_is_left_out_no_text_decided_is_supposed() -> None:
    """ "The texts decided do not say all of it" stood where no text was decided."""
    none = [Ballot(agent=each.title, choice="none", ranking=("none",)) for each in MEMBERS]
    told = decided(Told(), *none, texts=OPTIONS)
    assert offered_line("Move it in July.", report(told)) == ""
    for number, why in (
        (0, "not all of it stands in these words in what was decided"),
        (12, "it has more than 12 words"),
    ):
        assert (
            ENGLISH.say("sentence-why", kind="beyond", who=(), text="", message=0, deed="", number=number, of=()) == why
        )


def test_a_claim_and_a_summary_quote_no_signature() -> None:
    """ "Eve denies “Best, Ben”" stood in a summary as if he had claimed that."""
    told = table("[DECISION] Best, Ben", "[CONSENSUS] The batch moves. Best, Ben", "The suite is slow today. Best, Ben")
    assert [each.outcome for each in told.memory.claims] == ["The batch moves."]
    lines, _ = quoted([Quoted(message=8, quote="The suite is slow today. Best")], told.memory.parts, 8, ENGLISH)
    assert [*lines] == ['Ben (m8): "The suite is slow today."']


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('{"position": "o1"}\n[POSITION] o1', ["position: o1"]),
        ('[POSITION] o1, it is cheap\n\n{"move": "position", "target": "o1"}', ["position: o1, it is cheap"]),
        ('{"position": "o2"}\n[POSITION] o1', ["position: o1", "(JSON was left out)"]),
    ],
)
def test_json_that_repeats_a_move_is_no_loss(said: str, told: list[str]) -> None:
    """ "Not all of the JSON was read, not position: o1" was told to who held o1."""
    assert [act_line(act) for act in table(f"So.\n{said}").memory.below(6)] == told


def test_a_tag_with_a_slip_below_anothers_name_is_told() -> None:
    """A support on a condition was lost, and its author never heard of it."""
    read = read_reply("I like it.\nAda: fine\n[SUPORT p1.0] if it is cheap\n\nMore.", "Ben", {"Ada": "", "Ben": ""})
    assert read.unknown_tags == ("[SUPORT p1.0]",)


def test_a_reason_says_on_which_text_it_is_where_its_message_acts_on_two() -> None:
    """ "Cleo: “it keeps July” (m11)" was told of a message that supports one text and opposes another."""
    acts = "[SUPPORT p11.0] it keeps the contracts of July\n[OPPOSE o2] nobody would wait for so long"
    told = Told(talk=(*TALK, ("Ada", "[PROPOSE] Move it by half"), ("Ben", f"Well.\n{acts}"))).votes()
    quotes = ("it keeps the contracts of July", "nobody would wait for so long")
    told.tell(ReportWritten(reasons=tuple(Cited("", 12, quote, "Ben") for quote in quotes), by="a model"))
    text = report_markdown(report(told))
    for_and_against = (
        "For “Move it by half” (p11.0): Ben: “it keeps the",
        f"Against “{WAIT}” (o2): Ben: “nobody would",
    )
    assert [each in text for each in for_and_against] == [True] * 2
    alone = Told(talk=(*TALK, ("Ben", "[OPPOSE o2] nobody would wait for so long"))).votes()
    alone.tell(ReportWritten(reasons=(Cited("", 11, quotes[1], "Ben"),), by="a model"))
    assert "Against “" not in report_markdown(report(alone))


def test_the_report_of_a_list_says_who_refuses_a_text_and_puts_none_first() -> None:
    """ "Put first by" five, and "rests on m13", which a voter named for its whole ballot, stood beside each."""
    with Session.read(SHIPPED / "example-list") as session:
        progress, memory = read_back(session)
        told = report_of(session, progress, memory)
        page = report_html(told, session, memory)
    text = report_markdown(told)
    assert "4 of 5 accept it (not Eli)" in text
    assert "as equal" not in text
    rests = {row.id: row.decisive for row in told.counted.rows}
    assert (rests["p6.0"], rests["p14.0"]) == ((6, 8, 9), (14,))
    assert "Put first by" not in page
    head = page.partition('<ol class="rail">')[2].partition("</ol>")[0]
    assert '<li class="last"><b>Last ballot' in head
    assert "~~; after a year without use one is shown it again~~. The list" in text
    assert "The quotes" not in page, "none is cut"


def test_backers_without_a_reason_stand_on_one_line() -> None:
    told = Told().votes()
    silent = replace(report(told), backing=tuple(Cited("", 0, "", each.title) for each in MEMBERS[1:3]))
    assert "\n- **Ben**, **Cleo**\n" in report_markdown(silent)
