"""Detects a reply that repeats an earlier statement, and a debate that repeats itself. Calls no model.

Texts are compared by their shingles, their runs of three content words (Broder 1997, "On the resemblance and
containment of documents"): the share of the reply's shingles that the earlier statement has too. A repeat with padding
counts, and so does one with its sentences in another order.
"""

import re
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from eda.events import MessagePosted, Move, Proposal
from eda.text import Read, likeness, lower, sentences, words

OWN_KEPT = 3  # Statements of each member that its reply is compared with.
KEPT = 30  # Statements of all that a reply is compared with.
PROPOSALS = 60  # Wordings of proposals that are kept.
READ = 6000  # Characters of a statement that are compared.
SHORT = 12  # A statement of fewer content words is a repeat only where it is nearly the same.
SHINGLES_SAID = 0.6  # Share of a reply's shingles. In debates of language models no statement reaches 0.25.
WORDS_SAID = 0.8  # Share of a reply's content words that makes a repeat in another order. None there reaches 0.55.
NEARLY_SAME = 0.8  # Likeness of two short statements' content words.
SAME_WORDING = 0.7  # Likeness from which a proposal or position counts as an earlier one.
_LEAST_OWN = 2  # A statement of fewer content words is never a repeat: "Fine." and "I agree." are answers.
_LEAST = 4  # The same for a repeat of somebody else's statement; and the least number of words of a copied one.


@dataclass(slots=True)
class _Statement:
    """What a message says, with the analysis that replies are compared with."""

    text: str
    number: int = 0
    who: str = ""
    read: Read = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self.read = Read(self.text)


def _repeats(reply: Read, other: Read, shared: int) -> bool:
    """Return whether a reply says in substance what another text says; they share so many content words."""
    if min(len(reply.bag), len(other.bag)) < _LEAST_OWN:
        return False
    if len(reply.stems) < SHORT or len(other.stems) < SHORT:
        return shared / (len(reply.bag) + len(other.bag) - shared) >= NEARLY_SAME
    if shared >= WORDS_SAID * len(reply.bag):
        return True
    enough = SHINGLES_SAID * len(reply.shingles)
    return enough > 0 and len(reply.shingles & other.shingles) >= enough


@dataclass(slots=True)
class Repetition:
    """The last statements, with which replies are compared."""

    _latest: deque[_Statement] = field(default_factory=lambda: deque(maxlen=KEPT))
    _own: dict[str, list[_Statement]] = field(default_factory=dict)  # the last of each member, newest last
    _proposed: deque[str] = field(default_factory=lambda: deque(maxlen=PROPOSALS))

    def hear(self, message: MessagePosted) -> None:
        """Add a message. Its words are computed when a reply is compared with it."""
        read = message.read.begin(READ)
        statement = _Statement(read.text, message.number, message.who)
        statement.read = read
        self._latest.append(statement)
        self._own[message.who] = [*self._own.get(message.who, ()), statement][-OWN_KEPT:]
        self._proposed.extend(move.text for move in message.moves if move.kind in ("propose", "amend"))

    def repeated(self, who: str, talk: Read) -> int | None:
        """Return the message that a reply of `who` repeats, the newest own first; quoting and naming do not count."""
        reply = talk.begin(READ)
        for earlier in reversed(self._own.get(who, ())):
            same = len(reply.tokens) >= _LEAST and reply.tokens == earlier.read.tokens
            if same or _repeats(reply, earlier.read, len(reply.bag & earlier.read.bag)):
                return earlier.number
        bag, low = reply.bag, reply.low
        named = {name for name in self._own if lower(name) in low}
        # Where nothing is left out, fewer shared words make no repeat: a run that both have begins with one of them.
        least = min(WORDS_SAID * len(bag), SHINGLES_SAID * len(reply.shingles) - len(reply.stems) + len(bag))
        for earlier in reversed(self._latest):
            shared = 0 if earlier.who == who else len(bag & earlier.read.bag)
            if shared < _LEAST or (shared < least and not (earlier.who in named or f"m{earlier.number}" in low)):
                continue
            own_words = _unattributed(reply, earlier)
            shared = shared if own_words is reply else len(own_words.bag & earlier.read.bag)
            if len(own_words.bag) >= _LEAST and _repeats(own_words, earlier.read, shared):
                return earlier.number
        return None

    def copied(self, talk: Read) -> int | None:
        """Return the newest message that has the words of `talk`, in order; None where there is none."""
        tokens = talk.begin(READ).tokens
        same = (earlier.number for earlier in reversed(self._latest) if earlier.read.tokens == tokens)
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


