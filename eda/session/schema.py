"""Encoding and decoding: a fact to its line in the log and back, for every schema version.

A fact that is read equals the fact that was published. A value that JSON would change is replaced or refused before the
fact is stored, and a line of an unknown schema is refused.

A line is the fact's JSON object (`seq`, `at`, `type`, then its fields) with three keys of the log at the end: `more`,
the number of lines of the same group that follow (left out if 0), `chain`, a hash that covers all lines up to this one
(see `chain`), and `crc`, the CRC-32 of everything before it. Fields at
their default are left out, except in classes with `in_full`: the defaults of settings may differ in a later version,
and a resume needs those that held. To change the default of any other field is a new schema version.
"""

import dataclasses
import math
import zlib
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ValidationError

from eda.errors import SessionError
from eda.events import SCHEMA_VERSION, STORED_TYPES, Event, stored_event
from eda.session.chain import link
from eda.text import regex

OLDEST_VERSION = 6
"""The first schema version. An added field that an older log lacks is read as its default. A version that changes more
needs an upcaster; each version has a golden log in the tests."""

_FIELDS: dict[type[Event], set[str]] = {kind: set(kind.model_fields) for kind in STORED_TYPES}
_KNOWN = frozenset(kind.model_fields["type"].default.encode() for kind in STORED_TYPES)
_PASSING = frozenset(kind.model_fields["type"].default.encode() for kind in STORED_TYPES if not kind.durable)
_HEAD_FIELDS = {"seq", "at", "type"}
_HARMLESS = frozenset({int, bool, datetime})  # Types whose values JSON always holds unchanged.

_HEAD = regex(rb'\{"seq":(\d{1,18}),"at":"[^"]+","type":"([^"]*)"')
_MORE = regex(rb',"more":(\d{1,9})\Z')
_MORE_ROOM = 24
_CRC = regex(rb',"crc":"([0-9a-f]{8})"\}')
_CRC_LENGTH = len(b',"crc":"00000000"}')
_CHAIN = b',"chain":"'
_CHAIN_LENGTH = len(_CHAIN) + 64 + 1
_SURROGATE = regex("[\ud800-\udfff]")


class UnknownFactError(ValueError):
    """A line is undamaged but holds no fact that this program knows: a newer program may have written it."""


def _storable(value: Any) -> Any:
    """Return `value`, or an equal copy that JSON can hold: each lone surrogate in a text becomes U+FFFD.

    A lone surrogate is half a character, which UTF-8 cannot encode. One character replaces one, so that offsets into
    the text (`moves_at`, quotes) stay correct.

    Raises:
        ValueError: a number is infinite or not a number; JSON would make it null, which means something else.
    """
    if not value or value.__class__ in _HARMLESS:
        return value
    if isinstance(value, str):
        return value if value.isascii() else _SURROGATE.sub("\ufffd", value)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} cannot be stored in JSON")
    if isinstance(value, tuple | list):
        return type(value)(map(_storable, value))
    if isinstance(value, dict):
        return {_storable(key): _storable(item) for key, item in value.items()}
    if isinstance(value, BaseModel):
        return value.model_copy(update=changed) if (changed := _replacements(value)) else value
    return _storable_record(value) if dataclasses.is_dataclass(value) else value


def _storable_record(value: Any) -> Any:
    fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    changed = {name: new for name, old in fields.items() if (new := _storable(old)) != old}
    return dataclasses.replace(value, **changed) if changed else value


def _replacements(model: BaseModel) -> dict[str, Any]:
    """Return the fields that JSON cannot hold, each with its replacement; empty for nearly every model.

    Raises:
        ValueError: see `_storable`.
    """
    changed: dict[str, Any] = {}
    for name, value in model.__dict__.items():
        # The most common cases first, because this runs for each field of each fact.
        if value and value.__class__ not in _HARMLESS and not (value.__class__ is str and value.isascii()):
            try:
                new = _storable(value)
            except ValueError as error:
                raise ValueError(f"{type(model).__name__}.{name}: {error}") from None
            if new != value:
                changed[name] = new
    return changed


