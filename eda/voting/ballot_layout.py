"""Finds the table in an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_MOST = 5000


def laid_out(text: str) -> Sequence[Mapping[str, Any]]:
    """Return the rows of the one table of a text, each by the heads of its columns; empty without a table."""
    cells = [[cell.strip(" *_`") for cell in line.strip(" |").split("|")] for line in text.splitlines() if "|" in line]
    if len(text) > _MOST or len(cells) < 3:
        return ()
    heads, ruled, *rows = cells
    if any(cell.strip(":-") for cell in ruled) or any(len(row) != len(heads) for row in rows):
        return ()
    heads = ["rank" if head == "#" else head for head in heads]
    return [dict(zip(heads, map(_cell, row), strict=True)) for row in rows]


def _cell(cell: str) -> Any:
    return int(cell) if cell.isdecimal() and len(cell) < 3 else cell.strip("-–—") or None
