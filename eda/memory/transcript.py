"""The recent messages that memory keeps in full: those no summary covers yet, and a window of the last ones.

The window grows to twice its size before its oldest half goes, in messages and in tokens, so a prompt's beginning stays
the same for many turns.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice

from eda.events import MessagePosted
from eda.memory.tokens import rough_tokens
from eda.prompts import quoted
from eda.protocols import Line

__all__ = ["LEAST", "WINDOW", "Kept", "Recent", "render_line"]

WINDOW = 15
"""Messages that are always shown in full where the budget allows."""
LEAST = 5
"""Messages that are shown before anything else gets a share."""


def render_line(line: Line) -> str:
    """A message as quoted data: later lines are indented, so that none can pass for another speaker's."""
    return f"[m{line.number}] {quoted(line.who)}: {quoted(line.text)}"


@dataclass(frozen=True, slots=True)
class Kept:
    """A message as a prompt shows it."""

    line: Line
    text: str
    tokens: int
    """Roughly; the line's end included."""
    begins: int
    """Tokens of all messages before it."""

    @property
    def asks(self) -> bool:
        """Whether it ends with a question."""
        return self.line.text.rstrip().endswith("?")


class Recent:
    """A queue of the last messages; what a summary has covered and the window has left behind is let go."""

    def __init__(self) -> None:
        self._kept: deque[Kept] = deque()
        self._tokens = 0
        self.count = 0
        """Messages heard in all."""
        self.covered = 0
        """The last message that a summary covers."""

    def add(self, message: MessagePosted) -> None:
        """Take the next message in."""
        self._keep(Line(message.number, message.who, message.talk))
        self.count = message.number
        self._let_go()

    def cover(self, last: int) -> None:
        """A summary covers everything up to `last`."""
        self.covered = max(self.covered, last)
        self._let_go()

    @property
    def first_shown(self) -> int:
        """The number of the first message of the window, or of the first uncovered one where that is older."""
        steps = max(0, self.count // WINDOW - 1)
        return min(self.covered + 1, steps * WINDOW + 1)

    @property
    def first_kept(self) -> int:
        """The number of the first message that is kept in full; one more than the last where none is."""
        return self._kept[0].line.number if self._kept else self.count + 1

    def lines(self, first: int, last: int) -> tuple[Line, ...]:
        """The kept messages from `first` to `last`."""
        return tuple(kept.line for kept in self._kept if first <= kept.line.number <= last)

    def texts(self, first: int, last: int) -> tuple[str, ...]:
        """The same messages, rendered."""
        return tuple(kept.text for kept in self._kept if first <= kept.line.number <= last)

    def last(self, messages: int) -> tuple[Line, ...]:
        """The last messages, oldest first."""
        return tuple(kept.line for kept in islice(self._kept, max(0, len(self._kept) - messages), None))

    def newest(self) -> Kept | None:
        """The last message; None where there is none."""
        return self._kept[-1] if self._kept else None

    def usual_tokens(self) -> int:
        """Rough tokens of a message as long as the last ones are on average; at least 1."""
        tokens = self._tokens - self._kept[0].begins if self._kept else 0
        return max(1, tokens // max(1, len(self._kept)))

    def uncovered_tokens(self) -> int:
        """Rough tokens of the messages that no summary covers."""
        first = next((kept for kept in self._kept if kept.line.number > self.covered), None)
        return self._tokens - first.begins if first else 0

    def window(self, tokens: int, starts: Collection[int] = ()) -> tuple[Kept, ...]:
        """The newest messages that fit into `tokens`, oldest first.

        Where twice the window does not fit, its beginning moves to the next of `starts`, messages that follow a
        summary, so that a summary comes in where its messages go out; where none leaves enough, by half of `tokens`
        at a time. It never moves message by message.
        """
        kept = list(self._kept)
        newest = kept[-2 * WINDOW :]
        pending = [each for each in kept if each.line.number >= self.first_shown]
        if not kept or self._tokens - min(newest[0].begins, pending[0].begins) <= tokens:
            return tuple(pending)
        for place, first in enumerate(kept[: 1 - LEAST]):
            if first.line.number in starts and self._tokens - first.begins <= tokens:
                return tuple(kept[place:])
        return _with_its_question(_tail(kept, self._tokens, tokens), kept, tokens)

    def to_json(self) -> dict[str, object]:
        """Everything that `from_json` needs."""
        return {
            "count": self.count,
            "covered": self.covered,
            "begins": self._kept[0].begins if self._kept else self._tokens,
            "lines": [[k.line.number, k.line.who, k.line.text] for k in self._kept],
        }

    @classmethod
    def from_json(cls, data: dict[str, object]) -> Recent:
        """The same queue again."""
        recent = cls()
        recent.count = int(str(data["count"]))
        recent.covered = int(str(data["covered"]))
        recent._tokens = int(str(data.get("begins", 0)))
        lines = data["lines"]
        for number, who, text in lines if isinstance(lines, list) else ():
            recent._keep(Line(number, who, text))
        return recent

    def _keep(self, line: Line) -> None:
        text = render_line(line)
        tokens = rough_tokens(len(text) + 1)
        self._kept.append(Kept(line, text, tokens, self._tokens))
        self._tokens += tokens

    def _let_go(self) -> None:
        first = min(self.count - 2 * WINDOW, self.covered) + 1
        while self._kept and self._kept[0].line.number < first:
            self._kept.popleft()


def _tail(shown: Sequence[Kept], end: int, tokens: int) -> list[Kept]:
    step = max(1, tokens // 2)
    begin = -((tokens - end) // step) * step  # the first whole step from which the rest fits
    tail = [kept for kept in shown if kept.begins >= begin]
    if len(tail) >= LEAST:
        return tail
    newest: list[Kept] = []
    for kept in reversed(shown):
        if len(newest) == LEAST or end - kept.begins > tokens:
            break
        newest.insert(0, kept)
    return max(tail, newest, key=len)


def _with_its_question(tail: list[Kept], shown: Sequence[Kept], tokens: int) -> tuple[Kept, ...]:
    """An answer alone says little: the question just before the first message comes with it where it fits."""
    place = len(shown) - len(tail) - 1
    if tail and place >= 0 and shown[place].asks and sum(kept.tokens for kept in tail) + shown[place].tokens <= tokens:
        return (shown[place], *tail)
    return tuple(tail)
