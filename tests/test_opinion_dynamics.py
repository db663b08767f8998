"""Opinion models hold their published laws: a study built on them must not publish our bugs."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st
from in_turn import in_one
from proofs.opinion_dynamics import deffuant_weisbuch, degroot, friedkin_johnsen, hegselmann_krause

OPINION = st.floats(-1, 1, allow_nan=False)
OPINIONS = st.lists(OPINION, min_size=1, max_size=7)
BOUND = st.floats(0, 2)
SHARE = st.floats(0, 1)
CLOSE = 1e-9


@st.composite
def groups(draw):
    """Opinions now and at first, who trusts whom, and how stubborn each is."""
    size = draw(st.integers(1, 6))
    row = st.lists(st.floats(0.01, 1), min_size=size, max_size=size)
    trust = [
        [weight / sum(weights) for weight in weights] for weights in draw(st.lists(row, min_size=size, max_size=size))
    ]
    several = st.lists(OPINION, min_size=size, max_size=size)
    return draw(several), draw(several), trust, draw(st.lists(SHARE, min_size=size, max_size=size))


@given(OPINIONS, BOUND)
def test_hegselmann_krause_stays_within_what_was_thought(opinions, epsilon):
    """An opinion would appear that nobody ever held."""
    assert all(min(opinions) <= new <= max(opinions) for new in hegselmann_krause(opinions, epsilon))


@given(OPINIONS, BOUND)
def test_hegselmann_krause_keeps_the_order(opinions, epsilon):
    """The sceptic would overtake the enthusiast by listening to the same room."""
    moved = hegselmann_krause(sorted(opinions), epsilon)
    assert all(one <= other + CLOSE for one, other in pairwise(moved))


@given(st.lists(st.tuples(OPINION, BOUND), min_size=1, max_size=7))
def test_hegselmann_krause_moves_nobody_beyond_its_bound(group):
    """Confidence would be bounded in name only."""
    opinions, bounds = zip(*group, strict=True)
    moved = hegselmann_krause(opinions, bounds)
    assert all(abs(new - old) <= bound + CLOSE for new, old, bound in zip(moved, opinions, bounds, strict=True))


@given(OPINION, st.integers(1, 6), BOUND)
def test_a_consensus_stays(opinion, size, epsilon):
    """An agreed panel would drift apart by itself."""
    assert hegselmann_krause([opinion] * size, epsilon) == pytest.approx([opinion] * size)


def test_hegselmann_krause_splits_into_the_known_clusters():
    """Two camps beyond earshot would merge."""
    assert hegselmann_krause([0.0, 0.2, 0.9, 1.0], 0.25) == pytest.approx([0.1, 0.1, 0.95, 0.95])


@given(OPINION, OPINION, BOUND, st.floats(0, 0.5))
def test_deffuant_weisbuch_keeps_the_mean_and_the_order(one, other, epsilon, mu):
    """Two that meet would carry each other off."""
    new_one, new_other = deffuant_weisbuch(one, other, epsilon, mu)
    assert new_one + new_other == pytest.approx(one + other, abs=CLOSE)
    assert (new_one <= new_other + CLOSE) if one <= other else (new_other <= new_one + CLOSE)
    assert abs(new_one - new_other) <= abs(one - other) + CLOSE


@given(OPINION, OPINION, st.floats(0, 0.5))
def test_deffuant_weisbuch_ignores_whoever_is_too_far(one, other, mu):
    """Everybody would hear everybody."""
    assert deffuant_weisbuch(one, other, abs(one - other), mu) == (one, other)


@given(groups())
def test_degroot_stays_within_what_was_thought(group):
    """An average would leave what it is the average of."""
    opinions, _, trust, _ = group
    assert all(min(opinions) <= new <= max(opinions) for new in degroot(opinions, trust))


@given(groups())
def test_friedkin_johnsen_lies_between_the_room_and_the_first_opinion(group):
    """Stubbornness would push people where neither they nor the room are."""
    opinions, initial, trust, stubbornness = group
    low, high = min(*opinions, *initial), max(*opinions, *initial)
    assert all(low <= new <= high for new in friedkin_johnsen(opinions, initial, trust, stubbornness))


@given(groups())
def test_the_two_ends_of_stubbornness(group):
    """0 is DeGroot's model and 1 never moves, or a sweep over stubbornness means nothing."""
    opinions, initial, trust, _ = group
    size = len(opinions)
    assert friedkin_johnsen(opinions, initial, trust, [0.0] * size) == degroot(opinions, trust)
    assert friedkin_johnsen(opinions, initial, trust, [1.0] * size) == tuple(initial)


def test_degroot_reaches_the_known_consensus():
    """The limit is the weighted mean that the paper proves."""
    opinions: tuple[float, ...] = (0.0, 1.0)
    for _ in range(200):
        opinions = degroot(opinions, [[0.5, 0.5], [0.25, 0.75]])
    assert opinions == pytest.approx((2 / 3, 2 / 3))


@in_one(
    "call",
    [
        lambda: degroot([0.0, 1.0], [[1.0, 0.0]]),
        lambda: degroot([0.0], [[0.5]]),
        lambda: degroot([0.0, 1.0], [[1.5, -0.5], [0.0, 1.0]]),
        lambda: degroot([0.0, 1.0], [[1.0], [1.0]]),
        lambda: friedkin_johnsen([0.0], [0.0, 1.0], [[1.0]], [0.5]),
        lambda: friedkin_johnsen([0.0], [0.0], [[1.0]], [1.5]),
        lambda: hegselmann_krause([0.0], -0.1),
        lambda: hegselmann_krause([0.0], [0.1, 0.2]),
        lambda: deffuant_weisbuch(0.0, 1.0, -1.0),
        lambda: deffuant_weisbuch(0.0, 1.0, 1.0, 0.7),
    ],
)
def test_shapes_and_ranges_that_do_not_fit_are_refused(call):
    """A study would go on with numbers that mean nothing."""
    with pytest.raises(ValueError):
        call()


@pytest.mark.parametrize("wrong", [math.nan, math.inf])
def test_what_is_no_number_is_refused(wrong: float) -> None:
    """One missing poll in a table would make every later opinion nothing, or divide by nobody."""
    for step in (
        lambda: degroot([0.0, wrong], [[0.5, 0.5], [0.5, 0.5]]),
        lambda: friedkin_johnsen([0.0], [wrong], [[1.0]], [0.5]),
        lambda: hegselmann_krause([0.0, wrong], 0.5),
        lambda: deffuant_weisbuch(0.0, wrong, 0.5),
    ):
        with pytest.raises(ValueError, match="no number"):
            step()
    for unbound in (lambda: hegselmann_krause([0.0], math.nan), lambda: deffuant_weisbuch(0.0, 1.0, math.nan)):
        with pytest.raises(ValueError, match="0 or more"):
            unbound()
