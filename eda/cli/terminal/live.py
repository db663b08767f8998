"""A running debate on a terminal: entries scroll by, who has the floor and what it costs stays at the bottom."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.padding import Padding
from rich.panel import Panel
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from eda.cli.terminal.entries import Context, Entry
from eda.cli.terminal.header import Sitting
from eda.cli.terminal.printers import Page, Unsealing
from eda.cli.terminal.style import INDENT, MEASURE, Colours, last_lines, marked, private_line, prose
from eda.cli.terminal.verdict import verdict_parts
from eda.debate.control.queue import PAUSED_BY
from eda.debate.state import DebateState
from eda.events import (
    CallDelayed,
    Event,
    MessagePosted,
    PhaseStarted,
    SessionEnded,
    SideMessagePosted,
    TextStreamed,
    TurnFailed,
    TurnPassed,
)
from eda.report.formatting import count, listed, money, one_line, shorten, span, tokens
from eda.report.phrases import delay_phrase

_BESIDE = 5
"""Columns of the first line that the spinner and the margins take."""
_SITTING_DOWN = "the panel takes its seats"
"""Shown before the first phase."""
_SHORTEST = 2.0
"""Seconds that a wait is shown at least: a call to another model at once could not be read."""


class LiveView:
    """Shows a running debate; use it as a context."""

    def __init__(
        self,
        console: Console,
        sitting: Sitting,
        progress: DebateState,
        below: Callable[[int], Text | None] = lambda _: None,
    ) -> None:
        """Show on `console`; `below` returns, for a width in columns, the line that is being typed, if any."""
        self._console = console
        self._sitting = sitting
        self._seats = Colours(member.title for member in sitting.members)
        roles = {member.title: sitting.role(member) for member in sitting.members}
        names = max((Text(title).cell_len for title in roles), default=0)
        self._page = Page(console, self._seats, ruled=True, names=names)
        self._context = Context(sitting.settings, progress, roles, talk_only=sitting.talk_only)
        self._unsealing = Unsealing()
        self._verdict: Entry | None = None
        """The verdict, printed after what it changes in memory."""
        self.status = StatusArea(self._seats, progress, below)
        self._live = Live(self.status, console=console, refresh_per_second=10, transient=True)

    def __enter__(self) -> Self:
        self._console.print(Text())
        self._console.print(self._header())
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._print(self._unsealing.rest())
        self._print_verdict()
        self._live.stop()

    def handle(self, event: Event) -> None:
        """Show one event."""
        self.status.handle(event)
        if isinstance(event, SideMessagePosted) and event.on == "verdict":
            self._print_verdict()
        self._print(self._unsealing.after(event))
        if isinstance(event, SessionEnded):
            self._print_verdict()

    def _print(self, events: Iterable[Event]) -> None:
        for entry in (entry for event in events for entry in self._context.entries(event)):
            if entry.verdict is not None:
                self._verdict = entry
            self._page.entry(entry)

    def show(self, text: str) -> None:
        """Print a line for the person at the terminal, above the status area."""
        self._page.item(private_line(text))

    def refresh(self) -> None:
        """Draw the status area again: it has changed."""
        self._live.refresh()

    def _header(self) -> Panel:
        about = self._sitting
        parts: list[RenderableType] = [Text(one_line(about.question), style="bold")]
        parts += [Padding(marked(Text("◦", "dim"), Text(one_line(option))), (0, 0, 0, 2)) for option in about.options]
        seats = Table.grid(padding=(0, 1))
        for member in about.members:
            dot = Text("●", style=self._seats.colour(member.title))
            seats.add_row(dot, self._seats.name(member.title), Text(f" {about.role(member)}", style="dim"))
        parts += [Text(), seats]
        if about.parent:
            parts += [Text(), Text(f"from {one_line(about.parent)}", style="dim")]
        if about.documents:
            parts += [Text(), Text(f"has read {listed(about.documents)}", style="dim")]
        title = "a panel debates" if about.resumed_at is None else f"the panel goes on after m{about.resumed_at}"
        return Panel(
            Group(*parts),
            title=Text(title, style="dim"),
            title_align="left",
            subtitle=Text(f"{one_line(about.runner)} · seed {about.seed} · {one_line(about.session)}", style="dim"),
            subtitle_align="right",
            border_style="bright_black",
            padding=(1, 2),
            width=self._page.width,
        )

    def _print_verdict(self) -> None:
        entry, self._verdict = self._verdict, None
        if entry is None or entry.verdict is None:
            return
        verdict, width = entry.verdict, self._page.width
        self._console.print(Text())
        self._console.print(
            Panel(
                Group(*verdict_parts(verdict, self._seats, width - 6)),
                title=Text("Verdict", style="bold"),
                title_align="left",
                border_style="green" if verdict.outcome is not None else "yellow",
                padding=(1, 2),
                width=width,
            )
        )


class StatusArea:
    """The lines below the debate, drawn ten times a second, with the line that a person types at the bottom."""

    def __init__(self, seats: Colours, progress: DebateState, below: Callable[[int], Text | None]) -> None:
        """`below` returns, for a width in columns, the line that is being typed."""
        self._seats = seats
        self._progress = progress
        self._below = below
        self._writing: dict[str, str] = {}
        self._waits: tuple[float, str] = (0.0, "")
        """Until when a call waits, and the words for it."""
        self._spinner = Spinner("dots", style="dim")
        self.went_on_for(progress.spent.seconds)

    def went_on_for(self, seconds: float) -> None:
        """Have the clock say that the debate has run for so long."""
        self._began = time.monotonic() - seconds

    def handle(self, event: Event) -> None:
        """Follow who is writing what, and which call waits."""
        match event:
            case PhaseStarted():
                self._writing.clear()
            case MessagePosted(who=who) | TurnFailed(who=who) | TurnPassed(who=who):
                self._writing.pop(who, None)
            case TextStreamed():
                self._writing[event.agent] = self._writing.get(event.agent, "") + event.text
            case CallDelayed():
                self._writing.pop(event.agent, None)  # the reply will be written from the start
                seconds = max(event.seconds, _SHORTEST)
                self._waits = (time.monotonic() + seconds, delay_phrase(event))
            case _:
                pass

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines as they are now."""
        yield Text()
        width = min(options.max_width - INDENT - 1, MEASURE)
        at_it = self.at_it()
        at_it.truncate(options.max_width - _BESIDE, overflow="ellipsis")
        self._spinner.update(text=at_it)
        yield Padding(self._spinner, (0, 0, 0, 2))
        grant = self._progress.grant
        if grant and (text := self._writing.get(grant.agent)):
            for line in last_lines(text, console, width):
                yield Padding(line, (0, 0, 0, INDENT))
        yield Text(self._status(options.max_width - 2), style="dim")
        typed = self._below(options.max_width - 1)
        if typed is not None:
            yield typed

    def at_it(self) -> Text:
        """Return who is doing what."""
        progress = self._progress
        # Copies, because this runs in a thread of its own while members write on.
        grant, at, writing = progress.grant, progress.at, dict(self._writing)
        if progress.paused is not None:
            waits = progress.paused.startswith(PAUSED_BY)  # else the program is ending
            return Text("paused; /resume goes on" if waits else "stopping", style="yellow")
        until, phrase = self._waits
        if time.monotonic() < until:
            return Text(f"waiting: {phrase}", style="yellow")
        if grant:
            state = "is writing" if writing.get(grant.agent) else "has the floor"
            return Text.assemble(self._seats.name(grant.agent), (f" {state}", "dim"))
        waiting = at.does.waiting if at else _SITTING_DOWN
        if writing:
            busy = (f"{one_line(name)} {len(text.split())}" for name, text in writing.items())
            return Text(f"{waiting}, words so far: {', '.join(busy)}", style="dim")
        return Text(waiting if progress.ended is None else "the report is written", style="dim")

    def _status(self, width: int) -> str:
        """Return messages, usage and limits, and the phase if there is room for it."""
        progress, spent, most = self._progress, self._progress.spent, self._progress.settings
        counts = f"{progress.messages}/{count(most.max_messages, 'message')} · {tokens(spent.tokens, most.max_tokens)}"
        counts += f" · {money(spent.cost, spent.unpriced_calls, most.max_cost)}"
        counts += f" · {span(time.monotonic() - self._began, most.max_seconds)}"
        whole = f"{counts} · {one_line(progress.phase).replace('-', ' ') or 'start'}"
        return whole if len(whole) <= width else shorten(counts, width)


class QuestionView:
    """Shows one answer while it is written, in a pipe nothing; use it as a context."""

    def __init__(self, console: Console, who: str) -> None:
        self._spinner = Spinner("dots", text=prose(f"{one_line(who)} is thinking", "dim"), style="dim")
        self._text = ""
        shown = who and console.is_terminal and not console.is_dumb_terminal
        self._live = Live(self, console=console, refresh_per_second=10, transient=True) if shown else None

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start(refresh=True)  # an answer may come before the first refresh
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def add(self, piece: str) -> None:
        """Add the next piece of the text."""
        self._text += piece

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the last lines, or a spinner before the first one."""
        if not self._text.strip():
            yield self._spinner
            return
        for line in last_lines(self._text, console, min(options.max_width, MEASURE)):
            yield Padding(line, (0, 0))
