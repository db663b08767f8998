"""A task: a question whose answer is known, the facts that members are given, and what follows from some of them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Annotated, NamedTuple, TypeVar

from pydantic import BeforeValidator, ConfigDict

from eda.errors import UsageError

T = TypeVar("T")
Beliefs = dict[str, float]
"""The share of belief in each option, in the order of the options; the sum is 1."""
_VARIANT = "~"  # What stands between the id of an item and the name of one of its wordings.


# By seat, from 0; a file may have a list of lists in seat order.
_BySeat = Annotated[
    Mapping[int, tuple[str, ...]],
    BeforeValidator(lambda given: dict(enumerate(given)) if isinstance(given, Sequence) else given),
]


@dataclass(frozen=True, slots=True)
class Facts:
    """What members are told: all of them, and each in private. No fact ends in a full stop or has quotation marks."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    shared: tuple[str, ...] = ()
    private: _BySeat = field(default_factory=dict)

    def known_to(self, seat: int) -> tuple[str, ...]:
        """Return the facts that the member at a seat is given; a seat that the task does not name has the shared."""
        return (*self.shared, *self.private.get(seat, ()))

    @property
    def unshared(self) -> tuple[str, ...]:
        """The private facts of all seats, in seat order, each once."""
        return tuple(dict.fromkeys(fact for _, facts in sorted(self.private.items()) for fact in facts))

    @property
    def all(self) -> tuple[str, ...]:
        """Every fact, the shared ones first."""
        return (*self.shared, *self.unshared)


@dataclass(frozen=True, slots=True)
class Task:
    """A question for a panel, with its true answer where there is one."""

    id: str
    """Unique in a study. Wordings of one item have one id up to `~`: `dilemmas-7-2~mirrored`."""
    question: str
    options: tuple[str, ...] = ()
    """Empty where the panel is to propose its answer."""
    answer: str | None = None
    """One of the options, where there are any; None where no answer is true."""
    facts: Facts = Facts()
    kind: str = ""
    """The generator that made it; empty for a task of a user's file."""

    @property
    def item(self) -> str:
        """The id that all wordings of the item share: observations of one item belong to one cluster."""
        return self.id.partition(_VARIANT)[0]


class Generator(NamedTuple):
    """What makes tasks of one kind, and solves them from their texts alone."""

    make: Callable[[Random, str, int], Task]
    """Returns the task of that id which the draws make, with private facts for as many seats."""
    believes: Callable[[Task, Collection[str]], Beliefs]
    """Returns what follows for each option from the question and the facts that are known, each given once."""


def shares(weights: Mapping[str, float]) -> Beliefs:
    """Return weights as shares of their sum; equal shares where all are 0."""
    total = sum(weights.values())
    return {option: weight / total if total else 1 / len(weights) for option, weight in weights.items()}


def shuffled(rng: Random, items: Collection[T]) -> tuple[T, ...]:
    """Return the items in an order that `rng` draws, the same in every version of Python."""
    lots = [rng.random() for _ in items]
    return tuple(item for _, item in sorted(zip(lots, items, strict=True), key=lambda each: each[0]))


def drawn_from(rng: Random, items: Sequence[T]) -> T:
    """Return one of the items, each equally often."""
    return items[int(rng.random() * len(items))]


def dealt(facts: Collection[str], seats: int) -> dict[int, tuple[str, ...]]:
    """Return the facts dealt to the seats in turn; no seat without facts is listed."""
    cards = tuple(facts)
    return {seat: cards[seat::seats] for seat in range(min(seats, len(cards)))}


def enough_seats(seats: int, least: int, most: int, kind: str) -> None:
    """Refuse a number of seats for which no task of the kind can be made.

    Raises:
        UsageError: there are fewer than `least` seats or more than `most`.
    """
    if not least <= seats <= most:
        raise UsageError(
            f"a {kind} task has facts for {least} to {most} members, not for {seats}",
            hint=f"Give a panel of {least} to {most} members.",
        )


def series(names: Sequence[str]) -> str:
    """Return names as `Ada, Ben and Cleo`; empty for none."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
