"""The bus: facts are made in one place, everybody sees them in one order, and no subscriber can break a debate."""

from __future__ import annotations

import asyncio
import errno
import gc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from threading import Event as Flag, Timer
from typing import get_args

import pytest
from pyee.asyncio import AsyncIOEventEmitter

from eda.bus import MessageBus
from eda.debate.replay import memory_of
from eda.errors import SessionError, SubscriberDeadlockError, UnknownNameError, UsageError
from eda.events import (
    EVENT_TYPES,
    AnnouncedEvent,
    BidsTaken,
    CallMade,
    Event,
    FloorGranted,
    MessagePosted,
    ModeratorSpoke,
    SessionStarted,
    SubscriberFailed,
    TextStreamed,
)
from eda.events.base import InContext
from eda.events.records import Move
from eda.memory import ConversationMemory
from eda.session import Session, log as log_file
from eda.session.log import MemoryLog


def said(number: int, text: str = "yes") -> MessagePosted:
    return MessagePosted(number=number, who="Ann", text=text)


def numbers(events: list[MessagePosted]) -> list[int]:
    return [event.number for event in events]


class RefusingLog(MemoryLog):
    """A disk that is full whenever `full` says so."""

    full = False

    def append(self, events, *, durable):
        if self.full:
            raise SessionError("the disk is full")
        super().append(events, durable=durable)


@pytest.fixture
def slow_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Flag]:
    """Syncs of logs wait for the flag."""
    flag, sync = Flag(), log_file.sync

    def waits(descriptor: int) -> None:
        assert flag.wait(10)
        sync(descriptor)

    monkeypatch.setattr(log_file, "sync", waits)
    yield flag
    flag.set()


class WatchedLog(MemoryLog):
    """Notes which groups were to be durable."""

    def __init__(self):
        super().__init__()
        self.durable = []

    def append(self, events, *, durable):
        super().append(events, durable=durable)
        self.durable.append(durable)


# What is made of an event


def test_a_fact_is_stamped_with_its_place_and_time():
    """Without a number of its own a fact could not be found, cited or resumed from."""
    bus = MessageBus(MemoryLog(), clock=lambda: datetime(2026, 1, 2, 3, tzinfo=timezone(timedelta(hours=2))))
    first, second = bus.publish(said(1), said(2))
    (third,) = bus.publish(said(3))
    assert [first.seq, second.seq, third.seq] == [1, 2, 3]
    assert first.at == datetime(2026, 1, 2, 1, tzinfo=UTC)
    assert first.at.utcoffset() == timedelta(0)
    assert bus.publish() == ()


def test_stamping_is_what_pydantic_would_have_done():
    """The quick copy must not drift from the library's when that changes: a half-made fact breaks far from here."""
    event = said(1)
    (stamped,) = MessageBus(MemoryLog()).publish(event)
    careful = event.model_copy(update={"seq": 1, "at": stamped.at})
    assert stamped == careful
    assert stamped.model_dump_json() == careful.model_dump_json()
    assert {"seq", "at", "number", "who", "text"} <= stamped.model_fields_set
    assert repr(stamped) == repr(careful)
    assert hash(stamped) == hash(careful)
    assert stamped.model_copy(update={"number": 9}).number == 9
    assert event.seq == 0
    with pytest.raises(ValueError, match="frozen"):
        stamped.seq = 7


def test_a_clock_without_a_zone_is_refused():
    """A local time read as UTC would put a resumed session hours away from where it was."""
    log = MemoryLog()
    with pytest.raises(ValueError, match="time zone"):
        MessageBus(log, clock=lambda: datetime(2026, 1, 2)).publish(said(1))  # noqa: DTZ001 - the point
    assert log.last_seq == 0


def test_half_a_character_is_replaced_everywhere():
    """A reply cut in the middle of an emoji must neither crash the log nor leave memory and log with other texts."""
    folded = []
    bus = MessageBus(MemoryLog(), lambda event: folded.append(event) or ())
    moves = (Move(kind="note", text="a\udc00b"),)
    (event,) = bus.publish(MessagePosted(number=1, who="Ann", text="hé\ud800llo", moves_at=3, moves=moves))
    assert event.text == "hé\ufffdllo"
    assert event.moves[0].text == "a\ufffdb"
    assert len(event.text) == 6
    assert folded == [event]


