"""Names of sessions: plain, the same on every system, and nothing that a path could be made of.

Nothing here takes a name from a clock or a random source, so the same command makes the same name.
"""

from __future__ import annotations

import os
import re
import shlex
import unicodedata
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG

from eda.errors import SessionError, SessionNameError

__all__ = ["DOOR_FILE", "LOG_FILE", "as_typed", "check_name", "free_name", "session_names", "sessions_folder"]

LOG_FILE = "events.jsonl"
"""What makes a folder a session."""
DOOR_FILE = ".door"
"""At which a running session takes changes."""

_NAME = re.compile(r"[a-z0-9][A-Za-z0-9._-]{0,79}")
_SLUG_LENGTH = 40
_RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))})
"""Device names, whatever the ending: Windows opens the device instead of the file."""


def _plain(name: str) -> bool:
    stem = name.partition(".")[0].lower()
    return bool(_NAME.fullmatch(name)) and ".." not in name and not name.endswith(".") and stem not in _RESERVED


def check_name(name: str) -> str:
    """The name, if it is a plain one. The disk is not looked at.

    Raises:
        SessionNameError: it could reach outside the sessions folder, or not every system could keep it.
    """
    if not _plain(name):
        raise SessionNameError(
            f"{name[:100]!r} is no session name",
            hint="Begin with a small letter or a digit, then up to 79 letters, digits, '-', '_' and single '.'.",
        )
    return name


def sessions_folder(given: Path | None = None) -> Path:
    """Where sessions are kept: as given, else as EDA_SESSIONS says, else `sessions` in the working folder."""
    if given is not None:
        return Path(given)
    return Path(os.environ.get("EDA_SESSIONS") or "sessions")


def as_typed(folder: Path) -> str:
    """What names the session in this folder after `eda resume`: `NAME`, with `--sessions DIR` where that is needed."""
    name = shlex.quote(folder.name)
    return name if folder.parent == sessions_folder() else f"{name} --sessions {shlex.quote(str(folder.parent))}"


def session_names(sessions: Path) -> list[str]:
    """The names of the sessions in a folder, sorted; none where there is no such folder.

    Raises:
        SessionError: it is no folder, or cannot be read.
    """
    try:
        found = [entry.name for entry in os.scandir(sessions) if _plain(entry.name)]
        return sorted(name for name in found if _holds_log(sessions / name))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SessionError(
            f"{sessions}: cannot be read as a folder of sessions ({error.strerror or error})",
            hint="Name another folder with --sessions or EDA_SESSIONS.",
        ) from error


def _holds_log(folder: Path) -> bool:
    """Whether there is a log in a folder, or nobody may look: then whoever opens it is told why."""
    try:
        return S_ISREG((folder / LOG_FILE).stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True


def free_name(question: str, sessions: Path) -> str:
    """A name for a session on this question that nothing in the folder has: its first words, then -2, -3 ..."""
    taken: set[str] = set()
    with suppress(OSError):  # whoever makes the session is told
        taken = {entry.name.casefold() for entry in os.scandir(sessions)}
    base = _slug(question)
    name, number = base, 1
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    return name


def _slug(question: str) -> str:
    ascii_only = unicodedata.normalize("NFKD", question.casefold()).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "-", ascii_only.replace("'", "")).strip("-")
    if len(words) > _SLUG_LENGTH:
        cut = words[: _SLUG_LENGTH + 1]
        words = cut[: cut.rfind("-")] if "-" in cut else words[:_SLUG_LENGTH]
    return words if _plain(words) else "session"
