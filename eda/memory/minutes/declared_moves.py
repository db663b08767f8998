"""Reads declared moves: the block of move lines that ends a turn. No stream shows any of it.

A move line begins with a tag in brackets (`[SUPPORT p12.0] because ...`), with any Markdown around it. Several moves
may share a line. Brackets may be missing where capitals and an id identify the tag. A move continues on the next line
after a tag alone, after a colon before a list, and after a long line that breaks within a sentence. The block is the
longest run of moves and empty lines at the end of the text. A move line in fenced code is code; a fence around move
lines alone is decoration, and so is a heading "Moves".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import pairwise
from typing import Literal, get_args

from eda.events.records import Move, MoveKind
from eda.text import normalise

__all__ = ["left_open", "parse_moves", "visible_prefix"]

_After = Literal["talk", "colon", "apart", "text", "reason", "list", "wrapped"]
"""What precedes the next line: talk; talk that ends with a colon; an empty line or a whole move (`apart`); or a move
that the line may continue, with the text of a tag, the reason below it, a list, or the rest of a sentence."""

_KINDS: dict[str, MoveKind] = {kind: kind for kind in get_args(MoveKind)}
_KIND = "|".join(_KINDS)
_TAKES_ID = frozenset(["amend", "support", "oppose", "neutral", "withdraw"])
_NEEDS_TEXT = frozenset(["propose", "amend", "position", "note"])
_MARKS = r"(?:[\s*_`#~•·●○◦▪■‣→➡➤▶✅✔☑❌✗👍👎\ufe0f+-]|\d{1,2}[.)]\s)*"
"""Decoration before a tag. Not `>`: a quoted move is somebody else's."""
_LINE = re.compile(
    rf"^{_MARKS}\[[\s*_`]*(?P<kind>{_KIND})s?(?=[\s:=#(*_`\]])(?P<rest>[^\[\]\n]*+)\](?P<text>.*)$",
    re.IGNORECASE,
)
_SHOUTED = "|".join(sorted(_TAKES_ID)).upper()
_BARE = re.compile(
    rf"^{_MARKS}(?:(?P<to>{_SHOUTED})S?[\s*_`:]++[\s*_`(#]*+(?P<target>p\d+[.@]\d+)|(?P<kind>PROPOSE|POSITION)[\s*_`]*+:)"
    rf"(?P<text>.*)$|^{_MARKS}(?:Proposal|PROPOSAL)[\s*_`]*+:(?P<put>.*)$"
)
"""A move line without brackets: in capitals, with an id or a colon, which talk would not have; or "Proposal:", which
counts only beside other moves."""
_BARE_OPENING = re.compile(
    rf"^{_MARKS}(?:(?P<word>[A-Z]+|P[a-z]*)|(?:{_SHOUTED})S?[\s*_`:]*+[(#]*(?:p(?:\d+[.@]?)?)?|"
    r"(?:PROPOSE|POSITION|Proposal|PROPOSAL)[\s*_`]*+)$"
)
_ID = re.compile(r"[A-Za-z]?\d+(?:[.@]\d+)?")
_INSIDE = re.compile(
    rf"^{_MARKS}\[[\s*_`]*(?:{_KIND})s?(?:[\s*_`]*+:|[\s#]++{_ID.pattern}\b)[^\[\]\n]*+(?:\][\s*_`.]*)?$", re.IGNORECASE
)
"""A line that is one tag with its text inside the brackets."""
_TAG = rf"\[[\s*_`]*(?:{_KIND})s?(?=[\s:=#(*_`\]])[^\[\]\n]*+\]"
_NEXT = re.compile(
    rf"(?:^|(?<=[.,;:!?&|)\]]))[\s*_`]*(?={_TAG})|(?<![\s*_`])[\s*_`]+(?={_TAG}[^\[\n]*\w)", re.IGNORECASE
)
"""Between a move and another on the same line."""
_FENCE = re.compile(r"^\s*```\w*\s*$")
_EMPTY = re.compile(r"^[\s*_~-]*$|^\s*```\w*\s*$|^[\s*_#]*(?:my )?moves[\s*_:]*$", re.IGNORECASE)
_PUTS = ("Proposal", "PROPOSAL")
_HEADINGS = ("moves:", "my moves:")
_ITEM = re.compile(r"\s*(?:[-*•+–]|\d{1,2}[.)]|[a-z][.)])\s")
_BULLET = re.compile(r"\s*[-*•+–]\s+")
_ITEM_OPENING = re.compile(r"\s*(?:[-*•+–]|\d{1,2}[.)]?|[a-z][.)]?)?$")
_OPENING = re.compile(rf"^{_MARKS}(?:\d{{1,2}}[.)]?|\[[^\[\]\n]*)?$")
_LONGEST_TAG = 64
"""Characters of a tag, brackets included; a longer one is talk."""
_WRAPPED = 50
"""A line of at least so many characters that ends within a sentence was broken to fit a page."""
_IDS = re.compile(rf"#?{_ID.pattern}(?:(?:\s*[,&+]\s*|\s+)(?:and |und |et )?#?[A-Za-z]?\d+[.@]\d+)*(?![\w'’])")
_FIGURE = re.compile(r"(?<![^\s,;:=|])-?\d+(?:/1000)?(?![^\s,;:|])")
_NAMED = re.compile(r"\b(?:importance|topic)\s*[=:]\s*", re.IGNORECASE)
_BOLD = "*_`~"
_STANDS_FOR: dict[_After, str] = {
    "talk": "x\n",
    "colon": "x:\n",
    "apart": "x\n\n",
    "text": "[PROPOSE]\n",
    "reason": "x\n\n[SUPPORT]\n",
    "list": "[PROPOSE] So:\n",
    "wrapped": f"[PROPOSE] {'x' * _WRAPPED}\n",
}
_IMPORTANCE = 500


