"""Reads what a user named as documents: the kind is told by how a file begins, then by its suffix."""

import ipaddress
import os
import socket
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin, urlsplit

from pydantic import TypeAdapter

from eda.errors import EdaError, InputError
from eda.panels.documents.child import read_apart
from eda.panels.documents.document import Document, Source
from eda.panels.documents.kinds import read_html, read_pdf, read_table, read_text, read_word
from eda.panels.files import MAX_BYTES, UserFile
from eda.words import ENGLISH

if TYPE_CHECKING:
    import httpx2

MOST_BYTES = 20_000_000
SECONDS = 14.0
"""How long all requests for a page may take together."""
_REDIRECTS = 5
_WEB_HEADERS = {
    "User-Agent": "eda-panel",
    "Accept": "text/html, text/*, application/pdf;q=0.9, */*;q=0.1",
    "Accept-Encoding": "gzip",
}
# The suffix of a file of each type; other types of `text/` are text.
_WEB_KINDS = {
    "application/pdf": ".pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/xhtml+xml": ".html",
    "text/csv": ".csv",
    "text/html": ".html",
    "text/tab-separated-values": ".tsv",
}


def is_url(what: str) -> bool:
    """True if this is the address of a page, and no path."""
    return what.lower().startswith(("http://", "https://"))


def is_private(address: str) -> bool:
    """True if an IP address is none of the public internet."""
    return not ipaddress.ip_address(address.partition("%")[0]).is_global


def fetched(url: str, private: Callable[[str], bool] = is_private) -> Source:
    """Return what stands at an address.

    Args:
        url: With http or https, without a name and password.
        private: Tells an address that no redirect from the public web may lead to.

    Raises:
        InputError: the address is none, nothing usable answers, or the answer is too large or too late; says which.
    """
    import asyncio  # noqa: PLC0415 - a process that reads one file needs none

    parts = urlsplit(url)
    shown = Path(f"{parts.hostname or ''}{parts.path.rstrip('/')}")
    file = UserFile(shown, InputError, "Check the address, or save the page and name the file.", "context page")
    if parts.username is not None or not parts.hostname:
        raise file.fault("the address holds a password" if parts.hostname else "the address names no host", file.hint)
    own = ThreadPoolExecutor(1)  # the caller may be inside an event loop
    try:
        return own.submit(asyncio.run, asyncio.wait_for(_answer(url, file, private), SECONDS)).result(SECONDS + 1)
    except TimeoutError:
        raise file.fault(f"did not come within {SECONDS:.0f} seconds", file.hint) from None
    finally:
        own.shutdown(wait=False)


async def _answer(url: str, file: UserFile, private: Callable[[str], bool]) -> Source:
    import asyncio  # noqa: PLC0415 - as above

    import httpx2  # noqa: PLC0415 - slow to import, and hardly ever needed

    public = False
    try:
        async with httpx2.AsyncClient(timeout=SECONDS, headers=_WEB_HEADERS) as client:
            for _ in range(_REDIRECTS + 1):
                inside = any(map(private, await asyncio.to_thread(_addresses, url)))
                if public and inside:
                    raise file.fault("it leads from the public web to a private address", file.hint)
                public = public or not inside
                async with client.stream("GET", url) as answer:
                    if not answer.has_redirect_location:
                        return await _answered(answer, file)
                    url = urljoin(url, answer.headers["location"])
                if not is_url(url):
                    raise file.fault("it leads to an address that is neither http nor https", file.hint)
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError, zlib.error) as error:
        raise file.fault(f"cannot be fetched: {error or type(error).__name__}", file.hint) from error
    raise file.fault(f"is redirected more than {_REDIRECTS} times", file.hint)


async def _answered(answer: "httpx2.Response", file: UserFile) -> Source:
    kind = answer.headers.get("content-type", "text/html").partition(";")[0].strip().lower()
    if not answer.is_success:
        raise file.fault(f"the server answers {answer.status_code} {answer.reason_phrase}".rstrip(), file.hint)
    if kind not in _WEB_KINDS and not kind.startswith("text/"):
        raise file.fault(f"is of the type {kind!r}, which is no text", "Name a page, a PDF or a text.")
    raw, packed = bytearray(), zlib.decompressobj(47) if answer.headers.get("content-encoding") else None
    async for piece in answer.aiter_raw():
        raw += packed.decompress(piece, MOST_BYTES + 1) if packed else piece  # one of 64 kB may hold 64 MB
        if len(raw) > MOST_BYTES:
            raise file.fault(f"is larger than {MOST_BYTES // 1_000_000} MB", file.hint)
    return Source(str(file.path), bytes(raw), _WEB_KINDS.get(kind, ".txt"), file)


def _addresses(url: str) -> list[str]:
    """Return the IP addresses of a page's server."""
    parts = urlsplit(url)
    return [str(each[4][0]) for each in socket.getaddrinfo(parts.hostname, parts.port or 443, type=socket.SOCK_STREAM)]


SKILL = "SKILL.md"
"""The file of a skill; what stands beside it or below belongs to it."""
MOST_FILES = 200
"""Documents of one folder."""
_PACKED = 50_000_000  # Bytes of a file that holds more than its text.
_LOOKED_AT = 10_000  # Files and folders of one folder that are looked at.


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
    if is_url(str(what)):
        return _read(fetched(str(what)))
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
    return _read(Source(path.name, raw, path.suffix.lower(), UserFile(path, InputError, what="document")))


def read_documents(what: Path | str, left_out: list[str] | None = None) -> tuple[Document, ...]:
    """Return what `read_document` returns; of a folder each file of a known kind, sorted, without hidden ones.

    Args:
        what: A file, `-`, a folder, or the address of a page.
        left_out: Gets a line for each file of the folder that is of another kind or cannot be read. Without it, a file
            that cannot be read is an error.

    Raises:
        InputError: as `read_document`; or the folder holds nothing that can be read, or more than 200 documents.
    """
    if is_url(str(what)) or not Path(what).is_dir():
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
            skipped.append(str(error))
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
    return read_apart("eda.panels.documents.read", source.file, given, source.raw, TypeAdapter(Document), grows=False)


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
