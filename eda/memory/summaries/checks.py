"""Checks of a summary: its length, and that no decision, proposal or question of its range is missing.

What a model leaves out in its second draft too is added as a list, so no fact depends on the model's care.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from eda.events.records import Line, Summary
from eda.memory.summaries.summary_input import Item, SummaryInput
from eda.panels.settings import SummaryStyle
from eda.text import normalise, sentences

__all__ = [
    "complaints",
    "completed",
    "figures",
    "length",
    "mentions",
    "most_words",
    "parts",
    "shortened",
    "stems",
    "unresolved",
]

CONCISE = 200
"""Most words of a concise summary."""
CONSERVATIVE = 600
"""Most words of a conservative summary; fewer where its source has fewer, but at least `CONCISE`."""
SAME = 0.6
"""Share of an item's words from which a text mentions the item."""
CITED = 0.25
"""The same share where the text cites the item's message."""
_LETTERS = 12
"""Characters that count as one word in text without spaces: twice the usual, so prose is never cut by it."""
_UNRESOLVED = "[UNRESOLVED]"
_ASKED_KEPT = 4
"""Newest open questions that a fold must keep."""
_STEM = 6
_WORD = re.compile(r"\w{4,}|\w*\d\w*")
_FIGURE = re.compile(r"(?<![\w.,:])\d+(?:[.,:]\d+)*(?!\w)|(?<![\w.,:])\d+(?=[^\W\d_])")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}\b)")


def length(text: str) -> int:
    """Return the number of words, which is the measure of summaries."""
    return max(len(text.split()), len(text) // _LETTERS)


def most_words(summary_input: SummaryInput, style: SummaryStyle) -> int:
    """Return the most words that the summary may have."""
    if style == "concise":
        return CONCISE
    texts = [line.text for line in summary_input.lines] + [source.text for source in summary_input.sources]
    return max(CONCISE, min(CONSERVATIVE, sum(map(length, texts))))


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


def complaints(text: str, summary_input: SummaryInput, style: SummaryStyle) -> tuple[str, ...]:
    """Return the faults of a summary, a line each."""
    most = most_words(summary_input, style)
    size = length(text)
    long = (f"It has {size} words; {most} are the most.",) if size > most else ()
    return (*long, *(f"It lacks: {line}" for line in _missing(text, summary_input, style)))


def completed(text: str, summary_input: SummaryInput, style: SummaryStyle) -> str:
    """Return the summary, cut to its length, and a list of what it lacks, of at most that length again."""
    most = most_words(summary_input, style)
    text = shortened(text, most)
    lacking = _missing(text, summary_input, style)
    if not lacking:
        return text
    listed: list[str] = []
    for line in lacking:
        most -= length(line)
        if most < 0:
            break
        listed.append(f"\n- {line}")
    left = len(lacking) - len(listed)
    return f"{text}\nAlso:{''.join(listed)}" + (f"\n- and {left} more that are not told here." if left else "")


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


def _missing(text: str, summary_input: SummaryInput, style: SummaryStyle) -> list[str]:
    lost = [item.line for item in summary_input.required if not mentions(text, item)]
    lost += [
        line
        for line in unresolved(summary_input.sources)
        if line not in text and not mentions(text, Item("question", 0, "", line))
    ]
    if style == "conservative":
        known = "\n".join((text, *lost))
        lost += _lost_figures(known, summary_input.lines)
        known = "\n".join((text, *lost))
        lost += _lost_names(known, summary_input.lines)
    return lost


def unresolved(sources: Iterable[Summary]) -> list[str]:
    """Return the last open questions in summaries, oldest first."""
    lines = (line.removeprefix("- ").strip() for source in sources for line in source.text.splitlines())
    return list(dict.fromkeys(line for line in lines if _UNRESOLVED in line))[-_ASKED_KEPT:]


def _lost_figures(text: str, lines: Iterable[Line]) -> list[str]:
    known, lost = figures(text), []
    for line in lines:
        for part in parts(line.text):
            new = figures(part) - known
            if new:
                known |= new
                lost.append(_said(line, part))
    return lost


def _lost_names(text: str, lines: Iterable[Line]) -> list[str]:
    first_words = {line.who: parts(line.text)[:1] for line in reversed(list(lines))}
    named = text.casefold()
    silent = {who for who in first_words if not any(name in named for name in _names(who, first_words))}
    return [
        _said(line, first_words[line.who][0] if first_words[line.who] else "(nothing that can be told)")
        for line in {line.who: line for line in reversed(list(lines))}.values()
        if line.who in silent
    ]


def _names(who: str, all_names: Iterable[str]) -> list[str]:
    """Return the names of a speaker: the whole one, and its first word where no other name begins with it."""
    first = who.partition(" ")[0]
    alone = sum(other.partition(" ")[0] == first for other in all_names) == 1
    return [who.casefold(), *([first.casefold()] if alone and len(first) > 2 and first.lower() != "the" else [])]


def _said(line: Line, part: str) -> str:
    return f"{line.who} (m{line.number}): {' '.join(part.split())}"
