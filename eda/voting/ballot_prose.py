"""Reads votes that are written in words: lists, letters, titles, order marks, refusals, yes and no beside each text.

What has one reading is read. Every word of a clause that names a text must have a role in votes; anything else is a
doubt, of which the voter is asked.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise, takewhile

from eda.events import DoubtKind, Rank, flat
from eda.text import regex
from eda.voting.ballot_clauses import (
    CODES,
    ORDINALS,
    AskError,
    Item,
    abstains,
    ask_where,
    breaks_off,
    clauses_in,
    clauses_of,
    described,
    ids_of,
    is_row,
    items_in,
    label_of,
    narrowed,
    roles_of,
    strange_in,
    without_gloss,
    without_others,
)
from eda.voting.ballot_entries import Entry, each_once, entries_in, ranked
from eda.voting.mentions import NamedText

_VOTES = frozenset(
    {"accept", "refuse", "order", "and", "both", "tied", "rest", "condition", "correction", "none", *ORDINALS}
)
_NUMBERED = regex(r"^\s*(\d{1,2})[.):][^\S\n]+(.*[^\W\d_].*)", "M")
# Roles by which a numbered row need name no text.
_ENDS = frozenset({"rest", "done", "none", "refuse", "abstain", "because"})
_CHOOSES = _VOTES | {"label", "placing", "all_ok"}
# Texts that are struck out, or left out of a list or a range.
_UNSAID = regex(r"~~(?=\S)|<(?:s|del|strike)>|[,;>]\s*(?:\.{2,}|…)|(?<=\w)(?:\.{2,}|…)(?=[op]?\d|[A-Za-z]\b)", "I")
# What the name of a text may not say as well.
_ELSE = frozenset({"none", "abstain", "rest", "all_rest", "order", "and", "tied", "both"})
_NAMES = frozenset({"id", "letter", "title", "text"})
# Roles by which a clause goes on with the vote, though it has only words of a text: "then the frogs", and not "p9.0. It
# is good for the frogs."
_GOES_ON = frozenset({"order", "also", "adds", "tied", "both", "refuse", "none", "prefers", *ORDINALS})


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
    agrees: bool  # Whether it says that it accepts both or all, or what it refuses: then "A over B" accepts B.
    entries: list[Entry] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    none: bool = False
    abstain: bool = False
    # How a text must be named beside clauses that are no part of the vote; empty without such clauses.
    needs: frozenset[str] = frozenset()
    header: bool | None = None  # Whether the list under a heading is refused; None without a heading.

    @property
    def takes_none(self) -> bool:
        """Whether it accepts nothing so far, or abstains."""
        return self.none or self.abstain


def prose_vote(raw: str, texts: Sequence[NamedText]) -> Vote:
    """Return the vote that a text states in words; where rows are labelled as the vote, only these are it.

    Raises:
        AskError: it has no one reading.
    """
    if unsaid := _UNSAID.search(raw):
        raise AskError("other words", words=unsaid[0])
    clauses = clauses_in(raw, texts)
    said = [*map(roles_of, clauses)]
    whole = {*ids_of(chain(*clauses))} >= {each.id for each in texts} and any("refuse" in roles for roles in said)
    agrees = whole or any("all_ok" in roles or ("rest" in roles and roles & {"refuse", "done"}) for roles in said)
    labels = {at: label for at, clause in enumerate(clauses) if (label := label_of(clause))}
    heads = [roles_of(clauses[at][:label]) for at, label in labels.items()]
    best = any(roles & {*ORDINALS} for roles in said[: max(labels, default=0)])  # then "acceptable: B" is behind it
    plain = all(head & {*ORDINALS} or (best and "enough" in head) for head in heads)  # "1st choice: A"
    vote = _corrected(clauses, texts, agrees=agrees) if plain else _labelled(clauses, labels, texts, agrees=agrees)
    rows = {row[1]: roles_of(items_in(row[2], texts)) for row in _NUMBERED.finditer(raw)}
    ask_where(  # "1. A 2. mine"
        vote.accepts and sum(map(_ENDS.isdisjoint, rows.values())) > len({*vote.texts} | vote.refuses),
        "no order",
        vote.texts,
    )
    return vote


def _labelled(
    clauses: Sequence[Sequence[Item]], labels: Mapping[int, int], texts: Sequence[NamedText], *, agrees: bool
) -> Vote:
    """Return the vote of the last clause with a label, if no other clause votes otherwise."""
    rows = [_corrected([clauses[at][label:]], texts, agrees=agrees) for at, label in labels.items()]
    for (at, label), (one, other) in zip([*labels.items()][1:], pairwise(rows), strict=True):
        head = roles_of(clauses[at][:label])
        begins = one.accepts and other.accepts[: len(one.accepts)] == one.accepts
        ask_where(
            not (begins or ("placing" in head and {*one.texts} == {*other.texts}) or "final" in head),
            "two votes",
            (*one.texts, *other.texts),
        )
    last, label = max(labels.items())
    vote, behind, after, first = rows[-1], clauses[last + 1 :], Vote(), Vote()
    if ids_of(chain(*behind)):
        after = _corrected(behind, texts, agrees=agrees, needed=False)
    else:  # "I accept the first two"
        vote = _corrected([clauses[last][label:], *behind], texts, agrees=agrees)
    with suppress(AskError):  # what cannot be read there is thought aloud
        first = _corrected(clauses[: min(labels)], texts, agrees=agrees, needed=False)
    begins = first.accepts == vote.accepts[: len(first.accepts)] and not (first.none or first.abstain)
    ask_where(after or after.refuses & {*vote.texts} or not begins, "two votes", after.texts or vote.texts)
    return vote


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
    ask_where(len(vote.texts) < len(before), "two votes", vote.texts)
    return vote


def _vote(clauses: Sequence[Sequence[Item]], texts: Sequence[NamedText], *, agrees: bool, needed: bool) -> Vote:
    ballot = _Ballot(texts, agrees)
    for clause in clauses:
        _read_clause(without_gloss(narrowed(described(clause))), ballot)
    _check_whole(clauses, ballot)
    vote = Vote(ranked(each_once(ballot.entries)), frozenset(ballot.refused), ballot.none, ballot.abstain)
    ask_where(both := {*vote.texts} & vote.refuses, "refuses", both)
    if not vote and texts and vote.refuses == {each.id for each in texts}:
        return replace(vote, none=True)
    ask_where(bool(vote.accepts) + vote.none + vote.abstain > 1, "two votes", vote.texts)
    ask_where(needed and not vote, "no vote")
    return vote


def _check_whole(clauses: Sequence[Sequence[Item]], ballot: _Ballot) -> None:
    """Refuse clauses that break off or repeat the list of texts, and names by words beside what cannot be read."""
    ways = {item.how for clause in clauses for item in clause if item.ids}
    ask_where(
        ballot.needs and ways.isdisjoint(ballot.needs) and not ballot.takes_none,
        "other words",
        words=next(iter(strange_in(chain(*clauses))), ""),
    )
    ask_where(
        ballot.entries and ballot.entries[0].before == "order", "other words"
    )  # "then A", behind what cannot be read
    if clauses and breaks_off(clauses[-1]):
        raise AskError("other words", words=clauses[-1][-1].word)
    shown, taken = [each.id for each in ballot.texts], [*dict.fromkeys(each.id for each in ballot.entries)]
    swept = any({"whole", "accept"} <= roles and not roles & {"refuse", "none"} for roles in map(roles_of, clauses))
    ask_where(swept and {*taken} < {*shown}, "no order")  # "all of them are fine, B is best"
    ask_where(taken == shown and _repeats_the_list(clauses, most=len(taken)), "no vote")


def _repeats_the_list(clauses: Sequence[Sequence[Item]], *, most: int) -> bool:
    """Return whether clauses name each of `most` texts twice and choose nothing."""
    lists = [roles_of(clause) for clause in clauses if ids_of(clause) or clause[-1].word == ":"]
    return len(ids_of(chain(*clauses))) >= 2 * most > 4 and _CHOOSES.isdisjoint(chain(*lists))


def _read_clause(clause: Sequence[Item], ballot: _Ballot) -> None:
    """Add what a clause says to the ballot."""
    clause = _refusing_each(clause)
    named = [item for item in clause if item.ids is not None]
    if not named:
        _read_unnamed(clause, ballot)
        return
    if all(item.how == "words" for item in named):
        if all(len(item.ids or ()) > 1 for item in named) and (ballot.takes_none or abstains(clause)):
            ballot.abstain |= abstains(clause)
            return
        if strange_in(clause) and roles_of(clause).isdisjoint(_VOTES):
            ballot.needs = frozenset({"id"})
            return
    _check_named(clause, named, agrees=ballot.agrees)
    clause = _without_what_is_denied(clause, named)
    if "all_rest" in roles_of(clause):
        _read_all_but(clause, ballot)
    else:
        _read_named(clause, ballot)


def _refusing_each(clause: Sequence[Item]) -> Sequence[Item]:
    """Return a clause that refuses with each text that its words may mean: "the walking I cannot accept"."""
    each = [
        item._replace(ids=(key,), how="id") if item.how == "words" and key else item
        for item in clause
        for key in item.ids or ("",)
    ]
    with suppress(AskError):
        one = "refuse" in roles_of(clause) and all(len(item.ids) == 1 for item in each if item.ids is not None)
        refused = [entry.refused for entry in entries_in(each, refused=None)] if one else []
        return each if refused and all(refused) else clause
    return clause


def _read_all_but(clause: Sequence[Item], ballot: _Ballot) -> None:
    """Add a clause that accepts all texts but those that it names."""
    ask_where(roles_of(clause) & {"order", *ORDINALS}, "other words", ids_of(clause))  # "all of them but A is best"
    refused = {*ids_of(clause)}
    others = [each.id for each in ballot.texts if each.id not in refused]
    ballot.refused |= refused
    ballot.entries += [Entry(key, tied=at > 0) for at, key in enumerate(others)]


def _read_named(clause: Sequence[Item], ballot: _Ballot) -> None:
    """Add what a clause says of the texts that it names, and of the rest of them."""
    clause, rest = without_others(clause)
    said = roles_of(rest)
    ask_where(ids_of(rest) and said >= {"accept", "refuse"}, "other words", ids_of(rest))  # "the rest is fine, not C"
    ask_where(
        rest and (said.isdisjoint({"refuse", "done", "none"}) or "yes" in said),
        "other words",
        words=max((item.word for item in rest), key=len, default=""),
    )
    row = bool(clause) and is_row(clause)
    entries = entries_in(clause, refused=ballot.header if row else None)
    ballot.header = ballot.header if row or not clause else None
    taken = [each for each in entries if not each.refused]
    _check_turn(clause, taken, ballot)
    ballot.refused |= {*ids_of(rest), *(each.id for each in entries if each.refused)}
    ballot.entries += taken


def _without_what_is_denied(clause: Sequence[Item], named: Sequence[Item]) -> Sequence[Item]:
    """Return a clause without the word that its beginning denies: "I do not find A or B acceptable".

    Raises:
        AskError: "no A, B acceptable" may accept B, or none of them.
    """
    first, last = clause.index(named[0]), len(clause) - 1 - [*reversed(clause)].index(named[-1])
    head, tail = roles_of(clause[:first]), roles_of(clause[last + 1 :])
    if "refuse" not in head or "accept" not in tail or "refuse" in tail or roles_of(clause[first:last]) & {"accept"}:
        return clause
    ask_where("deems" not in head and len({*ids_of(named)}) > 1, "other words", words=clause[0].word)
    return clause[: last + 1]


def _check_turn(clause: Sequence[Item], taken: Sequence[Entry], ballot: _Ballot) -> None:
    """Refuse a clause that prefers another text than those before it, turns to one, or tells of it in other words."""
    if not ballot.entries or not taken:
        return
    roles, ids = roles_of(clause), [each.id for each in taken]
    says = roles_of(item for item in clause if "glue" not in item.roles or "accept" in item.roles)
    ask_where(
        says and says.isdisjoint(_GOES_ON) and {item.how for item in clause if item.ids} == {"words"},
        "other words",
        ids,
    )
    ask_where("prefers" in roles and (ids[0] != ballot.entries[0].id or ballot.entries[-1].tied), "no order", ids)
    # "I like A but I say B"
    ask_where("break" in clause[0].roles and roles.isdisjoint({"order", "also", "tied", *ORDINALS}), "two votes", ids)


def _check_named(clause: Sequence[Item], named: Sequence[Item], *, agrees: bool) -> None:
    """Refuse a clause that names no one text, states a condition, asks, or has words without a role."""
    _check_names(clause, named)
    roles = roles_of(clause)
    faults: dict[DoubtKind, bool] = {
        "question": clause[-1].word == "?",
        "on a condition": "condition" in roles
        or any(mark.word in {"(", "-", "–"} and "demand" in item.roles for mark, item in pairwise(clause)),
        "no order": "turned" in roles or ("over" in roles and not agrees),
        "other words": _is_another_s_or_denied(clause),
        "two votes": (bool(roles & {"none", "abstain"}) and not any("refuse" in item.roles for item in clause))
        or any(
            # a letter in a list that names the text of the id beside it: one of them is meant for another text
            clause[clause.index(each) - 1].word not in {one.word, *"(.:-–"}
            for one, each in pairwise(named)
            if (one.ids, {one.how, each.how}) == (each.ids, {"id", "letter"})
        ),
    }
    if fault := next((kind for kind, is_so in faults.items() if is_so), None):
        # "A, then B as long as it is paid": of B
        before = [*takewhile(lambda item: "condition" not in item.roles, clause)] if fault == "on a condition" else ()
        raise AskError(fault, ids_of(before)[-1:] or ids_of(named))
    strange = next((item.word for item in clause if not item.known or "beside" in item.roles), "")
    ask_where(strange, "other words", words=strange)


def _is_another_s_or_denied(clause: Sequence[Item]) -> bool:
    """Return whether a clause tells another's vote, "Ada says o2 first", or denies a refusal, "o2 I do not refuse"."""
    coded = any(item.how in CODES for item in clause)
    return any(
        (coded and "author" in (one.how, other.how) and "tells" in one.roles | other.roles)
        or ("refuse" in one.roles & other.roles and "negator" not in other.roles)
        for one, other in pairwise(clause)
    )


