"""What a report says of texts and their makers: who worded them, what they rest on, what was closed."""

from __future__ import annotations

import pytest
from test_report_record import MEMBERS, QUESTION
from told import Told

from eda.debate.verdict import verdict_of
from eda.events import Ballot, BallotCast, BallotText, PhaseStarted
from eda.report.forms import report_markdown
from eda.report.gather import report_of

DRILL, TANKS = "Drill a well", "Buy two rain tanks"
JOINED = "Buy three rain tanks, and keep a rota for the pump."
TEXTS = (BallotText(id="o1", motion="o1", text=DRILL), BallotText(id="p7.0", motion="p1.0", text=JOINED))


@pytest.fixture
def told() -> Told:
    """Halima's text is amended by Pilar, and Wanda joins that with Jonas's; Halima and Stefan vote for the well."""
    talk = (
        ("Halima", f"[PROPOSE] {TANKS}."),
        ("Jonas", "[PROPOSE] Keep a rota for the pump."),
        *((member.title, "Let me think.") for member in MEMBERS[2:]),
        ("Pilar", "[AMEND p1.0] Buy three rain tanks."),
        ("Wanda", f"[AMEND p6.0 and p2.0] {JOINED}"),
        ("Stefan", "[OPPOSE p7.0] no, unless someone signs for the pump"),
        ("Stefan", "[OPPOSE p7.0] tanks run dry if August is dry"),
        ("Stefan", "[OPPOSE p7.0] not until someone signs for the pump"),
        ("Halima", "[PROPOSE] Rent a tanker for July."),
        ("Stefan", "[OPPOSE p11.0] a tanker is no plan"),
        ("Halima", "[WITHDRAW p11.0]"),
    )
    told = Told(talk=talk, question=QUESTION, options=(DRILL,), members=MEMBERS)
    told.tell(PhaseStarted(phase="ballot", why="messages"))
    votes = dict.fromkeys((member.title for member in MEMBERS), JOINED) | {"Halima": DRILL, "Stefan": DRILL}
    for who, text in votes.items():
        reason = "I could accept it if the water table were tested." if who == "Halima" else f"{who} says so."
        ballot = Ballot(
            agent=who,
            choice=text,
            ranking=(text,),
            approved=(text,),
            reason=reason,
            moved_by=5 if who == "Halima" else None,
            confidence=0.8,
        )
        told.tell(BallotCast(ballot=ballot, choices=tuple(each.text for each in TEXTS), texts=TEXTS))
    return told.tell(verdict_of(told.progress, told.memory))


def test_the_lineage_names_who_amended_what_was_joined(told: Told) -> None:
    """Pilar's amendment was left out of where the text comes from, as if Halima had worded it."""
    story = report_of(told.session, told.progress, told.memory).story
    assert [(step.by, step.text, step.of) for step in story if step.kind == "text"] == [
        ("Halima", "p1.0", ()),
        ("Pilar", "p6.0", ("p1.0",)),
        ("Wanda", "p7.0", ("p6.0", "p2.0")),
    ]


def test_a_text_does_not_rest_on_what_moved_an_author_to_another(told: Told) -> None:
    """What moved Halima to the well stood as a ground of the tanks, since she had worded the first of that text."""
    rows = {row.id: row.behind for row in report_of(told.session, told.progress, told.memory).counted.rows}
    assert rows == {"p7.0": (1, 2, 6, 7), "o1": (5,)}


def test_a_condition_in_a_reason_against_the_text_decided_would_change_a_mind(told: Told) -> None:
    """It stood among the reasons of the table alone; what would move the others looked like all that would."""
    report = report_of(told.session, told.progress, told.memory)
    assert [(each.who, each.text, each.message) for each in report.minds] == [
        ("Halima", "I could accept it if the water table were tested.", 0),
        ("Stefan", "not until someone signs for the pump", 10),
    ]


def test_how_sure_voters_are_is_a_median_in_one_form(told: Told) -> None:
    """A median is nobody's word, and stands in one form beside others."""
    table = report_markdown(report_of(told.session, told.progress, told.memory))
    assert "| 80% |" in table
