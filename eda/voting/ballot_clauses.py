"""Takes a written vote apart: clauses, and in them texts, words with a role in votes, numbers and marks; its order."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

from eda.events import Doubt, DoubtKind
from eda.text import regex
from eda.voting.mentions import (
    Mention,
    NamedText,
    Token,
    folded,
    mentions,
    phrase_at,
    roles_of as name_roles,
    stem,
    tokens_of,
)

CODES = frozenset({"id", "letter"})
"""Ways to name a text by what was given to it."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
SIDES = frozenset(
    {"abstain", "none", "refuse", "no", "rest", "all_rest", "all_ok", "done", "condition", "correction", "turned"}
    | {
        "order",
        "over",
        "prefers",
        "tied",
        "tie",
        "only",
        "also",
        "adds",
        "label",
        "final",
        "top",
        "last",
        "behind",
        *ORDINALS,
    }
)
"""Roles by which words vote that name no text."""
_MARKS: dict[str, frozenset[str]] = {
    **dict.fromkeys(">≻→»↠➜➔", frozenset({"order"})),
    **dict.fromkeys("=~≈", frozenset({"tie"})),
    **dict.fromkeys("&+", frozenset({"and"})),
    **dict.fromkeys("✅✔✓☑👍🟢", frozenset({"accept", "yes"})),
    **dict.fromkeys("❌✗✘🚫👎✖🔴", frozenset({"refuse", "no"})),
    **dict.fromkeys("<≺", frozenset({"turned"})),
    "🥇": frozenset({"first"}),
    "🥈": frozenset({"second"}),
    "🥉": frozenset({"third"}),
}
_HEADING = regex(r"^[^\S\n]*#{1,6}[^\S\n]++(.*?)(?<![\s:])[\s:]*$", "M")
_CONTINUED = regex(r"^([ \t]*(?:\d+[.)]|[-*+])[ \t].*)\n[ \t]{2,}(?=[^\W\d]{2,}\s)", "M")
_TAG = regex(r"<(/?)([a-z_]+)[^<>\n]*>", "I")
_ROW = regex(r"^\s*\|(.*?)\|?\s*$")
_RULED = regex(r"\s*:?-+:?\s*")
_ENDS = frozenset(".!?;\n")
_BULLETS = frozenset("-*•+")
_GLOSSES = frozenset("-:(,")
_LONGEST_DESCRIPTION = 8  # Words and marks of it.
_BEHIND = frozenset({"also", "adds", "filler"})  # "A and B too"
_SAYS_MORE = frozenset({"refuse", "condition", "demand", "correction", "rest", "none", "abstain", "all_rest", "turned"})


class Item(NamedTuple):
    """A part of a text: a mention, words with roles, a number, a mark, or a word that has no role in votes."""

    word: str
    roles: frozenset[str] = frozenset()
    ids: tuple[str, ...] | None = None
    how: str = ""
    ends: bool = False
    """Whether a clause may end with this mark: blanks follow it."""
    letter: bool = False
    """Whether a word of votes may be the letter of a text as well."""
    near: frozenset[str] = frozenset()
    """The texts that have a word in which this one is, which has no role and names none: "beds" in "seedbeds"."""

    @property
    def known(self) -> bool:
        """Whether it says nothing that is not understood."""
        return bool(self.roles) or self.ids is not None or not self.word[0].isalpha()


def clauses_in(raw: str, texts: Sequence[NamedText]) -> list[Sequence[Item]]:
    """Return the clauses of a text, without what follows "because"."""
    return list(clauses_of([*_with_the_other(items_in(_plain_lines(raw), texts), texts)]))


def _with_the_other(items: Sequence[Item], texts: Sequence[NamedText]) -> Iterator[Item]:
    """Yield items; of two texts, "the other" names the one that no item before it names, if one is named."""
    left = {each.id for each in texts}
    for item, after in zip_longest(items, items[1:]):
        left.difference_update(item.ids or ())
        names = "other" in item.roles and len(left) == 1 < len(texts) < 3 and not (after and "tells" in after.roles)
        yield Item(item.word, ids=(*left,), how="id") if names else item


