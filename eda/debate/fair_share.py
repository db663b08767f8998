"""Debates of one event loop take turns, so that neither another debate nor a timer waits for all of them."""

from __future__ import annotations

import asyncio
from collections import deque
from weakref import WeakKeyDictionary


class _Turns:
    """Lets one task go on in each round of an event loop. Timers and the network have theirs in between."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._taken = False

    async def take(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._taken:
            self._waiting.append(turn := loop.create_future())
            await turn
        else:
            self._taken = True
            loop.call_soon(self._next, loop)

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._waiting:
            if not (turn := self._waiting.popleft()).done():
                turn.set_result(None)
                loop.call_soon(self._next, loop)  # behind the task that goes on now
                return
        self._taken = False


_TURNS: WeakKeyDictionary[asyncio.AbstractEventLoop, _Turns] = WeakKeyDictionary()


async def my_turn() -> None:
    """Wait until no other debate of the running event loop is about to work."""
    loop = asyncio.get_running_loop()
    await _TURNS.setdefault(loop, _Turns()).take(loop)
