"""Whether the words beside a declared move say otherwise than its tag. Such a move counts for nobody until it is asked.

Only what a sentence says in plain words is held against a tag; an answer to somebody, what was once, and what stands
under a condition are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from eda.memory.minutes.remark_words import IDS, answer_first, may_take_side, parts_of
from eda.memory.minutes.remarks import RemarkAct, RemarkRead, read_remark
from eda.memory.patterns import Language
from eda.memory.patterns.conditions import read_condition
from eda.text import plain_low, regex, sentences

# A clause of the speaker in a longer reason: "it is late and I am against it".
_OWN_CLAUSE = regex(r"(?:[,;:.!]|\b(?:and|but|so|und|aber)\b)\s*((?:i|(?:\w+ )?ich|then yes|dann ja)\b[^,;:.!?]*)", "I")
_MESSAGES, _PARTS, _ABOUT = (regex(r"\bm\d+\b"), regex(r"[;:]\s+"), regex(r"^\W*[op]\d+(?:\.\d+)?\b[\W_]*", "I"))
_SIDES = {"undecided": "neutral", "opposition": "oppose"}


def says_otherwise(
    kind: str,
    on: str,
    why: str,
    talk: str,
    table: Mapping[str, Mapping[str, Any]],
    language: Language,
    *,
    only: bool = True,
) -> tuple[bool, str]:
    """Return whether the reason of a move, or the talk beside it, takes another side on a text than its tag.

    Also return the condition on which it supports the text in words; it is empty where there is none.

    `kind` is `support`, `oppose` or `neutral`, or the side that the move takes back: `not oppose`, `not support`. `on`
    is the text's id, and `table` has the open texts by id, as `read_remark` takes them. Talk is held against the move
    where it names the text by its id; its conditions also where the message acts on this text `only`.
    """
    if language.denies(kind, why):
        return True, ""
    parts = (answer_first(why)[1] or why, *_OWN_CLAUSE.findall(why)) if why and may_take_side(why) else ()
    last = {"number": table[on]["at"], "who": table[on]["by"]}
    reads = (*(read_remark(each, [table[on]], "", last) for each in parts), *_in_talk(talk, on, table, language))
    acts = [act for read in reads if not read.ask for act in read.acts if act.on == on]
    beside = _conditions(talk, on, table, language, sure=bool(why), only=only) if kind == "support" else ()
    condition = next(chain((a.condition for a in acts if a.kind == "support" and a.condition), beside), "")
    return any(_denies(act, kind) for act in acts if not act.condition), condition


def _conditions(
    talk: str, key: str, table: Mapping[str, Mapping[str, Any]], language: Language, *, sure: bool, only: bool
) -> Iterator[str]:
    """Yield the conditions of the speaker in sentences that name no other text.

    Those that do not name this one either speak of it where the message acts on it `only`, or, as a tag without a
    reason leaves it open, where it is not `sure`.
    """
    for each in chain.from_iterable(_clauses(talk[start:end].strip()) for start, end in sentences(talk)):
        read = read_condition(_ABOUT.sub("", each), "support")
        if read.alone if read.conditional is None else read.conditional and not language.past.search(each):
            exact, named = _named(each, table, read.condition)
            head = each.partition(read.condition)[0]
            own, leads = (_OWN_CLAUSE.search(f", {words}") for words in (each, head))
            if named <= {key, key.removesuffix(".0")} and (
                (own or read.alone)
                or (any((exact, only)) and language.first_person.search(head) and not _MESSAGES.search(head))
                if named
                else (only and any((leads, not read.conditional)))
                or (not sure and (read.alone or (own and may_take_side(each))))
            ):
                yield read.condition


def _clauses(said: str) -> list[str]:
    """Return the parts of a sentence; one that is a condition as a whole, "Condition: it is paid", has none."""
    return [said] if read_condition(said, "support").alone else _PARTS.split(said)


def _named(words: str, table: Mapping[str, Mapping[str, Any]], clause: str = "") -> tuple[set[str], set[str]]:
    """Return the texts that words name by id, title or the message that puts one, and all of which they have words.

    Where words beside a `clause` name one, those in it name none.
    """
    beside = _named(words.replace(clause, " "), table) if clause else None
    named = [item for part in chain.from_iterable(parts_of(words, table)) for item in part.texts if len(item.ids) == 1]
    put = {row["id"] for row in table.values() if row["at"] and f"m{row['at']}" in _MESSAGES.findall(words)}
    exact = {*put, *IDS.findall(words.lower()), *(item.ids[0] for item in named if item.exact)}
    return beside if beside and beside[0] else (exact, exact | {item.ids[0] for item in named})


def _in_talk(talk: str, key: str, table: Mapping[str, Mapping[str, Any]], language: Language) -> list[RemarkRead]:
    """Return what the sentences say that name a text by its id; who doubts a side that it takes is undecided."""
    said = (talk[start:end].strip() for start, end in sentences(talk))
    undecided = RemarkRead((RemarkAct("undecided", key),))
    return [
        undecided
        if language.hesitates.search(plain_low(each)) or _hesitates(each, key, table)
        else read_remark(each, table.values(), "", {})
        for each in said
        if key.removesuffix(".0") in IDS.findall(each.lower()) and may_take_side(each)
        if not language.past.search(each)
    ]


def _hesitates(sentence: str, key: str, table: Mapping[str, Mapping[str, Any]]) -> bool:
    """Return whether a sentence doubts the side that it takes on a text: "I am not sure that I can support p2.0"."""
    return any(
        key in item.ids
        for part in chain.from_iterable(parts_of(sentence, table))
        if "unreal" not in part.roles
        # "I am for p1.0 and undecided about p2.0" is clear.
        if {"undecided"} < {side for side, _ in part.stances} and not part.sides()
        for item in part.texts
    )


def _denies(act: RemarkAct, kind: str) -> bool:
    """Return whether an act takes another side than `kind`, or says that it is not taken."""
    if kind.startswith("not "):
        return act.kind == kind.removeprefix("not ")
    if act.kind in ("withdraw", "deny"):
        return _SIDES.get(act.of, act.of) == kind
    return _SIDES.get(act.kind, act.kind) != kind
