"""Tasks of which each member is told a part: all parts together have the answer.

Each has a function that makes a task from the draws of a generator, and one that says what follows from known facts.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise, permutations
from math import exp, prod
from random import Random

from eda.study.tasks.base import Beliefs, Facts, Task, dealt, drawn_from, enough_seats, series, shares, shuffled
from eda.text import regex

# Hidden profiles: what all are told speaks for one option, all facts together for another one. The design is that
# of G. Stasser, W. Titus, "Pooling of Unshared Information in Group Decision Making", Journal of Personality and
# Social Psychology 48 (6), 1985, 1467-1478. Each fact is a point for an option or against it, and all points weigh
# the same. The true option has the most points of all; of what one member knows, another one has.

_EACH = 2  # Points for the true option that each member alone is told.
_CHOICES = (
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
_LIKELIER = 2.0  # How many times as likely an option becomes by one point more.


def make_profile(rng: Random, name: str, seats: int) -> Task:
    """Return a choice among four, in which no member alone can know the best."""
    enough_seats(seats, 2, 8, "hidden-profile")
    question, names = drawn_from(rng, _CHOICES)
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


def profile_believes(task: Task, known: Collection[str]) -> Beliefs:
    """Return beliefs by points: one point more makes an option twice as likely."""
    points = {
        option: sum(f"{option} {said}" in known for said in _FOR)
        - sum(f"{option} {said}" in known for said in _AGAINST)
        for option in task.options
    }
    return shares({option: _LIKELIER**count for option, count in points.items()})


# Jury tasks: each member has one signal of a known accuracy, and Bayes' rule says what all of them are worth.

_CASES = (
    ("Two boxes look alike. Which of them holds the ring: the left box or the right box?", ("left box", "right box")),
    ("Which of two mines has the ore: the north mine or the south mine?", ("north mine", "south mine")),
    ("Which of two batches is spoilt: the first batch or the second batch?", ("first batch", "second batch")),
)
_RIGHT = (6, 7, 8)  # Times in ten that a test is right; one task has one figure for all its tests.
_TEST = regex(r"Test (\d+) points to the (.+); such a test is right (\d+) times in 10")


def make_jury(rng: Random, name: str, seats: int) -> Task:
    """Return a choice between two, of which each is true equally often, with one independent test for each member."""
    enough_seats(seats, 1, 50, "jury")
    question, options = drawn_from(rng, _CASES)
    right, true = drawn_from(rng, _RIGHT), drawn_from(rng, options)
    other = options[options[0] == true]
    signals = [true if rng.random() < right / 10 else other for _ in range(seats)]
    tests = {
        seat: (f"Test {seat + 1} points to the {signal}; such a test is right {right} times in 10",)
        for seat, signal in enumerate(signals)
    }
    asked = f"{question} Before any test both are equally likely, and the tests are independent."
    return Task(name, asked, options, true, Facts((), tests), "jury")


def jury_believes(task: Task, known: Collection[str]) -> Beliefs:
    """Return the posterior by Bayes' rule, from equal priors: the best that anybody can know from these tests."""
    tests = [test for fact in known if (test := _TEST.fullmatch(fact))]
    return shares(
        {
            option: prod(int(test[3]) / 10 if test[2] == option else 1 - int(test[3]) / 10 for test in tests)
            for option in task.options
        }
    )


# Estimation: how many dots has a picture of which each member sees one strip? A strip is a fair sample of the
# picture, so an estimate from one strip is a private signal without bias, the mean of the members' estimates is the
# truth (the wisdom of crowds), and whoever knows all strips can count.

_CELLS = 40  # Places of a strip, each of which may have a dot.
_DENSITY = (0.2, 0.8)
_STEP = 0.12  # The distance between neighbouring options, as a share of the true number.
_OPTIONS = 5
# The error of an estimate from one strip, as a share of it; from several it falls with their square root.
_ERROR = 0.15
_STRIP = regex(r"Strip (\d+) of (\d+) is ([-o]+)")


def make_estimation(rng: Random, name: str, seats: int) -> Task:
    """Return a question with five numbers, of which the true one can stand anywhere in their order."""
    enough_seats(seats, 2, 20, "estimation")
    density = _DENSITY[0] + rng.random() * (_DENSITY[1] - _DENSITY[0])
    strips = ["".join("o" if rng.random() < density else "-" for _ in range(_CELLS)) for _ in range(seats)]
    total = sum(strip.count("o") for strip in strips)
    step, below = max(1, round(total * _STEP)), int(rng.random() * _OPTIONS)
    options = tuple(str(total + step * (place - below)) for place in range(_OPTIONS))
    seen = {seat: (f"Strip {seat + 1} of {seats} is {strip}",) for seat, strip in enumerate(strips)}
    asked = f"A picture of {seats} strips has dots, each written as the letter o. How many dots has the whole picture?"
    return Task(name, asked, options, str(total), Facts((), seen), "estimation")


def estimate(known: Collection[str]) -> tuple[float, float]:
    """Return the number of dots that the known strips make likely, and its standard error; 0 and 0 without a strip.

    Where all strips are known the number is exact, and its error 0.
    """
    strips = [strip for fact in known if (strip := _STRIP.fullmatch(fact))]
    if not strips:
        return 0.0, 0.0
    of, dots = int(strips[0][2]), sum(strip[3].count("o") for strip in strips)
    guess = dots * of / len(strips)
    return guess, 0.0 if len(strips) == of else _ERROR * guess / len(strips) ** 0.5


def estimation_believes(task: Task, known: Collection[str]) -> Beliefs:
    """Return beliefs by the distance of each option from the estimate, in a normal distribution of its error."""
    guess, error = estimate(known)
    if not error:
        return shares({option: float(int(option) == guess) for option in task.options})
    nearest = min((int(option) - guess) ** 2 for option in task.options)
    return shares({each: exp((nearest - (int(each) - guess) ** 2) / (2 * error**2)) for each in task.options})


# Ranking: things with a true order, of which each member is told some comparisons; together they settle it.

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
_FACT = regex(rf"In every trial (.+) {_MORE} (.+)")


def make_ranking(rng: Random, name: str, seats: int) -> Task:
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


def ranking_believes(task: Task, known: Collection[str]) -> Beliefs:
    """Return for each thing the share of the possible orders in which it is the first."""
    possible = orders(task.options, known)
    return shares({thing: float(sum(order[0] == thing for order in possible)) for thing in task.options})
