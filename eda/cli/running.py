"""Runs a debate from the command line: its screen, Ctrl-C, and the lines printed at the end."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eda.cli.common import note, of_extra, print_json, say, speak, spoken
from eda.cli.process import STOPPED
from eda.cli.report import afterwards
from eda.cli.terminal.human_seat import TerminalSeat
from eda.cli.terminal.printers import PlainView, Sitting
from eda.cli.terminal.style import console_for
from eda.cli.terminal.typed import listening, on_enter
from eda.cli.terminal.verdict import only_verdict, page_now
from eda.debate.debate import Debate
from eda.debate.floor.stop import SHIPPED
from eda.debate.result import Result
from eda.debate.seating import is_seat_of
from eda.debate.validation import session_runner
from eda.errors import RunnerUnavailableError, UnknownNameError, UsageError
from eda.events import CallMade, Event
from eda.panels.persona import Persona, modelled
from eda.report.formatting import fitted, span
from eda.report.json_data import debate_data
from eda.report.sections import took
from eda.runners.models import asks_models
from eda.runners.protocol import Runner, closing
from eda.runners.recorded import CALLS_FILE, RecordedRunner, RecordingRunner
from eda.runners.server import on_wait
from eda.runners.shipped import make_runner
from eda.runners.tools import ToolBox, with_tools
from eda.serve.people import Invitations
from eda.serve.workspace import Boxes, Workspaces
from eda.session import Session
from eda.session.places import PAGE_FILE

if TYPE_CHECKING:
    from eda.cli.terminal.live import LiveView
    from eda.cli.terminal.prompt import PromptLine
    from eda.serve.guests import Guests

# Characters a second in which a recording is shown to somebody who watches it.
_READING = 300.0
# The exit code where nobody spoke or voted.
_NOTHING = 1
# Values of TERM for terminals that cannot move the cursor.
_NO_CURSOR = ("dumb", "unknown")


def runner_of(
    session: Session, named: str | None, hint: str = "", box: ToolBox | None = None, *, record: bool = False
) -> Runner:
    """Return who answers in a session: the named runner, else its own; it records where the session's calls are kept.

    Raises:
        EdaError: there is no such runner, or the session's own cannot be made; the `hint` says what to name then.
    """
    runner = make_runner(named) if named else session_runner(session, *filter(None, [hint]))
    runner = runner if box is None else with_tools(runner, box)
    file = session.folder / CALLS_FILE if session.folder is not None else None
    return RecordingRunner(runner, file) if file is not None and (record or file.exists()) else runner


@contextmanager
def connected(tools: Path | None, folders: Mapping[str, Path], members: Iterable[Persona]) -> Iterator[ToolBox | None]:
    """Yield the tools of the servers that a file names, and those that read folders; None without both.

    Args:
        tools: The file.
        folders: Those that members may read, by the name of the member whose it is; empty for all.
        members: Who is seated.

    Raises:
        EdaError: a server cannot be reached, there is no such folder, or nobody of that name.
    """
    called = {"": "", **{name: member.title for member in members for name in member.called}}
    if unknown := [name for name in folders if name.casefold() not in called]:
        raise UnknownNameError("member", unknown[0], [*called][1:])
    own = [Workspaces({called[name.casefold()]: each for name, each in folders.items()})] if folders else []
    with nullcontext() if tools is None else of_extra("eda.serve.tool_box", "mcp").opened(tools) as box:
        boxes = [*own, *([box] if box is not None else [])]
        yield Boxes(*boxes) if boxes else None


def advice(spec: str, sitting: Sitting, room: str = "") -> None:
    """Print notes that a newcomer needs on the documents, the models and the `room` that is missing."""
    if room:
        note(room)
    if in_part := sitting.reading.in_part:
        note(say("running-in-part", names=in_part, number=len(in_part)))
    models = modelled(sitting.members)
    if models and not asks_models(spec):
        note(say("running-own-models", spec=spec, models=[f"{name} ({model})" for name, model in models.items()]))


def invited(names: Sequence[str], seconds: float | None, at: str) -> Guests | None:
    """Return the people who are invited by name, as they are served at that place; None for nobody.

    Raises:
        UsageError: nobody can listen there.
    """
    from eda.serve.guests import Guests

    return Guests(names, seconds, at, note) if names else None


def seat_of(
    human: str | None, seconds: float | None, guests: Guests | None = None
) -> tuple[TerminalSeat | None, Mapping[str, Runner]]:
    """Return the seat of the person at this terminal, and the runner of each person by name."""
    others = guests.seats if guests is not None else {}
    if human is None:
        return None, others
    if human in others:
        raise UsageError(f"{human} sits at this terminal", hint="Invite others under other names.")
    seat = TerminalSeat(human, seconds)
    return seat, {human: seat.runner if guests is None else guests.at_terminal(human, seat.ask, seconds), **others}


def run(
    debate: Debate,
    sitting: Sitting,
    *,
    as_json: bool,
    quiet: bool,
    seat: TerminalSeat | None = None,
    guests: Guests | None = None,
    otel: bool = False,
) -> int:
    """Run the debate, show it, and print the result and what can be done next; return the exit code.

    If the user stops it, the messages until then are saved. `otel`: whether its spans are sent.

    Raises:
        UsageError: an extra is missing; a new session is not begun.
    """
    speak(sitting.settings.language)
    silent = as_json or quiet
    result, notes = None, list[str]()
    if guests is not None:
        guests.sit(debate)
    sent = of_extra("eda.serve.traces", "otel").exported(debate, notes.append) if otel else nullcontext()
    if isinstance(debate.runner, RecordedRunner) and not silent and on_screen():
        debate.runner.pace = _READING
    view = nullcontext(lambda _: None) if silent else _view(debate, sitting, seat, guests)
    _warn_of_price(debate)
    try:
        with sent, view as show:
            if seat is not None:
                seat.sit(debate)
            result = asyncio.run(_watched(debate, seat, guests, show, notes.append))
    except KeyboardInterrupt:
        result = None
    except RunnerUnavailableError:
        if _dropped(debate):
            note(say("running-none-kept"))
        elif debate.progress.started is not None:
            note(say("running-on", session=debate.session.name, resume=_resume(debate)))
        raise
    finally:  # the screen is closed by now
        unsent = f"not sent: {seat.unsent}" if seat is not None and seat.unsent else ""
        differences = [f"warning: {each}" for each in getattr(debate.runner, "differences", ())]
        for line in filter(None, (*notes, *differences, unsent)):
            note(line)
    return _finish(debate, stopped=result is None or debate.progress.state != "ended", as_json=as_json, quiet=quiet)


def _dropped(debate: Debate) -> bool:
    """Drop the new session of a debate without any answer, unless a replay was to give it; return whether it was."""
    replayed = isinstance(debate.runner, RecordedRunner)  # another runner can go on with it
    return debate.untouched and not replayed and debate.session.discard(CALLS_FILE)


def _finish(debate: Debate, *, stopped: bool, as_json: bool, quiet: bool) -> int:
    """Print the result and what can be done next; return the exit code."""
    progress, session = debate.progress, debate.session
    if progress.started is None:
        note(say("running-not-begun"))
        return STOPPED
    if as_json:
        failures = [failure.model_dump(mode="json") for failure in debate.bus.failures]
        print_json({**debate_data(session.started(), progress, debate.memory), "failures": failures})
    for failure in debate.bus.failures:
        note(f"{failure.subscriber}: {failure.error}", "warning")
    if session.unsaved:
        note(session.unsaved, "warning")
    if stopped:
        gone = _dropped(debate)
        told = say("running-stopped", message=str(progress.messages), session=session.name, resume=_resume(debate))
        note(say("running-none-kept") if gone else told)
        return STOPPED
    voted = any(not cast.ballot.invalid for cast in progress.ballots) or bool(progress.polls)
    code = 0 if progress.messages or voted else _NOTHING
    if code:
        note(say("running-nobody"))
    if quiet and not as_json:
        click.echo(fitted("\n".join(only_verdict(session, progress, debate.memory)), sys.stdout))
    elif not as_json:
        _tell_next(debate)
    return code


def _tell_next(debate: Debate) -> None:
    """Print the answer in the model's words, what the debate took, where it is and how to go on."""
    progress, session, spent = debate.progress, debate.session, debate.progress.spent
    if progress.report and progress.report.line:  # written after the verdict was shown
        click.echo(fitted(say("report-line", line=progress.report.line, by=progress.report.by), sys.stdout))
    calls = f"{say('figure-messages', number=progress.messages)}, {took(spent, words=spoken())}"
    click.echo(fitted(f"{say('screen-label', 'took')}: {calls}, {span(spent.seconds)}", sys.stdout))
    click.echo(f"{say('screen-label', 'saved')}: {session.name}")
    click.echo(say("sessions-read-it", typed=session.typed))
    click.echo(say("running-report", typed=session.typed))
    page = session.folder / PAGE_FILE if session.folder else None
    if page is not None and page.exists():
        click.echo(say("running-page", page=str(page)))
    ended = SHIPPED.get(progress.ended or "", SHIPPED["messages"])
    click.echo(
        f"{say('screen-label', 'go-on')}: {_resume(debate)} {ended.raised(progress)}"
    )  # with twice what ran out, or more messages


