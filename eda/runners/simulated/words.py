"""Draws by a seed, and takes words from a question as they stand: never a paraphrase."""

from __future__ import annotations

import hashlib
import re
import tomllib
from _random import Random  # gives the same numbers as that of `random`, which is seeded twice
from collections.abc import Hashable
from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=1)
def english() -> dict[str, tuple[str, ...]]:
    """Return the sentences and words of `english.toml`; a text in it becomes a list of its words."""
    table = tomllib.loads((Path(__file__).parent / "english.toml").read_text(encoding="utf-8"))
    return {key: tuple(value.split() if isinstance(value, str) else value) for key, value in table.items()}


@lru_cache(maxsize=1)
def stops() -> frozenset[str]:
    """Return the words that say nothing of a text's subject."""
    return frozenset(english()["stops"])


def seed_of(*parts: object) -> int:
    """Return a number that the same parts give on every machine."""
    return int.from_bytes(hashlib.sha256(repr(parts).encode("utf-8", "replace")).digest()[:8], "big")


@lru_cache(maxsize=8192)
def drawn(*parts: Hashable) -> float:
    """Return a number from 0 to below 1 that the same parts give on every machine."""
    return Random(seed_of(*parts)).random()


@lru_cache(maxsize=512)
def stems(text: str) -> frozenset[str]:
    """Return crude stems of the content words."""
    words = re.findall(r"[^\W\d_]{3,}", text.casefold())
    return frozenset(re.sub(r"(ing|ed|es|s|ly)$", "", word)[:7] for word in words if word not in stops())


@lru_cache(maxsize=256)
def action(question: str) -> str:
    """Return the action that "should we ...?" asks about; empty for a question of another form."""
    clause = re.search(r"(?i)\b(?:should|shall|must|do) we (?:(?:need|have) to )?(?!do\b)([^?;:,()–—]+)", question)
    return re.split(r"(?i)\s+or\b", clause[1])[0].strip() if clause else ""
