"""Holds a sentence against the record: by authors, texts and acts, then by votes. A kind of claim has one judge."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from eda.events import Proposal, RecordFact
from eda.memory.sentences.claims import OF_MESSAGES, Claim, Reading, Scope, read
from eda.memory.sentences.record import AGAINST, AGREES, UNKNOWN, Deed, Judged, Record, Vote, deed_fact, mover
from eda.words import Words


def _members(claim: Claim, record: Record) -> tuple[str, ...]:
    """Return the members that a claim is about."""
    if claim.scope == "all":
        return record.members
    return tuple(who for who in record.members if who not in claim.who) if claim.scope == "but" else claim.who


def _each(results: Iterable[Judged]) -> Judged:
    """Return what several results come to: false if one is, true if all are."""
    return min(results, key=lambda result: (False, None, True).index(result[0]), default=UNKNOWN)


def _author(claim: Claim, record: Record) -> Judged:
    """Judge that a member wrote a message."""
    by, one = record.authors[claim.messages[0]], len(claim.messages) == len(claim.who) == 1
    return by == claim.who[0] if one else None, RecordFact("author", (by,), message=claim.messages[0])


def _put(claim: Claim, text: Proposal, record: Record) -> Judged:
    """Judge that members put a text; of several some may have had a part in it."""
    puts = [done for done in record.done.get(text.id, ()) if done.deed == "put"]
    authors = {text.proposer, *(done.who for done in puts)} - {""}
    numbers = {text.message, *(done.message for done in puts)}
    wrong = authors.isdisjoint(claim.who) or (claim.messages and numbers.isdisjoint(claim.messages))
    return (not wrong if authors and (wrong or authors.issuperset(claim.who)) else None), mover(text)


def _stance(claim: Claim, record: Record) -> Judged:
    """Judge that members backed or opposed texts, or took no side."""
    kind: Deed = "oppose" if claim.kind == "against_nothing" else claim.kind  # type: ignore[assignment]
    took = [(who, *_took(who, kind, text, claim.messages, record)) for who in record.members for text in claim.texts]
    authors = {record.texts[text].proposer for text in claim.texts}
    away = {"nobody": (), "only": claim.who, "but": _members(claim, record)}.get(claim.scope, record.members)
    wrong = [(False, shown) for who, did, shown in took if did and who not in (*away, *authors)]
    if claim.scope == "nobody" and not wrong:
        return True, RecordFact("no deed", text=claim.texts[0], deed=kind)
    return _each([*wrong, *((did, shown) for who, did, shown in took if who in _members(claim, record))])


def _took(who: str, kind: Deed, text: str, messages: Sequence[int], record: Record) -> Judged:
    """Return whether a member took a side on a text, in one of these messages if there are any."""
    if messages and who not in map(record.authors.get, messages):
        return False, RecordFact("author", (record.authors[messages[0]],), message=messages[0])
    done = [each for each in record.deeds(who, text) if not messages or each.message in messages]
    same = [each for each in done if each.deed in AGREES[kind]]
    if same:
        return True, deed_fact(same[0])
    contrary = [each for each in done if each.deed in AGAINST[kind] and each.message]
    if messages and not contrary:  # it may have taken that side there on another text
        others = (each for key in record.done for each in record.deeds(who, key) if each.message in messages)
        contrary = [each for each in others if each.deed == kind]
    return (False, deed_fact(contrary[-1])) if contrary else (None, RecordFact("no deed", (who,), text, deed=kind))


def _withdrawn(claim: Claim, text: Proposal, record: Record) -> Judged:
    """Judge that members withdrew a text."""
    done = [each for each in record.done.get(text.id, ()) if each.deed == "withdraw"]
    gone = [each for each in done if each.who in (claim.who or (each.who,))]
    if claim.who and text.proposer not in (*claim.who, "") and not gone:
        return False, mover(text)
    wrong = claim.messages and not any(each.message in claim.messages for each in gone)
    return bool(gone) and not wrong, deed_fact(gone[-1]) if gone else RecordFact(
        "no deed", claim.who, text.id, deed="withdraw"
    )


def _relented(claim: Claim, record: Record) -> Judged:
    """Judge that members gave up their opposition to texts, or their support."""
    keys, side = claim.texts or tuple(record.done), AGREES["oppose" if claim.kind == "relent" else "support"]
    deeds = {who: [done for key in keys for done in record.deeds(who, key)] for who in claim.who}
    for who, done in deeds.items():
        if {*side}.isdisjoint(each.deed for each in done):
            return False, RecordFact("no deed", (who,), "".join(claim.texts[:1]), deed=side[0])
    last = [done[-1] for done in deeds.values()]
    still = next((each for each in last if each.deed in side), last[0])
    sure = claim.texts and all(each.message for each in last)  # a ballot does not say that it gave its opposition up
    return (still.deed not in side if sure else None), deed_fact(still)


def _origin(claim: Claim, record: Record) -> Judged:
    """Judge that a text amends or joins others, or none where none is claimed."""
    text = record.texts[claim.texts[0]]
    direct = {text.amends or "", *text.joins} - {""}
    shown = RecordFact("origin", (text.proposer,), text.id, text.message, of=tuple(sorted(direct)))
    by_another = claim.who and _put(claim._replace(messages=()), text, record)[0] is False
    return (False, mover(text)) if by_another else (direct.issuperset(claim.of) if claim.of else not direct, shown)


def _unconditional(claim: Claim, record: Record) -> Judged:
    """Judge that members support a text without a condition."""
    deeds = (each for key in claim.texts or record.done for each in record.done.get(key, ()) if each.deed == "support")
    done = [each for each in deeds if each.who in claim.who and each.message in (claim.messages or (each.message,))]
    return (not all(each.conditional for each in done), deed_fact(done[-1])) if done else UNKNOWN


def _ballots(text: str, vote: Vote) -> RecordFact:
    return RecordFact("votes", tuple(sorted(vote.takers(text)[1])), text, vote.after, number=len(vote.ballots))


def _voted(claim: Claim, record: Record) -> Judged:
    """Judge that members accepted texts."""
    if claim.scope == "panel":
        return _won(claim, record)
    if claim.messages or (claim.kind == "accept" and not (claim.scope or claim.vote)):
        return judge(claim._replace(kind="support", negated=False), record)
    votes = claim.votes(record)[-1:] if claim.kind == "kept" else claim.votes(record)
    judged, loosely = list[Judged](), claim.vote or claim.kind != "vote" or claim.scope
    for key in claim.texts if votes else ():
        groups = [group for vote in votes for group in vote.takers(key)[: 2 if loosely or vote is votes[-1] else 1]]
        right = claim.fits(groups, votes[-1].ballots)
        spoke = claim.scope in ("", "all") and not claim.vote and _spoke_for(key, claim, groups, record)
        judged.append((right or (None if spoke else False), _ballots(claim.texts[0], votes[-1])))
    return _each(judged)


def _kept(claim: Claim, record: Record) -> Judged:
    """Judge that members kept to texts; a last ballot that could not be read may have been for them."""
    unread = any(
        not mark.valid for vote in claim.votes(record)[-1:] for who, mark in vote.ballots.items() if who in claim.who
    )
    return UNKNOWN if unread else _voted(claim, record)


def _spoke_for(text: str, claim: Claim, voted: Iterable[frozenset[str]], record: Record) -> bool:
    """Return whether all members of a claim who did not vote for a text spoke for it: that may be meant, too."""
    absent = {*_members(claim, record)}.difference(*voted)
    return bool(absent) and absent <= {done.who for done in record.done.get(text, ()) if done.deed == "support"}


def _refused(claim: Claim, record: Record) -> Judged:
    """Judge that members voted against a text."""
    votes = [vote for vote in claim.votes(record) if not claim.who or vote.ballots.keys() & {*claim.who}]
    groups = [vote.refusers(claim.texts[0]) for vote in votes]
    return (claim.fits(groups, record.members), _ballots(claim.texts[0], votes[-1])) if votes else UNKNOWN


def _offered(claim: Claim, record: Record) -> Judged:
    """Judge that texts were on a ballot, or were on none."""
    votes = claim.votes(record) if claim.vote else record.votes
    on = [vote for vote in votes if vote.offered.issuperset(claim.texts)]
    known = votes and not any("" in vote.offered for vote in votes)
    return (bool(on) if known else None), _ballots(claim.texts[0], on[-1]) if on else _outcome(record)


def _blocked(claim: Claim, record: Record) -> Judged:
    """Judge that members blocked a text; "the decision" may be one before the last."""
    votes = claim.votes(record)
    if not votes or not (claim.texts or claim.who):
        return UNKNOWN
    who = frozenset(
        who
        for vote in votes
        for who, mark in vote.ballots.items()
        if (set(mark.blocks) & {*claim.texts} if claim.texts else mark.blocks)
    )
    shown = RecordFact("ballot", tuple(sorted(who)), claim.texts[0] if claim.texts else "", deed="block")
    right = claim.fits([who], record.members) if claim.who or claim.scope else bool(who)
    return (None if right and record.won and not (claim.texts or claim.vote) else right), shown


def _abstained(claim: Claim, record: Record) -> Judged:
    """Judge that members abstained; who did so in the talk may be meant where no vote is named."""
    groups = [frozenset(who for who, mark in vote.ballots.items() if mark.abstains) for vote in claim.votes(record)]
    aside = {each.who for done in record.done.values() for each in done if each.deed == "neutral"}
    if not groups or not (claim.who or claim.scope) or not (claim.vote or aside.isdisjoint(claim.who or aside)):
        return UNKNOWN
    return claim.fits(groups, ()), RecordFact("ballot", tuple(sorted(groups[-1])), deed="abstain")


def _dissented(claim: Claim, record: Record) -> Judged:
    """Judge that members did not accept what was decided."""
    vote = next((vote for vote in reversed(record.votes) if vote.won), None)
    if vote is None or claim.vote == "first":
        return UNKNOWN
    text = (vote.won or ("",))[0]
    earlier = {who for each in record.votes for who, mark in each.ballots.items() if mark.blocks and not claim.vote}
    known = claim.who and not earlier & {*claim.who} if claim.scope != "nobody" else not earlier
    if not known or text not in (claim.texts or (text,)):
        return UNKNOWN
    claim = claim._replace(scope="" if claim.scope == "but" else claim.scope)
    return claim.fits([vote.refusers(text)], ()), _ballots(text, vote)


def _moved(claim: Claim, record: Record) -> Judged:
    """Judge that a member named a message that moved it."""
    marks = [vote.ballots[who] for vote in claim.votes(record) for who in claim.who if who in vote.ballots]
    named = [mark.moved_by for mark in marks]
    shown = RecordFact("moved", claim.who, message=(named[-1] if named else 0) or 0)
    return (None if not marks or len(claim.who) > 1 else not {*named}.isdisjoint(claim.messages)), shown


def _outcome(record: Record) -> RecordFact:
    return RecordFact("outcome", text="".join(record.won[:1]))


def _won(claim: Claim, record: Record) -> Judged:
    """Judge that a text won, with these numbers of votes."""
    if not record.last or claim.messages:
        return UNKNOWN
    text, first = claim.texts[0], claim.vote == "first"
    votes = [vote for vote in claim.votes(record) if first or vote.won is not None]
    if first and votes and votes[0].won is None:
        sizes = {key: len(votes[0].takers(key)[0]) for key in votes[0].offered}
        won = sizes.get(text) == max(sizes.values(), default=0)
    else:
        won = any({*claim.texts} <= {*(vote.won or ())} for vote in votes)
    if not won and not first:
        return False, _outcome(record)
    shown = _ballots(text, votes[-1]) if votes else _outcome(record)
    counted = claim.kind == "lose" or any(claim.has_counts(text, vote) for vote in votes)
    return (won and counted if votes else None), shown


def _tally(claim: Claim, record: Record) -> Judged:
    """Judge that a text had so many votes."""
    votes = claim.votes(record)
    right = (claim.has_counts(claim.texts[0], vote) for vote in votes)
    return (any(right), _ballots(claim.texts[0], votes[-1])) if votes else UNKNOWN


def _unanimous(claim: Claim, record: Record) -> Judged:
    """Judge that all who voted accepted a text."""
    votes = claim.votes(record)
    if not record.votes and not claim.who:  # of the talk
        behind = (
            {done.who for done in record.done.get(key, ()) if done.deed in AGREES["support"]}
            for key in claim.texts or record.texts
        )
        return None if any(who.issuperset(record.members) for who in behind) else False, _outcome(record)
    if not record.last or not votes or (claim.who and claim.scope != "all"):
        return UNKNOWN
    early = claim.vote in ("first", "second")  # which may have been for any text
    texts = claim.texts[:1] or (tuple(votes[0].offered) if early else record.won[:1])
    right = any(vote.takers(text)[1] == {*vote.ballots} for vote in votes for text in texts)
    return right, _ballots(texts[0], votes[-1]) if texts and not early else _outcome(record)


def _earlier(claim: Claim, record: Record) -> Judged:
    """Judge that a text came before another, or that it can be the `source` of it."""
    keys = (claim.texts[0], claim.of[0])
    first, second = (
        [record.texts[key].message, *(done.message for done in record.done.get(key, ()) if done.deed == "put")]
        for key in keys
    )
    shown = RecordFact("order", text=keys[0], message=min(first), of=keys[1:], number=min(second))
    before = True if claim.kind == "earlier" and max(first) < min(second) else None
    return (False if min(first) > max(second) else before), shown


def _always(claim: Claim, record: Record) -> Judged:
    """Judge that a member was on a side from the `start`, `always`, or `silent`: its moves show the reverse."""
    span, _, side = claim.kind.partition("_")
    wrong = [done for done in claim.deeds(record)[: 1 if span == "start" else None] if done.deed in AGAINST[side]]
    voted = claim.kind == "start_support" and _began(claim, record)[0]
    return (False, deed_fact(wrong[0])) if wrong and not voted else UNKNOWN


def _began(claim: Claim, record: Record) -> Judged:
    """Judge that members voted for a text before the debate; who spoke for it in its beginning may be meant, too."""
    first = [vote for vote in record.votes[:1] if not vote.after and vote.offered.issuperset(claim.texts)]
    if not first or any(done.deed == "support" for done in claim.deeds(record)):
        return UNKNOWN
    firsts, takers = first[0].takers(claim.texts[0])
    right = claim.fits([firsts], first[0].ballots)
    return (None if not right and takers.issuperset(claim.who or {""}) else right), _ballots(claim.texts[0], first[0])


def _changed(claim: Claim, record: Record) -> Judged:
    """Judge that members' last vote is, or is not, for another text than the one that they gave before the debate."""
    if len(record.votes) < 2 or record.votes[0].after:
        return UNKNOWN
    votes = [{who: mark.first for who, mark in vote.ballots.items() if mark.first} for vote in record.votes]
    both = {who: votes[-1][who] != first for who, first in votes[0].items() if who in votes[-1]}
    group = frozenset(who for who, differs in both.items() if differs == (claim.kind == "changed"))
    known = both.keys() >= {*(record.members if claim.scope else claim.who)}
    return (claim.fits([group], both) if known else None), RecordFact("ballot", tuple(sorted(group)))


