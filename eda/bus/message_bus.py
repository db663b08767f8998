"""The bus: `publish` is the only way to make a fact, and whoever listens cannot break or slow the debate.

A fact is stamped, kept by the log, folded into memory and then announced, in this order; a subscriber gets the facts of
its kind in the order of the log, each once. Use a bus from one thread. Many live side by side: nothing here is global.
"""

# ruff: noqa: SLF001 - bus and subscription are one unit, which shows neither's inside

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from inspect import iscoroutinefunction
from traceback import format_exception_only
from typing import TypeVar

from pyee.asyncio import AsyncIOEventEmitter

from eda.bus.subscription import STORED, AsyncSubscription, Subscription, worked_by
from eda.errors import SubscriberDeadlockError
from eda.events import (
    EVENT_TYPES,
    AnnouncedEvent,
    BidsTaken,
    CallMade,
    Event,
    FloorGranted,
    SubscriberFailed,
)
from eda.protocols import Log
from eda.session.upcast import stamped

__all__ = ["MessageBus"]

E = TypeVar("E", bound=Event)
H = TypeVar("H", bound=Callable[..., object])

_DERIVED = frozenset(EVENT_TYPES) - STORED
_RIDE_ALONG = frozenset({BidsTaken, FloorGranted, CallMade})
"""Facts that wait for the next durable write: after a loss of power they are made again."""

_FAILURES_KEPT = 1000
"""Of each bus, the newest: a subscriber that fails on every fact must not fill the memory."""


