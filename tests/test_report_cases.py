"""What speaks for a yes or a no, and what can go wrong with it: true, and of the side that it is told of."""

from __future__ import annotations

import pytest
from told import MOVE, WAIT, Told, persona

from eda.debate.verdict import verdict_of
from eda.events import MemberChanged, PhaseStarted, StanceTaken
from eda.panels.agenda import load_agenda
from eda.report import Report, report_of
from eda.report.markdown import report_markdown
from eda.report.quotes import About

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
    assert made.counted.outcome == YES
    assert cases == [
        ("For “Yes”", "Ada", 1),
        ("For “Yes”", "Cleo", 3),
        ("For “Yes”", "Eve", 5),
        ("For “No”", "Ben", 2),
        ("For “No”", "Dan", 4),
    ]
    assert "## What spoke for each\n\n- For “Yes”. **Ada**: “Closing" in report_markdown(made)


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


def test_a_risk_of_what_lost_is_no_risk_of_what_won() -> None:
    """The panel stays with its cars, and is warned of closing the streets to them."""
    won_by_no = oxford(NO, NO, NO, NO, NO)
    assert won_by_no.counted.outcome == NO
    warned = [cited.who for cited in won_by_no.risks]
    assert "Ben" not in warned
    argued = {cited.who: cited.quote for cited in won_by_no.reasons}
    assert argued["Ben"].startswith("My worry about closing")
    assert argued["Cleo"].startswith("Doing nothing is a danger")


@pytest.mark.parametrize(
    ("sentence", "about"),
    [
        ("Closing the centre to cars costs the shops their customers.", YES),
        ("Once the centre is closed to cars, buses run on time.", YES),
        ("Cars in the city centre are a danger to every child.", None),
        ("Without closing the centre to cars nothing changes.", None),
        ("With things as they are, the buses are late.", NO),
        ("Closing the centre to cars beats the status quo.", None),
        ("No audit has found one.", None),
    ],
)
def test_a_sentence_is_about_what_is_to_be_done_not_about_its_subject(sentence: str, about: str | None) -> None:
    """That cars are dangerous speaks for closing the streets to them, and would stand as the danger of it."""
    assert About((YES, NO), MOTION).choice_in(sentence) == about


def test_a_question_whose_yes_leaves_things_as_they_are_is_not_turned_round() -> None:
    """ "As things are the buses run on time" speaks for yes where the question is whether to keep them."""
    made = oxford(YES, NO, YES, YES, YES, question="Should the city keep cars in its centre?")
    assert ("For “No”", "Dan") not in [(each.text, each.who) for each in made.reasons]


def test_a_fear_of_what_one_voted_for_is_no_reason_for_it() -> None:
    """ "Moving it makes me uneasy because of August" would stand as what speaks for moving it."""
    talk = (
        ("Ada", f"{MOVE} makes me uneasy because of the invoices in August."),
        ("Ben", f"{MOVE} and {WAIT} look equally good, because both take a quarter."),
        ("Cleo", f"I would {MOVE.lower()} if the suite were green, because then we would see what breaks."),
        ("Dan", f"{MOVE}, because the contracts name July."),
        ("Eve", f"Is it because of Oskar that we {MOVE.lower()}?"),
    )
    made = Told(talk=talk).votes(**dict.fromkeys(("Ada", "Ben", "Cleo", "Dan", "Eve"), MOVE))
    found = report_of(made.session, made.progress, made.memory)
    assert [(cited.who, cited.message) for cited in found.reasons if cited.message] == [("Dan", 4)]
    assert {cited.who for cited in found.reasons if not cited.message} == {"Ada", "Ben", "Cleo", "Eve"}


def test_who_voted_for_the_outcome_does_not_warn_of_it_with_a_fear_of_the_other() -> None:
    """ "I worry about two systems", said for waiting, would stand as a risk of waiting."""
    talk = (
        (
            "Ada",
            "I am worried about double invoices all through August.\n\n[POSITION] No, because nobody can check them.",
        ),
        ("Ben", "I am afraid of being left with code that nobody knows.\n\n[POSITION] Yes, because Oskar leaves."),
    )
    told = Told(talk=talk, options=(), question="Should we move billing out?")
    cast = {who: StanceTaken(who=who, poll=1, choices=(YES, NO), choice=NO) for who in ("Ada", "Cleo", "Dan", "Eve")}
    cast["Ben"] = StanceTaken(who="Ben", poll=1, choices=(YES, NO), choice=YES)
    told.tell(PhaseStarted(phase="ballot"), *cast.values())
    told.tell(verdict_of(told.progress, told.memory))
    made = report_of(told.session, told.progress, told.memory)
    assert made.counted.outcome == NO
    shown = [cited.who for each in made.dissent for cited in each.said] + [cited.who for cited in made.risks]
    assert shown
    assert set(shown) == {"Ben"}
    assert [(cited.who, cited.message) for cited in made.reasons] == [("Ada", 1)]
