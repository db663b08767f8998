"""What calls took: counted by what is written of them in the log, so that a resume counts the same."""

from __future__ import annotations

from dataclasses import dataclass

from eda.events import CallMade

__all__ = ["Spent"]


@dataclass(slots=True)
class Spent:
    """What some calls took, or a debate so far."""

    calls: int = 0
    input_tokens: int = 0
    """Cached ones included."""
    cache_read_tokens: int = 0
    """Of the input: read from the provider's cache."""
    cache_write_tokens: int = 0
    """Of the input: written to it."""
    output_tokens: int = 0
    cost: float = 0.0
    """US dollars, of the calls whose price is known."""
    unpriced_calls: int = 0
    """Calls whose price is unknown."""
    seconds: float = 0.0
    """Wall clock from fact to fact, pauses left out."""

    @property
    def tokens(self) -> int:
        """In and out."""
        return self.input_tokens + self.output_tokens

    def add(self, call: CallMade) -> None:
        """Count one call."""
        self.calls += 1
        self.input_tokens += call.input_tokens + call.cache_read_tokens + call.cache_write_tokens
        self.cache_read_tokens += call.cache_read_tokens
        self.cache_write_tokens += call.cache_write_tokens
        self.output_tokens += call.output_tokens
        if call.cost is None:
            self.unpriced_calls += 1
        else:
            self.cost += call.cost
