"""Reads the context files that a panel must have read: text, in UTF-8, at most 1 MB."""

from __future__ import annotations

from pathlib import Path

from eda.errors import InputError
from eda.records import Document

__all__ = ["MAX_BYTES", "read_document"]

MAX_BYTES = 1_000_000


def read_document(path: Path) -> Document:
    """The file as a document.

    Raises:
        InputError: it is missing, no file, unreadable, over 1 MB, or no text; says which.
    """
    try:
        if path.is_dir():
            raise InputError(f"context file {path} is a folder", hint="Name the files in it, one --context each.")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise InputError(f"context file {path} does not exist") from None
    except OSError as error:
        raise InputError(f"context file {path} cannot be read: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise InputError(f"context file {path} is over 1 MB", hint="Give the part that matters.")
    if b"\0" in data:
        raise InputError(f"context file {path} is binary, not text")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"context file {path} is no UTF-8 text (byte {error.start})", hint="Save it as UTF-8."
        ) from None
    if not text.strip():
        raise InputError(f"context file {path} is empty")
    return Document(path.name, text.strip())
