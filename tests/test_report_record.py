"""A model's prose against the record: what nobody said, voted or decided is left out and named; what is true stays."""

from __future__ import annotations

import pytest
from played_museum import museum, report as museum_report
from told import Told, persona

from eda.events import Ballot, BallotCast, BallotText, PhaseStarted, ReportWritten, SessionEnded, VerdictReached
from eda.report.gather import messages_of, report_of
from eda.report.markdown import report_markdown
from eda.report.quotes import Quotes
from eda.report.write import check_of, checked

QUESTION = "How should the allotment society water the plots next summer?"
TANKS, WELL = "Buy two rain tanks for the lower field", "Drill a well beside the shed"
ROTA = "Keep a written rota for the pump, with Jonas as its keeper"
MEMBERS = tuple(
    persona(title, role)
    for title, role in (
        ("Halima", "treasurer"),
        ("Jonas", "plot holder"),
        ("Pilar", "hydrologist"),
        ("Stefan", "chairman"),
        ("Wanda", "neighbour"),
    )
)
TALK = (
    ("Halima", "We have 6,400 euros in the account. A well costs at least 9,000 with the permit."),
    ("Jonas", "The tap at the gate gave out on 14 of the 31 days of July, and I carried cans."),
    ("Pilar", "The water table here stands at 11 metres and drops in dry years. Tanks fill in any April."),
    ("Stefan", "I like the well because it would serve us for thirty years."),
    ("Wanda", "The drilling would stand on the path to Birch Lane, and nobody has asked the council."),
    ("Pilar", f"[PROPOSE] {TANKS}\n[PROPOSE] {ROTA}"),
    ("Halima", "[SUPPORT p6.0] two tanks cost 3,100 euros and leave us a reserve\nThat we can pay."),
    ("Jonas", "I will build the stands by the end of March.\n[SUPPORT p6.0] if the pump is repaired first"),
    ("Stefan", "I withdraw nothing: the tanks are a plaster.\n[OPPOSE p6.0] they will be empty in August"),
    ("Wanda", "Halima convinced me that we cannot pay for a well. I agree with the tanks."),
)
INVENTED = (
    "The panel unanimously chose the rain tanks.",
    "The council approved the drilling in May.",
    "The chairman committed $40,000 to the project.",
    "Two tanks hold 12,000 litres, enough for the whole field.",
    "The tanks will be delivered on Friday.",
    "Wanda voted for o1, the well.",
    "Stefan withdrew his objection to p6.0.",
    "Jonas withdrew his objection to p6.0 before the vote.",
    "In m4 Wanda opposed p6.0.",
    "p6.0 is Halima's, and she moved it in m7.",
    "Halima warned that the account would be empty within 3 weeks.",
)
TRUE = (
    "Two rain tanks for the lower field won because the society can pay for them.",
    "A well costs at least 9,000 euros, and the account holds 6,400.",
    "Four of five members accept the tanks.",
    "Jonas carried cans on 14 of the 31 days of July.",
    "Stefan opposes the tanks because they will be empty in August.",
    "Jonas supports the tanks on the condition that the pump is repaired first.",
    "The panel decided for two rain tanks, and Stefan stayed with the well.",
    "Pilar's point that the water table stands at 11 metres weakens the case for a well (m3).",
    "Nobody has asked the council about the path to Birch Lane (m5).",
    "The tap at the gate gave out on 14 days last July.",
    "The panel was not unanimous: Stefan voted for the well.",
    "Whoever must act should check the pump before the stands are built by the end of March.",
    "The diary favours whoever passes early.",
)
TRUE_OF_MEMBERS = (TRUE[3], TRUE[4], TRUE[5], TRUE[6], TRUE[7], TRUE[10])


def allotment() -> Told:
    told = Told(talk=TALK, question=QUESTION, options=(WELL,), members=MEMBERS)
    texts = (
        BallotText(id="o1", motion="o1", text=WELL),
        BallotText(id="p6.0", motion="p6.0", text=TANKS),
        BallotText(id="p6.1", motion="p6.1", text=ROTA),
    )
    told.tell(PhaseStarted(phase="ballot", why="messages"))
    ballots = [
        Ballot(
            agent=who,
            choice=choice,
            ranking=(choice,),
            approved=(choice,),
            also=(ROTA,) if who != "Stefan" else (),
            reason=reason,
        )
        for who, choice, reason in (
            ("Halima", TANKS, "We can pay for them."),
            ("Jonas", TANKS, "They stand before July."),
            ("Pilar", TANKS, "They fill in April."),
            ("Stefan", WELL, "Tanks will be empty when we need them."),
            ("Wanda", TANKS, "A well is beyond our means."),
        )
    ]
    choices = tuple(text.text for text in texts)
    told.tell(*(BallotCast(ballot=ballot, choices=choices, texts=texts) for ballot in ballots))
    for_tanks = ("Halima", "Jonas", "Pilar", "Wanda")
    return told.tell(
        PhaseStarted(phase="verdict", why="done"),
        VerdictReached(
            rule="majority",
            outcome=TANKS,
            motion="p6.0",
            version="p6.0",
            text=TANKS,
            adopted=({"motion": "p6.1", "id": "p6.1", "text": ROTA, "voters": for_tanks, "of": 5},),
            offered=texts,
            accepted={"o1": ("Stefan",), "p6.0": for_tanks, "p6.1": for_tanks},
            tally={TANKS: for_tanks, WELL: ("Stefan",), ROTA: ()},
            figures={TANKS: 4.0, WELL: 1.0, ROTA: 0.0},
            dissent=tuple(ballot for ballot in ballots if ballot.agent == "Stefan"),
            margin=3.0,
            flips=2,
        ),
        SessionEnded(reason="messages"),
    )


