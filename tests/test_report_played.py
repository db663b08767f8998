"""What a report says of a debate as real members play it: claims taken back, votes beside it, reworded options."""

from __future__ import annotations

import pytest
from told import Told

from eda.events import Ballot, BallotCast, BallotText, PhaseStarted, SessionEnded, SummaryWritten
from eda.events.model_minutes import Minuted, RangeMinutes
from eda.events.outcome import Doubt
from eda.report.forms import report_markdown
from eda.report.gather import messages_of, report_of
from eda.report.model import Report
from eda.report.quotes import Quotes
from eda.report.write import Held, checked, held_of, report_prompt
from eda.voting import Account, verdict

PHONE, FORM = "Keep the phone line only", "Online for follow-ups, phone for the rest"
TRIAL = "Online for follow-ups, phone for the rest, after a trial with 60 patients"
LIMIT = f"{TRIAL}, and with a limit"
CALL_BACK, NAMED = "A receptionist calls back whoever hung up", "One receptionist is named in every letter"
TALK = (
    ("Ada", f"The line shuts out the deaf.\\n\\n[AMEND o2] {TRIAL}"),
    ("Ben", f"I stay with the voice.\\n\\n[PROPOSE] {CALL_BACK}\\n[OPPOSE p1.0] the line is the first thing to be cut"),
    ("Cleo", f"Who on a rainy Tuesday tells Mrs. Oduya that she may still ring?\\n\\n[PROPOSE] {NAMED}"),
    ("Dan", "[CONSENSUS] We all agree that the form opens in June."),
    ("Eve", "I was in the room and I did not.\\n\\n[DENY m4] nobody has asked me"),
    ("Dan", f"So.\\n\\n[AMEND p1.0] {LIMIT}\\n[DENY m4] I take it back"),
)
TALK = tuple((who, text.replace("\\n", "\n")) for who, text in TALK)
OFFERED = (
    BallotText(id="o1", motion="o1", text=PHONE),
    BallotText(id="o2", motion="o2", text=FORM),
    BallotText(id="p1.0", motion="o2", text=TRIAL),
    BallotText(id="p6.0", motion="o2", text=LIMIT),
    BallotText(id="p2.0", motion="p2.0", text=CALL_BACK),
    BallotText(id="p3.0", motion="p3.0", text=NAMED),
)
VOTES = (
    ("Ada", (LIMIT, TRIAL), (), ()),
    ("Ben", (PHONE,), (CALL_BACK, NAMED), ()),
    ("Cleo", (LIMIT, TRIAL, FORM), (CALL_BACK,), (Doubt("words", words="the reason refuses it"),)),
    ("Dan", (LIMIT,), (CALL_BACK,), ()),
    ("Eve", (LIMIT, TRIAL), (CALL_BACK, NAMED), ()),
)


@pytest.fixture(scope="module")
def played() -> Told:
    told = Told(talk=TALK, question="Should the clinic move to a form?", options=(PHONE, FORM))
    first = tuple(each for each in OFFERED if each.id in ("o1", "o2"))
    for who, *_ in VOTES:
        choice = PHONE if who == "Ben" else FORM
        ballot = Ballot(agent=who, choice=choice, ranking=(choice,), approved=(choice,))
        told.tell(BallotCast(ballot=ballot, choices=(PHONE, FORM), texts=first, first=True))
    quote = "Who on a rainy Tuesday tells Mrs. Oduya that she may still ring?"
    asked = Minuted(3, quote, "Who tells Mrs. Oduya that she may still ring?", who="Cleo")
    told.tell(SummaryWritten(first=1, last=6, text="They talked.", minutes=RangeMinutes(questions=(asked,))))
    told.tell(PhaseStarted(phase="ballot", why="messages"))
    ballots = [
        Ballot(
            agent=who,
            choice=texts[0],
            ranking=texts,
            approved=texts,
            also=also,
            reason=f"{who} says so.",
            doubts=doubts,
        )
        for who, texts, also, doubts in VOTES
    ]
    words = tuple(text.text for text in OFFERED)
    told.tell(*(BallotCast(ballot=each, choices=words, texts=OFFERED) for each in ballots))
    reached = verdict(Account(ballots, texts=OFFERED), "majority", 0.5, 1, [who for who, *_ in VOTES])
    return told.tell(PhaseStarted(phase="verdict", why="done"), reached, SessionEnded(reason="messages"))


def of(told: Told) -> Report:
    return report_of(told.session, told.progress, told.memory)


