"""What a hostile file may have its reader do."""

from __future__ import annotations

import os


def answer(_file: object, what: str, _: bytes) -> object:
    """Take more than is allowed, or tell what the environment has."""
    if what == "memory":
        return len(bytearray(1_000_000_000))
    if what == "output":
        return "x" * 60_000_000
    while what == "time":
        pass
    return [name for name in os.environ if name not in ("LC_CTYPE", "TMPDIR", "EDA_ALLOW")]
