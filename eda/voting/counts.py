"""Counting of single-winner rules: points, thresholds, a judge, a shift between polls, instant run-off.

Each count takes the ballots, the choices, and the choices in the order in which lots put them, which breaks ties. An
abstention is no vote. Texts that a ballot ties as its best share its first choice in exact fractions. Where `none` is
among the choices, ballots are projected (see `projection`): what a ballot leaves out lies tied below all that it names,
and `none` loses each tie. `pairwise` compares options two by two.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from math import fsum

from eda.events import HALF, NONE, Ballot, Lot, Rank, Undecided, WhyNone, flat, ranks_of

HALF_OF_VOTES = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Counted:
    """The result of a count."""

    winner: str | None = None
    """None where the rule names none."""
    order: tuple[str, ...] = ()
    """All options, best first."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """Each option's figure; the rule says what it counts."""
    rounds: tuple[Mapping[str, float], ...] = ()
    """Where the rule counts in rounds: the votes of those left in each."""
    tied: tuple[str, ...] = ()
    """All options that could have won under some order of the lots, where they are more than one."""
    lots: tuple[Lot, ...] = ()
    """How ties on the way to the winner were broken."""
    note: Undecided | None = None
    """Why there is no winner."""


Order = Sequence[Sequence[str]]
Count = Callable[[Sequence[Ballot], Sequence[str], Sequence[str]], Counted]
"""A count: ballots, choices, and the choices in the order of the lots, which breaks ties."""
Bound = Callable[[Counted, Sequence[Ballot], Sequence[str]], float]
"""A lower bound on the ballots that must change for another option to win: the outcome, ballots, choices."""


def tie_order(choices: Sequence[str], seed: int) -> tuple[str, ...]:
    """Return the order in which ties are broken: `choices`, shuffled by the seed alone; `none` is the last."""
    lots = [choice for choice in choices if choice != NONE]
    random.Random(f"{seed}:tie").shuffle(lots)
    return (*lots, NONE) if NONE in choices else tuple(lots)


def level(choices: Iterable[str], winner: str) -> tuple[str, ...]:
    """Return the choices that could each have won, where they are more than one; `none` loses its ties."""
    tied = tuple(choice for choice in choices if choice != NONE or winner == NONE)
    return tied if len(tied) > 1 else ()


def reaches(voters: int | Fraction, votes: int | Fraction, share: Fraction) -> bool:
    """True if the voters are `share` of the votes or more; of a half, more."""
    return voters > share * votes if share == HALF_OF_VOTES else voters >= share * votes


