"""Hidden profiles: what all are told speaks for one option, all facts together for another one.

The design is that of G. Stasser, W. Titus, "Pooling of Unshared Information in Group Decision Making", Journal of
Personality and Social Psychology 48 (6), 1985, 1467-1478. Each fact is a point for an option or against it, and all
points weigh the same. The true option has the most points of all; of what one member knows, another one has.
"""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from eda.study.tasks.base import Beliefs, Facts, Task, dealt, drawn_from, enough_seats, shares, shuffled
from eda.text import series

_EACH = 2
"""Points for the true option that each member alone is told."""
_MOST_SEATS = 8
_SCENES = (
    ("Which site should the new clinic have?", ("Harbour Street", "Mill Lane", "Castle Hill", "Station Road")),
    ("Which of these firms should print the catalogue?", ("Aldergate", "Brightwell", "Corbin", "Dunmore")),
    ("Which of these systems should the archive run on?", ("Amsel", "Birke", "Cordes", "Dahlem")),
    ("Which of these yards should repair the ferry?", ("Eastwater", "Falk and Sons", "Greenhaven", "Holm")),
)
_FOR = (
    "is the cheapest of its kind",
    "was rated well by an independent auditor",
    "has a record of keeping its dates",
    "needs no change to what is there",
    "was chosen by two comparable towns",
    "has spare capacity for the next ten years",
    "came out best in last year's trial",
    "has the support of those who work with it",
    "meets every rule that applies",
    "can start within a month",
    "had no complaint in five years",
    "comes with a warranty in writing",
    "uses the least energy",
    "is easy to reach for everybody concerned",
    "has a plan for the case that something fails",
    "was praised by its last three clients",
)
_AGAINST = (
    "was late on its last two dates",
    "had an accident that was not explained",
    "costs more each year than was said",
    "lost the only person who knows it well",
    "was turned down by a comparable town",
)
_LIKELIER = 2.0
"""How many times as likely an option becomes by one point more."""


def make(rng: Random, name: str, seats: int) -> Task:
    """Return a choice among four, in which no member alone can know the best."""
    enough_seats(seats, 2, _MOST_SEATS, "hidden-profile")
    question, names = drawn_from(rng, _SCENES)
    true, seeming, *others = shuffled(rng, names)
    merits, faults = shuffled(rng, _FOR), shuffled(rng, _AGAINST)
    shared = [f"{seeming} {merit}" for merit in shuffled(rng, _FOR)[: seats + 1]]
    shared += [f"{other} {merits[place]}" for place, other in enumerate(others)]
    shared += [f"{other} {faults[place]}" for place, other in enumerate(others)]
    hidden = [f"{true} {merit}" for merit in merits[: seats * _EACH]]
    asked = (
        f"{question} The options are {series(names)}. All facts weigh the same: one against an option takes away one "
        "for it, and the best has most left."
    )
    return Task(name, asked, names, true, Facts(shuffled(rng, shared), dealt(hidden, seats)), "hidden-profile")


def believes(task: Task, known: Collection[str]) -> Beliefs:
    """Return beliefs by points: one point more makes an option twice as likely."""
    points = dict.fromkeys(task.options, 0)
    for fact in known:
        for option in task.options:
            said = fact.removeprefix(f"{option} ")
            points[option] += (said in _FOR) - (said in _AGAINST)
    return shares({option: _LIKELIER**count for option, count in points.items()})
