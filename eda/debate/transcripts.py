"""Recorded transcripts: read them from a file and feed them to the bus and memory of a debate, without a model."""

from __future__ import annotations

import weakref
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eda.bus import MessageBus
from eda.errors import InputError
from eda.events import Event, MessagePosted, SessionEnded, SessionStarted
from eda.events.records import Reaction
from eda.memory import ConversationMemory
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.patterns import Language, PatternPack, default_pack
from eda.memory.summariser import Summariser
from eda.panels.files import UserFile
from eda.panels.settings import Settings
from eda.session import Session
from eda.text import MAX_MESSAGE, bounded

_A_ROW = 'A row is a JSON object, such as {"speaker": "Maya", "text": "..."}.'
_Id = Annotated[str, Field(min_length=1, coerce_numbers_to_str=True)]


class Row(BaseModel):
    """One message of a transcript. Unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    speaker: _Id
    text: str
    id: _Id | None = None
    """The message's id in the source. Without one, its place in the conversation, from 1, stands in."""
    conv: _Id | None = None
    """Id of the conversation to which the message belongs."""
    t: Annotated[float, Field(allow_inf_nan=False)] | None = None
    """Seconds from the start."""
    topic: str | None = None
    reply_to: _Id | None = None
    """Id of the message that it answers, if the source has it."""
    question: str = ""
    options: tuple[str, ...] | None = None
    """The choices under discussion; read from the first row of a conversation."""


class _Source:
    """An open transcript, closed once nobody holds it any more."""

    def __init__(self, file: UserFile) -> None:
        self.file = file
        self.stream = file.seekable()
        weakref.finalize(self, self.stream.close)


class Rows:
    """The rows of one conversation, read from their file each time, so that memory holds none of them."""

    def __init__(self, source: _Source) -> None:
        self._source = source
        self._places = array("Q")
        """Where in the file each row begins."""
        self.answers = False
        """Whether a row names the message that it answers."""

    def add(self, row: Row, place: int) -> None:
        """Add the row that begins at a place of the file."""
        self._places.append(place)
        self.answers = self.answers or row.reply_to is not None

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Row]:
        return map(self._at, self._places)

    def __getitem__(self, index: int) -> Row:
        return self._at(self._places[index])

    def _at(self, place: int) -> Row:
        self._source.stream.seek(place)
        try:
            return _row(self._source.stream.readline())
        except ValueError:
            raise self._source.file.fault("was changed while it was read", "Read it again.") from None


@dataclass(frozen=True)
class Transcripts:
    """The conversations of a file, by id, in the order in which they begin."""

    conversations: Mapping[str, Rows]
    skipped: int = 0
    """Number of bad rows that were skipped."""
    first_skipped: str = ""
    """Place and fault of the first skipped row; empty if none was skipped."""
    too_long: int = 0
    """Number of rows whose text is cut; see `eda.text.bounded`."""


def read_transcripts(path: Path, *, skip_bad: bool = False) -> Transcripts:
    """Read a file with one JSON object, a `Row`, on each line; `-` is standard input.

    Args:
        path: The file. Its stem is the id of a conversation without `conv`.
        skip_bad: Skip bad rows and count them, instead of raising an error.

    Raises:
        InputError: the file cannot be read, or has no usable row or a bad one. The message gives file, line and reason.
    """
    conversations: dict[str, Rows] = {}
    seen: set[int] = set()
    skipped, first_skipped, too_long = 0, "", 0
    file = UserFile(path, InputError, what="transcript")
    source = _Source(file)
    for number, line in file.lines(source.stream):
        try:
            row = _row(line)
            conv = row.conv or path.stem
            _check_new(conv, row.id, seen)
        except ValueError as error:
            if not skip_bad:
                hint = f"{_A_ROW} Correct the row, or skip bad rows with --skip-bad."
                raise file.fault(str(error), hint, number) from None
            skipped += 1
            first_skipped = first_skipped or f"{file.place(number)}: {error}"
            continue
        too_long += len(row.text) > MAX_MESSAGE
        if conv not in conversations:
            conversations[conv] = Rows(source)
        conversations[conv].add(row, source.stream.tell() - len(line))
    if not conversations:
        raise file.fault("has no usable row", _A_ROW)
    return Transcripts(conversations, skipped, first_skipped, too_long)