def prose(*sentences: str, **kinds: object) -> ReportWritten:
    told = allotment()
    report = report_of(told.session, told.progress, told.memory)
    quotes = Quotes(messages_of(told.session), (TANKS, WELL), acts=told.memory.acts)
    return checked(
        {"verdict": " ".join(sentences), **kinds},
        quotes,
        "test",
        check_of(told.session, report, told.progress, told.memory, quotes),
    )


@pytest.mark.parametrize("sentence", INVENTED)
def test_what_the_record_does_not_have_is_left_out_and_named(sentence: str) -> None:
    """ "The CFO approved $40,000" would go into a meeting under a line that promises checking."""
    made = prose(sentence)
    assert (made.verdict, made.unproved) == ("", (sentence,))


@pytest.mark.parametrize("sentence", TRUE)
def test_what_the_record_has_stands_word_for_word(sentence: str) -> None:
    """A check that throws away what is true makes the prose worthless; of a member its quotation may tell alone."""
    point = {"text": sentence, "message": 1, "quote": "We have 6,400 euros in the account."}
    made = prose("So it is.", risks=[point])
    tells = sentence in TRUE_OF_MEMBERS
    assert ([each.text for each in made.risks], made.unproved) == ([sentence * (not tells)], ())


def test_what_nothing_shows_of_members_does_not_stand_in_the_verdict() -> None:
    """Who did what is told by the count; a verdict's prose gives reasons."""
    told, reason = "The panel chose the tanks after Pilar won over Wanda.", "A well costs more than the account holds."
    made = prose(told, reason)
    assert (made.verdict, made.unproved) == (reason, (told,))
    assert [fact.kind for fact in made.contradicted[0]] == ["unsaid"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Nobody opposes the two rain tanks for the lower field.",
        "All accept the two rain tanks for the lower field.",
        "3 of 5 accept the two rain tanks for the lower field.",
    ],
)
def test_who_accepts_a_text_is_held_against_the_ballots(sentence: str) -> None:
    """ "Everyone stands behind the roof" would stand beside a count of three in five."""
    made = prose(sentence)
    assert (made.verdict, made.unproved) == ("", (sentence,))
    assert prose("4 of 5 accept p6.0. Wanda accepts p6.1.").unproved == ()


def test_what_is_left_out_is_named_below_the_words_of_the_model() -> None:
    """A reader would take the rest for all that the model wrote."""
    told = allotment()
    report = report_of(told.session, told.progress, told.memory)
    quotes = Quotes(messages_of(told.session), (TANKS, WELL), acts=told.memory.acts)
    reason = {"text": INVENTED[1], "message": 1, "quote": "We have 6,400 euros in the account."}
    answer = {"verdict": f"{TRUE[0]} {INVENTED[0]}", "reasons": [reason]}
    told.tell(checked(answer, quotes, "model-x", check_of(told.session, report, told.progress, told.memory, quotes)))
    text = report_markdown(report_of(told.session, told.progress, told.memory))
    block = text.partition("## In the words of a model\n\n")[2].partition("\n\n## ")[0]
    assert block == (
        f"{TRUE[0]}\n\n*Written by model-x; it decides nothing.*\n\n"
        "*Not in the record, and left out:* ~~The panel unanimously chose …~~: Halima, Jonas, Pilar, Wanda of 5 accept "
        "p6.0; ~~The council approved the …~~: the record does not have “May”."
    )
    assert "“We have 6,400 euros in the account.”" not in text, "a quote without what it was quoted for misleads"
    assert not any(sentence in text for sentence in INVENTED), "a careless reader would carry it into a meeting"


@pytest.mark.parametrize(
    ("sentence", "message", "stands"),
    [
        ("The fossil case broke 31 times.", 2, False),
        ("The crush costs the museum 2,000 a year.", 5, True),
        ("Rosa saw forty children on a landing where ten fit.", 6, True),
        ("A teacher counted to twenty-six by the fossil case.", 3, True),
    ],
)
@pytest.mark.parametrize("cites", [False, True])
def test_a_number_that_no_message_has_goes(sentence: str, message: int, stands: bool, cites: bool) -> None:
    """A figure that nobody said would stand beside quotations that are genuine."""
    told, report = museum(), museum_report()
    quotes = Quotes(messages_of(told.session), (), acts=told.memory.acts)
    text = sentence.replace(".", f" (m{message}).") if cites else sentence
    made = checked(
        {"verdict": text}, quotes, "test", check_of(told.session, report, told.progress, told.memory, quotes)
    )
    assert (made.verdict, made.unproved) == ((text, ()) if stands else ("", (text,)))
