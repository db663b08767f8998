"""Follows a session while a process writes it: the facts of its log, then each new one.

The log is looked at again and again, whichever process writes it.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from eda.events import Event, SessionEnded
from eda.session.log import JsonlLog, Log
from eda.session.names import SOCKET_FILE

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


async def facts_of(
    log: Log, written: Callable[[], bool], after: int, *, forever: bool, interval: float
) -> AsyncGenerator[Event, None]:
    """Yield the facts of a session's log; see `Session.follow`. `written` says whether a process may write it."""
    more = True
    while True:
        if isinstance(log, JsonlLog):
            log.refresh()
        for event in log.read(after):
            after = event.seq
            yield event
        if not forever and (not more or _has_ended(log)):
            return
        await asyncio.sleep(interval)
        more = written()


def _has_ended(log: Log) -> bool:
    return isinstance(next(log.read(log.last_seq - 1), None), SessionEnded)
