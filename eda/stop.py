"""When a discussion stops. Each condition looks at the settings and at what the facts add up to, at nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from eda.events import EndReason
from eda.floor import floor_policy
from eda.memory.circles import Circles
from eda.progress import Progress
from eda.voting import KEEP_DISCUSSING

__all__ = [
    "HELD_BACK",
    "SILENT_ROUNDS",
    "TRIES",
    "agreed",
    "hard_stop",
    "may_speak",
    "poll_due",
    "room",
    "settled",
    "why_stop",
    "worn_out",
]

HELD_BACK = 0.1
"""Of each budget, for the ballot and the verdict."""
SILENT_ROUNDS = 2
"""Rounds of bids in which all pass, one after the other, that end a discussion."""
TRIES = 2
"""Turns in a row of a member that come to nothing, because it repeats what was said, or fails; then it is passed over
until somebody else has spoken. It has one more once the moderator has asked whether there is anything left to say."""

_ROUNDING = 1e-9


def hard_stop(progress: Progress) -> EndReason | None:
    """`time`, `tokens` or `money` where all but a tenth of that budget is spent, or a call did not fit into it.

    Nobody is to be asked for another turn then. What ran out once stays so until its limit is raised.
    """
    settings, spent = progress.settings, progress.spent
    limits: dict[EndReason, tuple[float | None, float]] = {
        "time": (settings.max_seconds, spent.seconds),
        "tokens": (settings.max_tokens, spent.tokens),
        "money": (settings.max_cost, spent.cost),
    }
    for name, (limit, taken) in limits.items():
        if limit is not None and (taken >= limit * (1 - HELD_BACK) or limit <= progress.ran_out.get(name, 0)):
            return name
    return None


def why_stop(progress: Progress, members: int) -> EndReason | None:
    """Why an open phase is over, or None while it is not. What later phases need is held back."""
    hard = hard_stop(progress)
    if hard:
        return hard
    if _room(progress, members) <= 0:
        return "messages"
    if progress.at is not None and progress.at.messages is not None and progress.said >= progress.at.messages:
        return "done"
    if agreed(progress):
        return "consensus"
    if progress.silent >= SILENT_ROUNDS:
        return "silence"
    return "errors" if progress.failed >= SILENT_ROUNDS * members else None


def room(progress: Progress, members: int) -> int:
    """Messages that an open phase has left."""
    own = progress.at.messages if progress.at is not None else None
    left = _room(progress, members)
    return max(0, left if own is None else min(left, own - progress.said))


def _room(progress: Progress, members: int) -> int:
    return progress.settings.max_messages - progress.messages - _held_back(progress, members)


def _held_back(progress: Progress, members: int) -> int:
    """Messages that later phases take: one of each member, or an open phase's own number."""
    later = progress.agenda.later(progress.phase)
    each = members * sum(phase.kind in ("blind", "round") for phase in later)
    return each + sum(phase.messages or 0 for phase in later if phase.kind == "open")


def agreed(progress: Progress) -> bool:
    """Whether the last poll of this phase shows the agreement that the settings ask for."""
    wanted, polls = progress.settings.consensus, progress.polled
    if wanted is None or not polls or progress.at is None or progress.at.kind != "open":
        return False
    if progress.polled_at <= progress.messages - progress.said:
        return False  # taken before this phase
    voters = progress.voters
    stances = [stance.choice for stance in polls[-1] if stance.who in voters]
    held = Counter(choice for choice in stances if choice is not None and choice != KEEP_DISCUSSING)
    most = max(held.values(), default=0)
    return most > 0 and most >= wanted * len(voters) - _ROUNDING


def poll_due(progress: Progress) -> bool:
    """Whether the panel is to be polled now, because its agreement may end the phase."""
    if progress.settings.consensus is None:
        return False
    since = max(progress.polled_at, progress.messages - progress.said)
    return progress.messages - since >= progress.settings.poll_every


def settled(progress: Progress) -> bool:
    """Whether nobody's stance moved between the last two polls of this round, as far as both are known."""
    polls = progress.polled
    if len(polls) < 2:
        return False
    before = {stance.who: stance.choice for stance in polls[-2] if not stance.invalid}
    pairs = [(before[now.who], now.choice) for now in polls[-1] if not now.invalid and now.who in before]
    return bool(pairs) and all(was == now for was, now in pairs)


def may_speak(progress: Progress, members: Sequence[str]) -> list[str]:
    """The members that the floor policy lets speak now and whose last turns did not come to nothing too often."""
    most = TRIES + progress.asked
    tried = Counter(progress.passes) + Counter(progress.failures)
    return floor_policy(progress.floor).eligible([who for who in members if tried[who] < most], progress)


def worn_out(progress: Progress, members: Sequence[str], circles: Circles) -> EndReason | None:
    """`circle` where the debate repeats itself, `silence` or `errors` where nobody has anything new or can say it."""
    if circles.over:
        return "circle"
    if may_speak(progress, members):
        return None
    return "errors" if progress.failures else "silence"