def ranked(ballot: Ballot, choices: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the options that the ballot ranks, best first, tied ones together: its choice, then its ranking."""
    named: Iterable[Rank] = (*([] if ballot.choice is None else [ballot.choice]), *ballot.ranking)
    return tuple((rank,) if isinstance(rank, str) else rank for rank in ranks_of(named, choices))


def firsts_of(ballot: Ballot, choices: Sequence[str]) -> tuple[str, ...]:
    """Return the option that the ballot puts first, or those that it ties there; empty where it names none."""
    return next(iter(ranked(ballot, choices)), ())


def first_choices(ballots: Sequence[Ballot], choices: Sequence[str]) -> dict[str, Fraction]:
    """Return how many ballots put each option first; of a tie each has an equal share."""
    return _votes([ranked(ballot, choices)[:1] for ballot in ballots], choices)


def blockers(ballots: Sequence[Ballot], choices: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return who blocks each option that somebody blocks."""
    blocked = {
        choice: tuple(ballot.agent for ballot in ballots if choice in ballot.blocked and not ballot.invalid)
        for choice in choices
    }
    return {choice: who for choice, who in blocked.items() if who}


def figure_of(share: float | Fraction) -> float:
    """Return a count as a figure."""
    return round(float(share), 9)


def best(counted: Mapping[str, float | Fraction], lots: Sequence[str], *, anybody: bool = True) -> Counted:
    """Return the outcome in which the highest figure wins; lots decide among equals. No votes: no winner."""
    figures = {choice: figure_of(each) for choice, each in counted.items()}
    if not figures or not anybody:
        return Counted(figures=figures, note=Undecided("nobody voted" if figures else "nothing to vote on"))
    order = tuple(sorted(lots, key=lambda choice: -counted[choice]))
    tied = level((choice for choice in order if counted[choice] == counted[order[0]]), order[0])
    return Counted(order[0], order, figures, tied=tied)


def plurality(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Counted:
    """The most first choices, however few. Figures: first choices."""
    figures = first_choices(ballots, choices)
    return best(figures, lots, anybody=any(figures.values()))


def approval(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Counted:
    """The most approvals (S. J. Brams, P. C. Fishburn, "Approval Voting", 1978). Figures: approvals."""
    figures = {choice: float(sum(choice in ballot.approved for ballot in ballots)) for choice in choices}
    return best(figures, lots, anybody=any(figures.values()))


def score(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Counted:
    """The highest mean score. Figures: means, 0 to 10.

    A ballot without scores is left out; an option that a scoring ballot leaves out has 0 from it, so that one voter
    alone cannot carry it, and so has each from a ballot for `none`. Where its voter was not asked about an option, the
    ballot is left out of that one's mean. `none` wins where more ballots say it than score the leader above the middle.
    """
    refusing = [ballot for ballot in ballots if NONE in choices and ballot.choice == NONE and not ballot.scores]
    none = len(refusing)
    scoring = [*refusing, *(ballot for ballot in ballots if ballot.scores)]
    figures = {}
    for choice in choices:
        if choice != NONE or not none:
            scores = [ballot.scores.get(choice, 0.0) for ballot in scoring if choice not in ballot.withheld]
            figures[choice] = round(fsum(scores) / max(1, len(scores)), 9)
    most = best(figures, [choice for choice in lots if choice in figures], anybody=bool(scoring))
    liked = sum(ballot.scores.get(most.winner or "", 0.0) > HALF for ballot in scoring)
    return replace(most, winner=NONE, tied=()) if none > liked else most


def supermajority(share: Fraction) -> Count:
    """Return a count in which the most first choices win if they are `share` of the votes or more; of a half, more.

    Figures: first choices.
    """

    def count(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Counted:
        most = plurality(ballots, choices, lots)
        votes = first_choices(ballots, choices)
        enough = most.winner is None or reaches(votes[most.winner], sum(votes.values()), share)
        return most if enough else replace(most, winner=None, tied=())

    return count


def consent(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Counted:
    """Of the options that nobody blocks, the most first choices. Figures: first choices, 0 for a blocked one.

    An option that nobody puts first does not win, although nobody blocks it. A projected ballot counts for the first of
    its options that nobody blocks.
    """
    blocked = blockers(ballots, choices)
    free = [choice for choice in choices if choice not in blocked] if NONE in choices else choices
    votes = first_choices(ballots, free)
    figures = {choice: Fraction(0) if choice in blocked else votes[choice] for choice in choices}
    most = best(figures, lots, anybody=any(votes.values()))
    why: WhyNone | None = None
    if most.winner == NONE and votes[NONE] > first_choices(ballots, choices)[NONE]:
        some = any(figure for choice, figure in figures.items() if choice != NONE)
        why = "refused more than wanted" if some else "all blocked"
    elif most.winner is not None and not figures[most.winner]:
        why = "all firsts blocked"
    return replace(most, winner=None, tied=(), note=Undecided(why)) if why else most


def judge(name: str) -> Count:
    """Return a count in which one member's first choice wins, lots among those tied. Figures: 1 for it, else 0."""

    def count(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Counted:
        own = next((ballot for ballot in ballots if ballot.agent.casefold() == name.casefold()), None)
        ranks = ranked(own, choices) if own else ()
        if not ranks:
            return Counted(figures=dict.fromkeys(choices, 0.0), note=Undecided("the judge chose nothing", who=name))
        order = flat(tuple(sorted(rank, key=lots.index)) for rank in ranks)
        figures = {choice: float(choice in ranks[0]) for choice in choices}
        return Counted(
            order[0],
            (*order, *(choice for choice in lots if choice not in order)),
            figures,
            tied=level(ranks[0], order[0]),
        )

    return count


def shift(before: Sequence[Ballot], after: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Counted:
    """The side that gained most between two polls, whoever is larger. Figures: shares gained, -1 to 1.

    A poll is read as ballots. A share is of all who were asked, the undecided too, as in debates that are judged by how
    many minds they change.
    """
    figures = {choice: round(_share(after, choice) - _share(before, choice), 9) for choice in choices}
    most, gained = best(figures, lots), any(figure > 0 for figure in figures.values())
    return most if gained else Counted(order=most.order, figures=figures, note=Undecided("no side gained"))


def _share(poll: Sequence[Ballot], choice: str) -> float:
    return sum(ballot.choice == choice for ballot in poll) / len(poll) if poll else 0.0


def instant_runoff(ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]) -> Counted:
    """Round by round the option with the fewest votes leaves, until one is left. Figures: votes in its last round.

    A ballot whose options have all left counts no more; it is shared by those that it puts level. Of
    several with the fewest, the one leaves that the lots put last; `tied` names all who could have won under other lots
    ("parallel universes": V. Conitzer, M. Rognlie, L. Xia, "Preference Functions that Score Rankings and Maximum
    Likelihood Estimation", 2009).
    """
    orders = _orders(ballots, choices)
    if not orders:
        return best(dict.fromkeys(choices, 0.0), lots, anybody=False)
    left = list(lots)
    gone: list[str] = []
    rounds: list[dict[str, float]] = []
    figures: dict[str, float] = {}
    drawn: list[Lot] = []
    while len(left) > 1 or not rounds:
        votes = _votes(orders, left)
        rounds.append({choice: figure_of(share) for choice, share in votes.items()})
        figures.update(rounds[-1])
        last = _fewest(votes)
        if len(left) > 1:
            if len(last) > 1 and figures[last[0]]:
                drawn.append(Lot(len(rounds), tuple(last), last[-1]))
            left.remove(last[-1])
            gone.append(last[-1])
    winners = _winners(orders, lots)
    return Counted(
        winner=left[0],
        order=(left[0], *reversed(gone)),
        figures={choice: float(figures[choice]) for choice in choices},
        rounds=tuple(rounds),
        tied=winners if len(winners) > 1 else (),
        lots=tuple(drawn),
    )


def runoff_bound(now: Counted, ballots: Sequence[Ballot], choices: Sequence[str]) -> float:
    """Return a lower bound: who has more than half of the first choices wins."""
    firsts = first_choices(ballots, choices)
    return float(firsts[now.winner or ""] - sum(firsts.values()) / 2)


def _orders(ballots: Sequence[Ballot], choices: Sequence[str]) -> list[Order]:
    """Return each ballot's groups of level options, best first; a projected ballot has a last group of the unlisted."""
    orders: list[Order] = []
    for ballot in ballots:
        order = ranked(ballot, choices)
        listed = {*flat(order), *ballot.withheld}
        rest = tuple(choice for choice in choices if choice not in listed) if NONE in choices else ()
        if order:
            orders.append([*order, rest])
    return orders


def _votes(orders: Iterable[Order], left: Sequence[str]) -> dict[str, Fraction]:
    votes = dict.fromkeys(left, Fraction(0))
    for order in orders:
        tops = next((tops for group in order if (tops := [choice for choice in group if choice in votes])), [])
        for choice in tops:
            votes[choice] += Fraction(1, len(tops))
    return votes


def _fewest(votes: Mapping[str, Fraction]) -> list[str]:
    least = min(votes.values())
    last = [choice for choice, share in votes.items() if share == least]
    return [NONE] if NONE in last else last


def _winners(orders: Sequence[Order], lots: Sequence[str]) -> tuple[str, ...]:
    """Return all options that win under some order of the lots, in the order of these lots."""

    @cache
    def from_here(left: tuple[str, ...]) -> frozenset[str]:
        if len(left) == 1:
            return frozenset(left)
        votes = _votes(orders, left)
        some = tuple(choice for choice in left if votes[choice])  # never empty: the last of them keeps its votes
        if len(some) < len(left):  # those without a vote leave first, in whatever order, and hand nothing on
            return from_here(some)
        return frozenset().union(*(from_here(tuple(c for c in left if c != out)) for out in _fewest(votes)))

    winners = from_here(tuple(lots))
    return tuple(choice for choice in lots if choice in winners)
