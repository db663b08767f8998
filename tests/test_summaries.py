"""Summaries tile the history, at any interval, delay and failure."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eda.errors import RunnerError, RunnerUnavailableError
from eda.events import CallMade, Event, SummaryWritten, TurnFailed
from eda.memory.summaries import LAG, MOST_WORDS, TRIES, Summariser, extractive_summary
from eda.protocols import Line
from eda.records import Decision, Proposal


class History:
    """A conversation as the summariser sees it."""

    def __init__(self) -> None:
        self.count = 0
        self.facts: list[Event] = []

    @property
    def covered(self) -> int:
        return max((f.last for f in self.summaries), default=0)

    @property
    def summaries(self) -> list[SummaryWritten]:
        return [fact for fact in self.facts if isinstance(fact, SummaryWritten)]

    def publish(self, *facts: Event) -> None:
        self.facts.extend(facts)

    def summariser(self, interval: int, ask=None, *, deterministic: bool = True) -> Summariser:
        return Summariser(
            interval=interval,
            covered=lambda: self.covered,
            count=lambda: self.count,
            extract=lambda first, last: f"extracted {first}-{last}",
            publish=self.publish,
            ask=ask,
            deterministic=deterministic,
        )

    def tiles(self) -> bool:
        """No gap, no overlap."""
        ends = [0, *(s.last for s in self.summaries)]
        return all(s.first == end + 1 for s, end in zip(self.summaries, ends, strict=False))


@settings(max_examples=60, deadline=None)
@given(
    interval=st.integers(2, 12),
    messages=st.integers(0, 80),
    failing=st.sets(st.integers(1, 60)),
    delays=st.lists(st.integers(0, 4), min_size=40, max_size=40),
    deterministic=st.booleans(),
)
def test_ranges_never_overlap_and_leave_no_gap(
    interval: int, messages: int, failing: set[int], delays: list[int], deterministic: bool
) -> None:
    """A gap is forgotten history; an overlap is history told twice."""

    async def debate() -> History:
        history, calls = History(), 0

        async def ask(first: int, last: int, attempt: int) -> tuple[str, tuple[Event, ...]]:
            nonlocal calls
            calls += 1
            mine = calls
            for _ in range(delays[mine % len(delays)]):
                await asyncio.sleep(0)
            if mine in failing:
                raise RunnerError("overloaded")
            return f"{first}-{last}", (CallMade(purpose="summarise", model="m"),)

        summariser = history.summariser(interval, ask, deterministic=deterministic)
        for number in range(1, messages + 1):
            await summariser.before(number)
            history.count = number
            assert history.tiles()
        await summariser.finish()
        return history

    history = asyncio.run(debate())
    assert history.tiles()
    assert history.covered == messages - messages % interval


async def test_a_deterministic_summary_stands_exactly_before_its_message_is_granted() -> None:
    """Otherwise the log would depend on how fast a summary was written."""
    history = History()
    summariser = history.summariser(4)
    stood: dict[int, int] = {}
    for number in range(1, 30):
        await summariser.before(number)
        for summary in history.summaries:
            stood.setdefault(summary.last, number)
        history.count = number
    assert stood == {last: last + LAG for last in (4, 8, 12, 16, 20)}


async def test_a_slow_summary_never_blocks_the_floor_and_is_made_once() -> None:
    """A slow summariser once made five summaries of one range, and the panel waited for each."""
    history, gate, asked = History(), asyncio.Event(), []

    async def ask(first: int, last: int, attempt: int) -> tuple[str, tuple[Event, ...]]:
        asked.append((first, last))
        await gate.wait()
        return "slow", ()

    summariser = history.summariser(3, ask, deterministic=False)
    for number in range(1, 20):
        await summariser.before(number)
        history.count = number
    assert asked == []
    await asyncio.sleep(0)
    assert asked == [(1, 3)]
    assert history.summaries == []
    gate.set()
    await summariser.finish()
    assert asked == [(first, first + 2) for first in range(1, 19, 3)]


async def test_a_summary_that_keeps_failing_is_replaced_by_an_extractive_one() -> None:
    """A failed summary once moved the index and lost its messages; here nothing is lost and nothing waits for ever."""
    history, tries = History(), []

    async def ask(first: int, last: int, attempt: int) -> tuple[str, tuple[Event, ...]]:
        tries.append(attempt)
        if attempt == 2:
            return "   ", (CallMade(purpose="summarise"),)
        raise RunnerError("overloaded")

    summariser = history.summariser(3, ask)
    history.count = 3
    await summariser.finish()
    assert tries == [1, 2, TRIES]
    assert [fact.error for fact in history.facts if isinstance(fact, TurnFailed)] == [
        "overloaded",
        "the summary was empty",
        "overloaded",
    ]
    assert history.summaries == [SummaryWritten(first=1, last=3, text="extracted 1-3")]


async def test_no_key_pauses_instead_of_summarising_by_extraction() -> None:
    """A debate that was paid for must not silently lose its summaries because the credit ran out."""
    history = History()

    async def ask(first: int, last: int, attempt: int) -> tuple[str, tuple[Event, ...]]:
        raise RunnerUnavailableError("no credit")

    history.count = 3
    with pytest.raises(RunnerUnavailableError):
        await history.summariser(3, ask).finish()
    assert history.facts == []


async def test_a_cancelled_summary_is_asked_for_again() -> None:
    """Ctrl-C while a summary is written must leave its range to the resume."""
    history = History()

    async def ask(first: int, last: int, attempt: int) -> tuple[str, tuple[Event, ...]]:
        return "written", ()

    summariser = history.summariser(3, ask)
    history.count = 3
    await summariser.before(4)
    await summariser.cancel()
    assert history.summaries == []
    await summariser.finish()
    assert [summary.text for summary in history.summaries] == ["written"]


def test_an_extractive_summary_keeps_what_was_decided_and_who_said_what() -> None:
    """Without a model a reader still gets the decisions, the proposals and each speaker's weightiest sentence."""
    lines = [
        Line(1, "Maya", "The batch window is what worries me most about the billing service. Fine."),
        Line(2, "Ruth", "Who says that the billing service would have a shorter batch window at all?"),
        Line(3, "Tomas", "Yes."),
    ]
    text = extractive_summary(
        lines, [Proposal("p1.0", 1, "Maya", "Measure the window")], [Decision("d2.0", (2,), "", "Measure it first")]
    )
    assert "Decided: Measure it first (m2)." in text
    assert "Proposed by Maya: Measure the window (m1)." in text
    assert "Maya (m1): The batch window is what worries me most about the billing service." in text
    assert "Ruth (m2): Who says" in text
    assert "Tomas" not in text


@given(st.lists(st.tuples(st.sampled_from("ABC"), st.text(max_size=400)), max_size=30))
def test_an_extractive_summary_is_bounded_and_never_empty(said: list[tuple[str, str]]) -> None:
    """A summary longer than what it sums up, or a 0-character one, helps nobody."""
    text = extractive_summary([Line(n, who, what) for n, (who, what) in enumerate(said, 1)], [], [])
    assert text
    assert len(text.split()) <= MOST_WORDS + 10
