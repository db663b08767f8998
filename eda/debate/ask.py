"""Asks one member a question aside from the panel: `eda ask`.

The member has the session's memory, and the panel hears nothing. Question, answer and call are stored as one group,
once the answer is whole. Of a call that failed, only its cost is.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from eda.debate.asking import ask as ask_runner
from eda.debate.budget import JournaledRunner
from eda.debate.person import member_called
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.prompts.member_view import seen_by
from eda.debate.replay import publisher, read_back
from eda.debate.result import Shown
from eda.debate.state import DebateState
from eda.debate.validation import session_runner
from eda.errors import RunnerError, UnknownNameError, UsageError
from eda.events import SessionStarted, SideMessagePosted, bounded, talk_of
from eda.memory.minutes.declared_moves import read_reply
from eda.panels.panel import Library
from eda.panels.persona import Persona
from eda.runners.protocol import OnText, Runner, Usage, close_runner
from eda.runners.server import call_settings, set_within
from eda.runners.shipped import given_runner
from eda.session import Session

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
    persona, who = member_named(briefing.started, briefing.state, member), _asker(who, briefing.state.panel)
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
