"""The messages that memory keeps in full: those that no summary covers yet, and the transcript that prompts show.

The transcript grows until it is told to begin anew, so the beginning of a prompt stays the same for many turns.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from itertools import islice

from eda.events import MessagePosted
from eda.events.acts import Act
from eda.events.records import Line
from eda.memory.context.acts import indented
from eda.text import quoted, rough_tokens

TITLE = "Recent messages"  # Of the transcript.
WINDOW = 15  # Messages with which a transcript begins anew, at most, where summaries cover all that is older.
LEAST = 5  # Those with which it begins where the budget allows.


def render_line(line: Line) -> str:
    """Return a message as quoted data. Its later lines are indented, so none can pass for another speaker's."""
    return f"[m{line.number}] {quoted(line.who)}: {quoted(line.text)}"


@dataclass(slots=True)
class Kept:
    """A message as a prompt shows it."""

    line: Line
    acts: tuple[Act, ...] = ()  # What the message does, as the engine read it.
    text: str = field(init=False)
    tokens: int = field(init=False)  # Rough tokens, the line end included.
    begins: int = field(init=False, default=0)  # Rough tokens of all messages before it.

    def __post_init__(self) -> None:
        self.text = "\n".join((render_line(self.line), *indented(self.acts)))
        self.tokens = rough_tokens(len(self.text) + 1)

    @property
    def asks(self) -> bool:
        """True if the message ends with a question."""
        return self.line.text.rstrip().endswith("?")


@dataclass(slots=True)
class Recent:
    """A queue of the last messages. One that a summary covers is dropped when the transcript begins after it."""

    count: int = 0  # Messages heard so far.
    covered: int = 0  # The last message that a summary covers.
    first: int = 1  # The first message of the transcript.
    _kept: deque[Kept] = field(default_factory=deque)
    _tokens: int = 0  # Rough tokens of all messages heard.

    def __post_init__(self) -> None:
        begins = self._tokens - sum(entry.tokens for entry in self._kept)
        for entry in self._kept:
            entry.begins = begins
            begins += entry.tokens

    def add(self, message: MessagePosted, acts: tuple[Act, ...] = ()) -> None:
        """Add the next message, with its acts in words."""
        newest = Kept(Line(message.number, message.who, message.talk), acts)
        newest.begins = self._tokens
        self._kept.append(newest)
        self._tokens += newest.tokens
        self.count = message.number
        self._drop_covered()

    def cover(self, last: int) -> None:
        """Note that summaries cover everything up to message `last`."""
        self.covered = max(self.covered, last)
        self._drop_covered()

    @property
    def first_kept(self) -> int:
        """The number of the first message kept in full; one more than the last message where none is."""
        return self._kept[0].line.number if self._kept else self.count + 1

    def lines(self, first: int, last: int) -> tuple[Line, ...]:
        """Return the kept messages from `first` to `last`."""
        return tuple(entry.line for entry in self._kept if first <= entry.line.number <= last)

    def texts(self, first: int, last: int) -> tuple[str, ...]:
        """Return the same messages, rendered."""
        return tuple(entry.text for entry in self._kept if first <= entry.line.number <= last)

    def last(self, messages: int) -> tuple[Line, ...]:
        """Return the last messages, oldest first."""
        return tuple(entry.line for entry in islice(self._kept, max(0, len(self._kept) - messages), None))

    def newest(self) -> Kept | None:
        """Return the last message; None before the first."""
        return self._kept[-1] if self._kept else None

    def usual_tokens(self) -> int:
        """Return the mean rough tokens of the kept messages; at least 1."""
        tokens = self._tokens - self._kept[0].begins if self._kept else 0
        return max(1, tokens // max(1, len(self._kept)))

    def uncovered_tokens(self) -> int:
        """Return the rough tokens of the messages that no summary covers."""
        return self._tokens_from(self.covered + 1)

    def shown(self, room: int) -> tuple[Kept, ...]:
        """Return the transcript, oldest first; one that begins later, as `begin` would, where it does not fit."""
        first = self.first if self.tokens_shown <= room else self._start(room, room)
        return tuple(islice(self._kept, max(0, first - self.first_kept), None))

    @property
    def tokens_shown(self) -> int:
        """The rough tokens of the transcript."""
        return self._tokens_from(self.first)

    def _tokens_from(self, number: int) -> int:
        place = max(0, number - self.first_kept)
        return self._tokens - self._kept[place].begins if place < len(self._kept) else 0

    def begin(self, room: int, usual: int) -> None:
        """Have the transcript begin anew, within `room` rough tokens.

        It has all messages that no summary covers, half of `room` where they do not fit, so that it never moves message
        by message. Before them stand, up to `WINDOW` in all, those that fit into `usual` tokens, and at least `LEAST`.
        """
        self.first = self._start(room, usual)
        self._drop_covered()

    def _start(self, room: int, usual: int) -> int:
        room = room if self.uncovered_tokens() <= room else room // 2
        first = self.count + 1
        for taken, entry in enumerate(reversed(self._kept), 1):
            tokens, number = self._tokens - entry.begins, entry.line.number
            wanted = number > self.covered or taken <= LEAST or (taken <= WINDOW and tokens <= usual)
            if tokens > room or not (wanted or entry.asks):
                break
            first = number
            if not wanted:  # the question before the first message: an answer alone says little
                break
        return first

    def _drop_covered(self) -> None:
        first = min(self.first, self.covered + 1)
        while self._kept and self._kept[0].line.number < first:
            self._kept.popleft()
