"""Runs one debate in front of somebody: the view, Ctrl-C, what is said at the end. The debate itself is `Debate`'s."""

from __future__ import annotations

import asyncio
import math
import os
import shlex
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from pathlib import Path

import click

from eda.cli import STOPPED
from eda.cli.common import note, print_json
from eda.cli.report import afterwards
from eda.cli.seat import TerminalSeat, keys, listening
from eda.debate import Debate, Result
from eda.door import door
from eda.effect import helped
from eda.errors import RunnerUnavailableError
from eda.events import CallMade, Event
from eda.protocols import Runner
from eda.runners.names import let_go
from eda.runners.recorded import CALLS_FILE, RecordingRunner
from eda.runners.spec import asks_models
from eda.runners.waiting import delayed, on_wait
from eda.view.base import Sitting, modelled
from eda.view.data import debate_data
from eda.view.helped import helped_lines, took
from eda.view.phrases import ended_phrase
from eda.view.plain import PlainView, verdict_lines
from eda.view.style import console_for
from eda.view.text import count, fitted, listed, span

__all__ = ["advice", "finish", "recorded_in", "run", "seat_of"]

_NO_CURSOR = ("dumb", "unknown")
"""Terminals that cannot draw over what they have shown."""


def recorded_in(folder: Path | None, runner: Runner) -> Runner:
    """The same runner, which also keeps each call in `folder` where one is given."""
    return runner if folder is None else RecordingRunner(runner, folder / CALLS_FILE)


def advice(runner: str | None, spec: str, sitting: Sitting) -> None:
    """Say what a newcomer must know of the runner, in a line each."""
    if runner is None and spec == "simulated":
        note(
            "note: `simulated` plays the panel: it is no language model. "
            "For one, set ANTHROPIC_API_KEY or pass --runner anthropic."
        )
    if sitting.in_part:
        names, plural = listed(sitting.in_part), len(sitting.in_part) > 1
        note(
            f"note: {names} {'are' if plural else 'is'} too long to be shown whole: members are given the lines that "
            "bear on what is said, and not the rest."
        )
    asking = modelled(sitting.members)
    if asking and not asks_models(spec):
        names = ", ".join(f"{name} ({model})" for name, model in asking.items())
        note(f"note: only the runners `anthropic` and `local` obey a persona's `model:`; `{spec}` does not: {names}")


def seat_of(human: str | None, seconds: float | None) -> tuple[TerminalSeat | None, Mapping[str, Runner]]:
    """The seat of whoever sits at this terminal, and the runner that a debate is to give it."""
    if human is None:
        return None, {}
    seat = TerminalSeat(human, seconds)
    return seat, {human: seat.runner}


def run(
    debate: Debate,
    sitting: Sitting,
    *,
    silent: bool = False,
    baseline: bool = False,
    report: bool = True,
    seat: TerminalSeat | None = None,
) -> Result | None:
    """Run to the end, showing it; None where the user stopped it. What was said until then is saved."""
    view, show = (nullcontext(), _unseen) if silent else _view(debate, sitting, seat)
    if seat is not None:
        seat.sit(debate)
    debate.bus.subscribe(CallMade, _Prices(debate).handle, name="prices")
    said: list[str] = []
    try:
        with view:
            result = asyncio.run(_watched(debate, seat, show, said.append, baseline=baseline, report=report))
    except KeyboardInterrupt:
        return None
    except RunnerUnavailableError:
        note(f"saved {sitting.session}; go on with: {_resume(debate)}")
        raise
    finally:
        for line in said:  # now that the view is gone
            note(line)
        for difference in getattr(debate.runner, "differences", ()):
            note(f"warning: {difference}")
        if seat is not None and seat.unsent:
            note(f"not sent: {seat.unsent}")
    return result if debate.progress.state == "ended" else None


def finish(debate: Debate, result: Result | None, sitting: Sitting, *, as_json: bool, quiet: bool) -> int:
    """Say what came of it and what can be done next; gives the exit code."""
    progress = debate.progress
    if progress.started is None:
        note("stopped before it began; nothing was saved")
        return STOPPED
    if as_json:
        failures = [failure.model_dump(mode="json") for failure in debate.bus.failures]
        started = debate.session.started()
        print_json({**debate_data(started, progress, debate.memory), "failures": failures})
    for failure in debate.bus.failures:
        note(f"warning: {failure.subscriber} failed: {failure.error}")
    if debate.session.unsaved:
        note(f"warning: {debate.session.unsaved}")
    if result is None:
        note(f"stopped after m{progress.messages}; saved {sitting.session}; go on with: {_resume(debate)}")
        return STOPPED
    if as_json:
        return 0
    if quiet:
        lines = verdict_lines(result.verdict) if result.verdict else [f"ended: {ended_phrase(result.reason)}"]
        click.echo(fitted("\n".join((*lines, f"session: {sitting.session}")), sys.stdout))
        return 0
    helps = helped(progress, debate.memory)
    if helps is not None:
        click.echo(fitted("\n".join(("", *helped_lines(helps))), sys.stdout))
    spent = progress.spent
    calls = took(spent, progress.by_purpose.get("baseline"))
    click.echo(fitted(f"took: {count(progress.messages, 'message')}, {calls}, {span(spent.seconds)}", sys.stdout))
    click.echo(f"saved: {sitting.session}")
    click.echo(f"read it: eda show {debate.session.typed}")
    click.echo(f"report: eda report {debate.session.typed}")
    click.echo(f"go on: {_resume(debate)} {_higher(debate)}")
    return 0


