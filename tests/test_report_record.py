"""Sentences against the record: what nobody said, voted or decided is never true; what is true, never false."""

from __future__ import annotations

import pytest
from told import Told, persona

from eda import check_sentence
from eda.events import Ballot, BallotCast, BallotText, PhaseStarted, SessionEnded, VerdictReached

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


@pytest.mark.parametrize("sentence", INVENTED)
def test_what_the_record_does_not_have_is_never_true(sentence: str) -> None:
    """ "The CFO approved $40,000" would go into a meeting under a line that promises checking."""
    assert check_sentence(sentence, allotment().session).verdict != "true"


@pytest.mark.parametrize("sentence", TRUE)
def test_what_the_record_has_is_never_false(sentence: str) -> None:
    """A check that throws away what is true is worthless."""
    assert check_sentence(sentence, allotment().session).verdict != "false"


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
    session = allotment().session
    assert check_sentence(sentence, session).verdict == "false"
    assert check_sentence("4 of 5 accept p6.0.", session).verdict == "true"
    assert check_sentence("Wanda accepts p6.1.", session).verdict == "true"