def stamped(events: Iterable[Event], last_seq: int, at: datetime) -> tuple[Event, ...]:
    """Return copies of facts with the positions after `last_seq` and a time; a lone surrogate in them becomes U+FFFD.

    Raises:
        TypeError: an event's class is not one that the log stores.
        ValueError: a number is infinite or not a number.
    """
    return tuple(_stamped(event, seq, at) for seq, event in enumerate(events, last_seq + 1))


def _stamped(event: Event, seq: int, at: datetime) -> Event:
    kind = event.__class__
    if kind not in _FIELDS:
        raise TypeError(f"{kind.__name__} is not stored; publish() takes stored events, announce() the others")
    copy = kind.__new__(kind)
    # This is `model_copy`, except that all copies share one set of given fields: a set for each copy makes publishing
    # half as fast, and `check_group` knows by it that the values were looked at. A test compares the two.
    values, replaced = event.__dict__, _replacements(event)
    if replaced:  # what was made of the words that are replaced is made anew
        values = {name: value for name, value in values.items() if name in kind.model_fields}
    object.__setattr__(copy, "__dict__", {**values, **replaced, "seq": seq, "at": at})
    object.__setattr__(copy, "__pydantic_fields_set__", _FIELDS[kind])
    object.__setattr__(copy, "__pydantic_extra__", None)
    object.__setattr__(copy, "__pydantic_private__", None)
    return copy


def check_group(events: Sequence[Event], last_seq: int) -> None:
    """Refuse a group of facts that a log must not store after the fact `last_seq`.

    Raises:
        TypeError: an event's class is not one that the log stores.
        ValueError: an event is not stamped, is out of sequence, or holds a value that JSON would change.
    """
    for due, event in enumerate(events, last_seq + 1):
        if event.__class__ not in _FIELDS:
            raise TypeError(f"{type(event).__name__} is not stored in a log")
        if event.seq != due or event.at is None:
            raise ValueError(f"{type(event).__name__} has seq={event.seq}, at={event.at}; the next seq is {due}")
        if event.__pydantic_fields_set__ is not _FIELDS[event.__class__] and (changed := _replacements(event)):
            raise ValueError(f"{type(event).__name__}.{next(iter(changed))} holds a lone surrogate")


def encode(events: Sequence[Event], head: str) -> tuple[list[bytes], str]:
    """Return the lines of a checked group (see `check_group`), each with its newline, and the new head of the chain.

    `head` is the hash of the line before them.
    """
    lines = []
    for more, event in zip(range(len(events) - 1, -1, -1), events, strict=True):
        at = "" if event.at is None else event.at.astimezone(UTC).isoformat().removesuffix("+00:00")
        fields = event.model_dump_json(exclude=_HEAD_FIELDS, exclude_defaults=not event.in_full)[1:-1]
        body = f'{{"seq":{event.seq},"at":"{at}Z","type":"{event.type}"'
        if fields:
            body += "," + fields
        if more:
            body += f',"more":{more}'
        data = body.encode()
        head = link(head, data)
        data += b'%b%b"' % (_CHAIN, head.encode())
        lines.append(b'%b,"crc":"%08x"}\n' % (data, zlib.crc32(data)))
    return lines, head


def _unchained(body: bytes) -> bytes:
    """Return a line up to its hash; `body` is the line up to its checksum."""
    return body[:-_CHAIN_LENGTH] if body[-_CHAIN_LENGTH:].startswith(_CHAIN) else body


def check_line(line: bytes) -> tuple[int, int]:
    """Verify a line without its newline and return its `seq` and `more`.

    Raises:
        UnknownFactError: the line is undamaged, but its type is unknown.
        ValueError: the line is damaged; the message gives the reason.
    """
    body = line[:-_CRC_LENGTH]
    if _CRC.fullmatch(line, len(body)) is None:
        raise ValueError("does not end with a checksum")
    if b"%08x" % zlib.crc32(body) != line[-10:-2]:
        raise ValueError("does not match its checksum")
    head = _HEAD.match(body)
    if head is None:
        raise ValueError("does not begin with seq, at and type")
    if head[2] not in _KNOWN:
        raise UnknownFactError(f"has the unknown type '{head[2].decode(errors='replace')}'")
    body = _unchained(body)
    more = _MORE.search(body, max(0, len(body) - _MORE_ROOM))
    return int(head[1]), 0 if more is None else int(more[1])


