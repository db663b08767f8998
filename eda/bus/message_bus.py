"""The message bus. `publish` is the only way to create a fact, and no subscriber can break or delay the debate.

The bus stamps a fact, stores it in the log, folds it into memory and announces it, in this order. A subscriber gets the
facts of its kind in the order of the log, each once. Use a bus from one thread. Buses share no state.
"""

# ruff: noqa: SLF001 - bus and subscription are one unit and use each other's private parts

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from concurrent.futures import Future
from datetime import UTC, datetime
from inspect import iscoroutinefunction
from traceback import format_exception_only
from typing import Any, TypeVar, overload

from pyee.asyncio import AsyncIOEventEmitter

from eda.bus.subscription import AsyncSubscription, Subscription, kind_of, refuse_deadlock, streamed, types_of
from eda.errors import UsageError
from eda.events import EVENT_TYPES, AnnouncedEvent, Event, MessagePosted, SubscriberFailed, bounded
from eda.session.log import JsonlLog, Log, MemoryLog
from eda.session.schema import stamped
from eda.words import ENGLISH

E = TypeVar("E", bound=Event)
H = TypeVar("H", bound=Callable[..., object])

Fold = Callable[[Event], Iterable[AnnouncedEvent]]
"""Folds a fact into memory and returns the events that follow from it."""
ReadReply = Callable[[str], Mapping[str, Any]]
"""Returns what a text holds, such as its moves, as fields of a `MessagePosted`."""

# The most failures that a bus remembers: a subscriber that fails on every fact must not fill the memory.
_FAILURES_KEPT = 1000


