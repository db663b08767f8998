"""What is shown is whole: a sentence without its Markdown, cut at a word where it must be cut, never at a dot."""

from __future__ import annotations

import functools
import re

__all__ = ["MAX_CHARS", "clean", "likeness", "overlap", "shorten", "words"]

MAX_CHARS = 240
"""Length of an extracted topic or outcome."""

_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\((?:[^()\n]*)\)")
_EMPHASIS = re.compile(r"(?<!\w)([*_~`]{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)")
_OPENS = re.compile(r"^\s*[*_]{1,3}(?=\s)")
_CLOSES = re.compile(r"(?<=[^\s*])\*\*(?!\w)")
_TAG = re.compile(r"^\s*\[[A-Za-z][\w ]{1,24}\]\s*:?\s*")
_LEAD = re.compile(r"^(?:[\s>#*_~`|:,;.!?)\]–—-](?!\d)|\d{1,2}[.)]\s)+")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"[a-z0-9]+(?:\.[0-9]+)*")
_POINT = re.compile(r"\.[0-9]")
_LETTERS = bytes(code if chr(code) in "abcdefghijklmnopqrstuvwxyz0123456789" else 32 for code in range(256))
_STOP_WORDS = (
    "a an the and or but if of to in on at for with from by as is are was were be been it its this that "
    "these those i you he she we they them his her our your their my me us do does did have has had will "
    "would can could should not no so than then there here what which who when where how why about into "
    "over under out up down just also very im id ill ive well think know like want get got one thing say "
    "said make really okay ok yes yeah um uh more much any some all only don t s re ll ve d m"
)
_STOP = frozenset(_STOP_WORDS.split())


def clean(text: str, limit: int = MAX_CHARS) -> str:
    """One line without Markdown, without what leads up to it, of up to `limit` characters."""
    text = _TAG.sub("", text)
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if "*" in text or "_" in text:
        text = _OPENS.sub("", text)
        if text.count("**") % 2:  # what opened it stands before the sentence
            text = _CLOSES.sub("", text, count=1)
    for _ in range(3 if any(mark in text for mark in "*_~`") else 0):
        text, count = _EMPHASIS.subn(r"\2", text)
        if not count:
            break
    text = _LEAD.sub("", _SPACE.sub(" ", text)).strip(" *_~`")
    return shorten(text, limit)


def shorten(text: str, limit: int) -> str:
    """The text, cut between words and marked with an ellipsis where it is longer than `limit`."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit // 2 else cut).rstrip(" ,;:-–—") + "…"


@functools.lru_cache(maxsize=256)
def words(text: str) -> frozenset[str]:
    """The content words of a text, each cut to six letters, so that most inflected forms meet."""
    if text.isascii() and not _POINT.search(text):  # the same words, without the cost of the expression
        found = text.lower().encode().translate(_LETTERS).decode().split()
    else:
        found = _WORD.findall(text.lower())
    return frozenset([word[:6] for word in {*found} - _STOP])


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """The share of the smaller set's words that both have, 0 to 1."""
    if not left or not right:
        return 0.0
    return len(left & right) / min(len(left), len(right))


def likeness(left: frozenset[str], right: frozenset[str]) -> float:
    """The share of all their words that both have, 0 to 1."""
    both = len(left & right)
    return both / (len(left) + len(right) - both) if both else 0.0
