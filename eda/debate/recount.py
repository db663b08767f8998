"""Asks again for ballots that were lost, or takes them from their owners, and counts again: `eda vote`.

Each voter is asked as it was at the vote: with what stood then, and without the verdict. The ballots and the new
verdict are new facts; those before them stay on record.
"""

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, NamedTuple

from eda.debate.asking import Turn, side_by_side
from eda.debate.budget import JournaledRunner
from eda.debate.listener import AgentListener
from eda.debate.person import HumanListener, member_called
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.replay import publisher, read_back
from eda.debate.state import DebateState
from eda.debate.validation import answering
from eda.debate.verdict import offered_to, paper_of, verdict_of
from eda.errors import UsageError
from eda.events import BallotCast, Event, TurnFailed, VerdictReached
from eda.memory import ConversationMemory
from eda.runners.human import HumanRunner
from eda.runners.protocol import Prompt, Runner
from eda.session import Session
from eda.voting.answers import question as asked_back
from eda.words import fault


class Recount(NamedTuple):
    """What came of asking again."""

    ballots: tuple[BallotCast, ...]
    """The new ballots, in seat order; one may be unreadable again. Of a person only one that was read."""
    before: VerdictReached
    """The verdict that stood."""
    verdict: VerdictReached
    """The one that stands now: the same where no new ballot could be read."""


def lost_ballots(progress: DebateState, session: str, member: str = "") -> list[BallotCast]:
    """Return the ballots of the last count that were unreadable or missing; with `member`, that one.

    Raises:
        UsageError: no count stands, or the member has no ballot, or one that was counted, or nobody has a lost one.
        UnknownNameError: nobody of that name sits on the panel.
    """
    if progress.verdict is None or not progress.ballots:
        raise UsageError(f"session {session} has no count of ballots", hint=f"eda show {session} says where it stands.")
    casts = progress.ballots
    if member:
        title = member_called(progress.panel, member).title
        casts = [cast for cast in casts if cast.ballot.agent == title]
        if not casts:
            raise UsageError(f"{title} was not asked for a ballot")
    lost = [cast for cast in casts if cast.ballot.invalid]
    if not lost:
        raise fault("error-ballots-counted", who=casts[0].ballot.agent if member else "")
    return lost


async def vote_again(
    session: Session,
    runner: Runner | str | None = None,
    *,
    member: str = "",
    ballot: str = "",
    person: Runner | None = None,
) -> Recount:
    """Ask for the lost ballots of a session again, or take one as its owner gives it, and count again.

    Args:
        session: Open for writing.
        runner: None for the one that the session was run with.
        member: Whose ballot; empty for all that were lost.
        ballot: The member's ballot in its own words; empty to ask for it.
        person: Asks persons; None to leave theirs as they are.

    Raises:
        UsageError: as `lost_ballots` does; or the ballot that was given cannot be read, or only persons would be asked.
        UnknownNameError: nobody of that name sits on the panel.
        RunnerUnavailableError: no call will succeed; what was answered is kept, and is not paid for again.
    """
    progress, memory = read_back(session)
    lost = lost_ballots(progress, session.typed, member)
    publish = publisher(session, progress, memory)
    then = at_the_vote(session, progress)
    if ballot:
        turns = [await _given(then, lost[0], ballot)]
    else:
        asked = [cast for cast in lost if person is not None or not progress.is_person(cast.ballot.agent)]
        if not asked:
            raise UsageError("only persons are to be asked", hint="Give theirs: --member NAME --ballot TEXT.")
        async with answering(session, runner, lambda: progress.settings) as chosen:
            journaled = JournaledRunner(chosen, session.journal, progress.calls, publish)
            seats = [then.state.personas[cast.ballot.agent] for cast in asked]
            listeners = [
                HumanListener(seat, person, prompts=then)
                if seat.person and person is not None
                else AgentListener(seat, journaled, prompts=then)
                for seat in seats
            ]
            turns = await side_by_side(voted(each, then, cast) for each, cast in zip(listeners, asked, strict=True))
    return _counted(turns, progress, memory, publish)


def _counted(
    turns: list[Turn], progress: DebateState, memory: ConversationMemory, publish: Callable[..., tuple[Event, ...]]
) -> Recount:
    """Publish the facts of the turns, and the new verdict where a ballot could be read, as one group."""
    facts = [fact for turn in turns if not _left(turn, progress) for fact in turn.facts]
    facts = [fact.model_copy(update={"again": True}) if isinstance(fact, BallotCast) else fact for fact in facts]
    new = {fact.ballot.agent: fact for fact in facts if isinstance(fact, BallotCast)}
    before = progress.verdict
    if any(not cast.ballot.invalid for cast in new.values()):
        ballots = [new.get(cast.ballot.agent, cast) for cast in progress.ballots]
        facts.append(verdict_of(replace(progress, ballots=ballots), memory))
    cast = tuple(fact for fact in publish(*facts) if isinstance(fact, BallotCast))
    assert before is not None
    assert progress.verdict is not None
    return Recount(cast, before, progress.verdict)


def _left(turn: Turn, progress: DebateState) -> bool:
    """Return whether a person gave no ballot that could be read: then the one before stays as it was."""
    cast = turn.facts[-1]
    return isinstance(cast, BallotCast) and cast.ballot.invalid and progress.is_person(cast.ballot.agent)


def at_the_vote(session: Session, now: DebateState) -> PromptBuilder:
    """Return what prompts are made from as it stood when the ballots were counted first."""
    last = max(cast.seq for cast in session.events() if isinstance(cast, BallotCast) and not cast.again)
    progress, memory = DebateState(), ConversationMemory(fact=session.fact)
    for event in session.events():
        if event.seq > last and isinstance(event, VerdictReached):
            break
        progress.fold(event)
        memory.fold(event)
    progress.calls = now.calls  # calls are numbered on
    return PromptBuilder(session.started(), memory, progress)


async def _given(then: PromptBuilder, cast: BallotCast, text: str) -> Turn:
    """Return the ballot that its owner gives.

    Raises:
        UsageError: it cannot be read for certain.
    """

    async def typed(_: Prompt) -> str:
        return text

    persona = then.state.personas[cast.ballot.agent]
    turn = await voted(HumanListener(persona, HumanRunner(typed), prompts=then), then, cast)
    given = next(fact for fact in turn.facts if isinstance(fact, BallotCast))
    wrong = [fact.error for fact in turn.facts if isinstance(fact, TurnFailed)]
    if doubts := [doubt for doubt in given.ballot.doubts if doubt.kind != "opposed"]:
        wrong.append(asked_back(doubts, {}))
    if wrong or not given.ballot.raw:
        why = f": {wrong[0]}" if wrong else ""
        hint = f"Ids, best first: {', '.join(each.id for each in given.texts)}."
        raise UsageError(f"the ballot of {persona.title} cannot be read for certain{why}", hint=hint)
    return Turn((given.model_copy(update={"ballot": given.ballot.model_copy(update={"raw": (text,)})}),))


def voted(listener: AgentListener, then: PromptBuilder, cast: BallotCast) -> Coroutine[Any, Any, Turn]:
    """Return the turn in which a member votes as on the paper of a ballot."""
    paper = paper_of(cast)
    return listener.vote(paper, offered_to(listener.title, paper.texts, then.state, then.memory))