def roles_of(items: Iterable[Item]) -> frozenset[str]:
    """Return the roles of all words around the texts that are named."""
    return frozenset().union(*(item.roles for item in items if item.ids is None))


def ids_of(items: Iterable[Item]) -> list[str]:
    """Return the texts that are named."""
    return [key for item in items for key in item.ids or ()]


def strange_in(items: Iterable[Item]) -> list[str]:
    """Return the words that are not understood."""
    return [item.word for item in items if not item.known]


def _plain_lines(raw: str) -> str:
    """Return a text with tags and rows of tables as plain lines; the column of reasons goes."""
    raw = _CONTINUED.sub(r"\1 – ", _HEADING.sub(r"\1:", raw))
    text = _TAG.sub(lambda tag: "\n" if tag[1] else f"\n{tag[2].replace('_', ' ')}: ", raw)
    rows = [row[1].split("|") if (row := _ROW.match(line)) else [line] for line in text.splitlines()]
    ruled = [at for at, row in enumerate(rows) if len(row) > 1 and all(map(_RULED.fullmatch, row))]
    if not ruled:
        return text
    heads = rows[ruled[0] - 1] if ruled[0] else []
    free = {at for at, head in enumerate(heads) if "because" in roles_of(items_in(head, ()))}
    return "\n".join(_row(row, free) for at, row in enumerate(rows) if not {at, at + 1} & {*ruled})


def _row(row: Sequence[str], free: set[int]) -> str:
    """Return a line, or the cells of a row of a table, a number in the first as a place."""
    first, *cells = (cell.strip(" *_`") if len(row) > 1 else cell for at, cell in enumerate(row) if at not in free)
    place = first.strip("#.")
    return " ".join([f"{place}." if cells and place.isdigit() else first, *cells])


def items_in(raw: str, texts: Sequence[NamedText]) -> list[Item]:
    """Return the parts of a text in order."""
    tokens, letters = tokens_of(raw), {each.letter.lower() for each in texts}
    named = {each.start: each for each in mentions(raw, texts, by_words=True)}
    items: list[Item] = []
    inside, words = 0, list[str]()
    for token in tokens:
        inside = named[token.start].end if token.start in named else inside
        words.append("\0" if token.start < inside else token.word)
    at = 0
    while at < len(tokens):
        token, size, end = tokens[at], 1, raw[tokens[at].end : tokens[at].end + 1]
        if mention := named.get(token.start):
            while at + size < len(tokens) and tokens[at + size].start < mention.end:
                size += 1
            items.append(_named(mention, raw, tokens[at : at + size]))
        elif not token.is_word:
            ends = token.word in _ENDS and (token.word in "\n;" or not end.isalnum())
            items.append(Item(token.word, _MARKS.get(token.word, frozenset()), ends=ends))
        elif phrase := phrase_at(words, at):
            size, alone = phrase.size, len(token.word) == phrase.size == 1
            apart = texts and raw[token.start].isupper() and end not in {"'", "’"} and token.word not in "ai"
            strange = () if alone and apart else None
            items.append(
                Item(raw[token.start : token.end], phrase.roles, strange, letter=alone and token.word in letters)
            )
        else:
            items.append(_unknown(raw, token, texts))
        at += size
    return items


def _unknown(raw: str, token: Token, texts: Sequence[NamedText]) -> Item:
    """Return a word that has no role as it was written, "natürlich", and a number in plain digits."""
    is_number = not token.word[0].isalpha()
    holding = (each.id for each in texts if stem(token.word) in folded(f"{each.title}\n{each.text}"))
    return Item(token.word if is_number else raw[token.start : token.end], near=frozenset(() if is_number else holding))


def _named(mention: Mention, raw: str, tokens: Sequence[Token]) -> Item:
    """Return a text that is named; with the roles of its name, where that is a phrase of votes as well."""
    own = () if mention.how in ("letter", "words") else tokens
    return Item(raw[mention.start : mention.end], name_roles(*(each.word for each in own)), mention.ids, mention.how)


