"""An inverted index: the words of a text, and for each stem the numbers of its messages, ascending.

Stems are those of SQLite's FTS5 (Porter, no diacritics). Each form of a word is stemmed once, at its first use.
"""

from __future__ import annotations

import json
import re
import sqlite3
import unicodedata
import weakref
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence

_AT_ONCE = 256
_STEMS = """
CREATE VIRTUAL TABLE form USING fts5(
    word, content='', columnsize=0, tokenize='porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE stem USING fts5vocab(form, instance);
BEGIN;
"""

_SPACELESS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_PLAIN = re.compile(r"[A-Za-z0-9]+")
_ANY = re.compile(rf"[{_SPACELESS}]|(?:(?![{_SPACELESS}])[^\W_])+")


def split(text: str) -> list[str]:
    """Return the words of a text as written, in order; each character of a script without spaces is a word."""
    if text.isascii():
        return _PLAIN.findall(text)
    return _ANY.findall(unicodedata.normalize("NFC", text))


class Postings:
    """Words, in lower case, and the messages that have them."""

    def __init__(self) -> None:
        self._holding: dict[str, int] = {}
        self._of_form: dict[str, array[int]] = {}  # Forms of one word share one array.
        self._of_stem: dict[str, array[int]] = {}
        self._waiting: list[tuple[int, tuple[str, ...]]] = []
        """Messages whose words are stemmed at the next lookup: many at once cost little more than one."""
        self._db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._db.executescript(_STEMS)
        weakref.finalize(self, self._db.close)  # Python 3.13 and later warns of an open connection

    def add(self, number: int, words: Iterable[str]) -> None:
        """Add message `number`, above all earlier ones, with its words, each given once."""
        forms = tuple(words)
        for word in forms:
            self._holding[word] = self._holding.get(word, 0) + 1
        self._waiting.append((number, forms))
        if len(self._waiting) >= _AT_ONCE:
            self._take_in()

    def holding(self, word: str) -> int:
        """Return how many messages have the word in this very form."""
        return self._holding.get(word, 0)

    def looked_up(self, words: Sequence[str]) -> list[Sequence[int]]:
        """Return for each word the numbers of the messages that have it in any form."""
        strange = self._take_in(words)
        return [
            self._of_form[word] if word in self._of_form else self._of_stem.get(strange[word], ()) for word in words
        ]

    def dump(self) -> dict[str, bytes]:
        """Return the index as `load` takes it: columns of bytes by name."""
        self._take_in()
        places = {id(numbers): place for place, numbers in enumerate(self._of_stem.values())}
        return {
            "forms": json.dumps(list(self._of_form)).encode(),
            "holding": array("I", [self._holding[form] for form in self._of_form]).tobytes(),
            "places": array("I", [places[id(numbers)] for numbers in self._of_form.values()]).tobytes(),
            "stems": json.dumps(list(self._of_stem)).encode(),
            "sizes": array("I", map(len, self._of_stem.values())).tobytes(),
            "numbers": b"".join(numbers.tobytes() for numbers in self._of_stem.values()),
        }

    @classmethod
    def load(cls, parts: Mapping[str, bytes]) -> Postings:
        """Return the index that `dump` wrote. KeyError or ValueError where a column is missing or damaged."""
        index = cls()
        numbers = array("I", parts["numbers"])
        end = 0
        for stem, size in zip(json.loads(parts["stems"]), array("I", parts["sizes"]), strict=True):
            index._of_stem[stem] = numbers[end : end + size]
            end += size
        all_numbers = list(index._of_stem.values())
        forms = json.loads(parts["forms"])
        index._holding = dict(zip(forms, array("I", parts["holding"]), strict=True))
        places = array("I", parts["places"])
        index._of_form = {form: all_numbers[place] for form, place in zip(forms, places, strict=True)}
        return index

    def _take_in(self, queried: Sequence[str] = ()) -> dict[str, str]:
        """Index the waiting messages; return the stems of their new words and of unknown `queried` words."""
        new = {word: "" for _, words in self._waiting for word in words if word not in self._of_form}
        fresh = list(new)
        new |= {word: "" for word in queried if word not in self._of_form}
        stems = dict(zip(new, self._stemmed(list(new)), strict=True))
        for word in fresh:
            self._of_form[word] = self._of_stem.setdefault(stems[word], array("I"))
        for number, words in self._waiting:
            for numbers in [self._of_form[word] for word in words]:
                if not numbers or numbers[-1] != number:
                    numbers.append(number)
        self._waiting.clear()
        return stems

    def _stemmed(self, words: Sequence[str]) -> list[str]:
        """Return the stem of each word; the word itself where it has none, or more than one."""
        if not words:
            return []
        stems = list(words)
        stems_of: dict[int, list[str]] = {}
        self._db.executemany("INSERT INTO form(rowid, word) VALUES (?, ?)", enumerate(words))
        for place, stem in self._db.execute("SELECT doc, term FROM stem"):
            stems_of.setdefault(place, []).append(stem)
        self._db.execute("INSERT INTO form(form) VALUES ('delete-all')")
        for place, alone in stems_of.items():
            if len(alone) == 1:
                stems[place] = alone[0]
        return stems


def newest(numbers: Sequence[int], first: int, last: int, most: int) -> list[int]:
    """Return up to `most` of ascending numbers, from `first` to `last`, the highest first."""
    end = bisect_right(numbers, last)
    begin = max(bisect_left(numbers, first, 0, end), end - most)
    return list(reversed(numbers[begin:end]))
