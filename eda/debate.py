"""`Debate`: builds the bus, seats the listeners, walks the agenda; runs, stops and resumes a session."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from eda.agenda import Agenda
from eda.bids import Bids
from eda.briefing import Briefing
from eda.bus import MessageBus
from eda.calls import call_made, failed_call
from eda.changing import extended_settings
from eda.errors import RunnerError, RunnerUnavailableError, UsageError
from eda.events import (
    AnnouncedEvent,
    CallMade,
    Event,
    MemberChanged,
    PhaseStarted,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SettingChanged,
    SubscriberFailed,
    VerdictReached,
)
from eda.inbox import Inbox
from eda.members import anonymous, by_title, come_and_gone, people_of, seated
from eda.memory import ConversationMemory
from eda.memory.extractive import extractive_summary
from eda.memory.material import Material
from eda.memory.summaries import Draft, Summariser
from eda.memory.taking import read_answer
from eda.moderator import Moderator
from eda.panels import Library, Panel
from eda.patterns import PatternPack
from eda.personas import Persona
from eda.progress import Progress
from eda.protocols import Prompt, Runner
from eda.records import Document
from eda.replay import memory_of, progress_of, save_memory
from eda.runners.names import given_runner, let_go
from eda.runners.seated import SeatedRunner
from eda.runners.waiting import delayed, on_wait
from eda.script import run_now
from eda.seats import Seats
from eda.session import Session
from eda.settings import Settings, SummaryStyle
from eda.setup import (
    agenda_of,
    checked_agenda,
    checked_options,
    checked_question,
    fitting,
    panel_settings,
    session_runner,
    with_bids,
)
from eda.spending import BudgetError, Spending
from eda.spent import Spent
from eda.steered import Steered
from eda.steering import Noted
from eda.verdict import choices_now
from eda.walk import Walk

__all__ = ["Debate", "Result"]

E = TypeVar("E", bound=Event)


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a run."""

    session: str
    question: str
    reason: str
    """What ended the discussion, an `EndReason`; else why it was paused, or `stopped`."""
    verdict: VerdictReached | None
    """None where the debate was stopped before its ballot."""
    messages: int
    spent: Spent
    failures: tuple[SubscriberFailed, ...]
    """Subscribers that raised or fell behind."""
    runner: str


_PATIENCE = 30.0
"""Seconds that subscribers have at the end, and a server to name its models. None that hangs hangs the debate."""


