"""Reads each kind of document: plain text and Markdown, tables, HTML, Word and PDF."""

import csv
import io
import logging
import time
import zipfile
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from eda.panels.documents.document import MAX_TEXT, Document, Headed, Source
from eda.panels.files import CONTROLS
from eda.text import regex
from eda.words import ENGLISH

if TYPE_CHECKING:
    from pypdf import PdfReader
    from resiliparse.parse.html import DOMContext

# How files begin that a name may pass off as text.
_OTHERS = {
    b"\x89PNG": "png",
    b"\xff\xd8\xff": "jpeg",
    b"GIF8": "gif",
    b"PK\x03\x04": "zip",
    b"\xd0\xcf\x11\xe0": "office",
    b"{\\rtf": "rtf",
}


def read_text(source: Source) -> Document:
    """Return the text.

    Raises:
        EdaError: it is empty, no UTF-8, or no text.
    """
    for begins, kind in _OTHERS.items():
        if source.raw.startswith(begins):
            raise source.file.wrong("error-other-kind", kind=kind)
    text = source.file.decoded(source.raw).rstrip()
    text = text.lstrip() if "\n" not in text[: len(text) - len(text.lstrip())] else text
    if not text.strip():
        raise source.file.wrong("error-blank")
    return Document(source.name, text)


_SEPARATORS = ",;\t|"
_ROWS_LOOKED_AT = 20  # Rows by which the separator is told.


def read_table(source: Source) -> Document:
    """Return the table in Markdown, with the number of each row: the header is row 1.

    Raises:
        EdaError: a row cannot be read, or no row has two values.
    """
    text = source.file.decoded(source.raw)
    begins = "\n".join(text.split("\n")[:_ROWS_LOOKED_AT])
    separator = "\t" if source.suffix == ".tsv" else max(_SEPARATORS, key=lambda each: _columns(begins, each))
    reader = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    rows: list[list[str]] = []
    try:
        rows += [[" ".join(value.split()).replace("|", "\\|") for value in row] for row in reader if row]
    except csv.Error as error:
        raise source.file.wrong("error-no-table", reader.line_num, error=str(error)) from error
    width = max(map(len, rows), default=0)
    if width == 0:
        raise source.file.wrong("error-blank")
    lines = [_line([str(number), *row, *[""] * (width - len(row))]) for number, row in enumerate(rows, 1)]
    lines[0] = _line(["row", *rows[0], *[""] * (width - len(rows[0]))])
    return Document(source.name, "\n".join((lines[0], "|---" * (width + 1) + "|", *lines[1:])), "row")


def _columns(text: str, separator: str) -> tuple[int, int]:
    """Return the least number of values that all first rows have with a separator, and the sum."""
    try:
        counts = [len(row) for row in csv.reader(io.StringIO(text), delimiter=separator) if row]
    except csv.Error:
        return 0, 0
    return min(counts, default=0), sum(counts)


def _line(values: list[str]) -> str:
    return f"| {' | '.join(values)} |"


