"""Ranking: things with a true order, of which each member is told some comparisons; together they settle it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise, permutations
from random import Random

from eda.study.tasks.base import Beliefs, Facts, Task, dealt, drawn_from, enough_seats, shares, shuffled
from eda.text import series

_SCENES = (
    (
        "A boat drifts two days from the shore, and its crew can keep five things. Which is of most use?",
        ("the water can", "the sail", "the mirror", "the fishing line", "the lamp"),
    ),
    (
        "A hut is snowed in for a week, and its guests can keep five things. Which is of most use?",
        ("the stove", "the shovel", "the radio", "the blankets", "the axe"),
    ),
    (
        "A lorry has broken down in the desert, and its crew can keep five things. Which is of most use?",
        ("the canister", "the tarpaulin", "the compass", "the flares", "the map"),
    ),
)
_MORE = "was of more use than"
_FACT = re.compile(rf"In every trial (.+) {_MORE} (.+)")


def make(rng: Random, name: str, seats: int) -> Task:
    """Return a choice among five things, whose order the comparisons of all members settle."""
    enough_seats(seats, 2, 50, "ranking")
    question, things = drawn_from(rng, _SCENES)
    true = shuffled(rng, things)
    steps = [f"In every trial {one} {_MORE} {other}" for one, other in pairwise(true)]
    known = (f"In every trial {true[1]} {_MORE} {true[3]}", f"In every trial {true[2]} {_MORE} {true[4]}")
    asked = f"{question} The things are {series(things)}. Rank them all, the most useful first."
    return Task(name, asked, things, true[0], Facts(known, dealt(shuffled(rng, steps), seats)), "ranking")


def orders(things: Sequence[str], known: Collection[str]) -> list[tuple[str, ...]]:
    """Return every order, the first the most useful, that agrees with the known comparisons."""
    pairs = [(said[1], said[2]) for fact in known if (said := _FACT.fullmatch(fact))]
    return [
        order for order in permutations(things) if all(order.index(one) < order.index(other) for one, other in pairs)
    ]


def believes(task: Task, known: Collection[str]) -> Beliefs:
    """Return for each thing the share of the possible orders in which it is the first."""
    possible = orders(task.options, known)
    return shares({thing: float(sum(order[0] == thing for order in possible)) for thing in task.options})
