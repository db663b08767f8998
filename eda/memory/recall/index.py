"""An inverted index of messages by the stems of their words, and the rank of messages by the words of a query.

Stems are SQLite's (Porter, no diacritics). Each form of a word is stemmed once, at its first use.

The score is a sum over the words of the query. Each word counts once, at its best place within a window around the
message, with its inverse document frequency (Robertson and Sparck Jones 1976). Repetition does not count, because
messages are short. Short messages count less: "Yes, the battery." says little by itself.
"""

from __future__ import annotations

import functools
import heapq
import math
import re
import sqlite3
import threading
import unicodedata
import weakref
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence

_AT_ONCE = 256
_BEGINS, _ENDS = 3, 4  # Letters of the shortest word with which another may begin, or end.
_FORMS = 30_000  # Words whose stems are known to all conversations of a process.
_PLAIN = 20  # Letters of the longest word that the tokenizer does not cut.
_known_stems: dict[str, str] = {}
_STEMS = """
CREATE VIRTUAL TABLE form USING fts5(
    word, content='', columnsize=0, tokenize='porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE stem USING fts5vocab(form, instance);
BEGIN;
"""
_PORTER = "CREATE VIRTUAL TABLE porter USING fts3tokenize('porter')"

_SPACELESS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_LETTERS = bytes(code if chr(code).isalnum() else 32 for code in range(128)) + bytes(128)
_ANY = re.compile(rf"[{_SPACELESS}]|(?:(?![{_SPACELESS}])[^\W_])+")


def split(text: str) -> list[str]:
    """Return the words of a text as written, in order; each character of a script without spaces is a word."""
    if text.isascii():
        return text.encode().translate(_LETTERS).decode().split()  # several times as fast as an expression
    return _ANY.findall(unicodedata.normalize("NFC", text))


class _Stemmer(threading.local):
    """The stemmer of a thread: to make one takes a millisecond."""

    def __init__(self) -> None:
        self.db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.most = _PLAIN
        """Letters of the longest word that the quick tokenizer stems."""
        try:
            self.db.execute(_PORTER)
        except sqlite3.OperationalError:  # an SQLite without FTS3
            self.most = 0
        self.db.executescript(_STEMS)
        # Python 3.13 and later warns of an open connection.
        weakref.finalize(threading.current_thread(), self.db.close)


_stemmer = functools.cache(_Stemmer)


_NOWHERE = array("I")


class Form:
    """A word in one form, and who has it. It grows with the messages that are added."""

    __slots__ = ("holding", "numbers", "stem")

    def __init__(self, stem: str = "", numbers: array[int] = _NOWHERE) -> None:
        self.holding = 0
        """The messages that have this very form."""
        self.stem = stem
        """Empty until it is known."""
        self.numbers = numbers
        """The messages that have any form of the word, in order."""


class Postings:
    """Words, in lower case, and the messages that have them."""

    def __init__(self) -> None:
        self._forms: dict[str, Form] = {}  # Each that a message has.
        self._of_stem: dict[str, array[int]] = {}
        self._waiting: list[tuple[int, list[Form]]] = []  # not stemmed yet: many at once cost little more
        self._fresh: dict[str, Form] = {}  # Those of them that no message before has.

    def add(self, number: int, words: Iterable[str]) -> None:
        """Add message `number`, above all earlier ones, with its words, each given once."""
        known, fresh, forms = self._forms, self._fresh, list[Form]()
        for word in words:
            form = known.get(word)
            if form is None:
                form = known[word] = fresh[word] = Form()
            form.holding += 1
            forms.append(form)
        self._waiting.append((number, forms))
        if len(self._waiting) >= _AT_ONCE:
            self._take_in()

    def looked_up(self, words: Sequence[str]) -> list[Form]:
        """Return what is known of each word."""
        forms = list(map(self._forms.get, words))
        strange = [word for word, form in zip(words, forms, strict=True) if form is None] if None in forms else []
        stems = self._take_in(strange) if strange or self._waiting else {}
        of_stem = self._of_stem
        return [
            form or Form(stems[word], of_stem.get(stems[word], _NOWHERE))
            for word, form in zip(words, forms, strict=True)
        ]

    def alike(self, word: str, stem: str) -> set[int]:
        """Return the messages with a word that begins with a stem or ends with its word, or whose stem begins the word.

        `docs` is like `documentation`, `site` like `website`, `rechnungen` like `rechnung`.
        """
        begins, ends = len(stem) >= _BEGINS, len(word) >= _ENDS
        near = {
            form.stem
            for written, form in self._forms.items()
            if (begins and written.startswith(stem))
            or (ends and written.endswith(word))
            or (len(form.stem) >= _ENDS and word.startswith(form.stem))
        }
        return {number for own in near for number in self._of_stem[own]}

    def stems(self, words: Iterable[str]) -> list[str]:
        """Return the stem of each word that a message has."""
        return [form.stem for form in map(self._forms.get, words) if form and form.stem]

    def _take_in(self, strange: Sequence[str] = ()) -> dict[str, str]:
        """Index the waiting messages; return the stems of their new words and of the `strange` ones."""
        fresh, of_stem = self._fresh, self._of_stem
        stems = {word: _known_stems.get(word, "") for word in (*fresh, *strange)}
        unknown = [word for word, stem in stems.items() if not stem]
        if unknown:
            stems.update(zip(unknown, self._stemmed(unknown), strict=True))
            if len(_known_stems) > _FORMS:
                _known_stems.clear()
            _known_stems.update({word: stems[word] for word in unknown})
        for word, form in fresh.items():
            form.stem = stems[word]
            form.numbers = of_stem.setdefault(form.stem, array("I"))
        for number, forms in self._waiting:
            for form in forms:
                if not form.numbers or form.numbers[-1] != number:
                    form.numbers.append(number)
        self._fresh = {}
        self._waiting.clear()
        return stems

    def _stemmed(self, words: Sequence[str]) -> list[str]:
        """Return the stem of each word; the word itself where it has none, or more than one."""
        db, most = _stemmer().db, _stemmer().most
        # The tokenizer writes no table, and knows only words of these letters that are not too long for it.
        plain = [word for word in words if word.isascii() and word.isalpha() and len(word) <= most]
        rows = db.execute("SELECT token FROM porter WHERE input = ?", (" ".join(plain),)) if plain else ()
        stems = dict(zip(plain, (stem for (stem,) in rows), strict=True))
        if others := [word for word in words if word not in stems]:
            stems_of: dict[str, list[str]] = {}
            db.executemany("INSERT INTO form(rowid, word) VALUES (?, ?)", enumerate(others))
            for place, stem in db.execute("SELECT doc, term FROM stem"):
                stems_of.setdefault(others[place], []).append(stem)
            db.execute("INSERT INTO form(form) VALUES ('delete-all')")
            stems.update({word: alone[0] for word, alone in stems_of.items() if len(alone) == 1})
        return [stems.get(word, word) for word in words]


