"""A session: a folder whose `events.jsonl` is the truth, and which one process at a time may write.

Everything else in the folder is derived: `memory.json`, `recall.sqlite` and the report can be deleted, `.lock` and
`.door` mean nothing once their holder is gone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import orjson

from eda.errors import SessionBusyError, SessionError, SessionExistsError, UnknownNameError
from eda.events import Event, SessionStarted
from eda.protocols import Log
from eda.session.log import JsonlLog, MemoryLog, cannot, sync, sync_folder
from eda.session.names import DOOR_FILE, LOG_FILE, as_typed, check_name, session_names, sessions_folder

if TYPE_CHECKING:
    from filelock import BaseFileLock

__all__ = ["Session", "check_free"]

_MEMORY_FILE = "memory.json"
_RECALL_FILE = "recall.sqlite"
_REPORT_FILES = ("report.md", "report.json")
_DERIVED = (_MEMORY_FILE, _RECALL_FILE, *_REPORT_FILES)
_LOCK_FILE = ".lock"


def _fresh(name: str) -> str:
    return f".{name}.new"


_OURS = (LOG_FILE, *_DERIVED, *map(_fresh, _DERIVED), DOOR_FILE, _LOCK_FILE)
"""The lock last: it is held until the others are gone."""


class Session:
    """A log with a name. Make one with `create`, `open`, `read` or `in_memory`; close it, or use it in a `with`."""

    def __init__(
        self, name: str, folder: Path | None, log: Log, *, lock: BaseFileLock | None = None, repaired: str | None = None
    ) -> None:
        self.name = name
        self.folder = folder
        """None where the session is in memory only."""
        self.log = log
        self.repaired = repaired
        """A sentence that says what an unfinished write cost on opening; None where nothing was lost."""
        self.unsaved: str | None = None
        """A sentence that says why `memory.json` could not be written last time; None where it was."""
        self._lock = lock
        self._made_here = False

    @classmethod
    def create(cls, name: str, sessions: Path | None = None) -> Session:
        """Make a session, empty, for writing. Where that fails, or no fact is ever stored, nothing of it is left.

        Raises:
            SessionNameError: the name is no plain name.
            SessionExistsError: there is something of that name, or of one that differs in case only.
            SessionBusyError: another process is making it right now.
            SessionError: the disk or the system refused.
        """
        folder = check_free(name, sessions)
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            made = _make(folder)
        except OSError as error:
            raise cannot(folder, "made", error) from error
        try:
            session = cls._writing(folder, new=True)
        except BaseException:
            if made:
                with suppress(OSError):
                    folder.rmdir()  # refused, as it should be, where another process was quicker
            raise
        session._made_here = True  # noqa: SLF001 - its own class
        sync_folder(folder.parent)
        return session

    @classmethod
    def open(cls, name: str | Path, sessions: Path | None = None, *, wait: float = 0) -> Session:
        """Open a session for writing; a `Path` is the session's own folder.

        Another process that writes it is waited for, up to `wait` seconds.

        Raises:
            SessionNameError: a `str` that is no plain name.
            UnknownNameError: there is no such session.
            SessionBusyError: another process is writing it.
            LogDamagedError: a line of its log is not what was written; nothing was changed.
            SessionError: the disk or the system refused, or a newer program wrote it.
        """
        return cls._writing(_found(name, sessions), wait=wait)

    @classmethod
    def read(cls, name: str | Path, sessions: Path | None = None) -> Session:
        """Open a session for reading: no lock, no repair, and whoever writes it is not disturbed.

        Raises:
            SessionNameError, UnknownNameError, LogDamagedError, SessionError: as `open`.
        """
        folder = _found(name, sessions)
        return cls(folder.name, folder, JsonlLog(folder / LOG_FILE, readonly=True))

    @classmethod
    def in_memory(cls, name: str = "memory") -> Session:
        """A session without a folder, gone with its process."""
        return cls(check_name(name), None, MemoryLog())

    @classmethod
    def _writing(cls, folder: Path, *, new: bool = False, wait: float = 0) -> Session:
        lock = _lock(folder, wait)
        try:
            log = _new_log(folder) if new else JsonlLog(folder / LOG_FILE)
        except BaseException:
            lock.release(force=True)
            raise
        return cls(folder.name, folder, log, lock=lock, repaired=log.repaired)

    @property
    def typed(self) -> str:
        """What names it after `eda resume`; see `as_typed`."""
        return as_typed(self.folder) if self.folder is not None else self.name

    def events(self, after: int = 0) -> Iterator[Event]:
        """The facts with `seq` greater than `after`, in order; read from the log each time."""
        return self.log.read(after)

    def fact(self, seq: int) -> Event:
        """The fact `seq`.

        Raises:
            IndexError: the log holds no such fact.
        """
        found = next(self.log.read(seq - 1), None) if seq > 0 else None
        if found is None:
            raise IndexError(f"session {self.name!r} has no fact {seq}")
        return found

    def started(self) -> SessionStarted:
        """The first fact: everything that the session was set up with, under the name that its folder has by now.

        Raises:
            SessionError: there is none yet, or it is another.
        """
        first = next(self.events(), None)
        if isinstance(first, SessionStarted):
            return first if first.session == self.name else first.model_copy(update={"session": self.name})
        what = "holds no facts" if first is None else f"begins with {type(first).__name__}, not with SessionStarted"
        hint = f"Nothing was said in it; delete the folder {self.folder}." if first is None and self.folder else ""
        raise SessionError(f"session {self.name!r} {what}", hint=hint)

    def write_memory(self, data: Mapping[str, Any], recall: bytes | None = None) -> None:
        """Replace `memory.json`, and `recall.sqlite` with the index of what was said, each whole or not at all.

        A session in memory has none and does nothing. Where the disk refuses, the file is as it was and `unsaved` says
        why: it can be made again from the log, so it must not end a debate, nor hide what did.

        Raises:
            SessionError: the session was opened for reading.
            TypeError: `data` holds what is no JSON.
        """
        index = {} if recall is None else {_RECALL_FILE: recall}
        self._keep({**index, _MEMORY_FILE: orjson.dumps(dict(data), option=orjson.OPT_APPEND_NEWLINE)})

    def write_report(self, markdown: str, data: Mapping[str, Any]) -> None:
        """Replace `report.md` and `report.json`, as `write_memory` does.

        Raises:
            SessionError: the session was opened for reading.
            TypeError: `data` holds what is no JSON.
        """
        content = orjson.dumps(dict(data), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        self._keep(dict(zip(_REPORT_FILES, (markdown.encode("utf-8", "replace"), content), strict=True)))

    def _keep(self, parts: Mapping[str, bytes]) -> None:
        """Replace files of the folder, in this order."""
        if self.folder is None:
            return
        if self._lock is None:
            raise SessionError(f"session {self.name!r} is not open for writing", hint="Use Session.open().")
        self.unsaved = None
        for name, content in parts.items():
            self._replace(self.folder, name, content)
        sync_folder(self.folder)

    def read_memory(self) -> dict[str, Any] | None:
        """What `write_memory` wrote last; None where it is missing, broken or unreadable: the log has it all."""
        content = self._read(_MEMORY_FILE)
        try:
            data = orjson.loads(content) if content else None
        except orjson.JSONDecodeError:
            return None
        return data if isinstance(data, dict) else None

    def read_recall(self) -> bytes | None:
        """The index that `write_memory` wrote last; None where it is missing or unreadable."""
        return self._read(_RECALL_FILE)

    def _read(self, name: str) -> bytes | None:
        try:
            return (self.folder / name).read_bytes() if self.folder is not None else None
        except OSError:
            return None

    def _replace(self, folder: Path, name: str, content: bytes) -> None:
        target, fresh = folder / name, folder / _fresh(name)
        try:
            with fresh.open("wb") as file:
                file.write(content)
                file.flush()
                sync(file.fileno())
            fresh.replace(target)
        except OSError as error:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            self.unsaved = f"{target}: cannot be written ({error.strerror or error}); it can be made again from the log"

    def close(self) -> None:
        """Let go of the log and the lock; a session that was made here and never got a fact is gone. Idempotent."""
        self.log.close()
        lock, self._lock = self._lock, None
        if lock is None:
            return
        unused = self.folder if self._made_here and not self.log.last_seq else None
        if unused is not None:
            _remove(unused, _OURS)
        lock.release(force=True)
        if unused is not None:
            with suppress(OSError):  # refused, as it should be, where somebody keeps a file of their own in it
                unused.rmdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def check_free(name: str, sessions: Path | None = None) -> Path:
    """The folder that a new session of this name will have.

    Raises:
        SessionNameError: the name is no plain name.
        SessionExistsError: there is something of that name, or of one that differs in case only.
        SessionError: the system refused.
    """
    folder = sessions_folder(sessions) / check_name(name)
    try:
        if os.path.lexists(folder) and not _unused(folder):
            raise _exists(folder)
    except OSError as error:
        raise cannot(folder, "made", error) from error
    for other in _alike(folder):
        raise SessionExistsError(
            f"there is a session {other!r} already, in {folder.parent}; many systems take {name!r} for the same",
            hint="Choose another name.",
        )
    return folder


def _alike(folder: Path) -> list[str]:
    """Sessions beside it whose names differ from its own in case only."""
    name = folder.name
    try:
        found = [entry.name for entry in os.scandir(folder.parent) if entry.name.casefold() == name.casefold()]
    except OSError:
        return []  # no folder to read: making the session there says why
    return [other for other in found if other != name and (folder.parent / other / LOG_FILE).is_file()]


def _unused(folder: Path) -> bool:
    """Whether it is a folder in which a process died, or met a full disk, before the first fact."""
    if not folder.is_dir() or any(entry.name not in _OURS for entry in folder.iterdir()):
        return False
    log = folder / LOG_FILE
    return not log.exists() or log.stat().st_size == 0


def _make(folder: Path) -> bool:
    """Make the folder, unless an unused one is there; whether it was made."""
    try:
        folder.mkdir()
    except FileExistsError:
        if not _unused(folder):
            raise _exists(folder) from None
        return False
    return True


def _remove(folder: Path, names: tuple[str, ...]) -> None:
    for name in names:
        with suppress(OSError):
            (folder / name).unlink(missing_ok=True)


def _new_log(folder: Path) -> JsonlLog:
    """The log of a folder that this process has locked; on failure the folder is left as empty as it was."""
    path = folder / LOG_FILE
    if os.path.lexists(path) and path.stat().st_size:
        raise _exists(folder)  # another process made it between our look and our lock
    try:
        return JsonlLog(path)
    except BaseException:
        _remove(folder, (LOG_FILE, _LOCK_FILE))
        raise


def _exists(folder: Path) -> SessionExistsError:
    if (folder / LOG_FILE).exists():
        hint = f"Go on with it (`eda resume {as_typed(folder)}`) or choose another name."
        return SessionExistsError(f"there is a session {folder.name!r} already, in {folder.parent}", hint=hint)
    return SessionExistsError(f"{folder} exists and is no session", hint="Choose another name.")


def _found(name: str | Path, sessions: Path | None) -> Path:
    """The session's folder."""
    folder = name if isinstance(name, Path) else sessions_folder(sessions) / check_name(name)
    try:
        (folder / LOG_FILE).stat()
    except (FileNotFoundError, NotADirectoryError):
        raise UnknownNameError("session", str(name), session_names(folder.parent)) from None
    except OSError as error:
        raise cannot(folder / LOG_FILE, "opened", error) from error
    return folder.resolve() if not folder.name else folder


def _lock(folder: Path, wait: float) -> BaseFileLock:
    # Late: the import takes a tenth of a second, and who only reads needs none of it.
    from filelock import FileLock, Timeout  # noqa: PLC0415 - see above

    # Not of a thread: `run_sync` may close in another thread than the one that opened.
    lock = FileLock(folder / _LOCK_FILE, timeout=wait, thread_local=False)
    try:
        lock.acquire()
    except Timeout as error:
        raise SessionBusyError(
            f"another process is writing the session {folder.name!r}",
            hint="Wait until it is done, or stop it there with Ctrl-C, which loses nothing. "
            f"`eda show {as_typed(folder)}` reads it meanwhile.",
        ) from error
    except OSError as error:
        raise cannot(folder / _LOCK_FILE, "locked", error) from error
    return lock
