"""Saves the state of memory: a part's state is its dataclass fields, written as plain JSON types and read back equal.

What a field holds is told by its annotation: texts, numbers, records, pydantic models, lists, tuples, sets, mappings
and deques of these. A field that stands at its default is not written. A field with `init=False` is no state: the
part makes it again in `__post_init__`. A field of type `Given[...]` is handed in by whoever loads the snapshot.

Saved memory counts only while its fingerprint, a hash over EDA's source and the patterns, is the same. So whoever
changes one rule of the fold need not remember to raise a number.
"""

import hashlib
import os
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from eda import __version__
from eda.memory.patterns import PatternPack

T = TypeVar("T")
Given = Annotated[T, "given"]  # The type of a field that `load` takes as a keyword argument of the same name.

_PLAIN = frozenset([str, int, float, bool, NoneType, None, Literal])  # Types that JSON has itself.


def dump(part: Any) -> Any:  # noqa: PLR0911 - one return a kind of value
    """Return the state of a dataclass instance as dicts, lists, texts and numbers."""
    if type(part) in _PLAIN:
        return part
    match part:
        case dict() if all(isinstance(key, str) for key in part):
            return {key: dump(item) for key, item in part.items()}
        case dict():
            return [[dump(key), dump(item)] for key, item in part.items()]
        case set() | frozenset():
            return sorted(map(dump, part))
        case list() | tuple() | deque():
            return [dump(item) for item in part]
        case datetime():
            return part.isoformat()
        case BaseModel():
            return part.model_dump(mode="json", exclude_defaults=True)
    kind: Any = type(part)
    values = ((each, getattr(part, each.name)) for each in _state_of(kind).values() if not each.given)
    return {each.key: dump(value) for each, value in values if value != each.default}


def load(kind: type[T], data: Any, **handed: object) -> T:
    """Return what `dump` was given, with `handed` for fields of type `Given[...]`; ValueError for other data."""
    try:
        loaded: T = _read(kind, {**data}, handed)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise ValueError(f"this is no saved {kind.__name__} of this version: {error!r}") from error
    return loaded


class _Field(NamedTuple):
    """A field of a dataclass that is state, or is handed in."""

    name: str
    key: str
    read: Callable[[Any, Mapping[str, Any]], Any]
    default: Any  # A field without one equals nothing, so it is always written.
    given: bool
    build: Callable[[Any], Any]  # A deque has the bound of its default.


@cache
def _state_of(kind: Any) -> Mapping[str, _Field]:
    """Return the fields of a dataclass that it takes, by their keys."""
    if not is_dataclass(kind):
        raise TypeError(f"a snapshot cannot hold {kind}")
    hints, state = get_type_hints(kind, include_extras=True), dict[str, _Field]()
    for each in fields(kind):
        if each.init:
            key, hint = each.name.lstrip("_"), hints[each.name]
            default: Any = each.default_factory() if each.default_factory is not MISSING else each.default
            given = "given" in getattr(hint, "__metadata__", ())
            build: Callable[[Any], Any] = (
                partial(deque[Any], maxlen=default.maxlen) if isinstance(default, deque) else lambda value: value
            )
            state[key] = _Field(each.name, key, _reader(None if given else hint), default, given, build)
    return state


def _read(kind: Any, data: Any, handed: Mapping[str, Any]) -> Any:
    """Return the value of a dataclass that `dump` wrote."""
    state = _state_of(kind)
    values = {each.name: handed[each.name] for each in state.values() if each.given}
    for key, item in data.items():
        name, _, read, _, _, build = state[key]
        values[name] = build(read(item, handed))
    return kind(**values)


@cache
def _reader(kind: Any) -> Callable[[Any, Mapping[str, Any]], Any]:  # noqa: PLR0911 - one return a kind of type
    """Return what reads the values of a type that `dump` wrote."""
    origin, args = get_origin(kind) or kind, get_args(kind)
    if origin in _PLAIN:
        return lambda data, _: data
    if origin in (Union, UnionType):
        some = _reader(next((each for each in args if each not in _PLAIN), None))
        return lambda data, handed: data if data is None else some(data, handed)
    if is_dataclass(origin):
        return partial(_read, kind)
    if origin is datetime:
        return lambda data, _: datetime.fromisoformat(data)
    if isinstance(origin, type) and issubclass(origin, BaseModel):
        return lambda data, _: origin.model_validate(data)
    parts = tuple(_reader(each) for each in args if each is not ...)
    if origin is dict:
        return lambda data, handed: {
            parts[0](key, handed): parts[1](item, handed)
            for key, item in (data.items() if isinstance(data, dict) else data)
        }
    if origin is tuple and args[-1] is not ...:
        return lambda data, handed: tuple([read(item, handed) for read, item in zip(parts, data, strict=True)])
    return lambda data, handed: origin([parts[0](item, handed) for item in data])


_PACKAGE = Path(__file__).parents[1]
_SOURCES = (".py", ".toml", ".ftl")  # Code, tables and messages: all that decides what memory holds of a log.


def fingerprint(patterns: PatternPack) -> str:
    """Return a text that differs where memory of one log may: by the code, its weights or the patterns."""
    return f"{code_version()}-{patterns.fingerprint}"


@cache
def code_version(package: Path = _PACKAGE) -> str:
    """Return a hash over the source of the package; its version where it is installed without source."""
    digest = hashlib.blake2b(digest_size=8)
    paths = (f"{folder}{os.sep}{name}" for folder, _, names in os.walk(package) for name in names)
    sources = sorted(path for path in paths if path.endswith(_SOURCES))
    for path in sources:
        content = Path(path).read_bytes()
        place = path.removeprefix(str(package)).replace(os.sep, "/")
        digest.update(f"{place} {len(content)}\n".encode() + content)
    return digest.hexdigest() if sources else __version__
