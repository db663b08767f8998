"""The commands and their errors. A command is imported when it is used, so that `eda --help` is fast."""

import codecs
import errno
import gc
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eda import __version__
from eda.cli.process import STOPPED, has_screen, say_error, user_folder
from eda.errors import EdaError, nearest
from eda.text import regex
from eda.words import ENGLISH

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def collect_seldom() -> None:
    """Have no collection look at what is loaded by now, and few at all that lives: each stops 200 debates at once."""
    gc.freeze()
    gc.set_threshold(5_000, 5, 400)  # what is young in small heaps, all that lives once in ten million objects
    gc.enable()


# All commands, as `eda help --all` lists them. The function of each has its name, in a file of that name.
_GROUPS = {
    "Debate": {
        "debate": "Have a panel debate a question and reach a verdict.",
        "resume": "Continue a session where it stopped.",
        "steer": "Change the members or the settings of a session.",
        "edit": "Reword a message, reword or strike an item, or add a note.",
        "vote": "Ask again for ballots that were lost, or give one, and count again.",
        "ask": "Ask one member of a session a question, aside from the panel.",
        "fork": "Go back to a message of a session, and on from there.",
    },
    "Read and find": {
        "sessions": "List the saved sessions.",
        "decisions": "Print what was decided in all sessions, and search it in plain words.",
        "show": "Print a session: transcript, table, votes, cost, prompts, notes.",
        "report": "Print the report on a session: verdict, reasons, dissent.",
        "recall": "Search the messages of one session or of all.",
        "diff": "Say where two sessions part, and what came of it.",
        "stress": "Say what a verdict hinges on, by votes with one thing changed.",
    },
    "Keep and pass on": {
        "serve": "Serve the sessions as pages, to read, follow and take part.",
        "import": "Make a session of an exported file or a transcript, or print its minutes.",
        "export": "Write a session into one file, or sessions into tables.",
        "rename": "Give a session another name.",
        "archive": "Put a session away, or bring it back.",
        "delete": "Delete a session.",
        "redact": "Write a copy of a session without names.",
        "verify": "Check that a session is as it was written, and its verdict and report.",
        "seal": "Write a receipt by which anybody can check a session.",
    },
    "Study and build in": {
        "study": "Run a study of many debates, with controls, and print what it found.",
        "mcp": "Offer the panel as a tool to editors and other programs.",
    },
    "Set up": {
        "list": "List what can be named: formats, personas, panels, rules, models.",
        "doctor": "Check the installation, and whether a model answers.",
        "config": "Print what is configured, and where.",
    },
}
_COMMANDS = {name: line for group in _GROUPS.values() for name, line in group.items()}
# The commands that `eda --help` lists.
_FIRST = "debate resume sessions decisions show report recall ask serve import list doctor"
# The file of each command that shares one.
_HOMES = {
    **dict.fromkeys(("rename", "archive", "delete", "export", "redact"), "folder"),
    **dict.fromkeys(("steer", "edit", "fork"), "changes"),
    "decisions": "sessions",
    "seal": "verify",
    "vote": "ask",
    "mcp": "serve",
    "config": "configuration",
}

# Printed where a terminal lacks a mark of EDA; a question mark replaces any other character.
_LIKEST = str.maketrans("“”‘’·…–—−→●◦█⚑✎✓✗≡⏎", "\"\"''*.--->oo#!*vx=/")


def _likest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end].translate(_LIKEST)
    return missing.encode("ascii", "replace").decode(), error.end


codecs.register_error("likest", _likest)


