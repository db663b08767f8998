"""What is voted on now, and what the votes of a debate come to, by its agenda and settings."""

from __future__ import annotations

from collections.abc import Sequence

from eda.events import Ballot, SessionStarted, StanceTaken, VerdictReached
from eda.memory import ConversationMemory
from eda.progress import Progress
from eda.records import Proposal
from eda.voting import ballot_choices, counts_of, verdict
from eda.voting.choices import MOST_CHOICES, MOST_WEIGHED, alike

__all__ = [
    "argued_by",
    "ballots_of",
    "choices_now",
    "counted_members",
    "last_votes",
    "offered_to",
    "rule_of",
    "verdict_of",
]


def choices_now(started: SessionStarted, memory: ConversationMemory) -> tuple[str, ...]:
    """What there is to vote on; empty where there is nothing yet."""
    agenda = started.agenda
    later = False if agenda.noun else None  # findings and ideas are ranked: there is nothing to put off
    most = MOST_WEIGHED if counts_of(agenda.rule) in ("approvals", "scores") else MOST_CHOICES
    return ballot_choices(
        started.question, started.options, memory.proposals, source=agenda.choices, keep_discussing=later, most=most
    )


def argued_by(progress: Progress) -> dict[str, str]:
    """The choice that each member has to argue, whatever it thinks; empty where all speak for themselves."""
    sides, started = progress.agenda.sides, progress.started
    choices = ballot_choices(started.question, started.options, ()) if started and sides else ()
    if len(sides) != len(choices):
        return {}
    return {who: choices[seat % len(choices)] for who, seat in progress.seats.items()} if choices else {}


def offered_to(title: str, choices: Sequence[str], progress: Progress, memory: ConversationMemory) -> tuple[str, ...]:
    """The choices that a member may vote for: not its own proposals, where the settings say so.

    What was given as an option is nobody's own; what says nearly what the member proposed itself is.
    """
    if progress.settings.own_proposals:
        return tuple(choices)
    own = [proposal.content for proposal in memory.proposals if proposal.proposer == title]
    given = progress.started.options if progress.started else ()
    return tuple(choice for choice in choices if choice in given or not any(alike(choice, each) for each in own))


def rule_of(progress: Progress) -> str:
    """The rule that decides: of the settings, else of the agenda."""
    return progress.settings.rule or progress.agenda.rule


def verdict_of(progress: Progress, memory: ConversationMemory) -> VerdictReached:
    """What the ballots come to; where the agenda has no ballot, the last poll."""
    cast = progress.ballots
    polls = progress.polled
    counted = cast or (polls[-1] if polls else [])
    earliest = progress.polls[min(progress.polls)] if progress.polls else []
    first = earliest if counted and earliest and earliest[0].seq < counted[0].seq else []
    ballots = last_votes(progress)
    choices = cast[0].choices if cast else polls[-1][0].choices if polls else ()
    reached = verdict(
        ballots,
        choices,
        rule_of(progress),
        progress.settings.quorum,
        progress.seed,
        counted_members(progress, ballots),
        judge=progress.settings.judge,
        before=ballots_of(first),
        agents=memory.agents,
        proposals=memory.proposals,
        decisions=memory.decisions,
    )
    return reached.model_copy(
        update={
            "behind": _behind(choices, memory),
            "before": _held(first, choices) if first else {},
        }
    )


def last_votes(progress: Progress) -> list[Ballot]:
    """The last ballots of this round; where there are none, its last poll."""
    cast = [each.ballot for each in progress.ballots]
    return cast or (ballots_of(progress.polled[-1]) if progress.polled else [])


def counted_members(progress: Progress, ballots: Sequence[Ballot]) -> list[str]:
    """Those whom the quorum counts, in seat order: who may vote, or has."""
    voted = {ballot.agent for ballot in ballots}
    return [who for who in progress.members if who in progress.voters or who in voted]


def _behind(choices: Sequence[str], memory: ConversationMemory) -> dict[str, tuple[int, ...]]:
    """The messages that made each proposal among the choices, those of its earlier wordings, and what supports it."""
    by_id = {proposal.id: proposal for proposal in memory.proposals}
    found: dict[str, set[int]] = {}
    for proposal in memory.proposals:
        if proposal.content not in choices:
            continue
        numbers = found.setdefault(proposal.content, set())
        numbers.update(r.message for r in proposal.reactions if r.reaction == "support")
        chain: list[Proposal] = []
        earlier: Proposal | None = proposal
        while earlier is not None and earlier not in chain:
            chain.append(earlier)
            earlier = by_id.get(earlier.amends or "")
        numbers.update(each.message for each in chain)
    return {choice: tuple(sorted(found[choice])) for choice in choices if choice in found}


def _held(stances: Sequence[StanceTaken], choices: Sequence[str]) -> dict[str, tuple[str, ...]]:
    return {choice: tuple(stance.who for stance in stances if stance.choice == choice) for choice in choices}


def ballots_of(stances: Sequence[StanceTaken]) -> list[Ballot]:
    """Stances as votes: who holds a choice votes for it."""
    return [
        Ballot(
            agent=stance.who,
            choice=stance.choice,
            ranking=(stance.choice,) if stance.choice is not None else (),
            confidence=stance.confidence,
            invalid=stance.invalid,
        )
        for stance in stances
    ]
