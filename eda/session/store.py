"""A session: a folder with a log, which one process at a time may write.

The log, `events.jsonl`, is the source of everything else. `memory.json` and the report can be deleted
and are made again from it. `journal.jsonl` exists while replies wait for their facts. `.lock` and `.door` mean nothing
once the process that made them has ended.
"""

import os
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import orjson

from eda.errors import SessionError, UsageError
from eda.events import Event, SessionEnded, SessionStarted, VerdictReached, cards
from eda.panels.files import own_mode, shipped
from eda.session.frames import frames, stance_table, verdict_card
from eda.session.journal import JOURNAL_FILE, Journal
from eda.session.log import JsonlLog, Log, MemoryLog, disk_errors, sync, sync_folder, undone_by
from eda.session.names import EXAMPLES, LOG_FILE, as_typed, check_name
from eda.session.places import (
    DERIVED,
    LOCK_FILE,
    MARK_FILE,
    MEMORY_FILE,
    MOMENT,
    OURS,
    PAGE_FILE,
    REPORT_FILES,
    check_free,
    existing,
    fresh,
    has_mark,
    is_locked,
    lock_folder,
    refuse_taken,
    set_mark,
)
from eda.words import ENGLISH

if TYPE_CHECKING:
    from filelock import BaseFileLock

