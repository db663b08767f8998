"""What one attempt at a call brings. The one rule: what is sent in place of words or figures is left out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["Heard"]

_COUNTS = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_input_tokens": "cache_read_tokens",
    "cache_creation_input_tokens": "cache_write_tokens",
}
"""What the API counts, and what that is called here."""
_MOST_TOKENS = 10**12
"""A figure above this, or below 0, is no count, and is left out."""


@dataclass
class Heard:
    """What one attempt has brought so far."""

    text: str = ""
    size: int = 0
    """Characters written, thinking among them, and events, also those that bring none."""
    stop: str | None = None
    """Why it ended; None while it has not."""
    begun: bool = False
    """Whether it may have to be paid for."""
    counts: dict[str, int] = field(default_factory=dict)
    """Tokens; empty where the server tells none."""

    def take(self, event: Any) -> str:
        """Take one event of the stream in; gives the piece of text that it brought."""
        piece = thought = ""
        match getattr(event, "type", ""):
            case "message_start":
                self.begun = True
                self._count(getattr(event.message, "usage", None))
            case "content_block_start":
                piece = _words(event.content_block, "text")
            case "content_block_delta":
                piece, thought = _words(event.delta, "text"), _words(event.delta, "thinking")
            case "message_delta":
                self.stop = getattr(event.delta, "stop_reason", None) or self.stop
                self._count(getattr(event, "usage", None))
            case "message_stop":
                self.stop = self.stop or "end_turn"
        self.text += piece
        self.size += 1 + len(piece) + len(thought)
        return piece

    def _count(self, seen: Any) -> None:
        """Counts are totals so far: a later one takes the place of an earlier."""
        for theirs, ours in _COUNTS.items():
            number = getattr(seen, theirs, None)
            if isinstance(number, int) and 0 <= number <= _MOST_TOKENS:
                self.counts[ours] = number


def _words(part: Any, kind: str) -> str:
    """What a part of this kind says; empty for another kind, and for what a careless server sends in its place."""
    words = getattr(part, kind, None) if getattr(part, "type", None) in (kind, f"{kind}_delta") else None
    return words if isinstance(words, str) else ""
