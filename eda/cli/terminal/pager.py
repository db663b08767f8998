"""Shows long output through the user's pager."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from rich.console import Console

from eda.cli.terminal.style import console_for


class _Paged(Console):
    """A console that leaves a closed pipe to its user; rich ends the program there."""

    def on_broken_pipe(self) -> None:
        """Raise a BrokenPipeError."""
        raise BrokenPipeError


@contextmanager
def paged(*, long: bool) -> Iterator[Console]:
    """Yield a console: that of PAGER (default: `less`) where the output is `long` and a terminal, else the output's.

    Who leaves the pager early ends the output.
    """
    console, command = console_for(), shlex.split(os.environ.get("PAGER", "less"))
    if not (long and console.is_terminal and command and shutil.which(command[0])):
        yield console
        return
    env = {"LESS": "-FRX", **os.environ}  # as git has it: colours, and no waiting where all fits on the screen
    pager = subprocess.Popen(command, stdin=subprocess.PIPE, env=env, text=True, encoding="utf-8", errors="replace")  # noqa: S603 - the user's own
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the pager's
    try:
        with suppress(BrokenPipeError):
            yield _Paged(
                file=pager.stdin,
                force_terminal=True,
                width=console.width,
                no_color=console.no_color,
                color_system="truecolor" if console.color_system == "truecolor" else "256",
                highlight=False,
                markup=False,
                emoji=False,
            )
    finally:
        with suppress(BrokenPipeError):
            pager.communicate()
        signal.signal(signal.SIGINT, before)
