"""`PatternPack`: patterns. Equal packs have the same fingerprint and find the same everywhere.

A `Pattern` is data: it says what it finds and what it must not find, with sentences as proof. Python's `re` compiles
the default pack, and RE2, which cannot hang, a user's pack. Patterns search text in lower case.
"""

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple, Self, get_args

from pydantic import Field, TypeAdapter, ValidationError

from eda.errors import PatternError
from eda.memory.patterns.language import Language
from eda.panels.files import UserFile, complaint, unknown_key
from eda.text import Read

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


MAX_PATTERNS = 2000
MAX_SENTENCE = 1200  # Characters of a sentence that are searched: a bound for what a pattern can cost.
_NONE: frozenset[int] = frozenset()
_DEFAULTS = Path(__file__).with_name("default.toml")
_MARKS = '\t\n\r!"#$%&()*,./:;<=>?@[\\]^_`{|}~-'
_BLANKS = str.maketrans(dict.fromkeys(_MARKS, " "))
HEAD = 4  # First words of a sentence among which a need that begins with ^ is looked for.
OPTION_SIGN = "¤"  # Stands in expressions and searched text for the options of the debate, whatever they are.


class _NeedIndex:
    """The needs of a list of patterns. A pattern is known by its place in the list."""

    def __init__(self, patterns: Sequence[Pattern], source: str) -> None:
        """Index the patterns. PatternError where a need holds no word."""
        self._by_end = defaultdict[str, list[tuple[str, int]]](list)  # Phrases by their last two words, or their one.
        self._by_head = defaultdict[str, set[int]](set)
        self._by_sign = defaultdict[tuple[str, bool], set[int]](set)  # Whether the sentence must begin with the sign.
        self._always = frozenset(number for number, pattern in enumerate(patterns) if not pattern.needs)
        self.opening = frozenset(number for number, pattern in enumerate(patterns) if pattern.scope != "sentence")
        """Patterns that are tried on a message's first sentence only."""
        self.lone = frozenset(number for number, pattern in enumerate(patterns) if pattern.scope == "message")
        """Patterns that are tried on a message of one sentence only."""
        for number, pattern in enumerate(patterns):
            for need in pattern.needs:
                begins, bare = need.startswith("^"), need.removeprefix("^")
                words = bare.lower().translate(_BLANKS).split()
                if (begins and not bare[:1].isalpha()) or (len(need) == 1 and not need.isalnum()):
                    self._by_sign[bare[:1], begins].add(number)
                elif not words:
                    raise PatternError(f"{source}: pattern {pattern.name!r}: need {need!r} holds no word")
                elif begins:
                    self._by_head[words[-1]].add(number)
                else:
                    self._by_end[" ".join(words[-2:])].append((f" {' '.join(words)} ", number))

    def candidates(self, sentence: str, words: Sequence[str]) -> set[int]:
        """Return the patterns whose needs a sentence in lower case, and its words, meet."""
        numbers, spaced = set(self._always), f" {' '.join(words)} "
        for end in self._by_end.keys() & [*words, *map(" ".join, pairwise(words))]:
            numbers.update([number for phrase, number in self._by_end[end] if phrase in spaced])
        for word in self._by_head.keys() & words[:HEAD]:
            numbers |= self._by_head[word]
        for (sign, begins), by_sign in self._by_sign.items():
            if sign in (sentence[:1] if begins else sentence):
                numbers |= by_sign
        return numbers


