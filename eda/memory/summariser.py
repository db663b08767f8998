"""Writes summaries beside the debate, one range at a time; no range is asked for twice.

A summary by a deterministic runner is published at a fixed message, so that the log does not depend on its speed; any
other is published when it is ready. After `TRIES` failed calls it is extracted, so that nothing waits for ever.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from eda.events import Event, SummaryWritten, TurnFailed
from eda.memory.minutes.model_minutes import MinutesAnswer
from eda.memory.parts import Parts
from eda.memory.summaries.due import LAG, Due
from eda.memory.summaries.extractive import extractive_summary, questions_of
from eda.memory.summaries.summary_input import SummaryInput, complaints, faults, length, mended, without_groundless
from eda.words import ENGLISH, Words

TRIES = 3  # Calls for one summary, at most.
FEW, SHORT = 2, 40  # Messages, and their words, up to which the end of a talk needs no summary.
EXTRACTIVE = "extractive"  # Who writes a summary of picked sentences.

# How a summary is made. A model is asked for quotations: `no quotes` is its prose, `unquoted` what no message has,
# `empty` an answer without a point, `blank` one without a word. None of the four is taken.
Made = Literal["prose", "quotes", "no quotes", "unquoted", "empty", "blank"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A summary that a model wrote."""

    text: str
    facts: tuple[Event, ...] = ()  # The facts of its calls.
    by: str = "model"
    answer: MinutesAnswer | None = None  # The minutes that came with it, as the model gave them.
    wrong: str = "the summary was empty"  # Why there is no text, if there is none.
    made: Made = "prose"
    dropped: int = 0  # Its quotations that no message bears out.
    told: Mapping[str, int] = field(default_factory=dict)  # The message that each of its lines quotes.
    failed: int = 0  # The number of the call that failed and took nothing, else 0.
    words: Words = ENGLISH  # The language of what it lacks.


class Refused(NamedTuple):
    """A first draft that was not taken."""

    text: str
    faults: tuple[str, ...]  # What is wrong with it, a line each.
    made: Made = "prose"


# Called with the input of the summary, the attempt (from 1) and the draft that was refused, if one was. An exception is
# raised where the summary is awaited; a failure that may pass is a draft without text.
AskSummary = Callable[[SummaryInput, int, Refused | None], Awaitable[Draft]]


class _Written(NamedTuple):
    due: Due
    facts: tuple[Event, ...]
    draft: Draft | None  # Without text if nothing that it says is in the messages; None if the model wrote nothing.
    dropped: int = 0  # Its statements that were taken out.


