"""`eda resume`."""

import shlex
import sys
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from eda.cli import options
from eda.cli.common import TEXT, agrees, note, say, setting_options, spoken, spoken_of
from eda.cli.process import interruptible
from eda.cli.report import complete_missing_report
from eda.cli.running import advice, connected, invited, run, runner_of, seat_of
from eda.cli.terminal.printers import Sitting
from eda.debate.debate import Debate
from eda.debate.floor.stop import without_room
from eda.debate.seating import is_seat_of
from eda.errors import UsageError
from eda.panels.settings import LIMITS, Settings, limit
from eda.runners.recorded import CALLS_FILE
from eda.runners.shipped import default_spec, with_models
from eda.session import Session
from eda.words import fault


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
@options.run_options
@click.pass_context
def resume(
    ctx: click.Context,
    /,
    *,
    session_id: str | Path,
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
        session = stack.enter_context(spoken_of(Session.open(session_id, folder)))
        box = stack.enter_context(connected(tools, workspace, session.begun.members if session.begun else ()))
        if not (runner or session.ours) and (trust or _trusted(session)):
            session.trust()
        runner = _replayed(session, with_models(runner, models, session.started().runner))
        runner = _of_new_panel(ctx, session, runner) if panel else runner
        chosen = _runner_of(session, runner, box, record=record)
        settings = {name: value for name, value in given.items() if value is not None}
        if not (settings or panel) and complete_missing_report(session, chosen, as_json=as_json):
            return
        guests = invited(invite, human_time, invite_at)
        seat, seats = seat_of(human, human_time, guests)
        sits: dict[str, Any] = {"human": human, "seats": seats}
        if panel:
            own = Settings.model_validate(settings) if settings else None
            question = question or say("running-talk-question")
            debate = Debate(question, panel, chosen or "", settings=own, session=session, **sits)
        else:
            debate = Debate.resume(session, chosen, settings=settings, **sits)
        sitting = _sitting(debate, settings, runner, seats, fresh=panel is not None, verbose=verbose)
        ctx.exit(run(debate, sitting, as_json=as_json, quiet=quiet, seat=seat, guests=guests, otel=otel))


def _of_new_panel(ctx: click.Context, session: Session, runner: str | None) -> Any:
    """Return who answers for a panel that sits down now: the runner, else the one that the user's settings name.

    Raises:
        UsageError: the session has a panel, or no model answers here.
    """
    if session.begun is not None:
        raise fault("error-panel-sits", session=session.name, typed=session.typed)
    configuration = ctx.find_root().obj
    return runner or (configuration and configuration.value("runner")) or default_spec()


def _runner_of(session: Session, runner: str | None, box: Any, *, record: bool) -> Any:
    """Return who answers: with tools, and recorded where the session is."""
    if box is None and session.started().tools:
        note("note: the tools of this session are not connected: pass --tools FILE, or --workspace DIR")
    recorded = session.folder is not None and (record or (session.folder / CALLS_FILE).exists())
    return runner_of(session, runner, "", box, record=record) if recorded or box else runner


def _sitting(
    debate: Debate,
    settings: Mapping[str, Any],
    runner: str | None,
    seats: Iterable[str],
    *,
    fresh: bool,
    verbose: bool,
) -> Sitting:
    """Return what the screens know of a debate that goes on, and print advice; `fresh`: its panel has not sat yet.

    `seats`: the people who are here.
    """
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
    for person in debate.members:
        if person.person and not any(is_seat_of(name, person) for name in seats):
            note(say("running-empty-seat", title=person.title, typed=shlex.quote(person.title)))
    return sitting


def _trusted(session: Session) -> bool:
    """Show what a session of somebody else names, and return whether the user trusts it; False where nobody can say."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    started = session.started()
    settings, rule = started.settings, started.settings.rule or started.agenda.rule
    ruled = say("votes-rule", rule=(rule or "").replace("/", "-"))
    note(say("running-strangers", runner=started.runner, floor=say("debate-floor", floor=settings.floor), rule=ruled))
    tools, documents = [tool.name for tool in started.tools], [each.name for each in started.documents]
    note(say("running-strangers-holds", tools=tools or "-", documents=documents or "-"))
    return agrees(say("running-ask-trust"))


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
