"""Judges claims by votes: who voted how, what won and by how much, who dissented, what moved a voter."""

from __future__ import annotations

from dataclasses import replace

from eda.events import NONE
from eda.events.record_fact import RecordFact
from eda.memory.sentences.by_acts import stance
from eda.memory.sentences.claims import Claim
from eda.memory.sentences.judged import UNKNOWN, Judged, each_of, members_of
from eda.memory.sentences.record import Record, Vote


def _votes(claim: Claim, record: Record) -> list[Vote]:
    """Return the votes that a claim may be about."""
    votes = list(record.votes)
    if claim.vote:
        at = {"first": 0, "second": 1, "last": -1}[claim.vote]
        return votes[at:][:1] if at >= 0 else votes[-1:]
    return [vote for vote in votes if not claim.texts or vote.offered.issuperset(claim.texts)]


def voted(claim: Claim, record: Record) -> Judged:
    """Judge that members accepted a text."""
    votes = _votes(claim, record)
    if claim.scope == "panel":
        return won(claim, record)
    if claim.messages or (claim.kind == "accept" and not (claim.scope or claim.vote)):
        return stance(replace(claim, kind="support"), record)
    if not claim.texts or not votes:
        return UNKNOWN
    if claim.kind == "began" and votes[0].after:
        return UNKNOWN
    votes = {"began": votes[:1], "kept": votes[-1:]}.get(claim.kind, votes)
    takers = {key: [ways for vote in votes for ways in vote.takers(key)] for key in claim.texts}
    shown = _ballots(claim.texts[0], votes[-1])
    judged = []
    for key, groups in takers.items():
        voters = frozenset(votes[-1].ballots)
        match claim.scope:
            case "count":
                right = claim.number in {len(group) for group in groups}
            case "nobody":
                right = not all(groups)
            case "but":
                right = (voters - {*claim.who}) in groups
            case "all":
                right = voters in groups
            case _:
                right = any(group.issuperset(claim.who) for group in groups)
        absent = (
            {*members_of(claim, record)}.difference(*groups) if claim.scope in ("", "all") and not claim.vote else set()
        )
        talked = absent and absent <= {done.who for done in record.done.get(key, ()) if done.deed == "support"}
        judged.append((None if talked and not right else right, shown))
    return each_of(judged)


def _ballots(text: str, vote: Vote) -> RecordFact:
    takers = tuple(sorted(vote.takers(text)[1]))
    return RecordFact("votes", takers, text, vote.after, number=len(vote.ballots))


def refused(claim: Claim, record: Record) -> Judged:
    """Judge that members voted against a text."""
    votes = _votes(claim, record)
    if not claim.texts or not votes or claim.scope:
        return UNKNOWN
    text = claim.texts[0]
    marks = [vote.ballots[who] for vote in votes for who in claim.who if who in vote.ballots]
    against = any(
        mark.valid and (mark.first or mark.blocks) and text not in (mark.first, *mark.accepts) for mark in marks
    )
    return (against if marks else None), _ballots(text, votes[-1])


def blocked(claim: Claim, record: Record) -> Judged:
    """Judge that members blocked a text."""
    votes = _votes(claim, record)
    if not votes or (not claim.texts and not claim.who) or claim.scope in ("count", "panel"):
        return UNKNOWN
    who = {
        each
        for vote in votes
        for each, mark in vote.ballots.items()
        if not claim.texts or {*claim.texts} & {*mark.blocks}
    }
    who = {each for each in who if any(vote.ballots[each].blocks for vote in votes if each in vote.ballots)}
    shown = RecordFact("ballot", tuple(sorted(who)), claim.texts[0] if claim.texts else "", deed="block")
    if claim.scope == "nobody":
        return not who, shown
    return {*members_of(claim, record)} <= who if claim.who else bool(who), shown


def dissented(claim: Claim, record: Record) -> Judged:
    """Judge that members did not accept what was decided."""
    vote = next((vote for vote in reversed(record.votes) if vote.won), None)
    if vote is None or claim.scope in ("count", "panel", "all") or claim.vote == "first":
        return UNKNOWN
    text = (vote.won or ("",))[0]
    against = {
        who
        for who, mark in vote.ballots.items()
        if mark.valid and (mark.first or mark.blocks) and who not in vote.takers(text)[1]
    }
    earlier = {who for each in record.votes for who, mark in each.ballots.items() if mark.blocks and not claim.vote}
    if claim.scope == "nobody":
        return (None if earlier else not against), _ballots(text, vote)
    if not claim.who or earlier & {*claim.who}:
        return UNKNOWN
    return against.issuperset(claim.who), _ballots(text, vote)