def _decided(claim: Claim, record: Record) -> Judged:
    """Judge that the panel decided something where it has decided nothing, or the reverse."""
    won = record.decided or record.won
    failed = any(vote.won == () for vote in record.votes) or claim.vote in ("first", "second")
    known = (not won or failed) if claim.kind == "undecided" else (won or claim.who)
    return None if known else False, _outcome(record)


def _of_each(judge: Callable[[Claim, Proposal, Record], Judged]) -> Callable[[Claim, Record], Judged]:
    """Return a judge of all texts of a claim, from one of a text."""
    return lambda claim, record: _each(judge(claim, record.texts[key], record) for key in claim.texts)


_DENIALS = ("lose", "against_nothing", "unoffered", "assent")  # They are true where what is judged is not.
_ALL: tuple[Scope, ...] = get_args(Scope)
_ONE: tuple[Scope, ...] = ("", "only")  # By name.
_MEMBERS: tuple[Scope, ...] = (*_ONE, "all", "but", "nobody")
# By the kinds of `claims.toml`: who judges it, the fields of a claim without which it is open, and its scopes.
JUDGES: Mapping[str, tuple[Callable[[Claim, Record], Judged], str, tuple[Scope, ...]]] = {
    **dict.fromkeys(OF_MESSAGES, (_author, "messages who", _ONE)),
    "put": (_of_each(_put), "texts who", _ONE),
    **dict.fromkeys(("support", "oppose", "neutral", "against_nothing"), (_stance, "texts", _MEMBERS)),
    "withdraw": (_of_each(_withdrawn), "texts", _ONE),
    **dict.fromkeys(("relent", "forsake"), (_relented, "who", _ONE)),
    "amends": (_origin, "texts of", _ALL),
    "scratch": (_origin, "texts", _ONE),
    **dict.fromkeys(("earlier", "source"), (_earlier, "texts of", _ONE)),
    **dict.fromkeys(
        ("start_support", "start_oppose", "always_support", "always_oppose", "silent"), (_always, "texts who", ("",))
    ),
    "began": (_began, "texts", _ALL),
    **dict.fromkeys(("changed", "unchanged"), (_changed, "", (*_MEMBERS, "count"))),
    **dict.fromkeys(("offered", "unoffered"), (_offered, "texts", _ALL)),
    "unconditional": (_unconditional, "", _ALL),
    **dict.fromkeys(("vote", "accept"), (_voted, "texts", _ALL)),
    "kept": (_kept, "texts", _ALL),
    "refuse": (_refused, "texts", (*_MEMBERS, "count")),
    "block": (_blocked, "", _MEMBERS),
    "abstain": (_abstained, "", (*_ONE, "count", "nobody")),
    "dissent": (_dissented, "", (*_ONE, "but", "nobody")),
    "assent": (_dissented, "who", ("",)),
    "moved": (_moved, "messages", _ONE),
    **dict.fromkeys(("win", "lose"), (_won, "texts", _ALL)),
    "tally": (_tally, "texts number", _ALL),
    "unanimous": (_unanimous, "", _ALL),
    **dict.fromkeys(("decide", "undecided"), (_decided, "", (*_ONE, "panel", "all"))),
}


