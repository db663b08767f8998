"""Message files, read when one of their messages is first said."""

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from babel import Locale
from babel.lists import format_list
from fluent.runtime import FluentBundle, resolver
from fluent.runtime.types import FluentNone, FluentType
from fluent.syntax import FluentParser

from eda.text import one_line, regex
from eda.words.languages import FALLBACK, FOLDER

# The reader of message files refuses values over 2,500 characters, for files that a stranger wrote. These are ours;
# a text that a member proposes may be longer, and is bounded where it is read.
resolver.MAX_PART_LENGTH = sys.maxsize

_REGIONS = {"en": "en-GB"}  # Where forms differ within a language: `Ada, Ben and Cleo`.


_KEY = regex(r"-?[a-z]+(?:-[a-z0-9]+)+")
_BEGINS = regex(r"^-?[a-z][a-z0-9-]* =", "M")


class _List(FluentType):
    """Texts that print as a series: `Ada, Ben and Cleo`."""

    def __init__(self, items: Sequence[str]) -> None:
        self.items = list(items)

    def format(self, locale: Locale) -> str:
        return format_list(self.items, locale=locale)


class _Catalogue:
    """The messages of one language."""

    def __init__(self, language: str) -> None:
        self._folder = FOLDER / language
        functions: dict[str, Callable[..., Any]] = {
            "GIVEN": _given,
            "LIST": lambda items, *, by: by.join(items.items) if isinstance(items, _List) else str(items),
            "QUOTED": self._quoted,
            "TEXT": lambda text: self._quoted(str(text).rstrip(".")),
        }
        self._bundle = FluentBundle([_REGIONS.get(language, language)], functions, use_isolating=False)
        self.has("language-quotes")
        self._outer, self._inner = self.say("language-quotes", None, {}).split()

    def has(self, key: str) -> bool:
        """Return whether the language has the message, which stands in the file that its key begins with."""
        self._read(key)
        return self._bundle.has_message(key)

    def _read(self, key: str) -> None:
        """Read a message, and those that it names: to read a whole file takes as long as to import one of code."""
        file = f"{key.lstrip('-').partition('-')[0]}.ftl"
        if not self._bundle.has_message(key) and (entry := _entries(self._folder / file).get(key)):
            self._bundle.add_resource(FluentParser(with_spans=False).parse(entry))
            for named in {*_KEY.findall(entry)} - {key}:
                self._read(named)

    def say(self, key: str, attr: str | None, data: Mapping[str, Any]) -> str:
        """Return a message filled with data."""
        message = self._bundle.get_message(key)
        pattern = message.attributes.get(attr) if attr else message.value
        if pattern is None:
            raise LookupError(f"the message {key} has no {attr or 'text'}")
        text, errors = self._bundle.format_pattern(pattern, {name: _shown(name, data[name]) for name in data})
        if errors:
            raise ValueError(f"the message {key}: {'; '.join(map(str, errors))}")
        return str(text)

    def labels(self, key: str) -> dict[str, str]:
        """Return the attributes of a message by their names."""
        self._read(key)
        return {attr: self.say(key, attr, {}) for attr in self._bundle.get_message(key).attributes}

    def _quoted(self, words: str | FluentNone) -> str:
        """Return somebody's words in quotation marks, with single marks inside."""
        text = str(words)
        marks = self._outer if self._outer[0] in text else "“”"  # „ ends with what another language begins with
        return self._outer[0] + text.translate(str.maketrans(f'{marks}"', f"{self._inner}'")) + self._outer[1]


def _given(value: object) -> str:
    """Return `yes` for a text or list that is not empty, else `no`."""
    return "yes" if (value.items if isinstance(value, _List) else str(value)) else "no"


def _shown(name: str, value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return one_line(value) if value else value
    if isinstance(value, date):
        return value
    if isinstance(value, int | float):
        return int(value) if value == int(value) else value  # 1.0 would be a plural
    if isinstance(value, Sequence):
        return _List([one_line(str(item)) for item in value])
    raise TypeError(f"{name} is {value!r}, which no message can show")


@cache
def _entries(path: Path) -> dict[str, str]:
    """Return the messages of a file, unread, by their keys; none where there is no such file."""
    text = path.read_text(encoding="utf-8") if path.stem.isidentifier() and path.is_file() else ""
    begins = [*(match.start() for match in _BEGINS.finditer(text)), len(text)]
    return {text[at:end].partition(" ")[0]: text[at:end] for at, end in pairwise(begins)}


@cache
def _catalogue(language: str) -> _Catalogue:
    return _Catalogue(language)


def say(language: str, key: str, attr: str | None, data: Mapping[str, Any]) -> str:
    """Return a message of the language, of English where the language lacks it; see `Words.say`."""
    values = [(name, type(each), tuple(each) if isinstance(each, list) else each) for name, each in data.items()]
    return _said(language, key, attr, tuple(values))


def labels(language: str, key: str) -> dict[str, str]:
    """Return the attributes of a message by their names; see `Words.labels`."""
    return _catalogue(language if _catalogue(language).has(key) else FALLBACK).labels(key)


@lru_cache(maxsize=4096)
def _said(language: str, key: str, attr: str | None, data: tuple[tuple[str, type, Any], ...]) -> str:
    """Return what the same data gave before: prompts say the acts of all messages again, and True is not 1."""
    for each in dict.fromkeys((language, FALLBACK)):
        if _catalogue(each).has(key):
            return _catalogue(each).say(key, attr, {name: value for name, _, value in data})
    raise LookupError(f"there is no message {key}")
