"""Moves, deletes, packs and unpacks the folders of sessions; each is locked meanwhile, so that nobody writes it."""

import hashlib
import os
import shutil
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import orjson

from eda.errors import InputError, SessionError
from eda.panels.files import UserFile, own_mode
from eda.session.log import disk_errors, undone_by
from eda.session.names import ARCHIVE, LOG_FILE, sessions_folder
from eda.session.places import CHECKER_FILE, RECEIPT_FILE, REPORT_FILES, check_free, existing, lock_folder
from eda.session.store import Session, remove_files, replace_file
from eda.words import fault

_CALLS_FILE = "calls.jsonl"
# What an export holds, where the session has it.
_PACKED = (LOG_FILE, _CALLS_FILE, *REPORT_FILES, RECEIPT_FILE, CHECKER_FILE)
_LEDGER = "ledger.jsonl"
_ACT = ("at", "did", "session", "who", "address")
# Neither through a link nor into a pipe for whose reader one would wait.
_APPENDED = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_MANIFEST = "manifest.json"
_FORMAT = 1
_MOST = 500_000_000  # Bytes of all files of an export together.
_EPOCH = (1980, 1, 1, 0, 0, 0)  # The date of all files in an export, so that one session always gives the same bytes.


@contextmanager
def _locked(name: str | Path, sessions: Path | None, done: str) -> Iterator[Path]:
    """Yield the folder of a session, which nobody else writes meanwhile; an OSError is one of its being `done`."""
    folder = existing(name, sessions)
    lock = lock_folder(folder)
    try:
        with disk_errors(folder, done):
            yield folder
    finally:
        lock.release(force=True)


def rename(name: str | Path, new: str, sessions: Path | None = None, *, into: Path | None = None) -> Path:
    """Give a session another name, or move it `into` another folder of sessions; return its folder.

    Raises:
        SessionNameError, UnknownNameError, SessionExistsError: a name is invalid, unknown or taken.
        SessionBusyError: another process is writing the session.
        SessionError: the disk refused.
    """
    with _locked(name, sessions, "moved") as folder:
        if not into and folder.name == new:
            raise fault("error-name-own", session=new)
        target = check_free(new, into or folder.parent)
        target.parent.mkdir(own_mode(0o777), parents=True, exist_ok=True)
        return folder.rename(target)


def archive(name: str | Path, sessions: Path | None = None, *, back: bool = False) -> Path:
    """Move a session into the folder `.archive`, or back, and return its folder; the errors are those of `rename`."""
    home = name.parent if isinstance(name, Path) else sessions_folder(sessions)
    away, name = home / ARCHIVE, Path(name).name
    return rename(name, name, away if back else home, into=home if back else away)


def delete(name: str | Path, sessions: Path | None = None) -> None:
    """Delete a session's folder, whatever it holds; the errors are those of `rename`."""
    with _locked(name, sessions, "deleted") as folder:
        noted(folder.parent, "deleted", session=folder.name)
        shutil.rmtree(folder)


def noted(sessions: Path, did: str, session: str = "", who: str = "owner", address: str = "") -> None:
    """Add to the ledger of a folder of sessions what somebody did of which no log tells.

    Raises:
        SessionError: the disk refused.
    """
    row = (datetime.now(UTC).isoformat(timespec="seconds"), did, session, who, address)
    line, ledger = orjson.dumps(dict(zip(_ACT, row, strict=True)), option=orjson.OPT_APPEND_NEWLINE), sessions / _LEDGER
    with disk_errors(ledger, "written"):
        sessions.mkdir(own_mode(0o777), parents=True, exist_ok=True)
        with os.fdopen(os.open(ledger, _APPENDED, own_mode()), "wb") as file:
            file.write(line)


def acts_in(sessions: Path) -> Iterator[dict[str, str]]:
    """Yield what `noted` wrote, the oldest first; a line that is damaged is left out.

    Raises:
        InputError: the ledger cannot be read.
    """
    ledger = sessions / _LEDGER
    own = ledger.is_file() and not ledger.is_symlink()
    for line in UserFile(ledger, InputError).raw(_MOST).splitlines() if own else ():
        with suppress(orjson.JSONDecodeError):
            if isinstance(row := orjson.loads(line), dict):
                yield {key: str(row.get(key, "")) for key in _ACT}


