"""`eda config`, and what the options of the commands are where nobody gives them: from the environment, and two files.

The first that sets a key wins: the option, the environment variable, `eda.toml` in the working folder (the project's),
`config.toml` in the user's own folder, the default. A project's file may come from anybody, with a repository. So it
can run no code, send nothing to another machine, reach no folder outside its own, and raise no limit of the user's.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click
from pydantic import ValidationError

from eda.cli.common import FOLDER, TEXT, kind_of, note, print_json, speak
from eda.cli.process import user_folder
from eda.errors import EdaError, UnknownNameError, UsageError, nearest
from eda.panels.agenda import agenda_names
from eda.panels.allowed import program_of
from eda.panels.files import UserFile, complaint, files_in, key_line, unknown_key
from eda.panels.registry import FLOORS
from eda.panels.settings import OFFERED
from eda.runners.models import Model, ModelSpec, asks_models, look_up, on_loopback, priced_by
from eda.runners.shipped import keyed_spec
from eda.session.names import sessions_folder
from eda.text import regex
from eda.words import FALLBACK

PROJECT_FILE = "eda.toml"
USER_FILE = "config.toml"
_TOML: Mapping[type, tuple[type, ...]] = {bool: (bool,), int: (int,), float: (int, float), str: (str,)}
_SECRET = regex(r"key|secret|password|credential|token", "I")
_LIKE_A_KEY = regex(r"\bsk-[\w-]{8,}")


class Key(NamedTuple):
    """One thing that can be set."""

    # The kind of the option that it stands for.
    kind: Any  # an option's type: generic in some versions of click
    param: str  # The parameter that it sets; `verbosity` sets two.
    commands: str  # The commands that have them.
    usual: str  # What holds where nobody sets it.
    toml: tuple[type, ...] = (str,)


_WRITTEN = {str: ("text in quotes", '"..."'), bool: ("true or false", "true")} | dict.fromkeys(
    (int, float), ("a number", "2")
)
_ASKING = "debate doctor serve"
_OWN = "the runner's own"
# By the name in a file; a dot stands between a table and a key in it.
KEYS: Mapping[str, Key] = {
    "runner": Key(TEXT, "runner", _ASKING, ""),
    "models.speak": Key(TEXT, "model_speak", _ASKING, _OWN),
    "models.cheap": Key(TEXT, "model_cheap", _ASKING, _OWN),
    "models.fallback": Key(TEXT, "model_fallback", _ASKING, "none"),
    "personas": Key(FOLDER, "personas_dir", "debate list steer fork", "EDA's alone"),
    "panels": Key(FOLDER, "panels_dir", "debate list", "EDA's alone"),
    "sessions": Key(FOLDER, "", "", ""),
    "verbosity": Key(click.Choice(["quiet", "normal", "verbose"]), "quiet", "debate resume show", "normal"),
    **{
        name: Key(kind_of(each), each.name, "debate", usual, _TOML[each.type])
        for name, each in OFFERED.items()
        for usual in ["no" if each.type is bool else str(each.field.default or "none")]
    },
}


class Configured(NamedTuple):
    """A value, and where it was set."""

    value: Any
    source: str  # `environment`, `project` or `user`.
    place: str  # The variable, or the file and the line.


@dataclass(frozen=True, slots=True)
class Configuration:
    """What is set, by key, and the models whose prices the user gave."""

    settings: Mapping[str, Configured] = field(default_factory=dict)
    models: tuple[Model, ...] = ()

    def value(self, key: str) -> Any:
        """Return the value of a key; None where nobody set it."""
        setting = self.settings.get(key)
        return None if setting is None else setting.value

    def defaults(self) -> dict[str, dict[str, Any]]:
        """Return the values of parameters by command, as click takes them."""
        given: dict[str, dict[str, Any]] = {}
        for name, setting in self.settings.items():
            for command in KEYS[name].commands.split():
                place = given.setdefault(command, {})
                offered = OFFERED.get(name)
                place[KEYS[name].param] = offered.as_set(setting.value) if offered else setting.value
                if name == "verbosity":
                    quiet: Any = setting.value == "quiet" and command in ("debate", "resume")  # others are read
                    place |= {"quiet": quiet, "verbose": setting.value == "verbose"}
        return given

    def check_people(self, key: str) -> None:
        """Refuse panels of a project whose floor or format is not EDA's: it could be code.

        Raises:
            EdaError: one does, or cannot be read.
        """
        setting = self.settings.get(key)
        if setting is None or setting.source != "project":
            return
        panels = setting.value / "panels" if key == "personas" else setting.value
        for path in files_in(panels, "*.toml", UsageError, "panels") if panels.is_dir() else ():
            file = UserFile(path, UsageError)
            defaults = file.table(text := file.text()).get("defaults")
            for name, value in defaults.items() if isinstance(defaults, dict) else ():
                plain = "-".join(str(value).casefold().split())
                if isinstance(value, str) and plain not in (*FLOORS.shipped, *agenda_names()):
                    raise file.fault(
                        f"'{name}' is none that is shipped, and {setting.place} makes this panel the project's",
                        "Name a shipped one, or pass the folder yourself: --personas-dir or --panels-dir.",
                        key_line(text, "defaults", name),
                    )


def user_file() -> Path:
    """Return the path of the user's own file, which need not exist."""
    return Path(user_folder()) / USER_FILE


