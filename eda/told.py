"""What a panel is told of its polls and ballots: numbers and reasons without names, so that no name decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median

from eda.events import BallotCast, StanceTaken
from eda.prompts import quoted

__all__ = ["blocks_of", "statistics_of"]


def statistics_of(polls: Sequence[Sequence[StanceTaken]]) -> str:
    """The last poll: how many hold each choice, how sure they are, and what would change their minds."""
    if not polls or not polls[-1]:
        return "(no poll was taken yet)"
    stances = polls[-1]
    held = Counter(stance.choice for stance in stances)
    lines = [f"- {choice}: {held[choice]} of {len(stances)}{_sure(stances, choice)}" for choice in stances[0].choices]
    if held[None]:
        lines.append(f"- undecided: {held[None]} of {len(stances)}")
    minds = sorted({quoted(stance.change_mind) for stance in stances if stance.change_mind})
    if minds:
        lines += ["What would change a mind, as members wrote it:", *(f"- {mind}" for mind in minds)]
    return "\n".join(lines)


def _sure(stances: Sequence[StanceTaken], choice: str) -> str:
    given = [s.confidence for s in stances if s.choice == choice and s.confidence is not None]
    return f" (confidence: median {median(given):.2f}, from {min(given):.2f} to {max(given):.2f})" if given else ""


def blocks_of(ballots: Sequence[BallotCast]) -> str:
    """What was blocked in the last ballot, and why."""
    blocked = [
        f"- {quoted(choice)}: {quoted(cast.ballot.reason) or 'no reason given'}"
        for cast in ballots
        for choice in cast.ballot.blocked
    ]
    return "\n".join(blocked) or "(nothing was blocked yet)"
