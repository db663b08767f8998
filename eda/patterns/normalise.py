"""One spelling: apostrophes, dashes, spaces and compatibility forms are made plain, and every place keeps its number.

`normalise` keeps the length, so that an offset in the result is an offset in the text. What cannot be written in one
character (a ligature, a half-width kana with its mark) keeps its first one.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["lower", "normalise"]

_APOSTROPHES = "‘’‚‛′ʼʹʻˈ´`＇ꞌ"
_QUOTES = "“”„‟″«»＂"
_DASHES = "‐‑‒–—―−﹘﹣－⁃"
_SPACES = (
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
    "\u200b\u200c\u200d\u2060\ufeff\u00ad\t"
)


_STRANGE = re.compile(r"[^\x00-\x08\x0a-\x7f]+")


class _Table(dict[int, str]):
    """Fills itself as characters are met. Bounded: it forgets all but the fixed rows when it has grown large."""

    limit = 4096

    def __missing__(self, code: int) -> str:
        char = chr(code)
        plain = unicodedata.normalize("NFKC", char)
        result = plain[0] if plain else " "
        if len(self) < self.limit:
            self[code] = result
        return result


_table = _Table(
    {
        **{ord(c): "'" for c in _APOSTROPHES if c != "`"},
        **{ord(c): '"' for c in _QUOTES},
        **{ord(c): "-" for c in _DASHES},
        **{ord(c): " " for c in _SPACES},
        ord("…"): ".",
        ord("【"): "[",
        ord("】"): "]",
        **{code: chr(code) for code in range(128) if code != ord("\t")},
    }
)


def normalise(text: str) -> str:
    """The text with plain apostrophes, quotes, dashes and spaces, of the same length."""
    if text.isascii():
        return text.replace("\t", " ") if "\t" in text else text
    return _STRANGE.sub(_plain, text)


def _plain(match: re.Match[str]) -> str:
    return "".join([_table[ord(char)] for char in match.group()])


def lower(text: str) -> str:
    """The text in lower case, of the same length."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
