"""Reads votes that are written in words: lists, letters, titles, order marks, refusals, yes and no beside each text.

What has one reading is read. Every word of a clause that names a text must have a role in votes; anything else is a
doubt, of which the voter is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from eda.events.doubts import Doubt, DoubtKind
from eda.voting.ballot_clauses import (
    ORDINALS,
    Item,
    abstains,
    clauses_in,
    clauses_of,
    ids_of,
    is_row,
    label_of,
    roles_of,
    without_gloss,
    without_others,
)
from eda.voting.mentions import NamedText

Rank = str | tuple[str, ...]
"""A text, or several that are tied."""

_VOTES = frozenset(
    {"accept", "refuse", "order", "and", "both", "tied", "rest", "condition", "correction", "none", *ORDINALS}
)
_NAMES = frozenset({"id", "letter", "title", "text"})


class AskError(ValueError):
    """A vote has no one reading."""

    def __init__(self, kind: DoubtKind, texts: Iterable[str] = (), words: str = "") -> None:
        super().__init__(kind)
        self.doubt = Doubt(kind, tuple(texts), words=words)


@dataclass(frozen=True, slots=True)
class Vote:
    """What a piece of writing votes for."""

    accepts: tuple[Rank, ...] = ()
    refuses: frozenset[str] = frozenset()
    none: bool = False
    abstain: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts that it accepts, tied ones too."""
        return tuple(each for rank in self.accepts for each in ((rank,) if isinstance(rank, str) else rank))

    def __bool__(self) -> bool:
        """Return whether it says anything of acceptance."""
        return bool(self.accepts or self.none or self.abstain)


@dataclass(slots=True)
class _Entry:
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


_Segment = tuple[str, Sequence[Item]]
"""What commas and order marks part, with what stands before it."""


@dataclass(slots=True)
class _Ballot:
    """What the clauses of a text have said so far."""

    texts: Sequence[NamedText]
    agrees: bool
    """Whether it says that it accepts both or all: then "A over B" accepts B."""
    entries: list[_Entry] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    none: bool = False
    abstain: bool = False
    needs: frozenset[str] = frozenset()
    """How a text must be named beside clauses that are no part of the vote; empty without such clauses."""
    header: bool | None = None
    """Whether the list under a heading is refused; None without a heading."""


def prose_vote(raw: str, texts: Sequence[NamedText]) -> Vote:
    """Return the vote that a text states in words; where rows are labelled as the vote, only these are it.

    Raises:
        AskError: it has no one reading.
    """
    clauses = clauses_in(raw, texts)
    labels = {at: label for at, clause in enumerate(clauses) if (label := label_of(clause))}
    if not labels:
        return _corrected(clauses, texts)
    rows = [_corrected([clauses[at][label:]], texts) for at, label in labels.items()]
    for (at, label), (one, other) in zip([*labels.items()][1:], pairwise(rows), strict=True):
        begins = one.accepts and other.accepts[: len(one.accepts)] == one.accepts
        if not begins and "final" not in roles_of(clauses[at][:label]):
            raise AskError("two votes", (*one.texts, *other.texts))
    after = _corrected(clauses[max(labels) + 1 :], texts, needed=False)
    if after or after.refuses & {*rows[-1].texts}:
        raise AskError("two votes", after.texts)
    return rows[-1]


def refused_in(reason: str, texts: Sequence[NamedText]) -> set[str]:
    """Return the texts that a reason refuses by name and in so many words: "o2 must be rejected"."""
    refused: set[str] = set()
    for clause in clauses_in(reason, texts):
        named = {*ids_of(item for item in clause if item.how in _NAMES - {"letter"})}
        says = any("refuse" in item.roles and "negator" not in item.roles for item in clause if item.ids is None)
        refused |= named if says and len(named) == 1 else set()
    return refused


