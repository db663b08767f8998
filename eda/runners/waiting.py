"""Who is told that a call waits. The one rule: it belongs to a debate, not to a runner that debates may share.

Set `on_wait` before a task is made: what runs in the task then tells this listener, and no other debate's.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from eda.events import CallDelayed
from eda.protocols import Prompt

__all__ = ["OnWait", "delayed", "on_wait"]

OnWait = Callable[[Prompt, float, str, int], None]
"""Called before a call is asked again: the prompt, seconds until then (0 where another model is asked at once), what
went wrong, the number of the attempt that did."""

on_wait: ContextVar[OnWait | None] = ContextVar("on_wait", default=None)


def delayed(prompt: Prompt, seconds: float, reason: str, attempt: int) -> CallDelayed:
    """The event that says so."""
    return CallDelayed(agent=prompt.agent, purpose=prompt.purpose, seconds=seconds, reason=reason, attempt=attempt)
