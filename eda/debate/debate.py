"""`Debate`: builds the bus, seats the listeners, walks the agenda; runs, stops and resumes a session."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from eda import __version__, events
from eda.bus import MessageBus
from eda.debate import validation
from eda.debate.asking import my_turn
from eda.debate.budget import BudgetedRunner, JournaledRunner, publish_unused
from eda.debate.control.changes import extended_settings
from eda.debate.control.queue import ControlQueue, DebateControls
from eda.debate.control.socket import control_socket
from eda.debate.driver import Driver
from eda.debate.floor.policies import FloorPolicy
from eda.debate.floor.stop import StopCondition
from eda.debate.listener import AgentListener
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.replay import read_back, save_memory
from eda.debate.result import Result, in_notebook, run_now
from eda.debate.seating import Seating, anonymous, by_title, come_and_gone, people_of, per_seat, seated
from eda.debate.state import DebateState
from eda.debate.summaries import OwnSummariser
from eda.debate.verdict import answer_of, settled, slate_now
from eda.errors import RunnerUnavailableError, UsageError
from eda.memory import ConversationMemory
from eda.memory.summariser import Summariser
from eda.panels.agenda import Agenda
from eda.panels.documents.document import Document
from eda.panels.hearing import check_hearing
from eda.panels.panel import Library, Panel
from eda.panels.persona import Persona
from eda.panels.registry import SUMMARISERS
from eda.panels.settings import Settings
from eda.runners.protocol import Runner, close_runner, innermost, spec_of
from eda.runners.server import call_settings, on_wait, set_within
from eda.runners.shipped import given_runner, prepare
from eda.runners.tools import has_results, tools_of
from eda.session import Session
from eda.voting.rules import DecisionRule

# Seconds that subscribers have at the end. None that hangs hangs the debate.
_PATIENCE = 30.0


class Debate(DebateControls):
    """A panel, a question, a runner: run it, listen to it, resume it."""

    def __init__(
        self,
        question: str,
        panel: str | Panel | Sequence[str | Persona] = "product-decision",
        runner: Runner | str = "simulated",
        *,
        options: Sequence[str] = (),
        documents: Sequence[Document] = (),
        facts: Mapping[str, Sequence[str]] | None = None,
        stances: Mapping[str, str] | None = None,
        settings: Settings | None = None,
        seed: int = 0,
        session: Session | None = None,
        library: Library | None = None,
        prompts: Mapping[str, str] | None = None,
        agenda: Agenda | str | None = None,
        human: str | None = None,
        seats: Mapping[str, Runner] | None = None,
        listener: type[AgentListener] = AgentListener,
        floor: FloorPolicy | str | None = None,
        rule: DecisionRule | str | None = None,
        stop: Sequence[StopCondition | str] = (),
        summariser: OwnSummariser | str | None = None,
    ) -> None:
        """Set a new debate up. Its first fact is stored when it runs.

        Args:
            question: What the panel debates; not empty.
            panel: The name of a panel, or two personas or more, each by name or as a `Persona`. They sit in this order.
            runner: Who answers the prompts: an object with `run(prompt, on_text)`, or a spec as after `--runner`, such
                as `anthropic` or `recorded:FILE`. The default, `simulated`, is no model and costs nothing.
            options: 2 to 20 answers to choose from; none for a yes-or-no or an open question.
            documents: What all members read: see `read_documents`.
            facts: What only one member is told, by its title or name.
            stances: The option that a member opens for, by its title or name.
            settings: Limits and rules; None for those of the panel, else of `Settings()`: at most 24 messages (1 or
                more), a quorum of 0.5 (0 to below 1), and no limit in seconds, tokens or US dollars.
            seed: Decides all that is drawn by lot; a simulated panel says the same again with the same seed.
            session: Where the facts are kept; the panel goes on with a talk by hand that it holds. None for memory,
                which ends with the process.
            library: Where named panels and personas are looked up; None for those shipped and your own.
            prompts: Your own texts in the place of those in `eda/debate/prompts`, by their names.
            agenda: The phases: the name of a format, a TOML file or an `Agenda`; None for that of the panel.
            human: The name of a person who sits beside the panel and speaks through `say`, or as `seats` says.
            seats: Runners of single members, by title or name; a person's is a `HumanRunner`.
            listener: The class that each member but a person is made of.
            floor: Who speaks next: an object, a registered name or `module:Class`, as the next three are. See
                docs/extending.md. None for the one of `settings`, which by default is `bidding`.
            rule: What decides; None for the rule of the agenda.
            stop: What ends a discussion, beside the limits and what always does.
            summariser: Who writes the summaries; None for the runner's model, where it has one.

        Raises:
            UsageError: an empty question, a repeated option, fewer than two members, a session that has begun, a runner
                that is none, or one of `prompts` (the user's own texts, by the names of those in `eda/debate/prompts`)
                that does not fit.
            UnknownNameError: no persona, panel, runner, prompt, floor, rule or stop condition of that name.
        """
        self._library = library or Library()
        named, members = seated(panel, self._library)
        guests = people_of(members, human, seats or {})
        shared_runner = given_runner(runner)
        session = session or Session.in_memory()
        if session.begun is not None:
            raise UsageError(f"session {session.name!r} holds a debate already", hint="Go on with it: eda resume.")
        asked_question, given = validation.checked_question(question), validation.checked_options(options)
        progress, memory = DebateState(), ConversationMemory(fact=session.fact)
        for fact in session.events():  # of a talk by hand
            progress.fold(fact)
            memory.fold(fact)
        wanted = validation.as_recorded(settings or validation.panel_settings(named), shared_runner, prompts or {})
        own = validation.own_parts(progress.parts, floor, rule, stop, summariser)
        wanted = wanted.model_copy(update=own)
        order = validation.agenda_of(agenda, named)
        order = order.with_floor(own["floor"]) if "floor" in own else order
        order = validation.checked_parts(progress.parts, wanted, order)
        order = validation.checked_agenda(order, asked_question, given, wanted)
        members = (*members, *guests)
        check_hearing(wanted.hears or order.hears, len(members), len(guests))
        sit = anonymous(members) if order.anonymous else members
        started = events.SessionStarted(
            session=session.name,
            question=asked_question,
            options=given,
            panel=named.name if named else "",
            members=sit,
            agenda=order,
            documents=tuple(documents),
            tools=tools_of(shared_runner),
            settings=settled(validation.check_settings(wanted, order, members, sit), order),
            seed=seed,
            day=validation.day_told(shared_runner),
            runner=spec_of(shared_runner),
            eda=__version__,
            facts=validation.checked_facts(facts or {}, members, sit),
            stances=validation.checked_stances(stances or {}, members, sit, asked_question, given),
            patterns=memory.patterns.fingerprint,
            prompts=dict(prompts or {}),
        )
        briefing = PromptBuilder(started, memory, progress)
        self._build(briefing, session, shared_runner, seats or {}, listener, own=shared_runner is not runner)

    @classmethod
    def resume(
        cls,
        session: Session,
        runner: Runner | str | None = None,
        *,
        max_messages: int | None = None,
        settings: Mapping[str, object] | None = None,
        human: str | None = None,
        seats: Mapping[str, Runner] | None = None,
        listener: type[AgentListener] = AgentListener,
        floor: FloorPolicy | str | None = None,
        rule: DecisionRule | str | None = None,
        stop: Sequence[StopCondition | str] = (),
        summariser: OwnSummariser | str | None = None,
    ) -> "Debate":
        """Take a session up where it stopped: same panel, memory, phase and numbering.

        Args:
            session: An open one.
            runner: None for the one that the session was run with.
            max_messages: A new limit; more than before takes up the discussion of an ended session again.
            settings: Other settings to change, by their names in `Settings`: `{"max_tokens": 90_000}`.
            human: Who takes their seat again, or a new one. A person's seat that nobody takes again is muted.
            seats: Runners of single members, as for a new debate.
            listener: The class of members, as for a new debate.
            floor: Another floor policy, or the object where its class alone does not make it again.
            rule: The decision rule, likewise.
            stop: The stop conditions, likewise.
            summariser: Who writes the summaries, likewise.

        Raises:
            UsageError: the session has ended and no limit is raised, a limit is reached already, it is no debate, or
                a floor, rule or stop condition has to be passed.
        """
        started = session.started()
        if started.kind != "debate":
            validation.refuse_transcript(session)
        debate = cls.__new__(cls)
        debate._library = Library()  # noqa: SLF001 - its own class
        progress, memory = read_back(session)
        own = validation.own_parts(progress.parts, floor, rule, stop, summariser)
        changes = {name: value for name, value in own.items() if value != getattr(progress.settings, name)}
        changes |= dict(settings or {}) | ({} if max_messages is None else {"max_messages": max_messages})
        renewed = extended_settings(session, progress, memory, changes)
        validation.checked_parts(progress.parts, renewed, progress.agenda)
        shared_runner = validation.session_runner(session) if runner is None else given_runner(runner)
        moving = come_and_gone(progress, human, seats or {})
        briefing = PromptBuilder(started, memory, progress)
        debate._build(briefing, session, shared_runner, seats or {}, listener, moving, own=shared_runner is not runner)  # noqa: SLF001 - its own class
        debate._settings = renewed  # noqa: SLF001 - its own class
        return debate

    def _build(
        self,
        briefing: PromptBuilder,
        session: Session,
        runner: Runner,
        seats: Mapping[str, Runner],
        listener: type[AgentListener],
        moving: tuple[events.MemberChanged, ...] = (),
        *,
        own: bool,
    ) -> None:
        started, memory, progress = briefing.started, briefing.memory, briefing.state
        self.session, self.memory, self.progress = session, memory, progress
        self.runner, self.owns_runner = runner, own
        self.bus = MessageBus(session.log, self._fold)
        # The first fact, as it is stored when the debate runs.
        self.started = started
        self._settings = progress.settings
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self._briefing, briefing.lookups.connected = briefing, has_results(runner)
        joining = (fact.persona for fact in moving if fact.persona is not None)
        self._own_runners = by_title(everyone := (*started.members, *progress.personas.values(), *joining), seats)
        seated_runner = per_seat(runner, self._own_runners, everyone)
        journaled = JournaledRunner(seated_runner, session.journal, progress.calls, self.bus.publish)
        self._spending = BudgetedRunner(
            journaled,
            progress,
            memory,
            lambda: (  # the prompt of one ballot, as it would be now, and how many there will be
                briefing.vote(self.members[0], slate_now(progress, memory).texts, answer=answer_of(progress)),
                len(self.members),
            ),
        )
        self._come_and_gone = moving
        self._seats = Seating(self.bus, briefing, self._spending, self._own_runners, listener)
        self.inbox = ControlQueue(self.bus, briefing, self._seats)
        chosen = started.settings.summariser or ("model" if getattr(runner, "summarises", True) else "extractive")
        self._summariser = Summariser(
            memory.parts,
            self.bus.publish,
            ask=progress.parts.get(SUMMARISERS, chosen).asking(briefing, self._spending),
            deterministic=getattr(runner, "deterministic", False),
        )
        parts = self._seats, self._summariser, self.inbox, self._spending
        model, declares = getattr(runner, "summarises", True), getattr(runner, "declares", True)
        self._driver = Driver(self.bus, briefing, *parts, model=model, declares=declares)

    def run_sync(self) -> Result:
        """`run`, for a script.

        Raises:
            UsageError: an event loop runs already, as in a notebook.
        """
        return run_now(self.run, "await debate.run()")

    async def run(self, *, show: bool = True) -> Result:
        """Walk the agenda to its end, or until `stop`. In a notebook the debate is shown while it runs.

        Args:
            show: False for no display in a notebook; elsewhere there is none.

        Raises:
            RunnerUnavailableError: no call will succeed; the session was paused and can be resumed.
            UsageError: it was run before; `Debate.resume` takes a session up again.
            SessionError: a fact could not be stored; what was stored before is safe.
            ExceptionGroup: never; what subscribers raised stands in the result's `failures`.
        """
        if self._task is not None:
            raise UsageError("this debate was run already", hint="Take its session up: Debate.resume(session).")
        with (
            set_within(on_wait, self.bus.announce),
            set_within(call_settings, lambda: (self.progress if self.progress.started else self.started).settings),
        ):
            unavailable = await self._name_models()
            await my_turn()
            self._open()
            self._task = asyncio.create_task(self._walk(unavailable))
        if self._stopping:
            self._task.cancel()
        try:
            async with control_socket(self), in_notebook(self, show=show):
                try:
                    await self._task
                    self.inbox.flush()
                    publish_unused(self.session.journal, self.bus.publish)
                except asyncio.CancelledError:
                    await self._pause(events.SessionPaused(reason="stopped"))
                    if not self._stopping:
                        raise
                except RunnerUnavailableError as error:
                    await self._pause(events.SessionPaused(reason="unavailable", error=str(error)))
                    raise
        finally:
            await self._close()
        return self._result()

    def stop(self) -> None:
        """Cancel the running call; the session is paused and can be resumed. `run` then returns."""
        self._stopping = True
        if self._task is not None:
            self._task.cancel()

    def _fold(self, event: events.Event) -> Iterable[events.AnnouncedEvent]:
        self.progress.fold(event)
        if isinstance(event, events.CallMade):
            key = event.key
            self._spending.written(key)
            self.session.journal.settle(*key)
        return self.memory.fold(event)

    async def _name_models(self) -> RunnerUnavailableError | None:
        """Have the session say which model a server that was asked for none has: a resume then asks the same.

        Return why the debate pauses before its first phase, where it does.
        """
        if self.progress.started is not None:
            return None
        unavailable = await prepare(self.runner)
        self.started = self.started.model_copy(update={"runner": getattr(self.runner, "spec", self.started.runner)})
        return unavailable

    async def _walk(self, unavailable: RunnerUnavailableError | None) -> None:
        """Walk the agenda, unless the server is unavailable already."""
        if unavailable is not None:
            raise unavailable
        await self._driver.to_the_end()

    @property
    def untouched(self) -> bool:
        """Whether nothing but the setup is in the session: no message, vote, note, call, or reply that waits."""
        progress = self.progress
        began = progress.messages or progress.calls.counts or progress.ballots or progress.first_ballots
        return progress.started is not None and not (began or self.memory.notes or self.session.journal.waiting)

    def _open(self) -> None:
        progress, spec = self.progress, getattr(self.runner, "spec", "")
        if progress.started is None:
            self.bus.publish(self.started)
            return
        facts: list[events.Event] = [events.SessionResumed(runner="" if spec in progress.runners[-1:] else spec)]
        if self._settings != progress.settings:
            facts.append(events.SettingChanged(settings=self._settings))
        facts += self._come_and_gone
        if progress.ended is not None:
            facts.append(
                events.PhaseStarted(phase=progress.agenda.taken_up_at, round=progress.round + 1, why="extended")
            )
        self.bus.publish(*facts)

    async def _pause(self, pause: events.SessionPaused) -> None:
        await self._summariser.settle()
        await self._summariser.cancel()
        self.inbox.flush()
        # Calls without a reply were paid for too, but a deterministic runner's. The journal's are used after the pause.
        unused = () if getattr(innermost(self.runner), "deterministic", False) else self._spending.unwritten
        lost = (call for call in unused if call.key not in self.session.journal.waiting)
        self.bus.publish(*(call.model_copy(update={"nth": 0}) for call in lost), pause)

    async def _close(self) -> None:
        await self._summariser.cancel()
        save_memory(self.session, self.progress, self.memory)
        with suppress(ExceptionGroup):
            await self.bus.drain(_PATIENCE)
        await self.bus.close()
        if self.owns_runner:
            await close_runner(self.runner)

    def _result(self) -> Result:
        progress = self.progress
        return Result(
            session=self.session.name,
            question=self.started.question,
            reason=progress.why_stopped or "stopped",
            verdict=progress.verdict,
            messages=progress.messages,
            spent=progress.spent,
            failures=self.bus.failures,
            runner=self.started.runner,
            kept=self.session,
        )
