"""What is held back for the vote is there when the vote comes, however long the talk was."""

from __future__ import annotations

import pytest

from eda import Debate, Prompt, Reply, Usage
from eda.debate.budget import BudgetedRunner, Need
from eda.debate.state import DebateState
from eda.events import BallotCast, CallMade, MessagePosted, PhaseStarted, StanceTaken
from eda.memory import ConversationMemory
from eda.panels.agenda import read_agenda
from eda.panels.settings import Settings
from eda.runners.models import look_up, reply_lengths
from eda.text import rough_tokens

PANEL = ["sceptic", "historian", "pragmatic-engineer"]
REPORT = Prompt(purpose="report", own="What came of it?" * 100)


class Talker:
    """Speaks in so many words, and takes what they take."""

    deterministic = True
    summarises = declares = False
    spec = "talker"

    def __init__(self, words: int) -> None:
        self._words = words

    async def run(self, prompt, on_text=None):
        del on_text
        text, data = "", None
        if prompt.purpose == "bid":
            data = {"bids": [{"agent": one.agent, "wants": True} for one in prompt.each]}
        elif prompt.purpose == "ballot":
            data = {"choice": prompt.options[0]}
        else:
            text = " ".join(f"{prompt.agent[:3]}{prompt.last}x{word}" for word in range(self._words))
        return Reply(text, data, Usage(rough_tokens(len(prompt.text)), max(60, rough_tokens(len(text)))), "m")


def facts(kind, words: int, limit: int) -> list:
    given = Settings(max_messages=200, max_tokens=limit)
    ran = Debate("Should we go?", PANEL, Talker(words), options=("Go", "Wait"), settings=given)
    assert ran.run_sync().reason == "tokens"
    return [event for event in ran.session.events() if isinstance(event, kind)]


@pytest.mark.parametrize(("words", "limit"), [(50, 6_000), (50, 42_000), (200, 6_000), (200, 36_000)])
def test_what_is_being_said_is_counted_into_the_ballots_that_follow(words: int, limit: int) -> None:
    """Every voter reads the last message: left out of what is held back, it takes somebody's vote."""
    assert [cast.ballot.choice for cast in facts(BallotCast, words, limit)].count(None) == 0


@pytest.mark.parametrize(("form", "limit"), [("brainstorm", 10_000), ("mediation", 13_000), ("red-team", 13_600)])
def test_a_ballot_that_writes_long_proposals_out_is_reserved_in_full(form: str, limit: int) -> None:
    """Each voter ranks whole sentences: taken for a short reply, the votes of the first leave none for the last."""
    limits = Settings(max_messages=40, max_tokens=limit)
    options = ("Go now", "Wait a year", "Sell it")
    ran = Debate("Should we go?", PANEL, options=options, settings=limits, agenda=form)
    assert ran.run_sync().reason == "tokens"
    cast = [event.ballot for event in ran.session.events() if isinstance(event, BallotCast) and not event.first]
    assert len(cast) == len(PANEL)
    assert not any(ballot.invalid for ballot in cast)


ROUND_AGAIN = """
name = "again"
title = "Again"
description = "Once more until nobody moves."
promise = "a verdict"
rule = "plurality"
phase = [
  {name = "say", kind = "round"},
  {name = "talk", kind = "open", messages = 2},
  {name = "count", kind = "poll", until = "settled", back_to = "say", laps = 5},
  {name = "verdict", kind = "verdict"},
]
"""


def test_a_count_is_not_begun_again_where_money_ended_before_a_word() -> None:
    """Half a poll in place of a whole one is no quorum: the verdict that was there is gone."""
    limits, options = Settings(max_messages=60, max_tokens=16_500), ("Go now", "Wait a year", "Sell it")
    agenda = read_agenda(ROUND_AGAIN, "again.toml")
    ran = Debate("Should we go?", PANEL, options=options, settings=limits, agenda=agenda)
    reached = ran.run_sync().verdict
    assert [event.lap for event in ran.session.events() if isinstance(event, PhaseStarted)][-3:] == [2, 2, 1]
    assert reached is not None
    assert reached.outcome == "Sell it"
    assert {event.poll for event in ran.session.events() if isinstance(event, StanceTaken)} == {1}


def test_talk_leaves_a_tenth_of_the_budget_where_the_ballots_need_less() -> None:
    """A ballot that is asked again, and the report, are paid from what is left of it."""
    talk = [call for call in facts(CallMade, 20, 152_000) if call.purpose != "ballot"]
    assert sum(call.input_tokens + call.output_tokens for call in talk) <= 0.9 * 152_000


def test_a_wish_to_move_on_ends_no_later_phase_than_it_was_meant_for() -> None:
    """What was asked for in the opening, which ran out of money, must not cost the talk after it."""
    limits = Settings(max_tokens=8_000, first_vote=False)
    ran = Debate("Should we go?", PANEL, Talker(400), options=("Go", "Wait"), settings=limits)
    ran.on(MessagePosted)(lambda _: ran.move_on())
    ran.run_sync()
    assert ran.progress.messages
    assert "person" not in [event.why for event in ran.session.events() if isinstance(event, PhaseStarted)]


def spending(taken: Need, spec: str = "talker", **limits: float) -> BudgetedRunner:
    progress = DebateState(settings=Settings(**limits))
    progress.spent.output_tokens, progress.spent.cost = taken.tokens, taken.cost
    runner = Talker(5)
    runner.spec = spec
    return BudgetedRunner(runner, progress, ConversationMemory(), lambda: (REPORT, 3))


async def test_the_report_is_paid_from_what_is_held_back() -> None:
    """A debate that used its budget well would end without the prose that was asked for."""
    reply = await spending(Need(95_000), max_tokens=100_000).run(REPORT)
    assert reply.text


def test_a_call_is_reserved_at_the_price_of_writing_what_it_sends_into_the_cache() -> None:
    """Reserved as plain input, a debate that caches would pass its budget by up to a quarter of each prompt."""
    need = spending(Need(), "anthropic:claude-sonnet-5-5", max_cost=1.0).estimate(REPORT)
    usage = Usage(cache_write_tokens=rough_tokens(len(REPORT.text)), output_tokens=reply_lengths()["report"][1])
    assert need.cost == pytest.approx(look_up("claude-sonnet-5-5").priced(usage).cost)
