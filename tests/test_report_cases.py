"""What each side of an Oxford debate argued: true, and of the side that it is told of."""

from __future__ import annotations

from told import Told, persona

from eda.debate.verdict import verdict_of
from eda.events import MemberChanged, StanceTaken
from eda.panels.agenda import load_agenda
from eda.report.gather import report_of
from eda.report.markdown import report_markdown
from eda.report.model import Report

YES, NO = "Yes", "No"
MOTION = "Should the city close its centre to cars?"
SPEECHES = (
    ("Ada", "Closing the centre to cars saves two lives a year. What would the shops say?"),
    ("Ben", "My worry about closing the centre to cars is that the shops lose their customers."),
    (
        "Cleo",
        "Ben is right about the shops, because he owns one. Doing nothing is a danger to every child on a bicycle.",
    ),
    ("Dan", "As things are the buses run on time."),
    ("Eve", "The centre was closed to cars for a week because of the fair, and the shops sold more."),
)


def oxford(*after: str, question: str = MOTION) -> Report:
    """Ada, Cleo and Eve argue for; Ben and Dan against."""
    told = Told(talk=SPEECHES, agenda=load_agenda("oxford"), question=question, options=())
    for poll, held in enumerate(((NO, NO, YES, NO, YES), after), 1):
        stances = zip(("Ada", "Ben", "Cleo", "Dan", "Eve"), held, strict=True)
        told.tell(*(StanceTaken(who=who, poll=poll, choices=(YES, NO), choice=choice) for who, choice in stances))
    told.tell(verdict_of(told.progress, told.memory))
    return report_of(told.session, told.progress, told.memory)


def test_an_oxford_debate_tells_what_each_side_argued() -> None:
    """Whoever must decide on Monday would read a verdict with no reason beside it."""
    made = oxford(YES, NO, YES, YES, YES)
    cases = [(each.text, each.who, each.message) for each in made.reasons]
    assert made.counted.reached.outcome == YES
    assert cases == [
        ("For “Yes”", "Ada", 1),
        ("For “Yes”", "Cleo", 3),
        ("For “Yes”", "Eve", 5),
        ("For “No”", "Ben", 2),
        ("For “No”", "Dan", 4),
    ]
    assert "## What spoke for each\n\n- For “Yes”. Ada: “Closing" in report_markdown(made)


def test_who_takes_anothers_seat_argues_its_side() -> None:
    """The report would say that the newcomer argued what it argued against."""
    told = Told(talk=SPEECHES, agenda=load_agenda("oxford"), question=MOTION, options=())
    told.tell(MemberChanged(who="Ada", change="replaced", persona=persona("Finn", "lawyer"), by="you"))
    told.tell(*(StanceTaken(who=who, poll=1, choices=(YES, NO), choice=NO) for who in ("Finn", "Ben", "Cleo", "Dan")))
    told.tell(verdict_of(told.progress, told.memory))
    seats = {seat.title: seat.side for seat in report_of(told.session, told.progress, told.memory).run.seats}
    assert seats == {"Ada": "for", "Ben": "against", "Cleo": "for", "Dan": "against", "Eve": "for", "Finn": "for"}


def test_a_concession_to_the_other_side_is_no_argument_of_ones_own() -> None:
    """The rules of the format ask for the other side's strongest point: quoted as one's own it is turned round."""
    assert not any("Ben is right" in cited.quote for cited in oxford(YES, NO, YES, YES, YES).reasons)
