"""What a message of recorded talk answers: by a reply, a quotation, a name, shared words, or nearness."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from eda.events import MessagePosted
from eda.memory.minutes.state import Candidate, State
from eda.text import names, overlap
from eda.transcripts.cues import reach, register_of

READ = 2000  # Characters of a message that are compared with others.
QUOTED = 50  # Characters of a text whose repetition quotes it.
SHORTEST = 12  # Characters below which a repetition quotes nothing.
_RANK = {"reply": 3, "quotation": 2, "name": 1, "words": 0, "recency": 0}  # Signs that point rank above suggestion.


class Talk(NamedTuple):
    """The free text of one message, with what its reading needs."""

    message: MessagePosted
    text: str
    bag: frozenset[str]  # The content words of its beginning.
    size: int  # The number of its words, about.
    register: str


def talk_of(state: State, message: MessagePosted) -> Talk:
    """Return the free text of a message that is not remembered yet."""
    text = message.read.text
    bag, size = message.read.begin(READ).words, text.count(" ") + 1
    return Talk(message, text, bag, size, register_of(state, size))


class Link(NamedTuple):
    """A candidate, the sign of the link, and its score."""

    candidate: Candidate
    how: str
    score: float


def best_link(state: State, talk: Talk, candidates: Sequence[Candidate]) -> Link | None:
    """Return the best link to one of the candidates, of equals the newest; they are given oldest first."""
    low = talk.text.lower()
    links = filter(None, (_score(low, talk, candidate, reach(state.scene)) for candidate in reversed(candidates)))
    return max(links, key=lambda link: (_RANK[link.how], link.score), default=None)


def _score(low: str, talk: Talk, candidate: Candidate, reach: float) -> Link | None:
    """Return a message's link to a candidate, if there is a sign; for own words only a reply or quotation is one."""
    if talk.message.reply_to is not None and talk.message.reply_to == candidate.message:
        return Link(candidate, "reply", 1.0)
    quoted = candidate.text[:QUOTED].lower()
    if len(quoted) >= SHORTEST and quoted in low:
        return Link(candidate, "quotation", 0.95)
    if candidate.who == talk.message.who:
        return None
    shared = overlap(talk.bag, candidate.words) if len(talk.bag) >= 2 else 0.0
    age = max(0, talk.message.number - candidate.message - 1)
    # An answer to an older message is not about what was said since.
    later = talk.message.reply_to is not None and candidate.message > talk.message.reply_to
    near = 0.0 if later else max(0.0, 0.3 * (1 - age / reach))
    if names(low, candidate.who) or (talk.message.to is not None and talk.message.to == candidate.who):
        return Link(candidate, "name", round(0.6 + 0.2 * shared + 0.3 * near, 3))
    if shared >= 0.25:
        return Link(candidate, "words", round(0.3 + 0.4 * shared + near, 3))
    return Link(candidate, "recency", round(0.2 + near, 3)) if near else None
