"""The journal of a session: replies that a runner has given and whose facts are not in the log yet.

A reply is written and synced before anything else is made of it; its fact follows in its turn. So a process that is
killed in between loses no reply: the next one takes it from the journal. One line holds one call, as a JSON object with
the CRC-32 of everything before it at its end. A line that is cut off or damaged is ignored: its call is made again.
"""

import json
import os
import zlib
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from eda.errors import SessionError
from eda.panels.files import own_mode, write_all
from eda.session.log import disk_errors, sync, sync_folder

# The journal, in the folder of the session. A session that is closed has it only while a fact is missing.
JOURNAL_FILE = "journal.jsonl"
# One finished call: `purpose`, `agent` and `nth` name it; the rest is for whoever wrote it.
CallRow = Mapping[str, Any]
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_CRC_LENGTH = len(b',"crc":"00000000"}')

Name = tuple[str, str, int]  # Purpose, agent and number of a call.


class Journal:
    """The finished calls of a session that wait for their facts. One process at a time uses it, as the log."""

    def __init__(self, path: Path | None) -> None:
        """`path` is the file, which is made with the first call; None keeps the calls in memory only."""
        self._path = path
        self._waiting: dict[Name, CallRow] | None = None
        self._cut = False  # True if the last line of the file lacks its end: a process was killed while it wrote.
        # Lines that no thread has taken to the disk yet. One takes all: replies that come together share a sync.
        self._unwritten: list[bytes] = []
        self._one_at_a_time = Lock()

    @property
    def waiting(self) -> Mapping[Name, CallRow]:
        """The calls by name, oldest first. Of two with one name the later counts.

        Raises:
            SessionError: the file cannot be read.
        """
        if self._waiting is None:
            self._waiting = {_name(row): row for row in self._rows()}
        return self._waiting

    async def add(self, row: CallRow) -> None:
        """Add a finished call; it survives a kill and a loss of power once this returns.

        The disk is waited for in a thread, so that other debates go on meanwhile.

        Raises:
            SessionError: the disk refused; the call is not in the journal.
        """
        name = _name(row)
        self._waiting = {**self.waiting, name: row}
        if self._path is None:
            return
        self._unwritten.append(line := _line(row))
        append = partial(self._append, self._path, line)
        import asyncio  # noqa: PLC0415 - as in `Session.follow`

        try:
            await asyncio.to_thread(append)
        except asyncio.CancelledError:
            append()  # the thread may not have begun
            raise
        except SessionError:
            self.settle(*name)
            raise

    def settle(self, purpose: str, agent: str, nth: int) -> None:
        """Note that the log has the fact of this call; its line stands in the file until that is closed."""
        if (purpose, agent, nth) in self.waiting:
            self._waiting = {name: row for name, row in self.waiting.items() if name != (purpose, agent, nth)}

    def close(self) -> None:
        """Remove the file where no call in it waits. Idempotent."""
        with suppress(OSError):
            if self._path is not None and (self._waiting == {} or not self._path.stat().st_size):
                self._path.unlink()

    def _append(self, path: Path, line: bytes) -> None:
        """Write the line, and all others that wait with it, unless another thread has."""
        with self._one_at_a_time:
            if line not in self._unwritten:
                return
            lines = [*self._unwritten]
            try:
                descriptor = os.open(path, _FLAGS, own_mode())
                try:
                    size = os.fstat(descriptor).st_size
                    try:
                        write_all(descriptor, b"\n" * self._cut + b"".join(lines))
                        sync(descriptor)
                    except OSError:
                        os.ftruncate(descriptor, size)
                        raise
                finally:
                    os.close(descriptor)
            except OSError:
                self._unwritten.remove(line)  # the others are tried again, each by the thread that waits for it
                with disk_errors(path, "written"):
                    raise
            if not size:
                sync_folder(path.parent)
            del self._unwritten[: len(lines)]
            self._cut = False

    def _rows(self) -> list[CallRow]:
        with disk_errors(self._path or Path(), "read"):
            try:
                content = self._path.read_bytes() if self._path is not None else b""
            except FileNotFoundError:
                return []
        self._cut = bool(content) and not content.endswith(b"\n")
        return [row for line in content.splitlines() if (row := _row(line)) is not None]


def _name(row: CallRow) -> Name:
    return (row["purpose"], row["agent"], row["nth"])


def _line(row: CallRow) -> bytes:
    # json, unlike orjson, writes a lone surrogate, which a model may send, as an escape.
    body = json.dumps(dict(row), ensure_ascii=True, default=str).encode("ascii")[:-1]
    return b'%b,"crc":"%08x"}\n' % (body, zlib.crc32(body))


def _row(line: bytes) -> CallRow | None:
    """Return the call of a line; None if the line is not what was written."""
    body = line[:-_CRC_LENGTH]
    if line != b'%b,"crc":"%08x"}' % (body, zlib.crc32(body)):
        return None
    row: dict[str, Any] = json.loads(body + b"}")
    return row
