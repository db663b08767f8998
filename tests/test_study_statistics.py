"""The statistics of a study give what textbooks print, and intervals hold the truth where it is known."""

from __future__ import annotations

import random
from math import comb

import pytest

pytest.importorskip("scipy", reason="the extra `study` is not installed")

from eda.study.statistics import (
    cluster_means,
    equivalence,
    found_in,
    holm,
    mixed_interval,
    paired_interval,
    power,
    sign_flips,
    smallest_effect,
    wilson,
)

DARWIN = (49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48)
"""Eighths of an inch between crossed and self-fertilised maize (R. A. Fisher, "The Design of Experiments", 1935)."""


def test_sign_flips_give_fishers_figure_for_darwins_maize() -> None:
    """1,726 of 32,768 signs are as far out: the first exact permutation test that was printed."""
    assert sign_flips(DARWIN, range(15)) == pytest.approx(1726 / 32768)


def test_sign_flips_of_binary_pairs_are_mcnemars_test() -> None:
    """The exact p of 8 against 2, and of many pairs, which are not tried one by one."""
    assert sign_flips([1] * 8 + [-1] * 2 + [0] * 30, range(40)) == pytest.approx(2 * (1 + 10 + 45) / 1024)
    assert sign_flips([1] * 30 + [-1] * 15, range(45)) == pytest.approx(2 * sum(comb(45, k) for k in range(16)) / 2**45)
    assert sign_flips([0.0] * 5, range(5)) == 1.0


def test_drawn_signs_are_near_the_exact_ones() -> None:
    """Beyond what can be tried the p is drawn, the same each time."""
    rng = random.Random(1)
    many = [rng.gauss(0.15, 1) for _ in range(40)]
    drawn = 0.0516  # of 400,000 signs, by `scipy.stats.permutation_test`
    assert sign_flips(many, range(40)) == sign_flips(many, range(40)) == pytest.approx(drawn, abs=0.01)


def test_wilsons_interval_is_the_printed_one() -> None:
    """R. G. Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263 and 0 of 20."""
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(0, 0) == (0.0, 1.0)


def test_holm_steps_down() -> None:
    """R's p.adjust(c(.01, .04, .03, .005), "holm")."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


def test_power_is_that_of_the_tables() -> None:
    """A paired t test of 34 pairs finds half a standard deviation with 80.8 % (Faul et al. 2007, G*Power)."""
    assert power(0.5, 1.0, 34) == pytest.approx(0.8078, abs=5e-4)
    found = smallest_effect(1.0, 34)
    assert found is not None
    assert power(found, 1.0, 34) == pytest.approx(0.8)
    assert found == pytest.approx(0.495, abs=1e-3)
    assert smallest_effect(1.0, 1) is None


def test_a_pilot_says_how_likely_an_effect_is_found() -> None:
    """Clusters that differ as a normal sample find what the tables say; without an effect one study of twenty does."""
    rng = random.Random(5)
    pilot = [rng.gauss(0.1, 1) for _ in range(400)]
    middle = sum(pilot) / 400
    spread = (sum((each - middle) ** 2 for each in pilot) / 400) ** 0.5
    assert found_in(pilot, 0.5 * spread, 34) == pytest.approx(power(0.5, 1.0, 34), abs=0.02)
    assert found_in(pilot, 0.0, 34) == pytest.approx(0.05, abs=0.015)


def test_a_mixed_model_stands_between_the_two_means() -> None:
    """A task of many pairs tells more than one of few, and less than as many tasks: neither mean alone is that."""
    pytest.importorskip("statsmodels", reason="the extra `study` is not installed")
    rng = random.Random(2)
    rows = [(task, rng.gauss(0, 0.3) + task / 10) for task in range(8) for _ in range(2 + 3 * task)]
    clusters, values = [task for task, _ in rows], [value for _, value in rows]
    found = mixed_interval(values, clusters)
    means = cluster_means(values, clusters)
    pooled, each_once = sum(values) / len(values), sum(means) / len(means)
    assert found is not None
    estimate, low, high = found
    assert low < estimate < high
    assert min(pooled, each_once) < estimate < max(pooled, each_once)
    assert mixed_interval(values, range(len(values))) is None  # nothing tells clusters and pairs apart
    assert mixed_interval([1.0] * 4, [1, 1, 2, 2]) is None


def test_no_effect_is_a_finding() -> None:
    """Small differences are shown to be within a tenth; the same ones are not shown to be within a hundredth."""
    for maize in (DARWIN, [-each for each in DARWIN]):  # as `scipy.stats.ttest_1samp` has it, whichever side is nearer
        assert equivalence(maize, range(15), 30) == pytest.approx(0.18398, abs=5e-6)
    rng = random.Random(3)
    small = [rng.gauss(0, 0.05) for _ in range(30)]
    assert (equivalence(small, range(30), 0.1) or 1) < 1e-6
    assert (equivalence(small, range(30), 0.001) or 0) > 0.2
    assert equivalence([0.0] * 30, range(30), 0.1) is None


def test_sixty_differences_of_nothing_are_equivalent() -> None:
    """A perfect null is a finding: were one pair of ten otherwise, sixty would show one, but for 2 in 1,000 studies."""
    assert equivalence([0.0] * 60, range(60), 0.1, 1.0) == pytest.approx(0.9**60)
    assert (equivalence([0.0] * 20, range(20), 0.1, 1.0) or 0) > 0.05
    assert equivalence([0.2] * 60, range(60), 0.1, 1.0) == 1.0


def test_where_few_pairs_differ_the_interval_is_no_shorter_than_it_may_be() -> None:
    """Half a gain and half a loss are added where a pair can but gain or lose; other measures have Student's t."""
    few = [1.0] * 5 + [-1.0] + [0.0] * 54
    made = paired_interval(few, range(60), bounds=(-1, 1))
    assert (made.estimate, made.method) == (pytest.approx(4 / 60), "t, signs")
    assert (made.low, made.high) == pytest.approx((4 / 61 - 0.0857, 4 / 61 + 0.0857), abs=2e-4)
    assert paired_interval([0.5, *few[1:]], range(60), bounds=(-1, 1)).method == "t"


def test_pairs_of_one_task_are_no_new_evidence() -> None:
    """Ten seeds of each of four tasks are four observations: copies of a pair make no interval narrower."""
    four = [0.1, 0.4, -0.2, 0.3]
    once, often = paired_interval(four, range(4)), paired_interval(four * 10, [0, 1, 2, 3] * 10)
    assert (once.low, once.high) == pytest.approx((often.low, often.high))
    assert (often.pairs, often.clusters) == (40, 4)
    assert cluster_means([1, 2, 5], "aab") == [1.5, 5]


def test_where_all_is_equal_the_interval_says_how_little_is_known() -> None:
    """Ten pairs without a difference do not show that there is none: 1 - .05^(1/10) could have stayed unseen."""
    made = paired_interval([0.0] * 10, range(10), bounds=(-1, 1))
    assert (made.low, made.high, made.method) == (pytest.approx(-0.2589, abs=1e-4), -made.low, "all equal")
    alone = paired_interval([0.5], ["a"])
    assert (alone.estimate, alone.low, alone.high) == (0.5, 0.5, 0.5)
