"""Feeds a recorded conversation to a bus and a memory: patterns take its minutes, or a model does."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from eda.bus import MessageBus
from eda.errors import InputError
from eda.events import Event, MessagePosted, SessionEnded, SessionStarted
from eda.memory import ConversationMemory
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.patterns import Language, PatternPack, default_pack
from eda.memory.summariser import Summariser
from eda.panels.registry import SUMMARISERS
from eda.panels.settings import Settings
from eda.runners.protocol import Runner, spec_of
from eda.session import Session
from eda.text import bounded
from eda.transcripts.jsonl import Rows
from eda.transcripts.kind import Row, row_of_dict


def analyze(
    rows: Rows | Iterable[Row | Mapping[str, Any]],
    *,
    options: Sequence[str] = (),
    question: str = "",
    patterns: PatternPack | None = None,
    session: Session | None = None,
    settings: Settings | None = None,
    minutes_only: bool = False,
    on_message: Callable[[MessagePosted], object] | None = None,
) -> ConversationMemory:
    """Feed one recorded conversation to a memory and return the memory.

    Args:
        rows: The messages in order. A dict is read as a line of a transcript. Of `Rows` memory holds no text.
        options: The choices under discussion; if empty, those of the first row.
        question: What the talk is about; if empty, what the first row says.
        patterns: The patterns to use; None for the default pack.
        session: Stores the facts; None to store them in memory only.
        settings: `summary_every` and the budgets are used.
        minutes_only: Keep only what `conversation_report` shows, which takes less time and memory: nothing can be
            recalled, and contexts lack the transcript.
        on_message: Called with each message after it was posted.

    Raises:
        InputError: a row is not valid, or the rows belong to several conversations.
    """
    messages = rows if isinstance(rows, Rows) else _whole(rows)
    patterns = patterns or default_pack()
    again = _Again(messages, patterns.language) if session is None and isinstance(messages, Rows) else None
    memory = ConversationMemory(patterns, fact=session.fact if session else again)
    memory.parts.pending.for_model, memory.parts.minutes_only = False, minutes_only
    session = session or Session.in_memory()
    bus = MessageBus(again or session.log, memory.fold)
    started = _started(session, messages, (question, options), settings, patterns)
    summariser = Summariser(memory.parts, bus.publish, style=lambda: started.settings.summary_style)
    bus.publish(started)
    for message in _messages(messages, patterns.language):
        bus.publish(message)
        summariser.extract_due()
        if on_message is not None:
            on_message(message)
    bus.publish(SessionEnded(reason="transcript"))
    return memory


async def take_minutes(
    rows: Rows | Iterable[Row | Mapping[str, Any]],
    runner: Runner,
    *,
    options: Sequence[str] = (),
    question: str = "",
    patterns: PatternPack | None = None,
    session: Session | None = None,
    settings: Settings | None = None,
    on_message: Callable[[MessagePosted], object] | None = None,
) -> ConversationMemory:
    """`analyze`, with the summaries and minutes of a model, by the call that debates use: each item quotes a message.

    A call covers `summary_every` messages, the last one the rest. Its facts are stored in the session.

    Raises:
        InputError: as for `analyze`.
        RunnerUnavailableError: no call will succeed before somebody acts.
    """
    messages = rows if isinstance(rows, Rows) else _whole(rows)
    patterns = patterns or default_pack()
    session = session or Session.in_memory()
    memory = ConversationMemory(patterns, fact=session.fact)
    bus = MessageBus(session.log, memory.fold)
    started = _started(session, messages, (question, options), settings, patterns)
    started = started.model_copy(update={"runner": spec_of(runner)})
    ask = SUMMARISERS.get("model").by_hand(bus, memory, runner, started)
    summariser = Summariser(memory.parts, bus.publish, style=lambda: started.settings.summary_style, ask=ask)
    bus.publish(started)
    for message in _messages(messages, patterns.language):
        left = len(messages) - memory.covered
        if left <= started.settings.summary_every + 1:  # a last call for one message would see no talk around it
            memory.parts.pending.every = left
        bus.publish(message)
        while await summariser.finish():
            pass
        if on_message is not None:
            on_message(message)
    bus.publish(SessionEnded(reason="transcript"))
    return memory


def _started(
    session: Session,
    messages: Rows | list[Row],
    about: tuple[str, Sequence[str]],
    settings: Settings | None,
    pack: PatternPack,
) -> SessionStarted:
    """Return the first fact of a conversation `about` a question and options, or about those of its first row."""
    first = messages[0] if messages else None
    return SessionStarted(
        session=session.name,
        kind="transcript",
        question=about[0] or (first.question if first else ""),
        options=_named(about[1] or (first.options if first else None) or ()),
        settings=settings or Settings(),
        patterns=pack.fingerprint,
    )


def _messages(messages: Rows | list[Row], language: Language) -> Iterator[MessagePosted]:
    """Yield the rows as messages, each with the number of the message that it answers."""
    threaded = not isinstance(messages, Rows) or messages.answers
    numbers: dict[str, int] = {}
    for number, row in enumerate(messages, 1):
        yield _message(row, number, numbers.get(row.reply_to or ""), language)
        if threaded:
            numbers[row.id or str(number)] = number


class _Again:
    """The log of a conversation that is not stored: it only counts, and reads a message again from the transcript."""

    def __init__(self, rows: Rows, language: Language) -> None:
        self._rows = rows
        self._language = language
        self._places = array("Q")
        """The `seq` of each message."""
        self.last_seq = 0

    def append(self, events: Sequence[Event], *, durable: bool) -> None:  # noqa: ARG002 - the shape of a log
        """Count the facts."""
        self._places.extend(event.seq for event in events if isinstance(event, MessagePosted))
        self.last_seq += len(events)

    def read(self, after: int = 0) -> Iterator[Event]:
        """Yield the messages whose `seq` is above `after`."""
        return map(self, self._places[bisect_left(self._places, after + 1) :])

    def close(self) -> None:
        """Do nothing."""

    def __call__(self, seq: int) -> Event:
        number = bisect_left(self._places, seq) + 1
        return _message(self._rows[number - 1], number, None, self._language).model_copy(update={"seq": seq})


def _message(row: Row, number: int, reply_to: int | None, language: Language) -> MessagePosted:
    text = bounded(row.text)
    return MessagePosted(
        number=number,
        who=row.speaker,
        text=text,
        ref=row.id,
        topic=row.topic,
        t=row.t,
        sent=row.sent,
        reply_to=reply_to,
        **read_reply(text, loose=False, language=language)._asdict(),
    )


def _whole(rows: Iterable[Row | Mapping[str, Any]]) -> list[Row]:
    """Return the rows of one conversation, each checked before the first is used."""
    messages = [row if isinstance(row, Row) else row_of_dict(row, place) for place, row in enumerate(rows, 1)]
    conversations = {row.conv for row in messages if row.conv}
    if len(conversations) > 1:
        raise InputError(f"the rows belong to {len(conversations)} conversations", hint="Analyze one at a time.")
    return messages


def _named(options: Iterable[str]) -> tuple[str, ...]:
    """Return the options without surplus white space, empty ones and repeats."""
    return tuple(dict.fromkeys(" ".join(option.split()) for option in options if option.strip()))