def test_a_ballot_in_doubt_is_told_as_that_and_no_more(played: Told) -> None:
    """ "Cleo stood by a ballot in doubt" stood in the report of a voter who was never asked about it."""
    assert "- Cleo's ballot is in doubt: the reason refuses it." in report_markdown(of(played))


def test_a_claim_that_was_taken_back_is_no_reason(played: Told) -> None:
    """A denied claim stood as one."""
    claim, spoken = "We all agree that the form opens in June.", "The line shuts out the deaf."
    quotes = Quotes(messages_of(played.session), played.memory.acts)
    answer = {
        "reasons": [{"message": 4, "quote": claim}, {"message": 1, "quote": spoken}, {"message": 1, "quote": spoken}],
        "dissent": [{"message": 5, "quote": "nobody has asked me"}],
    }
    made = checked(answer, quotes, "model", held_of(of(played), played.memory))
    assert [each.quote for each in made.reasons] == [spoken]
    assert [(text, fact.kind) for text, (fact,) in zip(made.unproved, made.contradicted, strict=True)] == [
        (claim, "claim"),
        ("nobody has asked me", "dissent"),
    ]


def test_a_question_stands_without_what_was_said_before_it() -> None:
    """An open question was widened to the deposit that Ben had denied, and to what Dana never said."""
    talk = (
        ("Ada", "Ben has paid for the form, so why talk about the line? Ben, is there money left?"),
        ("Ben", "[DENY m1] I paid nothing"),
        ("Cleo", "Ben has paid for the line, so why talk about the form?"),
        ("Ada", "Ben has paid for both, so the form is ours."),
    )
    told = Told(talk=talk, question="Should the clinic move to a form?", options=(PHONE, FORM))
    told.tell(PhaseStarted(phase="ballot", why="messages"))
    quotes = Quotes(messages_of(told.session), told.memory.acts)
    parts = ((1, "so why talk about the line?"), (1, "is there money left?"), (3, "so why talk about the form?"))
    whole = quotes.find(4, "so the form is ours.")
    assert getattr(whole, "quote", None) == talk[3][1], "what is no question stands whole"
    answer = {"open": [{"message": at, "quote": quote} for at, quote in parts]}
    made = checked(answer, quotes, "model", Held())
    assert [each.quote for each in made.open] == [quote for _, quote in parts]


def test_the_prompt_of_a_report_has_each_ballot_and_the_votes_of_every_text(played: Told) -> None:
    """The one vote for a text that lost, and the reasons on the ballots, were missing: a model had to guess."""
    asked = report_prompt(played.session, played.progress, played.memory, of(played)).own
    assert "(p1.0), another wording: accepted by 3 (Ada, Cleo, Eve)" in asked
    assert "- Ballot of Ben: Accepts o1. Would also adopt p2.0, p3.0. Its reason: Ben says so." in asked
    assert "(p2.0): wanted beside the answer by 4 (Ben, Cleo, Dan, Eve)" in asked
    assert "or the reason of a move" in asked


def test_votes_beside_the_answer_are_told_as_such(played: Told) -> None:
    """A text that 4 of 5 adopted beside the answer stood with 0 votes; the one that lost was "not chosen"."""
    text = report_markdown(of(played))
    assert "Want it too" in text
    assert "| 4: Ben, Cleo, Dan, Eve |" in text
    assert "| 2: Ben, Eve |" in text
    assert {text.id: text.status for text in played.memory.proposals}["p3.0"] == "not adopted"


def test_a_verdict_says_which_option_its_text_is_a_wording_of(played: Told) -> None:
    """The option seemed to fall from four votes to none, and its voters to have changed their minds."""
    report = of(played)
    assert f"It is a wording of “{FORM}” (o2)." in report.verdict
    made = [(step.by, step.text, step.of) for step in report.story if step.kind == "text"]
    put = [("Ada", "p1.0", ("o2",)), ("Ben", "p2.0", ()), ("Cleo", "p3.0", ()), ("Dan", "p6.0", ("p1.0",))]
    assert made == put
    assert not report.helped.differs


def test_a_question_is_quoted_as_it_was_asked_and_not_called_unanswered(played: Told) -> None:
    """The minutes' words stood in quotation marks as the member's; an answer that no minutes hold may exist."""
    text = report_markdown(of(played))
    assert "- **Cleo**: “Who on a rainy Tuesday tells Mrs. Oduya that she may still ring?” (m3)" in text
    assert "nobody has answered" not in text


def test_what_was_not_decided_is_told_with_its_words(played: Told) -> None:
    """A list of ids alone: a reader had to look for what had lost."""
    lost = {step.id: "".join(words for words, _ in step.parts) for step in of(played).wordings}
    assert lost["p3.0"] == NAMED
