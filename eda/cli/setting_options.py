"""The options by which settings are chosen, made from what each setting declares; their kinds; groups of options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from eda.cli.kinds import NUMBER, TEXT, Named, Whole
from eda.panels.registry import Registry
from eda.panels.settings import SETTINGS, Setting

F = TypeVar("F", bound=Callable[..., Any])


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Return a decorator that adds several options, in this order."""

    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


class _Part(Named):
    """A registered name, or code: `./file.py:Class`, or `package.module:Class` of what is installed."""

    def __init__(self, registry: Registry) -> None:
        super().__init__(lambda _: registry.names())
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
