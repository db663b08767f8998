"""One answer as it is written: on a terminal its last lines, gone once it is whole; in a pipe nothing."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.padding import Padding
from rich.spinner import Spinner

from eda.view.style import MEASURE, last_lines, prose
from eda.view.text import one_line

__all__ = ["Writing"]


class Writing:
    """Shows that `who` is at it, and what it has written; use it as a context."""

    def __init__(self, console: Console, who: str) -> None:
        self._spinner = Spinner("dots", text=prose(f"{one_line(who)} is thinking", "dim"), style="dim")
        self._text = ""
        shown = who and console.is_terminal and not console.is_dumb_terminal
        self._live = Live(self, console=console, refresh_per_second=10, transient=True) if shown else None

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start(refresh=True)  # an answer may come before the first tenth of a second has passed
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def add(self, piece: str) -> None:
        """Take the next piece of the text."""
        self._text += piece

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The last lines, or that there are none yet."""
        if not self._text.strip():
            yield self._spinner
            return
        for line in last_lines(self._text, console, min(options.max_width, MEASURE)):
            yield Padding(line, (0, 0))