def read_configuration() -> Configuration:
    """Return what the environment and the two files set.

    Raises:
        UsageError: a file cannot be read, or sets what does not exist or may not be set there.
    """
    own, models = _read(user_file(), "user")
    project, _ = _read(Path(PROJECT_FILE), "project")
    for name in own.keys() & project.keys() & OFFERED.keys():
        if OFFERED[name].flag.group == "Limits" and project[name].value > own[name].value:
            del project[name]  # who wrote the project does not pay
    return Configuration({**own, **project, **_environment()}, models)


def apply_configuration(ctx: click.Context) -> None:
    """Make what is set the default of each command's options, until the context ends.

    Raises:
        UsageError: see `read_configuration`.
    """
    ctx.obj = configuration = read_configuration()
    ctx.default_map = configuration.defaults()
    ctx.with_resource(priced_by(configuration.models))
    speak(configuration.value("language") or FALLBACK)
    ctx.call_on_close(partial(speak, FALLBACK))
    if (sessions := configuration.value("sessions")) is not None:
        place = variable("sessions")
        before = {name: value for name, value in os.environ.items() if name == place}
        ctx.call_on_close(partial(os.environ.update, before))  # the last of these is called first
        ctx.call_on_close(partial(os.environ.pop, place))
        os.environ[place] = str(sessions)


def variable(key: str) -> str:
    """Return the environment variable of a key."""
    return "EDA_" + regex("[.-]").sub("_", key).upper()


def _environment() -> dict[str, Configured]:
    given = {}
    for name in KEYS:
        if text := os.environ.get(place := variable(name), "").strip():
            try:
                value = _converted(name, text)
            except (click.UsageError, UsageError) as error:
                raise UsageError(f"{place}: {error}", hint=f"Set it anew: export {place}=...") from None
            given[name] = Configured(value, "environment", place)
    return given


def _converted(name: str, value: Any, *, shipped: bool = False) -> Any:
    """Return the value as the option would have it. A part is named, and imported only by who uses it.

    Raises:
        click.UsageError: the option does not take it.
        UnknownNameError: no such part is installed, or none is `shipped`.
    """
    parts = OFFERED[name].flag.parts if name in OFFERED else None
    if parts is None:
        return KEYS[name].kind.convert(value, None, None)
    known = [*parts.shipped] if shipped else parts.names()
    if (plain := "-".join(value.casefold().split())) not in known:
        raise UnknownNameError(parts.kind, value, known)
    return plain


def _read(path: Path, source: str) -> tuple[dict[str, Configured], tuple[Model, ...]]:
    """Return what a file sets, and its models; nothing where there is no such file."""
    if not path.exists() or path.is_fifo():  # a pipe may wait for ever
        return {}, ()
    file = UserFile(path, UsageError)
    text = file.text()
    table = file.table(text)
    models = table.pop("model", [])
    named = table.pop("models", {})
    table |= {f"models.{key}": each for key, each in named.items()} if isinstance(named, dict) else {"models": named}
    given = {}
    for name, value in table.items():
        within, key = name.split(".", 1) if name.startswith("models.") else (None, name)
        line = key_line(text, within, key)
        given[name] = Configured(
            _checked(name, value, partial(file.fault, line=line), path, source), source, file.place(line)
        )
    if models and source == "project":
        raise file.fault(
            "a project's file sets no prices: they guard your budget",
            f"Move it to {user_file()}.",
            key_line(text, None, "model") or _row_line(text, 0),
        )
    return given, tuple(_model(file, text, models))