@pytest.mark.parametrize("cost", [float("nan"), float("inf")])
def test_what_is_no_number_is_refused(cost):
    """JSON has no NaN; written as null, a broken price would read back as an unknown one."""
    log = MemoryLog()
    with pytest.raises(ValueError, match=r"CallMade\.cost"):
        MessageBus(log).publish(said(1), CallMade(purpose="speak", cost=cost))
    assert log.last_seq == 0


def test_only_facts_are_published_and_only_derived_events_announced():
    """A derived event in the log would be found twice on resume: read, and derived again."""
    bus = MessageBus(MemoryLog())
    with pytest.raises(TypeError, match="announce"):
        bus.publish(TextStreamed(agent="Ann", text="y"))
    with pytest.raises(TypeError, match="publish"):
        bus.announce(said(1))
    with pytest.raises(TypeError, match="no event class"):
        bus.subscribe(str, print)
    with pytest.raises(TypeError, match="no event class"):
        bus.subscribe(object, print)
    with pytest.raises(ValueError, match="queue_size"):
        MessageBus(MemoryLog(), queue_size=0)


def test_bids_and_grants_ride_along_with_the_message():
    """A disk flush for each bid would make a debate several times slower, and lose nothing less."""
    log = WatchedLog()
    bus = MessageBus(log)
    bus.publish(BidsTaken(bids=()), FloorGranted(agent="Ann"))
    bus.publish(CallMade(purpose="speak"), said(1))
    assert log.durable == [False, True]


# Order of keeping, folding, announcing


def test_kept_then_folded_then_announced():
    """A subscriber that asks memory about the fact it was just given must find it there."""
    log, seen = MemoryLog(), []

    def fold(event):
        seen.append(("fold", event.seq, log.last_seq))
        return [TextStreamed(agent="Ann", text=f"from {event.seq}")]

    bus = MessageBus(log, fold)
    bus.subscribe(Event, lambda event: seen.append((event.type, getattr(event, "text", ""))))
    bus.publish(said(1, "a"), said(2, "b"))
    assert seen == [
        ("fold", 1, 2),
        ("fold", 2, 2),
        ("message_posted", "a"),
        ("text_streamed", "from 1"),
        ("message_posted", "b"),
        ("text_streamed", "from 2"),
    ]


def test_a_log_that_refuses_leaves_no_trace():
    """On a full disk the panel must not go on talking about a message that no resume will find."""
    log, folded, heard = RefusingLog(), [], []
    bus = MessageBus(log, lambda event: folded.append(event) or ())
    bus.subscribe(Event, heard.append)
    log.full = True
    with pytest.raises(SessionError, match="full"):
        bus.publish(said(1), said(2))
    assert (log.last_seq, folded, heard) == (0, [], [])
    log.full = False
    assert bus.publish(said(1))[0].seq == 1
    assert len(folded) == len(heard) == 1


def test_a_fold_that_raises_hides_no_fact():
    """The fact is in the log: a reader on the screen must see it although memory choked on it."""
    heard = []

    def fold(event):
        if event.number == 1:
            raise KeyError("memory")
        return ()

    bus = MessageBus(MemoryLog(), fold)
    bus.subscribe(MessagePosted, heard.append)
    with pytest.raises(KeyError) as caught:
        bus.publish(said(1), said(2))
    assert "raised by the fold on MessagePosted, seq 1" in caught.value.__notes__[0]
    assert numbers(heard) == [1, 2]


def test_everybody_sees_one_order_when_a_handler_publishes():
    """Two views of a debate in which the answer stands before the question would both look right and disagree."""
    log, first, second = MemoryLog(), [], []
    bus = MessageBus(log)

    def answer(event):
        first.append(event)
        if event.number < 3:
            (nested,) = bus.publish(said(event.number + 1))
            assert log.last_seq == nested.seq

    bus.subscribe(MessagePosted, answer)
    bus.subscribe(MessagePosted, second.append)
    bus.publish(said(1))
    assert numbers(first) == numbers(second) == [1, 2, 3]


def test_a_fold_that_publishes_is_given_its_own_fact_afterwards():
    """Memory that writes a summary while it takes a message in must not see the summary before the rest."""
    folded, heard = [], []

    def fold(event):
        folded.append(event.seq)
        if event.seq == 1:
            bus.publish(ModeratorSpoke(text="summed up"))
        return ()

    bus = MessageBus(MemoryLog(), fold)
    bus.subscribe(Event, lambda event: heard.append(event.seq))
    bus.publish(said(1), said(2))
    assert folded == heard == [1, 2, 3]


