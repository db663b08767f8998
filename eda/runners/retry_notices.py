"""Tells a debate that one of its calls waits before it is tried again, though debates may share a runner."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from eda.events import CallDelayed

on_wait: ContextVar[Callable[[CallDelayed], object] | None] = ContextVar("on_wait", default=None)
"""Called before a call is tried again. Calls inside a task tell what was set before that task was made."""
