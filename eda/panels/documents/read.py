"""Reads what a user named as documents: the kind is told by how a file begins, then by its suffix."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from eda.errors import EdaError, InputError
from eda.panels.documents import web
from eda.panels.documents.child import read_apart
from eda.panels.documents.document import Document, Source
from eda.panels.documents.kinds import read_html, read_pdf, read_table, read_text, read_word
from eda.panels.files import MAX_BYTES, UserFile
from eda.words import ENGLISH

SKILL = "SKILL.md"
"""The file of a skill; what stands beside it or below belongs to it."""
MOST_FILES = 200
"""Documents of one folder."""
_PACKED = 50_000_000
"""Bytes of a file that holds more than its text."""
_DOCUMENT = TypeAdapter(Document)
_LOOKED_AT = 10_000
"""Files and folders of one folder that are looked at."""


class Kind(NamedTuple):
    """A kind of document."""

    suffixes: tuple[str, ...]
    read: Callable[[Source], Document]
    begins: bytes = b""
    """What the first kilobyte holds, whatever the suffix; empty where only the suffix tells."""
    limit: int = MAX_BYTES
    """Bytes of a file."""


KINDS = (
    Kind((".pdf",), read_pdf, b"%PDF-", _PACKED),
    Kind((".docx",), read_word, b"[Content_Types].xml", _PACKED),
    Kind((".html", ".htm", ".xhtml"), read_html),
    Kind((".csv", ".tsv"), read_table),
    Kind((".txt", ".md", ".markdown", ".rst", ".org", ".log"), read_text),
)
"""The last one reads what no other does."""
_KNOWN = frozenset(suffix for kind in KINDS for suffix in kind.suffixes)


def read_document(what: Path | str) -> Document:
    """Return a file, `-` for standard input, or a page of the web as a document.

    Raises:
        InputError: it is missing, a folder, unreadable, too large, empty, or holds no text; says which.
    """
    if web.is_url(str(what)):
        return _read(web.fetched(str(what)))
    path = Path(what)
    file = UserFile(path, InputError, what="context file")
    raw = file.raw(_PACKED)
    name = "standard input" if str(path) == "-" else path.name
    document = _read(Source(name, raw, path.suffix.lower(), file))
    if name != SKILL:
        return document
    return replace(document, name=f"{path.absolute().parent.name}/{name}", about=_about(file, document.text))


def _about(file: UserFile, text: str) -> str:
    """Return what a skill is good for, as its front matter says; empty where it has none."""
    from eda.panels.front_matter import read_front_matter  # noqa: PLC0415 - a saved session needs no YAML

    with suppress(EdaError):
        return " ".join(str(read_front_matter(file, text, ("description",)).keys.get("description", "")).split())
    return ""


def document_of(name: str, raw: bytes) -> Document:
    """Return the bytes of a file that was sent, under its name without folders, as a document.

    Raises:
        InputError: it is too large, empty, broken, or holds no text.
    """
    path = Path(name.replace("\\", "/").rpartition("/")[2] or "document")
    file = UserFile(path, InputError, what="document")
    return _read(Source(path.name, raw, path.suffix.lower(), file))


def read_documents(what: Path | str, left_out: list[str] | None = None) -> tuple[Document, ...]:
    """Return what `read_document` returns; of a folder each file of a known kind, sorted, without hidden ones.

    Args:
        what: A file, `-`, a folder, or the address of a page.
        left_out: Gets a line for each file of the folder that is of another kind or cannot be read. Without it, a file
            that cannot be read is an error.

    Raises:
        InputError: as `read_document`; or the folder holds nothing that can be read, or more than 200 documents.
    """
    if web.is_url(str(what)) or not Path(what).is_dir():
        return (read_document(what),)
    folder = Path(what)
    found: list[Document] = []
    skipped, root = [] if left_out is None else left_out, folder.resolve()
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() or not path.resolve().is_relative_to(root):  # who made the folder may be a stranger
            skipped.append(ENGLISH.say("document-link", name=name))
            continue
        if path.suffix.lower() not in _KNOWN:
            skipped.append(ENGLISH.say("document-kind", name=name))
            continue
        if len(found) == MOST_FILES:
            raise InputError(f"{folder} holds more than {MOST_FILES} documents", hint="Name the files that matter.")
        try:
            found.append(replace(read_document(path), name=name))
        except EdaError as error:
            if left_out is None:
                raise
            skipped.append(str(error).removeprefix(f"context file {folder}").lstrip("/"))
    skills = {each.name.removesuffix(SKILL): each.about for each in found if each.about}
    found = [
        replace(each, about=next((about for root, about in skills.items() if each.name.startswith(root)), ""))
        for each in found
    ]
    if not found:
        known = ", ".join(sorted(_KNOWN))
        raise InputError(
            f"folder {folder} holds no document that can be read" + "".join(f"\n  {each}" for each in skipped[:5]),
            hint=f"Its files end in {known}.",
        )
    return tuple(found)


def with_unique_names(documents: Iterable[Document]) -> tuple[Document, ...]:
    """Return the documents under different names: a second `plan.md` is called `plan (2).md`."""
    named: dict[str, Document] = {}
    for document in documents:
        path = Path(document.name)
        others = (f"{path.stem} ({number}){path.suffix}" for number in count(2))
        name = next(name for name in chain([document.name], others) if name not in named)
        named[name] = replace(document, name=name)
    return tuple(named.values())


def _read(source: Source) -> Document:
    kind = _kind(source)
    if len(source.raw) > kind.limit:
        raise source.file.wrong("error-large", size=f"{kind.limit // 1_000_000} MB")
    if not source.raw.strip():
        raise source.file.wrong("error-blank")
    if kind is KINDS[-1]:  # nothing in it is read twice, so nothing can go wrong
        return kind.read(source)
    given = [source.name, source.suffix]
    return read_apart("eda.panels.documents.read", source.file, given, source.raw, _DOCUMENT, grows=False)


def answer(file: UserFile, given: list[str], raw: bytes) -> Document:
    """Return in a child what a document holds."""
    name, suffix = given
    source = Source(name, raw, suffix, file)
    return _kind(source).read(source)


def _kind(source: Source) -> Kind:
    by_suffix = next((kind for kind in KINDS if source.suffix in kind.suffixes), KINDS[-1])
    return next((kind for kind in KINDS if kind.begins and kind.begins in source.raw[:1_024]), by_suffix)


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and those in it, and links to other folders, which are not entered; sorted."""
    looked = 0
    for here, folders, names in os.walk(folder):
        looked += len(names) + 1
        if looked > _LOOKED_AT:
            raise InputError(f"folder {folder} holds more than {_LOOKED_AT:,} files", hint="Name a smaller one.")
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        links = [name for name in folders if Path(here, name).is_symlink()]
        paths = (Path(here, name) for name in sorted((*names, *links)) if not name.startswith("."))
        yield from (path for path in paths if path.is_file() or path.is_dir())