def _same(text: str, other: str) -> bool:
    mine, theirs = words(text), words(other)
    return mine == theirs or likeness(mine, theirs) >= SAME_WORDING


def _unattributed(reply: Read, earlier: _Statement) -> Read:
    """Return what a reply says without the sentences that name the earlier message or its speaker."""
    cited = f"m{earlier.number}"
    if cited not in reply.low and lower(earlier.who) not in reply.low:
        return reply
    name = re.compile(rf"\b{cited}\b|(?<!\w){re.escape(earlier.who)}(?!\w)", re.IGNORECASE)
    rest = (reply.own[start:end] for start, end in sentences(reply.own))
    return Read(" ".join(each for each in rest if not name.search(each))) if name.search(reply.own) else reply


STRETCH = 8  # The newest messages, which are checked for new words.
BEFORE = 60  # Messages before the stretch whose words are remembered.
LEAST_BEFORE = 16  # Fewest messages before a stretch: a shorter debate is never stagnant.
LEAST_WORDS = 20  # In a stretch with fewer content words, one new word is enough.
NEW_WORDS = 0.1  # Least share of new content words in a stretch, 0 to 1; with fewer the debate is stagnant.
PAUSE = 10  # Messages from one announcement to the next.
ANNOUNCED = 2  # Announcements in a row, without anything new between them, after which a discussion ends.


@dataclass(slots=True)
class Stagnation:
    """The words of the last messages, by which it is seen whether the debate still says anything new."""

    _bags: deque[frozenset[str]] = field(default_factory=lambda: deque(maxlen=BEFORE + STRETCH))
    _number: int = 0
    _told_at: int = 0
    _moving: int = 0  # Messages in a row without stagnation.
    _told: int = 0
    _seen: dict[str, int] = field(default_factory=dict)  # The last message that has each word.
    # How many words of each message of the stretch no message before it had.
    _fresh: deque[int] = field(default_factory=lambda: deque(maxlen=STRETCH))
    stuck: int = 0  # The message since which hardly a word was new; 0 while the debate moves on.

    def hear(self, message: MessagePosted) -> None:
        """Update with a message."""
        self._number = message.number
        number, bag = message.number, message.whole.words
        bags, seen, forgotten = self._bags, self._seen, number - len(self._bags)
        for word in bags[0] if len(bags) == bags.maxlen else ():
            if seen.get(word) == forgotten:  # no later message had the word
                del seen[word]
        self._fresh.append(len(bag.difference(seen)))
        seen.update(dict.fromkeys(bag, number))
        bags.append(bag)
        before, stretch = [*bags][:-STRETCH], [*bags][-STRETCH:]
        # At least so many words are new, of at most so many: that most often tells, and is cheap.
        moves = sum(self._fresh) >= max(1, NEW_WORDS * sum(map(len, stretch)))
        if not moves:
            recent = bag.union(*stretch)
            new = len(recent.difference(*before))
            moves = new > 0 if len(recent) < LEAST_WORDS else new >= NEW_WORDS * len(recent)
        self.stuck = 0 if moves or len(bags) < LEAST_BEFORE + STRETCH else number - STRETCH + 1
        self._moving = 0 if self.stuck else self._moving + 1
        if self._moving >= STRETCH:
            self._told = 0

    def told(self) -> None:
        """Note that the moderator announced the stagnation."""
        self._told_at = self._number
        self._told += 1

    def begin_again(self) -> None:
        """Forget earlier announcements: a new discussion begins."""
        self._told = 0

    @property
    def due(self) -> int:
        """The same where the moderator should announce it now: it has not done so lately."""
        return self.stuck if not self._told_at or self._number >= self._told_at + PAUSE else 0

    @property
    def over(self) -> bool:
        """True once `ANNOUNCED` announcements were made in a row, without anything new between them."""
        return self._told >= ANNOUNCED
