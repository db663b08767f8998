"""The words of votes, by role and in each language, and the words and marks of which a text consists.

`vote_words.toml` holds the phrases: what orders texts, ties, accepts or refuses them, and what may stand beside them.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from eda.text import lower, normalise

_TOKEN = re.compile(
    r"[a-z]{1,3}\d+(?:[.@]\d+)*(?!\w)|\d+(?:\.\d+)?(?![^\W\d_])|can(?=not\b)|[^\W_]+?(?=n't\b)|n't\b|"
    r"(?:do|does|did|is|are|wo|ca|would|could|should)(?=nt\b)|[^\W_]+|\n|[^\w\s']|_"
)
_WHOLE = {"n't": "not", "nt": "not", "ca": "can", "wo": "will", "sha": "shall"}
_SQUARED = {first + at: chr(ord("a") + at) for first in (0x1F130, 0x1F150, 0x1F170, 0x1F1E6) for at in range(26)}
"""Letters in squares and circles, which are symbols to Unicode."""


class Token(NamedTuple):
    """A word, a number, a mark or a line end; apostrophes and blanks only part them."""

    word: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Whether it is a word or a number."""
        return self.word[0].isalnum()


class Phrase(NamedTuple):
    """Words of votes at a place of a text."""

    size: int
    roles: frozenset[str]


def folded(text: str) -> str:
    """Return a text in lower case, with plain marks and without accents, of the same length."""
    low = lower(normalise(text))
    return low if low.isascii() else "".join([char if char.isascii() else _plain(char) for char in low])


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    base = _SQUARED.get(ord(char)) or unicodedata.normalize("NFKD", char)[0]
    return " " if unicodedata.category(base) in ("Mn", "Cf") else base.lower()[:1]


def tokens_of(text: str) -> list[Token]:
    """Return the words and marks of a text; `don't` is `do` and `not`."""
    return [Token(_WHOLE.get(each[0], each[0]), *each.span()) for each in _TOKEN.finditer(folded(text))]


@lru_cache(maxsize=1024)  # each ballot of a debate names the same texts, titles and members
def words_of(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text."""
    return tuple(token.word for token in tokens_of(text) if token.is_word)


@lru_cache(maxsize=1)
def _phrases() -> dict[str, list[tuple[tuple[str, ...], frozenset[str]]]]:
    """Return the phrases with their roles by their first words, the longest first."""
    roles: dict[tuple[str, ...], set[str]] = {}
    tables = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for table in tables.values():
        for role, phrases in table.items():
            for phrase in phrases:
                roles.setdefault(tuple(token.word for token in tokens_of(phrase)), set()).add(role)
    by_first: dict[str, list[tuple[tuple[str, ...], frozenset[str]]]] = {}
    for phrase in sorted(roles, key=len, reverse=True):
        by_first.setdefault(phrase[0], []).append((phrase, frozenset(roles[phrase])))
    return by_first


def phrase_at(words: Sequence[str], at: int) -> Phrase | None:
    """Return the longest phrase that begins at a place of a list of words and marks; None if none does."""
    for phrase, roles in _phrases().get(words[at], ()):
        if tuple(words[at : at + len(phrase)]) == phrase:
            return Phrase(len(phrase), roles)
    return None


def roles_of(word: str) -> frozenset[str]:
    """Return the roles of one word; empty of a word that says nothing in a vote."""
    phrase = phrase_at((word,), 0)
    return phrase.roles if phrase else frozenset()
