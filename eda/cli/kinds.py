"""The kinds of value that options take: texts, names that shells complete, numbers, paths."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eda.errors import EdaError
from eda.report.formatting import clean

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Text(click.types.StringParamType):
    """Text, cleaned of control characters; bytes that are not UTF-8 become U+FFFD."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002 - click's shape
        """Return the text."""
        return clean(str(value))


class Named(Text):
    """Text that is usually one of some names, which shells complete."""

    def __init__(self, names: Callable[[click.Context], Iterable[str]]) -> None:
        self.names = names

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002 - click's shape
        """Return the names that begin so; none where they cannot be read."""
        from click.shell_completion import CompletionItem

        with suppress(EdaError, OSError):
            return [CompletionItem(name) for name in self.names(ctx) if name.startswith(incomplete)]
        return []


class _Number(click.types.FloatParamType):
    """A number greater than 0."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number, or fail with a usage error that says what is expected."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not (math.isfinite(number) and number > 0):
            raise click.BadParameter(f"{value!r} is not a number over 0.", ctx, param)
        return number


class Whole(click.types.IntParamType):
    """A whole number from `least` to `most`; by default the most that a log can store."""

    name = "n"

    def __init__(self, least: int = 1, most: int = 2**63 - 1) -> None:
        self._least = least
        self._most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, or fail with a usage error that says what is expected."""
        try:
            number = int(value)
        except ValueError:
            raise click.BadParameter(f"{value!r} is not a whole number.", ctx, param) from None
        if number < self._least:
            raise click.BadParameter(f"{number} is too small; it must be at least {self._least}.", ctx, param)
        if number > self._most:
            raise click.BadParameter(f"{number} is too large; it must be at most {self._most}.", ctx, param)
        return number


TEXT = Text()
NUMBER = _Number()
FILE = click.Path(path_type=Path)
FILE.name = "file"
FOLDER = click.Path(path_type=Path)
FOLDER.name = "dir"
