"""When a discussion stops. Each condition looks at the settings and at what the facts add up to, at nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from eda.floor import floor_policy
from eda.memory.circles import Circles
from eda.progress import Progress

__all__ = ["HELD_BACK", "PASSES", "SILENT_ROUNDS", "hard_stop", "may_speak", "why_stop", "worn_out"]

HELD_BACK = 0.1
"""Of each budget, for the ballot and the verdict."""
SILENT_ROUNDS = 2
"""Rounds of bids in which all pass, one after the other, that end a discussion."""
PASSES = 2
"""Turns in which a member repeats what was said, or fails; then it is passed over until somebody else has spoken."""


def hard_stop(progress: Progress) -> str | None:
    """`time`, `tokens` or `money` where all but a tenth of that budget is spent, or a call did not fit into it.

    Nobody is to be asked for another turn then. What ran out once stays so until its limit is raised.
    """
    settings, spent = progress.settings, progress.spent
    limits = {
        "time": (settings.max_seconds, spent.seconds),
        "tokens": (settings.max_tokens, spent.tokens),
        "money": (settings.max_cost, spent.cost),
    }
    for name, (limit, taken) in limits.items():
        if limit is not None and (taken >= limit * (1 - HELD_BACK) or limit <= progress.ran_out.get(name, 0)):
            return name
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


def may_speak(progress: Progress, members: Sequence[str]) -> list[str]:
    """The members that the floor policy lets speak now and that have not repeated themselves, or failed, too often."""
    eligible = floor_policy(progress.settings.floor).eligible(members, progress)
    spent = {who for who, times in (*progress.passes.items(), *progress.failures.items()) if times >= PASSES}
    return [member for member in eligible if member not in spent]


def worn_out(progress: Progress, members: Sequence[str], circles: Circles) -> str | None:
    """`circle` where the debate repeats itself, `silence` or `errors` where nobody has anything new or can say it."""
    if circles.over:
        return "circle"
    if may_speak(progress, members):
        return None
    return "errors" if progress.failures else "silence"
