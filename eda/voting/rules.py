"""The decision rules: a line of help for each, what it counts, and what given ballots lack for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Literal, Protocol

from eda.errors import UsageError
from eda.events import NONE, Ballot, Undecided, WhyNone
from eda.panels.registry import RULES as REGISTRY, line_of
from eda.voting import counts, pairwise
from eda.voting.counts import HALF_OF_VOTES, Bound, Count, Counted

Counts = Literal["firsts", "rankings", "approvals", "scores", "blocks", "judge", "polls"]


class DecisionRule(Protocol):
    """What a decision rule must have. It may have the `line` and the `counts` of `Rule`, too."""

    name: str

    def count(self, ballots: Sequence[Ballot], options: Sequence[str], /) -> str | Counted | None:
        """Return the option that wins, None where none does, or an `Counted` with figures and an order."""
        ...


Figure = Literal["votes", "approvals", "scores", "points", "last-round", "duels", "below", "gain"]
"""What the figure of a choice counts: `scores` is a mean, 0 to 10; `below` are options; `gain` is a share, -1 to 1."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A decision rule: its name, its line of help, how it counts, and how its figures are shown."""

    name: str
    line: str
    counts: Counts
    """What it reads on a ballot."""
    ways: Count | None = None
    """How it counts, with lots that break ties; None where it needs more than ballots: a judge, or polls."""
    figure: Figure = "votes"
    bound: Bound | None = None
    """Returns fewer ballots than must change for another option to win; None where nothing but 1 is known."""
    share: Fraction = HALF_OF_VOTES
    """The share of the votes cast that adopts a motion which stands by itself; of a half, more."""

    def count(self, ballots: Sequence[Ballot], options: Sequence[str], /) -> Counted:
        """Return the outcome of the ballots; a tie goes to the first of `options`.

        The rules `judge` and `shift` need more than ballots, and name no winner here.
        """
        return (
            self.ways(ballots, options, options) if self.ways else Counted(note=Undecided("more than ballots needed"))
        )

    @property
    def needs_ballot(self) -> bool:
        """Whether it counts what no poll asks for."""
        return self.counts in ("approvals", "scores", "blocks")

    def counting(self, judge: str = "", before: Sequence[Ballot] = ()) -> Count | None:
        """Return the count of the rule; None without the judge, or the earlier poll as ballots, that it needs."""
        if self.counts == "judge" and judge:
            return counts.judge(judge)
        return partial(counts.shift, before) if self.counts == "polls" and before else self.ways

    def missing(self, ballots: Sequence[Ballot], judge: str = "", before: Sequence[Ballot] = ()) -> Undecided | None:
        """Return what these ballots lack for the rule to name a winner; None where they lack nothing."""
        why: WhyNone | None = None
        match self.counts:
            case "approvals" if not any(ballot.approved for ballot in ballots):
                why = "no approvals"
            case "scores" if not any(ballot.scores for ballot in ballots) and {
                b.choice for b in ballots if b.has_voted
            } != {NONE}:
                why = "no scores"
            case "judge" if not judge:
                why = "no judge"
            case "judge" if not any(ballot.agent.casefold() == judge.casefold() for ballot in ballots):
                why = "no ballot of the judge"
            case "polls" if not before:
                why = "not two polls"
            case _:
                why = None if self.ways or self.counts in ("judge", "polls") else "not installed"
        return Undecided(why, who=judge, rule=self.name) if why else None


_BY_RANK: tuple[tuple[str, str, Count, Figure, Bound], ...] = (
    ("borda", "A point for each option that a ballot puts below it.", pairwise.borda, "points", pairwise.borda_bound),
    (
        "instant-runoff",
        "Whoever has the fewest votes leaves, until one is left.",
        counts.instant_runoff,
        "last-round",
        counts.runoff_bound,
    ),
    ("copeland", "The most duels won, a level one counting half.", pairwise.copeland, "duels", pairwise.duel_bound),
    (
        "ranked-pairs",
        "Duels locked in from the widest margin down (Tideman).",
        pairwise.ranked_pairs,
        "below",
        pairwise.duel_bound,
    ),
    ("schulze", "The strongest chains of duels, by margins.", pairwise.schulze, "below", pairwise.duel_bound),
)
_ALL = (
    Rule("plurality", "The most first choices, however few.", "firsts", counts.plurality),
    *(
        Rule(name, line, "firsts", counts.supermajority(share), share=share)
        for name, line, share in (
            (
                "majority",
                "A motion wins with more than half of the votes cast; a vote for any wording of it counts.",
                HALF_OF_VOTES,
            ),
            ("supermajority-2/3", "Two thirds of the votes cast.", Fraction(2, 3)),
            ("supermajority-3/4", "Three quarters of the votes cast.", Fraction(3, 4)),
            ("unanimity", "Every vote that was cast.", Fraction(1)),
        )
    ),
    Rule("consent", "Nobody blocks it; of those, the most first choices.", "blocks", counts.consent),
    Rule("approval", "The most approvals.", "approvals", counts.approval, "approvals"),
    Rule("score", "The highest mean score, abstentions left out.", "scores", counts.score, "scores"),
    *(Rule(name, line, "rankings", ways, figure, bound) for name, line, ways, figure, bound in _BY_RANK),
    Rule("judge", "One named member decides.", "judge"),
    Rule("shift", "The side that gained most between a poll before and one after.", "polls", figure="gain"),
)

SHIPPED: Mapping[str, Rule] = {rule.name: rule for rule in _ALL}
"""By name, in the order in which they are shown."""


def checked(part: object) -> Rule | None:
    """Return a user's rule as a `Rule`, or None where it has no name or does not count."""
    if isinstance(part, Rule):
        return part
    name, count = getattr(part, "name", None), getattr(part, "count", None)
    if not (isinstance(name, str) and name and callable(count)):
        return None

    def ways(ballots: Sequence[Ballot], options: Sequence[str], lots: Sequence[str]) -> Counted:
        result: object = count(ballots, lots)
        outcome = result if isinstance(result, Counted) else Counted(result)  # type: ignore[arg-type]  # checked next
        if outcome.winner is not None and outcome.winner not in options:
            raise UsageError(f"the rule {name!r} returned {outcome.winner!r}, which is none of the options")
        figures = {option: outcome.figures.get(option, float(option == outcome.winner)) for option in options}
        return replace(outcome, figures=figures)

    return Rule(name, line_of(part), getattr(part, "counts", "firsts"), ways)


def rule_known(name: str) -> Rule:
    """Return the rule of that name, or one that only says that it is not installed here. Imports no user's module."""
    rule: Rule | None = REGISTRY.called(name)
    return rule or Rule(name, "A rule that is not installed here.", "firsts")


def counts_of(name: str) -> Counts:
    """Return what the rule of that name counts: first choices where it is not known here."""
    return rule_known(name).counts


def rule_named(rule: str | Rule) -> Rule:
    """Return the rule of that name; a rule as it is.

    Raises:
        UnknownNameError: there is none; the hint names the nearest.
        UsageError: it cannot be imported.
    """
    named: Rule = REGISTRY.get(REGISTRY.canonical(rule)) if isinstance(rule, str) else rule
    return named