_FRESH_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class Session:
    """A named log and its folder. Get one from `create`, `open`, `read` or `in_memory`; it is a context manager."""

    def __init__(self, name: str, folder: Path | None, log: Log, *, lock: "BaseFileLock | None" = None) -> None:
        self.name = name
        self.folder = folder
        """None if the session is in memory only."""
        self.log = log
        self.unsaved: str | None = None
        """A sentence that says why a derived file could not be written last time; None if it was written."""
        self.journal = Journal(folder / JOURNAL_FILE if folder is not None and lock is not None else None)
        """The finished calls whose facts are not in the log yet."""
        self._lock = lock
        self._created = False
        self._discarded: tuple[str, ...] | None = None

    @property
    def own_folder(self) -> Path:
        """The folder.

        Raises:
            UsageError: the session is in memory only.
        """
        if self.folder is None:
            raise UsageError(f"session {self.name!r} is in memory only", hint="Name one that has a folder.")
        return self.folder

    @classmethod
    def create(cls, name: str, sessions: Path | None = None) -> Self:
        """Create an empty session and open it for writing. If that fails, or no fact is stored, the folder is removed.

        Raises:
            SessionNameError: the name is not a valid session name.
            SessionExistsError: the name is taken, or differs from an existing one only in upper and lower case.
            SessionBusyError: another process is creating the session.
            SessionError: the disk or the system refused.
        """
        folder = check_free(name, sessions)
        with disk_errors(folder, "made"):
            folder.parent.mkdir(own_mode(0o777), parents=True, exist_ok=True)  # its names are of questions
            folder.mkdir(own_mode(0o777), exist_ok=True)  # a folder that exists is unused, as `check_free` saw
        with undone_by(folder.rmdir):  # fails, as it should, if another process created the session meanwhile
            session = cls._writing(folder, new=True)
            session.trust()
        session._created = True  # noqa: SLF001 - its own class
        sync_folder(folder.parent)
        return session

    @classmethod
    def of_facts(
        cls, name: str, facts: Sequence[Event], sessions: Path | None = None, *, ours: bool = True
    ) -> "Session":
        """Create a session that holds these facts, all or none, and open it for writing; `ours`: this user's.

        Raises:
            SessionNameError, SessionExistsError, SessionError: as `create`.
        """
        with ExitStack() as stack:
            session = stack.enter_context(cls.create(name, sessions))
            if not ours and session.folder:
                (session.folder / MARK_FILE).unlink(missing_ok=True)
            session.log.append(facts, durable=True)
            stack.pop_all()
        return session

    @classmethod
    def open(cls, name: str | Path, sessions: Path | None = None, *, wait: float = MOMENT) -> Self:
        """Open a session for writing. A `Path` is the session's own folder.

        Waits up to `wait` seconds for another process that writes the session.

        Raises:
            SessionNameError: a `str` that is not a valid session name.
            UnknownNameError: the session does not exist.
            SessionBusyError: another process is writing the session.
            LogDamagedError: a line of the log is not what was written; nothing was changed.
            SessionError: the disk or the system refused, or a newer program wrote the log.
        """
        return cls._writing(existing(name, sessions), wait=wait)

    @classmethod
    def read(cls, name: str | Path, sessions: Path | None = None, *, sound: bool = False) -> Self:
        """Open a session for reading, without a lock and without repairs. Another process may be writing it.

        Each of `EXAMPLES` comes with EDA, where the folder has none of that name. `sound`: of a damaged log read what
        stands before the damage, which `log.damage` tells.

        Raises:
            SessionNameError, UnknownNameError, LogDamagedError, SessionError: as `open`.
        """
        try:
            folder = existing(name, sessions)
        except UsageError:
            if name not in EXAMPLES:
                raise
            folder = shipped(f"sessions/{name}")
        return cls(folder.name, folder, JsonlLog(folder / LOG_FILE, readonly=True, sound=sound))

    @classmethod
    def in_memory(cls, name: str = "memory", facts: Iterable[Event] = ()) -> Self:
        """Return a session of these facts without a folder, which ends with its process."""
        session = cls(check_name(name), None, MemoryLog())
        session.log.append([*facts], durable=False)
        return session

    @classmethod
    def _writing(cls, folder: Path, *, new: bool = False, wait: float = MOMENT) -> Self:
        lock = lock_folder(folder, wait)
        with undone_by(lock.release, force=True):
            log = _new_log(folder) if new else JsonlLog(folder / LOG_FILE)
            remove_files(folder, map(fresh, DERIVED))  # what a killed process was writing
        return cls(folder.name, folder, log, lock=lock)

    @property
    def ours(self) -> bool:
        """Whether this user made the session or trusts it; one of somebody else's asks nobody on its own word."""
        return self.folder is None or has_mark(self.folder / LOG_FILE)

    def trust(self) -> None:
        """Take the session for this user's own."""
        if self.folder is not None:
            set_mark(self.folder / LOG_FILE)

    @property
    def typed(self) -> str:
        """What to type after `eda resume` for this session; see `as_typed`."""
        return as_typed(self.folder) if self.folder is not None else self.name

    def events(self, after: int = 0) -> Iterator[Event]:
        """Yield in order the facts whose `seq` is above `after`. Each call reads the log again."""
        return self.log.read(after)

    async def follow(
        self, after: int = 0, *, forever: bool = False, interval: float = 0.1
    ) -> AsyncGenerator[Event, None]:
        """Yield in order the facts whose `seq` is above `after`: those of the log, then each new one once it is stored.

        Ends with the fact that ends the session, or once no process writes it; with `forever` never. A reader that
        comes back with the `seq` of its last fact misses none. The log is looked at every `interval` seconds.

        Raises:
            LogDamagedError, SessionError: the log cannot be read.
        """
        import asyncio  # noqa: PLC0415 - who reads a session needs no event loop, which takes long to load

        while True:
            goes_on = forever or self.written
            if isinstance(self.log, JsonlLog):
                self.log.refresh()
            for event in self.log.read(after):
                after = event.seq
                yield event
            last = None if forever else next(self.log.read(self.log.last_seq - 1), None)
            if not goes_on or isinstance(last, SessionEnded):
                return
            await asyncio.sleep(interval)

    @property
    def written(self) -> bool:
        """True if a process has the session open for writing: this one, where it was opened so, or another."""
        return self._lock is not None or self.folder is None or is_locked(self.folder)

    def fact(self, seq: int) -> Event:
        """Return the fact `seq`.

        Raises:
            IndexError: the log has no such fact.
        """
        event = next(self.log.read(seq - 1), None) if seq > 0 else None
        if event is None:
            raise IndexError(f"session {self.name!r} has no fact {seq}")
        return event

    @property
    def begun(self) -> SessionStarted | None:
        """The fact by which a panel took its seats, in a talk by hand after its messages; None where there is none."""
        return next((fact for fact in self.events() if isinstance(fact, SessionStarted)), None)

    def started(self) -> SessionStarted:
        """Return the session's setup. Its `session` is the present name of the folder.

        Raises:
            SessionError: the log is empty.
        """
        if not self.log.last_seq:
            raise SessionError(
                f"session {self.name!r} holds no facts",
                hint=f"The session is empty; delete the folder {self.folder}." if self.folder else "",
            )
        first = self.begun or SessionStarted(session=self.name, kind="transcript")
        return first if first.session == self.name else first.model_copy(update={"session": self.name})

    def write_memory(self, data: Mapping[str, Any]) -> None:
        """Replace `memory.json`, as a whole or not at all.

        Does nothing for a session in memory. If the disk refuses, the file is unchanged and `unsaved` says why. That is
        no error, because the file can be made again from the log and must not end a debate or hide another error.

        Raises:
            SessionError: the session was opened for reading.
            TypeError: `data` cannot be written as JSON.
        """
        self._write({MEMORY_FILE: orjson.dumps(dict(data), option=orjson.OPT_APPEND_NEWLINE)})

    def write_report(self, markdown: str, data: Mapping[str, Any], page: str) -> None:
        """Replace `report.md`, `report.json` and `report.html` in the way of `write_memory`, with the same errors."""
        content = orjson.dumps(dict(data), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        texts = (markdown.encode("utf-8", "replace"), content, page.encode("utf-8", "replace"))
        self._write(dict(zip((*REPORT_FILES, PAGE_FILE), texts, strict=True)))

    def _write(self, contents: Mapping[str, bytes]) -> None:
        """Replace files of the folder, in this order."""
        if self.folder is None:
            return
        if self._lock is None:
            raise SessionError(f"session {self.name!r} is not open for writing", hint="Open it with Session.open().")
        self.unsaved = None
        for name, content in contents.items():
            target = self.folder / name
            try:
                replace_file(target, content)
            except OSError as error:
                self.unsaved = ENGLISH.say("session-unsaved", path=str(target), why=str(error.strerror or error))
        sync_folder(self.folder)

    def read_memory(self) -> dict[str, Any] | None:
        """Return what `write_memory` wrote last; None if the file is missing, damaged or unreadable."""
        try:
            data = orjson.loads((self.folder / MEMORY_FILE).read_bytes()) if self.folder is not None else None
        except (OSError, orjson.JSONDecodeError):
            return None
        return data if isinstance(data, dict) else None

    def head(self, seq: int | None = None) -> str:
        """Return the hash of the chain at fact `seq`, None for the last one; empty in memory. See `chain`."""
        return self.log.head(seq) if isinstance(self.log, JsonlLog) else ""

    def discard(self, *besides: str) -> bool:
        """Have `close` remove the session if it was created here, with files of these names `besides` its own.

        Return whether it was.
        """
        self._discarded = besides
        return self._created

    def close(self) -> None:
        """Close the log and release the lock. Remove a session that was created here and has no fact. Idempotent."""
        self.log.close()
        lock, self._lock = self._lock, None
        if lock is None:
            return
        self.journal.close()
        unused = self.folder if self._created and (self._discarded is not None or not self.log.last_seq) else None
        if unused is not None:
            remove_files(unused, (*(self._discarded or ()), *OURS))
        lock.release(force=True)
        if unused is not None:
            with suppress(OSError):  # fails, as it should, if the folder holds a file of another kind
                unused.rmdir()

    def frames(self) -> dict[str, list[dict[str, Any]]]:
        """Return the facts as rows, oldest first, by frame: `messages`, `ballots`, `stances` and `calls`.

        `stances` has each private answer of a member, ballots included: `asked` says when, `after` which message.
        `pandas.DataFrame(session.frames()["ballots"])` is a table with a column a field.
        """
        return frames(self.name, self.events())

    def __repr__(self) -> str:
        return f"<Session {self.name!r} {'on disk' if self.folder else 'in memory'}, {self.log.last_seq} facts>"

    def _repr_html_(self) -> str:
        facts = list(self.events())
        started = next((fact for fact in facts if isinstance(fact, SessionStarted)), None)
        verdict = next((fact for fact in reversed(facts) if isinstance(fact, VerdictReached)), None)
        words = started.settings.words if started else ENGLISH
        where = words.say("notebook-session", name=repr(self.name), kept=bool(self.folder), facts=self.log.last_seq)
        return cards.card(
            started.question if started else self.name,
            cards.line(where),
            verdict_card(verdict, words) if verdict else cards.line(words.say("notebook-part", "none-yet")),
            stance_table(frames(self.name, facts)["stances"], words),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def replace_file(target: Path, content: bytes) -> None:
    """Replace a file as a whole, or raise an OSError and leave it as it is."""
    new = target.with_name(fresh(target.name))
    with undone_by(new.unlink, missing_ok=True):
        with os.fdopen(os.open(new, _FRESH_FLAGS, own_mode()), "wb") as file:
            file.write(content)
            file.flush()
            sync(file.fileno())
        new.replace(target)


def remove_files(folder: Path, names: Iterable[str]) -> None:
    """Remove files of a folder as far as the system lets it."""
    for name in names:
        with suppress(OSError):
            (folder / name).unlink(missing_ok=True)


def _new_log(folder: Path) -> JsonlLog:
    """Create the log in a folder that this process has locked. On failure the folder is as empty as before."""
    path = folder / LOG_FILE
    if os.path.lexists(path) and path.stat().st_size:
        refuse_taken(folder)  # another process created it before this one had the lock
    with undone_by(remove_files, folder, (LOG_FILE, LOCK_FILE)):
        return JsonlLog(path)
