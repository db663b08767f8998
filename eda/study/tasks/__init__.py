"""Tasks: questions whose answers are known, made from seeds without a model, or read from a user's file."""

from collections.abc import Collection, Mapping
from math import isclose
from random import Random

from eda.errors import UnknownNameError, UsageError
from eda.runners.simulated.stance import seed_of
from eda.study.tasks import pooled, puzzles
from eda.study.tasks.base import Beliefs, Facts, Generator, Task, shares

__all__ = ["GENERATORS", "Beliefs", "Facts", "Task", "believes", "likeliest", "solve", "tasks_named"]

GENERATORS: Mapping[str, Generator] = {
    "hidden-profile": Generator(pooled.make_profile, pooled.profile_believes),
    "jury": Generator(pooled.make_jury, pooled.jury_believes),
    "estimation": Generator(pooled.make_estimation, pooled.estimation_believes),
    "selection": Generator(puzzles.make_selection, puzzles.selection_believes),
    "logic-grid": Generator(puzzles.make_grid, puzzles.grid_believes),
    "arithmetic": Generator(puzzles.make_arithmetic, puzzles.arithmetic_believes),
    "ranking": Generator(pooled.make_ranking, pooled.ranking_believes),
    "dilemmas": Generator(puzzles.make_dilemma, lambda task, _: shares(dict.fromkeys(task.options, 1.0))),
}
"""By the name that a study gives."""


def tasks_named(name: str, count: int, seed: int, seats: int = 4) -> list[Task]:
    """Return the first `count` tasks that a generator makes from a seed; a higher count only adds to them.

    Args:
        name: One of `GENERATORS`.
        count: At least 1.
        seed: Another seed makes other tasks.
        seats: The members among whom private facts are divided.

    Raises:
        UnknownNameError: there is no generator of that name.
        UsageError: `count` is below 1, or the generator makes no tasks for that many seats.
    """
    if name not in GENERATORS:
        raise UnknownNameError("task", name, GENERATORS)
    if count < 1:
        raise UsageError(f"{count} tasks are none", hint="Ask for 1 or more.")
    return [_made(name, number, seed, seats) for number in range(count)]


def believes(task: Task, known: Collection[str]) -> Beliefs:
    """Return what follows for each option of a task from the facts that are known.

    Of a user's task nothing is known but its answer: whoever knows all its facts, or any fact if none is private,
    is certain of the answer; whoever lacks one is certain of the option after it.
    """
    if task.kind in GENERATORS:
        return GENERATORS[task.kind].believes(task, sorted(set(known)))  # a set's own order differs between processes
    if task.answer not in task.options:
        return shares(dict.fromkeys(task.options, 1.0))
    place = task.options.index(task.answer) + (not set(task.facts.unshared) <= set(known))
    return {option: float(at == place % len(task.options)) for at, option in enumerate(task.options)}


def likeliest(beliefs: Beliefs) -> list[str]:
    """Return the options with the highest belief: several where they are level, but for rounding."""
    most = max(beliefs.values())
    return [option for option, belief in beliefs.items() if isclose(belief, most)]


def solve(task: Task) -> str | None:
    """Return the option that all facts together make likeliest; None where two are level."""
    best = likeliest(believes(task, task.facts.all))
    return best[0] if len(best) == 1 else None


def _made(name: str, number: int, seed: int, seats: int) -> Task:
    wordings = puzzles.WORDINGS if name == "dilemmas" else ("",)
    item, wording = f"{name}-{seed}-{number // len(wordings)}", wordings[number % len(wordings)]
    return GENERATORS[name].make(Random(seed_of("task", item)), f"{item}~{wording}" if wording else item, seats)
