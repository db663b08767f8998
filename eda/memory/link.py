"""A reaction answers what it points at most clearly: reply, quotation, name, shared words, recency, in that order.

Only the candidates given are looked at, so the cost does not grow with the conversation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eda.memory.wording import overlap

__all__ = ["QUOTED_CHARS", "Candidate", "Link", "best_link", "names"]

QUOTED_CHARS = 50
"""How much of a proposal must be repeated to count as quoting it."""
_RANK = {"reply": 3, "quotation": 2, "name": 1, "words": 0, "recency": 0}
"""Signs that point come before those that only suggest, whatever their scores."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposal, or a plain message (`id` None), that may be answered."""

    id: str | None
    message: int
    who: str
    text: str
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Link:
    """Which candidate, by what sign, and how sure."""

    candidate: Candidate
    how: str
    score: float


def best_link(
    text: str,
    bag: frozenset[str],
    who: str,
    candidates: Sequence[Candidate],
    *,
    reply_to: int | None = None,
    to: str | None = None,
    number: int = 0,
    reach: float = 10.0,
) -> Link | None:
    """The best candidate, newest first where signs are equal; None where there is none by somebody else.

    Args:
        text: the reacting message.
        bag: its content words.
        who: who reacts; nobody reacts to their own words unless they reply to them.
        candidates: oldest first.
        reply_to: the message that it replies to.
        to: who is addressed.
        number: the reacting message's number.
        reach: messages after which recency alone says nothing.
    """
    low = text.lower()
    best: Link | None = None
    for candidate in reversed(candidates):
        link = _score(low, bag, who, candidate, reply_to, to, number, reach)
        if link is not None and (best is None or (_RANK[link.how], link.score) > (_RANK[best.how], best.score)):
            best = link
    return best


def _score(
    low: str,
    bag: frozenset[str],
    who: str,
    candidate: Candidate,
    reply_to: int | None,
    to: str | None,
    number: int,
    reach: float,
) -> Link | None:
    if reply_to is not None and reply_to == candidate.message:
        return Link(candidate, "reply", 1.0)
    quoted = candidate.text[:QUOTED_CHARS].lower()
    if len(quoted) >= 12 and quoted in low:
        return Link(candidate, "quotation", 0.95)
    if candidate.who == who:
        return None
    shared = overlap(bag, candidate.words) if len(bag) >= 2 else 0.0
    age = max(0, number - candidate.message - 1)
    later = reply_to is not None and candidate.message > reply_to  # what was said to an older remark is not about it
    near = 0.0 if later else max(0.0, 0.3 * (1 - age / reach))
    if names(low, candidate.who) or (to is not None and to == candidate.who):
        return Link(candidate, "name", round(0.6 + 0.2 * shared + 0.3 * near, 3))
    if shared >= 0.25:
        return Link(candidate, "words", round(0.3 + 0.4 * shared + near, 3))
    return Link(candidate, "recency", round(0.2 + near, 3)) if near else None


def names(low: str, who: str) -> bool:
    """Whether a lower-cased text names somebody, by full or first name."""
    name = who.lower()
    for form in {name, name.split()[0] if name else ""}:
        if len(form) < 2:
            continue
        at = low.find(form)
        if at >= 0 and not low[at - 1 : at].isalnum() and not low[at + len(form) : at + len(form) + 1].isalnum():
            return True
    return False
