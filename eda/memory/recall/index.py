"""An inverted index of messages by the stems of their words, and the rank of messages by the words of a query.

Stems are SQLite's (Porter, no diacritics). Each form of a word is stemmed once, at its first use.

The score is a sum over the words of the query. Each word counts once, at its best place within a window around the
message, with its inverse document frequency (Robertson and Sparck Jones 1976). Repetition does not count, because
messages are short. Short messages count less: "Yes, the battery." says little by itself.
"""

import functools
import heapq
import itertools
import math
import threading
import unicodedata
import weakref
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from eda.text import grouped, regex

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

_NONE = itertools.repeat(-1)

Held = tuple[int, int, Sequence[int]]  # Of a word: the messages with its very form, its stem, those with any form.

_SPACELESS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_LETTERS = bytes(code if chr(code).isalnum() else 32 for code in range(128)) + bytes(128)
_ANY = regex(rf"[{_SPACELESS}]|(?:(?![{_SPACELESS}])[^\W_])+")


def split(text: str) -> list[str]:
    """Return the words of a text as written, in order; each character of a script without spaces is a word."""
    if text.isascii():
        return text.encode().translate(_LETTERS).decode().split()  # several times as fast as an expression
    return _ANY.findall(unicodedata.normalize("NFC", text))


class _Stemmer(threading.local):
    """The stemmer of a thread: to make one takes a millisecond."""

    def __init__(self) -> None:
        import sqlite3  # noqa: PLC0415 - what only reads a saved memory stems no word

        self.db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.most = _PLAIN  # Letters of the longest word that the quick tokenizer stems.
        try:
            self.db.execute(_PORTER)
        except sqlite3.OperationalError:  # an SQLite without FTS3
            self.most = 0
        self.db.executescript(_STEMS)
        # Python 3.13 and later warns of an open connection.
        weakref.finalize(threading.current_thread(), self.db.close)


_stemmer = functools.cache(_Stemmer)


def _stemmed(words: Sequence[str]) -> list[str]:
    """Return the stem of each word; the word itself where it has none, or more than one."""
    db, most = _stemmer().db, _stemmer().most
    # The tokenizer writes no table, and knows only words of these letters that are not too long for it.
    plain = [word for word in words if word.isascii() and word.isalpha() and len(word) <= most]
    # One row of all stems takes two thirds of the time of a row for each.
    joined = "SELECT group_concat(token, ' ') FROM porter WHERE input = ?"
    rows = db.execute(joined, (" ".join(plain),)) if plain else ()
    stems = dict(zip(plain, (stem for (row,) in rows for stem in row.split()), strict=True))
    if others := [word for word in words if word not in stems]:
        db.executemany("INSERT INTO form(rowid, word) VALUES (?, ?)", enumerate(others))
        stems_of = grouped((others[place], stem) for place, stem in db.execute("SELECT doc, term FROM stem"))
        db.execute("INSERT INTO form(form) VALUES ('delete-all')")
        stems.update({word: alone[0] for word, alone in stems_of.items() if len(alone) == 1})
    return [stems.get(word, word) for word in words]


def stems_of(words: Collection[str]) -> list[str]:
    """Return the stem of each of the words, in lower case; those of many at once cost little more than of one."""
    stems = {word: _known_stems.get(word, "") for word in words}
    if unknown := [word for word, stem in stems.items() if not stem]:
        found = dict(zip(unknown, _stemmed(unknown), strict=True))
        if len(_known_stems) > _FORMS:
            _known_stems.clear()
        _known_stems.update(found)
        stems.update(found)
    return [stems[word] for word in words]