# Elements whose text is no part of a page's own text. A header inside the main part is.
_HIDDEN = frozenset(
    {"script", "style", "noscript", "template", "nav", "header", "footer", "aside", "form", "svg", "head", "iframe"}
)
_MAIN = frozenset({"main", "article"})
_BLOCKS = frozenset(
    {"p", "div", "section", "article", "main", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ul", "ol", "dt", "dd"}
    | {"table", "caption", "tr", "blockquote", "pre", "br", "hr", "figcaption"}
)
_ELEMENT, _TEXT_NODE = 1, 3  # Types of nodes, as the standard of the DOM numbers them.
_CELLS = frozenset({"td", "th"})
_DECLARED = regex(rb"""charset\s*=\s*["']?\s*([\w-]+)""", "I")


class _Page:
    """Collects the paragraphs of a page, each with the level of its heading and whether it is in the main part."""

    def __init__(self) -> None:
        self.parts: list[tuple[str, int, bool]] = []
        self._text: list[str] = []
        self._open: list[tuple[int, str, bool]] = []  # elements: how deep, what, and whether hidden
        self._level = self._hidden = self._main = 0

    def begin(self, context: "DOMContext") -> None:
        """Take a node in."""
        node: Any = context.node
        self.leave(context.depth)
        if node.type == _TEXT_NODE and not self._hidden:
            self._text.append(node.value)
        elif node.type == _ELEMENT:
            tag = node.tag
            if tag in _BLOCKS:
                self.end()
            if tag in _CELLS and any(piece.strip() for piece in self._text[-2:]):
                self._text.append(" | ")
            if tag == "li":
                self._text.append("- ")
            if regex("h[1-6]").fullmatch(tag):
                self._level = int(tag[1])
            unseen = node.hasattr("hidden") or node.getattr("aria-hidden") == "true"
            hidden = unseen or (tag in _HIDDEN and not (tag == "header" and self._main))
            self._open.append((context.depth, tag, hidden))
            self._hidden += hidden
            self._main += tag in _MAIN

    def leave(self, depth: int) -> None:
        """End the elements that are as deep, or deeper."""
        while self._open and self._open[-1][0] >= depth:
            _, tag, hidden = self._open.pop()
            if tag in _BLOCKS:
                self.end()
            self._hidden -= hidden
            self._main -= tag in _MAIN

    def end(self) -> None:
        """End a paragraph."""
        text = " ".join("".join(self._text).split())
        if text and text != "-":
            self.parts.append((text, self._level, self._main > 0))
        self._text, self._level = [], 0


def read_html(source: Source) -> Document:
    """Return the text of the main part where the page marks one, else of the whole page.

    Raises:
        EdaError: the page holds no text.
    """
    from resiliparse.parse.html import HTMLTree, traverse_dom  # noqa: PLC0415 - slow to import, and hardly ever needed

    page, text = _Page(), Headed()
    try:
        declared = _DECLARED.search(source.raw[:2_000])
        raw = source.raw.decode(declared[1].decode()).encode() if declared else source.raw
        tree: Any = HTMLTree.parse(source.file.decoded(raw))
        traverse_dom(tree.document, page.begin)
    except (LookupError, UnicodeError) as error:  # an encoding that cannot be read
        raise source.file.wrong("error-broken-html", error=str(error)) from error
    page.leave(0)
    main = [part for part in page.parts if part[2]]
    if not all(text.add(part, level) for part, level, _ in main or page.parts):
        raise source.file.wrong("error-much")
    return text.document(source, "error-no-page-text")


_UNPACKED = 200_000_000  # Bytes of all parts of a file, unpacked.


def read_word(source: Source) -> Document:
    """Return the paragraphs and tables in order, without headers, footers and comments.

    Raises:
        EdaError: the file is broken, too large or holds no text.
    """
    import docx  # noqa: PLC0415 - where it is used

    text = Headed()
    try:
        with zipfile.ZipFile(io.BytesIO(source.raw)) as parts:
            source.file.check_unpacked(parts.infolist(), _UNPACKED, "Give the part that matters.")
        for paragraph, level in _paragraphs(docx.Document(io.BytesIO(source.raw))):
            if not text.add(paragraph, level):
                raise source.file.wrong("error-much")
    except (zipfile.BadZipFile, KeyError, ValueError, AttributeError, SyntaxError) as error:
        raise source.file.wrong("error-broken-word") from error
    return text.document(source, "error-pictures")


def _paragraphs(inside: Any) -> Iterator[tuple[str, int]]:
    """Yield each paragraph with the level of its heading, else 0; of a table each row."""
    for part in inside.iter_inner_content():
        if hasattr(part, "rows"):
            for row in part.rows:
                cells = {id(cell._tc): " ".join(cell.text.split()) for cell in row.cells}  # noqa: SLF001 - merged cells
                yield " | ".join(cells.values()), 0
        else:
            name = (part.style.name if part.style is not None else "") or ""
            heading = regex(r"(?:Heading (\d)|(Title))", "I").fullmatch(name)
            yield part.text, int(heading[1] or 1) if heading else 0


PAGES = 2_000
"""Pages that are read."""
SECONDS = 10.0
"""After which no further page is begun."""
_LISTED = 5
_FAULTS = {
    "password": "error-pdf-password",
    "cipher": "error-pdf-cipher",
    "broken": "error-pdf-broken",
}


def read_pdf(source: Source) -> Document:
    """Return the text of the pages. Those beyond a bound are left out, which the remark of the document says.

    Raises:
        EdaError: the file is broken, has a password, or no text.
    """
    reader = _opened(source)
    lines: list[str] = []
    places: list[tuple[int, str]] = []
    without: list[int] = []
    pages, size, last, end = len(reader.pages), 0, 0, time.monotonic() + SECONDS
    for number, text in enumerate(_texts(reader), 1):
        page = [CONTROLS.sub(" ", line).strip() for line in text.splitlines()]
        size += sum(map(len, page)) + len(page)
        if size > MAX_TEXT or time.monotonic() > end:
            break
        last = number
        if any(page):
            places.append((len(lines) + 1, str(number)))
            lines += [*page, ""]
        else:
            without.append(number)
    if not lines:
        raise source.file.wrong("error-pdf-pictures", count=pages)
    return Document(source.name, "\n".join(lines).rstrip(), "page", tuple(places), _remark(pages, last, without))


def _opened(source: Source) -> "PdfReader":
    from pypdf import PdfReader  # noqa: PLC0415 - where it is used
    from pypdf.errors import DependencyError  # noqa: PLC0415

    logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)  # it tells each fault of a file
    fault = "broken"
    try:
        reader = PdfReader(io.BytesIO(source.raw))
        fault = "password" if reader.is_encrypted and not reader.decrypt("") else ""
        len(reader.pages)
    except DependencyError:
        fault = "cipher"
    except Exception:  # noqa: BLE001 - a broken file fails in any way
        fault = fault or "broken"
    if fault:
        raise source.file.wrong(_FAULTS[fault])
    return reader


def _texts(reader: "PdfReader") -> Iterator[str]:
    for page in islice(reader.pages, PAGES):
        try:
            text = page.extract_text()
        except Exception:  # noqa: BLE001
            text = ""
        yield text.encode("utf-8", "replace").decode("utf-8")


def _remark(pages: int, last: int, without: list[int]) -> str:
    """Return which pages were not read, and which hold no text."""
    remarks = [ENGLISH.say("document-pages-read", last=str(last), pages=str(pages))] if last < pages else []
    if without:
        named = ", ".join(map(str, without[:_LISTED])) + (", ..." if len(without) > _LISTED else "")
        number = str(len(without))
        remarks.append(ENGLISH.say("document-pages-without", without=number, pages=str(pages), named=named))
    return ENGLISH.say("document-remarks", remarks=remarks)
