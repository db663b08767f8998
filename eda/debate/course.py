"""Parts of `DebateState`, each a fold over the facts that concern it: course, seats, typed lines, who has answered."""

from dataclasses import dataclass, field
from typing import Literal

from eda import events
from eda.errors import UsageError
from eda.memory.minutes.remark_words import yes_or_no
from eda.memory.snapshot import Given
from eda.panels.agenda import Agenda, Phase, PhaseKind, load_agenda
from eda.panels.hearing import Matrix
from eda.panels.persona import Persona
from eda.panels.registry import Parts
from eda.panels.settings import Settings

# `recorded`: the words of a model, replayed. `program`: a runner of the user's own that names no model.
How = Literal["model", "recorded", "simulated", "scripted", "program", "person"]
# By the name that such a runner gives as its model's.
_NO_MODELS: dict[str, How] = {"simulated": "simulated", "scripted": "scripted"}


# Messages of a member in a row that declare nothing, after which it is asked what it holds; at first one is enough.
UNDECLARED = 3


# The facts that each part takes in: to look a class up in a set costs less than to ask for instances of some.
OF_LINES: frozenset[type[events.Event]] = frozenset((events.MessagePosted, events.LineOffered, events.LineAnswered))
OF_SEATS: frozenset[type[events.Event]] = frozenset((events.SessionStarted, events.MemberChanged))
OF_PLAYERS = OF_SEATS | {events.SessionResumed, events.CallMade}
OF_COURSE: frozenset[type[events.Event]] = OF_SEATS - {events.MemberChanged} | {
    *(events.SessionPaused, events.SessionResumed, events.SessionEnded, events.PhaseStarted, events.SettingChanged)
}


@dataclass(slots=True)
class _Line:
    who: str
    moves: tuple[events.Move, ...]  # What it does, or would do.
    state: Literal["offered", "counted", "over"]
    counted: tuple[events.Move, ...] = ()  # What of it counts while more is offered.

    def leave(self, moves: tuple[events.Move, ...]) -> None:
        """Have nothing wait any more that it offers on the texts of `moves`."""
        left = tuple(
            each
            for each in self.moves
            if (each.target or each.text) not in {move.target or move.text for move in moves}
        )
        self.moves = left or self.counted
        self.state = "offered" if left else "counted" if self.counted else "over"


NO_LINE = _Line("", (), "over")


