"""The order in which a running debate is shown: each sealed message with its acts below it, once the seal is broken."""

from __future__ import annotations

from eda.events import (
    ActsRead,
    DecisionFound,
    Event,
    MessagePosted,
    PhaseStarted,
    ProposalMade,
    ReactionSeen,
    SessionEnded,
    SessionPaused,
)


class Unsealing:
    """Keeps sealed messages back until the next phase begins, when their acts are read, and puts these below them."""

    def __init__(self) -> None:
        self._messages: list[MessagePosted] = []
        self._phase: list[Event] = []

    def after(self, event: Event) -> list[Event]:
        """Return what can be shown now that `event` has come, in the order in which it is shown."""
        match event:
            case MessagePosted(sealed=True):
                self._messages.append(event)
                return []
            case PhaseStarted() if self._messages:
                self._phase.append(event)
                return []
            case ActsRead():
                return [*self._released(event.message), event]
            case SessionPaused() | SessionEnded():
                return [*self.rest(), event]
            case DecisionFound() | ProposalMade() | ReactionSeen():
                return [event]
            case _:
                return [*self.rest(), event] if self._phase else [event]

    def rest(self) -> list[Event]:
        """Return what was kept back, and keep nothing."""
        messages, phase = self._messages, self._phase
        self._messages, self._phase = [], []
        return [*messages, *phase]

    def _released(self, number: int) -> list[Event]:
        """Return the messages that were kept back, up to that number."""
        released = [message for message in self._messages if message.number <= number]
        self._messages = self._messages[len(released) :]
        return [*released]
