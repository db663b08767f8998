"""The log: facts are stored, in order, once `append` has returned; a group whose `append` failed is not in the log.

`JsonlLog` stores the facts in a file: one line for each fact (see `schema`), one write for each group. Opening it
removes an unfinished write at the end, which `append` never confirmed. Any other damage is an error and changes
nothing. The logs take no lock; `Session` does.
"""

import os
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, BinaryIO

from eda.errors import LogDamagedError, SessionError
from eda.events import Event, MessagePosted
from eda.panels.files import own_mode, write_all
from eda.session import schema
from eda.session.chain import links
from eda.session.names import MANY_OPEN, as_typed
from eda.text import regex
from eda.words import ENGLISH

_WRITE_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)

_HOLE = regex(rb"\0+")
_SECTOR = 512  # Bytes that a disk writes as a whole or not at all.

if sys.platform == "darwin":
    from fcntl import F_FULLFSYNC, fcntl

    def sync(descriptor: int) -> None:
        """Wait until the bytes of a file are on the disk; there `fsync` alone leaves them in the disk's own memory."""
        try:
            fcntl(descriptor, F_FULLFSYNC)
        except OSError:  # a network disk may not know it
            os.fsync(descriptor)
else:
    sync = getattr(os, "fdatasync", os.fsync)


def sync_folder(folder: Path) -> None:
    """Make a file name that was created or replaced in `folder` survive a loss of power, if the system can."""
    with suppress(
        OSError
    ):  # Windows cannot open a folder and some network disks cannot sync one; the file itself is synced
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def undone_by(undo: Callable[..., object], *given: Any, **named: Any) -> Iterator[None]:
    """Have what a context began undone where it fails, as far as the system lets it."""
    try:
        yield
    except BaseException:
        with suppress(OSError):
            undo(*given, **named)
        raise


@contextmanager
def disk_errors(path: Path, done: str, *, begun: bool = True) -> Iterator[None]:
    """Tell an OSError of the context as one of a session: a file or folder cannot be `done`.

    `begun`: whether the session holds facts, so that it can go on.

    Raises:
        SessionError: the disk or the system refused.
    """
    try:
        yield
    except OSError as error:
        hint = MANY_OPEN.get(error.errno or 0, "Check that you may read and write there.")
        if done == "written" and error.errno not in MANY_OPEN:
            hint = ENGLISH.say("session-full-disk", begun=begun, typed=as_typed(path.parent))
        raise SessionError(f"{path}: cannot be {done} ({error.strerror or error})", hint=hint) from error


def _closed() -> SessionError:
    return SessionError("the session is closed; it stores no more facts", hint="Open it again.")


class MemoryLog:
    """A log in memory, which ends with its process."""

    size = 0  # Bytes of its file.
    repaired = None  # A sentence about what opening it removed.
    damage = None  # Why something of it is not read.

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._closed = False

    @property
    def last_seq(self) -> int:
        """The `seq` of the last fact; 0 if the log is empty."""
        return len(self._events)

    def append(self, events: Sequence[Event], *, durable: bool) -> None:  # noqa: ARG002 - memory survives nothing
        """Store a group of stamped facts, all or none.

        Raises:
            SessionError: the log is closed.
            TypeError, ValueError: a log must not store the group (see `check_group`).
        """
        if self._closed:
            raise _closed()
        schema.check_group(events, len(self._events))
        self._events.extend(events)

    def read(self, after: int = 0) -> Iterator[Event]:
        """Yield in order the facts whose `seq` is above `after`, up to the last one when the read began."""
        for place in range(max(after, 0), len(self._events)):
            yield self._events[place]

    def close(self) -> None:
        """Store no more facts."""
        self._closed = True


@dataclass(slots=True)
class _Extent:
    """The part of a file that holds whole groups."""

    size: int = 0  # Bytes up to the end of the last whole group.
    last_seq: int = 0
    # Where each line begins. An unfinished group may add some at the end.
    offsets: "array[int]" = field(default_factory=lambda: array("Q"))
    head: str = ""  # The hash of the last line, where it is known.


