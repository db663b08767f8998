"""What a conversation must not lose: each message gets one weight, and a bounded number of the weightiest are kept.

Signs of a message add up in log-odds (`salience.toml`); what follows it (an assent, its words taken up by others) and
where it stands so far are counted in later. What ranks is that chance per square root of its length: a brief context
has few tokens. The idea of decisions spread over several short turns is that of Fernandez et al. (2008, SIGdial).
"""

from __future__ import annotations

import math
import re
import tomllib
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eda.events import AnnouncedEvent, DecisionFound, MessagePosted, ProposalMade, ReactionSeen
from eda.memory.tokens import rough_tokens
from eda.memory.wording import shorten, words
from eda.patterns import normalise, sentences

__all__ = ["WEIGHTS", "Salience"]

MAX_CHARS = 400
"""Characters of a message that are kept, in whole sentences."""
READ = 2000
"""Characters of a message that are weighed."""
NEAR = 5
"""Messages over which its words may be taken up, or were."""
CROWD = 8
"""Messages over which speakers are counted."""
STRETCHES = 10
"""Most parts of the conversation of each of which some messages stay, however lively the others are.

All parts are as long: a power of two, so that their bounds stay while messages come and pairs of them become one."""
VOCABULARY = 1200
"""Words of which it is known how often they were said."""
OFFERED = 300
"""The same of the words of proposals."""
USUAL = 2
"""Times from which a word is one of this conversation's."""
REPEATS = 0.7
"""Share of words from which a message says again what a weightier one says."""
AGAIN = 0.3
"""What such a message still counts."""
COST = 10
"""Tokens that a message is taken to cost beside its own, so that none ranks high for being short alone."""

_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+")
_SHORT = ((2, "words-2"), (5, "words-5"), (9, "words-9"), (16, "words-16"))
_OPENING = frozenset(["so", "okay", "then", "and"])
_BOUNDS = (0.6, 0.85, 0.95)
_PLACES = ("place-early", "place-60", "place-85", "place-95")


def _load() -> tuple[dict[str, list[str]], dict[str, float]]:
    table = tomllib.loads(Path(__file__).with_name("salience.toml").read_text(encoding="utf8"))
    cues: dict[str, list[str]] = {}
    weights: dict[str, float] = dict(table["signs"])
    for name, cue in table["cues"].items():
        weights[f"has-{name}"] = cue["weight"]
        for word in cue["words"].split():
            cues.setdefault(word, []).append(f"has-{name}")
    return cues, weights


_CUES, WEIGHTS = _load()
"""Signs by word, and what each sign counts, in log-odds."""


@dataclass(slots=True)
class _Kept:
    number: int
    who: str
    text: str
    score: float
    words: frozenset[str]
    taken_up: int = 0
    supported: bool = False
    decides: bool = False

    def dump(self) -> list[Any]:
        return [
            self.number,
            self.who,
            self.text,
            self.score,
            sorted(self.words),
            self.taken_up,
            self.supported,
            self.decides,
        ]

    @classmethod
    def load(cls, row: Sequence[Any]) -> _Kept:
        number, who, text, score, bag, *rest = row
        return cls(number, who, text, score, frozenset(bag), *rest)