# Who hears what


def test_a_subscriber_names_a_class_and_gets_what_is_below_it():
    """A log view that listens to Event would miss every new kind of event if it had to name each."""
    bus = MessageBus(MemoryLog())
    heard = {kind: [] for kind in (Event, AnnouncedEvent, MessagePosted)}
    for kind, events in heard.items():
        bus.subscribe(kind, events.append)
    bus.publish(said(1), ModeratorSpoke(text="x"))
    bus.announce(TextStreamed(agent="Ann", text="y"))
    assert [len(events) for events in heard.values()] == [3, 1, 1]


def test_types_of_event_classes_are_distinct():
    """The emitter knows types only: subscribers of two classes of one type would get both."""
    names = {kind.model_fields["type"].default for kind in EVENT_TYPES}
    assert len(names) == len(EVENT_TYPES)
    assert not names & {"error", "new_listener"}


def test_an_event_has_traits_that_there_are():
    """Type checkers do not look into the first line of a class, where they stand; a wrong one would be no trait."""
    for kind in EVENT_TYPES:
        assert kind.context in get_args(InContext), kind
        assert {*kind.people} <= {*kind.model_fields}, kind
    with pytest.raises(AssertionError, match="besides"):

        class _Misspelt(AnnouncedEvent, besides=True):
            pass


def test_one_handler_may_subscribe_twice():
    """The bare emitter keeps a handler once per event, and the second registration is lost."""
    naive, got = AsyncIOEventEmitter(), []
    naive.on("said", got.append)
    naive.on("said", got.append)
    naive.emit("said", 1)
    assert got == [1]

    bus, heard = MessageBus(MemoryLog()), []
    bus.subscribe(MessagePosted, heard.append)
    bus.subscribe(MessagePosted, heard.append)
    bus.publish(said(1))
    assert numbers(heard) == [1, 1]


async def test_cancel_ends_a_subscription_at_once():
    """A closed web page that still received events would leak one handler for each visit."""
    bus, sync, queued = MessageBus(MemoryLog()), [], []

    async def hear(event):
        queued.append(event)

    subscriptions = [bus.subscribe(MessagePosted, sync.append), bus.subscribe(MessagePosted, hear)]
    bus.publish(said(1))
    await bus.drain()
    for subscription in subscriptions:
        subscription.cancel()
        subscription.cancel()
    bus.publish(said(2))
    await bus.drain()
    assert numbers(sync) == numbers(queued) == [1]
    assert [each.last_seq for each in subscriptions] == [1, 1]


async def test_cancel_from_inside_lets_the_handler_end():
    """`once` is written like this; the event at hand must not be cut off, nor the next one delivered."""
    bus, heard, go = MessageBus(MemoryLog()), [], asyncio.Event()

    async def once(event):
        subscription.cancel()
        await go.wait()
        heard.append(event)

    subscription = bus.subscribe(MessagePosted, once)
    bus.publish(said(1), said(2))
    draining = asyncio.create_task(bus.drain())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not draining.done()
    go.set()
    await draining
    assert numbers(heard) == [1]
    await bus.close()


async def test_on_leaves_the_function_as_it_is():
    """The decorated function is also called directly, in tests and by other handlers."""
    bus, heard = MessageBus(MemoryLog()), []

    @bus.on(MessagePosted, name="view")
    def view(event):
        heard.append(event)

    view(said(7))
    bus.publish(said(1))
    assert numbers(heard) == [7, 1]


def test_buses_do_not_hear_each_other():
    """Two debates in one process would answer each other's messages."""
    one, other, heard = MessageBus(MemoryLog()), MessageBus(MemoryLog()), []
    other.subscribe(Event, heard.append)
    one.publish(said(1))
    assert heard == []


# The traps of pyee, each beside the naive use that falls into it


