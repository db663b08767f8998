"""A running debate on a terminal: entries scroll by, who has the floor and what is on the table stays at the bottom."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.padding import Padding
from rich.panel import Panel
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from eda.cli.terminal.entries import Context, Entry
from eda.cli.terminal.header import Sitting
from eda.cli.terminal.printers import Order, Page, Told
from eda.cli.terminal.status import StatusArea
from eda.cli.terminal.style import MEASURE, Colours, last_lines, marked, private_line, prose
from eda.cli.terminal.verdict import count_page
from eda.debate.state import DebateState
from eda.events import Event, SessionEnded, SideMessagePosted
from eda.memory import ConversationMemory
from eda.report.formatting import listed, one_line
from eda.report.phrases import parent_phrase
from eda.words import ENGLISH, Words

if TYPE_CHECKING:
    from eda.cli.terminal.prompt import PromptLine


_DRAWN = 0.1
"""Seconds between two drawings of the status area."""


class LiveView:
    """Shows a running debate; use it as a context."""

    def __init__(
        self,
        console: Console,
        sitting: Sitting,
        progress: DebateState,
        memory: ConversationMemory,
        line: PromptLine | None = None,
        told: Told | None = None,
    ) -> None:
        """Show on `console`; `line` is what the person at this terminal types into, if one sits here.

        `told` returns the page that tells a decision, else the count alone is told.
        """
        self._console, self._told = console, told
        self._sitting = sitting
        self._seats = Colours(member.title for member in sitting.members)
        roles = {member.title: sitting.role(member) for member in sitting.members}
        self._page = Page(console, self._seats, ruled=True)
        self._context = Context(sitting.settings, roles, live=True, people=sitting.people, verbose=sitting.verbose)
        self._order = Order(sitting)
        self._verdict: Entry | None = None
        """The verdict, printed after what it changes in memory."""
        self.status = StatusArea(self._seats, progress, memory)
        self._live: Live | None = None
        self._ticks = False
        self._above = (0.0, "")
        """When the status area was drawn last for the line below it, and how."""
        if line is not None:
            line.above = self._above_the_line
        else:  # drawn by the loop that prints: a thread that draws while it prints would draw over what is printed
            self._live = Live(self.status, console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> Self:
        self._console.print(Text())
        self._console.print(self._header())
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._print(self._order.rest())
        self._print_verdict()
        if self._live is not None:
            self._live.stop()

    def _above_the_line(self) -> str:
        """Return the status area as text with codes for its colours; one drawing of the line asks for it repeatedly."""
        if monotonic() - self._above[0] > _DRAWN / 2:
            with self._console.capture() as captured:
                self._console.print(self.status)
            self._above = monotonic(), captured.get()
        return self._above[1]

    def handle(self, event: Event) -> None:
        """Show one event."""
        self.status.handle(event)
        if not self._ticks:
            self._tick()
        if isinstance(event, SideMessagePosted) and event.on == "verdict":
            self._print_verdict()
        self._print(self._order.after(event))
        if isinstance(event, SessionEnded):
            self._print_verdict()

    def _tick(self) -> None:
        """Draw the status area, and again and again while the loop runs."""
        with suppress(RuntimeError):  # no loop is running
            asyncio.get_running_loop().call_later(_DRAWN, self._tick)
            self._ticks = True
        if self._live is not None and self._live.is_started:
            self._live.refresh()

    def _print(self, events: Iterable[Event]) -> None:
        for entry in (entry for event in events for entry in self._context.entries(event)):
            if entry.verdict is not None:
                self._verdict = entry
            self._page.entry(entry)

    def show(self, text: str) -> None:
        """Print a line for the person at the terminal, above the status area."""
        self._page.item(private_line(text))

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
            parts += [Text(), Text(f"from {parent_phrase(about.parent)}", style="dim")]
        if about.documents:
            parts += [Text(), Text(f"has read {listed(about.documents)}", style="dim")]
        title = ENGLISH.say("show-title", message=about.resumed_at or 0)
        return Panel(
            Group(*parts),
            title=Text(title, style="dim"),
            title_align="left",
            subtitle=Text(f"{one_line(about.runner)} · seed {about.seed} · {one_line(about.session)}", style="dim"),
            subtitle_align="right",
            border_style="bright_black",
            padding=(0, 2),
            width=self._page.width,
        )

    def _print_verdict(self) -> None:
        entry, self._verdict = self._verdict, None
        if entry is None or entry.verdict is None:
            return
        words = Words(entry.language)
        parts = self._told() if self._told else count_page(entry.verdict, words)
        self._page.decision({name: lines for name, lines in parts.items() if name != "sure"}, words)


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
