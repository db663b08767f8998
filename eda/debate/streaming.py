"""Passes a reply on while it is written: only text that is surely talk, from the start at each attempt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from eda.memory.minutes.declared_moves import left_open, visible_prefix
from eda.runners.messages_api.answer_text import may_be_name, without_name
from eda.runners.protocol import Prompt
from eda.runners.retry_notices import on_wait


@contextmanager
def shown_from_the_start(shown: ShownText | None) -> Iterator[None]:
    """Have `shown` forget the pieces of an attempt that broke off; the next attempt begins anew."""
    tell = on_wait.get()

    def again(prompt: Prompt, seconds: float, reason: str, attempt: int) -> None:
        if shown is not None:
            shown.clear()
        if tell is not None:
            tell(prompt, seconds, reason, attempt)

    token = on_wait.set(again)
    try:
        yield
    finally:
        on_wait.reset(token)


class ShownText:
    """Passes streamed text on as far as it is surely talk: no move lines, and not the speaker's `name` before it."""

    def __init__(self, on_text: Callable[[str], None], name: str = "") -> None:
        self._on_text = on_text
        self._name = name
        self.clear()

    def clear(self) -> None:
        """Begin anew: the next piece is the start of the text."""
        self._before = ""
        """Stands for the text passed on or read so far, as far as the next line is read after it."""
        self._waiting = ""
        self._begun = not self._name
        self._read = 0
        """Characters of the waiting text whose lines were read and are not talk."""

    def __call__(self, piece: str) -> None:
        """Add the next piece of the text; pass on what is now surely talk."""
        self._waiting += piece
        if not self._begun:
            if may_be_name(self._waiting, self._name):
                return
            self._waiting, self._begun = without_name(self._waiting, self._name), True
        safe = visible_prefix(self._before + self._waiting[self._read :]) - len(self._before)
        if safe > 0:
            safe += self._read
            self._on_text(self._waiting[:safe])
            self._before = left_open(self._before + self._waiting[self._read : safe]).rstrip()
            self._waiting, self._read = self._waiting[safe:], 0
        lines = self._waiting.rfind("\n") + 1
        if lines > self._read:
            self._before, self._read = left_open(self._before + self._waiting[self._read : lines]), lines
