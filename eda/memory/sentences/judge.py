"""Holds a sentence against the record: what its words claim, and what its author states beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError

from eda.events.base import RecordFact
from eda.memory.sentences.claims import Claim, Reading, read
from eda.memory.sentences.judges import judge
from eda.memory.sentences.record import Record
from eda.runners.answers import Answer
from eda.text import bare, normalise, sentences
from eda.words import ENGLISH, Words

Verdict = Literal["true", "false", "unknown"]
_OF_ALL = ("decide", "unanimous", "pledge")
"""Kinds that tell of the panel, whoever their subject is."""


@dataclass(frozen=True, slots=True)
class SentenceCheck:
    """Whether the record bears a sentence out."""

    verdict: Verdict
    why: tuple[RecordFact, ...] = ()
    """What shows it: of a false sentence what contradicts it."""
    names: frozenset[str] = frozenset()
    """The members, ids and messages that it names."""
    unjudged: bool = False
    """Whether it tells of members or of the panel what the record cannot show."""


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
    left = [claim for claim, verdict, _ in judged if verdict is None]
    why = tuple(shown for _, verdict, shown in judged if verdict)
    unjudged = any(map(_tells_of_members, left))
    proved = not left and _is_read_whole(reading)
    return SentenceCheck("true" if proved else "unknown", why, reading.names, unjudged)


def _tells_of_members(claim: Claim) -> bool:
    return bool(claim.who or claim.scope or claim.kind in _OF_ALL) and claim.kind not in ("win", "lose")


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
"""Sentences that are read of an answer."""
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
    """What a sentence says that somebody did."""

    who: str = Field(description="The member.")
    did: Literal["said", "proposed", "supported", "opposed", "undecided", "withdrew"] = "said"
    on: str | None = Field(default=None, description="The id of the text that it was done to; null for `said`.")
    message: Annotated[int | None, BeforeValidator(_number)] = Field(
        default=None, description="The number of the message: 12 for m12."
    )
    quote: Annotated[str, AfterValidator(_first_sentence)] = Field(
        default="", description="A sentence of that message or a part of it, copied word for word."
    )

    def shown(self, words: Words) -> str:
        """Return the sentence that stands for it: the member's own words, or the act; empty where it has neither."""
        if self.message is None:
            return ""
        head = f"{self.who} (m{self.message})"
        if did := self.did != "said" and bool(self.on):
            head = fact_words(RecordFact("deed", (self.who,), self.on or "", self.message, _CLAIMED[self.did]), words)
        if not bare(self.quote):
            return f"{head}." * did
        return f'{head}: "{self.quote}"' + "." * (self.quote[-1] not in ".!?")


class Told(Answer):
    """A sentence, and what it states."""

    sentence: str
    states: list[Statement] = Field(default=[], description="What it says of members: who did what, on what, where.")


def told_in(value: Any) -> Any:
    """Return the sentences of an answer: those that are well formed; prose is one without statements."""
    told = list[Told]()
    for row in [value] if isinstance(value, str) else value[:MOST] if isinstance(value, list) else ():
        fields = {"sentence": row} if isinstance(row, str) else row
        try:
            told.append(Told.model_validate(fields))
        except ValidationError:
            if isinstance(fields, Mapping) and isinstance(fields.get("sentence"), str):
                told.append(Told(sentence=fields["sentence"]))
    return [each for each in told if each.sentence.strip()]


def as_stated(told: Iterable[Told], words: Words = ENGLISH) -> list[Told]:
    """Return what is told: in place of a sentence with statements each of these, as members' words and acts.

    What a model makes of them in words of its own nobody can check.
    """
    stand = list[Told]()
    for each in told:
        shown = [(state.shown(words), state) for state in each.states]
        bare_one = each.model_copy(update={"states": []}) if each.states else each
        stand += [Told(sentence=text, states=[state]) for text, state in shown if text] or [bare_one]
    return stand


def prose_of(told: Iterable[Told]) -> str:
    """Return sentences as one text; an open question and an item of a list stand on lines of their own."""
    texts = (each.sentence.encode("utf-8", "replace").decode().strip() for each in told)
    return "".join(f"\n{each}" if each.startswith(("[", "-", "#")) else f" {each}" for each in texts if each).strip()


ToldList = Annotated[list[Told], BeforeValidator(told_in)]


def contradicted(
    sentence: str,
    told: Iterable[Told],
    record: Record,
    words_of: Callable[[int], str],
) -> tuple[RecordFact, ...]:
    """Return what contradicts a sentence: its words, or what is stated beside it; nothing where it stands.

    Where statements stand beside sentences at all, one that names a member, an id or a message, or tells of members or
    the panel what the record cannot show, needs its own.
    """
    plain, told = bare(sentence), list(told)
    if states := [state for each in told if plain in bare(each.sentence) for state in each.states]:
        return tuple(dict.fromkeys(fact for state in states for fact in _wrong(state, record, words_of)))
    judged = check(sentence, record)
    if judged.verdict == "false":
        return tuple(dict.fromkeys(judged.why))  # each fact once
    bare_of = judged.names if any("states" in each.model_fields_set for each in told) else frozenset()
    lacking = bare_of or (judged.unjudged and any(each.states for each in told))
    return (RecordFact("unsaid", of=tuple(sorted(bare_of))),) if lacking else ()


def _wrong(state: Statement, record: Record, words_of: Callable[[int], str]) -> list[RecordFact]:
    """Return what of a statement the record does not have."""
    who = record.names.get(state.who.strip(), "")
    if not who:
        return [RecordFact("no such", text=state.who)]
    if state.message is not None and record.authors.get(state.message) != who:
        author = record.authors.get(state.message)
        gone = RecordFact("no such", text=f"m{state.message}")
        return [RecordFact("author", (author,), message=state.message) if author else gone]
    if state.quote and state.message is not None and bare(state.quote) not in bare(words_of(state.message)):
        return [RecordFact("quote", message=state.message)]
    if state.did == "said":
        return []
    messages = (state.message,) if state.message is not None else ()
    text = (state.on or "").strip(" []()")
    foreign = text in record.texts and record.texts[text].proposer != who
    kind = "neutral" if state.did == "withdrew" and foreign else _CLAIMED[state.did]  # it took its own side back
    verdict, fact = judge(Claim(kind, (who,), texts=(text,), messages=messages), record)
    lacks = RecordFact("no deed", (who,), text, deed="put")
    return (
        []
        if verdict
        else [fact if fact.kind != "no such" else lacks if text in record.texts else RecordFact("no such", text=text)]
    )
