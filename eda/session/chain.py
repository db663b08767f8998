"""The chain of a log: each line's hash covers the one before, so that no line can be changed and the rest stay.

The hash of a line is the SHA-256 of the hash before it, as text, and of the line up to its own hash. The lines of
sessions before the chain have none; theirs is computed, so that the first stored hash covers them all. This file needs
the standard library alone: what checks a receipt without EDA is made of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

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


class Checked(NamedTuple):
    """What became of a log since its hashes were noted."""

    state: Literal["whole", "cut", "changed", "other", "unchained"]
    """`changed`: a line is not what the chain has, from line `at`; `other`: the chain is another one, from there;
    `cut`: it ends after `at`; `unchained`: nothing in it or beside it tells."""
    at: int
    head: str
    older: int
    """Lines at the beginning that were written before there was a chain."""


def check(lines: Iterable[bytes], facts: int = 0, head: str = "", marks: Sequence[str] = ()) -> Checked:
    """Return whether a log is the one that was noted.

    Args:
        lines: Of the log.
        facts: How many it had then; 0 where nothing was noted.
        head: The hash of the last of them.
        marks: How the hash of each begins; without them, what was changed is placed nowhere but at its end.
    """
    made: list[str] = []
    older = 0
    for number, (stored, hashed) in enumerate(links(lines), 1):
        if stored != hashed and (stored or older < number - 1):
            return Checked("changed", number, hashed, older)
        older += not stored
        made.append(hashed)
    last = made[-1] if made else ""
    for number, (mark, hashed) in enumerate(zip(marks, made, strict=False), 1):
        if not hashed.startswith(mark):
            return Checked("other", number, last, older)
    if len(made) < facts:
        return Checked("cut", len(made), last, older)
    if facts and made[facts - 1] != head:
        return Checked("other", facts, last, older)
    return Checked("unchained" if older == len(made) and not facts else "whole", len(made), last, older)