async def test_trap_async_handlers_keep_their_order():
    """Subtitles that come out last line first: a screen or a trace would show the debate backwards."""
    finished, gates = [], [asyncio.Event() for _ in range(3)]

    async def naive_handler(number):
        await gates[number].wait()
        finished.append(number)
        if number:
            gates[number - 1].set()

    naive = AsyncIOEventEmitter()
    naive.on("said", naive_handler)
    for number in range(3):
        naive.emit("said", number)
    gates[2].set()
    while not naive.complete:
        await naive.wait_for_complete()
    assert finished == [2, 1, 0]

    bus, ended = MessageBus(MemoryLog()), []

    async def handler(event):
        for _ in range(4 - event.number):
            await asyncio.sleep(0)
        ended.append(event)

    bus.subscribe(MessagePosted, handler)
    bus.publish(*(said(number) for number in range(1, 4)))
    await bus.drain()
    assert numbers(ended) == [1, 2, 3]
    await bus.close()


async def test_trap_a_raising_handler_stops_nobody():
    """One bug in a user's own view would end the debate, and silence every subscriber after it."""

    def broken(event):
        raise ValueError("a bug in a view")

    naive, later = AsyncIOEventEmitter(), []
    naive.on("said", broken)
    naive.on("said", later.append)
    with pytest.raises(ValueError, match="a bug"):
        naive.emit("said", 1)
    assert later == []

    bus, heard, news = MessageBus(MemoryLog()), [], []
    bus.subscribe(MessagePosted, broken, name="my view")
    bus.subscribe(MessagePosted, heard.append)
    bus.subscribe(SubscriberFailed, news.append)
    bus.publish(said(1), said(2))
    assert numbers(heard) == [1, 2]
    expected = SubscriberFailed(subscriber="my view", error="ValueError: a bug in a view", last_seq=1)
    assert bus.failures[0] == news[0] == expected
    assert [failure.last_seq for failure in bus.failures] == [1, 2]
    with pytest.raises(ExceptionGroup) as caught:
        await bus.drain()
    assert [error.__notes__ for error in caught.value.exceptions] == [
        [f"raised by the subscriber 'my view' on MessagePosted, seq {seq}"] for seq in (1, 2)
    ]
    await bus.drain()


async def test_trap_an_async_error_is_seen():
    """A test of a debate whose subscriber fails on each message would be green."""
    loop, unseen = asyncio.get_running_loop(), []
    loop.set_exception_handler(lambda _, context: unseen.append(context.get("exception")))

    async def broken(event):
        raise ValueError("a bug in a view")

    naive = AsyncIOEventEmitter()
    naive.on("said", broken)
    naive.emit("said", 1)
    await naive.wait_for_complete()
    await asyncio.sleep(0)
    assert [str(error) for error in unseen] == ["a bug in a view"]
    loop.set_exception_handler(None)

    bus = MessageBus(MemoryLog())
    bus.subscribe(MessagePosted, broken)
    bus.publish(said(1), said(2))
    with pytest.RaisesGroup(ValueError, ValueError):
        await bus.drain()
    assert len(bus.failures) == 2
    await bus.close()


async def test_trap_drain_waits_for_what_handlers_publish():
    """A debate would report its verdict before the subscriber that the verdict set off has written it down."""
    naive, done = AsyncIOEventEmitter(), []

    async def naive_chain(number):
        await asyncio.sleep(0)
        done.append(number)
        if number < 3:
            naive.emit("said", number + 1)

    naive.on("said", naive_chain)
    naive.emit("said", 1)
    await naive.wait_for_complete()
    assert 3 not in done
    while not naive.complete:
        await naive.wait_for_complete()

    bus, ended = MessageBus(MemoryLog()), []

    async def chain(event):
        await asyncio.sleep(0)
        ended.append(event)
        if event.number < 3:
            bus.publish(said(event.number + 1))

    bus.subscribe(MessagePosted, chain)
    bus.publish(said(1))
    await bus.drain()
    assert numbers(ended) == [1, 2, 3]
    await bus.close()


async def test_trap_waiting_from_inside_is_an_error():
    """A subscriber that waits for all subscribers waits for itself: the debate would hang with nothing on screen."""
    naive, states = AsyncIOEventEmitter(), []

    async def naive_waiter(event):
        states.append("waits")
        await naive.wait_for_complete()
        states.append("went on")

    naive.on("said", naive_waiter)
    naive.emit("said", 1)
    for _ in range(50):
        await asyncio.sleep(0)
    assert states == ["waits"]
    assert not naive.complete
    stuck = list(naive._waiting)
    naive.cancel()
    await asyncio.gather(*stuck, return_exceptions=True)

    bus = MessageBus(MemoryLog())

    async def waiter(event):
        await bus.drain()

    async def hidden_waiter(event):
        await asyncio.gather(bus.drain())

    async def closer(event):
        await bus.close()

    for handler in (waiter, hidden_waiter, closer):
        bus.subscribe(MessagePosted, handler)
    bus.publish(said(1))
    with pytest.RaisesGroup(*[SubscriberDeadlockError] * 3):
        await bus.drain()
    await bus.close()


