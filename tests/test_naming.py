"""Which choice an answer names: by its words or a part of them, by its letter, or in prose; never by a guess."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eda.events import NONE
from eda.events.doubts import Doubt
from eda.voting.choices import telling
from eda.voting.naming import choice_in, no_choice, the_one_named, vote_in
from eda.voting.questions import question

BOTH = Doubt("two texts", ("Stay native", "Rewrite in Flutter"))
UNKNOWN = Doubt("unknown")
APP = ("Rewrite in Flutter", "Stay native")
DATES = ("by June", "by September", "later than 2026")
FERRY = ("Electric ferry", "Diesel ferry with a new engine", "A bridge")
PLAN = (
    "End the free plan, with 60 days' notice",
    "Cap it at 30 bookings a month, with a cheap plan above",
    "Keep it as it is and raise Solo to 15 euros",
)
WAIT = ("Wait a year", "Wait", "Go now")
HIRE = ("Do not hire", "Hire two engineers")
FLAWS = (
    "The old tables are dropped on the night of the cutover, because nobody keeps two copies, so there is no way back.",
    "The nightly invoice job depends on one HTTP endpoint, because it has no retry, and a burst stops all invoices.",
    "I propose that we delay the cutover to 1 April.",
)


@pytest.mark.parametrize(
    ("text", "choices", "named"),
    [
        ("**by September**", DATES, 1),
        ("STAY NATIVE.", APP, 1),
        ("(b)", APP, 1),
        ("C. later than 2026", DATES, 2),
        ("2. by September", DATES, 1),
        ("Option B, since Flutter is dear", APP, 1),
        ("September 2026", DATES, 1),
        ("by Septmber", DATES, 1),
        ("Staying native", APP, 1),
        ("Stay with native code", APP, 1),
        ("Flutter", APP, 0),
        ("native (for now)", APP, 1),
        ("Stay native, not Flutter", APP, 1),
        ("Cap at 30", PLAN, 1),
        ("Diesel, new engine", FERRY, 1),
        ("El ferry eléctrico", FERRY, 0),
        ("wait", WAIT, 1),
        ("Wait one year", WAIT, 0),
        ("don’t hire", HIRE, 0),
        ("Old tables dropped on the night of the cutover, so no way back", FLAWS, 0),
        ("Invoice job on one HTTP endpoint", FLAWS, 1),
        ("Delay to 1 April", FLAWS, 2),
        ("No, we should not", ("Yes", "No"), 1),
        ("nothing", ("Do nothing", "Hire two engineers"), 0),
        ("Stay native (cheaper, no risk)", APP, 1),
        ("Stay native - no rewrite", APP, 1),
    ],
)
def test_a_choice_is_named_by_a_part_that_no_other_choice_has(text: str, choices: tuple[str, ...], named: int) -> None:
    """Without it a member that shortens its choice is asked again, shortens it again, and has no vote."""
    assert choice_in(text, choices) == (choices[named], None)
    assert the_one_named(text, choices) == choices[named]


@pytest.mark.parametrize(
    ("text", "choices", "wrong"),
    [
        ("Stay native in Flutter", APP, BOTH),
        ("by June or by September", DATES, Doubt("two texts", ("by June", "by September"))),
        ("ferry", FERRY, Doubt("two texts", ("Electric ferry", "Diesel ferry with a new engine"))),
        ("A. by September", DATES, Doubt("two texts", ("by June", "by September"))),
        (
            "Stay native; on second thought, Rewrite in Flutter",
            APP,
            BOTH,
        ),
        ("both", APP, UNKNOWN),
        ("a tunnel", FERRY, UNKNOWN),
        ("by July", DATES, UNKNOWN),
        ("before September", DATES, UNKNOWN),
        ("2026", DATES, Doubt("another sense", ("later than 2026",))),
        ("Cap at 20", PLAN, UNKNOWN),
        ("free plan", PLAN, Doubt("another sense", (PLAN[0],))),
        ("Do not end the free plan", PLAN, UNKNOWN),
        ("hire", ("Do not hire", "Wait a year"), Doubt("another sense", ("Do not hire",))),
        ("anything but Stay native", APP, UNKNOWN),
        ("not Flutter", APP, UNKNOWN),
        ("abstain, although Stay native is nearer", APP, Doubt("denied", ("Stay native",))),
        ("Stay native if the test fails", APP, Doubt("on a condition", ("Stay native",))),
        ("Yes, but not now", ("Yes", "No"), Doubt("denied", ("Yes",))),
        ("Z", APP, UNKNOWN),
        ("", APP, UNKNOWN),
    ],
)
def test_an_answer_that_could_mean_something_else_names_none(text: str, choices: tuple[str, ...], wrong: Doubt) -> None:
    """Without it somebody's vote is counted for what they did not vote for."""
    assert choice_in(text, choices) == (None, wrong)


