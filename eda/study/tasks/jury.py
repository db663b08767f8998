"""Jury tasks: each member has one signal of a known accuracy, and Bayes' rule says what all of them are worth."""

from __future__ import annotations

import re
from collections.abc import Collection
from math import prod
from random import Random

from eda.study.tasks.base import Beliefs, Facts, Task, drawn_from, enough_seats, shares

_MOST_SEATS = 50
_SCENES = (
    ("Two boxes look alike. Which of them holds the ring: the left box or the right box?", ("left box", "right box")),
    ("Which of two mines has the ore: the north mine or the south mine?", ("north mine", "south mine")),
    ("Which of two batches is spoilt: the first batch or the second batch?", ("first batch", "second batch")),
)
_RIGHT = (6, 7, 8)
"""Times in ten that a test is right; one task has one figure for all its tests."""
_TEST = re.compile(r"Test (\d+) points to the (.+); such a test is right (\d+) times in 10")


def make(rng: Random, name: str, seats: int) -> Task:
    """Return a choice between two, of which each is true equally often, with one independent test for each member."""
    enough_seats(seats, 1, _MOST_SEATS, "jury")
    question, options = drawn_from(rng, _SCENES)
    right, true = drawn_from(rng, _RIGHT), drawn_from(rng, options)
    other = options[options[0] == true]
    signals = [true if rng.random() < right / 10 else other for _ in range(seats)]
    tests = {
        seat: (f"Test {seat + 1} points to the {signal}; such a test is right {right} times in 10",)
        for seat, signal in enumerate(signals)
    }
    asked = f"{question} Before any test both are equally likely, and the tests are independent."
    return Task(name, asked, options, true, Facts((), tests), "jury")


def believes(task: Task, known: Collection[str]) -> Beliefs:
    """Return the posterior by Bayes' rule, from equal priors: the best that anybody can know from these tests."""
    tests = [test for fact in known if (test := _TEST.fullmatch(fact))]
    return shares(
        {
            option: prod(int(test[3]) / 10 if test[2] == option else 1 - int(test[3]) / 10 for test in tests)
            for option in task.options
        }
    )
