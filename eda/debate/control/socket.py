"""The control socket of a running session: a socket in its folder, for requests of other processes.

A request is a line of JSON: a list of changes, or a question to a member. The engine makes changes as it makes
those of a person at the table. The log says what was changed; the answer only gives the `seq` of each fact. Whoever may
write in the folder may send requests.
"""

import asyncio
import os
import select
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import orjson
from pydantic import Field, TypeAdapter, ValidationError

from eda.debate.ask import SideReply, ask
from eda.debate.control.changes import Change, Corrected, Noted, steer
from eda.debate.control.queue import DebateControls
from eda.errors import EdaError, RunnerError, SessionBusyError, SessionError, UsageError
from eda.events import Event
from eda.panels.files import own_mode
from eda.runners.protocol import Usage
from eda.session import Session
from eda.session.names import SOCKET_FILE
from eda.session.places import MOMENT
from eda.words import ENGLISH

# Bytes of a socket's path that all systems accept: macOS has room for 103, Linux for 107.
_LONGEST = 103


@contextmanager
def socket_path(folder: Path) -> Iterator[str]:
    """Yield a path of the control socket that is short enough to open; a long one leads through a link elsewhere."""
    path = folder / SOCKET_FILE
    if len(os.fsencode(path)) <= _LONGEST:
        yield str(path)
        return
    from tempfile import TemporaryDirectory  # noqa: PLC0415 - hardly any path is that long

    with TemporaryDirectory(prefix="eda-") as short:
        link = Path(short, "s")
        link.symlink_to(folder.absolute(), target_is_directory=True)
        yield str(link / SOCKET_FILE)


@cache
def _changes() -> TypeAdapter[list[Change]]:
    return TypeAdapter(list[Annotated[Change, Field(discriminator="kind")]])


# Bytes of one request: enough for some full personas.
_MAX_REQUEST = 1 << 20
# How long to wait for a process that writes the session without a socket, such as one that takes a note.
_LOCK_SECONDS = 2.0
# How long a request waits before its sender is told that a turn must end first.
_NOTICE_SECONDS = 0.3
# How long open requests have to be answered once the session has stopped.
_CLOSING_SECONDS = 1.0
# The same of a question to a member of a session that has ended: its answer is being paid for.
_ANSWER_SECONDS = 60.0


def changed_session(
    name: str | Path, sessions: Path | None, changes: Sequence[Change], waits: Callable[[str], None]
) -> tuple[tuple[Event, ...], bool]:
    """Make all changes to a saved or running session, or none. Return the stored facts, and whether it is running.

    Notes and corrections are never refused because another process writes: they wait until it has finished.

    Args:
        name: The session's name, or its folder.
        sessions: The folder of sessions; None for the default one.
        changes: Each is checked against the state after those before it.
        waits: Called with the reason if something must end first.

    Raises:
        UsageError: one of the changes is not possible.
        UnknownNameError, SessionError: see `Session.open`.
        SessionBusyError: a process that accepts no changes is writing the session.
    """
    patient = all(isinstance(each, Noted | Corrected) for each in changes)
    wait, told = 0.0, False
    while True:
        try:
            with Session.open(name, sessions, wait=max(wait, MOMENT)) as session:
                return steer(session, changes), False
        except SessionBusyError:
            if wait and not patient:
                raise
        with Session.read(name, sessions) as session:
            connection = _connect(session.folder)
        if connection is not None:
            request = _changes().dump_json([*changes])
            row = _row_from(connection, request, SessionError, lambda: waits(f"{name} is running: {_LATER}"))
            if row:
                with Session.read(name, sessions) as session:
                    return tuple(session.fact(seq) for seq in row["facts"]), True
            if not patient:
                hint = "Try again: it is no longer running."
                raise SessionError("the session stopped before the change was made", hint=hint)
        elif wait and not told:
            waits(ENGLISH.say("controls-waits", name=str(name)))
            told = True
        wait = _LOCK_SECONDS


def ask_running(
    session: Session, member: str, question: str, runner: str | None = None, *, who: str
) -> SideReply | None:
    """Ask a member of a session that another process runs, as `ask` does; None if no process runs it.

    `runner` is a spec. Raises the errors of `ask`, and SessionError where the session stopped before the answer.
    """
    if (connection := _connect(session.folder)) is None:
        return None
    request = {"ask": {"member": member, "question": question, "runner": runner, "who": who}}
    row = _row_from(connection, orjson.dumps(request), RunnerError)
    if row is None:
        return None
    if row:
        return SideReply(**{**row["reply"], "usage": Usage(**row["reply"]["usage"])})
    raise SessionError("the session stopped before the answer was there", hint="Ask again.")