class Debate(Steered):
    """A panel, a question, a runner: run it, listen to it, resume it."""

    def __init__(
        self,
        question: str,
        panel: str | Panel | Sequence[str | Persona] = "product-decision",
        runner: Runner | str = "simulated",
        *,
        options: Sequence[str] = (),
        documents: Sequence[Document] = (),
        settings: Settings | None = None,
        seed: int = 0,
        session: Session | None = None,
        patterns: PatternPack | None = None,
        library: Library | None = None,
        prompts: Mapping[str, str] | None = None,
        agenda: Agenda | str | None = None,
        human: str | None = None,
        seats: Mapping[str, Runner] | None = None,
    ) -> None:
        """Set a new debate up. Its first fact is stored when it runs.

        `human` takes a seat beside the panel, and speaks through `say`, or through the `HumanRunner` that `seats` gives
        it. `seats` can give any other member, by title or name, a runner of its own.

        Raises:
            UsageError: an empty question, a repeated option, fewer than two members, a session that has begun, a runner
                that is none, or one of `prompts` (the user's own texts, by the names of those in `eda/prompts`) that
                does not fit.
            UnknownNameError: no persona, panel, runner or prompt of that name.
        """
        self._library = library or Library()
        named, members = seated(panel, self._library)
        guests = people_of(members, human, seats or {})
        asked = given_runner(runner)
        session = session or Session.in_memory()
        memory = ConversationMemory(patterns, fact=session.fact)
        asked_question, given = checked_question(question), checked_options(options)
        order = checked_agenda(agenda_of(agenda, named), asked_question, given)
        members = (*members, *guests)
        sit = anonymous(members) if order.anonymous else members
        started = SessionStarted(
            session=session.name,
            question=asked_question,
            options=given,
            panel=named.name if named else "",
            members=sit,
            agenda=order,
            documents=tuple(documents),
            settings=fitting(with_bids(settings or panel_settings(named)), order, members, sit),
            seed=seed,
            runner=getattr(asked, "spec", type(asked).__name__),
            patterns=memory.patterns.fingerprint,
            prompts=dict(prompts or {}),
        )
        if session.log.last_seq:
            raise UsageError(
                f"session {session.name!r} holds a debate already", hint="Go on with it: eda resume, or Debate.resume."
            )
        self._build(started, session, asked, memory, Progress(), seats or {}, own=asked is not runner)

    @classmethod
    def resume(
        cls,
        session: Session,
        runner: Runner | str | None = None,
        *,
        max_messages: int | None = None,
        settings: Mapping[str, object] | None = None,
        patterns: PatternPack | None = None,
        human: str | None = None,
        seats: Mapping[str, Runner] | None = None,
    ) -> Debate:
        """Take a session up where it stopped: same panel, memory, phase and numbering.

        Args:
            session: An open one.
            runner: None for the one that the session was run with.
            max_messages: A new limit; more than before takes up the discussion of an ended session again.
            settings: Other settings to change, by their names in `Settings`: `{"max_tokens": 90_000}`.
            patterns: The pack to read free text with; None for the default one.
            human: Who takes their seat again, or a new one. A person's seat that nobody takes again is muted.
            seats: Runners of single members, as for a new debate.

        Raises:
            UsageError: the session has ended and no limit is raised, a limit is reached already, or it is no debate.
        """
        started = session.started()
        if started.kind != "debate":
            raise UsageError(f"session {session.name!r} is a recorded transcript, not a debate")
        debate = cls.__new__(cls)
        debate._library = Library()  # noqa: SLF001 - its own class
        progress = progress_of(session)
        changes = dict(settings or {}) | ({} if max_messages is None else {"max_messages": max_messages})
        renewed = extended_settings(session, progress, changes)
        asked = session_runner(started.runner) if runner is None else given_runner(runner)
        memory, moving = memory_of(session, patterns), come_and_gone(progress, human, seats or {})
        debate._build(  # noqa: SLF001 - its own class
            started, session, asked, memory, progress, seats or {}, moving, own=asked is not runner
        )
        debate._settings = renewed  # noqa: SLF001 - its own class
        return debate

    def _build(
        self,
        started: SessionStarted,
        session: Session,
        runner: Runner,
        memory: ConversationMemory,
        progress: Progress,
        seats: Mapping[str, Runner],
        moving: tuple[MemberChanged, ...] = (),
        *,
        own: bool,
    ) -> None:
        self.session = session
        self.memory = memory
        self.progress = progress
        self.runner = runner
        self.owns_runner = own
        self.bus = MessageBus(session.log, self._fold)
        self._started = started
        self._settings = progress.settings
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self._briefing = Briefing(started, memory, progress)
        joining = (fact.persona for fact in moving if fact.persona is not None)
        self._own_runners = by_title((*started.members, *progress.personas.values(), *joining), seats)
        asked = SeatedRunner(self.runner, self._own_runners) if self._own_runners else self.runner
        self._spending = Spending(asked, progress, memory, self._ballot_ahead)
        self._come_and_gone = moving
        self._seats = Seats(self.bus, self._briefing, progress, self._spending, self._own_runners, self.members)
        self.inbox = Inbox(self.bus, progress, memory, lambda: self._seats.people)
        self._summariser = Summariser(
            memory,
            self.bus.publish,
            interval=started.settings.summary_every,
            style=lambda: progress.settings.summary_style,
            ask=self._ask_summary if getattr(self.runner, "summarises", True) else None,
            deterministic=getattr(self.runner, "deterministic", False),
        )
        moderator = Moderator(self._spending, self._briefing)
        bids = Bids(self._seats, self._spending, self._briefing, progress)
        asking = (bids, moderator, self._briefing)
        self._walk = Walk(self.bus, self._seats, *asking, memory, progress, self._summariser, started, self.inbox)

    @property
    def members(self) -> tuple[Persona, ...]:
        """Who sits now, in seat order."""
        return self.progress.panel or self._started.members

    def on(self, kind: type[E]) -> Callable[[Callable[[E], object]], Callable[[E], object]]:
        """Decorate a function, plain or async, that is to be called with each event of `kind`, in order.

        One that raises stops nothing; what it raised stands in the result's `failures`. `Event` is every kind.
        """
        return self.bus.on(kind)

    def run_sync(self) -> Result:
        """`run`, for a script.

        Raises:
            UsageError: an event loop runs already, as in a notebook.
        """
        return run_now(self.run, "await debate.run()")

    async def run(self) -> Result:
        """Walk the agenda to its end, or until `stop`.

        Raises:
            RunnerUnavailableError: no call will succeed; the session was paused and can be resumed.
            UsageError: it was run before; `Debate.resume` takes a session up again.
            SessionError: a fact could not be stored; what was stored before is safe.
            ExceptionGroup: never; what subscribers raised stands in the result's `failures`.
        """
        await self._name_models()
        if self._task is not None:
            raise UsageError("this debate was run already", hint="Take its session up: Debate.resume(session).")
        self._open()
        before = on_wait.set(self._delayed)
        self._task = asyncio.create_task(self._walk.to_the_end())
        on_wait.reset(before)
        if self._stopping:
            self._task.cancel()
        try:
            await self._task
            self.inbox.flush()
        except asyncio.CancelledError:
            await self._pause("stopped")
            if not self._stopping:
                raise
        except RunnerUnavailableError as error:
            await self._pause(str(error))
            raise
        finally:
            await self._close()
        return self._result()

    def stop(self) -> None:
        """Cancel the running call; the session is paused and can be resumed. `run` then returns."""
        self._stopping = True
        if self._task is not None:
            self._task.cancel()

    def note(
        self, text: str, who: str = "you", importance: int = 500, topic: str = "", *, private: bool = False
    ) -> None:
        """Have memory keep a note of a person's; the panel is shown it with its next prompts, unless it is private.

        Raises:
            UsageError: the debate has not begun, or the note is no note: see `note_taken`.
        """
        if self.progress.started is None:
            raise UsageError("the debate has not begun: there is nowhere to keep a note yet", hint="Run it first.")
        taken = Noted(text, who, importance, topic, private)
        self.bus.publish(taken.fact(self.progress, self.memory))

    def _fold(self, event: Event) -> Iterable[AnnouncedEvent]:
        self.progress.fold(event)
        if isinstance(event, CallMade):
            self._spending.written(event)
        return self.memory.fold(event)

    async def _name_models(self) -> None:
        """Have the session say which model a server that was asked for none has: a resume then asks the same."""
        prepare = getattr(self.runner, "prepare", None)
        if prepare is None or self.progress.started is not None:
            return
        with suppress(RunnerError, TimeoutError):  # the first call says what is wrong
            async with asyncio.timeout(_PATIENCE):
                await prepare()
            spec = getattr(self.runner, "spec", self._started.runner)
            self._started = self._started.model_copy(update={"runner": spec})

    def _open(self) -> None:
        progress = self.progress
        if progress.started is None:
            self.bus.publish(self._started)
            return
        facts: list[Event] = [SessionResumed()]
        if self._settings != progress.settings:
            facts.append(SettingChanged(settings=self._settings))
        facts += self._come_and_gone
        if progress.ended is not None:
            facts.append(PhaseStarted(phase=progress.agenda.taken_up_at, round=progress.round + 1, why="extended"))
        self.bus.publish(*facts)

    async def _ask_summary(
        self, material: Material, style: SummaryStyle, attempt: int, wrong: tuple[str, ...]
    ) -> Draft:
        prompt = self._briefing.summarise(material, style, attempt, wrong)
        try:
            reply = await self._spending.run(prompt)
        except BudgetError:
            return Draft(extractive_summary(material, style), by="extractive")
        except RunnerUnavailableError:
            raise
        except RunnerError as error:
            return Draft("", failed_call(prompt, error), wrong=str(error))
        text, answer = read_answer(reply.text, reply.data) if prompt.answer else (reply.text, None)
        return Draft(text, (call_made(prompt, reply),), reply.model or "model", answer)

    def _ballot_ahead(self) -> tuple[Prompt, int]:
        """The prompt of one ballot, as it would be now, and how many there will be."""
        choices = choices_now(self._started, self.memory)
        prompt = self._briefing.vote(self.members[0], choices)
        return prompt, len(self.members)

    def _delayed(self, prompt: Prompt, seconds: float, reason: str, attempt: int) -> None:
        self.bus.announce(delayed(prompt, seconds, reason, attempt))

    async def _pause(self, reason: str) -> None:
        await self._summariser.settle()
        await self._summariser.cancel()
        self.inbox.flush()
        # What nobody came to use was paid for too; a runner that is a function of its prompt answers for nothing.
        asked = getattr(self.runner, "inner", self.runner)
        unused = () if getattr(asked, "deterministic", False) else self._spending.unwritten
        self.bus.publish(*(call_made(prompt, reply) for prompt, reply in unused), SessionPaused(reason=reason))

    async def _close(self) -> None:
        await self._summariser.cancel()
        save_memory(self.session, self.memory)
        with suppress(ExceptionGroup):
            await self.bus.drain(_PATIENCE)
        await self.bus.close()
        if self.owns_runner:
            await let_go(self.runner)

    def _result(self) -> Result:
        progress = self.progress
        return Result(
            session=self.session.name,
            question=self._started.question,
            reason=progress.ended or progress.paused or "stopped",
            verdict=progress.verdict,
            messages=progress.messages,
            spent=progress.spent,
            failures=self.bus.failures,
            runner=self._started.runner,
        )