def analyze(
    rows: Rows | Iterable[Row | Mapping[str, Any]],
    *,
    options: Sequence[str] = (),
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
    settings = settings or Settings()
    patterns = patterns or default_pack()
    again = _Again(messages, patterns.language) if session is None and isinstance(messages, Rows) else None
    memory = ConversationMemory(patterns, fact=session.fact if session else again)
    memory.parts.pending.for_model, memory.parts.minutes_only = False, minutes_only
    session = session or Session.in_memory()
    bus = MessageBus(again or session.log, memory.fold)
    style = settings.summary_style
    summariser = Summariser(memory, bus.publish, style=lambda: style)
    first = messages[0] if messages else None
    bus.publish(
        SessionStarted(
            session=session.name,
            kind="transcript",
            question=first.question if first else "",
            options=_named(options or (first.options if first else None) or ()),
            settings=settings,
            patterns=memory.patterns.fingerprint,
        )
    )
    threaded = not isinstance(messages, Rows) or messages.answers
    numbers: dict[str, int] = {}
    for number, row in enumerate(messages, 1):
        message = _message(row, number, numbers.get(row.reply_to or ""), patterns.language)
        if threaded:
            numbers[row.id or str(number)] = number
        bus.publish(message)
        summariser.extract_due()
        if on_message is not None:
            on_message(message)
    bus.publish(SessionEnded(reason="transcript"))
    return memory


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
        reply_to=reply_to,
        **read_reply(text, loose=False, language=language)._asdict(),
    )


def _whole(rows: Iterable[Row | Mapping[str, Any]]) -> list[Row]:
    """Return the rows of one conversation, each checked before the first is used."""
    messages = [row if isinstance(row, Row) else _checked(row, place) for place, row in enumerate(rows, 1)]
    conversations = {row.conv for row in messages if row.conv}
    if len(conversations) > 1:
        raise InputError(f"the rows belong to {len(conversations)} conversations", hint="Analyze one at a time.")
    return messages


def conversation_report(conv: str, rows: Sequence[Row] | Rows, memory: ConversationMemory) -> dict[str, Any]:
    """Return what memory found in a conversation as a JSON object, with the transcript's own message ids."""
    homes = {proposal.id: proposal.message for proposal in memory.proposals}

    def own(number: int | None) -> str | None:
        return (rows[number - 1].id or str(number)) if number else None

    def reaction(item: Reaction) -> dict[str, Any]:
        return {"message_id": own(item.message), "agent": item.agent, "reaction": item.reaction}

    return {
        "conv": conv,
        "messages": len(rows),
        "decisions": [
            {
                "id": d.id,
                "message_ids": [own(number) for number in d.messages],
                "topic": d.topic,
                "outcome": d.outcome,
                "supporters": list(d.supporters),
                "status": d.status,
            }
            for d in memory.decisions
        ],
        "proposals": [
            {
                "id": p.id,
                "message_id": own(p.message),
                "proposer": p.proposer,
                "content": p.content,
                "status": p.status,
                "reactions": [reaction(item) for item in p.reactions],
            }
            for p in memory.proposals
        ],
        "reactions": [
            {**reaction(item), "to": own(homes.get(item.to or "", item.answered))} for item in memory.reactions
        ],
        "agents": {
            name: {
                "last_position": state.last_position,
                "key_contributions": list(state.key_contributions),
                "message_count": state.message_count,
                "holds": list(state.holds),
            }
            for name, state in memory.agents.items()
        },
        "consensus": memory.consensus().reached,
        "summaries": [
            {"first": own(s.first), "last": own(s.last), "level": s.level, "text": s.text} for s in memory.summaries
        ],
    }


def _named(options: Iterable[str]) -> tuple[str, ...]:
    """Return the options without surplus white space, empty ones and repeats."""
    return tuple(dict.fromkeys(" ".join(option.split()) for option in options if option.strip()))


def _check_new(conv: str, own_id: str | None, seen: set[int]) -> None:
    if own_id is None:
        return
    name = hash((conv, own_id))  # a number takes a third of the room of the texts
    if name in seen:
        raise ValueError(f"the id {own_id!r} occurs twice in {conv!r}")
    seen.add(name)


def _row(line: bytes) -> Row:
    try:
        return Row.model_validate_json(line.removeprefix(b"\xef\xbb\xbf"))
    except ValidationError as error:
        raise ValueError(_reason(error)) from None


def _checked(row: Mapping[str, Any], place: int) -> Row:
    try:
        return Row.model_validate(dict(row))
    except ValidationError as error:
        raise InputError(f"row {place}: {_reason(error)}") from None


def _reason(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    match first["type"]:
        case "json_invalid":
            return "nests too deep" if "recursion" in first["msg"] else "is not valid JSON"
        case "missing":
            return f"lacks the field {field!r}"
        case "model_type":
            return "is not a JSON object"
        case _:
            return f"{field!r}: {first['msg'].lower()}"
