"""Expressions and patterns, compiled: the default pack by Python's `re`, a user's pack by RE2, which cannot hang.

Patterns search text in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Literal

from eda.errors import PatternError
from eda.memory.patterns.pattern import Hit, Pattern

Engine = Literal["re", "re2"]
Find = Callable[[str], re.Match[str] | None]

MAX_REGEX = 4000
"""Characters of one regular expression."""
_TOKEN = re.compile(r"\\.|[^\\]", re.DOTALL)
_AT_WORD = re.compile(r"^\\b(?=(?:\(\?:)*\w)")


def compile_expression(expression: str, engine: Engine, where: str, flags: int = 0) -> re.Pattern[str]:
    """Return a compiled expression; one of RE2 has the methods of `re.Pattern` and always ignores case.

    Raises:
        PatternError: the expression is too long, or the engine refuses it; the message begins with `where`.
    """
    if len(expression) > MAX_REGEX:
        raise PatternError(f"{where}: expression longer than {MAX_REGEX} characters")
    if engine == "re2":
        return _compile_by_re2(expression, where)
    try:
        return re.compile(expression, flags)
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
        self._engine: Engine = engine
        self._where = f"{source}: pattern {pattern.name!r}"

    def _compile(self, expression: str) -> re.Pattern[str]:
        return compile_expression(expression, self._engine, self._where)

    @cached_property
    def find(self) -> Find:
        """Function that returns the first match in a sentence, or None."""
        if self._engine == "re2":
            return self._compile(self.pattern.regex).search
        return _fast_search(self.pattern.regex, self._compile)

    @cached_property
    def groups(self) -> tuple[tuple[str, int], ...]:
        """The names of its groups, with their numbers."""
        return tuple(self._compile(self.pattern.regex).groupindex.items())

    @cached_property
    def guards(self) -> list[tuple[str, Find]]:
        """Its exceptions: the part of the sentence to search (before, after, anywhere), and the search function."""
        guards: list[tuple[str, Find]] = []
        for unless in self.pattern.unless:
            where, expression = "anywhere", unless
            for prefix in ("before", "after"):
                if unless.startswith(prefix + ":"):
                    where, expression = prefix, unless[len(prefix) + 1 :]
            guards.append((where, self._compile(expression).search))
        return guards

    def compile_all(self) -> None:
        """Compile all expressions now.

        Raises:
            PatternError: the engine refuses one of them.
        """
        _ = self.find, self.groups, self.guards

    def exceptions(self, match: re.Match[str]) -> list[bool]:
        """Return of each exception whether it holds for a match."""
        sentence, (start, end) = match.string, match.span()
        parts = {"before": sentence[:start], "after": sentence[end:], "anywhere": sentence}
        return [search(parts[where]) is not None for where, search in self.guards]

    def hit(self, match: re.Match[str], start: int, end: int) -> Hit | None:
        """Return the hit of a match in the sentence at `start` to `end` of a text, or None where an exception holds."""
        sentence, (first, last) = match.string, match.span()
        for where, search in self.guards:
            if search(sentence[:first] if where == "before" else sentence[last:] if where == "after" else sentence):
                return None
        groups = {
            name: (start + match.start(group), start + match.end(group))
            for name, group in self.groups
            if match.start(group) >= 0
        }
        pattern = self.pattern
        return Hit(
            pattern.name,
            pattern.kind,
            start + first,
            start + last,
            pattern.confidence,
            (start, end),
            pattern.written,
            groups,
        )


def _fast_search(expression: str, compile_one: Callable[[str], re.Pattern[str]]) -> Find:
    """Return a function that finds the first match of an expression faster than its `search` does.

    An expression that begins with `^` is tried at the start alone. One that begins with a word boundary is searched
    without it, so that the engine can skip to its first letters; the boundary is checked afterwards.
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

    def search_at_word(text: str) -> re.Match[str] | None:
        match = search(text)
        while match is not None:
            start = match.start()
            if start == 0 or not (text[start - 1].isalnum() or text[start - 1] == "_"):
                return match
            match = search(text, start + 1)
        return None

    return search_at_word


def _alternatives(expression: str) -> list[str]:
    """Split an expression at the bars that stand in no group and no set."""
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
