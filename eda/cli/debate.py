"""`eda debate`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import click

from eda.cli.common import (
    FILE,
    FOLDER,
    TEXT,
    Whole,
    human_options,
    json_option,
    limit_options,
    one_of,
    patterns_option,
    personas_option,
    sessions_option,
)
from eda.cli.grouped import Grouped
from eda.cli.models import model_options
from eda.cli.votes import vote_options
from eda.errors import UsageError
from eda.settings import FloorName

__all__ = ["debate"]

DEFAULT_PANEL = "product-decision"


@click.command(cls=Grouped)
@click.argument("question", type=TEXT)
@click.option("--panel", type=TEXT, metavar="NAME", help=f"Who sits; else {DEFAULT_PANEL}.")
@click.option(
    "--persona", "names", type=TEXT, multiple=True, metavar="NAME", help="Seat this one; repeat, instead of --panel."
)
@click.option("--option", "options", type=TEXT, multiple=True, help="A choice on the table; repeat.")
@click.option(
    "--context", "files", type=FILE, multiple=True, metavar="FILE", help="Text the panel must have read; repeat."
)
@click.option("--runner", metavar="SPEC", help="simulated, anthropic[:MODEL], local:URL[#MODEL] or recorded:FILE.")
@model_options
@click.option("--max-messages", type=Whole(), metavar="N", help="Messages in all; else the panel's own, or 24.")
@click.option("--format", "agenda", type=TEXT, metavar="NAME", help="How it is debated, or a file; see eda formats.")
@click.option("--floor", type=click.Choice(get_args(FloorName)), help="Who speaks next; else the format's own.")
@click.option("--bids", type=click.Choice(["each", "together"]), help="A call to each for its bid; else one for all.")
@click.option("--summary-every", type=Whole(2), metavar="N", help="Messages a summary covers; else 12.")
@click.option("--summary-style", type=click.Choice(["concise", "conservative"]), help="How much a summary keeps.")
@vote_options
@limit_options
@human_options
@click.option("--seed", type=Whole(0), default=0, metavar="N", help="For lots and simulated speech.")
@click.option("--repeat", type=Whole(1, 10_000), metavar="N", help="N debates with N seeds, a row each.")
@click.option("--session", "name", metavar="ID", help="The session's name; else made from the question.")
@sessions_option
@personas_option
@patterns_option
@click.option("--prompts", type=FOLDER, metavar="DIR", help="Your own prompt texts, in place of those of EDA.")
@click.option("--record", is_flag=True, help="Keep each call in the session, for --runner recorded:FILE.")
@click.option("--baseline", is_flag=True, help="Ask the question without a debate too, at as many tokens again.")
@click.option("--dry-run", is_flag=True, help="Make no call; print what the debate would take.")
@json_option
@click.option("--quiet", "-q", is_flag=True, help="Print the verdict and the session's name only.")
@click.pass_context
def debate(ctx: click.Context, /, *, question: str, panel: str | None, names: tuple[str, ...], **given: Any) -> None:
    """Have a panel debate QUESTION and reach a verdict.

    Each debate is saved as a session, which `eda show` prints and `eda resume` goes on with.
    """
    _check(given, panel, names)
    if given["dry_run"]:
        given["runner"] = given["runner"] or "anthropic"  # no key is needed to count
    if not question.strip():
        raise UsageError("the question is empty", hint='Ask one: eda debate "Should we ...?"')
    from eda.cli.start import Order

    order = Order.read(question, panel or DEFAULT_PANEL, names, given)
    if given["baseline"] and order.spec == "simulated":
        raise UsageError(
            "--baseline asks a language model, and `simulated` is none", hint="Name one: --runner anthropic."
        )
    if given["dry_run"]:
        ctx.exit(order.foretell(as_json=given["as_json"]))
    if given["repeat"] is not None:
        from eda.cli.repeat import repeat

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
        raise UsageError("--human-time is for a person at the table", hint="Give --human NAME, too.")
