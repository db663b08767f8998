"""The facts of a bus as an async iterator, with events that no log stores where a reader wants them."""

# ruff: noqa: SLF001 - bus and stream are one unit, as bus and subscription

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from eda.events import AnnouncedEvent, Event

if TYPE_CHECKING:
    from eda.bus.message_bus import MessageBus

_MOST = 10_000
"""Announced events that wait for a reader; of one who is further behind the oldest are left out."""


async def stream_of(bus: MessageBus, after: int, also: type[AnnouncedEvent] | None) -> AsyncGenerator[Event, None]:
    """Yield what `MessageBus.stream` does."""
    waiting: deque[tuple[int, Event]] = deque(maxlen=_MOST)
    """Events, each with the number of facts that were stored when it was announced."""
    listening = None
    if also is not None and not bus._closed:
        listening = bus.subscribe(also, lambda event: waiting.append((bus._log.last_seq, event)), name="stream")
    try:
        while True:
            closed = bus._closed
            for fact in bus._log.read(after):
                while waiting and waiting[0][0] < fact.seq:
                    yield waiting.popleft()[1]
                after = fact.seq
                yield fact
            while waiting and waiting[0][0] <= after:
                yield waiting.popleft()[1]
            if closed:
                return
            if not bus._closed and bus._log.last_seq <= after and not waiting:
                bus._waiters.append(waiter := asyncio.get_running_loop().create_future())
                await waiter
    finally:
        if listening is not None:
            listening.cancel()
