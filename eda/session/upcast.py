"""A fact and its line in the log: how one becomes the other, whichever schema version wrote it.

One rule: what is read equals what was published. A value that JSON would change on the way is replaced or refused
before it is kept, and a line that an unknown schema wrote is refused before it is misread.

A line is the fact's JSON object (`seq`, `at`, `type`, then its fields), closed by two keys of the log's own: `more`,
the number of lines of the same group that follow (left out where it is 0), and `crc`, the CRC-32 of all before it.
Fields at their default are left out, except in facts that hold settings: those defaults may move with the program,
and a resume must find the ones that held. A moved default of any other fact is a new schema version.
"""

from __future__ import annotations

import dataclasses
import math
import re
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ValidationError

from eda.errors import SessionError
from eda.events import SCHEMA_VERSION, STORED_TYPES, Event, SessionStarted, SettingChanged, stored_event

__all__ = [
    "UnheardOfError",
    "check_group",
    "check_line",
    "check_version",
    "decode",
    "encode",
    "replacements",
    "stamped",
    "swallowed",
    "torn",
]

OLDEST_VERSION = 1
"""The first schema version. All that followed only added, and what an older log lacks is read as its default. One that
changes more gets an upcaster here; each has a golden log in the tests."""

_NAMES: dict[type[Event], str] = {kind: kind.model_fields["type"].default for kind in STORED_TYPES}
_ALL_FIELDS: dict[type[Event], set[str]] = {kind: set(kind.model_fields) for kind in STORED_TYPES}
_KNOWN = frozenset(name.encode() for name in _NAMES.values())
_IN_FULL = frozenset({SessionStarted, SettingChanged})
_HEAD_FIELDS = {"seq", "at", "type"}
_HARMLESS = (int, bool, int | None)

_HEAD = re.compile(rb'\{"seq":(\d{1,18}),"at":"[^"]+","type":"([^"]*)"')
_MORE = re.compile(rb',"more":(\d{1,9})\Z')
_MORE_ROOM = 24
_CRC = re.compile(rb',"crc":"([0-9a-f]{8})"\}')
_CRC_LENGTH = len(b',"crc":"00000000"}')
_SURROGATE = re.compile("[\ud800-\udfff]")


class UnheardOfError(ValueError):
    """A line is what was written, and no fact that this program knows: a newer one may have gone on with the log."""


def _kept(value: Any) -> Any:
    """`value` as a log can keep it: itself where nothing has to change."""
    kept = value
    if isinstance(value, str):
        if not value.isascii() and _SURROGATE.search(value):
            # One character for one, so that offsets into the text (`moves_at`, quotes) stay true.
            kept = _SURROGATE.sub("\ufffd", value)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is no number that a log can keep")
    elif isinstance(value, tuple | list):
        items = [_kept(item) for item in value]
        kept = value if all(map(_same, items, value)) else type(value)(items)
    elif isinstance(value, dict):
        pairs = {_kept(key): _kept(item) for key, item in value.items()}
        same = all(map(_same, pairs, value)) and all(map(_same, pairs.values(), value.values()))
        kept = value if same else pairs
    elif isinstance(value, BaseModel):
        changed = replacements(value)
        kept = value.model_copy(update=changed) if changed else value
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        kept = _kept_record(value)
    return kept


def _kept_record(record: Any) -> Any:
    fields = {field.name: getattr(record, field.name) for field in dataclasses.fields(record)}
    changed = {name: kept for name, item in fields.items() if (kept := _kept(item)) is not item}
    return dataclasses.replace(record, **changed) if changed else record


def _same(left: object, right: object) -> bool:
    return left is right


@cache
def _watched(kind: type[BaseModel]) -> tuple[str, ...]:
    """The fields that may hold text or a float, however deep."""
    fields = kind.model_fields.items()
    return tuple(name for name, field in fields if name not in _HEAD_FIELDS and field.annotation not in _HARMLESS)


def replacements(model: BaseModel) -> dict[str, Any]:
    """The fields that a log cannot keep as they are, with what stands for them; empty for nearly every fact.

    A lone surrogate (half a character, which UTF-8 has no bytes for) becomes U+FFFD.

    Raises:
        ValueError: a number is infinite or not a number; JSON would make it null, and null means something else.
    """
    changed: dict[str, Any] = {}
    values = model.__dict__
    for name in _watched(model.__class__):
        value = values[name]
        # The commonest cases first: this runs for each field of each fact.
        if not value or (value.__class__ is str and value.isascii()):
            continue
        try:
            kept = _kept(value)
        except ValueError as error:
            raise ValueError(f"{type(model).__name__}.{name}: {error}") from None
        if kept is not value:
            changed[name] = kept
    return changed


