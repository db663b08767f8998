"""`eda cost`."""

from __future__ import annotations

from pathlib import Path

import click

from eda.cli.common import json_option, note, print_json, sessions_option

__all__ = ["cost"]


@click.command()
@click.argument("session_id", metavar="ID")
@sessions_option
@json_option
def cost(*, session_id: str, folder: Path | None, as_json: bool) -> None:
    """Print what session ID took: calls, tokens and dollars by agent, purpose and model.

    Every call counts, also those that were asked again, and what was asked aside. One that was stopped before its
    answer began counts as one of unknown price; one that was cut off with the whole program is not known. Where a
    server counts no tokens, four characters are taken for one. In a pipe a row is a line with tabs: kind of group,
    name, calls, input, cache read, cache write, output, share, cost.
    """
    from eda.events import CallMade
    from eda.session import Session
    from eda.view.cost import cost_data, print_cost

    with Session.read(session_id, folder) as session:
        name = session.started().session
        data = cost_data(event for event in session.events() if isinstance(event, CallMade))
    if as_json:
        print_json({"session": name, **data})
        return
    if not data["total"]["calls"]:
        note("nobody was asked in this session: it took nothing")
        return
    from eda.view.style import console_for

    print_cost(data, console_for())
