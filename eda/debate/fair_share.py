"""Debates of one event loop take turns, so that neither another debate nor a timer waits for all of them."""

from __future__ import annotations

import asyncio
from weakref import WeakKeyDictionary

_LOCKS: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()


async def my_turn() -> None:
    """Wait until every task that asked before has gone on, each in a round of the event loop of its own."""
    loop = asyncio.get_running_loop()
    lock = _LOCKS.setdefault(loop, asyncio.Lock())
    await lock.acquire()  # which does not suspend the only task that asks
    loop.call_soon(lock.release)
