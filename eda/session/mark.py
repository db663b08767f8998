"""Whether this user made a session: a mark beside its log that only the user's key makes, and that no copy keeps."""

from __future__ import annotations

import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path

from eda.panels.files import own_mode
from eda.session.names import user_data

MARK_FILE = "mark"
_KEY_BYTES = 32


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