@pytest.mark.parametrize(
    ("text", "choices", "named"),
    [
        ("I reject the electric ferry and the diesel one; my vote is for a bridge.", FERRY, 2),
        ("I like the bridge, but I vote for the electric ferry.", FERRY, 0),
        ('Based on the discussion, I would say "by September", although "by June" is not impossible.', DATES, 1),
        ("Final answer: by June", DATES, 0),
        ("I vote for A. It gets 9 out of 10.", FLAWS, 0),
        ("So my vote is A.", FLAWS, 0),
        ('Ich stimme für "Stay native".', APP, 1),
        ("I'll go with native.", APP, 1),
    ],
)
def test_prose_is_read_by_its_words_of_voting(text: str, choices: tuple[str, ...], named: int) -> None:
    """Without it a vote in plain words is lost, or counted for the choice that it mentions first."""
    assert vote_in(text, choices) == (choices[named], None)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("I think both have merit and I could live with either.", UNKNOWN),
        ("I would never vote for Stay native", UNKNOWN),
        ("Stay native in Flutter.", BOTH),
        ("If I vote for Stay native, we lose a year.", UNKNOWN),
        ("I vote for Stay native if the test fails.", Doubt("on a condition", ("Stay native",))),
        (
            "I vote for Stay native. No: my vote is Rewrite in Flutter.",
            BOTH,
        ),
        ("I abstain. If pressed: my vote is Stay native.", Doubt("two texts", ("Stay native", "abstain"))),
        ("Stay native has been the plan of this company for ten years.", Doubt("no vote", ("Stay native",))),
    ],
)
def test_prose_that_does_not_say_it_votes_is_asked_about(text: str, wrong: Doubt) -> None:
    """Without it whoever mentions a choice, doubts it or sets a condition has voted for it."""
    assert vote_in(text, APP) == (None, wrong)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I abstain", "abstain"),
        ("Abstention", "abstain"),
        ("No vote", "abstain"),
        ("N/A", "abstain"),
        ("null", "abstain"),
        ("me abstengo", "abstain"),
        ("abstain, though I could live with native", "abstain"),
        ("None of the above", "none"),
        ("neither", "none"),
        ("none of these three - I want a tunnel", "none"),
        ("keine von beiden", "none"),
        ("Stay native", ""),
        ("no vote for Flutter", ""),
    ],
)
def test_no_vote_and_none_of_these_are_told_apart_and_final(text: str, kind: str) -> None:
    """Without it an abstention becomes a vote for whatever else the answer names."""
    assert no_choice(text, APP) == kind
    if kind:
        assert vote_in(text, APP) == (NONE if kind == "none" else None, None)
    assert no_choice(text, (text,)) == ""


def test_none_in_one_word_is_none_whatever_a_text_says_of_nothing() -> None:
    """Who accepts none of the texts would be asked again because one of them says that nothing is published."""
    texts = ("Nothing is published before March", "Publish in May")
    assert no_choice("none", texts) == NONE
    assert no_choice("nothing", texts) == ""
    assert vote_in("none", texts) == (NONE, None)


@pytest.mark.parametrize(
    "text",
    [
        "I abstain: nobody gave a cost.",
        "I will abstain from this vote, although staying native is the nearer one to me.",
        "I don't vote.",
    ],
)
def test_an_abstention_in_prose_is_valid(text: str) -> None:
    """Without it whoever says in a sentence that they abstain is asked until they name something."""
    assert vote_in(text, APP) == (None, None)


@pytest.mark.parametrize("text", ["None of these two. I want a tunnel.", "Neither option is acceptable to me."])
def test_who_wants_none_of_them_in_prose_has_voted_so(text: str) -> None:
    """A refusal of all texts would be taken for no vote, and not count for the quorum."""
    assert vote_in(text, APP) == (NONE, None)


@given(st.text(), st.lists(st.text(max_size=12), max_size=5))
def test_no_text_breaks_the_reading_and_none_names_a_choice_that_is_not_there(text: str, choices: list[str]) -> None:
    """Without it one strange answer ends the debate, or votes for something that nobody offered."""
    for read in (choice_in, vote_in):
        choice, wrong = read(text, choices)
        assert choice is None or (choice in (*choices, NONE) and not wrong)
        assert "\n" not in question([wrong] if wrong else [], choices, {})


def test_a_fault_quotes_on_one_line() -> None:
    """Without it a long answer with line breaks fills the status line and the log."""
    assert "'a b'" in question([Doubt("unknown", field="also", words="a\n b")], (), {})
    assert len(question([Doubt("unknown", field="also", words="word " * 50)], ("word",), {})) < 130


def test_the_telling_words_are_those_that_distinguish_two_choices() -> None:
    """Without it "the one in the middle" shares words with every choice, and each answer names two."""
    assert telling("Keep it as it is, and raise the IT-budget!") == ["Keep", "raise", "IT", "budget"]
