"""What the panel can vote on, and how votes become a verdict. Majority is more than half of the votes cast."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from eda.events import Ballot, VerdictReached
from eda.records import AgentState, Decision, Proposal

__all__ = ["KEEP_DISCUSSING", "ballot_choices", "majority", "read_choice"]

KEEP_DISCUSSING = "Keep discussing"
"""What can be voted for where the choices are the panel's own proposals."""

YES_NO = ("Yes", "No")
"""What can be voted for where the question asks for no more."""
_MOST_CHOICES = 6
_YES_NO = re.compile(r"\s*(should|shall|is|are|do|does|did|can|could|will|would|must|may|has|have)\b", re.IGNORECASE)
_EITHER_OR = re.compile(r"\bor\b(?! not\b)", re.IGNORECASE)


def ballot_choices(question: str, options: Sequence[str], proposals: Sequence[Proposal]) -> tuple[str, ...]:
    """The options where the debate has any; yes and no for a yes-or-no question; else the proposals that stand."""
    if options:
        return tuple(options)
    if _YES_NO.match(question) and not _EITHER_OR.search(question):
        return YES_NO
    standing = [p for p in proposals if p.status in ("accepted", "active") and p.minuted != "denied"]
    standing.sort(key=lambda p: (p.status != "accepted", -len(p.backers("support")), p.message))
    wordings = list(dict.fromkeys(proposal.content for proposal in standing))[:_MOST_CHOICES]
    return (*wordings, KEEP_DISCUSSING) if wordings else ()


def read_choice(data: Mapping[str, Any] | None, text: str, choices: Sequence[str]) -> tuple[str | None, str, bool]:
    """The choice, the reason and whether the answer was a valid vote; an answer that names no one choice is none."""
    wanted = data.get("choice") if data else None
    reason = str(data.get("reason", "")) if data else ""
    if data and wanted is None and "choice" in data:
        return None, reason, True
    found = _the_one_named(str(wanted) if wanted is not None else text, choices)
    return found, reason, found is not None


def _the_one_named(text: str, choices: Sequence[str]) -> str | None:
    folded = " ".join(text.casefold().split())
    exact = [choice for choice in choices if " ".join(choice.casefold().split()) == folded]
    if exact:
        return exact[0]
    named = [choice for choice in choices if re.search(rf"\b{re.escape(choice.casefold())}(?!\w)", folded)]
    return named[0] if len(named) == 1 else None


def majority(
    ballots: Iterable[Ballot],
    choices: Sequence[str],
    *,
    agents: Mapping[str, AgentState],
    proposals: Sequence[Proposal] = (),
    decisions: Sequence[Decision] = (),
) -> VerdictReached:
    """More than half of the votes cast decides, where more than half of the members voted; abstaining is no vote."""
    cast = list(ballots)
    tally = {choice: tuple(b.agent for b in cast if b.choice == choice) for choice in choices}
    votes = sum(len(voters) for voters in tally.values())
    quorate = votes * 2 > len(cast)
    winner = next((c for c, voters in tally.items() if len(voters) * 2 > votes), None) if quorate else None
    return VerdictReached(
        rule="majority",
        outcome=winner,
        note=_note(choices, votes, len(cast)),
        tally=tally,
        abstained=tuple(b.agent for b in cast if b.choice is None),
        dissent=tuple(b for b in cast if winner is not None and b.choice not in (None, winner)),
        evidence=_evidence(winner, tally, agents, proposals, decisions) if winner else (),
    )


def _note(choices: Sequence[str], votes: int, members: int) -> str:
    if not choices:
        return "there was nothing to vote on"
    if not votes:
        return "nobody voted"
    return f"no quorum: {votes} of {members} voted" if votes * 2 <= members else ""


def _evidence(
    winner: str,
    tally: Mapping[str, tuple[str, ...]],
    agents: Mapping[str, AgentState],
    proposals: Sequence[Proposal],
    decisions: Sequence[Decision],
) -> tuple[int, ...]:
    numbers: set[int] = set()
    for proposal in proposals:
        if proposal.content == winner:
            numbers.add(proposal.message)
            numbers.update(r.message for r in proposal.reactions if r.reaction == "support")
    for decision in decisions:
        if decision.outcome == winner:
            numbers.update(decision.messages)
    for voter in tally[winner]:
        state = agents.get(voter)
        if state and state.positions and winner in state.positions[-1].options:
            numbers.add(state.positions[-1].message)
    return tuple(sorted(numbers))
