"""How a `ModelRunner` reaches a server: what each API does in its own way, and a connection for each event loop."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Generic, TypeVar

from eda.runners.answer_text import StreamedAnswer
from eda.runners.models import Model
from eda.runners.protocol import Prompt

_KEPT = 64
"""Beginnings that are remembered, far more than are under way at one time."""
_LEAST = 2_000
"""Characters; a shorter beginning is not cached."""


class CacheWarmup:
    """Holds calls back that begin alike, so that the first writes the provider's cache and the others read it.

    A cache can be read once the answer to the call that writes it has begun. Sent all at once, each call would write
    the cache for itself, at a quarter more than plain input.
    """

    def __init__(self) -> None:
        self._begun: OrderedDict[tuple[int, str], asyncio.Event] = OrderedDict()
        """By event loop and beginning: no loop can wait for an event of another."""

    @asynccontextmanager
    async def call(self, beginning: str) -> AsyncIterator[Callable[[], None]]:
        """Make a call inside, and call the function given when its answer begins. A failed call holds none back.

        `beginning` is what a cache could hold of the request; empty if nothing.
        """
        beginning = beginning if len(beginning) >= _LEAST else ""
        key = id(asyncio.get_running_loop()), beginning
        begun = self._begun.get(key)
        if begun is not None:
            await begun.wait()
        else:
            begun = asyncio.Event()
            if beginning:
                self._begun[key] = begun
                if len(self._begun) > _KEPT:
                    self._begun.popitem(last=False)[1].set()
        try:
            yield begun.set
        finally:
            begun.set()


CONNECT = 10.0
"""Seconds in which a connection must stand."""
C = TypeVar("C")


class ApiClient(ABC, Generic[C]):
    """Makes requests of one API and reads its streams. Retries nothing; every limit of time is its caller's.

    `C` is the class of its connection, one for each event loop: connections do not outlive the loop that opened them.
    """

    least_tokens = 1
    """The fewest tokens that a reply may be asked to have."""

    def hello(self, model: Model) -> dict[str, Any]:
        """Return the body of the shortest request."""
        hello = [{"role": "user", "content": "Hi."}]
        return {"model": model.id, "messages": hello, "max_tokens": self.least_tokens}

    def __init__(self) -> None:
        self._clients: dict[asyncio.AbstractEventLoop, tuple[C, AsyncGenerator[None]]] = {}
        """The connection of each event loop, and what closes it."""

    @abstractmethod
    def _connection(self) -> tuple[C, Callable[[], Awaitable[None]]]:
        """Return a new connection, and what closes it."""

    @abstractmethod
    def request(self, prompt: Prompt, model: Model, *, speaks: bool) -> dict[str, Any]:
        """Return the body of a request; `speaks` where the model also writes the speeches."""

    @abstractmethod
    def beginning(self, prompt: Prompt, request: Mapping[str, Any]) -> str:
        """Return what a provider's cache could hold of a prompt's request; empty if nothing."""

    @abstractmethod
    def events(
        self, request: Mapping[str, Any], tell: Callable[[str], object]
    ) -> AbstractAsyncContextManager[tuple[Mapping[str, str], AsyncIterator[Any]]]:
        """Send a request; give the headers of the reply and the events of its stream.

        `tell` is told of what was left out of the request since the server refuses it.

        Raises:
            StatusError: the server answers with an error.
        """

    @abstractmethod
    def take(self, answer: StreamedAnswer, event: Any) -> str:
        """Add one event of the stream to an answer; return the piece of text that it brought.

        Raises:
            StatusError: the event is an error.
        """

    @abstractmethod
    async def models(self) -> Any:
        """Return the list of the server's models, as it sends it.

        Raises:
            StatusError: the server answers with an error.
        """

    @abstractmethod
    def wire_errors(self) -> tuple[type[Exception], ...]:
        """Return what is raised where no whole answer came; imported late."""

    async def open(self) -> C:
        """Return the connection of the running event loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            client, close = self._connection()
            until_the_end = _open_until_the_end(close)
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
