"""Which messages hold a word, in whatever form: of each stem the numbers of its messages, ascending.

Stems are those of SQLite's FTS5 (Porter, no diacritics). Each form of a word is stemmed once, when it is first said.
"""

from __future__ import annotations

import json
import sqlite3
import weakref
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Postings", "newest"]

_AT_ONCE = 256
_STEMS = """
CREATE VIRTUAL TABLE form USING fts5(
    word, content='', columnsize=0, tokenize='porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE stem USING fts5vocab(form, instance);
BEGIN;
"""


class Postings:
    """Words, in lower case, and the messages that hold them."""

    def __init__(self) -> None:
        self._holding: dict[str, int] = {}
        self._of_form: dict[str, array[int]] = {}
        """Forms of one word share their numbers."""
        self._of_stem: dict[str, array[int]] = {}
        self._waiting: list[tuple[int, tuple[str, ...]]] = []
        """Messages whose words are stemmed when next something is looked up: many at once cost little more than one."""
        self._db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._db.executescript(_STEMS)
        weakref.finalize(self, self._db.close)  # from Python 3.13 on, one that is left open is complained of

    def add(self, number: int, words: Iterable[str]) -> None:
        """Message `number`, above those before it, holds these words, each given once."""
        held = tuple(words)
        for word in held:
            self._holding[word] = self._holding.get(word, 0) + 1
        self._waiting.append((number, held))
        if len(self._waiting) >= _AT_ONCE:
            self._take_in()

    def holding(self, word: str) -> int:
        """How many messages hold the word in this very form."""
        return self._holding.get(word, 0)

    def looked_up(self, words: Sequence[str]) -> list[Sequence[int]]:
        """The numbers of the messages that hold each of the words in any form."""
        strange = self._take_in(words)
        return [
            self._of_form[word] if word in self._of_form else self._of_stem.get(strange[word], ()) for word in words
        ]

    def dump(self) -> dict[str, bytes]:
        """Everything that `load` needs, by the names of its parts."""
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
        """The same again. KeyError or ValueError where a part is missing or none of ours."""
        made = cls()
        numbers = array("I", parts["numbers"])
        end = 0
        for stem, size in zip(json.loads(parts["stems"]), array("I", parts["sizes"]), strict=True):
            made._of_stem[stem] = numbers[end : end + size]
            end += size
        all_numbers = list(made._of_stem.values())
        forms = json.loads(parts["forms"])
        made._holding = dict(zip(forms, array("I", parts["holding"]), strict=True))
        places = array("I", parts["places"])
        made._of_form = {form: all_numbers[place] for form, place in zip(forms, places, strict=True)}
        return made

    def _take_in(self, asked: Sequence[str] = ()) -> dict[str, str]:
        """Take in what waits; gives the stems of what is new in it, and of what is asked for and was never said."""
        new = {word: "" for _, words in self._waiting for word in words if word not in self._of_form}
        fresh = list(new)
        new |= {word: "" for word in asked if word not in self._of_form}
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
        """The stem of each word; the word itself where it has none, or more than one."""
        if not words:
            return []
        stems = list(words)
        found: dict[int, list[str]] = {}
        self._db.executemany("INSERT INTO form(rowid, word) VALUES (?, ?)", enumerate(words))
        for place, stem in self._db.execute("SELECT doc, term FROM stem"):
            found.setdefault(place, []).append(stem)
        self._db.execute("INSERT INTO form(form) VALUES ('delete-all')")
        for place, alone in found.items():
            if len(alone) == 1:
                stems[place] = alone[0]
        return stems


def newest(numbers: Sequence[int], first: int, last: int, most: int) -> list[int]:
    """Up to `most` of ascending numbers that are from `first` to `last`, the highest first."""
    end = bisect_right(numbers, last)
    begin = max(bisect_left(numbers, first, 0, end), end - most)
    return list(reversed(numbers[begin:end]))
