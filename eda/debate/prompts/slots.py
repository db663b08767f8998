"""Texts that a prompt has for the moment: what the phase asks, which side a member argues, who cannot answer now."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence
from statistics import median

from eda.debate.state import DebateState
from eda.debate.verdict import argued_by
from eda.events import BallotCast, StanceTaken
from eda.panels.persona import Persona
from eda.text import quoted, sentences

__all__ = ["absent", "argued", "asked_for", "blocks_of", "lettered", "phase_line", "side_of", "statistics_of"]

_HEADING = re.compile(r"^#.*$", re.MULTILINE)
_LONGEST = 400
"""Characters of what a phase asks, told to those who do not speak in it yet."""


def asked_for(instruction: str) -> str:
    """Return what an instruction asks of a speaker, on one line and in whole sentences, up to a length.

    Headings are left out, and sentences that have a slot or lead up to one.
    """
    text = _HEADING.sub("", instruction)
    said = [" ".join(text[start:end].split()) for start, end in sentences(text)]
    line = ""
    for sentence in said:
        if "{{" in sentence or sentence.endswith(":"):
            continue
        if len(line) + len(sentence) > _LONGEST:
            break
        line = f"{line} {sentence}".lstrip()
    return line


def phase_line(phase: str, instruction: str) -> str:
    """Return the phase and what it asks, as data; empty if it asks nothing."""
    asks = asked_for(instruction)
    return f"The phase is: {quoted(phase)}. Of whoever speaks in it, it asks:\n    {quoted(asks)}" if asks else ""


def absent(progress: DebateState) -> str:
    """Return who has left or is muted, so that nobody is asked in vain; empty if all can answer."""
    left = [who for who in progress.spoke_at if who not in progress.members]
    left += [who for who in progress.members if who not in progress.voters]
    muted = [who for who in progress.voters if who in progress.muted]
    told = [*(f"{quoted(who)} (has left)" for who in left), *(f"{quoted(who)} (is muted)" for who in muted)]
    return f"These cannot answer now, so ask them nothing: {', '.join(told)}." if told else ""


def statistics_of(polls: Sequence[Sequence[StanceTaken]]) -> str:
    """Return the last poll: how many hold each choice, how sure they are, what would change their minds."""
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
    """Return what was blocked in the last ballot, and why."""
    blocked = [
        f"- {quoted(choice)}: {quoted(cast.ballot.reason) or 'no reason given'}"
        for cast in ballots
        for choice in cast.ballot.blocked
    ]
    return "\n".join(blocked) or "(nothing was blocked yet)"


def side_of(persona: Persona, state: DebateState) -> str:
    """Return the side that the member speaks for; empty if it speaks for itself."""
    seat = state.seats.get(persona.title)
    return state.agenda.side(seat) if seat is not None else ""


def argued(persona: Persona, state: DebateState) -> str:
    """Return the member's side, and the choice that this side argues for."""
    side, choice = side_of(persona, state), argued_by(state).get(persona.title)
    return f'{side} (for the choice "{quoted(choice)}")' if choice else side


def lettered(choices: Sequence[str]) -> str:
    """Return the choices as a list, each with its letter."""
    return "\n".join(f"{string.ascii_uppercase[place]}. {quoted(choice)}" for place, choice in enumerate(choices))
