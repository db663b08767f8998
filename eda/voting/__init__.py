"""Votes: what can be voted on, and the rules by which ballots become a verdict. `answers` reads what a voter says."""

from eda.voting.account import Account, voter_of
from eda.voting.choices import Kin, Slate, given, kinship, option_of, same_words, shown_order, slate
from eda.voting.counts import HALF_OF_VOTES, Counted, tie_order
from eda.voting.rules import SHIPPED as RULES, Counts, Rule, counts_of, rule_known, rule_named
from eda.voting.tallies import Comparison, Tally, compare, tally
from eda.voting.verdict import open_to, verdict

__all__ = [
    "HALF_OF_VOTES",
    "RULES",
    "Account",
    "Comparison",
    "Counted",
    "Counts",
    "Kin",
    "Rule",
    "Slate",
    "Tally",
    "compare",
    "counts_of",
    "given",
    "kinship",
    "open_to",
    "option_of",
    "rule_known",
    "rule_named",
    "same_words",
    "shown_order",
    "slate",
    "tally",
    "tie_order",
    "verdict",
    "voter_of",
]
