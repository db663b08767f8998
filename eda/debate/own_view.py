"""What a member knows that was put on a bus by hand: a memory and a state of its own, made from what it hears there."""

from __future__ import annotations

from eda.debate.prompts.builder import PromptBuilder
from eda.debate.state import DebateState
from eda.events import Event, MemberChanged, MessagePosted, PhaseStarted, SessionStarted
from eda.memory import ConversationMemory
from eda.panels.agenda import panel_agenda
from eda.panels.persona import Persona


def own_prompts(persona: Persona) -> PromptBuilder:
    """Return a builder with a memory and a state of its own, in which `persona` sits alone in an open discussion."""
    memory, state = ConversationMemory(), DebateState()
    started = SessionStarted(
        session="", question="The one that is discussed below.", members=(persona,), agenda=panel_agenda()
    )
    for fact in (started, PhaseStarted(phase="discussion")):
        state.fold(fact)
    return PromptBuilder(started, memory, state)


def followed(prompts: PromptBuilder, event: Event) -> PromptBuilder:
    """Fold a fact of the bus into the view of a builder; return the builder, another one where a session began.

    Nobody introduces members to one another by hand, so who speaks sits on the panel.
    """
    state = prompts.state
    if isinstance(event, MessagePosted) and event.who not in state.personas:
        stranger = Persona.model_construct(
            name=event.who, title=event.who, role="a member of the panel", description="", instruction=""
        )
        state.fold(MemberChanged(who=event.who, change="added", persona=stranger))
    state.fold(event)
    prompts.memory.fold(event)
    return PromptBuilder(event, prompts.memory, state) if isinstance(event, SessionStarted) else prompts
