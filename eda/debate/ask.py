"""Asks after a vote, or aside from the panel: `eda ask`.

`ask` asks one member a question: the member has the session's memory, and the panel hears nothing. Question, answer and
call are stored as one group, once the answer is whole. Of a call that failed, only its cost is.

`vote_again` asks again for ballots that were lost, or takes them from their owners, and counts again. Each is asked as
it was at the vote: with what stood then, and without the verdict. The ballots and the new verdict are new facts; those
before them stay on record.
"""

from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from eda.debate.asking import Turn, ask as ask_runner, side_by_side
from eda.debate.budget import JournaledRunner
from eda.debate.listener import AgentListener
from eda.debate.person import HumanListener, member_called
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.prompts.member_view import seen_by
from eda.debate.replay import publisher, read_back
from eda.debate.result import Shown, run_now
from eda.debate.state import DebateState
from eda.debate.validation import answering, session_runner
from eda.debate.verdict import offered_to, paper_of, verdict_of
from eda.errors import RunnerError, UnknownNameError, UsageError
from eda.events import (
    BallotCast,
    Event,
    SessionStarted,
    SideMessagePosted,
    TurnFailed,
    VerdictReached,
    bounded,
    talk_of,
)
from eda.memory import ConversationMemory
from eda.memory.minutes.declared_moves import read_reply
from eda.panels.panel import Library
from eda.panels.persona import Persona
from eda.runners.human import HumanRunner
from eda.runners.protocol import OnText, Prompt, Runner, Usage, close_runner
from eda.runners.server import call_settings, set_within
from eda.runners.shipped import given_runner
from eda.session import Session
from eda.voting.answers import question as asked_back
from eda.words import fault

NAME_RUNNER = "Name another: eda ask ... --runner SPEC, or ask(..., runner)."
"""What to do where only the user can make the session's runner."""
# Characters of the asker's name, as of a member's title.
_LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class SideReply:
    """What a member answered aside."""

    member: str
    """Its title."""
    who: str
    """Who asked."""
    question: str
    text: str
    number: int
    """The answer's number among the session's side messages; the question's is one less."""
    model: str
    usage: Usage


async def ask(
    of: Session | Shown,
    member: str,
    question: str,
    runner: Runner | str | None = None,
    *,
    who: str = "you",
    on_text: OnText | None = None,
) -> SideReply:
    """Ask one member of a session, or of a debate running in this program, aside from the panel; return the answer.

    The talk of `who` with this member goes on where it was. State, transcript, tally and limits of the session stay as
    they are.

    Args:
        of: A session open for writing, ended or not; or a `Debate` that has begun.
        member: Title or name, in upper or lower case, or a part of it that only one has. Of a transcript: a persona.
        question: Any text.
        runner: None for the one that the session was run with.
        who: Who asks; no member.
        on_text: Gets the answer in pieces as it is written.

    Raises:
        UsageError: an empty question, a name that is none or a member's, or no debate yet.
        UnknownNameError: nobody of that name sits on the panel.
        RunnerError: the call failed or its reply was empty; nothing was stored but what the call took.
        SessionError: the session is open for reading only, or the disk refused.
    """
    session, debate = (of, None) if isinstance(of, Session) else (of.session, of)
    briefing, publish = _asked(session, debate)
    persona = member_named(briefing.started, briefing.state, member)
    who = _asker(who, briefing.state.panel)
    question = question.encode("utf-8", "replace").decode("utf-8").strip()
    if not question:
        raise UsageError("the question is empty", hint='Ask one, like "Why do you say so?".')
    own = debate.runner if debate else None
    chosen = given_runner(runner) if runner is not None else own or session_runner(session, NAME_RUNNER)
    heard = briefing.state.heard
    prompt = seen_by(briefing, persona.title).ask(persona, who, question)
    try:
        journaled = JournaledRunner(chosen, session.journal, briefing.state.calls, publish)
        with set_within(call_settings, lambda: briefing.state.settings):
            answer = await ask_runner(journaled, prompt, on_text, lost=publish)
    finally:
        over = debate is not None and debate.owns_runner and debate.progress.state != "unfinished"
        if chosen is not runner and (over or chosen is not own):  # else it would be taken from who goes on with it
            await close_runner(chosen)
    language = briefing.memory.patterns.language
    reply, whole = answer.reply, answer.reply.text if answer.reply else ""
    text = talk_of(whole, read_reply(whole, language=language).cut)  # side talk makes no moves
    if reply is None or not text:
        publish(*answer.calls)
        raise answer.error or RunnerError(f"{persona.title} gave an empty answer", hint="Ask again.")
    number = briefing.memory.parts.side_talk.last + 1
    publish(
        *answer.calls,
        SideMessagePosted(number=number, who=who, to=persona.title, text=bounded(question), after=heard),
        SideMessagePosted(number=number + 1, who=persona.title, to=who, text=bounded(text), after=heard),
    )
    return SideReply(persona.title, who, question, text, number + 1, reply.model, reply.usage)


def ask_sync(
    of: Session,
    member: str,
    question: str,
    runner: Runner | str | None = None,
    *,
    who: str = "you",
    on_text: OnText | None = None,
) -> SideReply:
    """`ask`, for a script."""
    return run_now(
        partial(ask, of, member, question, runner, who=who, on_text=on_text), "await ask(session, member, question)"
    )


def member_named(started: SessionStarted, progress: DebateState, name: str) -> Persona:
    """Return the member of that title or name, in any case, or of a part of it that only one has.

    Nobody can answer for the speakers of a recorded transcript: there any shipped persona is asked, who has read it.

    Raises:
        UsageError: a person has that name, or no persona has it.
        UnknownNameError: nobody of that name sits on the panel now.
    """
    if started.kind == "transcript":
        try:
            return Library().persona(name)
        except UnknownNameError as error:
            raise UsageError(
                f"session {started.session!r} is a recorded transcript, whose speakers cannot be asked: {error}",
                hint=f"Ask a persona. {error.hint}",
            ) from None
    member = member_called(progress.panel, name)
    if member.person:
        agents = ", ".join(each.title for each in progress.panel if not each.person)
        raise UsageError(f"{member.title} is a person: no model answers for them", hint=f"Ask one of {agents}.")
    return member


def _asker(who: str, members: Iterable[Persona]) -> str:
    name = " ".join(who.split())
    if not name or len(name) > _LONGEST_NAME:
        raise UsageError(f"who asks needs a name of 1 to {_LONGEST_NAME} characters")
    if any(name.casefold() in member.called for member in members):
        raise UsageError(f"{name!r} sits on the panel and cannot be who asks", hint="Ask under a name of your own.")
    return name


def _asked(session: Session, debate: Shown | None) -> tuple[PromptBuilder, Callable[..., object]]:
    """Return what prompts are made from, and the function that adds facts."""
    if debate is None:
        progress, memory = read_back(session)
        return PromptBuilder(session.started(), memory, progress), publisher(session, progress, memory)
    if debate.progress.started is None:
        raise UsageError("the debate has not begun: there is nothing to ask about yet", hint="Run it first.")
    return PromptBuilder(debate.progress.started, debate.memory, debate.progress), debate.bus.publish


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
