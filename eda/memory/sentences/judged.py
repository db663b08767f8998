"""What a claim comes to: true, false or unknown, with the fact of the record that shows it."""

from __future__ import annotations

from collections.abc import Iterable

from eda.events.record_fact import RecordFact
from eda.memory.sentences.claims import Claim
from eda.memory.sentences.record import Record
from eda.words import Words


def fact_words(fact: RecordFact, words: Words) -> str:
    """Return a fact in words."""
    data = {name: getattr(fact, name) for name in ("who", "text", "message", "deed", "number", "of")}
    return words.say("sentence-why", kind=fact.kind.replace(" ", "-"), **data)


Judged = tuple[bool | None, RecordFact]
UNKNOWN: Judged = (None, RecordFact("no such"))


def members_of(claim: Claim, record: Record) -> tuple[str, ...]:
    """Return the members that a claim is about."""
    everybody = record.members
    if claim.scope in ("all", "nobody"):
        return everybody
    return tuple(who for who in everybody if who not in claim.who) if claim.scope == "but" else claim.who


def each_of(results: Iterable[Judged]) -> Judged:
    """Return what several results come to: false if one is, true if all are."""
    results = list(results) or [UNKNOWN]
    order = (False, None, True)
    return min(results, key=lambda result: order.index(result[0]))