def parse_moves(text: str) -> tuple[int | None, tuple[Move, ...]]:
    """Return the offset of the closing block of move lines, and its moves in order; `(None, ())` without a block."""
    lines = _lines(text)
    read = list(_read(text[start:end] for start, end in lines))
    moves: list[Move] = []
    first, more, sure = len(lines), list[str](), False
    for index in range(len(lines) - 1, -1, -1):
        moves_here, goes_on, _ = read[index]
        line = text[slice(*lines[index])]
        if moves_here:
            last = moves_here[-1]
            full = _clean(reduce(_joined, more, last.text)) if more else last.text
            moves[:0] = [*moves_here[:-1], Move(last.kind, full, last.target, last.importance, last.topic)]
            first, more = index, []
            sure = sure or not _puts(line)
        elif goes_on:
            more.insert(0, line)
        elif not _EMPTY.match(line):
            break
    if not sure:
        return None, ()
    at = lines[first][0]
    fenced = text[:at].count("```") % 2 == 1
    while first and _EMPTY.match(above := text[slice(*lines[first - 1])]):
        if _FENCE.match(above):
            if not fenced:
                break
            fenced = False
        first -= 1
        at = lines[first][0] if above.strip() else at
    return (None, ()) if fenced else (at, tuple(moves))


def visible_prefix(partial_text: str) -> int:
    """Return how many characters of a text that is still being written can be shown.

    The last lines are held back while they are moves, empty, or may become either. The number never falls as the text
    grows. Lines held back at the end that are no moves by `parse_moves` are talk after all.
    """
    visible = len(partial_text)
    lines = _lines(partial_text)
    read = list(_read(partial_text[start:end] for start, end in lines))
    before: _After = read[-2][2] if len(read) > 1 else "talk"
    for (start, end), (moves_here, goes_on, _) in zip(reversed(lines), reversed(read), strict=True):
        line = partial_text[start:end]
        unfinished = end == len(partial_text) and (_may_become(line) or _may_go_on(before, line))
        if not (moves_here or goes_on or unfinished or _EMPTY.match(line)):
            break
        visible = start
    return len(partial_text[:visible].rstrip())


def left_open(text: str) -> str:
    """Return a short text of whole lines after which the next line is read as it is after `text`."""
    return _STANDS_FOR[list(_read(text.splitlines()))[-1][2]]


def _read(lines: Iterable[str]) -> Iterator[tuple[tuple[Move, ...], bool, _After]]:
    """Yield for each line its moves, whether it continues the move before it, and what precedes the next line."""
    after: _After = "talk"
    for line in lines:
        moves_here, goes_on = _moves(line), False
        if moves_here:
            last = moves_here[-1]
            if last.text:
                after = _left(line, last.text)
            elif last.kind in _NEEDS_TEXT:
                after = "text"
            else:
                after = "apart" if after in ("talk", "colon") else "reason"
        elif _EMPTY.match(line):
            after = after if after in ("colon", "text", "list") else "apart"
        elif _goes_on(after, line):
            goes_on = True
            after = "list" if after == "list" else _left(line, line)
        else:
            after = "colon" if line.rstrip(_BOLD + " \t").endswith(":") else "talk"
        yield moves_here, goes_on, after


