"""The notes of members and people. Two notes that say nearly the same are joined; the higher importance stays."""

from __future__ import annotations

import re
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import islice

from eda.events.records import Note
from eda.text import likeness, overlap, words

CONTAINED = 0.8  # Share of the shorter note's content words in the other one, 0 to 1, from which they are joined.
ALIKE = 0.7  # Likeness of two notes' content words (Jaccard), 0 to 1, from which they are joined.
_LEAST = 3  # A note of fewer content words is joined by likeness alone: a word or two are in everything.
_LOOKED_AT = 64  # Newest notes of a word that are compared, so that a frequent word costs no more than another.
_COMPARED = 16  # Notes that a new one is compared with: those with the most and rarest words in common.
_RARITY = 1_000_000  # Weight of a word that one note has; a word that ten notes have weighs a tenth.

_ID = re.compile(r"n[1-9][0-9]{0,8}")


@dataclass(slots=True)
class Notes:
    """All notes, indexed by their words."""

    _notes: list[Note] = field(default_factory=list)
    _order: list[tuple[int, int]] = field(init=False, default_factory=list)  # As shown: (-importance, place).
    _by_word: defaultdict[str, list[int]] = field(init=False, default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for place, note in enumerate(self._notes):
            if not note.struck:
                self._index(place)

    def __len__(self) -> int:
        return len(self._notes)

    def add(self, note: Note) -> Note:
        """Add a note, or join it to one that says nearly the same, whose wording stays unless this one is better."""
        place = self._alike(note)
        if place is None:
            place = len(self._notes)
            note = replace(note, id=f"n{place + 1}")
            self._notes.append(note)
            self._index(place)
            return note
        earlier = self._notes[place]
        better = note.importance > earlier.importance and len(note.text) > len(earlier.text)
        joined = replace(
            note if better else earlier,  # a wording stays with its author
            importance=max(earlier.importance, note.importance),
            topic=earlier.topic or note.topic,
            id=earlier.id,
        )
        if joined != earlier:
            self._replace(place, joined)
        return joined

    @property
    def ids(self) -> list[str]:
        """The ids of all notes that were not struck."""
        return [note.id for note in self._notes if not note.struck]

    def get(self, key: str) -> Note | None:
        """Return the note of that id; None where there is none, or it was struck."""
        place = int(key[1:]) - 1 if _ID.fullmatch(key) else -1
        note = self._notes[place] if 0 <= place < len(self._notes) else None
        return None if note is None or note.struck else note

    def correct(self, key: str, text: str, by: str) -> None:
        """Replace the text of a note; an empty text strikes it."""
        place = int(key[1:]) - 1
        old = self._notes[place]
        self._replace(place, replace(old, text=text or old.text, corrected=by, struck=not text))

    def all(self, *, private: bool = False) -> tuple[Note, ...]:
        """Return all notes, the most important first, of equals the older first; private ones only on request."""
        return tuple(self._shown(private))

    def top(self, count: int) -> tuple[Note, ...]:
        """Return the first `count` notes of `all()`."""
        return tuple(islice(self._shown(private=False), count))

    def topic(self, name: str, *, private: bool = False) -> tuple[Note, ...]:
        """Return the notes of a topic, whatever its case, in the order of `all`."""
        wanted = name.casefold()
        return tuple(note for note in self._shown(private) if note.topic.casefold() == wanted)

    def about(self, question: str, k: int = 5, *, private: bool = False) -> tuple[Note, ...]:
        """Return up to `k` notes that share words with a question; rare words and important notes count more."""
        scores: Counter[int] = Counter()
        for word in sorted(_bag(question)):
            holders = self._by_word.get(word, [])
            for place in holders:
                scores[place] += 1000 * len(self._notes) // (len(self._notes) + len(holders))
        places = [place for place in scores if private or not self._notes[place].private]
        places.sort(key=lambda place: (-scores[place] * (1000 + self._notes[place].importance), place))
        return tuple(self._notes[place] for place in places[: max(0, k)])

    def _shown(self, private: bool) -> Iterable[Note]:
        every = (self._notes[place] for _, place in self._order)
        return every if private else (note for note in every if not note.private)

    def _index(self, place: int) -> None:
        note = self._notes[place]
        insort(self._order, (-note.importance, place))
        for word in _words_of(note):
            insort(self._by_word[word], place)

    def _replace(self, place: int, note: Note) -> None:
        old = self._notes[place]
        self._order.remove((-old.importance, place))
        for word in _words_of(old):
            self._by_word[word].remove(place)
        self._notes[place] = note
        if not note.struck:
            self._index(place)

    def _alike(self, note: Note) -> int | None:
        """Return the place of the first note that says nearly the same."""
        bag = _bag(note.text)
        shared: Counter[int] = Counter()
        for word in sorted(bag):
            holders = self._by_word.get(word, [])
            for place in holders[-_LOOKED_AT:]:
                shared[place] += _RARITY // len(holders)
        for place in sorted(place for place, _ in shared.most_common(_COMPARED)):
            other = self._notes[place]
            if _may_join(note, other) and _same(bag, _bag(other.text)):
                return place
        return None


def _may_join(note: Note, other: Note) -> bool:
    """Return False for notes of two topics, for a private and a shared one, and for private ones of two authors."""
    one, two = note.topic.casefold(), other.topic.casefold()
    owners = {note.who if note.private else None, other.who if other.private else None}
    return (one == two or not one or not two) and len(owners) == 1


def _bag(text: str) -> frozenset[str]:
    """Return the content words of a text; all words where none is in Latin letters."""
    return words(text) or frozenset(text.casefold().split())


def _words_of(note: Note) -> frozenset[str]:
    """Return the words under which a note is indexed."""
    return _bag(note.text) | _bag(note.topic)


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    if likeness(one, other) >= ALIKE:
        return True
    return min(len(one), len(other)) >= _LEAST and overlap(one, other) >= CONTAINED
