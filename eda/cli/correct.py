"""`eda correct`."""

from __future__ import annotations

from pathlib import Path

import click

from eda.cli.common import TEXT, changed, json_option, note, one_of, print_json, sessions_option
from eda.errors import UsageError

__all__ = ["correct"]


@click.command()
@click.argument("session_id", metavar="ID")
@click.argument("item", type=TEXT, metavar="ITEM")
@click.argument("text", type=TEXT, required=False)
@click.option("--strike", is_flag=True, help="Take the item out of every context, ballot and list.")
@click.option("--as", "who", type=TEXT, default="you", show_default=True, metavar="NAME", help="Who corrects it.")
@sessions_option
@json_option
def correct(
    *, session_id: str, item: str, text: str | None, strike: bool, who: str, folder: Path | None, as_json: bool
) -> None:
    """Have ITEM of session ID read TEXT, or strike it; also while it is running.

    ITEM is the id of a proposal (p12.0), a decision (d12.0, v30.0) or a note (n3), as `eda show ID` prints it. What was
    said stays in the transcript; the correction is kept in the log, with who made it.
    """
    if strike and text is not None:
        raise one_of("TEXT", "--strike")
    if not strike and not (text or "").strip():
        raise UsageError("the correction is empty", hint="Say how it should read, or give --strike.")
    from eda.steering import Corrected

    (fact,), _ = changed(session_id, folder, [Corrected(item, text or "", who)])
    if as_json:
        print_json({"session": session_id, "fact": fact.model_dump(mode="json", exclude={"at", "type"})})
    else:
        note(f"{item} is {'struck' if strike else 'corrected'}; see: eda show {session_id}")
