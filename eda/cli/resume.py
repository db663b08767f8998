"""`eda resume`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from eda.cli.common import Whole, json_option, note, one_of, patterns_option, sessions_option

if TYPE_CHECKING:
    from eda.patterns import PatternPack

__all__ = ["resume"]


@click.command()
@click.argument("session_id", metavar="ID")
@click.option("--max-messages", type=Whole(), metavar="N", help="A new limit; more than before takes up an ended one.")
@click.option("--runner", metavar="SPEC", help="Another runner than the session's own.")
@patterns_option
@sessions_option
@json_option
@click.option("--quiet", "-q", is_flag=True, help="Print the verdict and the session's name only.")
@click.pass_context
def resume(
    ctx: click.Context,
    /,
    *,
    session_id: str,
    max_messages: int | None,
    runner: str | None,
    patterns: PatternPack | None,
    folder: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Go on with session ID where it stopped: same panel, same memory, same numbering."""
    if as_json and quiet:
        raise one_of("--json", "--quiet")
    from eda.cli.running import advice, finish, run
    from eda.debate import Debate
    from eda.session import Session
    from eda.view.base import Sitting

    with Session.open(session_id, folder) as session:
        debate = Debate.resume(session, runner, max_messages=max_messages, patterns=patterns)
        if session.repaired:
            note(f"note: {session.repaired}")
        sitting = Sitting.again(session.started(), debate.progress.messages)
        advice(sitting.runner, runner or sitting.runner, sitting)
        result = run(debate, sitting, silent=as_json or quiet)
        ctx.exit(finish(debate, result, sitting, as_json=as_json, quiet=quiet))