class Summariser:
    """Writes a summary for each `parts.pending.every` messages, and folds the older ones, through `publish`."""

    def __init__(
        self,
        parts: Parts,
        publish: Callable[..., object],
        *,
        ask: AskSummary | None = None,
        deterministic: bool = True,
    ) -> None:
        self._all, self._publish = parts, publish
        self._ask, self._deterministic = ask, deterministic
        self._task: asyncio.Task[_Written] | None = None

    @property
    def _parts(self) -> Parts:
        self._all.catch_up()
        return self._all

    async def before(self, number: int) -> bool:
        """Publish the next summary that is ready or due before message `number`; return whether there was one."""
        due = self._due()
        if due is None:
            return False
        last = due.last if due.level == 1 else self._parts.summaries.covered + min(LAG, self._parts.pending.every)
        waits = number < last + LAG  # the next message never waits for a fold
        if self._ask is not None:
            task = self._claim(self._ask, due)
            waits = waits if self._deterministic else not task.done()
        return not waits and await self.finish()

    async def finish(self, *, ends: bool = False) -> bool:
        """Publish the next summary that is due, waiting for the model; return False if none is due.

        Where the talk `ends`, a model takes the minutes of its last stretch, but not of a line or two.
        """
        due = self._due(ends=ends and self._ask is not None)
        if due is None:
            return False
        if self._ask is None:
            self._publish(self._summary(due))
        else:
            self._claim(self._ask, due)
            await self._take()
        return True

    async def finish_minutes(self, *, ends: bool = False) -> bool:
        """`finish` where a model takes minutes with the summary. Sentences that are picked come without any."""
        return self._ask is not None and await self.finish(ends=ends)

    def extract_due(self) -> None:
        """Publish all summaries that are due, by extraction and at once."""
        while (due := self._due()) is not None:
            self._publish(self._summary(due))

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

    def _due(self, *, ends: bool = False) -> Due | None:
        parts = self._parts
        left = parts.recent.lines(parts.summaries.covered + 1, parts.recent.count) if ends else ()
        told = "\n".join(line.text for line in left)
        brief = len(left) <= FEW and "?" not in told and length(told) <= SHORT
        return parts.summaries.due(parts.pending.every, parts.recent.count, ends=ends and not brief)

    def _summary(self, due: Due, draft: Draft | None = None) -> SummaryWritten:
        """Return what a model wrote; where it wrote nothing, picked sentences."""
        text, by = (draft.text, draft.by) if draft else ("", "")
        material = self._parts.pending.input_of(due, self._parts)
        if not text:
            text, by = extractive_summary(material), EXTRACTIVE
        asked, lines = questions_of(material), text.splitlines()
        kept = range(due.first, due.last + 1 if not self._parts.minutes_only else due.first)
        told = {f"{line.who} (m{line.number})": line.number for line in map(self._parts.messages.line, kept)}
        told |= draft.told if draft else {}
        quotes = tuple(next((at for begins, at in told.items() if line.startswith(begins)), 0) for line in lines)
        return SummaryWritten(
            first=due.first,
            last=due.last,
            level=due.level,
            text=text,
            by=by,
            open=tuple(at for at, line in enumerate(lines) if line.removeprefix("- ") in asked),
            quotes=quotes * any(quotes),
        )

    def _claim(self, ask: AskSummary, due: Due) -> asyncio.Task[_Written]:
        if self._task is None:
            material = replace(self._parts.pending.input_of(due, self._parts), record=self._parts.record(due.last))
            self._task = asyncio.create_task(self._write(ask, material))
        return self._task

    async def _take(self) -> None:
        task, self._task = self._task, None
        if task is None:
            return
        written = await task
        due, draft = written.due, written.draft
        minutes, untrue = self._parts.minuted(due, draft.answer) if draft and draft.answer else (None, 0)
        more = {"minutes": minutes, "dropped": written.dropped + untrue}
        self._publish(*written.facts, self._summary(due, draft).model_copy(update=more))

    async def _write(self, ask: AskSummary, summary_input: SummaryInput) -> _Written:
        facts: list[Event] = []
        best: Draft | None = None
        refused: Refused | None = None
        dropped = 0
        for attempt in range(1, TRIES + 1):
            draft = await ask(summary_input, attempt, refused)
            facts.extend(draft.facts)
            if not draft.text.strip():
                facts.append(TurnFailed(who="", purpose="summarise", error=draft.wrong, nth=draft.failed))
                continue
            if draft.by == EXTRACTIVE:
                break
            minutes = draft.answer or (best.answer if best else None)  # of a first try whose second came without any
            best = replace(draft, answer=minutes, text=draft.text if draft.made in ("prose", "quotes") else "")
            untaken = () if best.text else (ENGLISH.say("prompt-summary-untaken", made=draft.made),)
            wrong = complaints(best.text, summary_input) if draft.made == "prose" else untaken
            if refused or not wrong:
                break
            refused = Refused(draft.text.strip(), wrong, draft.made)
        if best is not None:
            prose = best.made == "prose"
            dropped = len({span for span, _ in faults(best.text, summary_input)}) if prose else best.dropped
            text = without_groundless(best.text.strip(), summary_input) if prose else best.text
            # Questions that a model's minutes do not list were answered, or none.
            items = [item for item in summary_input.items if prose or item.kind != "question"]
            best = replace(
                best, text=mended(text, replace(summary_input, items=tuple(items)), best.words, quotes=not prose)
            )
        return _Written(summary_input.due, tuple(facts), best, dropped)
