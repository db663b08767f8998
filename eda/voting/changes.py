"""How firm an outcome is: how many ballots would have to be others for another option to win.

A changed ballot may be any one of its kind; where rankings are counted, any complete ranking, or any single choice
where no ballot ranks more. Ties fall as the lots of the tally say. The quorum is left aside.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, permutations
from math import ceil, factorial

from eda.events import Ballot
from eda.voting.outcome import Count, Outcome, first_choice, first_choices, ranked
from eda.voting.pairwise import pairs
from eda.voting.rules import Rule

__all__ = ["ballots_to_change"]

_SMALL_PANEL = 9
"""Ballots up to which all rankings are tried, where there are not too many of them."""
_MOST_TRIES = 4000
"""Counts in all, fewer where there are more than eight options; beyond, what is known so far is a lower bound."""


def ballots_to_change(
    rule: Rule, count: Count, ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]
) -> tuple[int | None, bool]:
    """The fewest ballots whose change lets another option win, and whether that is exact: else it is "at least".

    None where no change does: there is no other option, or no ballot.
    """
    if len(choices) < 2 or rule.counts == "judge":
        return (None if len(choices) < 2 else 1), True
    now = count(ballots, choices, lots)
    tries, most = 0, min(_MOST_TRIES, _MOST_TRIES * 64 // len(choices) ** 2)
    for changed in range(_least(rule, now, ballots, choices), len(ballots) + 1):
        for trial in _trials(rule, now, ballots, choices, changed):
            tries += 1
            if trial is None or tries > most:
                return changed, False
            if count(trial, choices, lots).winner not in (None, now.winner):
                return changed, True
    return None, True


def _trials(
    rule: Rule, now: Outcome, ballots: Sequence[Ballot], choices: Sequence[str], changed: int
) -> Iterator[list[Ballot] | None]:
    """All ways to change so many ballots that could matter, the likely ones first; a last None where some are left out.

    Where no rankings are counted, a ballot for one option alone does all for it that a ballot can.
    """
    ranks = rule.counts == "rankings" and any(len(ballot.ranking) > 1 for ballot in ballots)
    likely = [_likely(choice, now, choices, ranks=ranks) for choice in choices if choice != now.winner]
    for kept in _kept(rule, ballots, changed, now.winner, choices):
        for ballot in likely:
            yield [*kept, *[ballot] * changed]
    if not ranks:
        return
    if len(ballots) > _SMALL_PANEL or factorial(len(choices)) > _MOST_TRIES:
        yield None
        return
    for kept in _kept(rule, ballots, changed, now.winner, choices):
        for new in _rankings(choices, changed):
            yield [*kept, *new]


def _likely(choice: str, now: Outcome, choices: Sequence[str], *, ranks: bool) -> Ballot:
    """The ballot that helps `choice` most; where rankings are counted, most likely."""
    others = tuple(other for other in reversed(now.order or tuple(choices)) if other != choice)
    return Ballot(
        agent="",
        choice=choice,
        ranking=(choice, *others) if ranks else (),
        approved=(choice,),
        scores={choice: 10.0},
        blocked=others,
    )


def _rankings(choices: Sequence[str], changed: int) -> Iterator[tuple[Ballot, ...]]:
    ballots = [Ballot(agent="", choice=order[0], ranking=order) for order in permutations(choices)]
    return combinations_with_replacement(ballots, changed)


def _kept(
    rule: Rule, ballots: Sequence[Ballot], changed: int, winner: str | None, choices: Sequence[str]
) -> Iterator[list[Ballot]]:
    """What is left without `changed` ballots, each different rest once; those for the winner are the first to go."""
    kinds: dict[object, list[Ballot]] = {}
    for ballot in sorted(ballots, key=lambda ballot: first_choice(ballot, choices) != winner):
        kinds.setdefault(_counted(rule, ballot, choices), []).append(ballot)
    groups = list(kinds.values())

    def without(place: int, gone: int) -> Iterator[list[Ballot]]:
        if place == len(groups):
            if not gone:
                yield []
            return
        group = groups[place]
        for out in range(min(gone, len(group)), -1, -1):
            for rest in without(place + 1, gone - out):
                yield [*group[out:], *rest]

    return without(0, changed)


def _counted(rule: Rule, ballot: Ballot, choices: Sequence[str]) -> object:
    """All of a ballot that the rule looks at."""
    match rule.counts:
        case "approvals":
            return frozenset(ballot.approved)
        case "scores":
            return frozenset(ballot.scores.items()), ballot.withheld
        case "rankings":
            return ranked(ballot, choices), ballot.withheld
        case "blocks":
            return first_choice(ballot, choices), frozenset(ballot.blocked)
        case _:
            return first_choice(ballot, choices)


def _least(rule: Rule, now: Outcome, ballots: Sequence[Ballot], choices: Sequence[str]) -> int:
    """So many at least, by the rule's own margin: a ballot turns a duel by 2, a Borda gap by twice its length."""
    others = [choice for choice in choices if choice != now.winner]
    if now.winner is None:
        return 1
    if rule.name == "borda":
        gap = min(now.figures[now.winner] - now.figures[other] for other in others)
        return max(1, ceil(gap / (2 * (len(choices) - 1))))
    if rule.name in ("copeland", "ranked-pairs", "schulze"):
        found = pairs(ballots, choices)
        return max(1, ceil(min(found[now.winner, other] - found[other, now.winner] for other in others) / 2))
    if rule.name == "instant-runoff":  # who has more than half of the first choices wins
        firsts = first_choices(ballots, choices)
        return max(1, ceil(firsts[now.winner] - sum(firsts.values()) / 2))
    return 1
