"""The messages of a transcript, and the kind of file that holds one as a JSON object on each line."""

from __future__ import annotations

import weakref
from array import array
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any, BinaryIO

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eda.errors import InputError
from eda.panels.files import UserFile

A_ROW = 'A row is a JSON object, such as {"speaker": "Maya", "text": "..."}.'
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


class JsonLines:
    """An open file with a row on each line, closed once nobody holds it any more."""

    def __init__(self, file: UserFile, stream: BinaryIO) -> None:
        self.file = file
        self.stream = stream
        weakref.finalize(self, stream.close)


class Rows:
    """The rows of one conversation, read from their file each time, so that memory holds none of them."""

    def __init__(self, source: JsonLines) -> None:
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
            return row_of(self._source.stream.readline())
        except ValueError:
            raise self._source.file.fault("was changed while it was read", "Read it again.") from None


def row_of(line: bytes) -> Row:
    """Return the row that a line of JSON holds; ValueError says what is wrong with it."""
    try:
        return Row.model_validate_json(line.removeprefix(b"\xef\xbb\xbf"))
    except ValidationError as error:
        raise ValueError(_reason(error)) from None


def checked(row: Mapping[str, Any], place: int) -> Row:
    """Return a dict as a row; InputError names its place, from 1, and what is wrong with it."""
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
