"""Budgets are kept before a call: what a debate takes never passes its limit by more than a call was misjudged."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from hypothesis import given, settings, strategies as st
from stated import stated

from eda import Debate, Prompt, Reply, RunnerError, Session, Usage
from eda.debate.budget import BudgetedRunner, Need
from eda.debate.floor.stop import hard_stop
from eda.debate.state import DebateState
from eda.events import (
    BallotCast,
    CallMade,
    MemberChanged,
    MemoryCorrected,
    MessagePosted,
    PhaseStarted,
    SettingChanged,
    StanceTaken,
    SummaryWritten,
    TurnFailed,
)
from eda.events.messages import UsageTotals
from eda.panels.settings import Settings
from eda.runners.models import model_for, reply_lengths
from eda.runners.protocol import Purpose
from eda.text import rough_tokens

PANEL = ["sceptic", "historian", "pragmatic-engineer"]
PRICED = "anthropic:claude-sonnet-5-5+claude-haiku-5-5"


class Taking:
    """A runner whose calls take what a test says; it keeps what was under way beside each call."""

    deterministic = True

    def __init__(self, take, *, spec: str = "taking", summarises: bool = False, words=None) -> None:
        self.spec = spec
        self.summarises = summarises
        self.made: list[tuple[Prompt, Usage]] = []
        self.together: list[int] = []
        """How many calls were under way when each began, itself included."""
        self._take = take
        self._words = words
        self._under_way = 0

    async def run(self, prompt, on_text=None):
        del on_text
        self._under_way += 1
        self.together.append(self._under_way)
        usage = self._take(prompt, len(self.made))
        self.made.append((prompt, usage))
        await asyncio.sleep(0)
        self._under_way -= 1
        if prompt.purpose == "bid":
            data = {"bids": [{"agent": one.agent, "wants": True} for one in prompt.each]}
            return Reply("", data if prompt.asked else {"wants": True}, usage, "m")
        if prompt.purpose in ("ballot", "poll"):
            return Reply("", {"choice": prompt.options[prompt.last % 2], "confidence": 0.5}, usage, "m")
        if prompt.purpose == "summarise":
            return Reply(stated(prompt), None, usage, "m")
        said = f"I have thought about it {prompt.last} times, says {prompt.agent}."
        return Reply(said if self._words is None else self._words(prompt), None, usage, "m")


def debate(runner, **limits) -> Debate:
    fields = {"max_messages": 30, "summary_every": 6, **limits}
    return Debate("Should we go?", PANEL, runner, options=("Go", "Wait"), settings=Settings(**fields))


def facts(ran: Debate, kind) -> list:
    return [event for event in ran.session.events() if isinstance(event, kind)]


def as_estimated(prompt: Prompt, _: int = 0) -> Usage:
    """What a call takes where every estimate is right."""
    lengths = reply_lengths()
    return Usage(
        rough_tokens(len(prompt.text)),
        lengths.get(prompt.purpose, lengths["speak"])[1] * max(1, len(prompt.asked)),
    )


def tokens_of(usage: Usage) -> int:
    return usage.input_tokens + usage.output_tokens


class Watched(BudgetedRunner):
    """The same, keeping what it estimated of each call that was made."""

    def __init__(self, *given) -> None:
        super().__init__(*given)
        self.estimates: list[Need] = []

    async def _room(self, prompt):
        need = await super()._room(prompt)
        self.estimates.append(need)
        return need


factors, near = (st.lists(st.floats(0.0, most), min_size=1, max_size=40) for most in (4.0, 2.0))


@given(factors | near, st.integers(500, 60_000))
def test_no_debate_passes_its_budget_of_tokens(patch, misses: list[float], limit: int) -> None:
    """Without it ten members that are asked at once spend ten times what was left.

    Calls that run side by side near the end miss together only where one takes over twice its estimate.
    """
    runner, estimates = played(patch, misses, max_tokens=limit)
    spent = sum(tokens_of(usage) for _, usage in runner.made)
    missed = [tokens_of(usage) - need.tokens for (_, usage), need in zip(runner.made, estimates, strict=True)]
    most = max(runner.together, default=0) if max(misses) > 2 else 1
    assert spent <= limit + sum(sorted((max(0, miss) for miss in missed), reverse=True)[:most])


@settings(max_examples=settings().max_examples // 4, deadline=None)
@given(near, st.floats(0.001, 0.5))
def test_no_debate_passes_its_budget_of_money(patch, misses: list[float], limit: float) -> None:
    """Without it `--budget 0.10` is a wish."""
    runner, estimates = played(patch, misses, spec=PRICED, max_cost=limit)
    spent = sum(usage.cost for _, usage in runner.made)
    missed = [usage.cost - need.cost for (_, usage), need in zip(runner.made, estimates, strict=True)]
    assert spent <= limit + max((0, *missed)) + 1e-9


def played(patch, misses: list[float], spec: str = "taking", **limits) -> tuple[Taking, list[Need]]:
    """A debate whose calls take the given multiples of what they were estimated to take."""
    kept: list[Watched] = []

    def watched(*given) -> Watched:
        kept.append(Watched(*given))
        return kept[-1]

    def take(prompt: Prompt, number: int) -> Usage:
        need, by = kept[0].estimates[number], misses[number % len(misses)]
        return Usage(int(need.tokens * by), 0, cost=need.cost * by)

    patch.setattr("eda.debate.debate.BudgetedRunner", watched)
    runner = Taking(take, spec=spec)
    result = debate(runner, **limits).run_sync()
    assert result.verdict is not None
    return runner, kept[0].estimates


@pytest.fixture(scope="module")
def patch():
    """One for all examples of a property: each sets the same name again."""
    with pytest.MonkeyPatch.context() as made:
        yield made


@pytest.mark.parametrize(("limit", "reason"), [({"max_tokens": 25_000}, "tokens"), ({"max_cost": 0.06}, "money")])
async def test_when_a_budget_ends_everybody_still_votes(limit: dict, reason: str) -> None:
    """Without it the money is spent and there is no verdict."""
    runner = Taking(lambda p, _: model_for(PRICED, p).priced(as_estimated(p)), spec=PRICED)
    ran = debate(runner, **limit)
    result = await ran.run()
    assert result.reason == reason
    assert sorted(who for voters in result.verdict.tally.values() for who in voters) == ["Maya", "Ruth", "Walter"]
    assert 3 < result.messages < 27
    assert result.spent.tokens <= limit.get("max_tokens", 1e9)
    assert result.spent.cost <= limit.get("max_cost", 1e9)
    assert not facts(ran, TurnFailed)


@pytest.mark.parametrize("agenda", ["oxford", "delphi"])
def test_where_the_last_poll_decides_everybody_answers_it_once(agenda: str) -> None:
    """Without it two of five decide, with a third of the budget kept for a ballot that never comes."""
    options, limits = ("Go", "Wait"), Settings(max_messages=30, max_tokens=14_000)
    runner = Taking(as_estimated, words=lambda p: " ".join(f"{p.agent}{p.last}w{each}" for each in range(100)))
    ran = Debate("Should we go?", PANEL, runner, options=options, settings=limits, agenda=agenda)
    result = ran.run_sync()
    assert result.spent.tokens <= 14_000
    stances = facts(ran, StanceTaken)
    last = [stance.who for stance in stances if stance.poll == stances[-1].poll]
    assert last == [member.title for member in ran.members]
    if agenda == "delphi":
        assert len({stance.after for stance in stances}) == stances[-1].poll


@pytest.mark.parametrize(("seconds", "stops"), [(89.0, None), (90.0, "time"), (500.0, "time")])
def test_a_tenth_of_the_time_is_left_for_the_ballot(seconds: float, stops: str | None) -> None:
    """Without it a debate of ten minutes has its verdict after eleven."""
    progress = DebateState(settings=Settings(max_seconds=100), spent=UsageTotals(seconds=seconds))
    assert hard_stop(progress) == stops


def test_what_is_changed_long_after_a_debate_stopped_takes_none_of_its_time() -> None:
    """A session of last week that is steered today would be out of time before it goes on."""
    ran = debate(Taking(as_estimated))
    ran.run_sync()
    *events, end = ran.session.events()
    item = MemoryCorrected(item="n1", was="Old", text="New", by="Ada", after=3)
    changed = (SettingChanged(settings=Settings()), MemberChanged(who="Maya", change="muted"), item)
    later = [fact.model_copy(update={"at": end.at + timedelta(days=7)}) for fact in changed]
    for kept in ([*events, end], events):
        progress = DebateState()
        for event in (*kept, *later):
            progress.fold(event)
        assert progress.spent.seconds == pytest.approx(ran.progress.spent.seconds, abs=1)


async def test_most_of_a_budget_is_used() -> None:
    """Without it caution leaves half of what was allowed unspent."""
    ran = debate(Taking(as_estimated), max_tokens=40_000)
    result = await ran.run()
    assert result.reason == "tokens"
    assert 0.85 * 40_000 < result.spent.tokens <= 40_000


async def test_far_from_the_end_calls_run_side_by_side_and_near_it_one_by_one() -> None:
    """Without the first a debate with a budget is slow; without the second ten calls miss their estimates together."""
    wide, tight = Taking(as_estimated), Taking(as_estimated)
    await debate(wide, max_tokens=1_000_000).run()
    await debate(tight, max_tokens=14_500).run()
    assert wide.together[:3] == [1, 2, 3]
    assert tight.together[-3:] == [1, 1, 1]


async def test_a_budget_too_small_for_all_ballots_says_who_could_not_vote() -> None:
    """Without it a debate that ran dry fails, or counts a vote that nobody cast."""
    ran = debate(Taking(as_estimated), max_tokens=1_000)
    result = await ran.run()
    assert result.reason == "tokens"
    assert result.spent.tokens <= 1_000
    cast = facts(ran, BallotCast)
    assert result.verdict.missing == tuple(each.ballot.agent for each in cast)
    assert result.verdict.abstained == ()
    assert len(cast) == 3
    assert all(each.ballot.missing for each in cast)


async def test_a_summary_is_made_whatever_else_is_under_way() -> None:
    """Whether a range is summed up by the model must not depend on when the power failed."""
    ran = debate(Taking(as_estimated, summarises=True), max_tokens=20_000, summary_every=2)
    await ran.run()
    assert {summary.by for summary in facts(ran, SummaryWritten)} == {"m"}


async def test_what_a_failed_call_took_counts() -> None:
    """Without it a server that fails after a long answer empties the account beside the budget."""

    class Failing(Taking):
        async def run(self, prompt, on_text=None):
            if prompt.purpose == "speak":
                self.made.append((prompt, Usage(2900, 100)))
                error = RunnerError("the answer broke off")
                error.usage = Usage(2900, 100)
                raise error
            return await super().run(prompt, on_text)

    runner = Failing(as_estimated)
    await debate(runner, max_tokens=9_000).run()
    assert sum(tokens_of(usage) for _, usage in runner.made) <= 9_000


async def test_a_session_out_of_budget_stays_so_until_the_limit_is_raised() -> None:
    """Without it a resume asks for the closing words that the budget had no room for."""
    ran = debate(Taking(as_estimated), max_tokens=20_000)
    await ran.run()
    said = ran.progress.messages
    with pytest.raises(Exception, match="limit of tokens"):
        Debate.resume(ran.session, Taking(as_estimated), max_messages=60)
    more = Debate.resume(ran.session, Taking(as_estimated), settings={"max_tokens": 40_000})
    result = await more.run()
    assert result.messages > said
    assert result.spent.tokens <= 40_000


async def test_a_resume_spends_on_from_what_was_spent() -> None:
    """Without it every resume begins a new budget."""
    whole = debate(Taking(as_estimated), max_tokens=30_000)
    await whole.run()
    events = list(whole.session.events())
    middle = [place for place, event in enumerate(events, 1) if isinstance(event, MessagePosted)][4]
    cut = Session.in_memory()
    cut.log.append(events[:middle], durable=False)
    again = Debate.resume(cut, Taking(as_estimated))
    await again.run()
    assert again.progress.spent.tokens == whole.progress.spent.tokens
    assert len(facts(again, MessagePosted)) == len(facts(whole, MessagePosted))
    assert [fact.why for fact in facts(again, PhaseStarted)][-3:] == [f.why for f in facts(whole, PhaseStarted)][-3:]


async def test_an_unknown_price_stops_nothing_and_is_counted() -> None:
    """Without it a local model either never answers under a budget in dollars, or is shown as free."""
    ran = debate(Taking(lambda *_: Usage(10, 10, cost=None)), max_cost=0.01, max_messages=8)
    result = await ran.run()
    assert result.reason == "messages"
    assert result.spent.unpriced_calls == len(facts(ran, CallMade))


@pytest.mark.parametrize(
    ("purpose", "spec", "model"),
    [
        ("speak", PRICED, "claude-sonnet-5-5"),
        ("bid", PRICED, "claude-haiku-5-5"),
        ("bid", "local:http://127.0.0.1:1#mine", "mine"),
        ("speak", "local:http://127.0.0.1:1", "local"),
        ("speak", "simulated", None),
    ],
)
def test_a_call_is_priced_as_the_model_that_is_asked(purpose: Purpose, spec: str, model: str | None) -> None:
    """Without it a bid of the cheap model reserves what a speech of the dear one costs."""
    found = model_for(spec, Prompt(purpose=purpose))
    assert (found.id if found else None) == model
