"""What commands share: kinds of option, notes for the reader, JSON."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from eda.errors import UsageError
from eda.view.text import clean, fitted

if TYPE_CHECKING:
    from eda.events import Event
    from eda.steering import Change

__all__ = [
    "FILE",
    "FOLDER",
    "NUMBER",
    "TEXT",
    "Whole",
    "changed",
    "human_options",
    "json_option",
    "json_text",
    "limit_options",
    "note",
    "patterns_option",
    "personas_option",
    "print_json",
    "sessions_option",
]

F = TypeVar("F", bound=Callable[..., Any])


class _Text(click.types.StringParamType):
    """Text without control characters; bytes that are no UTF-8 become U+FFFD."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002 - click's shape
        return clean(str(value))


class _Number(click.types.FloatParamType):
    """A number over 0."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, or a usage error that says what is wanted."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not (math.isfinite(number) and number > 0):
            self.fail(f"{value!r} is no number over 0.", param, ctx)
        return number


class Whole(click.types.IntParamType):
    """A whole number from `least` on, that a log can keep."""

    name = "number"

    def __init__(self, least: int = 1, most: int = 2**63 - 1) -> None:
        self._least = least
        self._most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number, or a usage error that says what is wanted."""
        try:
            number = int(value)
        except ValueError:
            self.fail(f"{value!r} is no whole number.", param, ctx)
        if number < self._least:
            self.fail(f"{number} is too small; at least {self._least}.", param, ctx)
        if number > self._most:
            self.fail(f"{number} is too large; at most {self._most}.", param, ctx)
        return number


TEXT = _Text()
NUMBER = _Number()
FILE = click.Path(path_type=Path)
FOLDER = click.Path(path_type=Path)


def sessions_option(command: F) -> F:
    """`--sessions DIR`."""
    return click.option(
        "--sessions",
        "folder",
        type=FOLDER,
        metavar="DIR",
        help="Where sessions are kept; else EDA_SESSIONS, ./sessions.",
    )(command)


def personas_option(command: F) -> F:
    """`--personas-dir DIR`."""
    return click.option(
        "--personas-dir",
        "personas_dir",
        type=FOLDER,
        metavar="DIR",
        help="Your own personas, beside those that come with EDA; a folder of Claude Code agents will do.",
    )(command)


def patterns_option(command: F) -> F:
    """`--patterns FILE`, repeatable; the command is given the pack, or None where no file is named."""
    return click.option(
        "--patterns",
        "patterns",
        type=FILE,
        multiple=True,
        metavar="FILE",
        callback=lambda _ctx, _param, files: _pack(files),
        help="Your own patterns, beside those that come with EDA; repeat.",
    )(command)


def _pack(files: tuple[Path, ...]) -> Any:
    if not files:
        return None
    from eda.patterns import PatternPack, default_pack

    pack = default_pack()
    for file in files:
        pack = pack.extended(PatternPack.from_toml(file))
    return pack


def limit_options(command: F) -> F:
    """`--budget`, `--budget-tokens`, `--budget-time`; each gives the setting of its name."""
    in_all = "Stop discussing before this much is spent; a tenth is kept for the vote."
    for option in (
        click.option("--budget-time", "max_seconds", type=NUMBER, metavar="SECONDS", help="The same, in seconds."),
        click.option("--budget-tokens", "max_tokens", type=Whole(), metavar="N", help="The same, in tokens."),
        click.option("--budget", "max_cost", type=NUMBER, metavar="USD", help=in_all),
    ):
        command = option(command)
    return command


def human_options(command: F) -> F:
    """`--human NAME` and `--human-time SECONDS`."""
    seat = "Take a seat yourself: what you type is said; /help lists what you can ask for."
    time = "How long you are waited for; then your turn is passed."
    command = click.option("--human-time", type=NUMBER, metavar="SECONDS", help=time)(command)
    return click.option("--human", type=TEXT, metavar="NAME", help=seat)(command)


def json_option(command: F) -> F:
    """`--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")(command)


def changed(name: str, folder: Path | None, changes: Sequence[Change]) -> tuple[tuple[Event, ...], bool]:
    """Change a session, all at once or nothing: the facts, and whether it was running meanwhile."""
    from eda.door import changed_session

    waits = f"{name} is running: this is done when its turn is over, also if you do not wait for that"
    return changed_session(name, folder, changes, lambda: note(waits))


def note(text: str) -> None:
    """A line for the person, beside the output."""
    click.echo(fitted(clean(text), sys.stderr), err=True)


def print_json(value: Any) -> None:
    """One JSON value on the output."""
    click.echo(json_text(value, pretty=True))


def json_text(value: Any, *, pretty: bool) -> str:
    """One JSON value as it is printed: in lines, or as one."""
    import orjson

    option = orjson.OPT_INDENT_2 if pretty else None
    text = orjson.dumps(value, option=option).decode()
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


_CONTROLS = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""JSON may hold them as they are; a terminal would obey them."""


def one_of(first: str, second: str) -> UsageError:
    """Two options that exclude each other."""
    return UsageError(f"{first} and {second} cannot be given together", hint="Leave one of them out.")
