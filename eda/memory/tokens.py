"""How many tokens a text is: an estimate that corrects itself from what the provider counted."""

from __future__ import annotations

import math
from typing import Any

from eda.events import CallMade

__all__ = ["TokenEstimate", "rough_tokens"]

_PER_TOKEN = 4
_FORGETS = 0.85
"""What an older call weighs beside the next: another model, or another language, is learned within ten calls."""
_FAR = 4
_STEP = 0.02
"""The correction moves in steps, or every call would shift every budget a little and no prompt would stay as it was."""


def rough_tokens(characters: int) -> int:
    """Tokens of a text of so many characters, four each, rounded up: the estimate before any correction."""
    return (characters + _PER_TOKEN - 1) // _PER_TOKEN


class TokenEstimate:
    """A fold over `CallMade`: counted tokens over estimated ones, the newest calls weighing most."""

    def __init__(self) -> None:
        self.calls = 0
        """Calls that it has learned from."""
        self._counted = 0.0
        self._estimated = 0.0
        self._missed = 0.0
        self._weight = 0.0

    def learn(self, call: CallMade) -> None:
        """Take a call in; one whose prompt or usage was not counted teaches nothing.

        Nor does a question asked aside: what a debate is shown must not depend on who was asked what beside it.
        """
        counted = call.input_tokens + call.cache_read_tokens + call.cache_write_tokens
        if not call.characters or not counted or call.purpose == "ask":
            return
        rough = rough_tokens(call.characters)
        # No tokenizer is that far off: a server that counts only what no cache held, or nonsense.
        counted = min(max(counted, rough // _FAR), rough * _FAR)
        self._missed = self._missed * _FORGETS + abs(rough * self.ratio - counted) / counted
        self._weight = self._weight * _FORGETS + 1
        self._counted = self._counted * _FORGETS + counted
        self._estimated = self._estimated * _FORGETS + rough
        self.calls += 1

    @property
    def ratio(self) -> float:
        """Counted tokens for each estimated one; 1 before anything was learned."""
        if not self.calls:
            return 1.0
        return max(_STEP, round(self._counted / self._estimated / _STEP) * _STEP)

    @property
    def error(self) -> float | None:
        """The mean miss of the last calls as a share of what was counted (0.05: 5 %); None before the first call."""
        return self._missed / self._weight if self._weight else None

    def of(self, text: str) -> int:
        """Tokens of a text."""
        return self.corrected(rough_tokens(len(text)))

    def corrected(self, rough: int) -> int:
        """What a rough estimate comes to, rounded up."""
        return math.ceil(rough * self.ratio - 1e-9)

    def affordable(self, budget: int) -> int:
        """The rough tokens that a budget of real ones pays for."""
        return int(budget / self.ratio)

    def to_json(self) -> dict[str, Any]:
        """The whole state, in plain JSON types."""
        return {
            "calls": self.calls,
            "counted": self._counted,
            "estimated": self._estimated,
            "missed": self._missed,
            "weight": self._weight,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> TokenEstimate:
        """The same estimate again."""
        made = cls()
        made.calls = data["calls"]
        made._counted = data["counted"]
        made._estimated = data["estimated"]
        made._missed = data["missed"]
        made._weight = data["weight"]
        return made
