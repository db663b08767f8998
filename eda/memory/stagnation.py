"""Detects that a debate repeats itself, by a fold over messages and derived events. Calls no model."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from eda.events import AnnouncedEvent, MessagePosted, ProposalMade, ReactionSeen
from eda.events.records import Stance
from eda.text import likeness, shorten, words

STRETCH = 8  # The newest messages, which are checked for new words.
BEFORE = 60  # Messages before the stretch whose words are remembered.
LEAST_BEFORE = 16  # Fewest messages before a stretch: a shorter debate is never stagnant.
LEAST_WORDS = 20  # In a stretch with fewer content words, one new word is enough.
NEW_WORDS = 0.1  # Least share of new content words in a stretch, 0 to 1; with fewer the debate is stagnant.
PAUSE = 10  # Messages from one announcement to the next.
SAME_WORDING = 0.8  # Likeness from which a proposal counts as an earlier one.
OPEN_AGAIN = 20  # Messages for which the debate is stagnant after a closed proposal was made again.
PROPOSALS = 60  # Proposals that are remembered.
TURNS = 3  # Reactions of each of two opposed members to one proposal, from which they only alternate.
ANNOUNCED = 2  # Announcements in a row, without anything new between them, after which a discussion ends.


@dataclass(frozen=True, slots=True)
class Stuck:
    """What the debate repeats."""

    what: str  # A clause: `the same words: ...`.
    since: int  # The message with which the repetition began.


@dataclass(slots=True)
class _Known:
    content: str
    message: int
    closed: bool
    words: frozenset[str] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self.words = words(self.content)


@dataclass(slots=True)
class Stagnation:
    """The words of the last messages, the last proposals and the reactions to them."""

    _stretch: deque[frozenset[str]] = field(default_factory=deque)
    _before: deque[frozenset[str]] = field(default_factory=deque)
    _recent: Counter[str] = field(init=False)
    _older: Counter[str] = field(init=False)
    _proposals: dict[str, _Known] = field(default_factory=dict)
    _reactions: dict[str, list[tuple[str, Stance]]] = field(default_factory=dict)
    _at: Stuck | None = None
    _until: int = 0
    _number: int = 0
    _told_at: int = 0
    _moving: int = 0  # Messages in a row without stagnation.
    _told: int = 0
    stuck: Stuck | None = field(init=False, compare=False)  # What the debate repeats now; None while it moves on.

    def __post_init__(self) -> None:
        self._recent = Counter(word for bag in self._stretch for word in bag)
        self._older = Counter(word for bag in self._before for word in bag)
        self.stuck = self._repeated()

    def hear(self, message: MessagePosted, events: Iterable[AnnouncedEvent]) -> None:
        """Update with a message and the events derived from it."""
        self._number = message.number
        self._count(words(message.text))
        fresh = False
        if self._at is not None and self._number > self._until:
            self._at = None
        for event in events:
            if isinstance(event, ProposalMade):
                fresh |= self._proposed(event)
            elif isinstance(event, ReactionSeen) and event.reaction.to is not None:
                self._reacted(event.reaction.to, event.reaction.agent, event.reaction.reaction)
        self.stuck = self._repeated()
        self._moving = 0 if self.stuck is not None else self._moving + 1
        if fresh or self._moving >= STRETCH:
            self._told = 0

    def told(self) -> None:
        """Note that the moderator announced the stagnation."""
        self._told_at = self._number
        self._told += 1

    def begin_again(self) -> None:
        """Forget earlier announcements: a new discussion begins."""
        self._told = 0

    def _repeated(self) -> Stuck | None:
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
        """What the moderator should announce now; None where nothing repeats, or the last announcement is recent."""
        stuck = self.stuck
        return stuck if not self._told_at or self._number >= self._told_at + PAUSE else None

    @property
    def over(self) -> bool:
        """True once `ANNOUNCED` announcements were made in a row, without anything new between them."""
        return self._told >= ANNOUNCED

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
        """Return whether the proposal is new. A closed one that is made again marks the debate as stagnant."""
        proposal = event.proposal
        known = self._proposals.get(proposal.id)
        if known is not None:
            known.closed = proposal.status != "active"
            return False
        bag = words(proposal.content)
        alike = [each for each in self._proposals.values() if likeness(bag, each.words) >= SAME_WORDING]
        self._proposals[proposal.id] = _Known(proposal.content, proposal.message, proposal.status != "active")
        if len(self._proposals) > PROPOSALS:
            gone = next(iter(self._proposals))
            del self._proposals[gone]
            self._reactions.pop(gone, None)
        closed = next((each for each in reversed(alike) if each.closed), None)
        if closed is not None and proposal.amends is None:
            self._begin(f"a proposal that was closed is made again: {shorten(proposal.content, 160)}", closed.message)
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
