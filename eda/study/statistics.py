"""Intervals, tests and power for paired differences, clustered by task. What is drawn comes from fixed seeds."""

from collections.abc import Hashable, Sequence
from importlib import import_module
from math import isnan, sqrt
from typing import Any, NamedTuple
from warnings import catch_warnings

from eda.errors import UsageError
from eda.panels.installer import to_install
from eda.text import grouped

RESAMPLES = 4999
"""Random signs where not all are tried."""
MOST_FLIPS = 16
"""Clusters up to which all signs are tried."""


class Interval(NamedTuple):
    """An estimate with its interval."""

    estimate: float
    low: float
    high: float
    pairs: int
    """Number of differences."""
    clusters: int
    """Number of independent groups of them."""
    method: str
    """`t`; `t, signs` where a cluster can but gain, lose or stay; `all equal` where none differs from another."""


def library(name: str) -> Any:
    """Return a module of the extra `study`. `scipy.special` has what `scipy.stats` takes a second more to load.

    Raises:
        UsageError: it is not installed.
    """
    try:
        return import_module(name)
    except ImportError:
        what = f"tables and statistics of a study need {name.partition('.')[0]}, which is not installed"
        raise UsageError(what, hint=to_install("study")) from None


def cluster_means(values: Sequence[float], clusters: Sequence[Hashable]) -> list[float]:
    """Return the mean of each cluster, in the order in which the clusters first occur."""
    return [sum(group) / len(group) for group in grouped(zip(clusters, values, strict=True)).values()]


def paired_interval(
    differences: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    confidence: float = 0.95,
    bounds: tuple[float, float] | None = None,
) -> Interval:
    """Return the mean of the clusters' means with its interval.

    It is Student's t on those means. Where a cluster can but gain, lose or stay as it was, half a gain and half a loss
    are added (after Agresti and Min 2005): few clusters that differ know too little of the spread. Where all clusters
    have one mean, the interval reaches as far as clusters that differ could have stayed unseen (the rule of three), if
    `bounds` says how far they can differ. A bootstrap covers less where few pairs differ: see `make reproduce`.

    Args:
        differences: one of each pair, at least one.
        clusters: what each pair belongs to, such as its task. Pairs of one cluster are not independent.
        confidence: 0 to 1.
        bounds: the least and the greatest difference; None where there is no bound.
    """
    means = cluster_means(differences, clusters)
    number, estimate = len(means), sum(means) / len(means)
    if number == 1 or max(means) - min(means) < 1e-12:
        unseen = 1 - (1 - confidence) ** (1 / number)
        low, high = bounds or (estimate, estimate)
        reach = (estimate - unseen * (estimate - low), estimate + unseen * (high - estimate))
        return _interval(estimate, *reach, len(differences), number, "all equal")
    most = bounds[1] if bounds is not None and bounds[0] == -bounds[1] else 0.0
    signs = bool(most) and all(each in (-most, 0.0, most) for each in means)
    size, centre = number + signs, sum(means) / (number + signs)
    squares = sum((each - centre) ** 2 for each in means) + signs * (most**2 + centre**2)
    reached = float(library("scipy.special").stdtrit(size - 1, (1 + confidence) / 2)) * sqrt(
        squares / (size - 1) / size
    )
    low, high, method = centre - reached, centre + reached, "t, signs" if signs else "t"
    if bounds is not None:
        low, high = max(low, bounds[0]), min(high, bounds[1])
    return _interval(estimate, low, high, len(differences), number, method)


def _interval(estimate: float, low: float, high: float, pairs: int, clusters: int, method: str) -> Interval:
    """Return the interval without the last digits, which another machine may add up otherwise."""
    estimate, low, high = (round(each, 10) + 0.0 for each in (estimate, low, high))
    return Interval(estimate, low, high, pairs, clusters, method)


def sign_flips(differences: Sequence[float], clusters: Sequence[Hashable]) -> float:
    """Return the two-sided p of the mean under random signs of the clusters' means: exact up to `MOST_FLIPS` clusters.

    With one binary pair a cluster it is McNemar's exact test.
    """
    import numpy as np

    means = np.asarray(cluster_means(differences, clusters))
    means = means[means != 0]  # a sign changes nothing there
    if not means.size:
        return 1.0
    seen = abs(float(means.sum())) - 1e-12
    if means.size <= MOST_FLIPS:
        signs = 1 - 2 * ((np.arange(2**means.size)[:, None] >> np.arange(means.size)) & 1)
        return float(np.mean(np.abs(signs @ means) >= seen))
    if np.allclose(np.abs(means), abs(means[0])):  # signs alone are counted: the binomial is exact
        return float(library("scipy.stats").binomtest(int((means > 0).sum()), int(means.size)).pvalue)
    signs = np.random.default_rng(1).choice((-1, 1), size=(RESAMPLES, means.size))
    return float((1 + np.sum(np.abs(signs @ means) >= seen)) / (1 + RESAMPLES))


