"""The words of a summary: its length, the figures in it, and whether it names an item."""

from __future__ import annotations

import re

from eda.memory.summaries.summary_input import Item
from eda.text import normalise, sentences

SAME = 0.6
"""Share of an item's words from which a text mentions the item."""
CITED = 0.25
"""The same share where the text cites the item's message."""
_LETTERS = 12
"""Characters that count as one word in text without spaces: twice the usual, so prose is never cut by it."""
_STEM = 6
_WORD = re.compile(r"\w{4,}|\w*\d\w*")
_FIGURE = re.compile(r"(?<![\w.,:@])\d+(?:[.,:]\d+)*(?![\d_])")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}\b)")


def length(text: str) -> int:
    """Return the number of words, which is the measure of summaries."""
    return max(len(text.split()), len(text) // _LETTERS)


def stems(text: str) -> frozenset[str]:
    """Return the first letters of each word of four letters or more, and each figure."""
    return frozenset(word[:_STEM] for word in _WORD.findall(text.lower()))


def figures(text: str) -> frozenset[str]:
    """Return the numbers in a text, without those of messages and items; 5,000 counts as 5000."""
    return frozenset(_FIGURE.findall(_GROUPED.sub("", text)))


def parts(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [text[start:end] for start, end in sentences(normalise(text))]


def mentions(text: str, item: Item) -> bool:
    """Return whether a text names an item: by its line, its id, its words, or its message and some of its words."""
    if item.line in text or (item.id and re.search(rf"(?<![\w.]){re.escape(item.id)}(?!\w)", text)):
        return True
    wanted = stems(item.text)
    pieces = parts(text)
    for first, second in zip(["", *pieces], [*pieces, ""], strict=True):
        two = f"{first} {second}"
        shared = len(wanted & stems(two)) / len(wanted) if wanted else float(item.text.casefold() in two.casefold())
        if shared >= (CITED if re.search(rf"(?<!\w)m{item.message}(?!\w)", two) else SAME):
            return True
    return False


def shortened(text: str, most: int) -> str:
    """Return the text up to the last sentence that ends within `most` words; a longer first sentence is cut."""
    if length(text) <= most:
        return text
    fitting = 0
    for _, end in sentences(normalise(text)):
        if length(text[:end]) > most:
            break
        fitting = end
    return text[:fitting] if fitting else " ".join(text.split()[:most])[: most * _LETTERS] + " ..."
