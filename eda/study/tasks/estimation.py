"""Estimation: how many dots has a picture of which each member sees one strip?

A strip is a fair sample of the picture, so an estimate from one strip is a private signal without bias, the mean of the
members' estimates is the truth (the wisdom of crowds), and whoever knows all strips can count.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from math import exp
from random import Random

from eda.study.tasks.base import Beliefs, Facts, Task, enough_seats, shares

_MOST_SEATS = 20
_CELLS = 40
"""Places of a strip, each of which may have a dot."""
_DENSITY = (0.2, 0.8)
_STEP = 0.12
"""The distance between neighbouring options, as a share of the true number."""
_OPTIONS = 5
_ERROR = 0.15
"""The error of an estimate from one strip, as a share of it; from several it falls with their square root."""
_STRIP = re.compile(r"Strip (\d+) of (\d+) is ([-o]+)")


def make(rng: Random, name: str, seats: int) -> Task:
    """Return a question with five numbers, of which the true one can stand anywhere in their order."""
    enough_seats(seats, 2, _MOST_SEATS, "estimation")
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


def believes(task: Task, known: Collection[str]) -> Beliefs:
    """Return beliefs by the distance of each option from the estimate, in a normal distribution of its error."""
    guess, error = estimate(known)
    if not error:
        return shares({option: float(int(option) == guess) for option in task.options})
    nearest = min((int(option) - guess) ** 2 for option in task.options)
    return shares({each: exp((nearest - (int(each) - guess) ** 2) / (2 * error**2)) for each in task.options})
