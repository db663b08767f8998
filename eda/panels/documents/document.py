"""`Document`: a text that a panel is given, with the places by which it is cited."""

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from eda.panels.files import CONTROLS, UserFile
from eda.text import lower

MAX_TEXT = 4_000_000
"""Characters of one document, whatever it was read from."""
Unit = Literal["line", "page", "heading", "row"]


@dataclass(frozen=True, slots=True)
class Document:
    """A text that the panel must have read."""

    name: str
    """The file's name without its folder; within a folder its path there; of a page of the web its address."""
    text: str
    unit: Annotated[Unit, Field(exclude_if=lambda unit: unit == "line")] = "line"
    """By what it is cited. A row of a table has a line of the text; the first row is the header."""
    places: Annotated[tuple[tuple[int, str], ...], Field(exclude_if=lambda places: not places)] = ()
    """Where each page, or what follows each heading, begins: a line of the text, from 1, and the number or heading."""
    remark: Annotated[str, Field(exclude_if=lambda remark: not remark)] = ""
    """What of it could not be read; empty where all could."""
    about: Annotated[str, Field(exclude_if=lambda about: not about)] = ""
    """The description of the skill that it belongs to: members look it up, and it is not shown whole."""

    @property
    def last(self) -> int:
        """The number of its last page, line or row; 0 where it is cited by headings."""
        if self.unit in ("page", "heading"):
            return int(self.places[-1][1]) if self.unit == "page" else 0
        return self.text.count("\n") + (self.unit == "line")

    @property
    def size(self) -> str:
        """How long it is, in what it is cited by: `500 pages`."""
        return f"{self.last:,} {self.unit}s" if self.unit != "heading" else f"{len(self.places)} sections"

    def begins(self, number: int) -> int:
        """Return the line of the text at which a page, a row or a line begins; 0 where there is none of that number."""
        if self.unit == "page":
            return next((line for line, name in self.places if name == str(number)), 0)
        return (number + (self.unit == "row")) * (number <= self.last)

    def place(self, first: int, last: int) -> str:
        """Return the place of lines of the text, from 1, both included: `l. 12`, `p. 7-8`, `row 4`, `"Costs"`."""
        if self.unit == "line":
            return _span("l.", str(first), str(last))
        if self.unit == "row":
            return _span("row", str(max(1, first - 1)), str(max(1, last - 1)))
        begins = [line for line, _ in self.places]
        one, other = (self.places[max(0, bisect_right(begins, line) - 1)][1] for line in (first, last))
        if self.unit == "page":
            return _span("p.", one, other)
        return f'"{one}"' if one == other else f'"{one}" to "{other}"'


_PLACE = r"(?P<{0}_unit>l\.|lines?|p\.|pages?|rows?|zeilen?|s\.|seiten?)\s*(?P<{0}>\d{{1,6}})"
_OF = r"\s+(?:of|in|von|aus)\s+"
UNITS: Mapping[Unit, tuple[str, str]] = {"page": ("p.", "ps"), "line": ("l.", "lz"), "row": ("row", "rz")}
"""How a place of each kind is written, and how words for it begin in each language."""


@lru_cache(maxsize=16)
def citing(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return what finds the `name` of a document in small letters, with the place `before` or `after` it, if any."""
    either = "|".join(re.escape(lower(name)) for name in sorted(names, key=len, reverse=True))
    before, after = (_PLACE.format(where) for where in ("before", "after"))
    return re.compile(rf"(?:{before}{_OF})?(?<!\w)(?P<name>{either})(?!\w)(?:[\s,:(]+{after})?")


def _span(unit: str, first: str, last: str) -> str:
    return f"{unit} {first}" if first == last else f"{unit} {first}-{last}"


class Source(NamedTuple):
    """What a document is read from."""

    name: str
    raw: bytes
    suffix: str
    """Of the file, in lower case, with its dot; empty where there is none."""
    file: UserFile
    """Makes errors about it, and decodes its text."""


class Headed:
    """Gathers paragraphs under headings, one line each."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._places: list[tuple[int, str]] = []
        self._size = 0

    def add(self, text: str, level: int = 0) -> bool:
        """Add a paragraph, or a heading of a level from 1; return False once the document is as long as it may be."""
        line = " ".join(CONTROLS.sub(" ", text).split())
        if not line:
            return True
        if level:
            self._lines += [""] if self._lines else []
            self._places.append((len(self._lines) + 1, line))
        elif not self._lines:
            self._places.append((1, "beginning"))
        self._lines.append(f"{'#' * level} {line}" if level else line)
        self._size += len(line) + 1
        return self._size < MAX_TEXT

    def document(self, source: Source, empty: str) -> Document:
        """Return the document of what was added; the fault of that name is raised where nothing was."""
        if not self._lines:
            raise source.file.wrong(empty)
        return Document(source.name, "\n".join(self._lines), "heading", tuple(self._places))
