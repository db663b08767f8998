"""Runs one debate in front of somebody: the view, Ctrl-C, what is said at the end. The debate itself is `Debate`'s."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import sys
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path

import click

from eda.cli.common import note, print_json
from eda.debate import Debate, Result
from eda.errors import RunnerUnavailableError
from eda.events import Event
from eda.view.base import Sitting, modelled
from eda.view.data import debate_data
from eda.view.phrases import ended_phrase
from eda.view.plain import PlainView, verdict_lines
from eda.view.text import count, money, span, tokens

__all__ = ["STOPPED", "advice", "finish", "run"]

STOPPED = 130
"""Exit code where the user stopped it."""

_NO_CURSOR = ("dumb", "unknown")
"""Terminals that cannot draw over what they have shown."""


def advice(runner: str | None, spec: str, sitting: Sitting) -> None:
    """Say what a newcomer must know of the runner, in a line each."""
    if runner is None and spec == "simulated":
        note(
            "note: `simulated` plays the panel: it is no language model. "
            "For one, set ANTHROPIC_API_KEY or pass --runner anthropic."
        )
    asking = modelled(sitting.members)
    if asking and not spec.startswith("anthropic"):
        names = ", ".join(f"{name} ({model})" for name, model in asking.items())
        note(f"note: only the runner `anthropic` obeys a persona's `model:`; `{spec}` does not: {names}")


def run(debate: Debate, sitting: Sitting, *, silent: bool = False) -> Result | None:
    """Run to the end, showing it; None where the user stopped it. What was said until then is saved."""
    view: AbstractContextManager[object] = nullcontext() if silent else _view(debate, sitting)
    try:
        with view:
            result = asyncio.run(_watched(debate))
    except KeyboardInterrupt:
        return None
    except RunnerUnavailableError:
        note(f"saved {sitting.session}; go on with: {_resume(debate)}")
        raise
    return result if debate.progress.state == "ended" else None


def finish(debate: Debate, result: Result | None, sitting: Sitting, *, as_json: bool, quiet: bool) -> int:
    """Say what came of it and what can be done next; gives the exit code."""
    progress = debate.progress
    if as_json:
        failures = [failure.model_dump(mode="json") for failure in debate.bus.failures]
        started = debate.session.started()
        print_json({**debate_data(started, progress, debate.memory), "failures": failures})
    for failure in debate.bus.failures:
        note(f"warning: {failure.subscriber} failed: {failure.error}")
    for difference in getattr(debate.runner, "differences", ()):
        note(f"warning: {difference}")
    if result is None:
        note(f"stopped after m{progress.messages}; saved {sitting.session}; go on with: {_resume(debate)}")
        return STOPPED
    if as_json:
        return 0
    if quiet:
        lines = verdict_lines(result.verdict) if result.verdict else [f"ended: {ended_phrase(result.reason)}"]
        for line in (*lines, f"session: {sitting.session}"):
            click.echo(line)
        return 0
    where = _sessions(debate)
    more = progress.settings.max_messages + len(sitting.members) * 2
    spent = progress.spent
    took = [tokens(spent.tokens), money(spent.cost, spent.unpriced_calls), span(spent.seconds)]
    click.echo(f"\ntook: {count(progress.messages, 'message')}, {', '.join(took)}")
    click.echo(f"saved: {sitting.session}")
    click.echo(f"read it: eda show {sitting.session}{where}")
    click.echo(f"go on: eda resume {sitting.session} --max-messages {more}{where}")
    return 0


async def _watched(debate: Debate) -> Result:
    loop = asyncio.get_running_loop()
    # SIGINT is asyncio.run's own: it cancels, and a second one ends the process.
    with suppress(NotImplementedError, RuntimeError):
        loop.add_signal_handler(signal.SIGTERM, debate.stop)
    return await debate.run()


def _view(debate: Debate, sitting: Sitting) -> AbstractContextManager[object]:
    if sys.stdout.isatty() and os.environ.get("TERM", "") not in _NO_CURSOR:
        from eda.view.live import LiveView
        from eda.view.style import console_for

        live = LiveView(console_for(), sitting, debate.progress)
        debate.bus.subscribe(Event, live.handle, name="screen")
        return live

    def write(line: str) -> None:
        try:
            click.echo(line)
        except BrokenPipeError:
            debate.stop()  # nobody reads on: spend no more on it

    debate.bus.subscribe(Event, PlainView(write, sitting).handle, name="lines")
    return nullcontext()


def _resume(debate: Debate) -> str:
    return f"eda resume {debate.session.name}{_sessions(debate)}"


def _sessions(debate: Debate) -> str:
    folder = debate.session.folder
    if folder is None or folder.parent == Path("sessions"):
        return ""
    return f" --sessions {shlex.quote(str(folder.parent))}"
