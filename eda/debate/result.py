"""How a debate is followed and shown while it runs, and the `Result` of it; `run_now` runs async work for a script."""

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from eda import events
from eda.bus import MessageBus
from eda.debate.state import DebateState
from eda.errors import UsageError
from eda.memory import ConversationMemory
from eda.memory.shown import motion_table
from eda.panels.persona import Persona
from eda.runners.protocol import Runner
from eda.session import Session
from eda.session.frames import ballot_table, stance_table, verdict_card
from eda.words import ENGLISH, Words

E = TypeVar("E", bound=events.Event)
# Messages that stand open while the debate runs.
_NEWEST = 3
# Messages of a transcript in a notebook, which stores it; the report has all.
_LAST = 30
# Seconds between two drawings: a notebook keeps what each page that is open is sent.
_PAUSE = 0.25


class Shown:
    """How a `Debate` is followed and shown."""

    bus: MessageBus
    session: Session
    memory: ConversationMemory
    progress: DebateState
    started: events.SessionStarted
    runner: Runner
    owns_runner: bool

    @property
    def members(self) -> tuple[Persona, ...]:
        """Who sits now, in seat order."""
        return self.progress.panel or self.started.members

    def on(self, kind: type[E]) -> Callable[[Callable[[E], object]], Callable[[E], object]]:
        """Decorate a function, plain or async, that is to be called with each event of `kind`, in order.

        One that raises stops nothing; what it raised stands in the result's `failures`. `Event` is every kind.
        """
        return self.bus.on(kind)

    def stream(
        self, after: int = 0, also: type[events.AnnouncedEvent] | None = None
    ) -> AsyncGenerator[events.Event, None]:
        """Yield in order the facts whose `seq` is above `after`: those of the log, then each new one, to the end.

        A reader that comes back with the `seq` of its last fact misses none. Another process has `Session.follow`.
        `also` names what is to be yielded besides, each before the fact that follows it: `TextStreamed` for text while
        it is written. No log keeps that, so a reader misses what came before it, or while it was far behind.
        """
        return self.bus.stream(after, also)

    def frames(self) -> dict[str, list[dict[str, Any]]]:
        """Return what happened so far as rows, oldest first, by frame: `messages`, `ballots`, `stances` and `calls`.

        `stances` has each private answer of a member, ballots included: `asked` says when, `after` which message.
        `pandas.DataFrame(debate.frames()["stances"])` is a table with a column a field.
        """
        return self.session.frames()

    def __repr__(self) -> str:
        where = ", ".join([f"{len(self.members)} members", f"{self.progress.messages} messages", self._state])
        return f"<Debate {self.started.question!r}, {where}>"

    def _repr_html_(self) -> str:
        verdict = self.progress.verdict
        return events.cards.card(
            self.started.question,
            self._status(),
            verdict_card(verdict, self.progress.settings.words) if verdict else "",
            stance_table(self.frames()["stances"], self.progress.settings.words),
            motion_table(self.memory, self.progress.settings.words),
            self.transcript(),
        )

    @property
    def _state(self) -> str:
        """Where it stands: `not begun`, the phase, or that it has ended or is paused, and why."""
        state = self.progress
        why = state.why_stopped
        begun = f"{state.state}: {why}" if why else state.phase.replace("-", " ")
        return begun if state.started is not None else "not begun"

    def _status(self) -> events.cards.Html:
        state, say = self.progress, self.progress.settings.words.say
        kind = state.state if state.why_stopped else state.phase if state.started is not None else "not-begun"
        stands = say("notebook-state", state=kind, why=state.why_stopped or "", phase=say("debate-phase", phase=kind))
        of = say("notebook-messages", messages=str(state.messages), most=str(state.settings.limits.messages))
        return events.cards.line(stands, of, *took(state.spent, self.progress.settings.words))

    def transcript(self) -> events.cards.Html:
        """Return the last 30 messages as HTML, shown on a click."""
        lines, count = self.memory.recent(_LAST), self.memory.message_count
        return events.cards.fold(
            self.progress.settings.words.say(
                "notebook-last", last=str(len(lines)), number=str(count), all=count == len(lines)
            ),
            _said(lines),
        )

    def live(self, writing: dict[str, str]) -> str:
        """Return, as HTML, what is shown while it runs: the newest messages, and what each member is `writing`."""
        being = [
            events.cards.said(self.progress.settings.words.say("notebook-writing", who=who), text)
            for who, text in writing.items()
        ]
        newest = _said(self.memory.recent(_NEWEST))
        return events.cards.card(
            self.started.question,
            self._status(),
            *newest,
            *being,
            motion_table(self.memory, self.progress.settings.words),
        )


def took(spent: events.UsageTotals, words: Words) -> tuple[str, ...]:
    """Return the calls, tokens and cost in words. What has no price is not said to be free."""
    cost = words.say("figure-dollars", figure=f"{spent.cost:.2f}") if spent.cost else ""
    return (
        words.say("figure-calls", number=spent.calls),
        words.say("figure-tokens", figure=spent.tokens, most=""),
        words.say("notebook-not-priced", cost=cost) if spent.unpriced_calls else cost,
    )


