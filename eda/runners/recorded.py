"""Calls kept and replayed. The one rule: a call is found by its key, and a changed prompt is said, never hidden."""

from __future__ import annotations

import difflib
import hashlib
import json
import math
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

import orjson

from eda.errors import InputError, RunnerError, RunnerUnavailableError, SessionError
from eda.protocols import CallKey, OnText, Prompt, Reply, Runner, Usage

__all__ = ["CALLS_FILE", "Difference", "RecordedRunner", "RecordingRunner"]

CALLS_FILE = "calls.jsonl"
"""The recording of a session, in its folder."""

_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
_DIFF_LINES = 12
"""Lines of a diff that are shown; a prompt grows all the time, and its first change tells."""
_DIFF_WIDTH = 160
"""Characters of such a line."""


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _named(key: CallKey) -> str:
    purpose, agent, last, attempt = key
    return f"{purpose} call of {agent or 'the engine'} after m{last}, attempt {attempt}"


class RecordingRunner:
    """Passes each call on and appends what came back, or how it failed, to a file, a JSON object a line."""

    deterministic = True
    """Whatever it asks: so that a summary stands where it will stand in a replay, and not where it was ready."""

    def __init__(self, inner: Runner, path: Path | str) -> None:
        self.inner = inner
        self.path = Path(path)
        self.summarises: bool = getattr(inner, "summarises", True)

    @property
    def spec(self) -> str:
        """The inner runner's, as it is now: some find out later which model they ask."""
        return getattr(self.inner, "spec", type(self.inner).__name__)

    @property
    def differences(self) -> list[Difference]:
        """Those of a recording that is replayed into this one."""
        return list(getattr(self.inner, "differences", ()))

    async def prepare(self) -> None:
        """Have the inner runner find out which models are asked."""
        prepare = getattr(self.inner, "prepare", None)
        if prepare is not None:
            await prepare()

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Ask the inner runner, and keep the call before its answer is used."""
        with self._file():  # no call is paid for that cannot be kept; and by the file a resume knows to record
            pass
        began = time.perf_counter()
        asked = {"key": prompt.key, "runner": self.spec, "digest": _digest(prompt.text), "prompt": prompt.text}
        try:
            reply = await self.inner.run(prompt, on_text)
        except RunnerUnavailableError:
            raise  # asked again on resume
        except RunnerError as error:
            took = {} if error.usage is None else {"usage": asdict(error.usage), "model": error.model}
            self._append({**asked, "error": str(error), **took})
            raise
        self._append(
            {
                **asked,
                "text": reply.text,
                "data": None if reply.data is None else dict(reply.data),
                "usage": asdict(reply.usage),
                "model": reply.model,
                "latency": round(time.perf_counter() - began, 6),
            }
        )
        return reply

    def _append(self, row: Mapping[str, Any]) -> None:
        # json, unlike orjson, keeps a lone surrogate that a model may send, as an escape.
        line = json.dumps(row, ensure_ascii=True, default=str).encode("ascii") + b"\n"
        with self._file() as handle:
            size = os.fstat(handle).st_size
            if size and _read_at(handle, 1, size - 1) != b"\n":
                # The process before was killed in the middle of a line; the torn end was never used.
                size = _last_line_end(handle, size)
                os.ftruncate(handle, size)
            self._write(handle, line, size)

    @contextmanager
    def _file(self) -> Iterator[int]:
        """One descriptor a call: nothing to close, and a whole line reaches the system at once or is taken back."""
        try:
            handle = os.open(self.path, _FLAGS, 0o644)
            try:
                yield handle
            finally:
                os.close(handle)
        except OSError as error:
            hint = "Free some space or check the folder, then resume; or run without --record."
            why = error.strerror or error
            raise SessionError(f"{self.path}: the call cannot be recorded: {why}", hint=hint) from error

    @staticmethod
    def _write(handle: int, line: bytes, size: int) -> None:
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[os.write(handle, rest) :]
        except OSError:
            os.ftruncate(handle, size)
            raise


def _read_at(handle: int, most: int, start: int) -> bytes:
    os.lseek(handle, start, os.SEEK_SET)  # what is written goes to the end all the same
    return os.read(handle, most)


def _last_line_end(handle: int, size: int) -> int:
    step = 1 << 16
    while size > 0:
        start = max(0, size - step)
        found = _read_at(handle, size - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        size = start
    return 0


@dataclass(frozen=True, slots=True)
class Difference:
    """A replayed call whose prompt is not the one that was recorded."""

    key: CallKey
    diff: str
    """The first lines of a unified diff, recorded against asked."""

    def __str__(self) -> str:
        return f"the prompt of the {_named(self.key)} changed since it was recorded:\n{self.diff}"


class RecordedRunner:
    """Replays the calls of a file. Of two calls with one key the later one counts: it is the one that a resume kept.

    A call that the file lacks pauses the debate: going on without it would be another debate.
    """

    deterministic = True

    def __init__(self, path: Path | str, *, on_difference: Callable[[Difference], None] | None = None) -> None:
        self.path = Path(path)
        self.spec = f"recorded:{self.path.absolute()}"
        self._calls = _read(self.path)
        # A debate too short for a summary may have had a report.
        self.summarises = any(key[0] in ("summarise", "report") for key in self._calls)
        self.replays = str(next(iter(self._calls.values())).get("runner", ""))
        """The runner that was recorded; empty where the file does not say."""
        self.differences: list[Difference] = []
        """The first call whose prompt changed; later ones follow from it and are not listed."""
        self._on_difference = on_difference

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Give the reply that was recorded under the prompt's key.

        Raises:
            RunnerError: the call failed when it was recorded.
            RunnerUnavailableError: it was not recorded.
        """
        call = self._calls.get(prompt.key)
        if call is None:
            raise RunnerUnavailableError(
                f"{self.path} holds no {_named(prompt.key)}; {self._instead(prompt.last)}",
                hint="Replay with the question, panel, seed and settings of the recording; what persons said or "
                "changed in it is not replayed. Or go on with another runner: eda resume ID --runner SPEC.",
            )
        if not self.differences and _digest(prompt.text) != call["digest"]:
            difference = Difference(prompt.key, _diff(call["prompt"], prompt.text))
            self.differences.append(difference)
            if self._on_difference is not None:
                self._on_difference(difference)
        if "error" in call:
            raise _failure(call)
        text: str = call["text"]
        if on_text is not None:
            for piece in re.findall(r"\s*\S+\s*", text):
                on_text(piece)
        return Reply(text, call["data"], Usage(**call["usage"]), str(call.get("model", "")))

    def _instead(self, last: int) -> str:
        """What it holds at that message: it tells where the debate took another way."""
        there = sorted({f"{purpose} of {agent or 'the engine'}" for purpose, agent, at, _ in self._calls if at == last})
        if there:
            return f"after m{last} it holds {', '.join(there)}"
        return f"its last call is after m{max(at for _, _, at, _ in self._calls)}"


