"""Context files in prompts: whole while all fit into one budget; of what does not fit, the passages on what is said."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from textwrap import TextWrapper

from eda.events import Line, MessagePosted
from eda.memory.recall.recall import Recall
from eda.panels.documents.document import Document
from eda.text import quoted, rough_tokens

ROOM = 24_000  # Tokens, as estimated, of all files that are shown whole: the shortest ones first.
_LONGEST = 800  # Characters of a passage.
_SHOWN = 5  # Passages of a prompt.
_ROWS = 3  # The line of a table's text at which rows begin below the header.
_TITLE = "## From the context files"
_NOTICE = (
    "(It has {}, too many to be shown whole. Passages of it that bear on what is said are shown further on, "
    "each with its place; what is not shown may still stand there.)"
)
_SKILL = "(Knowledge to look up, in {}: {})"
_MARKED = 10  # Lines of a text after which the number of a line is shown, where no paragraph begins.


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of a document."""

    document: Document
    first: int  # Lines of the document's text, from 1, both included.
    last: int
    text: str

    @property
    def source(self) -> str:
        """How it is cited: `report.pdf p. 7`."""
        return f"{self.document.name} {self.document.place(self.first, self.last)}"

    @property
    def shown(self) -> str:
        """The text; below the header where it is the rows of a table."""
        if self.document.unit != "row" or self.first < _ROWS:
            return self.text
        return "\n".join((*self.document.text.split("\n", _ROWS - 1)[: _ROWS - 1], self.text))

    def __str__(self) -> str:
        return f"- {quoted(self.source)}:\n    {quoted(self.shown)}"


def _indexed(documents: Sequence[Document]) -> tuple[Sequence[Passage], Recall]:
    """Return the passages of documents, and what searches them: by their places, from 1."""
    passages = [passage for document in documents for passage in _passages(document)]
    names = [passage.document.name for passage in passages]
    index = Recall(lambda number: Line(number, names[number - 1], passages[number - 1].text))
    for number, passage in enumerate(passages, 1):
        index.add(MessagePosted(number=number, who=names[number - 1], text=passage.text))
    return passages, index


class Reading:
    """What a panel has to read."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = tuple(documents)
        self._whole = frozenset(_fitting(documents))
        self._indexed = lru_cache(maxsize=2)(_indexed)

    @property
    def in_part(self) -> tuple[str, ...]:
        """The names of the files that are too long to be shown whole."""
        return tuple(doc.name for doc in self._long)

    @property
    def named(self) -> tuple[str, ...]:
        """The names of all files, each with what of it is not shown to everybody and what could not be read."""
        names = []
        for place, doc in enumerate(self._documents):
            part = "" if place in self._whole else f"in part: {doc.size}, looked up as needed"
            told = "; ".join(filter(None, (part, doc.remark)))
            names.append(f"{doc.name} ({told})" if told else doc.name)
        return tuple(names)

    @property
    def texts(self) -> tuple[str, ...]:
        """What is shown of each file at the beginning of a prompt: all of it, or that it is too long."""
        return tuple(
            _marked(doc)
            if place in self._whole
            else (_SKILL if doc.about else _NOTICE).format(doc.size, quoted(doc.about))
            for place, doc in enumerate(self._documents)
        )

    def passages(self, about: str) -> str:
        """Return what the files that are not shown whole say about something, with its places; else an empty text."""
        found = self.search(about, _SHOWN, self._long) if self._long else []
        found = sorted(found, key=lambda passage: (self._documents.index(passage.document), passage.first))
        return "\n".join((_TITLE, *map(str, found))) if found else ""

    def search(self, about: str, most: int, files: tuple[Document, ...] = ()) -> list[Passage]:
        """Return up to `most` passages of these files, or of all, that say most about something, best first."""
        passages, index = self._indexed(files or self._documents)
        found = index.search(about, most) if passages and about.strip() else ()
        return [passages[each.message_id - 1] for each in found]

    @cached_property
    def _long(self) -> tuple[Document, ...]:
        return tuple(doc for place, doc in enumerate(self._documents) if place not in self._whole)


def _marked(document: Document) -> str:
    """Return a document's text with the places by which it is cited, where its own words do not tell them."""
    if document.unit == "page":
        begins = {line: f"[p. {name}]\n" for line, name in document.places}
    elif document.unit == "line":
        begins = {number: f"[l. {number}] " for number in _paragraphs(document.text)}
    else:
        return document.text
    return "\n".join(begins.get(number, "") + line for number, line in enumerate(document.text.splitlines(), 1))


def _paragraphs(text: str) -> Iterator[int]:
    """Yield the numbers of lines, after the first, at which a paragraph begins, and of others so that none is far."""
    lines, last = text.splitlines(), 1
    for number, (before, line) in enumerate(pairwise(lines), 2):
        if line.strip() and (not before.strip() or number - last >= _MARKED):
            last = number
            yield number


def _fitting(documents: Sequence[Document]) -> Iterator[int]:
    room = ROOM
    plain = (place for place, document in enumerate(documents) if not document.about)
    for place in sorted(plain, key=lambda each: len(documents[each].text)):
        room -= rough_tokens(len(documents[place].text))
        if room < 0:
            return
        yield place


def _passages(document: Document) -> Iterator[Passage]:
    """Yield whole lines as far as they fit; from an empty line or a heading on, a new one begins once half is used.

    Each page begins a new one.
    """
    pages = {line for line, _ in document.places} if document.unit == "page" else set()
    lines: list[tuple[int, str]] = []
    size = 0
    wrapper = TextWrapper(_LONGEST - 1, expand_tabs=False, replace_whitespace=False, break_on_hyphens=False)
    for number, line in enumerate(map(str.strip, document.text.splitlines()), 1):
        for piece in wrapper.wrap(line) if len(line) > _LONGEST else [line]:
            opens = size > _LONGEST // 2 and (not piece or piece.startswith("#"))
            if lines and (opens or size + len(piece) > _LONGEST or (number in pages and lines[-1][0] < number)):
                yield _joined(document, lines)
                lines, size = [], 0
            if piece:
                lines.append((number, piece))
                size += len(piece) + 1
    if lines:
        yield _joined(document, lines)


def _joined(document: Document, lines: Sequence[tuple[int, str]]) -> Passage:
    return Passage(document, lines[0][0], lines[-1][0], "\n".join(text for _, text in lines))