# A subscriber that fails, hangs, or is slow


def test_the_news_of_a_failure_has_an_end():
    """A failing subscriber of failures would otherwise report itself for ever."""
    bus = MessageBus(MemoryLog())

    def broken(event):
        raise ValueError("always")

    bus.subscribe(Event, broken, name="all")
    bus.subscribe(SubscriberFailed, broken, name="news")
    bus.publish(said(1))
    assert [failure.subscriber for failure in bus.failures] == ["all", "all", "news"]


def test_failures_are_bounded():
    """A subscriber that fails on each of 100,000 messages must not keep as many tracebacks alive."""
    bus = MessageBus(MemoryLog())

    def broken(event):
        raise ValueError("always")

    bus.subscribe(MessagePosted, broken)
    bus.publish(*(said(number) for number in range(1, 1201)))
    assert len(bus.failures) == 1000
    assert bus.failures[-1].last_seq == 1200


def test_an_exception_that_cannot_be_shown_is_contained():
    """The report of a failure must not be what breaks the debate."""

    class Nasty(Exception):  # noqa: N818 - a stranger's class
        def __str__(self):
            raise RuntimeError("no")

    def broken(event):
        raise Nasty

    bus, heard = MessageBus(MemoryLog()), []
    bus.subscribe(MessagePosted, broken)
    bus.subscribe(MessagePosted, heard.append)
    bus.publish(said(1))
    assert len(bus.failures) == len(heard) == 1


def test_a_plain_handler_that_returns_a_coroutine_is_told():
    """`lambda e: view.show(e)` on an async method would do nothing at all, silently."""

    async def show(event):
        """Never runs."""

    bus = MessageBus(MemoryLog())
    bus.subscribe(MessagePosted, lambda event: show(event))  # noqa: PLW0108 - what people write
    bus.publish(said(1))
    assert "async def" in bus.failures[0].error
    gc.collect()


async def test_an_object_with_an_async_call_is_async():
    """Handlers with state are written as classes; theirs would otherwise be refused as coroutines."""

    class View:
        def __init__(self):
            self.heard = []

        async def __call__(self, event):
            self.heard.append(event)

    bus, view = MessageBus(MemoryLog()), View()
    bus.subscribe(MessagePosted, view)
    bus.publish(said(1))
    await bus.drain()
    assert numbers(view.heard) == [1]
    assert bus.failures == ()
    await bus.close()


async def test_a_handler_that_is_cancelled_from_within_goes_on():
    """A time-out inside a view would end its subscription, and the rest of the debate would be missing from it."""
    bus, heard = MessageBus(MemoryLog()), []

    async def cancelled_inside(event):
        if event.number == 1:
            raise asyncio.CancelledError
        heard.append(event)

    bus.subscribe(MessagePosted, cancelled_inside)
    bus.publish(said(1), said(2))
    with pytest.RaisesGroup(RuntimeError):
        await bus.drain()
    assert numbers(heard) == [2]
    await bus.close()


async def test_a_slow_subscriber_is_bounded_and_still_gets_everything():
    """A web page on a bad line would hold a whole debate in memory, or miss the middle of it."""
    log, heard, release = MemoryLog(), [], asyncio.Event()
    bus = MessageBus(log, queue_size=4)

    async def slow(event):
        await release.wait()
        heard.append(event)

    subscription = bus.subscribe(MessagePosted, slow, name="web")
    for number in range(1, 301):
        bus.publish(said(number), ModeratorSpoke(text="x"))
        if number % 50 == 0:
            await asyncio.sleep(0)
    assert subscription.detached
    assert subscription._queue.qsize() <= 4
    (failure,) = bus.failures
    assert (failure.subscriber, failure.error[:11]) == ("web", "fell behind")
    release.set()
    await bus.drain()
    assert numbers(heard) == list(range(1, 301))
    assert not subscription.detached
    bus.publish(said(301))
    await bus.drain()
    assert numbers(heard[-1:]) == [301]
    assert subscription.last_seq == log.last_seq
    await bus.close()


