"""Shared by the commands: a change of a session, notes on the error stream, JSON, and the kinds of value of options.

The options of settings are made from what each setting declares.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from datetime import date
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import click
import orjson

from eda.errors import EdaError, UsageError
from eda.panels.files import UserFile
from eda.panels.installer import to_install
from eda.panels.registry import Registry
from eda.panels.settings import SETTINGS, Setting
from eda.report.formatting import clean, fitted
from eda.text import regex
from eda.words import ENGLISH, Words

if TYPE_CHECKING:
    from eda.debate.control.changes import Change
    from eda.debate.state import DebateState
    from eda.events import CallDelayed, Event
    from eda.session import Session


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


class PartOption(click.Option):
    """An option that takes a registered name, or code: `./file.py:Class`, `package.module:Class` of what is installed.

    Its value is the name as it is registered; see `Registry.canonical` for the errors. Its help lists the names.
    Where the `shipped` parts hold anyway, it lists those of installed packages only.
    """

    def __init__(self, *args: Any, registry: Registry, shipped: bool = True, **kwargs: Any) -> None:
        self.registry = registry
        self.shipped = shipped
        super().__init__(
            *args,
            **{"metavar": "NAME", "type": lambda value: registry.canonical(clean(str(value))), **kwargs},
        )

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the help with the names that there are."""
        record = super().get_help_record(ctx)
        names = [name for name in self.registry.names() if self.shipped or name not in self.registry.shipped]
        listed = ", ".join(names) or "A name from an installed package"
        return record and (record[0], f"{record[1]} {listed}, or ./FILE.py:CLASS.")


def kind_of(setting: Setting) -> Any:
    """Return the kind of value that the option of a setting takes that names no registered part."""
    least, over = setting.bound("ge"), setting.bound("gt")
    most, under = setting.bound("le"), setting.bound("lt")
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


# The language of the session that a command is about: a process has one reader.
_SPOKEN = ContextVar("spoken", default=ENGLISH)


def speak(language: str) -> Words:
    """Have what the command says from here on be in this language; return its words."""
    _SPOKEN.set(Words(language))
    return _SPOKEN.get()


def spoken_of(session: Session) -> Session:
    """Have the command speak the session's language from here on, tell what its log has lost; return the session."""
    with suppress(EdaError):  # it has not begun, or is no debate
        speak(session.started().settings.language)
    if session.log.repaired:
        note(session.log.repaired, "remark")
    return session


def spoken() -> Words:
    """Return the words of the language in which the command speaks."""
    return _SPOKEN.get()


def say(key: str, attr: str | None = None, **data: str | float | date | Sequence[str]) -> str:
    """Return a message of the catalogue in the command's language; see `eda.words.Words.say`."""
    return _SPOKEN.get().say(key, attr, **data)


def changed(name: str | Path, folder: Path | None, changes: Sequence[Change]) -> tuple[tuple[Event, ...], bool]:
    """Apply all changes to a session or none; return the events, and whether the session was running."""
    from eda.debate.control.socket import changed_session
    from eda.session import Session

    with suppress(EdaError), Session.read(name, folder) as session:
        spoken_of(session)
    return changed_session(name, folder, changes, note)


def note(text: str, label: str = "") -> None:
    """Print a line on the error stream, behind a label such as `warning`."""
    click.echo(fitted(clean(f"{say('screen-label', label)}: {text}" if label else text), sys.stderr), err=True)


def of_extra(module: str, extra: str) -> ModuleType:
    """Import and return a module of EDA that needs an extra.

    Raises:
        UsageError: the extra is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "eda":
            raise
        lacking = UsageError(f"{error.name} is not installed", hint=to_install(extra))
        lacking.about = error.name
        raise lacking from None


def tell_ended(name: str, progress: DebateState) -> None:
    """Print why a session has ended, if it has."""
    from eda.report.phrases import ended_phrase

    if progress.ended is not None:
        why = ended_phrase(progress.ended, voted=progress.verdict is not None, words=spoken())
        note(say("sessions-ended", name=name, why=why))


def tell_wait(delayed: CallDelayed) -> None:
    """Print why a call is made later."""
    from eda.report.phrases import delay_phrase

    note(delay_phrase(delayed, spoken()), "waiting")


def standard_input() -> str:
    """Return the text on standard input, for an argument given as `-`."""
    return clean(UserFile(Path("-"), UsageError).text(lax=True))


# Bytes: a question stands in every prompt.
_LONGEST_QUESTION = 16 * 1024


def asked_on_input(documents: Sequence[str]) -> str:
    """Return the question on standard input.

    Raises:
        UsageError: a document is read from there too, it is a terminal, or the text is too long.
    """
    if "-" in documents:
        raise UsageError(
            "the question and --context cannot both be read from standard input",
            hint="Give the question as an argument, or the text as a file.",
        )
    if sys.stdin.isatty():
        raise UsageError(
            "`-` reads the question from standard input, which is a terminal here",
            hint='Write eda debate - < question.txt, or eda debate "Should we ...?"',
        )
    larger = "Ask in a few sentences, and give the rest as a document: --context FILE."
    return clean(
        UserFile(Path("-"), UsageError, what="the question on").text(_LONGEST_QUESTION, larger=larger, lax=True)
    )


def done(text: str, *, as_json: bool, **data: Any) -> None:
    """Print what was done, in a line or as JSON."""
    print_data(data, lambda: click.echo(fitted(clean(text), sys.stdout)), as_json=as_json)


def decided(outcome: str | Sequence[str] | None) -> str:
    """Return the outcome of a verdict as one text: the answer, or a list's items; empty where nothing was decided."""
    return outcome if isinstance(outcome, str) else "; ".join(outcome or ())


def print_data(data: Any, show: Callable[[], object], *, as_json: bool) -> None:
    """Print data as JSON where that is asked for, else `show` them to a person."""
    if as_json:
        print_json(data)
    else:
        show()


def print_json(value: Any) -> None:
    """Print a JSON value."""
    click.echo(json_text(value, pretty=True))


def agrees(question: str, *, default: bool = False) -> bool:
    """Return whether a person at the terminal says yes to a question, in any language; the default for nothing."""
    from eda.memory.minutes.remark_words import yes_or_no

    mark = f" {say('running-yes-no', default=default)}: "
    while answer := click.prompt(question, default="", show_default=False, prompt_suffix=mark, err=True).strip():
        if said := yes_or_no(answer):
            return said == "yes"
        click.echo(say("running-yes-or-no"), err=True)
    return default


def json_text(value: Any, *, pretty: bool) -> str:
    """Return a JSON value as text, indented or on one line."""
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2 if pretty else None).decode()
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


# Characters that JSON allows unescaped and a terminal would act on.
_CONTROLS = regex("[\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
