"""The messages that memory keeps in full: those that no summary covers yet, and a window of the last ones.

The window grows to twice its size before its older half is dropped, in messages and in tokens, so the beginning of a
prompt stays the same for many turns.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import islice

from eda.events import MessagePosted
from eda.events.records import Line
from eda.memory.context.acts import indented
from eda.text import quoted, rough_tokens

WINDOW = 15  # Messages shown in full where the budget allows.
LEAST = 5  # Messages shown before anything else gets a share of the budget.


def render_line(line: Line) -> str:
    """Return a message as quoted data. Its later lines are indented, so none can pass for another speaker's."""
    return f"[m{line.number}] {quoted(line.who)}: {quoted(line.text)}"


@dataclass(slots=True)
class Kept:
    """A message as a prompt shows it."""

    line: Line
    acts: tuple[str, ...] = ()  # What the message does, as the engine read it.
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
    """A queue of the last messages. One that a summary covers is dropped when the window has passed it."""

    count: int = 0  # Messages heard so far.
    covered: int = 0  # The last message that a summary covers.
    _kept: deque[Kept] = field(default_factory=deque)
    _tokens: int = 0  # Rough tokens of all messages heard.

    def __post_init__(self) -> None:
        begins = self._tokens - sum(entry.tokens for entry in self._kept)
        for entry in self._kept:
            entry.begins = begins
            begins += entry.tokens

    def add(self, message: MessagePosted, acts: tuple[str, ...] = ()) -> None:
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
    def first_shown(self) -> int:
        """The number of the first message of the window, or of the first uncovered one if that is older."""
        steps = max(0, self.count // WINDOW - 1)
        return min(self.covered + 1, steps * WINDOW + 1)

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
        first = next((entry for entry in self._kept if entry.line.number > self.covered), None)
        return self._tokens - first.begins if first else 0

    def window(self, tokens: int, starts: Collection[int] = ()) -> tuple[Kept, ...]:
        """Return the newest messages that fit into `tokens`, oldest first.

        Where twice the window does not fit, the window begins at the next of `starts`, the messages that follow a
        summary, so that a summary replaces the messages that leave. Where none of these fits, the beginning moves by
        half of `tokens` at a time. It never moves message by message.
        """
        entries = list(self._kept)
        newest = entries[-2 * WINDOW :]
        pending = [each for each in entries if each.line.number >= self.first_shown]
        if not entries or self._tokens - min(newest[0].begins, pending[0].begins) <= tokens:
            return tuple(pending)
        for place, first in enumerate(entries[: 1 - LEAST]):
            if first.line.number in starts and self._tokens - first.begins <= tokens:
                return tuple(entries[place:])
        return _with_its_question(_tail(entries, self._tokens, tokens), entries, tokens)

    def _drop_covered(self) -> None:
        first = min(self.count - 2 * WINDOW, self.covered) + 1
        while self._kept and self._kept[0].line.number < first:
            self._kept.popleft()


def _tail(shown: Sequence[Kept], end: int, tokens: int) -> list[Kept]:
    step = max(1, tokens // 2)
    begin = -((tokens - end) // step) * step  # the first whole step from which the rest fits
    tail = [entry for entry in shown if entry.begins >= begin]
    if len(tail) >= LEAST:
        return tail
    newest: list[Kept] = []
    for entry in reversed(shown):
        if len(newest) == LEAST or end - entry.begins > tokens:
            break
        newest.insert(0, entry)
    return max(tail, newest, key=len)


def _with_its_question(tail: list[Kept], shown: Sequence[Kept], tokens: int) -> tuple[Kept, ...]:
    """Add the question just before the first message, where it fits: an answer alone says little."""
    place = len(shown) - len(tail) - 1
    whole = (*shown[max(0, place) : place + 1], *tail)
    if tail and whole[0].asks and sum(entry.tokens for entry in whole) <= tokens:
        return whole
    return tuple(tail)
