"""Tokens and cost of one call to a model, over all of its attempts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from eda.runners.answer_text import StreamedAnswer
from eda.runners.models import Model
from eda.runners.protocol import Prompt, Usage
from eda.text import rough_tokens


@dataclass
class CallUsage:
    """What all attempts of one call took, of whichever model."""

    usage: Usage = field(default_factory=Usage)
    model: str = ""
    """The last model that began to answer; empty if none did."""
    answered: str = ""
    """What the server calls it."""
    attempts: int = 0

    def add(self, model: Model, answer: StreamedAnswer) -> None:
        """Add one attempt, also one that broke off."""
        one = model.priced(Usage(**answer.counts), counted=bool(answer.counts))
        one = one if answer.cost is None else replace(one, cost=answer.cost)
        self.model, self.answered = model.id, answer.model
        self.usage = Usage(
            input_tokens=self.usage.input_tokens + one.input_tokens,
            output_tokens=self.usage.output_tokens + one.output_tokens,
            cache_read_tokens=self.usage.cache_read_tokens + one.cache_read_tokens,
            cache_write_tokens=self.usage.cache_write_tokens + one.cache_write_tokens,
            cost=None if one.cost is None or self.usage.cost is None else self.usage.cost + one.cost,
        )

    def counted(self, prompt: Prompt, text: str) -> Usage:
        """Return what was taken; an estimate if the server counts no tokens, or no budget would ever be spent."""
        if self.usage.tokens:
            return self.usage
        inputs, outputs = rough_tokens(len(prompt.text)), rough_tokens(len(text))
        return replace(self.usage, input_tokens=inputs, output_tokens=outputs)
