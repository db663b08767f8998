"""Holds a sentence against the record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from eda.events.base import RecordFact
from eda.memory.sentences.claims import Reading, read
from eda.memory.sentences.judges import judge
from eda.memory.sentences.record import Record
from eda.words import Words

Verdict = Literal["true", "false", "unknown"]


@dataclass(frozen=True, slots=True)
class SentenceCheck:
    """Whether the record bears a sentence out."""

    verdict: Verdict
    why: tuple[RecordFact, ...] = ()
    """What shows it: of a false sentence what contradicts it."""
    names: frozenset[str] = frozenset()
    """The members, ids and messages that it names."""


def fact_words(fact: RecordFact, words: Words) -> str:
    """Return a fact in words."""
    data = {name: getattr(fact, name) for name in ("who", "text", "message", "deed", "number", "of")}
    return words.say("sentence-why", kind=fact.kind.replace(" ", "-"), **data)


def check(sentence: str, record: Record) -> SentenceCheck:
    """Return whether the record bears a sentence out: false if any claim of it is, true if all of it is."""
    reading = read(sentence, record)
    judged = [(claim, *judge(claim, record)) for claim in reading.claims]
    false = [shown for _, verdict, shown in judged if verdict is False]
    false += [RecordFact("no such", text=name) for name in sorted(reading.names) if _is_strange(name, record)]
    if false:
        return SentenceCheck("false", tuple(false), reading.names)
    left = any(verdict is None for _, verdict, _ in judged)
    why = tuple(shown for _, verdict, shown in judged if verdict)
    proved = not left and _is_read_whole(reading)
    return SentenceCheck("true" if proved else "unknown", why, reading.names)


def _is_read_whole(reading: Reading) -> bool:
    """Return whether the claims are all that the sentence says and names, and say more than who wrote something."""
    named = {name for each in reading.claims for name in (*each.who, *each.texts, *each.of)}
    named |= {f"m{number}" for each in reading.claims for number in each.messages}
    return not reading.open and reading.names <= named and any(claim.kind != "author" for claim in reading.claims)


def _is_strange(name: str, record: Record) -> bool:
    """Return whether no message or declared text has this name; one that was found, as `p2@388`, may be gone."""
    if name[:1] == "m" and name[1:].isdecimal():
        return int(name[1:]) not in record.authors
    return name[:1] == "p" and name[1:2].isdecimal() and "@" not in name and name not in record.texts
