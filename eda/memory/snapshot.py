"""Saves the state of memory: a part's state is its dataclass fields, written as plain JSON types and read back equal.

What a field holds is told by its annotation: texts, numbers, records, pydantic models, lists, tuples, sets, mappings
and deques of these. A field that stands at its default is not written. A field with `init=False` is no state: the
part makes it again in `__post_init__`. A field of type `Given[...]` is handed in by whoever loads the snapshot.

Saved memory counts only while its fingerprint, a hash over the code and its patterns, is the same. So whoever changes
one rule of the fold need not remember to raise a number.
"""

from __future__ import annotations

import hashlib
import os
import re
from array import array
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from eda import __version__
from eda.memory.patterns import PatternPack
from eda.words import FALLBACK

T = TypeVar("T")
Given = Annotated[T, "given"]  # The type of a field that `load` takes as a keyword argument of the same name.

_Handed = Mapping[str, Any]


class _Codec(NamedTuple):
    """How values of one annotation are written and read."""

    write: Callable[[Any], Any]
    read: Callable[[Any, _Handed], Any]


_SAME = _Codec(lambda value: value, lambda data, _: data)  # Codec of what JSON has itself.
_PLAIN = frozenset([str, int, float, bool, None, NoneType])


def dump(part: object) -> Any:
    """Return the state of a dataclass instance as dicts, lists, texts and numbers."""
    kind: Any = type(part)
    return _codec(kind).write(part)


def load(kind: type[T], data: Any, **handed: object) -> T:
    """Return what `dump` was given, with `handed` for fields of type `Given[...]`; ValueError for other data."""
    state: Any = kind
    try:
        loaded: T = _codec(state).read(data, handed)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"this is no saved {kind.__name__} of this version: {error!r}") from error
    return loaded


@cache
def _codec(kind: Any) -> _Codec:  # noqa: PLR0911 - one return a kind of annotation
    origin, args = get_origin(kind), get_args(kind)
    if kind in _PLAIN or origin is Literal:
        return _SAME
    if origin in (Union, UnionType):
        return _optional(args)
    if origin is dict:
        return _mapping(*args)
    if kind is datetime:
        return _Codec(datetime.isoformat, lambda data, _: datetime.fromisoformat(data))
    if kind is array:
        return _Codec(lambda value: [value.typecode, *value], lambda data, _: array(data[0], data[1:]))
    if origin is tuple and args[-1:] != (...,):
        return _row(args)
    if origin in (list, tuple, set, frozenset):
        return _items(origin, args[0])
    if is_dataclass(kind):
        return _record(kind)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return _Codec(
            lambda value: value.model_dump(mode="json", exclude_defaults=True),
            lambda data, _: kind.model_validate(data),
        )
    raise TypeError(f"a snapshot cannot hold {kind}")


def _optional(args: tuple[Any, ...]) -> _Codec:
    """Codec of a union: plain types, or one other type and None."""
    others = [kind for kind in args if _codec(kind) is not _SAME]
    if not others:
        return _SAME
    if {*args} != {*others, NoneType} or len(others) > 1:
        raise TypeError(f"a snapshot cannot tell {args} apart")
    write, read = _codec(others[0])
    return _Codec(
        lambda value: None if value is None else write(value),
        lambda data, handed: None if data is None else read(data, handed),
    )


def _items(origin: Callable[[Any], Any], kind: Any, bound: int | None = None) -> _Codec:
    """Codec of a list, tuple, set or deque: a list; of a set, sorted."""
    write, read = _codec(kind)
    if origin in (set, frozenset):
        read_all = _items(list, kind).read
        return _Codec(sorted, lambda data, handed: origin(data if read is _SAME.read else read_all(data, handed)))
    build = (lambda items: deque(items, bound)) if origin is deque else origin
    return _Codec(
        lambda value: [write(item) for item in value], lambda data, handed: build([read(item, handed) for item in data])
    )


def _row(args: tuple[Any, ...]) -> _Codec:
    """Codec of a tuple of fixed length."""
    writes, reads = zip(*map(_codec, args), strict=True)
    return _Codec(
        lambda value: [write(item) for write, item in zip(writes, value, strict=True)],
        lambda data, handed: tuple([read(item, handed) for read, item in zip(reads, data, strict=True)]),
    )