async def test_facts_made_while_it_catches_up_come_once():
    """Messages shown twice, or not at all, in the moment a slow view is back at the front."""
    bus, heard = MessageBus(MemoryLog(), queue_size=2), []

    async def echo(event):
        heard.append(event)
        await asyncio.sleep(0)
        if event.number <= 20:
            bus.publish(said(event.number + 20))

    bus.subscribe(MessagePosted, echo)
    bus.publish(*(said(number) for number in range(1, 21)))
    await bus.drain()
    assert numbers(heard) == list(range(1, 41))
    await bus.close()


async def test_a_log_that_cannot_be_read_ends_the_catch_up():
    """A drain that waits for a subscriber which can never catch up would hang the end of the debate."""

    class Unreadable(MemoryLog):
        def read(self, after=0):
            raise SessionError("the disk is gone")

    async def slow(event):
        await asyncio.sleep(0)

    bus = MessageBus(Unreadable(), queue_size=1)
    subscription = bus.subscribe(MessagePosted, slow)
    bus.publish(*(said(number) for number in range(1, 5)))
    with pytest.RaisesGroup(SessionError):
        await bus.drain()
    assert subscription.cancelled
    await bus.close()


# Loops


def test_without_a_loop_async_subscribers_wait_for_one():
    """A script that publishes before `asyncio.run` would lose what it published."""
    bus, heard = MessageBus(MemoryLog()), []

    async def hear(event):
        heard.append(event)

    bus.subscribe(MessagePosted, hear)
    bus.publish(said(1))
    assert heard == []
    asyncio.run(bus.drain())
    assert numbers(heard) == [1]


def test_a_bus_outlives_its_loop():
    """`run_sync` twice on one debate (run, then resume) is two loops; the second would hang on the first's queues."""
    bus, heard, begun = MessageBus(MemoryLog()), [], []

    async def hear(event):
        begun.append(event)
        await asyncio.sleep(0)
        heard.append(event)

    bus.subscribe(MessagePosted, hear)

    async def leave_early():
        bus.publish(said(1))
        await bus.drain()
        bus.publish(said(2), said(3))

    async def come_back():
        bus.publish(said(4))
        await bus.drain()

    asyncio.run(leave_early())
    asyncio.run(come_back())
    assert numbers(begun) == [1, 2, 3, 4]
    assert numbers(heard) == [1, 3, 4]  # the end of the first loop cut off the one in hand, and only that


async def test_close_stops_the_workers_and_keeps_the_log():
    """Tasks left running after a debate would keep the program from ending; its last facts must still be kept."""
    log, before = MemoryLog(), asyncio.all_tasks()
    bus = MessageBus(log)

    async def stuck(event):
        await asyncio.Event().wait()

    bus.subscribe(MessagePosted, stuck)
    bus.subscribe(ModeratorSpoke, stuck)
    bus.publish(said(1))
    await asyncio.sleep(0)
    await bus.close()
    await bus.close()
    assert asyncio.all_tasks() == before
    bus.publish(said(2))
    assert log.last_seq == 2
    await bus.drain()
    with pytest.raises(RuntimeError, match="closed"):
        bus.subscribe(Event, print)


# --- a bus by hand


async def test_a_bus_needs_nothing_and_numbers_what_is_said():
    """Whoever tries the bus in a notebook would first have to learn logs, sessions and numbering."""
    bus, posted = MessageBus(), []
    bus.on("message_posted", posted.append)
    first = await bus.say("Ann", "Shall we begin?")
    await bus.say("Bob", "Yes.", to="Ann")
    assert (first.number, first.text) == (1, "Shall we begin?")
    assert numbers(posted) == [1, 2]
    assert (posted[1].seq, posted[1].to, bus.messages) == (2, "Ann", 2)
    with pytest.raises(UsageError, match="needs words"):
        await bus.say("Ann", "  ")


