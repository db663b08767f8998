"""Weighs the messages of a conversation, and keeps a bounded number of the weightiest.

The signs of a message add up in log-odds (`salience.toml`). Later events add to them: an assent, or others who take up
its words; so does its place in the conversation. Messages rank by the resulting chance per square root of their length,
because a brief context has few tokens. That decisions spread over several short turns is from Fernandez et al. (2008,
SIGdial).
"""

from __future__ import annotations

import math
import re
import tomllib
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eda.events import AnnouncedEvent, DecisionFound, MessagePosted, ProposalMade, ReactionSeen
from eda.text import Read, rough_tokens, shorten

MAX_CHARS = 400  # Most characters kept of a message, in whole sentences.
READ = 2000  # Characters of a message that are read.
NEAR = 5  # Messages over which others may take up a message's words.
CROWD = 8  # Messages over which different speakers are counted.
STRETCHES = 10
"""Most stretches into which the conversation is divided. Some messages of each stretch are always kept.

All have one length, a power of two, so that bounds stay the same as messages come and pairs of stretches are joined."""
VOCABULARY = 1200  # Words whose uses are counted.
OFFERED = 300  # Words of proposals whose uses are counted.
USUAL = 2  # Uses from which a word is usual in this conversation.
REPEATS = 0.7  # Share of words, 0 to 1, from which a message repeats a weightier one.
AGAIN = 0.3  # Factor on the weight of such a message.
COST = 10  # Tokens added to the length of each message, so that none ranks high for being short alone.

_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+")
_SHORT = ((2, "words-2"), (5, "words-5"), (9, "words-9"), (16, "words-16"))
_BOUNDS = (0.6, 0.85, 0.95)
_PLACES = ("place-early", "place-60", "place-85", "place-95")


def _load() -> tuple[dict[str, list[str]], frozenset[str], dict[str, float]]:
    table = tomllib.loads(Path(__file__).with_name("salience.toml").read_text(encoding="utf8"))
    cues: dict[str, list[str]] = {}
    weights: dict[str, float] = dict(table["signs"])
    for name, cue in table["cues"].items():
        weights[f"has-{name}"] = cue["weight"]
        for word in cue["words"].split():
            cues.setdefault(word, []).append(f"has-{name}")
    return cues, frozenset(table["opening"].split()), weights


_CUES, _OPENING_WORDS, WEIGHTS = _load()  # the signs of words, the words of the sign `opening`, log-odds of signs


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


