"""What stays below a debate on a terminal: who is at it, the last lines of what is being written, the counts."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.spinner import Spinner
from rich.text import Text

from eda.events import CallDelayed, TextStreamed
from eda.inbox import PAUSED_BY
from eda.progress import Progress
from eda.view.phrases import delay_phrase
from eda.view.style import MEASURE, Colours, last_lines
from eda.view.text import count, money, one_line, shorten, span, tokens

__all__ = ["INDENT", "Bottom"]

INDENT = 5
"""Columns before all that is said."""
_BESIDE = 5
"""Columns of the first line that are not its words."""
_WAITING = {
    "": "the panel takes its seats",
    "blind": "all write side by side",
    "open": "the panel weighs who speaks next",
    "round": "each has a word in turn",
    "poll": "each is asked in private where it stands",
    "ballot": "the panel votes",
    "verdict": "the votes are counted",
}


class Bottom:
    """Drawn again and again; below it stands the line that a person types, where one sits at this terminal."""

    def __init__(self, seats: Colours, progress: Progress, below: Callable[[int], Text | None]) -> None:
        """`below` gives, for a width in columns, the line that is being typed."""
        self._seats = seats
        self._progress = progress
        self._below = below
        self._writing: dict[str, str] = {}
        self._waits: tuple[float, str] = (0.0, "")
        """Until when a call waits, and what to say of it until then."""
        self._spinner = Spinner("dots", style="dim")
        self._began = time.monotonic() - progress.spent.seconds

    def clear(self, who: str | None = None) -> None:
        """Nothing is being written any more, by `who` or by anybody."""
        if who is None:
            self._writing.clear()
        else:
            self._writing.pop(who, None)

    def stream(self, event: TextStreamed) -> None:
        """A member writes on."""
        self._writing[event.agent] = self._writing.get(event.agent, "") + event.text

    def wait(self, event: CallDelayed) -> None:
        """A member's call is made again later."""
        self.clear(event.agent)  # it will be written from the start
        seconds = max(event.seconds, 2.0)  # that another model is asked at once can be read, too
        self._waits = (time.monotonic() + seconds, delay_phrase(event))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Its lines, as they are now."""
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
        """Who is at what."""
        progress = self._progress
        # A copy of all that is looked at twice: this is drawn in a thread of its own, while members write on.
        grant, at, writing = progress.grant, progress.at, dict(self._writing)
        if progress.paused is not None:
            waits = progress.paused.startswith(PAUSED_BY)  # else the program is about to end
            return Text("paused; /resume goes on" if waits else "stopping", style="yellow")
        until, phrase = self._waits
        if time.monotonic() < until:
            return Text(f"waiting: {phrase}", style="yellow")
        if grant:
            state = "is writing" if writing.get(grant.agent) else "has the floor"
            return Text.assemble(self._seats.name(grant.agent), (f" {state}", "dim"))
        waiting = _WAITING[at.kind if at else ""]
        if writing:
            busy = (f"{one_line(name)} {len(text.split())}" for name, text in writing.items())
            return Text(f"{waiting}, words so far: {', '.join(busy)}", style="dim")
        return Text(waiting if progress.ended is None else "the report is written", style="dim")

    def _status(self, width: int) -> str:
        """What was said and spent, beside the limits, and the phase where there is room for it."""
        progress, spent, most = self._progress, self._progress.spent, self._progress.settings
        counts = " · ".join(
            (
                f"{progress.messages}/{count(most.max_messages, 'message')}",
                tokens(spent.tokens, most.max_tokens),
                money(spent.cost, spent.unpriced_calls, most.max_cost),
                span(time.monotonic() - self._began, most.max_seconds),
            )
        )
        whole = f"{counts} · {one_line(progress.phase) or 'start'}"
        return whole if len(whole) <= width else shorten(counts, width)
