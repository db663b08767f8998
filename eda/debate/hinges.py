"""Says whether an answer hinges on what was altered: its changes in altered runs beside those in unaltered ones.

The plan has two stages. Each arm first has `first_runs`; those that changed the answer more often than the control by
`NEAR` go on to all runs. An arm can only stop early for want of an effect, and is tested once, with all its runs, so
the plan cannot raise the rate of errors. Each interval is wide enough that all of them together hold the truth with
95 %, however many arms were tried (Šidák 1967).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist
from typing import Literal, NamedTuple

CONTROLS = 2
"""Unaltered runs for each run of an arm: all arms are compared with the same ones."""
NEAR = 0.2
"""Difference after the first stage from which an arm goes on; at the end, one that would not matter."""
_CONFIDENCE = 0.95

Changed = Sequence[bool]
"""By run whether it came to another answer than the session."""
Finding = Literal["hinges", "may", "unseen", "shown"]
"""`may`: its interval by itself leaves 0 out; `shown`: it changes the answer by less than `NEAR`, or not at all."""


class Share(NamedTuple):
    """How many runs came to another answer."""

    changed: int
    of: int


@dataclass(frozen=True, slots=True)
class Compared:
    """An arm beside the control."""

    estimate: float
    """The arm's share of changed answers minus the control's."""
    low: float
    high: float
    finding: Finding


def first_runs(runs: int) -> int:
    """Return how many runs an arm has in the first stage of a plan with so many in all."""
    return min(runs, max(4, ceil(0.3 * runs)))


def wanted(control: Changed, arm: Changed, runs: int) -> int:
    """Return how many runs an arm is to have in all, by the results of the first stage alone.

    Later results do not count, so a plan that is taken up again after a stop goes on as it would have gone on.
    """
    first = first_runs(runs)
    unaltered = control[: CONTROLS * first]
    if len(arm) < first or len(unaltered) < CONTROLS * first:
        return first
    return runs if sum(arm[:first]) / first - sum(unaltered) / len(unaltered) >= NEAR - 1e-9 else first


def compared(control: Share, arm: Share, tried: int) -> Compared:
    """Return the difference of the shares with Newcombe's interval (1998, method 10), corrected for the number tried.

    Args:
        control: The unaltered runs, one at least.
        arm: The altered runs, one at least.
        tried: The number of arms that are compared with that control.
    """
    estimate, low, high = _difference(control, arm, tried)
    alone = _difference(control, arm, 1)[1]
    finding: Finding = "hinges" if low > 0 else "may" if alone > 0 else "shown" if high < NEAR else "unseen"
    return Compared(round(estimate, 6), round(low, 6), round(high, 6), finding)


def interval(share: Share, tried: int = 1) -> tuple[float, float]:
    """Return Wilson's interval of a share, corrected for the number of shares; 0 to 1 where nothing was run."""
    if not share.of:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + _CONFIDENCE ** (1 / tried)) / 2)
    rate, weight = share.changed / share.of, z * z / share.of
    middle, reach = rate + weight / 2, sqrt(weight * (rate * (1 - rate) + weight / 4))
    return max(0.0, (middle - reach) / (1 + weight)), min(1.0, (middle + reach) / (1 + weight))


def _difference(control: Share, arm: Share, tried: int) -> tuple[float, float, float]:
    (low, high), (least, most) = interval(control, tried), interval(arm, tried)
    here, there = arm.changed / arm.of, control.changed / control.of
    down, up = sqrt((here - least) ** 2 + (high - there) ** 2), sqrt((most - here) ** 2 + (there - low) ** 2)
    return here - there, here - there - down, here - there + up
