"""Reads what a ballot in prose says beside its vote: why, how sure its voter is, and which message moved it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_SURE = re.compile(r"\bconfiden(?:ce|t)\b[^\d.;!?]{0,12}(\d{1,3}(?:[.,]\d+)? ?(?:%|/ ?10\b)?)", re.IGNORECASE)
_MOVED = re.compile(
    r"\bm(\d{1,6})(?: has| really)? (?:moved|convinced|persuaded) me\b|"
    r"\b(?:moved|convinced|persuaded)(?: most)? by:? \**m(\d{1,6})\b",
    re.IGNORECASE,
)
_WHY = re.compile(r"^[\s*_]*reason[\s*_]*:[\s*_]*(\S.*)", re.IGNORECASE | re.MULTILINE | re.DOTALL)
_FEW = 8
"""Words of a ballot that only votes."""
_MESSAGE = re.compile(r"\s*\[?(\d{1,6})\]?\s*|[^\d]*?\bm(\d{1,6})\b\D*", re.IGNORECASE)
"""A message as what moved a voter: its number, also beside its speaker's name."""


def said_beside(text: str) -> dict[str, Any]:
    """Return `confidence`, `moved_by` and `reason` as far as prose says them.

    The reason is what follows that word, else the whole of it where it is more than a vote.
    """
    sure, moved, why = _SURE.search(text), _MOVED.search(text), _WHY.search(text)
    reason = why[1] if why else text if len(text.split()) > _FEW else ""
    says = {"confidence": sure and sure[1].strip(), "moved_by": moved and f"m{moved[1] or moved[2]}", "reason": reason}
    return {name: value for name, value in says.items() if value}


def moved_by(data: Mapping[str, Any]) -> int | None:
    """Return the number of the message that moved the voter; None where it names none in that form."""
    wanted = data.get("moved_by")
    if isinstance(wanted, int) and not isinstance(wanted, bool):
        return wanted if wanted > 0 else None
    number = _MESSAGE.fullmatch(wanted) if isinstance(wanted, str) else None
    return int(number[1] or number[2]) or None if number else None
