"""Weighs the messages of a conversation, and keeps a bounded number of the weightiest.

The signs of a message add up in log-odds (`salience.toml`): its words, its place in the conversation, and the items
that it makes or takes part in. Messages rank by the resulting chance per square root of their length, because a brief
context has few tokens. That decisions spread over several short turns is from Fernandez et al. (2008, SIGdial).
"""

import math
import tomllib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eda.events import AnnouncedEvent, DecisionFound, MessagePosted, ProposalMade, ReactionSeen
from eda.memory.context.sections import shortened
from eda.text import regex, rough_tokens, shorten

MOST = 100  # Most tokens kept of a message, in whole sentences.
READ = 2000  # Characters of a message that are read.
NEAR = 5  # Messages of a decision that count, the newest.
COST = 10  # Tokens added to the length of each message, so that none ranks high for being short alone.
_WORDS = 8  # Content words from which a message counts as long.

_TOKEN = regex(r"[a-z]+(?:'[a-z]+)?|\d+")
_LETTERS = bytes(code if chr(code) in "'abcdefghijklmnopqrstuvwxyz" else 32 for code in range(128)) + bytes(128)
_BOUNDS = (0.6, 0.85, 0.95)
_PLACES = ("place-early", "place-60", "place-85", "place-95")
_TABLE = tomllib.loads(Path(__file__).with_name("salience.toml").read_text(encoding="utf8"))
_CUES = {word: name for name, cue in _TABLE["cues"].items() for word in cue["words"].split()}
WEIGHTS: dict[str, float] = {**_TABLE["signs"], **{name: cue["weight"] for name, cue in _TABLE["cues"].items()}}


@dataclass(slots=True)
class Moment:
    """A message that may be shown for what it settles."""

    number: int
    who: str
    text: str
    size: int  # Its content words, at most `_WORDS`.
    signs: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Salience:
    """A fold with bounded state that keeps the weightiest messages."""

    keep: int = 300  # Most messages kept; where there are more, a fifth of them is dropped at once.
    _count: int = 0
    _kept: dict[int, Moment] = field(default_factory=dict)

    def hear(self, message: MessagePosted, events: Sequence[AnnouncedEvent] = ()) -> None:
        """Add the next message, with the events derived from it."""
        read = message.read.begin(READ)
        # The expression costs ten times as much: other letters need it, and words with an apostrophe.
        plain = (low := read.low).isascii()
        said = low.encode().translate(_LETTERS).decode().split() if plain else _TOKEN.findall(low)
        said += _TOKEN.findall(" ".join([word for word in said if "'" in word]))
        signs = {_CUES[word] for word in _CUES.keys() & {*said}}
        item = Moment(message.number, message.who, "", min(len(read.words), _WORDS), signs)
        self._count = max(self._count, message.number)
        self._kept[item.number] = item
        quotes = [quote for event in events if (quote := self._take(event, item))]
        talk = message.read.text.strip()
        told = quotes[0] if quotes and rough_tokens(len(talk)) > MOST else talk
        item.text = shortened(told, MOST) or shorten(told, 4 * MOST)
        if len(self._kept) > self.keep:
            self._kept = {each.number: each for each in self.best(self.keep - self.keep // 5)}

    def best(self, k: int) -> tuple[Moment, ...]:
        """Return the `k` weightiest messages, the weightiest first."""
        return tuple(sorted(self._kept.values(), key=lambda each: (-self.weight(each), each.number))[: max(0, k)])

    def weight(self, item: Moment) -> float:
        """Return the weight of a message, from 0."""
        place = item.number / max(1, self._count)  # from 0 to 1, which is now
        score = math.fsum(map(WEIGHTS.__getitem__, ("any", _PLACES[bisect_left(_BOUNDS, place)], *item.signs)))
        score += item.size * WEIGHTS["content"] + place * WEIGHTS["place"]
        return 1 / (1 + math.exp(-score)) / math.sqrt(COST + rough_tokens(len(item.text)))

    def _take(self, event: AnnouncedEvent, item: Moment) -> str:
        """Add the sign of an event; return the words of `item` that the event quotes."""
        match event:
            case DecisionFound(decision=decision):
                for number in decision.messages[-NEAR:]:
                    if number in self._kept:
                        self._kept[number].signs.add("decision")
                return next((quote.text for quote in decision.quotes if quote.message == item.number), "")
            case ProposalMade(proposal=proposal) if proposal.message == item.number:
                item.signs.add("declared" if proposal.source == "declared" else "proposal")
                return proposal.quote.text if proposal.quote else ""
            case ReactionSeen(reaction=reaction):
                if reaction.reaction == "support" and reaction.answered in self._kept:
                    self._kept[reaction.answered].signs.add("supported")
        return ""
