"""Asks an API over HTTP, by httpx2: one connection for each event loop, streams of events, and errors of any form."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Any

from eda.errors import RunnerUnavailableError
from eda.runners.api_client import ApiClient, Tell
from eda.runners.models import Model
from eda.runners.server_errors import OK, UNREADABLE, StatusError
from eda.words import ENGLISH

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Response

_CONNECT = 10.0
"""Seconds in which a connection must stand."""
_LONGEST_LINE, _MOST_ERROR = 4_000_000, 100_000
"""Bytes: a longer line is none that a model wrote; and those of an error that are read."""


class HttpClient(ApiClient):
    """Asks one server. Connections do not outlive the event loop that opened them."""

    asks, lists = "", ""
    """The ends of the addresses of calls, and of the list of models."""
    least_tokens = 1
    """The fewest tokens that a reply may be asked to have."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        """Ask at `url`, with these headers in each request."""
        self._url, self._headers = url.rstrip("/"), headers
        self._clients: dict[asyncio.AbstractEventLoop, tuple[AsyncClient, AsyncGenerator[None]]] = {}
        """The connection of each event loop, and what closes it."""

    def hello(self, model: Model) -> dict[str, Any]:
        """Return the body of the shortest request."""
        hello = [{"role": "user", "content": "Hi."}]
        return {"model": model.id, "messages": hello, "max_tokens": self.least_tokens}

    def taken_by(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return a request in the form that the server is known to take."""
        return dict(request)

    def learnt(self, body: Mapping[str, Any], error: StatusError) -> str:  # noqa: ARG002 - most servers take all
        """Note what the server refuses in a body, and return what is done about it; empty if there is nothing."""
        return ""

    @asynccontextmanager
    async def events(
        self, request: Mapping[str, Any], tell: Tell
    ) -> AsyncIterator[tuple[Mapping[str, str], AsyncIterator[Any]]]:
        """Give the headers and the events of a reply; a request that is refused for one field is sent without it."""
        while True:
            body = self.taken_by(request)
            async with (await self.open()).stream("POST", f"{self._url}{self.asks}", json=body) as response:
                if response.status_code == OK:
                    async with aclosing(_events(response)) as events:
                        yield response.headers, events
                    return
                error = refusal_of(response.status_code, response.headers, await _begun(response))
            if self.taken_by(request) != body:
                continue  # another call has learnt it meanwhile
            if not (learnt := self.learnt(body, error)):
                raise error
            tell(learnt)

    async def models(self) -> Any:
        """Return the list of the server's models, as it sends it."""
        response = await (await self.open()).get(f"{self._url}{self.lists}")
        if response.status_code != OK:
            raise refusal_of(response.status_code, response.headers, response.content)
        return json.loads(response.content)

    def wire_errors(self) -> tuple[type[Exception], ...]:
        """Return the errors of httpx2, and of what it reads."""
        from httpx2 import HTTPError, InvalidURL  # noqa: PLC0415 - only a call needs it

        return (HTTPError, InvalidURL, *UNREADABLE)

    async def open(self) -> AsyncClient:
        """Return the connection of the running event loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            from httpx2 import AsyncClient, Timeout  # noqa: PLC0415 - only a call needs it

            limit = Timeout(None, connect=_CONNECT)
            try:
                client = AsyncClient(timeout=limit, headers=self._headers, follow_redirects=False)
            except (ValueError, ImportError) as error:  # it may hold a password
                lacks = ENGLISH.say("server-proxy", lacks=isinstance(error, ImportError))
                raise RunnerUnavailableError(lacks, hint=ENGLISH.say("server-proxy-hint"), refused=True) from None
            until_the_end = _open_until_the_end(client.aclose)
            await anext(until_the_end)
            for ended in [each for each in list(self._clients) if each.is_closed()]:
                self._clients.pop(ended, None)
            self._clients[loop] = client, until_the_end
        return self._clients[loop][0]

    async def close(self) -> None:
        """Close the connection of the running event loop. A later call opens a new one."""
        opened = self._clients.pop(asyncio.get_running_loop(), None)
        if opened is not None:
            await opened[1].aclose()


async def _open_until_the_end(close: Callable[[], Awaitable[None]]) -> AsyncGenerator[None]:
    """Close a connection when its loop ends, which ends its generators: an open one warns in the next loop."""
    try:
        yield
    finally:
        await close()


async def _begun(response: Response) -> bytes:
    """Return the beginning of an error's text."""
    text = b""
    async with aclosing(response.aiter_bytes()) as pieces:
        async for piece in pieces:
            text += piece
            if len(text) > _MOST_ERROR:
                break
    return text


