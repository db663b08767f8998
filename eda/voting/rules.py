"""The decision rules by name: what each does in a line, what it counts, and whether given ballots hold that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Literal

from eda.errors import UnknownNameError
from eda.events import Ballot
from eda.settings import RuleName
from eda.voting import pairwise, paths, positional, runoff, thresholds
from eda.voting.outcome import Count
from eda.voting.single import judge as judged_by
from eda.voting.single import shift

__all__ = ["RULES", "Counts", "Rule", "counts_of", "rule_named"]

Counts = Literal["firsts", "rankings", "approvals", "scores", "blocks", "judge", "polls"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A decision rule."""

    name: RuleName
    line: str
    counts: Counts
    """What it looks at on a ballot."""
    count: Count | None = None
    """None where it needs more than ballots: a judge, or polls."""

    def counting(self, judge: str = "", before: Sequence[Ballot] = ()) -> Count | None:
        """How it counts; None where what it needs is not given: the judge's title, or the poll before, as ballots."""
        match self.counts:
            case "judge" if judge:
                return judged_by(judge)
            case "polls" if before:
                return partial(shift, before)
            case _:
                return self.count

    def missing(self, ballots: Sequence[Ballot], judge: str = "", before: Sequence[Ballot] = ()) -> str:
        """What these ballots lack for the rule to say anything; empty where they lack nothing."""
        match self.counts:
            case "approvals" if not any(ballot.approved for ballot in ballots):
                return "no ballot approves options"
            case "scores" if not any(ballot.scores for ballot in ballots):
                return "no ballot gives scores"
            case "judge" if not judge:
                return "no judge is named"
            case "judge" if not any(ballot.agent.casefold() == judge.casefold() for ballot in ballots):
                return f"there is no ballot of {judge}"
            case "polls" if not before:
                return "it compares two polls"
            case _:
                return ""


_ALL = (
    Rule("plurality", "The most first choices, however few.", "firsts", positional.plurality),
    Rule("majority", "More than half of the votes cast.", "firsts", thresholds.majority),
    Rule("supermajority-2/3", "Two thirds of the votes cast.", "firsts", thresholds.supermajority(Fraction(2, 3))),
    Rule("supermajority-3/4", "Three quarters of the votes cast.", "firsts", thresholds.supermajority(Fraction(3, 4))),
    Rule("unanimity", "Every vote that was cast.", "firsts", thresholds.unanimity),
    Rule("consent", "Nobody blocks it; of those, the most first choices.", "blocks", thresholds.consent),
    Rule("approval", "The most approvals.", "approvals", positional.approval),
    Rule("score", "The highest mean score, abstentions left out.", "scores", positional.score),
    Rule("borda", "A point for each option that a ballot puts below it.", "rankings", positional.borda),
    Rule(
        "instant-runoff", "Whoever has the fewest votes leaves, until one is left.", "rankings", runoff.instant_runoff
    ),
    Rule("copeland", "The most duels won, a level one counting half.", "rankings", pairwise.copeland),
    Rule("ranked-pairs", "Duels locked in from the widest margin down (Tideman).", "rankings", paths.ranked_pairs),
    Rule("schulze", "The strongest chains of duels, by margins.", "rankings", paths.schulze),
    Rule("judge", "One named member decides.", "judge"),
    Rule("shift", "The side that gained most between a poll before and one after.", "polls"),
)

RULES: Mapping[str, Rule] = {rule.name: rule for rule in _ALL}
"""In the order in which they are shown."""


def counts_of(name: str) -> Counts:
    """What the rule of that name looks at; first choices for one of a log that another program wrote."""
    return RULES[name].counts if name in RULES else "firsts"


def rule_named(name: str) -> Rule:
    """The rule of that name.

    Raises:
        UnknownNameError: there is none; the hint names the nearest.
    """
    plain = "-".join(name.casefold().split())
    if plain not in RULES:
        raise UnknownNameError("rule", name, RULES)
    return RULES[plain]
