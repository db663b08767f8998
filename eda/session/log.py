"""The log: what `append` returned from is kept, in order, and what it did not return from is not there.

`JsonlLog` keeps it in a file, one line a fact (see `upcast`), one write a group. Nothing but an unfinished tail, which
nobody was told is kept, is ever taken away; any other damage is an error and leaves the file as it is. Neither log
locks: `Session` does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from errno import EMFILE, ENFILE
from pathlib import Path
from typing import BinaryIO

from eda.errors import LogDamagedError, SessionError
from eda.events import Event
from eda.session.names import as_typed
from eda.session.upcast import (
    UnheardOfError,
    check_group,
    check_line,
    check_version,
    decode,
    encode,
    swallowed,
    torn,
)

__all__ = ["JsonlLog", "MemoryLog", "cannot", "sync", "sync_folder"]

_STRIDE = 4
"""Lines between two remembered offsets: a read starts at most this many lines early."""

_WRITE_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)

sync = getattr(os, "fdatasync", os.fsync)
"""Waits until a file's bytes are on the disk."""


def sync_folder(folder: Path) -> None:
    """Make a name that was created or replaced in `folder` outlast a loss of power, where the system can."""
    with suppress(OSError):  # Windows opens no folder, some network disks sync none; the file itself is synced
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def cannot(path: Path, what: str, error: OSError, *, begun: bool = True) -> SessionError:
    """The error for a person whose disk or system said no; `begun`: there is something to go on with."""
    hint = "Check that it is a place that you may read and write."
    if error.errno in (EMFILE, ENFILE):
        hint = "Close what else has files open, or allow more of them (`ulimit -n`); then try again."
    elif what == "written":
        then = f"go on with `eda resume {as_typed(path.parent)}`" if begun else "begin again: nothing was kept"
        hint = f"Free some space or check the disk, then {then}."
    return SessionError(f"{path}: cannot be {what} ({error.strerror or error})", hint=hint)


def _closed() -> SessionError:
    return SessionError("the session is closed and takes no more facts", hint="Open it again.")


