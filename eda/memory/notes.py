"""What agents and people wanted remembered. Nearly the same note twice is one note: the higher importance wins."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any

from pydantic import TypeAdapter

from eda.errors import UsageError
from eda.events import NoteTaken
from eda.memory.wording import likeness, overlap, words
from eda.records import Note

__all__ = ["Notes", "note_taken"]

MOST = 1000
"""The highest importance."""
CONTAINED = 0.8
"""Share of the shorter note's content words in the other, 0 to 1, from which they are one note."""
ALIKE = 0.7
"""Likeness of their content words (Jaccard), 0 to 1, from which they are one note."""
_LEAST = 3
"""Content words of a note under which it is in no other: a word or two are in everything."""
_LOOKED_AT = 64
"""Notes of a word, the newest, that are looked at; so a word that all have costs no more than another."""
_COMPARED = 16
"""Notes, those with the most and rarest words in common, that a new one is compared with."""

_RARITY = 1_000_000
"""What a word counts that one note has; one that ten have counts a tenth."""
_LONGEST = 2000
"""Characters of a person's note."""
_LONGEST_NAME = 120
"""Characters of the name of who takes a note, and of a topic."""

_ID = re.compile(r"n[1-9][0-9]{0,8}")
_list = TypeAdapter(list[Note])


class Notes:
    """All notes, indexed by their words."""

    def __init__(self) -> None:
        self._notes: list[Note] = []
        self._order: list[tuple[int, int]] = []
        """(-importance, place in `_notes`): the order in which notes are shown."""
        self._by_word: defaultdict[str, list[int]] = defaultdict(list)

    def __len__(self) -> int:
        return len(self._notes)

    def add(self, note: Note) -> Note:
        """Keep a note, or join it to one that says nearly the same; gives the note as it is now.

        The first message and wording stay, unless the newcomer is longer and more important.
        """
        place = self._alike(note)
        if place is None:
            place = len(self._notes)
            note = replace(note, id=f"n{place + 1}")
            self._notes.append(note)
            insort(self._order, (-note.importance, place))
            self._index(place)
            return note
        kept = self._notes[place]
        better = note.importance > kept.importance and len(note.text) > len(kept.text)
        joined = replace(
            note if better else kept,  # words stay with whoever said them
            importance=max(kept.importance, note.importance),
            topic=kept.topic or note.topic,
            id=kept.id,
        )
        if joined != kept:
            for word in _words_of(kept) - _words_of(joined):
                self._by_word[word].remove(place)
            self._notes[place] = joined
            del self._order[bisect_left(self._order, (-kept.importance, place))]
            insort(self._order, (-joined.importance, place))
            self._index(place)
        return joined

    @property
    def ids(self) -> list[str]:
        """Of all notes that were not struck."""
        return [note.id for note in self._notes if not note.struck]

    def get(self, key: str) -> Note | None:
        """The note of that id; None where there is none, or it was struck."""
        place = int(key[1:]) - 1 if _ID.fullmatch(key) else -1
        note = self._notes[place] if 0 <= place < len(self._notes) else None
        return None if note is None or note.struck else note

    def correct(self, key: str, text: str, by: str) -> None:
        """Have a note read otherwise; an empty text strikes it."""
        place = int(key[1:]) - 1
        for word in _words_of(self._notes[place]):
            self._by_word[word].remove(place)
        old = self._notes[place]
        self._notes[place] = replace(old, text=text or old.text, corrected=by, struck=not text)
        if text:
            self._index(place)
        else:
            self._order.remove((-old.importance, place))

    def all(self, *, private: bool = False) -> tuple[Note, ...]:
        """All notes, the most important first, the older first of equals; private ones only where asked for."""
        return tuple(self._shown(private))

    def top(self, count: int) -> tuple[Note, ...]:
        """The first `count` of `all()`."""
        found: list[Note] = []
        for _, place in self._order:
            if len(found) == count:
                break
            if not self._notes[place].private:
                found.append(self._notes[place])
        return tuple(found)

    def topic(self, name: str, *, private: bool = False) -> tuple[Note, ...]:
        """The notes of a topic, whatever its case, in the order of `all`."""
        wanted = name.casefold()
        return tuple(note for note in self._shown(private) if note.topic.casefold() == wanted)

    def about(self, question: str, k: int = 5, *, private: bool = False) -> tuple[Note, ...]:
        """Up to `k` notes that share words with a question, rare words and important notes first."""
        scores: Counter[int] = Counter()
        for word in sorted(_bag(question)):
            holders = self._by_word.get(word, [])
            for place in holders:
                scores[place] += 1000 * len(self._notes) // (len(self._notes) + len(holders))
        found = [place for place in scores if private or not self._notes[place].private]
        found.sort(key=lambda place: (-scores[place] * (1000 + self._notes[place].importance), place))
        return tuple(self._notes[place] for place in found[: max(0, k)])

    def to_json(self) -> list[dict[str, Any]]:
        """Everything that `from_json` needs."""
        return [asdict(note) for note in self._notes]

    @classmethod
    def from_json(cls, data: Iterable[Mapping[str, Any]]) -> Notes:
        """The same again."""
        notes = cls()
        for place, note in enumerate(_list.validate_python(list(data))):
            notes._notes.append(replace(note, id=f"n{place + 1}"))
            if not note.struck:
                notes._order.append((-note.importance, place))
                notes._index(place)
        notes._order.sort()
        return notes

    def _shown(self, private: bool) -> Iterable[Note]:
        every = (self._notes[place] for _, place in self._order)
        return every if private else (note for note in every if not note.private)

    def _index(self, place: int) -> None:
        for word in _words_of(self._notes[place]):
            holders = self._by_word[word]
            at = bisect_left(holders, place)
            if at == len(holders) or holders[at] != place:
                holders.insert(at, place)

    def _alike(self, note: Note) -> int | None:
        """The place of the first note that says nearly the same."""
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