def _puts(line: str) -> bool:
    bare = _BARE.match(normalise(line))
    return bare is not None and bare["put"] is not None


def _joined(text: str, line: str) -> str:
    """Return a text and the line that continues it as one line."""
    item = _BULLET.sub("", line)
    if item == line or text.endswith(":"):
        return f"{text} {item.strip()}"
    return f"{text.rstrip('.,;')}; {item.strip()}"


def _left(line: str, text: str) -> _After:
    """Return what precedes the next line after a line of a move with text."""
    end = text.rstrip(_BOLD + " \t")[-1:]
    if end == ":":
        return "list"
    return "wrapped" if len(line) >= _WRAPPED and (end.isalnum() or end in (",", "-", "–")) else "apart"


def _goes_on(after: _After, line: str) -> bool:
    if after in ("text", "reason"):
        return not line.lstrip().startswith(">")
    if after == "list":
        return _ITEM.match(line) is not None
    return after == "wrapped" and line.lstrip()[:1].islower()


def _may_go_on(after: _After, line: str) -> bool:
    return after == "list" and _ITEM_OPENING.match(line) is not None


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
        return _INSIDE.match(plain) is not None
    if bracket >= 0:
        word = plain[bracket + 1 :].strip(" *_`\t").lower()
        return _OPENING.match(plain) is not None and any(
            kind.startswith(word) or word.startswith(kind) for kind in _KINDS
        )
    bare = _BARE_OPENING.match(plain)
    begun = (bare["word"] or "").rstrip("S") if bare else "-"
    if any(kind.startswith(begun) for kind in (*map(str.upper, _KINDS), *_PUTS)):
        return True
    heading = plain.lstrip(" *_#").lower()
    return _OPENING.match(plain) is not None or any(each.startswith(heading) for each in _HEADINGS)


def _moves(line: str) -> tuple[Move, ...]:
    """Return the moves of a line, in order."""
    first = _move(line)
    if first is None:
        return ()
    plain = normalise(line)
    starts = [0, *(gap.end() for gap in _NEXT.finditer(plain, plain.find("]") + 1)), len(line)]
    parts = [_move(line[start:end].rstrip(f"{_BOLD} \t,;&|")) for start, end in pairwise(starts)]
    return tuple(part for part in parts if part) if all(parts) else (first,)


def _move(line: str) -> Move | None:
    plain = normalise(line)
    bare = _BARE.match(plain)
    if bare:
        kind = _KINDS[(bare["to"] or bare["kind"] or "propose").lower()]
        rest = line[max(bare.start("text"), bare.start("put")) :]
        return Move(kind=kind, text=_clean(rest.lstrip(")")), target=bare["target"])
    match = _LINE.match(plain)
    if match is None or (match.start("text") - plain.find("[") > _LONGEST_TAG and not _INSIDE.match(plain)):
        return None
    kind = _KINDS[match["kind"].lower()]
    text = line[match.start("text") : match.end("text")]
    rest = line[match.start("rest") : match.end("rest")].strip(" \t:=#(*_`)")
    target: str | None = None
    importance: int | None = None
    topic = ""
    if kind in _TAKES_ID:
        target = rest or None
        ids = _IDS.match(rest)
        if ids and not _clean(text):
            target, text = ids[0], rest[ids.end() :]
        elif target is None:
            loose = re.match(rf"[\s*_`:(\[#]*({_ID.pattern})(?=[\s:,.;*_`)\]]|$)[)\]]?", text)
            if loose and ("." in loose[1] or "@" in loose[1] or loose[1][0].isalpha()):
                target = loose[1]
                text = text[loose.end() :]
    elif kind == "note":
        importance, topic = _weight(_NAMED.sub("", rest))
        if not _clean(text) and ": " in topic:
            topic, _, text = topic.partition(": ")
    elif rest:
        text = f"{rest} {text}"
    return Move(kind=kind, text=_clean(text), target=target, importance=importance, topic=topic)


def _weight(rest: str) -> tuple[int, str]:
    """Return the importance and the topic of a note, given in either order."""
    number = _FIGURE.search(rest)
    if number is None:
        return _IMPORTANCE, _clean(rest)
    topic = f"{rest[: number.start()]} {rest[number.end() :]}".strip(" ,;:|")
    return min(1000, max(1, int(number[0].partition("/")[0][:6]))), _clean(topic)


def _clean(text: str) -> str:
    text = text.strip()
    text = text.strip(_BOLD + " \t").lstrip(":,;–—- ").strip(_BOLD + " \t")
    return text.strip()
