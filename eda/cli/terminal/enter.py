"""The Enter key of a terminal at which no line is edited."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


@contextmanager
def on_enter(do: Callable[[], None]) -> Iterator[bool]:
    """Call a function at each line that is typed at the terminal; yield whether there is one to watch."""
    loop, watched = asyncio.get_running_loop(), False

    def typed() -> None:
        sys.stdin.readline()
        do()

    if sys.stdin is not None and sys.stdin.isatty():
        with suppress(RuntimeError, NotImplementedError):  # a loop that cannot watch a terminal (on Windows)
            loop.add_reader(sys.stdin.fileno(), typed)
            watched = True
    try:
        yield watched
    finally:
        if watched:
            loop.remove_reader(sys.stdin.fileno())
