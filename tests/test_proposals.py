"""What a message says of somebody's proposal, that it is rejected."""

from __future__ import annotations

from folded import debated
from hypothesis import given
from hypothesis import strategies as st

from eda.memory.patterns import default_language


@given(st.from_regex(default_language().rejected))
def test_no_rejection_is_passed_over_unread(text: str) -> None:
    """Only a message that holds one of a few words is searched: a wording without any would reject nothing."""
    assert any(word in text.lower() for word in default_language().rejected_needs)


def test_a_proposal_under_its_heading_counts() -> None:
    """Without it what a model proposes in bold, and not in brackets, is on no ballot."""
    memory = debated(
        ("Ann", "So.\n\n[PROPOSE] Ship the rewrite in June."),
        ("Bob", "**Proposal:** Keep the old system until autumn.\n\nIt is right.\n\n[OPPOSE p1.0] too soon"),
        ("Cy", "Ann wants this:\n> Proposal: Sell the company.\n\n[SUPPORT p1.0] cheap"),
        ("Di", "**Proposal:** Burn it.\n\nOr so.\n\n[PROPOSE] Keep a copy."),
    )
    proposed = [proposal.content for proposal in memory.proposals]
    assert proposed == ["Ship the rewrite in June.", "Keep the old system until autumn.", "Burn it.", "Keep a copy."]
