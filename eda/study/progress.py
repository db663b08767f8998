"""How far a run has come, on one line that is written anew: of a terminal, or of a notebook."""

from __future__ import annotations

import shutil
import sys
import time
from types import TracebackType
from typing import Self, TextIO

from eda.study.status import Status

_PAUSE = 0.1
"""Seconds between two lines: who runs 10,000 cells need not see each."""


class Progress:
    """A live line with the cells done, what failed, the money, and the time left; nothing where nobody looks on.

    Args:
        stream: Where it is written; None for the output of a notebook, if this is one.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stdout
        self._live = stream.isatty() if stream is not None else "ipykernel" in sys.modules
        self._began = time.monotonic()
        self._next = 0.0
        self._first: int | None = None
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _at: TracebackType | None) -> None:
        if self._live:
            self._write("")

    def show(self, found: Status) -> None:
        """Show the status."""
        done, now = found.counts["ended"], time.monotonic()
        self._first = done if self._first is None else self._first
        if not self._live or now < self._next:
            return
        self._next = now + _PAUSE
        here, left = done - self._first, len(found.cells) - done
        more = f", {_span((now - self._began) / here * left)} left" if here and left else ""
        self._write(f"{found}{more}")

    def _write(self, line: str) -> None:
        # Blanks over what stood there: a notebook knows no code that clears a line.
        line = line[: shutil.get_terminal_size().columns - 1]  # a longer one would wrap, and stay
        self._stream.write(f"\r{line:{self._width}}" + ("" if line else "\r"))
        self._stream.flush()
        self._width = len(line)


def _span(seconds: float) -> str:
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"