class Salience:
    """The messages of one conversation that count most, as a fold with bounded state."""

    def __init__(self, keep: int = 300) -> None:
        """Begin with nothing heard; at most `keep` messages are held, a fifth of them let go at once when they are."""
        self.keep = keep
        self._count = 0
        self._convener = ""
        self._offers = 0.0
        self._speakers: deque[str] = deque(maxlen=CROWD)
        self._near: deque[_Kept] = deque(maxlen=NEAR)
        self._kept: dict[int, _Kept] = {}
        self._said: dict[str, int] = {}
        self._offered: dict[str, int] = {}
        self._ranked: dict[int, float] | None = None

    def hear(self, message: MessagePosted, found: Sequence[AnnouncedEvent] = ()) -> None:
        """Take the next message in, with what the fold of items found in it."""
        talk = message.talk
        bag = words(talk[:READ])
        item = _Kept(message.number, message.who, "", 0.0, bag)
        self._count = max(self._count, message.number)
        self._convener = self._convener or message.who
        self._ranked = None
        self._weigh(item, talk)
        self._answer(item)
        self._kept[item.number] = item
        own = [quote for event in found if (quote := self._take(event, item))]
        if any(isinstance(event, ReactionSeen) for event in found):
            self._add(item, "reaction")
        item.text = _excerpt(talk, own)
        self._near.append(item)
        self._speakers.append(item.who)
        _count_in(self._said, bag, VOCABULARY)
        if len(self._kept) > self.keep:
            self._clear()

    def best(self, k: int) -> tuple[int, ...]:
        """The numbers of the `k` weightiest messages, the weightiest first; at most `keep`."""
        return tuple(self._ranking())[: max(0, k)]

    def weight(self, number: int) -> float | None:
        """How much a kept message counts, from 0; None where it is not kept."""
        return self._ranking().get(number)

    def text(self, number: int) -> str:
        """What a message of `best` says, in whole sentences, up to 400 characters; empty where it is not kept."""
        item = self._kept.get(number)
        return item.text if item else ""

    def who(self, number: int) -> str:
        """Who said a message of `best`; empty where it is not kept."""
        item = self._kept.get(number)
        return item.who if item else ""

    def to_json(self) -> dict[str, Any]:
        """The whole state, in plain JSON types."""
        return {
            "keep": self.keep,
            "count": self._count,
            "convener": self._convener,
            "offers": self._offers,
            "speakers": list(self._speakers),
            "near": [item.dump() for item in self._near],
            "kept": [item.dump() for item in self._kept.values()],
            "said": dict(self._said),
            "offered": dict(self._offered),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Salience:
        """The same state again."""
        salience = cls(data["keep"])
        salience._count = data["count"]
        salience._convener = data["convener"]
        salience._offers = data["offers"]
        salience._speakers.extend(data["speakers"])
        salience._kept = {row[0]: _Kept.load(row) for row in data["kept"]}
        salience._near.extend(salience._kept.get(row[0]) or _Kept.load(row) for row in data["near"])
        salience._said = dict(data["said"])
        salience._offered = dict(data["offered"])
        return salience

    def _add(self, item: _Kept, sign: str, amount: float = 1.0) -> None:
        item.score += amount * WEIGHTS.get(sign, 0.0)

    def _weigh(self, item: _Kept, talk: str) -> None:
        tokens = _TOKEN.findall(normalise(talk[:READ]).lower())
        # In the order of the text: a sum in another order is another number.
        for sign in dict.fromkeys(sign for word in tokens if word in _CUES for sign in _CUES[word]):
            self._add(item, sign)
        bag = item.words
        self._add(item, "any")
        self._add(item, next((sign for limit, sign in _SHORT if len(tokens) <= limit), "words-many"))
        if tokens and tokens[0] in _OPENING:
            self._add(item, "opening")
        self._add(item, "content", min(len(bag), 8))
        said = [self._said.get(word, 0) for word in bag]
        self._add(item, "new", min(said.count(0), 4))
        self._add(item, "usual", min(sum(times >= USUAL for times in said), 5))
        self._add(item, "offered", min(sum(self._offered.get(word, 0) >= USUAL for word in bag), 4))
        self._add(item, "speakers", len({*self._speakers}))
        self._add(item, "offers", self._offers)
        if item.who == self._convener:
            self._add(item, "convener")

    def _answer(self, item: _Kept) -> None:
        """What it shares with the messages before it speaks for both."""
        shared: set[str] = set()
        for other in self._near:
            if other.who == item.who:
                continue
            both = other.words & item.words
            if both:
                shared |= both
                if other.taken_up < 3:
                    more = min(len(both), 3 - other.taken_up)
                    other.taken_up += more
                    self._add(other, "taken-up", more)
        if shared:
            self._add(item, "picked-up", min(len(shared), 3))

    def _take(self, event: AnnouncedEvent, item: _Kept) -> str:
        """Count what was found; gives the words of `item` that it rests on."""
        match event:
            case DecisionFound(decision=decision):
                for number in decision.messages[-NEAR:]:
                    stated = self._kept.get(number)
                    if stated and not stated.decides:
                        stated.decides = True
                        self._add(stated, "decision")
                return next((quote.text for quote in decision.quotes if quote.message == item.number), "")
            case ProposalMade(proposal=proposal) if proposal.message == item.number:
                self._add(item, "declared" if proposal.source == "declared" else "proposal")
                _count_in(self._offered, item.words, OFFERED)
                self._offers = min(5.0, self._offers * 0.95 + 1)
                return proposal.quote.text if proposal.quote else ""
            case ReactionSeen(reaction=reaction):
                answered = self._kept.get(reaction.answered or 0)
                if answered and not answered.supported and reaction.reaction == "support":
                    answered.supported = True
                    self._add(answered, "supported")
        return ""

    def _place(self, number: int) -> tuple[float, str]:
        """Where a message stands, from 0 to 1 (now), and the sign of that part."""
        place = number / max(1, self._count)
        return place, _PLACES[bisect_left(_BOUNDS, place)]

    def _worth(self, item: _Kept) -> float:
        place, sign = self._place(item.number)
        score = item.score + place * WEIGHTS.get("place", 0.0) + WEIGHTS.get(sign, 0.0)
        return 1 / (1 + math.exp(-score)) / math.sqrt(COST + rough_tokens(len(item.text)))

    def _clear(self) -> None:
        """Let go of a fifth: of each stretch the best stay, and of the rest the best of all."""
        worth = {number: self._worth(item) for number, item in self._kept.items()}
        order = sorted(worth, key=lambda number: (-worth[number], number))
        room = self.keep - self.keep // 5
        sure = room // (2 * STRETCHES)
        length = 1 << ((self._count - 1) // STRETCHES).bit_length()
        taken = [0] * STRETCHES
        stays: set[int] = set()
        for number in order:
            stretch = (number - 1) // length
            if taken[stretch] < sure:
                taken[stretch] += 1
                stays.add(number)
        for number in order:
            if len(stays) >= room:
                break
            stays.add(number)
        self._kept = {number: item for number, item in self._kept.items() if number in stays}

    def _ranking(self) -> dict[int, float]:
        """Worth by number, the best first; what a better one already says counts less."""
        if self._ranked is None:
            worth = {number: self._worth(item) for number, item in self._kept.items()}
            order = sorted(worth, key=lambda number: (-worth[number], number))
            holders: dict[str, list[int]] = {}
            for number in order:
                bag = self._kept[number].words
                shared = Counter(other for word in bag for other in holders.get(word, ()))
                if max(shared.values(), default=0) >= max(1.0, REPEATS * len(bag)):
                    worth[number] *= AGAIN
                    continue
                for word in bag:
                    holders.setdefault(word, []).append(number)
            order.sort(key=lambda number: (-worth[number], number))
            self._ranked = {number: worth[number] for number in order}
        return self._ranked


def _count_in(table: dict[str, int], bag: frozenset[str], most: int) -> None:
    """Count words; where there are too many, all counts are halved until half of the room is free again."""
    for word in sorted(bag):
        table[word] = table.get(word, 0) + 1
    if len(table) > most:
        while len(table) > most // 2:
            kept = {word: times // 2 for word, times in table.items() if times > 1}
            table.clear()
            table.update(kept)


def _excerpt(talk: str, own: Sequence[str]) -> str:
    """The talk; of a long one the whole sentences that items rest on, and as many from its beginning as fit."""
    talk = talk.strip()
    if len(talk) <= MAX_CHARS:
        return talk
    talk = talk[: 10 * READ]
    spans = sentences(normalise(talk))
    parts = [talk[start:end] for start, end in spans]
    order = sorted(
        range(len(parts)), key=lambda place: not any(parts[place] in said or said in parts[place] for said in own)
    )
    left = MAX_CHARS
    taken: list[int] = []
    for place in order:
        if len(parts[place]) <= left:
            taken.append(place)
            left -= len(parts[place]) + 1
    return " ".join(parts[place] for place in sorted(taken)) or shorten(talk, MAX_CHARS)
