"""The estimate of tokens learns from what the provider counts."""

from __future__ import annotations

import random

import orjson
import pytest
from hypothesis import given, strategies as st

from eda.events import CallMade
from eda.memory.context.sections import TokenEstimate
from eda.memory.snapshot import dump, load
from eda.text import rough_tokens


def call(characters: int, tokens: int, cached: int = 0) -> CallMade:
    return CallMade(purpose="speak", characters=characters, input_tokens=tokens - cached, cache_read_tokens=cached)


@pytest.mark.parametrize("per_token", [1.1, 2.0, 3.3, 4.0, 5.5])
def test_after_ten_calls_the_estimate_is_within_a_tenth(per_token: float) -> None:
    """A tokenizer that cuts finer than four characters would overrun every budget; another would waste a third."""
    draw = random.Random(1)
    estimate = TokenEstimate()
    for _ in range(10):
        characters = draw.randint(800, 30_000)
        estimate.learn(call(characters, round(characters / per_token * draw.uniform(0.95, 1.05)), cached=100))
    text = "x" * 10_000
    assert abs(estimate.of(text) - 10_000 / per_token) / (10_000 / per_token) < 0.1


def test_it_follows_a_change_of_model() -> None:
    """A session that is taken up with another model would be measured by the old one's counts for ever."""
    estimate = TokenEstimate()
    for _ in range(50):
        estimate.learn(call(4000, 1000))
    for _ in range(15):
        estimate.learn(call(4000, 2000))
    assert estimate.ratio == pytest.approx(2, rel=0.1)


def test_the_error_is_stated_and_falls() -> None:
    """A figure without its error is a promise."""
    estimate = TokenEstimate()
    assert estimate.error is None
    estimate.learn(call(4000, 2000))
    first = estimate.error
    for _ in range(10):
        estimate.learn(call(4000, 2000))
    assert first == pytest.approx(0.5)
    assert estimate.error is not None
    assert estimate.error < 0.1


def test_calls_that_were_not_counted_teach_nothing() -> None:
    """A local server that reports no usage would make every text free."""
    estimate = TokenEstimate()
    estimate.learn(call(4000, 0))
    estimate.learn(CallMade(purpose="speak", input_tokens=500))
    assert (estimate.calls, estimate.ratio) == (0, 1.0)


@given(st.lists(st.tuples(st.integers(1, 10**6), st.integers(1, 10**6)), max_size=20), st.integers(0, 10**6))
def test_what_a_budget_affords_never_costs_more_than_it(calls: list[tuple[int, int]], budget: int) -> None:
    """A context that is one token too long is refused whole."""
    estimate = TokenEstimate()
    for characters, tokens in calls:
        estimate.learn(call(characters, tokens))
    assert estimate.corrected(estimate.affordable(budget)) <= budget
    assert load(TokenEstimate, orjson.loads(orjson.dumps(dump(estimate)))) == estimate


def test_a_rough_token_is_four_characters() -> None:
    """The first call of a session is budgeted by this alone."""
    assert [rough_tokens(n) for n in (0, 1, 4, 5)] == [0, 1, 1, 2]
