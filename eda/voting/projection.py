"""Projects ballots over texts onto motions, so that it never matters in how many wordings a motion stands.

A motion stands where its best text stands. `none` is an item below all that a ballot accepts, and what a ballot does
not accept lies tied below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from eda.events.votes import NONE, Ballot, BallotText
from eda.voting.counts import HALF, has_voted


def option_of(text: BallotText) -> str:
    """Return `a wording of o2, ` for a text that rewords a given option; else empty."""
    return f"a wording of {text.motion}, " if text.motion != text.id and re.fullmatch(r"o\d+", text.motion) else ""


def kinship(text: BallotText, other: str, texts: Iterable[BallotText]) -> str:
    """Return what a text of a ballot is to `other`, the id of a text of the same motion: `another wording of p8.0`.

    A wording of a given option says so first; empty where `other` is the text itself, which joins nothing.
    """
    texts, of = tuple(texts), option_of(text)
    if takers := [each.id for each in texts if each.takes_in(text)]:  # of what was not decided it is a part
        return of + (f"taken into {other}" if other in takers else f"part of {takers[0]}")
    parts = [each for each in texts if text.takes_in(each)]
    if parts and not any(each.id == other != text.id and all(map(each.takes_in, parts)) for each in texts):
        return f"{of}which takes in {' and '.join(part.id for part in parts)}"
    if text.id == other:
        return ""
    if text.id != text.motion:
        return of.removesuffix(", ") or f"another wording of {other}"
    same = [t.id for t in texts if (t.motion, t.root) == (text.motion, text.root) and t.id != text.id] or [other]
    return f"of which {' and '.join(same)} {'is another wording' if len(same) == 1 else 'are other wordings'}"


def project(ballots: Sequence[Ballot], texts: Sequence[BallotText]) -> tuple[list[Ballot], tuple[str, ...]]:
    """Return ballots that name motions by their ids, and `none`; and what is counted: these ids and `none`."""
    motion = {text.text: text.motion for text in reversed(texts)}
    standing = _standing(ballots, texts)
    options = tuple(dict.fromkeys(text.motion for text in texts))
    return [_projected(ballot, motion, standing) for ballot in ballots], (*options, NONE)


def by_text(ballots: Sequence[Ballot], texts: Sequence[BallotText]) -> tuple[list[Ballot], tuple[str, ...]]:
    """Return ballots that name these texts by their ids, and `none`; and what is counted."""
    return project(ballots, [text.model_copy(update={"motion": text.id}) for text in texts])


def accepted(ballot: Ballot) -> tuple[str, ...]:
    """Return the texts that a ballot accepts, ranked ones first; of one that only scores those above the middle."""
    if ballot.invalid or ballot.choice == NONE:
        return ()
    named = (*_ranked(ballot), *ballot.approved) or tuple(text for text in ballot.scores if ballot.scores[text] > HALF)
    return tuple(dict.fromkeys(named))


def _ranked(ballot: Ballot) -> tuple[str, ...]:
    return tuple(text for text in (ballot.choice, *ballot.ranking) if text is not None and text != NONE)


def acceptors(ballots: Iterable[Ballot], texts: Iterable[BallotText]) -> dict[str, tuple[str, ...]]:
    """Return by the id of each text who accepts it."""
    taken = [(ballot.agent, accepted(ballot)) for ballot in ballots]
    return {text.id: tuple(who for who, words in taken if text.text in words) for text in texts}


def _standing(ballots: Sequence[Ballot], texts: Sequence[BallotText]) -> set[str]:
    """Return the motions of which one accepted text is blocked by nobody."""
    blocked = {text for ballot in ballots if not ballot.invalid for text in ballot.blocked}
    free = {text for ballot in ballots for text in accepted(ballot)} - blocked
    return {text.motion for text in texts if text.text in free}


def _projected(ballot: Ballot, motion: Mapping[str, str], standing: set[str]) -> Ballot:
    def motions(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(motion[text] for text in texts if text in motion))

    scores: dict[str, float] = {}
    for text, score in ballot.scores.items():
        if text in motion:
            scores[motion[text]] = max(score, scores.get(motion[text], 0.0))
    own = motions(ballot.withheld)
    roots = {root for text, root in motion.items() if text not in ballot.withheld}
    ranking, taken = motions(_ranked(ballot)), motions(accepted(ballot))
    if has_voted(ballot) and set(taken) <= set(ranking):  # of texts that it accepts without an order nobody knows one
        ranking = (*ranking, NONE)
    return ballot.model_copy(
        update={
            "choice": next(iter(ranking), None),
            "ranking": ranking,
            "approved": taken or ranking,
            "also": motions(ballot.also),
            "scores": scores,
            "blocked": tuple(root for root in motions(ballot.blocked) if root not in standing),
            "withheld": tuple(root for root in own if root not in roots),
        }
    )
