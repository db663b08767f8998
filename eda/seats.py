"""`Seats`: who sits at the bus. A fact that changes a member seats or unseats a listener; nothing else does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from eda.addressing import Addressing
from eda.briefing import Briefing
from eda.bus import MessageBus
from eda.bus.subscription import Subscription
from eda.events import MemberChanged, MessagePosted, PhaseStarted
from eda.listener import AgentListener
from eda.person import Person
from eda.personas import Persona
from eda.progress import Progress
from eda.protocols import Prompt, Runner
from eda.runners.human import HumanRunner

__all__ = ["Seats"]


class Seats(Mapping[str, AgentListener]):
    """The listener of each member who sits now, by title."""

    def __init__(
        self,
        bus: MessageBus,
        briefing: Briefing,
        progress: Progress,
        runner: Runner,
        people: Mapping[str, Runner],
        members: Iterable[Persona],
    ) -> None:
        """Seat `members`; `people` are the runners of persons, by title, and one who has none passes each turn."""
        self._bus = bus
        self._briefing = briefing
        self._progress = progress
        self._runner = runner
        self._people = people
        self._listeners: dict[str, AgentListener] = {}
        self._hearing: dict[str, list[Subscription]] = {}
        for persona in members:
            self._seat(persona)
        self._introduce()
        bus.subscribe(MemberChanged, self._changed, name="seats")

    def __getitem__(self, title: str) -> AgentListener:
        return self._listeners[title]

    def __iter__(self) -> Iterator[str]:
        return iter(self._listeners)

    def __len__(self) -> int:
        return len(self._listeners)

    @property
    def people(self) -> list[Person]:
        """The persons at the table."""
        return [listener for listener in self._listeners.values() if isinstance(listener, Person)]

    def _changed(self, event: MemberChanged) -> None:
        if event.change in ("replaced", "removed"):
            del self._listeners[event.who]
            for subscription in self._hearing.pop(event.who):
                subscription.cancel()
        if event.persona is not None:
            self._seat(event.persona)
        self._introduce()

    def _seat(self, persona: Persona) -> None:
        kind, runner = AgentListener, self._runner
        if persona.person:
            kind, runner = Person, self._people.get(persona.title) or HumanRunner(_nobody)
        listener = self._listeners[persona.title] = kind(persona, runner, self._briefing, self._progress)
        self._hearing[persona.title] = [
            self._bus.subscribe(MessagePosted, listener.hear, name=f"listener {persona.title}"),
            self._bus.subscribe(PhaseStarted, listener.unseal, name=f"listener {persona.title}"),
        ]

    def _introduce(self) -> None:
        """Each knows by what names the others are addressed."""
        addressing = Addressing(list(self._listeners))
        for listener in self._listeners.values():
            listener.addressing = addressing


async def _nobody(_: Prompt) -> str:
    return ""
