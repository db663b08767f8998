"""Calls made side by side that begin alike: the first one writes the provider's cache, and the others read it.

A cache can be read once the answer to the call that writes it has begun, not before. So the others are held back until
then; asked all at once, each would write for itself, at a quarter more than plain input.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

__all__ = ["Warming"]

_KEPT = 64
"""Beginnings that are remembered: far more than are under way at one time."""
_LEAST = 2_000
"""Characters. A shorter beginning is not cached."""


class Warming:
    """Knows which beginnings of requests are being written."""

    def __init__(self) -> None:
        self._begun: OrderedDict[tuple[int, str], asyncio.Event] = OrderedDict()
        """By loop, for no loop can wait for what happens in another, and beginning."""

    @asynccontextmanager
    async def call(self, request: Mapping[str, Any]) -> AsyncIterator[Callable[[], None]]:
        """Make a call in here, and call what it gives when the answer begins. A failed call holds nobody back."""
        beginning = _beginning(request)
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


def _beginning(request: Mapping[str, Any]) -> str:
    """What stands up to the last mark; empty where nothing is marked."""
    content = request["messages"][0]["content"]
    marks = [place for place, block in enumerate(content) if "cache_control" in block]
    if not marks:
        return ""
    output = request.get("output_config", {}).get("format")
    beside = [request["model"], request.get("system"), output, request.get("thinking")]
    text = json.dumps([*beside, content[: marks[-1] + 1]], sort_keys=True)
    return text if len(text) >= _LEAST else ""
