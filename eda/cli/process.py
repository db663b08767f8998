"""What the program `eda` needs before it imports a command: Ctrl-C, the user's folder, how an error is printed."""

import os
import signal
import sys
from types import FrameType

from eda.words import ENGLISH, Words

STOPPED = 130  # Exit code where the user stopped it.


def leave_at_once() -> None:
    """Have Ctrl-C end the program without a word, unless it was started to be left alone."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def interruptible() -> None:
    """From here on Ctrl-C is an exception: there is something to save, or a screen to give back."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def user_folder() -> str:
    """Return the folder of the user's own settings: XDG_CONFIG_HOME where that is set, else the system's usual one."""
    import click

    home = os.environ.get("XDG_CONFIG_HOME")
    return f"{home}/eda" if home else click.get_app_dir("eda")


def has_screen() -> bool:
    """Return whether a browser can open a window here."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def say_error(message: str, hint: str, words: Words = ENGLISH) -> None:
    """Print what was wrong and what to do, each on one line of the error stream, even if a name contains a line end."""
    import click

    from eda.report.formatting import fitted, one_line

    click.echo(fitted(f"{words.say('screen-label', 'error')}: {one_line(message)}", sys.stderr), err=True)
    if hint:
        click.echo(fitted(f"{words.say('screen-label', 'hint')}: {one_line(hint)}", sys.stderr), err=True)


def _leave(_number: int, _frame: FrameType | None) -> None:
    os._exit(STOPPED)  # an exception in the middle of an import would be shown, or lost, and nothing is begun
