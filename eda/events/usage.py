"""Totals of calls: tokens, cost and time. They are counted from the facts of the log, so a resume counts the same."""

from __future__ import annotations

from dataclasses import dataclass

from eda.events import CallMade


@dataclass(slots=True)
class UsageTotals:
    """The totals of some calls, or of a debate so far."""

    calls: int = 0
    input_tokens: int = 0
    """Tokens of all prompts, cached ones included."""
    cache_read_tokens: int = 0
    """Input tokens that were read from the provider's cache."""
    cache_write_tokens: int = 0
    """Input tokens that were written to the provider's cache."""
    output_tokens: int = 0
    cost: float = 0.0
    """US dollars, for the calls whose price is known."""
    unpriced_calls: int = 0
    """Number of calls whose price is unknown."""
    seconds: float = 0.0
    """Wall-clock time from fact to fact, without pauses."""

    @property
    def tokens(self) -> int:
        """Input and output tokens."""
        return self.input_tokens + self.output_tokens

    def add(self, call: CallMade) -> None:
        """Add the figures of one call."""
        self.calls += 1
        self.input_tokens += call.prompt_tokens
        self.cache_read_tokens += call.cache_read_tokens
        self.cache_write_tokens += call.cache_write_tokens
        self.output_tokens += call.output_tokens
        if call.cost is None:
            self.unpriced_calls += 1
        else:
            self.cost += call.cost
