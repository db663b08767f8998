"""Follows a session while a process writes it: the facts of its log, then each new one.

A running debate tells of each new fact through its control socket; without one, the log is looked at again and again.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from eda.events import Event, SessionEnded
from eda.session.log import JsonlLog, Log
from eda.session.names import SOCKET_FILE

WATCH = b'{"watch":true}\n'
"""Asks a running debate to send a line now, and one after each fact that it has stored."""
_LONGEST = 103
"""Bytes of a socket's path that all systems accept: macOS has room for 103, Linux for 107."""


@contextmanager
def socket_path(folder: Path) -> Iterator[str]:
    """Yield a path of the control socket that is short enough to open; a long one leads through a link elsewhere."""
    path = folder / SOCKET_FILE
    if len(os.fsencode(path)) <= _LONGEST:
        yield str(path)
        return
    with tempfile.TemporaryDirectory(prefix="eda-") as short:
        link = Path(short, "s")
        link.symlink_to(folder.absolute(), target_is_directory=True)
        yield str(link / SOCKET_FILE)


async def facts_of(log: Log, news: News, after: int, *, forever: bool) -> AsyncGenerator[Event, None]:
    """Yield the facts of a session's log; see `Session.follow`."""
    written = True
    try:
        while True:
            await news.connect()
            if isinstance(log, JsonlLog):
                log.refresh()
            for event in log.read(after):
                after = event.seq
                yield event
            if not forever and (not written or _has_ended(log)):
                return
            written = await news.wait()
    finally:
        news.close()


def _has_ended(log: Log) -> bool:
    return isinstance(next(log.read(log.last_seq - 1), None), SessionEnded)


class News:
    """Waits until a session may have new facts."""

    def __init__(self, folder: Path | None, written: Callable[[], bool], interval: float) -> None:
        """Watch a session's folder, and look every `interval` seconds; `written` says whether a process may write."""
        self._folder = folder
        self._written = written
        self._interval = interval
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def connect(self) -> None:
        """Ask the process that runs the session to tell of new facts, if there is one and it was not asked yet."""
        if self._reader is None and self._folder is not None and hasattr(asyncio, "open_unix_connection"):
            with suppress(OSError), socket_path(self._folder) as path:
                self._reader, self._writer = await asyncio.open_unix_connection(path)
                self._writer.write(WATCH)

    async def wait(self) -> bool:
        """Wait for news, or for the interval. Return whether a process may write the session."""
        if self._reader is not None:
            with suppress(OSError):
                if await self._reader.read(4096):
                    return True
            self.close()
        await asyncio.sleep(self._interval)
        return self._written()

    def close(self) -> None:
        """Ask for nothing any more."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None
