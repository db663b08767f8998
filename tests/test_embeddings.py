"""The extra `embeddings`: what was said in other words is found too; without the extra nothing changes."""

from __future__ import annotations

import importlib.util
import socket
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kept_recall import KeptRecall

from eda.events import MessagePosted
from eda.memory.recall import embeddings
from eda.memory.recall.index import fuse
from eda.memory.recall.recall import Recall

EXTRA = ("wordllama", "numpy", "safetensors", "tokenizers")
CHATTER = (
    "Shall we have lunch at noon or at one?",
    "I like the new schedule, it leaves the mornings free.",
    "The invoices are late again, and nobody in billing knows why.",
    "Let us first hear what the others think of the plan.",
    "My sister plays the violin in an orchestra.",
    "We could paint the walls of the office green.",
)


class _Missing:
    """Finds nothing of the extra, as where it was never installed."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] in EXTRA:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


class _Elsewhere:
    """Finds the package of the model in a folder that lacks the model's files."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != "wordllama":
            return None
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [self.folder]
        return spec


@pytest.fixture(autouse=True)
def looked_for_anew() -> Iterator[None]:
    """What one test found is not what the next one finds."""
    embeddings._look.cache_clear()
    yield
    embeddings._look.cache_clear()


@pytest.fixture
def extra() -> None:
    if not all(map(importlib.util.find_spec, EXTRA)):
        pytest.skip("the extra `embeddings` is not installed")


def _talk(*more: str) -> KeptRecall:
    recall = KeptRecall()
    texts = (*CHATTER, "Sorry, the automobile broke down on the way here.", *CHATTER, *more)
    for number, text in enumerate(texts, 1):
        recall.add(MessagePosted(number=number, who="AB"[number % 2], text=text))
    return recall


def _numbers(recall: Recall, query: str, **filters: object) -> list[int]:
    return [found.message_id for found in recall.search(query, fused=True, **filters)]  # type: ignore[arg-type]


def test_without_the_extra_a_fused_search_is_the_plain_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who did not install the extra would get a traceback, or other results."""
    monkeypatch.setattr(sys, "meta_path", [_Missing(), *sys.meta_path])
    for name in EXTRA:
        monkeypatch.delitem(sys.modules, name, raising=False)
    recall = _talk()
    assert embeddings.find() is None
    assert embeddings.broken() == ""
    for query in ("invoices", "the new schedule", "car"):
        assert recall.search(query, fused=True) == recall.search(query)
    assert _numbers(recall, "car") == []


def test_a_damaged_extra_says_why_and_search_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """A half-finished install would stop every search, or pass for one that works."""
    monkeypatch.setattr(sys, "meta_path", [_Elsewhere(str(tmp_path)), *sys.meta_path])
    monkeypatch.delitem(sys.modules, "wordllama", raising=False)
    assert embeddings.find() is None
    assert embeddings.broken().startswith("the extra `embeddings` is damaged: ")
    assert 3 in _numbers(_talk(), "invoices")


def test_a_synonym_is_found(extra: None) -> None:
    """Who remembers what was meant, but not the word, would find nothing."""
    recall = _talk()
    assert recall.search("car") == ()
    assert _numbers(recall, "car")[0] == 7


def test_filters_hold_for_what_is_near_in_meaning(extra: None) -> None:
    """A search within a range or for a speaker would answer with what lies outside."""
    recall = _talk()
    assert _numbers(recall, "car", until=6) == []
    assert _numbers(recall, "car", speaker="A") == []
    assert _numbers(recall, "car", speaker="B") == [7]


def test_unrelated_messages_do_not_stand_in_for_a_result(extra: None) -> None:
    """The least unlike messages would be quoted as an answer."""
    assert _numbers(_talk(), "zebra quagga") == []


def test_the_plain_search_knows_no_vectors(extra: None) -> None:
    """What an agent is shown before its turn would differ from machine to machine."""
    recall, other = _talk(), _talk()
    recall.search("car", fused=True)
    for query in ("car", "invoices", "the new schedule"):
        assert recall.search(query) == other.search(query)


def test_nothing_tries_the_network(extra: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search on a train would hang; a private talk would be announced to a host that nobody chose."""

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a search opens a socket")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    assert embeddings.find() is not None
    assert _numbers(_talk(), "car") == [7]


def test_a_dumped_index_answers_the_same(extra: None) -> None:
    """A resumed session would recall otherwise than the one that was paused."""
    recall = _talk()
    before = [recall.search(query, fused=True) for query in ("car", "invoices", "a free morning")]
    loaded = Recall.load(recall.dump(), recall.kept.__getitem__)
    assert [loaded.search(query, fused=True) for query in ("car", "invoices", "a free morning")] == before


def test_a_message_posted_after_a_search_is_found(extra: None) -> None:
    """Only what was said before the first question would ever be found by its meaning."""
    recall = _talk()
    assert _numbers(recall, "lawyer") == []
    recall.add(MessagePosted(number=20, who="A", text="For this we need an attorney."))
    assert _numbers(recall, "lawyer") == [20]
    assert _numbers(_talk(*[""] * 6, "For this we need an attorney."), "lawyer") == [20]


@given(texts=st.lists(st.text(max_size=60), min_size=1, max_size=8), query=st.text(min_size=1, max_size=60))
@settings(max_examples=60, deadline=None)
def test_no_text_and_no_query_raises(texts: list[str], query: str) -> None:
    """Anything that a model writes can become a message and the query of the next search."""
    recall = KeptRecall()
    for number, text in enumerate([*texts, "\ud800 half a character"], 1):
        recall.add(MessagePosted(number=number, who="A", text=text))
    if query.strip():
        assert {*_numbers(recall, query)} <= {*range(1, len(texts) + 2)}


@given(
    found=st.dictionaries(st.integers(1, 50), st.floats(0.01, 20), max_size=20),
    others=st.dictionaries(st.integers(51, 60), st.floats(0, 1), max_size=10),
)
def test_what_is_equally_near_keeps_its_order(found: dict[int, float], others: dict[int, float]) -> None:
    """Vectors that say nothing would shuffle what the words found, or lose it."""
    ranked = [(score, number) for number, score in sorted(found.items(), key=lambda each: (-each[1], each[0]))]
    alike = dict.fromkeys(found, 0.0)
    assert fuse(ranked, alike) == ranked
    assert {number for _, number in fuse(ranked, alike | others)} == {*found, *others}
