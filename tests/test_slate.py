"""What a ballot offers: what was given, and every open text of the motions that members took up."""

from __future__ import annotations

from typing import Any

import pytest

from eda.events import BallotText
from eda.events.records import Motion, Proposal, Reaction
from eda.memory.minutes.motions import motions_of
from eda.voting import given, shown_order, slate

OPTIONS = ("Go now", "Wait")


def text(number: int, words: str, *backers: str, **more: Any) -> Proposal:
    reactions = tuple(Reaction(number + 1, who, "support", f"p{number}.0") for who in backers)
    fields = {"source": "declared", "reactions": reactions, **more}
    return Proposal(f"p{number}.0", number, "Ada", words, **fields)


def motions(*texts: Proposal, options: tuple[str, ...] = ()) -> tuple[Motion, ...]:
    first = [Proposal(f"o{place}", 0, "", words, source="procedure") for place, words in enumerate(options, 1)]
    return motions_of(first, texts)


def ids(*texts: Proposal, options: tuple[str, ...] = (), question: str = "Which?", **more: Any) -> list[str]:
    return [each.id for each in slate(question, options, motions(*texts, options=options), **more).texts]


@pytest.mark.parametrize(
    ("question", "options", "wanted"),
    [
        ("Which?", OPTIONS, [("o1", "Go now"), ("o2", "Wait")]),
        ("Should we sell it?", (), [("yes", "Yes"), ("no", "No")]),
        ("Should we sell it or not?", (), [("yes", "Yes"), ("no", "No")]),
        ("Should we sell it or paint it?", (), []),
        ("What now?", (), []),
        ("Which?", ("Go now", "go now."), [("o1", "Go now")]),
        ("どちら？", ("支払いを移す", "支払いを移さない"), [("o1", "支払いを移す"), ("o2", "支払いを移さない")]),
    ],
)
def test_what_was_given_with_the_question(
    question: str, options: tuple[str, ...], wanted: list[tuple[str, str]]
) -> None:
    """A first ballot on anything else than what was given has nothing to be compared with."""
    texts = given(question, options)
    assert [(each.id, each.text) for each in texts] == wanted
    assert all(each.motion == each.id for each in texts)


def test_options_come_first_and_then_motions_by_their_support() -> None:
    """What four of five stand behind must be on the ballot, and what most want must not be the one left out."""
    texts = (text(3, "Sell it", "Bo"), text(5, "Paint it", "Bo", "Cy"), text(7, "Ask the neighbours"))
    assert ids(*texts, options=OPTIONS) == ["o1", "o2", "p5.0", "p3.0", "p7.0"]
    assert ids(*texts, options=OPTIONS, source="options") == ["o1", "o2"]
    assert ids(*texts, options=OPTIONS, source="proposals") == ["p5.0", "p3.0", "p7.0"]
    assert ids(*texts, question="Should we?") == ["yes", "no", "p5.0", "p3.0", "p7.0"]
    standing = text(9, "Keep it", status="accepted")
    assert ids(*texts, standing)[0] == "p9.0"


def test_versions_stand_under_their_motion() -> None:
    """An amended option is a wording of that option, not a rival of it."""
    amended = text(4, "Go now, with a rollback", amends="o1")
    again = text(6, "Go in May", amends="p4.0")
    offered = slate("Which?", OPTIONS, motions(amended, again, text(8, "Sell it"), options=OPTIONS)).texts
    assert [(each.id, each.motion) for each in offered] == [
        ("o1", "o1"),
        ("p4.0", "o1"),
        ("p6.0", "o1"),
        ("o2", "o2"),
        ("p8.0", "p8.0"),
    ]


def test_only_open_texts_that_a_member_took_up_can_be_voted_on() -> None:
    """What its author withdrew, what a verdict refused, and what nobody but a pattern ever named, is nobody's wish."""
    closed = [text(at, f"Plan {at}", status=status) for at, status in enumerate(("withdrawn", "rejected", "struck"), 1)]
    guessed = text(20, "Guess", source="pattern")
    assert ids(*closed, guessed, text(30, "Sell it")) == ["p30.0"]
    named = text(21, "Named", source="pattern", reactions=(Reaction(22, "Bo", "support", "p21.0", link="id"),))
    assert ids(named) == ["p21.0"]


