"""Names and folders of sessions. A valid name works on every system and cannot form a path.

No name depends on a clock or a random source, so the same command gives the same name.
"""

import os
import shlex
import unicodedata
from contextlib import suppress
from errno import EMFILE, ENFILE
from itertools import chain, count
from pathlib import Path
from stat import S_IFDIR, S_IFMT, S_IFREG, S_IFSOCK, S_ISREG

from eda.errors import SessionError, SessionNameError
from eda.text import regex
from eda.words import fault

LOG_FILE = "events.jsonl"
"""The log. A folder that holds one is a session."""
EXAMPLES = ("example", "example-list", "example-dissent")
"""Names of the sessions that come with EDA."""
OVERVIEW_FILE = "overview.json"
"""What a list of sessions says of this one."""
ARCHIVE = ".archive"
"""The folder, in that of the sessions, of those that are out of the way."""
SOCKET_FILE = ".door"
"""The control socket through which a running session accepts changes."""
SEATS_FILE = "seats.json"
"""Who was invited to the table."""

MANY_OPEN = dict.fromkeys(
    (EMFILE, ENFILE), "Close other programs, or allow more open files (`ulimit -n`); then try again."
)
"""What to do, by the number of an error that may pass."""
_NAME = regex(r"[a-z0-9][A-Za-z0-9._-]{0,79}")
_SLUG_LENGTH = 40
_OWN_KINDS = (S_IFREG, S_IFDIR, S_IFSOCK)
# Device names: Windows opens the device instead of a file of this name, whatever its ending.
_RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))})


def _plain(name: str) -> bool:
    stem = name.partition(".")[0].lower()
    return bool(_NAME.fullmatch(name)) and ".." not in name and not name.endswith(".") and stem not in _RESERVED


def check_name(name: str) -> str:
    """Return the name if it is valid; the disk is not read.

    Raises:
        SessionNameError: the name could reach outside the sessions folder, or some system could not store it.
    """
    if not _plain(name):
        raise fault("error-name-invalid", SessionNameError, name=name[:100])
    return name


def user_data() -> Path:
    """Return the folder of what EDA keeps for this user, whatever the working folder.

    Raises:
        RuntimeError: the user has no home.
    """
    home = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".local" / "share"
    return Path(home) / "eda"


def sessions_folder(given: Path | None = None) -> Path:
    """Return the folder of sessions: `given`, else EDA_SESSIONS, else the user's library.

    EDA_SESSIONS is what the program sets from a file of settings, too.

    Raises:
        SessionError: the user has no home.
    """
    own = given or os.environ.get("EDA_SESSIONS")
    if own:
        return Path(own)
    try:
        return user_data() / "sessions"
    except RuntimeError as error:
        raise SessionError(
            "there is no home folder to keep sessions in", hint="Name one with --sessions or EDA_SESSIONS."
        ) from error


def as_typed(folder: Path) -> str:
    """Return what to type after `eda resume` for the session in `folder`: `NAME`, with `--sessions DIR` if needed."""
    name = shlex.quote(folder.name)
    return name if folder.parent == sessions_folder() else f"{name} --sessions {shlex.quote(str(folder.parent))}"


def session_names(sessions: Path) -> list[str]:
    """Return the names of the sessions in a folder, sorted; empty if the folder does not exist.

    Raises:
        SessionError: the path is not a folder, or cannot be read.
    """
    try:
        names = [entry.name for entry in os.scandir(sessions) if _plain(entry.name)]
        return sorted(name for name in names if _holds_log(f"{sessions}/{name}"))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SessionError(
            f"{sessions}: cannot be read as a folder of sessions ({error.strerror or error})",
            hint=MANY_OPEN.get(error.errno or 0, "Name another folder with --sessions or EDA_SESSIONS."),
        ) from error


def _holds_log(folder: str) -> bool:
    """True if the folder holds a log or cannot be read; in the second case, opening the session reports the reason."""
    try:
        return S_ISREG(os.stat(f"{folder}/{LOG_FILE}").st_mode)  # noqa: PTH116 - a Path takes three times as long
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True


def free_name(question: str, sessions: Path) -> str:
    """Return a session name that is free in the folder: the question's first words, with -2, -3 ... if needed."""
    taken = set(EXAMPLES)  # which come with EDA
    with suppress(OSError):  # creating the session reports the reason
        taken |= {entry.name.casefold() for entry in os.scandir(sessions)}
    base = slug(question)
    names = chain([base], (f"{base}-{number}" for number in count(2)))
    return next(name for name in names if name not in taken)


def slug(question: str) -> str:
    """Return a text's first words as a plain name of up to 40 characters; `session` where it has none."""
    ascii_only = unicodedata.normalize("NFKD", question.casefold()).encode("ascii", "ignore").decode()
    words = regex(r"[^a-z0-9]+").sub("-", ascii_only.replace("'", "")).strip("-")
    if len(words) > _SLUG_LENGTH:
        cut = words[: _SLUG_LENGTH + 1]
        words = cut[: cut.rfind("-")] if "-" in cut else words[:_SLUG_LENGTH]
    return words if _plain(words) else "session"


def check_plain(folder: Path) -> None:
    """Refuse a folder in which something stands for a file elsewhere: whatever a session reads or writes is its own.

    Raises:
        SessionError: it has a link, a pipe or a device in it.
        OSError: the system refused.
    """
    for entry in [*os.scandir(folder)]:
        with suppress(FileNotFoundError):  # it was replaced just now
            if S_IFMT(entry.stat(follow_symlinks=False).st_mode) not in _OWN_KINDS:
                raise fault("error-session-linked", SessionError, path=entry.path)
