"""A recorded transcript goes through the same bus and memory as a debate, with no model."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eda.bus import MessageBus
from eda.errors import InputError
from eda.events import MessagePosted, SessionEnded, SessionStarted
from eda.memory import ConversationMemory
from eda.memory.moves import parse_moves
from eda.memory.summaries import Summariser
from eda.patterns import PatternPack
from eda.records import Reaction
from eda.session import Session
from eda.settings import Settings

__all__ = ["Row", "Transcripts", "analyze", "conversation_report", "read_transcripts"]

_A_ROW = 'A row is a JSON object, such as {"speaker": "Maya", "text": "..."}.'
_Id = Annotated[str, Field(min_length=1, coerce_numbers_to_str=True)]


class Row(BaseModel):
    """One message of a transcript; fields that are not named here are passed over."""

    model_config = ConfigDict(frozen=True)

    speaker: _Id
    text: str
    id: _Id | None = None
    """The message's own id; its place in the conversation, from 1, where there is none."""
    conv: _Id | None = None
    """Which conversation it belongs to."""
    t: Annotated[float, Field(allow_inf_nan=False)] | None = None
    """Seconds from the start."""
    topic: str | None = None
    reply_to: _Id | None = None
    """The id of the message that it answers, where the source keeps that."""
    question: str = ""
    options: tuple[str, ...] | None = None
    """On a conversation's first row: the choices on the table."""


@dataclass(frozen=True, slots=True)
class Transcripts:
    """The conversations of a file, in the order in which they begin."""

    conversations: Mapping[str, list[Row]]
    skipped: int = 0
    """Bad rows that were passed over."""
    first_skipped: str = ""
    """What was wrong with the first of them."""


def read_transcripts(path: Path, *, skip_bad: bool = False) -> Transcripts:
    """Read JSON lines with `speaker` and `text`, and the optional fields of `Row`; `-` is standard input.

    Raises:
        InputError: the file cannot be read, holds no row, or has a bad row: file, line, reason.
    """
    conversations: dict[str, list[Row]] = {}
    seen: set[tuple[str, str]] = set()
    skipped, first_skipped = 0, ""
    for number, line in _lines(path):
        try:
            row = _row(line)
            conv = row.conv or path.stem
            _check_new(conv, row.id, seen)
        except ValueError as error:
            where = f"{path}, line {number}: {error}"
            if not skip_bad:
                raise InputError(where, hint=f"{_A_ROW} Mend it, or pass --skip-bad to go on without it.") from None
            skipped += 1
            first_skipped = first_skipped or where
            continue
        conversations.setdefault(conv, []).append(row)
    if not conversations:
        raise InputError(f"{path} holds no usable row", hint=_A_ROW)
    return Transcripts(conversations, skipped, first_skipped)


def analyze(
    rows: Iterable[Row | Mapping[str, Any]],
    *,
    options: Sequence[str] = (),
    patterns: PatternPack | None = None,
    session: Session | None = None,
    settings: Settings | None = None,
    on_message: Callable[[MessagePosted], object] | None = None,
) -> ConversationMemory:
    """Feed one recorded conversation to a memory.

    Args:
        rows: Its messages, in order; a dict is read as a line of a transcript.
        options: The choices on the table; those of the first row where empty.
        patterns: What to look for; the default pack where None.
        session: Where to keep the facts; nowhere but in memory where None.
        settings: For `summary_every` and the budgets.
        on_message: Called with each message as it is posted.

    Raises:
        InputError: a row that is none, or rows of several conversations.
    """
    read = [row if isinstance(row, Row) else _checked(row, place) for place, row in enumerate(rows, 1)]
    names = {row.conv for row in read if row.conv}
    if len(names) > 1:
        raise InputError(f"the rows belong to {len(names)} conversations", hint="Analyze one at a time.")
    settings = settings or Settings()
    kept = session.fact if session else None
    session = session or Session.in_memory()
    memory = ConversationMemory(patterns, fact=kept)
    bus = MessageBus(session.log, memory.fold)
    style = settings.summary_style
    summariser = Summariser(memory, bus.publish, interval=settings.summary_every, style=lambda: style)
    first = read[0] if read else None
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
    numbers: dict[str, int] = {}
    for number, row in enumerate(read, 1):
        moves_at, moves = parse_moves(row.text)
        message = MessagePosted(
            number=number,
            who=row.speaker,
            text=row.text,
            moves_at=moves_at,
            moves=moves,
            ref=row.id,
            topic=row.topic,
            t=row.t,
            reply_to=numbers.get(row.reply_to or ""),
        )
        numbers[row.id or str(number)] = number
        bus.publish(message)
        summariser.extract_due()
        if on_message is not None:
            on_message(message)
    bus.publish(SessionEnded(reason="transcript"))
    return memory


def conversation_report(conv: str, rows: Sequence[Row], memory: ConversationMemory) -> dict[str, Any]:
    """What memory found in a conversation, as one JSON object; message ids are the transcript's own."""
    ids = [row.id or str(number) for number, row in enumerate(rows, 1)]

    homes = {proposal.id: proposal.message for proposal in memory.proposals}

    def own(number: int | None) -> str | None:
        return ids[number - 1] if number else None

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
    """The options that say something, each once."""
    return tuple(dict.fromkeys(" ".join(option.split()) for option in options if option.strip()))


def _lines(path: Path) -> Iterable[tuple[int, bytes]]:
    try:
        with nullcontext(sys.stdin.buffer) if path == Path("-") else path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, line
    except FileNotFoundError:
        raise InputError(f"transcript {path} does not exist") from None
    except OSError as error:
        raise InputError(f"transcript {path} cannot be read: {error.strerror}") from None


def _check_new(conv: str, own_id: str | None, seen: set[tuple[str, str]]) -> None:
    if own_id is None:
        return
    if (conv, own_id) in seen:
        raise ValueError(f"the id {own_id!r} stands twice in {conv!r}")
    seen.add((conv, own_id))


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
            return "is no JSON"
        case "missing":
            return f"lacks the field {field!r}"
        case "model_type":
            return "is no JSON object"
        case _:
            return f"{field!r}: {first['msg'].lower()}"