def test_two_motions_merged_stay_one_when_the_merging_text_is_withdrawn() -> None:
    """Both roots are still on the table, as wordings of one motion; neither may vanish."""
    one, other = text(1, "Look-up in December"), text(2, "Calls first")
    merged = text(3, "Calls, then look-up", amends="p1.0", joins=("p2.0",), status="withdrawn")
    offered = slate("Which?", (), motions(one, other, merged)).texts
    assert [(each.id, each.motion) for each in offered] == [("p1.0", "p1.0"), ("p2.0", "p1.0")]


def test_what_joins_two_options_is_a_third_answer() -> None:
    """Who votes for one option alone refuses its merger with the other; that vote decided for the merger."""
    merged = text(3, "Go now, in two steps", amends="o1", joins=("o2",))
    offered = slate("Which?", OPTIONS, motions(merged, options=OPTIONS)).texts
    assert [(each.id, each.motion) for each in offered] == [("o1", "o1"), ("o2", "o2"), ("p3.0", "p3.0")]


@pytest.mark.parametrize("words", ["Go now", "go now.", " “Go  now” "])
def test_the_same_words_are_offered_once(words: str) -> None:
    """Two versions with the same text would split its votes, and a ballot names texts by their words."""
    assert ids(text(3, words, amends="o1"), text(5, words), options=OPTIONS) == ["o1", "o2"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Move the billing service next quarter", "We should move our billing services in the next quarter."),
        ("Hire 2 engineers", "Hire 3 engineers"),
        ("Fund schools and roads", "Fund schools or roads"),
        ("支払いを移す", "支払いを移さない"),
    ],
)
def test_texts_that_only_look_alike_both_stand(one: str, other: str) -> None:
    """The engine would decide which of two texts their authors meant."""
    assert ids(text(1, one), text(2, other)) == ["p1.0", "p2.0"]


def test_of_forty_motions_the_more_supported_are_offered_and_the_others_named() -> None:
    """A motion that is left out in silence was never on the table for those who wrote it."""
    many = [text(at, f"Plan {at}", *("Bo", "Cy")[: at % 3]) for at in range(1, 41)]
    offered, left_out = slate("Which?", OPTIONS, motions(*many, options=OPTIONS))
    assert [each.id for each in offered] == ["o1", "o2", "p2.0", "p5.0", "p8.0", "p11.0", "p14.0", "p17.0"]
    assert len(left_out) == 34
    assert left_out[:2] == ("p20.0", "p23.0")
    ten = tuple(f"Option {at}" for at in range(10))
    assert slate("Which?", ten, motions(*many[:2], options=ten)).left_out == ("p2.0", "p1.0")


def test_versions_take_no_place_of_a_motion() -> None:
    """Three wordings of one plan would push out another plan."""
    versions = [text(at, f"Plan, version {at}", amends="p1.0" if at > 1 else None) for at in range(1, 13)]
    offered, left_out = slate("Which?", (), motions(*versions, text(20, "Other")), most=2)
    assert (len(offered), left_out) == (13, ())


def test_the_order_shown_is_the_voters_own_and_keeps_versions_beside_their_motion() -> None:
    """Without it whatever stands first gains; and a version far from its motion looks like a rival."""
    texts = [BallotText(id=f"{key}{at}", motion=key, text=f"{key}{at}") for key in "abcd" for at in range(3)]
    assert shown_order(texts, 1, "Ada") == shown_order(texts, 1, "Ada")
    assert {shown_order(texts, seed, "Ada")[0] for seed in range(200)} == set(texts)
    assert len({shown_order(texts, 1, name) for name in ("Ada", "Bo", "Cy", "Di")}) > 1
    for seed in range(20):
        shown = [each.motion for each in shown_order(texts, seed, "Ada")]
        assert sorted(shown) == [each.motion for each in texts]
        assert [key for at, key in enumerate(shown) if at % 3 == 0] == list(dict.fromkeys(shown))
