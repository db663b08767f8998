"""The sides of an Oxford debate in its report."""

from __future__ import annotations

from told import Told, persona

from eda.debate.verdict import verdict_of
from eda.events import MemberChanged, StanceTaken
from eda.panels.agenda import load_agenda
from eda.report.gather import report_of

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


def test_who_takes_anothers_seat_argues_its_side() -> None:
    """The report would say that the newcomer argued what it argued against."""
    told = Told(talk=SPEECHES, agenda=load_agenda("oxford"), question=MOTION, options=())
    told.tell(MemberChanged(who="Ada", change="replaced", persona=persona("Finn", "lawyer"), by="you"))
    told.tell(*(StanceTaken(who=who, poll=1, choices=(YES, NO), choice=NO) for who in ("Finn", "Ben", "Cleo", "Dan")))
    told.tell(verdict_of(told.progress, told.memory))
    seats = {seat.title: seat.side for seat in report_of(told.session, told.progress, told.memory).run.seats}
    assert seats == {"Ada": "for", "Ben": "against", "Cleo": "for", "Dan": "against", "Eve": "for", "Finn": "for"}
