"""Reads the standard input: the lines that a person types into their seat, and Enter where no line is edited."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from eda.cli.terminal.human_seat import LONGEST, TerminalSeat

_LONGEST_LINE = 4 * LONGEST
"""Bytes kept of a line without an end."""


@contextmanager
def listening(seat: TerminalSeat) -> Iterator[None]:
    """Read the standard input into a seat while a debate runs in this loop."""
    loop = asyncio.get_running_loop()
    stream = sys.stdin
    if stream is None or stream.closed:
        seat.left()
        yield
        return
    number = stream.fileno()

    def take() -> None:
        try:
            data = os.read(number, 65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        loop.remove_reader(number)
        if data:
            lines.feed(data)
        else:
            lines.end()

    lines = _Lines(seat, lambda: loop.add_reader(number, take))
    try:
        loop.add_reader(number, take)
    except RuntimeError:  # on Windows a loop cannot wait for a terminal
        lines = _Lines(seat, _by_thread(loop, stream, lambda data: lines.feed(data) if data else lines.end()))
        lines.pass_on()
    except (PermissionError, OSError):  # a loop cannot wait for a file, which is always ready
        lines = _Lines(seat, lambda: None)
        lines.feed(stream.buffer.read())
        lines.end()
    seat.free = lines.pass_on
    try:
        yield
    finally:
        lines.close()
        with suppress(RuntimeError):
            loop.remove_reader(number)


def _by_thread(loop: asyncio.AbstractEventLoop, stream: TextIO, got: Callable[[bytes], None]) -> Callable[[], None]:
    """Return a function that reads the next piece in a thread and passes it to `got` in the loop, empty at the end."""
    waiting = False

    def arrived(data: bytes) -> None:
        nonlocal waiting
        waiting = False
        got(data)

    def read() -> None:
        try:
            # Unbuffered: a thread that waits for a buffer's lock would break the end of the program.
            data = stream.buffer.raw.read(65536)  # type: ignore[attr-defined]  # a real stream has it
        except (OSError, ValueError):
            data = b""
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(arrived, data or b"")

    def more() -> None:
        nonlocal waiting
        if not waiting:
            waiting = True
            threading.Thread(target=read, daemon=True).start()

    return more


class _Lines:
    """Whole lines from a pipe, or from a terminal that edits them itself.

    A line that answers no question waits until the message before it is posted, and nothing is read meanwhile. So a
    program that never stops writing has one message a turn.
    """

    def __init__(self, seat: TerminalSeat, more: Callable[[], None]) -> None:
        """`more` starts reading the next piece."""
        self._seat = seat
        self._more = more
        self._rest = b""
        self._lines: deque[bytes] = deque()
        self._ended = False
        self._closed = False

    def feed(self, data: bytes) -> None:
        """Add a piece of the input."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > _LONGEST_LINE:
            lines, self._rest = [*lines, self._rest], b""
        self._lines.extend(lines)
        self.pass_on()

    def end(self) -> None:
        """Handle the end of the input; a last line without an end counts."""
        self._ended = True
        if self._rest:
            self._lines.append(self._rest)
        self.pass_on()

    def pass_on(self) -> None:
        """Pass the next line to the seat; the others follow one at a time, so that many lines block nothing else."""
        if self._closed or self._seat.waits:
            return
        if self._lines:
            self._seat.line(self._lines.popleft().decode("utf-8", "replace").rstrip("\r"))
            asyncio.get_running_loop().call_soon(self.pass_on)
        elif self._ended:
            self.close()
            self._seat.left()
        else:
            self._more()

    def close(self) -> None:
        """Stop passing lines on."""
        self._closed = True


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
