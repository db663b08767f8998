"""Whether words say otherwise than a declared move beside them, or than what a model read in them: neither counts then.

Only what a sentence says in plain words is held against a tag; an answer to somebody, what was once, and what stands
under a condition are not.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain
from typing import Any

from eda.events.records import Move
from eda.memory.minutes.remark_words import (
    IDS,
    answer_first,
    answers_only,
    ids_in,
    may_take_side,
    parts_of,
    passed_over,
)
from eda.memory.minutes.remarks import RemarkAct, RemarkRead, read_remark
from eda.memory.patterns import Language
from eda.memory.patterns.conditions import conditional, read_condition, takes_side, waives
from eda.text import bare, one_line, plain_low, regex, sentences
from eda.voting.mentions import stem

# A clause of the speaker in a longer reason: "it is late and I am against it".
_OWN_CLAUSE = regex(
    r"(?:[,;:.!]|\b(?:and|but|so|und|aber)\b)\s*"
    r"((?:i|(?:\w+ )?ich|my (?:yes|vote)|mein ja|meine stimme|then yes|dann ja)\b[^,;:.!?]*)",
    "I",
)
# The speaker, or an answer, in a sentence that may take a side: "figures are no signature" takes none.
_SPEAKS = regex(r"\b(?:i|me|my|mine|ich|mir|mich|mein\w*)\b|^\W*(?:yes|no|ja|nein)\b", "I")
_MESSAGES, _PARTS = regex(r"\bm\d+\b"), regex(r"[;:]\s+")
# What stands before the words of a sentence: an id, "PS:", the mark of a footnote.
_ABOUT = regex(r"^\W*(?:[op]\d+(?:\.\d+)?\b|p\. ?s\.|ps\b)?[\W\d_¹²³]*", "I")
# "Without it I am out": what "it" is stands in the sentence before.
_REFERS_BACK = regex(
    r"(?i:(?:only )?(?:with|without) (?:(?:it|them)\b|(?:that|this)(?=,| i\b| no\b))|(?:otherwise|or else|sonst)\b)"
    r"|(?i:(?:nur )?(?:mit|ohne) (?:das|den|dem|die|ihn|ihm|ihr|sie))\b(?! [A-ZÄÖÜ])"
)
_MARKS = regex(r"(?=[,:;!?]|\.(?!\d)|\b(?:and|but|und|aber)\b)")  # what may part two clauses
# Behind a yes: "but not in winter", "and no".
_BUT = regex(
    r"(?:but|no|not|without|only|just|except|aber|nur|ohne|kein\w*|nicht|(?:and|und) (?:no|nein)(?=\W*$))\b", "I"
)
_ALIKE, _SHORT = 0.8, 2  # What two words share of which one is misspelt, and letters of none.
# What a member holds to a text that it is for, or against.
_HELD: Mapping[str, tuple[str, ...]] = {"support": ("support", "condition"), "oppose": ("opposition",)}
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
    below: str = "",
) -> tuple[bool, str]:
    """Return whether the reason of a move, or the talk beside it, takes another side on a text than its tag.

    Also return the condition on which it supports the text in words; it is empty where there is none.

    `kind` is `support`, `oppose` or `neutral`, or the side that the move takes back: `not oppose`, `not support`. `on`
    is the text's id, and `table` has the open texts by id, as `read_remark` takes them. Talk is held against the move
    where it names the text by its id; its conditions also where the message acts on this text `only`, as those do that
    stand `below` its moves.
    """
    if language.denies(kind, why):
        return True, ""
    parts = (answer_first(why)[1] or why, *_OWN_CLAUSE.findall(why)) if why and may_take_side(why) else ()
    last = {"number": table[on]["at"], "who": table[on]["by"]}
    reads = (*(read_remark(each, [table[on]], "", last) for each in parts), *_in_talk(talk, on, table, language))
    acts = [act for read in reads if not read.ask for act in read.acts if act.on == on]
    beside: Iterable[str] = ()
    if kind == "support":
        beside = _conditions(talk, on, table, language, sure=bool(why), only=only, below=below)
    elif kind == "oppose":
        beside = _ends_of_opposition(talk, on, table, last)
    condition = next(chain((a.condition for a in acts if a.kind == kind and a.condition), beside), "")
    return any(_denies(act, kind) for act in acts if not act.condition), condition


def _conditions(
    talk: str,
    key: str,
    table: Mapping[str, Mapping[str, Any]],
    language: Language,
    *,
    sure: bool,
    only: bool,
    below: str,
) -> Iterator[str]:
    """Yield the conditions of the speaker in sentences that name no other text.

    Those that do not name this one either speak of it where the message acts on it `only`, or, as a tag without a
    reason leaves it open, where it is not `sure`, or stand `below` it.
    """
    for each, above in _clauses_in(talk):
        read = read_condition(_ABOUT.sub("", each), "support")
        if read.alone if read.conditional is None else read.conditional and not language.past.search(each):
            exact, named = _named(each, table, _OWN_CLAUSE.split(read.condition)[0])  # "if it is, I am for it"
            head = each.partition(read.condition)[0]
            own, leads = (_OWN_CLAUSE.search(f", {words}") for words in (each, head))
            told = any((exact, only)) and language.first_person.search(head) and not _MESSAGES.search(head)
            sides = takes_side(own[1]) if own else read.alone
            here = only and any((leads, not read.conditional, each in below and read.sure, sides))
            bare_tag = not sure and any((read.alone, own and may_take_side(each)))
            if named <= {key, key.removesuffix(".0")} and (own or read.alone or told if named else here or bare_tag):
                yield f"{above} {read.told}".strip() if _REFERS_BACK.match(read.told) else read.told


def _ends_of_opposition(
    talk: str, key: str, table: Mapping[str, Mapping[str, Any]], last: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the words that end the opposition to a text in sentences that take that side and name no other text."""
    for each in (talk[start:end].strip() for start, end in sentences(talk)):
        named = [item for part in chain.from_iterable(parts_of(each, table)) for item in part.texts]
        if named and named[0].ids == (key,):
            # No words of a name tell whether a clause takes a side.
            read = read_condition(f"{each[: named[0].start]}plan{each[named[0].end :]}", "oppose")
            head = f"{each[: named[0].start]}{key}{each[named[0].end :]}".replace(read.condition, "")
            sides = [act.kind for act in read_remark(head, [table[key]], "", last).acts] if read.sure else []
            if read.conditional and read.condition in each and sides == ["oppose"]:
                yield read.condition


