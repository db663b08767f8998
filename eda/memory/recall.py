"""Search over every message of one conversation. A message is found the moment it was added.

The index (`recall_index`) holds no text: what is found is read from the log. It only says which messages hold a word;
the ranking is `recall_rank`'s. Where the extra `embeddings` is installed, a fused search also finds what was said in
other words.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from array import array
from collections.abc import Callable
from contextlib import closing

from eda.errors import UsageError
from eda.events import MessagePosted
from eda.memory.embeddings import Meanings, find
from eda.memory.recall_index import Postings, newest
from eda.memory.recall_rank import NEAR, REACH, fuse, rank, rarity, worth
from eda.memory.recall_words import STOP_WORDS, split
from eda.protocols import Line
from eda.records import Recalled

__all__ = ["Recall"]

_MARK = b"EDA recall 2"
_MOST_WORDS = 16
"""How many words of a query are looked up, the rarest ones."""
_MOST_HITS = 600
"""How many places of all these words together are looked at, the newest of each."""
_POOL = 20
"""Twice as many of the messages found as are asked for, up to so many, are looked at together with their neighbours."""
_OTHERS = 10
"""How many messages a fused search brings in that hold no word of the query, and stand beside none that does."""
_BATCH = 256
_LONGEST = 0xFFFF
_NAMED = 1.5
"""How much more a message counts whose speaker the query names."""


class Recall:
    """The index of one conversation.

    `read` gives a message by its number. Without it the messages are kept here.
    """

    def __init__(self, read: Callable[[int], Line] | None = None) -> None:
        self._lines: dict[int, Line] | None = {} if read is None else None
        self._read = read or self._kept_line
        self._said = Postings()
        self._lengths = array("H", [0])
        """Words of each message, by its number; 0 where there is none."""
        self._who = array("I", [0])
        self._topic = array("I", [0])
        self._speakers: dict[str, int] = {}
        """By the name as written, numbered as they come; topics likewise."""
        self._topics: dict[str, int] = {}
        self._parts: dict[str, set[int]] = {}
        """The numbers of the speakers whose names have a word, by the word as written."""
        self._meanings: Meanings | None = None
        """Made at the first fused search, never saved: making them anew is as simple as reading them."""

    @property
    def count(self) -> int:
        """The number of the last message; 0 before the first."""
        return len(self._lengths) - 1

    def add(self, message: MessagePosted) -> None:
        """Take a message in. ValueError where its number is not above the last one's."""
        gap = message.number - len(self._lengths)
        if gap < 0:
            raise ValueError(f"message {message.number} after message {self.count}")
        for column in (self._lengths, self._who, self._topic):
            column.extend([0] * gap)
        talk = message.talk
        words = split(talk)
        self._said.add(message.number, dict.fromkeys([word.lower() for word in words]))
        # At least 1: a message of no words is still one, beside which others count.
        self._lengths.append(min(max(len(words), 1), _LONGEST))
        self._who.append(self._speaker(message.who))
        self._topic.append(self._topics.setdefault(message.topic or "", len(self._topics)))
        if self._lines is not None:
            self._lines[message.number] = Line(message.number, message.who, talk)

    def search(
        self,
        query: str,
        k: int = 10,
        *,
        speaker: str | None = None,
        since: int | None = None,
        until: int | None = None,
        topic: str | None = None,
        fused: bool = False,
    ) -> tuple[Recalled, ...]:
        """Up to `k` messages that hold words of the query or stand beside such ones, best first.

        The query is words, never syntax. A name of a speaker in it, written as the speaker's, favours what that
        speaker said. `since` and `until` are message numbers, both included; `speaker` and `topic` are compared
        without regard to case. The time that it takes is bounded however long the query and the conversation are:
        the 16 rarest words are looked up, and of them 600 places in all, of each word the newest.

        `fused` adds what is near in meaning, where the extra `embeddings` is installed; without it nothing changes.
        The first fused search embeds all messages (about 0.3 ms each), every one compares with all (2 µs each).
        UsageError where there is no query, `k` is below 1, or `since` is after `until`.
        """
        if not query.strip():
            raise UsageError("the query is empty", hint="give words that were said")
        if k < 1:
            raise UsageError(f"cannot find {k} messages", hint="ask for at least one")
        if since is not None and until is not None and since > until:
            raise UsageError(f"no message stands from {since} to {until}", hint="swap the two")
        first = max(since or 1, 1)
        last = self.count if until is None else min(until, self.count)
        named, words = self._asked(query)
        speakers, topics = _same(speaker, self._speakers), _same(topic, self._topics)

        span = range(first, last + 1)

        def filtered(number: int) -> bool:
            return (
                number in span
                and (speakers is None or self._who[number] in speakers)
                and (topics is None or self._topic[number] in topics)
            )

        wanted = span.__contains__ if speakers is None and topics is None else filtered

        postings = self._postings(words, max(first - REACH, 1), min(last + REACH, self.count))
        found = rank(postings, self._lengths, wanted, max(k, min(2 * k, _POOL)))
        if fused and (meanings := self._embedded()):
            found = fuse(found, self._alike(meanings, " ".join(words), found, wanted))
        scored = [(score * (_NAMED if self._who[number] in named else 1.0), number) for score, number in found]
        scored.sort(key=lambda each: (-each[0], each[1]))
        return tuple(self._recalled(number, score) for score, number in scored[:k])

    def dump(self) -> bytes:
        """The whole index, as `load` takes it: an SQLite file with a checksum behind it."""
        facts = {
            "speakers": list(self._speakers),
            "topics": list(self._topics),
            "lines": None if self._lines is None else [(n, line.who, line.text) for n, line in self._lines.items()],
        }
        columns = {"lengths": self._lengths, "who": self._who, "topic": self._topic}
        parts = {name: column.tobytes() for name, column in columns.items()}
        parts |= {"facts": json.dumps(facts).encode(), **self._said.dump()}
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
            db.execute("CREATE TABLE kept(name TEXT PRIMARY KEY, data BLOB)")
            db.executemany("INSERT INTO kept VALUES (?, ?)", parts.items())
            data = db.serialize()
        return data + zlib.crc32(data).to_bytes(4, "little") + _MARK

    @classmethod
    def load(cls, data: bytes, read: Callable[[int], Line] | None = None) -> Recall:
        """The index that `dump` gave. ValueError where it is none of ours, damaged, or has no texts."""
        end = len(data) - len(_MARK) - 4
        if (
            end < 0
            or not data.endswith(_MARK)
            or zlib.crc32(data[:end]) != int.from_bytes(data[end : end + 4], "little")
        ):
            raise ValueError("this is no recall index, a damaged one, or one of another version")
        made = cls(read)
        try:
            with closing(sqlite3.connect(":memory:")) as db:
                db.deserialize(data[:end])
                kept = dict(db.execute("SELECT name, data FROM kept"))
            facts = json.loads(kept["facts"])
            made._said = Postings.load(kept)
            for name, column in (("lengths", made._lengths), ("who", made._who), ("topic", made._topic)):
                del column[:]
                column.frombytes(kept[name])
            speakers, topics, lines = facts["speakers"], facts["topics"], facts["lines"]
        except (sqlite3.Error, KeyError, TypeError, ValueError) as error:
            raise ValueError("this is no recall index of this version") from error
        for name in speakers:
            made._speaker(name)
        made._topics = {name: number for number, name in enumerate(topics)}
        if read is None:
            if lines is None:
                raise ValueError("this recall index holds no texts: say where to read them")
            made._lines = {number: Line(number, who, text) for number, who, text in lines}
        return made

    def _speaker(self, name: str) -> int:
        number = self._speakers.get(name)
        if number is None:
            number = self._speakers[name] = len(self._speakers)
            for word in split(name):
                self._parts.setdefault(word, set()).add(number)
        return number

    def _kept_line(self, number: int) -> Line:
        lines = self._lines
        if lines is None:
            raise KeyError(number)
        return lines[number]

    def _asked(self, query: str) -> tuple[set[int], list[str]]:
        """The speakers whom a query names best, and the words that are left to look for, each once."""
        written = split(query)
        matches: dict[int, set[str]] = {}
        for place, word in enumerate(written):
            # A letter may be a name ("What did B think?"), but not "I", nor the first word ("A button").
            if word in self._parts and (len(word) > 1 or (place and word.isupper() and word != "I")):
                for number in self._parts[word]:
                    matches.setdefault(number, set()).add(word)
        most = max(map(len, matches.values()), default=0)
        named = {number for number, parts in matches.items() if len(parts) == most}
        names = {part for number in named for part in matches[number]}
        words = dict.fromkeys([word.lower() for word in written if word not in names])
        if words.keys() <= STOP_WORDS:
            named, words = set(), dict.fromkeys([word.lower() for word in written])
        return named, [word for word in words if word not in STOP_WORDS] or list(words)

    def _postings(self, words: list[str], first: int, last: int) -> list[tuple[float, list[int]]]:
        rarest = sorted(words, key=self._said.holding)[:_MOST_WORDS]
        left = _MOST_HITS
        found: list[tuple[float, list[int]]] = []
        for word, held in zip(rarest, self._said.looked_up(rarest), strict=True):
            numbers = newest(held, first, last, left)
            # Two forms of one word are one: they have the same stem, so the same messages.
            if numbers and all(numbers != others for _, others in found):
                found.append((rarity(max(len(numbers), self._said.holding(word)), self.count), numbers))
                left -= len(numbers)
            if left <= 0:
                break
        return found

    def _embedded(self) -> Meanings | None:
        if self._meanings is None and (embedder := find()):
            self._meanings = Meanings(embedder)
        meanings = self._meanings
        while meanings and meanings.count < self.count:
            numbers = range(meanings.count + 1, min(meanings.count + _BATCH, self.count) + 1)
            meanings.extend([self._read(number).text if self._lengths[number] else "" for number in numbers])
        return meanings

    def _alike(
        self, meanings: Meanings, query: str, found: list[tuple[float, int]], wanted: Callable[[int], bool]
    ) -> dict[int, float]:
        return meanings.about(
            query,
            (number for _, number in found),
            wanted,
            lengths=self._lengths,
            worth=lambda number: worth(self._lengths[number]),
            shares=NEAR,
            most=_OTHERS,
        )

    def _recalled(self, number: int, score: float) -> Recalled:
        line = self._read(number)
        return Recalled(number, line.who, line.text, score)


def _same(name: str | None, known: dict[str, int]) -> set[int] | None:
    if name is None:
        return None
    folded = name.strip().casefold()
    return {number for written, number in known.items() if written.strip().casefold() == folded}
