"""An `Entry`: one thing that happened, as plain data, which the printers show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from eda.events import VerdictReached

Pieces = tuple[tuple[str, str], ...]  # Pieces of text, each with its style on a terminal: `dim`, `red`, ..., or `SEAT`.

SEAT = "seat"  # The style of a member's name: bold, in the member's colour.
SEAT_PLAIN = "seat plain"  # The same colour without bold.


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened, in words, without a decision on how it looks."""

    tag: str = ""
    """Begins its line in a pipe."""
    words: Pieces = ()
    """What happened; a terminal shows nothing where it is empty."""
    mark: tuple[str, str] = ("", "")
    """Stands before the words on a terminal, which wrap beside it, with its style: a sign, a number or a voter."""
    line: str | None = None
    """The line in a pipe where it is not `tag: words`; empty for no line."""
    layout: Literal["line", "message", "phase", "floor", "vote", "verdict"] = "line"
    body: str = ""
    """The text of a message, which may hold several paragraphs."""
    below: tuple[str, ...] = ()
    """Further lines on a terminal, each cut to the width."""
    verdict: VerdictReached | None = None
    language: str = "en"
    """Of the verdict."""

    @property
    def text(self) -> str:
        """The words without their styles."""
        return "".join(text for text, _ in self.words)
