"""Where sentences begin and end: never inside a number, an abbreviation or a file name; always at a line's end."""

from __future__ import annotations

import re

__all__ = ["mask_quotes", "sentences"]

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+(?=[^\s.!?\"')\]*_])[^.!?\n]+)*[.!?]*[\"')\]*_]*|[.!?]+")
_LEAD = re.compile(r"(?:\s|[-*+#>~_`]+(?! ?[\w.]*\d)|\d{1,2}[.)]\s)+")
_BLANK = " \n\r\x0b\x0c"
_ABBREVIATIONS = frozenset(
    ["e.g.", "i.e.", "mr.", "mrs.", "ms.", "dr.", "prof.", "vs.", "cf.", "approx.", "fig.", "st.", "resp.", "incl."]
)
_QUOTED = re.compile(
    r"\"[^\"\n]{2,2000}\"|`[^`\n]{1,200}`|^[ \t]*(?:>|\[m\d+\] )[^\n]*|"
    r"(?<!\w)'(?=\w)(?:[^'\n]|(?<=\w)'(?=\w)){4,2000}'(?!\w)",
    re.MULTILINE,
)
_OPENING = re.compile(r"'(?<!\w')\w")
_CLAUSE = re.compile(r"\b(?:i|we|you|they|he|she|it|that|this|let)(?:'\w+)?\b")


def sentences(text: str) -> list[tuple[int, int]]:  # noqa: C901 - hot: calls would cost more than the branches
    """Spans of the sentences of a normalised text, list marks and white space before them left out."""
    spans: list[tuple[int, int]] = []
    joined = -1
    for match in _SENTENCE.finditer(text):
        start, end = match.span()
        if joined >= 0:
            start, joined = joined, -1
        while start < end and text[start] in _BLANK:
            start += 1
        while end > start and text[end - 1] in _BLANK:
            end -= 1
        if start == end:
            continue
        if (
            text[end - 1] == "."
            and text[max(start, end - 9) : end].rsplit(" ", 1)[-1].lstrip("([\"'*").lower() in _ABBREVIATIONS
        ):
            joined = start
            continue
        if not text[start].isalpha():
            lead = _LEAD.match(text, start, end)
            if lead:
                start = lead.end()
        if start < end:
            spans.append((start, end))
    if joined >= 0:
        spans.append((joined, len(text.rstrip())))
    return spans


def mask_quotes(text: str) -> str:
    """The normalised text with the words of others (quotations of a clause, quoted lines, code) made blank.

    A word or two in quotation marks stay, and so does a message that stands in them as a whole.
    """
    if '"' not in text and "`" not in text and ">" not in text and "[m" not in text and not _OPENING.search(text):
        return text
    return _QUOTED.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    found = match.group()
    if found[0] in "\"'":
        if found.count(" ") < 2 and not (" " in found and _CLAUSE.search(found)):
            return found
        if len(found) + 8 > len(match.string) and len(match.string.strip(" \n.!")) <= len(found):
            return found
    return " " * len(found)
