"""A pattern file is read strictly: a field nobody knows, a wrong type or a number out of range is refused by name."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from eda.errors import PatternError, nearest
from eda.patterns.pattern import KINDS, Pattern

__all__ = ["MAX_BYTES", "read_patterns"]

MAX_BYTES = 1_000_000
"""Size of a pattern file."""
MAX_PATTERNS = 2000

_TEXTS = ("kind", "name", "regex", "scope")
_LISTS = ("unless", "examples", "counter_examples", "needs")
_FIELDS = (*_TEXTS, *_LISTS, "confidence", "written")


def read_patterns(path: Path) -> tuple[Pattern, ...]:
    """The patterns of a TOML file: `[[pattern]]` tables, and a table `[guards]` that `unless` names as `@name`.

    Raises:
        PatternError: what is wrong, with file and pattern name.
    """
    try:
        data = path.read_bytes()[: MAX_BYTES + 1]
    except OSError as error:
        raise PatternError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise PatternError(f"{path}: larger than {MAX_BYTES} bytes")
    try:
        table = tomllib.loads(data.decode("utf8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PatternError(f"{path}: no valid TOML: {error}") from error
    unknown = set(table) - {"pattern", "guards"}
    if unknown:
        raise PatternError(f"{path}: unknown key {min(unknown)!r}", hint="Known: guards, pattern.")
    guards = table.get("guards", {})
    if not isinstance(guards, dict) or not all(isinstance(value, str) for value in guards.values()):
        raise PatternError(f"{path}: guards must be a table of names and regular expressions")
    rows = table.get("pattern", [])
    if not isinstance(rows, list) or len(rows) > MAX_PATTERNS:
        raise PatternError(f"{path}: pattern must be up to {MAX_PATTERNS} [[pattern]] tables")
    patterns = tuple(_pattern(path, number, row, guards) for number, row in enumerate(rows, 1))
    names = [pattern.name for pattern in patterns]
    for name in names:
        if names.count(name) > 1:
            raise PatternError(f"{path}: pattern {name!r} is there {names.count(name)} times")
    return patterns


def _pattern(path: Path, number: int, row: Any, guards: dict[str, str]) -> Pattern:  # noqa: C901 - one check a field
    where = f"{path}: pattern {row.get('name', number) if isinstance(row, dict) else number!r}"
    if not isinstance(row, dict):
        raise PatternError(f"{where}: not a table")
    for key, value in row.items():
        if key not in _FIELDS:
            close = nearest(key, _FIELDS)
            raise PatternError(f"{where}: unknown field {key!r}", hint=f"Did you mean {close[0]}?" if close else "")
        if key in _TEXTS and not isinstance(value, str):
            raise PatternError(f"{where}: {key} must be a text")
        if key in _LISTS and not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            raise PatternError(f"{where}: {key} must be a list of texts")
    for key in ("kind", "name", "regex"):
        if not row.get(key):
            raise PatternError(f"{where}: {key} is missing")
    if row["kind"] not in KINDS:
        raise PatternError(f"{where}: unknown kind {row['kind']!r}", hint=f"Known: {', '.join(KINDS)}.")
    if row.get("scope", "sentence") not in ("sentence", "opening", "message"):
        raise PatternError(f"{where}: scope must be sentence, opening or message")
    if not isinstance(row.get("written", False), bool):
        raise PatternError(f"{where}: written must be true or false")
    confidence = row.get("confidence", 0.8)
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
        raise PatternError(f"{where}: confidence must be a number from 0 to 1")
    return Pattern(
        kind=row["kind"],
        name=row["name"],
        regex=row["regex"],
        unless=tuple(_guard(where, text, guards) for text in row.get("unless", ())),
        confidence=float(confidence),
        examples=tuple(row.get("examples", ())),
        counter_examples=tuple(row.get("counter_examples", ())),
        needs=tuple(row.get("needs", ())),
        scope=row.get("scope", "sentence"),
        written=row.get("written", False),
    )


def _guard(where: str, text: str, guards: dict[str, str]) -> str:
    if not text.startswith("@"):
        return text
    if text[1:] not in guards:
        raise PatternError(f"{where}: unknown guard {text!r}", hint=f"Known: {', '.join(sorted(guards))}.")
    return guards[text[1:]]
