"""Whether a reply says again what was said: judged by its words, against a bounded number of statements.

Texts are compared by their shingles, the runs of three content words that they hold (Broder 1997, "On the resemblance
and containment of documents"): the share of the reply's shingles that the earlier statement holds too. So a repeat
that is padded counts, and so does one whose sentences stand in another order.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from eda.events import MessagePosted
from eda.memory.wording import likeness, words
from eda.patterns import mask_quotes, normalise, sentences
from eda.records import Move, Proposal

__all__ = ["Repeats"]

OWN_KEPT = 3
"""Statements of each member that its reply is compared with."""
KEPT = 30
"""Statements of all that a reply is compared with."""
SPEAKERS = 100
"""Members whose own statements are kept."""
PROPOSALS = 60
"""Wordings of proposals that are kept."""
READ = 6000
"""Characters of a statement that are compared."""
SHORT = 12
"""Content words under which a statement is a repeat only where it is nearly the same."""
SHINGLES_SAID = 0.6
"""Share of a reply's shingles, 0 to 1. In debates of language models no statement reaches 0.25 of another's."""
WORDS_SAID = 0.8
"""Share of a reply's content words that makes it a repeat in another order. None of theirs reaches 0.55."""
NEARLY_SAME = 0.8
"""Likeness of two short statements' content words."""
SAME_WORDING = 0.7
"""Likeness from which a proposal or a position is the earlier one."""
_LEAST_OWN = 2
"""Content words under which a statement is no repeat: "Fine." and "I agree." are answers."""
_LEAST = 4
"""The same of a statement that others made before; and all words of one that is copied."""

_WORD = re.compile(r"\w+(?:\.[0-9]+)*")


def _content(text: str) -> list[str]:
    """The content words of a text in order, each cut to six letters; all words that are not in Latin letters."""
    kept = words(text)
    return [stem for word in _WORD.findall(text.lower()) if (stem := word[:6]) in kept or not word.isascii()]


