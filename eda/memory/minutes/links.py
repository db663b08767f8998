"""Finds what a remark in a recorded conversation answers: an open proposal, a recent message, or what is voted on.

A reply points at it, or a quotation, a name, shared words or recency, in this order. Only the newest proposals and
messages are candidates, so the cost does not grow with the conversation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eda.memory.minutes.items import ProposalItem
from eda.memory.minutes.proposals import VOTED_ON
from eda.memory.minutes.resolve import QUOTED, SHORTEST
from eda.memory.minutes.state import Candidate, State, Talk
from eda.text import names, overlap

VOTING = 35
"""Messages without a vote after which a vote is over."""
VOTING_ON = 5
"""The same, where nothing says that what is voted on is a proposal."""
LINKED = 0.3
"""Score from which a reaction is bound to a proposal."""
JUST_NOW = 3
"""Messages within which terse talk answers a proposal."""
CLEAR = 0.4
"""Confidence of a proposal from which terse talk answers it."""
ANSWERED = 6
"""Newest messages that a reaction to no proposal may answer."""
_RANK = {"reply": 3, "quotation": 2, "name": 1, "words": 0, "recency": 0}
"""Signs that point at a candidate rank above those that only suggest it, whatever their scores."""


@dataclass(frozen=True, slots=True)
class Link:
    """A candidate, the sign of the link, and its score."""

    candidate: Candidate
    how: str
    score: float


def link_to_proposal(state: State, talk: Talk) -> Link | None:
    """Return the link from a message to the open proposal that it answers; None where it answers none.

    Terse talk answers a proposal only if that is sure and just made.
    """
    candidates = [
        Candidate(item.id, item.message, item.by, item.text, item.words)
        for item in state.newest_open()
        if talk.register != "terse"
        or item.message == talk.reply_to
        or (talk.number - item.message <= JUST_NOW and item.confidence >= CLEAR)
    ]
    link = _best_link(state, talk, candidates)
    return link if link is not None and link.score >= LINKED else None


def link_to_message(state: State, talk: Talk) -> Link | None:
    """Return the link from a message to the recent message that it answers; None where it answers none."""
    heard = [each for each in list(state.heard)[-ANSWERED:] if state.could_hear(talk.number, each.message)]
    return _best_link(state, talk, heard)


def proposal_voted_on(state: State, talk: Talk) -> ProposalItem | None:
    """Return the proposal that a written vote is on: one that is open and was not left behind since."""
    answered = next((item for item in state.newest_open() if item.message == talk.reply_to), None)
    last = state.proposal(state.last_proposal)
    if answered is not None or last is None:
        return answered
    if last.status != "active" or (talk.reply_to is not None and last.message > talk.reply_to):
        return None
    last = _in_writing(state, talk, last)
    gap = talk.number - _last_vote(last)
    if not last.written and last.pattern != VOTED_ON:
        return last if state.genre.spoken and talk.number - last.message <= JUST_NOW else None
    if last.pattern == VOTED_ON and (gap > VOTING_ON or (gap > 1 and talk.who in last.standing)):
        return None
    return last if gap <= VOTING else None


def _in_writing(state: State, talk: Talk, last: ProposalItem) -> ProposalItem:
    """Return the last proposal put in writing, from which a turn of speech takes no vote away; else the last one."""
    written = [item for item in state.newest_open() if item.written and item.pattern != VOTED_ON]
    lasting = written and not last.written and talk.number - _last_vote(written[-1]) <= VOTING
    return written[-1] if lasting else last


def _last_vote(item: ProposalItem) -> int:
    """Return the message of the newest vote on a proposal; its own message before the first vote."""
    return max((reaction.message for reaction in item.standing.values()), default=item.message)


def _best_link(state: State, talk: Talk, candidates: Sequence[Candidate]) -> Link | None:
    """Return the best link to one of the candidates, of equals the newest; they are given oldest first."""
    low = talk.text.lower()
    best: Link | None = None
    for candidate in reversed(candidates):
        link = _score(low, talk, candidate, state.scene.reach)
        if link is not None and (best is None or (_RANK[link.how], link.score) > (_RANK[best.how], best.score)):
            best = link
    return best


def _score(low: str, talk: Talk, candidate: Candidate, reach: float) -> Link | None:
    """Return the link of a message to a candidate; None where there is no sign of one.

    Nobody reacts to their own words, unless they reply to them or quote them. `low` is the message in lower case; after
    `reach` messages recency is no sign any more.
    """
    if talk.reply_to is not None and talk.reply_to == candidate.message:
        return Link(candidate, "reply", 1.0)
    quoted = candidate.text[:QUOTED].lower()
    if len(quoted) >= SHORTEST and quoted in low:
        return Link(candidate, "quotation", 0.95)
    if candidate.who == talk.who:
        return None
    shared = overlap(talk.bag, candidate.words) if len(talk.bag) >= 2 else 0.0
    age = max(0, talk.number - candidate.message - 1)
    # An answer to an older message is not about what was said since.
    later = talk.reply_to is not None and candidate.message > talk.reply_to
    near = 0.0 if later else max(0.0, 0.3 * (1 - age / reach))
    if names(low, candidate.who) or (talk.to is not None and talk.to == candidate.who):
        return Link(candidate, "name", round(0.6 + 0.2 * shared + 0.3 * near, 3))
    if shared >= 0.25:
        return Link(candidate, "words", round(0.3 + 0.4 * shared + near, 3))
    return Link(candidate, "recency", round(0.2 + near, 3)) if near else None
