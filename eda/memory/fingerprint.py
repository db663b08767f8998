"""Tells whether saved memory is what today's code would make of the log: a hash over the code and its patterns.

Whoever changes one rule of the fold need not remember to raise a number: memory saved before is rebuilt by itself.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from functools import cache
from pathlib import Path

from eda import __version__
from eda.memory.patterns import PatternPack

_FOLDERS = ("memory", "events")
_FILES = ("text.py", "session/schema.py")
"""What memory is made by, within the package: how facts are read and folded."""


def fingerprint(patterns: PatternPack) -> str:
    """Return a text that differs where memory of one log may: by the code of the fold, its weights or the patterns."""
    return f"{code_version(Path(__file__).parents[1])}-{patterns.fingerprint}"


@cache
def code_version(package: Path) -> str:
    """Return a hash over the source of the fold; the package's version where it is installed without source."""
    paths = [f"{folder}/{name}" for top in _FOLDERS for folder, _, names in os.walk(package / top) for name in names]
    paths += [f"{package}/{name}" for name in _FILES]
    digest = hashlib.blake2b(digest_size=8)
    sources = 0
    for path in sorted(path for path in paths if path.endswith((".py", ".toml"))):
        with contextlib.suppress(OSError):
            content = Path(path).read_bytes()
            digest.update(f"{path.removeprefix(str(package))} {len(content)}\n".encode() + content)
            sources += path.endswith(".py")
    return digest.hexdigest() if sources else __version__
