"""What a message proposes under a heading."""

from __future__ import annotations

from folded import debated


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