def is_running(session: Session) -> bool:
    """True if another process runs the session's debate, and can be asked for changes."""
    if (connection := _connect(session.folder)) is not None:
        connection.close()
    return connection is not None


@asynccontextmanager
async def control_socket(debate: DebateControls) -> AsyncIterator[None]:
    """Answer requests through the socket of a debate's session while the context is open.

    Does nothing for a session in memory, or if the system or the disk has no Unix sockets.
    """
    answering, folder, server = _Answering(debate), debate.session.folder, None
    with ExitStack() as stack:
        with suppress(OSError):  # the disk supports no sockets
            if folder is not None and hasattr(asyncio, "start_unix_server"):
                path = stack.enter_context(socket_path(folder))
                server = await asyncio.start_unix_server(answering.answer, path, limit=_MAX_REQUEST)
                Path(path).chmod(own_mode())  # noqa: ASYNC240 - at once
        try:
            yield
        finally:
            if server is not None:
                server.close()
                with suppress(OSError):
                    Path(path).unlink()  # noqa: ASYNC240 - at once
                await answering.close()


class _Answering:
    """The requests that are being answered."""

    def __init__(self, debate: DebateControls) -> None:
        self._debate = debate
        # What each is: a change or a question.
        self._open: dict[asyncio.Task[Any], str] = {}

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request."""
        task: asyncio.Task[Any] = asyncio.current_task()  # type: ignore[assignment]  # a coroutine runs in a task
        self._open[task] = "change"
        try:
            line = await reader.readline()
            question = orjson.loads(line) if line.startswith(b"{") else None
            if self._debate.inbox.over:
                row: Mapping[str, object] | None = None
            elif isinstance(question, dict) and isinstance(question.get("ask"), dict):
                self._open[task], asked = "question", question["ask"]
                reply = await ask(self._debate, asked["member"], asked["question"], asked["runner"], who=asked["who"])
                row = {"reply": asdict(reply)}
            else:
                row = await self._changed(line)
            writer.write(orjson.dumps(row) + b"\n")
        except asyncio.CancelledError:
            pass  # by `close`: nobody waits for the task, and asyncio would print the error
        except EdaError as error:
            writer.write(orjson.dumps(_row_of(error)) + b"\n")
        except (ValidationError, ValueError, KeyError, TypeError):
            writer.write(orjson.dumps(_row_of(SessionError("the running session does not know that change"))) + b"\n")
        finally:
            del self._open[task]
            writer.close()  # after sending what was written

    async def _changed(self, line: bytes) -> Mapping[str, object]:
        outcome: asyncio.Future[Sequence[Event] | EdaError] = asyncio.get_running_loop().create_future()
        self._debate.inbox.change(_changes().validate_json(line), outcome.set_result)
        facts = await outcome
        if isinstance(facts, EdaError):
            raise facts
        return {"facts": [fact.seq for fact in facts]}

    async def close(self) -> None:
        """Wait for the answers, in particular for those that are being paid for."""
        paid = _ANSWER_SECONDS if self._debate.progress.ended is not None else 0
        for kind, seconds in {"question": paid, "change": _CLOSING_SECONDS}.items():
            if tasks := [task for task, each in self._open.items() if each == kind]:
                _, late = await asyncio.wait(tasks, timeout=seconds)
                for task in late:
                    task.cancel()
                await asyncio.gather(*late, return_exceptions=True)


_LATER = "the change takes effect after the current turn, even if you do not wait"


def _row_of(error: EdaError) -> Mapping[str, object]:
    return {"error": str(error), "hint": error.hint, "exit_code": error.exit_code}


def _connect(folder: Path | None) -> socket.socket | None:
    """Connect to the process that runs the session; None if there is none. The socket of a killed process refuses."""
    if folder is None or not hasattr(socket, "AF_UNIX"):
        return None
    connection = socket.socket(socket.AF_UNIX)
    try:
        with socket_path(folder) as path:
            connection.connect(path)
    except OSError:
        connection.close()
        return None
    return connection


def _row_from(
    connection: socket.socket, request: bytes, kind: type[EdaError], waits: Callable[[], None] = lambda: None
) -> dict[str, Any] | None:
    """Send a request to a running session and return its answer: None if it was over, empty if it stopped meanwhile.

    Raises:
        UsageError: the request is not possible; another error is of `kind`.
    """
    row = {}
    with connection, suppress(OSError, orjson.JSONDecodeError):
        connection.sendall(request + b"\n")
        if not select.select([connection], [], [], _NOTICE_SECONDS)[0]:
            waits()
        with connection.makefile("rb") as lines:
            row = orjson.loads(lines.readline())
    if row and "error" in row:
        usage = row["exit_code"] == UsageError.exit_code
        raise (UsageError if usage else kind)(row["error"], hint=row["hint"])
    return row