def stamped(event: Event, seq: int, at: datetime) -> Event:
    """A copy of a stored event that has its place and time, and nothing that a log cannot keep (see `replacements`).

    Raises:
        TypeError: not one of the stored types.
        ValueError: a number is infinite or not a number.
    """
    kind = event.__class__
    if kind not in _NAMES:
        raise TypeError(f"{kind.__name__} is no stored fact; announce() is for the derived ones")
    copy = kind.__new__(kind)
    # What `model_copy` does, but for the set of given fields, which all copies share: with a set each, publishing is
    # half as fast. A test holds the two together.
    object.__setattr__(copy, "__dict__", {**event.__dict__, **replacements(event), "seq": seq, "at": at})
    object.__setattr__(copy, "__pydantic_fields_set__", _ALL_FIELDS[kind])
    object.__setattr__(copy, "__pydantic_extra__", None)
    object.__setattr__(copy, "__pydantic_private__", None)
    return copy


def check_group(events: Sequence[Event], last_seq: int) -> None:
    """Refuse a group that a log must not keep.

    Raises:
        TypeError: not one of the stored types.
        ValueError: not stamped, not in sequence after `last_seq`, or holding what JSON would change.
    """
    for due, event in enumerate(events, last_seq + 1):
        if event.__class__ not in _NAMES:
            raise TypeError(f"{type(event).__name__} is no fact that a log keeps")
        if event.seq != due or event.at is None:
            raise ValueError(f"{type(event).__name__} is stamped seq={event.seq}, at={event.at} where {due} is due")
        if changed := replacements(event):
            raise ValueError(f"{type(event).__name__}.{next(iter(changed))} holds a lone surrogate")


def encode(events: Sequence[Event]) -> list[bytes]:
    """The lines of a group that `check_group` let through, each with its newline."""
    lines = []
    for more, event in zip(range(len(events) - 1, -1, -1), events, strict=True):
        name = _NAMES[event.__class__]
        at = "" if event.at is None else event.at.astimezone(UTC).isoformat().removesuffix("+00:00")
        in_full = event.__class__ in _IN_FULL
        fields = event.model_dump_json(exclude=_HEAD_FIELDS, exclude_defaults=not in_full)[1:-1]
        body = f'{{"seq":{event.seq},"at":"{at}Z","type":"{name}"'
        if fields:
            body += "," + fields
        if more:
            body += f',"more":{more}'
        data = body.encode()
        lines.append(b'%b,"crc":"%08x"}\n' % (data, zlib.crc32(data)))
    return lines


def check_line(line: bytes) -> tuple[int, int]:
    """The `seq` and `more` of a line without its newline, once it is known to be what was written.

    Raises:
        ValueError: it is not; the message is the reason.
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
        raise UnheardOfError(f"has the unknown type '{head[2].decode(errors='replace')}'")
    more = _MORE.search(body, max(0, len(body) - _MORE_ROOM))
    return int(head[1]), 0 if more is None else int(more[1])


def decode(line: bytes) -> Event:
    """The fact of a line without its newline.

    Raises:
        ValueError: the line is not what was written; the message is the reason.
    """
    _, more = check_line(line)
    body = line[:-_CRC_LENGTH]
    if more:
        body = body[: body.rindex(b',"more":')]
    try:
        return stored_event.validate_json(body + b"}")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        raise UnheardOfError(f"is no fact of this schema: {place or 'JSON'}: {first['msg']}") from error


def torn(line: bytes) -> bool:
    """Whether a write that was not finished may have left this last line: without its end, or with holes of NUL.

    An empty one may be cut off as well: it holds nothing.
    """
    return not line.endswith(b"\n") or b"\0" in line or line == b"\n"


def swallowed(line: bytes) -> bool:
    """Whether a whole line is inside this one: then its newline was damaged, and this is no torn write."""
    return any(
        match.end() < len(line) and b"%08x" % zlib.crc32(line[: match.start()]) == match[1]
        for match in _CRC.finditer(line)
    )


def check_version(first_line: bytes, path: Path) -> None:
    """Refuse a log whose first line says that a newer program wrote it; a line that is no JSON is left to its checksum.

    Raises:
        SessionError: the message says which versions this program reads.
    """
    try:
        first = orjson.loads(first_line)
    except orjson.JSONDecodeError:
        return
    version = first.get("schema_version", SCHEMA_VERSION) if isinstance(first, dict) else SCHEMA_VERSION
    if version in range(OLDEST_VERSION, SCHEMA_VERSION + 1):
        return
    reads = str(SCHEMA_VERSION) if SCHEMA_VERSION == OLDEST_VERSION else f"{OLDEST_VERSION} to {SCHEMA_VERSION}"
    raise SessionError(
        f"{path}: written in schema version {version!r}; this program reads {reads}",
        hint="Open it with the program that wrote it, or a newer one.",
    )
