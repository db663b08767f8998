"""The folder of a session: which files it may have, whether a name is free, where a session lies."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

from eda.errors import SessionExistsError, UnknownNameError
from eda.session.journal import JOURNAL_FILE
from eda.session.lock import LOCK_FILE
from eda.session.log import disk_error
from eda.session.mark import MARK_FILE
from eda.session.names import (
    LOG_FILE,
    OVERVIEW_FILE,
    SEATS_FILE,
    SOCKET_FILE,
    as_typed,
    check_name,
    session_names,
    sessions_folder,
)

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
        SessionError: the system refused.
    """
    folder = sessions_folder(sessions) / check_name(name)
    try:
        if os.path.lexists(folder) and not _unused(folder):
            refuse_taken(folder)
    except OSError as error:
        raise disk_error(folder, "made", error) from error
    for other in _alike(folder):
        raise SessionExistsError(
            f"a session {other!r} exists in {folder.parent}; on many systems {name!r} is the same name",
            hint="Choose another name.",
        )
    return folder


def _alike(folder: Path) -> list[str]:
    """Names of sessions in the same folder that differ from this one's only in upper and lower case."""
    name = folder.name
    try:
        alike = [entry.name for entry in os.scandir(folder.parent) if entry.name.casefold() == name.casefold()]
    except OSError:
        return []  # creating the session in that folder reports the reason
    return [other for other in alike if other != name and (folder.parent / other / LOG_FILE).is_file()]


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
        SessionError: the system refused.
    """
    folder = name if isinstance(name, Path) else sessions_folder(sessions) / check_name(name)
    try:
        (folder / LOG_FILE).stat()
    except (FileNotFoundError, NotADirectoryError):
        where = "" if isinstance(name, Path) else str(folder.parent)
        raise UnknownNameError("session", str(name), session_names(folder.parent), where=where) from None
    except OSError as error:
        raise disk_error(folder / LOG_FILE, "opened", error) from error
    return folder.resolve() if not folder.name else folder
