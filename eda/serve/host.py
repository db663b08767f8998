"""The debates that this server runs, and what a person at a page may do with them."""

import asyncio
import gc
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field
from starlette.concurrency import run_in_threadpool

from eda.debate.control.changes import Change, Changed, Noted, Seat
from eda.debate.control.socket import changed_session
from eda.debate.debate import Debate
from eda.debate.prepared import Prepared, prepared
from eda.debate.replay import read_back
from eda.debate.seating import is_seat_of
from eda.errors import EdaError
from eda.panels.panel import Library
from eda.panels.request import DebateRequest
from eda.panels.settings import Frozen, limit
from eda.report.forecast import foreseen
from eda.report.formatting import money, tokens
from eda.report.write import write_report
from eda.runners.models import asks_models
from eda.serve.ballot import check_said, how_read
from eda.serve.people import PATIENCE, Invitations, WebSeat, Word, guests_of, waiting_words
from eda.session import Session
from eda.session.folders import noted
from eda.session.fork import fork
from eda.session.names import free_name
from eda.words import ENGLISH, Words, fault

_KEPT = 4  # Ended debates that are kept, with who sat there.
_LONGEST = 20_000  # Characters of a message, a note or an answer.


@dataclass(slots=True, eq=False)
class Running:
    """A debate that runs in this process, with the people who sit at pages."""

    debate: Debate
    session: Session
    seats: Sequence[WebSeat] = ()
    own: str = ""  # The name of the owner's seat; empty where the owner has none here.
    task: asyncio.Task[Any] | None = None
    failed: str = ""  # Why it stopped, where it did not end by itself.
    told: list[Callable[[WebSeat], object]] = field(default_factory=list)
    """Called when a person is asked something, or no longer, comes or leaves."""

    def __post_init__(self) -> None:
        for seat in self.seats:
            seat.sit(self.debate.members)
            seat.changed = self._asked

    def _asked(self, seat: WebSeat) -> None:
        for tell in self.told:
            tell(seat)

    @property
    def runs(self) -> bool:
        """Whether it has begun and not ended."""
        return self.task is not None and not self.task.done()

    @property
    def words(self) -> Words:
        """Those of the language of the debate."""
        return (self.debate.progress if self.debate.progress.started else self.debate.started).settings.words

    @property
    def waiting(self) -> str:
        """Who is waited for, in a sentence; empty where nobody is."""
        return waiting_words(self.seats, self.words, anonymous=self.debate.progress.agenda.anonymous)

    def skip(self, title: str) -> None:
        """Go on without the answer of a person; of all who were invited and are waited for, where it is empty."""
        for seat in self.seats:
            if seat.prompt is not None and title in ("", seat.title) and seat.name != self.own:
                seat.answer(seat.stands[1] if seat.stands else "")

    def seat(self, name: str) -> WebSeat | None:
        """Return the seat of that name, or None."""
        return next((seat for seat in self.seats if seat.name == name), None)


class Doing(Frozen):
    """What somebody at a page does to a session."""

    do: Literal["pause", "go-on", "next", "say", "read", "answer", "unvote", "line", "note", "resume", "skip"]
    text: Annotated[str, Field(max_length=_LONGEST)] = ""
    question: int = 0  # Of an answer: the number of the question; 0 for the one that waits.
    line: Literal["yes", "no", "taken back"] = "no"  # What its author says of how a line was read.
    message: int = 0  # The message that holds that line; 0 for the last that can be answered so.
    who: str = ""  # Whom to skip: the title of who is waited for.
    messages: int | None = None  # Of a resume: the most messages of the session from now on.