def _clauses_in(talk: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of sentences, each with the sentence above its own."""
    said = [talk[start:end].strip() for start, end in sentences(talk)]
    for above, each in zip(["", *said], said, strict=False):
        # A condition as a whole, "Condition: it is paid", has no parts.
        parts = [each] if read_condition(each, "support").alone else _PARTS.split(each)
        yield from ((part, above) for part in parts)


def _named(words: str, table: Mapping[str, Mapping[str, Any]], clause: str = "") -> tuple[set[str], set[str]]:
    """Return the texts that words name by id, title or the message that puts one, and all of which they have words.

    Where words beside a `clause` name one, those in it name none.
    """
    beside = _named(words.replace(clause, " "), table) if clause else None
    named = [item for part in chain.from_iterable(parts_of(words, table)) for item in part.texts if len(item.ids) == 1]
    put = {row["id"] for row in table.values() if row["at"] and f"m{row['at']}" in _MESSAGES.findall(words)}
    exact = {*put, *IDS.findall(words.lower()), *(item.ids[0] for item in named if item.exact)}
    return beside if beside and beside[1] else (exact, exact | {item.ids[0] for item in named})


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


def says_but(text: str) -> bool:
    """Return whether a line says yes and then "but", "no" or "only", and neither states a condition nor waives it."""
    answer, rest = answer_first(text, loose=True)
    return answer == "yes" and _BUT.match(rest) is not None and not (waives(rest) or conditional(rest))


def is_unclear_yes(text: str, offered: Iterable[Move], rows: Mapping[str, Mapping[str, Any]], who: str) -> bool:
    """Return whether a line says yes with a but behind it, or may mean either side of a text.

    "o2 yes" may accept the opposition to o2 that was offered, or be for o2.
    """
    opposed = {move.target for move in offered if move.kind == "oppose"}
    acts = read_remark(text, rows.values(), who, {}).acts if answers_only(text, rows) else ()
    return says_but(text) or any(act.kind == "support" and act.on in opposed for act in acts)


def tags_meant(
    sentence: str, ids: Container[str], who: str, rows: Mapping[str, Mapping[str, Any]], *, back: bool
) -> tuple[list[str], bool]:
    """Return the tags that say what a sentence of `who` says of texts; and whether it may say what is not read.

    `ids` are those of the texts that it names, without a `.0`; `back`: it seems to take something back.
    """
    read = read_remark(sentence, rows.values(), who, {})
    exact = read.exact and any(key.removesuffix(".0") in ids for key in rows)
    # "A meter ends this" takes nothing back.
    sides, gone = _sides_taken(read, who, rows), _taken_back(read, who, rows) * any((read.exact, IDS.search(sentence)))
    own = _SPEAKS.search(sentence) and not sentence.startswith(
        tuple(f"{row['by']} " for row in rows.values() if row["by"])
    )
    vague = (
        read.ask in ("which text", "not its author")
        and read.ids
        and all(who in chain(*rows[each]["held"].values()) for each in read.ids)
    )
    unclear = own and ((sides and not exact) or (read.ask == "condition" and ids))
    return [*sides * exact, *gone], not gone and bool(back or vague or unclear)


def own_in_words(sentence: str, who: str, rows: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Return the ids, without a `.0`, of the texts that `who` put, or stands on, and that words of a sentence name."""
    own = {key for key, row in rows.items() if who in (row["by"], *chain(*row["held"].values()))}
    named = (item.ids for part in chain.from_iterable(parts_of(sentence, rows)) for item in part.texts)
    return {ids[0].removesuffix(".0") for ids in named if len(ids) == 1 and ids[0] in own}


def own_text_called(words: str, who: str, rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the id of the only such text, where words are nothing but a name for it; else empty."""
    items = [item for part in chain.from_iterable(parts_of(words, rows)) for item in part.items]
    called = own_in_words(words, who, rows) if all(item.ids or item.roles <= {"plain"} for item in items) else set()
    return "".join(
        key for key in rows if key.removesuffix(".0") in called and len({item.ids for item in items if item.ids}) == 1
    )


def _sides_taken(read: RemarkRead, who: str, rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the tags of the sides that a member takes and does not hold; a condition is taken where it has none."""
    return [
        f"{act.kind.upper()} {act.on}"
        for act in read.acts
        if act.kind in _HELD
        if not any(who in rows[act.on or ""]["held"][of] for of in _HELD[act.kind][bool(act.condition) :])
    ]


def _taken_back(read: RemarkRead, who: str, rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the tags that take back what a member holds, or the text that it put."""
    back = ((act, rows[act.on or ""]) for act in read.acts if act.kind in ("withdraw", "deny"))
    return [
        f"WITHDRAW {'' if act.of == 'text' else f'my {act.of} on '}{act.on}"
        for act, row in back
        if any(who in row["held"].get(of, ()) for of in (act.of, *_HELD.get(act.of, ())))
        or (act.of, row["by"]) == ("text", who)
    ]


def stated_in(
    given: Sequence[Mapping[str, Any]],
    rows: Mapping[str, Mapping[str, Any]],
    line: str,
    meant: Container[str],
    exact: Iterable[str | None],
    say: Callable[..., str],
) -> tuple[tuple[RemarkAct, ...], list[str], str]:
    """Return the acts that a model read in a line, the texts of which the line is unclear, and its words.

    It is of one that the words which the model quotes cannot name, with those that they can; an empty id stands before
    these. Of several acts each quotes some, or another on its text does. It is of those, too, that a sentence names by
    id or title where nothing was read of what it names.
    No words of a line that may state a condition for one of several acts: each has the condition that the model read.
    A support is unclear where that does not stand in a clause that names its text, or where none was read and such a
    clause may state one, and takes none back.
    """
    quotes = {each["on"]: str(each["names"]) for each in given if each["names"]}
    named = (str(each["names"] or quotes.get(each["on"], "")) for each in given)
    can = [_named_in(quote, line, rows, meant) if quote or len(given) == 1 else set[str]() for quote in named]
    read = [_stated(each, ids, line, say) for each, ids in zip(given, can, strict=True)]
    lifted = {each["on"] for each in given if each["does"] == "withdraw condition"}
    unclear = [*chain.from_iterable(lost for _, lost in read)]
    unclear += _of_other_clauses(given, line, lifted)
    known = tuple(act for act, _ in read if act and str(act.on) not in unclear)
    missed = passed_over(line, rows, {*(each["on"] for each in given), *exact})
    return known, [*dict.fromkeys((*unclear, *missed))], line * (len(given) < 2 or not (unclear or conditional(line)))


def _of_other_clauses(given: Sequence[Mapping[str, Any]], line: str, lifted: Container[str]) -> list[str]:
    """Return the texts of supports whose condition may be of another text, each behind an empty id."""
    names = [str(each["names"]).casefold() for each in given]
    conditions = [{*bare(each["words"]).split()} for each in given if each["does"] == "support" and each["words"]]
    clauses = _clauses_of(line.casefold(), names)
    return [
        key
        for each, name in zip(given, names, strict=True)
        if each["does"] == "support" and len(given) > 1 and each["on"] not in lifted
        if (own := "".join(clause for clause in clauses if name in clause))
        if (said := {*bare(own).split()})
        if (
            not said.issuperset(bare(each["words"]).split())
            if each["words"]
            else conditional(own) or any(map(said.issuperset, conditions))
        )
        for key in ("", str(each["on"]))
    ]


def _clauses_of(line: str, names: Iterable[str]) -> list[str]:
    """Return the clauses of a line: a sentence or side on a text begins one, behind another on one."""
    clauses, named = [""], [*names]
    for part in _MARKS.split(line):
        apart = all(
            any(map(each.__contains__, named)) and (part[:1] in ".;!?" or may_take_side(each))
            for each in (part, clauses[-1])
        )
        clauses[-1:] = [clauses[-1], part] if apart else [clauses[-1] + part]
    return clauses


def _stated(
    act: Mapping[str, Any], can: set[str], line: str, say: Callable[..., str]
) -> tuple[RemarkAct | None, list[str]]:
    """Return an act that a model read; None, and the texts of which it is unclear, where the line does not bear it out.

    It does not where the text is none that its words `can` name, or does not have its condition, or its text.
    """
    kind, _, of = act["does"].partition(" ")
    new, puts, own = kind == "propose", kind in ("propose", "amend"), {*bare(line).split()}
    words = one_line(act["words"])
    if puts:
        match = regex(r"\b" + r"\W+".join(bare(words).split()) + r"\b").search(plain_low(line))
        words = line[match.start() : match.end()] if match else ""
    elif kind == "support" and words:  # what the line has of "nur wen der bus fährt" must not count in full
        clause = {*bare(words).split()} <= own and not may_take_side(words)  # "900 yes" is none
        ways = (say("line-if", words=words), f"if {words}") * clause
        words = next(filter(conditional, (words, *ways)), "")
    if kind == "unclear" or not (new or act["on"] in can) or (not words and (puts or act["words"])):
        return None, [*["", *sorted(can)] * (act["on"] not in (None, *can)), str(act["on"])]
    stated = {"condition" if kind == "support" else "text": words}
    return RemarkAct(kind, None if new else act["on"], of=of, how="words", **stated), []


def _named_in(quote: str, line: str, rows: Mapping[str, Mapping[str, Any]], meant: Container[str]) -> set[str]:
    """Return the texts that quoted words of a line can name: by id, label, words of theirs, author or place.

    None where the line does not have the words. A misspelt word can; no words can name one that is `meant`.
    """
    if not {*bare(quote).split()} <= {*bare(line).split()}:
        return set()
    parts = [*chain.from_iterable(parts_of(quote, rows))]
    sure = {key for part in parts for item in part.texts if item.exact for key in item.ids}
    if ids := sure or {*ids_in(parts)}:
        return ids
    if not any("unknown" in part.roles for part in parts):  # "the first", "mine", "that"
        return {key for key in rows if any(part.roles for part in parts) or key in meant}  # "the" and "I" name none
    quoted = [stem(word) for word in bare(quote).split() if len(word) > _SHORT]
    known = {key: [*map(stem, bare(f"{row['title']} {row['text']} {row['by']}").split())] for key, row in rows.items()}
    return {key for key, own in known.items() if any(get_close_matches(word, own, 1, _ALIKE) for word in quoted)}
