"""Reading a voter's answer: whatever a model writes is a valid ballot, or is refused with words that help it."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st
from in_turn import in_one

from eda.events import NONE, Ballot, BallotText
from eda.events.outcome import Doubt
from eda.report.vote_words import doubts_phrase
from eda.runners.answers import ScoredAnswer
from eda.voting import ballot_reader
from eda.voting.answers import read_ballot
from eda.voting.ballot_reader import moved_by, the_one_named
from eda.voting.mentions import lettered
from eda.voting.rules import Counts
from eda.words import Words

CHOICES = ("Go now", "Wait", "Wait a year")


@in_one(
    ("data", "text", "choice"),
    [
        ({"choice": "Wait", "reason": "r"}, "", "Wait"),
        ({"choice": "  wait "}, "", "Wait"),
        ({"choice": "B"}, "", "Wait"),
        ({"choice": "option c)"}, "", "Wait a year"),
        ({"choice": "**Go now**"}, "", "Go now"),
        ({"choice": "We should wait a year."}, "", "Wait a year"),
        ({"choice": None}, "", None),
        ({"choice": "abstain"}, "", None),
        ({"abstain": True}, "", None),
        ({"choice": None, "ranking": ["Wait", "Go now"]}, "", None),
        ({"choice": "no vote", "approved": ["Wait"], "scores": {"Wait": 11}}, "", None),
        ({"choice": "None of these", "scores": {"Wait": 9}}, "", "none"),
        ({"ranking": ["none"]}, "", "none"),
        ({"ranking": "none"}, "", "none"),
        (None, "I vote for none of these.", "none"),
        ({"choice": "me abstengo"}, "", None),
        ({"choice": ["Wait"]}, "", "Wait"),
        ({"choice": {"option": "Wait", "letter": "B"}}, "", "Wait"),
        ({"choice": "Wait", "blocked": ["Wait"]}, "", "Wait"),
        ({"choice": "Wait", "confidence": "rather", "reason": {"r": 1}}, "", "Wait"),
        ({"ranking": [{"choice": "Wait"}, {"choice": "Go now"}]}, "", "Wait"),
        ({"abstain": True, "ranking": ["Wait", "Go now"]}, "", None),
        ({"approved": ["Wait"]}, "", "Wait"),
        ({"approved": ["Wait", "Go now"]}, "", None),
        ({"scores": {"Wait": 3, "Go now": 9}}, "", "Go now"),
        ({"scores": [{"choice": "Wait", "score": 6}, {"choice": "A", "score": 2}]}, "", "Wait"),
        ({"scores": {"Wait": 3, "Go now": 2}}, "", None),
        ({"blocked": ["Wait"]}, "", None),
        ({}, "I vote for: Go now.", "Go now"),
        (None, "b", "Wait"),
        (None, "**B**", "Wait"),
        (None, "Vote: B\nReason: Go now is too dear.", "Wait"),
        (None, "**My vote:** Wait a year\n\nReason: Go now is too dear.", "Wait a year"),
        (None, "I vote for **B. Wait**.\n\nRanking: Wait, Go now", "Wait"),
        ({"choice": "Option B because it keeps both doors open"}, "", "Wait"),
        ({"choice": "Option **C**"}, "", "Wait a year"),
        ({"choice": "B", "blocked": "none"}, "", "Wait"),
        ({"choice": "B", "also": "[]", "blocked": "[]"}, "", "Wait"),
        ({"choice": "B", "blocked": ["None."]}, "", "Wait"),
        ({"ranking": "Wait"}, "", "Wait"),
        (None, "I abstain.", None),
        (None, "Anything but Wait.", None),
    ],
)
def test_a_valid_vote(data: dict[str, Any] | None, text: str, choice: str | None) -> None:
    """Letters, case and a sentence around it are how models answer; none of it may cost a vote."""
    fields, wrong = read_ballot(data, text, CHOICES)
    assert wrong == ""
    assert fields is not None
    assert fields["choice"] == choice


@in_one(
    ("data", "text", "wrong"),
    [
        ({"choice": "Both"}, "", "`choice` says 'Both', which is not one of the texts"),
        ({"choice": "D"}, "", "`choice` says 'D'"),
        ({"choice": "not go now"}, "", "is not one of the texts"),
        ({"choice": 2}, "", "in words"),
        (None, "~~Go now~~ B", "not clear what '~~Go now~~ B' accepts"),
        (None, "A, B, ...", "not clear what ', ...' accepts"),
        (None, "A, …, C", "not clear what"),
        (None, "A..C", "not clear what 'A..C' accepts"),
        (None, "E then C", "'E' is not one of the texts"),
        (None, "Ich stimme gegen Wait.", "speaks of 'Wait' without a vote for it"),
        (None, "a b", "it is not clear in which order the ballot accepts 'Go now' and 'Wait'"),
        (None, "Je ne vote pas pour Wait.", "two ways"),
        ({"ranking": 3}, "", "must be a list"),
        ({"ranking": "Wait > never"}, "", "`ranking` says 'Wait > never'"),
        ({"choice": "Wait", "ranking": ["Go now", "Wait"]}, "", "not the first of `ranking`"),
        ({"choice": "Wait", "ranking": ["none", "Wait"]}, "", "two ways"),
        ({"choice": "Wait", "approved": ["Go now"]}, "", "`approved` leaves out 'Wait'"),
        ({"approved": ["Wait", "Go now"], "blocked": ["Wait"]}, "", "the same option"),
        ({"scores": {"Wait": 11}}, "", "from 0 to 10"),
        ({"scores": {"Wait": float("nan")}}, "", "from 0 to 10"),
        ({"scores": {"Wait": 1, "wait": 2}}, "", "twice"),
        ({"scores": [1, 2]}, "", "each option a number"),
        ({"scores": [{"choice": "Wait", "score": 1}, {"choice": "B", "score": 2}]}, "", "twice"),
        ({"scores": [{"score": 1}]}, "", "each option a number"),
        ({"choice": "Wait", "abstain": True}, "", "at once"),
        ({"choice": "Wait", "abstain": "yes"}, "", "true or false"),
        ({}, "", "is not one of the texts"),
        ({"reason": "r"}, "", "is not one of the texts"),
        ({"ranking": []}, "", "names no text"),
        ({"choice": ["Wait", "Go now"]}, "", "names 2 choices: 'Wait', 'Go now'"),
        ({"choice": "A. Wait"}, "", "names 2 choices: 'Go now', 'Wait'"),
        (None, "Go now or wait, who knows", "names 'Wait' on a condition"),
        (None, "I cannot say", "is not one of the texts"),
        (None, "Natürlich Wait, Größe zählt", "not clear what 'Größe zählt' accepts or refuses"),
        (None, "waiting is good", "'waiting' could mean 'Wait' or 'Wait a year': name the one that you mean by its id"),
        (None, "I do not want to wait", "speaks of 'Wait' without a vote for it"),
        (None, "I vote for Wait.\nMy vote: Go now", "two ways"),
        (None, "I would vote for Wait. But I vote for Go now.", "two ways"),
        (None, "I abstain. My vote: Wait", "two ways"),
        (None, "I vote for Wait if the bank agrees.", "names 'Wait' on a condition"),
        (
            None,
            "Of all that was said, Go now came with the best figures.",
            "not clear what",
        ),
        (None, "", "is not one of the texts"),
    ],
)
def test_what_is_wrong_is_said(data: dict[str, Any] | None, text: str, wrong: str) -> None:
    """A voter that is asked again without being told why makes the same mistake again."""
    fields, said = read_ballot(data, text, CHOICES)
    assert fields is None
    assert wrong in said


_BOXES = (
    BallotText(id="o1", motion="o1", text="A plain box of beech.", title="Plain box"),
    BallotText(id="p2.0", motion="p2", text="The lid gets two hinges.", title="Hinged lid"),
    BallotText(id="p9.0", motion="p9", text="A box and a drawer below it.", title="Drawer box"),
    BallotText(id="p9.1", motion="p9", text="A box with a shelf."),
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "hinged box",
            "'box' could mean o1 ('Plain box') or p9.0 ('Drawer box') or p9.1 ('A box with a shelf.'): name each",
        ),
        ("**Hinged lid** first. 'Plain' leaves it bare.", "not clear what"),
        ("Everything except the plain one, the drawer on top", "it is not clear what the answer accepts or refuses"),
    ],
)
def test_a_question_tells_texts_by_their_titles_and_what_was_not_understood(text: str, told: str) -> None:
    """ "'boat and chairs' names 3 choices outside the form" did not say which, nor what to do."""
    ids = {each.id: each.text for each in _BOXES}
    fields, wrong = read_ballot(None, text, [*ids.values()], ids=ids, shown=_BOXES)
    assert fields is None
    assert told in wrong


@in_one(
    ("counts", "data", "counted"),
    [
        ("scores", {"choice": "Wait"}, False),
        ("scores", {"choice": None, "approved": ["Wait"]}, True),
        ("scores", {"approved": ["Wait"]}, False),
        ("scores", {"choice": "Wait", "scores": {"Wait": 0}}, True),
        ("scores", {"choice": None, "blocked": ["Wait"]}, True),
        ("scores", {"choice": "none"}, True),
        ("approvals", {"choice": "Wait", "ranking": ["Wait"]}, True),
        ("approvals", {"choice": None, "ranking": ["Wait"], "approved": []}, True),
        ("approvals", {"choice": "Wait", "approved": ["Wait"]}, True),
        ("rankings", {"choice": "Wait"}, True),
    ],
)
def test_a_vote_that_says_nothing_of_what_is_counted_is_asked_for_again(
    counts: Counts, data: dict[str, Any], counted: bool
) -> None:
    """It would be in no figure, and in no list of those who abstained either."""
    fields, wrong = read_ballot(data, "", CHOICES, counts)
    assert (fields is not None) == counted
    assert bool(wrong) != counted


def test_everything_that_a_ballot_can_say_is_kept() -> None:
    """A confidence or a block that is dropped in reading is lost for the report."""
    data = {
        "choice": "A",
        "ranking": ["Go now", "C"],
        "also": ["C", "C"],
        "moved_by": "m21",
        "scores": {"a": 9, "B": 0.5},
        "blocked": ["Wait"],
        "confidence": 0.75,
        "reason": "One\nline\tof it.",
        "something": "else",
    }
    fields, _ = read_ballot(data, "", CHOICES, "scores")
    assert Ballot(agent="Ada", **fields) == Ballot(
        agent="Ada",
        choice="Go now",
        ranking=("Go now", "Wait a year"),
        approved=("Go now", "Wait a year"),
        also=("Wait a year",),
        moved_by=21,
        scores={"Go now": 9, "Wait": 0.5},
        blocked=("Wait",),
        confidence=0.75,
        reason="One line of it.",
    )
    long, _ = read_ballot({"choice": "A", "reason": "why " * 500}, "", CHOICES)
    assert len(long["reason"]) <= 300


@pytest.mark.parametrize("ranking", ["B > A > C", "1. Wait\n2. Go now\n3. Wait a year", "Wait, Go now, Wait a year"])
def test_figures_and_lists_in_words_are_read(ranking: str) -> None:
    """Without it a member whose model writes 80 % for 0.8, or one line for a list, has no vote."""
    data = {
        "ranking": ranking,
        "approved": "A; B",
        "scores": {"A": "8/10", "B": "95%", "C": " 1,5"},
        "confidence": "80 %",
    }
    fields, wrong = read_ballot(data, "", CHOICES)
    assert not wrong
    assert fields["ranking"] == fields["approved"] == ("Wait", "Go now")
    assert fields["scores"] == {"Go now": 8, "Wait": 9.5, "Wait a year": 1.5}
    assert fields["confidence"] == 0.8
    written = {**data, "choice": None, "scores": [{"choice": "A", "score": "8/10"}], "blocked": None}
    answer = ScoredAnswer.model_validate(written)
    assert (answer.ranking, answer.blocked, answer.confidence, answer.scores[0].score) == ([ranking], [], 0.8, 8)


def test_who_names_one_choice_in_prose_approves_it() -> None:
    """Where approvals are counted, a vote in plain words would be asked for again, and lost the second time."""
    fields, _ = read_ballot(None, "I vote for B.", CHOICES, "approvals")
    assert (fields["choice"], fields["ranking"], fields["approved"]) == ("Wait", ("Wait",), ("Wait",))


def test_an_option_with_commas_is_one() -> None:
    """Where the words of an option look like a list, the option is what was named."""
    choices = ("Go, then wait", "Wait", "Go")
    assert read_ballot({"ranking": "Go, then wait"}, "", choices)[0]["ranking"] == ("Go, then wait",)
    assert read_ballot({"ranking": "Wait > Go, then wait"}, "", choices)[0]["ranking"] == ("Wait", "Go, then wait")
    assert read_ballot({"ranking": "Go, Go, then wait, Wait"}, "", choices)[0]["ranking"] == ("Go", *choices[:2])
    assert read_ballot({"ranking": "Go, but never wait"}, "", choices)[0]["ranking"] == ("Go",)
    assert read_ballot({"ranking": ["None"]}, "", ("None", "Some"))[0]["ranking"] == ("None",)


def test_letters_never_hide_an_option_of_that_name() -> None:
    """Where an option is called B and stands first, "B" is that option, not the second one."""
    assert the_one_named("B", ("B", "A")) == "B"
    assert the_one_named("b", ("B", "A")) == "B"
    assert the_one_named("a", ("b", "c")) is None


@pytest.mark.parametrize(
    ("data", "accepted"),
    [
        ({"choice": "Wait"}, ("Wait",)),
        ({"choice": "Wait", "ranking": ["Wait", "A", "none", "C"]}, ("Wait", "Go now")),
        ({"choice": "Wait", "ranking": ["Wait", "A", "C"], "approved": ["C", "Wait"]}, ("Wait", "Wait a year")),
        ({"choice": "Wait", "ranking": ["Wait", "A"], "blocked": ["A"]}, ("Wait",)),
        ({"choice": None, "ranking": ["Wait"], "approved": ["Wait"]}, ()),
        ({"choice": "abstain", "ranking": ["Wait"]}, ()),
        ({"scores": {"A": 6, "B": 9, "C": 5}}, ("Wait", "Go now")),
    ],
)
def test_what_a_ballot_accepts_is_what_it_says(data: dict[str, Any], accepted: tuple[str, ...]) -> None:
    """A text that a voter refused would be adopted in its name."""
    fields, wrong = read_ballot(data, "", CHOICES)
    assert fields is not None
    assert (fields["ranking"], fields["approved"], wrong) == (accepted, accepted, "")


def test_of_texts_without_an_order_none_is_made_up() -> None:
    """Who approves of two texts alike would be counted for the one that it happened to write first."""
    fields, _ = read_ballot({"approved": ["Wait", "Go now"]}, "", CHOICES)
    assert fields is not None
    assert (fields["choice"], fields["ranking"], fields["approved"]) == (None, (), ("Wait", "Go now"))
    fields, _ = read_ballot({"scores": {"Wait": 8, "Go now": 8}}, "", CHOICES)
    assert fields is not None
    assert (fields["choice"], fields["ranking"]) == (None, (("Wait", "Go now"),))


def test_none_leaves_what_stands_beside_and_abstaining_leaves_nothing() -> None:
    """Who accepts no answer may still want a pilot; who abstains is asked about it once."""
    none, _ = read_ballot({"choice": "none", "also": ["Wait"], "blocked": ["A"]}, "", CHOICES)
    null, asked = read_ballot({"choice": None, "also": ["Wait"], "blocked": ["A"]}, "", CHOICES)
    assert none is not None
    assert null is not None
    assert (none["choice"], none["also"], none["blocked"]) == (NONE, ("Wait",), ("Go now",))
    assert (null["choice"], null["also"], null["blocked"]) == (None, (), ("Go now",))
    assert null["doubts"] == (Doubt("abstains beside", ("Wait",)),)
    assert "'Wait'" in asked
    assert doubts_phrase(null["doubts"]) == "it abstains, and wants Wait beside the answer all the same (not counted)"


@in_one(
    ("wanted", "number"),
    [
        *(("m21", 21), ("[m3]", 3), (21, 21), ("21", 21), (None, None), ("null", None), (True, None), (-2, None)),
        *(("Petra", None), ("m21, m4", None), (0, None), (2.5, None), ([21], None)),
        *(("m21 (Petra)", 21), ("Petra, m21", 21)),
    ],
)
def test_what_moved_a_voter_is_a_message_or_nothing(wanted: object, number: int | None) -> None:
    """A change of mind would be told of a message that the voter never named."""
    fields, wrong = read_ballot({"choice": "Wait", "moved_by": wanted}, "", CHOICES)
    assert fields is not None
    assert (fields["moved_by"], wrong) == (number, "")


@pytest.mark.parametrize(
    "reason",
    ["I cannot accept p9.1.", "It is late, and I can't support p9.1 because it is dear.", "I still reject “Wait”."],
)
def test_a_reason_that_refuses_what_the_ballot_accepts_is_a_fault_beside_a_ballot(reason: str) -> None:
    """A verdict would name a text that its own voters deny; and a vote that says so twice would be lost."""
    data = {"choice": "Go now", "ranking": ["Go now", "Wait"], "reason": reason}
    fields, fault = read_ballot(data, "", CHOICES, ids={"p9.1": "Wait", "p3.0": "Wait a year"})
    assert fields is not None
    assert fields["ranking"] == ("Go now", "Wait")
    assert fields["doubts"] == (Doubt("refuses", ("p9.1",)),)
    assert fault


@pytest.mark.parametrize(
    "reason",
    [
        "I cannot accept p9.10.",
        "I cannot accept p3.0.",
        "I cannot accept p9.1 without the cap.",
        "Nobody said: I can accept p9.1 only.",
        "I do not refuse p9.1.",
        "Leila's friends say that p9.1 is rejected by Leila.",
    ],
)
def test_where_a_reason_may_mean_something_else_nobody_is_asked(reason: str) -> None:
    """A voter who is asked for no reason may give way."""
    data = {"choice": "Wait", "reason": reason}
    assert read_ballot(data, "", CHOICES, ids={"p9.1": "Wait", "p3.0": "Wait a year"})[1] == ""


def test_a_text_beside_the_answer_that_cannot_be_read_costs_no_vote() -> None:
    """A slip in the second question would throw away the answer to the first."""
    fields, fault = read_ballot({"choice": "Wait", "also": ["a tunnel"]}, "", CHOICES)
    assert fields is not None
    assert (fields["choice"], fields["also"]) == ("Wait", ())
    assert fields["doubts"] == (Doubt("unknown", field="also", words="a tunnel"),)
    assert fault


@pytest.mark.parametrize(
    ("data", "accepted", "wrong"),
    [
        ({"choice": "Wait", "ranking": ["Wait", "a tunnel"]}, ("Wait",), "`ranking` says 'a tunnel'"),
        ({"choice": "Wait", "ranking": ["a tunnel", "Go now"]}, ("Wait",), "`ranking` says 'a tunnel'"),
        ({"choice": "Wait", "approved": ["Wait", "a tunnel"]}, ("Wait",), "`approved` says 'a tunnel'"),
        ({"choice": "Wait", "ranking": 3}, ("Wait",), "must be a list"),
        ({"ranking": ["Wait", "go now", "WAIT"]}, ("Wait", "Go now"), ""),
        ({"choice": "None of these", "ranking": ["Wait", "Go now"]}, (), "refuses every text"),
        ({"choice": "none", "approved": ["Wait"]}, (), "refuses every text"),
    ],
)
@pytest.mark.parametrize("counts", ["firsts", "rankings", "approvals", "blocks"])
def test_a_list_of_which_a_name_cannot_be_read_is_asked_about(
    counts: Counts, data: dict[str, Any], accepted: tuple[str, ...], wrong: str
) -> None:
    """Texts that a voter accepts were lost without a word, because the rule seemed not to count the list."""
    fields, fault = read_ballot(data, "", CHOICES, counts)
    assert fields is not None
    assert (fields["ranking"], fields["approved"]) == (accepted, accepted)
    assert wrong in fault


@pytest.mark.parametrize(
    ("data", "text", "choice", "ranking"),
    [
        (None, "A = C > B", None, (("Go now", "Wait a year"), "Wait")),
        ({"ranking": [["A", "C"], "B"]}, "", None, (("Go now", "Wait a year"), "Wait")),
        ({"ranking": [["A", "A"]]}, "", "Go now", ("Go now",)),
        ({"ranking": [[], ["A", "C", "A"], []]}, "", None, (("Go now", "Wait a year"),)),
        ({"ranking": ["B", ["A", "C"], "none"]}, "", "Wait", ("Wait", ("Go now", "Wait a year"))),
        ({"choice": "C", "ranking": [["A", "C"], "B"]}, "", "Wait a year", ("Wait a year", "Go now", "Wait")),
        ({"ranking": [["A", "C"], "B"], "blocked": ["A"]}, "", "Wait a year", ("Wait a year", "Wait")),
    ],
)
def test_a_rank_may_be_a_list(data: Any, text: str, choice: str | None, ranking: tuple[Any, ...]) -> None:
    """Two texts that are equally good would be put in an order that nobody gave."""
    fields, _ = read_ballot(data, text, CHOICES)
    assert fields is not None
    assert (fields["choice"], fields["ranking"]) == (choice, ranking)
    assert read_ballot({"ranking": [["A", "none"]]}, "", CHOICES)[0] is None


def test_who_ranks_first_what_cannot_be_read_has_no_first_choice() -> None:
    """The second place of a ballot would count as its first."""
    fields, wrong = read_ballot({"ranking": ["a tunnel", "Wait"]}, "", CHOICES)
    assert fields is None
    assert "a tunnel" in wrong


words = st.sampled_from(
    [
        *(*CHOICES, "wait", "none", "A", "c)", "Z", "abstain", "", "go now and wait", "\ud800", "x" * 500),
        *("p9.1: Wait", "P3 (a year)"),
    ]
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words | st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)
answers = st.fixed_dictionaries(
    {},
    optional={
        "choice": words | anything,
        "ranking": st.lists(words, max_size=5) | anything,
        "approved": st.lists(words, max_size=5) | anything,
        "scores": st.dictionaries(words, st.floats() | st.integers(), max_size=4) | anything,
        "blocked": st.lists(words, max_size=3) | anything,
        "also": st.lists(words, max_size=3) | anything,
        "moved_by": words | anything,
        "confidence": st.floats() | anything,
        "reason": st.text() | anything,
        "abstain": st.booleans() | anything,
        "other": anything,
    },
)


@example(data={"ranking": ["abstain"]}, text="Go now")  # an abstention in a list
@example(data={"blocked": ["abstain"], "scores": {"none": 1.0}}, text="Go now")
@example(data={"ranking": {"²": None}}, text="Go now")  # a digit that is no number
@example(data={"ranking": {"1" * 5000: None}}, text="Go now")  # a number that Python does not read
@settings(max_examples=settings().max_examples * 4)
@given(st.none() | answers, words | st.text())
def test_any_answer_is_a_valid_ballot_or_is_refused(data: dict[str, Any] | None, text: str) -> None:
    """One strange answer must not end a debate, nor put on record a ballot that says two things."""
    fields, wrong = read_ballot(data, text, CHOICES, ids={"p9.1": "Wait", "p3.0": "Wait a year"})
    if fields is None:
        assert wrong
        assert "\n" not in wrong
        assert len(wrong) < 200
        return
    ballot = Ballot(agent="Ada", **fields)
    named = (*ballot.ranking, *ballot.approved, *ballot.blocked, *ballot.scores)
    assert {ballot.choice, *named, *ballot.also} <= {None, NONE, *CHOICES}
    assert NONE not in named
    assert set(ballot.ranking) <= set(ballot.approved)
    assert not set(ballot.approved) & set(ballot.blocked)
    assert ballot.choice not in (None, NONE) or not ballot.ranking
    assert len(set(ballot.ranking)) == len(ballot.ranking)
    assert ballot.choice not in ballot.blocked
    assert not ballot.ranking or ballot.choice == ballot.ranking[0]
    assert all(0 <= score <= 10 for score in ballot.scores.values())
    assert ballot.confidence is None or 0 <= ballot.confidence <= 1
    assert "\n" not in ballot.reason


@pytest.mark.parametrize(
    ("ranking", "choice"), [("none", NONE), (["none"], NONE), ("abstain", None), (["Abstain."], None)]
)
def test_a_ranking_may_be_none_or_an_abstention_alone(ranking: Any, choice: str | None) -> None:
    fields, wrong = read_ballot({"ranking": ranking, "reason": "so"}, "", ("Buy", "Wait"))
    assert (fields and fields["choice"], wrong) == (choice, "")


def test_an_abstention_at_the_head_of_a_ranking_is_asked_about() -> None:
    fields, wrong = read_ballot({"ranking": ["abstain", "Buy"]}, "", ("Buy", "Wait"))
    assert fields is None
    assert wrong


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("B because it is cheap", "it is cheap"),
        ("B, then A", ""),
        ("Meine Stimme: B, danach A. Mit freundlichen Grüßen, Beatriz", ""),
        ("B. Grund: der Beitrag trägt die Miete. Herzliche Grüße", "der Beitrag trägt die Miete."),
        (
            '```json\n{"stimme": "B", "abgelehnt": ["A"], "grund": "die Zahl wird genannt"}\n```',
            "die Zahl wird genannt",
        ),
        ("1. Wait\n2. Go now", ""),
    ],
)
def test_a_reason_is_what_stands_behind_a_word_that_says_so(text: str, reason: str) -> None:
    """What a voter gave as its reason was in the log alone, and its raw ballot stood there as its reason."""
    fields, wrong = read_ballot(None, text, CHOICES)
    assert (fields and fields["reason"], wrong) == (reason, "")


def test_a_slash_may_be_a_tie() -> None:
    assert read_ballot(None, "C/A, B", CHOICES)[0] is None
    doubt = ballot_reader.read_ballot("C/A, B", lettered(CHOICES)).ask
    assert doubt == Doubt("no order", ("Wait a year", "Go now", "Wait"))


def test_what_is_wrong_is_said_in_the_language_of_who_reads_it() -> None:
    """A person in a German debate was told in English why a vote did not count."""
    for data in ({"choice": "D"}, {"choice": "Wait", "ranking": ["Go now", "Wait"]}, {"ranking": 3}):
        english, german = (read_ballot(data, "", CHOICES, language=Words(each))[1] for each in ("en", "de"))
        assert english != german
        assert all(name in german for name in ("Wait", "Go now") if name in english)


@pytest.mark.parametrize("nothing", ["Nothing besides.", "Nothing in addition.", "nothing beside the answer"])
def test_nothing_besides_is_an_answer_and_no_vote_for_none(nothing: str) -> None:
    """The ballot's own words came back as a question."""
    words = f"I vote for Go first, then Wait. {nothing} Rosa moved me, in m11."
    fields, wrong = read_ballot(None, words, ("Go", "Wait", "Stop"))
    assert fields is not None
    assert (fields["ranking"], fields["also"], fields["moved_by"], wrong) == (("Go", "Wait"), (), 11, "")


@pytest.mark.parametrize(("said", "moved"), [("m 9", 9), ("M 9 (Ada)", 9), ("I'm 9", None), ("m9 and m10", None)])
def test_what_moved_a_voter_is_read_with_a_blank_in_it(said: str, moved: int | None) -> None:
    """ "m 9" was lost, and nobody was told."""
    assert moved_by({"moved_by": said}) == moved


def test_an_answer_of_thousands_of_words_for_next_is_read_in_bounded_steps() -> None:
    """Each looked at all that stands behind it: 2,500 took 14 s."""
    begun = process_time()
    read_ballot(None, "I choose Wait " + "[NEXT " * 2500, CHOICES)
    assert process_time() - begun < 2
