"""The chain of a log: each line's hash covers the one before, so that no line can be changed and the rest stay.

The hash of a line is the SHA-256 of the hash before it, as text, and of the line up to its own hash. The lines of
sessions before the chain have none; theirs is computed, so that the first stored hash covers them all. This file needs
the standard library alone: what checks a receipt without EDA is made of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256

_END = re.compile(rb'(?:,"chain":"([0-9a-f]{64})")?,"crc":"[0-9a-f]{8}"\}\n?')
_END_ROOM = 100


def link(before: str, body: bytes) -> str:
    """Return the hash of a line that follows the hash `before`; `body` is the line up to its own hash."""
    return sha256(before.encode() + body).hexdigest()


def links(lines: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """Yield for each line of a log the hash that stands in it, empty where none does, and the one that it must have."""
    before = ""
    for line in lines:
        end = _END.search(line, max(0, len(line) - _END_ROOM))
        before = link(before, line[: end.start()] if end else line)
        yield (end[1] or b"").decode() if end else "", before