def abstained(claim: Claim, record: Record) -> Judged:
    """Judge that members abstained."""
    votes = _votes(claim, record)[-1:]
    if not votes or not claim.who or claim.scope == "but":
        return UNKNOWN
    marks = [votes[0].ballots[who] for who in claim.who if who in votes[0].ballots]
    return all(not mark.valid or not mark.first for mark in marks), RecordFact("ballot", claim.who, deed="vote")


def moved(claim: Claim, record: Record) -> Judged:
    """Judge that a member named a message that moved it."""
    marks = [(who, vote.ballots[who]) for vote in _votes(claim, record) for who in claim.who if who in vote.ballots]
    if not marks or not claim.messages or claim.scope or len(claim.who) > 1:
        return UNKNOWN
    named = {mark.moved_by for _, mark in marks}
    return bool(named & {*claim.messages}), RecordFact("moved", claim.who, message=marks[-1][1].moved_by or 0)


def won(claim: Claim, record: Record) -> Judged:
    """Judge that a text won, with these numbers of votes."""
    decided = [vote for vote in _votes(claim, record) if vote.won is not None]
    votes = _votes(claim, record) if claim.vote == "first" else decided
    if not claim.texts or not record.last or claim.messages:
        return UNKNOWN
    text = claim.texts[0]
    if claim.vote == "first" and votes and votes[0].won is None:
        sizes = {key: len(votes[0].takers(key)[0]) for key in votes[0].offered}
        won = sizes.get(text) == max(sizes.values(), default=0)
    else:
        won = any({*claim.texts} <= {*(vote.won or ())} for vote in votes)
    shown = _ballots(text, votes[-1]) if votes else RecordFact("outcome", text=(record.last.won or ("",))[0])
    if not won:
        return False, shown if claim.vote == "first" else RecordFact("outcome", text=(record.last.won or ("",))[0])
    return (any(_has_counts(claim, text, vote) for vote in votes) if votes else None), shown


def _has_counts(claim: Claim, text: str, vote: Vote) -> bool:
    """Return whether a vote has the numbers of votes that are claimed for a text."""
    firsts, accepts = vote.takers(text)
    cast = [mark for mark in vote.ballots.values() if mark.first or mark.accepts]
    others = {len(vote.takers(key)[0]) for key in vote.offered - {text}} | {sum(mark.first == NONE for mark in cast), 0}
    others |= {len(cast) - len(firsts), len(cast) - len(accepts), len(vote.ballots) - len(accepts)}
    return (
        (claim.number is None or claim.number in (len(firsts), len(accepts)))
        and (claim.against is None or claim.against in others)
        and (claim.cast is None or claim.cast in (len(cast), len(vote.ballots)))
    )


def lost(claim: Claim, record: Record) -> Judged:
    """Judge that a text did not win."""
    verdict, shown = won(replace(claim, number=None, against=None, cast=None), record)
    return (None if verdict is None else not verdict), shown


def tally(claim: Claim, record: Record) -> Judged:
    """Judge that a text had so many votes."""
    votes = _votes(claim, record)
    if not votes or not claim.texts or claim.number is None:
        return UNKNOWN
    return any(_has_counts(claim, claim.texts[0], vote) for vote in votes), _ballots(claim.texts[0], votes[-1])


def unanimous(claim: Claim, record: Record) -> Judged:
    """Judge that all who voted accepted a text."""
    won = record.last.won if record.last else None
    claim = claim if claim.texts else replace(claim, texts=(won or ())[:1])
    votes = _votes(claim, record)
    if not record.last or not votes or (claim.who and claim.scope != "all"):
        return UNKNOWN
    if not claim.texts:
        return False, RecordFact("outcome")
    text = claim.texts[0]
    return any(vote.takers(text)[1] == {*vote.ballots} for vote in votes), _ballots(text, votes[-1])


def cast(claim: Claim, record: Record) -> Judged:
    """Judge that so many ballots, or those of these members, were valid."""
    votes = _votes(claim, record)
    if not votes:
        return UNKNOWN
    valid = [{who for who, mark in vote.ballots.items() if mark.valid} for vote in votes]
    shown = RecordFact("votes", tuple(sorted(valid[-1])), message=votes[-1].after, number=len(votes[-1].ballots))
    if claim.number is not None:
        return any(len(each) == claim.number for each in valid), shown
    return any(
        each.issuperset(members_of(claim, record)) and (claim.scope != "but" or each.isdisjoint(claim.who))
        for each in valid
    ), shown


def decided(claim: Claim, record: Record) -> Judged:
    """Judge that the panel decided something, where it has decided nothing."""
    if record.decided or (record.last and record.last.won) or (claim.who or claim.scope not in ("", "panel", "all")):
        return UNKNOWN
    return False, RecordFact("outcome")