async def _events(response: Response) -> AsyncGenerator[Any]:
    """Yield the events of a reply; None for a comment, which shows that the server is at work.

    Raises:
        JSONDecodeError, UnicodeDecodeError: what came is none.
    """
    if response.headers.get("content-type", "").startswith("application/json"):
        yield json.loads(await response.aread())  # it does not stream
        return
    data: list[bytes] = []
    async with aclosing(_lines(response)) as lines:
        async for line in lines:
            if line.startswith(b"data:"):
                data.append(line[len(b"data:") :].strip())
            elif not line and data:
                whole, data = b"\n".join(data), []
                if whole == b"[DONE]":
                    return
                if (event := json.loads(whole)) != {"type": "ping"}:  # no sign that the model is at work
                    yield event
            elif line.startswith(b":"):
                yield None
    if data and data != [b"[DONE]"]:
        yield json.loads(b"\n".join(data))


async def _lines(response: Response) -> AsyncGenerator[bytes]:
    """Yield lines as they end. They end at a line feed only: words may hold what else separates lines."""
    rest = b""
    async with aclosing(response.aiter_bytes()) as pieces:
        async for piece in pieces:
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                yield line.rstrip(b"\r")
            if len(rest) > _LONGEST_LINE:
                raise UnicodeDecodeError("utf-8", rest[:1], 0, 1, "a line without end")
    if rest:
        yield rest


def refusal_of(status: int, headers: Mapping[str, str], body: bytes) -> StatusError:
    """Return the error that a server sends with a status, or in an event of an answer (status `OK`).

    Servers write `{"error": {"message", "type", "code"}}`, the same in a list, `{"error": "words"}`, `{"message"}`,
    `{"detail": "words"}` or a list of `{"loc", "msg"}`. A code may be a status of its own, or stand under `details`.
    """
    text = body.decode("utf-8", "replace").strip()
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        page = text.startswith("<") or not text
        words = "not found" if page and status == 404 else "a page came, and no JSON" if page else text
        return StatusError(words, status=status, headers=headers)
    row = row[0] if isinstance(row, list) and row else row
    row = row if isinstance(row, dict) else {"message": text}
    error = row.get("error", row)
    error = error if isinstance(error, dict) else {"message": str(error)}
    code, details = error.get("code"), error.get("details")
    code = code or (details.get("error_code") if isinstance(details, dict) else None)
    status = code if status == OK and isinstance(code, int) and 400 <= code <= 599 else status
    kind = error.get("type") or error.get("status") or ""
    return StatusError(_words(error) or text, status=status, kind=str(kind), code=str(code or ""), headers=headers)


def _words(error: Mapping[str, Any]) -> str:
    """What an error says, with what the provider behind a router says; each fault of a request checked by fields."""
    words = error.get("message") or error.get("detail") or error.get("msg") or ""
    if isinstance(words, list):
        faults = [each if isinstance(each, dict) else {"msg": each} for each in words]
        words = "; ".join(f"{'.'.join(map(str, each.get('loc') or ()))}: {each.get('msg', '')}" for each in faults)
    metadata = error.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, dict) else None
    return f"{words}: {raw}" if isinstance(raw, str) and raw.strip() else str(words)
