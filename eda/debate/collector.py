"""How often Python looks for garbage in a process that runs debates."""

from __future__ import annotations

import gc


def collect_seldom() -> None:
    """Have no collection look at what is loaded by now, and few at all that lives: each stops 200 debates at once."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
    gc.enable()
