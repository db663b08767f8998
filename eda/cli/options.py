"""The options that several commands share, and the order of options in a help text."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from eda.cli.common import FILE, FOLDER, NUMBER, TEXT, F, together
from eda.errors import EdaError
from eda.panels.allowed import allow
from eda.panels.settings import SETTINGS, limit
from eda.words import fault, languages


def _named(spec: str) -> str:
    from eda.runners.shipped import named_runner

    return named_runner(spec)


def seat(text: str) -> str:
    """Return `NAME=SPEC` as it was typed; the program and the address that it names may be asked."""
    from eda.runners.models import asks_models

    spec = text.partition("=")[2].strip()
    if asks_models(spec):
        _named(spec)
    return text


def runner_option(text: str) -> Callable[[F], F]:
    """Return the option that names who answers: it alone lets in code of a file, and an address."""
    return click.option("--runner", type=_named, metavar="SPEC", help=text)


allow_option = click.option(
    "--allow",
    multiple=True,
    metavar="FILE|URL|PROGRAM",
    expose_value=False,
    callback=lambda _, __, allowed: [*map(allow, allowed)],
    help="Run this file of Python, read this document, start this program (claude-code, codex, acp:COMMAND), or ask "
    "this address, where a format, study or session names it.",
)


def one_of(first: str, second: str) -> EdaError:
    """Return the error for two options that exclude each other."""
    return fault("error-one-of", first=first, second=second)


# Options that exclude each other; of several pairs that were given, the first is reported.
_EXCLUDED = (
    "--panel --persona, --quiet --verbose, --json --quiet, --human --json, --human --quiet, --human --dry-run, "
    "--invite --dry-run"
)


def refuse_excluded(**given: object) -> None:
    """Refuse options that exclude each other, given by the names of their parameters.

    Raises:
        UsageError: two of them were given.
    """
    named = {"--json" if name == "as_json" else f"--{name.replace('_', '-')}" for name, value in given.items() if value}
    for pair in map(str.split, _EXCLUDED.split(", ")):
        if named.issuperset(pair):
            raise one_of(*pair)


def repeatable(name: str, key: str, metavar: str, text: str, kind: Any = TEXT) -> Callable[[F], F]:
    """Return an option that may be given several times; its help says so."""
    return click.option(name, key, type=kind, multiple=True, metavar=metavar, help=f"{text} Repeatable.")


def place_of(typed: str) -> str | Path:
    """Return a session's name, or its folder where a path is given: `./talks/one`, or `.` within it."""
    name = TEXT.convert(typed, None, None)
    if "/" not in name and name not in (".", ".."):
        return name
    return Path(name) if Path(name).name not in ("", "..") else Path(name).resolve()


session_argument = click.argument("session_id", metavar="ID", type=place_of)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
sessions_option = click.option(
    "--sessions",
    "folder",
    type=FOLDER,
    help="Folder of the sessions. Default: EDA_SESSIONS, else your library.",
)
session_options = together(sessions_option, json_option)


