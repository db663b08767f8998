"""Reads the conversations of a file, whatever kind of transcript it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from eda.errors import InputError
from eda.panels.files import UserFile
from eda.panels.registry import TRANSCRIPTS
from eda.text import MAX_MESSAGE
from eda.transcripts.kind import UNKNOWN, Reading, TranscriptKind
from eda.transcripts.rows import A_ROW, JsonLines, Row, Rows, row_of

MAX_TEXT = 100_000_000
"""Bytes of a transcript that is read as a whole; `jsonl` is read row by row."""
_HEAD = 64_000
"""Bytes by which the kind is known."""
_ZIP = b"PK\x03\x04"


@dataclass(frozen=True)
class Transcripts:
    """The conversations of a file, by id, in the order in which they begin."""

    conversations: Mapping[str, Rows | list[Row]]
    skipped: int = 0
    """Number of rows or messages that could not be read."""
    faults: Sequence[str] = ()
    """Place and reason of the first ones that could not be read."""
    too_long: int = 0
    """Number of rows whose text is cut; see `eda.text.bounded`."""
    kind: str = "jsonl"
    unknown: int = 0
    """Number of messages whose speaker the source does not name."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Number of what is no message of the talk, by what it is: `system message`."""


def read_transcripts(
    path: Path,
    *,
    kind: str | None = None,
    columns: Mapping[str, str] | None = None,
    skip_bad: bool = False,
    stream: BinaryIO | None = None,
) -> Transcripts:
    """Read a transcript of any kind in `TRANSCRIPTS`; `-` is standard input.

    Args:
        path: The file; for `slack` a folder too. Its stem is the id of a conversation without `conv`.
        kind: Its name; None to know it by the first kilobytes.
        columns: For `csv` the column of each field of `table.FIELDS`; a field that is not named has its own name.
        skip_bad: For `jsonl`: skip bad rows and count them, instead of raising an error. Of the other kinds, which
            programs write, what cannot be read is always skipped and counted.
        stream: What `UserFile.seekable` returned for it; None to open it.

    Raises:
        InputError: the file cannot be read, is of no kind or could be of several, or has no usable row or a bad one.
            The message gives file, line and reason.
        UsageError: there is no such kind.
    """
    file = UserFile(path, InputError, what="transcript")
    if path.is_dir():
        return _read(Reading(file, ""), "slack", _kind("slack"))
    stream = stream or file.seekable()
    source = JsonLines(file, stream)
    first = stream.read(_HEAD)
    stream.seek(0)
    if kind is None:
        kind = "csv" if columns else "slack" if first.startswith(_ZIP) else _claimed(file, first)
    chosen = _kind(kind)
    if chosen.rows is None:
        return _rows(source, path.stem, skip_bad=skip_bad)
    if first.startswith(_ZIP):
        return _read(Reading(file, "", packed=stream), kind, chosen)
    text = file.text(MAX_TEXT, larger="Divide it.", stream=stream)
    return _read(Reading(file, text, columns or {}), kind, chosen)


def _kind(name: str) -> TranscriptKind:
    kind: TranscriptKind = TRANSCRIPTS.get(name)
    return kind


def _claimed(file: UserFile, first: bytes) -> str:
    """Return the one kind that claims a text that begins so."""
    if b"\0" in first:
        raise file.fault("holds a zero byte, so it is no text", "Save it as text, in UTF-8.")
    head = first.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    names = TRANSCRIPTS.names()
    claimed = [name for name in names if _kind(name).claims(head)]
    if len(claimed) > 1:
        raise file.fault(f"may be of several kinds: {', '.join(claimed)}", f"Say which: --as {claimed[0]}.")
    if claimed:
        return claimed[0]
    if not head.strip() or (head.lstrip().startswith("{") and not head.lstrip().startswith("{\n")):
        return "jsonl"  # whose errors name the line
    if file.path.suffix.lower() in (".csv", ".tsv"):
        return "csv"
    raise file.fault("is no transcript that EDA knows", f"Say which kind it is, by --as: {', '.join(names)}.")


def _read(reading: Reading, kind: str, chosen: TranscriptKind) -> Transcripts:
    """Return the conversations of a text that is read as a whole."""
    conversations: dict[str, list[Row]] = {}
    for row in chosen.rows(reading) if chosen.rows else ():
        conversations.setdefault(row.conv or reading.file.path.stem, []).append(row)
    if not conversations:
        found = f": {reading.faults[0]}" if reading.faults else ""
        raise reading.file.fault(f"has no message that can be read as {kind}{found}", "Say another kind with --as.")
    for conv, rows in conversations.items():
        ids = Counter(row.id for row in rows if row.id is not None)
        if ids and max(ids.values()) > 1:  # they name no message
            reading.left_out[f"set of ids that occur twice ({conv})"] += 1
            conversations[conv] = [row.model_copy(update={"id": None, "reply_to": None}) for row in rows]
    every = [row for rows in conversations.values() for row in rows]
    too_long, unknown = sum(len(row.text) > MAX_MESSAGE for row in every), sum(row.speaker == UNKNOWN for row in every)
    return Transcripts(conversations, reading.unread, reading.faults, too_long, kind, unknown, reading.left_out)


def _rows(source: JsonLines, stem: str, *, skip_bad: bool) -> Transcripts:
    """Return the conversations of a file with a row on each line, which are read again when they are needed."""
    file, reading = source.file, Reading(source.file, "")
    conversations: dict[str, Rows] = {}
    seen: set[int] = set()
    too_long = 0
    for number, line in file.lines(source.stream):
        try:
            row = row_of(line)
            conv = row.conv or stem
            _check_new(conv, row.id, seen)
        except ValueError as error:
            if not skip_bad:
                hint = f"{A_ROW} Correct the row, or skip bad rows with --skip-bad."
                raise file.fault(str(error), hint, number) from None
            reading.skip(number, str(error))
            continue
        too_long += len(row.text) > MAX_MESSAGE
        if conv not in conversations:
            conversations[conv] = Rows(source)
        conversations[conv].add(row, source.stream.tell() - len(line))
    if not conversations:
        raise file.fault("has no usable row", A_ROW)
    return Transcripts(conversations, reading.unread, reading.faults, too_long)


def _check_new(conv: str, own_id: str | None, seen: set[int]) -> None:
    if own_id is None:
        return
    name = hash((conv, own_id))  # a number takes a third of the room of the texts
    if name in seen:
        raise ValueError(f"the id {own_id!r} occurs twice in {conv!r}")
    seen.add(name)