def note_taken(
    text: str,
    who: str = "you",
    *,
    members: Iterable[str] = (),
    importance: int = 500,
    topic: str = "",
    private: bool = False,
    after: int = 0,
) -> NoteTaken:
    """The fact that a person took a note.

    Args:
        text: Any text but an empty one.
        who: Who takes it; none of the `members`.
        members: The panel's titles.
        importance: 1 to 1000.
        topic: A word or a few; empty for none.
        private: Shown to nobody else, in no prompt.
        after: The last message that had been posted.

    Raises:
        UsageError: an empty text or one over 2,000 characters, a name that is none or a member's, a topic too long, an
            importance out of range.
    """
    text, who, topic = text.strip(), " ".join(who.split()), " ".join(topic.split())
    if len(text) > _LONGEST:
        raise UsageError(f"a note has at most {_LONGEST:,} characters, this one {len(text):,}", hint="Say it shorter.")
    if not text:
        raise UsageError("the note is empty", hint="Say what is to be remembered.")
    if not who or max(len(who), len(topic)) > _LONGEST_NAME:
        raise UsageError(f"a note needs a name of 1 to {_LONGEST_NAME} characters, and its topic is no longer")
    if who.casefold() in {member.casefold() for member in members}:
        raise UsageError(f"{who!r} sits on the panel and takes its own notes", hint="Use a name of your own.")
    if not 1 <= importance <= MOST:
        raise UsageError(f"an importance of {importance} is not between 1 and {MOST}")
    return NoteTaken(who=who, text=text, importance=importance, topic=topic, private=private, after=after)


def _may_join(note: Note, other: Note) -> bool:
    """Two topics, a private note and a shared one, and private ones of two people stay apart."""
    one, two = note.topic.casefold(), other.topic.casefold()
    owners = {note.who if note.private else None, other.who if other.private else None}
    return (one == two or not one or not two) and len(owners) == 1


def _bag(text: str) -> frozenset[str]:
    """Its content words; of a script that has none in Latin letters, all words."""
    return words(text) or frozenset(text.casefold().split())


def _words_of(note: Note) -> frozenset[str]:
    """The words under which a note is found."""
    return _bag(note.text) | _bag(note.topic)


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    if likeness(one, other) >= ALIKE:
        return True
    return min(len(one), len(other)) >= _LEAST and overlap(one, other) >= CONTAINED
