"""Fetches a page of the web once, with bounds; a page of the public web cannot lead to an address behind a firewall."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from eda.errors import InputError
from eda.panels.documents.document import Source
from eda.panels.files import UserFile

if TYPE_CHECKING:
    import httpx2

MOST_BYTES = 20_000_000
SECONDS = 30.0
"""How long all requests for a page may take together."""
_REDIRECTS = 5
_HEADERS = {"User-Agent": "eda-panel", "Accept": "text/html, text/*, application/pdf;q=0.9, */*;q=0.1"}
_KINDS = {
    "application/pdf": ".pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/xhtml+xml": ".html",
    "text/csv": ".csv",
    "text/html": ".html",
    "text/tab-separated-values": ".tsv",
}
"""The suffix of a file of each type; other types of `text/` are text."""


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
    import httpx2  # noqa: PLC0415 - slow to import, and hardly ever needed

    public = False
    try:
        async with httpx2.AsyncClient(timeout=SECONDS, headers=_HEADERS) as client:
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
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
        raise file.fault(f"cannot be fetched: {error or type(error).__name__}", file.hint) from error
    raise file.fault(f"is redirected more than {_REDIRECTS} times", file.hint)


async def _answered(answer: httpx2.Response, file: UserFile) -> Source:
    kind = answer.headers.get("content-type", "text/html").partition(";")[0].strip().lower()
    if not answer.is_success:
        raise file.fault(f"the server answers {answer.status_code} {answer.reason_phrase}".rstrip(), file.hint)
    if kind not in _KINDS and not kind.startswith("text/"):
        raise file.fault(f"is of the type {kind!r}, which is no text", "Name a page, a PDF or a text.")
    raw = bytearray()
    async for piece in answer.aiter_bytes():
        raw += piece
        if len(raw) > MOST_BYTES:
            raise file.fault(f"is larger than {MOST_BYTES // 1_000_000} MB", file.hint)
    return Source(str(file.path), bytes(raw), _KINDS.get(kind, ".txt"), file)


def _addresses(url: str) -> list[str]:
    """Return the IP addresses of a page's server."""
    parts = urlsplit(url)
    return [str(each[4][0]) for each in socket.getaddrinfo(parts.hostname, parts.port or 443, type=socket.SOCK_STREAM)]
