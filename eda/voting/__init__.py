"""Votes: what can be voted on, how an answer is read, and the rules by which ballots become a verdict."""

from eda.voting.answers import read_ballot
from eda.voting.choices import given, shown_order, slate
from eda.voting.counts import Outcome, tie_order
from eda.voting.naming import the_one_named
from eda.voting.projection import project
from eda.voting.rules import RULES, Rule, counts_of, rule_known, rule_named
from eda.voting.tallies import Comparison, Tally, compare, tally
from eda.voting.verdict import verdict

__all__ = [
    "RULES",
    "Comparison",
    "Outcome",
    "Rule",
    "Tally",
    "compare",
    "counts_of",
    "given",
    "project",
    "read_ballot",
    "rule_known",
    "rule_named",
    "shown_order",
    "slate",
    "tally",
    "the_one_named",
    "tie_order",
    "verdict",
]
