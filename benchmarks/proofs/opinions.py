"""Published models of opinions as listeners on the bus: each hears what others think, and says what it thinks next.

A step is announced as a `PhaseStarted`; an opinion is a message that gives it by seat. What one agent does is that of
`proofs.opinion_dynamics`. In `deffuant` and `voter` two members meet at a time: a step is then as many
meetings as members.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import NamedTuple

import orjson

from eda.bus import MessageBus
from eda.errors import UsageError
from eda.events import MessagePosted, PhaseStarted
from eda.panels.hearing import GRAPHS, Matrix, can_hear
from eda.runners.simulated.stance import held_back, within_bound
from proofs import opinion_dynamics as dynamics

Opinions = Sequence[float]
Trust = Sequence[Sequence[float]]
"""A row of weights for each seat, over all seats, with the sum 1."""


@dataclass(frozen=True)
class Model:
    """How members think: either all anew at once, or two whenever they meet."""

    thinks: Callable[[int, Opinions, Opinions, Sequence[int]], float] | None = None
    """Returns the next opinion of a seat, from the opinions now and at first, and the seats heard, its own included."""
    meet: Callable[[float, float], tuple[float, float]] | None = None
    """Returns both opinions after one member turned to another."""
    at_once: Callable[[Opinions], Opinions] | None = None
    """Returns what `thinks` does, for all seats where all hear all; None: each is asked."""


def degroot(trust: Trust | None = None) -> Model:
    """Return the model in which each takes the weighted mean of what it hears (1974); None: the plain mean."""

    def thinks(seat: int, now: Opinions, _first: Opinions, heard: Sequence[int]) -> float:
        weights = [1 / len(heard)] * len(heard) if trust is None else [trust[seat][each] for each in heard]
        return dynamics.averaged([now[each] for each in heard], weights)

    return Model(thinks)


def friedkin_johnsen(stubbornness: Sequence[float], trust: Trust | None = None) -> Model:
    """Return the model of DeGroot in which each keeps its share, 0 to 1, of its first opinion (1990)."""
    heard_of = degroot(trust).thinks

    def thinks(seat: int, now: Opinions, first: Opinions, heard: Sequence[int]) -> float:
        mean = heard_of(seat, now, first, heard) if heard_of else now[seat]
        return held_back(mean, first[seat], stubbornness[seat])

    return Model(thinks)


def hegselmann_krause(bound: float) -> Model:
    """Return the model in which each takes the mean of the opinions within its bound of confidence (2002)."""
    return Model(
        lambda seat, now, _, heard: within_bound(now[seat], [now[each] for each in heard], bound),
        at_once=lambda now: dynamics.hegselmann_krause(now, bound),
    )


def deffuant(bound: float, mu: float = 0.5) -> Model:
    """Return the model in which two who meet and are near enough walk that share towards each other (2000)."""
    return Model(meet=lambda one, other: dynamics.deffuant_weisbuch(one, other, bound, mu))


def voter() -> Model:
    """Return the model in which a member takes the opinion of another (Holley, Liggett 1975)."""
    return Model(meet=lambda _, other: (other, other))


class OpinionListener:
    """One member of a population on a bus, or several in one: it hears opinions, and at each step says its own.

    Args:
        seats: Those for which it speaks.
        model: How they think.
        start: The first opinions of all.
        graph: Who hears whom: a name of `eda.panels.hearing.GRAPHS` such as `all`, `ring`, `star`, or a matrix.
        seed: Draws who meets whom, the same for all listeners.
        meetings: Meetings at each `PhaseStarted`.
    """

    def __init__(
        self, seats: Sequence[int], model: Model, start: Opinions, graph: str | Matrix, seed: int, meetings: int
    ) -> None:
        self.name = f"member {seats[0]}" if len(seats) == 1 else f"members {seats[0]} to {seats[-1]}"
        self.now, self._first = list(start), tuple(start)
        self._seats, self._model, self._graph, self._meetings = seats, model, graph, meetings
        self._rng = Random(seed)
        self._heard: dict[int, Sequence[int]] = {}

    def join(self, bus: MessageBus) -> OpinionListener:
        """Hear the bus from now on, and speak there; return self."""

        def think(_: PhaseStarted) -> None:  # the others hear it after this step: the bus announces nothing in between
            new = self._next()
            moved = {str(seat): new[seat] for seat in self._seats if new[seat] != self.now[seat]}
            if moved:
                text = orjson.dumps(moved).decode()
                bus.publish(MessagePosted(number=bus.messages + 1, who=self.name, text=text))

        bus.subscribe(MessagePosted, self._hear, name=self.name)
        bus.subscribe(PhaseStarted, think, name=self.name)
        return self

    def hears(self, seat: int) -> Sequence[int]:
        """Return the seats that a seat hears, itself among them."""
        every = range(len(self._first))
        if seat not in self._heard and self._graph != "all":
            heard = (each for each in every if each == seat or can_hear(self._graph, seat, each, len(every)))
            self._heard[seat] = tuple(heard)
        return self._heard.get(seat, every)

    def can_move(self, tolerance: float) -> bool:
        """Return whether a meeting would move somebody: a step in which nobody moved says nothing of those to come."""
        if self._graph == "all":  # the next in order is the nearest
            met: Iterable[tuple[float, float]] = pairwise(sorted(self.now))
        else:
            met = ((self.now[one], self.now[other]) for one in range(len(self.now)) for other in self.hears(one))
        return self._model.meet is None or any(abs(self._model.meet(a, b)[0] - a) > tolerance for a, b in met)

    def _hear(self, message: MessagePosted) -> None:
        for seat, opinion in orjson.loads(message.text).items():
            self.now[int(seat)] = opinion

    def _next(self) -> Opinions:
        model, new = self._model, list(self.now)
        if model.meet is not None:
            for _ in range(self._meetings):
                self._meet(new, model.meet)
        elif model.at_once and self._graph == "all" and len(self._seats) == len(new):
            return model.at_once(new)
        elif model.thinks is not None:
            for seat in self._seats:
                new[seat] = model.thinks(seat, self.now, self._first, self.hears(seat))
        return new

    def _meet(self, new: list[float], meet: Callable[[float, float], tuple[float, float]]) -> None:
        """Draw one member and one that it hears, and change those of the two for which this listener speaks."""
        one, luck = int(self._rng.random() * len(new)), self._rng.random()
        heard = self.hears(one)
        if len(heard) > 1:
            place = int(luck * (len(heard) - 1))
            other = heard[place + (place >= heard.index(one))]
            met = meet(new[one], new[other])
            new[one] = met[0] if one in self._seats else new[one]
            new[other] = met[1] if other in self._seats and one in self.hears(other) else new[other]


class Run(NamedTuple):
    """What came of a population."""

    path: list[tuple[float, ...]]
    """The opinions at first and after each step; without the last step of a model in which all think anew at once."""
    settled: bool
    """Whether nobody moves any more; False: the most steps were taken."""


def simulate(
    model: Model,
    start: Opinions,
    *,
    graph: str | Matrix = "all",
    seed: int = 0,
    tolerance: float = 1e-9,
    most: int = 10_000,
    crowd: bool = False,
    bus: MessageBus | None = None,
) -> Run:
    """Run a population on a bus until nobody moves by more than `tolerance`, or `most` steps were taken.

    `eda.study.measures.polarisation.clusters` counts the clusters of the last opinions, `path[-1]`.

    Args:
        model: Such as `hegselmann_krause(0.2)`.
        start: The first opinions, one a seat.
        graph: Who hears whom, as `OpinionListener` takes it.
        seed: Draws who meets whom.
        tolerance: The least move that counts as one.
        most: The most steps.
        crowd: Whether one listener speaks for all, as a thousand need it; else each has one. Both give the same path.
        bus: Where they speak; None for a new one in memory.

    Raises:
        UsageError: there is nobody, no such graph, or a matrix of another size.
    """
    number = len(start)
    if not number or (graph not in GRAPHS if isinstance(graph, str) else {number} != {len(graph), *map(len, graph)}):
        raise UsageError(
            f"no graph {graph!r} of {number} members", hint=f"Known: {', '.join(GRAPHS)}; or rows of 0, 1."
        )
    bus = bus or MessageBus()
    groups: list[Sequence[int]] = [range(number)] if crowd else [(seat,) for seat in range(number)]
    for seats in groups:
        listener = OpinionListener(seats, model, start, graph, seed, number if crowd else 1).join(bus)
    path, settled = [tuple(start)], False
    while len(path) <= most and not settled:
        for _ in range(number if model.meet and not crowd else 1):
            bus.publish(PhaseStarted(phase="step", lap=len(path)))
        path.append(tuple(listener.now))
        if model.meet is None:
            settled = max(abs(new - old) for new, old in zip(*path[-2:], strict=True)) <= tolerance
        else:
            settled = not listener.can_move(tolerance)
    return Run(path[:-1] if settled and model.meet is None else path, settled)