def judge(claim: Claim, record: Record) -> Judged:
    """Return whether the record bears a claim out, None where it cannot show it, with the fact that shows it."""
    judged_by, needs, scopes = JUDGES.get(claim.kind, (None, "", ()))
    known = all(text in record.texts for text in (*claim.texts, *claim.of))
    told = claim.scope in scopes and all(getattr(claim, name) not in ((), None) for name in needs.split())
    if judged_by is None or not (known and told) or not all(number in record.authors for number in claim.messages):
        return UNKNOWN
    verdict, shown = judged_by(claim, record)
    return (verdict if verdict is None else verdict != (claim.negated != (claim.kind in _DENIALS))), shown


Verdict = Literal["true", "false", "unknown"]


@dataclass(frozen=True, slots=True)
class SentenceCheck:
    """Whether the record bears a sentence out."""

    verdict: Verdict
    why: tuple[RecordFact, ...] = ()  # What shows it: of a false sentence what contradicts it.
    names: frozenset[str] = frozenset()  # The members, ids and messages that it names.


def fact_words(fact: RecordFact, words: Words) -> str:
    """Return a fact in words."""
    data = {name: getattr(fact, name) for name in ("who", "text", "message", "deed", "number", "of")}
    return words.say("sentence-why", kind=fact.kind.replace(" ", "-"), **data)


