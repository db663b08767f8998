"""Counting of options two by two: Borda, Copeland, Schulze, ranked pairs; Condorcet winners and cycles.

Below, the margin of A over B is the ballots that put A higher less those that put B higher. An option that a ballot
leaves out is below all that it names and level with the others that it leaves out; those that it ties are level, half
a vote for each, which leaves the margin as it is. In a duel of an option that its voter was not asked about, it has no
say.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations, product

from eda.events import Ballot, flat
from eda.voting.counts import Counted, best, level, ranked

Pairs = Mapping[tuple[str, str], int]
"""How many ballots put the first higher than the second."""
Margins = Mapping[tuple[str, str], int]
"""The margin of the first over the second."""
# Options among which all orders are searched for who could have won; the search grows with the factorial.
_MOST_SEARCHED = 8


def pairs(ballots: Sequence[Ballot], choices: Sequence[str]) -> Pairs:
    """Return how many ballots prefer each option to each other one."""
    preferred = {(one, other): 0 for one in choices for other in choices if one != other}
    for ballot in ballots:
        below = [choice for choice in choices if choice not in ballot.withheld]
        for rank in (ranks := ranked(ballot, choices)):
            below = [choice for choice in below if choice not in rank]
            for higher, lower in product(rank, dict.fromkeys((*flat(ranks[ranks.index(rank) + 1 :]), *below))):
                preferred[higher, lower] += 1
    return preferred


def borda(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Counted:
    """A point for each option that a ballot puts below, half a point for each that it puts level. Figures: points.

    Options that a ballot leaves out are level with each other, below all that it names; one that its voter was not
    asked about is level with all others. This is Borda's count as in a tournament: the averaged Borda rule of
    Z. Terzopoulou and U. Endriss, "The Borda class", Journal of Mathematical Economics, 2021. Abstentions are left out.
    """
    voting = sum(ballot.has_voted and bool(ranked(ballot, choices)) for ballot in ballots)
    return _by_duels(ballots, choices, lots, lambda margin: (voting + margin) / 2)


def borda_bound(now: Counted, ballots: Sequence[Ballot], choices: Sequence[str]) -> float:  # noqa: ARG001 - the shape of a bound
    """Return a lower bound: one ballot closes a gap by twice the length of a ranking."""
    won = now.figures[now.winner or ""]
    gap = min(won - figure for choice, figure in now.figures.items() if choice != now.winner)
    return gap / (2 * (len(choices) - 1))


def copeland(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Counted:
    """The most duels won, a level one counting half. Figures: those.

    A. H. Copeland, "A Reasonable Social Welfare Function", 1951; the halves as in D. G. Saari, V. R. Merlin, "The
    Copeland Method", Economic Theory 8, 1996.
    """
    return _by_duels(ballots, choices, lots, lambda margin: 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0)


def _by_duels(
    ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str], points: Callable[[int], float]
) -> Counted:
    """Return the count of what each option has for its margins over the others."""
    figures = dict.fromkeys(choices, 0.0)
    for (one, _), margin in _margins(ballots, choices).items():
        figures[one] += points(margin)
    return best(figures, lots, anybody=any(ranked(ballot, choices) for ballot in ballots))


def condorcet_winner(preferred: Pairs, choices: Sequence[str]) -> str | None:
    """Return the option that beats each other one (M. de Condorcet, 1785); None where there is none."""
    beaten = {other for one, other in preferred if preferred[one, other] >= preferred[other, one]}
    return next((one for one in choices if one not in beaten), None)


def smith_set(preferred: Pairs, choices: Sequence[str]) -> tuple[str, ...]:
    """Return the smallest set that beats all outside it (J. H. Smith, 1973), in the order of `choices`."""
    unbeaten = {
        one: [other for other in choices if other != one and preferred[other, one] >= preferred[one, other]]
        for one in choices
    }
    reached = {one: {one, *_ways(one, unbeaten)} for one in choices}
    fewest = min(map(len, reached.values()), default=0)
    return tuple(one for one in choices if len(reached[one]) == fewest)


def top_cycle(preferred: Pairs, choices: Sequence[str]) -> tuple[str, ...]:
    """Return a shortest cycle of victories in the Smith set, its first member once; empty where there is none."""
    top = smith_set(preferred, choices)
    beats = {
        one: [other for other in top if other != one and preferred[one, other] > preferred[other, one]] for one in top
    }
    return min((ways[one] for one in top if one in (ways := _ways(one, beats))), key=len, default=())


def _ways(start: str, steps: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """Return a shortest way to the option before each that one reaches, itself too where a way leads back."""
    ways, before = list[tuple[str, ...]]([(start,)]), dict[str, tuple[str, ...]]()
    for way in ways:  # which grows
        for step in steps[way[-1]]:
            if step not in before:
                before[step] = way
                ways.append((*way, step))
    return before


def duel_bound(now: Counted, ballots: Sequence[Ballot], choices: Sequence[str]) -> float:
    """Return a lower bound for all rules of duels: one ballot changes a margin by 2."""
    margins = _margins(ballots, choices)
    return min(margins[now.winner or "", other] for other in choices if other != now.winner) / 2


def _margins(ballots: Sequence[Ballot], choices: Sequence[str]) -> Margins:
    preferred = pairs(ballots, choices)
    return {(one, other): count - preferred[other, one] for (one, other), count in preferred.items()}


def schulze(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Counted:
    """A beats B where the strongest chain of duels from A to B is stronger than that back. Figures: options so beaten.

    A chain is as strong as the smallest margin in it (M. Schulze, "A new monotonic, clone-independent, reversal
    symmetric, and Condorcet-consistent single-winner election method", Social Choice and Welfare 36, 2011; the paper
    allows margins and winning votes, which differ only where ballots leave options out).
    """
    if not any(ranked(ballot, choices) for ballot in ballots):
        return best(dict.fromkeys(choices, 0.0), lots, anybody=False)
    strength: dict[str, dict[str, int]] = {choice: {} for choice in choices}
    for (one, other), margin in _margins(ballots, choices).items():
        strength[one][other] = margin
    for middle in choices:  # the outer loop, as Floyd and Warshall have it
        for one in choices:
            if one != middle:
                _strengthen(strength[one], middle, strength[middle])
    won = [(one, other) for one, other in permutations(choices, 2) if strength[one][other] > strength[other][one]]
    beats = {choice: float(sum(one == choice for one, _ in won)) for choice in choices}
    beaten = {choice: sum(other == choice for _, other in won) for choice in choices}
    order = tuple(sorted(lots, key=lambda choice: beaten[choice]))
    return Counted(order[0], order, beats, tied=level((choice for choice in order if not beaten[choice]), order[0]))


def _strengthen(chains: dict[str, int], middle: str, onward: Mapping[str, int]) -> None:
    """Make the chains of an option as strong as those through `middle`: most of the time that a count takes."""
    to_it = chains[middle]
    for other, further in onward.items():
        through = min(to_it, further)
        if other in chains and through > chains[other]:
            chains[other] = through


def ranked_pairs(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Counted:
    """Duels are locked in from the widest margin down, but for those that would close a circle.

    Figures: the options below it by duels won. A level duel puts nothing below; the lots order its two after the rest.

    T. N. Tideman, "Independence of clones as a criterion for voting rules", Social Choice and Welfare 4, 1987. Of equal
    margins the one goes first whose winner, then whose loser, the lots put first; `tied` names all who could have won
    under some order of the lots; where more than eight might, those who win when the lots put them first.
    """
    if not any(ranked(ballot, choices) for ballot in ballots):
        return best(dict.fromkeys(choices, 0.0), lots, anybody=False)
    margins = _margins(ballots, choices)
    order = _order(_locked(margins, lots))
    top = smith_set(margins, order)  # nobody else wins, and nobody else's duels decide who of them does
    tied = tuple(
        one
        for one in top
        if (
            _completes((one,), {one: {}}, margins, top)
            if len(top) <= _MOST_SEARCHED
            else _order(_locked(margins, (one, *(each for each in lots if each != one))))[0] == one
        )
    )
    won = _locked({duel: margin for duel, margin in margins.items() if margin > 0}, lots)
    figures = {one: len(won[one]) - 1.0 for one in choices}
    return Counted(order[0], order, figures, tied=level(tied, order[0]))


def _order(below: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Return the options, those with most below them first."""
    return tuple(sorted(below, key=lambda choice: -len({*below[choice]})))