def _failure(call: Mapping[str, Any]) -> RunnerError:
    error = RunnerError(call["error"])
    if "usage" in call:
        error.usage, error.model = Usage(**call["usage"]), call["model"]
    return error


def _diff(recorded: str, asked: str) -> str:
    old, new = recorded.split("\n"), asked.split("\n")
    changed = next((pair for pair in zip(old, new, strict=False) if pair[0] != pair[1]), ("", ""))
    at = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*changed, strict=False)))
    lines = list(difflib.unified_diff(old, new, "recorded", "asked", n=1, lineterm=""))
    shown = [_around(line, at if line[0] in "-+" else 0) for line in lines[:_DIFF_LINES]]
    return "\n".join(shown + (["..."] if len(lines) > _DIFF_LINES else []))


def _around(line: str, at: int) -> str:
    """A line of a diff, its sign first, cut where it is long to what surrounds `at`; what is not seen is spelt out."""
    sign, words = line[:1], line[1:]
    start = max(0, min(at - _DIFF_WIDTH // 2, len(words) - _DIFF_WIDTH))
    piece = words[start : start + _DIFF_WIDTH]
    seen = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in piece)
    more = "..." if start + _DIFF_WIDTH < len(words) else ""
    return f"{sign}{'...' if start else ''}{seen}{more}"


def _read(path: Path) -> dict[CallKey, dict[str, Any]]:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}", hint="Name a file that --record wrote.") from error
    calls: dict[CallKey, dict[str, Any]] = {}
    lines = raw.split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = _row(line)
        except (ValueError, KeyError, TypeError) as error:
            if number == len(lines):
                # Killed in the middle of its last line: the call was never answered.
                continue
            reason = f"lacks {error}" if isinstance(error, KeyError) else str(error).split(":")[0]
            raise InputError(
                f"{path}, line {number}: no recorded call ({reason})",
                hint="Name a file that --record wrote, or take the broken line out.",
            ) from error
        calls[row["key"]] = row
    if not calls:
        raise InputError(f"{path}: holds no recorded call", hint="Name a file that --record wrote.")
    return calls


def _row(line: bytes) -> dict[str, Any]:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError:
        row = json.loads(line)  # A lone surrogate, which orjson will not read.
    if not isinstance(row, dict):
        raise TypeError("not an object")
    if [type(part) for part in row["key"]] != [str, str, int, int]:
        raise TypeError("'key' names no call")
    failed = "error" in row
    for name in ("digest", "prompt", "error") if failed else ("digest", "prompt", "text", "model"):
        if not isinstance(row[name], str):
            raise TypeError(f"{name!r} is no text")
    if not failed or "usage" in row:
        _check_usage(Usage(**row["usage"]))
    if not failed and not isinstance(row["data"], dict | None):
        raise TypeError("'data' is no object")
    return {**row, "key": tuple(row["key"])}


def _check_usage(usage: Usage) -> None:
    cost = usage.cost
    tokens = (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens)
    if not all(isinstance(count, int) and count >= 0 for count in tokens):
        raise TypeError("'usage' counts no tokens")
    if cost is not None and not (isinstance(cost, int | float) and math.isfinite(cost) and cost >= 0):
        raise TypeError("'cost' is no number of dollars")
