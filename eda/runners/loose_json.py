"""Finds JSON in a model's text and reads it as it was meant: trailing commas, comments, any quotes, a missing end."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

Piece = tuple[int, int, Any]
"""Where an object or a list begins and ends in a text, and its value."""

_TRIED = 50
"""Most brackets of a text that are tried as the beginning of a value."""
_DEEPEST = 30
_BEGINS = re.compile(r"[{\[]")
_DECODER = json.JSONDecoder(strict=False)
_BLANK = re.compile(r"(?:\s|//[^\n]*|#[^\n]*|/\*.*?(?:\*/|\Z))*", re.DOTALL)
_CLOSES = {'"': '"', "'": "'", "“": '”“"', "„": '”“"', "”": "”", "‘": "’"}
"""The marks that open a string, and those that close it."""
_KEY = re.compile(r"[^\W\d][\w .-]*?(?=\s*:)")
_BARE = re.compile(r"[^,:\[\]{}\"\n]+")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_AFTER_STRING = re.compile(
    r"\s*(?:\Z|[}\]:]|,\s*(?:\Z|[\"'“„‘{\[}\]\d/#-]|[^\W\d]\w*\s*:|\w+\s*[,}\]])|//|/\*|#|\n\s*[\"'“}\]])"
)
"""What may follow a string. A quotation mark before anything else belongs to the string."""
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_LITERALS = {"true": True, "false": False, "null": None, "none": None, "nan": None, "undefined": None}
_CUT = object()
"""Stands for a value that breaks off."""


def pieces_of(text: str) -> Iterator[Piece]:
    """Yield the outermost objects and lists of a text, in order. What a cut answer holds in full is kept."""
    at = 0
    for _ in range(_TRIED):
        begin = _BEGINS.search(text, at)
        if begin is None:
            return
        at = begin.start()
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            reader = _Reader(text, at)
            try:
                value, end = reader.value(0), reader.at
            except ValueError:
                at += 1
                continue
        yield at, end, value
        at = end


class _Reader:
    """Reads one value of a text from a place on; raises ValueError where none stands there."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at

    def value(self, depth: int) -> Any:
        """Read what begins here; `_CUT` where the text ends within a word or figure."""
        if depth > _DEEPEST:
            raise ValueError("too deep")
        first = self.text[self.at : self.at + 1]
        if first == "{":
            return self._object(depth)
        if first == "[":
            return self._list(depth)
        if first in _CLOSES and first:
            return self._string(first)
        return self._bare()

    def _object(self, depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        self.at += 1
        while not self._over("}"):
            key = self._key()
            self._skip()
            if self.at >= len(self.text):
                break
            if self.text[self.at] != ":":
                raise ValueError("no colon")
            self.at += 1
            self._skip()
            value = self.value(depth + 1)
            if value is not _CUT:
                members[key] = value
        return members

    def _list(self, depth: int) -> list[Any]:
        items: list[Any] = []
        self.at += 1
        while not self._over("]"):
            value = self.value(depth + 1)
            if value is not _CUT:
                items.append(value)
        return items

    def _over(self, closes: str) -> bool:
        """Pass blanks, comments and commas; True, and past it, at the closing bracket or the end of the text."""
        self._skip()
        while self.text[self.at : self.at + 1] == ",":
            self.at += 1
            self._skip()
        if self.at >= len(self.text):
            return True
        if self.text[self.at] == closes:
            self.at += 1
            return True
        return False

    def _skip(self) -> None:
        blank = _BLANK.match(self.text, self.at)
        self.at = blank.end() if blank else self.at

    def _key(self) -> str:
        first = self.text[self.at]
        if first in _CLOSES:
            key = self._string(first)
            return key if isinstance(key, str) else ""
        match = _KEY.match(self.text, self.at)
        if match is None:
            raise ValueError("no key")
        self.at = match.end()
        return match[0]

    def _string(self, opens: str) -> Any:
        """Read a string: it ends at the first closing mark that something follows which may follow a string."""
        at = self.at + 1
        while at < len(self.text):
            if self.text[at] == "\\":
                at += 2
                continue
            if self.text[at] in _CLOSES[opens] and _AFTER_STRING.match(self.text, at + 1):
                words, self.at = self.text[self.at + 1 : at], at + 1
                return _ESCAPE.sub(_unescaped, words)
            at += 1
        self.at = len(self.text)
        return _CUT

    def _bare(self) -> Any:
        """Read a figure, a literal in any spelling, or words without quotes."""
        match = _BARE.match(self.text, self.at)
        words = re.split(r"//|/\*", match[0])[0].strip() if match else ""
        if match is None or not words:
            raise ValueError("no value")
        self.at += len(words)
        if self.at >= len(self.text):
            return _CUT
        if words.casefold() in _LITERALS:
            return _LITERALS[words.casefold()]
        return float(words) if _NUMBER.fullmatch(words) else words


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _ESCAPED.get(code, code)
