"""What of a text is shown while it is being written. The one rule: nothing that `without_thinking` will take out."""

from __future__ import annotations

from eda.protocols import OnText
from eda.runners.fitting import may_be_thinking, without_thinking

__all__ = ["Aloud"]


class Aloud:
    """Passes on the pieces of one text, but for a `<think>` block that it begins with."""

    def __init__(self, on_text: OnText) -> None:
        self._on_text = on_text
        self._held = ""
        self._begun = False

    def __call__(self, piece: str) -> None:
        """Take the next piece in; hold it back while it may belong to the block."""
        if self._begun:
            self._on_text(piece)
            return
        self._held += piece
        said = "" if may_be_thinking(self._held) else without_thinking(self._held).strip()
        if said:
            # The space after the last word stands between it and the next piece.
            space = self._held[len(self._held.rstrip()) :]
            self._begun, self._held = True, ""
            self._on_text(said + space)
