"""What a `ModelRunner` needs of an API: what each does in its own way."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from eda.runners.answer_text import StreamedAnswer
from eda.runners.models import Model
from eda.runners.protocol import Prompt

Tell = Callable[[str], object]
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


class ApiClient(ABC):
    """Makes requests of one API and reads its streams. Retries nothing; every limit of time is its caller's."""

    @abstractmethod
    def hello(self, model: Model) -> dict[str, Any]:
        """Return the shortest request."""

    @abstractmethod
    def request(self, prompt: Prompt, model: Model, *, speaks: bool) -> dict[str, Any]:
        """Return the body of a request; `speaks` where the model also writes the speeches."""

    def beginning(self, prompt: Prompt, request: Mapping[str, Any]) -> str:  # noqa: ARG002 - a program caches by itself
        """Return what a provider's cache could hold of a prompt's request; empty if nothing."""
        return ""

    @abstractmethod
    def events(
        self, request: Mapping[str, Any], tell: Tell
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

    async def models(self) -> Any:  # noqa: B027 - a program lists none
        """Return the list of the server's models, as it sends it; None where it has none.

        Raises:
            StatusError: the server answers with an error.
        """

    @abstractmethod
    def wire_errors(self) -> tuple[type[Exception], ...]:
        """Return what is raised where no whole answer came; imported late."""

    async def close(self) -> None:  # noqa: B027 - a program has nothing open
        """Close what the running event loop has open. A later call opens it again."""
