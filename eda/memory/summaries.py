"""Summaries tile the history: each range follows the last one, none overlaps, none is left out, none is made twice.

A range is claimed before a model is asked. What a deterministic runner writes is published exactly before message
`last + LAG` is granted, so that the log never depends on how fast it wrote; any other is published when it is ready.
One that failed is asked again; after `TRIES` failures the range is summed up by extraction: nothing waits for ever.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence

from eda.errors import RunnerError, RunnerUnavailableError
from eda.events import Event, SummaryWritten, TurnFailed
from eda.patterns import normalise, sentences
from eda.protocols import Line
from eda.records import Decision, Proposal

__all__ = ["LAG", "TRIES", "AskSummary", "Summariser", "extractive_summary"]

LAG = 6
"""Messages after a range's last one before its summary must stand."""
TRIES = 3
MOST_WORDS = 200
_PER_SPEAKER = 2

AskSummary = Callable[[int, int, int], Awaitable[tuple[str, tuple[Event, ...]]]]
"""Asked with first, last and attempt; gives the text and the facts of the call."""


class Summariser:
    """Writes a summary for each `interval` messages through `publish`, off the floor's way."""

    def __init__(
        self,
        *,
        interval: int,
        covered: Callable[[], int],
        count: Callable[[], int],
        extract: Callable[[int, int], str],
        publish: Callable[..., object],
        ask: AskSummary | None = None,
        deterministic: bool = True,
    ) -> None:
        self._interval = interval
        self._covered = covered
        self._count = count
        self._extract = extract
        self._publish = publish
        self._ask = ask
        self._deterministic = deterministic
        self._task: asyncio.Task[tuple[Event, ...]] | None = None

    async def before(self, number: int) -> None:
        """Called before message `number` is granted, or posted where no floor is: publish what is ready or due."""
        while (due := self._due()) is not None:
            if self._ask is None:
                if number < due[1] + LAG:
                    return
                self._extracted(*due)
            elif not await self._ready(self._ask, *due, number):
                return

    async def finish(self) -> None:
        """Publish the summaries of all ranges that are full, waiting for those that a model writes."""
        while (due := self._due()) is not None:
            if self._ask is None:
                self._extracted(*due)
            else:
                self._claim(self._ask, *due)
                await self._take()

    def extract_due(self) -> None:
        """Publish the summaries of all ranges that are full, by extraction and at once."""
        while (due := self._due()) is not None:
            self._extracted(*due)

    async def cancel(self) -> None:
        """Give up the summary that is being written; a resume asks for it again."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    def _due(self) -> tuple[int, int] | None:
        first, last = self._covered() + 1, self._covered() + self._interval
        return (first, last) if self._count() >= last else None

    def _extracted(self, first: int, last: int) -> None:
        self._publish(SummaryWritten(first=first, last=last, text=self._extract(first, last)))

    def _claim(self, ask: AskSummary, first: int, last: int) -> asyncio.Task[tuple[Event, ...]]:
        if self._task is None:
            self._task = asyncio.create_task(self._write(ask, first, last))
        return self._task

    async def _ready(self, ask: AskSummary, first: int, last: int, number: int) -> bool:
        task = self._claim(ask, first, last)
        waits = number < last + LAG if self._deterministic else not task.done()
        if waits:
            return False
        await self._take()
        return True

    async def _take(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            self._publish(*await task)

    async def _write(self, ask: AskSummary, first: int, last: int) -> tuple[Event, ...]:
        facts: list[Event] = []
        for attempt in range(1, TRIES + 1):
            try:
                text, call = await ask(first, last, attempt)
            except RunnerUnavailableError:
                raise
            except RunnerError as error:
                facts.append(TurnFailed(who="", purpose="summarise", error=str(error)))
                continue
            facts.extend(call)
            if text.strip():
                by = next((getattr(fact, "model", "") for fact in call), "") or "model"
                return (*facts, SummaryWritten(first=first, last=last, text=text.strip(), by=by))
            facts.append(TurnFailed(who="", purpose="summarise", error="the summary was empty"))
        return (*facts, SummaryWritten(first=first, last=last, text=self._extract(first, last)))


def extractive_summary(lines: Sequence[Line], proposals: Iterable[Proposal], decisions: Iterable[Decision]) -> str:
    """A summary without a model: what was decided and proposed in the range, then each speaker's weightiest sentences.

    At most `MOST_WORDS` words, whole sentences, in the order in which they were said.
    """
    head = [f"Decided: {d.outcome} (m{d.messages[0]})." for d in decisions]
    head += [f"Proposed by {p.proposer}: {p.content} (m{p.message})." for p in proposals]
    said = _weightiest(lines)
    parts: list[str] = []
    words = 0
    for part in (*head, *said):
        size = len(part.split())
        if words + size > MOST_WORDS:
            continue
        parts.append(part)
        words += size
    return "\n".join(parts) or f"{len(lines)} short messages without a statement."


def _weightiest(lines: Sequence[Line]) -> list[str]:
    said = [(line, text, _words(text)) for line in lines for text in _sentences(line.text)]
    heard = Counter(word for _, _, words in said for word in words)
    weights = [sum(map(heard.__getitem__, words)) / (8 + len(text) / 6) for _, text, words in said]
    taken: Counter[str] = Counter()
    chosen: list[int] = []
    for place in sorted(range(len(said)), key=lambda place: (-weights[place], place)):
        who = said[place][0].who
        if taken[who] < _PER_SPEAKER:
            taken[who] += 1
            chosen.append(place)
    return [f"{said[place][0].who} (m{said[place][0].number}): {said[place][1]}" for place in sorted(chosen)]


def _sentences(text: str) -> list[str]:
    spans = sentences(normalise(text))
    return [text[start:end] for start, end in spans if text.count(" ", start, end) >= _FEWEST_SPACES]


def _words(text: str) -> set[str]:
    return set(_LONG_WORD.findall(text.lower()))


_FEWEST_SPACES = 4
"""A shorter sentence says nothing alone."""
_LONG_WORD = re.compile(r"\w{4,}")
"""A crude way to leave out what every sentence has."""
