"""Arithmetic: one expression of six numbers. The solver reads the expression from the question.

The task is that of Y. Du et al., "Improving Factuality and Reasoning in Language Models through Multiagent Debate",
2023 (arXiv 2305.14325).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from random import Random

from eda.study.tasks.base import Beliefs, Task, shares, shuffled

_MOST = 30
_OPTIONS = 5
_ASKED = re.compile(r"What is ([\d +*-]+)\?")
_FORM = re.compile(r"(\d+) \+ (\d+) \* (\d+) \+ (\d+) - (\d+) \* (\d+)")


def make(rng: Random, name: str, seats: int) -> Task:  # noqa: ARG001 - all members are told the same
    """Return an expression `a + b * c + d - e * f` with its value and four results of usual slips."""
    a, b, c, d, e, f = (1 + int(rng.random() * _MOST) for _ in range(6))
    text = f"{a} + {b} * {c} + {d} - {e} * {f}"
    true = value(text)
    slips = [(a + b) * c + d - e * f, a + b * c + d + e * f, (a + b * c + d - e) * f, a + b * c - d - e * f]
    near = [true + sign * step for step in (10, 1, 2, 20) for sign in (1, -1)]
    wrong = [each for each in dict.fromkeys((*slips, *near)) if each != true][: _OPTIONS - 1]
    options = tuple(map(str, shuffled(rng, (true, *wrong))))
    return Task(name, f"What is {text}? Multiply before you add.", options, str(true), kind="arithmetic")


def value(expression: str) -> int:
    """Return the value of an expression of that form.

    Raises:
        ValueError: it is of another form.
    """
    numbers = _FORM.fullmatch(expression)
    if numbers is None:
        raise ValueError(f"{expression!r} is not of the form a + b * c + d - e * f")
    a, b, c, d, e, f = map(int, numbers.groups())
    return a + b * c + d - e * f


def believes(task: Task, known: Collection[str]) -> Beliefs:  # noqa: ARG001 - the question says it all
    """Return certainty in the value of the expression."""
    asked = _ASKED.search(task.question)
    right = str(value(asked[1])) if asked else ""
    return shares({option: float(option == right) for option in task.options})
