"""What one member has heard, on a bus by hand or where not all hear all: a state and a memory of its own."""

from collections.abc import Callable

from eda import events
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.prompts.slots import Hears
from eda.debate.state import DebateState
from eda.memory import ConversationMemory
from eda.memory.context.sections import Context
from eda.panels.agenda import load_agenda
from eda.panels.persona import Persona
from eda.panels.settings import Settings


def seen_by(prompts: PromptBuilder, member: str) -> PromptBuilder:
    """Return the builder of a member's prompts: the one for all, or where not all hear all one of what it heard.

    That holds the facts of the log so far. Nobody hears more of the log by reading it again, so it is kept.
    """
    if prompts.state.hears == "all" or (fact := prompts.memory.parts.messages.fact) is None:
        return prompts
    view = prompts.views.get(member)
    if not isinstance(view, _MemberView):
        view = prompts.views[member] = _MemberView(prompts, member)
    view.catch_up(prompts, fact)
    return view


class _MemberView(PromptBuilder):
    """Makes the prompts of a member from what it has heard."""

    def __init__(self, whole: PromptBuilder, member: str) -> None:
        super().__init__(whole.started, ConversationMemory(whole.memory.patterns), DebateState())
        self.lookups.connected = whole.lookups.connected
        self._member, self._last = member, 0
        self._unheard: set[int] = set()

    def catch_up(self, whole: PromptBuilder, fact: Callable[[int], events.Event]) -> None:
        """Fold the facts since the last time, as far as the member heard of them."""
        for seq in range(self._last + 1, whole.state.last_seq + 1):
            if (event := self._heard(fact(seq))) is not None:
                self.state.fold(event)
                self.memory.fold(event)
        self._last = whole.state.last_seq
        self.state.phase = whole.state.phase  # a preview looks ahead

    def _heard(self, event: events.Event) -> events.Event | None:
        """Return a fact as it is known to the member; None where nothing of it is.

        A message that it has not heard stays as an empty one, since messages have no gaps; prompts leave that out.
        """
        who = self._member
        match event:
            case events.MessagePosted(who=speaker) if not self.state.hears_of(who, speaker):
                self._unheard.add(event.number)
                return event.model_copy(update=_NOTHING_SAID)
            case events.ModeratorSpoke():
                return event.model_copy(update={"text": ""})  # it may tell what others said
            case (
                events.StanceTaken(who=of)
                | events.BallotCast(ballot=events.Ballot(agent=of))
                | events.EvidenceFound(who=of)
            ):
                known = self.state.hears_of(who, of)
            case events.SideMessagePosted(who=speaker, to=to):
                known = who in (speaker, to)
            case _:
                known = not isinstance(event, _OF_ALL)
        return event if known else None

    def _context(self, who: str | None, hears: Hears, about: str | None = None) -> Context:
        return super()._context(who, lambda number: hears(number) and number not in self._unheard, about)


# Facts that tell of all messages.
_OF_ALL = (events.SummaryWritten, events.NoteTaken, events.VerdictReached, events.MemoryCorrected)
_NOTHING_SAID = {
    "text": "",
    "moves_at": None,
    "cut": (),
    "puppets": (),
    "unclaimed": (),
    "unknown_tags": (),
    "moves": (),
    "to": None,
    "reply_to": None,
}


def own_prompts(persona: Persona) -> PromptBuilder:
    """Return a builder with a memory and a state of its own, in which `persona` sits alone in an open discussion."""
    memory, state = ConversationMemory(), DebateState()
    started = events.SessionStarted(
        session="",
        question="The one that is discussed below.",
        members=(persona,),
        settings=Settings(answer="one"),
        agenda=load_agenda("panel"),
    )
    for fact in (started, events.PhaseStarted(phase="discussion")):
        state.fold(fact)
    return PromptBuilder(started, memory, state)


def followed(prompts: PromptBuilder, event: events.Event) -> PromptBuilder:
    """Fold a fact of the bus into the view of a builder; return the builder, another one where a session began.

    Nobody introduces members to one another by hand, so who speaks sits on the panel.
    """
    state = prompts.state
    if isinstance(event, events.MessagePosted) and event.who not in state.personas:
        stranger = Persona.model_construct(
            name=event.who, title=event.who, role="a member of the panel", description="", instruction=""
        )
        state.fold(events.MemberChanged(who=event.who, change="added", persona=stranger))
    state.fold(event)
    prompts.memory.fold(event)
    return PromptBuilder(event, prompts.memory, state) if isinstance(event, events.SessionStarted) else prompts