class _Commands(click.Group):
    """Imports a command when it is used, and prints every error in the same form."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's shape
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's shape
        if cmd_name == "help":
            return help_
        if cmd_name not in _COMMANDS:
            return None
        name = f"{cmd_name}_" if cmd_name in ("import", "list") else cmd_name  # names that Python has
        command: click.Command = getattr(import_module(f"eda.cli.{_HOMES.get(cmd_name, name)}"), name)
        if not gc.isenabled():  # as `main` left it
            collect_seldom()
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        first = {"Commands": {name: _COMMANDS[name] for name in _FIRST.split()}}
        for title, commands in (_GROUPS if ctx.meta.get("all") else first).items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))
        if not ctx.meta.get("all"):
            formatter.write_text("`eda help --all` lists all commands.")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem

        commands = [CompletionItem(name, help=line) for name, line in _COMMANDS.items() if name.startswith(incomplete)]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in ("help", *_COMMANDS) and not ctx.resilient_parsing:
            close = nearest(name, _COMMANDS)
            hint = (
                ENGLISH.say("sessions-did-you-mean", close=close) if close else "`eda help --all` lists the commands."
            )
            say_error(f"unknown command {name!r}", hint)
            ctx.exit(2)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            try:
                result = super().invoke(ctx)
            except click.exceptions.Exit:
                sys.stdout.flush()  # else Python does it at its exit, and complains where nobody reads
                raise
            else:
                sys.stdout.flush()
                return result
        except EdaError as error:
            from eda.cli.common import spoken

            say_error(*spoken().error(error), spoken())
            ctx.exit(error.exit_code)
        except click.UsageError as error:
            path = error.ctx.command_path if error.ctx else f"eda {ctx.invoked_subcommand or ''}".strip()
            say_error(error.format_message(), ENGLISH.say("sessions-help", path=path))
            ctx.exit(2)
        except KeyboardInterrupt:
            say_error("stopped", "")
            ctx.exit(STOPPED)
        except OSError as error:
            if error.errno == errno.EPIPE:
                _discard_output()
                ctx.exit()  # `| head` has read all that it wanted
            if error.errno == errno.EIO and not error.filename:
                say_error("the terminal was closed", "The messages until then are saved; `eda sessions` lists them.")
                _discard_output()
                ctx.exit(1)
            where = f"{error.filename}: " if error.filename else ""
            say_error(f"{where}{error.strerror or error}", "")
            ctx.exit(1)


def _discard_output() -> None:
    """Send the rest to nowhere, else Python writes it at its exit, and fails again."""
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


_SETTING = regex("EDA_(?!(SESSIONS|ALLOW|TOKEN|UMASK|LOCAL_KEY)$)")  # these are read where they are used


@click.command("help")
@click.argument("command", required=False)
@click.option("--all", "every", is_flag=True, help="All commands, or all options of COMMAND.")
@click.pass_context
def help_(ctx: click.Context, /, *, command: str | None, every: bool) -> None:
    """Print what `eda --help` or `eda COMMAND --help` prints, or all of it."""
    above = ctx.find_root()
    above.meta["all"] = every
    if command is not None:
        name, wanted, _ = cli.resolve_command(above, [command])
        assert wanted is not None
        above = click.Context(wanted, info_name=name, parent=above)
    click.echo(above.get_help())


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="eda %(version)s", help="Print the version.")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """A panel of personas debates a question and reaches a verdict with evidence and dissent.

    `eda` alone opens your sessions, and a form for a new debate, in the browser. In a terminal, begin with
    `eda debate "Should we ...?"`. `eda COMMAND --help` lists the options of a command.
    """
    if sys.stdout is None:
        raise EdaError("the output is closed", hint="To discard it, redirect it to /dev/null.")
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - for as long as the program runs
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open()  # noqa: SIM115 - for as long as the program runs
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="likest")  # a terminal that lacks a character must not end a debate
    alone = ctx.invoked_subcommand is None
    if alone and not (sys.stdin.isatty() and sys.stdout.isatty() and has_screen()):
        click.echo(ctx.get_help())
        return
    files = ("eda.toml", f"{user_folder()}/config.toml")  # to read them takes as long as most commands do
    if any(map(os.path.lexists, files)) or any(map(_SETTING.match, os.environ)):
        from eda.cli.configuration import apply_configuration

        apply_configuration(ctx)
    if alone:
        from eda.cli.serve import serve

        with serve.make_context("serve", ["--port", "0"], parent=ctx) as opened:
            serve.invoke(opened)
