"""Scripted members whose votes depend on known premises: are those that the answer hinges on found, and no others?

Each study plants what sways whom, then tries every premise, a pair of premises, each member and both orders as
`eda.debate.hinges` plans it. A member votes for its own option by chance, too: the noise, 0 to .3.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import sqrt
from random import Random

from eda.debate.hinges import CONTROLS, Compared, Share, compared, wanted
from proofs.base import Check, Row, row_of

_STUDIES, _RUNS, _SEATS, _PREMISES = 2000, 20, 5, 6
_NOISE = 0.3
_ORDERS = ("seats", "options")
Altered = frozenset[int | str]
"""Premises that are taken away, by number; members left out, as `m0`; orders that are turned round, by name."""


@dataclass(frozen=True, slots=True)
class _Minds:
    """What makes each member leave the option that the panel is for: any one of these sets, altered whole."""

    leaves: tuple[tuple[Altered, ...], ...]
    noise: float

    def chance(self, altered: Altered) -> float:
        """Return how often the panel comes to the other option; a tie is broken by a lot."""
        others = [self._other(seat, altered) for seat in range(_SEATS) if f"m{seat}" not in altered]
        votes = [1.0]
        for chance in others:
            stay, go = [each * (1 - chance) for each in votes], [each * chance for each in votes]
            votes = [a + b for a, b in zip([*stay, 0.0], [0.0, *go], strict=True)]
        half = len(others) / 2
        return sum(share * (0.5 if count == half else float(count > half)) for count, share in enumerate(votes))

    def run(self, altered: Altered, lots: Random) -> bool:
        """Return whether one run comes to the other option."""
        votes = [lots.random() < self._other(seat, altered) for seat in range(_SEATS) if f"m{seat}" not in altered]
        return sum(votes) > len(votes) / 2 or (2 * sum(votes) == len(votes) and lots.random() < 0.5)

    def _other(self, seat: int, altered: Altered) -> float:
        return 1 - self.noise if any(each <= altered for each in self.leaves[seat]) else self.noise


def hinges(size: float = 1.0) -> Row:
    """Return how many planted pivots are found, how many others are called so, and whether the intervals hold."""
    studies, count = max(20, round(_STUDIES * size)), Counter[str]()
    for number in range(studies):
        _study(Random(f"hinges:{number}"), count)
    chance = 3 * sqrt(0.95 * 0.05 / studies) if studies < _STUDIES else 0.0

    def missed(kind: str) -> float:
        return 1 - count[f"{kind} found"] / count[kind] if count[kind] else 0.0

    checks = [
        Check("intervals of a study that all hold the truth", 0.95, count["covered"] / studies, max(0.015, chance)),
        Check("pivots that are not found", 0.0, missed("pivot"), 0.05 + chance),
        Check("the same with all runs for each arm", 0.0, missed("equal"), 0.05 + chance),
        Check("joint pairs that are not found", 0.0, missed("pair"), 0.05 + chance),
        Check("orders that decide and are not found", 0.0, missed("order"), 0.05 + chance),
        Check("others that are called pivots", 0.0, count["false"] / count["other"], 0.05),
        Check("runs beside those with all for each arm", 0.0, count["runs"] / count["all runs"], 0.6),
    ]
    return row_of("hinges", f"{studies} studies of {_SEATS} members, {_RUNS} runs of an arm at most", checks)


def _study(lots: Random, count: Counter[str]) -> None:
    """Plant what sways whom, try all arms, and count what is found."""
    minds, pivots = _planted(lots)
    pair: Altered = frozenset(pivots.get("pair", (0, 1)))
    single = [*range(_PREMISES), *(f"m{seat}" for seat in range(_SEATS)), *_ORDERS]
    arms = [*(frozenset([each]) for each in single), pair]
    usual = minds.chance(frozenset())
    control = [minds.run(frozenset(), lots) for _ in range(CONTROLS * _RUNS)]
    every = {arm: [minds.run(arm, lots) for _ in range(_RUNS)] for arm in arms}
    holds = True
    for arm, changed in every.items():
        runs = changed[: wanted(control, changed, _RUNS)]
        found = _compared(control, runs, len(arms))
        holds = holds and found.low <= minds.chance(arm) - usual <= found.high
        count["runs"] += len(runs)
        for kind, altered in pivots.items():
            if frozenset(altered) == arm:
                count[kind] += 1
                count[f"{kind} found"] += found.finding == "hinges"
        if frozenset(pivots.get("pivot", ())) == arm:
            count["equal"] += 1
            count["equal found"] += _compared(control, changed, len(arms)).finding == "hinges"
        if not any(each <= arm for own in minds.leaves for each in own) and not _is_member(arm):
            count["other"] += 1
            count["false"] += found.finding == "hinges"
    count["covered"] += holds
    count["runs"] += len(control)
    count["all runs"] += len(control) + _RUNS * len(arms)


def _compared(control: list[bool], runs: list[bool], tried: int) -> Compared:
    return compared(Share(sum(control), len(control)), Share(sum(runs), len(runs)), tried)


def _is_member(arm: Altered) -> bool:
    """Return whether a member is left out: that changes the majority by itself, which is no fault of the instrument."""
    return any(str(each).startswith("m") for each in arm)


def _planted(lots: Random) -> tuple[_Minds, dict[str, tuple[int | str, ...]]]:
    """Return minds, and what decides among them: one premise, two jointly, an order, in any mixture, or nothing.

    What decides sways four members or all. Beside it, one or two members go by a premise that decides nothing.
    """
    numbers = lots.sample(range(_PREMISES), 4)
    planted: dict[str, tuple[int | str, ...]] = {
        "pivot": (numbers[0],),
        "pair": (numbers[1], numbers[2]),
        "order": (lots.choice(_ORDERS),),
    }
    planted = {kind: altered for kind, altered in planted.items() if lots.random() < 0.5}
    leaves: list[list[Altered]] = [[] for _ in range(_SEATS)]
    sways = [(altered, lots.choice((4, 5))) for altered in planted.values()]
    for altered, members in [*sways, ((numbers[3],), lots.choice((0, 1, 2)))]:
        for seat in lots.sample(range(_SEATS), members):
            leaves[seat].append(frozenset(altered))
    return _Minds(tuple(map(tuple, leaves)), lots.uniform(0, _NOISE)), planted
