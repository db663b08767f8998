"""Fields of a prompt that are made when one is first read: a runner that reads none of its words pays for none.

What they are made of moves on with the debate. So who keeps that has them made before it changes: see `Unmade`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import WeakSet


class Late:
    """The values of some fields, made once, when the first of them is read."""

    def __init__(self, names: tuple[str, ...], make: Callable[[], tuple[Any, ...]]) -> None:
        """Have `make` return the values of the fields `names`, in that order."""
        self.names, self._make = names, make
        self._values: tuple[Any, ...] = ()

    def values(self) -> tuple[Any, ...]:
        """Return the values."""
        self._values = self._values or self._make()
        return self._values


class Unmade(WeakSet[Late]):
    """Those made of one state and not made yet, as long as somebody holds their prompt."""

    def __deepcopy__(self, _: object) -> Unmade:
        return Unmade()  # no prompt is made of the copy

    def make(self) -> None:
        """Make them all: what they are made of is about to change."""
        while self:
            self.pop().values()


class Lately:
    """A frozen class with slots, some of which may be filled by a `Late` when they are first read."""

    __slots__ = ("_late",)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Fill the empty slot `name`, and those that are made with it."""
            lately = () if name.startswith("_") else getattr(self, "_late", ())
            late = next((each for each in lately if name in each.names), None)
            if late is None:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
            for field, value in zip(late.names, late.values(), strict=True):
                object.__setattr__(self, field, value)
            return getattr(self, name)