class _Said:
    """A text, and its words where they are asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def whole(self) -> list[str]:
        """All its words in order, those in quotation marks too."""
        return _WORD.findall(normalise(self.text).casefold())

    @cached_property
    def plain(self) -> str:
        """The text without what stands in quotation marks."""
        return mask_quotes(normalise(self.text))

    @cached_property
    def stems(self) -> list[str]:
        """Its own content words in order."""
        return _content(self.plain)

    @cached_property
    def bag(self) -> frozenset[str]:
        """Its own content words."""
        return frozenset(self.stems)

    @cached_property
    def shingles(self) -> frozenset[tuple[str, str, str]]:
        """Its runs of three."""
        return frozenset(zip(self.stems, self.stems[1:], self.stems[2:], strict=False))

    def repeats(self, other: _Said) -> bool:
        """Whether it says in substance what the other said."""
        if min(len(self.bag), len(other.bag)) < _LEAST_OWN:
            return False
        if len(self.stems) < SHORT or len(other.stems) < SHORT:
            return likeness(self.bag, other.bag) >= NEARLY_SAME
        shared = len(self.bag & other.bag)
        if shared >= WORDS_SAID * len(self.bag):
            return True
        enough = SHINGLES_SAID * len(self.shingles)
        # Each word of its own stands in one place at least; so many runs of three can be left without them.
        most = len(self.stems) - (len(self.bag) - shared) - 2
        return most >= enough and len(self.shingles & other.shingles) >= enough


@dataclass(frozen=True, slots=True)
class _Statement:
    number: int
    who: str
    said: _Said


class Repeats:
    """The last statements, and whether a reply repeats one of them."""

    def __init__(self) -> None:
        self._recent: deque[_Statement] = deque(maxlen=KEPT)
        self._own: dict[str, deque[_Statement]] = {}
        self._proposed: deque[str] = deque(maxlen=PROPOSALS)
        self._asked = _Said("")
        """The last reply that was compared: it is heard next, and need not be read again."""

    def hear(self, message: MessagePosted) -> None:
        """Take one message in; no word of it is looked at before a reply is compared with it."""
        self._keep(_Statement(message.number, message.who, self._read(message.talk)))
        self._proposed.extend(move.text for move in message.moves if move.kind in ("propose", "amend"))

    def repeated(self, who: str, talk: str) -> int | None:
        """The message that a reply of `who` repeats, the newest of its own first; None where it repeats none.

        Words of others in quotation marks or behind `>` do not count, nor do sentences that name the message, or the
        member, whose words they take up.
        """
        self._asked = said = self._read(talk)
        own = self._own.get(who, ())
        for earlier in reversed(own):
            if (len(said.whole) >= _LEAST and said.whole == earlier.said.whole) or said.repeats(earlier.said):
                return earlier.number
        plain = said.plain
        lowered = plain.lower()
        for earlier in reversed(self._recent):
            if earlier.who == who or len(said.bag & earlier.said.bag) < _LEAST:
                continue
            rest = _unattributed(plain, earlier) if _may_name(lowered, earlier) else plain
            left = said if rest is plain else _Said(rest)
            if len(left.bag) >= _LEAST and left.repeats(earlier.said):
                return earlier.number
        return None

    def copied(self, talk: str) -> int | None:
        """The newest message whose words are those of `talk`, word for word; None where there is none."""
        whole = _Said(talk[:READ]).whole
        for earlier in reversed(self._recent):
            if len(whole) >= _LEAST and earlier.said.whole == whole:
                return earlier.number
        return None

    def adds(self, who: str, moves: Iterable[Move], table: Iterable[Proposal], position: str = "") -> bool:
        """Whether one of the moves of `who` is new.

        New is a proposal, another stance on what is on the `table`, or another position than its last, `position`.
        """
        stands = {p.id: {r.agent: r.reaction for r in p.reactions}.get(who) for p in table}
        for move in moves:
            match move.kind:
                case "propose" | "amend":
                    new = not any(_same(move.text, wording) for wording in self._proposed)
                case "position":
                    new = not _same(move.text, position)
                case "withdraw":
                    new = move.target in stands
                case "support" | "oppose" | "neutral":
                    new = move.target in stands and stands[move.target] != move.kind
                case _:
                    new = False
            if new:
                return True
        return False

    def text(self, number: int) -> tuple[str, str]:
        """Who said a message that is kept, and its words.

        Raises:
            KeyError: it is kept no longer.
        """
        for statement in (*self._recent, *(each for own in self._own.values() for each in own)):
            if statement.number == number:
                return statement.who, statement.said.text
        raise KeyError(number)

    def to_json(self) -> dict[str, Any]:
        """Everything that `from_json` needs."""
        kept = {each.number: each for own in self._own.values() for each in own}
        kept |= {each.number: each for each in self._recent}
        return {
            "said": [[each.number, each.who, each.said.text] for each in sorted(kept.values(), key=lambda e: e.number)],
            "speakers": list(self._own),
            "proposed": list(self._proposed),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Repeats:
        """The same again."""
        repeats = cls()
        repeats._own = {who: deque(maxlen=OWN_KEPT) for who in data["speakers"]}
        for number, who, text in data["said"]:
            statement = _Statement(number, who, _Said(text))
            repeats._recent.append(statement)
            if who in repeats._own:
                repeats._own[who].append(statement)
        repeats._proposed.extend(data["proposed"])
        return repeats

    def _read(self, talk: str) -> _Said:
        text = talk[:READ]
        return self._asked if self._asked.text == text else _Said(text)

    def _keep(self, statement: _Statement) -> None:
        self._recent.append(statement)
        own = self._own.pop(statement.who, None) or deque(maxlen=OWN_KEPT)
        own.append(statement)
        self._own[statement.who] = own
        if len(self._own) > SPEAKERS:
            del self._own[next(iter(self._own))]


def _same(text: str, other: str) -> bool:
    mine, theirs = words(text), words(other)
    return mine == theirs or likeness(mine, theirs) >= SAME_WORDING


def _may_name(lowered: str, earlier: _Statement) -> bool:
    return f"m{earlier.number}" in lowered or earlier.who.lower() in lowered


def _unattributed(plain: str, earlier: _Statement) -> str:
    """The text without the sentences that name the earlier message or who said it."""
    name = re.compile(rf"\bm{earlier.number}\b|(?<!\w){re.escape(earlier.who)}(?!\w)", re.IGNORECASE)
    if not name.search(plain):
        return plain
    kept = (plain[start:end] for start, end in sentences(plain))
    return " ".join(each for each in kept if not name.search(each))