def _corrected(clauses: Sequence[Sequence[Item]], texts: Sequence[NamedText], *, needed: bool = True) -> Vote:
    """Return the vote of clauses; of those with a correction what follows it, where that is a whole vote."""
    items = [item for clause in clauses for item in (*clause, Item("\n", ends=True))]
    last = max((at for at, item in enumerate(items) if "correction" in roles_of([item])), default=0)
    before = {*ids_of(items[:last])}
    if not before:
        return _vote(clauses, texts, needed=needed)
    vote = _vote([*clauses_of(items[last + 1 :])], texts, needed=True)
    if len(vote.texts) < len(before):
        raise AskError("two votes", vote.texts)
    return vote


def _vote(clauses: Sequence[Sequence[Item]], texts: Sequence[NamedText], *, needed: bool) -> Vote:
    ballot = _Ballot(texts, agrees=any("all_ok" in roles_of(clause) for clause in clauses))
    for clause in clauses:
        _read_clause(without_gloss(clause), ballot)
    ways = {item.how for clause in clauses for item in clause if item.ids}
    if ballot.needs and ways.isdisjoint(ballot.needs) and not (ballot.none or ballot.abstain):
        raise AskError("other words")
    if ballot.entries and ballot.entries[0].before == "order":
        raise AskError("other words")  # "then A", behind what cannot be read
    vote = Vote(_ranked(_each_once(ballot.entries)), frozenset(ballot.refused), ballot.none, ballot.abstain)
    if both := {*vote.texts} & vote.refuses:
        raise AskError("refuses", both)
    if not vote and texts and vote.refuses == {each.id for each in texts}:
        return replace(vote, none=True)
    if bool(vote.accepts) + vote.none + vote.abstain > 1:
        raise AskError("two votes", vote.texts)
    if needed and not vote:
        raise AskError("no vote")
    return vote


def _read_clause(clause: Sequence[Item], ballot: _Ballot) -> None:
    """Add what a clause says to the ballot."""
    roles, named = roles_of(clause), [item for item in clause if item.ids is not None]
    if not named:
        _read_unnamed(clause, roles, ballot)
        return
    strange = not all(item.known for item in clause)
    if strange and roles.isdisjoint(_VOTES) and all(item.how == "words" for item in named):
        ballot.needs = frozenset({"id"})
        return
    _check_named(clause, named, roles, agrees=ballot.agrees)
    if "all_rest" in roles:
        refused = {*ids_of(named)}
        others = [each.id for each in ballot.texts if each.id not in refused]
        entries = [_Entry(key, tied=at > 0) for at, key in enumerate(others)]
    else:
        clause, rest = without_others(clause)
        if rest and (roles_of(rest).isdisjoint({"refuse", "done", "none"}) or "yes" in roles_of(rest)):
            raise AskError("other words", words="rest")
        row = bool(clause) and is_row(clause)
        entries = _entries(clause, refused=ballot.header if row else None)
        ballot.header = ballot.header if row or not clause else None
        refused = {*ids_of(rest), *(each.id for each in entries if each.refused)}
    ballot.refused |= refused
    ballot.entries += [each for each in entries if not each.refused]


def _check_named(clause: Sequence[Item], named: Sequence[Item], roles: frozenset[str], *, agrees: bool) -> None:
    """Refuse a clause that names no one text, states a condition, asks, or has words without a role."""
    for item in named:
        if len(item.ids or ()) > 1:
            raise AskError("two texts" if len(item.ids or ()) == 2 else "several texts", item.ids or (), item.word)
        if item.how != "id" and item.roles - {"filler", "glue", "yes", "no", "accept", "refuse"}:
            raise AskError("another sense", item.ids or (), item.word)
    small = any(item.how == "letter" and item.word.islower() for item in named)
    unknown = [item.word for item in clause if item.ids == () or (small and item.letter)]
    if unknown:
        raise AskError("unknown", words=unknown[0])
    faults: dict[DoubtKind, bool] = {
        "question": clause[-1].word == "?",
        "on a condition": "condition" in roles,
        "no order": "turned" in roles or ("over" in roles and not agrees),
        "two votes": bool(roles & {"none", "abstain"}) and not any("refuse" in item.roles for item in clause),
    }
    if fault := next((kind for kind, is_so in faults.items() if is_so), None):
        raise AskError(fault, ids_of(named))
    if strange := [item.word for item in clause if not item.known]:
        raise AskError("other words", words=strange[0])