class Postings:
    """Words, in lower case, and the messages that have them, in plain numbers: one dict, and no object, for a form."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}  # Of each form that a message has, in the next two.
        self._holding: list[int] = []  # The messages that have this very form.
        self._stem: list[int] = []  # Its stem: a place in the last of these.
        self._stems: dict[str, int] = {}
        self._numbers: list[list[int]] = []  # The messages of each stem, in order.
        self._waiting: list[tuple[int, tuple[str, ...]]] = []  # Messages that are not taken in yet.

    def add(self, number: int, words: Iterable[str]) -> None:
        """Add message `number`, above all earlier ones, with its words, each given once."""
        self._waiting.append((number, tuple(words)))
        if len(self._waiting) >= _AT_ONCE:
            self._take_in()

    def looked_up(self, words: Sequence[str]) -> list[Held]:
        """Return what is known of each word."""
        if self._waiting:
            self._take_in()
        holding, of, numbers, places = self._holding, self._stem, self._numbers, [*map(self._places.get, words, _NONE)]
        unknown = (word for word, place in zip(words, places, strict=True) if place < 0)
        stems = map(self._stems.get, stems_of([*unknown]) if -1 in places else (), _NONE)
        return [
            (holding[place], stem := of[place], numbers[stem])
            if place >= 0
            else (0, stem, numbers[stem])
            if (stem := next(stems)) >= 0
            else (0, 0, ())
            for place in places
        ]

    def alike(self, word: str, stem: str) -> set[int]:
        """Return the messages with a word that begins with a stem or ends with its word, or whose stem begins the word.

        `docs` is like `documentation`, `site` like `website`, `rechnungen` like `rechnung`.
        """
        begins, ends = len(stem) >= _BEGINS, len(word) >= _ENDS
        near = {
            self._stem[place]
            for form, place in self._places.items()
            if (begins and form.startswith(stem)) or (ends and form.endswith(word))
        }
        near |= {place for own, place in self._stems.items() if len(own) >= _ENDS and word.startswith(own)}
        return {number for each in near for number in self._numbers[each]}

    def stems(self, words: Iterable[str]) -> list[int]:
        """Return the stem of each word that a message has."""
        if self._waiting:
            self._take_in()
        return [self._stem[place] for place in map(self._places.get, words) if place is not None]

    def _take_in(self) -> None:
        """Index the messages that wait."""
        places, holding, of, stems, numbers = self._places, self._holding, self._stem, self._stems, self._numbers
        waiting, self._waiting = self._waiting, []
        fresh = dict.fromkeys([word for _, words in waiting for word in words if word not in places])
        for word, stem in zip(fresh, stems_of(fresh), strict=True):
            places[word] = len(of)
            of.append(stems.setdefault(stem, len(stems)))
            holding.append(0)
        numbers += [[] for _ in range(len(stems) - len(numbers))]
        for number, words in waiting:
            held = [*map(places.__getitem__, words)]
            for place in held:
                holding[place] += 1
            for own in map(numbers.__getitem__, dict.fromkeys(map(of.__getitem__, held))):
                own.append(number)


def newest(numbers: Sequence[int], first: int, last: int, most: int) -> list[int]:
    """Return up to `most` of ascending numbers, from `first` to `last`, the highest first."""
    end = bisect_right(numbers, last)
    return [*numbers[max(bisect_left(numbers, first, 0, end), end - most) : end]][::-1]


NEAR = (0.6, 0.45, 0.3, 0.15)  # Factors on a word 1, 2, 3 or 4 messages away; 1 for a word of the message itself.
REACH = len(NEAR)  # Greatest distance of a neighbour, in messages.
_SHARES = (1.0, *NEAR)
_SHORT = 6.0  # Words of a message that counts half as much as an endless one.


@functools.lru_cache
def rarity(holding: int, count: int) -> float:
    """Return the weight of a word that `holding` of `count` messages have; always above 0."""
    return math.log(1 + (max(count - holding, 0) + 0.5) / (holding + 0.5))


def worth(size: int) -> float:
    """Return the factor on a message of `size` words, from 0 to 1."""
    return size / (size + _SHORT)


def rank(
    postings: Sequence[tuple[float, Sequence[int]]],
    worths: Sequence[float],
    first: int,
    last: int,
    fits: Callable[[int], bool] | None,
    pool: int,
    brief: Sequence[int] | None,
) -> dict[int, float]:
    """Return the scores, by number, of the messages from `first` to `last` that fit.

    `postings` has for each word its weight and its messages; `worths` has the worth of each message by number, from 1.
    Only the `pool` messages that are best by themselves are ranked with their neighbours. Of messages with none of the
    words only those are ranked that `brief` has, in ascending order; with None all that are beside one with a word.
    """
    total: dict[int, float] = {}
    known = total.get
    for weight, numbers in postings:
        for number in numbers:
            total[number] = known(number, 0.0) + weight
    best = [*total]
    holders = hits = total.keys() | ()
    if len(total) > pool:
        alone = [(score * worths[number], -number) for number, score in total.items()]
        mine = [each for each in alone if first <= -each[1] <= last and (fits is None or fits(-each[1]))]
        ranked = heapq.nlargest(pool, mine)
        if len(mine) < len(alone):  # a wanted message may be beside one that is not
            ranked += heapq.nlargest(pool, alone)
        best = [-number for _, number in ranked]
        hits = total.keys() & _beside(best, 2 * REACH, 1, len(worths))
        holders = total.keys() & _beside(best, REACH, 1, len(worths))
    near = _beside(best, REACH, first, last) if brief is None else _shown(best, holders, brief, first, last)
    around: dict[int, list[int]] = {number: [] for number in hits}
    for term, (_, numbers) in enumerate(postings):
        for number in numbers:
            if number in around:
                around[number].append(term)
    weights, order = [weight for weight, _ in postings], sorted(around)
    return {number: _score(number, worths, around, order, weights) for number in near if fits is None or fits(number)}


def _beside(numbers: Iterable[int], reach: int, first: int, last: int) -> set[int]:
    """Return the numbers from `first` to `last` of messages and of those up to `reach` away."""
    return {near for each in numbers for near in range(each - reach, each + reach + 1) if first <= near <= last}


def _shown(best: Iterable[int], holders: Iterable[int], brief: Sequence[int], first: int, last: int) -> set[int]:
    """Return the numbers from `first` to `last` of the holders, and of messages of `brief` beside the best."""
    answers = [brief[bisect_left(brief, at - REACH) : bisect_right(brief, at + REACH)] for at in best]
    return {each for each in itertools.chain(holders, *answers) if first <= each <= last}


def _score(
    number: int,
    worths: Sequence[float],
    hits: Mapping[int, Sequence[int]],
    order: list[int],
    weights: Sequence[float],
) -> float:
    """Return the score of a message by the `hits` around it, whose numbers `order` has in ascending order."""
    best: dict[int, float] = {}  # What each word adds; `dict[int, float]()` is ten times as dear.
    own, around = worths[number], order[bisect_left(order, number - REACH) : bisect_right(order, number + REACH)]
    for neighbour in sorted(around, key=lambda each: abs(each - number)) if len(around) > 1 else around:
        # At most the neighbour's own factor, or a long message would rank above the only one that matched.
        factor = _SHARES[abs(neighbour - number)] * (other if (other := worths[neighbour]) < own else own)
        for term in hits[neighbour]:
            if (value := weights[term] * factor) > best.get(term, 0.0):
                best[term] = value
    return sum(best.values())
