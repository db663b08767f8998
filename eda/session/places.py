"""The folder of a session: its files, whether its name is free, who writes it, and whether this user made it.

One process at a time may write in a folder; its lock ends with it. A mark beside the log, which only the user's key
makes and no copy keeps, tells whether this user made the session.
"""

import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from eda.errors import SessionBusyError, SessionError, SessionExistsError, UnknownNameError
from eda.panels.files import own_mode
from eda.session.journal import JOURNAL_FILE
from eda.session.log import disk_errors
from eda.session.names import (
    ARCHIVE,
    EXAMPLES,
    LOG_FILE,
    OVERVIEW_FILE,
    SEATS_FILE,
    SOCKET_FILE,
    as_typed,
    check_name,
    check_plain,
    session_names,
    sessions_folder,
    user_data,
)
from eda.words import fault

if TYPE_CHECKING:
    from filelock import BaseFileLock

LOCK_FILE = ".lock"
MOMENT = 0.1
"""Seconds that a writer waits for the lock in any case: a look whether it is taken has it for less than that."""
MARK_FILE = "mark"
_KEY_BYTES = 32
MEMORY_FILE = "memory.json"
REPORT_FILES = ("report.md", "report.json")
PAGE_FILE = "report.html"
RECEIPT_FILE = "receipt.json"
CHECKER_FILE = "check_receipt.py"
DERIVED = (MEMORY_FILE, *REPORT_FILES, PAGE_FILE, OVERVIEW_FILE)


def fresh(name: str) -> str:
    """Return the name of the file that will replace one of this name."""
    return f".{name}.new"


OURS = (LOG_FILE, MARK_FILE, JOURNAL_FILE, *DERIVED, *map(fresh, DERIVED), SOCKET_FILE, SEATS_FILE, LOCK_FILE)
"""All files that a session may have. The lock is removed last: it protects the removal of the others."""


def check_free(name: str, sessions: Path | None = None) -> Path:
    """Return the folder that a new session of this name will have.

    Raises:
        SessionNameError: the name is not a valid session name.
        SessionExistsError: the name is taken, or differs from an existing one only in upper and lower case.
        SessionError: the system refused, or the sessions are no folder.
    """
    folder = sessions_folder(sessions) / check_name(name)
    with disk_errors(folder, "made"):
        if os.path.lexists(folder) and not _unused(folder):
            refuse_taken(folder)
    for other in session_names(folder.parent):
        if other != name and other.casefold() == name.casefold():
            raise SessionExistsError(
                f"a session {other!r} exists in {folder.parent}; on many systems {name!r} is the same name",
                hint="Choose another name.",
            )
    return folder


def _unused(folder: Path) -> bool:
    """True for a folder in which a process died, or met a full disk, before it stored a fact."""
    if not folder.is_dir() or any(entry.name not in OURS for entry in folder.iterdir()):
        return False
    log = folder / LOG_FILE
    return not log.exists() or log.stat().st_size == 0


def refuse_taken(folder: Path) -> NoReturn:
    """Raise SessionExistsError: the name is taken."""
    if (folder / LOG_FILE).exists():
        raise SessionExistsError(
            f"a session {folder.name!r} exists already in {folder.parent}",
            hint=f"Resume it (`eda resume {as_typed(folder)}`) or choose another name.",
        )
    raise SessionExistsError(f"{folder} exists and is not a session", hint="Choose another name.")


def existing(name: str | Path, sessions: Path | None) -> Path:
    """Return the folder of a session that there is.

    Raises:
        SessionNameError, UnknownNameError: the name is invalid or unknown.
        UsageError: it is that of a session that comes with EDA, or that was put away.
        SessionError: the system refused.
    """
    folder = name if isinstance(name, Path) else sessions_folder(sessions) / check_name(name)
    with disk_errors(folder / LOG_FILE, "opened"):
        try:
            (folder / LOG_FILE).stat()
            check_plain(folder)
        except (FileNotFoundError, NotADirectoryError):
            where = "" if isinstance(name, Path) else str(folder.parent)
            if where and name in EXAMPLES:
                raise fault("error-session-shipped", session=name) from None
            if (away := folder.parent / ARCHIVE / folder.name / LOG_FILE).exists():
                typed = as_typed(folder)
                raise fault(
                    "error-session-archived", session=str(name), typed=typed, read=as_typed(away.parent)
                ) from None
            raise UnknownNameError("session", str(name), session_names(folder.parent), where=where) from None
    return folder.resolve() if not folder.name else folder


def lock_folder(folder: Path, wait: float = MOMENT) -> "BaseFileLock":
    """Return the lock of a session's folder, taken; wait up to `wait` seconds for it.

    Raises:
        SessionBusyError: another process has it.
        SessionError: the system refused.
    """
    # Imported here because the import takes a tenth of a second and reading needs no lock.
    from filelock import FileLock, Timeout  # noqa: PLC0415 - see above

    # The lock belongs to no thread: `run_sync` may close the session in another thread than the one that opened it.
    lock = FileLock(folder / LOCK_FILE, timeout=wait, mode=own_mode(), thread_local=False)
    with disk_errors(folder / LOCK_FILE, "locked"):
        try:
            lock.acquire()
        except Timeout as error:
            raise fault("error-session-busy", SessionBusyError, session=folder.name, typed=as_typed(folder)) from error
    return lock


def is_locked(folder: Path) -> bool:
    """Return whether a process has the session in this folder open for writing. False where that cannot be told."""
    if not (folder / LOCK_FILE).exists():
        return False
    try:
        lock_folder(folder, 0).release(force=True)
    except SessionError as error:
        return isinstance(error, SessionBusyError)
    return False


def set_mark(log: Path) -> None:
    """Mark the session of a log as made here; where the key or the mark cannot be kept, it stays a stranger's."""
    with suppress(OSError, RuntimeError):  # without a home there is no key
        made = _mark(log, _key(make=True))
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with os.fdopen(os.open(log.parent / MARK_FILE, flags, own_mode()), "w", encoding="ascii") as file:
            file.write(made)


def has_mark(log: Path) -> bool:
    """Return whether this user made the session of a log, or took it for their own."""
    try:
        return hmac.compare_digest((log.parent / MARK_FILE).read_bytes(), _mark(log, _key()).encode())
    except (OSError, RuntimeError):
        return False


def _mark(log: Path, key: bytes) -> str:
    """Return the mark of a log: of the file itself, so that a session that was sent away and came back has none."""
    return hmac.new(key, str(log.stat().st_ino).encode(), "sha256").hexdigest()


def _key(*, make: bool = False) -> bytes:
    """Return the user's key.

    Raises:
        OSError: there is none, it is not whole, or it cannot be made or read.
        RuntimeError: the user has no home.
    """
    file = user_data() / "key"
    if make and not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with (
            suppress(FileExistsError),
            os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new,
        ):
            new.write(secrets.token_bytes(_KEY_BYTES))
    key = file.read_bytes()
    if len(key) < _KEY_BYTES:
        raise OSError(f"{file} is no key")
    return key
