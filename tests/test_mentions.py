"""Which texts a piece of writing names."""

from __future__ import annotations

from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given, strategies as st
from in_turn import each_other, in_one

from eda.voting.mentions import NamedText, mentions

TABLE = (
    NamedText("o1", "We plant an oak in front of the school.", "Plant an oak", "A", "Edda Marsh"),
    NamedText("o2", "We plant an oak and two limes.", "Plant an oak and limes", "B", "Jory"),
    NamedText("p3.0", "The yard becomes a pond for frogs.", "Frog pond", "C", "Ilse"),
    NamedText("p3.1", "The yard becomes a pond with a fence around it.", "Fenced pond", "D", "Ilse"),
    NamedText("p9.0", "Nothing is planted before the drains are repaired.", "Drains before trees", "E", "Otis"),
)


def read(raw: str, *, by_words: bool = False) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(raw[each.start : each.end], each.how, each.ids) for each in mentions(raw, TABLE, by_words=by_words)]


@in_one(
    ("raw", "wanted"),
    [
        ("P3.0 and (o2).", [("P3.0", "id", ("p3.0",)), ("o2", "id", ("o2",))]),
        ("p9", [("p9", "id", ("p9.0",))]),
        ("p3", [("p3", "id", ())]),
        ("p7.2, o10", [("p7.2", "id", ()), ("o10", "id", ())]),
        ("plant an OAK and limes", [("plant an OAK and limes", "title", ("o2",))]),
        ("Plant an oak", [("Plant an oak", "title", ("o1",))]),
        ("the yard becomes a pond for frogs", [("the yard becomes a pond for frogs", "text", ("p3.0",))]),
        ('"a pond with a fence"', [("a pond with a fence", "quotation", ("p3.1",))]),
        ('"The yard becomes a pond"', [("The yard becomes a pond", "quotation", ("p3.0", "p3.1"))]),
        ("Edda's, then edda marsh", [("Edda", "author", ("o1",)), ("edda marsh", "author", ("o1",))]),
        ("Ilse", [("Ilse", "author", ("p3.0", "p3.1"))]),
        ("b d", [("b", "letter", ("o2",)), ("d", "letter", ("p3.1",))]),
        ("🅱️ Ⓒ", [("🅱", "letter", ("o2",)), ("Ⓒ", "letter", ("p3.0",))]),
        ("a pity, and d'accord, I'd say", []),
        ("b, then a", [("b", "letter", ("o2",)), ("a", "letter", ("o1",))]),
        ("B e D", [("B", "letter", ("o2",)), ("D", "letter", ("p3.1",))]),
        ("bad p2.0.1x", [("p2.0", "id", ())]),
        ("", []),
    ],
)
def test_names_are_found_longest_first(raw: str, wanted: list[object]) -> None:
    assert read(raw) == wanted


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ("the frog thing", [("frog", "words", ("p3.0",))]),
        ("a pond", [("pond", "words", ("p3.0", "p3.1"))]),
        ("a fenced pond", [("fenced pond", "title", ("p3.1",))]),
        ("fences round the pond", [("fences", "words", ("p3.1",)), ("pond", "words", ("p3.0", "p3.1"))]),
        ("front of the school", []),
        ("lunch", []),
    ],
)
def test_words_name_the_one_text_that_they_fit(raw: str, wanted: list[object]) -> None:
    """A word that only the body of a text has names none: it is an argument as often as a name."""
    assert read(raw, by_words=True) == wanted


def test_texts_without_title_and_letter_are_named_by_their_words() -> None:
    rows = [{"id": "yes", "text": "Yes"}, {"id": "no", "text": "No"}]
    assert [each.one for each in mentions("YES, not no", rows)] == ["yes", "no"]
    assert not mentions("A", rows)


@pytest.mark.parametrize(
    ("first", "second"), [(("o1", "o2"), ("o2", "x")), (("o1", "B"), ("o2", "b")), (("o1", "7"), ("o2", "7"))]
)
def test_a_title_that_is_another_texts_name_is_in_doubt(first: tuple[str, str], second: tuple[str, str]) -> None:
    rows = [NamedText(key, "x y", title, letter) for (key, title), letter in zip((first, second), "AB", strict=True)]
    assert [each.ids for each in mentions(first[1], rows)] == [("o1", "o2")]


@pytest.mark.parametrize(
    "unit", each_other(["a ", "plant an oak and ", "x", '"the yard becomes ', "drians ", "B\n", "\u0301"], 1)
)
def test_the_time_grows_with_the_length(unit: str) -> None:
    """A member may write a hundred thousand characters."""
    begun = process_time()
    mentions((unit * 100_000)[:100_000], TABLE, by_words=True)
    assert process_time() - begun < 5


@given(st.text(max_size=60), st.sampled_from(TABLE), st.text(max_size=60))
def test_an_id_apart_from_other_words_is_found_with_its_place(before: str, text: NamedText, after: str) -> None:
    raw = f"{before} \n{text.id}\n {after}"
    at = len(before) + 2
    assert any(each.start == at and each.ids == (text.id,) for each in mentions(raw, TABLE))


@given(st.text(max_size=300))
def test_mentions_stand_in_order_and_apart(raw: str) -> None:
    spans = [(each.start, each.end) for each in mentions(raw, TABLE, by_words=True)]
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert all(0 <= start < end <= len(raw) for start, end in spans)