class MessageBus:
    """Stamps, keeps, folds and announces.

    `fold` is given each fact once it is kept, and returns the events that memory derives from it. `queue_size` bounds
    what waits for one async subscriber (at least 1). `clock` gives aware times; it stamps a group once.
    """

    def __init__(
        self,
        log: Log,
        fold: Callable[[Event], Iterable[AnnouncedEvent]] | None = None,
        *,
        queue_size: int = 1000,
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        if queue_size < 1:
            raise ValueError(f"queue_size is {queue_size}; a queue holds at least 1")
        self._log = log
        self._fold = fold
        self._queue_size = queue_size
        self._clock = clock or (lambda: datetime.now(UTC))
        self._emitter = AsyncIOEventEmitter()
        self._raised: deque[Exception] = deque(maxlen=_FAILURES_KEPT)
        # Nothing comes here, as no `_take` raises; without it an error would escape from `emit`.
        self._emitter.add_listener("error", self._raised.append)
        self._subscriptions: dict[Subscription, None] = {}
        self._heard: Counter[type[Event]] = Counter()
        self._unfolded: deque[Event] = deque()
        self._unannounced: deque[Event] = deque()
        self._folding = self._announcing = self._closed = False
        self._announced = log.last_seq
        self._failures: deque[SubscriberFailed] = deque(maxlen=_FAILURES_KEPT)
        self._waiters: list[asyncio.Future[None]] = []

    @property
    def failures(self) -> tuple[SubscriberFailed, ...]:
        """What went wrong in subscribers, oldest first; the last 1,000."""
        return tuple(self._failures)

    def publish(self, *events: Event) -> tuple[Event, ...]:
        """Make facts, as one group: all are kept or none. Returns them stamped.

        From inside a handler or the fold they are kept at once, and folded and announced after those before them. A
        lone surrogate in a text is replaced by U+FFFD.

        Raises:
            SessionError: the log refused; nothing was kept, folded or announced, and no `seq` is used up.
            TypeError: an event is not one of the stored types.
            ValueError: a number is infinite or not a number.
        """
        if not events:
            return ()
        at = self._clock()
        if at.utcoffset() is None:
            raise ValueError("the clock gives a time without a time zone")
        at = at.astimezone(UTC)
        group = tuple(stamped(event, seq, at) for seq, event in enumerate(events, self._log.last_seq + 1))
        self._log.append(group, durable=not _RIDE_ALONG.issuperset(map(type, group)))
        self._unfolded.extend(group)
        if not self._folding:
            try:
                self._fold_all()
            finally:
                self._announce_all()
        return group

    def _fold_all(self) -> None:
        """Fold what is kept, in order. A fold that raises has missed one fact; the others still reach it and all."""
        errors = []
        self._folding = True
        try:
            while self._unfolded:
                event = self._unfolded.popleft()
                self._unannounced.append(event)
                try:
                    self._unannounced.extend(self._fold(event) if self._fold is not None else ())
                except Exception as error:  # noqa: BLE001 - raised below, once all are folded
                    error.add_note(f"raised by the fold on {type(event).__name__}, seq {event.seq}; the fact is kept")
                    errors.append(error)
        finally:
            self._folding = False
        if errors:
            raise errors[0]

    def announce(self, event: AnnouncedEvent) -> None:
        """Tell subscribers of a derived event, which is not kept.

        Raises:
            TypeError: it is not one of the announced types.
        """
        if event.__class__ not in _DERIVED:
            raise TypeError(f"{type(event).__name__} is no derived event; publish() makes facts")
        self._unannounced.append(event)
        if not self._folding:
            self._announce_all()

    def _announce_all(self) -> None:
        """One at a time, to all, so that everybody sees the same order whoever publishes meanwhile."""
        if self._announcing:
            return
        self._announcing = True
        try:
            while self._unannounced:
                event = self._unannounced.popleft()
                if event.__class__ in STORED:
                    self._announced = event.seq
                if self._heard[event.__class__]:
                    self._emitter.emit(event.__class__.__name__, event)
        finally:
            self._announcing = False

    def subscribe(self, kind: type[E], handler: Callable[[E], object], *, name: str = "") -> Subscription:
        """Have `handler`, plain or async, called with each event of this class or of a class below it.

        A plain handler runs within `publish`; an async one runs in a task of its own, one event at a time. `name`
        stands in failures; by default it is the handler's.

        Raises:
            TypeError: `kind` is no event class.
            RuntimeError: the bus is closed.
        """
        if self._closed:
            raise RuntimeError("the bus is closed")
        concrete = _concrete(kind)
        is_async = iscoroutinefunction(handler) or iscoroutinefunction(type(handler).__call__)
        name = name or getattr(handler, "__qualname__", type(handler).__qualname__)
        subscription = (AsyncSubscription if is_async else Subscription)(self, kind, handler, name)
        self._subscriptions[subscription] = None
        for each in concrete:
            self._emitter.add_listener(each.__name__, subscription._take)
            self._heard[each] += 1
        return subscription

    def has_listener(self, kind: type[Event]) -> bool:
        """Whether anybody would be told of an event of this class."""
        return self._heard[kind] > 0

    def on(self, kind: type[Event], *, name: str = "") -> Callable[[H], H]:
        """`subscribe` as a decorator; the function stays as it is."""

        def decorate(handler: H) -> H:
            self.subscribe(kind, handler, name=name)
            return handler

        return decorate

    def _forget(self, subscription: Subscription) -> None:
        if not (isinstance(subscription, AsyncSubscription) and subscription._inside):
            self._subscriptions.pop(subscription, None)
        for each in _concrete(subscription.kind):
            self._emitter.remove_listener(each.__name__, subscription._take)
            self._heard[each] -= 1
        self._settle()

    def _failed(self, subscription: Subscription, event: Event | None, error: Exception) -> None:
        where = "while it caught up" if event is None else f"on {type(event).__name__}, seq {event.seq}"
        said = format_exception_only(error)[0].strip()  # unlike str(), safe where an exception's own __str__ raises
        error.add_note(f"raised by the subscriber {subscription.name!r} {where}")
        self._raised.append(error)
        self._record(subscription, event, said)

    def _record(self, subscription: Subscription, event: Event | None, said: str) -> None:
        failure = SubscriberFailed(subscriber=subscription.name, error=said, last_seq=subscription.last_seq)
        self._failures.append(failure)
        # Who fails on the news of a failure is recorded, and is no news: there would be no end to it.
        if not isinstance(event, SubscriberFailed):
            self.announce(failure)

    def _settle(self) -> None:
        while self._waiters:
            if not (waiter := self._waiters.pop()).done():
                waiter.set_result(None)

    async def drain(self, seconds: float | None = None) -> None:
        """Wait until async subscribers have handled everything, what they publish meanwhile included.

        One that is still busy after `seconds` is recorded as failed, and not waited for.

        Raises:
            ExceptionGroup: what subscribers raised since the last drain, each with a note that names the subscriber.
            SubscriberDeadlockError: called from inside a subscriber of this bus, which would wait for itself.
        """
        self._refuse_inside("drain")
        try:
            async with asyncio.timeout(seconds):
                await self._all_done()
        except TimeoutError:
            for each in self._busy_ones():
                self._record(each, None, f"still busy after {seconds} s and not waited for")
        if self._raised:
            raised = list(self._raised)
            self._raised.clear()
            raise ExceptionGroup("subscribers failed", raised)

    def _busy_ones(self) -> list[AsyncSubscription]:
        return [each for each in self._subscriptions if isinstance(each, AsyncSubscription) and each._busy]

    async def _all_done(self) -> None:
        while busy := self._busy_ones():
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            for each in busy:
                each._start()
            await waiter

    def _refuse_inside(self, what: str) -> None:
        worker = worked_by.get()
        if worker is not None and worker._bus is self and worker._inside:
            said = f"{what}() was called from inside the subscriber {worker.name!r}, and would wait for it"
            raise SubscriberDeadlockError(said, hint="Call it where the debate is run.")

    async def close(self) -> None:
        """Cancel every subscription and wait for the workers to stop; call `drain` first to have all handled.

        Idempotent. Facts can still be published, for the log and the fold.

        Raises:
            SubscriberDeadlockError: called from inside an async subscriber of this bus.
        """
        self._refuse_inside("close")
        self._closed = True
        workers = [each._worker for each in self._subscriptions if isinstance(each, AsyncSubscription)]
        here = [each for each in workers if each is not None and each.get_loop() is asyncio.get_running_loop()]
        for worker in here:
            worker.cancel()  # nothing happens to one that is done
        for subscription in list(self._subscriptions):
            subscription.cancel()
        await asyncio.gather(*here, return_exceptions=True)


def _concrete(kind: type[Event]) -> list[type[Event]]:
    classes = [each for each in EVENT_TYPES if issubclass(each, kind)] if isinstance(kind, type) else []
    if not classes or not issubclass(kind, Event):
        raise TypeError(f"{kind!r} is no event class; see eda.events")
    return classes
