"""Tells a debate that one of its calls waits before it is tried again, though debates may share a runner.

Set `on_wait` before a task is made: calls inside the task tell this listener, and that of no other debate.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from eda.events import CallDelayed
from eda.runners.protocol import Prompt

OnWait = Callable[[Prompt, float, str, int], None]
"""Called before a call is tried again: with the prompt, the seconds until then (0 if another model is asked at once),
the error, and the number of the attempt that failed."""

on_wait: ContextVar[OnWait | None] = ContextVar("on_wait", default=None)


def call_delayed(prompt: Prompt, seconds: float, reason: str, attempt: int) -> CallDelayed:
    """Return the event for what an `OnWait` is called with."""
    return CallDelayed(agent=prompt.agent, purpose=prompt.purpose, seconds=seconds, reason=reason, attempt=attempt)
