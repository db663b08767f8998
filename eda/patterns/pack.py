"""A pack is a fixed list of patterns: the same ones have the same fingerprint and find the same things everywhere."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from eda.errors import PatternError
from eda.patterns.check import CheckRow, check
from eda.patterns.compiled import Compiled, Engine, compile_pattern
from eda.patterns.load import read_patterns
from eda.patterns.normalise import lower, normalise
from eda.patterns.pattern import Hit, Pattern
from eda.patterns.sentences import mask_quotes, sentences

__all__ = ["PatternPack", "default_pack"]

_BREAKS = str.maketrans(dict.fromkeys('\t\n\r!"#$%&()*,./:;<=>?@[\\]^_`{|}~-', " "))
_NONE: frozenset[int] = frozenset()
_Seconds = dict[str, list[tuple[str, int]]]
_Entry = tuple[list[int], _Seconds]
"""What a word calls for by itself, and by the word that follows it (and the whole phrase, where that is longer)."""
_ASCII_BREAKS = bytes(range(128)).decode().translate(_BREAKS).encode() + bytes(range(128, 256))
HEAD = 4
"""First words of a sentence among which a need that begins with ^ is looked for."""
MAX_SENTENCE = 1200
"""Characters of a sentence that are looked at: a bound for what a pattern can cost."""


class PatternPack:
    """Patterns, compiled and indexed. Immutable."""

    __slots__ = (
        "_by_head",
        "_by_mark",
        "_by_sign",
        "_by_word",
        "_compiled",
        "_everywhere",
        "_lone",
        "_opening",
        "fingerprint",
        "patterns",
        "source",
    )

    def __init__(
        self,
        patterns: Iterable[Pattern],
        *,
        engine: Engine = "re",
        source: str = "patterns",
        shipped: bool = False,
    ) -> None:
        """Compile the patterns; those that are `shipped` are known to compile, each is when it is first tried.

        Raises:
            PatternError: a pattern that the engine does not take, or two of one name.
        """
        rows = [(pattern, compile_pattern(pattern, engine, source)) for pattern in patterns]
        for _, compiled in () if shipped else rows:
            compiled.compile_all()
        self._build(rows, source)

    def _build(self, rows: list[tuple[Pattern, Compiled]], source: str) -> None:
        names: set[str] = set()
        for pattern, _ in rows:
            if pattern.name in names:
                raise PatternError(f"{source}: two patterns are named {pattern.name!r}")
            names.add(pattern.name)
        put = functools.partial(object.__setattr__, self)
        put("patterns", tuple(pattern for pattern, _ in rows))
        put("source", source)
        put("_compiled", tuple(compiled for _, compiled in rows))
        words: dict[str, _Entry] = {}
        heads: dict[str, list[int]] = {}
        marks: dict[str, list[int]] = {}
        signs: list[tuple[str, int]] = []
        for number, (pattern, _) in enumerate(rows):
            for need in pattern.needs:
                tokens = need.lower().removeprefix("^").translate(_BREAKS).split()
                if len(need) == 1 and not need.isalnum():
                    signs.append((need, number))
                elif need.startswith("^") and not need[1:2].isalpha():
                    marks.setdefault(need[1:2], []).append(number)
                elif not tokens:
                    raise PatternError(f"{source}: pattern {pattern.name!r}: need {need!r} holds no word")
                elif need.startswith("^"):
                    heads.setdefault(tokens[-1], []).append(number)
                elif len(tokens) == 1:
                    words.setdefault(tokens[0], ([], {}))[0].append(number)
                else:
                    phrase = " ".join(tokens) if len(tokens) > 2 else ""
                    words.setdefault(tokens[0], ([], {}))[1].setdefault(tokens[1], []).append((phrase, number))
        put("_by_sign", tuple(signs))
        put("_by_mark", {mark: tuple(numbers) for mark, numbers in marks.items()})
        put("_by_word", words)
        put("_by_head", {word: tuple(numbers) for word, numbers in heads.items()})
        put("_everywhere", frozenset(number for number, (pattern, _) in enumerate(rows) if not pattern.needs))
        put("_opening", frozenset(number for number, (pattern, _) in enumerate(rows) if pattern.scope != "sentence"))
        put("_lone", frozenset(number for number, (pattern, _) in enumerate(rows) if pattern.scope == "message"))
        content = json.dumps([asdict(pattern) for pattern, _ in rows], sort_keys=True, ensure_ascii=False)
        put("fingerprint", hashlib.sha256(content.encode()).hexdigest()[:12])

    patterns: tuple[Pattern, ...]
    fingerprint: str
    """Twelve hexadecimal digits of the patterns' content."""
    source: str
    _compiled: tuple[Compiled, ...]
    _by_word: dict[str, _Entry]
    _by_sign: tuple[tuple[str, int], ...]
    _by_mark: dict[str, tuple[int, ...]]
    _by_head: dict[str, tuple[int, ...]]
    _everywhere: frozenset[int]
    _opening: frozenset[int]
    """Those that are tried on a message's first sentence only."""
    _lone: frozenset[int]
    """Those that are tried on a message of one sentence only."""

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a pattern pack is immutable: {name}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PatternPack) and other.fingerprint == self.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        return f"PatternPack({len(self.patterns)} patterns, {self.fingerprint})"

    @classmethod
    def from_toml(cls, path: str | Path) -> PatternPack:
        """A user's own patterns, run by RE2.

        Raises:
            PatternError: the file, the pattern and the place of what is wrong; or that RE2 is not installed.
        """
        return cls(read_patterns(Path(path)), engine="re2", source=str(path))

    def extended(self, other: PatternPack | Iterable[Pattern]) -> PatternPack:
        """A new pack with the patterns of both; one of the same name replaces the earlier one.

        Plain patterns (not a pack) are compiled by RE2, as those of a file are.
        """
        if not isinstance(other, PatternPack):
            other = PatternPack(other, engine="re2", source="added patterns")
        rows = dict(zip((p.name for p in self.patterns), zip(self.patterns, self._compiled, strict=True), strict=True))
        rows.update(
            zip((p.name for p in other.patterns), zip(other.patterns, other._compiled, strict=True), strict=True)
        )
        pack = object.__new__(PatternPack)
        pack._build(list(rows.values()), f"{self.source} + {other.source}")
        return pack

    def find(self, text: str) -> list[Hit]:
        """Every match, in the order of the text, then of the pack."""
        plain = normalise(text)
        return self.find_in(mask_quotes(lower(plain)), sentences(plain))

    def find_in(  # noqa: C901, PLR0912 - the hot loop: calls would cost more than the branches
        self, masked: str, spans: list[tuple[int, int]]
    ) -> list[Hit]:
        """As `find`, for a text that was normalised, put in lower case, rid of quotations and split already."""
        hits: list[Hit] = []
        by_word, by_head, by_mark = self._by_word, self._by_head, self._by_mark
        broken = masked.encode().translate(_ASCII_BREAKS).decode() if masked.isascii() else masked.translate(_BREAKS)
        signs = [(sign, number) for sign, number in self._by_sign if sign in masked]
        skipped = self._lone if len(spans) > 1 else _NONE
        for start, end in spans:
            stop = min(end, start + MAX_SENTENCE)
            sentence = masked[start:stop]
            tokens = broken[start:stop].split()
            numbers = set(self._everywhere)
            seconds: _Seconds = {}
            for word in tokens:
                if word in seconds:
                    for phrase, number in seconds[word]:
                        if not phrase or phrase in sentence:
                            numbers.add(number)
                if word in by_word:
                    alone, seconds = by_word[word]
                    if alone:
                        numbers.update(alone)
                elif seconds:
                    seconds = {}
            for word in tokens[:HEAD]:
                if word in by_head:
                    numbers.update(by_head[word])
            for sign, number in signs:
                if sign in sentence:
                    numbers.add(number)
            if sentence[:1] in by_mark:
                numbers.update(by_mark[sentence[0]])
            numbers -= skipped
            skipped = self._opening
            for number in sorted(numbers):
                compiled = self._compiled[number]
                match = compiled.find(sentence)
                if match is None:
                    continue
                first, last = match.span()
                if compiled.guards and compiled.stopped_by(sentence, first, last) is not None:
                    continue
                groups = {
                    name: (start + match.start(group), start + match.end(group))
                    for name, group in compiled.groups
                    if match.start(group) >= 0
                }
                name, kind, confidence, written = compiled.said
                hits.append(Hit(name, kind, start + first, start + last, confidence, (start, end), written, groups))
        return hits

    def looked_at(self, text: str, name: str) -> list[tuple[str, bool]]:
        """The exceptions of a pattern and whether each holds in the first sentence that the pattern matches."""
        plain = normalise(text)
        masked = mask_quotes(lower(plain))
        for compiled in self._compiled:
            if compiled.pattern.name != name:
                continue
            for start, end in sentences(plain):
                sentence = masked[start : min(end, start + MAX_SENTENCE)]
                match = compiled.find(sentence)
                if match:
                    parts = {"before": sentence[: match.start()], "after": sentence[match.end() :]}
                    return [
                        (unless, bool(guard(parts.get(where, sentence))))
                        for unless, (where, guard) in zip(compiled.pattern.unless, compiled.guards, strict=True)
                    ]
        return []

    def check(self) -> list[CheckRow]:
        """Run the examples and counter-examples of every pattern."""
        return check(self, self.patterns)


@functools.cache
def default_pack() -> PatternPack:
    """The patterns that EDA ships. Always run by Python's `re`, so that what is installed changes nothing."""
    path = Path(__file__).with_name("default.toml")
    return PatternPack(read_patterns(path), source="default patterns", shipped=True)
