"""Whom a message addresses, and which earlier one it names: read from its words, as people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["Addressing"]


class Addressing:
    """Finds whom a message addresses: `@Name`, a sentence that begins `Name, ...`, or one that ends `..., Name?`.

    Names may be in bold.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._by_lower = {name.lower(): name for name in names}
        alternatives = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        self._pattern = re.compile(
            rf"@({alternatives})\b|(?:^[*_]*|(?<=[.!?\n])[ \t]*[*_]*)({alternatives})[*_]*[,:][*_]*(?=\s)"
            rf"|,\s*[*_]*({alternatives})[*_]*\?",
            re.IGNORECASE | re.MULTILINE,
        )

    def find(self, text: str, speaker: str) -> str | None:
        """The last member whom `text` addresses, never the speaker; None where it addresses nobody."""
        lowered = text.lower()
        if not any(name in lowered for name in self._by_lower):
            return None
        addressed = None
        for match in self._pattern.finditer(text):
            name = self._by_lower[next(group for group in match.groups() if group).lower()]
            if name != speaker:
                addressed = name
        return addressed

    @staticmethod
    def answered(text: str, number: int) -> int | None:
        """The first earlier message that `text` names (`m12`); None where it names none."""
        for match in _MESSAGE_ID.finditer(text):
            begins = match.start() == 0 or not text[match.start() - 1].isalnum()
            if begins and 0 < (named := int(match[1])) < number:
                return named
        return None


_MESSAGE_ID = re.compile(r"m([0-9]{1,9})\b")
"""Begins with a letter and no word boundary, so that the engine can skip from `m` to `m`."""
