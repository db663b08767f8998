"""Recall: every message of a conversation can be found again, by words, speaker, topic and place."""

from __future__ import annotations

import random
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Thread

import pytest
from hypothesis import given, settings, strategies as st
from in_turn import in_one
from kept_recall import KeptRecall

from eda.errors import UsageError
from eda.events import MessagePosted
from eda.events.records import Line
from eda.memory.recall import recall as module
from eda.memory.recall.index import Postings, _stemmed, _stemmer, newest
from eda.memory.recall.recall import Recall, excerpts

TALK = (
    ("Maya", "The invoices are late again, and nobody in billing knows why.", "billing"),
    ("Ben", "Could we move the queue to Postgres before the summer?", "storage"),
    ("Maya", "Only if somebody measures it first, with the load of a real working week.", "storage"),
    ("Ben", "I went to the museum on the third of May.", None),
    ("Cleo", "Le café était fermé, alors nous avons mangé ailleurs.", None),
    ("Ben", "Invoices again: the printer was deciding by itself.", "Billing"),
    ("Maya", "我们在北京见面。", None),
)

FORMS = (
    "decide",
    "deciding",
    "decided",
    "cafe",
    "café",
    "cafés",
    "billing",
    "bill",
    "news",
    "new",
    "京",
    "münchen",
    "x",
)


def _message(number: int, text: str, who: str = "Maya", topic: str | None = None) -> MessagePosted:
    return MessagePosted(number=number, who=who, text=text, topic=topic)


def _talk() -> KeptRecall:
    recall = KeptRecall()
    for number, (who, text, topic) in enumerate(TALK, 1):
        recall.add(_message(number, text, who, topic))
    return recall


def _numbers(recall: Recall, query: str, **filters: object) -> list[int]:
    return [found.message_id for found in recall.search(query, **filters)]  # type: ignore[arg-type]


@given(
    texts=st.lists(st.text(max_size=80), min_size=1, max_size=30),
    place=st.integers(0, 29),
    around=st.tuples(st.text(alphabet="abc .,", max_size=30), st.text(alphabet="abc .,", max_size=30)),
)
def test_a_message_with_a_word_of_its_own_is_found_first_and_at_once(
    texts: list[str], place: int, around: tuple[str, str]
) -> None:
    """What somebody just said could not be found, or something said beside it came first."""
    recall = KeptRecall()
    place %= len(texts)
    for number, text in enumerate(texts, 1):
        words = f"{around[0]} qzxvkw {around[1]}" if number == place + 1 else text
        recall.add(_message(number, words))
        if number == place + 1:
            assert _numbers(recall, "qzxvkw")[0] == number
    assert _numbers(recall, "qzxvkw")[0] == place + 1
    assert recall.count == len(texts)


def test_forms_of_a_word_case_and_accents_do_not_matter() -> None:
    """Who asks for a decision would have to know the very form in which it was said."""
    recall = _talk()
    assert _numbers(recall, "DECIDED")[0] == 6
    assert _numbers(recall, "cafe ferme")[0] == 5
    assert _numbers(recall, "cafe\u0301")[0] == 5
    assert _numbers(recall, "北京")[0] == 7


def test_who_said_it_and_what_they_answered_are_found_with_it() -> None:
    """The answer holds none of the question's words, so a search by words alone would find half of the exchange."""
    recall = _talk()
    assert _numbers(recall, "queue in Postgres")[0] == 2
    assert 3 in _numbers(recall, "queue in Postgres", until=4)
    assert _numbers(recall, "Postgres", speaker="maya", since=2)[0] == 3


def test_a_speaker_named_in_the_query_comes_first() -> None:
    """What did Ben say: a message about Ben would come before what Ben said."""
    recall = _talk()
    assert _numbers(recall, "What did Ben say about the invoices?")[0] == 6
    assert _numbers(recall, "What did Maya say about the invoices?")[0] == 1
    assert _numbers(recall, "Ben") == []


def test_filters_hold() -> None:
    """A search within a phase, a speaker or a topic would answer with what lies outside."""
    recall = _talk()
    assert set(_numbers(recall, "invoices", speaker=" BEN ")) <= {2, 4, 6}
    assert set(_numbers(recall, "invoices", topic="billing")) == {1, 6}
    assert set(_numbers(recall, "invoices", since=3)) <= {3, 4, 5, 6, 7}
    assert set(_numbers(recall, "invoices", until=3)) <= {1, 2, 3}
    assert _numbers(recall, "invoices", since=6, until=6) == [6]
    assert _numbers(recall, "invoices", speaker="Nobody") == []
    assert _numbers(recall, "invoices", since=100) == []
    assert len(recall.search("invoices museum", 2)) == 2


