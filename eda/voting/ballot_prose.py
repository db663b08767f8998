"""Reads votes that are written in words: lists, letters, titles, order marks, refusals, yes and no beside each text.

What has one reading is read. Every word of a clause that names a text must have a role in votes; anything else is a
doubt, of which the voter is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise

from eda.events.outcome import DoubtKind
from eda.events.votes import Rank, flat
from eda.voting.ballot_clauses import (
    ORDINALS,
    AskError,
    Entry,
    Item,
    abstains,
    breaks_off,
    clauses_in,
    clauses_of,
    each_once,
    ids_of,
    is_row,
    label_of,
    narrowed,
    once,
    ranked,
    roles_of,
    segments_of,
    set_places,
    set_ties,
    without_gloss,
    without_others,
)
from eda.voting.mentions import NamedText

_VOTES = frozenset(
    {"accept", "refuse", "order", "and", "both", "tied", "rest", "condition", "correction", "none", *ORDINALS}
)
_CODES = frozenset({"id", "letter"})
_CHOOSES = _VOTES | {"label", "placing", "all_ok"}
_ELSE = frozenset({"none", "abstain", "rest", "all_rest", "order", "and", "tied", "both"})
"""What the name of a text may not say as well."""
_NAMES = frozenset({"id", "letter", "title", "text"})


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
        return flat(self.accepts)

    def __bool__(self) -> bool:
        """Return whether it says anything of acceptance."""
        return bool(self.accepts or self.none or self.abstain)


@dataclass(slots=True)
class _Ballot:
    """What the clauses of a text have said so far."""

    texts: Sequence[NamedText]
    agrees: bool
    """Whether it says that it accepts both or all, or what it refuses: then "A over B" accepts B."""
    entries: list[Entry] = field(default_factory=list)
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
    said = [*map(roles_of, clauses)]
    whole = {*ids_of(chain(*clauses))} >= {each.id for each in texts} and any("refuse" in roles for roles in said)
    agrees = whole or any("all_ok" in roles or ("rest" in roles and roles & {"refuse", "done"}) for roles in said)
    labels = {at: label for at, clause in enumerate(clauses) if (label := label_of(clause))}
    heads = [roles_of(clauses[at][:label]) for at, label in labels.items()]
    best = any(roles & {*ORDINALS} for roles in said[: max(labels, default=0)])  # then "acceptable: B" is behind it
    if all(head & {*ORDINALS} or (best and "enough" in head) for head in heads):  # "1st choice: A"
        return _corrected(clauses, texts, agrees=agrees)
    rows = [_corrected([clauses[at][label:]], texts, agrees=agrees) for at, label in labels.items()]
    for (at, label), (one, other) in zip([*labels.items()][1:], pairwise(rows), strict=True):
        begins = one.accepts and other.accepts[: len(one.accepts)] == one.accepts
        ranks = "placing" in roles_of(clauses[at][:label]) and {*one.texts} == {*other.texts}
        if not (begins or ranks) and "final" not in roles_of(clauses[at][:label]):
            raise AskError("two votes", (*one.texts, *other.texts))
    behind = clauses[max(labels) + 1 :]
    if not ids_of(chain(*behind)):  # "I accept the first two"
        rows[-1] = _corrected([clauses[max(labels)][labels[max(labels)] :], *behind], texts, agrees=agrees)
    after = _corrected(behind, texts, agrees=agrees, needed=False)
    first = _aloud(clauses[: min(labels)], texts, agrees=agrees)
    begins = first.accepts == rows[-1].accepts[: len(first.accepts)] and (first.none, first.abstain) == (False, False)
    if after or after.refuses & {*rows[-1].texts} or not begins:
        raise AskError("two votes", after.texts or rows[-1].texts)
    return rows[-1]


def _aloud(clauses: Sequence[Sequence[Item]], texts: Sequence[NamedText], *, agrees: bool) -> Vote:
    """Return the vote of what stands before a labelled one; none where it cannot be read, and is thought aloud."""
    try:
        return _corrected(clauses, texts, agrees=agrees, needed=False)
    except AskError:
        return Vote()


def _corrected(
    clauses: Sequence[Sequence[Item]], texts: Sequence[NamedText], *, agrees: bool, needed: bool = True
) -> Vote:
    """Return the vote of clauses; of those with a correction what follows it, where that is a whole vote."""
    items = [item for clause in clauses for item in (*clause, Item("\n", ends=True))]
    last = max((at for at, item in enumerate(items) if "correction" in roles_of([item])), default=0)
    before = {*ids_of(items[:last])}
    if not before:
        return _vote(clauses, texts, agrees=agrees, needed=needed)
    vote = _vote([*clauses_of(items[last + 1 :])], texts, agrees=agrees, needed=True)
    if len(vote.texts) < len(before):
        raise AskError("two votes", vote.texts)
    return vote


def _vote(clauses: Sequence[Sequence[Item]], texts: Sequence[NamedText], *, agrees: bool, needed: bool) -> Vote:
    ballot = _Ballot(texts, agrees)
    for clause in clauses:
        _read_clause(without_gloss(narrowed(clause)), ballot)
    _check_whole(clauses, ballot)
    vote = Vote(ranked(each_once(ballot.entries)), frozenset(ballot.refused), ballot.none, ballot.abstain)
    if both := {*vote.texts} & vote.refuses:
        raise AskError("refuses", both)
    if not vote and texts and vote.refuses == {each.id for each in texts}:
        return replace(vote, none=True)
    if bool(vote.accepts) + vote.none + vote.abstain > 1:
        raise AskError("two votes", vote.texts)
    if needed and not vote:
        raise AskError("no vote")
    return vote


def _check_whole(clauses: Sequence[Sequence[Item]], ballot: _Ballot) -> None:
    """Refuse clauses that break off or repeat the list of texts, and names by words beside what cannot be read."""
    ways = {item.how for clause in clauses for item in clause if item.ids}
    if ballot.needs and ways.isdisjoint(ballot.needs) and not (ballot.none or ballot.abstain):
        raise AskError("other words")
    if ballot.entries and ballot.entries[0].before == "order":
        raise AskError("other words")  # "then A", behind what cannot be read
    if clauses and breaks_off(clauses[-1]):
        raise AskError("other words", words=clauses[-1][-1].word)
    swept = any({"whole", "accept"} <= roles and not roles & {"refuse", "none"} for roles in map(roles_of, clauses))
    if swept and {each.id for each in ballot.entries} < {each.id for each in ballot.texts}:
        raise AskError("no order")  # "all of them are fine, B is best"
    lists = [roles_of(clause) for clause in clauses if ids_of(clause) or clause[-1].word == ":"]
    shown, twice = [each.id for each in ballot.texts], len(ids_of(chain(*clauses))) >= 2 * len(ballot.texts) > 4
    if twice and shown == [*dict.fromkeys(each.id for each in ballot.entries)] and _CHOOSES.isdisjoint(chain(*lists)):
        raise AskError("no vote")  # the list of the texts, repeated


def _read_clause(clause: Sequence[Item], ballot: _Ballot) -> None:
    """Add what a clause says to the ballot."""
    roles, named = roles_of(clause), [item for item in clause if item.ids is not None]
    if not named:
        _read_unnamed(clause, roles, ballot)
        return
    strange = not all(item.known for item in clause)
    vague = all(item.how == "words" and len(item.ids or ()) > 1 for item in named)
    if vague and (ballot.none or ballot.abstain or abstains(clause)):
        ballot.abstain |= abstains(clause)
        return
    if strange and roles.isdisjoint(_VOTES) and all(item.how == "words" for item in named):
        ballot.needs = frozenset({"id"})
        return
    _check_named(clause, named, roles, agrees=ballot.agrees)
    clause = _without_what_is_denied(clause, named)
    if "all_rest" in roles:
        if roles & {"order", *ORDINALS}:
            raise AskError("other words", ids_of(named))  # "all of them but A is best"
        refused = {*ids_of(named)}
        others = [each.id for each in ballot.texts if each.id not in refused]
        entries = [Entry(key, tied=at > 0) for at, key in enumerate(others)]
    else:
        clause, rest = without_others(clause)
        if ids_of(rest) and roles_of(rest) >= {"accept", "refuse"}:
            raise AskError("other words", ids_of(rest))  # "the rest is fine, not C"
        if rest and (roles_of(rest).isdisjoint({"refuse", "done", "none"}) or "yes" in roles_of(rest)):
            raise AskError("other words", words="rest")
        row = bool(clause) and is_row(clause)
        entries = _entries(clause, refused=ballot.header if row else None)
        ballot.header = ballot.header if row or not clause else None
        refused = {*ids_of(rest), *(each.id for each in entries if each.refused)}
        _check_turn(clause, entries, ballot)
    ballot.refused |= refused
    ballot.entries += [each for each in entries if not each.refused]


def _without_what_is_denied(clause: Sequence[Item], named: Sequence[Item]) -> Sequence[Item]:
    """Return a clause without the word that its beginning denies: "I do not find A or B acceptable".

    Raises:
        AskError: "no A, B acceptable" may accept B, or none of them.
    """
    first, last = clause.index(named[0]), len(clause) - 1 - [*reversed(clause)].index(named[-1])
    head, tail = roles_of(clause[:first]), roles_of(clause[last + 1 :])
    if "refuse" not in head or "accept" not in tail or "refuse" in tail or roles_of(clause[first:last]) & {"accept"}:
        return clause
    if "deems" not in head and len({*ids_of(named)}) > 1:
        raise AskError("other words", words=clause[0].word)
    return clause[: last + 1]


def _check_turn(clause: Sequence[Item], entries: Sequence[Entry], ballot: _Ballot) -> None:
    """Refuse a clause that prefers another text than those before it, or turns to one: "I like A but I say B"."""
    roles, taken = roles_of(clause), [each.id for each in entries if not each.refused]
    if not ballot.entries or not taken:
        return
    if "prefers" in roles and (taken[0] != ballot.entries[0].id or ballot.entries[-1].tied):
        raise AskError("no order", taken)
    if "break" in clause[0].roles and roles.isdisjoint({"order", "also", "tied", *ORDINALS}):
        raise AskError("two votes", taken)


def _check_named(clause: Sequence[Item], named: Sequence[Item], roles: frozenset[str], *, agrees: bool) -> None:
    """Refuse a clause that names no one text, states a condition, asks, or has words without a role."""
    for item in named:
        if len(item.ids or ()) > 1:
            raise AskError("two texts" if len(item.ids or ()) == 2 else "several texts", item.ids or (), item.word)
        if item.how != "id" and item.roles & _ELSE:
            raise AskError("another sense", item.ids or (), item.word)
    for before, one, other in zip([None, *named], named, named[1:], strict=False):
        between = clause[clause.index(one) + 1 : clause.index(other)]
        glossed = one.how in _CODES and other.how not in _CODES and one.ids != other.ids
        if glossed and (before is None or before.ids != one.ids) and not any(item.roles for item in between):
            raise AskError("two texts", [*(one.ids or ()), *(other.ids or ())], other.word)  # "A, the title of B"
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
    if strange := [item.word for item in clause if not item.known or "beside" in item.roles]:
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
    elif "none" in roles and roles & {*ORDINALS[1:]} and ballot.entries and not strange:
        return  # "First A. Second nothing."
    elif "none" in roles_of(head) and all(item.known for item in head) and "rest" not in roles_of(head):
        ballot.none = True
    elif not (ballot.none or ballot.abstain):
        turns = roles & {"correction", "all_rest", "none"} if strange else ()
        unsaid = "rest" in roles and (strange or roles.isdisjoint({"refuse", "done", "none"}))
        heads = bool(clause) and clause[-1].word == ":"
        denies = "refuse" in roles and ballot.entries and roles.isdisjoint({"rest", "done", "none"})
        if unsaid or "top" in roles or (strange and (heads or turns)) or (denies and not (strange or heads)):
            raise AskError("other words", words=strange[0] if strange else clause[0].word)
        if roles & {"accept", "refuse"} and roles & {*ORDINALS} and "in_order" not in roles:
            raise AskError("other words", words=clause[0].word)  # "the first one is not acceptable"
        ballot.header = "refuse" in roles if heads else ballot.header
        ballot.needs = ballot.needs or (_NAMES if strange else frozenset())


def _entries(clause: Sequence[Item], *, refused: bool | None) -> list[Entry]:
    """Return the texts that a clause names, in its order, with what it says of each."""
    segments = [*segments_of(clause)]
    entries: list[Entry] = []
    denied = spoken = False
    for before, segment in segments:
        roles = roles_of(segment)
        if denied and ids_of(segment) and roles.isdisjoint({"refuse", "accept", "only", "and"}):
            raise AskError("other words", words=segment[0].word)  # "not A, B"
        refused = False if "only" in roles and "refuse" not in roles else refused
        own, refused = _named_in(segment, refused, entries)
        denied = "negator" in roles
        if own and "prefers" in roles and entries:
            raise AskError("no order", ids_of(clause))
        spoken |= bool(roles & {"accept", "order", *ORDINALS}) and not all(each.refused for each in own)
        if len(own) > 1 or "plural" in roles or any(item.word == ":" for item in segment):
            swept = not spoken and bool(own) and all(each.refused and each.ruled for each in own)
            for each in entries if swept else ():
                each.refused = True  # "A, B and C are not acceptable"
        if own and (entries or before == "order"):
            own[0].before = before
        entries += own
    set_places(segments, [each for each in once(entries) if not each.refused])
    set_ties(segments, entries)
    return [*once(entries)]


def _named_in(
    segment: Sequence[Item], refused: bool | None, earlier: Sequence[Entry]
) -> tuple[list[Entry], bool | None]:
    """Return the texts of a segment with what it says of each, and what holds for the segments after it."""
    sides = [item for item in segment if item.ids is not None or item.roles & {"accept", "refuse"}]
    if not ids_of(sides):
        roles = roles_of(segment)
        if "refuse" in roles and "done" not in roles and earlier:
            raise AskError("other words", words=segment[0].word)  # "A, B, no"
        return [], ("refuse" in roles and not earlier) or None
    behind = sides[0].ids is not None and sides[-1].ids is None  # "A no", "A yes B no"
    entries, since, joined = list[Entry](), 0, ""
    for at, item in enumerate(segment):
        if item.ids:
            beside = item.how in {"letter", "id"} and at > 0 and segment[at - 1].how == item.how
            if entries and not joined and not beside and entries[-1].id != item.ids[0]:
                raise AskError("two texts", (entries[-1].id, item.ids[0]))
            ticked = at > 0 and "yes" in segment[at - 1].roles and not segment[at - 1].word.isalnum()
            entries.append(Entry(item.ids[0], None if behind else refused, ruled=ticked, before=joined))
            joined = ""
            continue
        joined = "comma" if item.word.isdigit() and not item.roles else joined  # "1. A 2. B"
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
    carries = (
        not refused
        or behind
        or "negator" not in roles_of(segment)
        or all(each.refused for each in (*earlier, *entries))
    )
    return entries, refused if carries else None