class Host:
    """Starts, resumes and steers debates; each runs as a task of this server's loop."""

    def __init__(
        self, folder: Path, runner: str, panel: str, word: Word | None = None, spoken: Words = ENGLISH
    ) -> None:
        """Keep sessions in a folder; ask `runner`, a spec; seat `panel` where none is named; send people `word`.

        The list of decisions speaks `spoken`. Personas and panels are those of `roster`, at first the shipped ones.
        """
        self.folder = folder
        self.runner = runner
        self.panel = panel
        self._word, self.spoken, self.roster = word, spoken, Library()
        self.running: dict[str, Running] = {}
        # The secrets of invitations made here, by session and name: what is stored is their hashes.
        self._links: dict[tuple[str, str], str] = {}
        # The tests of verdicts that were begun here; each returns why it stopped before its end.
        self.trials: dict[str, asyncio.Task[str]] = {}

    def runs(self, name: str) -> Running | None:
        """Return the debate of that session, where it runs here now."""
        return here if (here := self.running.get(name)) is not None and here.runs else None

    def prepared(self, wanted: DebateRequest) -> Prepared:
        """Return the debate that somebody asks for, ready to begin; to read its documents may take a while.

        Raises:
            EdaError: it cannot be as it is asked for.
        """
        own = {
            "runner": self.runner,
            "panel": wanted.panel or ("" if wanted.personas else self.panel),
            "human": " ".join((wanted.human or "").split()) or None,
            "settings": ({"language": self.spoken.language} if self.spoken != ENGLISH else {}) | {**wanted.settings},
        }
        return prepared(wanted.by_names_alone().model_copy(update=own), None, library=self.roster)

    def start(self, ready: Prepared) -> str:
        """Begin a debate that was `prepared`, and return the name of its session.

        Raises:
            EdaError: it cannot be as it is asked for; nothing is written.
        """
        wanted = ready.request
        own = wanted.human or ""
        seats = [
            *([WebSeat(own, wanted.human_time)] if own else []),
            *guests_of(wanted.invite, wanted.human_time, own),
        ]
        people = {seat.name: seat.runner for seat in seats}
        ready.debate(seats=people)  # errors are found before anything is written
        with ExitStack() as stack:
            session = stack.enter_context(Session.create(free_name(wanted.question, self.folder), self.folder))
            debate = ready.debate(session=session, seats=people)
            for name in wanted.invite:
                self.invite(session.name, name, seconds=wanted.human_time)
            stack.pop_all()
        return self._go(Running(debate, session, seats, own))

    async def begun(self, name: str) -> None:
        """Wait until a debate that was started has its first fact, or has failed."""
        here = self.running[name]
        while not here.session.log.last_seq and here.runs:  # noqa: ASYNC110
            await asyncio.sleep(0.005)  # no fact tells it before there is one

    def resume(self, name: str, messages: int | None = None) -> None:
        """Take up a session; `messages` more than it has, where it has ended.

        Raises:
            EdaError: it runs already, or cannot go on so.
        """
        if self.runs(name):
            raise fault("error-runs-already", session=name)
        with ExitStack() as stack:
            session = stack.enter_context(Session.open(name, self.folder))
            # The owner's seat is that of the first who was not invited.
            persons = [each for each in read_back(session)[0].personas.values() if each.person]
            invited = Invitations(self.folder / session.name).seats
            names = [name for name in invited if any(is_seat_of(name, person) for person in persons)]
            owner = [each.title for each in persons if not any(is_seat_of(name, each) for name in names)]
            guests = [WebSeat(name, invited[name].seconds or PATIENCE) for name in names]
            seats, own = [*map(WebSeat, owner[:1]), *guests], "".join(owner[:1])
            people = {seat.name: seat.runner for seat in seats}
            limits = {} if messages is None else {limit("messages"): messages}
            debate = Debate.resume(session, settings=limits, seats=people)
            stack.pop_all()
        self._go(Running(debate, session, seats, own))

    def invite(self, session: str, name: str, *, keep: bool = False, seconds: float | None = None) -> str:
        """Return the secret of a new invitation; see `Invitations.invite`."""
        secret = self._links[session, name] = Invitations(self.folder / session).invite(
            name, keep=keep, seconds=seconds
        )
        noted(self.folder, "invited", session, name)
        return secret

    def people(self, name: str) -> list[dict[str, str]]:
        """Return who was invited to a session: their name, whether they came, and the link that nobody has used yet."""
        here, rows = self.running.get(name), []
        for who, invited in Invitations(self.folder / name).seats.items():
            seat = here.seat(who) if here else None
            secret = "" if invited.used else self._links.get((name, who), "")
            state = "here" if seat and seat.pages else "away" if invited.browser else "invited"
            rows.append({"name": who, "state": state, "link": f"/join/{secret}" if secret else ""})
        return rows

    def note(self, name: str, text: str, who: str) -> None:
        """Have the memory of any session keep a note; may wait for a turn to end.

        `who` is the name of the seat of whoever takes it; empty for none.

        Raises:
            EdaError: it cannot be taken.
        """
        by = WebSeat(who)
        if who:
            with Session.read(name, self.folder) as session:
                by.sit(session.started().members)
        changed_session(name, self.folder, [Noted(text, by.title or "you")], lambda _: None)

    def act(self, name: str, doing: Doing, who: str) -> str:
        """Do one thing to a debate that this server runs, or resume one; `who` is as for `note`.

        Return in a sentence how an answer will be read, or that a yes or no was received; empty of all else.

        Raises:
            EdaError: it cannot be done now.
        """
        if doing.do == "resume":
            self.resume(name, doing.messages)
            return ""
        here = self.runs(name)
        if here is None:
            raise fault("error-runs-elsewhere", session=name)
        debate, seat = here.debate, here.seat(who)
        match doing.do:
            case "pause":
                debate.pause(seat.title if seat is not None else "you")
            case "go-on":
                debate.go_on()
            case "next":
                debate.move_on()
            case "skip":
                here.skip(doing.who)
            case "note":  # at once, also while the report is being written
                debate.inbox.change([Noted(doing.text, seat.title if seat is not None else "you")])
            case "say" | "read" | "line" | "answer" | "unvote" if seat is not None:
                return _at_seat(here, seat, doing)
            case _:
                raise fault("error-no-seat")
        return ""

    async def close(self) -> None:
        """Pause what runs; each session can be resumed, and each test goes on where it stopped."""
        for here in self.running.values():
            here.debate.stop()
        for trial in self.trials.values():
            trial.cancel()
        tasks = (here.task for here in self.running.values() if here.task)
        await asyncio.gather(*tasks, *self.trials.values(), return_exceptions=True)

    def _go(self, here: Running) -> str:
        name = here.session.name
        for each in [each for each, other in self.running.items() if not other.runs and each != name][:-_KEPT]:
            # Its pages read the log: a server of months would keep every debate
            del self.running[each]
        gc.collect()  # a debate is a circle, and the program looks for those once in ten million objects
        self.running[name] = here
        if (word := self._word) is not None:
            here.told.append(lambda seat: word.give(name, seat, self.people))
        here.task = asyncio.create_task(self._run(here), name=f"debate {name}")
        return name

    async def _run(self, here: Running) -> None:
        """Run a debate to its end, and write its report."""
        try:
            debate = here.debate
            await debate.run()
            if debate.progress.verdict is not None and debate.progress.ended is not None:
                await write_report(here.session, debate.runner, progress=debate.progress, memory=debate.memory)
        except EdaError as error:
            here.failed = ". ".join(filter(None, here.words.error(error)))
        finally:
            here.session.close()


