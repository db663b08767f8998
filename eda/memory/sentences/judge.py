"""Holds a sentence against the record: what its words claim, and what its author states beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError

from eda.events.base import RecordFact
from eda.memory.patterns.conditions import read_condition
from eda.memory.sentences.claims import Claim, Reading, read
from eda.memory.sentences.judges import judge
from eda.memory.sentences.record import Record
from eda.runners.answers import Answer
from eda.text import bare, normalise, sentences
from eda.words import ENGLISH, Words

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
    """Return whether the claims name all that the sentence names, and say more than who wrote something."""
    named = {name for each in reading.claims for name in (*each.who, *each.texts, *each.of)}
    named |= {f"m{number}" for each in reading.claims for number in each.messages}
    return reading.names <= named and any(claim.kind != "author" for claim in reading.claims)


def _is_strange(name: str, record: Record) -> bool:
    """Return whether no message or declared text has this name; one that was found, as `p2@388`, may be gone."""
    if name[:1] == "m" and name[1:].isdecimal():
        return int(name[1:]) not in record.authors
    return name[:1] == "p" and name[1:2].isdecimal() and "@" not in name and name not in record.texts


MOST = 100
"""Statements that are read of an answer."""
_CLAIMED = {
    "proposed": "put",
    "supported": "support",
    "opposed": "oppose",
    "undecided": "neutral",
    "withdrew": "withdraw",
}
"""The claim that each deed makes; `said` makes none but that of its message."""


def _number(value: Any) -> Any:
    digits = re.search(r"\d{1,6}", value) if isinstance(value, str) else None
    return int(digits[0]) if digits else None if isinstance(value, str) else value


def _first_sentence(text: str) -> str:
    return next((text[start:end] for start, end in sentences(normalise(text))), "")


class Statement(Answer):
    """What a summary says that somebody did."""

    who: str = Field(description="The member.")
    did: Literal["said", "proposed", "supported", "opposed", "undecided", "withdrew"] = "said"
    on: str | None = Field(default=None, description="The id of the text that it was done to; null for `said`.")
    message: Annotated[int | None, BeforeValidator(_number)] = Field(
        default=None, description="The number of the message: 12 for m12."
    )
    quote: Annotated[str, AfterValidator(_first_sentence)] = Field(
        default="", description="A sentence of that message or a part of it, copied word for word."
    )


class Told(NamedTuple):
    """A statement, and the sentence that stands for it: a member's own words, an act."""

    sentence: str
    state: Statement


def _rows(value: Any) -> Iterator[Any]:
    """Yield the statements of an answer; what a model writes beside them in words of its own nobody can check."""
    for row in value[:MOST] if isinstance(value, list) else ():
        states = row.get("states") if isinstance(row, Mapping) else None
        yield from states if isinstance(states, list) else [row]


def statements_in(value: Any) -> list[Statement]:
    """Return the statements of an answer that are well formed."""
    read = list[Statement]()
    for row in _rows(value):
        with suppress(ValidationError):
            read.append(Statement.model_validate(row))
    return read


Statements = Annotated[list[Statement], BeforeValidator(statements_in)]


def worded(states: Iterable[Statement], words: Words = ENGLISH) -> tuple[Told, ...]:
    """Return statements with their sentences, without those that neither quote a message nor name an act."""
    told = (Told(_worded(state, words), state) for state in states)
    return tuple(each for each in told if each.sentence)


def _worded(state: Statement, words: Words) -> str:
    if state.message is None:
        return ""
    head = f"{state.who} (m{state.message})"
    if did := state.did != "said" and bool(state.on):
        head = fact_words(RecordFact("deed", (state.who,), state.on or "", state.message, _CLAIMED[state.did]), words)
    if not bare(state.quote):
        return f"{head}." * did
    return f'{head}: "{state.quote}"' + "." * (state.quote[-1] not in ".!?")


def misstated(state: Statement, record: Record) -> list[RecordFact]:
    """Return what of a statement the record does not have; nothing where it stands."""
    who = record.names.get(state.who.strip(), "")
    if not who:
        return [RecordFact("no such", text=state.who)]
    if state.message is not None and record.authors.get(state.message) != who:
        author = record.authors.get(state.message)
        gone = RecordFact("no such", text=f"m{state.message}")
        return [RecordFact("author", (author,), message=state.message) if author else gone]
    if state.quote and state.message is not None and bare(state.quote) not in bare(record.heard(state.message)):
        return [RecordFact("quote", message=state.message)]
    return [] if state.did == "said" else _undone(state, who, record)


def _undone(state: Statement, who: str, record: Record) -> list[RecordFact]:
    """Return what the record has in place of an act; a support without its condition is another one."""
    at = state.message or 0
    messages = (at,) if at else ()
    text = (state.on or "").strip(" []()")
    sided = [done for done in record.deeds(who, text) if done.deed in ("support", "oppose") and done.message < at]
    kind = "neutral" if state.did == "withdrew" and sided else _CLAIMED[state.did]  # it took its own side back
    verdict, fact = judge(Claim(kind, (who,), texts=(text,), messages=messages), record)
    if verdict:
        done = [each for each in record.deeds(who, text) if each.deed == kind and each.message == at]
        binds = bool(done) and all(each.conditional for each in done)
        untold = binds and not read_condition(state.quote, "support").conditional
        return [RecordFact("condition", (who,), text, at)] if untold else []
    lacks = RecordFact("no deed", (who,), text, deed="put")
    return [fact if fact.kind != "no such" else lacks if text in record.texts else RecordFact("no such", text=text)]
