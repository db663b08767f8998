"""Words for why nothing won, and for how lots decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eda.events.outcome import Lot, Tie, Undecided
from eda.words import ENGLISH, Words


def undecided_phrase(none: Undecided, words: Words = ENGLISH) -> str:
    """Return `2 of 6 voted, which is no quorum`."""
    kind = none.why.replace(" ", "-")
    why = words.say("count-undecided", why=kind, votes=none.votes, of=none.of, who=none.who, words=none.words)
    return words.say("count-lacks", rule=none.rule, why=why) if none.rule else why


def lack_phrase(none: Undecided, words: Words = ENGLISH) -> str:
    """Return what ballots lack for a rule, without its name."""
    return undecided_phrase(replace(none, rule=""), words)


def tie_phrase(tie: Tie, words: Words = ENGLISH) -> str:
    """Return `A and B could each have won; lots drawn with seed 7 decided for A`, or the words of an older session."""
    if not tie.tied:
        return tie.words
    lots = lots_phrase(tie.lots, words)
    return words.say("count-tie", tied=tie.tied, won=tie.won, seed=str(tie.seed), rounds=len(tie.lots), lots=lots)


def lots_phrase(lots: Sequence[Lot], words: Words = ENGLISH) -> str:
    """Return `round 1: B and C were level, and the lot sent C out`; empty for no lots."""
    return "; ".join(words.say("count-lot", round=lot.round, level=lot.level, out=lot.out) for lot in lots)
