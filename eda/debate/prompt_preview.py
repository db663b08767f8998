"""Previews the next prompt of a member: the whole text, or its parts with their sizes and what was left out."""

from __future__ import annotations

from dataclasses import dataclass

from eda.debate.floor.stop import first_voters, may_speak
from eda.debate.person import member_called
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.prompts.member_view import seen_by
from eda.debate.prompts.prefix import Part, part_of
from eda.debate.replay import memory_of, progress_of
from eda.debate.verdict import answer_of, given_to, offered_to, paper_of, polled_now, slate_now
from eda.memory.patterns import PatternPack
from eda.panels.persona import Persona
from eda.runners.protocol import Prompt
from eda.session import Session


@dataclass(frozen=True, slots=True)
class Explained:
    """The next prompt of a member, part by part."""

    agent: str
    parts: tuple[Part, ...]
    budget: int
    """Tokens that memory may take."""
    calls: int
    """Calls that the estimate of tokens has learned from."""
    error: float | None
    """How far off it was, as a share; None before the first call."""

    @property
    def tokens(self) -> int:
        """Of all parts."""
        return sum(part.tokens for part in self.parts)


def explained_prompt(session: Session, agent: str, *, patterns: PatternPack | None = None) -> Explained:
    """Return the next prompt of `agent` part by part: what each takes, what was left out of it and why.

    Raises:
        UnknownNameError: nobody of that name sits on the panel.
    """
    persona, briefing = _briefed(session, agent, patterns)
    parts, memory = _parts(briefing, persona, _next(persona, briefing)), briefing.memory
    return Explained(persona.title, parts, memory.full_budget, memory.parts.tokens.calls, memory.parts.tokens.error)


def _parts(briefing: PromptBuilder, persona: Persona, prompt: Prompt) -> tuple[Part, ...]:
    """Return the parts of a prompt that `speak` or `vote` gave, in the order in which they are read."""
    of = briefing.memory.parts.tokens.of
    context = briefing.memory.full_context(persona.title, growing=True)
    who = briefing.who_is(persona)
    instruction = "".join((*prompt.held[-1:], prompt.own.rpartition(who)[2].strip()))
    question, *documents = briefing.known.question(briefing.members, briefing.sides)
    read = briefing.read(context)
    return (
        Part("house rules", of(briefing.known.house), 1),
        Part("question", of(question), 1),
        *([Part("context files", sum(map(of, documents)), len(documents))] if documents else ()),
        *(part_of(section, prompt) for section in (*context.sections, *context.dropped)),
        *([Part("passages of files", of(read), read.count("\n- "))] if read else ()),
        Part("persona", of(who), 1),
        Part("instruction", of(instruction), 1),
    )


def speaker_prompt(session: Session, agent: str, *, brief: bool = False, patterns: PatternPack | None = None) -> str:
    """Return the prompt that `agent` would be given next: for its speech or vote, or (`brief`) for its bid.

    Where bids are asked for together, that is the one prompt for all who may speak.

    Raises:
        UnknownNameError: nobody of that name sits on the panel.
    """
    persona, briefing = _briefed(session, agent, patterns)
    return (_bid(persona, briefing) if brief else _next(persona, briefing)).text


def _bid(persona: Persona, briefing: PromptBuilder) -> Prompt:
    progress = briefing.state
    if progress.settings.bids not in ("together", "list") or progress.apart:
        return briefing.bid(persona)
    titles = {persona.title, *may_speak(progress, progress.active)}
    agents = [member for member in progress.panel if member.title in titles and not member.person]
    return briefing.bid(agents)


def _next(persona: Persona, briefing: PromptBuilder) -> Prompt:
    progress, memory = briefing.state, briefing.memory
    if progress.does.asks == "first-ballot" or persona.title in first_voters(progress):
        return briefing.vote(persona, given_to(progress), first=True, answer=answer_of(progress))
    if progress.does.ballots:
        texts = paper_of(progress.ballots[0]).texts if progress.ballots else slate_now(progress, memory).texts
        offered = offered_to(persona.title, texts, progress, memory)
        return briefing.vote(persona, offered, answer=answer_of(progress))
    if progress.does.polls:
        return briefing.poll(persona, polled_now(progress, memory))
    holds_floor = progress.grant is not None and progress.grant.agent == persona.title
    return briefing.speak(persona, progress.grant if holds_floor else None)


def _briefed(session: Session, agent: str, patterns: PatternPack | None) -> tuple[Persona, PromptBuilder]:
    started = session.started()
    progress = progress_of(session)
    persona = member_called(progress.panel, agent)
    memory = memory_of(session, patterns)
    if progress.at is not None and progress.at.does.asks == "nothing":
        progress.phase = progress.agenda.taken_up_at  # what a session that is taken up again begins with
    return persona, seen_by(PromptBuilder(started, memory, progress), persona.title)
