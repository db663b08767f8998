"""Reads the conversations of a file, whatever kind of transcript it is. `SHIPPED` are the kinds that come with EDA."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from eda.errors import InputError
from eda.events import MAX_MESSAGE
from eda.panels.documents.child import read_apart
from eda.panels.files import UserFile
from eda.panels.registry import TRANSCRIPTS, line_of
from eda.text import grouped
from eda.transcripts import captions, chat, headed_text, jsonl, slack, table
from eda.transcripts.kind import UNKNOWN, Reading, Row, TranscriptKind
from eda.words import ENGLISH

MOST = 100_000_000
"""Bytes of a transcript."""
_HEAD = 64_000  # Bytes by which the kind is known.
_FILES = (jsonl, table, captions, headed_text, slack, chat)
SHIPPED: Mapping[str, TranscriptKind] = {name: kind for file in _FILES for name, kind in file.KINDS.items()}
"""The kinds that come with EDA, by name."""


def checked(part: object) -> TranscriptKind | None:
    """Return a user's part as a kind; None where it lacks `claims` or `rows`."""
    if isinstance(part, TranscriptKind):
        return part
    claims, rows = getattr(part, "claims", None), getattr(part, "rows", None)
    return TranscriptKind(line_of(part), claims, rows) if callable(claims) and callable(rows) else None


@dataclass(frozen=True)
class Transcripts:
    """The conversations of a file, by id, in the order in which they begin."""

    conversations: Mapping[str, list[Row]]
    skipped: int = 0
    """Number of rows or messages that could not be read."""
    faults: Sequence[str] = ()
    """Place and reason of the first ones that could not be read."""
    too_long: int = 0
    """Number of rows whose text is cut; see `eda.events.bounded`."""
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
    raw: bytes | None = None,
) -> Transcripts:
    """Return a transcript of any kind in `TRANSCRIPTS`, read in a bounded process; `-` is standard input.

    Args:
        path: The file. Its stem is the id of a conversation without `conv`.
        kind: Its name; None to know it by the first kilobytes.
        columns: For `csv` the column of each field of `table.FIELDS`; a field that is not named has its own name.
        skip_bad: For `jsonl`: skip bad rows and count them, instead of raising an error. Of the other kinds, which
            programs write, what cannot be read is always skipped and counted.
        raw: What the file holds; None to read it.

    Raises:
        InputError: the file cannot be read, is of no kind or could be of several, or has no usable row or a bad one.
            The message gives file, line and reason.
        UsageError: there is no such kind.
    """
    file = UserFile(path, InputError, what="transcript")
    raw = file.raw(MOST, larger="Divide it.") if raw is None else raw
    if kind is not None:
        TRANSCRIPTS.get(kind)
    given = {"kind": kind, "columns": dict(columns or {}), "skip_bad": skip_bad}
    return read_apart("eda.transcripts.read", file, given, raw, TypeAdapter(Transcripts))


def answer(file: UserFile, given: Mapping[str, Any], raw: bytes) -> Transcripts:
    """Return in a child the conversations of a file; `given` is what `read_transcripts` was told."""
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        try:
            raw = raw.decode("utf-16").encode()
        except UnicodeError as error:
            raise file.fault("is broken UTF-16 text", "Save the file as UTF-8.") from error
    kind = given["kind"] or ("csv" if given["columns"] else "slack" if raw.startswith(slack.ZIP) else None)
    reading = Reading(file, raw, given["columns"], given["skip_bad"])
    return _read(reading, kind or _claimed(file, raw[:_HEAD]))


def _claimed(file: UserFile, first: bytes) -> str:
    """Return the one kind that claims a text that begins so."""
    if b"\0" in first:
        raise file.fault("holds a zero byte, so it is no text", "Save it as text, in UTF-8.")
    head = first.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    names = TRANSCRIPTS.names()
    claimed = [name for name in names if TRANSCRIPTS.get(name).claims(head)]
    if len(claimed) > 1:
        raise file.fault(f"may be of several kinds: {', '.join(claimed)}", f"Say which: --as {claimed[0]}.")
    if claimed:
        return claimed[0]
    if not head.strip() or (head.lstrip().startswith("{") and not head.lstrip().startswith("{\n")):
        return "jsonl"  # whose errors name the line
    if file.path.suffix.lower() in (".csv", ".tsv"):
        return "csv"
    raise file.fault("is no transcript that EDA knows", f"Say which kind it is, by --as: {', '.join(names)}.")


def _read(reading: Reading, kind: str) -> Transcripts:
    """Return the conversations of a file of a kind."""
    own = reading.file.path.stem
    conversations = grouped((row.conv or own, row) for row in TRANSCRIPTS.get(kind).rows(reading))
    if not conversations:
        found = f": {reading.faults[0]}" if reading.faults else ""
        raise reading.file.fault(f"has no message that can be read as {kind}{found}", "Say another kind with --as.")
    for conv, rows in conversations.items():
        ids = Counter(row.id for row in rows if row.id is not None)
        if ids and max(ids.values()) > 1:  # they name no message
            reading.left_out[ENGLISH.say("transcripts-ids-twice", talk=conv)] += 1
            conversations[conv] = [row.model_copy(update={"id": None, "reply_to": None}) for row in rows]
    every = [row for rows in conversations.values() for row in rows]
    too_long, unknown = sum(len(row.text) > MAX_MESSAGE for row in every), sum(row.speaker == UNKNOWN for row in every)
    return Transcripts(conversations, reading.unread, reading.faults, too_long, kind, unknown, reading.left_out)
