"""What a report says of two debates as their members played them: a hall's Fridays, and a late boat."""

from __future__ import annotations

import re

import pytest
from told import Told, persona

from eda.events import Ballot, BallotCast, BallotText, PhaseStarted, SessionEnded
from eda.report.forms import report_markdown
from eda.report.gather import report_of
from eda.text import differs_at
from eda.voting import Account, verdict

DRAW = "Friday evenings are drawn by lot each term from all slips handed in, and nobody may win two terms in a row"
DIARY = "Friday evenings go first come, first served, in a diary on the wall, with a deposit of £20"
LOTS = "Friday evenings are drawn by lot each term, nobody wins two terms in a row"
JOINED = (
    f"{LOTS}, and each winner leaves a deposit of £20, lost if nobody turns up, and pays £10 an evening for heating"
)
CHARGED = (
    f"{LOTS}, each winner leaves a deposit of £20, lost if nobody turns up, and groups that charge their visitors pay "
    "£10 an evening for heating"
)
LATE, TAXI = "Keep the late boat all winter", "Replace it by a taxi boat on call"
STORM = f"{TAXI} after a month's notice; on nights with a forecast above wind force 6 the ferry makes the crossing"
ROSTER = f"{STORM}; the skipper takes standing orders by the month, among them the hospital's roster"
CASH = "my deposit stays in, if it may be paid in cash"
AGAIN = "Show me twice as many trips, or a signed quote that says something else, and I shall do the sum again."
LETTER = "Show me a letter in which it waives those nights, and I drop my addition."
PAID = "if the ferry's storm nights are paid from what the county's money leaves over"
HALL = (
    ("Rosa", f"Draw them.\n[PROPOSE] {DRAW}"),
    ("Minh", f"A diary.\n[PROPOSE] {DIARY}"),
    ("Beatriz", "A slot that several people want has a price."),
    ("Beatriz", f"I join them.\n[AMEND p1.0 p2.0] {JOINED}"),
    ("Minh", f"My buns.\n[SUPPORT p4.0] {CASH}\n[WITHDRAW p2.0] the early birds are always the same"),
    ("Rosa", f"Let the poor groups off.\n[AMEND p4.0] {CHARGED}"),
)
BOAT = (
    ("Beatriz", f"{AGAIN}\n[SUPPORT o2] it fits"),
    ("Minh", "Guests stay.\n[SUPPORT o1] guests stay when they need not ring"),
    ("Kofi", "The ward has no telephones.\n[SUPPORT o1] it needs no call"),
    ("Henrik", f"{LETTER}\n[AMEND o2] {STORM}"),
    ("Beatriz", f"I will pay that.\n[SUPPORT p4.0] {PAID}"),
    ("Kofi", f"Your answer in m5 moves me.\n[AMEND p4.0] {ROSTER}"),
    ("Beatriz", "It has all.\n[SUPPORT p6.0] everything the crossing needs"),
)


def report(
    talk: tuple[tuple[str, str], ...],
    texts: dict[str, tuple[str, str]],
    votes: dict[str, tuple[str, ...]],
    firsts: dict[str, tuple[str, ...]],
) -> str:
    """The report of a talk and its ballots; `texts` has motion and words by id, the ballots have ids."""
    options = tuple(words for key, (_, words) in texts.items() if key.startswith("o"))
    members = tuple(persona(who, "member") for who in dict.fromkeys(who for who, _ in talk))
    told = Told(talk=talk, question="What now?", options=options, members=members)
    offered = tuple(BallotText(id=key, motion=motion, text=words) for key, (motion, words) in texts.items())
    words = tuple(each.text for each in offered)
    of = {each.id: each.text for each in offered}
    for who, ids in firsts.items():
        taken = tuple(of[key] for key in ids)
        ballot = Ballot(agent=who, choice=taken[0], ranking=taken, approved=taken)
        told.tell(BallotCast(ballot=ballot, choices=options, texts=offered[: len(options)], first=True))
    told.tell(PhaseStarted(phase="ballot", why="messages"))
    ballots = []
    for who, ids in votes.items():
        taken = tuple(of[key] for key in ids)
        ballots.append(Ballot(agent=who, choice=taken[0], ranking=taken, approved=taken))
    told.tell(*(BallotCast(ballot=each, choices=words, texts=offered) for each in ballots))
    reached = verdict(Account(ballots, texts=offered), "majority", 0.5, 1, list(votes))
    told.tell(PhaseStarted(phase="verdict", why="done"), reached, SessionEnded(reason="messages"))
    return report_markdown(report_of(told.session, told.progress, told.memory))


@pytest.fixture(scope="module")
def hall() -> str:
    texts = {"p1.0": ("p1.0", DRAW), "p4.0": ("p1.0", JOINED), "p6.0": ("p1.0", CHARGED)}
    return report(HALL, texts, {"Beatriz": ("p4.0",), "Rosa": ("p6.0", "p4.0"), "Minh": ("p4.0",)}, {})


@pytest.fixture(scope="module")
def boat() -> str:
    texts = {"o1": ("o1", LATE), "o2": ("o2", TAXI), "p4.0": ("o2", STORM), "p6.0": ("o2", ROSTER)}
    last = {"Beatriz": ("p6.0", "p4.0", "o2"), "Minh": ("o1",), "Kofi": ("p6.0", "o1"), "Henrik": ("p6.0", "p4.0")}
    return report(
        BOAT, texts, last, {"Beatriz": ("o2",), "Minh": ("o1",), "Kofi": ("o1", "o2"), "Henrik": ("o2", "o1")}
    )


def test_a_reason_that_holds_a_condition_is_not_all_called_one(hall: str) -> None:
    """ "Minh supported p6.0 on a condition": only the cash was one; that his deposit stays in was his reason."""
    assert "Minh supported it on a condition: “if it may be paid in cash” (m5)." in hall


def test_who_withdrew_a_text_is_not_told_as_for_it(hall: str) -> None:
    """Minh stood as for the diary that he had given up, two lines below his condition."""
    told = [line for line in hall.splitlines() if "Minh" in line and "p2.0" in line]
    assert "(p2.0, by Minh in m2)" in told[0], "it is named first where it was joined to another"
    assert told[1] == "2. Minh withdrew p2.0: “the early birds are always the same” (m5)."
    assert [line.startswith("- p2.0, by Minh, withdrawn: ") for line in told[2:]] == [True]


def test_a_condition_on_an_older_wording_is_told(boat: str) -> None:
    """Beatriz had paid for the storm nights on a condition, and the report had nothing of it."""
    assert re.search(r"Beatriz set a condition for [^\n]*: “", boat)


def test_of_who_adopted_it_no_word_of_the_talk_is_taken_for_what_would_change_its_mind(boat: str) -> None:
    """A wish of m1 stood there of who had left what it was about; of three others that said the same nothing did."""
    assert (AGAIN in boat, LETTER in boat, "What would change minds" in boat) == (False, False, False)


def test_texts_that_begin_alike_are_cut_to_where_words_of_content_differ() -> None:
    """ "… and each winner leaves a deposit" and "… each winner leaves a deposit" hid who pays for the heating."""
    texts = (JOINED, CHARGED)
    assert [each[differs_at(each, 60, texts) :][:21] for each in texts] == [
        "pays £10 an evening f",
        "groups that charge th",
    ]
