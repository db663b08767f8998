"""When a discussion stops. Each condition looks at the settings and at what the facts add up to, at nothing else."""

from __future__ import annotations

from eda.progress import Progress

__all__ = ["SILENT_ROUNDS", "hard_stop", "why_stop"]

SILENT_ROUNDS = 2
"""Rounds of bids in which all pass, one after the other, that end a discussion."""


def hard_stop(progress: Progress) -> str | None:
    """`time`, `tokens` or `money` where that limit is reached: nobody is to be asked for another turn."""
    settings, spent = progress.settings, progress.spent
    if settings.max_seconds is not None and spent.seconds >= settings.max_seconds:
        return "time"
    if settings.max_tokens is not None and spent.tokens >= settings.max_tokens:
        return "tokens"
    if settings.max_cost is not None and spent.cost >= settings.max_cost:
        return "money"
    return None


def why_stop(progress: Progress, members: int) -> str | None:
    """Why the discussion is over, or None while it is not. A closing word for each member is held back."""
    hard = hard_stop(progress)
    if hard:
        return hard
    if progress.messages >= progress.settings.max_messages - members:
        return "messages"
    if progress.silent >= SILENT_ROUNDS:
        return "silence"
    if progress.failed >= SILENT_ROUNDS * members:
        return "errors"
    return None