async def _watched(
    debate: Debate,
    seat: TerminalSeat | None,
    guests: Guests | None,
    show: Callable[[Event], None],
    tell: Callable[[str], None],
) -> Result:
    loop = asyncio.get_running_loop()
    # SIGINT is asyncio.run's own: it cancels, and a second one ends the process.
    with suppress(RuntimeError, AttributeError):  # a loop that cannot (on Windows), or not the main thread
        loop.add_signal_handler(signal.SIGTERM, debate.stop)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # else it was started to run on without its terminal
            loop.add_signal_handler(signal.SIGHUP, debate.stop)
    editor = seat.editor if seat is not None else None
    replay = debate.runner if isinstance(debate.runner, RecordedRunner) and seat is None else None
    async with closing(debate.runner), guests.served() if guests is not None else nullcontext():
        async with editor.open() if editor is not None else nullcontext():
            with _hurried_by_enter(replay) if replay is not None and replay.pace else nullcontext():
                result = await (_with(seat, debate) if seat is not None and editor is None else debate.run())
            on_wait.set(show)  # the debate's bus is closed
            await afterwards(debate, tell)
        if guests is not None and on_screen() and debate.progress.state == "ended":
            closed = asyncio.Event()
            with on_enter(closed.set) as can, suppress(asyncio.CancelledError):  # Ctrl-C closes it as well
                await (guests.read_on(closed) if can else asyncio.sleep(0))
        return result


