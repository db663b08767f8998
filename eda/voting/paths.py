"""Rules that follow chains of duels where no option beats all others: ranked pairs and Schulze. Both use margins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eda.events import Ballot
from eda.voting.outcome import Outcome, best, ranked
from eda.voting.pairwise import pairs, smith_set

__all__ = ["ranked_pairs", "schulze"]

_MOST_SEARCHED = 8
"""Options among which all orders are searched for who could have won; the search grows with the factorial."""

Margins = Mapping[tuple[str, str], int]


def _margins(ballots: Sequence[Ballot], choices: Sequence[str]) -> Margins:
    found = pairs(ballots, choices)
    return {(one, other): count - found[other, one] for (one, other), count in found.items()}


def schulze(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Outcome:
    """A beats B where the strongest chain of duels from A to B is stronger than that back. Figures: options so beaten.

    A chain is as strong as the smallest margin in it (M. Schulze, "A new monotonic, clone-independent, reversal
    symmetric, and Condorcet-consistent single-winner election method", Social Choice and Welfare 36, 2011; the paper
    allows margins and winning votes, which differ only where ballots leave options out).
    """
    if not any(ranked(ballot, choices) for ballot in ballots):
        return best(dict.fromkeys(choices, 0.0), lots, anybody=False)
    strength = dict(_margins(ballots, choices))
    for middle in choices:
        for one in choices:
            for other in choices:
                if len({one, middle, other}) == 3:
                    by_way = min(strength[one, middle], strength[middle, other])
                    strength[one, other] = max(strength[one, other], by_way)
    beaten_by = {
        one: sum(strength[other, one] > strength[one, other] for other in choices if other != one) for one in choices
    }
    beats = {
        one: sum(strength[one, other] > strength[other, one] for other in choices if other != one) for one in choices
    }
    order = tuple(sorted(lots, key=lambda choice: beaten_by[choice]))
    tied = tuple(choice for choice in order if not beaten_by[choice])
    figures = {choice: float(beats[choice]) for choice in choices}
    return Outcome(order[0], order, figures, tied=tied if len(tied) > 1 else ())


def ranked_pairs(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Outcome:
    """Duels are locked in from the widest margin down, but for those that would close a circle. Figures: options below.

    T. N. Tideman, "Independence of clones as a criterion for voting rules", Social Choice and Welfare 4, 1987. Of equal
    margins the one goes first whose winner, then whose loser, the lots put first; `tied` names all who could have won
    under some order of the lots; where more than eight might, those who win when the lots put them first.
    """
    if not any(ranked(ballot, choices) for ballot in ballots):
        return best(dict.fromkeys(choices, 0.0), lots, anybody=False)
    margins = _margins(ballots, choices)
    order = _locked(margins, lots)
    top = smith_set(margins, order)  # nobody else wins, and nobody else's duels decide who of them does
    if len(top) <= _MOST_SEARCHED:
        tied = tuple(choice for choice in top if _completes((choice,), {choice: {}}, margins, top))
    else:
        tied = tuple(one for one in top if _locked(margins, (one, *(c for c in lots if c != one)))[0] == one)
    figures = {choice: float(len(choices) - 1 - order.index(choice)) for choice in choices}
    return Outcome(order[0], order, figures, tied=tied if len(tied) > 1 else ())


def _locked(margins: Margins, lots: Sequence[str]) -> tuple[str, ...]:
    duels = sorted(
        ((one, other) for one in lots for other in lots if one != other and margins[one, other] >= 0),
        key=lambda duel: -margins[duel],
    )
    below = {choice: {choice} for choice in lots}
    for one, other in duels:
        if one in below[other] or other in below[one]:
            continue
        for choice in lots:
            if one in below[choice]:
                below[choice] |= below[other]
    return tuple(sorted(lots, key=lambda choice: -len(below[choice])))


def _completes(
    stack: tuple[str, ...], chains: Mapping[str, Mapping[str, int]], margins: Margins, order: Sequence[str]
) -> bool:
    """Whether the stack goes on to hold all. `chains[a][b]` is the strongest way down it from a to b.

    A ranking is one that some order of equal margins leads to exactly where it is a stack: whoever is higher has a
    chain down to each that is lower, no link of it weaker than the lower one's margin over it (T. M. Zavist,
    T. N. Tideman, "Complete independence of clones in the ranked pairs rule", Social Choice and Welfare 6, 1989).
    """
    rest = [choice for choice in order if choice not in stack]
    if not rest:
        return True
    for lowest in rest:
        down = {
            higher: max(
                margins[higher, lowest], *(min(way, margins[mid, lowest]) for mid, way in chains[higher].items())
            )
            if chains[higher]
            else margins[higher, lowest]
            for higher in stack
        }
        if all(down[higher] >= margins[lowest, higher] for higher in stack):
            longer = {higher: {**chains[higher], lowest: down[higher]} for higher in stack} | {lowest: {}}
            if _completes((*stack, lowest), longer, margins, order):
                return True
    return False