@dataclass
class TypedLines:
    """The lines that persons have typed, as a fold."""

    # By the number of their messages: those that were counted or offered.
    lines: dict[int, _Line] = field(default_factory=dict)
    last_lines: dict[str, int] = field(default_factory=dict)  # The message of each person's last line.
    # The messages whose line names a text or takes a side and was not read: a model may be asked what it states.
    unread: list[int] = field(default_factory=list)

    # The messages of each since the last that declared something; two more of who has declared nothing yet.
    undeclared: dict[str, int] = field(default_factory=dict)
    # Who was asked what it holds, or a person whether a support has a condition: the message up to which it was. Not
    # who was asked at once about acts that do not count.
    asked_once: dict[str, int] = field(default_factory=dict)
    answers: dict[str, events.LineAnswered] = field(default_factory=dict)  # The last of each member that was asked.
    # What a line that answers an earlier one goes on to say: by its author until it is posted, then by its message.
    says: dict[str | int, str] = field(default_factory=dict)

    def fold_lines(self, event: events.Event) -> None:
        """Take one fact in."""
        if isinstance(event, events.MessagePosted):
            if event.line is not None and not yes_or_no(event.talk):  # which answers one before it, in vain
                self.last_lines[event.who] = event.number
            declares = any(move.kind != "note" for move in event.moves)
            self.undeclared[event.who] = 0 if declares else self.undeclared.get(event.who, UNDECLARED - 1) + 1
            self.says[event.number] = self.says.pop(event.who, "")
        elif isinstance(event, events.LineOffered | events.LineAnswered):
            self.unread = [number for number in self.unread if number != event.message]
        match event:
            case events.MessagePosted(line=events.LineRead(how="counted" | "offered" as how, moves=moves)):
                self.lines[event.number] = _Line(event.who, event.moves or moves, how)
                self._replace(event.who, event.number, event.moves or moves)
                self.unread += [event.number] * bool(event.line and event.line.left)
            case events.MessagePosted(line=events.LineRead(why=why, ids=ids)) if why or ids:
                self.unread.append(event.number)
            case events.LineOffered() if event.moves:
                self._offer(event)
            case events.LineAnswered(answer="asked"):
                self._asked(event)
            case events.LineAnswered() if line := self.lines.get(event.message):
                counts = event.moves * (event.answer == "yes")
                line.counted = (*line.counted, *counts) * (event.answer != "taken back")
                line.leave(event.moves or line.moves)
                self._replace(event.who, event.message, counts)
                self.says[event.who] = event.says

    def _asked(self, event: events.LineAnswered) -> None:
        """Take an answer of a member in; what its words deny is asked about once more, before the vote."""
        again = self.last_answer(event.who).message == event.message
        self.answers[event.who], self.undeclared[event.who] = event, 0
        if not event.at_once:
            self.asked_once[event.who] = event.message - (bool(event.denied) and not again)

    def last_answer(self, who: str) -> events.LineAnswered:
        """Return what a member answered when it was asked last what it declares."""
        return self.answers.get(who) or events.LineAnswered(who=who, message=0, answer="asked")

    def _offer(self, event: events.LineOffered) -> None:
        """Have what a line would do wait for its author's answer, beside what counts of it; a condition is put once."""
        before = self.lines.get(event.message, NO_LINE)
        self.lines[event.message] = _Line(event.who, event.moves, "offered", before.moves * (before.state == "counted"))
        self._replace(event.who, event.message, event.moves)
        if any(move.terms for move in event.moves):
            self.asked_once[event.who] = event.message

    def _replace(self, who: str, number: int, moves: tuple[events.Move, ...]) -> None:
        """Drop what other lines of `who` were offered for, on the texts of newer moves of theirs."""
        for at in {*self.waiting(who)} - {number}:
            self.lines[at].leave(moves)

    def past_answer(self, who: str, number: int, text: str) -> str:
        """Return what a line goes on to say behind the answer to an earlier one that was read at its head."""
        says = self.says.get(number, self.says.get(who, ""))
        return says if says and text.endswith(says) else text

    def answer_to_line(
        self,
        who: str,
        answer: Literal["yes", "no", "taken back"],
        message: int = 0,
        moves: tuple[events.Move, ...] = (),
    ) -> events.LineAnswered:
        """Return the fact of an answer to a line of `who`; 0 stands for the last that can be answered so.

        `moves` are those that a yes is for; empty for all.

        Raises:
            UsageError: no such line waits for that answer, or it is another person's.
        """
        needs = "counted" if answer == "taken back" else "offered"
        own = [number for number, line in self.lines.items() if (line.who, line.state) == (who, needs)]
        last = self.last_lines.get(who, 0) if needs == "counted" else next(reversed(own), 0)
        number = message or last
        if number not in own:
            if number in self.lines and self.lines[number].who != who:
                raise UsageError(f"m{number} is another person's line", hint="Only who typed it can answer.")
            if needs == "offered":
                raise UsageError(
                    f"nothing of yours{f' in m{message}' * bool(message)} was offered that waits for a yes or no"
                )
            raise UsageError(
                "your last line counted for nothing that can be taken back",
                hint=f"`/back m{own[-1]}` takes back what you said before." if own else "",
            )
        return events.LineAnswered(who=who, message=number, answer=answer, moves=moves or self.lines[number].moves)

    def waiting(self, who: str) -> dict[int, tuple[events.Move, ...]]:
        """Return what was offered to `who` and waits for a yes or no, by message."""
        return {at: line.moves for at, line in self.lines.items() if (line.who, line.state) == (who, "offered")}