async def _watched(
    debate: Debate,
    seat: TerminalSeat | None,
    show: Callable[[Event], None],
    tell: Callable[[str], None],
    *,
    baseline: bool,
    report: bool,
) -> Result:
    loop = asyncio.get_running_loop()
    # SIGINT is asyncio.run's own: it cancels, and a second one ends the process.
    with suppress(RuntimeError, AttributeError):  # a loop that cannot (on Windows), or not the main thread
        loop.add_signal_handler(signal.SIGTERM, debate.stop)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # else it was started to outlive its terminal
            loop.add_signal_handler(signal.SIGHUP, debate.stop)
    try:
        async with door(debate.session, debate.inbox):
            result = await (_with(seat, debate) if seat is not None else debate.run())
        if report:
            on_wait.set(lambda *wait: show(delayed(*wait)))  # the debate's bus is closed
            await afterwards(debate, tell, baseline=baseline)
        return result
    finally:
        await let_go(debate.runner)


async def _with(seat: TerminalSeat, debate: Debate) -> Result:
    """Run it while somebody types."""
    running = asyncio.ensure_future(debate.run())
    await asyncio.sleep(0)  # so that it has begun when the first line is read
    with listening(seat):
        return await running


def _unseen(_: Event) -> None:
    """Nothing is shown."""


def _view(
    debate: Debate, sitting: Sitting, seat: TerminalSeat | None
) -> tuple[AbstractContextManager[object], Callable[[Event], None]]:
    """What is shown while it runs, and what shows one event more."""
    if sys.stdout.isatty() and os.environ.get("TERM", "") not in _NO_CURSOR:
        from eda.view.live import LiveView

        below = seat.below if seat is not None else lambda _: None
        live = LiveView(console_for(), sitting, debate.progress, below)
        debate.bus.subscribe(Event, live.handle, name="screen")
        if seat is None:
            return live, live.handle
        seat.show, seat.changed = live.show, live.refresh
        stack = ExitStack()
        if sys.stdin is not None and sys.stdin.isatty():
            stack.enter_context(keys(seat))
        stack.enter_context(live)
        return stack, live.handle

    def write(line: str) -> None:
        try:
            click.echo(fitted(line, sys.stdout))
        except BrokenPipeError:
            debate.stop()  # nobody reads on: spend no more on it

    plain = PlainView(write, sitting)
    debate.bus.subscribe(Event, plain.handle, name="lines")
    if seat is not None:
        seat.show = lambda text: write(f"to you: {text.expandtabs(20)}")
    return nullcontext(), plain.handle


def _resume(debate: Debate) -> str:
    person = next((member.title for member in debate.members if member.person), None)
    return f"eda resume {debate.session.typed}" + (f" --human {shlex.quote(person)}" if person else "")


def _higher(debate: Debate) -> str:
    """The option that takes an ended debate up again: about as much again of what ran out."""
    progress = debate.progress
    settings, spent = progress.settings, progress.spent
    match progress.ended:
        case "money":
            return f"--budget {math.ceil(200 * max(settings.max_cost or 0, spent.cost)) / 100:.2f}"
        case "tokens":
            return f"--budget-tokens {2 * max(settings.max_tokens or 0, spent.tokens)}"
        case "time":
            return f"--budget-time {math.ceil(2 * max(settings.max_seconds or 0, spent.seconds))}"
        case _:
            return f"--max-messages {settings.max_messages + len(debate.members) * 2}"


class _Prices:
    """Says, once, that a budget in dollars cannot be kept where a call's price is unknown."""

    def __init__(self, debate: Debate) -> None:
        self._progress = debate.progress
        self._said = False

    def handle(self, call: CallMade) -> None:
        """Look at one call."""
        given_up = call.input_tokens == call.output_tokens == 0  # nobody can tell what it took, priced or not
        if call.cost is not None or given_up or self._said or self._progress.settings.max_cost is None:
            return
        self._said = True
        model = call.model or "the model"
        note(f"warning: the price of {model} is unknown: --budget cannot be kept; --budget-tokens can")
