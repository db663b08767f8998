"""One session, followed once for all who look at it: all that a page shows now, then each change."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from time import monotonic

from eda import events
from eda.bus import Subscription
from eda.debate.replay import read_back
from eda.debate.state import DebateState
from eda.errors import EdaError
from eda.memory import ConversationMemory
from eda.report.formatting import clean, one_line
from eda.serve.host import Host, Running
from eda.serve.people import WebSeat
from eda.serve.shown import Said, badges, line_of, message_of, question_of, status_of, table_of, verdict_of
from eda.session import Session

_WAITING = 256
"""Things that wait for a viewer who does not read; one who is further behind begins anew."""
_LOOK = 1.0
"""Seconds between two looks at whether a process writes the session."""
_PATIENCE = 60.0
"""Seconds after the last viewer for which a session is followed."""
_UNMOVED = (events.CallMade, events.BidsTaken, events.FloorGranted, events.StanceTaken)
"""Facts that change nothing on the table."""


@dataclass(slots=True, eq=False)
class _Viewer:
    owner: bool
    who: str
    """The name of the viewer's seat; empty for none."""
    queue: asyncio.Queue[Said] = field(default_factory=lambda: asyncio.Queue(_WAITING))
    lost: bool = False


class Feed:
    """One session, followed once for all who look at it."""

    def __init__(self, host: Host, name: str) -> None:
        self._host = host
        self._name = name
        self._session = Session.read(name, host.folder)
        self._state, self._memory = DebateState(), ConversationMemory()
        self._told: list[Said] = []
        self._viewers: set[_Viewer] = set()
        self._task: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()
        self._streams: Running | None = None
        self._heard: Subscription | None = None
        self._table: Said = {}
        self._verdict: Said = {}
        self._writing: dict[str, str] = {}
        """By member what it has written of its message."""
        self._news = asyncio.Event()
        """Set with each fact that the viewers are told of."""
        self._left = monotonic()
        self._shown: Said = {}
        """The status that was told last."""
        self.failed = ""

    async def view(self, after: int = 0, *, owner: bool = True, who: str = "") -> AsyncGenerator[Said]:
        """Yield all that the page shows, or what came `after` that fact; then each change, until the reader leaves.

        `who` is the name of the viewer's seat: what this person is asked nobody else is told.
        """
        if self._task is None:
            self._task = asyncio.create_task(self._follow(), name=f"feed of {self._name}")
            self._looking = asyncio.create_task(self._look(), name=f"state of {self._name}")
        await self._ready.wait()
        self._listen()
        viewer = _Viewer(owner, who)
        self._tell_status(1)
        self._opened(viewer, 1)
        self._viewers.add(viewer)
        try:
            for said in [*self._now(after, viewer)]:
                yield said
            while not viewer.lost or not viewer.queue.empty():
                yield await viewer.queue.get()
        finally:
            self._viewers.discard(viewer)
            self._left = monotonic()
            self._opened(viewer, -1)
            self._tell_status()

    def end(self, who: str | None = None) -> None:
        """Have the pages of one person, or None for all, show no more: the seat is another's, or the table closes."""
        for viewer in [each for each in self._viewers if who in (None, each.who)]:
            self._tell_one(viewer, {"kind": "left" if who else "closed"})
            viewer.lost = True

    async def caught_up(self, seq: int) -> None:
        """Wait until the viewers have been told of that fact."""
        while self._viewers and not self.failed and self._state.last_seq < seq:
            self._news.clear()
            await self._news.wait()

    async def close(self) -> None:
        """Follow no more."""
        if self._heard is not None:
            self._heard.cancel()
        if self._streams is not None:
            self._streams.told.remove(self._asked)
        tasks = [task for task in (self._task, self._looking) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._session.close()

    @property
    def idle(self) -> bool:
        """Whether nobody has looked at it for a while."""
        return not self._viewers and monotonic() - self._left > _PATIENCE

    def _seat(self, who: str) -> WebSeat | None:
        here = self._host.running.get(self._name)
        return here.seat(who) if here is not None and who else None

    def _opened(self, viewer: _Viewer, pages: int) -> None:
        """Tell a person's seat that a page of theirs opens or closes."""
        if (seat := self._seat(viewer.who)) is not None:
            seat.opened(pages)

    def _now(self, after: int, viewer: _Viewer) -> Iterator[Said]:
        seat = self._seat(viewer.who)
        if after and self._told and after >= self._told[0]["seq"] - 1:
            yield from [said for said in self._told if said["seq"] > after]
        else:
            started = self._state.started
            yield {
                "kind": "all",
                "seq": self._state.last_seq,
                "question": one_line(started.question) if started else "",
                "badges": badges(self._state),
                "seat": seat.title if seat else "",
                "owner": viewer.owner,
                "told": [*self._told],
            }
        yield from (self._table, self._status(), self._waiting(), question_of(seat))
        yield from ({"kind": "text", "who": who, "text": text, "whole": True} for who, text in self._writing.items())
        if self._verdict:
            yield self._verdict
        if self.failed:
            yield {"kind": "failed", "text": self.failed}

    def _status(self, more: int = 0) -> Said:
        here = self._host.running.get(self._name)
        return status_of(self._state, here, written=self._session.written, watching=len(self._viewers) + more)

    def _waiting(self) -> Said:
        here = self._host.running.get(self._name)
        others = here is not None and any(seat.prompt for seat in here.seats if seat.name != here.own)
        return {"kind": "waiting", "text": here.waiting if here else "", "others": others}

    def _asked(self, seat: WebSeat) -> None:
        """Tell a person what they are asked, and everybody who is waited for."""
        for viewer in [each for each in self._viewers if each.who == seat.name]:
            self._tell_one(viewer, question_of(seat))
        self._tell(self._waiting())

    async def _follow(self) -> None:
        """Fold the facts of the session, and tell the viewers of each."""
        try:
            self._state, self._memory = await asyncio.to_thread(read_back, self._session)
            until = self._state.last_seq
            self._told = [said for fact in self._session.events() if fact.seq <= until and (said := self._of(fact))]
            self._table = table_of(self._state, self._memory)
            self._listen()
            self._ready.set()
            await self._decided()
            async with aclosing(self._session.follow(self._state.last_seq, forever=True)) as facts:
                async for fact in facts:
                    self._state.fold(fact)
                    self._memory.fold(fact)
                    self._took(fact)
                    if isinstance(fact, events.SessionEnded | events.PhaseStarted):
                        await self._decided()
        except (EdaError, OSError) as error:
            self.failed = str(error)
            self._news.set()
            self._ready.set()
            self._tell({"kind": "failed", "text": str(error)})

    def _took(self, fact: events.Event) -> None:
        self._listen()
        if isinstance(fact, events.SessionStarted | events.MemberChanged):
            self._tell({"kind": "badges", "badges": badges(self._state)})
        if said := self._of(fact):
            self._writing.pop(said.get("who", ""), None)
            self._told.append(said)
            self._tell(said)
        if not isinstance(fact, _UNMOVED) and (table := table_of(self._state, self._memory)) != self._table:
            self._table = table
            self._tell(table)
        self._tell_status()
        self._news.set()

    def _tell_status(self, more: int = 0) -> None:
        if (status := self._status(more)) != self._shown:
            self._shown = status
            self._tell(status)

    async def _look(self) -> None:
        """Tell the state that no fact tells of: a process that wrote the session has ended, or was killed."""
        while True:
            await asyncio.sleep(_LOOK)
            if self._viewers:
                self._tell_status()

    async def _decided(self) -> None:
        """Tell how the debate has decided, or that it goes on."""
        verdict = await asyncio.to_thread(verdict_of, self._session, self._state, self._memory)
        if verdict != self._verdict:
            self._verdict = verdict
            self._tell(verdict or {"kind": "verdict", "rows": []})

    def _of(self, fact: events.Event) -> Said | None:
        return message_of(fact, self._memory) if isinstance(fact, events.MessagePosted) else line_of(fact)

    def _listen(self) -> None:
        """Hear what is no fact yet of a debate that runs here: text as it is written, and what a person is asked."""
        here = self._host.running.get(self._name)
        if here is None or here is self._streams or here.task is None or here.task.done():
            return
        self._streams = here
        self._writing.clear()
        self._heard = here.debate.bus.subscribe(events.TextStreamed, self._hear, name="page")
        here.debate.inbox.refused = here.debate.inbox.refused or (
            lambda why: self._tell({"kind": "failed", "text": f"not done: {one_line(why)}"})
        )
        here.told.append(self._asked)
        for viewer in [*self._viewers]:
            self._opened(viewer, 1)
            seat = self._seat(viewer.who)
            self._tell_one(viewer, {"kind": "seat", "seat": seat.title if seat else ""})
            self._tell_one(viewer, question_of(seat))
        here.task.add_done_callback(lambda _: self._tell_status())

    def _hear(self, piece: events.TextStreamed) -> None:
        text = clean(piece.text)
        self._writing[piece.agent] = self._writing.get(piece.agent, "") + text
        self._tell({"kind": "text", "who": piece.agent, "text": text})

    def _tell(self, said: Said) -> None:
        for viewer in [*self._viewers]:
            self._tell_one(viewer, said)

    def _tell_one(self, viewer: _Viewer, said: Said) -> None:
        try:
            viewer.queue.put_nowait(said)
        except asyncio.QueueFull:  # it reads no more: its browser begins anew when it does
            viewer.lost = True
            self._viewers.discard(viewer)
