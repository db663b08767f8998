"""`Inbox`: what a person asks of a running debate. It is done between two turns, in the order in which it was asked.

A turn is never disturbed: so what the panel hears, and the log that tells of it, has one order.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from eda.agenda import SPEAKING
from eda.bus import MessageBus
from eda.errors import EdaError, UsageError
from eda.events import Event, SessionPaused, SessionResumed
from eda.memory import ConversationMemory
from eda.person import Person
from eda.progress import Progress
from eda.steering import Change, made

__all__ = ["PAUSED_BY", "Inbox"]

PAUSED_BY = "paused by "
"""Begins the reason of a pause that somebody at the table asked for."""
Told = Callable[[Sequence[Event] | EdaError], None]
"""Given the facts that changes became, once they are stored, or why they cannot be."""


class Inbox:
    """Takes requests at any time; `look` does them."""

    def __init__(
        self,
        bus: MessageBus,
        progress: Progress,
        memory: ConversationMemory,
        people: Callable[[], Iterable[Person]],
    ) -> None:
        self._bus = bus
        self._progress = progress
        self._memory = memory
        self._people = people
        self._changes: deque[tuple[Sequence[Change], Told]] = deque()
        """What waits for the turn to end, and who is told what came of it."""
        self._ending: tuple[str, int, int] | None = None
        """The phase that is to end."""
        self._pausing = ""
        """Who wants a pause; empty where nobody does."""
        self.over = False
        """Whether the run has ended: what would be asked for now, nobody would do."""
        self._woken = asyncio.Event()
        self.refused: Callable[[str], None] | None = None
        """Told why something that was asked for could not be done any more."""

    def change(self, changes: Sequence[Change], told: Told | None = None) -> None:
        """Have something changed, all of it at once or nothing.

        Args:
            changes: Each is checked against what those before it add up to.
            told: Without it, only `refused` is told, of what cannot be any more.

        Raises:
            UsageError: the debate has not begun, the run is over, or as things stand it cannot be.
        """
        if self._progress.started is None:
            raise UsageError("the debate has not begun: there is nothing to change yet", hint="Run it first.")
        self._check_running()
        waiting = [change for asked, _ in self._changes for change in asked]
        made(self._progress, self._memory, (*waiting, *changes))
        self._changes.append((tuple(changes), told or self._told))
        self._woken.set()

    def say(self, who: str, text: str) -> None:
        """Have a person say something.

        Raises:
            UsageError: the text is empty, nobody of that title has a person's seat and may speak, or the run is over.
        """
        self._check_running()
        if not text.strip():
            raise UsageError("there is nothing to say")
        person = next((each for each in self._people() if each.title == who), None)
        if person is None:
            raise UsageError(f"{who!r} has no seat of a person's at this table")
        if who in self._progress.muted:
            raise UsageError(f"{who} is muted", hint=f"Unmute {who} first.")
        person.said.append(text.strip())
        self._woken.set()

    def waits(self, who: str) -> bool:
        """Whether something that a person said is not posted yet."""
        return any(person.said for person in self._people() if person.title == who)

    def move_on(self) -> None:
        """Have the phase end.

        Raises:
            UsageError: nobody speaks in it, or the run is over.
        """
        self._check_running()
        at = self._progress.at
        if at is None or at.kind not in SPEAKING or self._progress.ended is not None:
            raise UsageError("there is no talk to end now")
        self._ending = self._where

    def pause(self, by: str) -> None:
        """Have the debate wait.

        Raises:
            UsageError: the run is over.
        """
        self._check_running()
        self._pausing = by or "somebody"

    def go_on(self) -> None:
        """Have a debate that waits go on."""
        self._pausing = ""
        self._woken.set()

    @property
    def paused(self) -> bool:
        """Whether the debate waits, or will as soon as the turn is over."""
        return bool(self._pausing)

    async def look(self) -> bool:
        """Do what was asked for, and wait where that is a pause; gives whether the phase is to end."""
        self._do()
        if self._pausing:
            self._bus.publish(SessionPaused(reason=f"{PAUSED_BY}{self._pausing}"))
            while self._pausing:
                self._woken.clear()
                await self._woken.wait()
                self._do()
            self._bus.publish(SessionResumed())
        ending, self._ending = self._ending, None
        if ending is not None and ending != self._where:
            self._refuse(f"'{ending[0]}' had ended by itself")
        return ending is not None and ending == self._where

    def flush(self) -> int:
        """At the end of a run: do what is left to do; gives how many words of persons were posted."""
        self._pausing, self._ending = "", None
        self.over = True
        return self._do()

    @property
    def _where(self) -> tuple[str, int, int]:
        progress = self._progress
        return progress.phase, progress.round, progress.laps.get(progress.phase, 0)

    def _check_running(self) -> None:
        if self.over:
            raise UsageError("the debate has stopped", hint="Take it up again: eda resume, or Debate.resume.")

    def _do(self) -> int:
        while self._changes:
            changes, told = self._changes.popleft()
            try:
                told(self._bus.publish(*made(self._progress, self._memory, changes)))
            except EdaError as error:
                told(error)
        return self._post()

    def _told(self, outcome: Sequence[Event] | EdaError) -> None:
        if isinstance(outcome, EdaError):
            self._refuse(str(outcome))

    def _post(self) -> int:
        """Post what persons have typed. In a blind phase it is sealed, as whatever is said there is."""
        posted = 0
        at = self._progress.at
        sealed = at is not None and at.kind == "blind" and self._progress.ended is None
        for person in self._people():
            while person.said:
                number = self._progress.messages + 1
                self._bus.publish(person.message(number, person.said.popleft(), sealed=sealed))
                posted += 1
        return posted

    def _refuse(self, why: str) -> None:
        if self.refused is not None:
            self.refused(why)