def _read_unnamed(clause: Sequence[Item], roles: frozenset[str], ballot: _Ballot) -> None:
    """Add what a clause says that names no text: none, an abstention, a heading, that the rest is refused."""
    head = clause[: next((at for at, item in enumerate(clause) if item.word in {",", "-", "(", ":"}), len(clause))]
    strange = [item.word for item in clause if not item.known]
    if clause and clause[-1].word == "?":
        ballot.needs = ballot.needs or _NAMES
        return
    if "condition" in roles and not (ballot.none or ballot.abstain):
        raise AskError("on a condition")
    if any("refuse" in one.roles and "none" in other.roles for one, other in pairwise(clause)):
        raise AskError("other words", words=clause[0].word)
    if abstains(clause):
        ballot.abstain = True
    elif "none" in roles_of(head) and all(item.known for item in head) and "rest" not in roles_of(head):
        ballot.none = True
    elif not (ballot.none or ballot.abstain):
        turns = roles & {"correction", "all_rest", "none"} if strange else ()
        unsaid = "rest" in roles and (strange or roles.isdisjoint({"refuse", "done", "none"}))
        heads = bool(clause) and clause[-1].word == ":"
        if unsaid or (strange and (heads or turns)):
            raise AskError("other words", words=strange[0] if strange else "rest")
        ballot.header = "refuse" in roles if heads else ballot.header
        ballot.needs = ballot.needs or (_NAMES if strange else frozenset())


def _entries(clause: Sequence[Item], *, refused: bool | None) -> list[_Entry]:
    """Return the texts that a clause names, in its order, with what it says of each."""
    segments = [*_segments(clause)]
    entries: list[_Entry] = []
    denied = False
    for before, segment in segments:
        roles = roles_of(segment)
        if denied and ids_of(segment) and roles.isdisjoint({"refuse", "accept", "only", "and"}):
            raise AskError("other words", words=segment[0].word)  # "not A, B"
        refused = False if "only" in roles and "refuse" not in roles else refused
        own, refused = _named_in(segment, refused, entries)
        denied = "negator" in roles
        if own and (entries or before == "order"):
            own[0].before = before
        entries += own
    _place(segments, [each for each in _once(entries) if not each.refused])
    _tie(segments, entries)
    return [*_once(entries)]


def _once(entries: Iterable[_Entry]) -> Iterator[_Entry]:
    """Yield the entries without repetitions of the one before them: an id with its title."""
    before: _Entry | None = None
    for entry in entries:
        if before is None or before.id != entry.id:
            yield (before := entry)
        else:
            before.refused = entry.refused if before.refused is None else before.refused
            before.ruled |= entry.ruled


def _segments(clause: Sequence[Item]) -> Iterator[_Segment]:
    """Yield the segments of a clause; order marks that stand beside a comma outweigh it."""
    segment, before = list[Item](), "line"
    for item in clause:
        mark = {",": "comma", "/": "slash"}.get(item.word, "order" if roles_of([item]) & {"order", "over"} else "")
        if not mark:
            segment.append(item)
        elif any(each.ids is not None for each in segment):
            yield before, segment
            segment, before = [], mark
        elif mark != "comma":
            before = mark if mark == "order" or before == "comma" else before
    if segment:
        yield before, segment


