"""What a client of `eda mcp` can have done: debates, resumes, questions aside, searches, reports, in plain functions.

The client names panels, personas, formats and sessions. It names no file, address or module: who answers is the
server's choice.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Protocol

from anyio import CancelScope, to_thread
from pydantic import BaseModel, Field

from eda.debate.arms import Wanted
from eda.debate.ask import ask
from eda.debate.control.socket import ask_running
from eda.debate.course import PlayedBy
from eda.debate.debate import Debate
from eda.debate.prepared import prepared
from eda.debate.replay import memory_of, read_back
from eda.debate.state import DebateState
from eda.debate.stress import planned, stress
from eda.debate.validation import session_runner
from eda.debate.verdict import kind_of
from eda.errors import UsageError
from eda.events import BallotCast, Event, MessagePosted, PhaseStarted
from eda.panels.panel import Library
from eda.panels.request import DebateRequest
from eda.panels.settings import limit
from eda.report.forms import report_markdown
from eda.report.gather import report_of
from eda.report.model import Report
from eda.report.phrases import phase_phrase
from eda.report.sections import story_words
from eda.report.vote_words import none_phrase
from eda.report.write import write_report
from eda.runners.human import HumanRunner
from eda.runners.protocol import Prompt, Runner, close_runner, closing
from eda.runners.shipped import default_spec, make_runner
from eda.serve.search import decision_log
from eda.session import Session
from eda.session.names import free_name
from eda.words import ENGLISH, Words

Progress = Callable[[float, float, str], Awaitable[None]]
"""Told of each step: how far it is in messages, the most that there will be, and a sentence."""
_STEP = 0.001  # How much further a step is that is no message: progress has to grow.
_LINE = 200  # Characters of a message that its line shows.
Name = Annotated[str, Field(description="The session's name: see `sessions`")]


class Dissent(BaseModel):
    """A vote for something else than what was decided."""

    who: str
    choice: str | None
    reason: str


class Outcome(BaseModel):
    """What a debate came to."""

    session: str = Field(description="Its name: for `resume`, `ask`, `recall` and `report`.")
    state: str = Field(description="`ended`; or `paused`, where `resume` goes on.")
    reason: str = Field(description="Why the talk ended, or why it is paused.")
    outcome: str | list[str] | None = Field(
        description="What won; of a list what was adopted; null where nothing was decided."
    )
    answer: str = Field(description="The answer in one line; empty without a verdict.")
    story: list[str] = Field(description="How it came to this, step by step.")
    text: str = Field(description="The wording that was decided; empty where none was.")
    beside: list[str] = Field(description="What was adopted beside the answer.")
    asks_for: str | None = Field(description="What the question asks for: `yes-no`, `options`, `one` or `list`.")
    played_by: dict[str, list[PlayedBy]] = Field(
        description="What has answered for each member: `how` and `by`. Only `model` and `person` are minds."
    )
    tally: dict[str, list[str]] = Field(description="The voters of each choice.")
    dissent: list[Dissent]
    note: str = Field(description="Why nothing was decided.")
    messages: int
    tokens: int
    cost: float = Field(description="US dollars, of the calls whose price is known.")
    unpriced_calls: int
    warnings: list[str] = Field(
        description="What went wrong beside the debate, such as a report whose quotations no model chose."
    )


class Seat(Protocol):
    """A person beside the panel, who is asked in their own program."""

    name: str
    debate: Debate
    """The debate, once they sit in it."""

    async def ask(self, prompt: Prompt) -> str:
        """Return what the person answers; empty where they pass."""
        ...


def _seats(seat: Seat | None) -> dict[str, Runner]:
    return {} if seat is None else {seat.name: HumanRunner(seat.ask, letters=True)}


@dataclass(frozen=True, slots=True)
class PanelTools:
    """The tools of one server.

    Raises, in each tool:
        EdaError: what is asked for is not possible; the message says what to do.
    """

    folder: Path
    """Of the sessions."""
    runner: str | None = None
    """Who answers; None for the usual one of new debates, and of a session for the one that it was run with."""
    panel_library: Library = field(default_factory=Library)
    budget: float | None = None
    """The most US dollars of one debate, whatever a client asks for."""

    async def debate(self, wanted: DebateRequest, tell: Progress, seat: Seat | None = None) -> Outcome:
        """Debate a question; return what it came to. A cancelled debate is paused."""
        own = {
            "runner": self.runner or default_spec(),
            "settings": self._affordable(wanted.settings, always=True),
        }
        ready = prepared(wanted.by_names_alone().model_copy(update=own), None, library=self.panel_library)
        async with AsyncExitStack() as stack:
            answers = make_runner(ready.runner)
            stack.push_async_callback(close_runner, answers)
            ready.debate(answers)  # errors are found before anything is written
            session = stack.enter_context(Session.create(free_name(ready.request.question, self.folder), self.folder))
            outcome = await _run(ready.debate(answers, session, seats=_seats(seat)), tell, seat)
        outcome.warnings += [ENGLISH.say("serving-alternatives", options=ready.offered)] * bool(ready.offered)
        return outcome

    async def resume(
        self, session: str, settings: Mapping[str, Any], tell: Progress, seat: Seat | None = None
    ) -> Outcome:
        """Continue a session; return what it came to."""
        async with self._opened(session) as (opened, runner):
            settings = self._affordable(settings)
            return await _run(Debate.resume(opened, runner, settings=settings, seats=_seats(seat)), tell, seat)

    async def ask(
        self,
        session: Name,
        member: Annotated[str, Field(description="Title or name")],
        question: Annotated[str, Field(min_length=1)],
    ) -> dict[str, Any]:
        """Ask one member of a session, aside from the panel; nothing of the debate changes."""
        with Session.read(session, self.folder) as reading:
            running = await to_thread.run_sync(
                lambda: ask_running(reading, member, question, self.runner, who="you"), abandon_on_cancel=True
            )
        if (reply := running) is None:
            async with self._opened(session) as (opened, runner):
                reply = await ask(opened, member, question, runner)
        spent = {"model": reply.model, "tokens": reply.usage.tokens, "cost": reply.usage.cost}
        return {"session": session, "member": reply.member, "answer": reply.text, **spent}

    def recall(
        self,
        session: Name,
        query: Annotated[str, Field(min_length=1, description="Words of the message, in any form")],
        limit: Annotated[int, Field(ge=1, le=100)] = 10,
    ) -> dict[str, Any]:
        """Find messages of a session, best match first; `sessions` finds the session."""
        if not query.strip():
            raise UsageError("there are no words to search for", hint="Give some words of the message.")
        with Session.read(session, self.folder) as reading:
            reading.started()
            return {"found": [{"session": session, **asdict(item)} for item in memory_of(reading).recall(query, limit)]}

    def report(self, session: Name) -> str:
        """Return the report on a session as Markdown: verdict, tally, reasons, dissent, open questions."""
        with Session.read(session, self.folder) as reading:
            return report_markdown(report_of(reading, *read_back(reading)))

    async def stress(
        self,
        session: Name,
        premises: Annotated[tuple[str, ...], Field(description="What might not hold, in words of the talk")] = (),
        runs: Annotated[int, Field(ge=3, le=50, description="Votes with each change")] = 4,
        again: Annotated[bool, Field(description="Hold the debate again, not the last vote alone")] = False,
        plan: Annotated[bool, Field(description="Say what would be tried and what it takes, and start nothing")] = True,
    ) -> dict[str, Any]:
        """Say what a verdict hinges on: members vote again without a premise, beside votes with nothing changed."""
        if plan:
            with Session.read(session, self.folder) as reading:
                return planned(reading, *read_back(reading), Wanted(premises, again=again), runs).data()
        async with self._opened(session) as (opened, answers):
            most = self.budget
            return (await stress(opened, answers, premises=premises, again=again, runs=runs, budget=most)).data()

    def sessions(
        self, words: Annotated[str, Field(description="A question in plain words. Default: all sessions")] = ""
    ) -> dict[str, Any]:
        """List the saved sessions, newest first; of a question what was decided on it, then where its words were said.

        Each with question, state, outcome and cost; a decision with answer, votes, what would change it, and owner.
        """
        return {"sessions": decision_log(self.folder, words, lambda _: True)[0]}

    def _affordable(self, settings: Mapping[str, Any], *, always: bool = False) -> dict[str, Any]:
        """Return the settings with no higher budget than the server allows, where one is chosen or `always`."""
        name = limit("cost")
        if self.budget is None or not (always or name in settings):
            return dict(settings)
        return {**settings, name: min(settings.get(name, self.budget), self.budget)}

    @asynccontextmanager
    async def _opened(self, name: str) -> AsyncIterator[tuple[Session, Runner]]:
        """Yield a session, open for writing, and who answers in it; both are closed behind."""
        hint = "Start the server with one: eda mcp --runner SPEC."
        with Session.open(name, self.folder) as session:
            runner = make_runner(self.runner) if self.runner else session_runner(session, hint)
            async with closing(runner):
                yield session, runner


async def _run(debate: Debate, tell: Progress, seat: Seat | None) -> Outcome:
    """Run a debate and write its report. Where the caller is cancelled, the debate is paused first."""
    at, words = 0.0, debate.progress.settings.words

    async def told(fact: Event) -> None:
        nonlocal at
        if line := _sentence(fact, words):
            at = max(fact.number if isinstance(fact, MessagePosted) else 0, at + _STEP)
            await tell(at, debate.progress.settings.limits.messages, line)

    if seat is not None:
        seat.debate = debate
    debate.bus.subscribe(Event, told, name="progress")
    running = asyncio.create_task(debate.run())
    try:
        await asyncio.shield(running)
    except asyncio.CancelledError:
        debate.stop()
        with CancelScope(shield=True):
            await asyncio.wait([running])
        raise
    progress = debate.progress
    warnings = [f"{failure.subscriber} failed: {failure.error}" for failure in debate.bus.failures]
    if progress.verdict is not None and progress.ended is not None:
        writer = debate.runner if progress.report is None else None
        written = await write_report(debate.session, writer, progress=progress, memory=debate.memory)
        warnings += [ENGLISH.say("serving-no-prose", why=str(written.failed))] if written.failed else []
    report = report_of(debate.session, progress, debate.memory) if progress.verdict else None
    return outcome_of(debate.session.name, progress, report, warnings)


def _sentence(fact: Event, words: Words) -> str:
    """Return what a client is told of a fact while a debate runs; empty for most."""
    match fact:
        case MessagePosted():
            line = " ".join(fact.talk.split())[:_LINE]
            return words.say("serving-progress", "message", who=fact.who, id=f"m{fact.number}", text=line)
        case PhaseStarted():
            return words.say("serving-progress", "phase", phase=phase_phrase(fact.phase, words))
        case BallotCast():
            return words.say("serving-progress", "vote", who=fact.ballot.agent, came=fact.ballot.came)
    return ""


def outcome_of(name: str, progress: DebateState, report: Report | None, warnings: Sequence[str] = ()) -> Outcome:
    """Return what a session came to so far; `report` is that on its verdict."""
    verdict, spent = progress.verdict, progress.spent
    won = verdict.outcome if verdict else None
    return Outcome(
        session=name,
        state=progress.state,
        reason=progress.why_stopped or "",
        outcome=list(won) if isinstance(won, tuple) else won,
        answer=report.answer if report else "",
        story=[line for head, lines in story_words(report) for line in (head, *lines)] if report else [],
        text=verdict.text if verdict else "",
        beside=[each.text for each in verdict.adopted] if verdict and verdict.answer == "one" else [],
        asks_for=kind_of(progress.started, progress.settings) if progress.started else None,
        played_by=progress.players.by,
        tally={choice: list(who) for choice, who in verdict.tally.items()} if verdict else {},
        dissent=[Dissent(who=d.agent, choice=d.choice, reason=d.reason) for d in (verdict.dissent if verdict else ())],
        note=none_phrase(verdict.rule, verdict.note) if verdict and won is None else "",
        messages=progress.messages,
        tokens=spent.tokens,
        cost=spent.cost,
        unpriced_calls=spent.unpriced_calls,
        warnings=list(warnings),
    )
