"""How often Python looks for garbage in a process that runs debates."""

from __future__ import annotations

import gc

_THRESHOLDS = (10_000, 20, 50)
"""By default (700, 10, 10): then a full collection stops 200 debates for a tenth of a second, again and again."""


def collect_seldom() -> None:
    """Have no collection look at what is loaded by now, and few look at all that lives; it takes a megabyte more."""
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
