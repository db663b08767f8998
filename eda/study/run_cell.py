"""Runs one cell: an ordinary session. It is made where there is none, resumed where it was cut, and else kept."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

from eda.debate.asking import Answer, ask, side_by_side
from eda.debate.budget import JournaledRunner
from eda.debate.debate import Debate
from eda.debate.floor.policies import Floor
from eda.debate.prompts.documents import Reading
from eda.debate.prompts.texts import Prompts
from eda.debate.replay import publisher, read_back
from eda.debate.state import DebateState
from eda.errors import RunnerUnavailableError, SessionBusyError, SessionExistsError, StudyError
from eda.events import (
    BaselineTaken,
    Bid,
    CallMade,
    Event,
    FloorGranted,
    MessagePosted,
    PhaseStarted,
    SessionEnded,
    SessionPaused,
    SessionStarted,
    SingleAnswer,
)
from eda.memory import ConversationMemory
from eda.memory.minutes.consensus import ahead
from eda.panels.documents.document import Document
from eda.panels.settings import limit
from eda.runners.models import asks_models
from eda.runners.protocol import CallKey, Prompt, Reply, Runner, close_runner, closing, spec_of
from eda.session import Session
from eda.session.names import LOG_FILE
from eda.study.cells import PLAYER, Cell, Plan, Setup, facts_of
from eda.study.people import write_group
from eda.study.player import LESS, Stage
from eda.study.status import CELLS, CellState, failure, note_cell, session_state, state_of
from eda.study.tables import keep_rows
from eda.text import quoted, regex
from eda.voting.ballot_reader import the_one_named
from eda.voting.choices import given
from eda.words import ENGLISH

_LIMITS = {"usd": limit("cost"), "tokens": limit("tokens")}  # The setting of a debate for each limit of a study.


class CellRunner:
    """Runs cells of one study in one folder. Runners that ask models are shared, and their connections."""

    def __init__(self, plan: Plan, out: Path) -> None:
        self.plan = plan
        self.out = out
        self._shared: dict[str, Runner] = {}

    async def run(self, cell_id: str, most: Mapping[str, float] | None = None) -> CellState:
        """Run a cell to its end and return how far it has come; what goes wrong in it is kept, and told by `status`.

        Args:
            cell_id: The cell.
            most: The most that it may take from now on, `usd` and `tokens`.

        Raises:
            RunnerUnavailableError: nobody answers, so that no other cell of this runner would fare better.
        """
        cell, setup = self.plan.cells[cell_id], self.plan.setups[cell_id]
        folder = self.out / CELLS / cell_id
        log = folder / LOG_FILE
        if (group := self.plan.groups.get(cell_id)) and group.lacks:
            state = CellState(cell_id, "excluded", ENGLISH.say("study-no-vote", when=group.lacks))
            note_cell(self.out, state)
            return state
        try:
            begun = log.exists() and log.stat().st_size
            with Session.open(folder, wait=0) if begun else Session.create(cell_id, self.out / CELLS) as session:
                state = session_state(session, cell_id)  # under its lock: another command may just have ended it
                if state.done:
                    return state
                took = {"usd": state.cost, "tokens": state.tokens}
                # The limits are those of the cell, not from now on.
                await self._run(cell, setup, session, {key: took[key] + each for key, each in (most or {}).items()})
        except (SessionBusyError, SessionExistsError):
            return CellState(cell_id, "running")
        except RunnerUnavailableError:
            raise
        except Exception as error:  # noqa: BLE001 - one cell that cannot be run must not end the others
            state = failure(self.out, cell_id, error)
        else:
            if (state := state_of(folder, cell_id)).done:
                keep_rows(self.out, cell)
        note_cell(self.out, state)
        return state

    async def close(self) -> None:
        """Close the connections of the runners that cells shared."""
        for runner in self._shared.values():
            await close_runner(runner)
        self._shared.clear()

    async def _run(self, cell: Cell, setup: Setup, session: Session, most: Mapping[str, float]) -> None:
        if group := self.plan.groups.get(cell.id):
            write_group(group, session, setup.made.settings, cell.seed)
            return
        runner, shared = self._runner(setup, cell)
        async with closing(None if shared else runner):
            if setup.arm.single:
                talk = cell.needs[:1]
                like = state_of(self.out / CELLS / talk[0], talk[0]) if talk else None
                await answer_alone(cell, setup, session, runner, like, most)
            else:
                await self.debate(cell, session, runner, most).run(show=False)  # a study has a line of its own

    def debate(
        self, cell: Cell, session: Session, runner: Runner | None = None, most: Mapping[str, float] | None = None
    ) -> Debate:
        """Return the debate of a cell, a new one or one that goes on, in a session that is open for writing.

        Args:
            cell: A cell with a panel.
            session: On disk or in memory.
            runner: Who answers; None for a new runner, which nobody else asks.
            most: The most that the whole cell may take, `usd` and `tokens`.
        """
        setup = self.plan.setups[cell.id]
        runner = runner or setup.make_runner(cell.task, cell.seed, cell.arm)
        if setup.arm.exchange in LESS or setup.arm.confederates:
            runner = Stage(runner, cell.task, cell.seed, setup.arm.exchange, setup.arm.confederates)
        limits = {_LIMITS[key]: value for key, value in (most or {}).items()}
        talk, other = [self._facts(needed) for needed in (*cell.needs, "", "")[:2]]
        follows: dict[str, Any] = {"floor": (same := SameTurns(talk)), "stop": (same,)} if talk else {}
        if session.log.last_seq:
            return Debate.resume(session, runner, settings=limits, **follows)
        said = [f"{fact.who}: {fact.text}" for fact in other if isinstance(fact, MessagePosted)]
        unrelated = (Document("from another panel", "\n\n".join(said)),) if said else ()
        made, first = setup.made, int(cell.levels.get("seats", "0")) % len(setup.seats)
        members = (*setup.seats[first:], *setup.seats[:first])  # each order begins with another, as a Latin square does
        facts = zip(members, facts_of(cell, setup, len(members)), strict=True)
        asked = {
            "question": cell.task.question,
            "options": cell.task.options,
            "seed": cell.seed,
            "facts": {member.title: told for member, told in facts if told},
        }
        return replace(
            made,
            request=made.request.model_copy(update=asked),
            panel=None,
            members=members,
            documents=(*made.documents, *unrelated),
            settings=made.settings.model_copy(update=limits),
        ).debate(runner, session, **follows)

    def _runner(self, setup: Setup, cell: Cell) -> tuple[Runner, bool]:
        """Return the runner of a cell, and whether other cells ask it too."""
        if setup.runner == PLAYER or not asks_models(setup.runner):
            return setup.make_runner(cell.task, cell.seed, cell.arm), False
        if setup.runner not in self._shared:
            self._shared[setup.runner] = setup.make_runner(cell.task, cell.seed, cell.arm)
        return self._shared[setup.runner], True

    def _facts(self, cell_id: str) -> list[Event]:
        """Return the facts of a cell that was run; none where it was not."""
        folder = self.out / CELLS / cell_id
        if not cell_id or not (folder / LOG_FILE).exists():
            return []
        with Session.read(folder) as session:
            return list(session.events())


class SameTurns(Floor):
    """A floor that grants each turn as another debate did, and the condition that ends a discussion where that did."""

    line = "As in the debate with talk."
    reason = "talk"
    phrase = "the discussion that it follows was over"

    def __init__(self, talk: Iterable[Event]) -> None:
        """Follow the debate that has these facts."""
        now = "", 1
        self._speakers: list[str] = []
        self._ends: dict[tuple[str, int], int] = {}
        for event in talk:
            if isinstance(event, PhaseStarted):
                now = event.phase, event.lap
                self._ends[now] = len(self._speakers)
            elif isinstance(event, MessagePosted):
                self._speakers.append(event.who)
                self._ends[now] = len(self._speakers)

    def grant(self, members: Sequence[str], state: DebateState, bids: Sequence[Bid] = (), /) -> FloorGranted:  # noqa: ARG002 - the protocol's shape
        """Return the grant to who wrote the message of that number; to who spoke longest ago where it may not speak."""
        speaker = "".join(self._speakers[state.messages : state.messages + 1])
        return FloorGranted(agent=speaker if speaker in members else min(members, key=state.floor_ago), why="as before")

    def check(self, state: DebateState, _: ConversationMemory, /) -> bool:
        """Return whether the discussion has as many messages as that one."""
        return state.messages >= self._ends.get((state.phase, state.laps.get(state.phase, 1)), state.messages + 1)


MOST_ANSWERS = 300
"""More than a usual debate of 200,000 tokens pays for, at some 700 tokens an answer."""
_ANSWER = regex(r"^\W*ANSWER\W+(.+?)\W*$", "IM")

Took = dict[CallKey, tuple[CallMade, ...]]
"""The facts of the calls, also of those that were given up, in the order in which they were asked for."""
_AT_ONCE = 5


async def answer_alone(
    cell: Cell, setup: Setup, session: Session, runner: Runner, like: CellState | None, most: Mapping[str, float]
) -> None:
    """Have one member answer until it has taken as much as `like`, or once; store what won.

    Args:
        cell: The cell.
        setup: Its setup; its arm says what is matched.
        session: Open for writing; one that was cut short goes on with the replies in its journal.
        runner: Who answers.
        like: The cell whose talk is matched; None where one answer is enough.
        most: Limits of this cell, `usd` or `tokens`.

    Raises:
        StudyError: no answer could be read.
        RunnerError: no answer came; nothing but the calls was stored.
    """
    progress, memory = read_back(session)
    publish = publisher(session, progress, memory)
    if (started := progress.started) is None:
        started = _alone(cell, setup, session, runner)
        publish(started)
    choices = tuple(text.text for text in given(started.question, started.options))
    match = setup.arm.match
    amount: float = (
        1 if like is None else {"calls": like.calls, "output_tokens": like.output_tokens}.get(match or "", 1)
    )
    journaled = JournaledRunner(runner, session.journal, progress.calls, publish)
    first = prompt_of(started, progress, choices)
    took: Took = {}
    answers: list[Answer] = []
    try:
        while number := _more(match, amount, most, took, len(answers)):
            prompts = [shuffled(started, first, choices, len(answers) + place) for place in range(number)]
            answers += await ask_all(journaled, prompts, took)
            if all(answer.reply is None for answer in answers[-number:]):
                raise answers[-1].error or StudyError("no answer could be read")  # noqa: TRY301 - one place for calls
        replies = [answer.reply for answer in answers if answer.reply is not None]
    except BaseException as error:
        lost = (call for calls in took.values() for call in calls if call.key not in session.journal.waiting)
        pause = SessionPaused(reason="unavailable", error=str(error))
        paused = (pause,) if isinstance(error, RunnerUnavailableError) else ()
        publish(*(call.model_copy(update={"nth": 0}) for call in lost), *paused)
        raise
    calls = chain.from_iterable(took.values())
    publish(*calls, counted(replies, choices), SessionEnded(reason="answers"))


def _alone(cell: Cell, setup: Setup, session: Session, runner: Runner) -> SessionStarted:
    """Return the beginning of a session in which one member answers; what facts it is told stand in a document."""
    told = "\n".join(facts_of(cell, setup, 1)[0])
    known = (Document("what you know", told),) if told else ()
    return SessionStarted(
        session=session.name,
        question=" ".join(cell.task.question.split()),
        options=cell.task.options,
        members=setup.seats[:1],
        documents=(*setup.made.documents, *known),
        settings=setup.made.settings,
        seed=cell.seed,
        runner=spec_of(runner),
        prompts=dict(setup.made.prompts),
    )


def _more(match: str | None, amount: float, most: Mapping[str, float], took: Took, asked: int) -> int:
    """Return how many answers are asked for next, side by side; 0 once it is enough."""
    calls = [call for each in took.values() for call in each]
    usd, output = sum(call.cost or 0.0 for call in calls), sum(call.output_tokens for call in calls)
    tokens = output + sum(call.input_tokens for call in calls)
    if usd >= most.get("usd", math.inf) or tokens >= most.get("tokens", math.inf):
        return 0
    size = output if match == "output_tokens" else asked
    left = math.floor((amount - size) * asked / size + 0.5) if size else int(not asked)
    return max(0, min(_AT_ONCE, MOST_ANSWERS - asked, left))


def prompt_of(started: SessionStarted, progress: DebateState, choices: Sequence[str]) -> Prompt:
    """Return a prompt with the question, the context files and the choices, and nothing of the debate."""
    reading = Reading(started.documents)
    shown = zip(started.documents, reading.texts, strict=True)
    documents = [f"\n# Context file: {quoted(doc.name)}\n    {quoted(text)}" for doc, text in shown]
    if read := reading.passages("\n".join((started.question, *choices))):
        documents.append(f"\n{read}")
    return Prompt(
        purpose="baseline",
        nth=progress.calls.next("baseline", ""),
        last=progress.messages,
        seed=started.seed,
        question=started.question,
        options=tuple(choices),
        documents=started.documents,
        own=Prompts(started.prompts).fill(
            "baseline",
            question=started.question,
            documents="\n".join([*documents, ""]) if documents else "",
            choices="\n".join(f"- {choice}" for choice in choices),
        ),
    )


def shuffled(started: SessionStarted, first: Prompt, choices: Sequence[str], place: int) -> Prompt:
    """Return the prompt of one of several answers, with the choices in an order of its own."""
    order = list(choices)
    Random(f"{started.seed}:{place}").shuffle(order)
    listed = ("\n".join(f"- {choice}" for choice in each) for each in (choices, order))
    own = first.own.replace(next(listed), next(listed))
    return replace(first, nth=first.nth + place, options=tuple(order), own=own)


async def ask_all(runner: Runner, prompts: Sequence[Prompt], took: Took) -> list[Answer]:
    """Return an answer to each prompt, also where the server is not there. `took` is filled."""
    took.update((prompt.key, ()) for prompt in prompts)

    async def one(prompt: Prompt) -> Answer:
        def keep(*calls: CallMade) -> None:
            took[prompt.key] = calls

        try:
            answer = await ask(runner, prompt, lost=keep)
        except RunnerUnavailableError as error:
            return Answer(error=error)
        keep(*answer.calls)
        return answer

    return await side_by_side(map(one, prompts))


def counted(replies: Sequence[Reply], choices: Sequence[str]) -> BaselineTaken:
    """Return the fact of these answers: each with the choice that it names, and the choice that most name."""
    answers = tuple(SingleAnswer(text=reply.text.strip(), choice=_choice(reply.text, choices)) for reply in replies)
    return BaselineTaken(
        choices=tuple(choices),
        answers=answers,
        outcome=ahead(Counter(answer.choice for answer in answers if answer.choice is not None)),
        tokens=sum(reply.usage.tokens for reply in replies),
    )


def _choice(text: str, choices: Sequence[str]) -> str | None:
    named = _ANSWER.findall(text)
    return the_one_named(named[-1], choices) if named else None
