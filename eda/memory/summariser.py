"""Writes summaries beside the debate, one range at a time; no range is asked for twice.

`summaries/due.py` says when a summary is due. One by a deterministic runner is published at a fixed message, so that
the log does not depend on its speed; any other is published when it is ready. After `TRIES` failed calls the summary is
extracted, so that nothing waits for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eda.events import Event, SummaryWritten, TurnFailed
from eda.memory.minutes.model_minutes import MinutesAnswer
from eda.memory.summaries.checks import complaints, completed
from eda.memory.summaries.due import Due
from eda.memory.summaries.extractive import extractive_summary
from eda.memory.summaries.summary_input import SummaryInput
from eda.panels.settings import SummaryStyle

if TYPE_CHECKING:
    from eda.memory.conversation import ConversationMemory

__all__ = ["TRIES", "AskSummary", "Draft", "Summariser"]

TRIES = 3
"""Calls for one summary, at most."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A summary that a model wrote."""

    text: str
    facts: tuple[Event, ...] = ()
    """The facts of its calls."""
    by: str = "model"
    answer: MinutesAnswer | None = None
    """The minutes that came with it, as the model gave them."""
    wrong: str = "the summary was empty"
    """Why there is no text, if there is none."""
    failed: int = 0
    """The number of the call that failed and took nothing, else 0."""


AskSummary = Callable[[SummaryInput, SummaryStyle, int, tuple[str, ...]], Awaitable[Draft]]
"""Called with the input of the summary, the style, the attempt (from 1) and what was wrong with the last draft.

An exception is raised where the summary is awaited; a failure that may pass is a draft without text.
"""


@dataclass(frozen=True, slots=True)
class _Written:
    due: Due
    style: SummaryStyle
    facts: tuple[Event, ...]
    draft: Draft | None
    """None if the model wrote nothing."""


class Summariser:
    """Writes a summary for each `memory.every` messages, and folds the older ones, through `publish`."""

    def __init__(
        self,
        memory: ConversationMemory,
        publish: Callable[..., object],
        *,
        style: Callable[[], SummaryStyle] = lambda: "concise",
        ask: AskSummary | None = None,
        deterministic: bool = True,
    ) -> None:
        self._memory = memory
        self._publish = publish
        self._style = style
        self._ask = ask
        self._deterministic = deterministic
        self._task: asyncio.Task[_Written] | None = None

    async def before(self, number: int) -> bool:
        """Publish the next summary that is ready or due before message `number` is granted.

        Return True if one was published: the caller then checks limits and stop conditions again.
        """
        due = self._due()
        if due is None:
            return False
        waits = number < self._memory.parts.summaries.awaited_by(due, self._memory.every)
        if self._ask is None:
            if not waits:
                self._extracted(due)
            return not waits
        task = self._claim(self._ask, due)
        if waits if self._deterministic else not task.done():
            return False
        await self._take()
        return True

    async def finish(self) -> bool:
        """Publish the next summary that is due, waiting for the model; return False if none is due."""
        due = self._due()
        if due is None:
            return False
        if self._ask is None:
            self._extracted(due)
        else:
            self._claim(self._ask, due)
            await self._take()
        return True

    async def finish_minutes(self) -> bool:
        """`finish` where a model takes minutes with the summary. Sentences that are picked come without any."""
        return self._ask is not None and await self.finish()

    def extract_due(self) -> None:
        """Publish all summaries that are due, by extraction and at once."""
        while (due := self._due()) is not None:
            self._extracted(due)

    async def settle(self) -> None:
        """Publish a summary that a model has finished, since it is paid for. One that costs nothing is written anew."""
        task = self._task
        if task is not None and task.done() and not (self._deterministic or task.cancelled() or task.exception()):
            await self._take()

    async def cancel(self) -> None:
        """Cancel the summary that is being written; a resume asks for it again."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    def _due(self) -> Due | None:
        return self._memory.parts.summaries.due(self._memory.every, self._memory.message_count)

    def _summary_input(self, due: Due) -> SummaryInput:
        return self._memory.parts.pending.input_of(due, self._memory.parts)

    def _extracted(self, due: Due) -> None:
        self._publish(self._extract(due, self._style()))

    def _extract(self, due: Due, style: SummaryStyle) -> SummaryWritten:
        text = extractive_summary(self._summary_input(due), style)
        return SummaryWritten(first=due.first, last=due.last, level=due.level, text=text, style=style)

    def _claim(self, ask: AskSummary, due: Due) -> asyncio.Task[_Written]:
        if self._task is None:
            self._task = asyncio.create_task(self._write(ask, self._summary_input(due), self._style()))
        return self._task

    async def _take(self) -> None:
        task, self._task = self._task, None
        if task is None:
            return
        written = await task
        due, draft = written.due, written.draft
        if draft is None:
            summary = self._extract(due, written.style)
        else:
            summary = SummaryWritten(
                first=due.first,
                last=due.last,
                level=due.level,
                text=draft.text,
                by=draft.by,
                style=written.style,
                minutes=self._memory.parts.minuted(due, draft.answer) if draft.answer else None,
            )
        self._publish(*written.facts, summary)

    async def _write(self, ask: AskSummary, summary_input: SummaryInput, style: SummaryStyle) -> _Written:
        facts: list[Event] = []
        best: Draft | None = None
        wrong: tuple[str, ...] = ()
        for attempt in range(1, TRIES + 1):
            draft = await ask(summary_input, style, attempt, wrong)
            facts.extend(draft.facts)
            if not draft.text.strip():
                facts.append(TurnFailed(who="", purpose="summarise", error=draft.wrong, nth=draft.failed))
                continue
            first, best = best is None, draft
            wrong = complaints(draft.text, summary_input, style)
            if not (wrong and first):
                break
        if best is not None:
            best = Draft(completed(best.text.strip(), summary_input, style), by=best.by, answer=best.answer)
        return _Written(summary_input.due, style, tuple(facts), best)
