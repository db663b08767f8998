"""An estimate of the tokens of a text, corrected by what the provider counted."""

from __future__ import annotations

import math
from dataclasses import dataclass

from eda.events import CallMade
from eda.text import rough_tokens

_FORGETS = 0.85  # Weight of a call relative to the next one: another model or language is learned within ten calls.
_FAR = 4
_STEP = 0.02  # The correction moves in steps, so that not every call changes every budget and prompt.


@dataclass(slots=True)
class TokenEstimate:
    """A fold over `CallMade`: counted tokens over estimated ones, the newest calls weighing most."""

    calls: int = 0  # Calls learned from.
    _counted: float = 0.0
    _estimated: float = 0.0
    _missed: float = 0.0
    _weight: float = 0.0

    def learn(self, call: CallMade) -> bool:
        """Learn from a counted call, but not from a question asked aside; return whether the ratio has changed."""
        counted = call.prompt_tokens
        if not call.characters or not counted or call.purpose == "ask":
            return False
        rough, before = rough_tokens(call.characters), self.ratio
        # No tokenizer is that far off: such a server counts only uncached tokens, or counts wrongly.
        counted = min(max(counted, rough // _FAR), rough * _FAR)
        self._missed = self._missed * _FORGETS + abs(rough * before - counted) / counted
        self._weight = self._weight * _FORGETS + 1
        self._counted = self._counted * _FORGETS + counted
        self._estimated = self._estimated * _FORGETS + rough
        self.calls += 1
        return self.ratio != before

    @property
    def ratio(self) -> float:
        """Counted tokens per estimated token; 1 before the first call."""
        if not self.calls:
            return 1.0
        return max(_STEP, round(self._counted / self._estimated / _STEP) * _STEP)

    @property
    def error(self) -> float | None:
        """The mean error of the latest calls as a share of the counted tokens (0.05: 5 %); None before the first."""
        return self._missed / self._weight if self._weight else None

    def of(self, text: str) -> int:
        """Return the tokens of a text."""
        return self.corrected(rough_tokens(len(text)))

    def corrected(self, rough: int) -> int:
        """Return the corrected value of a rough estimate, rounded up."""
        return math.ceil(rough * self.ratio - 1e-9)

    def affordable(self, budget: int) -> int:
        """Return the rough tokens that fit into a budget of counted ones."""
        return int(budget / self.ratio)
