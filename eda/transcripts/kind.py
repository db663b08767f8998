"""The messages of a transcript, and a kind of transcript: how it is known by its beginning and how it is read."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eda.errors import InputError
from eda.panels.files import UserFile
from eda.words import ENGLISH

UNKNOWN = "unknown"
"""The speaker of what the source gives to nobody."""
_SHOWN = 5  # Places of unread messages that are kept.

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
    sent: datetime | None = None
    """When it was said, where the source has more than `t`; without a zone where the source names none."""
    topic: str | None = None
    reply_to: _Id | None = None
    """Id of the message that it answers, if the source has it."""
    question: str = ""
    options: tuple[str, ...] | None = None
    """The choices under discussion; read from the first row of a conversation."""


@dataclass
class Reading:
    """A transcript while it is read: its text, and the account of what is no message or could not be read."""

    file: UserFile
    raw: bytes
    columns: Mapping[str, str] = field(default_factory=dict)
    """For a table: the column of each field of a row."""
    skip_bad: bool = False
    """For JSON lines: whether bad rows are skipped."""
    unread: int = 0
    faults: list[str] = field(default_factory=list)
    """Place and reason of the first messages that could not be read."""
    left_out: Counter[str] = field(default_factory=Counter)
    """What is no message, by what it is."""

    @cached_property
    def text(self) -> str:
        """The whole text; InputError if the file is no text."""
        return self.file.decoded(self.raw)

    def skip(self, where: int | str, why: str) -> None:
        """Count what could not be read, at a line or at a place in words."""
        self.unread += 1
        if len(self.faults) < _SHOWN:
            place = self.file.place(where) if isinstance(where, int) else f"{self.file.place()}, {where}"
            self.faults.append(f"{place}: {why}")

    def row(self, where: int | str, speaker: object, text: object, **more: Any) -> Iterator[Row]:
        """Yield a row, of `UNKNOWN` where nobody is named; nothing, and count it, where it has no text."""
        if not isinstance(text, str) or not text.strip():
            self.skip(where, "has no text")
            return
        yield Row(speaker=(isinstance(speaker, str) and " ".join(speaker.split())) or UNKNOWN, text=text, **more)


class TranscriptKind(NamedTuple):
    """One kind of transcript."""

    line: str
    """What it is, in a line."""
    claims: Callable[[str], object]
    """Returns whether a text of this kind may begin so; it is given the first kilobytes."""
    rows: Callable[[Reading], Iterable[Row]]
    """Reads the rows in order."""


def own_id(value: object) -> str | None:
    """Return the id of the source as a text; None where it is none."""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) and value != "" else None


def moment(value: object) -> datetime | None:
    """Return a time that is written in ISO 8601, or in seconds since 1970; None where it is neither."""
    try:
        if isinstance(value, str) and re.fullmatch(r"\d{9,11}(\.\d{1,9})?", value):
            return datetime.fromtimestamp(float(value), UTC)
        return datetime.fromisoformat(value) if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError):
        return None


def row_of_dict(row: Mapping[str, Any], place: int) -> Row:
    """Return a dict as a row; InputError names its place, from 1, and what is wrong with it."""
    try:
        return Row.model_validate(dict(row))
    except ValidationError as error:
        raise InputError(f"row {place}: {fault_of(error)}") from None


def fault_of(error: ValidationError) -> str:
    """Return what is wrong with a row, in a few words."""
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    match first["type"]:
        case "json_invalid":
            return "nests too deep" if "recursion" in first["msg"] else "is not valid JSON"
        case "missing":
            return ENGLISH.say("transcripts-no-field", field=repr(field))
        case "model_type":
            return "is not a JSON object"
        case _:
            return f"{field!r}: {first['msg'].lower()}"
