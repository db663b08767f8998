"""`dataclass` of the standard library at half its price.

That one compiles six functions from text for each class while its module is imported. Here classes share those that
need no text of their own: `__repr__`, `__eq__` and `__hash__`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["asdict", "dataclass", "field", "fields", "replace"]
_plain: Any = dataclass


@recursive_repr("...")
def _shown(self: Any) -> str:
    parts = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{self.__class__.__qualname__}({parts})"


if not TYPE_CHECKING:

    def dataclass(cls=None, /, *, eq=True, repr=True, **given):  # noqa: A002, ANN001, ANN003, ANN201
        """Return the class, as the decorator of the standard library makes it."""
        if cls is None:
            return partial(dataclass, eq=eq, repr=repr, **given)
        made = _plain(cls, eq=False, repr=False, **given)
        if repr and "__repr__" not in cls.__dict__:
            made.__repr__ = _shown
        if eq and "__eq__" not in cls.__dict__:
            names = [each.name for each in fields(made) if each.compare]
            key = attrgetter(*names) if len(names) > 1 else lambda self: tuple(getattr(self, name) for name in names)
            made.__eq__ = lambda one, other: (
                key(one) == key(other) if other.__class__ is one.__class__ else NotImplemented
            )
            made.__hash__ = (lambda self: hash(key(self))) if given.get("frozen") else None
        return made
