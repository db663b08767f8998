"""Summaries tile the history, at any interval, delay and failure; each stands at its message, made once."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings, strategies as st

from eda import Debate, Prompt, Reply, ScriptedRunner, Session
from eda.debate.prompts.prefix import summary_prompt
from eda.debate.prompts.texts import Prompts
from eda.errors import RunnerUnavailableError
from eda.events import (
    BallotCast,
    CallMade,
    Event,
    Line,
    MessagePosted,
    SessionStarted,
    StanceTaken,
    SummaryWritten,
    TurnFailed,
)
from eda.memory import ConversationMemory
from eda.memory.minutes.model_minutes import MinutesAnswer
from eda.memory.summaries.due import LAG, MOST, Due
from eda.memory.summaries.summary_input import SummaryInput
from eda.memory.summariser import TRIES, Draft, Refused, Summariser
from eda.panels.settings import Settings
from eda.runners.simulated.runner import SimulatedRunner

WORDS = "Ada says that the batch number {} takes long and that it should move to the night"


class History:
    """A conversation with the real memory, fed as the bus would feed it."""

    def __init__(self, interval: int = 12) -> None:
        self.memory = ConversationMemory()
        self.facts: list[Event] = []
        self.publish(SessionStarted(session="s", settings=Settings(summary_every=interval)))
        self.interval = interval

    @property
    def summaries(self) -> list[SummaryWritten]:
        return [fact for fact in self.facts if isinstance(fact, SummaryWritten)]

    def publish(self, *facts: Event) -> None:
        for fact in facts:
            stamped = fact.model_copy(update={"seq": len(self.facts) + 1})
            self.facts.append(stamped)
            self.memory.fold(stamped)

    def post(self, number: int) -> None:
        self.publish(MessagePosted(number=number, who="AB"[number % 2], text=WORDS.format(number)))

    def summariser(self, ask=None, *, deterministic: bool = True) -> Summariser:
        return Summariser(
            self.memory.parts,
            self.publish,
            ask=ask,
            deterministic=deterministic,
        )

    def assert_tiles(self) -> None:
        standing = self.memory.summaries
        ends = [0, *(one.last for one in standing)]
        assert [one.first for one in standing] == [end + 1 for end in ends[:-1]]
        assert len(standing) <= MOST
        assert self.memory.covered == ends[-1]
        kept = {line.number for line in self.memory.full_context(None, 1_000_000).lines}
        assert set(range(ends[-1] + 1, self.memory.message_count + 1)) <= kept


def wrote(material: SummaryInput, text: str = "") -> Draft:
    """What a model that loses nothing writes."""
    due = material.due
    return Draft(text or f"{due.first} to {due.last}.", (CallMade(purpose="summarise", last=due.last),), "m")


@settings(max_examples=settings().max_examples // 3, deadline=None)
@given(
    interval=st.integers(2, 13),
    messages=st.integers(0, 260),
    failing=st.sets(st.integers(1, 120)),
    delays=st.lists(st.integers(0, 4), min_size=7, max_size=7),
    deterministic=st.booleans(),
)
def test_all_is_covered_once_and_by_few_whatever_fails_and_however_slow(
    interval: int, messages: int, failing: set[int], delays: list[int], deterministic: bool
) -> None:
    """A gap is forgotten history; an overlap is history told twice; a long list is cut where a context is full."""

    async def debate() -> History:
        history, calls = History(interval), 0

        async def ask(material: SummaryInput, attempt: int, refused: Refused | None) -> Draft:
            nonlocal calls
            calls += 1
            mine = calls
            for _ in range(delays[mine % len(delays)]):
                await asyncio.sleep(0)
            if mine in failing:
                return Draft("", wrong="overloaded")
            return wrote(material)

        summariser = history.summariser(ask, deterministic=deterministic)
        for number in range(1, messages + 1):
            while await summariser.before(number):
                pass
            history.post(number)
            if number % 5 == 0:
                history.assert_tiles()
        while await summariser.finish():
            pass
        return history

    history = asyncio.run(debate())
    history.assert_tiles()
    assert history.memory.covered == messages - messages % interval
    assert history.memory.parts.summaries.written == len(history.summaries)


@pytest.mark.long
def test_five_thousand_messages_are_covered_by_ten_summaries() -> None:
    """After a hundred messages all but the newest compact was once gone; here message 1 is still covered."""
    history = History()
    summariser = history.summariser()
    for number in range(1, 5_001):
        history.post(number)
        summariser.extract_due()
    history.assert_tiles()
    assert history.memory.covered == 4_992
    assert all(one.text for one in history.memory.summaries)
    assert max(len(one.text.split()) for one in history.memory.summaries) <= 160


@pytest.mark.parametrize("interval", [2, 4, 12])
async def test_a_deterministic_summary_stands_exactly_before_its_message_is_granted(interval: int) -> None:
    """Otherwise the log would depend on how fast a summary was written; a fold stands before the next one is due."""
    history, gate = History(interval), asyncio.Event()
    gate.set()

    async def ask(material: SummaryInput, attempt: int, refused: Refused | None) -> Draft:
        await gate.wait()
        return wrote(material)

    summariser = history.summariser(ask)
    stood: dict[tuple[int, int], int] = {}
    for number in range(1, 15 * interval + LAG + 1):
        while await summariser.before(number):
            pass
        for one in history.summaries:
            stood.setdefault((one.level, one.last), number)
        history.post(number)
    written = {last: number for (level, last), number in stood.items() if level == 1}
    assert written == {last: last + LAG for last in range(interval, 15 * interval + 1, interval)}
    folds = [number for (level, _), number in stood.items() if level > 1]
    assert folds == [count * interval + LAG + min(LAG, interval) for count in (10, 13)]


async def test_a_slow_summary_never_blocks_the_floor_and_is_made_once() -> None:
    """A slow summariser once made five summaries of one range, and the panel waited for each."""
    history, gate, asked = History(3), asyncio.Event(), []

    async def ask(material: SummaryInput, attempt: int, refused: Refused | None) -> Draft:
        asked.append((material.due.first, material.due.last, material.due.level))
        await gate.wait()
        return wrote(material)

    summariser = history.summariser(ask, deterministic=False)
    for number in range(1, 40):
        while await summariser.before(number):
            pass
        history.post(number)
        await asyncio.sleep(0)
    assert asked == [(1, 3, 1)]
    history.assert_tiles()
    gate.set()
    while await summariser.finish():
        pass
    assert [one for one in asked if one[2] == 1] == [(first, first + 2, 1) for first in range(1, 38, 3)]
    assert [one for one in asked if one[2] > 1] == [(1, 12, 2), (13, 24, 2)]
    assert len(set(asked)) == len(asked)


async def test_a_summary_that_keeps_failing_is_replaced_by_an_extractive_one() -> None:
    """A failed summary once moved the index and lost its messages; here nothing is lost and nothing waits for ever."""
    history, tries = History(3), []

    async def ask(material: SummaryInput, attempt: int, refused: Refused | None) -> Draft:
        tries.append(attempt)
        if attempt == 2:
            return Draft("   ", (CallMade(purpose="summarise"),))
        return Draft("", wrong="overloaded")

    for number in (1, 2, 3):
        history.post(number)
    await history.summariser(ask).finish()
    assert tries == [1, 2, TRIES]
    failures = [fact.error for fact in history.facts if isinstance(fact, TurnFailed)]
    assert failures == ["overloaded", "the summary was empty", "overloaded"]
    (summary,) = history.summaries
    assert (summary.first, summary.last, summary.by) == (1, 3, "extractive")
    assert "batch number 2" in summary.text


async def test_a_fold_is_made_of_the_summaries_that_it_replaces_and_takes_no_minutes() -> None:
    """A fold that is written from the newest messages would lose what it stands for."""
    history, sources = History(2), []

    async def ask(material: SummaryInput, attempt: int, refused: Refused | None) -> Draft:
        if material.due.level > 1:
            sources.append([one.text for one in material.sources])
        return wrote(material)

    summariser = history.summariser(ask)
    for number in range(1, 22):
        history.post(number)
    while await summariser.finish():
        pass
    assert sources == [["1 to 2.", "3 to 4.", "5 to 6.", "7 to 8."]]
    fold = next(one for one in history.summaries if one.level == 2)
    assert (fold.first, fold.last, fold.text, fold.by, fold.minutes) == (1, 8, "1 to 8.", "m", None)
    assert history.memory.stats().summary_count == len(history.summaries)


async def test_no_key_pauses_instead_of_summarising_by_extraction() -> None:
    """A debate that was paid for must not silently lose its summaries because the credit ran out."""
    history = History(3)

    async def ask(material: SummaryInput, attempt: int, refused: Refused | None) -> Draft:
        raise RunnerUnavailableError("no credit")

    for number in (1, 2, 3):
        history.post(number)
    with pytest.raises(RunnerUnavailableError):
        await history.summariser(ask).finish()
    assert history.summaries == []


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        (["for p3.0, no if"], False),
        (["I take back my if on the mulch.", "for p3.0, no if"], False),
        (["Who pays for the straw?"], True),
        (["for p3.0, no if"] * 3, True),
        (["It costs 4 pounds. " * 20], True),
    ],
)
async def test_the_last_stretch_of_a_line_or_two_is_not_summed_up(said: list[str], *, asks: bool) -> None:
    """Each line that a person typed before the vote brought a call of 11,000 characters."""
    history = History(6)
    for number, text in enumerate(said, 1):
        history.publish(MessagePosted(number=number, who="AB"[number % 2], text=text))

    async def ask(material: SummaryInput, attempt: int, refused: Refused | None) -> Draft:
        return wrote(material)

    assert await history.summariser(ask).finish_minutes(ends=True) == asks


@pytest.mark.parametrize(("said", "asked"), [(5, "20"), (100, "50"), (1_000, "160")])
def test_a_summary_has_half_the_words_of_its_messages_at_most(said: int, asked: str) -> None:
    """About 160 words were asked for of seven."""
    material = SummaryInput(Due(1, 1), lines=(Line(1, "A", "no " * said),))
    prompt = summary_prompt(SessionStarted(session="s"), Prompts().fill, material, 1, 1, None)
    assert f"in about {asked} words" in prompt.own


async def test_a_cancelled_summary_is_asked_for_again() -> None:
    """Ctrl-C while a summary is written must leave its range to the resume."""
    history = History(3)

    async def ask(material: SummaryInput, attempt: int, refused: Refused | None) -> Draft:
        return wrote(material)

    summariser = history.summariser(ask)
    for number in (1, 2, 3):
        history.post(number)
    while await summariser.before(4):
        pass
    await summariser.cancel()
    assert history.summaries == []
    while await summariser.finish():
        pass
    assert [one.text for one in history.summaries] == ["1 to 3."]


async def test_minutes_come_with_the_summary_and_are_checked() -> None:
    """What the call that sums up finds must reach memory, and what it made up must not, nor a proposal of nobody."""
    history = History(3)
    said, invented = ({"message": 2, "quote": quote} for quote in ("it should move to the night", "words nobody said"))
    answer = MinutesAnswer.model_validate(
        {"summary": "s", "unsourced": [said, invented], "proposals": [{**said, "text": "Move the batch"}]}
    )

    async def ask(material: SummaryInput, attempt: int, refused: Refused | None) -> Draft:
        return Draft("They spoke.", (CallMade(purpose="summarise"),), "m", answer)

    for number in (1, 2, 3):
        history.post(number)
    await history.summariser(ask).finish()
    (summary,) = history.summaries
    assert summary.minutes is not None
    assert ["move to the night" in item.quote for item in summary.minutes.unsourced] == [True]
    assert [each.message for each in history.memory.questions] == [2]
    assert (summary.minutes.proposals, history.memory.proposals) == ((), ())


async def test_minutes_of_a_first_try_stay_where_the_second_brings_none() -> None:
    """A second try in plain words lost the questions that the first had taken down."""
    history = History(3)
    found = {"message": 2, "quote": "it should move to the night"}
    answer = MinutesAnswer.model_validate({"summary": "s", "unsourced": [found]})

    async def ask(material: SummaryInput, attempt: int, refused: Refused | None) -> Draft:
        if attempt == 1:
            return Draft("It was decided to pay $9,999.", answer=answer)
        return Draft("They spoke.")

    for number in (1, 2, 3):
        history.post(number)
    await history.summariser(ask).finish()
    (summary,) = history.summaries
    assert summary.text == "They spoke."
    assert summary.minutes is not None
    assert [item.message for item in summary.minutes.unsourced] == [2]


async def test_what_is_asked_does_not_depend_on_what_was_said_since() -> None:
    """A session cut after message 5 and resumed at message 5 must ask as the uninterrupted one did after message 3."""

    def proposing(history: History) -> None:
        history.publish(MessagePosted(number=1, who="A", text="Well.\n[PROPOSE] Move it", moves_at=6, moves=()))
        history.post(2)
        history.post(3)

    early, late = History(3), History(3)
    proposing(early)
    proposing(late)
    asked: list[SummaryInput] = []

    async def ask(material: SummaryInput, attempt: int, refused: Refused | None) -> Draft:
        asked.append(material)
        return wrote(material)

    for number in (4, 5):
        late.publish(MessagePosted(number=number, who="C", text="We agreed: the proposal p1.0 is withdrawn."))
    restored = ConversationMemory.from_json(late.memory.to_json())
    late.memory = restored
    await early.summariser(ask).finish()
    await late.summariser(ask).finish()
    first, second = asked
    assert (first.items, first.minutes, first.texts) == (second.items, second.minutes, second.texts)


@pytest.mark.parametrize("kind", [BallotCast, StanceTaken])
def test_minutes_that_are_due_stand_before_the_choices_of_a_vote_are_fixed(kind: type[Event]) -> None:
    """What only the minutes found came after the vote: nobody could vote for it."""

    def reply(prompt: Prompt) -> str | Reply:
        if prompt.purpose == "poll":
            return Reply("", {"choice": prompt.options[0]})
        if prompt.purpose == "summarise":
            return Reply("", {"summary": f"They spoke up to m{prompt.last}."})
        told = f"{prompt.agent} has looked at item{prompt.last} and at page{prompt.last}, as everybody here wished"
        return f"{told}, and will say at the next turn what stands on it and what of it {prompt.last} others confirm."

    session = Session.in_memory()
    chosen = Settings(max_messages=9, summary_every=3, floor="round-robin", consensus=1.0, poll_every=1)
    runner = ScriptedRunner(reply, summarises=True)
    Debate(
        "Shall we?", ["sceptic", "historian"], runner, options=("Go", "Wait"), settings=chosen, session=session
    ).run_sync()
    facts = list(session.events())
    votes = [place for place, fact in enumerate(facts) if isinstance(fact, kind)]
    assert votes
    for place in votes:
        messages = sum(isinstance(fact, MessagePosted) for fact in facts[:place])
        covered = max((fact.last for fact in facts[:place] if isinstance(fact, SummaryWritten)), default=0)
        assert covered == (messages if kind is BallotCast else messages - messages % 3), "the last stretch, too"


async def test_a_summary_that_comes_while_members_ask_for_the_floor_is_told_to_the_speaker() -> None:
    """Minutes that were in stood in no prompt before the next message was posted."""

    class Waiting:
        """A bid after a full range comes once its summary has come; the next speaker is asked after that."""

        summarised = asyncio.Event()

        async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
            if prompt.purpose == "summarise":
                self.summarised.set()
                return Reply("", {"summary": f"They spoke up to m{prompt.last}."})
            if prompt.purpose == "bid" and prompt.last >= 6:
                await asyncio.wait_for(self.summarised.wait(), 10)
            return await SimulatedRunner().run(prompt)

    settings = Settings(max_messages=9, summary_every=6, first_vote=False, bids="together")
    debate = Debate("Shall we go?", ["sceptic", "historian"], Waiting(), settings=settings)
    await debate.run()
    events = [*debate.session.events()]
    at = next(place for place, event in enumerate(events) if isinstance(event, SummaryWritten))
    before = [event.number for event in events[:at] if isinstance(event, MessagePosted)]
    assert before[-1] == 6
