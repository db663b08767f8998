"""One thing that happened, in words, without a decision on how it looks."""

from typing import Literal, NamedTuple

from eda.events import VerdictReached

Pieces = tuple[tuple[str, str], ...]  # Pieces of text, each with its style on a terminal: `dim`, `red`, ..., or `SEAT`.

SEAT = "seat"  # The style of a member's name: bold, in the member's colour.
SEAT_PLAIN = "seat plain"  # The same colour without bold.


class Entry(NamedTuple):
    """One thing that happened, in words, without a decision on how it looks."""

    tag: str  # Begins its line in a pipe; empty where the words say themselves what they are.
    words: Pieces = ()  # What happened.
    # Stands before the words on a terminal, which wrap beside it, with its style: a sign, a number or a voter.
    mark: tuple[str, str] = ("", "")
    # `pipe`: no line of its own on a terminal, where the status area tells it.
    layout: Literal["line", "message", "phase", "vote", "verdict", "pipe"] = "line"
    body: str = ""  # The text of a message, which may hold several paragraphs.
    verdict: VerdictReached | None = None

    @property
    def text(self) -> str:
        """The words without their styles."""
        return "".join(text for text, _ in self.words)
