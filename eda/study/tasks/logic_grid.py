"""Logic grids: who sits where, by clues that leave one order. The solver tries every order."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import permutations
from random import Random

from eda.study.tasks.base import Beliefs, Facts, Task, shares, shuffled
from eda.text import series

_NAMES = ("Anna", "Boris", "Clara", "David", "Elena", "Farid", "Greta", "Hugo", "Irena", "Jonas", "Katja", "Louis")
_SIZE = 5
_CLUES = {
    "sits left of": lambda one, other: one < other,
    "sits next to": lambda one, other: abs(one - other) == 1,
    "does not sit next to": lambda one, other: abs(one - other) > 1,
    "sits two chairs from": lambda one, other: abs(one - other) == 2,
}
_CLUE = re.compile(rf"(\w+) ({'|'.join(_CLUES)}) (\w+)")
_ASKED = re.compile(r"Who sits on chair (\d)")


def make(rng: Random, name: str, seats: int) -> Task:  # noqa: ARG001 - all members are told the same
    """Return a question about one of five chairs, with clues of which none can be left out."""
    names = shuffled(rng, _NAMES)[:_SIZE]
    true, chair = shuffled(rng, names), int(rng.random() * _SIZE)
    pairs = [(one, other) for one in names for other in names if one != other]
    every = [f"{one} {clue} {other}" for one, other in pairs for clue in _CLUES]
    holding = [clue for clue in shuffled(rng, every) if _holds(clue, true)]
    clues: list[str] = []
    left = tuple(permutations(names))
    for clue in holding:
        still = tuple(order for order in left if _holds(clue, order))
        if len(still) < len(left):
            clues, left = [*clues, clue], still
    for clue in tuple(clues):
        others = [each for each in clues if each != clue]
        clues = others if len(_orders(names, others)) == 1 else clues
    asked = (
        f"{series(names)} sit in a row on chairs 1 to {_SIZE}, chair 1 at the left. Who sits on chair {chair + 1}, "
        "by these clues?"
    )
    return Task(name, asked, names, true[chair], Facts(shuffled(rng, clues)), "logic-grid")


def believes(task: Task, known: Collection[str]) -> Beliefs:
    """Return for each person the share of the orders by all known clues in which it sits on the chair."""
    asked = _ASKED.search(task.question)
    chair = int(asked[1]) - 1 if asked else 0
    orders = _orders(task.options, known)
    return shares({name: float(sum(order[chair] == name for order in orders)) for name in task.options})


def _orders(names: Sequence[str], clues: Collection[str]) -> list[tuple[str, ...]]:
    return [order for order in permutations(names) if all(_holds(clue, order) for clue in clues)]


def _holds(clue: str, order: Sequence[str]) -> bool:
    """Return whether a clue holds in an order; what is no clue holds in all."""
    said = _CLUE.fullmatch(clue)
    return said is None or _CLUES[said[2]](order.index(said[1]), order.index(said[3]))
