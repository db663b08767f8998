"""Reads the standard input: the lines that a person types into their seat, and Enter where no line is edited."""

import asyncio
import os
import select
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from eda.cli.terminal.human_seat import LONGEST, TerminalSeat

# Bytes kept of a line without an end.
_LONGEST_LINE = 4 * LONGEST


@contextmanager
def listening(seat: TerminalSeat) -> Iterator[None]:
    """Read the standard input into a seat while a debate runs in this loop."""
    if sys.stdin is None or sys.stdin.closed:
        seat.left()
        yield
        return
    lines = _Lines(seat, sys.stdin.fileno())
    seat.free = lines.pass_on
    lines.pass_on()
    try:
        yield
    finally:
        lines.closed = True


def _ready(number: int) -> bool:
    """Return whether an open file has something to read; on Windows that is not known."""
    try:
        return bool(select.select([number], [], [], 0)[0])
    except (OSError, ValueError):
        return False


class _Lines:
    """Whole lines from a pipe, a file, or a terminal that edits them itself.

    A thread waits for them: no loop waits for a file, and on Windows none for a terminal. A line that answers no
    question waits until the message before it is posted, and nothing is read meanwhile. So a program that never stops
    writing has one message a turn.
    """

    def __init__(self, seat: TerminalSeat, number: int) -> None:
        """Read from the open file of that number."""
        self._seat = seat
        self._number = number
        self._loop = asyncio.get_running_loop()
        self._rest = b""
        self._lines: deque[bytes] = deque()
        self._reading = self._ended = self.closed = False

    def _read(self) -> None:
        """Read the next piece, and pass it to the loop; an empty one at the end."""
        try:
            data = os.read(self._number, 65536)
        except OSError:
            data = b""
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._arrived, data)

    def _arrived(self, data: bytes) -> None:
        """Add a piece of the input; a last line without an end counts."""
        self._reading, self._ended = False, not data
        *lines, self._rest = (self._rest + data).split(b"\n")
        if self._rest and (self._ended or len(self._rest) > _LONGEST_LINE):
            lines, self._rest = [*lines, self._rest], b""
        self._lines.extend(lines)
        self.pass_on()

    def pass_on(self) -> None:
        """Pass the next line to the seat; the others follow one at a time, so that many lines block nothing else."""
        if self.closed or self._seat.waits:
            return
        if self._lines:
            self._seat.line(self._lines.popleft().decode("utf-8", "replace").rstrip("\r"))
            self._loop.call_soon(self.pass_on)
        elif self._ended:
            self.closed = True
            self._seat.left()
        elif not self._reading:
            self._reading = True
            if _ready(self._number):
                self._read()
            else:
                threading.Thread(target=self._read, daemon=True).start()


@contextmanager
def on_enter(do: Callable[[], None]) -> Iterator[bool]:
    """Call a function at each line that is typed at the terminal; yield whether there is one to watch."""
    loop, watched = asyncio.get_running_loop(), False

    def typed() -> None:
        sys.stdin.readline()
        do()

    if sys.stdin is not None and sys.stdin.isatty():
        with suppress(RuntimeError):  # a loop that cannot watch a terminal (on Windows)
            loop.add_reader(sys.stdin.fileno(), typed)
            watched = True
    try:
        yield watched
    finally:
        if watched:
            loop.remove_reader(sys.stdin.fileno())
