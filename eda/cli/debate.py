"""`eda debate`."""

from typing import Any

import click

from eda.cli import options
from eda.cli.common import FOLDER, TEXT, Whole, asked_on_input, setting_options, speak, spoken
from eda.errors import UsageError
from eda.panels.request import DEFAULT_PANEL


@click.command(cls=options.Grouped)
@click.argument("question", type=TEXT)
@click.option("--panel", type=TEXT, metavar="NAME", help="The panel that debates. Default: " + DEFAULT_PANEL)
@options.repeatable("--persona", "names", "NAME", "A persona to seat, instead of --panel.")
@options.repeatable(
    "--seat",
    "seats",
    "NAME=SPEC",
    "A model, or a runner with its model, for a member: Maya=openai:MODEL.",
    options.seat,
)
@options.repeatable("--option", "options", "TEXT", "An option to vote on.")
@options.repeatable(
    "--context",
    "context",
    "FILE",
    "What every member is given: a text, PDF, Word, HTML or CSV file, a folder, a page (https://...), or `-`.",
)
@options.runner_option(
    "Who answers: simulated, anthropic[:MODEL], openai:MODEL, openrouter:MODEL, ollama:MODEL (all: "
    "eda doctor), claude-code[:MODEL], codex[:MODEL], acp:COMMAND, local:URL[#MODEL], recorded:FILE or ./FILE.py:CLASS."
)
@options.allow_option
@options.model_options
@click.option(
    "--format",
    type=TEXT,
    metavar="NAME",
    help="Debate format: a name from `eda list formats`, or a file.",
)
@setting_options()
@options.human_options
@click.option("--seed", type=Whole(0), default=0, help="Seed for lots and for the simulated panel.")
@click.option("--session", "name", metavar="ID", help="Name of the session. Default: made from the question.")
@options.sessions_option
@options.personas_option
@options.panels_option
@click.option("--prompts", type=FOLDER, help="Folder with prompt texts of your own, used instead of EDA's.")
@click.option("--record", is_flag=True, help="Record each call in the session, to replay with --runner recorded:FILE.")
@click.option("--dry-run", is_flag=True, help="Make no call; print what the debate would cost.")
@options.run_options
@click.pass_context
def debate(ctx: click.Context, /, *, question: str, panel: str | None, names: tuple[str, ...], **given: Any) -> None:
    """Have a panel debate QUESTION and reach a verdict. With `-` QUESTION is read from standard input.

    The debate is saved as a session: `eda show` prints it, `eda resume` continues it.
    """
    speak(given["language"] or spoken().language)
    options.refuse_excluded(panel=panel, persona=names, **given)
    if question == "-":
        question = asked_on_input(given["context"])
    if given["human_time"] is not None and given["human"] is None and not given["invite"]:
        raise UsageError("--human-time needs --human or --invite", hint="Add --human NAME.")
    if given["dry_run"]:
        given["runner"] = given["runner"] or "anthropic"  # counting needs no key
    from eda.cli.start import carry_out, foretell, ready

    made = ready({"question": question, "panel": panel or "", "personas": names}, given)
    if given["dry_run"]:
        foretell(made, as_json=given["as_json"])
    else:
        ctx.exit(carry_out(made, given))
