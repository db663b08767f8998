"""Reads PDF, page by page. It needs pypdf."""

from __future__ import annotations

import io
import logging
import time
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from eda.panels.documents.document import MAX_TEXT, Document, Source
from eda.panels.files import CONTROLS
from eda.words import ENGLISH

if TYPE_CHECKING:
    from pypdf import PdfReader

PAGES = 2_000
"""Pages that are read."""
SECONDS = 10.0
"""After which no further page is begun."""
_LISTED = 5
_FAULTS = {
    "password": ("needs a password", "Save a copy without one."),
    "cipher": ("is encrypted, and cryptography, which decrypts it, is not installed", "pip install cryptography"),
    "broken": ("is a broken PDF, or none", "Open it in a viewer and print it into a new PDF."),
}


def read(source: Source) -> Document:
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
        raise source.file.fault(
            f"has no text on its {pages} pages: they are pictures" if pages else "has no page",
            "Run text recognition on it first, such as `ocrmypdf IN OUT`.",
        )
    return Document(source.name, "\n".join(lines).rstrip(), "page", tuple(places), _remark(pages, last, without))


def _opened(source: Source) -> PdfReader:
    from pypdf import PdfReader  # noqa: PLC0415 - where it is used
    from pypdf.errors import DependencyError  # noqa: PLC0415

    logging.disable()
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
        raise source.file.fault(*_FAULTS[fault])
    return reader


def _texts(reader: PdfReader) -> Iterator[str]:
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
