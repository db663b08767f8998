"""Votes: what can be voted on, how an answer is read, and the rules by which ballots become a verdict."""

from eda.voting.answers import read_ballot
from eda.voting.choices import KEEP_DISCUSSING, ballot_choices, shown_order
from eda.voting.counts import Outcome, tie_order
from eda.voting.naming import the_one_named
from eda.voting.rules import RULES, Rule, counts_of, rule_known, rule_named
from eda.voting.tallies import Comparison, Tally, compare, tally
from eda.voting.verdict import HALF, verdict

__all__ = [
    "HALF",
    "KEEP_DISCUSSING",
    "RULES",
    "Comparison",
    "Outcome",
    "Rule",
    "Tally",
    "ballot_choices",
    "compare",
    "counts_of",
    "read_ballot",
    "rule_known",
    "rule_named",
    "shown_order",
    "tally",
    "the_one_named",
    "tie_order",
    "verdict",
]