@pytest.mark.parametrize(
    ("query", "filters", "wrong"),
    [
        ("", {}, "empty"),
        (" \n\t", {}, "empty"),
        ("museum", {"k": 0}, "0 messages"),
        ("museum", {"since": 3, "until": 2}, "from 3 to 2"),
    ],
)
def test_what_cannot_be_searched_is_said(query: str, filters: dict[str, int], wrong: str) -> None:
    """An empty query that answers with the newest messages looks like a result."""
    with pytest.raises(UsageError, match=wrong):
        _talk().search(query, **filters)  # type: ignore[arg-type]


@in_one(
    "query",
    [
        '"',
        "*",
        "museum*",
        "NEAR(x y)",
        "AND museum",
        "NOT museum OR",
        "text:museum",
        "-museum",
        "^museum",
        "(((",
        "\0",
        "\ud800",
        "🦆",
    ],
)
def test_a_query_is_words_and_never_syntax(query: str) -> None:
    """A question with a quotation mark in it would fail, or ask for something else."""
    recall = _talk()
    assert _numbers(recall, query)[:1] == ([4] if "museum" in query else [])


@given(st.text(min_size=1, max_size=200))
@settings(max_examples=100)
def test_no_query_and_no_message_raises(text: str) -> None:
    """Anything that a model writes can become a message and the query of the next search."""
    recall = KeptRecall()
    recall.add(_message(1, text))
    if text.strip():
        assert {*_numbers(recall, text)} <= {1}


def test_a_very_long_query_is_answered() -> None:
    """A whole document pasted as a question would hang the panel."""
    recall = _talk()
    assert _numbers(recall, "x y z filler " * 8_000 + "museum")[0] == 4
    assert _numbers(recall, "x" * 100_000) == []


def test_unknown_words_find_nothing_and_stop_words_are_still_words() -> None:
    """Recent messages in place of a result would be quoted as one; "to be or not to be" would find nothing."""
    recall = _talk()
    assert _numbers(recall, "zebra quagga") == []
    assert _numbers(recall, "?!") == []
    assert _numbers(recall, "only if")[0] == 3


def test_a_thread_that_ends_leaves_nothing_open() -> None:
    """From Python 3.13 on its stemmer would end in a warning, which is an error in tests of its users."""
    stemmers = []
    thread = Thread(target=lambda: stemmers.append(_stemmer().db))
    thread.start()
    thread.join()
    del thread
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        stemmers[0].execute("SELECT 1")


def test_all_indexes_of_a_thread_share_a_stemmer() -> None:
    """A stemmer for each conversation would take a millisecond of each; threads must not read each other's words."""
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda n: _stemmed([f"houses{n}", "décidés", "running"]), range(40))
    assert list(found) == [[f"houses{n}", "decid", "run"] for n in range(40)]
    assert _stemmer().db is _stemmer().db


def test_an_index_beside_a_log_keeps_no_text() -> None:
    """Memory would hold the transcript twice, and show what the log no longer says."""
    asked: list[int] = []

    def read(number: int) -> Line:
        asked.append(number)
        return Line(number, TALK[number - 1][0], TALK[number - 1][1])

    recall = Recall(read)
    for number, (who, text, topic) in enumerate(TALK, 1):
        recall.add(_message(number, text, who, topic))
    assert asked == []
    (first, *_) = recall.search("museum", 1)
    assert (first.message_id, first.who, first.text) == (4, *TALK[3][:2])
    assert asked == [4]


def test_move_lines_are_no_part_of_what_was_said() -> None:
    """A search for a word of the procedure would find every message."""
    recall = KeptRecall()
    text = "The pump leaks.\n[PROPOSE] Replace it"
    recall.add(MessagePosted(number=1, who="Maya", text=text, moves_at=text.index("[")))
    assert recall.search("propose") == ()
    assert recall.search("pump")[0].text == "The pump leaks."


def test_numbers_count_on_by_one() -> None:
    """A message that was left out would shift what every later number names."""
    recall = KeptRecall()
    recall.add(_message(1, "one pump"))
    for number in (1, 3):
        with pytest.raises(ValueError, match=f"message {number} after message 1"):
            recall.add(_message(number, "again"))
    assert recall.count == 1


def test_two_conversations_know_nothing_of_each_other() -> None:
    """What was said in one session would leak into another."""
    one, other = _talk(), KeptRecall()
    other.add(_message(1, "Something else"))
    assert other.search("invoices museum") == ()
    assert one.search("something else") == ()


def test_old_messages_are_found_among_thousands() -> None:
    """Only what was said lately would be found in a long conversation."""
    recall = KeptRecall()
    for number in range(1, 3_001):
        recall.add(_message(number, "the rare heron" if number == 7 else f"common words of every turn and {number}"))
    assert _numbers(recall, "heron among common words of every turn")[0] == 7
    assert _numbers(recall, "common")[0] <= 3_000


def test_a_filter_finds_what_many_others_said_better() -> None:
    """The one sentence of a quiet member would be lost behind twenty of the others."""
    recall = KeptRecall()
    for number in range(1, 201):
        recall.add(
            _message(number, "the pump and the valve leak again" if number != 50 else "pump", who="AB"[number == 50])
        )
    assert _numbers(recall, "pump valve", speaker="b") == [50]


