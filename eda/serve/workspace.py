"""Tools with which members read the files of one folder: nothing is written or run, and nothing beside it is read."""

import asyncio
import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import accumulate
from pathlib import Path, PurePosixPath
from typing import Any

from eda.errors import EdaError, InputError, UsageError
from eda.panels.tools import Tool
from eda.report.formatting import clean
from eda.runners.tools import ToolBox, ToolResult
from eda.words import ENGLISH

_LOOKS = 4  # Looks of each kind in a turn.
# The most names of folders that a look reads, bytes of a file, and seconds of a search.
_NAMES, _BYTES, _SECONDS = 5_000, 1_000_000, 5.0
_SHOWN, _LINE = 6_000, 400  # The most characters that a look shows, and those of a line.
_DIGITS = 12  # Digits of the SHA-256 of a file that stand in the source of what is cited.

Look = Callable[..., tuple[str, Sequence[str]]]
"""Returns the source of what is found, and its lines."""


class Workspace:
    """The files of a folder. Links and names that begin with a dot, which often hold secrets, are not there."""

    def __init__(self, folder: Path) -> None:
        """Raise UsageError where there is no such folder."""
        if not folder.is_dir():
            raise UsageError(f"the workspace {str(folder)!r} is no folder", hint="Name one: --workspace DIR.")
        self._folder = folder.resolve()
        self._looks: Mapping[str, Look] = {"list_files": self._list, "read_file": self._read, "find_text": self._find}
        takes = {
            "list_files": "path?: string",
            "read_file": "path: string, first?: integer, last?: integer",
            "find_text": "text: string, path?: string",
        }
        self.tools = tuple(
            Tool(name=name, does=ENGLISH.say("prompt-look-does", name=name), takes=each, most=_LOOKS)
            for name, each in takes.items()
        )

    async def call(self, name: str, arguments: Mapping[str, Any], who: str = "") -> ToolResult:  # noqa: ARG002 - of all
        """Look once, in a thread of its own. Whatever goes wrong is told in the result."""
        began = time.perf_counter()
        try:
            source, lines = await asyncio.to_thread(self._looks[name], **arguments)
        except (OSError, EdaError, TypeError, ValueError) as error:
            why = getattr(error, "strerror", "") or clean(str(error)) or type(error).__name__
            return ToolResult(error=why, seconds=time.perf_counter() - began)
        return ToolResult("\n".join(lines), seconds=time.perf_counter() - began, source=source)

    def _list(self, path: str = ".") -> tuple[str, Sequence[str]]:
        rows = self._names(self._there(path))
        return f"list_files {_plain(path)}", _shown(
            [_plain(name) + "/" * folder for name, folder in rows], len(rows) == _NAMES
        )

    def _read(self, path: str, first: int = 1, last: int = _BYTES) -> tuple[str, Sequence[str]]:
        raw = self._bytes(self._there(path))
        lines = [clean(line)[:_LINE] for line in raw.decode("utf-8", "replace").splitlines()]
        first = max(1, int(first))
        wanted = lines[first - 1 : max(first, int(last))]
        until = first + max(len(_fitting(wanted)), 1) - 1
        return f"{_plain(path)}:{first}-{until} sha256 {sha256(raw).hexdigest()[:_DIGITS]}", _shown(wanted)

    def _find(self, text: str, path: str = ".") -> tuple[str, Sequence[str]]:
        wanted, ends = " ".join(str(text).casefold().split()), time.monotonic() + _SECONDS
        found: list[str] = []
        for name, file in self._files(path):
            if not wanted or time.monotonic() > ends or sum(map(len, found)) > _SHOWN:
                break
            try:
                lines = self._bytes(file).decode("utf-8").splitlines()
            except (EdaError, OSError, ValueError):
                continue  # too long, no plain file, no text, or gone
            found += [
                f"{_plain(name)}:{number}: {clean(line).strip()[:_LINE]}"
                for number, line in enumerate(lines, 1)
                if wanted in " ".join(line.casefold().split())
            ]
        return f"find_text {_plain(path)}", _shown(found, time.monotonic() > ends)

    def _there(self, path: str) -> Path:
        """Return the path of a file or folder of the workspace.

        Raises:
            InputError: it lies outside, is a link or below one, or is hidden.
        """
        parts = PurePosixPath(str(path)).parts
        there = self._folder.joinpath(*parts)
        hidden = any(part.startswith(".") for part in parts) or PurePosixPath(str(path)).is_absolute()
        if hidden or there.resolve() != there:
            raise InputError(ENGLISH.say("prompt-look-outside", path=_plain(path)))
        return there

    def _names(self, folder: Path) -> list[tuple[str, bool]]:
        """Return the names in a folder, sorted, with whether each is a folder itself; a bounded number of them."""
        with os.scandir(folder) as entries:
            some = [entry for entry, _ in zip(entries, range(_NAMES), strict=False)]
        plain = [each for each in some if not (each.is_symlink() or each.name.startswith("."))]
        return sorted((each.name, each.is_dir(follow_symlinks=False)) for each in plain)

    def _files(self, path: str) -> Iterator[tuple[str, Path]]:
        """Yield the files below a folder, the nearest first; a bounded number of names in all."""
        left, seen = [str(path)], 0
        while left and seen < _NAMES:
            at = left.pop(0)
            rows = self._names(self._there(at))
            seen += len(rows)
            for name, folder in rows:
                whole = str(PurePosixPath(at) / name)
                if folder:
                    left.append(whole)
                else:
                    yield whole, self._folder / whole

    def _bytes(self, file: Path) -> bytes:
        """Return what a file holds.

        Raises:
            InputError: it is no plain file, too long, or no text.
        """
        known = file.lstat()
        if not stat.S_ISREG(known.st_mode) or known.st_size > _BYTES:
            raise InputError(ENGLISH.say("prompt-look-no-file", bytes=_BYTES))
        with file.open("rb") as opened:
            raw = opened.read(_BYTES + 1)
        if b"\0" in raw or len(raw) > _BYTES:
            raise InputError(ENGLISH.say("prompt-look-no-file", bytes=_BYTES))
        return raw


