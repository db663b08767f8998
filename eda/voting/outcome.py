"""What a rule makes of ballots, and what all rules share: who voted, what came first, how a tie is broken."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from eda.events import Ballot

__all__ = ["Count", "Outcome", "best", "first_choice", "first_choices", "has_voted", "ranked", "tie_order"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rule makes of ballots."""

    winner: str | None = None
    """None where the rule names none."""
    order: tuple[str, ...] = ()
    """All options, best first."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """Each option's figure under the rule; what it counts, the rule says."""
    rounds: tuple[Mapping[str, int], ...] = ()
    """Where the rule counts in rounds: the votes of those left in each."""
    tied: tuple[str, ...] = ()
    """All that could have won under some order of the lots, where they are more than one."""
    note: str = ""
    """Why there is no winner, or how a tie on the way was broken."""


Count = Callable[[Sequence[Ballot], Sequence[str], Sequence[str]], Outcome]
"""A decision rule: ballots, choices, and the choices in the order in which lots put them, which breaks ties."""


def tie_order(choices: Sequence[str], seed: int) -> tuple[str, ...]:
    """The order in which a tie is broken: `choices`, shuffled by the seed alone."""
    lots = list(choices)
    random.Random(f"{seed}:tie").shuffle(lots)
    return tuple(lots)


def has_voted(ballot: Ballot) -> bool:
    """Whether it says what is wanted. One that only blocks is an abstention, whose blocks count."""
    return not ballot.invalid and bool(ballot.choice or ballot.ranking or ballot.approved or ballot.scores)


def ranked(ballot: Ballot, choices: Sequence[str]) -> tuple[str, ...]:
    """The options it ranks, best first: the choice leads, and is the whole ranking of a ballot that has no other."""
    named = (ballot.choice, *ballot.ranking)
    return tuple(dict.fromkeys(choice for choice in named if choice is not None and choice in choices))


def first_choice(ballot: Ballot, choices: Sequence[str]) -> str | None:
    """The option that it puts first; None where it names none."""
    return next(iter(ranked(ballot, choices)), None)


def first_choices(ballots: Sequence[Ballot], choices: Sequence[str]) -> dict[str, float]:
    """How many ballots put each option first."""
    figures = dict.fromkeys(choices, 0.0)
    for ballot in ballots:
        first = first_choice(ballot, choices)
        if first is not None:
            figures[first] += 1
    return figures


def best(figures: Mapping[str, float], lots: Sequence[str], *, anybody: bool = True) -> Outcome:
    """The highest figure wins, the lots decide among equals; where nobody voted, none wins."""
    if not figures or not anybody:
        return Outcome(figures=figures, note="nobody voted" if figures else "there was nothing to vote on")
    order = tuple(sorted(lots, key=lambda choice: -figures[choice]))
    tied = tuple(choice for choice in order if figures[choice] == figures[order[0]])
    return Outcome(order[0], order, figures, tied=tied if len(tied) > 1 else ())
