"""The program `eda`. It can be stopped with Ctrl-C from its first moment: while it is still importing, it just ends."""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eda.cli.program import cli as cli

__all__ = ["STOPPED", "cli", "interruptible", "main", "user_folder"]

STOPPED = 130
"""Exit code where the user stopped it."""


def main() -> None:
    """The program `eda`."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it was started to be left alone
        signal.signal(signal.SIGINT, _leave)
    from eda.cli.program import cli

    cli(prog_name="eda")


def interruptible() -> None:
    """From here on Ctrl-C is an exception: there is something to save, or a screen to give back."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def user_folder() -> str:
    """Return the folder of the user's own settings: XDG_CONFIG_HOME where that is set, else the system's usual one."""
    import click

    home = os.environ.get("XDG_CONFIG_HOME")
    return f"{home}/eda" if home else click.get_app_dir("eda")


def _leave(_number: int, _frame: FrameType | None) -> None:
    os._exit(STOPPED)  # an exception in the middle of an import would be shown, or lost, and nothing is begun


def __getattr__(name: str) -> Any:
    if name != "cli":
        raise AttributeError(f"module 'eda.cli' has no attribute {name!r}")
    from eda.cli.program import cli

    return cli