class MessageBus:
    """Stamps, stores, folds and announces facts.

    Args:
        log: Stores the facts, such as `session.log`; None for a log in memory.
        fold: Called with each fact once it is stored; returns the events that memory derives from it. See `attach`.
        queue_size: The most events that wait for one async subscriber; at least 1.
        clock: Returns the time with its zone; called once for each group.

    Raises:
        ValueError: `queue_size` is below 1.
    """

    def __init__(
        self,
        log: Log | None = None,
        fold: Fold | None = None,
        *,
        queue_size: int = 1000,
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        if queue_size < 1:
            raise ValueError(f"queue_size is {queue_size}; a queue holds at least 1")
        self._log = log = MemoryLog() if log is None else log
        self._fold = fold
        self._read_reply: ReadReply | None = None
        # The number of the last message; None if the log already held facts and has not been searched yet.
        self._last_number: int | None = None if log.last_seq else 0
        self._queue_size = queue_size
        self._clock = clock or (lambda: datetime.now(UTC))
        self._emitter = AsyncIOEventEmitter()
        self._raised: deque[Exception] = deque(maxlen=_FAILURES_KEPT)
        # No `_receive` raises, so this listener is never called. Without it pyee would let an error escape from `emit`.
        self._emitter.add_listener("error", self._raised.append)
        self._subscriptions: dict[Subscription, None] = {}
        self._unstored: tuple[Future[None], tuple[Event, ...], int | None] | None = None
        self._unfolded: deque[Event] = deque()
        self._unannounced: deque[Event] = deque()
        self._folding = self._announcing = self._closed = False
        self._announced = log.last_seq
        self._failures: deque[SubscriberFailed] = deque(maxlen=_FAILURES_KEPT)
        self._waiters: list[asyncio.Future[None]] = []

    @property
    def failures(self) -> tuple[SubscriberFailed, ...]:
        """The last 1,000 failures of subscribers, oldest first."""
        return tuple(self._failures)

    @property
    def messages(self) -> int:
        """The number of the last message; 0 before the first."""
        self._settle()
        if self._last_number is None:
            self._last_number = max((m.number for m in self._log.read() if isinstance(m, MessagePosted)), default=0)
        return self._last_number

    def facts(self) -> Iterable[Event]:
        """Return the facts that the log holds, in order."""
        return self._log.read()

    def attach(self, fold: Fold, read_reply: ReadReply | None = None, *, after: int = 0, messages: int = 0) -> None:
        """Call `fold` with each fact that the log holds after `after`, and then with each new fact.

        `read_reply` reads the moves of a text given to `say`. `messages` is the number of messages that the fold holds
        already: on an empty log, numbering continues after it.

        Raises:
            UsageError: the bus has a fold already.
        """
        if self._fold is not None:
            raise UsageError("this bus has a memory already", hint="Give each memory a bus of its own.")
        for event in self._log.read(after):
            fold(event)
        if not self._log.last_seq:
            self._last_number = messages
        self._fold, self._read_reply = fold, read_reply

    async def say(self, who: str, text: str, *, to: str | None = None) -> MessagePosted:
        """Publish `text` as the next message of `who`, addressed to the member `to`, and return the message.

        When `say` returns, plain subscribers have handled the message; async ones may not have, see `drain`.

        Raises:
            UsageError: the text is empty.
            SessionError: the log refused the message.
        """
        if not text.strip():
            raise UsageError("a message needs words")
        text = bounded(text)
        read = self._read_reply(text) if self._read_reply else {}
        message = MessagePosted(number=self.messages + 1, who=who, text=text, to=to, **read)
        self.publish(message)
        await asyncio.sleep(0)  # one turn of the event loop, so that async subscribers can begin
        return message

    def publish(self, *events: Event) -> tuple[Event, ...]:
        """Stamp, store, fold and announce facts as one group, and return them stamped. The log stores all or none.

        If called from inside a handler or the fold, the facts are stored at once, but folded and announced after the
        facts before them. A lone surrogate in a text becomes U+FFFD.

        Raises:
            SessionError: the log refused: nothing was stored, folded or announced, and no `seq` is used.
            TypeError: an event's class is not one that the log stores.
            ValueError: a float is infinite or not a number, or a message does not have the next number.
        """
        self._settle()
        if not events:
            return ()
        group, last_number = self._stamped(events)
        self._log.append(group, durable=any(event.durable for event in group))
        return self._take(group, last_number)

    async def store(self, *events: Event) -> tuple[Event, ...]:
        """Publish facts and return them as stored; a thread waits for the disk, so that other debates go on until then.

        Facts published on this bus meanwhile come after them. Raises the errors of `publish`.
        """
        self._settle()
        if not isinstance(self._log, JsonlLog) or not any(event.durable for event in events):
            return self.publish(*events)
        group, last_number = self._stamped(events)
        writing = Future[None]()  # unlike the event loop's own it can be waited for without the loop

        def write() -> None:
            try:
                writing.set_result(self._log.append(group, durable=True))
            except BaseException as error:  # noqa: BLE001 - raised below
                writing.set_exception(error)

        thread = asyncio.get_running_loop().run_in_executor(None, write)
        self._unstored = writing, group, last_number
        try:
            await asyncio.shield(thread)
        finally:  # a cancelled caller leaves them stored, as `publish` does
            self._settle()
        writing.result()
        return group

    def _settle(self) -> None:
        """Wait until what a thread writes is stored, then fold and announce it; who asked gets the error."""
        unstored, self._unstored = self._unstored, None
        if unstored is not None and unstored[0].exception() is None:
            self._take(*unstored[1:])

    def _stamped(self, events: tuple[Event, ...]) -> tuple[tuple[Event, ...], int | None]:
        """Return the facts stamped, and the number of the last message after them.

        Raises ValueError if a message has not the next number: such a log could never be read into a memory again.
        """
        if (at := self._clock()).utcoffset() is None:
            raise ValueError("the clock gives a time without a time zone")
        last = self._last_number
        for event in events:
            if isinstance(event, MessagePosted):
                last = self.messages if last is None else last
                if event.number != last + 1:
                    raise ValueError(f"message {event.number} after message {last}: the next number is {last + 1}")
                last += 1
        return stamped(events, self._log.last_seq, at.astimezone(UTC)), last

    def _take(self, group: tuple[Event, ...], last_number: int | None) -> tuple[Event, ...]:
        """Fold and announce stored facts, and return them."""
        self._last_number = last_number
        self._unfolded.extend(group)
        if not self._folding:
            try:
                self._fold_all()
            finally:
                self._announce_all()
        return group

    def _fold_all(self) -> None:
        """Fold the stored facts in order. If the fold raises, it has missed one fact; all others are still folded."""
        errors = []
        self._folding = True
        try:
            while self._unfolded:
                event = self._unfolded.popleft()
                self._unannounced.append(event)
                try:
                    self._unannounced.extend(self._fold(event) if self._fold is not None else ())
                except Exception as error:  # noqa: BLE001 - raised below, once all are folded
                    error.add_note(ENGLISH.say("bus-fold-raised", event=type(event).__name__, seq=str(event.seq)))
                    errors.append(error)
        finally:
            self._folding = False
        if errors:
            raise errors[0]

    def announce(self, event: AnnouncedEvent) -> None:
        """Send subscribers an event that is not stored.

        Raises:
            TypeError: the event's class is not an `AnnouncedEvent`.
        """
        if event.__class__ not in EVENT_TYPES or event.stored:
            raise TypeError(f"{type(event).__name__} is not an announced event; publish() takes facts")
        self._unannounced.append(event)
        if not self._folding:
            self._announce_all()

    def _announce_all(self) -> None:
        """Send each event to all subscribers before the next one, so that all see the same order."""
        if self._announcing:
            return
        self._announcing = True
        try:
            while self._unannounced:
                event = self._unannounced.popleft()
                if event.stored:
                    self._announced = event.seq
                self._emitter.emit(event.type, event)
        finally:
            self._announcing = False
            self._wake_waiters()

    def subscribe(self, kind: type[E], handler: Callable[[E], object], *, name: str = "") -> Subscription:
        """Call `handler`, plain or async, with each event of this class or its subclasses.

        A plain handler runs inside `publish`; an async one runs in its own task, one event at a time. `name` is used in
        failures; the default is the handler's name.

        Raises:
            TypeError: `kind` is no event class.
            RuntimeError: the bus is closed.
        """
        if self._closed:
            raise RuntimeError("the bus is closed")
        types = types_of(kind)
        is_async = iscoroutinefunction(handler) or iscoroutinefunction(type(handler).__call__)
        name = name or getattr(handler, "__qualname__", type(handler).__qualname__)
        subscription = (AsyncSubscription if is_async else Subscription)(self, kind, handler, name)
        self._subscriptions[subscription] = None
        for each in types:
            self._emitter.add_listener(each, subscription._receive)
        return subscription

    def has_listener(self, kind: type[Event]) -> bool:
        """True if an event of exactly this class would reach a subscriber."""
        return bool(self._emitter.listeners(kind.model_fields["type"].default))

    @overload
    def on(self, kind: type[Event] | str, handler: None = None, *, name: str = "") -> Callable[[H], H]: ...
    @overload
    def on(self, kind: type[Event] | str, handler: H, *, name: str = "") -> H: ...
    def on(self, kind: type[Event] | str, handler: H | None = None, *, name: str = "") -> H | Callable[[H], H]:
        """Subscribe `handler` to a kind of event, given as a class or as a type (`"message_posted"`), and return it.

        Without a handler, return a decorator. `Event`, or `"event"`, stands for every kind.

        Raises:
            TypeError: `kind` is no event class.
            UnknownNameError: no event has that type.
            RuntimeError: the bus is closed.
        """
        if handler is None:
            return lambda decorated: self.on(kind, decorated, name=name)
        self.subscribe(kind_of(kind), handler, name=name)
        return handler

    def once(self, kind: type[Event] | str, handler: H, *, name: str = "") -> H:
        """Subscribe `handler` to the next event of a kind only, and return it. Raises the errors of `on`."""
        self.subscribe(kind_of(kind), handler, name=name).once = True
        return handler

    def remove_listener(self, kind: type[Event] | str, handler: Callable[..., object]) -> None:
        """Cancel the oldest subscription of `handler` to a kind.

        Raises:
            KeyError: the handler is not subscribed to it.
        """
        wanted = kind_of(kind)
        for subscription in self._subscriptions:
            if subscription.kind is wanted and subscription._handler == handler and not subscription.cancelled:
                subscription.cancel()
                return
        raise KeyError(f"{handler!r} does not listen to {wanted.__name__}")

    def _forget(self, subscription: Subscription) -> None:
        if not (isinstance(subscription, AsyncSubscription) and subscription._handling):
            self._subscriptions.pop(subscription, None)
        for each in types_of(subscription.kind):
            self._emitter.remove_listener(each, subscription._receive)
        self._wake_waiters()

    def _failed(self, subscription: Subscription, event: Event | None, error: Exception) -> None:
        about = {"event": type(event).__name__, "seq": str(event.seq)} if event else {"event": "", "seq": ""}
        error.add_note(ENGLISH.say("bus-subscriber-raised", name=repr(subscription.name), **about))
        self._raised.append(error)
        self._record(subscription, event, format_exception_only(error)[0].strip())  # str(error) may raise, too

    def _record(self, subscription: Subscription, event: Event | None, error: str) -> None:
        failure = SubscriberFailed(subscriber=subscription.name, error=error, last_seq=subscription.last_seq)
        self._failures.append(failure)
        # A failure to handle a failure is recorded but not announced, or the two could go on without end.
        if not isinstance(event, SubscriberFailed):
            self.announce(failure)

    def _wake_waiters(self) -> None:
        while self._waiters:
            if not (waiter := self._waiters.pop()).done():
                waiter.set_result(None)

    def stream(self, after: int = 0, also: type[AnnouncedEvent] | None = None) -> AsyncGenerator[Event, None]:
        """Yield in order the facts whose `seq` is above `after`: those of the log, then each new one, to the close.

        Announced events of the class `also` come between the facts between which they were announced, from the first
        step on.
        """
        return streamed(self, after, also)

    async def drain(self, seconds: float | None = None) -> None:
        """Wait until async subscribers have handled all events, those that they publish meanwhile included.

        A subscriber that is still busy after `seconds` is recorded as failed and no longer waited for.

        Raises:
            ExceptionGroup: the errors of subscribers since the last drain, each with a note that names the subscriber.
            SubscriberDeadlockError: called from inside an async subscriber of this bus, which would wait for itself.
        """
        refuse_deadlock(self, "drain")
        try:
            async with asyncio.timeout(seconds):
                while busy := self._busy():
                    self._waiters.append(waiter := asyncio.get_running_loop().create_future())
                    for each in busy:
                        each._ensure_worker()
                    await waiter
        except TimeoutError:
            for each in self._busy():
                self._record(each, None, ENGLISH.say("bus-busy", seconds=str(seconds)))
        if self._raised:
            raised = list(self._raised)
            self._raised.clear()
            raise ExceptionGroup("subscribers failed", raised)

    def _busy(self) -> list[AsyncSubscription]:
        return [each for each in self._subscriptions if isinstance(each, AsyncSubscription) and each.busy]

    async def close(self) -> None:
        """Cancel every subscription and wait until the workers have stopped. Call `drain` first to handle all events.

        Idempotent. Facts can still be published; they reach the log and the fold.

        Raises:
            SubscriberDeadlockError: called from inside an async subscriber of this bus.
        """
        refuse_deadlock(self, "close")
        self._closed = True
        workers = [each._worker for each in self._subscriptions if isinstance(each, AsyncSubscription)]
        here = [each for each in workers if each is not None and each.get_loop() is asyncio.get_running_loop()]
        for worker in here:
            worker.cancel()  # has no effect on one that has finished
        for subscription in list(self._subscriptions):
            subscription.cancel()
        self._wake_waiters()
        await asyncio.gather(*here, return_exceptions=True)
