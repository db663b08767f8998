"""The same ballots under one rule, or under all: who wins, by how much, how firmly, and where rules disagree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eda.events import Ballot
from eda.voting.changes import ballots_to_change
from eda.voting.outcome import Outcome, tie_order
from eda.voting.pairwise import condorcet_winner, pairs, top_cycle
from eda.voting.rules import RULES, rule_named

__all__ = ["Comparison", "Duel", "Tally", "compare", "lead", "tally", "tie_words"]


@dataclass(frozen=True, slots=True)
class Tally:
    """What one rule makes of the ballots."""

    rule: str
    outcome: Outcome
    missing: str = ""
    """What the ballots lack for this rule; empty where it was applied."""
    margin: float | None = None
    """By how much the winner's figure leads the next one; None where nothing won."""
    changes: int | None = None
    """How many ballots would have to be others for another option to win; None where no change does that."""
    exact: bool = True
    """Otherwise `changes` is a lower bound."""
    tie: str = ""
    """How a tie was broken, in words."""


@dataclass(frozen=True, slots=True)
class Duel:
    """Two options side by side."""

    winner: str
    loser: str
    votes: int
    against: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """What several rules make of the same ballots."""

    tallies: tuple[Tally, ...]
    condorcet: str | None
    """The option that beats each other one; None where there is none."""
    cycle: tuple[Duel, ...]
    """Where the best beat each other in a circle: each duel of it."""

    @property
    def winners(self) -> dict[str | None, tuple[str, ...]]:
        """Which rules each winner has, most rules first; None are those that name none."""
        applied = [tally for tally in self.tallies if not tally.missing]
        found: dict[str | None, tuple[str, ...]] = {}
        for one in applied:
            found[one.outcome.winner] = (*found.get(one.outcome.winner, ()), one.rule)
        return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def tally(
    name: str,
    ballots: Sequence[Ballot],
    choices: Sequence[str],
    seed: int,
    *,
    judge: str = "",
    before: Sequence[Ballot] = (),
) -> Tally:
    """One rule on given ballots; the rule `shift` needs the poll `before`, as ballots.

    Raises:
        UnknownNameError: there is no such rule.
    """
    rule = rule_named(name)
    count, missing = rule.counting(judge, before), rule.missing(ballots, judge, before)
    if count is None or missing:
        return Tally(rule.name, Outcome(), missing)
    lots = tie_order(choices, seed)
    outcome = count(ballots, choices, lots)
    changes, exact = ballots_to_change(rule, count, ballots, choices, lots)
    return Tally(rule.name, outcome, "", lead(outcome), changes, exact, tie_words(outcome, seed))


def compare(
    ballots: Sequence[Ballot],
    choices: Sequence[str],
    seed: int,
    *,
    rules: Iterable[str] = RULES,
    judge: str = "",
    before: Sequence[Ballot] = (),
) -> Comparison:
    """All rules, or those named, on the same ballots.

    Args:
        ballots: One of each who was asked; invalid ones count as abstentions.
        choices: What could be voted for.
        seed: Of the lots that break ties.
        rules: Names of rules, as in `RuleName`.
        judge: Whose choice decides under the rule `judge`.
        before: The first poll as ballots, for the rule `shift`.

    Raises:
        UnknownNameError: there is no such rule.
    """
    named = [rule_named(name) for name in rules]
    found = pairs(ballots, choices)
    cycle = top_cycle(found, choices)
    return Comparison(
        tuple(tally(rule.name, ballots, choices, seed, judge=judge, before=before) for rule in named),
        condorcet_winner(found, choices),
        tuple(
            Duel(one, other, found[one, other], found[other, one])
            for one, other in zip(cycle, (*cycle[1:], *cycle[:1]), strict=True)
        ),
    )


def lead(outcome: Outcome) -> float | None:
    """By how much the winner's figure leads that of the next in order; never below 0."""
    if outcome.winner is None:
        return None
    others = [outcome.figures[choice] for choice in outcome.order[1:2]]
    return round(max(0.0, outcome.figures[outcome.winner] - max(others, default=0.0)), 9)


def tie_words(outcome: Outcome, seed: int) -> str:
    """How a tie was broken; empty where there was none."""
    if outcome.winner is None or not outcome.tied:
        return ""
    tied = f"{', '.join(outcome.tied[:-1])} and {outcome.tied[-1]}"
    said = f"{tied} could each have won; lots drawn with seed {seed} decided for {outcome.winner}"
    return f"{said} ({outcome.note})" if outcome.note else said
