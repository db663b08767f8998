"""The door of a session that is running: a socket in its folder, at which another process asks for changes.

They are done between two turns, like those of whoever sits at the table. The log tells what was done; the answer only
says where. Who may write in the folder may ask.
"""

from __future__ import annotations

import asyncio
import os
import select
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import orjson
from pydantic import Field, TypeAdapter, ValidationError

from eda.errors import EdaError, SessionBusyError, SessionError, UsageError
from eda.events import Event
from eda.inbox import Inbox
from eda.session import DOOR_FILE, Session
from eda.steering import Change, steer

__all__ = ["changed_session", "door", "is_running"]

_CHANGES: TypeAdapter[list[Change]] = TypeAdapter(list[Annotated[Change, Field(discriminator="kind")]])
_LONGEST = 1 << 20
"""Bytes of one request: some whole personas."""
_PATIENCE = 2.0
"""Seconds to wait for another process that writes the session and has no door, such as one that takes a note."""
_AT_ONCE = 0.3
"""Seconds after which whoever asked is told that a turn must end first."""
_LAST_WORDS = 1.0
"""Seconds that those at the door have to be answered when the session has stopped."""


def changed_session(
    name: str, sessions: Path | None, changes: Sequence[Change], waits: Callable[[], None]
) -> tuple[tuple[Event, ...], bool]:
    """Change a saved session or a running one, all at once or nothing: the facts as stored, and whether it is running.

    Args:
        name: The session's.
        sessions: Where sessions are kept; None for the usual folder.
        changes: Each is checked against what those before it add up to.
        waits: Called where a turn must end first.

    Raises:
        UsageError: one of the changes cannot be.
        UnknownNameError, SessionError: see `Session.open`.
        SessionBusyError: it is being written by what takes no changes.
    """
    try:
        with Session.open(name, sessions) as session:
            return steer(session, changes), False
    except SessionBusyError:
        line = _knock(name, sessions)
    if line is None:
        with Session.open(name, sessions, wait=_PATIENCE) as session:
            return steer(session, changes), False
    done = _asked(line, changes, waits)
    with Session.read(name, sessions) as session:
        return tuple(session.fact(seq) for seq in done), True


def is_running(session: Session) -> bool:
    """Whether another process that runs it is at its door. One that was started from Python has none."""
    line = _line(session.folder)
    if line is not None:
        line.close()
    return line is not None


@asynccontextmanager
async def door(session: Session, inbox: Inbox) -> AsyncIterator[None]:
    """Keep a session's door open; where the system has no such doors, nobody can knock and nothing else changes."""
    if session.folder is None or not hasattr(asyncio, "start_unix_server"):
        yield
        return
    visits: set[asyncio.Task[Any]] = set()

    async def visited(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visits.add(asyncio.current_task())  # type: ignore[arg-type]  # a coroutine runs in a task
        try:
            writer.write(orjson.dumps(await _done(inbox, reader)) + b"\n")
        finally:
            writer.close()  # what was written goes out first

    path = _path(session.folder)
    try:
        server = await asyncio.start_unix_server(visited, path, limit=_LONGEST)
    except OSError:  # a path too long for a socket, or a disk that keeps none
        yield
        return
    try:
        yield
    finally:
        server.close()
        _gone(path)
        if visits:
            _, late = await asyncio.wait(visits, timeout=_LAST_WORDS)
            for visit in late:
                visit.cancel()


async def _done(inbox: Inbox, reader: asyncio.StreamReader) -> dict[str, object] | None:
    """What came of one request; None where the run was over before it."""
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


def _knock(name: str, sessions: Path | None) -> socket.socket | None:
    """A line to whoever runs the session of that name; None where nobody opens."""
    with Session.read(name, sessions) as session:
        return _line(session.folder)


def _line(folder: Path | None) -> socket.socket | None:
    """The same, by its folder: the socket that a killed process has left refuses."""
    if folder is None or not hasattr(socket, "AF_UNIX"):
        return None
    line = socket.socket(socket.AF_UNIX)
    try:
        line.connect(_path(folder))
    except OSError:
        line.close()
        return None
    return line


def _asked(line: socket.socket, changes: Sequence[Change], waits: Callable[[], None]) -> list[int]:
    """The `seq` of each fact that was made."""
    with line:
        try:
            line.sendall(_CHANGES.dump_json(list(changes)) + b"\n")
            if not select.select([line], [], [], _AT_ONCE)[0]:
                waits()
            with line.makefile("rb") as answer:
                reply = orjson.loads(answer.readline() or b"null")
        except (OSError, orjson.JSONDecodeError):
            reply = None
    if reply is None:
        raise SessionError("the session stopped before it was done", hint="Try again: it is not running any more.")
    if "facts" in reply:
        return list(reply["facts"])
    wrong = UsageError if reply["exit_code"] == UsageError.exit_code else SessionError
    raise wrong(reply["error"], hint=reply["hint"])


def _gone(path: str) -> None:
    with suppress(OSError):
        Path(path).unlink()


def _path(folder: Path) -> str:
    """Of the socket, as short as it can be said: systems take about a hundred bytes."""
    path = str(folder / DOOR_FILE)
    try:
        return min(path, os.path.relpath(path), key=len)
    except OSError:  # the folder that the process was started in is gone
        return path