class JsonlLog:
    """A log in a file that nothing else writes to.

    Opening for writing creates a missing file and removes an unfinished group at the end. With `readonly` the file must
    exist and is not changed: an unfinished group is not read, nor, before a `refresh`, are facts that another process
    appends later. With `sound` too, one that is damaged holds what stands before its first damaged line.

    Raises:
        LogDamagedError: a line is not what was written; nothing was changed.
        SessionError: the file cannot be opened, or a newer program wrote it.
    """

    def __init__(self, path: Path, *, readonly: bool = False, sound: bool = False) -> None:
        self._path = Path(path)
        self._readonly, self._sound = readonly, sound
        self.damage: LogDamagedError | None = None
        """Why what follows is not read; None if all is."""
        self.repaired: str | None = None
        """A sentence that says how many bytes were removed on opening; None if none were."""
        self._unsure = False
        self._descriptor: int | None = None
        self._extent = _Extent()
        with disk_errors(self._path, "opened"), undone_by(self.close):
            if not readonly:
                new = not self._path.exists()
                self._descriptor = os.open(self._path, _WRITE_FLAGS, own_mode())
                if new:
                    sync_folder(self._path.parent)
            self._load()

    def _load(self) -> None:
        """Scan the file and, if it is open for writing, remove an unfinished group at its end."""
        with self._path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            try:
                self._scan(file, size, self._extent)
            except LogDamagedError as damage:
                self.damage = self._with_way_out(damage)
                if not self._sound:
                    raise self.damage from damage
                return
        unfinished = size - self._extent.size
        if self._descriptor is None or unfinished <= 0:
            return
        # The scan checks only checksums and heads. Decode every fact before changing the file.
        for _ in self.read():
            pass
        os.ftruncate(self._descriptor, self._extent.size)
        os.fsync(self._descriptor)
        extent = self._extent
        self.repaired = ENGLISH.say("session-repaired", path=str(self._path), bytes=unfinished, facts=extent.last_seq)

    def refresh(self) -> None:
        """Let a log that is open for reading hold the whole groups that another process has appended since.

        Raises:
            LogDamagedError: a new line is not what was written, or the file was shortened.
            SessionError: the file cannot be read.
        """
        if not self._readonly:
            return
        extent = self._extent
        with disk_errors(self._path, "read"):
            size = self._path.stat().st_size
            if size < extent.size:
                raise self._damaged(extent.last_seq, "is missing: the file was shortened after it was opened")
            if size > extent.size:
                with self._path.open("rb") as file:
                    file.seek(extent.size)
                    del extent.offsets[extent.last_seq :]  # what an unfinished group left
                    self._scan(file, size, extent)

    def _with_way_out(self, damage: LogDamagedError) -> LogDamagedError:
        """Return the error with the command that keeps what stands before the damage, where a message does."""
        last = 0
        with suppress(LogDamagedError):
            last = max((fact.number for fact in self.read() if isinstance(fact, MessagePosted)), default=0)
        typed = as_typed(self._path.parent) * (last > 0)
        newer = isinstance(damage.__cause__, schema.UnknownFactError)
        return LogDamagedError(str(damage), hint=ENGLISH.say("session-damaged", newer=newer, typed=typed, at=last))

    def _scan(self, file: BinaryIO, size: int, extent: _Extent) -> None:
        """Check each line and group behind `extent`, and add it there; only the last one may be unfinished."""
        end, due = extent.size, 0
        for number, line in enumerate(file, extent.last_seq + 1):
            if number == 1:
                schema.check_version(line, self._path)
            start, end = end, end + len(line)
            try:
                if not line.endswith(b"\n"):
                    raise ValueError("is cut off")  # noqa: TRY301 - the handler decides what a bad line means
                seq, more = schema.check_line(line[:-1])
            except ValueError as error:
                # An interrupted write leaves no newline, NUL bytes or an empty line.
                unfinished = not line.endswith(b"\n") or b"\0" in line or line == b"\n"
                whole = end < size or schema.contains_line(line) or not unfinished
                if whole and not self._never_synced(extent.size):
                    raise self._damaged(number, error) from error
                break
            if seq != number:
                raise self._damaged(number, f"has seq {seq}; {number} is expected")
            if due and more != due - 1:
                raise self._damaged(number, f"begins a group, but {due} more lines of the group before it are missing")
            extent.offsets.append(start)
            due = more
            if not due:
                extent.size, extent.last_seq, extent.head = end, number, ""

    def _never_synced(self, begin: int) -> bool:
        """Return whether all from `begin` on is what a loss of power may leave of writes that no sync had confirmed.

        Sectors that were lost read as zeros, and others of later writes may be there. A group that is durable confirms
        what was written before it, so that none can follow one in there.
        """
        with self._path.open("rb") as file:
            file.seek(begin)
            lines = file.read().splitlines(keepends=True)
        end, torn = begin, False
        for left, line in zip(range(len(lines) - 1, -1, -1), lines, strict=True):
            start, end = end, end + len(line)
            try:
                _, more = schema.check_line(line[:-1])
            except ValueError:
                ends = [start + hole.end() for hole in _HOLE.finditer(line)]
                torn = torn or bool(ends)
                if any(each % _SECTOR and each != end for each in ends) or (not ends and line.endswith(b"\n")):
                    return False
            else:
                if schema.is_durable(line) and left > more:
                    return False
        return torn

    def _damaged(self, number: int, reason: str | ValueError) -> LogDamagedError:
        message = ENGLISH.say("session-line", path=str(self._path), number=str(number), why=str(reason))
        hint = ENGLISH.say("session-damaged", newer=isinstance(reason, schema.UnknownFactError), typed="", at=0)
        return LogDamagedError(message, hint=hint)

    @property
    def last_seq(self) -> int:
        """The `seq` of the last fact; 0 if the log is empty."""
        return self._extent.last_seq

    @property
    def size(self) -> int:
        """Bytes of the file up to the end of the last whole group."""
        return self._extent.size

    def head(self, seq: int | None = None) -> str:
        """Return the hash of the line of fact `seq`, which covers it and all before it; None for the last fact.

        Raises:
            SessionError: the file cannot be read.
        """
        extent = self._extent
        seq = extent.last_seq if seq is None else seq
        if seq == extent.last_seq and extent.head:
            return extent.head
        begin = extent.offsets[seq - 1] if seq else 0
        with disk_errors(self._path, "read"), self._path.open("rb") as file:
            file.seek(begin)
            head, _ = next(links([file.readline()])) if seq else ("", "")
            if seq and not head:  # of a session before the chain
                file.seek(0)
                *_, (_, head) = links(islice(file, seq))
        if seq == extent.last_seq:
            extent.head = head
        return head

    def append(self, events: Sequence[Event], *, durable: bool) -> None:
        """Store a group of stamped facts, all or none. With `durable`, they also survive a loss of power.

        Raises:
            LogDamagedError: another program has written to the file; nothing was added.
            SessionError: the disk refused: the log is unchanged and `append` can be tried again. Or the log is closed
                or readonly.
            TypeError, ValueError: a log must not store the group (see `check_group`).
        """
        if self._descriptor is None:
            raise SessionError(f"{self._path}: opened for reading only") if self._readonly else _closed()
        extent = self._extent
        schema.check_group(events, extent.last_seq)
        if not events:
            return
        lines, head = schema.encode(events, self.head())
        try:
            if self._unsure:
                self._roll_back()
            if os.fstat(self._descriptor).st_size != extent.size:
                raise self._damaged(extent.last_seq + 1, "another program has written to the file since it was opened")
            # An interrupt (Ctrl-C) before the extent is updated leaves lines that `append` never confirmed. The next
            # append must remove them first.
            self._unsure = True
            write_all(self._descriptor, b"".join(lines))
            if durable:
                sync(self._descriptor)
        except OSError:
            with disk_errors(self._path, "written", begun=extent.last_seq > 0):
                with suppress(OSError):  # the next append tries again
                    self._roll_back()
                raise
        del extent.offsets[extent.last_seq :]  # what an unfinished group left
        *begins, end = accumulate(map(len, lines), initial=extent.size)
        extent.offsets.extend(begins)
        # A new object, so that an interrupt leaves the old extent or the new one.
        self._extent = _Extent(end, len(extent.offsets), extent.offsets, head)
        self._unsure = False

    def _roll_back(self) -> None:
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, self._extent.size)
            self._unsure = False

    def read(self, after: int = 0) -> Iterator[Event]:
        """Yield in order the facts whose `seq` is above `after`, up to the last one when the read began.

        Each call reads the file again. A closed log can be read too.

        Raises:
            LogDamagedError: a line is not what was written.
            SessionError: the file cannot be read.
        """
        extent, after = self._extent, max(after, 0)
        last = extent.last_seq
        if after >= last:
            return
        number = after
        with disk_errors(self._path, "read"), self._path.open("rb") as file:
            file.seek(extent.offsets[after])
            for number, line in enumerate(file, after + 1):
                yield self._fact(number, line)
                if number == last:
                    return
        raise self._damaged(number + 1, "is missing: the file was shortened after it was opened")

    def _fact(self, number: int, line: bytes) -> Event:
        try:
            event = schema.decode(line.removesuffix(b"\n"))
        except ValueError as error:
            raise self._damaged(number, error) from error
        if event.seq != number:
            raise self._damaged(number, f"has seq {event.seq}; {number} is expected")
        return event

    def close(self) -> None:
        """Close the file. Idempotent; appending afterwards is an error."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)


Log = MemoryLog | JsonlLog
"""An append-only list of facts."""
