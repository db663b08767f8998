"""`Pattern` and `Hit`: a pattern is data. It says what it finds and what it must not find, with sentences as proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from eda.errors import PatternError, nearest

Kind = Literal["decision", "proposal", "support", "oppose", "neutral", "position", "question", "withdrawal"]
KINDS: tuple[Kind, ...] = get_args(Kind)

Scope = Literal["sentence", "opening", "message"]


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to say something. Matched against normalised text in lower case."""

    kind: Kind
    name: str
    regex: str
    """`^` is the start of a sentence. Named groups `topic` and `outcome` mark where these stand."""
    unless: tuple[str, ...] = ()
    """Exceptions: regular expressions of which none may match the sentence. `before:` searches only the part of the
    sentence in front of the match, `after:` only the part behind it."""
    confidence: float = 0.8
    """0 to 1: how often the pattern is right where it matches."""
    examples: tuple[str, ...] = ()
    counter_examples: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    """Lower-case words or phrases of which the sentence must hold one, for speed; `^word`: among its first words; `^+`
    (any sign or figure): at its start. Empty: tried on every sentence."""
    scope: Scope = "sentence"
    """`sentence`: every sentence; `opening`: a message's first one; `message`: a message of one sentence."""
    written: bool = False
    """True for a form that people type on purpose (`RESOLVED:`, `+1`), False for a turn of speech."""


class Hit(NamedTuple):
    """One match of a pattern."""

    pattern: str
    kind: Kind
    start: int
    """Offsets into the text that was searched."""
    end: int
    confidence: float
    sentence: tuple[int, int]
    """Start and end of the sentence."""
    written: bool = False
    groups: Mapping[str, tuple[int, int]] = MappingProxyType({})
    """Where named groups stand in the text."""


_Check = tuple[Callable[[object], bool], str]
_TEXT: _Check = (lambda value: isinstance(value, str), "a text")
_LIST: _Check = (
    lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
    "a list of texts",
)
_SHARE: _Check = (
    lambda value: isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1,
    "a number from 0 to 1",
)
_FIELDS: dict[str, _Check] = {
    "kind": _TEXT,
    "name": _TEXT,
    "regex": _TEXT,
    "unless": _LIST,
    "confidence": _SHARE,
    "examples": _LIST,
    "counter_examples": _LIST,
    "needs": _LIST,
    "scope": (get_args(Scope).__contains__, "sentence, opening or message"),
    "written": (lambda value: isinstance(value, bool), "true or false"),
}
"""For each field of a [[pattern]] table: what a value must satisfy, and how an error says so."""


def read_pattern(row: object, where: str, number: int, guards: Mapping[str, str]) -> Pattern:
    """Return the pattern of one [[pattern]] table.

    Args:
        row: The table.
        where: What an error begins with, before the pattern's name.
        number: The place of the table in its file; stands for a name that is missing.
        guards: Expressions by name; one replaces each entry `@name` of `unless`.

    Raises:
        PatternError: A field is unknown, missing, or of the wrong type.
    """
    if not isinstance(row, dict):
        raise PatternError(f"{where} {number}: not a table")
    where = f"{where} {row.get('name', number)}"
    for key, value in row.items():
        if key not in _FIELDS:
            close = nearest(key, _FIELDS)
            raise PatternError(f"{where}: unknown field {key!r}", hint=f"Did you mean {close[0]}?" if close else "")
        allowed, must_be = _FIELDS[key]
        if not allowed(value):
            raise PatternError(f"{where}: {key} must be {must_be}")
    for key in ("kind", "name", "regex"):
        if not row.get(key):
            raise PatternError(f"{where}: {key} is missing")
    if row["kind"] not in KINDS:
        raise PatternError(f"{where}: unknown kind {row['kind']!r}", hint=f"Known: {', '.join(KINDS)}.")
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
    values["unless"] = tuple(_guard(where, text, guards) for text in row.get("unless", ()))
    if "confidence" in values:
        values["confidence"] = float(values["confidence"])
    return Pattern(**values)


def _guard(where: str, text: str, guards: Mapping[str, str]) -> str:
    if not text.startswith("@"):
        return text
    if text[1:] not in guards:
        raise PatternError(f"{where}: unknown guard {text!r}", hint=f"Known: {', '.join(sorted(guards))}.")
    return guards[text[1:]]
