"""One subscriber's place on a bus: it gets its events in order, and what it raises stays its own.

An async subscriber has a queue and one worker. Where the queue is full it is detached and reads on from the log.
"""

# ruff: noqa: SLF001 - bus and subscription are one unit, which shows neither's inside

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from inspect import isawaitable, iscoroutine
from typing import TYPE_CHECKING, Any

from eda.events import STORED_TYPES, Event

if TYPE_CHECKING:
    from eda.bus.message_bus import MessageBus

__all__ = ["STORED", "AsyncSubscription", "Subscription", "worked_by"]

STORED = frozenset(STORED_TYPES)


class Subscription:
    """One subscriber's place on the bus."""

    def __init__(self, bus: MessageBus, kind: type[Event], handler: Callable[[Any], object], name: str) -> None:
        self._bus = bus
        self._handler = handler
        self.kind = kind
        self.name = name
        self.last_seq = bus._announced
        """The last fact that was handed to the handler, or that came before it subscribed."""
        self.detached = False
        """Whether it fell behind and has yet to catch up from the log."""
        self.cancelled = False

    def cancel(self) -> None:
        """Take no more events; one that is being handled is handled to its end. Idempotent."""
        if not self.cancelled:
            self.cancelled = True
            self._bus._forget(self)

    def _take(self, event: Event) -> None:
        """Called by the emitter. Raises no `Exception`: that would keep the event from those who come after."""
        if self.cancelled:
            return
        if event.__class__ in STORED:
            self.last_seq = event.seq
        try:
            result = self._handler(event)
            if iscoroutine(result):
                result.close()
                raise TypeError("a plain handler returned a coroutine; subscribe an `async def`")  # noqa: TRY301 - recorded below
        except Exception as error:  # noqa: BLE001 - a subscriber may raise anything
            self._bus._failed(self, event, error)


class AsyncSubscription(Subscription):
    """A subscriber with a queue and one worker, so that its events are handled one after the other."""

    def __init__(self, bus: MessageBus, kind: type[Event], handler: Callable[[Any], object], name: str) -> None:
        super().__init__(bus, kind, handler, name)
        self._queue: asyncio.Queue[Event] = asyncio.Queue(bus._queue_size)
        self._through = self.last_seq
        """The last fact that was queued or caught up with."""
        self._worker: asyncio.Task[None] | None = None
        self._inside = False

    @property
    def _busy(self) -> bool:
        return self._inside or (not self.cancelled and (self.detached or not self._queue.empty()))

    @property
    def _alive(self) -> bool:
        worker = self._worker
        return worker is not None and not worker.done() and not worker.get_loop().is_closed()

    def cancel(self) -> None:
        """Take no more events, and end the worker unless it is handling one. Idempotent."""
        super().cancel()
        if self._worker is not None and self._alive and not self._inside:
            self._worker.cancel()

    def _take(self, event: Event) -> None:
        stored = event.__class__ in STORED
        if self.cancelled or self.detached or (stored and event.seq <= self._through):
            return
        self._start()
        try:
            self._queue.put_nowait(event)
        except asyncio.QueueFull:
            self.detached = True
            said = f"fell behind: {self._queue.qsize()} events wait; after seq {self._through} it reads on from the log"
            self._bus._record(self, event, said)
        else:
            self._through = event.seq if stored else self._through

    def _start(self) -> None:
        """Make sure that a worker runs; where no loop does, what is queued waits for the first use in one."""
        if self._alive:
            return
        # A queue belongs to the loop that first waited on it; what it holds outlives that loop.
        fresh: asyncio.Queue[Event] = asyncio.Queue(self._queue.maxsize)
        while not self._queue.empty():
            fresh.put_nowait(self._queue.get_nowait())
        self._queue, self._worker = fresh, None
        with suppress(RuntimeError):
            self._worker = asyncio.get_running_loop().create_task(self._work(fresh), name=f"eda {self.name}")

    async def _work(self, queue: asyncio.Queue[Event]) -> None:
        worked_by.set(self)
        try:
            while not self.cancelled:
                if self.detached and queue.empty():
                    await self._catch_up()
                else:
                    self._bus._settle()
                    await self._handle(await queue.get())
        finally:
            if self.cancelled:
                self._bus._subscriptions.pop(self, None)
            self._bus._settle()

    async def _handle(self, event: Event) -> None:
        if event.__class__ in STORED:
            self.last_seq = event.seq
        self._inside = True
        try:
            result = self._handler(event)
            if isawaitable(result):
                await result
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            self._bus._failed(self, event, RuntimeError("the handler was cancelled from within"))
        except Exception as error:  # noqa: BLE001 - a subscriber may raise anything
            self._bus._failed(self, event, error)
        finally:
            self._inside = False

    async def _catch_up(self) -> None:
        """Read from the log what was missed. Announced events are not there, and stay missed."""
        log = self._bus._log
        try:
            while self._through < log.last_seq:
                for event in log.read(self._through):
                    self._through = event.seq
                    if isinstance(event, self.kind):
                        await self._handle(event)
                    if self.cancelled:
                        return
                    if event.seq % 256 == 0:
                        await asyncio.sleep(0)  # a log full of other kinds must not hold up the loop
        except Exception as error:  # noqa: BLE001 - the log is anybody's class
            self._bus._failed(self, None, error)
            Subscription.cancel(self)
        self.detached = False


worked_by: ContextVar[AsyncSubscription | None] = ContextVar("worked_by", default=None)
"""Whose worker runs this code, in tasks that a handler starts too."""
