"""Holds calls back that begin alike, until the first of them has written a provider's cache."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

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
