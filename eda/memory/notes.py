"""The notes of members and people. Two notes that say nearly the same are joined; the higher importance stays."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from eda.events import Note
from eda.text import likeness, overlap, words

CONTAINED = 0.8  # Share of the shorter note's content words in the other one, 0 to 1, from which they are joined.
ALIKE = 0.7  # Likeness of two notes' content words (Jaccard), 0 to 1, from which they are joined.
_LEAST = 3  # A note of fewer content words is joined by likeness alone: a word or two are in everything.


@dataclass(slots=True)
class Notes:
    """All notes."""

    _notes: list[Note] = field(default_factory=list)  # the note `n3` is the third

    def __len__(self) -> int:
        return len(self._notes)

    def add(self, note: Note) -> Note:
        """Return a note, added or joined to one that says nearly the same, whose wording stays unless it is worse."""
        bag = _bag(note.text)
        earlier = next((old for old in self._standing() if _same(bag, _bag(old.text)) and _may_join(note, old)), None)
        if earlier is None:
            note = replace(note, id=f"n{len(self._notes) + 1}")
            self._notes.append(note)
            return note
        better = note.importance > earlier.importance and len(note.text) > len(earlier.text)
        joined = replace(
            note if better else earlier,  # a wording stays with its author
            importance=max(earlier.importance, note.importance),
            topic=earlier.topic or note.topic,
            id=earlier.id,
        )
        self._replace(earlier, joined)
        return joined

    @property
    def ids(self) -> list[str]:
        """The ids of all notes that were not struck."""
        return [note.id for note in self._standing()]

    def get(self, key: str) -> Note | None:
        """Return the note of that id; None where there is none, or it was struck."""
        return next((note for note in self._standing() if note.id == key), None)

    def correct(self, note: Note, text: str, by: str) -> None:
        """Replace the text of a note; an empty text strikes it."""
        self._replace(note, replace(note, text=text or note.text, corrected=by, struck=not text))

    def all(self, *, private: bool = False) -> tuple[Note, ...]:
        """Return all notes, the most important first, of equals the older first; private ones only on request."""
        shown = (note for note in self._standing() if private or not note.private)
        return tuple(sorted(shown, key=lambda note: -note.importance))

    def about(self, question: str, k: int = 5) -> tuple[Note, ...]:
        """Return up to `k` notes that share words with a question; rare words and important notes count more."""
        asked = _bag(question)
        known = [(note, asked & (_bag(note.text) | _bag(note.topic))) for note in self.all()]
        holding = Counter(word for _, shared in known for word in shared)
        scored = [(sum(1 / (len(known) + holding[word]) for word in sorted(shared)), note) for note, shared in known]
        scored.sort(key=lambda each: -each[0] * (1000 + each[1].importance))
        return tuple(note for score, note in scored[: max(0, k)] if score)

    def _standing(self) -> Iterator[Note]:
        """Yield the notes that were not struck, the oldest first."""
        return (note for note in self._notes if not note.struck)

    def _replace(self, old: Note, note: Note) -> None:
        self._notes[int(old.id[1:]) - 1] = note


def _may_join(note: Note, other: Note) -> bool:
    """Return False for notes of two topics, for a private and a shared one, and for private ones of two authors."""
    one, two = note.topic.casefold(), other.topic.casefold()
    owners = {note.who if note.private else None, other.who if other.private else None}
    return (one == two or not one or not two) and len(owners) == 1


@lru_cache(maxsize=1024)  # each new note is compared with all
def _bag(text: str) -> frozenset[str]:
    """Return the content words of a text; all words where none is in Latin letters."""
    return words(text) or frozenset(text.casefold().split())


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    if one.isdisjoint(other):
        return False
    if likeness(one, other) >= ALIKE:
        return True
    return min(len(one), len(other)) >= _LEAST and overlap(one, other) >= CONTAINED
