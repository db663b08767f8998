"""The control socket of a running session: a socket in its folder, through which another process requests changes.

The engine makes the changes between two turns, like those that a person at the table requests. The log says what was
changed; the answer only gives the `seq` of each fact. Whoever may write in the folder may request changes.
"""

from __future__ import annotations

import asyncio
import os
import select
import socket
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import orjson
from pydantic import Field, TypeAdapter, ValidationError

from eda.debate.control.changes import Change, steer
from eda.debate.control.queue import ControlQueue
from eda.errors import EdaError, SessionBusyError, SessionError, UsageError
from eda.events import Event
from eda.panels.files import own_mode
from eda.session import SOCKET_FILE, Session

_CHANGES: TypeAdapter[list[Change]] = TypeAdapter(list[Annotated[Change, Field(discriminator="kind")]])
_MAX_REQUEST = 1 << 20
"""Bytes of one request: enough for some full personas."""
_LOCK_SECONDS = 2.0
"""How long to wait for a process that writes the session without a socket, such as one that takes a note."""
_NOTICE_SECONDS = 0.3
"""How long a request waits before its sender is told that a turn must end first."""
_CLOSING_SECONDS = 1.0
"""How long open requests have to be answered once the session has stopped."""
_LONGEST = 103
"""Bytes of a socket's path that all systems accept: macOS has room for 103, Linux for 107."""


def changed_session(
    name: str, sessions: Path | None, changes: Sequence[Change], waits: Callable[[], None]
) -> tuple[tuple[Event, ...], bool]:
    """Make all changes to a saved or running session, or none. Return the stored facts, and whether it is running.

    Args:
        name: The session's name.
        sessions: The folder of sessions; None for the default one.
        changes: Each is checked against the state after those before it.
        waits: Called if a turn must end first.

    Raises:
        UsageError: one of the changes is not possible.
        UnknownNameError, SessionError: see `Session.open`.
        SessionBusyError: a process that accepts no changes is writing the session.
    """
    try:
        with Session.open(name, sessions) as session:
            return steer(session, changes), False
    except SessionBusyError:
        with Session.read(name, sessions) as session:
            connection = _connect(session.folder)
    if connection is None:
        with Session.open(name, sessions, wait=_LOCK_SECONDS) as session:
            return steer(session, changes), False
    seqs = _request(connection, changes, waits)
    with Session.read(name, sessions) as session:
        return tuple(session.fact(seq) for seq in seqs), True


def is_running(session: Session) -> bool:
    """True if another process runs the session with a control socket. A debate started from Python has none."""
    connection = _connect(session.folder)
    if connection is not None:
        connection.close()
    return connection is not None


@asynccontextmanager
async def control_socket(session: Session, inbox: ControlQueue) -> AsyncIterator[None]:
    """Accept changes through the session's socket while the context is open.

    Does nothing for a session in memory, or if the system or the disk has no Unix sockets.
    """
    if session.folder is None or not hasattr(asyncio, "start_unix_server"):
        yield
        return
    requests: set[asyncio.Task[Any]] = set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        requests.add(asyncio.current_task())  # type: ignore[arg-type]  # a coroutine runs in a task
        try:
            writer.write(orjson.dumps(await _handle(inbox, reader)) + b"\n")
        finally:
            writer.close()  # after sending what was written

    with ExitStack() as stack:
        try:
            path = stack.enter_context(_short_path(session.folder))
            server = await asyncio.start_unix_server(answer, path, limit=_MAX_REQUEST)
            Path(path).chmod(own_mode())  # noqa: ASYNC240 - at once
        except OSError:  # the disk supports no sockets
            yield
            return
        try:
            yield
        finally:
            server.close()
            with suppress(OSError):
                Path(path).unlink()  # noqa: ASYNC240 - at once
            if requests:
                _, late = await asyncio.wait(requests, timeout=_CLOSING_SECONDS)
                for request in late:
                    request.cancel()


async def _handle(inbox: ControlQueue, reader: asyncio.StreamReader) -> dict[str, object] | None:
    """Carry out one request and return the answer; None if the run had already ended."""
    outcome: asyncio.Future[Sequence[Event] | EdaError] = asyncio.get_running_loop().create_future()
    try:
        changes = _CHANGES.validate_json(await reader.readline())
        if inbox.over:
            return None
        inbox.change(changes, outcome.set_result)
        facts = await outcome
        if isinstance(facts, EdaError):
            raise facts
    except EdaError as error:
        return {"error": str(error), "hint": error.hint, "exit_code": error.exit_code}
    except (ValidationError, ValueError):
        return {"error": "the running session does not know that change", "hint": "", "exit_code": 1}
    return {"facts": [fact.seq for fact in facts]}


def _connect(folder: Path | None) -> socket.socket | None:
    """Connect to the process that runs the session; None if there is none. The socket of a killed process refuses."""
    if folder is None or not hasattr(socket, "AF_UNIX"):
        return None
    connection = socket.socket(socket.AF_UNIX)
    try:
        with _short_path(folder) as path:
            connection.connect(path)
    except OSError:
        connection.close()
        return None
    return connection


def _request(connection: socket.socket, changes: Sequence[Change], waits: Callable[[], None]) -> list[int]:
    """Send changes to a running session and return the `seq` of each fact that they made."""
    with connection:
        try:
            connection.sendall(_CHANGES.dump_json(list(changes)) + b"\n")
            if not select.select([connection], [], [], _NOTICE_SECONDS)[0]:
                waits()
            with connection.makefile("rb") as answer:
                reply = orjson.loads(answer.readline() or b"null")
        except (OSError, orjson.JSONDecodeError):
            reply = None
    if reply is None:
        raise SessionError("the session stopped before the change was made", hint="Try again: it is no longer running.")
    if "facts" in reply:
        return list(reply["facts"])
    wrong = UsageError if reply["exit_code"] == UsageError.exit_code else SessionError
    raise wrong(reply["error"], hint=reply["hint"])


@contextmanager
def _short_path(folder: Path) -> Iterator[str]:
    """Yield a path of the folder's socket that is short enough to open; a long one leads through a link elsewhere."""
    path = folder / SOCKET_FILE
    if len(os.fsencode(path)) <= _LONGEST:
        yield str(path)
        return
    with tempfile.TemporaryDirectory(prefix="eda-") as short:
        link = Path(short, "s")
        link.symlink_to(folder.absolute(), target_is_directory=True)
        yield str(link / SOCKET_FILE)
