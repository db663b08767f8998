"""What a page of a session is told: all that it shows now, then each change, the same for every viewer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import aclosing, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from eda import events
from eda.debate.floor.stop import room
from eda.debate.replay import read_back
from eda.debate.state import DebateState
from eda.errors import EdaError
from eda.memory import ConversationMemory
from eda.memory.table import reason_of, standing
from eda.report.badges import badges_of
from eda.report.effect_words import took
from eda.report.formatting import clean, in_short, one_line, span
from eda.report.phrases import ended_phrase
from eda.runners.protocol import Prompt
from eda.serve.host import Host, Running
from eda.session import Session
from eda.session.fork import upto

Said = dict[str, Any]
"""One thing that a page is told, as JSON: `kind`, and `seq` where it is a fact of the log."""
_STANCES = {"support": "for", "conditional": "for, if …", "oppose": "against", "neutral": "undecided"}
_CLAIMED = ("claimed", "disputed")
_WAITING = 256
"""Things that wait for a viewer who does not read; one who is further behind begins anew."""


def table_of(memory: ConversationMemory) -> Said:
    """Return the table: each open text with who stands where on it, then what is decided, claimed and closed."""
    cards: list[Said] = []
    for motion in memory.motions:
        text = motion.live
        if text is None or text.status != "active" or not motion.taken_up:
            continue
        stands = {
            word: [{"who": who, "why": reason_of(at) if at and at.why else ""} for who, at in standing(text, stance)]  # type: ignore[arg-type]
            for stance, word in _STANCES.items()
        }
        cards.append(
            {
                "id": text.id,
                "text": one_line(text.content),
                "by": text.proposer,
                "message": text.message,
                "versions": len(motion.versions),
                "stands": {word: who for word, who in stands.items() if who},
            }
        )
    decided = [one_line(each.outcome) for each in memory.decisions if each.status == "decided"]
    claimed = [f"m{each.messages[0]}: {one_line(each.outcome)}" for each in memory.claims if each.status in _CLAIMED]
    asked = [f"m{each.message}: {one_line(each.text)}" for each in memory.parts.unanswered]
    rest = {"Decided": decided, "Claimed, not voted on": claimed, "Asked, and not answered": asked}
    newest = sorted(cards, key=lambda card: -card["message"])
    return {"kind": "table", "cards": newest, "rest": {head: lines for head, lines in rest.items() if lines}}


def status_of(state: DebateState, running: Running | None, *, written: bool) -> Said:
    """Return where a debate stands: its state, its phase, what is left and what it took."""
    here = running is not None and running.task is not None and not running.task.done()
    paused = here and running is not None and running.debate.inbox.paused
    name = "paused" if paused else "running" if here or written else state.state
    why = state.ended or state.paused
    return {
        "kind": "status",
        "state": name,
        "why": (running.failed if running and running.failed and not here else "")
        or (ended_phrase(why, voted=state.verdict is not None) if why and name != "running" else ""),
        "phase": one_line(state.phase),
        "messages": state.messages,
        "left": room(state) if state.started and state.ended is None else 0,
        "took": took(state.spent, None),
        "time": span(state.spent.seconds),
        "here": here,
        "speaking": state.grant.agent if state.grant and name == "running" else "",
    }


def message_of(message: events.MessagePosted, memory: ConversationMemory) -> Said:
    """Return a message with its acts."""
    return {
        "kind": "message",
        "seq": message.seq,
        "number": message.number,
        "who": message.who,
        "to": message.to or "",
        "text": clean(message.talk).strip(),
        "acts": [one_line(act) for act in memory.below(message.number)],
    }


def line_of(fact: events.Event) -> Said | None:
    """Return what a fact that is no message says in a line; None where a page does not show it."""
    match fact:
        case events.PhaseStarted():
            words = one_line(fact.phase).replace("-", " ")
        case events.TurnPassed():
            words = f"{one_line(fact.who)} passes"
        case events.TurnFailed():
            words = f"{one_line(fact.who)} could not speak: {one_line(fact.error)}"
        case events.MemberChanged():
            words = f"{one_line(fact.who)}: {fact.change}"
        case events.SessionPaused():
            words = f"paused: {one_line(fact.reason)}"
        case events.SessionResumed():
            words = "goes on"
        case events.BallotCast(first=False):
            words = f"{one_line(fact.ballot.agent)} has voted"
        case events.VerdictReached():
            won = in_short(fact.text, fact.version, 200) if fact.text else ""
            words = f"verdict: {won or 'see the report'}" if fact.outcome is not None else "no verdict"
        case _:
            return None
    kind = "phase" if isinstance(fact, events.PhaseStarted) else "line"
    return {"kind": kind, "seq": fact.seq, "text": words}


def question_of(prompt: Prompt | None) -> Said:
    """Return what a person is asked now; an empty question where nothing waits."""
    if prompt is None:
        return {"kind": "question", "purpose": ""}
    texts = [{"id": text.id, "text": one_line(text.text)} for text in prompt.texts]
    return {"kind": "question", "purpose": prompt.purpose, "texts": texts}


@dataclass(slots=True, eq=False)
class _Viewer:
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
        self._ready = asyncio.Event()
        self._streams: Running | None = None
        self._table: Said = {}
        self.failed = ""

    async def view(self, after: int = 0) -> AsyncIterator[Said]:
        """Yield all that the page shows, or what came `after` that fact; then each change, until the reader leaves."""
        if self._task is None:
            self._task = asyncio.create_task(self._follow(), name=f"feed of {self._name}")
        await self._ready.wait()
        viewer = _Viewer()
        self._viewers.add(viewer)
        try:
            for said in self._now(after):
                yield said
            while not viewer.lost or not viewer.queue.empty():
                yield await viewer.queue.get()
        finally:
            self._viewers.discard(viewer)

    async def close(self) -> None:
        """Follow no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._session.close()

    @property
    def watched(self) -> bool:
        """Whether anybody looks at it."""
        return bool(self._viewers)

    def _now(self, after: int) -> Iterator[Said]:
        if after and self._told and after >= self._told[0]["seq"] - 1:
            yield from [said for said in self._told if said["seq"] > after]
        else:
            started = self._state.started
            yield {
                "kind": "all",
                "seq": self._state.last_seq,
                "question": one_line(started.question) if started else "",
                "badges": self._badges(),
                "seat": here.seat.name if (here := self._host.running.get(self._name)) and here.seat else "",
                "told": [said for said in self._told if said["seq"] <= self._state.last_seq],
            }
        yield from (table_of(self._memory), self._status(), question_of(self._asked))

    def _badges(self) -> Mapping[str, Said]:
        members = [*(self._state.started.members if self._state.started else ()), *self._state.personas.values()]
        return {title: asdict(badge) for title, badge in badges_of({m.title: m.role for m in members}).items()}

    def _status(self) -> Said:
        return status_of(self._state, self._host.running.get(self._name), written=self._session.written)

    @property
    def _asked(self) -> Prompt | None:
        here = self._host.running.get(self._name)
        return here.seat.prompt if here and here.seat else None

    async def _follow(self) -> None:
        """Fold the facts of the session, and tell the viewers of each."""
        try:
            self._state, self._memory = await asyncio.to_thread(read_back, self._session)
            self._told = [said for fact in self._session.events() if (said := self._of(fact))]
            self._table = table_of(self._memory)
            self._ready.set()
            async with aclosing(self._session.follow(self._state.last_seq, forever=True)) as facts:
                async for fact in facts:
                    self._state.fold(fact)
                    self._memory.fold(fact)
                    self._took(fact)
        except EdaError as error:
            self.failed = str(error)
            self._ready.set()
            self._tell({"kind": "failed", "text": str(error)})

    def _took(self, fact: events.Event) -> None:
        self._listen()
        if isinstance(fact, events.SessionStarted | events.MemberChanged):
            self._tell({"kind": "badges", "badges": self._badges()})
        if said := self._of(fact):
            self._told.append(said)
            self._tell(said)
        if (table := table_of(self._memory)) != self._table:
            self._table = table
            self._tell(table)
        self._tell(self._status())

    def _of(self, fact: events.Event) -> Said | None:
        return message_of(fact, self._memory) if isinstance(fact, events.MessagePosted) else line_of(fact)

    def _listen(self) -> None:
        """Hear what is no fact yet of a debate that runs here: text as it is written, and what a person is asked."""
        here = self._host.running.get(self._name)
        if here is None or here is self._streams:
            return
        self._streams = here
        with suppress(EdaError):
            here.debate.bus.subscribe(
                events.TextStreamed,
                lambda piece: self._tell({"kind": "text", "who": piece.agent, "text": clean(piece.text)}),
                name="page",
            )
        if here.seat is not None:
            here.seat.changed = lambda: self._tell(question_of(self._asked))
            here.seat.changed()
        if here.task is not None:
            here.task.add_done_callback(lambda _: self._tell(self._status()))

    def _tell(self, said: Said) -> None:
        for viewer in [*self._viewers]:
            try:
                viewer.queue.put_nowait(said)
            except asyncio.QueueFull:  # it reads no more: its browser begins anew when it does
                viewer.lost = True
                self._viewers.discard(viewer)


def at_message(name: str, folder: Path, number: int) -> list[Said]:
    """Return the table and the state as they stood after a message.

    Raises:
        EdaError: the session cannot be read, or has no such message.
    """
    with Session.read(name, folder) as session:
        state, memory = read_back(upto(session, number))
    return [table_of(memory), {**status_of(state, None, written=False), "state": f"m{number}", "why": ""}]
