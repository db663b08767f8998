"""`eda debate`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from eda.cli.options import (
    FILE,
    FOLDER,
    TEXT,
    Grouped,
    PartOption,
    Whole,
    human_options,
    import_from_here,
    json_option,
    limit_options,
    model_options,
    one_of,
    patterns_option,
    personas_option,
    sessions_option,
    talk_only_option,
    vote_options,
)
from eda.errors import UsageError
from eda.panels.registry import FLOORS, STOPS

__all__ = ["debate"]

DEFAULT_PANEL = "product-decision"


@click.command(cls=Grouped)
@click.argument("question", type=TEXT)
@click.option("--panel", type=TEXT, metavar="NAME", help=f"The panel. Default: {DEFAULT_PANEL}.")
@click.option(
    "--persona",
    "names",
    type=TEXT,
    multiple=True,
    metavar="NAME",
    help="A persona to seat, instead of --panel. Repeatable.",
)
@click.option("--option", "options", type=TEXT, multiple=True, help="An option to vote on. Repeatable.")
@click.option(
    "--context",
    "files",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="A text that every member is given. Repeatable.",
)
@click.option(
    "--runner",
    metavar="SPEC",
    help="Who answers: simulated, anthropic[:MODEL], local:URL[#MODEL], recorded:FILE or module:Class.",
)
@model_options
@click.option("--max-messages", type=Whole(), metavar="N", help="Message limit. Default: the panel's, else 24.")
@click.option(
    "--format", "agenda", type=TEXT, metavar="NAME", help="Debate format: a name from `eda formats`, or a file."
)
@click.option("--floor", cls=PartOption, registry=FLOORS, help="How the next speaker is chosen. Default: the format's.")
@click.option(
    "--stop",
    cls=PartOption,
    registry=STOPS,
    shipped=False,
    multiple=True,
    help="A stop condition beside those of `eda formats`. Repeatable.",
)
@click.option(
    "--bids",
    type=click.Choice(["each", "together"]),
    help="Ask for bids with one call for each member, or one call for all. Default: together.",
)
@click.option("--summary-every", type=Whole(2), metavar="N", help="Messages per summary. Default: 12.")
@click.option("--summary-style", type=click.Choice(["concise", "conservative"]), help="How detailed summaries are.")
@vote_options
@limit_options
@human_options
@click.option("--seed", type=Whole(0), default=0, metavar="N", help="Seed for lots and for the simulated panel.")
@click.option(
    "--repeat", type=Whole(1, 10_000), metavar="N", help="Run N debates with N seeds and print a row for each."
)
@click.option("--session", "name", metavar="ID", help="Name of the session. Default: made from the question.")
@sessions_option
@personas_option
@patterns_option
@click.option(
    "--prompts", type=FOLDER, metavar="DIR", help="Folder with prompt texts of your own, used instead of EDA's."
)
@click.option("--record", is_flag=True, help="Record each call in the session, to replay with --runner recorded:FILE.")
@click.option(
    "--baseline", is_flag=True, help="Also ask the question without a debate, with the same number of tokens."
)
@click.option("--dry-run", is_flag=True, help="Make no call; print what the debate would cost.")
@talk_only_option
@json_option
@click.option("--quiet", "-q", is_flag=True, help="Print only the verdict and the session's name.")
@click.pass_context
def debate(ctx: click.Context, /, *, question: str, panel: str | None, names: tuple[str, ...], **given: Any) -> None:
    """Have a panel debate QUESTION and reach a verdict.

    The debate is saved as a session: `eda show` prints it, `eda resume` continues it.
    """
    _check(given, panel, names)
    if given["runner"] and ":" in given["runner"]:
        import_from_here()
    if given["dry_run"]:
        given["runner"] = given["runner"] or "anthropic"  # counting needs no key
    if not question.strip():
        raise UsageError("the question is empty", hint='Ask one: eda debate "Should we ...?"')
    from eda.cli.start import Order, repeat

    order = Order.read(question, panel or DEFAULT_PANEL, names, given)
    if given["baseline"] and order.spec == "simulated":
        raise UsageError(
            "--baseline needs a language model, and `simulated` is not one", hint="Name one: --runner anthropic."
        )
    if given["dry_run"]:
        ctx.exit(order.foretell(as_json=given["as_json"]))
    if given["repeat"] is not None:
        ctx.exit(repeat(order, given["repeat"], as_json=given["as_json"]))
    ctx.exit(order.carry_out(as_json=given["as_json"], quiet=given["quiet"]))


_ALONE = {"human": "--human", "dry_run": "--dry-run", "as_json": "--json", "quiet": "--quiet"}
_EXCLUDED = (("as_json", "quiet"), ("human", "as_json"), ("human", "quiet"), ("human", "dry_run"))


def _check(given: Mapping[str, Any], panel: str | None, names: tuple[str, ...]) -> None:
    """Refuse options that exclude each other."""
    if panel and names:
        raise one_of("--panel", "--persona")
    for one, other in _EXCLUDED:
        if given[one] and given[other]:
            raise one_of(_ALONE[one], _ALONE[other])
    if given["baseline"] and (given["dry_run"] or given["repeat"] is not None):
        raise one_of("--baseline", "--dry-run" if given["dry_run"] else "--repeat")
    for one in ("dry_run", "human"):
        if given[one] and given["repeat"] is not None:
            raise one_of(_ALONE[one], "--repeat")
    if given["human_time"] is not None and given["human"] is None:
        raise UsageError("--human-time needs --human", hint="Add --human NAME.")
