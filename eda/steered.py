"""`Steered`: the ways in which a running debate can be steered from outside. Each takes hold between two turns."""

from __future__ import annotations

from eda.errors import UsageError
from eda.inbox import Inbox
from eda.memory import ConversationMemory
from eda.panels import Library
from eda.personas import Persona
from eda.progress import Progress
from eda.seats import Seats
from eda.steering import Added, Change, Changed, Corrected, Muted, Removed, Replaced, Unmuted

__all__ = ["Steered"]


class Steered:
    """What `Debate` adds to a run: every method may be called while it runs, from its own thread.

    Each raises `UsageError` where, as things stand, it cannot be done; what becomes impossible until the turn has ended
    is left undone.
    """

    progress: Progress
    memory: ConversationMemory
    inbox: Inbox
    _seats: Seats
    _library: Library

    def say(self, text: str, who: str | None = None) -> None:
        """Say something from a person's seat; `who` where there is more than one."""
        people = [person.title for person in self._seats.people]
        if who is None and len(people) != 1:
            if people:
                raise UsageError(f"who says it: {' or '.join(people)}", hint="say(text, who)")
            raise UsageError("no person sits here", hint="Seat one: Debate(..., human=NAME).")
        self.inbox.say(who or people[0], text)

    def mute(self, name: str, by: str = "") -> None:
        """Ask a member for no turn and no bid any more; it hears the others, and is polled and votes."""
        self._change(Muted(name, by))

    def unmute(self, name: str, by: str = "") -> None:
        """Let a muted member speak again."""
        self._change(Unmuted(name, by))

    def add(self, persona: Persona | str, by: str = "") -> None:
        """Seat somebody after the last member: a persona, or the name of a shipped one."""
        self._change(Added(self._persona(persona), by))

    def replace(self, name: str, persona: Persona | str, by: str = "") -> None:
        """Seat somebody in the place of a member."""
        self._change(Replaced(name, self._persona(persona), by))

    def remove(self, name: str, by: str = "") -> None:
        """Have a member leave; what it said stays."""
        self._change(Removed(name, by))

    def change(self, **settings: object) -> None:
        """Have other settings hold from here on, by their names in `Settings`."""
        self._change(Changed(settings))

    def correct(self, item: str, text: str, by: str = "you") -> None:
        """Have a proposal, decision or note, by its id, read otherwise."""
        if not text.strip():
            raise UsageError("the correction is empty", hint="To take the item away, strike it.")
        self._change(Corrected(item, text, by))

    def strike(self, item: str, by: str = "you") -> None:
        """Take a proposal, decision or note, by its id, out of all that the panel is shown and votes on."""
        self._change(Corrected(item, "", by))

    def pause(self, by: str = "") -> None:
        """Have the debate wait after this turn, until `go_on`."""
        self.inbox.pause(by)

    def go_on(self) -> None:
        """Have a debate that waits go on."""
        self.inbox.go_on()

    def move_on(self) -> None:
        """Have the talk of this phase end after this turn."""
        self.inbox.move_on()

    def _change(self, change: Change) -> None:
        self.inbox.change([change])

    def _persona(self, persona: Persona | str) -> Persona:
        return self._library.persona(persona) if isinstance(persona, str) else persona