async def _with(seat: TerminalSeat, debate: Debate) -> Result:
    """Run the debate and read what the person types; return the debate's result."""
    running = asyncio.ensure_future(debate.run())
    await asyncio.sleep(0)  # the debate has begun when the first line is read
    with listening(seat):
        return await running


def on_screen() -> bool:
    """Return whether the output is a terminal that can be redrawn."""
    return sys.stdout.isatty() and os.environ.get("TERM", "") not in _NO_CURSOR


@contextmanager
def _hurried_by_enter(replay: RecordedRunner) -> Iterator[None]:
    """Have a line typed at the terminal show the rest of a recording at once."""
    with on_enter(lambda: setattr(replay, "pace", 0.0)) as can:
        if can:
            note(say("running-hurried"))
        yield


@contextmanager
def _view(
    debate: Debate, sitting: Sitting, seat: TerminalSeat | None, guests: Guests | None
) -> Iterator[Callable[[Event], None]]:
    """Open the screen of a running debate, live on a terminal, else lines; yield the function that shows one event."""
    editor = None
    above: AbstractContextManager[None] = nullcontext()
    if seat is not None and sys.stdin is not None and sys.stdin.isatty() and on_screen():
        from prompt_toolkit.patch_stdout import patch_stdout

        from eda.cli.terminal.prompt import PromptLine

        editor = seat.editor = PromptLine(seat)
        above = patch_stdout(raw=True)  # what is written to the standard streams appears above the line

    with above, _screen(debate, sitting, editor, guests) as view:
        debate.bus.subscribe(Event, view.handle, name="screen")
        if seat is not None:
            seat.show = view.show
        if guests is not None:
            guests.show = view.show
        yield view.handle


def _screen(
    debate: Debate, sitting: Sitting, editor: PromptLine | None, guests: Guests | None
) -> AbstractContextManager[LiveView | PlainView]:
    """Return the screen of a debate. Its console writes to the output as it is now: above an editor's line, if any."""

    def written(text: str) -> None:
        try:
            click.echo(fitted(text, sys.stdout))
        except BrokenPipeError:
            debate.stop()  # nobody reads the output: spend no more

    told = partial(page_now, debate.session, debate.progress, debate.memory)
    if not on_screen():
        return nullcontext(PlainView(written, sitting, told))
    from eda.cli.terminal.live import LiveView

    view = LiveView(console_for(), sitting, debate.progress, debate.memory, editor, told)
    view.status.voting = lambda: debate.inbox.voting
    view.status.reported = lambda: guests is not None and guests.reading
    return view


def _resume(debate: Debate) -> str:
    folder = debate.session.folder
    guests = Invitations(folder).seats if folder is not None else ()
    people = [member for member in debate.members if member.person]
    here = [each.title for each in people if not any(is_seat_of(name, each) for name in guests)]
    seats = [*(f"--human {shlex.quote(name)}" for name in here[:1]), *(f"--invite {shlex.quote(n)}" for n in guests)]
    return " ".join((f"eda resume {debate.session.typed}", *seats))


def _warn_of_price(debate: Debate) -> None:
    """Have a note warn, once, that a budget in dollars is set and the price of a call is unknown."""

    def check(call: CallMade) -> None:
        given_up = call.input_tokens == call.output_tokens == 0  # its usage is unknown with any price
        if call.cost is None and not given_up and debate.progress.settings.limits.cost is not None:
            debate.bus.remove_listener(CallMade, check)
            note(say("running-no-price", model=call.model or "the model"))

    debate.bus.subscribe(CallMade, check, name="prices")