def _said(lines: Iterable[events.Line]) -> list[events.cards.Html]:
    return [events.cards.said(f"m{line.number} {line.who}", line.text) for line in lines]


class _Display:
    """What a notebook shows of a debate, drawn anew while it runs."""

    def __init__(self, debate: Shown) -> None:
        self._debate = debate
        self._writing: dict[str, str] = {}
        self.running = self.stale = True

    def __repr__(self) -> str:
        return repr(self._debate)

    def _repr_html_(self) -> str:
        if self.running:
            return self._debate.live(self._writing)
        return events.cards.card(self._debate.started.question, self._debate._status(), self._debate.transcript())  # noqa: SLF001 - one file

    def took(self, event: events.Event) -> None:
        match event:
            case events.TextStreamed():
                self._writing[event.agent] = self._writing.get(event.agent, "") + event.text
            case events.CallDelayed():  # its text begins anew
                self._writing.pop(event.agent, None)
            case events.MessagePosted() | events.TurnPassed() | events.TurnFailed():
                self._writing.pop(event.who, None)
        self.stale = True

    async def draw_each_change(self, place: Any) -> None:
        while self.running or self.stale:
            if self.stale:
                self.stale = False
                with suppress(Exception):  # a notebook that is gone must not end a debate
                    place.update(self)
            await asyncio.sleep(_PAUSE)


@asynccontextmanager
async def in_notebook(debate: Shown, *, show: bool) -> AsyncIterator[None]:
    """Show a debate where it runs in a notebook; elsewhere do nothing."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if not show or shell is None or "text/html" not in shell.display_formatter.active_types:
        yield
        return
    display = _Display(debate)
    debate.bus.subscribe(events.Event, display.took, name="notebook")
    place = sys.modules["IPython.display"].display(display, display_id=True)
    drawing = asyncio.create_task(display.draw_each_change(place))
    try:
        yield
    finally:
        display.running, display.stale = False, True
        await drawing


T = TypeVar("T")


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """The outcome of a run."""

    session: str
    question: str
    reason: str
    """What ended the discussion: the reason of a stop condition, or `person`; else why it was paused: `person`,
    `stopped`, or an error."""
    verdict: events.VerdictReached | None
    """None where the debate was stopped before its verdict."""
    messages: int
    spent: events.UsageTotals
    failures: tuple[events.SubscriberFailed, ...]
    """Subscribers that raised or fell behind."""
    runner: str
    kept: Session = field(compare=False)
    """The session itself, which can be read after it was closed."""

    def frames(self) -> dict[str, list[dict[str, Any]]]:
        """Return what happened as rows: see `Debate.frames`."""
        return self.kept.frames()

    @property
    def in_vain(self) -> dict[str, int]:
        """How many answers of a member failed, or said what it had said before, by title; empty where none did.

        What all are asked together has the name of its purpose, such as `bid`.
        """
        counts, known = Counter[str](), set[tuple[str, str]]()
        for fact in self.kept.events():
            match fact:
                case events.TurnFailed():
                    counts[fact.who or fact.purpose] += 1
                case events.TurnPassed(why="repeated" | "no speech"):
                    counts[fact.who] += 1
                case events.MessagePosted():
                    counts[fact.who] += (fact.who, fact.text) in known
                    known.add((fact.who, fact.text))
        return dict(+counts)

    def __repr__(self) -> str:
        decided = self.verdict.in_brief() if self.verdict else "no vote"
        facts = {"messages": str(self.messages), "reason": self.reason, "session": repr(self.session)}
        facts |= {"runner": self.runner, "vain": ", ".join(f"{who} {number}" for who, number in self.in_vain.items())}
        return ENGLISH.say("notebook-result", decided=decided, **facts)

    def _repr_html_(self) -> str:
        rows, words = self.frames(), self.kept.started().settings.words
        return events.cards.card(
            self.question,
            events.cards.line(
                words.say("figure-messages", number=self.messages),
                words.say("notebook-state", state="ended", why=self.reason, phase=""),
                *took(self.spent, words),
                words.say("notebook-session", name=self.session, kept="", facts=""),
            ),
            verdict_card(self.verdict, words)
            if self.verdict
            else events.cards.line(words.say("notebook-part", "stopped")),
            stance_table(rows["stances"], words),
            events.cards.fold(words.say("notebook-part", "ballots"), [ballot_table(rows["ballots"], words)]),
        )


def run_now(work: Callable[[], Coroutine[Any, Any, T]], instead: str) -> T:
    """Return the result of the work, done in a new event loop.

    Raises:
        UsageError: an event loop runs already; the hint names what to write `instead`.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    raise UsageError("an event loop runs here already, as in a notebook", hint=f"Write there: {instead}")