def wilson(hits: int, number: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval of a rate; 0 to 1 where nothing was counted."""
    if not number:
        return 0.0, 1.0
    interval = library("scipy.stats").binomtest(hits, number).proportion_ci(confidence, method="wilson")
    return float(interval.low), float(interval.high)


def holm(values: Sequence[float]) -> list[float]:
    """Return p values adjusted for their number by Holm's step-down method, in the given order."""
    adjusted, highest = [0.0] * len(values), 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = highest
    return adjusted


def equivalence(
    differences: Sequence[float], clusters: Sequence[Hashable], smallest: float, most: float | None = None
) -> float | None:
    """Return p of two one-sided t tests (TOST, Schuirmann 1987): a small one says that the effect is within `smallest`.

    Where all clusters have one mean, it is the chance that none of those was seen that an effect of `smallest` needs:
    each differs by `most` at most. None where that is not known, or there are fewer than two clusters.
    """
    means = cluster_means(differences, clusters)
    if len(means) < 2:
        return None
    if max(means) - min(means) < 1e-12:
        size = abs(means[0])
        return (
            None if most is None else 1.0 if size >= smallest else (1 - (smallest - size) / (most - size)) ** len(means)
        )
    test = library("scipy.stats").ttest_1samp
    above = test(means, -smallest, alternative="greater").pvalue
    return float(max(above, test(means, smallest, alternative="less").pvalue))


def power(effect: float, spread: float, clusters: int, alpha: float = 0.05) -> float:
    """Return the chance that a two-sided paired t test finds an effect.

    Args:
        effect: the true mean difference.
        spread: standard deviation of the clusters' mean differences.
        clusters: their number, 2 or more.
        alpha: the level of the test.
    """
    special, shift = library("scipy.special"), abs(effect) / spread * sqrt(clusters)
    limit = special.stdtrit(clusters - 1, 1 - alpha / 2)
    below, other = (float(special.nctdtr(clusters - 1, shift, each)) for each in (limit, -limit))
    # Far out scipy's other tail is no number; there it is nothing.
    return 1 - below + (0.0 if isnan(other) else other)


def smallest_effect(spread: float, clusters: int, alpha: float = 0.05, sure: float = 0.8) -> float | None:
    """Return the smallest effect that a study of this size finds with the chance `sure`; None below two clusters.

    Without a pilot a spread of 1 is the worst that differences of 0-or-1 measures can have.
    """
    if clusters < 2 or spread <= 0:
        return None if clusters < 2 else 0.0
    top = spread
    while power(top, spread, clusters, alpha) < sure:
        top *= 2
    solve = library("scipy.optimize").brentq
    return float(solve(lambda effect: power(effect, spread, clusters, alpha) - sure, 1e-9 * spread, top))


def found_in(pilot: Sequence[float], effect: float, clusters: int, alpha: float = 0.05) -> float:
    """Return in which share of 10,000 simulated studies the interval leaves out 0, if clusters differ as in a pilot.

    Args:
        pilot: the clusters' mean differences, two or more. Each study draws from them, about another mean.
        effect: the true mean difference.
        clusters: of each study, 2 or more.
        alpha: 1 minus the confidence of the interval.
    """
    import numpy as np

    values = np.asarray(pilot) - sum(pilot) / len(pilot) + effect
    drawn = np.random.default_rng(1).choice(values, (10_000, clusters))
    limit = float(library("scipy.special").stdtrit(clusters - 1, 1 - alpha / 2))
    return float(np.mean(np.abs(drawn.mean(axis=1)) > limit * drawn.std(axis=1, ddof=1) / sqrt(clusters)))


def mixed_interval(
    differences: Sequence[float], clusters: Sequence[Hashable], alpha: float = 0.05
) -> list[float] | None:
    """Return the estimate of a linear mixed model, in which each cluster has a mean of its own, with its interval.

    A cluster weighs by its pairs as much as they tell, between once and once for each pair. None where no cluster has
    two pairs, or none differs: there is nothing to tell clusters and pairs apart by.

    Raises:
        UsageError: statsmodels is not installed.
    """
    if len(set(clusters)) in (1, len(differences)) or max(differences) - min(differences) < 1e-12:
        return None
    models = library("statsmodels.regression.mixed_linear_model")
    with catch_warnings(action="ignore"):  # that clusters do not differ is no fault
        ones = library("numpy").ones((len(differences), 1))
        fit = models.MixedLM(differences, ones, groups=[*map(str, clusters)]).fit()
        return [float(fit.params[0]), *map(float, fit.conf_int(alpha)[0])]
