"""The votes of a saved session, to be counted again: its last ballots; its polls, where its format has no ballot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eda.errors import UsageError
from eda.events import Ballot, BallotCast, PhaseStarted
from eda.progress import Progress
from eda.session import Session
from eda.verdict import ballots_of

__all__ = ["Votes", "votes_of"]


@dataclass(frozen=True, slots=True)
class Votes:
    """What can be counted by any rule."""

    ballots: Sequence[Ballot]
    choices: Sequence[str]
    before: Sequence[Ballot] = ()
    """The first poll, where there were several and the last is what is counted."""
    polled: bool = False
    """Whether they are the stances of a poll."""


def votes_of(session: Session, progress: Progress) -> Votes:
    """The last votes of a session.

    Args:
        session: Open for reading or writing.
        progress: Of it; see `progress_of`.

    Raises:
        UsageError: there are none; the hint says why.
    """
    cast = _last_ballots(session)
    if cast:
        return Votes([event.ballot for event in cast], cast[0].choices)
    voting = any(phase.kind == "ballot" for phase in progress.agenda)
    polls = [] if voting else [stances for _, stances in sorted(progress.polls.items())]
    if polls:
        before = ballots_of(polls[0]) if len(polls) > 1 else ()
        return Votes(ballots_of(polls[-1]), polls[-1][0].choices, before, polled=True)
    hint = "Only a debate that came to its vote has some."
    if session.started().kind == "debate" and progress.ended is None:
        hint = f"Nobody was asked for a vote yet. Go on with it: eda resume {session.typed}"
    raise UsageError(f"session {session.name} has no ballots", hint=hint)


def _last_ballots(session: Session) -> list[BallotCast]:
    """Those of the last phase in which somebody voted, also where the debate went on after it."""
    cast: list[BallotCast] = []
    over = False
    for event in session.events():
        if isinstance(event, PhaseStarted):
            over = True
        elif isinstance(event, BallotCast):
            cast = [event] if over else [*cast, event]
            over = False
    return cast