class PatternPack:
    """Patterns, compiled and indexed, and the language of the code beside them. Immutable."""

    def __init__(
        self,
        patterns: Iterable[Pattern],
        *,
        engine: Engine = "re",
        source: str = "patterns",
    ) -> None:
        """Compile the patterns, each with a name of its own; `source` is where they come from, for errors.

        The engine RE2 cannot hang. PatternError where the engine refuses a pattern, or two have one name.
        """
        compiled = [Compiled(pattern, engine, source) for pattern in patterns]
        for each in compiled:
            _ = each.find, each.groups, each.guards  # PatternError where the engine refuses one
        self._build(compiled, source)

    def _build(self, compiled: list[Compiled], source: str) -> None:
        self._compiled = tuple(compiled)
        self.patterns = tuple(each.pattern for each in compiled)  # in the order in which they are tried
        self._of_options = tuple(each for each in compiled if OPTION_SIGN in each.pattern.regex)
        self.language = default_language()  # what the code that reads messages looks for beside the patterns
        self.source = source
        for name, count in Counter(pattern.name for pattern in self.patterns).items():
            if count > 1:
                raise PatternError(f"{source}: pattern {name!r} is there {count} times")
        self._index = _NeedIndex(self.patterns, source)
        names = [each.name for each in fields(Pattern)]
        content = [{name: getattr(each, name) for name in names} for each in self.patterns]
        text = json.dumps(content, sort_keys=True, ensure_ascii=False)
        self.fingerprint = hashlib.sha256(text.encode()).hexdigest()[:12]  # of the content of the patterns

    def __setattr__(self, name: str, value: object) -> None:
        if "fingerprint" in self.__dict__:  # it is set last
            raise AttributeError(f"a pack cannot be changed: {name}")
        super().__setattr__(name, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PatternPack) and other.fingerprint == self.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    @classmethod
    def from_toml(cls, path: str | Path) -> Self:
        """Return the pack of a user's file, run by RE2."""
        return cls(_read_patterns(_read_table(Path(path)), str(path)), engine="re2", source=str(path))

    @classmethod
    def of(cls, files: Iterable[str | Path]) -> "PatternPack":
        """Return EDA's pack, extended by those of these files."""
        pack = default_pack()
        for file in files:
            pack = pack.extended(cls.from_toml(file))
        return pack

    def extended(self, other: "PatternPack | Iterable[Pattern]") -> "PatternPack":
        """Return a pack of both: what `other` has replaces what has the same name. RE2 runs plain patterns."""
        if not isinstance(other, PatternPack):
            other = PatternPack(other, engine="re2", source="added patterns")
        compiled = {each.pattern.name: each for each in (*self._compiled, *other._compiled)}
        pack = object.__new__(PatternPack)
        pack._build(list(compiled.values()), f"{self.source} + {other.source}")
        return pack

    def find(self, text: str) -> list[Hit]:
        """Return every match, in the order of the text, then of the pack."""
        read = Read(text)
        return self.find_in(read.own_low, read.sentences)

    def find_options(self, masked: str, spans: Sequence[tuple[int, int]]) -> list[Hit]:
        """Return the matches in a text with `OPTION_SIGN` for each character of the options that it names."""
        hits: list[Hit] = []
        for start, end in spans:
            sentence = masked[start : min(end, start + MAX_SENTENCE)]
            for compiled in self._of_options if OPTION_SIGN in sentence else ():
                match = compiled.find(sentence)
                if match is not None and (hit := compiled.hit(match, start, end)) is not None:
                    hits.append(hit)
        return hits

    def find_in(self, masked: str, spans: Sequence[tuple[int, int]]) -> list[Hit]:
        """Do as `find` for a text that is normalised, in lower case, without quotations, and split into `spans`."""
        hits: list[Hit] = []
        index, compiled = self._index, self._compiled
        blanked = masked.translate(_BLANKS)
        skipped = index.lone if len(spans) > 1 else _NONE
        for start, end in spans:
            stop = min(end, start + MAX_SENTENCE)
            sentence = masked[start:stop]
            numbers = index.candidates(sentence, blanked[start:stop].split())
            numbers -= skipped
            skipped = index.opening
            for number in sorted(numbers):
                match = compiled[number].find(sentence)
                if match is not None and (hit := compiled[number].hit(match, start, end)) is not None:
                    hits.append(hit)
        return hits


class _Shipped(PatternPack):
    """The patterns that EDA ships: read when one is first looked for, which few debates do, and compiled when tried."""

    def __init__(self) -> None:
        self.language = default_language()

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):
            pack, patterns = object.__new__(PatternPack), _read_patterns(_read_table(_DEFAULTS), str(_DEFAULTS))
            pack._build([Compiled(each, "re", str(_DEFAULTS)) for each in patterns], "default patterns")
            self.__dict__.update(vars(pack))
        return object.__getattribute__(self, name)


@cache
def default_pack() -> PatternPack:
    """Return the patterns that EDA ships. Python's `re` always runs them, so that what is installed changes nothing."""
    return _Shipped()


@cache
def default_language() -> Language:
    """Return the language that EDA ships."""
    file = UserFile(_DEFAULTS.with_name("language.toml"), PatternError)
    return Language(file.table(file.text()))


def _read_table(path: Path) -> dict[str, Any]:
    file = UserFile(path, PatternError)
    table = file.table(file.text())
    unknown = set(table) - {"pattern", "guards"}
    if unknown:
        raise PatternError(f"{path}: unknown key {min(unknown)!r}", hint="Known: guards, pattern.")
    return table


def _read_patterns(table: dict[str, Any], source: str) -> tuple[Pattern, ...]:
    """Return the patterns of a file: `[[pattern]]` tables, and a table `[guards]` that `unless` names as `@name`."""
    guards = table.get("guards", {})
    if not isinstance(guards, dict) or not all(isinstance(value, str) for value in guards.values()):
        raise PatternError(f"{source}: guards must be a table of names and regular expressions")
    rows = table.get("pattern", [])
    if not isinstance(rows, list) or len(rows) > MAX_PATTERNS:
        raise PatternError(f"{source}: pattern must be up to {MAX_PATTERNS} [[pattern]] tables")
    return tuple(read_pattern(row, f"{source}: pattern", number, guards) for number, row in enumerate(rows, 1))
