"""`ControlQueue`: requests of persons to a running debate, done between two turns in the order of asking.

No request disturbs a turn, so the panel and the log have one order of events. Notes and corrections disturb none: they
are stored at once, so that everybody who looks on sees them. Only while votes are taken, corrections wait.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from eda.bus import MessageBus
from eda.debate.control.changes import Answered, Change, Changed, Corrected, Noted, Seat, facts_for
from eda.debate.control.line_answers import LineAnswers
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.seating import Seating
from eda.errors import EdaError, UsageError
from eda.events import Event, SessionPaused, SessionResumed
from eda.panels.panel import Library
from eda.panels.persona import Persona
from eda.words import fault, refuse_if

# The most votes that words bring about: who never stops would have the panel vote for ever.
_VOTES = 3
# Given the facts that changes became, once they are stored, or why they cannot be.
Told = Callable[[Sequence[Event] | EdaError], None]


class ControlQueue:
    """Takes requests at any time; `look` carries them out."""

    def __init__(self, bus: MessageBus, briefing: PromptBuilder, seats: Seating) -> None:
        """Publish on `bus` what is checked against the state and memory that `briefing` makes prompts from."""
        self._bus, self._seats = bus, seats
        self._progress, self._memory = briefing.state, briefing.memory
        # What waits for the turn to end, and who is told what came of it.
        self._changes: deque[tuple[Sequence[Change], Told]] = deque()
        # The phase that is to end.
        self._ending: tuple[str, int, int] | None = None
        # Who wants the debate to wait, now or as soon as the turn is over; empty where nobody does.
        self.paused_by = ""
        # Whether votes are being taken on texts that no correction may change meanwhile.
        self.voting = False
        self._voters: Sequence[str] = ()
        # Of each whose vote is in: whether it stands, once all votes are.
        self._cast: dict[str, asyncio.Future[bool]] = {}
        # Whether the run has ended: nobody would carry out a request.
        self.over = False
        self._woken = asyncio.Event()
        # Called with the reason where a request can no longer be done.
        self.refused: Callable[[str], None] | None = None

    def change(self, changes: Sequence[Change], told: Told | None = None) -> None:
        """Carry out notes and corrections, and queue other changes; all of them are done or none.

        Args:
            changes: Each is checked against the state after those before it.
            told: Without it, only `refused` is told, of what cannot be any more.

        Raises:
            UsageError: the debate has not begun, the run is over, or as things stand it cannot be.
        """
        if self._progress.started is None:
            raise fault("error-not-begun")
        if all(
            isinstance(each, Noted) or (isinstance(each, Answered | Corrected) and not self.voting) for each in changes
        ):
            self._bus.publish()  # what waits for the disk comes first
            (told or self._told)(self._bus.publish(*facts_for(self._progress, self._memory, changes)))
            return
        self._check_running()
        waiting = [change for changes, _ in self._changes for change in changes]
        facts_for(self._progress, self._memory, (*waiting, *changes))
        self._changes.append((tuple(changes), told or self._told))
        self._woken.set()

    @contextmanager
    def taking_votes(self, voters: Sequence[str] = ()) -> Iterator[None]:
        """Have corrections wait while votes are taken, of those whose vote must stand."""
        self.voting, self._voters, self._cast = True, voters, {}
        try:
            yield
        finally:
            self.voting = False

    @property
    def to_vote(self) -> list[str]:
        """Who has still to vote, in seat order, before the votes that are in are counted."""
        return [who for who in self._voters if self.voting and who not in self._cast]

    async def stands(self, who: str) -> bool:
        """Return True for a vote that is in, once all votes are; False as soon as its voter wants to change it."""
        vote: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._cast[who] = vote
        if not self.to_vote:
            for each in self._cast.values():
                each.set_result(True)
        return await vote

    def take_back_vote(self, who: str) -> None:
        """Have a person asked for their vote again; the one that is in stands until another is given.

        Raises:
            UsageError: no vote of theirs waits to be counted.
        """
        vote = self._cast.get(who)
        if vote is None or vote.done() or not self._progress.is_person(who):
            raise fault("error-vote-none")
        del self._cast[who]
        vote.set_result(False)

    def say(self, who: str, text: str) -> None:
        """Have a person say something.

        Raises:
            UsageError: the text is empty, nobody of that title has a person's seat and may speak, or the run is over.
        """
        self._check_running()
        people = [each for each in self._seats.people if each.title == who]
        refuse_if(
            {
                "error-say-nothing": not text.strip(),
                "error-no-person-seat": not people,
                "error-is-muted": who in self._progress.muted,
            },
            who=who,
        )
        people[0].said.append(text.strip())
        self._woken.set()

    def unsay(self, who: str) -> str:
        """Drop the newest line of a person that is not posted yet, and return it; empty where there is none."""
        return next((each.said.pop() for each in self._seats.people if each.title == who and each.said), "")

    def waits(self, who: str) -> bool:
        """Whether something that a person said is not posted yet."""
        return any(person.said for person in self._seats.people if person.title == who)

    def move_on(self) -> None:
        """Have the phase end.

        Raises:
            UsageError: nobody speaks in it, or the run is over.
        """
        self._check_running()
        at = self._progress.at
        if at is None or not at.does.speaks or self._progress.ended is not None:
            raise fault("error-no-talk")
        self._ending = self._where

    def pause(self, by: str) -> None:
        """Have the debate wait.

        Raises:
            UsageError: the run is over.
        """
        self._check_running()
        self.paused_by = by or "somebody"

    def go_on(self) -> None:
        """Have a debate that waits go on."""
        self.paused_by = ""
        self._woken.set()

    async def look(self) -> bool:
        """Carry out the requests, and wait while paused; return whether the phase is to end."""
        self._do()
        if self.paused_by:
            self._bus.publish(SessionPaused(reason="person", by=self.paused_by))
            while self.paused_by:
                self._woken.clear()
                await self._woken.wait()
                self._do()
            self._bus.publish(SessionResumed())
        ending, self._ending = self._ending, None
        return ending == self._where

    def flush(self) -> None:
        """Carry out the last requests at the end of a run."""
        self.paused_by, self._ending = "", None
        self.over = True
        self._do()

    @property
    def _where(self) -> tuple[str, int, int]:
        progress = self._progress
        return progress.phase, progress.round, progress.laps.get(progress.phase, 0)

    def _check_running(self) -> None:
        if self.over:
            raise fault("error-stopped")

    def _do(self) -> None:
        while self._changes:
            changes, told = self._changes.popleft()
            try:
                told(self._bus.publish(*facts_for(self._progress, self._memory, changes)))
            except EdaError as error:
                told(error)
        self._post()

    def _told(self, outcome: Sequence[Event] | EdaError) -> None:
        if isinstance(outcome, EdaError) and self.refused is not None:
            self.refused(self._progress.settings.words.error(outcome)[0])

    def _post(self) -> None:
        """Post what persons have typed; in a sealed phase it is sealed.

        Words during a vote have it taken again; those during the last of several votes wait until it is counted.
        """
        does, lap = self._progress.does, self._progress.laps.get(self._progress.phase, 0)
        if not does.speaks and lap >= _VOTES and self._progress.ended is None and not self.over:
            return
        sealed = does.sealed and self._progress.ended is None
        for person in self._seats.people:
            while person.said:
                self._bus.publish(person.message(self._progress.messages + 1, person.said.popleft(), sealed=sealed))


class DebateControls(LineAnswers):
    """The requests to a running `Debate`, to be called in the thread of its event loop.

    Each raises `UsageError` where it cannot be done now. A request that becomes impossible before the turn ends is
    dropped.
    """

    inbox: ControlQueue
    _seats: Seating
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
        self.inbox.change([Seat("muted", name, by=by)])

    def unmute(self, name: str, by: str = "") -> None:
        """Let a muted member speak again."""
        self.inbox.change([Seat("unmuted", name, by=by)])

    def add(self, persona: Persona | str, by: str = "") -> None:
        """Seat somebody after the last member: a persona, or the name of a shipped one."""
        self.inbox.change([Seat("added", persona=self._persona(persona), by=by)])

    def replace(self, name: str, persona: Persona | str, by: str = "") -> None:
        """Seat somebody in the place of a member."""
        self.inbox.change([Seat("replaced", name, self._persona(persona), by)])

    def remove(self, name: str, by: str = "") -> None:
        """Have a member leave; what it said stays."""
        self.inbox.change([Seat("removed", name, by=by)])

    def change(self, **settings: object) -> None:
        """Have other settings hold from here on, by their names in `Settings`."""
        self.inbox.change([Changed(settings)])

    def correct(self, item: str, text: str, by: str = "you") -> None:
        """Have a proposal, decision or note, by its id, read otherwise."""
        if not text.strip():
            raise UsageError("the correction is empty", hint="To take the item away, strike it.")
        self.inbox.change([Corrected(item, text, by)])

    def strike(self, item: str, by: str = "you") -> None:
        """Take a proposal, decision or note, by its id, out of all that the panel is shown and votes on."""
        self.inbox.change([Corrected(item, "", by)])

    def note(
        self, text: str, who: str = "you", importance: int = 500, topic: str = "", *, private: bool = False
    ) -> None:
        """Have memory keep a note of a person's; the panel is shown it with its next prompts, unless it is private.

        Raises:
            UsageError: the debate has not begun, or the note is no note: see `Noted`.
        """
        self.inbox.change([Noted(text, who, importance, topic, private)])

    def pause(self, by: str = "") -> None:
        """Have the debate wait after this turn, until `go_on`."""
        self.inbox.pause(by)

    def go_on(self) -> None:
        """Have a debate that waits go on."""
        self.inbox.go_on()

    def move_on(self) -> None:
        """Have the talk of this phase end after this turn."""
        self.inbox.move_on()

    def _persona(self, persona: Persona | str) -> Persona:
        return self._library.persona(persona) if isinstance(persona, str) else persona
