"""Async work, for a script that has no event loop of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from eda.errors import UsageError

__all__ = ["run_now"]

T = TypeVar("T")


def run_now(work: Callable[[], Coroutine[Any, Any, T]], instead: str) -> T:
    """Do the work in an event loop of its own.

    Raises:
        UsageError: one runs already; the hint names what to write `instead`.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    raise UsageError("an event loop runs here already, as in a notebook", hint=f"Write there: {instead}")
