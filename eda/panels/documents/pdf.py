"""Reads PDF, page by page, in a process of its own. It needs pypdf, of the extra `documents`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from eda.panels.documents.document import MAX_TEXT, Document, Source
from eda.panels.files import CONTROLS
from eda.words import ENGLISH

PAGES = 2_000
"""Pages that are read."""
SECONDS = 120.0
"""How long the pages may take together."""
_LISTED = 5
_FAULTS = {
    "missing": ("pypdf, which reads it, is not installed", "pip install 'eda-panel[documents]'"),
    "password": ("needs a password", "Save a copy without one."),
    "cipher": ("is encrypted, and cryptography, which decrypts it, is not installed", "pip install cryptography"),
    "broken": ("is a broken PDF, or none", "Open it in a viewer and print it into a new PDF."),
}


def read(source: Source) -> Document:
    """Return the text of the pages. Those beyond a bound are left out, which the remark of the document says.

    Raises:
        EdaError: pypdf is not installed, or the file is broken, has a password, or no text.
    """
    rows = _rows(source.raw)
    if fault := rows[0].get("fault"):
        raise source.fault(*_FAULTS[fault])
    lines: list[str] = []
    places: list[tuple[int, str]] = []
    without: list[int] = []
    pages, size, last = rows[0]["pages"], 0, 0
    for number, row in enumerate(rows[1:], 1):
        page = [CONTROLS.sub(" ", line).strip() for line in row["text"].splitlines()]
        size += sum(map(len, page)) + len(page)
        if size > MAX_TEXT:
            break
        last = number
        if any(page):
            places.append((len(lines) + 1, str(number)))
            lines += [*page, ""]
        else:
            without.append(number)
    if not lines:
        raise source.fault(
            f"has no text on its {pages} pages: they are pictures" if pages else "has no page",
            "Run text recognition on it first, such as `ocrmypdf IN OUT`.",
        )
    return Document(source.name, "\n".join(lines).rstrip(), "page", tuple(places), _remark(pages, last, without))


def _rows(raw: bytes) -> list[dict[str, Any]]:
    """Return the lines of the process: as many as it wrote before it ended, or its time was up."""
    command = [sys.executable, "-P", str(Path(__file__).with_name("pdf_pages.py")), str(PAGES), str(MAX_TEXT)]
    pipe = subprocess.PIPE
    with subprocess.Popen(  # noqa: S603 - this interpreter, with a file of this package
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
    ) as child:
        try:
            written, _ = child.communicate(raw, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            written, _ = child.communicate()
        except BaseException:
            child.kill()
            raise
    whole = written[: written.rfind(b"\n") + 1]
    return [json.loads(line) for line in whole.splitlines()] or [{"fault": "broken"}]


def _remark(pages: int, last: int, without: list[int]) -> str:
    """Return which pages were not read, and which hold no text."""
    remarks = [ENGLISH.say("document-pages-read", last=str(last), pages=str(pages))] if last < pages else []
    if without:
        named = ", ".join(map(str, without[:_LISTED])) + (", ..." if len(without) > _LISTED else "")
        number = str(len(without))
        remarks.append(ENGLISH.say("document-pages-without", without=number, pages=str(pages), named=named))
    return ENGLISH.say("document-remarks", remarks=remarks)
