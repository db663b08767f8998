"""`Result`, which `Debate.run` returns, and `run_now`, which runs async work for a script."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from eda.errors import UsageError
from eda.events import SubscriberFailed, VerdictReached
from eda.events.usage import UsageTotals

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a run."""

    session: str
    question: str
    reason: str
    """What ended the discussion: the reason of a stop condition, or `person`; else why it was paused, or `stopped`."""
    verdict: VerdictReached | None
    """None where the debate was stopped before its verdict."""
    messages: int
    spent: UsageTotals
    failures: tuple[SubscriberFailed, ...]
    """Subscribers that raised or fell behind."""
    runner: str


def run_now(work: Callable[[], Coroutine[Any, Any, T]], instead: str) -> T:
    """Return the result of the work, done in a new event loop.

    Raises:
        UsageError: an event loop runs already; the hint names what to write `instead`.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    raise UsageError("an event loop runs here already, as in a notebook", hint=f"Write there: {instead}")