def clauses_of(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Yield what stands between the ends of sentences and lines, and "but"; the number of a list ends none."""
    clause: list[Item] = []
    for at, item in enumerate(items):
        numbers = item.word == "." and bool(clause) and clause[-1].word.isdigit() and names_next(items[at + 1 : at + 7])
        if (item.ends and not numbers) or "break" in item.roles:
            yield from _without_reason([*clause, item] if item.word in {"?", "!"} else clause)
            clause = [item] if "break" in item.roles else []
        else:
            clause.append(item)
    yield from _without_reason(clause)


def names_next(items: Iterable[Item]) -> bool:
    """Return whether the first word of items is the name of a text."""
    return next((item.ids is not None for item in items if item.word[0].isalnum() or item.ids), False)


def _without_reason(clause: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Yield a clause without what follows "because", unless it is empty then; and what takes another text after it."""
    free = next((at for at, item in enumerate(clause) if "because" in item.roles and item.ids is None), len(clause))
    if free:
        yield clause[:free]
    joints = [at for at in range(free, len(clause)) if clause[at].word in {",", ";"}]
    for start, end in pairwise((*joints, len(clause))):
        part, before = clause[start + 1 : end], ids_of(clause[:free])
        follows = roles_of(part) & {"order", *ORDINALS} or not strange_in(part)
        votes = {*ids_of(part)} - {*before} and (follows or roles_of(part) & {"accept", "label"})
        refuses = not before and roles_of(part) & {"none", "abstain"} and all(item.known for item in part)
        if votes and follows and ids_of(clause[free:start]):
            yield clause[free:end]  # "A because B came first, then C" may order B and C
        elif votes or refuses:
            yield from _without_reason(part)


def breaks_off(clause: Sequence[Item]) -> bool:
    """Return whether a clause ends with a word or mark behind which a text must stand: "A then"."""
    last = next((item for item in reversed(clause) if item.known and item.word not in _ENDS), None)
    words = [item for item in clause if item.ids or item.word[0].isalnum()]
    joins = bool(words) and not words[-1].ids and "and" in words[-1].roles and words[-1].roles.isdisjoint(_BEHIND)
    return joins or (last is not None and last.ids is None and "order" in last.roles and "behind" not in last.roles)


def label_of(clause: Sequence[Item]) -> int:
    """Return how many parts of a clause are its label and the colon; 0 where it has no label with a vote behind it."""
    colon = next((at for at, item in enumerate(clause) if item.word in {":", "="}), 0)
    head, tail = clause[:colon], clause[colon + 1 :]
    labels = roles_of(head) >= {"label"} and "refuse" not in roles_of(head) and not ids_of(head)
    states = any(item.ids is not None or item.roles & {"none", "abstain"} for item in tail)
    return colon + 1 if labels and states and all(item.known for item in head) else 0


def is_row(clause: Sequence[Item]) -> bool:
    """Return whether a clause is a row of a list."""
    return clause[0].ids is not None or clause[0].word in _BULLETS or clause[0].word.isdigit()


def narrowed(clause: Sequence[Item]) -> Sequence[Item]:
    """Return a clause in which words behind a name that fit several texts stand for that name's, where they fit it."""
    items: list[Item] = []
    name: tuple[str, ...] = ()
    for item in clause:
        if item.ids is None:
            name = () if item.word == "," or item.roles & {"order", "and", "tie"} else name
        elif item.how == "words" and len(item.ids) > 1 and {*name} & {*item.ids}:
            item = item._replace(ids=name)  # noqa: PLW2901 - the same item, read better
        else:
            name = (item.ids or ()) if len(item.ids or ()) == 1 else ()
        items.append(item)
    named = [(at, {*item.ids}) for at, item in enumerate(items) if item.ids]
    for (at, ids), (after, other) in pairwise(named):  # "Tomas's, the roof one"
        between = roles_of(items[at + 1 : after]) & {"order", "and", "tied", "tells", *ORDINALS}
        if items[at].how == "author" and len(other) == 1 and other < ids and not between:
            items[at] = items[after]
    return items


def described(clause: Sequence[Item]) -> Sequence[Item]:
    """Return a clause that votes without the words that describe the text of an id: "the joined text (p7.0)".

    They stand behind an article, right before the id. Before a comma the last fits its text: "my square first, p1.0".
    """
    if roles_of(clause).isdisjoint({"accept", "order", "only", "label", *ORDINALS}):
        return clause
    items: list[Item] = []
    for item in clause:
        if item.how == "id":
            del items[_description(items[-_LONGEST_DESCRIPTION:], {*(item.ids or ())})]
        items.append(item)
    return items


def _description(before: Sequence[Item], key: set[str]) -> slice:
    """Return where the words are that describe the text of an id, counted back from it; an empty slice without any."""
    mark, end = before[-1].word if before else "", len(before)
    end -= mark in {"(", ","}
    while mark == "," and end and before[end - 1].roles & {*ORDINALS}:
        end -= 1
    fits = [_may_be_of(item, key) for item in before[:end]]
    plain = [item.known and "noun" not in item.roles for item in before[:end]]
    begin = max((at + 1 for at in range(end) if not fits[at] and (plain[at] or before[at].near)), default=0)
    strange = strange_in(before[begin:end])
    settled = mark == "(" or fits[begin:][-1:] == [True] or (mark != "," and len(strange) == 1)
    named = not strange or "article" in roles_of(before[:begin][-1:])
    return slice(begin - len(before), end - len(before) or None) if settled and named else slice(0, 0)


def _may_be_of(item: Item, key: set[str]) -> bool:
    """Return whether an item is a word of a text, or a name that may be its."""
    return item.how not in CODES and key <= (item.near | {*(item.ids or ())})


def without_gloss(clause: Sequence[Item]) -> Sequence[Item]:
    """Return a clause without the remark behind its only text: in a row of a list, or behind a colon or dash."""
    name = next((at for at, item in enumerate(clause) if item.ids is not None), None)
    if name is None:
        return clause
    first = clause[name]
    row = any(item.word in _BULLETS or item.word.isdigit() for item in clause[:name])
    marks = _GLOSSES if row else _GLOSSES - {",", "" if first.how == "id" else "("}
    last = max(at for at, item in enumerate(clause) if item.ids == first.ids)
    begins = next((at for at in range(last + 1, len(clause)) if clause[at].word in marks), len(clause))
    rest = clause[begins:]
    argues = first.how == "id" and roles_of(rest).isdisjoint({"order", "accept", "and"})
    others = [item for item in clause if item.ids not in (None, first.ids) and not (argues and item.how == "words")]
    return clause if others or not _is_remark(rest) else clause[:begins]


def _is_remark(items: Sequence[Item]) -> bool:
    """Return whether items have words that are not understood, and neither say more of votes nor a number."""
    if any(item.word.isdigit() and item.ids is None for item in items) or not strange_in(items):
        return False
    between = {at + 1 for at in range(len(items) - 2) if not (items[at].known or items[at + 2].known)}
    told = [
        item for at, item in enumerate(items) if "negator" not in item.roles or at not in between
    ]  # "needs no care"
    return not any(item.roles & _SAYS_MORE for item in told)


def without_others(clause: Sequence[Item]) -> tuple[Sequence[Item], Sequence[Item]]:
    """Return a clause without what it says of the rest of the texts, and that."""
    begins = next((at for at, item in enumerate(clause) if "rest" in item.roles), None)
    if begins is None:
        return clause, ()
    while begins and clause[begins - 1].ids is None and clause[begins - 1].word != ",":
        begins -= 1
    return clause[:begins], clause[begins:]


def abstains(clause: Sequence[Item]) -> bool:
    """Return whether a clause abstains, and does not say that its voter will not."""
    at = next((at for at, item in enumerate(clause) if "abstain" in item.roles), None)
    return at is not None and not any("refuse" in item.roles for item in clause[max(0, at - 2) : at])


class AskError(ValueError):
    """A vote has no one reading."""

    def __init__(self, kind: DoubtKind, texts: Iterable[str] = (), words: str = "", *, field: str = "") -> None:
        super().__init__(kind)
        self.doubt = Doubt(kind, tuple(texts), words=words, field=field)


def ask_where(fault: object, kind: DoubtKind, texts: Iterable[str] = (), words: str = "", *, field: str = "") -> None:
    """Raise AskError where there is a fault."""
    if fault:
        raise AskError(kind, texts, words, field=field)
