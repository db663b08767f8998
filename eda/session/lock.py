"""The lock of a session's folder: one process at a time may write there. It ends with its process."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from eda.errors import SessionBusyError, SessionError
from eda.panels.files import own_mode
from eda.session.log import disk_error
from eda.session.names import as_typed

if TYPE_CHECKING:
    from filelock import BaseFileLock

LOCK_FILE = ".lock"
MOMENT = 0.1
"""Seconds that a writer waits for the lock in any case: a look whether it is taken has it for less than that."""


def lock_folder(folder: Path, wait: float = MOMENT) -> BaseFileLock:
    """Return the lock of a session's folder, taken; wait up to `wait` seconds for it.

    Raises:
        SessionBusyError: another process has it.
        SessionError: the system refused.
    """
    # Imported here because the import takes a tenth of a second and reading needs no lock.
    from filelock import FileLock, Timeout  # noqa: PLC0415 - see above

    # The lock belongs to no thread: `run_sync` may close the session in another thread than the one that opened it.
    lock = FileLock(folder / LOCK_FILE, timeout=wait, mode=own_mode(), thread_local=False)
    try:
        lock.acquire()
    except Timeout as error:
        raise SessionBusyError(
            f"another process is writing the session {folder.name!r}",
            hint="Wait until it has finished, or stop it with Ctrl-C, which loses nothing. "
            f"Meanwhile `eda show {as_typed(folder)}` reads the session.",
        ) from error
    except OSError as error:
        raise disk_error(folder / LOCK_FILE, "locked", error) from error
    return lock


def is_locked(folder: Path) -> bool:
    """Return whether a process has the session in this folder open for writing. False where that cannot be told."""
    if not (folder / LOCK_FILE).exists():
        return False
    try:
        lock_folder(folder, 0).release(force=True)
    except SessionBusyError:
        return True
    except SessionError:
        return False
    return False
