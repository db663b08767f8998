"""Holds a sentence against the record: by authors, texts and acts, then by votes. A kind of claim has one judge."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from eda.events import NONE, Proposal, RecordFact
from eda.memory.sentences.claims import OF_MESSAGES, Claim, Reading, Scope, read
from eda.memory.sentences.record import Deed, Done, Record, Vote
from eda.words import Words

Judged = tuple[bool | None, RecordFact]
UNKNOWN: Judged = (None, RecordFact("no such"))
# The deeds that bear a stance out.
AGREES: Mapping[str, tuple[Deed, ...]] = {
    "support": ("support", "put"),
    "oppose": ("oppose",),
    "neutral": ("neutral",),
}
_AGAINST: Mapping[str, tuple[Deed, ...]] = {
    "support": ("oppose", "neutral"),
    "oppose": ("support", "put"),
    "neutral": ("support", "oppose", "put"),
}


def _members(claim: Claim, record: Record) -> tuple[str, ...]:
    """Return the members that a claim is about."""
    everybody = record.members
    if claim.scope in ("all", "nobody"):
        return everybody
    return tuple(who for who in everybody if who not in claim.who) if claim.scope == "but" else claim.who


def _each(results: Iterable[Judged]) -> Judged:
    """Return what several results come to: false if one is, true if all are."""
    return min(results, key=lambda result: (False, None, True).index(result[0]), default=UNKNOWN)


def deed_fact(done: Done) -> RecordFact:
    """Return what somebody did as a fact of the record."""
    if not done.message:
        return RecordFact("ballot", (done.who,), done.text, deed="block" if done.deed == "oppose" else "")
    return RecordFact("deed", (done.who,), done.text, done.message, done.deed + "-if" * done.conditional)


def _mover(text: Proposal) -> RecordFact:
    return RecordFact("mover", (text.proposer,), text.id, text.message)


def _author(claim: Claim, record: Record) -> Judged:
    """Judge that a member wrote a message."""
    by, one = record.authors[claim.messages[0]], len(claim.messages) == len(claim.who) == 1
    return by == claim.who[0] if one else None, RecordFact("author", (by,), message=claim.messages[0])


def _put(claim: Claim, text: Proposal, record: Record) -> Judged:
    """Judge that members put a text."""
    puts = [done for done in record.done.get(text.id, ()) if done.deed == "put"]
    authors = {text.proposer, *(done.who for done in puts)} - {""}
    numbers = {text.message, *(done.message for done in puts)}
    wrong = authors.isdisjoint(claim.who) or (claim.messages and numbers.isdisjoint(claim.messages))
    return (not wrong, _mover(text)) if authors else UNKNOWN


def _stance(claim: Claim, record: Record) -> Judged:
    """Judge that members backed or opposed texts, or took no side."""
    kind: Deed = "oppose" if claim.kind == "against_nothing" else claim.kind  # type: ignore[assignment]
    pairs = [(who, text) for who in _members(claim, record) for text in claim.texts]
    if claim.scope == "nobody":
        done = [_took(who, kind, text, (), record) for who, text in pairs if record.texts[text].proposer != who]
        did = next((each for each in done if each[0]), None)
        return (False, did[1]) if did else (True, RecordFact("no deed", text=claim.texts[0], deed=kind))
    judged = [_took(who, kind, text, claim.messages, record) for who, text in pairs]
    if claim.scope == "but":
        others = [_took(who, kind, text, claim.messages, record) for who in claim.who for text in claim.texts]
        judged += [(False, shown) for verdict, shown in others if verdict]
    verdict, shown = _each(judged)
    return (verdict if verdict is None or claim.kind == kind else not verdict), shown


def _took(who: str, kind: Deed, text: str, messages: Sequence[int], record: Record) -> Judged:
    """Return whether a member took a side on a text, in one of these messages if there are any."""
    if messages and who not in map(record.authors.get, messages):
        return False, RecordFact("author", (record.authors[messages[0]],), message=messages[0])
    done = [each for each in record.deeds(who, text) if not messages or each.message in messages]
    same = [each for each in done if each.deed in AGREES[kind]]
    if same:
        return True, deed_fact(same[0])
    contrary = [each for each in done if each.deed in _AGAINST[kind] and each.message]
    if messages and not contrary:  # it may have taken that side there on another text
        others = (each for key in record.done for each in record.deeds(who, key) if each.message in messages)
        contrary = [each for each in others if each.deed == kind]
    return (False, deed_fact(contrary[-1])) if contrary else (None, RecordFact("no deed", (who,), text, deed=kind))


def _withdrawn(claim: Claim, text: Proposal, record: Record) -> Judged:
    """Judge that members withdrew a text."""
    done = [each for each in record.done.get(text.id, ()) if each.deed == "withdraw"]
    gone = [each for each in done if each.who in (claim.who or (each.who,))]
    if claim.who and text.proposer not in (*claim.who, "") and not gone:
        return False, _mover(text)
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
    """Judge that a text amends or joins others."""
    text = record.texts[claim.texts[0]]
    direct = {text.amends or "", *text.joins} - {""}
    shown = RecordFact("origin", (text.proposer,), text.id, text.message, of=tuple(sorted(direct)))
    return direct.issuperset(claim.of), shown


def _unconditional(claim: Claim, record: Record) -> Judged:
    """Judge that members support a text without a condition."""
    texts = claim.texts or tuple(record.done)
    deeds = (each for key in texts for each in record.done.get(key, ()) if each.deed == "support")
    done = [each for each in deeds if each.who in claim.who and each.message in (claim.messages or (each.message,))]
    return (not all(each.conditional for each in done), deed_fact(done[-1])) if done else UNKNOWN


def _votes(claim: Claim, record: Record) -> Sequence[Vote]:
    """Return the votes that a claim may be about."""
    named = {"first": slice(1), "second": slice(1, 2), "last": slice(-1, None)}
    if claim.vote:
        return record.votes[named[claim.vote]]
    return [vote for vote in record.votes if not claim.texts or vote.offered.issuperset(claim.texts)]


def _ballots(text: str, vote: Vote) -> RecordFact:
    return RecordFact("votes", tuple(sorted(vote.takers(text)[1])), text, vote.after, number=len(vote.ballots))


def _fits(claim: Claim, groups: Collection[frozenset[str]], everybody: Iterable[str]) -> bool:
    """Return whether one of some groups is as a claim says: so many, nobody, all, all but some, or these members."""
    match claim.scope:
        case "count":
            return claim.number in [len(group) for group in groups]
        case "nobody":
            return not all(groups)
        case "but" | "all":
            return frozenset(everybody) - {*claim.who} in groups
    return any(group.issuperset(claim.who) for group in groups)


def _voted(claim: Claim, record: Record) -> Judged:
    """Judge that members accepted texts."""
    if claim.scope == "panel":
        return _won(claim, record)
    if claim.messages or (claim.kind == "accept" and not (claim.scope or claim.vote)):
        return judge(claim._replace(kind="support", negated=False), record)
    votes = _votes(claim, record)[-1:] if claim.kind == "kept" else _votes(claim, record)
    judged, loosely = list[Judged](), claim.vote or claim.kind != "vote" or claim.scope
    for key in claim.texts if votes else ():
        groups = [group for vote in votes for group in vote.takers(key)[: 2 if loosely or vote is votes[-1] else 1]]
        wrong = not _fits(claim, groups, votes[-1].ballots)
        if wrong and claim.scope in ("", "all") and not claim.vote and _spoke_for(key, claim, groups, record):
            judged.append((None, UNKNOWN[1]))
            wrong = False
        judged.append((not wrong, _ballots(claim.texts[0], votes[-1])))
    return _each(judged)


def _spoke_for(text: str, claim: Claim, voted: Iterable[frozenset[str]], record: Record) -> bool:
    """Return whether all members of a claim who did not vote for a text spoke for it: that may be meant, too."""
    absent = {*_members(claim, record)}.difference(*voted)
    return bool(absent) and absent <= {done.who for done in record.done.get(text, ()) if done.deed == "support"}


def _refused(claim: Claim, record: Record) -> Judged:
    """Judge that members voted against a text."""
    votes = [vote for vote in _votes(claim, record) if vote.ballots.keys() & {*claim.who}]
    if not votes:
        return UNKNOWN
    return _fits(claim, [vote.refusers(claim.texts[0]) for vote in votes], ()), _ballots(claim.texts[0], votes[-1])


def _blocked(claim: Claim, record: Record) -> Judged:
    """Judge that members blocked a text."""
    votes = _votes(claim, record)
    if not votes or not (claim.texts or claim.who):
        return UNKNOWN
    marks = [(who, mark) for vote in votes for who, mark in vote.ballots.items()]
    who = frozenset(who for who, mark in marks if (set(mark.blocks) & {*claim.texts} if claim.texts else mark.blocks))
    shown = RecordFact("ballot", tuple(sorted(who)), claim.texts[0] if claim.texts else "", deed="block")
    return (_fits(claim, [who], record.members) if claim.who or claim.scope else bool(who)), shown


def _abstained(claim: Claim, record: Record) -> Judged:
    """Judge that members abstained; who did so in the talk may be meant where no vote is named."""
    groups = [frozenset(who for who, mark in vote.ballots.items() if mark.abstains) for vote in _votes(claim, record)]
    aside = {each.who for done in record.done.values() for each in done if each.deed == "neutral"}
    if not groups or not (claim.who or claim.scope) or not (claim.vote or aside.isdisjoint(claim.who or aside)):
        return UNKNOWN
    return _fits(claim, groups, ()), RecordFact("ballot", tuple(sorted(groups[-1])), deed="abstain")


def _dissented(claim: Claim, record: Record) -> Judged:
    """Judge that members did not accept what was decided."""
    vote = next((vote for vote in reversed(record.votes) if vote.won), None)
    if vote is None or claim.vote == "first":
        return UNKNOWN
    text = (vote.won or ("",))[0]
    earlier = {who for each in record.votes for who, mark in each.ballots.items() if mark.blocks and not claim.vote}
    if earlier if claim.scope == "nobody" else (not claim.who or earlier & {*claim.who}):
        return UNKNOWN
    return _fits(
        claim._replace(scope="" if claim.scope == "but" else claim.scope), [vote.refusers(text)], ()
    ), _ballots(text, vote)


def _moved(claim: Claim, record: Record) -> Judged:
    """Judge that a member named a message that moved it."""
    marks = [vote.ballots[who] for vote in _votes(claim, record) for who in claim.who if who in vote.ballots]
    if not marks or len(claim.who) > 1:
        return UNKNOWN
    named = {mark.moved_by for mark in marks}
    return bool(named & {*claim.messages}), RecordFact("moved", claim.who, message=marks[-1].moved_by or 0)


def _won(claim: Claim, record: Record) -> Judged:
    """Judge that a text won, with these numbers of votes."""
    if not record.last or claim.messages:
        return UNKNOWN
    text, first = claim.texts[0], claim.vote == "first"
    votes = [vote for vote in _votes(claim, record) if first or vote.won is not None]
    if first and votes and votes[0].won is None:
        sizes = {key: len(votes[0].takers(key)[0]) for key in votes[0].offered}
        won = sizes.get(text) == max(sizes.values(), default=0)
    else:
        won = any({*claim.texts} <= {*(vote.won or ())} for vote in votes)
    outcome = RecordFact("outcome", text=(record.last.won or ("",))[0])
    if not won and not first:
        return False, outcome
    shown = _ballots(text, votes[-1]) if votes else outcome
    return (won and any(_has_counts(claim, text, vote) for vote in votes) if votes else None), shown


def _has_counts(claim: Claim, text: str, vote: Vote) -> bool:
    """Return whether a vote has the numbers of votes that are claimed for a text."""
    firsts, accepts = vote.takers(text)
    cast = [mark for mark in vote.ballots.values() if mark.first or mark.accepts]
    others = {len(vote.takers(key)[0]) for key in vote.offered - {text}} | {sum(mark.first == NONE for mark in cast), 0}
    others |= {len(cast) - len(firsts), len(cast) - len(accepts), len(vote.ballots) - len(accepts)}
    claimed = (
        (claim.number, (len(firsts), len(accepts))),
        (claim.against, others),
        (claim.cast, (len(cast), len(vote.ballots))),
    )
    return all(number is None or number in right for number, right in claimed)


def _lost(claim: Claim, record: Record) -> Judged:
    """Judge that a text did not win."""
    verdict, shown = _won(claim._replace(number=None, against=None, cast=None), record)
    return (None if verdict is None else not verdict), shown


def _tally(claim: Claim, record: Record) -> Judged:
    """Judge that a text had so many votes."""
    votes = _votes(claim, record)
    told = any(_has_counts(claim, claim.texts[0], vote) for vote in votes)
    return (told, _ballots(claim.texts[0], votes[-1])) if votes else UNKNOWN


def _unanimous(claim: Claim, record: Record) -> Judged:
    """Judge that all who voted accepted a text."""
    claim = claim if claim.texts else claim._replace(texts=((record.last.won if record.last else None) or ())[:1])
    votes = _votes(claim, record)
    if not record.votes and not claim.who:  # of the talk
        done = (record.done.get(key, ()) for key in claim.texts or record.texts)
        behind = ({each.who for each in deeds if each.deed in AGREES["support"]} for deeds in done)
        return None if any(who.issuperset(record.members) for who in behind) else False, RecordFact("outcome")
    if not record.last or not votes or (claim.who and claim.scope != "all"):
        return UNKNOWN
    if not claim.texts:
        return False, RecordFact("outcome")
    text = claim.texts[0]
    return any(vote.takers(text)[1] == {*vote.ballots} for vote in votes), _ballots(text, votes[-1])


def _decided(claim: Claim, record: Record) -> Judged:
    """Judge that the panel decided something, where it has decided nothing."""
    known = record.decided or (record.last and record.last.won) or claim.who
    return None if known else False, RecordFact("outcome")


def _of_each(judge: Callable[[Claim, Proposal, Record], Judged]) -> Callable[[Claim, Record], Judged]:
    """Return a judge of all texts of a claim, from one of a text."""
    return lambda claim, record: _each(judge(claim, record.texts[key], record) for key in claim.texts)


_ALL: tuple[Scope, ...] = get_args(Scope)
_MEMBERS: tuple[Scope, ...] = ("", "all", "but", "nobody")
# By the kinds of `claims.toml`: who judges it, the fields of a claim without which it is open, and its scopes.
JUDGES: Mapping[str, tuple[Callable[[Claim, Record], Judged], str, tuple[Scope, ...]]] = {
    **dict.fromkeys(OF_MESSAGES, (_author, "messages who", ("",))),
    "put": (_of_each(_put), "texts who", ("",)),
    **dict.fromkeys(("support", "oppose", "neutral", "against_nothing"), (_stance, "texts", _MEMBERS)),
    "withdraw": (_of_each(_withdrawn), "texts", ("",)),
    **dict.fromkeys(("relent", "forsake"), (_relented, "who", ("",))),
    "amends": (_origin, "texts of", _ALL),
    "unconditional": (_unconditional, "", _ALL),
    **dict.fromkeys(("vote", "accept", "kept"), (_voted, "texts", _ALL)),
    "refuse": (_refused, "texts", ("",)),
    "block": (_blocked, "", _MEMBERS),
    "abstain": (_abstained, "", ("", "count", "nobody")),
    "dissent": (_dissented, "", ("", "but", "nobody")),
    "moved": (_moved, "messages", ("",)),
    "win": (_won, "texts", _ALL),
    "lose": (_lost, "texts", _ALL),
    "tally": (_tally, "texts number", _ALL),
    "unanimous": (_unanimous, "", _ALL),
    "decide": (_decided, "", ("", "panel", "all")),
}


def judge(claim: Claim, record: Record) -> Judged:
    """Return whether the record bears a claim out, None where it cannot show it, with the fact that shows it."""
    judged_by, needs, scopes = JUDGES.get(claim.kind, (None, "", ()))
    known = all(text in record.texts for text in (*claim.texts, *claim.of))
    told = claim.scope in scopes and all(getattr(claim, name) not in ((), None) for name in needs.split())
    if judged_by is None or not (known and told) or not all(number in record.authors for number in claim.messages):
        return UNKNOWN
    verdict, shown = judged_by(claim, record)
    return (verdict if verdict is None or not claim.negated else not verdict), shown


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
    false = [shown for _, verdict, shown in judged if verdict is False]
    false += [RecordFact("no such", text=name) for name in sorted(reading.names) if _is_strange(name, record)]
    if false:
        return SentenceCheck("false", tuple(false), reading.names)
    why = tuple(shown for _, verdict, shown in judged if verdict)
    proved = all(verdict is not None for _, verdict, _ in judged) and _is_read_whole(reading)
    return SentenceCheck("true" if proved else "unknown", why, reading.names)


def _is_read_whole(reading: Reading) -> bool:
    """Return whether the claims are all that the sentence says and names, and say more than who wrote something."""
    named = {name for each in reading.claims for name in (*each.who, *each.texts, *each.of)}
    named |= {f"m{number}" for each in reading.claims for number in each.messages}
    return (
        not reading.open and reading.names <= named and any(claim.kind not in OF_MESSAGES for claim in reading.claims)
    )


def _is_strange(name: str, record: Record) -> bool:
    """Return whether no message or declared text has this name; one that was found, as `p2@388`, may be gone."""
    if name[:1] == "m" and name[1:].isdecimal():
        return int(name[1:]) not in record.authors
    return name[:1] == "p" and name[1:2].isdecimal() and "@" not in name and name not in record.texts
