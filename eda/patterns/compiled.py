"""A pattern made ready to run: the default pack by Python's `re`, a user's pack by RE2, which cannot hang.

Every text that is searched is in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal

from eda.errors import PatternError
from eda.patterns.pattern import Pattern

__all__ = ["Compiled", "Engine", "compile_pattern"]

Engine = Literal["re", "re2"]

Find = Callable[[str], Any]
_TOKEN = re.compile(r"\\.|[^\\]", re.DOTALL)
_AT_WORD = re.compile(r"^\\b(?=(?:\(\?:)*\w)")
MAX_REGEX = 4000
"""Characters of one regular expression."""


class Compiled:
    """One pattern with its expressions, each compiled when it is first tried: most of a pack never are."""

    def __init__(self, pattern: Pattern, compile_one: Callable[[str], Any], finder: Callable[[str], Find]) -> None:
        self.pattern = pattern
        self.said = (pattern.name, pattern.kind, pattern.confidence, pattern.written)
        """What a match says."""
        self._compile_one = compile_one
        self._finder = finder

    @cached_property
    def find(self) -> Find:
        """Gives the first match in a sentence, or None."""
        return self._finder(self.pattern.regex)

    @cached_property
    def groups(self) -> tuple[tuple[str, int], ...]:
        """The names of its groups, with their numbers."""
        return tuple(self._compile_one(self.pattern.regex).groupindex.items())

    @cached_property
    def guards(self) -> list[tuple[str, Find]]:
        """Its exceptions: where each is looked for (before, after, anywhere), and what finds it."""
        guards: list[tuple[str, Find]] = []
        for unless in self.pattern.unless:
            where, expression = "anywhere", unless
            for prefix in ("before", "after"):
                if unless.startswith(prefix + ":"):
                    where, expression = prefix, unless[len(prefix) + 1 :]
            guards.append((where, self._compile_one(expression).search))
        return guards

    def compile_all(self) -> None:
        """Compile all of it now.

        Raises:
            PatternError: the engine does not take one of its expressions.
        """
        _ = self.find, self.groups, self.guards

    def stopped_by(self, sentence: str, start: int, end: int) -> int | None:
        """The index of the first exception that holds for a match at `start` to `end`, or None."""
        for index, (where, guard) in enumerate(self.guards):
            if where == "before":
                found = guard(sentence[:start])
            elif where == "after":
                found = guard(sentence[end:])
            else:
                found = guard(sentence)
            if found:
                return index
        return None


def compile_pattern(pattern: Pattern, engine: Engine, source: str) -> Compiled:
    """A pattern ready to run; what its engine does not take raises `PatternError` with source, pattern and place."""
    cache: dict[str, Any] = {}
    make = _re2 if engine == "re2" else re.compile

    def compile_one(expression: str) -> Any:
        if len(expression) > MAX_REGEX:
            raise PatternError(f"{source}: pattern {pattern.name!r}: expression longer than {MAX_REGEX} characters")
        if expression not in cache:
            try:
                cache[expression] = make(expression)
            except re.error as error:
                place = f" at character {error.pos}" if error.pos is not None else ""
                raise PatternError(f"{source}: pattern {pattern.name!r}{place}: {error.msg}: {expression}") from error
            except _Refused as refused:
                place, reason = refused.args
                raise PatternError(
                    f"{source}: pattern {pattern.name!r} at character {place}: {reason}: {expression}",
                    hint="User patterns run on RE2, which knows no look-around and no back references.",
                ) from None
        return cache[expression]

    if engine == "re2":
        return Compiled(pattern, compile_one, lambda expression: compile_one(expression).search)
    return Compiled(pattern, compile_one, lambda expression: _finder(expression, compile_one))


def _finder(expression: str, compile_one: Callable[[str], re.Pattern[str]]) -> Find:
    """The first match of an expression, found faster than by searching for it.

    One that begins with `^` is tried at the start alone; one that begins with a word boundary without it, so that the
    engine can skip to its first letters, the boundary being looked at afterwards.
    """
    branches = _alternatives(expression)
    if len(branches) > 1:
        return compile_one("|".join(_AT_WORD.sub(r"(?<!\\w)", branch) for branch in branches)).search
    if expression.startswith("^"):
        return compile_one(expression).match
    rest = _AT_WORD.sub("", expression)
    if rest == expression:
        return compile_one(expression).search
    search = compile_one(rest).search

    def at_word(text: str) -> Any:
        match = search(text)
        while match is not None:
            start = match.start()
            if start == 0 or not (text[start - 1].isalnum() or text[start - 1] == "_"):
                return match
            match = search(text, start + 1)
        return None

    return at_word


def _alternatives(expression: str) -> list[str]:
    """The expression split at the bars that stand in no group and no set."""
    parts: list[str] = [""]
    depth = 0
    in_set = False
    for mark in _TOKEN.findall(expression):
        if in_set:
            in_set = mark != "]"
        elif mark == "[":
            in_set = True
        elif mark == "(":
            depth += 1
        elif mark == ")":
            depth -= 1
        elif mark == "|" and depth == 0:
            parts.append("")
            continue
        parts[-1] += mark
    return parts


class _Refused(Exception):  # noqa: N818 - not an error that leaves this file
    """RE2 takes no such expression: the character at which it stopped, and why."""


def _re2(expression: str) -> Any:
    import re2  # noqa: PLC0415 - only a user's own pack needs it

    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = 8 << 20
    try:
        return re2.compile(expression, options=options)
    except re2.error as error:
        said = error.args[0]
        reason = said.decode("utf8", "replace") if isinstance(said, bytes) else str(said)
        fragment = reason.rpartition(": ")[2]
        raise _Refused(max(0, expression.find(fragment)), reason) from error