def _locked(margins: Margins, lots: Sequence[str]) -> dict[str, set[str]]:
    """Return by option, in the order of the lots, itself and all that the duels locked in put below it."""
    duels = sorted(
        (duel for duel in permutations(lots, 2) if margins.get(duel, -1) >= 0), key=lambda duel: -margins[duel]
    )
    below = {choice: {choice} for choice in lots}
    for one, other in duels:
        for choice in lots if one not in below[other] else ():
            if one in below[choice]:
                below[choice] |= below[other]
    return below


def _completes(
    stack: tuple[str, ...], chains: Mapping[str, Mapping[str, int]], margins: Margins, order: Sequence[str]
) -> bool:
    """True if the stack can grow to hold all options. `chains[a][b]` is the strongest chain down it from a to b.

    A ranking is one that some order of equal margins leads to exactly where it is a stack: whoever is higher has a
    chain down to each that is lower, no link of it weaker than the lower one's margin over it (T. M. Zavist,
    T. N. Tideman, "Complete independence of clones in the ranked pairs rule", Social Choice and Welfare 6, 1989).
    """
    rest = [choice for choice in order if choice not in stack]
    if not rest:
        return True
    for lowest in rest:
        down = {
            higher: max([margins[higher, lowest], *(min(way, margins[mid, lowest]) for mid, way in below.items())])
            for higher, below in chains.items()
        }
        if all(down[higher] >= margins[lowest, higher] for higher in stack):
            longer = {higher: {**chains[higher], lowest: down[higher]} for higher in stack} | {lowest: {}}
            if _completes((*stack, lowest), longer, margins, order):
                return True
    return False