def _mapping(key: Any, kind: Any) -> _Codec:
    """Codec of a dict: an object; pairs where keys are no texts; a list of the keys where all values are None."""
    if kind is None:
        return _Codec(list, lambda data, _: dict.fromkeys(data))
    if _codec(key) is not _SAME or key is int:
        write_pairs, read_pairs = _codec(list[tuple[key, kind]])
        return _Codec(lambda value: write_pairs(value.items()), lambda data, handed: dict(read_pairs(data, handed)))
    write, read = _codec(kind)
    return _Codec(
        lambda value: {name: write(item) for name, item in value.items()},
        lambda data, handed: {name: read(item, handed) for name, item in data.items()},
    )


def _record(kind: Any) -> _Codec:
    """Codec of a dataclass: an object of the fields that differ from their defaults."""
    hints = get_type_hints(kind, include_extras=True)
    state = [each for each in fields(kind) if each.init]
    handed_in = [each.name for each in state if "given" in getattr(hints[each.name], "__metadata__", ())]
    plan: list[tuple[str, str, Callable[[Any], Any], Any]] = []
    readers: dict[str, tuple[str, Callable[[Any, _Handed], Any]]] = {}
    for each in state:
        if each.name not in handed_in:
            # A field without a default equals nothing, so it is always written.
            default: Any = each.default_factory() if each.default_factory is not MISSING else each.default
            key, hint = each.name.lstrip("_"), hints[each.name]
            bounded = get_origin(hint) is deque
            codec = _items(deque, get_args(hint)[0], default.maxlen) if bounded else _codec(hint)
            plan.append((each.name, key, codec.write, default))
            readers[key] = (each.name, codec.read)

    def write(value: Any) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for name, key, convert, default in plan:
            item = getattr(value, name)
            if item != default:
                data[key] = convert(item)
        return data

    def read(data: Mapping[str, Any], handed: _Handed) -> Any:
        values = {name: handed[name] for name in handed_in}
        for key, item in data.items():
            name, convert = readers[key]
            values[name] = convert(item, handed)
        return kind(**values)

    return _Codec(write, read)


_PACKAGE = Path(__file__).parents[1]
FOLDS = ("memory/conversation.py", "debate/state.py", "transcripts/rules.py")
# What folds a log into memory and state, within the package. All that these import decides what comes out.
_IMPORT = re.compile(rb"from eda(?:\.([\w.]+))? import (\([^)]*\)|.*)")
_SAYS = re.compile(rb'\.say\(\s*"([a-z]+)-')  # A message, whose file its key begins with.
_TABLE = re.compile(rb'with_name\("([\w.-]+)"\)')  # A file beside the module that reads it.


def fingerprint(patterns: PatternPack) -> str:
    """Return a text that differs where memory of one log may: by the code of the fold, its weights or the patterns."""
    return f"{code_version()}-{patterns.fingerprint}"


@cache
def code_version(package: Path = _PACKAGE) -> str:
    """Return a hash over the source of the fold; the package's version where it is installed without source."""
    digest = hashlib.blake2b(digest_size=8)
    sources = fold_sources(package)
    for path, content in sorted(sources.items()):
        digest.update(f"{path} {len(content)}\n".encode() + content)
    return digest.hexdigest() if sources else __version__


def fold_sources(package: Path) -> dict[str, bytes]:
    """Return the contents of the files that memory of a log depends on, by their paths within the package.

    These are the modules that the folds import, at whatever depth and for whatever use, with the tables that they read
    and the messages that they say.
    """
    top = f"{package}{os.sep}"
    files = [f"{folder}{os.sep}{name}" for folder, _, names in os.walk(package) for name in names]
    paths = {file.removeprefix(top).replace(os.sep, "/") for file in files}
    modules = {path.removesuffix(".py").removesuffix("/__init__"): path for path in paths if path.endswith(".py")}
    sources: dict[str, bytes] = {}
    waiting = [*FOLDS]
    while waiting:
        path = waiting.pop()
        if path in sources or path not in paths:
            continue
        sources[path] = content = (package / path).read_bytes()
        waiting += [f"{path.rpartition('/')[0]}/{name.decode()}" for name in _TABLE.findall(content)]
        waiting += [f"words/{FALLBACK}/{name.decode()}.ftl" for name in _SAYS.findall(content)]
        for lead, names in _IMPORT.findall(content):
            module = lead.decode().replace(".", "/")
            inner = (f"{module}/{name}".lstrip("/") for name in re.findall(r"[\w*]+", names.decode()))
            waiting += [modules.get(each) or modules.get(module, "") for each in inner]
    return sources