def _named_in(  # noqa: C901 - a case for each kind of word
    segment: Sequence[Item], refused: bool | None, earlier: Sequence[_Entry]
) -> tuple[list[_Entry], bool | None]:
    """Return the texts of a segment with what it says of each, and what holds for the segments after it."""
    sides = [item for item in segment if item.ids is not None or item.roles & {"accept", "refuse"}]
    if not ids_of(sides):
        roles = roles_of(segment)
        if "refuse" in roles and "done" not in roles and earlier:
            if len({each.id for each in earlier}) > 1:
                raise AskError("other words", words=segment[0].word)
            earlier[0].refused = True  # "A, no"
        return [], ("refuse" in roles and not earlier) or None
    behind = sides[0].ids is not None and sides[-1].ids is None  # "A no", "A yes B no"
    entries, since, joined = list[_Entry](), 0, ""
    for at, item in enumerate(segment):
        if item.ids:
            beside = item.how in {"letter", "id"} and at > 0 and segment[at - 1].how == item.how
            if entries and not joined and not beside and entries[-1].id != item.ids[0]:
                raise AskError("two texts", (entries[-1].id, item.ids[0]))
            ticked = at > 0 and "yes" in segment[at - 1].roles and not segment[at - 1].word.isalnum()
            entries.append(_Entry(item.ids[0], None if behind else refused, ruled=ticked, before=joined))
            joined = ""
            continue
        joined = "tie" if "tie" in item.roles else joined or ("and" if "and" in item.roles else "")
        if not item.roles & {"accept", "refuse"}:
            continue
        refuses = "refuse" in item.roles
        if behind:
            for entry in entries[since:]:
                entry.refused, entry.ruled = bool(entry.refused) or refuses, True
            since = len(entries)
        elif ids_of(segment[at:]) and (refuses or not refused or len(entries) > since):
            refused, since = refuses, len(entries)
    carries = not refused or behind or all(each.refused for each in (*earlier, *entries))
    return entries, refused if carries else None


def _place(segments: Iterable[_Segment], wanted: Sequence[_Entry]) -> None:
    """Give texts the places that ordinals and numbers say; a number behind a mark is a score."""
    places: list[int] = []
    for _, segment in segments:
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
    elif places and wanted and (places != [1] or any(each.before in {"and", ""} for each in wanted[1:])):
        raise AskError("no order", [each.id for each in wanted])


def _tie(segments: Sequence[_Segment], entries: Sequence[_Entry]) -> None:
    """Tie the texts of a part between order marks that a word ties; refuse "A and B" without an order."""
    parts: list[list[Item]] = [[]]
    for before, segment in segments:
        if before == "order" and parts[-1]:
            parts.append([])
        parts[-1] += segment
    begin = 0
    for part in parts:
        end = begin + len(ids_of(part))
        wanted = [each for each in _once(entries[begin:end]) if not each.refused]
        loose = len(parts) > 1 or "in_order" in roles_of(part)
        tied = any("tied" in item.roles and not (loose and "both" in item.roles) for item in part if not item.ids)
        if tied and len(wanted) == end - begin == 1:
            raise AskError("no order", [wanted[0].id])
        listed = any(each.before == "comma" for each in wanted[1:]) or "in_order" in roles_of(part)
        for entry in wanted[1:]:
            entry.tied = tied or entry.before == "tie"
            level = entry.before in {"and", "slash"} and not (entry.tied or listed or entry.ruled)
            if level and not all(each.rank for each in wanted):
                raise AskError("no order", [each.id for each in wanted])
        begin = end


def _each_once(named: Iterable[_Entry]) -> list[_Entry]:
    """Return the entries without those of a text that an earlier one names, unless the two differ."""
    entries: dict[str, _Entry] = {}
    for entry in named:
        first = entries.setdefault(entry.id, entry)
        if first is not entry and (entry.tied or (entry.rank and first.rank and entry.rank != first.rank)):
            raise AskError("two votes", [entry.id])
    return [*entries.values()]


def _ranked(entries: list[_Entry]) -> tuple[Rank, ...]:
    """Return the texts accepted, best first, with those that are tied together: yes beside each is a tie, too."""
    places = [each.rank for each in entries]
    if len(entries) > 1 and all(each.ruled and each.before != "order" for each in entries) and sum(places) < 2:
        entries.sort(key=lambda each: -each.rank)
        for before, entry in pairwise(entries):
            entry.tied = before.rank == 0
    elif any(places) and len({*places}) > min(1, len(places) - 1):  # as one list numbers all its rows 1
        if 0 not in places:
            entries.sort(key=lambda each: each.rank)
        if any(each.rank not in {0, place} for place, each in enumerate(entries, 1)):
            raise AskError("no order", [each.id for each in entries])
    ranks: list[tuple[str, ...]] = []
    for entry in entries:
        if entry.tied and ranks:
            ranks[-1] += (entry.id,)
        else:
            ranks.append((entry.id,))
    return tuple(each[0] if len(each) == 1 else each for each in ranks)
