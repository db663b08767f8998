"""Paces the calls to one model of a server by the limits a minute that the server tells in its replies.

A server that tells none is not paced, but for the rest that it asks for with a refusal.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

_HEADER = "anthropic-ratelimit-{}-{}"
_MINUTE = 60.0
_NEWEST = 0.2
"""The share of the last call in what a call is expected to take."""


@dataclass(slots=True)
class _Budget:
    """What a minute has room for; it fills up evenly."""

    limit: float
    left: float
    at: float
    """When so much was left, by the monotonic clock."""

    def now(self) -> float:
        return min(self.limit, self.left + (time.monotonic() - self.at) * self.limit / _MINUTE)

    def wait(self, need: float) -> float:
        """Return the seconds until there is room; what needs more than a minute's waits until all is there."""
        return max(0.0, (min(need, self.limit) - self.now()) * _MINUTE / self.limit)


class Limiter:
    """The limits of one model, which all calls to it share."""

    def __init__(self) -> None:
        self._budgets: dict[str, _Budget] = {}
        self._usual = {"requests": 1.0, "tokens": 0.0, "input-tokens": 0.0, "output-tokens": 0.0}
        """What a call takes, by the name of the budget."""
        self._under_way: set[object] = set()
        self._unheard: set[object] = set()
        """The tasks of all calls, and of those whose reply has not begun, which the server may not have counted yet."""
        self._rest = 0.0
        """Until when no call begins, by the monotonic clock."""
        self._older: set[object] = set()
        """The tasks of calls that had begun when the server asked for rest: their replies do not end it."""
        self._first = asyncio.Lock()

    @asynccontextmanager
    async def room(self, wait: Callable[[float], Awaitable[object]], *, rested: bool) -> AsyncIterator[None]:
        """Wait, in the order of the calls, until the limits have room for one; `rested` where it has waited itself."""
        async with self._first:
            rest = 0.0 if rested else self._rest - time.monotonic()
            seconds = max(rest, *(budget.wait(self._usual[kind]) for kind, budget in self._budgets.items()), 0.0)
            if seconds > 0:
                await wait(seconds)
            for kind, budget in self._budgets.items():
                budget.left, budget.at = budget.now() - self._usual[kind], time.monotonic()
        task = asyncio.current_task()
        self._under_way.add(task)
        self._unheard.add(task)
        try:
            yield
        finally:
            self._under_way.discard(task)
            self._unheard.discard(task)

    def rest(self, seconds: float) -> None:
        """Have other calls wait as long as the server asked one to."""
        self._rest, self._older = max(self._rest, time.monotonic() + seconds), set(self._under_way)

    def heard(self, headers: Mapping[str, str], *, answered: bool) -> None:
        """Take in what the headers of the present task's call say is left; what is written is counted at its end."""
        task = asyncio.current_task()
        self._unheard.discard(task)
        self._rest = 0.0 if answered and task not in self._older else self._rest
        for kind, usual in self._usual.items():
            limit, left = (headers.get(_HEADER.format(kind, what), "") for what in ("limit", "remaining"))
            if limit.isdecimal() and left.isdecimal() and int(limit) > 0:
                others = len(self._under_way if kind == "output-tokens" else self._unheard)
                self._budgets[kind] = _Budget(int(limit), int(left) - others * usual, time.monotonic())

    def took(self, inputs: int, outputs: int) -> None:
        """Take in the tokens of a call, without those read from a cache, which no limit counts."""
        for kind, number in (("tokens", inputs + outputs), ("input-tokens", inputs), ("output-tokens", outputs)):
            self._usual[kind] += _NEWEST * (number - self._usual[kind]) if self._usual[kind] else number