def newest(numbers: Sequence[int], first: int, last: int, most: int) -> list[int]:
    """Return up to `most` of ascending numbers, from `first` to `last`, the highest first."""
    end = bisect_right(numbers, last)
    begin = max(bisect_left(numbers, first, 0, end), end - most)
    return list(reversed(numbers[begin:end]))


NEAR = (0.6, 0.45, 0.3, 0.15)  # Factors on a word 1, 2, 3 or 4 messages away; 1 for a word of the message itself.
REACH = len(NEAR)  # Greatest distance of a neighbour, in messages.
_SHORT = 6.0  # Words of a message that counts half as much as an endless one.


def rarity(holding: int, count: int) -> float:
    """Return the weight of a word that `holding` of `count` messages have; always above 0."""
    return math.log(1 + (max(count - holding, 0) + 0.5) / (holding + 0.5))


def worth(size: int) -> float:
    """Return the factor on a message of `size` words, from 0 to 1."""
    return size / (size + _SHORT)


def rank(
    postings: Sequence[tuple[float, Sequence[int]]], worths: Sequence[float], wanted: Callable[[int], bool], pool: int
) -> list[tuple[float, int]]:
    """Return scores and numbers of the messages `wanted`, best first, the earlier first among equals.

    `postings` has for each word its weight and its messages; `worths` has the worth of each message by number, from 1.
    Only the `pool` messages that are best by themselves are ranked with their neighbours.
    """
    total: dict[int, float] = {}
    known = total.get
    for weight, numbers in postings:
        for number in numbers:
            total[number] = known(number, 0.0) + weight
    alone = [(score * worths[number], -number) for number, score in total.items()]
    mine = [each for each in alone if wanted(-each[1])]
    first = heapq.nlargest(pool, mine)
    if len(mine) < len(alone):  # a wanted message may be beside one that is not
        first += heapq.nlargest(pool, alone)
    best = [-number for _, number in first]
    shown = [n for n in _beside(best, REACH) if 0 < n < len(worths) and wanted(n)]
    around: dict[int, list[int]] = {number: [] for number in total.keys() & _beside(best, 2 * REACH)}
    for term, (_, numbers) in enumerate(postings):
        for number in numbers:
            if number in around:
                around[number].append(term)
    scores = _scores(shown, worths, around, [weight for weight, _ in postings])
    return sorted(((score, n) for n, score in scores.items()), key=lambda each: (-each[0], each[1]))


def _beside(numbers: Iterable[int], reach: int) -> set[int]:
    """Return the numbers, and those up to `reach` away from one."""
    return {number + away for number in numbers for away in range(-reach, reach + 1)}


_AROUND = {0: 1.0} | {side * away: share for away, share in enumerate(NEAR, 1) for side in (-1, 1)}
"""Factor on a word by its distance in messages; the scores are summed in this order."""


def _scores(
    shown: Sequence[int], worths: Sequence[float], hits: Mapping[int, Sequence[int]], weights: Sequence[float]
) -> dict[int, float]:
    """Return the score of each message by the `hits` around it."""
    best: dict[int, dict[int, float]] = {number: {} for number in shown}
    for away, share in _AROUND.items():
        for neighbour, terms in hits.items():
            of_number = best.get(neighbour - away)
            if of_number is not None:
                # At most the neighbour's own factor, or a long message would rank above the only one that matched.
                factor = share * min(worths[neighbour - away], worths[neighbour])
                for term in terms:
                    value = weights[term] * factor
                    if value > of_number.get(term, 0.0):
                        of_number[term] = value
    return {number: sum(by_term.values()) for number, by_term in best.items()}
