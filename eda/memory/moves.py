"""Declared moves: only the block of move lines that ends a turn counts, and no stream shows any of it.

A move line begins with a tag in brackets (`[SUPPORT p12.0] because ...`), whatever Markdown stands around it. The block
is the longest run of move lines and empty lines at the end of the text. A move line among fenced code is code; a fence
that holds nothing but move lines is no more than decoration.
"""

from __future__ import annotations

import re
from typing import get_args

from eda.patterns import normalise
from eda.records import Move, MoveKind

__all__ = ["parse_moves", "visible_prefix"]

_KINDS: dict[str, MoveKind] = {kind: kind for kind in get_args(MoveKind)}
_TAKES_ID = frozenset(["amend", "support", "oppose", "neutral", "withdraw"])
_MARKS = r"(?:[\s*_`#~•-]|\d{1,2}[.)]\s)*"
"""Decoration before a tag. Not `>`: what is quoted is somebody else's move."""
_LINE = re.compile(
    rf"^{_MARKS}\[[\s*_`]*(?P<kind>{'|'.join(_KINDS)})s?[\s*_`]*(?P<rest>(?:[\s:=#(*_`][^\[\]\n]*)?)\](?P<text>.*)$",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^\s*```\w*\s*$")
_EMPTY = re.compile(r"^[\s*_~-]*$|^\s*```\w*\s*$")
_OPENING = re.compile(rf"^{_MARKS}(?:\d{{1,2}}[.)]?|\[[^\[\]\n]*)?$")
_LONGEST_TAG = 64
"""Characters of a tag, brackets included; a longer one is talk."""
_ID = re.compile(r"[A-Za-z]?\d+(?:[.@]\d+)?")
_FIGURE = re.compile(r"(?<!\S)-?\d+(?!\S)")
_BOLD = "*_`~"
_IMPORTANCE = 500


def parse_moves(text: str) -> tuple[int | None, tuple[Move, ...]]:
    """Where the closing block of move lines begins, and its moves in order; `(None, ())` where there is none."""
    lines = _lines(text)
    first = len(lines)
    moves: list[Move] = []
    for index in range(len(lines) - 1, -1, -1):
        start, end = lines[index]
        line = text[start:end]
        if _EMPTY.match(line):
            continue
        move = _move(line)
        if move is None:
            break
        moves.append(move)
        first = index
    if not moves:
        return None, ()
    if first and _FENCE.match(text[slice(*lines[first - 1])]):
        first -= 1
    if text[: lines[first][0]].count("```") % 2:
        return None, ()
    return lines[first][0], tuple(reversed(moves))


def visible_prefix(partial_text: str) -> int:
    """How many characters of a text that is still being written can be shown.

    Held back is the run of lines at the end that are move lines, are empty, or may still become a move line. As the
    text grows, the number never falls; what is held at the end and is no move, by `parse_moves`, is talk after all.
    """
    visible = len(partial_text)
    for start, end in reversed(_lines(partial_text)):
        line = partial_text[start:end]
        unfinished = end == len(partial_text)
        if not (_EMPTY.match(line) or _move(line) or (unfinished and _may_become(line))):
            break
        visible = start
    return len(partial_text[:visible].rstrip())


def _lines(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = 0
    for line in text.splitlines(keepends=True):
        spans.append((start, start + len(line.splitlines()[0])))
        start += len(line)
    return spans


def _may_become(line: str) -> bool:
    plain = normalise(line)
    bracket = plain.find("[")
    if bracket >= 0 and len(plain) - bracket > _LONGEST_TAG:
        return False
    if not _OPENING.match(plain):
        return False
    if bracket < 0:
        return True
    word = plain[bracket + 1 :].strip(" *_`\t").lower()
    return any(kind.startswith(word) or word.startswith(kind) for kind in _KINDS)


def _move(line: str) -> Move | None:
    plain = normalise(line)
    match = _LINE.match(plain)
    if match is None or match.start("text") - plain.find("[") > _LONGEST_TAG:
        return None
    kind = _KINDS[match["kind"].lower()]
    text = line[match.start("text") : match.end("text")]
    rest = line[match.start("rest") : match.end("rest")].strip(" \t:=#(*_`)")
    target: str | None = None
    importance: int | None = None
    topic = ""
    if kind in _TAKES_ID:
        target = rest or None
        if target is None:
            loose = re.match(rf"[\s*_`:]*({_ID.pattern})(?=[\s:,.;*_`)]|$)", text)
            if loose and ("." in loose[1] or "@" in loose[1] or loose[1][0].isalpha()):
                target = loose[1]
                text = text[loose.end() :]
    elif kind == "note":
        number = _FIGURE.search(rest)
        importance = min(1000, max(1, int(number[0][:6]))) if number else _IMPORTANCE
        topic = _clean(rest[: number.start()] + rest[number.end() :] if number else rest)
    elif rest:
        text = f"{rest} {text}"
    return Move(kind=kind, text=_clean(text), target=target, importance=importance, topic=topic)


def _clean(text: str) -> str:
    text = text.strip()
    text = text.strip(_BOLD + " \t").lstrip(":,;–—- ").strip(_BOLD + " \t")
    return text.strip()
