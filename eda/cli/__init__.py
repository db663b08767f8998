"""The program `eda`. It can be stopped with Ctrl-C from its first moment: while it is still importing, it just ends."""

import atexit
import gc
from typing import TYPE_CHECKING, Any

from eda.cli.process import leave_at_once

if TYPE_CHECKING:
    from eda.cli.program import cli as cli

__all__ = ["cli", "main"]


def main() -> None:
    """The program `eda`."""
    leave_at_once()
    atexit.register(gc.freeze)  # the last to be called: what lives until then is not looked through once more
    gc.disable()  # to import a command makes no garbage
    from eda.cli.program import cli

    cli(prog_name="eda")


def __getattr__(name: str) -> Any:
    if name != "cli":
        raise AttributeError(f"module 'eda.cli' has no attribute {name!r}")
    from eda.cli.program import cli

    return cli
