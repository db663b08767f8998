"""Holds a sentence against the record: what its words claim, and what its author states beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError

from eda.events.base import RecordFact
from eda.memory.sentences.claims import Claim, Reading, read
from eda.memory.sentences.judges import judge
from eda.memory.sentences.record import Record
from eda.runners.answers import Answer
from eda.text import bare, normalise, sentences
from eda.words import Words

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
    unshown: frozenset[str] = frozenset()
    """The members of whom it tells what the record does not show."""


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
    each = [(who, replace(claim, who=(who,))) for claim in left if claim.kind != "author" for who in claim.who]
    unshown = frozenset(who for who, claim in each if judge(claim, record)[0] is None)  # by the record, of them alone
    return SentenceCheck("true" if proved else "unknown", why, reading.names, unjudged, unshown)


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
    "voted for": "vote",
    "voted against": "refuse",
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
    did: Literal[
        "said", "proposed", "supported", "opposed", "undecided", "withdrew", "voted for", "voted against"
    ] = "said"  # fmt: skip
    on: str | None = Field(default=None, description="The id of the text that it was done to; null for `said`.")
    message: Annotated[int | None, BeforeValidator(_number)] = Field(
        default=None, description="The number of the message: 12 for m12; null for a vote."
    )
    quote: Annotated[str, AfterValidator(_first_sentence)] = Field(
        default="", description="With `said`: a sentence of that message or a part of it, copied word for word."
    )

    @property
    def shown(self) -> str:
        """The sentence that stands for it: the words of a member, which need no proof beside them."""
        if self.did != "said" or self.message is None or not bare(self.quote):
            return ""
        return f'{self.who} (m{self.message}): "{self.quote}"' + "." * (self.quote[-1] not in ".!?")


class Told(Answer):
    """A sentence, and what it states."""

    sentence: str
    states: list[Statement] = Field(default=[], description="What it says of members: who did what, on what, where.")


def told_in(value: Any) -> Any:
    """Return the sentences of an answer: those that are well formed; prose is one without statements.

    Where only words of members bear a sentence out, these stand in its place: what it makes of them nobody can check.
    """
    told = list[Told]()
    for row in [value] if isinstance(value, str) else value[:MOST] if isinstance(value, list) else ():
        fields = {"sentence": row} if isinstance(row, str) else row
        try:
            told.append(Told.model_validate(fields))
        except ValidationError:
            if isinstance(fields, Mapping) and isinstance(fields.get("sentence"), str):
                told.append(Told(sentence=fields["sentence"]))
    for each in told:
        if each.states and all(state.shown for state in each.states):
            each.sentence = " ".join(state.shown for state in each.states)
    return [each for each in told if each.sentence.strip()]


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
    *,
    strictly: bool = False,
) -> tuple[RecordFact, ...]:
    """Return what contradicts a sentence: its words, or what is stated beside it; nothing where it stands.

    Where statements stand beside sentences at all, one that names a member, an id or a message needs its own: an act of
    a member or on a text that it names, or a quotation that it is.
    `strictly`: what it tells of members must be shown by the record or by its statements.
    """
    told = list(told)
    judged = check(sentence, record)
    plain = bare(sentence)
    states = [state for each in told if plain in bare(each.sentence) for state in each.states]
    wrong = [fact for state in states for fact in _wrong(state, record, words_of)]
    wrong = [*judged.why, *wrong] if judged.verdict == "false" else wrong
    if wrong:
        return tuple(dict.fromkeys(wrong))  # each fact once
    states = [state for state in states if _bears_out(state, plain, judged.names, record)]
    asked = any(each.states or "states" in each.model_fields_set for each in told) and judged.verdict != "true"
    bare_of = judged.unshown - {record.names.get(state.who.strip(), "") for state in states} if states else judged.names
    lacking = (asked and bare_of) or (strictly and judged.unjudged and not states)
    return (RecordFact("unsaid", of=tuple(sorted(bare_of))),) if lacking else ()


def _bears_out(state: Statement, plain: str, names: Collection[str], record: Record) -> bool:
    """Return whether a sentence is the quotation that is stated, or names the member or the text of the act stated."""
    about = {record.names[state.who.strip()], (state.on or "").strip(" []()")}
    return bool(state.shown and bare(state.shown) in plain) or (state.did != "said" and not about.isdisjoint(names))


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
    lacks = RecordFact("ballot") if state.did.startswith("voted") else RecordFact("no deed", (who,), text, deed="put")
    return (
        []
        if verdict
        else [fact if fact.kind != "no such" else lacks if text in record.texts else RecordFact("no such", text=text)]
    )
