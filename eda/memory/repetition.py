"""Detects a reply that repeats an earlier statement, by its words, against a bounded number of statements.

Texts are compared by their shingles, their runs of three content words (Broder 1997, "On the resemblance and
containment of documents"): the share of the reply's shingles that the earlier statement has too. A repeat with padding
counts, and so does one with its sentences in another order.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from eda.events import MessagePosted
from eda.events.records import Move, Proposal
from eda.text import Read, likeness, sentences, words

OWN_KEPT = 3  # Statements of each member that its reply is compared with.
KEPT = 30  # Statements of all that a reply is compared with.
SPEAKERS = 100  # Members whose own statements are kept.
PROPOSALS = 60  # Wordings of proposals that are kept.
READ = 6000  # Characters of a statement that are compared.
SHORT = 12  # A statement of fewer content words is a repeat only where it is nearly the same.
SHINGLES_SAID = 0.6  # Share of a reply's shingles. In debates of language models no statement reaches 0.25.
WORDS_SAID = 0.8  # Share of a reply's content words that makes a repeat in another order. None there reaches 0.55.
NEARLY_SAME = 0.8  # Likeness of two short statements' content words.
SAME_WORDING = 0.7  # Likeness from which a proposal or position counts as an earlier one.
_LEAST_OWN = 2  # A statement of fewer content words is never a repeat: "Fine." and "I agree." are answers.
_LEAST = 4  # The same for a repeat of somebody else's statement; and the least number of words of a copied one.

_CITED = re.compile(r"m[0-9]")


@dataclass(eq=False, slots=True)
class _Statement:
    """What a message says, with the analysis that replies are compared with."""

    text: str
    number: int = 0
    who: str = ""
    read: Read = field(init=False)

    def __post_init__(self) -> None:
        self.read = Read(self.text)


def _repeats(reply: Read, other: Read, shared: int | None = None) -> bool:
    """Return whether a reply says in substance what another text says, with which it shares so many words."""
    if min(len(reply.bag), len(other.bag)) < _LEAST_OWN:
        return False
    shared = len(reply.bag & other.bag) if shared is None else shared
    if len(reply.stems) < SHORT or len(other.stems) < SHORT:
        return shared / (len(reply.bag) + len(other.bag) - shared) >= NEARLY_SAME
    if shared >= WORDS_SAID * len(reply.bag):
        return True
    enough = SHINGLES_SAID * len(reply.shingles)
    # Each word that is not shared takes at least one place: only so many runs can be without such words.
    most = len(reply.stems) - (len(reply.bag) - shared) - 2
    return most >= enough and len(reply.shingles & other.shingles) >= enough


@dataclass(slots=True)
class Repetition:
    """The last statements, with which replies are compared."""

    _statements: list[_Statement] = field(default_factory=list)  # the last `KEPT`, and older ones of `_own`
    _proposed: deque[str] = field(default_factory=lambda: deque(maxlen=PROPOSALS))
    _own: dict[str, list[_Statement]] = field(init=False, default_factory=dict)  # the last of each member, newest last

    def __post_init__(self) -> None:
        for statement in self._statements:
            self._add_to_own(statement)

    def hear(self, message: MessagePosted) -> None:
        """Add a message. Its words are computed when a reply is compared with it."""
        read = message.read.begin(READ)
        statement = _Statement(read.text, message.number, message.who)
        statement.read = read
        self._statements.append(statement)
        self._add_to_own(statement)
        self._statements[:-KEPT] = [one for one in self._statements[:-KEPT] if one in self._own.get(one.who, ())]
        self._proposed.extend(move.text for move in message.moves if move.kind in ("propose", "amend"))

    def repeated(self, who: str, talk: Read) -> int | None:
        """Return the message that a reply of `who` repeats, the newest own first; quoting and naming do not count."""
        reply = talk.begin(READ)
        for earlier in reversed(self._own.get(who, ())):
            same = len(reply.tokens) >= _LEAST and reply.tokens == earlier.read.tokens
            if same or _repeats(reply, earlier.read):
                return earlier.number
        lowered = reply.own.lower()
        cites = _CITED.search(lowered) is not None
        newest = self._statements[: -KEPT - 1 : -1]
        named = {each: each.lower() in lowered for each in {earlier.who for earlier in newest}}
        for earlier in newest:
            if earlier.who == who or (shared := len(reply.bag & earlier.read.bag)) < _LEAST:
                continue
            own_words = reply
            if named[earlier.who] or (cites and f"m{earlier.number}" in lowered):
                own_words = _unattributed(reply, earlier)
            if len(own_words.bag) >= _LEAST and _repeats(
                own_words, earlier.read, shared if own_words is reply else None
            ):
                return earlier.number
        return None

    def copied(self, talk: Read) -> int | None:
        """Return the newest message that has the words of `talk`, in order; None where there is none."""
        tokens = talk.begin(READ).tokens
        same = (earlier.number for earlier in reversed(self._statements) if earlier.read.tokens == tokens)
        return next(same, None) if len(tokens) >= _LEAST else None

    def adds(self, who: str, moves: Iterable[Move], table: Iterable[Proposal], position: str = "") -> bool:
        """Return whether a move of `who` is new: a wording, a stance on the `table`, another position than before."""
        stands: dict[str | None, str | None] = {
            p.id: {r.agent: r.reaction for r in p.reactions}.get(who) for p in table
        }
        return any(self._is_new(move, stands, position) for move in moves)

    def _is_new(self, move: Move, stands: Mapping[str | None, str | None], position: str) -> bool:
        match move.kind:
            case "propose" | "amend":
                return not any(_same(move.text, wording) for wording in self._proposed)
            case "position":
                return not _same(move.text, position)
            case "withdraw" | "support" | "oppose" | "neutral":
                return move.target in stands and stands[move.target] != move.kind
            case _:
                return False

    def text(self, number: int) -> tuple[str, str]:
        """Return the speaker and the words of a message; KeyError where it is not kept any more."""
        return {statement.number: (statement.who, statement.text) for statement in self._statements}[number]

    def _add_to_own(self, statement: _Statement) -> None:
        self._own[statement.who] = [*self._own.pop(statement.who, ()), statement][-OWN_KEPT:]
        if len(self._own) > SPEAKERS:
            del self._own[next(iter(self._own))]


def _same(text: str, other: str) -> bool:
    mine, theirs = words(text), words(other)
    return mine == theirs or likeness(mine, theirs) >= SAME_WORDING


def _unattributed(reply: Read, earlier: _Statement) -> Read:
    """Return what a reply says without the sentences that name the earlier message or its speaker."""
    name = re.compile(rf"\bm{earlier.number}\b|(?<!\w){re.escape(earlier.who)}(?!\w)", re.IGNORECASE)
    plain = reply.own
    if not name.search(plain):
        return reply
    rest = (plain[start:end] for start, end in sentences(plain))
    return Read(" ".join(each for each in rest if not name.search(each)))
