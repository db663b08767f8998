"""`eda correct`."""

from __future__ import annotations

from pathlib import Path

import click

from eda.cli.common import changed, note, print_json, say
from eda.cli.kinds import TEXT
from eda.cli.options import one_of, person_option, session_argument, session_options
from eda.errors import UsageError


@click.command()
@session_argument
@click.argument("item", type=TEXT, metavar="ITEM")
@click.argument("text", type=TEXT, required=False)
@click.option("--strike", is_flag=True, help="Take the item off the table, every ballot and every list.")
@person_option("corrects it")
@session_options
def correct(
    *, session_id: str, item: str, text: str | None, strike: bool, who: str, folder: Path | None, as_json: bool
) -> None:
    """Reword ITEM of session ID as TEXT, or strike it. This also works while the session runs.

    ITEM is the id of a proposal (p12.0), a decision (d12.0, v30.0) or a note (n3), as `eda show ID` prints it, or the
    message of a claim (m9). The transcript is not changed; the log records the correction and who made it. Words that a
    ballot adopted stay as they are: TEXT stands beside them as another version, and the next ballot has both.
    """
    if strike and text is not None:
        raise one_of("TEXT", "--strike")
    if not strike and not (text or "").strip():
        raise UsageError("the correction is empty", hint="Give the new text, or --strike.")
    from eda.debate.control.changes import Corrected
    from eda.events import MemoryCorrected

    (fact,), _ = changed(session_id, folder, [Corrected(item, text or "", who)])
    assert isinstance(fact, MemoryCorrected)
    if as_json:
        print_json({"session": session_id, "fact": fact.model_dump(mode="json", exclude={"at", "type"})})
    else:
        how = "struck" if strike else "beside" if fact.version else "corrected"
        note(say("sessions-corrected", item=item, how=how, version=fact.version, session=session_id))
