"""Reads the files that users write: personas, panels, agendas, prompts, patterns, context, transcripts, recordings.

The one rule: a file is opened, bounded and decoded here and nowhere else, and an error names the file, the line where
there is one, what is wrong, and what to do.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, NoReturn

import orjson

from eda.errors import EdaError, InputError, nearest
from eda.text import regex
from eda.words import ENGLISH, fault

if TYPE_CHECKING:
    from zipfile import ZipInfo

    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

MAX_BYTES = 1_000_000
"""Bytes of a file that is read as a whole, unless its reader names another limit."""
MAX_LINE = 16_000_000
"""Bytes of a line of a file that is read line by line."""
MAX_FILE = 4_000_000_000
"""Bytes of a file that is read line by line."""
MAX_DEPTH = 64
"""Levels of tables and lists within each other."""
CONTROLS = regex("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that a file may hold and no line of text needs."""
Loc = tuple[int | str, ...]
"""Where in a table a fault is, as pydantic gives it."""


class UserFile(NamedTuple):
    """A file that a user has named, `-` for standard input: its text, its lines, and the errors about it."""

    path: Path
    error: type[EdaError]
    """The class of every error about this file."""
    hint: str = ""
    """What to do where the file cannot be read; empty for a hint that fits the reason."""
    what: str = ""
    """What the file is, where its path alone does not tell: `transcript`."""

    def place(self, line: int | None = None) -> str:
        """Return what the file is, its path, and the line where there is one."""
        path = "standard input" if self.path == _STDIN else self.path
        return f"{self.what} {path}".lstrip() + ("" if line is None else f", line {line}")

    def fault(self, reason: str, hint: str = "", line: int | None = None) -> EdaError:
        """Return an error that names this file, and the line where there is one."""
        return self.error(f"{self.place(line)}: {reason}", hint=hint)

    def wrong(self, key: str, line: int | None = None, **data: Any) -> EdaError:
        """Return an error that names this file, and whose reason is a message of the catalogue."""
        path = "" if self.path == _STDIN else str(self.path)
        return fault("error-file", self.error, kind=self.what, path=path, line=str(line or ""), reason=(key, data))

    def text(
        self,
        limit: int = MAX_BYTES,
        *,
        larger: str = "Give the part that matters.",
        lax: bool = False,
    ) -> str:
        r"""Return the text of a regular file or a pipe, in UTF-8, with or without a mark; each line ends in `\n`.

        Args:
            limit: The most bytes that are read.
            larger: What to do about a larger file.
            lax: Read what is no UTF-8 as U+FFFD.

        Raises:
            EdaError: of the class `error`: the file cannot be read, is larger, or is no text.
        """
        raw = self.raw(limit, larger=larger)
        return raw.decode("utf-8-sig", "replace") if lax else self.decoded(raw)

    def raw(self, limit: int, *, larger: str = "Give the part that matters.") -> bytes:
        """Return the bytes of a regular file or a pipe; errors as those of `text`."""
        with self._open() as file:
            raw: bytes | None = file.read(limit + 1)
        if raw is None:
            raise self.fault("has nothing to read yet", self.hint or "Name a text file.")
        if len(raw) > limit:
            raise self.fault(f"is larger than {_size(limit)}", self.hint or larger)
        return raw

    def decoded(self, raw: bytes) -> str:
        """Return the text of these bytes of the file; errors as those of `text`."""
        if b"\0" in raw:
            line = raw.count(b"\n", 0, raw.index(b"\0")) + 1
            raise self.wrong("error-zero-byte", line)
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            raise self.wrong("error-no-utf", line) from error
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield each line that is not blank, as bytes with its end, after its number.

        Raises:
            EdaError: of the class `error`: the file cannot be read or is larger than 4 GB, or a line is than 16 MB.
        """
        size = 0
        with self._open() as file:
            for number, line in enumerate(iter(lambda: file.readline(MAX_LINE + 1), b""), 1):
                size += len(line)
                if len(line) > MAX_LINE:
                    raise self.fault(f"is larger than {_size(MAX_LINE)}", self.hint or "Write a row a line.", number)
                if size > MAX_FILE:
                    raise self.fault(f"is larger than {_size(MAX_FILE)}", self.hint or "Divide it.")
                if line.strip():
                    yield number, line

    def check_unpacked(self, parts: Iterable[ZipInfo], most: int, hint: str) -> None:
        """Raise an error of the class `error` where parts of a ZIP file are too large together.

        Large ones may be packed a hundred times smaller: text packs fifteen times smaller, and only what was made to
        fill a memory packs better than that.
        """
        sizes = [(part.file_size, part.compress_size) for part in parts]
        most = min(most, max(50_000_000, 100 * sum(small for _, small in sizes)))
        if sum(size for size, _ in sizes) > most:
            raise self.fault(f"unpacks to more than {_size(most)}", hint)

    def json(self, text: bytes | str) -> Any:
        """Return the JSON value that a text holds.

        Raises:
            EdaError: of the class `error`: the text is no JSON, or nests too deep.
        """
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError as error:
            hint = self.hint or "Name a whole file, as the program wrote it."
            raise self.fault(f"is no valid JSON: {error.msg}", hint, error.lineno) from error
        return self._flat(value, "Name a file that EDA wrote.")

    def table(self, text: str, hint: str = "Texts stand in quotes, lists in [ ].") -> dict[str, Any]:
        """Return the TOML table that this file's text holds.

        Raises:
            EdaError: of the class `error`: the text is no TOML, or nests too deep.
        """
        try:
            table: dict[str, Any] = self._flat(tomllib.loads(text), hint)
        except tomllib.TOMLDecodeError as error:
            at = re.search(r"\(at line (\d+)", str(error))
            line = int(at[1]) if at else text.rstrip("\n").count("\n") + 1
            raise self.fault("is no valid TOML: " + re.sub(r"\s*\(at .*\)$", "", str(error)), hint, line) from error
        except RecursionError:
            self._too_deep(hint)
        return table

    def _flat(self, value: Any, hint: str) -> Any:
        """Return a value that nests no deeper than is allowed."""
        level, depth = [value], 0
        while level:
            if depth > MAX_DEPTH:
                self._too_deep(hint)
            level = [
                inner
                for outer in level
                if isinstance(outer, dict | list)
                for inner in (outer.values() if isinstance(outer, dict) else outer)
            ]
            depth += 1
        return value

    def _too_deep(self, hint: str) -> NoReturn:
        raise self.fault(f"nests too deep: more than {MAX_DEPTH} levels", self.hint or hint)

    @contextmanager
    def _open(self) -> Iterator[BinaryIO]:
        """Open the file, or standard input, which stays open; what the system refuses is an error of the file."""
        try:
            with nullcontext(sys.stdin.buffer) if self.path == _STDIN else self._regular() as file:
                yield file
        except OSError as error:
            why, hint = error.strerror or error, self.hint or "Check its permissions."
            raise self.fault(f"cannot be read: {why}", hint) from error

    def _regular(self) -> BinaryIO:
        """Return the open file; `fault` where there is none, or it is neither a file nor a pipe."""
        try:
            mode = self.path.stat().st_mode
        except (FileNotFoundError, ValueError):
            raise self.fault("there is no such file", self.hint or "Check the spelling of the path.") from None
        if stat.S_ISDIR(mode):
            raise self.fault("is a folder, and no file", self.hint or "Name a file in it.")
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise self.fault("is neither a file nor a pipe", self.hint or "Name a text file.")
        # A file of the system that is no pipe, such as /proc/kmsg, gives nothing rather than wait.
        flags = getattr(os, "O_NONBLOCK", 0) if stat.S_ISREG(mode) else 0
        return open(self.path, "rb", opener=lambda path, given: os.open(path, given | flags))


_STDIN = Path("-")


def _size(limit: int) -> str:
    for unit, name in ((1_000_000_000, "GB"), (1_000_000, "MB")):
        if limit >= unit:
            return f"{limit // unit} {name}"
    return f"{limit // 1024} kB"


def own_mode(usual: int = 0o666) -> int:
    """Return the mode of a file that EDA makes, or, with 0o777, of a folder: for its owner alone, or as EDA_UMASK says.

    Raises:
        InputError: EDA_UMASK is no umask.
    """
    umask = os.environ.get("EDA_UMASK") or "077"
    if not re.fullmatch("0?[0-7]{3}", umask):
        raise InputError(f"EDA_UMASK is {umask!r}, which is no umask", hint="Write EDA_UMASK=027, or unset it.")
    return usual & ~int(umask, 8)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of the data, however much of it the system takes at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def shipped(folder: str) -> Path:
    """Return a folder that comes with EDA: beside the source in a checkout, else in the package by its last name."""
    # An editable install has no copy in the package, and an old wheel may have left a stale one.
    package = Path(__file__).resolve().parents[1]
    source = package.parent / folder
    return source if (package.parent / "pyproject.toml").is_file() and source.is_dir() else package / source.name


def files_in(folder: Path, pattern: str, error: type[EdaError], what: str) -> Iterable[Path]:
    """Return the paths under a folder that match a pattern, in order; a pipe, which nobody may fill, is left out.

    Raises:
        EdaError: of the class `error`: there is no such folder, or it cannot be read.
    """
    file = UserFile(folder, error)
    if not folder.is_dir():
        raise file.fault("there is no such folder", f"Name a folder that holds {what}.")
    try:
        return [path for path in sorted(folder.glob(pattern)) if not path.is_fifo()]
    except OSError as failure:
        raise file.fault(f"cannot be read: {failure.strerror or failure}", "Check its permissions.") from failure


def unknown_key(key: object, known: Sequence[str], where: str, what: str = "key") -> tuple[str, str]:
    """Return what is wrong with a key that nobody knows, and what to do: the nearest known one, and all of them."""
    close = nearest(str(key), known)
    fault = ENGLISH.say("file-unknown-key", name=str(key), kind=what, where=where, close=close[0] if close else "")
    return fault, f"{what.capitalize()}s of {where}: {', '.join(known)}."


def key_line(text: str, table: str | None, key: str) -> int | None:
    """Return the line on which TOML sets `key`, in `table` or at the top; None where no line does."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not re.match(rf"\s*\[?\s*[\"']?{re.escape(key)}[\"']?\s*[\].=]", line):
            continue
        try:
            above = tomllib.loads("\n".join(lines[:number]))
            upto = above if table is None else above.get(table)
        except tomllib.TOMLDecodeError:
            continue  # Inside a longer value, so not a key.
        if isinstance(upto, dict) and key not in upto:
            return number + 1
    return None if table is None else key_line(text, None, table)


_PLAIN_KINDS = (
    ("valid tuple", "list"),
    ("a valid string", "text"),
    ("valid number", "number"),
    ("valid integer", "whole number"),
    ("a valid boolean", "true or false"),
    ("a valid dictionary or instance of Phase", "a table"),
)
_BOUNDS = ("ge", "gt", "le", "lt", "max_length", "expected")


def in_words(error: ValidationError, first: ErrorDetails | None = None) -> EdaError:
    """Return an error for a person, about the field in which a fault is, the first one if none is given."""
    first = first or error.errors()[0]
    loc, given, bounds = tuple(first["loc"]), first["input"], first.get("ctx", {})
    inner = loc[1] if len(loc) > 1 else None
    message = re.sub(r"^(Input|String|Value|Tuple) ", "", first["msg"]).replace(" after validation", "")
    for theirs, plain in _PLAIN_KINDS:
        message = message.replace(theirs, plain)
    kind = f"text_{first['type']}" if isinstance(given, str) and first["type"].startswith("too_") else first["type"]
    slug = re.sub(r"[^a-z0-9]+", "-", str(given).lower()).strip("-") if kind == "string_pattern_mismatch" else ""
    bound = next((str(bounds[each]) for each in _BOUNDS if each in bounds), "")
    plain_error = fault(
        "error-field",
        name=str(loc[0]) if loc else "",
        path=".".join(map(str, loc[:2])),
        number=str(inner + 1) if isinstance(inner, int) else "",
        kind=kind,
        given=repr(str(given)[:200]),
        slug=slug,
        bound=bound.replace("' or '", "', '"),
        message=f"{message[:1].lower()}{message[1:]}",
    )
    plain_error.about = str(loc[0]) if loc else ""
    return plain_error


def complaint(error: ValidationError, fault: ErrorDetails | None = None) -> tuple[Loc, str, str]:
    """Return where a fault is, the first one if none is given, what it is, and what to do, in words for a person."""
    plain = in_words(error, fault)
    return tuple((fault or error.errors()[0])["loc"]), str(plain), plain.hint
