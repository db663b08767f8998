"""Reads a table: values separated by commas, semicolons, tabs or bars, the first row being the header."""

from __future__ import annotations

import csv
import io

from eda.panels.documents.document import Document, Source

_SEPARATORS = ",;\t|"
_LOOKED_AT = 20
"""Rows by which the separator is told."""


def read(source: Source) -> Document:
    """Return the table in Markdown, with the number of each row: the header is row 1.

    Raises:
        EdaError: a row cannot be read, or no row has two values.
    """
    text = source.file.decoded(source.raw)
    begins = "\n".join(text.split("\n")[:_LOOKED_AT])
    separator = "\t" if source.suffix == ".tsv" else max(_SEPARATORS, key=lambda each: _columns(begins, each))
    reader = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    rows: list[list[str]] = []
    try:
        rows += [[" ".join(value.split()).replace("|", "\\|") for value in row] for row in reader if row]
    except csv.Error as error:
        raise source.file.fault(
            f"is no table: {error}", "Put values that hold quotes in quotes.", reader.line_num
        ) from error
    width = max(map(len, rows), default=0)
    if width == 0:
        raise source.file.fault("is empty", "Name a file that holds text.")
    lines = [_line([str(number), *row, *[""] * (width - len(row))]) for number, row in enumerate(rows, 1)]
    lines[0] = _line(["row", *rows[0], *[""] * (width - len(rows[0]))])
    return Document(source.name, "\n".join((lines[0], "|---" * (width + 1) + "|", *lines[1:])), "row")


def _columns(text: str, separator: str) -> tuple[int, int]:
    """Return the least number of values that all first rows have with a separator, and the sum."""
    try:
        counts = [len(row) for row in csv.reader(io.StringIO(text), delimiter=separator) if row]
    except csv.Error:
        return 0, 0
    return min(counts, default=0), sum(counts)


def _line(values: list[str]) -> str:
    return f"| {' | '.join(values)} |"