class MemoryLog:
    """A log that lives as long as its process."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._closed = False

    @property
    def last_seq(self) -> int:
        """The `seq` of the last fact; 0 where there is none."""
        return len(self._events)

    def append(self, events: Sequence[Event], *, durable: bool) -> None:  # noqa: ARG002 - memory outlasts nothing
        """Keep a group of stamped facts, all or none.

        Raises:
            SessionError: the log is closed.
            TypeError, ValueError: the group is none that a log keeps (see `check_group`).
        """
        if self._closed:
            raise _closed()
        check_group(events, len(self._events))
        self._events.extend(events)

    def read(self, after: int = 0) -> Iterator[Event]:
        """The facts with `seq` greater than `after` that are there when the first is asked for, in order."""
        for place in range(max(after, 0), len(self._events)):
            yield self._events[place]

    def close(self) -> None:
        """Take no more facts."""
        self._closed = True


@dataclass(slots=True)
class _Extent:
    """How much of a file is log."""

    size: int = 0
    """Bytes, to the end of the last whole group."""
    last_seq: int = 0
    offsets: list[int] = field(default_factory=list)
    """Where the lines 1, 1 + stride, 1 + 2 * stride ... begin. A torn group may leave one too many; none is wrong."""


class JsonlLog:
    """A log in a file, which it alone writes.

    Opening for writing creates the file where there is none, and cuts off an unfinished tail. With `readonly` the file
    must exist, nothing is changed, an unfinished tail is not read, and what is appended later by another process is not
    seen.

    Raises:
        LogDamagedError: a line is not what was written; nothing was changed.
        SessionError: the file cannot be opened, or a newer program wrote it.
    """

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        self._path = Path(path)
        self._readonly = readonly
        self.repaired: str | None = None
        """A sentence that says how much was cut off on opening; None where nothing was."""
        self._unsure = False
        self._descriptor: int | None = None
        self._extent = _Extent()
        try:
            if not readonly:
                self._descriptor = self._open()
            self._take_stock(readonly=readonly)
        except OSError as error:
            self.close()
            raise cannot(self._path, "opened", error) from error
        except BaseException:
            self.close()
            raise

    def _open(self) -> int:
        new = not self._path.exists()
        descriptor = os.open(self._path, _WRITE_FLAGS, 0o666)
        if new:
            sync_folder(self._path.parent)
        return descriptor

    def _take_stock(self, *, readonly: bool) -> None:
        with self._path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            self._extent = self._scan(file, size)
        torn = size - self._extent.size
        if readonly or self._descriptor is None or torn <= 0:
            return
        # The scan looks at checksums and heads. Before anything is changed, every fact must read in full.
        for _ in self.read():
            pass
        os.ftruncate(self._descriptor, self._extent.size)
        os.fsync(self._descriptor)
        self.repaired = (
            f"{self._path}: dropped {torn} bytes at the end, an unfinished write; "
            f"the log goes on after its {self._extent.last_seq} whole facts"
        )

    def _scan(self, file: BinaryIO, size: int) -> _Extent:
        extent, end, due = _Extent(), 0, 0
        for number, line in enumerate(file, 1):
            if number == 1:
                check_version(line, self._path)
            start, end = end, end + len(line)
            try:
                if not line.endswith(b"\n"):
                    raise ValueError("is cut off")  # noqa: TRY301 - one place decides what a bad line means
                seq, more = check_line(line[:-1])
            except ValueError as error:
                if end < size or swallowed(line) or not torn(line):
                    raise self._damaged(number, error) from error
                break
            if seq != number:
                raise self._damaged(number, f"has seq {seq} where {number} is due")
            if due and more != due - 1:
                raise self._damaged(number, f"stands where {due} more of the group before it are due")
            if (number - 1) % _STRIDE == 0:
                extent.offsets.append(start)
            due = more
            if not due:
                extent.size, extent.last_seq = end, number
        return extent

    def _damaged(self, number: int, reason: str | ValueError) -> LogDamagedError:
        hint = "Restore the file from a copy, or keep the lines before it as a session of their own."
        if isinstance(reason, UnheardOfError):
            hint = f"If a newer program wrote it, open it with that one. Else: {hint[0].lower()}{hint[1:]}"
        return LogDamagedError(f"{self._path}, line {number}: {reason}; nothing was changed", hint=hint)

    @property
    def last_seq(self) -> int:
        """The `seq` of the last fact; 0 where there is none."""
        return self._extent.last_seq

    def append(self, events: Sequence[Event], *, durable: bool) -> None:
        """Keep a group of stamped facts, all or none; `durable`: also through a loss of power.

        Raises:
            LogDamagedError: something else has written to the file; nothing was added behind it.
            SessionError: the disk refused, and the log is as it was and can be tried again; or it is closed or
                readonly.
            TypeError, ValueError: the group is none that a log keeps (see `check_group`).
        """
        if self._descriptor is None:
            raise SessionError(f"{self._path}: opened for reading only") if self._readonly else _closed()
        extent = self._extent
        check_group(events, extent.last_seq)
        if not events:
            return
        lines = encode(events)
        data = b"".join(lines)
        try:
            if self._unsure:
                self._roll_back()
            if os.fstat(self._descriptor).st_size != extent.size:
                raise self._damaged(extent.last_seq + 1, "another program has written to the file since it was opened")
            # Set until the group is accounted for: an interrupt (Ctrl-C) between the write and there leaves lines that
            # nobody was told of, and the next append must not write behind them.
            self._unsure = True
            _write(self._descriptor, data)
            if durable:
                sync(self._descriptor)
        except OSError as error:
            with suppress(OSError):  # tried again before the next append
                self._roll_back()
            raise cannot(self._path, "written", error, begun=extent.last_seq > 0) from error
        self._extent = _grown(extent, lines, len(data))
        self._unsure = False

    def _roll_back(self) -> None:
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, self._extent.size)
            self._unsure = False

    def read(self, after: int = 0) -> Iterator[Event]:
        """The facts with `seq` greater than `after` that are there when the first is asked for, in order.

        Read from the file each time: the log keeps no copy. Works on a closed log too.

        Raises:
            LogDamagedError: a line is not what was written.
            SessionError: the file cannot be read.
        """
        extent, after = self._extent, max(after, 0)
        last = extent.last_seq
        if after >= last:
            return
        block = after // _STRIDE
        number = block * _STRIDE
        try:
            with self._path.open("rb") as file:
                file.seek(extent.offsets[block])
                for line in file:
                    number += 1
                    if number > after:
                        yield self._fact(number, line)
                    if number == last:
                        return
        except OSError as error:
            raise cannot(self._path, "read", error) from error
        raise self._damaged(number + 1, "is missing: the file was cut after it was opened")

    def _fact(self, number: int, line: bytes) -> Event:
        try:
            event = decode(line.removesuffix(b"\n"))
        except ValueError as error:
            raise self._damaged(number, error) from error
        if event.seq != number:
            raise self._damaged(number, f"has seq {event.seq} where {number} is due")
        return event

    def close(self) -> None:
        """Let go of the file. Idempotent; appending afterwards is an error."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _grown(extent: _Extent, lines: list[bytes], length: int) -> _Extent:
    """What the file holds once `lines` are in it: a new record, so that an interrupt finds the old one or this one."""
    start = extent.size
    first = extent.last_seq
    offsets = extent.offsets
    for number, line in enumerate(lines, first):
        # By place, not at the end: a tail that was cut off may have left this very offset.
        if number % _STRIDE == 0:
            offsets[number // _STRIDE :] = [start]
        start += len(line)
    return _Extent(extent.size + length, first + len(lines), offsets)