def _folders(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> dict[str, Path]:
    """Return folders by the name of the member whose each is, empty for all: `DIR`, or `NAME=DIR`."""
    pairs = (each.partition("=") if "=" in each and not Path(each).is_dir() else ("", "", each) for each in given)
    return {name.strip(): Path(folder) for name, _, folder in pairs}


def _people(key: str) -> Callable[[click.Context, click.Parameter, Path | None], Path | None]:
    def checked(ctx: click.Context, param: click.Parameter, folder: Path | None) -> Path | None:
        if ctx.get_parameter_source(str(param.name)) is ParameterSource.DEFAULT_MAP:
            ctx.find_root().obj.check_people(key)
        return folder

    return checked


personas_option = click.option(
    "--personas-dir",
    type=FOLDER,
    callback=_people("personas"),
    help="Folder with personas of your own, or with Claude Code agents; EDA's stay available.",
)
panels_option = click.option(
    "--panels-dir",
    type=FOLDER,
    callback=_people("panels"),
    help="Folder with panels of your own; EDA's stay available.",
)


def _level(name: str, key: str, text: str, *others: str) -> Callable[[F], F]:
    """Return a flag for how much is shown; a default of a file gives way to the `others` that are given."""

    def chosen(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
        usual = ctx.get_parameter_source(str(param.name)) is ParameterSource.DEFAULT_MAP
        return value and not (usual and any(ctx.params.get(other) for other in others))

    return click.option(name, key, is_flag=True, callback=chosen, help=text)


# How much is shown: messages, what changes on the table and the verdict; more; or the verdict alone.
level_options = together(
    _level("--verbose", "-v", "Also show the bids, why each has the floor, and the summaries.", "quiet"),
    _level("--quiet", "-q", "Show only the verdict.", "as_json", "human", "verbose"),
)


def session_command(command: Callable[..., Any]) -> click.Command:
    """Return a command made of a function; its first argument is the ID of a session."""
    return click.command()(session_argument(command))


# Of a debate that is begun or taken up: where its spans go, what members may look at, how much is shown.
run_options = together(
    click.option(
        "--otel", is_flag=True, help="Send spans of the debate to OTEL_EXPORTER_OTLP_ENDPOINT: see docs/traces.md."
    ),
    click.option(
        "--tools", type=FILE, help="File that names servers (MCP) whose tools members may call: see docs/tools.md."
    ),
    click.option(
        "--workspace",
        type=TEXT,
        multiple=True,
        callback=_folders,
        metavar="[NAME=]DIR",
        help="Folder whose files members (or that one) may read, and cite by their lines: see docs/tools.md. "
        "Repeatable.",
    ),
    level_options,
    json_option,
)


language_option = click.option(
    "--language", type=click.Choice(languages()), help="Language of what EDA says. Default: the session's."
)


def person_option(does: str) -> Callable[[F], F]:
    """Return the option `--as NAME`; `does` says who it is."""
    return click.option("--as", "who", type=TEXT, default="you", show_default=True, metavar="NAME", help=f"Who {does}.")


def message_number(value: str) -> int:
    """Return the number of a message that is typed as `m12` or `12`."""
    if not re.fullmatch("m?[0-9]{1,9}", value):
        raise click.BadParameter(f"{value!r} is no message; write it as m12.")
    return int(value.removeprefix("m"))


def at_option(text: str) -> Callable[[F], F]:
    """Return the option `--at m12`."""
    return click.option("--at", type=message_number, metavar="m12", help=text)


human_options = together(
    click.option(
        "--human",
        type=TEXT,
        metavar="NAME",
        help="Take a seat in the panel under this name and type your messages; /help lists commands.",
    ),
    click.option(
        "--human-time",
        type=NUMBER,
        metavar="SECONDS",
        help="Seconds that a person has to answer; then the turn is passed. Default: no limit for --human, 300 for "
        "--invite.",
    ),
    repeatable("--invite", "invite", "NAME", "Invite somebody to a seat in their own browser; their link is printed."),
    click.option(
        "--invite-at",
        default="127.0.0.1",
        show_default=True,
        metavar="HOST[:PORT]",
        help="Where browsers of invited people reach this machine; 0.0.0.0 is every address.",
    ),
)


def _model_option(name: str, metavar: str, kind: type, text: str) -> Callable[[F], F]:
    """Return an option whose value, where it is given, is stored in the dict `models` of the command."""

    def store(ctx: click.Context, param: click.Parameter, value: Any) -> None:
        models = ctx.params.setdefault("models", {})
        from eda.cli.configuration import is_for_another

        name = str(param.name).removeprefix("model_")
        usual = ctx.get_parameter_source(str(param.name)) is ParameterSource.DEFAULT_MAP
        if value is not None and not (usual and is_for_another(ctx, name)):
            models[name] = value

    key = f"model_{name.removeprefix('--').removesuffix('-model').replace('-', '_')}"
    return click.option(name, key, type=kind, metavar=metavar, help=text, expose_value=False, callback=store)


# The command receives `models`, a dict of the options that were given.
model_options = together(
    _model_option("--speak-model", "MODEL", str, "Model for messages: an id; of Claude also haiku, sonnet, opus."),
    _model_option(
        "--cheap-model", "MODEL", str, "Model for bids, ballots and summaries; `inherit` uses the speaker's."
    ),
    _model_option("--fallback-model", "MODEL", str, "Model to ask when a call to another model fails."),
    _model_option("--temperature", "T", float, "Sampling temperature, 0 to 2. Not for Claude."),
    _model_option("--top-p", "P", float, "Nucleus sampling, above 0 up to 1. Not for Claude."),
)


# Long names of the options in each group, without their dashes; those of its settings come before them.
_GROUPS = {
    "Question and panel": "question panel persona option context tools workspace format human human-time invite"
    " invite-at",
    "Models": "runner seat speak-model cheap-model fallback-model temperature top-p",
    "Limits": "",
    "Decision": "",
    "Discussion": "seed",
    "Files": "session sessions record allow trust otel personas-dir panels-dir prompts",
    "Run and output": "dry-run verbose quiet json help-all help",
}


# Long names of the options that most debates need, which `--help` shows; `--help-all` shows all.
_FIRST = f"panel option context human runner format {SETTINGS[limit('messages')].key} budget rule session"


class Grouped(click.Command):
    """A command with many options: `--help` lists the ones that most need, `--help-all` all in groups."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.append(
            click.Option(
                ["--help-all"],
                is_flag=True,
                expose_value=False,
                is_eager=True,
                callback=_print_all,
                help="Show all options and exit.",
            )
        )

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options that most need, or a section for each group; options without a group come last."""
        records = {
            name.removeprefix("--"): record
            for param in self.get_params(ctx)
            for name in param.opts
            if name.startswith("--") and (record := param.get_help_record(ctx)) is not None
        }
        groups = {"Options": f"{_FIRST} help-all help"}
        if ctx.meta.get("all"):
            groups = {
                title: " ".join(
                    each.key for each in SETTINGS.values() if each.flag.group == title and each.key not in names
                )
                + f" {names}"
                for title, names in _GROUPS.items()
            }
            grouped = " ".join(groups.values()).split()
            groups["More"] = " ".join(name for name in records if name not in grouped)
        for title, names in groups.items():
            rows = [records[name] for name in names.split() if name in records]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def _print_all(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted:
        ctx.meta["all"] = True
        click.echo(ctx.get_help())
        ctx.exit()
