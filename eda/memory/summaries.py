"""Summaries are written off the floor's way: one range at a time, claimed before a model is asked, never made twice.

What a deterministic runner writes is published at a fixed message, so that the log never depends on how fast it wrote;
any other is published when it is ready. One that failed `TRIES` times is extracted: nothing waits for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from eda.events import Event, SummaryWritten, TurnFailed
from eda.memory.checks import complaints, completed
from eda.memory.conversation import ConversationMemory
from eda.memory.extractive import extractive_summary
from eda.memory.material import LAG, Due, Material
from eda.memory.taking import MinutesAnswer
from eda.records import RangeMinutes
from eda.settings import SummaryStyle

__all__ = ["LAG", "TRIES", "AskSummary", "Draft", "Summariser"]

TRIES = 3
"""Calls for one summary, at most."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a model wrote."""

    text: str
    facts: tuple[Event, ...] = ()
    """Of the call."""
    by: str = "model"
    answer: MinutesAnswer | None = None
    """The minutes that it took, as it gave them."""
    wrong: str = "the summary was empty"
    """Why there is no text, where there is none."""


AskSummary = Callable[[Material, SummaryStyle, int, tuple[str, ...]], Awaitable[Draft]]
"""Asked with the material, the style, the attempt (from 1) and what was wrong with the last draft.

What it raises is raised where the summary is waited for; a failure that may pass is a draft without text.
"""


@dataclass(frozen=True, slots=True)
class _Written:
    due: Due
    style: SummaryStyle
    facts: tuple[Event, ...]
    draft: Draft | None
    """None where the model wrote nothing."""


class Summariser:
    """Writes a summary for each `interval` messages, and folds the older ones, through `publish`."""

    def __init__(
        self,
        memory: ConversationMemory,
        publish: Callable[..., object],
        *,
        interval: int,
        style: Callable[[], SummaryStyle] = lambda: "concise",
        ask: AskSummary | None = None,
        deterministic: bool = True,
    ) -> None:
        self._memory = memory
        self._publish = publish
        self._interval = interval
        self._style = style
        self._ask = ask
        self._deterministic = deterministic
        self._task: asyncio.Task[_Written] | None = None

    async def before(self, number: int) -> bool:
        """Called before message `number` is granted: publish the next summary that is ready or due.

        True where one was published: what follows from it, and from what it cost, is then to be looked at anew.
        """
        due = self._due()
        if due is None:
            return False
        waits = number < self._stands_before(due)
        if self._ask is None:
            if not waits:
                self._extracted(due)
            return not waits
        task = self._claim(self._ask, due)
        if waits if self._deterministic else not task.done():
            return False
        await self._take()
        return True

    def begin(self) -> None:
        """Have a model begin with the next summary that is due, beside what is asked now."""
        due = self._due()
        if due is not None and self._ask is not None:
            self._claim(self._ask, due)

    async def finish(self) -> bool:
        """Publish the next summary that is due, waiting for what a model writes; False where none is."""
        due = self._due()
        if due is None:
            return False
        if self._ask is None:
            self._extracted(due)
        else:
            self._claim(self._ask, due)
            await self._take()
        return True

    def extract_due(self) -> None:
        """Publish all that is due, by extraction and at once."""
        while (due := self._due()) is not None:
            self._extracted(due)

    async def settle(self) -> None:
        """Publish what a model has just written: it was paid for. What costs nothing is written anew."""
        task = self._task
        if task is not None and task.done() and not (self._deterministic or task.cancelled() or task.exception()):
            await self._take()

    async def cancel(self) -> None:
        """Give up the summary that is being written; a resume asks for it again."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    def _due(self) -> Due | None:
        """The next range: a fold comes before what is new, so that there is always room for one more summary."""
        tiles = self._memory.parts.tiles
        run = tiles.due_fold()
        if run is not None:
            return Due(run[0].first, run[-1].last, max(summary.level for summary in run) + 1)
        last = tiles.covered + self._interval
        return Due(tiles.covered + 1, last) if self._memory.message_count >= last else None

    def _stands_before(self, due: Due) -> int:
        """The message that is granted only when the summary stands; a fold never keeps the next one waiting."""
        if due.level == 1:
            return due.last + LAG
        return self._memory.parts.tiles.covered + LAG + min(LAG, self._interval)

    def _material(self, due: Due) -> Material:
        parts = self._memory.parts
        return parts.ranges.material(due, parts.tiles, parts.minutes, parts.recent)

    def _minutes(self, due: Due, answer: MinutesAnswer) -> RangeMinutes:
        parts = self._memory.parts
        return parts.ranges.minuted(due, answer, parts.minutes, parts.recent)

    def _extracted(self, due: Due) -> None:
        self._publish(self._extract(due, self._style()))

    def _extract(self, due: Due, style: SummaryStyle) -> SummaryWritten:
        text = extractive_summary(self._material(due), style)
        return SummaryWritten(first=due.first, last=due.last, level=due.level, text=text, style=style)

    def _claim(self, ask: AskSummary, due: Due) -> asyncio.Task[_Written]:
        if self._task is None:
            self._task = asyncio.create_task(self._write(ask, self._material(due), self._style()))
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
                minutes=self._minutes(due, draft.answer) if draft.answer else None,
            )
        self._publish(*written.facts, summary)

    async def _write(self, ask: AskSummary, material: Material, style: SummaryStyle) -> _Written:
        facts: list[Event] = []
        best: Draft | None = None
        wrong: tuple[str, ...] = ()
        for attempt in range(1, TRIES + 1):
            draft = await ask(material, style, attempt, wrong)
            facts.extend(draft.facts)
            if not draft.text.strip():
                facts.append(TurnFailed(who="", purpose="summarise", error=draft.wrong))
                continue
            first, best = best is None, draft
            wrong = complaints(draft.text, material, style)
            if not (wrong and first):
                break
        if best is not None:
            best = Draft(completed(best.text.strip(), material, style), by=best.by, answer=best.answer)
        return _Written(material.due, style, tuple(facts), best)
