"""The commands for a session that goes on: resume, which continues it, and watch, which shows it meanwhile."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, aclosing
from functools import partial
from pathlib import Path
from typing import Any

import click

from eda.cli import options
from eda.cli.common import json_text, note, say, speak, spoken
from eda.cli.kinds import TEXT, setting_options
from eda.cli.options import place_of, session_argument, session_options
from eda.cli.process import interruptible
from eda.cli.report import complete_missing_report
from eda.cli.running import advice, connected, invited, run, runner_of, screen, seat_of
from eda.cli.terminal.header import Sitting
from eda.cli.terminal.live import LiveView
from eda.cli.terminal.printers import PlainView
from eda.cli.terminal.verdict import page_now
from eda.debate.debate import Debate
from eda.debate.floor.stop import without_room
from eda.debate.replay import progress_of
from eda.debate.seating import is_seat_of
from eda.debate.state import DebateState
from eda.errors import UsageError
from eda.events import SessionStarted
from eda.memory import ConversationMemory
from eda.panels.settings import LIMITS, Settings, limit
from eda.report.phrases import state_phrase
from eda.runners.protocol import Runner
from eda.runners.recorded import CALLS_FILE
from eda.runners.shipped import default_spec, with_models
from eda.runners.tools import ToolBox
from eda.session import Session


@click.command(cls=options.Grouped)
@options.session_argument
@setting_options(
    *(each.name for each in LIMITS),
    "bids",
    **{limit("messages"): "New message limit. A higher limit reopens a finished debate."},
    bids="Ask for bids from now on with one call for each member, with one call for all, or with a list for turns.",
)
@click.option("--panel", type=TEXT, metavar="NAME", help="The panel that goes on with a talk that had none.")
@click.option("--question", type=TEXT, metavar="TEXT", help="What that panel debates. Default: what came of the talk.")
@options.human_options
@options.runner_option(
    "Runner to use instead of the session's. For a fork, `recorded` takes what --record kept of its parent, and "
    "asks the session's runner, or that of `recorded,then=RUNNER`, where a prompt differs or the recording ends."
)
@options.allow_option
@click.option("--trust", is_flag=True, help="Go on with a session that was not made here, whose runner answers then.")
@options.model_options
@options.sessions_option
@click.option("--record", is_flag=True, help="Record each call from now on, to replay with --runner recorded:FILE.")
@options.otel_option
@options.tools_option
@options.workspace_option
@options.level_options
@options.json_option
@click.pass_context
def resume(
    ctx: click.Context,
    /,
    *,
    session_id: str,
    runner: str | None,
    models: dict[str, Any],
    folder: Path | None,
    record: bool,
    otel: bool,
    tools: Path | None,
    workspace: Mapping[str, Path],
    trust: bool,
    panel: str | None,
    question: str | None,
    verbose: bool,
    as_json: bool,
    quiet: bool,
    human: str | None,
    human_time: float | None,
    invite: tuple[str, ...],
    invite_at: str,
    **given: float | str | None,
) -> None:
    """Continue session ID where it stopped, with its panel, memory and numbering.

    A debate that ended at a limit continues with a higher limit. A recorded session is recorded further.
    """
    options.refuse_excluded(as_json=as_json, quiet=quiet, verbose=verbose, human=human is not None)

    interruptible()
    with ExitStack() as stack:
        session = stack.enter_context(Session.open(session_id, folder))
        members = session.begun.members if session.begun else ()
        box = stack.enter_context(connected(tools, workspace, members))
        if not (runner or session.ours) and (trust or _trusted(session)):
            session.trust()
        runner = _replayed(session, with_models(runner, models, session.started().runner))
        runner = runner or (default_spec() if panel else None)
        chosen = _answering(session, runner, box, record=record)
        if box is None and session.started().tools:
            note("note: the tools of this session are not connected: pass --tools FILE, or --workspace DIR")
        settings = {name: value for name, value in given.items() if value is not None}
        if not (settings or panel) and complete_missing_report(session, chosen, as_json=as_json):
            return
        guests = invited(invite, human_time, invite_at)
        seat, seats = seat_of(human, human_time, guests)
        sits: dict[str, Any] = {"human": human, "seats": seats}
        if panel:
            question = question or say("running-talk-question")
            chosen_settings = Settings.model_validate(settings) if settings else None
            debate = Debate(question, panel, chosen or "", settings=chosen_settings, session=session, **sits)
        else:
            debate = Debate.resume(session, chosen, settings=settings, **sits)
        if session.repaired:
            note(f"note: {session.repaired}")
        sitting = _sitting(debate, settings, runner, fresh=panel is not None, verbose=verbose)
        _tell_empty(debate, seats)
        ctx.exit(run(debate, sitting, as_json=as_json, quiet=quiet, seat=seat, guests=guests, otel=otel))


def _answering(session: Session, runner: str | None, box: ToolBox | None, *, record: bool) -> Runner | str | None:
    """Return who answers: a runner that records or has tools, else its spec, or None for the session's own."""
    recorded = session.folder is not None and (record or (session.folder / CALLS_FILE).exists())
    return runner_of(session, runner, "", box, record=record) if recorded or box else runner


