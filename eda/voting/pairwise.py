"""Options two by two: how many ballots prefer which. Copeland's rule, Condorcet winners, cycles.

Below, the margin of A over B is the ballots that put A higher less those that put B higher. An option that a ballot
leaves out is below all that it names and level with the others that it leaves out; in a duel of an option that its
voter was not asked about, it has no say.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from eda.events import Ballot
from eda.voting.outcome import Outcome, best, ranked

__all__ = ["Pairs", "condorcet_winner", "copeland", "pairs", "smith_set", "top_cycle"]

Pairs = Mapping[tuple[str, str], int]
"""How many ballots put the first higher than the second."""


def pairs(ballots: Sequence[Ballot], choices: Sequence[str]) -> Pairs:
    """Of all options two by two, both ways round."""
    found = {(one, other): 0 for one in choices for other in choices if one != other}
    for ballot in ballots:
        order = ranked(ballot, choices)
        below = [choice for choice in choices if choice not in order and choice not in ballot.withheld]
        for place, higher in enumerate(order):
            for lower in (*order[place + 1 :], *below):
                found[higher, lower] += 1
    return found


def copeland(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Outcome:
    """The most duels won, a level one counting half. Figures: those.

    A. H. Copeland, "A Reasonable Social Welfare Function", 1951; the halves as in D. G. Saari, V. R. Merlin, "The
    Copeland Method", Economic Theory 8, 1996.
    """
    found = pairs(ballots, choices)
    figures = {
        one: float(sum(_points(found[one, other] - found[other, one]) for other in choices if other != one))
        for one in choices
    }
    return best(figures, lots, anybody=any(ranked(ballot, choices) for ballot in ballots))


def _points(margin: int) -> float:
    return 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0


def condorcet_winner(found: Pairs, choices: Sequence[str]) -> str | None:
    """The option that beats each other one (M. de Condorcet, 1785); None where there is none."""
    for one in choices:
        if all(found[one, other] > found[other, one] for other in choices if other != one):
            return one
    return None


def smith_set(found: Pairs, choices: Sequence[str]) -> tuple[str, ...]:
    """The smallest set whose members all beat everybody outside it (J. H. Smith, 1973), in the order of `choices`."""
    unbeaten = {
        one: [other for other in choices if other != one and found[other, one] >= found[one, other]] for one in choices
    }
    reached = {one: _reached(one, unbeaten) for one in choices}
    fewest = min(map(len, reached.values()), default=0)
    return tuple(one for one in choices if len(reached[one]) == fewest)


def top_cycle(found: Pairs, choices: Sequence[str]) -> tuple[str, ...]:
    """A shortest cycle of victories among the best, its first member not repeated; empty where there is none."""
    top = smith_set(found, choices)
    beats = {one: [other for other in top if other != one and found[one, other] > found[other, one]] for one in top}
    cycles = [cycle for one in top if (cycle := _way_back(one, beats))]
    return min(cycles, key=len, default=())


def _reached(start: str, steps: Mapping[str, Iterable[str]]) -> set[str]:
    reached, waiting = {start}, [start]
    while waiting:
        for step in steps[waiting.pop()]:
            if step not in reached:
                reached.add(step)
                waiting.append(step)
    return reached


def _way_back(start: str, beats: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    waiting: deque[tuple[str, ...]] = deque([(start,)])
    seen = {start}
    while waiting:
        path = waiting.popleft()
        for step in beats[path[-1]]:
            if step == start:
                return path
            if step not in seen:
                seen.add(step)
                waiting.append((*path, step))
    return ()