def _checked(name: str, value: Any, fault: Callable[..., EdaError], path: Path, source: str) -> Any:
    """Return the value as the option would have it."""
    if (_SECRET.search(name) and not nearest(name, KEYS)) or _LIKE_A_KEY.search(str(value)):
        raise fault(
            f"'{name}' holds a key or password, and no file of EDA does",
            "Take it out, and set it in the environment: ANTHROPIC_API_KEY=..., for example.",
        )
    if name not in KEYS:
        raise fault(*unknown_key(name, [*KEYS, "model"], "the configuration"))
    key = KEYS[name]
    if not isinstance(value, key.toml) or (isinstance(value, bool) and key.toml != (bool,)):
        what, shown = _WRITTEN[key.toml[-1]]
        raise fault(f"'{name}' should be {what}", f"Write: {name.rpartition('.')[2]} = {shown}")
    try:
        value = _converted(name, value, shipped=source == "project")
        if name.startswith("models."):
            ModelSpec("anthropic", speak=value).checked()
        elif name == "runner" and asks_models(value):
            ModelSpec.parse(value)
    except (click.UsageError, UsageError) as error:
        raise fault(f"'{name}': {error}", getattr(error, "hint", "")) from None
    if key.kind is FOLDER:
        folder = path.absolute().parent
        value = folder / value.expanduser()
        if source == "project" and not value.resolve().is_relative_to(folder.resolve()):
            raise fault(f"'{name}' lies outside the project's folder", "Set it in your own file, or as an option.")
    if name == "runner" and source == "project" and not _harmless(value):
        raise fault(
            f"a project's file may not name the runner {value!r}: it could run code, or send your question away",
            "Name simulated, a provider without an address or a server on this machine; else pass --runner.",
        )
    return value


def _harmless(runner: str) -> bool:
    """True if a runner is shipped, and asks nobody but its own provider or this machine."""
    plain = regex(r"([a-z-]+)([:,].*)?").fullmatch(runner)
    if plain is None or plain[1] == "simulated":
        return plain is not None
    return asks_models(runner) and not program_of(runner) and on_loopback(ModelSpec.parse(runner))


def _row_line(text: str, number: int) -> int | None:
    rows = [place for place, line in enumerate(text.split("\n"), 1) if regex(r"\s*\[\[\s*model\s*\]\]").match(line)]
    return rows[number] if number < len(rows) else None


def _model(file: UserFile, text: str, rows: Any) -> Iterator[Model]:
    if not (isinstance(rows, list) and all(isinstance(row, dict) for row in rows)):
        line = key_line(text, None, "model")
        raise file.fault("'model' is no list of models", "Write each under a line [[model]].", line)
    for number, row in enumerate(rows):
        line = _row_line(text, number)
        if not isinstance(name := row.get("id"), str) or not name.strip():
            raise file.fault("a model has no 'id'", 'Write: id = "..."', line)
        if _LIKE_A_KEY.search(str(row)):
            raise file.fault("a model holds a key", "Keys go into the environment.", line)
        try:
            yield Model.model_validate((known := look_up(name)).model_dump() | row | {"id": known.id})
        except ValidationError as error:
            loc, reason, hint = complaint(error)
            if error.errors()[0]["type"] == "extra_forbidden":
                reason, hint = unknown_key(loc[-1], [*Model.model_fields], "a model")
            raise file.fault(reason, hint, line) from None


def is_for_another(ctx: click.Context, model: str) -> bool:
    """True if a runner names that model itself, or is of another kind than the configured one, or uses no model."""
    spec = ctx.params.get("runner") or ("anthropic" if ctx.params.get("dry_run") else keyed_spec())
    if not asks_models(spec):
        return True
    given, usual = ModelSpec.parse(spec), (ctx.default_map or {}).get("runner") or "anthropic"
    return given.name != ModelSpec.parse(usual).name or bool(getattr(given, model))


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
@click.pass_context
def config(ctx: click.Context, /, *, as_json: bool) -> None:
    """Print each setting, its value and where it was set: docs/configuration.md has them all.

    The first that sets it wins: the option of a command, the environment variable, eda.toml in the working folder,
    config.toml in your own folder, the default.
    """
    from eda.cli.terminal.style import console_for, print_rows

    configuration: Configuration = ctx.find_root().obj or read_configuration()
    files = {"project": Path(PROJECT_FILE), "user": user_file()}
    rows = [_row(name, configuration) for name in KEYS]
    if as_json:
        there = {name: {"path": str(path), "exists": path.exists()} for name, path in files.items()}
        models = [model.model_dump(mode="json") for model in configuration.models]
        print_json({"files": there, "settings": rows, "models": models})
        return
    cells = [
        [str(row[key]) for key in ("key", "value" if row["value"] else "default", "source", "place")] for row in rows
    ]
    for model in configuration.models:
        price = ", ".join(f"{name} {each:g}" for name, each in model.price) if model.price else "unknown"
        cells.append(["model", f"{model.id}: {price}", "user", str(files["user"])])
    print_rows(console_for(), ("key", "value", "from", "place"), cells)
    for name, path in files.items():
        note(f"{name}: {path}{'' if path.exists() else ' (there is none)'}")


def _row(name: str, configuration: Configuration) -> dict[str, Any]:
    """Return a setting with its value, and with where it was set; no value where only the default holds."""
    key, setting = KEYS[name], configuration.settings.get(name)
    value = None if setting is None else str(setting.value) if key.toml == (str,) else setting.value
    return {
        "key": name,
        "value": value,
        "default": keyed_spec() if name == "runner" else key.usual or str(sessions_folder()),
        "source": setting.source if setting else "default",
        "place": setting.place if setting else "",
        "variable": variable(name),
    }
