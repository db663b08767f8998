"""Whether the debate as a whole goes in circles. A fold over messages and what was found in them; it calls no model."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from eda.events import AnnouncedEvent, MessagePosted, ProposalMade, ReactionSeen
from eda.memory.wording import likeness, shorten, words
from eda.records import Stance

__all__ = ["Circles", "Stuck"]

STRETCH = 8
"""Messages that are looked at for new words."""
BEFORE = 60
"""Messages before them whose words are known."""
LEAST_BEFORE = 16
"""Messages that there have to be before a stretch: a young debate repeats nothing."""
LEAST_WORDS = 20
"""Content words of a stretch under which a single new one is enough."""
NEW_WORDS = 0.1
"""Share of a stretch's content words, 0 to 1, under which it brings nothing new."""
PAUSE = 10
"""Messages from one announcement to the next."""
SAME_WORDING = 0.8
"""Likeness from which a proposal is an earlier one."""
OPEN_AGAIN = 20
"""Messages for which a proposal that was opened again is what the debate is stuck at."""
PROPOSALS = 60
"""Proposals that are remembered."""
TURNS = 3
"""Times that each of two members reacts to one proposal, on both sides, before that goes in turn."""
ANNOUNCED = 2
"""Announcements in a row, nothing new between them, after which a discussion is over."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """What repeats."""

    what: str
    """A clause: `the same words: ...`."""
    since: int
    """The message with which it began."""


@dataclass(slots=True)
class _Known:
    content: str
    message: int
    closed: bool


class Circles:
    """The last messages' words, the last proposals, and who reacted to them how often."""

    def __init__(self) -> None:
        self._stretch: deque[frozenset[str]] = deque()
        self._before: deque[frozenset[str]] = deque()
        self._recent: Counter[str] = Counter()
        self._older: Counter[str] = Counter()
        self._proposals: dict[str, _Known] = {}
        self._reactions: dict[str, list[tuple[str, Stance]]] = {}
        self._at: Stuck | None = None
        self._until = 0
        self._number = 0
        self._told_at = 0
        self._moving = 0
        """Messages in a row in which nothing repeated."""
        self._told = 0

    def hear(self, message: MessagePosted, found: Iterable[AnnouncedEvent]) -> None:
        """Take a message in, with the proposals and reactions that were found in it."""
        self._number = message.number
        self._count(words(message.text))
        fresh = False
        if self._at is not None and self._number > self._until:
            self._at = None
        for event in found:
            if isinstance(event, ProposalMade):
                fresh |= self._proposed(event)
            elif isinstance(event, ReactionSeen) and event.reaction.to is not None:
                self._reacted(event.reaction.to, event.reaction.agent, event.reaction.reaction)
        self._moving = 0 if self.stuck is not None else self._moving + 1
        if fresh or self._moving >= STRETCH:
            self._told = 0

    def told(self) -> None:
        """The panel was told that it goes in circles."""
        self._told_at = self._number
        self._told += 1

    def begin_again(self) -> None:
        """A discussion begins, perhaps one that had ended: what it was told before counts no more."""
        self._told = 0

    @property
    def stuck(self) -> Stuck | None:
        """What repeats now; None where the debate moves on."""
        if self._at is not None:
            return self._at
        if len(self._before) < LEAST_BEFORE:
            return None
        new = len(self._recent) - len(self._recent.keys() & self._older.keys())
        few = len(self._recent) < LEAST_WORDS
        if new if few else new >= NEW_WORDS * len(self._recent):
            return None
        return Stuck("the last messages hardly hold a word that was not said before", self._number - STRETCH + 1)

    @property
    def due(self) -> Stuck | None:
        """What the panel is to be told now; None where there is nothing, or it was told a short while ago."""
        stuck = self.stuck
        return stuck if stuck is not None and (not self._told_at or self._number >= self._told_at + PAUSE) else None

    @property
    def over(self) -> bool:
        """Whether the panel was told so often, nothing new in between, that to go on is no use."""
        return self._told >= ANNOUNCED

    def to_json(self) -> dict[str, Any]:
        """Everything that `from_json` needs."""
        return {
            "stretch": [sorted(bag) for bag in self._stretch],
            "before": [sorted(bag) for bag in self._before],
            "proposals": {key: asdict(known) for key, known in self._proposals.items()},
            "reactions": {key: [list(each) for each in value] for key, value in self._reactions.items()},
            "at": asdict(self._at) if self._at else None,
            "until": self._until,
            "number": self._number,
            "told_at": self._told_at,
            "told": self._told,
            "moving": self._moving,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Circles:
        """The same again."""
        circles = cls()
        circles._stretch.extend(map(frozenset, data["stretch"]))
        circles._before.extend(map(frozenset, data["before"]))
        circles._recent.update(word for each in circles._stretch for word in each)
        circles._older.update(word for each in circles._before for word in each)
        circles._proposals = {key: _Known(**known) for key, known in data["proposals"].items()}
        circles._reactions = {key: [(who, how) for who, how in value] for key, value in data["reactions"].items()}
        circles._at = Stuck(**data["at"]) if data["at"] else None
        circles._until, circles._number = data["until"], data["number"]
        circles._told_at, circles._told, circles._moving = data["told_at"], data["told"], data["moving"]
        return circles

    def _count(self, bag: frozenset[str]) -> None:
        self._stretch.append(bag)
        self._recent.update(bag)
        if len(self._stretch) > STRETCH:
            left = self._stretch.popleft()
            _forget(self._recent, left)
            self._before.append(left)
            self._older.update(left)
        if len(self._before) > BEFORE:
            _forget(self._older, self._before.popleft())

    def _proposed(self, event: ProposalMade) -> bool:
        """Whether it is a new proposal; one that was closed and is made again is what the debate is stuck at."""
        made = event.proposal
        known = self._proposals.get(made.id)
        if known is not None:
            known.closed = made.status != "active"
            return False
        bag = words(made.content)
        alike = [each for each in self._proposals.values() if likeness(bag, words(each.content)) >= SAME_WORDING]
        self._proposals[made.id] = _Known(made.content, made.message, made.status != "active")
        if len(self._proposals) > PROPOSALS:
            gone = next(iter(self._proposals))
            del self._proposals[gone]
            self._reactions.pop(gone, None)
        closed = next((each for each in reversed(alike) if each.closed), None)
        if closed is not None and made.amends is None:
            self._begin(f"a proposal that was closed is made again: {shorten(made.content, 160)}", closed.message)
        return not alike

    def _reacted(self, key: str, who: str, how: Stance) -> None:
        known = self._proposals.get(key)
        if known is None or known.closed or how == "neutral":
            return
        reactions = self._reactions.setdefault(key, [])
        reactions.append((who, how))
        counted = Counter(who for who, _ in reactions)
        often = {who for who, count in counted.items() if count >= TURNS}
        if len(often) > 1 and len({how for who, how in reactions if who in often}) > 1:
            what = f"the same members support and oppose in turn: {shorten(known.content, 160)}"
            self._begin(what, known.message)
            del self._reactions[key]

    def _begin(self, what: str, since: int) -> None:
        self._at = Stuck(what, since)
        self._until = self._number + OPEN_AGAIN


def _forget(counter: Counter[str], gone: frozenset[str]) -> None:
    for word in gone:
        left = counter[word] - 1
        if left:
            counter[word] = left
        else:
            counter.pop(word)
