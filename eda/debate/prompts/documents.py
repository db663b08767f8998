"""Context files in prompts: whole while all fit into one budget; of what does not fit, the passages on what is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from eda.events import MessagePosted
from eda.events.records import Line
from eda.memory.recall.recall import Recall
from eda.panels.files import Document
from eda.text import quoted, rough_tokens

ROOM = 24_000
"""Tokens, as estimated, of all files that are shown whole: the shortest ones first."""
_LONGEST = 800
"""Characters of a passage."""
_SHOWN = 5
"""Passages of a prompt."""
_TITLE = "## From the context files"
_NOTICE = (
    "(It has {:,} lines, too many to be shown whole. Passages of it that bear on what is said are shown further on, "
    "each with its lines; what is not shown may still stand there.)"
)


@dataclass(frozen=True, slots=True)
class _Passage:
    name: str
    first: int
    """Lines of the file, from 1, both included."""
    last: int
    text: str

    def __str__(self) -> str:
        lines = f"line {self.first}" if self.first == self.last else f"lines {self.first}-{self.last}"
        return f"- {quoted(self.name)}, {lines}:\n    {quoted(self.text)}"


class Reading:
    """What a panel has to read."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._whole = frozenset(_fitting(documents))

    @property
    def in_part(self) -> tuple[str, ...]:
        """The names of the files that are too long to be shown whole."""
        return tuple(doc.name for place, doc in enumerate(self._documents) if place not in self._whole)

    @property
    def texts(self) -> tuple[str, ...]:
        """What is shown of each file at the beginning of a prompt: all of it, or that it is too long."""
        return tuple(
            doc.text if place in self._whole else _NOTICE.format(doc.text.count("\n") + 1)
            for place, doc in enumerate(self._documents)
        )

    def passages(self, about: str) -> str:
        """Return what the files that are not shown whole say about something, with its lines; else an empty text."""
        if not self.in_part or not about.strip():
            return ""
        numbers = sorted(one.message_id for one in self._index.search(about, _SHOWN))
        return "\n".join((_TITLE, *(str(self._cut[number - 1]) for number in numbers))) if numbers else ""

    @cached_property
    def _cut(self) -> tuple[_Passage, ...]:
        long = (doc for place, doc in enumerate(self._documents) if place not in self._whole)
        return tuple(passage for doc in long for passage in _passages(doc))

    @cached_property
    def _index(self) -> Recall:
        index = Recall(lambda number: Line(number, self._cut[number - 1].name, self._cut[number - 1].text))
        for number, passage in enumerate(self._cut, 1):
            index.add(MessagePosted(number=number, who=passage.name, text=passage.text))
        return index


def _fitting(documents: Sequence[Document]) -> Iterator[int]:
    room = ROOM
    for place in sorted(range(len(documents)), key=lambda each: len(documents[each].text)):
        room -= rough_tokens(len(documents[place].text))
        if room < 0:
            return
        yield place


def _passages(document: Document) -> Iterator[_Passage]:
    """Yield whole lines as far as they fit; from an empty line or a heading on, a new one begins once half is used."""
    lines: list[tuple[int, str]] = []
    size = 0
    for number, line in enumerate(document.text.splitlines(), 1):
        for piece in _pieces(line):
            opens = size > _LONGEST // 2 and (not piece or piece.startswith("#"))
            if lines and (opens or size + len(piece) > _LONGEST):
                yield _joined(document, lines)
                lines, size = [], 0
            if piece:
                lines.append((number, piece))
                size += len(piece) + 1
    if lines:
        yield _joined(document, lines)


def _joined(document: Document, lines: Sequence[tuple[int, str]]) -> _Passage:
    return _Passage(document.name, lines[0][0], lines[-1][0], "\n".join(text for _, text in lines))


def _pieces(line: str) -> Iterator[str]:
    """Yield a line, cut between words where it is longer than a passage."""
    line = line.strip()
    while len(line) > _LONGEST:
        end = line.rfind(" ", _LONGEST // 2, _LONGEST)
        end = end if end > 0 else _LONGEST
        yield line[:end].rstrip()
        line = line[end:].lstrip()
    yield line
