"""The program as a process of its own: with pipes, or on a terminal that a test types at. None outlives its test."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyte
import warm

__all__ = ["OPTIONS", "PATIENCE", "PLAIN", "QUESTION", "SLOW", "Terminal", "on_terminal", "program", "ran", "wait_for"]

QUESTION = "Should we move the billing service out of the monolith this quarter?"
OPTIONS = ("--option", "Move it", "--option", "Wait a quarter")
PATIENCE = 120.0
"""Seconds after which a program hangs: no test waits that long where all is well."""
PLAIN = "from eda.cli import main; main()"
SLOW = """
import asyncio
from eda.runners.simulated.runner import SimulatedRunner

plain = SimulatedRunner.run

async def slow(self, prompt, on_text=None):
    await asyncio.sleep(0.15)
    return await plain(self, prompt, on_text)

SimulatedRunner.run = slow
from eda.cli import main
main()
"""
"""The program, with a simulated runner that takes its time."""


def _environment(env: dict[str, str] | None) -> dict[str, str]:
    ours = {**os.environ, "PYTHONUNBUFFERED": "1", "TERM": "xterm-256color", "COLORTERM": ""}
    ours.pop("NO_COLOR", None)
    return {**ours, **(env or {})}


def ran(
    *args: str, script: str = PLAIN, env_more: dict[str, str] | None = None, **kept: Any
) -> subprocess.CompletedProcess[bytes]:
    """The program, run to its end; what it writes is kept where `kept` does not say otherwise."""
    command = [sys.executable, "-c", script, *args]
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **kept}
    return warm.run(command, parent=warm.PROGRAM, env=_environment(env_more), timeout=PATIENCE, **streams)


@contextmanager
def program(*args: str, script: str = PLAIN, **kept: Any) -> Iterator[subprocess.Popen[bytes]]:
    """The program with a pipe at each end, killed where the test ends before it."""
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **kept}
    command = [sys.executable, "-c", script, *args]
    with warm.Popen(warm.PROGRAM, command, env=_environment(None), bufsize=0, **streams) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for(process: subprocess.Popen[bytes], needle: str) -> None:
    """Read on, to the end of the line that has it."""
    assert process.stdout is not None
    seen = b""
    deadline = time.monotonic() + PATIENCE
    while needle.encode() not in seen or not seen.endswith(b"\n"):
        assert time.monotonic() < deadline, seen.decode()
        if select.select([process.stdout], [], [], 0.2)[0]:
            piece = os.read(process.stdout.fileno(), 1)
            assert piece, seen.decode()
            seen += piece


class Terminal:
    """The program on a terminal of its own, whose keys are signals, and what it was sent."""

    def __init__(
        self, cwd: Path, *args: str, width: int = 80, script: str = SLOW, fresh: bool = False, **env: str
    ) -> None:
        self._ours, self._theirs = pty.openpty()
        fcntl.ioctl(self._theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
        self.before = self.state
        given = _environment({"COLUMNS": str(width), "LINES": "40", **env})
        ends = {"stdin": self._theirs, "stdout": self._theirs, "stderr": self._theirs}
        self.process = warm.Popen(
            warm.PROGRAM,
            [sys.executable, "-c", script, *args],
            cwd=cwd,
            fresh=fresh,
            env=given,
            **ends,
            start_new_session=True,
            preexec_fn=warm.takes_terminal,
        )
        self._seen = b""
        self._read = 0
        self._width = width

    def wait_for(self, text: str) -> None:
        """Read on until that is shown, after what was waited for before."""
        deadline = time.monotonic() + PATIENCE
        while (at := self.shown.find(text, self._read)) < 0:
            assert time.monotonic() < deadline, self.shown[-3000:]
            assert self._more(), self.shown[-3000:]
        self._read = at + len(text)

    def wait_until(self, pattern: re.Pattern[str]) -> str:
        """Read on until that is shown, after what was waited for before; return it."""
        deadline = time.monotonic() + PATIENCE
        while (match := pattern.search(self.shown, self._read)) is None:
            assert time.monotonic() < deadline, self.shown[-3000:]
            assert self._more(), self.shown[-3000:]
        self._read = match.end()
        return match[0]

    def wait_for_rows(self, pattern: re.Pattern[str]) -> None:
        """Read on until a person sees that."""
        deadline = time.monotonic() + PATIENCE
        while pattern.search(self.screen) is None:
            assert time.monotonic() < deadline, self.screen
            assert self._more(), self.screen

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def end(self) -> int:
        """Read to the end; gives the exit code."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None or select.select([self._ours], [], [], 0)[0]:
            assert time.monotonic() < deadline, self.shown[-3000:]
            self._more()
        return self.process.returncode

    def hang_up(self) -> int:
        """Close the window, as a lost connection does; gives the exit code."""
        os.close(self._theirs)
        os.close(self._ours)
        self._theirs = self._ours = -1
        return self.process.wait(timeout=PATIENCE)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        if self._ours >= 0:
            os.close(self._theirs)
            os.close(self._ours)

    @property
    def raw(self) -> str:
        return self._seen.decode("utf-8", "replace")

    @property
    def shown(self) -> str:
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.raw)

    @property
    def screen(self) -> str:
        """What a person sees: the rows as they are drawn by now."""
        screen = pyte.Screen(self._width, 40)
        pyte.ByteStream(screen).feed(self._seen)
        return "\n".join(row.rstrip() for row in screen.display)

    @property
    def state(self) -> list[Any]:
        """How the terminal is set."""
        return termios.tcgetattr(self._theirs)

    def set(self, state: list[Any]) -> None:
        """Have the terminal set otherwise, as another program on it does."""
        termios.tcsetattr(self._theirs, termios.TCSANOW, state)

    def _more(self) -> bool:
        if select.select([self._ours], [], [], 0.05)[0]:
            try:
                self._seen += os.read(self._ours, 65536)
            except OSError:
                return False
        return True


@contextmanager
def on_terminal(cwd: Path, *args: str, **given: Any) -> Iterator[Terminal]:
    """The program on a terminal, killed where the test ends before it."""
    terminal = Terminal(cwd, *args, **given)
    try:
        yield terminal
    finally:
        terminal.close()