@given(
    texts=st.lists(st.lists(st.sampled_from(FORMS), max_size=6), min_size=1, max_size=12),
    asked=st.lists(st.sampled_from(FORMS), min_size=1, max_size=3),
    at=st.integers(0, 11),
)
def test_forms_of_a_word_meet_whichever_was_said_or_asked_first(
    texts: list[list[str]], asked: list[str], at: int
) -> None:
    """A word in another form would be found or not by the order in which things were said and looked up."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE said USING fts5(text, tokenize='porter unicode61 remove_diacritics 2')")
        postings = Postings()
        for number, held in enumerate(texts, 1):
            postings.add(number, dict.fromkeys(held))
            db.execute("INSERT INTO said(rowid, text) VALUES (?, ?)", (number, " ".join(held)))
            if number == at:
                postings.looked_up(asked)
        for word, (*_, numbers) in zip(asked, postings.looked_up(asked), strict=True):
            rows = db.execute("SELECT rowid FROM said WHERE said MATCH ? ORDER BY rowid", (f'"{word}"',))
            assert list(numbers) == [number for (number,) in rows]
            assert newest(numbers, 2, 5, 2) == [n for n in reversed(numbers) if 2 <= n <= 5][:2]


def test_words_have_the_same_stems_where_sqlite_lacks_its_older_search(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["houses", "décidés", "running", "42nd"]
    stems = _stemmed(words)
    monkeypatch.setattr("eda.memory.recall.index._PORTER", "CREATE VIRTUAL TABLE porter USING missing_module")
    with ThreadPoolExecutor(1) as pool:  # a thread makes a stemmer of its own
        assert pool.submit(lambda: (_stemmer().most, _stemmed(words))).result() == (0, stems)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 8))])
def test_excerpts_leave_out_no_sentence_that_ranks_among_the_best(seed: int) -> None:
    draw = random.Random(seed)
    vocabulary = ["".join(draw.choices("abcdefghijkl", k=draw.randint(2, 7))) for _ in range((30, 300)[seed % 2])]
    recall = KeptRecall()
    for number in range(1, 121):
        said = (" ".join(draw.choices(vocabulary, k=draw.randint(1, 12))) for _ in range(draw.randint(1, 5)))
        recall.add(_message(number, "".join(f"{each}{draw.choice('.?!')} " for each in said), draw.choice("ABC")))
    for _ in range(25):
        asked = [(weight, (" ".join(draw.choices(vocabulary, k=draw.randint(3, 40))),)) for weight in (1.0, 0.5, 0.3)]
        scores = dict[tuple[int, int], float]()
        for weight, texts in asked:
            query = recall.asked(*texts)
            weights = recall.weights(query[1], 110)
            for whole, number in recall.ranked(query, module._COMPARED, 1, 110, brief=recall.answers):
                _, parts, own_stems, bits = module._read(recall, number)
                stems = dict(zip(own_stems, bits, strict=True))
                for at, (value, _) in enumerate(parts):
                    near = [bit for bit in (1 << at << 1, 1 << at >> 1) if bit]
                    own = sum(
                        weights[stem][0] for stem, having in stems.items() if stem in weights and having & 1 << at
                    )
                    beside = sum(
                        weights[stem][0]
                        for stem, having in stems.items()
                        if stem in weights and not having & 1 << at and any(having & bit for bit in near)
                    )
                    score = value * (whole if len(parts) == 1 else own and own + beside / 2)
                    if score:
                        scores[number, at] = max(weight * score, scores.get((number, at), 0.0))
        best = sorted(scores, key=lambda key: (-scores[key], *key))[: module._BEST]
        shown = {key[0]: scores[key] for key in reversed(best) if scores[key] > module._FADES * scores[best[0]]}
        assert {each.message_id: each.score for each in excerpts(recall, asked, 110)} == pytest.approx(shown)


def test_a_message_without_the_words_is_said_about_them_only_where_it_is_short_enough_to_answer() -> None:
    recall = KeptRecall()
    long = f"Rain delays some buses again{', and the train to Cork' * 6}."
    for number, text in enumerate(["Who pays for heating? Tell me.", "Ben does, since May.", long, *["Well."] * 9], 1):
        recall.add(_message(number, text))
    assert [each.message_id for each in excerpts(recall, [(1.0, ("heating",))], 12)] == [2]


def test_a_word_of_more_messages_than_one_in_five_tells_no_sentence_from_others() -> None:
    recall = KeptRecall()
    for number in range(1, 61):
        often = "The harbour was full of boats, ropes, nets, crates and gulls." if number % 2 else "We met there."
        recall.add(_message(number, f"{often} Ben sang{' in a storm' if number == 7 else ''}. Nobody asked why."))
    query = "boats, ropes, nets, crates and gulls of a full harbour in a storm"
    assert [each.message_id for each in excerpts(recall, [(1.0, (query,))], 60)] == [7]
