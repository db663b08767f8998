"""One session, followed once for all who look at it: all that a page shows now, then each change."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from eda import events
from eda.bus import Subscription
from eda.debate.hinges import tried_of
from eda.debate.replay import read_back
from eda.debate.state import DebateState
from eda.errors import EdaError
from eda.memory import ConversationMemory
from eda.panels.settings import Settings
from eda.report.formatting import clean, one_line
from eda.serve.ballot import question_of
from eda.serve.documents import Citations
from eda.serve.host import Host, Running
from eda.serve.people import WebSeat, said_back
from eda.serve.shown import Said, badges, line_of, message_of, status_of, table_of, verdict_of
from eda.session import Session

# Seconds for which what is told is gathered, more for each viewer: the debate shares the loop with them.
_GATHERED, _EACH, _MOST = 0.1, 0.001, 0.15
_WAITING = 256  # Gathered pieces that wait for a viewer who does not read; one who is further behind begins anew.
_LOOK = 1.0  # Seconds between two looks at whether a process writes the session.
# Facts that change nothing on the table.
_UNMOVED = (events.CallMade, events.BidsTaken, events.FloorGranted, events.StanceTaken)
# Facts from which on all are shown the messages that were sealed; at a pause their acts are not read yet.
_UNSEALS = (events.PhaseStarted, events.SessionPaused, events.SessionEnded)


@dataclass(slots=True, eq=False)
class _Viewer:
    owner: bool
    who: str
    queue: asyncio.Queue[bytes] = field(default_factory=lambda: asyncio.Queue(_WAITING))
    lost: bool = False


class Feed:
    """One session, followed once for all who look at it."""

    def __init__(self, host: Host, name: str) -> None:
        self._host = host
        self._name = name
        self._session = Session.read(name, host.folder)
        self._state, self._memory = DebateState(), ConversationMemory()
        # Whether a debate that runs, or ran, here folds state and memory: they may be ahead of `_at`.
        self._borrowed = False
        # The last fact that the viewers are told of.
        self._at = 0
        self._told: list[Said] = []
        self._gathered: list[Said] = []
        self._due: asyncio.TimerHandle | None = None
        # When gathered text was sent last, by the clock of the loop.
        self._sent = 0.0
        # Whether a fact came since that may change the table.
        self._moved = False
        # Sealed messages that nobody is shown yet, and what came after them.
        self._sealed: list[events.Event] = []
        # The messages that the viewers were told, by number.
        self._messages: dict[int, events.MessagePosted] = {}
        # Sealed ones that were shown at a pause, without their acts.
        self._unread: list[int] = []
        # Those that hold, to tell what is changed of them.
        self._settings: Settings | None = None
        self._citations = Citations()
        # Who looks at it.
        self.viewers: set[_Viewer] = set()
        self._ready = asyncio.Event()
        self._streams: Running | None = None
        self._heard: Subscription | None = None
        self._table: Said = {}
        self._verdict: Said = {}
        # By title what the author of the last line is told of it.
        self._said_back: dict[str, Said] = {}
        # By member what it has written of its message.
        self._writing: dict[str, str] = {}
        # Set with each fact that the viewers are told of.
        self._news = asyncio.Event()
        # When the last viewer left.
        self.left = monotonic()
        # The status that was told last.
        self._shown: Said = {}
        self.failed = ""
        self._tasks = (
            asyncio.create_task(self._follow(), name=f"feed of {name}"),
            asyncio.create_task(self._look(), name=f"state of {name}"),
        )

    async def view(self, after: int = 0, *, owner: bool = True, who: str = "") -> AsyncGenerator[bytes]:
        """Yield server-sent events: all that the page shows, or what came `after` that fact; then each change.

        `who` is the name of the viewer's seat, empty for none: what this person is asked nobody else is told.
        """
        await self._ready.wait()
        self._listen()
        viewer = _Viewer(owner, who)
        self._opened(viewer, 1)
        self._send()  # the others get what was gathered before; this one has it in what there is now
        self.viewers.add(viewer)
        self._stir()
        try:
            yield _encoded(self._now(after, viewer))
            while not viewer.lost or not viewer.queue.empty():
                yield await viewer.queue.get()
        finally:
            self.viewers.discard(viewer)
            self.left = monotonic()
            self._opened(viewer, -1)
            self._stir()

    def end(self, who: str | None = None) -> None:
        """Have the pages of one person, or None for all, show no more: the seat is another's, or the table closes."""
        for viewer in [each for each in self.viewers if who in (None, each.who)]:
            self._tell_one(viewer, {"kind": "left" if who else "closed"})
            viewer.lost = True

    def end_owners(self) -> None:
        """Have the owner's browsers come anew: one of them has signed out."""
        for viewer in [each for each in self.viewers if each.owner]:
            self._put([viewer], ())
            viewer.lost = True

    async def caught_up(self, seq: int) -> None:
        """Wait until the viewers have been told of that fact, and of what is decided by then."""
        while self.viewers and not self.failed and self._at < seq:
            self._news.clear()
            await self._news.wait()
        await self._decided()
        self._send()

    async def close(self) -> None:
        """Follow no more."""
        ends: list[Any] = [self._due, self._heard, *self._tasks]
        for each in filter(None, ends):
            each.cancel()
        if self._streams is not None:
            self._streams.told.remove(self._asked)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._session.close()

    def _seat(self, who: str) -> WebSeat | None:
        here = self._host.running.get(self._name)
        return here.seat(who) if here is not None and who else None

    def _question(self, who: str) -> Said:
        return question_of(self._seat(who), self._state, self._memory)

    def _opened(self, viewer: _Viewer, pages: int) -> None:
        """Tell a person's seat that a page of theirs opens or closes."""
        if (seat := self._seat(viewer.who)) is not None:
            seat.opened(pages)

    def _now(self, after: int, viewer: _Viewer) -> Iterator[Said]:
        seat, question = self._seat(viewer.who), self._question(viewer.who)
        if after and self._told and after >= self._told[0]["seq"] - 1:
            yield from [said for said in self._told if said["seq"] > after]
        else:
            started = self._state.started
            yield {
                "kind": "all",
                "seq": self._sealed[0].seq - 1 if self._sealed else self._at,
                "question": one_line(started.question) if started else "",
                "badges": badges(self._state),
                "seat": seat.title if seat else "",
                "owner": viewer.owner,
                "documents": bool(started and started.documents),
                "told": [*self._told],
            }
        yield from (self._table, self._status(), self._waiting(), question)
        yield from filter(None, [self._said_back.get(seat.title if seat else "")])
        yield from ({"kind": "text", "who": who, "text": text, "whole": True} for who, text in self._writing.items())
        if self._verdict:
            yield self._verdict
        if self.failed:
            yield {"kind": "failed", "text": self.failed}

    def _status(self) -> Said:
        here, trial = self._host.running.get(self._name), self._host.trials.get(self._name)
        tested = trial is not None and trial.done() and not trial.cancelled()
        tried = {
            "testable": self._state.verdict is not None and bool(self._state.ballots),
            "tried": len(tried_of(self._state)),
            "trying": trial is not None and not trial.done(),
            "why_untried": str(trial.exception() or trial.result()) if trial and tested else "",
        }
        written = self._host.runs(self._name) is None and self._session.written
        watching = len({(each.owner, each.who) for each in self.viewers})
        return status_of(self._state, here, written=written, watching=watching) | tried

    def _waiting(self) -> Said:
        if (here := self._host.running.get(self._name)) is None:
            return {"kind": "waiting", "text": "", "who": [], "others": False}
        asked = [seat for seat in here.seats if seat.prompt]
        return {
            "kind": "waiting",
            "text": here.waiting,
            "who": [] if self._state.agenda.anonymous else [seat.title for seat in asked],
            "others": any(seat.name != here.own for seat in asked),
        }

    def _asked(self, seat: WebSeat) -> None:
        """Tell a person what they are asked, and everybody who is waited for."""
        for viewer in [each for each in self.viewers if each.who == seat.name]:
            self._tell_one(viewer, self._question(seat.name))
        self._tell(self._waiting())

    async def _follow(self) -> None:
        """Fold the facts of the session, and tell the viewers of each."""
        try:
            self._state, self._memory = await asyncio.to_thread(read_back, self._session)
            self._at = self._state.last_seq
            self._told = [said for fact in self._session.events() if fact.seq <= self._at for said in self._of(fact)]
            self._table = table_of(self._state, self._memory)
            self._listen()
            self._ready.set()
            await asyncio.sleep(0)  # who waits is told what there is before the report's counts take their time
            await self._decided()
            async with aclosing(self._session.follow(self._at, forever=True)) as facts:
                async for fact in facts:
                    await self._fold(fact)
                    self._took(fact)
                    if isinstance(fact, events.SessionEnded | events.PhaseStarted | events.VoteTried):
                        await self._decided()
        except (EdaError, OSError) as error:
            self.failed = self._state.settings.words.error(error)[0] if isinstance(error, EdaError) else str(error)
            self._news.set()
            self._ready.set()
            self._tell({"kind": "failed", "text": self.failed})

    async def _fold(self, fact: events.Event) -> None:
        """Have state and memory hold a fact: a debate that runs here folds it for both."""
        here = self._host.running.get(self._name)
        if here is not None and here.debate.progress.last_seq >= fact.seq:
            self._state, self._memory, self._borrowed = here.debate.progress, here.debate.memory, True
        elif self._borrowed:  # the debate has ended, and another process goes on with the session
            self._state, self._memory = await asyncio.to_thread(read_back, self._session)
            self._borrowed = False
        elif fact.seq > self._state.last_seq:
            self._state.fold(fact)
            self._memory.fold(fact)

    def _took(self, fact: events.Event) -> None:
        self._at = fact.seq
        self._listen()
        if isinstance(fact, events.SessionStarted | events.MemberChanged):
            self._tell({"kind": "badges", "badges": badges(self._state)})
        anew = [fact.message] if isinstance(fact, events.LineAnswered) else []
        if isinstance(fact, events.PhaseStarted):
            anew, self._unread = self._unread, []
        read = {
            each.seq: message_of(each, self._memory, self._state.settings.words, self._citations)
            for each in map(self._messages.get, anew)
            if each is not None
        }
        if read:
            self._told = [read.get(said["seq"], said) for said in self._told]
        for said in read.values():
            self._tell({key: value for key, value in said.items() if key != "seq"})
        for said in self._of(fact):
            self._writing.pop(said.get("who", ""), None)
            self._told.append(said)
            self._tell(said)
        here = self._host.running.get(self._name)
        reads = here is not None and isinstance(fact, events.MessagePosted) and here.debate.reads(fact.number)
        if told := said_back(fact, self._memory, self._state, reads=reads):
            self._said_back[told["who"]] = told
            for viewer in [*self.viewers]:
                if (seat := self._seat(viewer.who)) is not None and seat.title == told["who"]:
                    self._tell_one(viewer, told)
        self._moved |= not isinstance(fact, _UNMOVED)
        self._stir()
        self._news.set()

    async def _look(self) -> None:
        """Tell the state that no fact tells of: a process that wrote the session has ended, or was killed."""
        while True:
            await asyncio.sleep(_LOOK)
            if self.viewers:
                self._stir()

    async def _decided(self) -> None:
        """Tell how the debate has decided, or that it goes on."""
        verdict = await asyncio.to_thread(verdict_of, self._session, self._state, self._memory)
        if verdict != self._verdict:
            self._verdict = verdict
            self._tell(verdict or {"kind": "verdict", "rows": []})

    def _of(self, fact: events.Event) -> Iterator[Said]:
        """Yield what the page shows now that a fact has come: sealed messages once all hear them, with their acts."""
        self._sealed.append(fact)
        first = self._sealed[0]
        if isinstance(first, events.MessagePosted) and first.sealed and not isinstance(fact, _UNSEALS):
            return
        facts, self._sealed = self._sealed, []
        for each in facts:
            if isinstance(each, events.SessionStarted):
                self._citations = Citations(each.documents)
            if isinstance(each, events.MessagePosted):
                yield message_of(each, self._memory, self._state.settings.words, self._citations)
                self._messages[each.number] = each
                self._unread += [each.number] * (each.sealed and isinstance(fact, events.SessionPaused))
            elif said := line_of(each, self._settings, self._state.settings.words):
                yield said
            if isinstance(each, events.SessionStarted | events.SettingChanged):
                self._settings = each.settings

    def _listen(self) -> None:
        """Hear what is no fact yet of a debate that runs here: text as it is written, and what a person is asked."""
        here = self._host.runs(self._name)
        if here is None or here is self._streams:
            return
        self._streams = here
        self._writing.clear()
        self._heard = here.debate.bus.subscribe(events.TextStreamed, self._hear, name="page")
        here.debate.inbox.refused = here.debate.inbox.refused or (
            lambda why: self._tell(
                {"kind": "failed", "text": self._state.settings.words.say("serving-not-done", why=why)}
            )
        )
        here.told.append(self._asked)
        for viewer in [*self.viewers]:
            self._opened(viewer, 1)
            seat = self._seat(viewer.who)
            self._tell_one(viewer, {"kind": "seat", "seat": seat.title if seat else ""})
            self._tell_one(viewer, self._question(viewer.who))
        assert here.task is not None  # it runs
        here.task.add_done_callback(lambda _: self._stir())

    def _hear(self, piece: events.TextStreamed) -> None:
        state = self._streams.debate.progress if self._streams is not None else self._state
        if state.does.sealed and any(each.person for each in state.personas.values()):
            return  # somebody may still write theirs
        text = clean(piece.text)
        self._writing[piece.agent] = self._writing.get(piece.agent, "") + text
        self._tell({"kind": "text", "who": piece.agent, "text": text})

    def _tell(self, said: Said) -> None:
        self._gathered.append(said)
        self._stir()

    def _stir(self) -> None:
        """Have what is gathered sent soon, with the table and the state as they are then."""
        if self._due is None:
            gathered = min(_GATHERED + _EACH * len(self.viewers), _MOST)
            self._due = asyncio.get_running_loop().call_at(self._sent + gathered, self._send)

    def _send(self) -> None:
        """Send the viewers what was gathered, encoded once for all."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        gathered, self._gathered = self._gathered, []
        if self._moved and (table := table_of(self._state, self._memory)) != self._table:
            self._table = table
            gathered.append(table)
        self._moved = False
        # A debate that runs here may be ahead of its log: nobody is told that it ended before they have what was said.
        if self._state.last_seq <= self._at and (status := self._status()) != self._shown:
            self._shown = status
            gathered.append(status)
        if gathered:
            self._sent = asyncio.get_running_loop().time()
            self._put(self.viewers, gathered)

    def _tell_one(self, viewer: _Viewer, said: Said) -> None:
        """Tell one viewer something, after what all are told before it."""
        self._send()
        self._put([viewer], [said])

    def _put(self, viewers: Iterable[_Viewer], told: Iterable[Said]) -> None:
        data = _encoded(told)
        for viewer in [*viewers]:
            try:
                viewer.queue.put_nowait(data)
            except asyncio.QueueFull:  # it reads no more: its browser begins anew when it does
                viewer.lost = True
                self.viewers.discard(viewer)


def _encoded(told: Iterable[Said]) -> bytes:
    """Return server-sent events; a fact's has its `seq`, from which a browser goes on."""
    lines = ((f"id: {said['seq']}\n" if "seq" in said else "", json.dumps(said, ensure_ascii=False)) for said in told)
    return "".join(f"{number}data: {data}\n\n" for number, data in lines).encode()