def _tell_empty(debate: Debate, seats: Iterable[str]) -> None:
    """Say which people of the debate are not here."""
    for person in debate.members:
        if person.person and not any(is_seat_of(name, person) for name in seats):
            note(say("running-empty-seat", title=person.title, typed=shlex.quote(person.title)))


def _sitting(debate: Debate, settings: Mapping[str, Any], runner: str | None, *, fresh: bool, verbose: bool) -> Sitting:
    """Return what the screens know of a debate that goes on, and print advice; `fresh`: its panel has not sat yet."""
    progress, started = debate.progress, debate.started
    now = started.settings if fresh else progress.settings
    sitting = Sitting(
        started,
        members=debate.members,
        settings=now,
        seats=None if fresh else progress.seats,
        resumed_at=progress.messages,
        verbose=verbose,
    )
    more = now.model_copy(update=settings).limits.messages - progress.messages
    room = ""
    if progress.ended:
        room = without_room(started.agenda, more, len(debate.members), done=progress.messages, words=spoken())
    advice(runner or sitting.runner, sitting, room)
    return sitting


def _trusted(session: Session) -> bool:
    """Show what a session of somebody else names, and return whether the user trusts it; False where nobody can say."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    started = session.started()
    settings, rule = started.settings, started.settings.rule or started.agenda.rule
    note(say("running-strangers", runner=started.runner, floor=settings.floor, rule=rule))
    tools, documents = [tool.name for tool in started.tools], [each.name for each in started.documents]
    note(say("running-strangers-holds", tools=tools or "-", documents=documents or "-"))
    return click.confirm(say("running-ask-trust"), err=True)


def _replayed(session: Session, runner: str | None) -> str | None:
    """Return the runner; where it is `recorded` without a file, with the recording of the session's parent.

    Raises:
        UsageError: the session is no fork, or its parent was not recorded.
    """
    name, _, then = (runner or "").partition(",then=")
    if name != "recorded" or session.folder is None:
        return runner
    started = session.started()
    parent = started.parent.session if started.parent else ""
    file = session.folder.parent / parent / CALLS_FILE
    if not parent or not file.is_file():
        raise UsageError(
            f"session {session.name!r} has no recording to replay: "
            + (f"{parent!r}, its parent, was not recorded" if parent else "it is no fork"),
            hint="Name one: recorded:FILE,then=RUNNER.",
        )
    return f"recorded:{file},then={then or started.runner}"


@click.command()
@session_argument
@click.option("--verbose", "-v", is_flag=True, help="Also show the bids, why each has the floor, and the summaries.")
@session_options
def watch(*, session_id: str, verbose: bool, folder: Path | None, as_json: bool) -> None:
    """Show session ID while it runs in another terminal. Nothing is changed, and Ctrl-C ends only the watching.

    Of a session that is not running, only its state is printed. With --json each fact is a line, and so is the state at
    the end. `eda edit`, `eda ask` and `eda steer` work on a running session.
    """
    interruptible()
    with Session.read(place_of(session_id), folder) as session:
        progress = progress_of(session)
        running = progress.ended is None and session.written
        if running:
            try:
                asyncio.run(_print(session) if as_json else _watch(session, progress, verbose=verbose))
            except KeyboardInterrupt:
                return
            progress = progress_of(session)
        if as_json:
            state = {"session": session.name, "state": progress.state, "messages": progress.messages}
            click.echo(json_text(state, pretty=False))
        elif running:
            note(say("sessions-runs-no-longer", name=session.name, state=_state(session, progress)))
        else:
            click.echo(say("sessions-not-running", name=session.name, state=_state(session, progress)))


async def _print(session: Session) -> None:
    """Print each fact of the session as a line of JSON."""
    async with aclosing(session.follow(0)) as facts:
        async for fact in facts:
            click.echo(json_text(fact.model_dump(mode="json"), pretty=False))


async def _watch(session: Session, now: DebateState, *, verbose: bool) -> None:
    """Show each fact of the session, and what memory finds in it."""
    state, memory = DebateState(), ConversationMemory(fact=session.fact)
    view: LiveView | PlainView | None = None
    with ExitStack() as stack:
        async with aclosing(session.follow(0)) as facts:
            async for fact in facts:
                state.fold(fact)
                if isinstance(fact, SessionStarted):
                    told = partial(page_now, session, state, memory)
                    view = stack.enter_context(screen(Sitting(fact, verbose=verbose), state, memory, told))
                    if isinstance(view, LiveView):
                        view.status.went_on_for(now.spent.seconds)
                for event in (fact, *memory.fold(fact)):
                    if view is not None:
                        view.handle(event)


def _state(session: Session, progress: DebateState) -> str:
    """Return the state of a session that does not run, and what can be done next."""
    words = speak(progress.settings.language)
    done = f"{state_phrase(progress, words)}, {say('figure-messages', number=progress.messages)}"
    if progress.ended is not None:
        return say("sessions-read-ended", done=done, typed=session.typed)
    return say("sessions-goes-on", done=done, typed=session.typed)
