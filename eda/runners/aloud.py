"""What of a text is shown while it is being written. The one rule: nothing that will be taken out of the whole."""

from __future__ import annotations

from eda.escapes import unended, without_escapes
from eda.protocols import OnText
from eda.runners.fitting import joined, may_be_json, may_be_thinking, without_thinking

__all__ = ["Aloud"]


class Aloud:
    """Passes on the pieces of one text, but for a `<think>` block that it begins with; of a JSON object, nothing."""

    def __init__(self, on_text: OnText) -> None:
        self._on_text = on_text
        self._cut = self._held = ""
        self._begun = False

    def __call__(self, piece: str) -> None:
        """Take the next piece in; hold it back while it may belong to the block, or to what is taken out or joined."""
        piece = self._cut + piece
        self._cut = unended(piece)
        piece = without_escapes(joined(piece.removesuffix(self._cut)))
        if self._begun and piece:
            self._on_text(piece)
        if self._begun:
            return
        self._held += piece
        said = "" if may_be_thinking(self._held) else without_thinking(self._held).strip()
        if may_be_json(said):
            return
        if said:
            # The space after the last word stands between it and the next piece.
            space = self._held[len(self._held.rstrip()) :]
            self._begun, self._held = True, ""
            self._on_text(said + space)
