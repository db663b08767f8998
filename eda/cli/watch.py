"""`eda watch`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import ExitStack, aclosing
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from eda.cli.common import json_text, note, say
from eda.cli.options import level_options, patterns_option, place_of, refuse_excluded, session_argument, session_options
from eda.cli.process import interruptible
from eda.cli.running import on_screen
from eda.cli.terminal.header import Sitting
from eda.cli.terminal.live import LiveView
from eda.cli.terminal.printers import PlainView
from eda.cli.terminal.style import console_for
from eda.cli.terminal.verdict import only_verdict, page_now
from eda.debate.replay import memory_of, progress_of
from eda.debate.state import DebateState
from eda.events import Event, SessionStarted
from eda.memory import ConversationMemory
from eda.memory.patterns import PatternPack
from eda.report.formatting import count, fitted
from eda.report.phrases import state_phrase
from eda.session import Session


@click.command()
@session_argument
@click.option("--new", is_flag=True, help="Leave out what was said before now.")
@level_options
@patterns_option
@session_options
def watch(
    *,
    session_id: str,
    new: bool,
    verbose: bool,
    quiet: bool,
    patterns: PatternPack | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Show session ID while it runs in another terminal. Nothing is changed, and Ctrl-C ends only the watching.

    Of a session that is not running, only its state is printed. With --json each fact is a line, and so is the state at
    the end. `eda edit`, `eda ask` and `eda steer` work on a running session.
    """
    refuse_excluded(as_json=as_json, quiet=quiet, verbose=verbose)

    interruptible()
    with Session.read(place_of(session_id), folder) as session:
        progress = progress_of(session)
        running = progress.ended is None and session.written
        if running:
            try:
                if as_json or quiet:
                    asyncio.run(_print(session, new=new or quiet, silent=quiet))
                else:
                    asyncio.run(_watch(session, progress, patterns, new, verbose))
            except KeyboardInterrupt:
                return
            progress = progress_of(session)
        if as_json:
            state = {"session": session.name, "state": progress.state, "messages": progress.messages}
            click.echo(json_text(state, pretty=False))
        elif quiet:
            click.echo(fitted("\n".join(only_verdict(session, progress, memory_of(session))), sys.stdout))
        elif running:
            note(say("sessions-runs-no-longer", name=session.name, state=_state(session, progress)))
        else:
            click.echo(say("sessions-not-running", name=session.name, state=_state(session, progress)))


async def _print(session: Session, *, new: bool, silent: bool) -> None:
    """Print each fact of the session as a line of JSON, or wait in silence for the last one."""
    async with aclosing(session.follow(session.log.last_seq if new else 0)) as facts:
        async for fact in facts:
            if not silent:
                click.echo(json_text(fact.model_dump(mode="json"), pretty=False))


async def _watch(session: Session, now: DebateState, patterns: PatternPack | None, new: bool, verbose: bool) -> None:
    """Show each fact of the session, and what memory finds in it."""
    state = now if new else DebateState()
    memory = memory_of(session, patterns) if new else ConversationMemory(patterns, fact=session.fact)
    show: Callable[[Event], None] | None = None
    with ExitStack() as screen:
        if new and now.started is not None:
            show = _screen(session, state, memory, now, screen, verbose=verbose, new=True)
        async with aclosing(session.follow(session.log.last_seq if new else 0)) as facts:
            async for fact in facts:
                state.fold(fact)
                if show is None and isinstance(fact, SessionStarted):
                    show = _screen(session, state, memory, now, screen, verbose=verbose, new=False)
                for event in (fact, *memory.fold(fact)):
                    if show is not None:
                        show(event)


def _screen(
    session: Session,
    state: DebateState,
    memory: ConversationMemory,
    now: DebateState,
    screen: ExitStack,
    *,
    verbose: bool,
    new: bool,
) -> Callable[[Event], None]:
    """Open the screen of a debate, live on a terminal; return the function that shows one event."""
    told = partial(page_now, session, state, memory)
    sitting = Sitting.of(session.started(), state.messages, state.panel, state.settings, state.seats)
    sitting = replace(sitting, verbose=verbose, resumed_at=sitting.resumed_at if new else None)
    if on_screen():
        live = LiveView(console_for(), sitting, state, memory, told=told)
        live.status.went_on_for(now.spent.seconds)
        screen.enter_context(live)
        return live.handle
    return PlainView(lambda line: click.echo(fitted(line, sys.stdout)), sitting, told).handle


def _state(session: Session, progress: DebateState) -> str:
    """Return the state of a session that does not run, and what can be done next."""
    done = f"{state_phrase(progress)}, {count(progress.messages, 'message')}"
    if progress.ended is not None:
        return say("sessions-read-ended", done=done, typed=session.typed)
    return say("sessions-goes-on", done=done, typed=session.typed)
