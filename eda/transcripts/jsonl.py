"""JSON lines: a row on each line, read from the file each time, so that memory holds none of them."""

from __future__ import annotations

import re
import weakref
from array import array
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from pydantic import ValidationError

from eda.panels.files import UserFile
from eda.text import MAX_MESSAGE
from eda.transcripts.kind import Reading, Row, TranscriptKind, fault_of

_A_ROW = 'A row is a JSON object, such as {"speaker": "Maya", "text": "..."}.'
_ROW = re.compile(r'\s*\{.*"speaker"\s*:')
KINDS: Mapping[str, TranscriptKind] = {
    "jsonl": TranscriptKind("a JSON object with `speaker` and `text` on each line", _ROW.match, None)
}


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
            return _row_of(self._source.stream.readline())
        except ValueError:
            raise self._source.file.fault("was changed while it was read", "Read it again.") from None


def _row_of(line: bytes) -> Row:
    """Return the row that a line of JSON holds; ValueError says what is wrong with it."""
    try:
        return Row.model_validate_json(line.removeprefix(b"\xef\xbb\xbf"))
    except ValidationError as error:
        raise ValueError(fault_of(error)) from None


def conversations_of(source: JsonLines, reading: Reading, *, skip_bad: bool) -> tuple[dict[str, Rows], int]:
    """Return the conversations of a file with a row on each line, by id, and the number of rows that are too long."""
    file, stem = source.file, source.file.path.stem
    conversations: dict[str, Rows] = {}
    seen: set[int] = set()
    too_long = 0
    for number, line in file.lines(source.stream):
        try:
            row = _row_of(line)
            conv = row.conv or stem
            _check_new(conv, row.id, seen)
        except ValueError as error:
            if not skip_bad:
                hint = f"{_A_ROW} Correct the row, or skip bad rows with --skip-bad."
                raise file.fault(str(error), hint, number) from None
            reading.skip(number, str(error))
            continue
        too_long += len(row.text) > MAX_MESSAGE
        if conv not in conversations:
            conversations[conv] = Rows(source)
        conversations[conv].add(row, source.stream.tell() - len(line))
    if not conversations:
        raise file.fault("has no usable row", _A_ROW)
    return conversations, too_long


def _check_new(conv: str, own_id: str | None, seen: set[int]) -> None:
    if own_id is None:
        return
    name = hash((conv, own_id))  # a number takes a third of the room of the texts
    if name in seen:
        raise ValueError(f"the id {own_id!r} occurs twice in {conv!r}")
    seen.add(name)
