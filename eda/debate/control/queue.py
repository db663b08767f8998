"""`ControlQueue`: requests of persons to a running debate, done between two turns in the order of asking.

No request disturbs a turn, so the panel and the log have one order of events. Notes and corrections disturb none: they
are stored at once, so that everybody who looks on sees them. Only while votes are taken, corrections wait.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal

from eda.bus import MessageBus
from eda.debate.control.changes import Answered, Change, Changed, Corrected, Noted, Seat, facts_for
from eda.debate.line_reader import answer_in
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.result import Shown
from eda.debate.seating import Seating
from eda.errors import EdaError, UsageError
from eda.events import Event, Move, SessionPaused, SessionResumed
from eda.memory.minutes.motions import table_rows
from eda.memory.minutes.otherwise import is_unclear_yes
from eda.memory.minutes.remark_words import answers_only, undone, yes_or_no
from eda.memory.minutes.remarks import read_remark
from eda.panels.panel import Library
from eda.panels.persona import Persona
from eda.text import clean, regex
from eda.words import fault, refuse_if

# The most votes that words bring about: who never stops would have the panel vote for ever.
_VOTES = 3
# What names the line that an answer is for: "m1 no, m5 yes".
_OF = regex(r"(?:^|[,;.\n]\s{0,9}(?:and |und )?|\b(?:and|und)\s+)m(\d{1,6}):?\s+", "I")
# A row of digits, letters and ids, which says nothing by itself.
_BARE = regex(r"[\W_]*(?:(?:\d{1,3}|[a-z]|[opm]\d+(?:[.@]\d+)?)(?:[\W_]+|$))+", "I")
_ANY = (Move("note", ""),)  # in place of what was offered of a line of which nothing waits
Told = Callable[[Sequence[Event] | EdaError], None]
"""Given the facts that changes became, once they are stored, or why they cannot be."""


class ControlQueue:
    """Takes requests at any time; `look` carries them out."""

    def __init__(self, bus: MessageBus, briefing: PromptBuilder, seats: Seating) -> None:
        """Publish on `bus` what is checked against the state and memory that `briefing` makes prompts from."""
        self._bus = bus
        self._progress = briefing.state
        self._memory = briefing.memory
        self._seats = seats
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
            facts = self._bus.publish(*facts_for(self._progress, self._memory, changes))
            (told or self._told)(facts)
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


class DebateControls(Shown):
    """The requests to a running `Debate`, to be called in the thread of its event loop.

    Each raises `UsageError` where it cannot be done now. A request that becomes impossible before the turn ends is
    dropped.
    """

    inbox: ControlQueue
    _driver: Any  # its file imports this one
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

    def answer_line(self, answer: Literal["yes", "no", "taken back"], who: str, message: int = 0) -> None:
        """Say whether a line that a person typed was read rightly, or take back what it did.

        Args:
            answer: Yes or no to what was offered, or `taken back`.
            who: Whose line it is, by title.
            message: The message that holds the line; 0 for the last one that can be answered so.

        Raises:
            UsageError: no such line waits for that answer, or it is another person's.
        """
        self.inbox.change([Answered(who, answer, message)])

    def reads(self, message: int) -> bool:
        """Return whether a model is still asked what the line that a person typed in a message states."""
        return bool(self._driver.reads(message))

    def past_answer(self, text: str, who: str, message: int = 0, *, vote: bool = False) -> tuple[str, bool]:
        """Return a typed line, and whether it answers how an earlier one was read; empty where it says no more.

        What is read exactly counts with the answer, and is not returned; of a line that says more all words are.
        That is the line in `message`, or the last one, where it waits for an answer. A yes with a condition and a
        question answer none. "Not o1, the rest yes" accepts what else was offered. "m1 no, m5 yes" names the lines.
        "Scratch that" drops the line that is not posted yet, or is a no to what was offered last; what it says behind
        is a line. One that may be a `vote` needs no question.

        Raises:
            UsageError: what it says beyond the answer states nothing of a text: it may be for the program alone. Or it
                says yes, but, or yes to a text that is opposed; or a line that it names waits for no answer, or nothing
                is open that it answers.
        """
        waiting, answers_to = self.progress.waiting(who), partial(answer_in, who=who, memory=self.memory)
        parts = self._drop_or_take_apart(text, who, message, waiting)
        read = [(at, *answers_to(part, waiting.get(at, _ANY), started=self.progress.started)) for at, part in parts]
        if not all(at and answers and not self.reads(at) for at, answers, _, _ in read):
            if not vote and (vain := self._hedged(parts, who) or self._vain(text.strip(), who)):
                raise vain
            return text, False
        answered = ((at, rest * says, *given) for at, answers, rest, says in read for given in answers.items())
        self.inbox.change([Answered(who, answer, at, moves, says) for at, says, answer, moves in answered])
        more = [rest for *_, rest, says in read if rest and says]
        if not more and (held := [rest for *_, rest, _ in read if rest]):
            raise fault("error-line-held", text=", ".join(held))
        return (text if parts[0][1] == text else ", ".join(more)) * bool(more), True

    def _drop_or_take_apart(self, text: str, who: str, message: int, waiting: Collection[int]) -> list[tuple[int, str]]:
        """Return the lines that a typed line may answer, by their messages, each with what it says of that one.

        Raises:
            UsageError: it dropped the line that was not posted yet.
        """
        waits = next((at for at in (message, self.progress.last_lines.get(who, 0)) if at in waiting), 0)
        back = max(waiting, default=0) * (undone(text) is not None)
        if message not in waiting and undone(text) == "" and (dropped := self.inbox.unsay(who)):
            raise fault("error-line-held", text=dropped)
        head, *named = _OF.split(text.strip()) if waiting else [text]
        parts = [(int(at), part) for at, part in zip(named[::2], named[1::2], strict=True)]
        return [(waits or back, text)] if head or not parts else parts

    def _hedged(self, parts: Iterable[tuple[int, str]], who: str) -> EdaError | None:
        """Return the error of a line that answers what is open with a yes that can be read in more than one way."""
        rows, waiting = {str(row["id"]): row for row in table_rows(self.memory.motions)}, self.progress.waiting(who)
        hedged = (part for at, part in parts if at and is_unclear_yes(part, waiting.get(at, ()), rows, who))
        return next((fault("error-line-hedged", text=part.strip()) for part in hedged), None)

    def _vain(self, text: str, who: str) -> EdaError | None:
        """Return the error of a line that says nothing by itself, as a digit or a yes, where no question takes it."""
        state, last, says, undo = self.progress, self.progress.last, yes_or_no(text), undone(text) == ""
        asked = says and (state.does.sealed or (last and any(move.kind in ("propose", "amend") for move in last.moves)))
        if not undo and (asked or (last and who in (last.to, last.next)) or not (says or self._bare(text, who))):
            return None
        counted = [at for at, line in state.lines.items() if undo and (line.who, line.state) == (who, "counted")]
        opened = counted or sorted(state.waiting(who))
        why = "error-line-counts" if counted else "error-line-open" if opened else "error-nothing-open"
        line, words = self.memory.parts.messages.line, state.settings.words
        lines = [f"m{at} {words.say('votes-quote', words=clean(line(at).text))}" for at in opened]
        return fault(why, at=f"m{[0, *opened][-1]}", lines=lines, text=text)

    def _bare(self, text: str, who: str) -> bool:
        """Return whether a line is digits, letters and ids alone, or yes and no to ids; "o1 yes" takes a side."""
        rows = {str(row["id"]): row for row in table_rows(self.memory.motions)}
        read = read_remark(text, rows.values(), who, {}) if answers_only(text, rows) else None
        return bool(_BARE.fullmatch(text) or (read and not (read.acts and read.exact)))

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
