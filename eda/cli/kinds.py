"""The kinds of value that options take, and the options of settings, made from what each setting declares."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from eda.panels.registry import Registry
from eda.panels.settings import SETTINGS, Setting
from eda.report.formatting import clean

F = TypeVar("F", bound=Callable[..., Any])


class Text(click.types.StringParamType):
    """Text, cleaned of control characters; bytes that are not UTF-8 become U+FFFD."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002 - click's shape
        """Return the text."""
        return clean(str(value))


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


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Return a decorator that adds several options, in this order."""

    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


class _Part(Text):
    """A registered name, or code: `./file.py:Class`, or `package.module:Class` of what is installed."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name as it is registered; raises the errors of `Registry.canonical`."""
        return self._registry.canonical(super().convert(value, param, ctx))


class PartOption(click.Option):
    """An option that takes a registered name or code; its help lists the names.

    Where the `shipped` parts hold anyway, it lists those of installed packages only.
    """

    def __init__(self, *args: Any, registry: Registry, shipped: bool = True, **kwargs: Any) -> None:
        self.registry = registry
        self.shipped = shipped
        super().__init__(*args, **{"metavar": "NAME", "type": _Part(registry), **kwargs})

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the help with the names that there are."""
        record = super().get_help_record(ctx)
        names = [name for name in self.registry.names() if self.shipped or name not in self.registry.shipped]
        listed = ", ".join(names) or "A name from an installed package"
        return record and (record[0], f"{record[1]} {listed}, or ./FILE.py:CLASS.")


def kind_of(setting: Setting) -> Any:
    """Return the kind of value that the option of a setting takes."""
    least, over = setting.bound("ge"), setting.bound("gt")
    most, under = setting.bound("le"), setting.bound("lt")
    if setting.flag.parts is not None:
        return _Part(setting.flag.parts)
    if setting.choices:
        return click.Choice(setting.choices)
    if setting.type is bool:
        return click.BOOL
    if setting.type is int:
        return Whole(int(least if least is not None else (over or 0) + 1))
    if setting.type is float and (most or under):
        low, high = (over if least is None else least), (under if most is None else most)
        return click.FloatRange(low, high, min_open=least is None, max_open=most is None)
    return NUMBER if setting.type is float else TEXT


def setting_options(*names: str, **helps: str) -> Callable[[F], F]:
    """Return the options of these settings, in this order; of all without names. `helps` says it otherwise."""
    return together(*(_option(SETTINGS[name], helps.get(name, "")) for name in names or SETTINGS))


def _option(setting: Setting, text: str) -> Callable[[F], F]:
    flag, more = setting.flag, dict[str, Any]()
    if flag.parts is not None:
        more = {"cls": PartOption, "registry": flag.parts, "shipped": not setting.several, "multiple": setting.several}
    elif setting.type is bool:
        more = {"is_flag": True, "default": None, **({"flag_value": False} if setting.negated else {})}
    else:
        more = {"type": kind_of(setting), "metavar": flag.metavar}
    return click.option(setting.option, setting.name, help=text or flag.help, **more)
