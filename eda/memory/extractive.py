"""A summary without a model, in the form of one: what weighs most, whole sentences, a line each, within a bound."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eda.memory.checks import figures, length, most_words, parts, stems, unresolved
from eda.memory.material import Item, Material
from eda.protocols import Line
from eda.settings import SummaryStyle

__all__ = ["extractive_summary", "open_questions"]

_PER_SPEAKER = 2
_FEWEST_SPACES = 4
"""A shorter sentence says nothing alone, but where it holds a figure."""
_SOON = 3
"""Messages after a question in which its answer is looked for."""
_ASKED = 3
"""Open questions of a range, at most: the last ones."""
_ANSWERS = 0.3
"""Share of a question's words that its answer takes up."""
_LONG_WORD = re.compile(r"\w{4,}")
"""A crude way to leave out what every sentence has."""
_NAME = re.compile(r"(?<=[a-z,] )[A-Z]\w+")
_MARKS = ("Agreed:", "Disagreed:", "Decided:", "Proposed by", "[UNRESOLVED]")
"""How the lines of the sections after the key points begin, in their order."""
_LAST_WANTED = 9
_FIRST_WANTED = {"Decided:": 0, "Proposed by": 1, "[UNRESOLVED]": 2, "Agreed:": 4, "Disagreed:": 4}


@dataclass(frozen=True, slots=True)
class _Part:
    text: str
    wanted: float
    """The least is taken first."""

    @property
    def section(self) -> int:
        return next((place for place, mark in enumerate(_MARKS, 1) if self.text.startswith(mark)), 0)


def extractive_summary(material: Material, style: SummaryStyle = "concise") -> str:
    """Key points, agreements, disagreements, decisions, open proposals and questions, in this order, a line each.

    Decisions, proposals and questions are taken first, then each speaker's weightiest sentence, then the others.
    """
    found = _folded(material) if material.sources else _said(material, style)
    taken = _fitting(found, most_words(material, style))
    return "\n".join(taken) or f"{len(material.lines)} short messages without a statement."


def open_questions(lines: Sequence[Line], after: Sequence[Line] = ()) -> list[Item]:
    """The last questions of a range that no other speaker took up in the next messages."""
    said = [*lines, *after]
    asked = [
        Item("question", line.number, line.who, " ".join(part.split()))
        for place, line in enumerate(lines)
        for part in parts(line.text)
        if part.endswith("?") and part.count(" ") >= _FEWEST_SPACES
        if not any(_answers(later, line, part) for later in said[place + 1 : place + 1 + _SOON])
    ]
    return asked[-_ASKED:]


def _answers(later: Line, asker: Line, question: str) -> bool:
    if later.who == asker.who:
        return False
    wanted = stems(question)
    first = asker.who.split()[:1]
    named = any(name.lower() != "the" and re.search(rf"\b{re.escape(name)}\b", later.text) for name in first)
    cited = re.search(rf"(?<!\w)m{asker.number}(?!\w)", later.text)
    return bool(named or cited) or (bool(wanted) and len(wanted & stems(later.text)) >= _ANSWERS * len(wanted))


def _fitting(found: Iterable[_Part], most: int) -> list[str]:
    """What fits into `most` words, the most wanted first, in the order of the sections."""
    found = list({part.text: part for part in reversed(list(found))}.values())[::-1]
    taken: list[int] = []
    for place in sorted(range(len(found)), key=lambda place: found[place].wanted):
        size = length(found[place].text)
        if size <= most:
            most -= size
            taken.append(place)
    return [found[place].text for place in sorted(taken, key=lambda place: (found[place].section, place))]


def _listed(items: Iterable[Item]) -> list[_Part]:
    lines = [item.line for item in items]
    return [_Part(line, next(rank for mark, rank in _FIRST_WANTED.items() if line.startswith(mark))) for line in lines]


def _said(material: Material, style: SummaryStyle) -> list[_Part]:
    items = [item for item in material.items if item.kind != "question"]
    return [*_key_points(material.lines, style), *_listed([*items, *open_questions(material.lines, material.after)])]


def _key_points(lines: Sequence[Line], style: SummaryStyle) -> list[_Part]:
    said = [(line, part) for line in lines for part in parts(line.text) if _says_something(part)]
    weights = _weights([part for _, part in said])
    if style == "conservative":
        weights = [
            weight + bool(figures(part)) + bool(_NAME.search(part))
            for weight, (_, part) in zip(weights, said, strict=True)
        ]
    ranks: dict[int, float] = {}
    taken: Counter[str] = Counter()
    for order, place in enumerate(sorted(range(len(said)), key=lambda place: (-weights[place], place))):
        who = said[place][0].who
        taken[who] += 1
        if taken[who] <= _PER_SPEAKER or style == "conservative":
            ranks[place] = 3 if taken[who] == 1 else 5 + order / len(said)
    points = ((said[place], rank) for place, rank in sorted(ranks.items()))
    return [_Part(f"{line.who} (m{line.number}): {' '.join(part.split())}", rank) for (line, part), rank in points]


def _folded(material: Material) -> list[_Part]:
    lines = [line.removeprefix("- ").strip() for source in material.sources for line in source.text.splitlines()]
    told = [part for line in lines for part in ([line] if length(line) < _LONG_LINE else parts(line)) if part]
    told = [part for part in told if part != "Also:"]
    weights = _weights(told)
    order = sorted(range(len(told)), key=lambda place: (-weights[place], place))
    ranks = {place: 5 + rank / len(told) for rank, place in enumerate(order)}
    asked = set(unresolved(material.sources))
    known = [_Part(part, _rank_of(part, ranks[place], asked)) for place, part in enumerate(told)]
    return [*known, *_listed(material.items)]


def _rank_of(part: str, rank: float, asked: set[str]) -> float:
    """Of a line that was told: what was decided or asked last goes before the rest, older questions after it."""
    if "[UNRESOLVED]" in part:
        return _FIRST_WANTED["[UNRESOLVED]"] + 0.5 if part in asked else _LAST_WANTED
    return 0.5 if part.startswith("Decided:") else rank


def _weights(texts: Sequence[str]) -> list[float]:
    """How much of what the whole is about each text holds, for its length."""
    found = [set(_LONG_WORD.findall(text.lower())) for text in texts]
    heard = Counter(word for words in found for word in words)
    return [sum(map(heard.__getitem__, words)) / (8 + len(text) / 6) for text, words in zip(texts, found, strict=True)]


def _says_something(part: str) -> bool:
    return part.count(" ") >= _FEWEST_SPACES or (" " in part and bool(figures(part)))


_LONG_LINE = 60
"""Words from which a line of a summary is taken sentence by sentence."""