def check(sentence: str, record: Record) -> SentenceCheck:
    """Return whether the record bears a sentence out: false if any claim of it is, true if all of it is."""
    reading = read(sentence, record)
    judged = [(claim, *judge(claim, record)) for claim in reading.claims]
    false = [
        *(shown for _, verdict, shown in judged if verdict is False),
        *(RecordFact("no such", text=name) for name in sorted(reading.names) if _is_strange(name, record)),
    ]
    if false:
        return SentenceCheck("false", tuple(false), reading.names)
    why = tuple(shown for _, verdict, shown in judged if verdict)
    proved = all(verdict is not None for _, verdict, _ in judged) and _is_read_whole(reading)
    return SentenceCheck("true" if proved else "unknown", why, reading.names)


def _is_read_whole(reading: Reading) -> bool:
    """Return whether the claims are all that the sentence says and names, and say more than who wrote something."""
    named = {
        name
        for each in reading.claims
        for name in (*each.who, *each.texts, *each.of, *(f"m{number}" for number in each.messages))
    }
    return (
        not reading.open and reading.names <= named and any(claim.kind not in OF_MESSAGES for claim in reading.claims)
    )


def _is_strange(name: str, record: Record) -> bool:
    """Return whether no message or declared text has this name; one that was found, as `p2@388`, may be gone."""
    if name[:1] == "m" and name[1:].isdecimal():
        return int(name[1:]) not in record.authors
    return name[:1] == "p" and name[1:2].isdecimal() and "@" not in name and name not in record.texts
