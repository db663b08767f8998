"""Judges claims by authors, texts and acts: who put, backed, opposed, withdrew or reworked a text, where and when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eda.events.record_fact import RecordFact
from eda.memory.sentences.claims import Claim
from eda.memory.sentences.judged import UNKNOWN, Judged, each_of, members_of
from eda.memory.sentences.record import Deed, Done, Record


def author(claim: Claim, record: Record) -> Judged:
    """Judge that a member wrote a message."""
    (number, *others), by = claim.messages or (0,), record.authors.get((claim.messages or (0,))[0], "")
    shown = RecordFact("author", (by,), message=number)
    return (None if others or len(claim.who) != 1 or claim.scope else by == claim.who[0]), shown


def mover(claim: Claim, record: Record) -> Judged:
    """Judge that members put texts."""
    if claim.scope or not claim.who or not claim.texts:
        return UNKNOWN
    for key in claim.texts:
        text = record.texts[key]
        puts = [done for done in record.done.get(key, ()) if done.deed == "put"]
        authors = {text.proposer, *(done.who for done in puts)} - {""}
        shown = RecordFact("mover", (text.proposer,), key, text.message)
        if not authors:
            return UNKNOWN
        numbers = {text.message, *(done.message for done in puts)}
        if authors.isdisjoint(claim.who) or (claim.messages and numbers.isdisjoint(claim.messages)):
            return False, shown
    return True, shown


_AGAINST: Mapping[str, tuple[Deed, ...]] = {
    "support": ("oppose", "neutral"),
    "oppose": ("support",),
    "neutral": ("support", "oppose"),
}


def stance(claim: Claim, record: Record) -> Judged:
    """Judge that members backed or opposed texts, or took no side."""
    if not claim.texts or claim.scope in ("count", "panel"):
        return UNKNOWN
    kind: Deed = "oppose" if claim.kind == "against_nothing" else claim.kind  # type: ignore[assignment]
    pairs = [(who, text) for who in members_of(claim, record) for text in claim.texts]
    if claim.scope == "nobody":
        done = [_took(who, kind, text, (), record) for who, text in pairs if record.texts[text].proposer != who]
        did = next((each for each in done if each[0]), None)
        return (False, did[1]) if did else (True, RecordFact("no deed", text=claim.texts[0], deed=kind))
    judged = [_took(who, kind, text, claim.messages, record) for who, text in pairs]
    if claim.scope == "but":
        others = [_took(who, kind, text, claim.messages, record) for who in claim.who for text in claim.texts]
        judged += [(False, shown) for verdict, shown in others if verdict]
    verdict, shown = each_of(judged)
    return (verdict if verdict is None or claim.kind == kind else not verdict), shown


def _took(  # noqa: PLR0911 - a return for each kind of evidence
    who: str, kind: Deed, text: str, messages: Sequence[int], record: Record
) -> Judged:
    """Return whether a member took a side on a text, in one of these messages if there are any."""
    wrong = next((number for number in messages if record.authors[number] != who), 0)
    messages = [number for number in messages if record.authors[number] == who]
    if wrong and not messages:
        return False, RecordFact("author", (record.authors[wrong],), message=wrong)
    own = [done for done in record.done.get(text, ()) if done.who == who]
    here = [done for done in own if not messages or done.message in messages]
    for done in here:
        if done.deed == kind or (kind == "support" and done.deed == "put"):
            return True, _deed(done)
    against = [done for done in here if done.deed in (*_AGAINST[kind], "put")]
    accepted = [vote for vote in record.votes if text in vote.offered and who in vote.takers(text)[1]]
    if messages:
        others = [
            d
            for each in record.done.values()
            for d in each
            if d.who == who and d.message in messages and d.deed == kind
        ]
        elsewhere = others if not any(done.deed == kind for done in own) else []
        contrary = (against or elsewhere)[-1:]
        early = record.texts[text].message > max(messages)
        shown = (
            _deed(contrary[0])
            if contrary
            else RecordFact("mover", (record.texts[text].proposer,), text, record.texts[text].message)
        )
        return (False if contrary or early else None), shown
    if kind == "support" and accepted:
        return True, RecordFact("ballot", (who,), text)
    if kind == "oppose" and any(text in vote.ballots[who].blocks for vote in record.votes if who in vote.ballots):
        return True, RecordFact("ballot", (who,), text)
    if against:
        return False, _deed(against[-1])
    return None, RecordFact("no deed", (who,), text, deed=kind)


def _deed(done: Done) -> RecordFact:
    return RecordFact("deed", (done.who,), done.text, done.message, done.deed)


def withdrawn(claim: Claim, record: Record) -> Judged:
    """Judge that members withdrew texts."""
    if not claim.texts or claim.scope:
        return UNKNOWN
    return each_of(_withdrew(claim, key, record) for key in claim.texts)


def _withdrew(claim: Claim, key: str, record: Record) -> Judged:
    text = record.texts[key]
    gone = [
        done for done in record.done.get(key, ()) if done.deed == "withdraw" and done.who in (claim.who or (done.who,))
    ]
    shown = _deed(gone[-1]) if gone else RecordFact("no deed", claim.who, key, deed="withdraw")
    if not text.proposer or (claim.kind == "drop" and text.proposer not in claim.who):
        return UNKNOWN
    if claim.who and text.proposer not in claim.who and not gone:
        return False, RecordFact("mover", (text.proposer,), key, text.message)
    if claim.kind == "drop" and not gone:
        return UNKNOWN
    wrong = claim.messages and not any(done.message in claim.messages for done in gone)
    return bool(gone) and not wrong, shown


def relented(claim: Claim, record: Record) -> Judged:
    """Judge that members gave up their opposition to texts."""
    if not claim.who or claim.scope:
        return UNKNOWN
    keys = claim.texts or tuple(record.done)
    deeds = {who: [d for key in keys for d in record.done.get(key, ()) if d.who == who] for who in claim.who}
    never = next((who for who, own in deeds.items() if not any(each.deed == "oppose" for each in own)), "")
    if never:
        return False, RecordFact("no deed", (never,), claim.texts[0] if claim.texts else "", deed="oppose")
    still = next((own[-1] for own in deeds.values() if claim.texts and own[-1].deed == "oppose"), None)
    voted = still and any(still.who in vote.takers(still.text)[1] for vote in record.votes)
    return (None if voted or not claim.texts else still is None), _deed(still or next(iter(deeds.values()))[-1])


def origin(claim: Claim, record: Record) -> Judged:
    """Judge that a text amends or joins others."""
    if not claim.texts or not claim.of:
        return UNKNOWN
    text = record.texts[claim.texts[0]]
    direct = {text.amends or "", *text.joins} - {""}
    return bool(direct.issuperset(claim.of)), RecordFact(
        "origin", (text.proposer,), text.id, text.message, of=tuple(sorted(direct))
    )


def reworked(claim: Claim, record: Record) -> Judged:
    """Judge that members amended or joined some texts."""
    if not claim.texts or not claim.who or claim.scope or (claim.kind == "join" and len(claim.texts) < 2):
        return UNKNOWN
    made = [t for t in record.texts.values() if {t.amends or "", *t.joins}.issuperset(claim.texts)]
    own = [
        text for text in made if text.proposer in claim.who and (not claim.messages or text.message in claim.messages)
    ]
    shown = next(iter(own or made), None)
    return (bool(own) if made or claim.kind == "amend" else None), (
        RecordFact("origin", (shown.proposer,), shown.id, shown.message, of=claim.texts)
        if shown
        else RecordFact("no deed", claim.who, claim.texts[0], deed=claim.kind)
    )


def order(claim: Claim, record: Record) -> Judged:
    """Judge that a text came before or after another one."""
    if not claim.texts or not claim.of:
        return UNKNOWN
    one, other = (record.texts[keys[0]] for keys in (claim.texts, claim.of))
    right = one.message < other.message if claim.way in ("before", "preceded", "vor") else one.message > other.message
    return right, RecordFact("order", text=one.id, message=one.message, of=(other.id,), number=other.message)


def sequence(claim: Claim, record: Record) -> Judged:
    """Judge that one deed came before another one."""
    first, second = (_when(part, record) for part in claim.parts)
    if first is None or second is None or first[0] == second[0]:
        return UNKNOWN
    return first[0] < second[0], RecordFact("order", text=first[1], message=first[0], of=(second[1],), number=second[0])


def _when(claim: Claim, record: Record) -> tuple[int, str] | None:
    """Return the message in which a claim's deed was done, if there is one such, and its text."""
    if claim.negated or not claim.texts or claim.scope or len(claim.texts) > 1 or claim.texts[0] not in record.texts:
        return None
    deed = (
        claim.kind
        if claim.kind in _AGAINST or claim.kind == "put"
        else {"withdraw": "withdraw", "drop": "withdraw"}.get(claim.kind)
    )
    done = {
        d.message for d in record.done.get(claim.texts[0], ()) if d.deed == deed and d.who in (claim.who or (d.who,))
    }
    return (next(iter(done)), claim.texts[0]) if len(done) == 1 else None


def full(claim: Claim, record: Record) -> Judged:
    """Judge that members support a text without a condition."""
    done = [
        each
        for key, deeds in record.done.items()
        for each in deeds
        if each.deed == "support" and each.who in claim.who and (not claim.texts or key in claim.texts)
        if not claim.messages or each.message in claim.messages
    ]
    return (not all(each.conditional for each in done) if done else None), _deed(done[-1]) if done else UNKNOWN[1]


def only(claim: Claim, record: Record) -> Judged:
    """Judge that nobody but these members is behind a text."""
    if not claim.texts or not claim.who or claim.scope:
        return UNKNOWN
    text = record.texts[claim.texts[0]]
    backers = {done.who for done in record.done.get(text.id, ()) if done.deed in ("support", "put")} | {
        text.proposer
    } - {""}
    return backers <= {*claim.who}, RecordFact("deed", tuple(sorted(backers)), text.id, text.message, "support")
