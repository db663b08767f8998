"""Takes a written vote apart: clauses, and in them texts, words with a role in votes, numbers and marks; its order."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise, takewhile
from typing import NamedTuple

from eda.events.outcome import Doubt, DoubtKind
from eda.events.votes import Rank
from eda.voting.mentions import NamedText, mentions, phrase_at, tokens_of

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
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
_HEADING = re.compile(r"^\s*#{1,6}\s+(.*?)[\s:]*$", re.MULTILINE)
_CONTINUED = re.compile(r"^([ \t]*(?:\d+[.)]|[-*+])[ \t].*)\n[ \t]{2,}(?=[^\W\d]{2,}\s)", re.MULTILINE)
_TAG = re.compile(r"<(/?)([a-z_]+)[^<>\n]*>", re.IGNORECASE)
_ROW = re.compile(r"^\s*\|(.*?)\|?\s*$")
_RULED = re.compile(r"\s*:?-+:?\s*")
_ENDS = frozenset(".!?;\n")
_BULLETS = frozenset("-*•+")
_GLOSSES = frozenset("-:(,")
_SAYS_MORE = frozenset({"refuse", "condition", "correction", "rest", "none", "abstain", "all_rest", "turned"})


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

    @property
    def known(self) -> bool:
        """Whether it says nothing that is not understood."""
        return bool(self.roles) or self.ids is not None or not self.word[0].isalpha()


def clauses_in(raw: str, texts: Sequence[NamedText]) -> list[Sequence[Item]]:
    """Return the clauses of a text, without what follows "because"."""
    return list(clauses_of(_items(_plain_lines(raw), texts)))


def roles_of(items: Iterable[Item]) -> frozenset[str]:
    """Return the roles of all words around the texts that are named."""
    return frozenset().union(*(item.roles for item in items if item.ids is None))


def ids_of(items: Iterable[Item]) -> list[str]:
    """Return the texts that are named."""
    return [key for item in items for key in item.ids or ()]


def _plain_lines(raw: str) -> str:
    """Return a text with tags and rows of tables as plain lines; the column of reasons goes."""
    raw = _CONTINUED.sub(r"\1 – ", _HEADING.sub(r"\1:", raw))
    text = _TAG.sub(lambda tag: "\n" if tag[1] else f"\n{tag[2].replace('_', ' ')}: ", raw)
    rows = [row[1].split("|") if (row := _ROW.match(line)) else [line] for line in text.splitlines()]
    ruled = [at for at, row in enumerate(rows) if len(row) > 1 and all(map(_RULED.fullmatch, row))]
    if not ruled:
        return text
    heads = rows[ruled[0] - 1] if ruled[0] else []
    free = {at for at, head in enumerate(heads) if "because" in roles_of(_items(head, ()))}
    return "\n".join(_row(row, free) for at, row in enumerate(rows) if not {at, at + 1} & {*ruled})


def _row(row: Sequence[str], free: set[int]) -> str:
    """Return a line, or the cells of a row of a table, a number in the first as a place."""
    first, *cells = (cell.strip(" *_`") if len(row) > 1 else cell for at, cell in enumerate(row) if at not in free)
    place = first.strip("#.")
    return " ".join([f"{place}." if cells and place.isdigit() else first, *cells])


def _items(raw: str, texts: Sequence[NamedText]) -> list[Item]:
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
        phrase = phrase_at(words, at) if token.is_word else None
        if mention := named.get(token.start):
            while at + size < len(tokens) and tokens[at + size].start < mention.end:
                size += 1
            own = phrase_at([each.word for each in tokens[at : at + size]], 0)
            also = own.roles if own and own.size == size and mention.how not in ("letter", "words") else frozenset()
            items.append(Item(raw[mention.start : mention.end], also, mention.ids, mention.how))
        elif phrase is not None:
            size, alone = phrase.size, len(token.word) == phrase.size == 1
            strange = (
                texts and alone and raw[token.start].isupper() and end not in {"'", "’"} and token.word not in "ai"
            )
            letter = alone and token.word in letters
            items.append(Item(token.word, phrase.roles, () if strange else None, letter=letter))
        elif token.is_word:
            items.append(Item(token.word))
        else:
            ends = token.word in _ENDS and (token.word in "\n;" or not end.isalnum())
            items.append(Item(token.word, _MARKS.get(token.word, frozenset()), ends=ends))
        at += size
    return items


def clauses_of(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Yield what stands between the ends of sentences and lines, and "but"; the number of a list ends none."""
    clause: list[Item] = []
    for at, item in enumerate(items):
        after = next((each for each in items[at + 1 : at + 7] if each.word[0].isalnum() or each.ids), item)
        numbers = item.word == "." and bool(clause) and clause[-1].word.isdigit() and after.ids is not None
        if (item.ends and not numbers) or "break" in item.roles:
            yield from _without_reason([*clause, item] if item.word in {"?", "!"} else clause)
            clause = [item] if "break" in item.roles else []
        else:
            clause.append(item)
    yield from _without_reason(clause)