def decode(line: bytes) -> Event:
    """Return the fact of a line without its newline.

    Raises:
        UnknownFactError: the line is undamaged, but this program's schema has no such fact.
        ValueError: the line is damaged; the message gives the reason.
    """
    _, more = check_line(line)
    body = _unchained(line[:-_CRC_LENGTH])
    if more:
        body = body[: body.rindex(b',"more":')]
    try:
        return _read(body + b"}")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        raise UnknownFactError(f"is no fact of this schema: {place or 'JSON'}: {first['msg']}") from error


def _read(fact: bytes) -> Event:
    """Return a fact; one that today's classes refuse is read as that of an older schema, if that had another form."""
    try:
        return stored_event.validate_json(fact)
    except ValidationError as error:
        if error.errors(include_url=False)[0]["type"] == "json_invalid":
            raise
        older: Fact = orjson.loads(fact)
        change = _BEFORE_7.get(older.get("type", ""))
        if change is None:  # its kind has had one form only
            raise
        change(older)
        return stored_event.validate_json(orjson.dumps(older))


def is_durable(line: bytes) -> bool:
    """Return whether a whole line holds a fact that was confirmed only once it was synced."""
    head = _HEAD.match(line)
    return head is not None and head[2] not in _PASSING


def contains_line(line: bytes) -> bool:
    """True if this line holds another, whole line: then a newline was damaged, and no write was interrupted."""
    return any(
        match.end() < len(line) and b"%08x" % zlib.crc32(line[: match.start()]) == match[1]
        for match in _CRC.finditer(line)
    )


def check_version(first_line: bytes, path: Path) -> None:
    """Refuse a log that a newer program wrote. A first line that is not JSON is left to the checksum.

    Raises:
        SessionError: the schema version is not one that this program reads.
    """
    try:
        first = orjson.loads(first_line)
    except orjson.JSONDecodeError:
        return
    version = first.get("schema_version", SCHEMA_VERSION) if isinstance(first, dict) else SCHEMA_VERSION
    if version not in range(OLDEST_VERSION, SCHEMA_VERSION + 1):
        raise SessionError(
            f"{path}: written in schema version {version!r}; this program reads {OLDEST_VERSION} to {SCHEMA_VERSION}",
            hint="Open it with the program that wrote it, or a newer one.",
        )


Fact = dict[str, Any]
# A parent as older logs name it: `billing at m12 (persona:sceptic=economist)`.
_PARENT = regex(r"(\S+)(?: at m(\d+))?(?: \((.*)\))?", "S")


def _ballot(ballot: Fact) -> None:
    if "doubt" in ballot:
        ballot["doubts"] = [{"kind": "words", "words": ballot.pop("doubt")}]


def _verdict(fact: Fact) -> None:
    for ballot in fact.get("dissent", ()):
        _ballot(ballot)
    for field, named in (("note", {"why": "in words"}), ("tie", {})):
        if isinstance(words := fact.get(field), str):
            fact[field] = {**named, "words": words} if words else None
    if fact.get("undoubted") in ("no wording", "no verdict"):
        fact["undoubted_to"] = fact.pop("undoubted")


def _paused(fact: Fact) -> None:
    reason = fact["reason"]
    _, by, who = reason.partition("paused by ")
    fact |= {"reason": "person", "by": who} if by and reason.startswith(by) else {"reason": "words", "error": reason}


def _started(fact: Fact) -> None:
    if isinstance(parent := fact.get("parent"), str):
        words = _PARENT.fullmatch(parent)
        at = int(words[2]) if words and words[2] else None
        fact["parent"] = {"session": words[1], "at": at, "changed": words[3] or ""} if words else None


def _bids(fact: Fact) -> None:
    for bid in fact["bids"]:
        if bid.pop("missing", False):
            bid["fault"] = "missing"


# What makes a fact of a schema before 7 one of today's classes.
_BEFORE_7: dict[str, Callable[[Fact], None]] = {
    "ballot_cast": lambda fact: _ballot(fact["ballot"]),
    "verdict_reached": _verdict,
    "session_paused": _paused,
    "turn_passed": lambda fact: fact.update(
        {"why": "repeated"} if fact.get("repeats") else {"why": "words", "fault": fact["why"]}
    ),
    "session_started": _started,
    "bids_taken": _bids,
}