async def test_a_kind_of_event_goes_by_class_or_by_name_as_a_decorator_or_not():
    """Who knows pyee expects its verbs."""
    bus, posted = MessageBus(), []

    @bus.on(MessagePosted)
    def by_class(event):
        posted.append(("class", event.number))

    @bus.on("message_posted")
    async def by_name(event):
        posted.append(("name", event.number))

    bus.once("message_posted", lambda event: posted.append(("once", event.number)))
    every = bus.on("event", lambda event: posted.append(("every", event.seq)))
    await bus.say("Ann", "One.")
    await bus.drain()
    bus.remove_listener("message_posted", by_class)
    bus.remove_listener(Event, every)
    await bus.say("Ann", "Two.")
    await bus.drain()
    assert posted == [("class", 1), ("once", 1), ("every", 1), ("name", 1), ("name", 2)]
    with pytest.raises(KeyError, match="does not listen"):
        bus.remove_listener(MessagePosted, by_class)
    with pytest.raises(UnknownNameError, match="message_postd") as caught:
        bus.on("message_postd", by_class)
    assert "message_posted" in caught.value.hint
    assert not hasattr(bus, "emit")


async def test_an_async_handler_subscribed_once_handles_one_event_of_a_group():
    """It would greet everybody who comes after the first, too."""
    bus, posted = MessageBus(), []

    async def greet(event):
        posted.append(event.number)

    bus.once(MessagePosted, greet)
    bus.publish(said(1), said(2), said(3))
    await bus.drain()
    assert posted == [1]


@pytest.mark.parametrize("number", [0, 2, 4])
def test_a_message_with_a_wrong_number_is_refused_before_it_is_kept(tmp_path, number):
    """A session that kept it could never be opened again."""
    with Session.create("one", tmp_path) as session:
        bus = MessageBus(session.log, ConversationMemory().fold)
        bus.publish(SessionStarted(session="one"), said(1))
        with pytest.raises(ValueError, match="the next number is 3"):
            bus.publish(said(2), said(number))
        assert session.log.last_seq == 2
    with Session.open("one", tmp_path) as again:
        MessageBus(again.log).publish(said(2))
        assert memory_of(again).message_count == 2


async def test_nobody_is_told_of_a_fact_before_the_disk_has_it_and_the_event_loop_goes_on(
    tmp_path: Path, slow_disk: Flag
) -> None:
    """The syncs of one debate would hold up all others of its process."""
    with Session.create("s", tmp_path) as session:
        bus, heard, folded = MessageBus(session.log), list[MessagePosted](), list[Event]()
        bus.attach(lambda event: folded.append(event) or ())
        bus.subscribe(MessagePosted, heard.append)
        storing = asyncio.ensure_future(bus.store(said(1)))
        await asyncio.sleep(0)
        assert not storing.done()
        assert (heard, folded, session.log.last_seq) == ([], [], 0)
        slow_disk.set()  # by the loop, which nothing holds up
        assert numbers(await storing) == numbers(heard) == [1] == [event.seq for event in folded]


@pytest.mark.parametrize("cancelled", [False, True])
async def test_what_is_published_while_the_disk_is_waited_for_comes_after(
    tmp_path: Path, slow_disk: Flag, cancelled: bool
) -> None:
    """A person types while a message is being stored; or somebody stops the debate."""
    with Session.create("s", tmp_path) as session:
        bus, heard = MessageBus(session.log), list[MessagePosted]()
        bus.subscribe(MessagePosted, heard.append)
        storing = asyncio.ensure_future(bus.store(said(1)))
        await asyncio.sleep(0)
        Timer(0.01, slow_disk.set).start()
        if cancelled:
            storing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await storing
        else:
            assert bus.messages == 1
        bus.publish(said(2))
        await asyncio.gather(storing, return_exceptions=True)
        assert numbers(heard) == [1, 2] == numbers(list(session.events()))


@pytest.mark.parametrize("first", [False, True])
async def test_a_disk_that_refuses_is_told_to_who_asked_and_nothing_is_folded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: bool
) -> None:
    """The facts of others do not fail with it, and take its place."""
    refuses, sync = [True], log_file.sync

    def full(descriptor: int) -> None:
        if refuses.pop() if refuses else False:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(descriptor)

    with Session.create("s", tmp_path) as session:
        bus, heard = MessageBus(session.log), list[MessagePosted]()
        bus.subscribe(MessagePosted, heard.append)
        monkeypatch.setattr(log_file, "sync", full)
        storing = asyncio.ensure_future(bus.store(said(1, "lost")))
        await asyncio.sleep(0)
        if first:
            bus.publish(said(1, "kept"))
        with pytest.raises(SessionError, match="No space left"):
            await storing
        if not first:
            bus.publish(said(1, "kept"))
        assert [each.text for each in heard] == ["kept"] == [each.text for each in session.events()]