def pack(session: Session, file: Path) -> None:
    """Write a session into one file: its log, its recording and its report, each with its checksum.

    Raises:
        SessionError: the file exists already, or the disk refused.
        UsageError: the session is in memory only.
    """
    contents = {name: path.read_bytes() for name in _PACKED if (path := session.own_folder / name).is_file()}
    contents[LOG_FILE] = contents[LOG_FILE][: session.log.size]
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    manifest = {"eda_export": _FORMAT, "session": session.name, "head": session.head(), "sha256": digests}
    contents[_MANIFEST] = orjson.dumps(manifest, option=orjson.OPT_INDENT_2)
    with own(file), zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in contents.items():
            packed.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)


@contextmanager
def own(place: Path, *, folder: bool = False) -> Iterator[None]:
    """Make a new file or folder that its owner alone can read, as a context; remove it if that fails.

    Raises:
        SessionError: it exists already, or the disk refused.
    """
    with disk_errors(place, "made"):
        try:
            if folder:
                place.mkdir(0o700)
            else:
                os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, own_mode()))
        except FileExistsError:
            raise SessionError(f"{place} exists already", hint="Name another one, or remove that.") from None
        with undone_by(shutil.rmtree if folder else Path.unlink, place):
            yield


def unpack(file: Path, name: str | None = None, sessions: Path | None = None, *, raw: bytes | None = None) -> Session:
    """Make a session of a file that `pack` wrote, and return it, open for reading.

    Args:
        file: The file.
        name: The name of the session; None for the one that it had.
        sessions: The folder of sessions; None for the default one.
        raw: What the file holds; None to read it.

    Raises:
        InputError: the file is no export, or is damaged; nothing is left of it.
        SessionNameError, SessionExistsError, SessionError: as `Session.create`.
    """
    export = UserFile(Path(file), InputError, what="export")
    try:
        with zipfile.ZipFile(BytesIO(export.raw(_MOST) if raw is None else raw)) as packed:
            contents, own_name = _unpacked(export, packed)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise export.fault("is no export of a session, or a damaged one", "Name a file of eda export.") from error
    folder = check_free(name or own_name, sessions)
    with disk_errors(folder, "made"), undone_by(folder.rmdir), undone_by(remove_files, folder, contents):
        folder.parent.mkdir(own_mode(0o777), parents=True, exist_ok=True)
        folder.mkdir(own_mode(0o777), exist_ok=True)
        for each in sorted(contents, key=LOG_FILE.__eq__):  # last the log, which makes the folder a session
            replace_file(folder / each, contents[each])
        session = Session.read(folder)
        for _ in session.events():
            pass
    return session


def _unpacked(export: UserFile, packed: zipfile.ZipFile) -> tuple[dict[str, bytes], str]:
    sizes = {info.filename: info.file_size for info in packed.infolist()}
    if _MANIFEST not in sizes or not sizes.keys() <= {_MANIFEST, *_PACKED}:
        raise export.fault("is no export of a session", "Name a file of eda export.")
    if len(packed.infolist()) > len(sizes):
        raise export.fault("holds a file twice", "Export the session again.")
    export.check_unpacked(packed.infolist(), _MOST, "Copy the session's folder instead.")
    contents = {name: packed.read(name) for name in sizes}
    manifest = export.json(contents.pop(_MANIFEST))
    digests = manifest.get("sha256") if isinstance(manifest, dict) else None
    if not isinstance(digests, Mapping) or manifest.get("eda_export") != _FORMAT or LOG_FILE not in contents:
        raise export.fault("is no export that this version reads", "Open it with the version that wrote it.")
    for name in {*digests, *contents}:
        if hashlib.sha256(contents.get(name, b"")).hexdigest() != digests.get(name):
            raise export.fault(f"{name} in it is not what was exported", "Export the session again.")
    return contents, str(manifest.get("session"))
