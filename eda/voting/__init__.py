"""Votes: what can be voted on, and the rules by which ballots become a verdict. `answers` reads what a voter says."""

from eda.voting.account import Account
from eda.voting.choices import given, shown_order, slate
from eda.voting.counts import Counted, tie_order
from eda.voting.rules import RULES, Rule, counts_of, rule_known, rule_named
from eda.voting.tallies import Comparison, Tally, compare, tally
from eda.voting.verdict import open_to, verdict

__all__ = [
    "RULES",
    "Account",
    "Comparison",
    "Counted",
    "Rule",
    "Tally",
    "compare",
    "counts_of",
    "given",
    "open_to",
    "rule_known",
    "rule_named",
    "shown_order",
    "slate",
    "tally",
    "tie_order",
    "verdict",
]