@dataclass(slots=True)
class Salience:
    """A fold with bounded state that keeps the weightiest messages."""

    keep: int = 300  # Most messages kept; where there are more, a fifth of them is dropped at once.
    _count: int = 0
    _convener: str = ""
    _offers: float = 0.0
    _speakers: deque[str] = field(default_factory=lambda: deque(maxlen=CROWD))
    _near: deque[_Kept] = field(default_factory=lambda: deque(maxlen=NEAR))
    _kept: dict[int, _Kept] = field(default_factory=dict)
    _said: dict[str, int] = field(default_factory=dict)
    _offered: dict[str, int] = field(default_factory=dict)
    _ranked: dict[int, float] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        # A message that is in both `_near` and `_kept` is one object.
        self._near = deque([self._kept.get(item.number, item) for item in self._near], NEAR)

    def hear(self, message: MessagePosted, events: Sequence[AnnouncedEvent] = ()) -> None:
        """Add the next message, with the events derived from it."""
        read = message.read.begin(READ)
        bag = read.words
        item = _Kept(message.number, message.who, "", 0.0, bag)
        self._count = max(self._count, message.number)
        self._convener = self._convener or message.who
        self._ranked = None
        self._weigh(item, read)
        self._answer(item)
        self._kept[item.number] = item
        own = [quote for event in events if (quote := self._take(event, item))]
        if any(isinstance(event, ReactionSeen) for event in events):
            self._add(item, "reaction")
        item.text = _excerpt(message.read, own)
        self._near.append(item)
        self._speakers.append(item.who)
        _count_in(self._said, bag, VOCABULARY)
        if len(self._kept) > self.keep:
            self._clear()

    def best(self, k: int) -> tuple[int, ...]:
        """Return the numbers of the `k` weightiest messages, the weightiest first."""
        return tuple(self._ranking())[: max(0, k)]

    def weight(self, number: int) -> float | None:
        """Return the weight of a message, from 0; None where it is not kept."""
        return self._ranking().get(number)

    def text(self, number: int) -> str:
        """Return up to 400 characters of a message of `best`, in whole sentences; empty where it is not kept."""
        item = self._kept.get(number)
        return item.text if item else ""

    def who(self, number: int) -> str:
        """Return the speaker of a message of `best`; empty where it is not kept."""
        item = self._kept.get(number)
        return item.who if item else ""

    def _add(self, item: _Kept, sign: str, amount: float = 1.0) -> None:
        item.score += amount * WEIGHTS.get(sign, 0.0)

    def _weigh(self, item: _Kept, read: Read) -> None:
        tokens = _TOKEN.findall(read.low)
        bag, words_said, offered = item.words, self._said, self._offered
        uses = [words_said.get(word, 0) for word in bag]
        # In the order of the text, because a sum of floats depends on its order.
        signs: dict[str, float] = dict.fromkeys([sign for word in tokens if word in _CUES for sign in _CUES[word]], 1.0)
        signs["any"] = 1.0
        signs[next((sign for limit, sign in _SHORT if len(tokens) <= limit), "words-many")] = 1.0
        if tokens and tokens[0] in _OPENING_WORDS:
            signs["opening"] = 1.0
        signs["content"] = min(len(bag), 8)
        signs["new"] = min(uses.count(0), 4)
        signs["usual"] = min(len([1 for times in uses if times >= USUAL]), 5)
        signs["offered"] = min(len([1 for word in bag if offered.get(word, 0) >= USUAL]), 4)
        signs["speakers"] = len({*self._speakers})
        signs["offers"] = self._offers
        if item.who == self._convener:
            signs["convener"] = 1.0
        for sign, amount in signs.items():
            self._add(item, sign, amount)

    def _answer(self, item: _Kept) -> None:
        """Add weight to the message and to earlier ones whose words it takes up."""
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
        """Add weight for an event; return the words of `item` that the event quotes."""
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

    def _worth(self, item: _Kept) -> float:
        place = item.number / max(1, self._count)  # from 0 to 1, which is now
        sign = _PLACES[bisect_left(_BOUNDS, place)]
        score = item.score + place * WEIGHTS.get("place", 0.0) + WEIGHTS.get(sign, 0.0)
        return 1 / (1 + math.exp(-score)) / math.sqrt(COST + rough_tokens(len(item.text)))

    def _clear(self) -> None:
        """Drop a fifth of the messages: the best of each stretch stay, and then the best of all."""
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
        stays.update([number for number in order if number not in stays][: room - len(stays)])
        self._kept = {number: item for number, item in self._kept.items() if number in stays}

    def _ranking(self) -> dict[int, float]:
        """Return weights by number, the best first; a message that repeats a better one counts less."""
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
    """Count words. Where there are too many, halve all counts until half of the room is free."""
    for word in sorted(bag):
        table[word] = table.get(word, 0) + 1
    if len(table) > most:
        while len(table) > most // 2:
            halved = {word: times // 2 for word, times in table.items() if times > 1}
            table.clear()
            table.update(halved)


def _excerpt(read: Read, own: Sequence[str]) -> str:
    """Return the talk; of a long one the sentences that items quote, then those from its beginning that fit."""
    talk = read.text.strip()
    if len(talk) <= MAX_CHARS:
        return talk
    read = read.begin(10 * READ)
    parts = [read.text[start:end] for start, end in read.sentences]
    order = sorted(
        range(len(parts)), key=lambda place: not any(parts[place] in part or part in parts[place] for part in own)
    )
    left = MAX_CHARS
    taken: list[int] = []
    for place in order:
        if len(parts[place]) <= left:
            taken.append(place)
            left -= len(parts[place]) + 1
    return " ".join(parts[place] for place in sorted(taken)) or shorten(talk, MAX_CHARS)