def _without_reason(clause: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Yield a clause without what follows "because", unless it is empty then; and what takes another text after it."""
    free = next((at for at, item in enumerate(clause) if "because" in item.roles and item.ids is None), len(clause))
    if free:
        yield clause[:free]
    joints = [at for at in range(free, len(clause)) if clause[at].word in {",", ";"}]
    for start, end in itertools.pairwise((*joints, len(clause))):
        part, before = clause[start + 1 : end], ids_of(clause[:free])
        votes = {*ids_of(part)} - {*before} and roles_of(part) & {"accept", "label"}
        refuses = not before and roles_of(part) & {"none", "abstain"} and all(item.known for item in part)
        if votes or refuses:
            yield part


def breaks_off(clause: Sequence[Item]) -> bool:
    """Return whether a clause ends with a word or mark behind which a text must stand: "A then"."""
    last = next((item for item in reversed(clause) if item.known and item.word not in _ENDS), None)
    return last is not None and last.ids is None and ("order" in last.roles and "behind" not in last.roles)


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
        between = roles_of(items[at + 1 : after]) & {"order", "and", "tied", *ORDINALS}
        if items[at].how == "author" and len(other) == 1 and other < ids and not between:
            items[at] = items[after]
    return items


def without_gloss(clause: Sequence[Item]) -> Sequence[Item]:
    """Return a clause without the remark behind its only text: in a row of a list, or behind a colon or dash."""
    first = next((at for at, item in enumerate(clause) if item.ids is not None), None)
    if first is None:
        return clause
    row = any(item.word in _BULLETS or item.word.isdigit() for item in clause[:first])
    ids, marks = clause[first].ids, _GLOSSES if row else _GLOSSES - {",", "" if clause[first].how == "id" else "("}
    last = max(at for at, item in enumerate(clause) if item.ids == ids)
    begins = next((at for at in range(last + 1, len(clause)) if clause[at].word in marks), None)
    if begins is None:
        return clause
    rest = clause[begins:]
    argues = clause[first].how == "id" and not any(item.roles & {"order", "accept", "and"} for item in rest)
    others = [item for item in clause if item.ids not in (None, ids) and not (argues and item.how == "words")]
    told = [item for at, item in enumerate(rest) if not ("negator" in item.roles and _inside(rest, at))]
    remark = any(not item.known for item in rest) and not any(item.roles & _SAYS_MORE for item in told)
    figures = any(item.word.isdigit() and item.ids is None for item in rest)
    return clause[:begins] if remark and not others and not figures else clause


def _inside(items: Sequence[Item], at: int) -> bool:
    """Return whether an item stands between words that are not read: "no" in "it needs no upkeep"."""
    return 0 < at < len(items) - 1 and not (items[at - 1].known or items[at + 1].known)


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


@dataclass(slots=True)
class Entry:
    """A text that a clause names."""

    id: str
    refused: bool | None = None
    """None where no word says it: then it is accepted."""
    ruled: bool = False
    """Whether yes or no stands behind it."""
    rank: int = 0
    before: str = "line"
    """What parts it from the one before it: `line`, `order`, `comma`, `slash`, `and`, `tie`, or nothing."""
    tied: bool = False
    """Whether it is tied with the one before it."""


Segment = tuple[str, Sequence[Item]]
"""What commas and order marks part, with what stands before it."""


def once(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries without repetitions of the one before them: an id with its title."""
    before: Entry | None = None
    for entry in entries:
        if before is None or before.id != entry.id:
            yield (before := entry)
        else:
            before.refused = entry.refused if before.refused is None else before.refused
            before.ruled |= entry.ruled


def segments_of(clause: Sequence[Item]) -> Iterator[Segment]:
    """Yield the segments of a clause; order marks that stand beside a comma outweigh it."""
    segment, before = list[Item](), "line"
    for at, item in enumerate(clause):
        mark = {",": "comma", "/": "slash"}.get(item.word, "order" if roles_of([item]) & {"order", "over"} else "")
        behind = "behind" in item.roles and not ids_of(takewhile(lambda each: each.word != ",", clause[at + 1 :]))
        if behind and ids_of(segment):
            before = "order"  # "B after"
        elif "behind" in item.roles <= {"behind", "last"}:
            raise AskError("no order", ids_of(clause), item.word)  # "last: B"
        elif not mark:
            segment.append(item)
        elif any(each.ids is not None for each in segment):
            yield before, segment
            segment, before = [], mark
        elif mark != "comma":
            before = mark if mark == "order" or before == "comma" else before
    if segment:
        yield before, segment


def set_places(segments: Iterable[Segment], wanted: Sequence[Entry]) -> None:
    """Give texts the places that ordinals and numbers say; a number behind a mark is a score."""
    places: list[int] = []
    begun = late = tied = False
    for _, segment in segments:
        late |= begun and bool(roles_of(segment) & {*ORDINALS})
        begun |= bool(ids_of(segment))
        tied |= "tied" in roles_of(segment)  # "A and B, level at the top"
        for at, item in enumerate(segment):
            if item.ids is not None:
                continue
            if item.word[0].isdigit() and not item.roles:
                after = next((each for each in segment[at + 1 :] if each.word[0].isalnum() or each.ids), item)
                begins = after.ids is not None and not ids_of(segment[:at])
                if not item.word.isdigit() or not (begins or (at > 0 and segment[at - 1].ids)):
                    raise AskError("scores unsaid")
                places.append(int(item.word))
            elif "tied" not in item.roles:
                places += [place for place, name in enumerate(ORDINALS, 1) if name in item.roles][:1]
    if len(places) == len(wanted):
        for entry, place in zip(wanted, places, strict=True):
            entry.rank = place
    elif (
        places
        and wanted
        and not (tied and places == [1])
        and (late or places != [1] or any(each.before in {"and", ""} for each in wanted[1:]))
    ):
        raise AskError("no order", [each.id for each in wanted])


def set_ties(segments: Sequence[Segment], entries: Sequence[Entry]) -> None:
    """Tie the texts of a part between order marks that a word ties; refuse "A and B" without an order."""
    parts: list[list[Item]] = [[]]
    for before, segment in segments:
        if before == "order" and parts[-1]:
            parts.append([])
        parts[-1] += segment
    begin = 0
    for part in parts:
        end = begin + len(ids_of(part))
        wanted = [each for each in once(entries[begin:end]) if not each.refused]
        loose = len(parts) > 1 or "in_order" in roles_of(part)
        tied = any("tied" in item.roles and not (loose and "both" in item.roles) for item in part if not item.ids)
        if tied and len(wanted) == end - begin == 1:
            raise AskError("no order", [wanted[0].id])
        listed = any(each.before == "comma" for each in wanted[1:]) or "in_order" in roles_of(part)
        for entry in wanted[1:]:
            entry.tied = tied or entry.before == "tie"
            level = entry.before == "slash" or (entry.before == "and" and not listed)
            if level and not (entry.tied or entry.ruled or all(each.rank for each in wanted)):
                raise AskError("no order", [each.id for each in wanted])
        begin = end


def each_once(named: Iterable[Entry]) -> list[Entry]:
    """Return the entries without those of a text that an earlier one names, unless the two differ."""
    entries: dict[str, Entry] = {}
    named = [*named]
    level = {each.id for pair in pairwise(named) if pair[1].tied for each in pair}
    for entry in named:
        first = entries.setdefault(entry.id, entry)
        place = first.rank or [*entries].index(entry.id) + 1
        listed = entry.tied or entry.before in {"order", "comma"} or entry.id in level
        if first is not entry and (listed or entry.rank not in {0, place}):
            raise AskError("two votes", [entry.id])
    return [*entries.values()]


def ranked(entries: list[Entry]) -> tuple[Rank, ...]:
    """Return the texts accepted, best first, with those that are tied together: yes beside each is a tie, too."""
    places = [each.rank for each in entries]
    if len(entries) > 1 and all(each.ruled and each.before != "order" for each in entries) and sum(places) < 2:
        entries.sort(key=lambda each: -each.rank)
        for before, entry in pairwise(entries):
            entry.tied = before.rank == 0
    elif any(places) and len({*places}) > min(1, len(places) - 1):  # as one list numbers all its rows 1
        if 0 not in places:
            entries.sort(key=lambda each: each.rank)
        dense = accumulate(not each.tied for each in entries)
        if any(each.rank not in {0, at, place} for at, (place, each) in enumerate(zip(dense, entries, strict=True), 1)):
            raise AskError("no order", [each.id for each in entries])
    ranks: list[tuple[str, ...]] = []
    for entry in entries:
        if entry.tied and ranks:
            ranks[-1] += (entry.id,)
        else:
            ranks.append((entry.id,))
    return tuple(each[0] if len(each) == 1 else each for each in ranks)