@dataclass(init=False, repr=False, eq=False)  # only `DebateState` is made, which has the methods for all
class Course:
    """Which phase the debate is in, by which settings, and whether it has ended."""

    started: Given[events.SessionStarted | None] = None
    settings: Settings = field(default_factory=Settings)
    # The floor, rule, stop conditions and summariser that were passed as objects.
    parts: Given[Parts] = field(default_factory=Parts)
    # The runner at the beginning, and each other one that a resume brought, in order.
    runners: list[str] = field(default_factory=list)
    floor_set: bool = False  # Whether the floor was changed since the debate began: it then holds in every open phase.
    phase: str = ""  # The name of the phase; empty before the first.
    round: int = 1  # 1, and one more each time that an ended session is resumed.
    laps: dict[str, int] = field(default_factory=dict)  # How often each phase began in this round.
    why_moved: str = ""  # What ended the discussion.
    ended: str | None = None  # Why the session ended.
    # Whether a setting was changed since the session ended, so that it can be resumed; so can one that an older version
    # ended because of errors.
    extended: bool = False
    paused: events.SessionPaused | None = None  # The pause that holds.
    last_seq: int = 0  # The number of the last fact.
    # The phase that was found last, with what it was looked for in: it is asked for some thirty times a message.
    _at: tuple[Agenda | None, str, Phase | None] = field(
        init=False, default=(None, "", None), compare=False, repr=False
    )

    def fold_course(self, event: events.Event) -> None:
        """Take one fact in."""
        match event:
            case events.SessionStarted():
                self.started, self.settings, self.runners = event, event.settings, [event.runner]
            case events.PhaseStarted():
                if event.round > self.round:
                    self.laps, self.why_moved = {}, ""
                self.phase, self.round, self.ended = event.phase, event.round, None
                self.laps[event.phase] = event.lap
                if event.why not in ("", "done", "lap", "extended", "talk"):
                    self.why_moved = event.why
            case events.SettingChanged():
                self.floor_set |= event.settings.floor != self.settings.floor
                self.extended |= self.ended is not None
                self.settings = event.settings
            case events.SessionPaused():
                self.paused = event
            case events.SessionResumed():
                self.paused = None
                self.runners += [event.runner] if event.runner else []
            case events.SessionEnded():
                self.ended, self.extended = event.reason, event.reason == "errors"

    @property
    def why_stopped(self) -> str | None:
        """Why the session ended, else why it is paused; None where it is neither."""
        return self.ended or (self.paused.why if self.paused else None)

    @property
    def state(self) -> str:
        """`ended`, `paused`, or `unfinished`: it runs, or its process died; see `is_running`."""
        if self.ended is not None:
            return "ended"
        return "paused" if self.paused is not None else "unfinished"

    @property
    def agenda(self) -> Agenda:
        """The agenda of the session."""
        return self.started.agenda if self.started else load_agenda("panel")

    @property
    def hears(self) -> str | Matrix:
        """Who hears whom; see `eda.panels.hearing`."""
        return self.settings.hears or self.agenda.hears

    @property
    def seed(self) -> int:
        """The seed of the session; 0 before it has begun."""
        return self.started.seed if self.started else 0

    @property
    def at(self) -> Phase | None:
        """The phase that the debate is in; None before the first."""
        agenda = (self.started or self).agenda
        if self._at[:2] != (agenda, self.phase):
            self._at = agenda, self.phase, self.phase_named(self.phase)
        return self._at[2]

    def phase_named(self, name: str) -> Phase | None:
        """Return the phase of that name; None where the agenda has none."""
        return next((phase for phase in self.agenda.phases if phase.name == name), None)

    @property
    def does(self) -> PhaseKind:
        """What the phase asks of the members."""
        at = self.at
        return at.does if at is not None else PhaseKind()

    @property
    def floor(self) -> str:
        """The name of the floor policy of the phase."""
        at = None if self.floor_set else self.at
        return (at and at.floor) or self.settings.floor


