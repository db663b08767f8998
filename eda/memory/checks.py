"""A summary is checked before it is taken: within its length, and nothing lost that was decided, put or asked.

What a model leaves out although it was asked again is added as a list, so that no fact depends on its care.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from eda.memory.material import Item, Material
from eda.patterns import normalise, sentences
from eda.protocols import Line
from eda.records import Summary
from eda.settings import SummaryStyle

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
"""Words of a concise summary, at most."""
CONSERVATIVE = 600
"""Words of a conservative one, at most; fewer where its source has fewer, but never under `CONCISE`."""
SAME = 0.6
"""Share of an item's words that names it."""
CITED = 0.25
"""The same, where its message is cited beside them."""
_LETTERS = 12
"""Characters that count as one word where there are no spaces: twice the usual, so that prose is never cut by it."""
_UNRESOLVED = "[UNRESOLVED]"
_ASKED_KEPT = 4
"""Open questions, the newest, that a fold must keep."""
_STEM = 6
_WORD = re.compile(r"\w{4,}|\w*\d\w*")
_FIGURE = re.compile(r"(?<![\w.,:])\d+(?:[.,:]\d+)*(?!\w)|(?<![\w.,:])\d+(?=[^\W\d_])")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}\b)")


def length(text: str) -> int:
    """Words, by which summaries are measured."""
    return max(len(text.split()), len(text) // _LETTERS)


def most_words(material: Material, style: SummaryStyle) -> int:
    """How long the summary may be."""
    if style == "concise":
        return CONCISE
    texts = [line.text for line in material.lines] + [source.text for source in material.sources]
    return max(CONCISE, min(CONSERVATIVE, sum(map(length, texts))))


def stems(text: str) -> frozenset[str]:
    """The beginnings of the words that say something: those of four letters and more, and figures."""
    return frozenset(word[:_STEM] for word in _WORD.findall(text.lower()))


def figures(text: str) -> frozenset[str]:
    """The numbers in a text, without those of messages and items; 5,000 is 5000."""
    return frozenset(_FIGURE.findall(_GROUPED.sub("", text)))


def parts(text: str) -> list[str]:
    """The sentences of a text."""
    return [text[start:end] for start, end in sentences(normalise(text))]


def mentions(text: str, item: Item) -> bool:
    """Whether a text names an item: as it is listed, by its id, its words, or its message and some of its words."""
    if item.line in text or (item.id and re.search(rf"(?<![\w.]){re.escape(item.id)}(?!\w)", text)):
        return True
    wanted = stems(item.text)
    said = parts(text)
    for first, second in zip(["", *said], [*said, ""], strict=True):
        two = f"{first} {second}"
        shared = len(wanted & stems(two)) / len(wanted) if wanted else float(item.text.casefold() in two.casefold())
        if shared >= (CITED if re.search(rf"(?<!\w)m{item.message}(?!\w)", two) else SAME):
            return True
    return False


def complaints(text: str, material: Material, style: SummaryStyle) -> tuple[str, ...]:
    """What is wrong with a summary, a line each; empty where nothing is."""
    most = most_words(material, style)
    size = length(text)
    long = (f"It has {size} words; {most} are the most.",) if size > most else ()
    return (*long, *(f"It lacks: {line}" for line in _missing(text, material, style)))


def completed(text: str, material: Material, style: SummaryStyle) -> str:
    """The summary within its length, and after it what it lacks, as a list no longer than that."""
    most = most_words(material, style)
    text = shortened(text, most)
    lacking = _missing(text, material, style)
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
    """The text up to the last sentence that ends within `most` words; a longer first sentence breaks off."""
    if length(text) <= most:
        return text
    fitting = 0
    for _, end in sentences(normalise(text)):
        if length(text[:end]) > most:
            break
        fitting = end
    return text[:fitting] if fitting else " ".join(text.split()[:most])[: most * _LETTERS] + " ..."


def _missing(text: str, material: Material, style: SummaryStyle) -> list[str]:
    lost = [item.line for item in material.kept if not mentions(text, item)]
    lost += [
        line
        for line in unresolved(material.sources)
        if line not in text and not mentions(text, Item("question", 0, "", line))
    ]
    if style == "conservative":
        known = "\n".join((text, *lost))
        lost += _lost_figures(known, material.lines)
        known = "\n".join((text, *lost))
        lost += _lost_names(known, material.lines)
    return lost


def unresolved(sources: Iterable[Summary]) -> list[str]:
    """The last open questions that summaries tell of, oldest first."""
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
    """What stands for a speaker: the whole name, and its first word where nobody else's begins with it."""
    first = who.partition(" ")[0]
    alone = sum(other.partition(" ")[0] == first for other in all_names) == 1
    return [who.casefold(), *([first.casefold()] if alone and len(first) > 2 and first.lower() != "the" else [])]


def _said(line: Line, part: str) -> str:
    return f"{line.who} (m{line.number}): {' '.join(part.split())}"
