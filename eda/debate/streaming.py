"""Passes a reply on while it is written: only text that is surely talk, from the start at each attempt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from eda.debate.prompts.lookups import may_be_lookup
from eda.events import CallDelayed
from eda.memory.minutes.declared_moves import ReplyWithData
from eda.memory.minutes.names import without_name
from eda.memory.patterns import Language
from eda.runners.server import on_wait

_NAMED = 80
"""Characters beside the speaker's own name within which it stands, with a role, before what is said."""


@contextmanager
def shown_from_the_start(shown: ShownText | None) -> Iterator[Callable[[str], None] | None]:
    """Yield what takes the pieces of a reply for `shown`, which forgets those of an attempt that broke off."""
    tell = on_wait.get()

    def again(delayed: CallDelayed) -> None:
        if shown is not None:
            shown.clear()
        if tell is not None:
            tell(delayed)

    token = on_wait.set(again)
    try:
        yield shown
    finally:
        on_wait.reset(token)


class ShownText:
    """Passes streamed text on as far as it is surely talk.

    It shows no move lines, no lines in the name of one of `members` (their roles by title), and not the speaker's
    `name` before its words, and nothing of a reply that begins by looking something up.
    """

    def __init__(
        self,
        on_text: Callable[[str], None],
        name: str = "",
        members: Mapping[str, str] | None = None,
        language: Language | None = None,
    ) -> None:
        self._on_text = on_text
        self._name = name
        self._members = members
        self._language = language
        self.clear()

    def clear(self) -> None:
        """Begin anew: the next piece is the start of the text."""
        self._reader = ReplyWithData(self._name, self._members, language=self._language)
        self._begun = not self._name
        self._text = ""
        """The text so far; without the name before it once that is known."""
        self._line = 0
        """Where the line begins that is being written."""
        self._certain = 0
        """Characters of that line that are surely talk."""
        self._passed = 0
        """Lines and parts of lines of the reader's talk that were passed on."""
        self._shown = 0
        """Offset up to which talk was passed on."""

    def __call__(self, piece: str) -> None:
        """Add the next piece of the text; pass on what is now surely talk."""
        self._text += piece
        if not self._begun:
            if len(self._text) < len(self._name) + _NAMED and "\n" not in self._text.lstrip():
                return
            self._text, self._begun = without_name(self._text, self._name), True
        if may_be_lookup(self._text):
            return
        while (end := self._text.find("\n", self._line)) >= 0:
            self._reader.read(self._text[self._line : end], self._line)
            self._line, self._certain = end + 1, 0
        self._certain = self._reader.certain(self._text[self._line :], self._certain)
        for start, end in self._reader.talk[self._passed :]:
            self._show(start, end)
        self._passed = len(self._reader.talk)
        if self._certain:
            self._show(self._line, self._line + self._certain)

    def _show(self, start: int, end: int) -> None:
        """Pass on a span of talk, as far as it is new."""
        if end <= self._shown:
            return
        gap = self._text[self._shown : max(start, self._shown)]
        if gap.strip():  # something is cut there
            gap = "\n\n"[: gap.count("\n")] or " "
        self._on_text((gap if self._shown else "") + self._text[max(start, self._shown) : end])
        self._shown = end
