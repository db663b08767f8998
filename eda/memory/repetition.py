"""Detects a reply that repeats an earlier statement, and a debate that repeats itself. Calls no model.

Texts are compared by their shingles, their runs of three content words (Broder 1997, "On the resemblance and
containment of documents"): the share of the reply's shingles that the earlier statement has too. A repeat with padding
counts, and so does one with its sentences in another order.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from eda.events import AnnouncedEvent, MessagePosted, ProposalMade, ReactionSeen
from eda.events.records import Move, Proposal, Stance
from eda.text import Read, likeness, sentences, shorten, words
from eda.words import ENGLISH

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


STRETCH = 8  # The newest messages, which are checked for new words.
BEFORE = 60  # Messages before the stretch whose words are remembered.
LEAST_BEFORE = 16  # Fewest messages before a stretch: a shorter debate is never stagnant.
LEAST_WORDS = 20  # In a stretch with fewer content words, one new word is enough.
NEW_WORDS = 0.1  # Least share of new content words in a stretch, 0 to 1; with fewer the debate is stagnant.
PAUSE = 10  # Messages from one announcement to the next.
SAME_PROPOSAL = 0.8  # Likeness from which a proposal counts as an earlier one.
OPEN_AGAIN = 20  # Messages for which the debate is stagnant after a closed proposal was made again.
PROPOSALS_KNOWN = 60  # Proposals that are remembered.
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
        self._count(message.whole.words)
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
        alike = [each for each in self._proposals.values() if likeness(bag, each.words) >= SAME_PROPOSAL]
        self._proposals[proposal.id] = _Known(proposal.content, proposal.message, proposal.status != "active")
        if len(self._proposals) > PROPOSALS_KNOWN:
            gone = next(iter(self._proposals))
            del self._proposals[gone]
            self._reactions.pop(gone, None)
        closed = next((each for each in reversed(alike) if each.closed), None)
        if closed is not None and proposal.amends is None:
            text = shorten(proposal.content, 160)
            self._begin(ENGLISH.say("prompt-made-again", text=text), closed.message)
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
            self._begin(ENGLISH.say("prompt-in-turn", text=shorten(known.content, 160)), known.message)
            del self._reactions[key]

    def _begin(self, what: str, since: int) -> None:
        self._at = Stuck(what, since)
        self._until = self._number + OPEN_AGAIN


def _forget(counter: Counter[str], gone: frozenset[str]) -> None:
    counter.subtract(gone)
    for word in gone:
        if not counter[word]:
            del counter[word]
