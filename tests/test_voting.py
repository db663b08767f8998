"""Votes are counted, not felt."""

from __future__ import annotations

import pytest

from eda.events import Ballot
from eda.records import AgentState, Decision, Position, Proposal, Reaction
from eda.voting import KEEP_DISCUSSING, ballot_choices, majority, read_choice

CHOICES = ("Go now", "Wait")


def votes(*choices: str | None) -> list[Ballot]:
    return [Ballot(agent=f"a{place}", choice=choice, reason="because") for place, choice in enumerate(choices)]


def test_more_than_half_of_the_votes_cast_decides() -> None:
    """Half is no majority; an abstention is no vote."""
    assert majority(votes("Go now", "Go now", "Wait"), CHOICES, agents={}).outcome == "Go now"
    assert majority(votes("Go now", "Wait"), CHOICES, agents={}).outcome is None
    assert majority(votes("Go now", "Go now", None), CHOICES, agents={}).outcome == "Go now"
    assert majority(votes(None, None), CHOICES, agents={}).outcome is None
    assert majority([], (), agents={}).outcome is None


def test_one_vote_of_a_silent_panel_decides_nothing() -> None:
    """Without a quorum the one who did not abstain would decide for all."""
    verdict = majority(votes("Go now", None, None), CHOICES, agents={})
    assert verdict.outcome is None
    assert verdict.note == "no quorum: 1 of 3 voted"
    assert majority([], (), agents={}).note == "there was nothing to vote on"
    assert majority(votes("Go now", "Wait"), CHOICES, agents={}).note == ""


def test_the_verdict_names_who_dissents_and_who_abstained() -> None:
    """Dissent that is not shown is lost."""
    verdict = majority(votes("Go now", "Go now", "Wait", None), CHOICES, agents={})
    assert [ballot.agent for ballot in verdict.dissent] == ["a2"]
    assert verdict.abstained == ("a3",)
    assert verdict.tally == {"Go now": ("a0", "a1"), "Wait": ("a2",)}


def test_the_evidence_is_the_messages_that_the_outcome_rests_on() -> None:
    """A verdict without message numbers cannot be checked."""
    agents = {"a0": AgentState("a0", positions=(Position(9, "a0", "for going", ("Go now",)),), holds=("Go now",))}
    proposal = Proposal("p4.0", 4, "a1", "Go now", reactions=(Reaction(6, "a0", "support", "p4.0"),))
    decision = Decision("d7.0", (7,), "", "Go now")
    verdict = majority(votes("Go now"), CHOICES, agents=agents, proposals=[proposal], decisions=[decision])
    assert verdict.evidence == (4, 6, 7, 9)


def test_what_can_be_voted_on() -> None:
    """Options first; a yes or a no where that is the question; else what was proposed and still stands."""
    standing = [
        Proposal("p1.0", 1, "a0", "Paint it"),
        Proposal("p2.0", 2, "a0", "Sell it", status="accepted"),
        Proposal("p3.0", 3, "a0", "Burn it", status="rejected"),
    ]
    assert ballot_choices("Which?", CHOICES, standing) == CHOICES
    assert ballot_choices("Which?", (), standing) == ("Sell it", "Paint it", KEEP_DISCUSSING)
    assert ballot_choices("Should we sell it?", (), standing) == ("Yes", "No")
    assert ballot_choices("Should we sell it or not?", (), standing) == ("Yes", "No")
    assert ballot_choices("Should we sell it or paint it?", (), standing) == ("Sell it", "Paint it", KEEP_DISCUSSING)
    assert ballot_choices("What now?", (), []) == ()


@pytest.mark.parametrize(
    ("data", "text", "choice", "valid"),
    [
        ({"choice": "Wait", "reason": "r"}, "", "Wait", True),
        ({"choice": "  wait "}, "", "Wait", True),
        ({"choice": None}, "", None, True),
        ({"choice": "Both"}, "", None, False),
        ({}, "I vote for: Go now.", "Go now", True),
        (None, "Go now or wait, who knows", None, False),
        (None, "I cannot say", None, False),
        (None, "waiting is good", None, False),
    ],
)
def test_reading_a_vote(data: dict[str, object] | None, text: str, choice: str | None, valid: bool) -> None:
    """A vote for nothing on the ballot must count as an abstention and be shown as such."""
    found, _, is_valid = read_choice(data, text, CHOICES)
    assert (found, is_valid) == (choice, valid)
