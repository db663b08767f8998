"""The debates that this server runs, and what a person at a page may do with them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Base64Bytes, Field

from eda.debate.control.changes import Noted
from eda.debate.control.socket import changed_session
from eda.debate.debate import Debate
from eda.debate.validation import agenda_of, checked_question, panel_settings
from eda.errors import EdaError, UsageError
from eda.panels.documents.read import MOST_FILES, document_of, with_unique_names
from eda.panels.frozen import Frozen
from eda.panels.library import Library, Panel
from eda.report.write import write_report
from eda.runners.human import HumanRunner
from eda.runners.protocol import Prompt
from eda.session import Session, free_name

_LONGEST = 20_000
"""Characters of a message, a note or an answer."""


@dataclass(slots=True)
class WebSeat:
    """The seat of the person at the page: what it is asked, until it answers."""

    name: str
    changed: Callable[[], None] = lambda: None
    """Called when a question is put, or no longer waits."""
    prompt: Prompt | None = None
    _answer: asyncio.Future[str] | None = None

    async def ask(self, prompt: Prompt) -> str:
        """Return what the person answers; empty where it passes."""
        self.prompt, self._answer = prompt, asyncio.get_running_loop().create_future()
        self.changed()
        try:
            return await self._answer
        finally:
            self.prompt = self._answer = None
            self.changed()

    def answer(self, text: str) -> None:
        """Answer the question that waits.

        Raises:
            UsageError: none does.
        """
        if self._answer is None or self._answer.done():
            raise UsageError("no question waits for you now", hint="It may be too late; look at the talk.")
        self._answer.set_result(text)


@dataclass(slots=True)
class Running:
    """A debate that this server runs."""

    debate: Debate
    session: Session
    seat: WebSeat | None
    task: asyncio.Task[None] | None = None
    failed: str = ""
    """Why it stopped, where it did not end by itself."""


Plan = tuple[str, Panel, dict[str, Any]]
"""The question, the panel, and the other arguments of a debate."""


class Upload(Frozen):
    """A file that somebody gives with the question."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    data: Base64Bytes


class Wanted(Frozen):
    """A debate that somebody asks for on a page."""

    question: str
    options: str = ""
    """A line each."""
    panel: str = ""
    format: str = ""
    max_messages: Annotated[int, Field(ge=1, le=400)] = 24
    max_cost: Annotated[float, Field(gt=0)] | None = None
    """US dollars."""
    documents: Annotated[tuple[Upload, ...], Field(max_length=MOST_FILES)] = ()
    human: str = ""
    """Who takes a seat; empty for nobody."""


class Doing(Frozen):
    """What somebody at a page does to a session."""

    do: Literal["pause", "go-on", "next", "say", "answer", "note", "resume"]
    text: Annotated[str, Field(max_length=_LONGEST)] = ""
    messages: int | None = None
    """Of a resume: the most messages of the session from now on."""


class Host:
    """Starts, resumes and steers debates; each runs as a task of this server's loop."""

    def __init__(self, folder: Path, runner: str, panel: str) -> None:
        """Keep sessions in a folder; ask `runner`, a spec; seat `panel` where none is named."""
        self.folder = folder
        self.runner = runner
        self.panel = panel
        self.running: dict[str, Running] = {}

    def planned(self, wanted: Wanted) -> Plan:
        """Return the question, the panel and the other arguments of the debate that somebody asks for.

        It reads the documents, which may take a while.

        Raises:
            EdaError: it cannot be as it is asked for.
        """
        question, library = checked_question(wanted.question), Library()
        panel = library.panel(wanted.panel or self.panel)
        limits = {"max_messages": wanted.max_messages, "max_cost": wanted.max_cost}
        return (
            question,
            panel,
            {
                "options": tuple(filter(None, (line.strip() for line in wanted.options.splitlines()))),
                "documents": with_unique_names(document_of(each.name, each.data) for each in wanted.documents),
                "settings": panel_settings(panel).model_copy(update=limits),
                "agenda": agenda_of(wanted.format or None, panel),
                "library": library,
            },
        )

    def start(self, wanted: Wanted, plan: Plan) -> str:
        """Begin a debate that was `planned`, and return the name of its session.

        Raises:
            EdaError: it cannot be as it is asked for; nothing is written.
        """
        question, panel, given = plan
        given["human"] = wanted.human or None
        seat = WebSeat(wanted.human) if wanted.human else None
        seats = {seat.name: HumanRunner(seat.ask)} if seat else None
        Debate(question, panel, self.runner, seats=seats, **given)  # errors are found before anything is written
        session = Session.create(free_name(question, self.folder), self.folder)
        debate = Debate(question, panel, self.runner, session=session, seats=seats, **given)
        return self._go(Running(debate, session, seat))

    def resume(self, name: str, messages: int | None = None) -> None:
        """Take up a session; `messages` more than it has, where it has ended.

        Raises:
            EdaError: it runs already, or cannot go on so.
        """
        session = Session.open(name, self.folder)
        try:
            debate = Debate.resume(session, max_messages=messages)
        except BaseException:
            session.close()
            raise
        self._go(Running(debate, session, None))

    def note(self, name: str, text: str) -> None:
        """Have the memory of any session keep a note; may wait for a turn to end.

        Raises:
            EdaError: it cannot be taken.
        """
        changed_session(name, self.folder, [Noted(text, "you")], lambda _: None)

    def act(self, name: str, doing: Doing) -> None:
        """Do one thing to a debate that this server runs, or resume one.

        Raises:
            EdaError: it cannot be done now.
        """
        if doing.do == "resume":
            self.resume(name, doing.messages)
            return
        here = self.running.get(name)
        if here is None or here.task is None or here.task.done():
            raise UsageError(f"this server does not run {name}", hint="Go on with it, or use the terminal it runs in.")
        debate, seat = here.debate, here.seat
        match doing.do:
            case "pause":
                debate.pause("you")
            case "go-on":
                debate.go_on()
            case "next":
                debate.move_on()
            case "say" if seat is not None:
                debate.say(doing.text, seat.name)
            case "answer" if seat is not None:
                seat.answer(doing.text)
            case _:
                raise UsageError("nobody at this page has a seat", hint="Begin a debate with one.")

    async def close(self) -> None:
        """Pause what runs; each session can be resumed."""
        for here in self.running.values():
            here.debate.stop()
        tasks: Sequence[asyncio.Task[None]] = [here.task for here in self.running.values() if here.task]
        await asyncio.gather(*tasks, return_exceptions=True)

    def _go(self, here: Running) -> str:
        name = here.session.name
        self.running[name] = here
        here.task = asyncio.create_task(self._run(here), name=f"debate {name}")
        return name

    async def _run(self, here: Running) -> None:
        """Run a debate to its end, and write its report."""
        try:
            await here.debate.run()
            if here.debate.progress.verdict is not None and here.debate.progress.ended is not None:
                debate = here.debate
                await write_report(here.session, debate.runner, progress=debate.progress, memory=debate.memory)
        except EdaError as error:
            here.failed = f"{error}. {error.hint}".strip()
        finally:
            here.session.close()
