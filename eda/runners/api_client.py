"""How a `ModelRunner` reaches a server: what each API does in its own way, and a connection for each event loop."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Generic, TypeVar

from eda.runners.answer_text import StreamedAnswer
from eda.runners.models import Model
from eda.runners.protocol import Prompt

CONNECT = 10.0
"""Seconds in which a connection must stand."""
C = TypeVar("C")


class ApiClient(ABC, Generic[C]):
    """Makes requests of one API and reads its streams. Retries nothing; every limit of time is its caller's.

    `C` is the class of its connection, one for each event loop: connections do not outlive the loop that opened them.
    """

    least_tokens = 1
    """The fewest tokens that a reply may be asked to have."""

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
