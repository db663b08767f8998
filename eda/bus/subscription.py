"""Subscriptions: each handler gets its events in order, and its errors do not reach anybody else.

An async subscription has a queue and one worker task. If the queue is full, the subscription reads on from the log.
"""

# ruff: noqa: SLF001 - bus and subscription are one unit and use each other's private parts

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from contextvars import ContextVar
from inspect import isawaitable, iscoroutine
from typing import Any

from eda.errors import SubscriberDeadlockError, UnknownNameError
from eda.events import EVENT_TYPES, AnnouncedEvent, Event
from eda.words import ENGLISH

_BY_NAME: dict[str, type[Event]] = {each.model_fields["type"].default: each for each in EVENT_TYPES} | {"event": Event}
# Announced events that wait for a reader of `stream`; of one who is further behind the oldest are left out.
_ANNOUNCED_WAITING = 10_000


class Subscription:
    """A plain handler's subscription, called inside `publish`."""

    def __init__(self, bus: Any, kind: type[Event], handler: Callable[[Any], object], name: str) -> None:
        self._bus = bus  # the `MessageBus`, whose module imports this one
        self._handler = handler
        self.kind = kind
        self.name = name
        self.last_seq = bus._announced
        """`seq` of the last fact given to the handler; at first, of the last fact before it subscribed."""
        self.detached = False
        """True while the subscription is behind and reads the log to catch up."""
        self.cancelled = self.once = False
        """True if the subscription ends with its first event."""

    def cancel(self) -> None:
        """End the subscription. An event that is being handled is handled to its end. Idempotent."""
        if not self.cancelled:
            self.cancelled = True
            self._bus._forget(self)

    def _receive(self, event: Event) -> None:
        """Handle an event. Raises no `Exception`, which would keep the event from later subscribers."""
        if self.cancelled:
            return
        if event.stored:
            self.last_seq = event.seq
        if self.once:
            self.cancel()
        try:
            result = self._handler(event)
            if iscoroutine(result):
                result.close()
                raise TypeError("a plain handler returned a coroutine; subscribe an `async def`")  # noqa: TRY301 - recorded below
        except Exception as error:  # noqa: BLE001 - a subscriber may raise anything
            self._bus._failed(self, event, error)


class AsyncSubscription(Subscription):
    """An async handler's subscription: a worker task handles the queued events one after the other."""

    def __init__(self, bus: Any, kind: type[Event], handler: Callable[[Any], object], name: str) -> None:
        super().__init__(bus, kind, handler, name)
        self._queue: asyncio.Queue[Event] = asyncio.Queue(bus._queue_size)
        self._queued = self.last_seq  # `seq` of the last fact that was queued, or read from the log to catch up.
        self._worker: asyncio.Task[None] | None = None
        self._handling = False

    @property
    def busy(self) -> bool:
        """True if an event is being handled or waits to be."""
        return self._handling or (not self.cancelled and (self.detached or not self._queue.empty()))

    @property
    def _alive(self) -> bool:
        worker = self._worker
        return worker is not None and not worker.done() and not worker.get_loop().is_closed()

    def cancel(self) -> None:
        """End the subscription, and its worker unless it is handling an event. Idempotent."""
        super().cancel()
        if self._worker is not None and self._alive and not self._handling:
            self._worker.cancel()

    def _receive(self, event: Event) -> None:
        stored = event.stored
        if self.cancelled or self.detached or (stored and event.seq <= self._queued):
            return
        self._ensure_worker()
        try:
            self._queue.put_nowait(event)
        except asyncio.QueueFull:
            self.detached = True
            behind = ENGLISH.say("bus-behind", number=self._queue.qsize(), seq=str(self._queued))
            self._bus._record(self, event, behind)
        else:
            self._queued = event.seq if stored else self._queued

    def _ensure_worker(self) -> None:
        """Start a worker if none runs. Without a running event loop, events wait in the queue until there is one."""
        if self._alive:
            return
        # A queue belongs to the event loop that first waited on it, so its events move to a new queue.
        fresh: asyncio.Queue[Event] = asyncio.Queue(self._queue.maxsize)
        while not self._queue.empty():
            fresh.put_nowait(self._queue.get_nowait())
        self._queue, self._worker = fresh, None
        with suppress(RuntimeError):
            self._worker = asyncio.get_running_loop().create_task(self._work(fresh), name=f"eda {self.name}")

    async def _work(self, queue: asyncio.Queue[Event]) -> None:
        calling_subscription.set(self)
        try:
            while not self.cancelled:
                if self.detached and queue.empty():
                    await self._catch_up()
                else:
                    self._bus._wake_waiters()
                    await self._handle(await queue.get())
        finally:
            if self.cancelled:
                self._bus._subscriptions.pop(self, None)
            self._bus._wake_waiters()

    async def _handle(self, event: Event) -> None:
        if event.stored:
            self.last_seq = event.seq
        self._handling = True
        if self.once:
            self.cancel()
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
            self._handling = False

    async def _catch_up(self) -> None:
        """Handle missed facts from the log. Missed announced events are lost, because no log stores them."""
        log = self._bus._log
        try:
            while self._queued < log.last_seq:
                for event in log.read(self._queued):
                    self._queued = event.seq
                    if isinstance(event, self.kind):
                        await self._handle(event)
                    if self.cancelled:
                        return
                    if event.seq % 256 == 0:
                        await asyncio.sleep(0)  # many facts of other kinds must not block the event loop
        except Exception as error:  # noqa: BLE001 - the log may be of any class
            self._bus._failed(self, None, error)
            Subscription.cancel(self)
        self.detached = False


async def streamed(bus: Any, after: int, also: type[AnnouncedEvent] | None) -> AsyncGenerator[Event, None]:
    """Yield the events of `MessageBus.stream`."""
    waiting: deque[tuple[int, Event]] = deque(maxlen=_ANNOUNCED_WAITING)
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


def refuse_deadlock(bus: Any, method: str) -> None:
    """Raise an error if an async subscriber of the bus calls a method that waits for it."""
    caller = calling_subscription.get()
    if caller is not None and caller._bus is bus and caller._handling:
        message = ENGLISH.say("bus-deadlock", method=method, name=repr(caller.name))
        raise SubscriberDeadlockError(message, hint="Call it in the code that runs the debate.")


calling_subscription: ContextVar[AsyncSubscription | None] = ContextVar("calling_subscription", default=None)
"""The subscription whose worker runs this code, also in tasks that its handler starts."""


def types_of(kind: type[Event]) -> list[str]:
    """Return the type of each event class at or below `kind`.

    Raises:
        TypeError: `kind` is no event class.
    """
    is_event = isinstance(kind, type) and issubclass(kind, Event)
    types = [each.model_fields["type"].default for each in EVENT_TYPES if is_event and issubclass(each, kind)]
    if not types:
        raise TypeError(f"{kind!r} is no event class; see eda.events")
    return types


def kind_of(kind: type[Event] | str) -> type[Event]:
    """Return the class of events that is given as a class or by its type.

    Raises:
        UnknownNameError: no event has that type.
    """
    if not isinstance(kind, str):
        return kind
    if kind not in _BY_NAME:
        raise UnknownNameError("event", kind, list(_BY_NAME))
    return _BY_NAME[kind]
