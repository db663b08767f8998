"""Reads plain text and Markdown as they stand: a line of the document is a line of the file."""

from __future__ import annotations

from eda.panels.documents.document import Document, Source

_OTHERS = {
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"PK\x03\x04": "a zip archive",
    b"\xd0\xcf\x11\xe0": "an Office file of an old kind, or one with a password",
    b"{\\rtf": "an RTF file",
}
"""How files begin that a name may pass off as text."""


def read(source: Source) -> Document:
    """Return the text.

    Raises:
        EdaError: it is empty, no UTF-8, or no text.
    """
    for begins, what in _OTHERS.items():
        if source.raw.startswith(begins):
            raise source.file.fault(f"is {what}, and no text", "Save its text as UTF-8, .docx or .pdf.")
    text = source.file.decoded(source.raw).rstrip()
    text = text.lstrip() if "\n" not in text[: len(text) - len(text.lstrip())] else text
    if not text.strip():
        raise source.file.fault("is empty", "Name a file that holds text.")
    return Document(source.name, text)
