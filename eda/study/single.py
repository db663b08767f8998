"""One member answers alone, several times: the control without a panel. Its session holds the answers and what won."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from eda.debate.asking import Answer
from eda.debate.baseline import MOST_ANSWERS, Took, ask_all, counted, prompt_of, shuffled
from eda.debate.journaled import JournaledRunner
from eda.debate.replay import publisher, read_back
from eda.errors import RunnerUnavailableError, StudyError
from eda.events import CallMade, SessionEnded, SessionPaused, SessionStarted
from eda.panels.documents.document import Document
from eda.runners.protocol import Runner, spec_of
from eda.session import Session
from eda.study.cells import Cell, facts_of
from eda.study.setup import Setup
from eda.study.status import CellState
from eda.voting.choices import given

_AT_ONCE = 5


async def answer_alone(
    cell: Cell, setup: Setup, session: Session, runner: Runner, like: CellState | None, most: Mapping[str, float]
) -> None:
    """Have one member answer until it has taken as much as `like`, or as often as the arm says; store what won.

    Args:
        cell: The cell.
        setup: Its setup; its arm says what is matched.
        session: Open for writing; one that was cut short goes on with the replies in its journal.
        runner: Who answers.
        like: The cell whose talk is matched; None where the arm gives a number.
        most: Limits of this cell, `usd` or `tokens`.

    Raises:
        StudyError: there is nothing to choose from, or what is to be matched is not known.
        RunnerError: no answer came; nothing but the calls was stored.
    """
    progress, memory = read_back(session, setup.made.patterns)
    publish = publisher(session, progress, memory)
    started = progress.started or _first_fact(cell, setup, session.name, runner)
    if progress.started is None:
        publish(started)
    choices = tuple(text.text for text in given(started.question, started.options))
    if not choices:
        raise StudyError(f"task {cell.task.id!r} gives no options, so single answers cannot be counted")
    wanted = _Wanted(setup, like, most)
    journaled = JournaledRunner(runner, session.journal, progress.calls, publish)
    first = prompt_of(started, progress, choices)
    took: Took = {}
    answers: list[Answer] = []
    try:
        while number := wanted.more(took, len(answers)):
            prompts = [shuffled(started, first, choices, len(answers) + place) for place in range(number)]
            answers += await ask_all(journaled, prompts, took)
            if all(answer.reply is None for answer in answers[-number:]):
                raise answers[-1].error or StudyError("no answer could be read")  # noqa: TRY301 - one place for calls
        replies = [answer.reply for answer in answers if answer.reply is not None]
    except BaseException as error:
        lost = (call for calls in took.values() for call in calls if call.key not in session.journal.waiting)
        paused = (SessionPaused(reason=str(error)),) if isinstance(error, RunnerUnavailableError) else ()
        publish(*(call.model_copy(update={"nth": 0}) for call in lost), *paused)
        raise
    publish(
        *(call for calls in took.values() for call in calls), counted(replies, choices), SessionEnded(reason="answers")
    )


class _Wanted:
    """Says how many answers to ask for next."""

    def __init__(self, setup: Setup, like: CellState | None, most: Mapping[str, float]) -> None:
        self._match = setup.arm.answers.match
        self._number = setup.arm.answers.number or 1
        self._most = most
        if like is None or self._match is None:
            self._amount = float(self._number)
            return
        if self._match == "usd" and (like.unpriced_calls or not like.cost):
            raise StudyError("the price of the talk is not known, so it cannot be matched", hint="Match by calls.")
        self._amount = {"calls": like.calls, "output_tokens": like.output_tokens, "usd": like.cost}[self._match]

    def more(self, took: Took, asked: int) -> int:
        """Return how many answers are asked for next, side by side; 0 once it is enough."""
        calls = [call for each in took.values() for call in each]
        if asked >= MOST_ANSWERS or self._over(calls):
            return 0
        if self._match in (None, "calls"):
            return int(min(_AT_ONCE, self._amount - asked, MOST_ANSWERS - asked))
        if not asked:
            return 1
        sizes = [call.output_tokens if self._match == "output_tokens" else call.cost or 0.0 for call in calls]
        mean = sum(sizes) / asked
        left = self._amount - sum(sizes)
        return min(_AT_ONCE, MOST_ANSWERS - asked, math.floor(left / mean + 0.5)) if mean and left > 0 else 0

    def _over(self, calls: Sequence[CallMade]) -> bool:
        usd = sum(call.cost or 0.0 for call in calls)
        tokens = sum(call.input_tokens + call.output_tokens for call in calls)
        return usd >= self._most.get("usd", math.inf) or tokens >= self._most.get("tokens", math.inf)


def _first_fact(cell: Cell, setup: Setup, name: str, runner: Runner) -> SessionStarted:
    told = "\n".join(facts_of(cell, setup, 1)[0])
    known = (Document("what you know", told),) if told else ()
    return SessionStarted(
        session=name,
        question=" ".join(cell.task.question.split()),
        options=cell.task.options,
        members=setup.seats[:1],
        documents=(*setup.made.documents, *known),
        settings=setup.made.settings,
        seed=cell.seed,
        runner=spec_of(runner),
        prompts=dict(setup.made.prompts),
    )