@dataclass(init=False, repr=False, eq=False)  # as `Course`
class Seats:
    """Who sits, and who may speak."""

    members: list[str] = field(default_factory=list)  # The titles of those who sit now, in seat order.
    personas: dict[str, Persona] = field(default_factory=dict)  # The same members, by title.
    # The number of each seat, from 0; it stays the same when another member leaves.
    seats: dict[str, int] = field(default_factory=dict)
    # Who may not speak, and who asked for that: a person who did so themselves has left.
    muted: dict[str, str] = field(default_factory=dict)

    def fold_seats(self, event: events.Event) -> None:
        """Take one fact in."""
        match event:
            case events.SessionStarted():
                self.members = [member.title for member in event.members]
                self.personas = {member.title: member for member in event.members}
                self.seats = {title: seat for seat, title in enumerate(self.members)}
                return
            case events.MemberChanged(change="muted"):
                self.muted[event.who] = event.by
            case events.MemberChanged(change="unmuted"):
                self.muted.pop(event.who, None)
            case events.MemberChanged(change="removed"):
                self.members.remove(event.who)
                self._unseat(event.who)
            case events.MemberChanged(change="added", persona=Persona(title=title)):
                self.members.append(title)
                self.seats[title] = max(self.seats.values(), default=-1) + 1
            case events.MemberChanged(change="replaced", persona=Persona(title=title)):
                seat = self.seats[event.who]
                self.members[self.members.index(event.who)] = title
                self._unseat(event.who)
                self.seats[title] = seat
            case _:
                return
        if event.persona is not None:
            self.personas[event.persona.title] = event.persona

    def _unseat(self, who: str) -> None:
        del self.personas[who], self.seats[who]
        self.muted.pop(who, None)

    @property
    def panel(self) -> tuple[Persona, ...]:
        """Who sits now, in seat order."""
        return tuple(self.personas[title] for title in self.members)

    @property
    def active(self) -> list[str]:
        """Who sits and may speak, in seat order."""
        return [title for title in self.members if title not in self.muted] if self.muted else [*self.members]

    @property
    def voters(self) -> list[str]:
        """Who is polled and votes, in seat order: muted members too, but no person who has left."""
        gone = self.muted and {title for title, by in self.muted.items() if by == title and self.is_person(title)}
        return [title for title in self.members if title not in gone] if gone else [*self.members]

    def is_person(self, who: str) -> bool:
        """Return whether `who` sits and is a person."""
        return who in self.personas and self.personas[who].person


@dataclass(frozen=True, slots=True)
class PlayedBy:
    """What has answered for a member."""

    how: How
    by: str = ""  # The model, or the program; empty where `how` says all.


@dataclass
class Players:
    """A fold over the log that knows who or what has answered for each member."""

    runner: str = ""  # The spec of the runner that answers now.
    # By the title of each member who has sat; empty for one that has not answered.
    by: dict[str, list[PlayedBy]] = field(default_factory=dict)

    def fold(self, event: events.Event) -> None:
        """Take one fact in."""
        match event:
            case events.SessionStarted():
                self.runner = event.runner
                self.by = {member.title: [PlayedBy("person")] if member.person else [] for member in event.members}
            case events.MemberChanged(persona=persona) if persona is not None:
                self.by.setdefault(persona.title, [PlayedBy("person")] if persona.person else [])
            case events.SessionResumed():
                self.runner = event.runner or self.runner
            case events.CallMade() if event.agent in self.by and event.purpose in ("speak", "ballot", "poll", "terms"):
                known, player = self.by[event.agent], self._player(event.model)
                if player not in known:
                    known.append(player)

    def _player(self, model: str) -> PlayedBy:
        if model in _NO_MODELS:
            return PlayedBy(_NO_MODELS[model])
        if self.runner.partition(":")[0] == "recorded":
            return PlayedBy("recorded", model)
        return PlayedBy("model", model) if model else PlayedBy("program", self.runner)

    @property
    def marks(self) -> tuple[How, ...]:
        """What a reader has to know first: each way in which a member was played by no model and no person."""
        return tuple(
            dict.fromkeys(one.how for each in self.by.values() for one in each if one.how not in ("model", "person"))
        )

    @property
    def models(self) -> list[str]:
        """The models whose words members said, also where these were replayed."""
        return [*dict.fromkeys(one.by for each in self.by.values() for one in each if one.how in ("model", "recorded"))]