def _check_names(clause: Sequence[Item], named: Sequence[Item]) -> None:
    """Refuse names that are not those of one text each."""
    small = any(item.how == "letter" and item.word.islower() for item in named)
    if unknown := [item for item in clause if item.ids == () or (small and item.letter)]:
        raise AskError("unknown", (unknown[0].word,) * (unknown[0].ids == ()), unknown[0].word)
    for item in named:
        ids = item.ids or ()
        ask_where(len(ids) > 1, "two texts" if len(ids) == 2 else "several texts", ids, item.word)
        ask_where(item.how != "id" and item.roles & _ELSE, "another sense", ids, item.word)
    for before, one, other in zip([None, *named], named, named[1:], strict=False):
        ask_where(
            (before is None or before.ids != one.ids) and _is_gloss(clause, one, other),
            "two texts",
            ids_of([one, other]),
            other.word,
        )


def _is_gloss(clause: Sequence[Item], one: Item, other: Item) -> bool:
    """Return whether a name follows that of another text as its title: "A, the title of B"."""
    between = clause[clause.index(one) + 1 : clause.index(other)]
    glosses = one.how in CODES and other.how not in CODES and one.ids != other.ids
    return glosses and not any(item.roles for item in between)


def _read_unnamed(clause: Sequence[Item], ballot: _Ballot) -> None:
    """Add what a clause says that names no text: none, an abstention, a heading, that the rest is refused."""
    roles, head = roles_of(clause), [*takewhile(lambda item: item.word not in {",", "-", "(", ":"}, clause)]
    if clause[-1].word == "?":
        ballot.needs = ballot.needs or _NAMES
        return
    ask_where(
        # "but it has to be small"
        ("condition" in roles or ("demand" in roles and {"break", "demand"} & clause[0].roles))
        and not ballot.takes_none,
        "on a condition",
    )
    ask_where(
        any("refuse" in one.roles and "none" in other.roles for one, other in pairwise(clause)),
        "other words",
        words=clause[0].word,
    )
    if abstains(clause):
        ballot.abstain = True
    elif "none" in roles and roles & {*ORDINALS[1:]} and ballot.entries and not strange_in(clause):
        return  # "First A. Second nothing."
    elif "none" in roles_of(head) and "rest" not in roles_of(head) and not strange_in(head):
        ballot.none = True
    elif not ballot.takes_none:
        _read_heading(clause, ballot)


def _read_heading(clause: Sequence[Item], ballot: _Ballot) -> None:
    """Take up whether a heading refuses what stands under it; refuse a clause that may vote in words not read."""
    roles, strange = roles_of(clause), strange_in(clause)
    heads, settles = clause[-1].word == ":", bool(roles & {"refuse", "done", "none"})
    doubts = (
        "top" in roles,
        "rest" in roles and (strange or not settles),
        strange and (heads or roles & {"correction", "all_rest", "none"}),
        # "B, but only in addition"
        ballot.entries and "beside" in roles and not (strange or heads or settles),
        # it denies a text before it
        ballot.entries and not (strange or heads) and "refuse" in roles and not roles & {"rest", "done", "none"},
        # "the first one is not acceptable"
        roles & {"accept", "refuse"} and roles & {*ORDINALS} and "in_order" not in roles,
    )
    ask_where(any(doubts), "other words", words=(strange or [clause[0].word])[0])
    ballot.header = "refuse" in roles if heads else ballot.header
    ballot.needs = ballot.needs or (_NAMES if strange else frozenset())
