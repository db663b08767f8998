"""The recent messages that memory keeps in full: those no summary covers yet, and a window of the last ones.

The window grows to twice its size before its oldest half goes, so a prompt's beginning stays the same for many turns.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import islice

from eda.events import MessagePosted
from eda.prompts import quoted
from eda.protocols import Line

__all__ = ["Recent", "estimate_tokens", "render_line"]

WINDOW = 15
"""Messages that are always shown in full."""


def estimate_tokens(text: str) -> int:
    """About how many tokens a text is: four characters each."""
    return (len(text) + 3) // 4


def render_line(line: Line) -> str:
    """A message as quoted data: later lines are indented, so that none can pass for another speaker's."""
    return f"[m{line.number}] {line.who}: {quoted(line.text)}"


@dataclass(frozen=True, slots=True)
class _Kept:
    line: Line
    text: str
    tokens: int


class Recent:
    """A queue of the last messages; what a summary has covered and the window has left behind is let go."""

    def __init__(self) -> None:
        self._kept: deque[_Kept] = deque()
        self.count = 0
        """Messages heard in all."""
        self.covered = 0
        """The last message that a summary covers."""

    def add(self, message: MessagePosted) -> None:
        """Take the next message in."""
        line = Line(message.number, message.who, message.talk)
        text = render_line(line)
        self._kept.append(_Kept(line, text, estimate_tokens(text)))
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

    def lines(self, first: int, last: int) -> tuple[Line, ...]:
        """The kept messages from `first` to `last`."""
        return tuple(kept.line for kept in self._kept if first <= kept.line.number <= last)

    def texts(self, first: int, last: int) -> tuple[str, ...]:
        """The same messages, rendered."""
        return tuple(kept.text for kept in self._kept if first <= kept.line.number <= last)

    def newest(self, tokens: int) -> tuple[tuple[Line, ...], tuple[str, ...], int]:
        """The newest messages of the window that fit into `tokens`, oldest first: lines, texts, tokens taken."""
        skip = max(0, self.first_shown - self._kept[0].line.number) if self._kept else 0
        shown = list(islice(self._kept, skip, None))
        used = sum(kept.tokens for kept in shown)
        start = 0
        while used > tokens and start < len(shown):
            used -= shown[start].tokens
            start += 1
        fitting = shown[start:]
        return tuple(k.line for k in fitting), tuple(k.text for k in fitting), used

    def to_json(self) -> dict[str, object]:
        """Everything that `from_json` needs."""
        return {
            "count": self.count,
            "covered": self.covered,
            "lines": [[k.line.number, k.line.who, k.line.text] for k in self._kept],
        }

    @classmethod
    def from_json(cls, data: dict[str, object]) -> Recent:
        """The same queue again."""
        recent = cls()
        recent.count = int(str(data["count"]))
        recent.covered = int(str(data["covered"]))
        lines = data["lines"]
        for number, who, text in lines if isinstance(lines, list) else ():
            line = Line(number, who, text)
            rendered = render_line(line)
            recent._kept.append(_Kept(line, rendered, estimate_tokens(rendered)))
        return recent

    def _let_go(self) -> None:
        first = min(self.first_shown, self.covered + 1)
        while self._kept and self._kept[0].line.number < first:
            self._kept.popleft()
