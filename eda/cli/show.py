"""`eda show`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eda.cli.common import note, print_json
from eda.cli.options import F, patterns_option, session_options, talk_only_option

if TYPE_CHECKING:
    from eda.memory.patterns import PatternPack
    from eda.session import Session


def _number(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | None:
    if value is not None and not re.fullmatch("m?[0-9]{1,9}", value):
        raise click.BadParameter(f"{value!r} is no message; write it as m12.")
    return None if value is None else int(value.removeprefix("m"))


def at_option(text: str) -> Callable[[F], F]:
    """Return the option `--at m12`."""
    return click.option("--at", callback=_number, metavar="m12", help=text)


message_argument = click.argument("message", callback=_number, metavar="MESSAGE")
"""An argument such as `m12`."""


@click.command()
@click.argument("session_id", metavar="ID")
@at_option("Print the session as it stood after this message.")
@click.option("--side", is_flag=True, help="Print only what was said aside from the panel: `eda ask` and comments.")
@talk_only_option
@patterns_option
@session_options
def show(
    *,
    session_id: str,
    at: int | None,
    side: bool,
    talk_only: bool,
    patterns: PatternPack | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Print session ID: transcript with the acts of each message, the table, positions and verdict.

    ID can also be the path of a session's folder, such as `./talks/one`.
    """
    from eda.debate.control.socket import is_running
    from eda.debate.replay import memory_of, progress_of
    from eda.session import Session
    from eda.session.fork import upto

    with Session.read(place_of(session_id), folder) as session:
        if side:
            _show_side(session, as_json=as_json)
            return
        then = session if at is None else upto(session, at)
        started, progress, memory = then.started(), progress_of(then), memory_of(then, patterns)
        running = progress.ended is None and is_running(then)
        if as_json:
            from eda.report.json_data import session_data

            print_json(session_data(started, progress, memory, then.events(), running=running))
            return
        from eda.cli.terminal.style import console_for
        from eda.cli.terminal.transcript import print_minutes

        console, events = console_for(), then.events()
        print_minutes(console, started, progress, memory, events, running=running, talk_only=talk_only)
        if progress.ended is None and not running and at is None:
            note(f"not finished; go on with: eda resume {session.typed}")


def place_of(session_id: str) -> str | Path:
    """Return a session's name, or its folder where a path is given."""
    return Path(session_id) if "/" in session_id or session_id in (".", "..") else session_id


def _show_side(session: Session, *, as_json: bool) -> None:
    from eda.cli.terminal.style import console_for
    from eda.cli.terminal.transcript import print_side
    from eda.report.json_data import side_data

    started = session.started()
    if as_json:
        print_json({"session": started.session, "side": side_data(session.events())})
        return
    if not side_data(session.events()):
        note(f"no side messages yet; to ask a member: eda ask {session.typed} NAME")
    print_side(console_for(), started, session.events())
