"""Holds the claims of a sentence against the record: each is true, false or unknown, with the facts that show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from eda.events.record_fact import RecordFact
from eda.memory.sentences import by_acts, by_votes
from eda.memory.sentences.claims import Claim, read
from eda.memory.sentences.judged import UNKNOWN, Judged
from eda.memory.sentences.record import Record

Verdict = Literal["true", "false", "unknown"]


@dataclass(frozen=True, slots=True)
class SentenceCheck:
    """Whether the record bears a sentence out."""

    verdict: Verdict
    why: tuple[RecordFact, ...] = ()
    """What shows it: of a false sentence what contradicts it."""
    names: frozenset[str] = frozenset()
    """The members, ids and messages that it names."""
    unjudged: bool = False
    """Whether it tells of members or of the panel what the record cannot show."""


def check(sentence: str, record: Record) -> SentenceCheck:
    """Return whether the record bears a sentence out: false if any claim of it is, true if all of it is."""
    reading = read(sentence, record)
    judged = [judge(claim, record) for claim in reading.claims]
    unjudged = any(
        verdict is None and (claim.who or claim.scope or claim.kind in _OF_ALL) and claim.kind not in ("win", "lose")
        for claim, (verdict, _) in zip(reading.claims, judged, strict=True)
    )
    false = [shown for verdict, shown in judged if verdict is False]
    false += [RecordFact("no such", text=name) for name in sorted(reading.names) if _is_strange(name, record)]
    if false:
        return SentenceCheck("false", tuple(false), reading.names)
    proved = (
        any(claim.kind != "author" for claim in reading.claims)
        and reading.whole
        and all(verdict for verdict, _ in judged)
    )
    why = tuple(shown for verdict, shown in judged if verdict)
    return SentenceCheck("true" if proved else "unknown", why, reading.names, unjudged)


def _is_strange(name: str, record: Record) -> bool:
    """Return whether no message or declared text has this name; one that was found, as `p2@388`, may be gone."""
    if name[:1] == "m" and name[1:].isdecimal():
        return int(name[1:]) not in record.authors
    return name[:1] == "p" and name[1:2].isdecimal() and "@" not in name and name not in record.texts


def judge(claim: Claim, record: Record) -> Judged:
    """Return whether the record bears a claim out, None where it cannot show it, with the fact that shows it."""
    known = all(text in record.texts for text in (*claim.texts, *claim.of))
    judged_by = _JUDGES.get(claim.kind)
    if judged_by is None or not known or not all(number in record.authors for number in claim.messages):
        return UNKNOWN
    verdict, shown = judged_by(claim, record)
    return (verdict if verdict is None or not claim.negated else not verdict), shown


_OF_ALL = ("decide", "unanimous", "pledge")
"""Kinds that tell of the panel, whoever their subject is."""
_JUDGES: Mapping[str, Callable[[Claim, Record], Judged]] = {
    "author": by_acts.author,
    "put": by_acts.mover,
    **dict.fromkeys(("support", "oppose", "neutral", "against_nothing"), by_acts.stance),
    **dict.fromkeys(("withdraw", "drop"), by_acts.withdrawn),
    "relent": by_acts.relented,
    "amends": by_acts.origin,
    **dict.fromkeys(("amend", "join"), by_acts.reworked),
    "order": by_acts.order,
    "sequence": by_acts.sequence,
    "unconditional": by_acts.full,
    "only": by_acts.only,
    **dict.fromkeys(("vote", "accept", "kept", "began"), by_votes.voted),
    "refuse": by_votes.refused,
    "block": by_votes.blocked,
    "dissent": by_votes.dissented,
    "abstain": by_votes.abstained,
    "moved": by_votes.moved,
    "win": by_votes.won,
    "lose": by_votes.lost,
    "tally": by_votes.tally,
    "unanimous": by_votes.unanimous,
    "cast": by_votes.cast,
    "decide": by_votes.decided,
}
"""By the kinds of `claims.toml`."""
