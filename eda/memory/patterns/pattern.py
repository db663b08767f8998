"""`Pattern` and `Hit`: a pattern is data. It says what it finds and what it must not find, with sentences as proof.

Python's `re` compiles the default pack, and RE2, which cannot hang, a user's pack. Patterns search text in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple, get_args

from pydantic import Field, TypeAdapter, ValidationError

from eda.errors import PatternError
from eda.panels.files import complaint, unknown_key

Kind = Literal["decision", "proposal", "support", "oppose", "neutral", "position", "question", "withdrawal"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Scope = Literal["sentence", "opening", "message"]


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to say something. Matched against normalised text in lower case."""

    kind: Kind
    name: Annotated[str, Field(min_length=1)]
    regex: Annotated[
        str, Field(min_length=1)
    ]  # `^` is the start of a sentence. Named groups `topic` and `outcome` mark where these stand.
    unless: tuple[str, ...] = ()
    """Exceptions: regular expressions of which none may match the sentence. `before:` searches only the part of the
    sentence in front of the match, `after:` only the part behind it."""
    confidence: Annotated[float, Field(ge=0, le=1)] = 0.8  # 0 to 1: how often the pattern is right where it matches.
    examples: tuple[str, ...] = ()
    counter_examples: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    """Lower-case words or phrases of which the sentence must hold one, for speed; `^word`: among its first words; `^+`
    (any sign or figure): at its start. Empty: tried on every sentence."""
    scope: Scope = "sentence"  # every sentence, a message's first one, or a message of one sentence
    written: bool = False  # a form that people type on purpose (`RESOLVED:`, `+1`), no turn of speech


class Hit(NamedTuple):
    """One match of a pattern."""

    pattern: str
    kind: Kind
    start: int  # Offsets into the text that was searched.
    end: int
    confidence: float
    sentence: tuple[int, int]  # Start and end of the sentence.
    written: bool = False
    groups: Mapping[str, tuple[int, int]] = MappingProxyType({})  # Where named groups stand in the text.


@cache
def _reader() -> TypeAdapter[Pattern]:
    return TypeAdapter(Pattern)


def read_pattern(row: object, where: str, number: int, guards: Mapping[str, str]) -> Pattern:
    """Return the pattern of one [[pattern]] table; PatternError where a field is unknown, missing, or of another type.

    An error begins with `where` and the pattern's name, or its number in the file. `guards` are expressions by name:
    one replaces each entry `@name` of `unless`.
    """
    if not isinstance(row, dict):
        raise PatternError(f"{where} {number}: not a table")
    where = f"{where} {row.get('name', number)}"
    known = [each.name for each in fields(Pattern)]
    for key in row.keys() - known:
        reason, hint = unknown_key(key, known, where, "field")
        raise PatternError(reason, hint=hint)
    try:
        pattern = _reader().validate_python(row)
    except ValidationError as error:
        (key, *_), reason, hint = complaint(error)
        given = row.get(key)
        beside = f", not {given!r}" if isinstance(given, str | int | float) else ""
        raise PatternError(f"{where}: {reason}{beside}", hint=hint) from None
    return replace(pattern, unless=tuple(_guard(where, text, guards) for text in pattern.unless))


def _guard(where: str, text: str, guards: Mapping[str, str]) -> str:
    if not text.startswith("@"):
        return text
    if text[1:] not in guards:
        raise PatternError(f"{where}: unknown guard {text!r}", hint=f"Known: {', '.join(sorted(guards))}.")
    return guards[text[1:]]


Engine = Literal["re", "re2"]
Find = Callable[[str], re.Match[str] | None]

MAX_REGEX = 4000  # Characters of one regular expression.


def compile_expression(expression: str, engine: Engine, where: str) -> re.Pattern[str]:
    """Return a compiled expression, by RE2 one that ignores case; PatternError, with `where`, if it is refused."""
    if len(expression) > MAX_REGEX:
        raise PatternError(f"{where}: expression longer than {MAX_REGEX} characters")
    if engine == "re2":
        return _compile_by_re2(expression, where)
    try:
        return re.compile(expression)
    except re.error as error:
        place = f" at character {error.pos}" if error.pos is not None else ""
        raise PatternError(f"{where}{place}: {error.msg}: {expression}") from error


def _compile_by_re2(expression: str, where: str) -> re.Pattern[str]:
    import re2  # noqa: PLC0415 - only a user's own pack needs it

    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = 8 << 20
    try:
        return re2.compile(expression, options=options)  # type: ignore[no-any-return]  # RE2 ships no types
    except re2.error as error:
        message = error.args[0]
        reason = message.decode("utf8", "replace") if isinstance(message, bytes) else str(message)
        place = max(0, expression.find(reason.rpartition(": ")[2]))
        raise PatternError(
            f"{where} at character {place}: {reason}: {expression}",
            hint="User patterns run on RE2, which knows no look-around and no back references.",
        ) from None


class Compiled:
    """One pattern with its expressions, each compiled when it is first used: most of a pack never are."""

    def __init__(self, pattern: Pattern, engine: Engine, source: str) -> None:
        self.pattern = pattern
        self._of_hit = pattern.name, pattern.kind, pattern.confidence, pattern.written
        self._engine: Engine = engine
        self._where = f"{source}: pattern {pattern.name!r}"

    def _compile(self, expression: str) -> re.Pattern[str]:
        return compile_expression(expression, self._engine, self._where)

    @cached_property
    def find(self) -> Find:
        """Function that returns the first match in a sentence, or None."""
        return self._compile(self.pattern.regex).search

    @cached_property
    def groups(self) -> tuple[tuple[str, int], ...]:
        """The names of its groups, with their numbers."""
        return tuple(self._compile(self.pattern.regex).groupindex.items())

    @cached_property
    def guards(self) -> list[tuple[str, Find]]:
        """Its exceptions: the part of the sentence to search (`before`, `after`, empty for all), and the search."""
        parts = (re.fullmatch(r"(?:(before|after):)?(.*)", unless, re.DOTALL) for unless in self.pattern.unless)
        return [(part[1] or "", self._compile(part[2]).search) for part in parts if part]

    def hit(self, match: re.Match[str], start: int, end: int) -> Hit | None:
        """Return the hit of a match in the sentence at `start` to `end` of a text, or None where an exception holds."""
        sentence, (first, last) = match.string, match.span()
        parts = {"before": sentence[:first], "after": sentence[last:]}
        if any(search(parts.get(where, sentence)) for where, search in self.guards):
            return None
        groups = {
            name: (start + match.start(group), start + match.end(group))
            for name, group in self.groups
            if match.start(group) >= 0
        }
        name, kind, confidence, written = self._of_hit
        return Hit(name, kind, start + first, start + last, confidence, (start, end), written, groups)
