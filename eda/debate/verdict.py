"""The choices of a vote and its verdict, by the agenda and the settings of a debate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eda.debate.state import DebateState
from eda.errors import UsageError
from eda.events import Ballot, BallotCast, BallotText, PhaseStarted, SessionStarted, StanceTaken, VerdictReached
from eda.events.records import Proposal
from eda.events.votes import AnswerKind
from eda.memory import ConversationMemory
from eda.panels.registry import RULES
from eda.session import Session
from eda.voting import Rule, given, slate, verdict
from eda.voting.choices import same_words


def choices_now(started: SessionStarted, memory: ConversationMemory) -> tuple[str, ...]:
    """Return the choices of a vote held now; empty where there is nothing to vote on yet.

    A proposal that was only found in free talk is a choice once a member has named it by its id.
    """
    offered = slate(started.question, started.options, memory.motions, source=started.agenda.choices)
    return tuple(text.text for text in offered.texts)


def argued_by(progress: DebateState) -> dict[str, str]:
    """Return the choice that each member argues for by its side; empty where all speak for themselves."""
    sides, started = progress.agenda.sides, progress.started
    choices = [text.text for text in given(started.question, started.options)] if started and sides else []
    if len(sides) != len(choices):
        return {}
    return {who: choices[seat % len(choices)] for who, seat in progress.seats.items()} if choices else {}


def offered_to(
    title: str, choices: Sequence[str], progress: DebateState, memory: ConversationMemory
) -> tuple[str, ...]:
    """Return the choices that a member may vote for: without its own proposals, where the settings say so.

    What was given as an option is nobody's own; what says what the member proposed itself is.
    """
    if progress.settings.own_proposals:
        return tuple(choices)
    own = [proposal.content for proposal in memory.proposals if proposal.proposer == title]
    given = progress.started.options if progress.started else ()
    return tuple(choice for choice in choices if choice in given or not any(same_words(choice, each) for each in own))


def rule_of(progress: DebateState) -> str:
    """Return the name of the rule that decides: of the settings, else of the agenda."""
    return progress.settings.rule or progress.agenda.rule


def deciding_rule(progress: DebateState) -> Rule:
    """Return the rule that decides."""
    rule: Rule = progress.parts.get(RULES, rule_of(progress))
    return rule


def verdict_of(progress: DebateState, memory: ConversationMemory) -> VerdictReached:
    """Return the verdict by the ballots; where the agenda has no ballot, by the last poll."""
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
        deciding_rule(progress),
        progress.settings.quorum,
        progress.seed,
        counted_members(progress, ballots),
        texts=cast[0].texts if cast else (),
        answer=cast[0].answer if cast else "one",
        judge=progress.settings.judge,
        before=ballots_of(first),
        agents=memory.agents,
        proposals=memory.proposals,
        decisions=memory.decisions,
    )
    holders = {choice: tuple(each.who for each in first if each.choice == choice) for choice in choices}
    return reached.model_copy(update={"behind": _behind(choices, memory), "before": holders if first else {}})


def last_votes(progress: DebateState) -> list[Ballot]:
    """Return the last ballots of this round; where there are none, its last poll as ballots."""
    cast = [each.ballot for each in progress.ballots]
    return cast or (ballots_of(progress.polled[-1]) if progress.polled else [])


def counted_members(progress: DebateState, ballots: Sequence[Ballot]) -> list[str]:
    """Return the members whom the quorum counts, in seat order: who may vote, or has voted."""
    voted = {ballot.agent for ballot in ballots}
    return [who for who in progress.members if who in progress.voters or who in voted]


def _behind(choices: Sequence[str], memory: ConversationMemory) -> dict[str, tuple[int, ...]]:
    """Return, for each choice that is a proposal, the messages that made it, its earlier wordings and its support."""
    by_id = {proposal.id: proposal for proposal in memory.proposals}
    behind: dict[str, set[int]] = {}
    for proposal in memory.proposals:
        if proposal.content not in choices:
            continue
        numbers = behind.setdefault(proposal.content, set())
        numbers.update(r.message for r in proposal.reactions if r.reaction == "support")
        chain: set[str] = set()
        earlier: Proposal | None = proposal
        while earlier is not None and earlier.id not in chain:
            chain.add(earlier.id)
            numbers.add(earlier.message)
            earlier = by_id.get(earlier.amends or "")
    return {choice: tuple(sorted(behind[choice])) for choice in choices if choice in behind}


def ballots_of(stances: Sequence[StanceTaken]) -> list[Ballot]:
    """Return stances as ballots: who holds a choice votes for it."""
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


@dataclass(frozen=True, slots=True)
class Votes:
    """Ballots that any rule can count."""

    ballots: Sequence[Ballot]
    choices: Sequence[str]
    texts: Sequence[BallotText] = ()
    """The choices with their motions; empty where each stands for itself."""
    answer: AnswerKind = "one"
    before: Sequence[Ballot] = ()
    """The first poll, where there were several and the last is what is counted."""
    polled: bool = False
    """Whether they are the stances of a poll."""


def votes_of(session: Session, progress: DebateState) -> Votes:
    """Return the last votes of a session.

    Args:
        session: Open for reading or writing.
        progress: Of it; see `progress_of`.

    Raises:
        UsageError: there are none; the hint says why.
    """
    cast = _last_ballots(session)
    if cast:
        return Votes([event.ballot for event in cast], cast[0].choices, cast[0].texts, cast[0].answer)
    polls = [] if progress.agenda.has_ballot else [stances for _, stances in sorted(progress.polls.items())]
    if polls:
        before = ballots_of(polls[0]) if len(polls) > 1 else ()
        return Votes(ballots_of(polls[-1]), polls[-1][0].choices, before=before, polled=True)
    hint = "Only a debate that came to its vote has some."
    if session.started().kind == "debate" and progress.ended is None:
        hint = f"Nobody was asked for a vote yet. Go on with it: eda resume {session.typed}"
    raise UsageError(f"session {session.name} has no ballots", hint=hint)


def _last_ballots(session: Session) -> list[BallotCast]:
    """Return the ballots of the last phase that has some, also where the debate went on after it."""
    cast: list[BallotCast] = []
    over = False
    for event in session.events():
        if isinstance(event, PhaseStarted):
            over = True
        elif isinstance(event, BallotCast) and not event.first:
            cast = [event] if over else [*cast, event]
            over = False
    return cast
