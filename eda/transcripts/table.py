"""A table: CSV with a row of names first, apart by commas, semicolons, tabs or bars."""

import csv
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Any

from eda.text import regex
from eda.transcripts.kind import Reading, Row, TranscriptKind, moment
from eda.words import ENGLISH

FIELDS = ("speaker", "text", "time", "id", "conv", "topic", "reply_to", "question")
"""What a column may hold."""
_CLOCK = regex(r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2}(?:\.\d{1,6})?)")
_LARGEST = 16_000_000  # Characters of a field.


def rows(reading: Reading) -> Iterator[Row]:
    """Yield a message of each row, by the columns that are named, or that have the names of the fields."""
    columns = _header(reading.text)
    places = _places(reading, columns)
    csv.field_size_limit(_LARGEST)
    table = csv.reader(StringIO(reading.text, newline=""), delimiter=_delimiter(reading.text), strict=True)
    lines = _lines(reading, table)
    next(lines, None)
    for number, cells in lines:
        if len(cells) < max(places.values()) + 1:
            reading.skip(number, ENGLISH.say("transcripts-few-columns", there=len(cells), of=len(columns)))
            continue
        row: dict[str, Any] = {field: cells[place] or None for field, place in places.items()}
        said = row.pop("speaker"), row.pop("text")
        if time := (row.pop("time", None) or "").strip():
            row["t"], row["sent"] = _since(time), moment(time)
            if (row["t"], row["sent"]) == (None, None):
                reading.left_out["time that is not ISO 8601, seconds or h:mm:ss"] += 1
            elif row["sent"] is not None:
                row["t"] = None
        row["question"] = row.get("question") or ""
        yield from reading.row(number, *said, **row)


def _lines(reading: Reading, table: Any) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with the line on which each begins."""
    while True:
        number = table.line_num + 1
        try:
            cells = next(table)
        except StopIteration:
            return
        except csv.Error as error:
            reading.skip(number, ENGLISH.say("transcripts-no-row", why=str(error)))
            continue
        if any(map(str.strip, cells)):
            yield number, cells


def _places(reading: Reading, columns: list[str]) -> Mapping[str, int]:
    """Return the place of each field's column, from 0."""
    by_name = {name.casefold(): place for place, name in reversed(list(enumerate(columns)))}
    wanted = {field: field for field in FIELDS if field in by_name} | {"speaker": "speaker", "text": "text"}
    wanted |= dict(reading.columns)
    missing = [name for name in wanted.values() if name.casefold() not in by_name]
    if missing:
        there = ", ".join(f"'{name}'" for name in columns) or "none"
        raise reading.file.fault(
            f"has no column '{missing[0]}'",
            f"It has {there}. Say which hold what: --columns 'speaker=NAME,text=NAME'.",
            1,
        )
    return {field: by_name[name.casefold()] for field, name in wanted.items()}


def _header(text: str) -> list[str]:
    try:
        return [name.strip() for name in next(csv.reader([text.partition("\n")[0]], delimiter=_delimiter(text)), [])]
    except csv.Error:
        return []


def _delimiter(text: str) -> str:
    """Return the sign that stands most often in the first line; a comma where none does."""
    return max(",;\t|", key=text.partition("\n")[0].count)


def _since(time: str) -> float | None:
    """Return seconds, or hours, minutes and seconds, as seconds; None for any other text."""
    if clock := _CLOCK.fullmatch(time):
        return int(clock[1] or 0) * 3600 + int(clock[2]) * 60 + float(clock[3])
    return float(time) if regex(r"\d{1,12}(\.\d{1,6})?").fullmatch(time) else None


KINDS: Mapping[str, TranscriptKind] = {
    "csv": TranscriptKind(
        "a table with a row of names first",
        lambda head: {"speaker", "text"} <= {name.casefold() for name in _header(head)},
        rows,
    )
}
