"""Whether an answer hinges on what was altered: differences of shares, and the plan that spends where it tells most."""

from __future__ import annotations

import pytest

from eda.debate.hinges import NEAR, Share, compared, first_runs, interval, wanted


def test_the_interval_is_that_of_the_published_examples() -> None:
    """Newcombe (1998), table II, method 10: 56/70 - 48/80 is 0.0524 to 0.3339, and 10/10 - 0/10 is 0.6075 to 1."""
    found = compared(Share(48, 80), Share(56, 70), 1)
    assert (found.estimate, found.low, found.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    found = compared(Share(0, 10), Share(10, 10), 1)
    assert (found.low, found.high) == pytest.approx((0.6075, 1.0), abs=5e-5)
    assert interval(Share(81, 263)) == pytest.approx((0.2553, 0.3662), abs=5e-5)  # his table I for one share
    assert interval(Share(0, 0)) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("control", "arm", "tried", "finding"),
    [
        (Share(4, 50), Share(9, 10), 6, "hinges"),
        (Share(4, 50), Share(6, 20), 1, "hinges"),
        (Share(4, 50), Share(6, 20), 6, "may"),  # by itself it would be seen, among six it can be chance
        (Share(4, 50), Share(2, 20), 6, "unseen"),
        (Share(0, 100), Share(0, 100), 6, "shown"),
        (Share(30, 50), Share(0, 10), 6, "shown"),  # it makes the answer firmer, which is no hinge
    ],
)
def test_a_finding_is_corrected_for_what_else_was_tried(control: Share, arm: Share, tried: int, finding: str) -> None:
    """Of many premises one changes the answer by chance; that must not be called a hinge."""
    found = compared(control, arm, tried)
    assert found.finding == finding
    assert found.low <= found.estimate <= found.high


def test_a_plan_goes_on_only_where_an_effect_is_near() -> None:
    """Most premises matter to nobody, and each run is paid for."""
    first = first_runs(20)
    control = [False] * (2 * first - 1) + [True]
    assert first_runs(3) == 3
    assert wanted(control, [], 20) == wanted(control[:-1], [True] * first, 20) == first < 20
    assert wanted(control, [False] * first, 20) == first
    assert wanted(control, [True] * 2 + [False] * (first - 2), 20) == 20
    assert 1 / first < NEAR


def test_a_plan_that_is_taken_up_again_goes_on_as_it_would_have() -> None:
    """Else a kill in the second stage would make another table."""
    first = first_runs(20)
    control, arm = [False] * 40, [True] * 2 + [False] * (first - 2)
    more = [False] * 20
    assert {wanted(control, arm + more[:done], 20) for done in range(15)} == {20}
    none = [False] * first
    assert {wanted(control[: 2 * first + done] + [True] * done, none, 20) for done in range(20)} == {first}
