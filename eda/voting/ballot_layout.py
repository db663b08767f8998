"""Finds a table or plain lines of keys and values in an answer: what YAML and Markdown say as data."""

from __future__ import annotations

import re
from typing import Any

import yaml

_LINE = re.compile(r"\s*(?:-\s+\S.*|[\w .\"'#-]+:(?:\s.*)?)?")
_KEY = re.compile(r"^[\w\"'].*?:(?:\s|$)", re.MULTILINE)
_FENCE = re.compile(r"^```\w*\s*$", re.MULTILINE)
_MOST = 5000


def laid_out(text: str) -> Any:
    """Return the rows of the one table of a text, each by the heads of its columns, or its keys with their values.

    None of any other text.
    """
    bare = _FENCE.sub("", text).strip()
    if len(bare) > _MOST:
        return None
    cells = [[cell.strip(" *_`") for cell in line.strip(" |").split("|")] for line in bare.splitlines() if "|" in line]
    if len(cells) > 2:
        heads, ruled, *rows = cells
        if any(cell.strip(":-") for cell in ruled) or any(len(row) != len(heads) for row in rows):
            return None
        heads = ["rank" if head == "#" else head for head in heads]
        return [dict(zip(heads, map(_cell, row), strict=True)) for row in rows]
    if not all(_LINE.fullmatch(line) for line in bare.splitlines()):
        return None
    try:
        value = yaml.safe_load(bare)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and len(value) == len(_KEY.findall(bare)) else None


def _cell(cell: str) -> Any:
    return int(cell) if cell.isdecimal() and len(cell) < 3 else cell.strip("-–—") or None