def _plain(path: object) -> str:
    """Return a name on one line, without what would act on a terminal."""
    return " ".join(clean(str(path)).split())


def _fitting(lines: Sequence[str]) -> Sequence[str]:
    sizes = accumulate(len(line) + 1 for line in lines)
    return [line for line, size in zip(lines, sizes, strict=True) if size <= _SHOWN]


def _shown(lines: Sequence[str], more: bool = False) -> Sequence[str]:
    """Return the lines that fit; `more` where there are others that were not looked at."""
    shown = _fitting(lines)
    return [*shown, ENGLISH.say("prompt-look-more")] if more or len(shown) < len(lines) else shown


class Workspaces:
    """The folder of all members, and those of single members, which nobody else reads."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        """`folders` has at least one, by the title of the member whose it is, empty for all others."""
        self._of = {title: Workspace(folder) for title, folder in folders.items()}
        self.tools = next(iter(self._of.values())).tools

    async def call(self, name: str, arguments: Mapping[str, Any], who: str = "") -> ToolResult:
        """Look once in the member's folder. Whatever goes wrong is told in the result."""
        own = self._of.get(who) or self._of.get("")
        return await own.call(name, arguments) if own else ToolResult(error=ENGLISH.say("prompt-look-none"))


class Boxes:
    """The tools of several boxes."""

    def __init__(self, *boxes: ToolBox) -> None:
        """Raise UsageError where two have a tool of one name."""
        self.tools = tuple(tool for box in boxes for tool in box.tools)
        self._of = {tool.name: box for box in boxes for tool in box.tools}
        if len(self._of) < len(self.tools):
            raise UsageError("a tool server has a tool of the workspace's name", hint="Do not allow it.")

    async def call(self, name: str, arguments: Mapping[str, Any], who: str = "") -> ToolResult:
        """Call one of them for a member."""
        return await self._of[name].call(name, arguments, who)