def _at_seat(here: Running, seat: WebSeat, doing: Doing) -> str:
    """Do what a person does at their seat, and return what it is told; see `Host.act`."""
    match doing.do:
        case "read":
            return how_read(seat.prompt, doing.text, here.debate.memory, here.words)
        case "line":
            here.debate.answer_line(doing.line, seat.title, doing.message)
        case "unvote":
            here.debate.inbox.take_back_vote(seat.title)
            seat.stands = seat.voted
            return ""
        case "answer" if seat.prompt is None or seat.prompt.purpose != "speak":
            seat.answer(doing.text, doing.question)
            return ""
        case does:
            check_said(seat, doing.text, here.debate)
            text, _ = here.debate.past_answer(doing.text, seat.title)
            if text or not doing.text.strip():
                if does == "answer":
                    seat.answer(text, doing.question)
                elif text:
                    here.debate.say(text, seat.title)
                return ""
    return here.words.say("seat-told", "answered-at-a-vote" if here.debate.inbox.voting else "answered")


_Names = Annotated[tuple[str, ...], Field(max_length=200)]


class Forked(Frozen):
    """A fork that somebody asks for."""

    at: Annotated[int, Field(ge=1)] | None = None  # The last message that both have; None for all.
    name: Annotated[str, Field(max_length=100)] = ""  # Empty for a free one.


class Steered(Frozen):
    """What somebody changes of a session."""

    mute: _Names = ()
    unmute: _Names = ()
    add: str = ""  # The name of a persona; empty for none.
    settings: Mapping[str, float | str | None] = Field(default_factory=dict)  # By their names; None takes a limit away.

    def changes(self, library: Library) -> list[Change]:
        """Return the changes in the order in which they are made.

        Raises:
            UsageError: there is none, or no such persona.
        """
        changes: list[Change] = [Seat("added", persona=library.persona(self.add), by="you")] if self.add else []
        changes += [Seat("unmuted", name, by="you") for name in self.unmute]
        changes += [Seat("muted", name, by="you") for name in self.mute]
        changes += [Changed(self.settings)] if self.settings else []
        if not changes:
            raise fault("error-no-change")
        return changes


def forked(name: str, folder: Path, wanted: Forked) -> str:
    """Make a fork of a session and return its name; see `eda.session.fork.fork` for the errors."""
    with Session.read(name, folder) as session, fork(session, wanted.at, wanted.name or None, folder) as new:
        return new.name


async def steer(host: Host, name: str, wanted: Steered) -> str:
    """Make all of the changes or none, and return when they hold: `now`, after this `turn`, or `later`.

    Raises:
        EdaError: one of them is not possible.
    """
    changes, here = wanted.changes(host.roster), host.runs(name)
    if here is not None:
        here.debate.inbox.change(changes)
        return "turn"
    _, running = await run_in_threadpool(changed_session, name, host.folder, changes, lambda _: None)
    return "now" if running else "later"


def cost_of(host: Host, wanted: DebateRequest) -> str:
    """Return in words what a debate would cost, from three runs of it without a call to a model.

    Raises:
        EdaError: the debate cannot be as it is asked for.
    """
    ready = host.prepared(wanted.model_copy(update={"human": None}))
    if not asks_models(ready.runner):
        ready.debate()
        return host.spoken.say("serving-nothing")
    foretold = foreseen(ready)
    least, usual, most = (
        tokens(spent.tokens, words=host.spoken)
        if spent.unpriced_calls == spent.calls
        else money(spent.cost, spent.unpriced_calls, words=host.spoken)
        for spent in foretold.totals
    )
    cut = "yes" if foretold.ended[1] in ("money", "tokens") else "no"
    return host.spoken.say("cost-estimate", usual=usual, least=least, most=most, cut=cut)
