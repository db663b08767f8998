"""A pack is a fixed list of patterns: the same ones have the same fingerprint and find the same things everywhere."""

from __future__ import annotations

import functools
import hashlib
import itertools
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
HEAD = 4
"""First words of a sentence among which a need that begins with ^ is looked for."""
MAX_SENTENCE = 1200
"""Characters of a sentence that are looked at: a bound for what a pattern can cost."""


class PatternPack:
    """Patterns, compiled and indexed. Immutable."""

    __slots__ = (
        "_by_head",
        "_by_mark",
        "_by_pair",
        "_by_sign",
        "_by_word",
        "_compiled",
        "_everywhere",
        "_pairs",
        "_words",
        "fingerprint",
        "patterns",
        "source",
    )

    def __init__(self, patterns: Iterable[Pattern], *, engine: Engine = "re", source: str = "patterns") -> None:
        self._build([(pattern, compile_pattern(pattern, engine, source)) for pattern in patterns], source)

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
        words: dict[str, list[int]] = {}
        pairs: dict[tuple[str, str], list[tuple[str, int]]] = {}
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
                    words.setdefault(tokens[0], []).append(number)
                else:
                    phrase = " ".join(tokens) if len(tokens) > 2 else ""
                    pairs.setdefault((tokens[0], tokens[1]), []).append((phrase, number))
        put("_by_sign", tuple(signs))
        put("_by_mark", {mark: tuple(numbers) for mark, numbers in marks.items()})
        put("_by_word", {word: tuple(numbers) for word, numbers in words.items()})
        put("_by_pair", {pair: tuple(entries) for pair, entries in pairs.items()})
        put("_by_head", {word: tuple(numbers) for word, numbers in heads.items()})
        put("_words", frozenset(words))
        put("_pairs", frozenset(pairs))
        put("_everywhere", tuple(number for number, (pattern, _) in enumerate(rows) if not pattern.needs))
        content = json.dumps([asdict(pattern) for pattern, _ in rows], sort_keys=True, ensure_ascii=False)
        put("fingerprint", hashlib.sha256(content.encode()).hexdigest()[:12])

    patterns: tuple[Pattern, ...]
    fingerprint: str
    """Twelve hexadecimal digits of the patterns' content."""
    source: str
    _compiled: tuple[Compiled, ...]
    _by_word: dict[str, tuple[int, ...]]
    _by_pair: dict[tuple[str, str], tuple[tuple[str, int], ...]]
    _by_sign: tuple[tuple[str, int], ...]
    _by_mark: dict[str, tuple[int, ...]]
    _by_head: dict[str, tuple[int, ...]]
    _words: frozenset[str]
    _pairs: frozenset[tuple[str, str]]
    _everywhere: tuple[int, ...]

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
        by_word, by_pair, by_head, by_mark = self._by_word, self._by_pair, self._by_head, self._by_mark
        words, pairs = self._words, self._pairs
        signs = [(sign, number) for sign, number in self._by_sign if sign in masked]
        for order, (start, end) in enumerate(spans):
            sentence = masked[start : min(end, start + MAX_SENTENCE)]
            numbers = set(self._everywhere)
            tokens = sentence.translate(_BREAKS).split()
            for word in words.intersection(tokens):
                numbers.update(by_word[word])
            for pair in pairs.intersection(itertools.pairwise(tokens)):
                for phrase, number in by_pair[pair]:
                    if not phrase or phrase in sentence:
                        numbers.add(number)
            for word in tokens[:HEAD]:
                if word in by_head:
                    numbers.update(by_head[word])
            for sign, number in signs:
                if sign in sentence:
                    numbers.add(number)
            if sentence[:1] in by_mark:
                numbers.update(by_mark[sentence[0]])
            if not numbers:
                continue
            for number in sorted(numbers):
                compiled = self._compiled[number]
                pattern = compiled.pattern
                if pattern.scope != "sentence" and (order or (pattern.scope == "message" and len(spans) > 1)):
                    continue
                match = compiled.find(sentence)
                if match is None:
                    continue
                first, last = match.span()
                if compiled.guards and compiled.stopped_by(sentence, first, last) is not None:
                    continue
                groups = {
                    name: (start + match.start(group), start + match.end(group))
                    for name, group in compiled.groups.items()
                    if match.start(group) >= 0
                }
                hits.append(
                    Hit(
                        pattern.name,
                        pattern.kind,
                        start + first,
                        start + last,
                        pattern.confidence,
                        (start, end),
                        pattern.written,
                        groups,
                    )
                )
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
                        (unless, bool(guard.search(parts.get(where, sentence))))
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
    return PatternPack(read_patterns(path), source="default patterns")
