"""Reads Word files: paragraphs and tables under their headings. It needs python-docx."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any

from eda.panels.documents.document import Document, Headed, Source

_UNPACKED = 200_000_000
"""Bytes of all parts of a file, unpacked."""


def read(source: Source) -> Document:
    """Return the paragraphs and tables in order, without headers, footers and comments.

    Raises:
        EdaError: the file is broken, too large or holds no text.
    """
    import docx  # noqa: PLC0415 - where it is used

    text = Headed()
    try:
        with zipfile.ZipFile(io.BytesIO(source.raw)) as parts:
            if sum(part.file_size for part in parts.infolist()) > _UNPACKED:
                raise source.file.fault("unpacks to more than 200 MB", "Give the part that matters.")
        for paragraph, level in _paragraphs(docx.Document(io.BytesIO(source.raw))):
            if not text.add(paragraph, level):
                raise source.file.fault("holds too much text", "Give the part that matters.")
    except (zipfile.BadZipFile, KeyError, ValueError, AttributeError, SyntaxError) as error:
        raise source.file.fault("is a broken Word file", "Open it in Word and save it anew as .docx.") from error
    document = text.document(source.name)
    if not document.text:
        raise source.file.fault("holds no text", "Pictures are not read: save the text itself.")
    return document


def _paragraphs(inside: Any) -> Iterator[tuple[str, int]]:
    """Yield each paragraph with the level of its heading, else 0; of a table each row."""
    for part in inside.iter_inner_content():
        if hasattr(part, "rows"):
            for row in part.rows:
                cells = {id(cell._tc): " ".join(cell.text.split()) for cell in row.cells}  # noqa: SLF001 - merged cells
                yield " | ".join(cells.values()), 0
        else:
            name = (part.style.name if part.style is not None else "") or ""
            heading = re.fullmatch(r"(?:Heading (\d)|(Title))", name, re.IGNORECASE)
            yield part.text, int(heading[1] or 1) if heading else 0
