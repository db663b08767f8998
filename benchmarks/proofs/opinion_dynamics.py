"""Published models of how opinions move. The one rule: a function is one step, without state or chance.

An opinion is a float, by custom in [-1, 1] (against .. for). Every model works on any interval and never leaves the
one that its inputs span.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from math import fsum, isclose, isfinite

from eda.runners.simulated.stance import between, held_back


def averaged(opinions: Sequence[float], weights: Sequence[float]) -> float:
    """Return what one agent thinks next by the weights it gives to opinions: the step of `degroot` for it alone."""
    return between(fsum(weight * opinion for weight, opinion in zip(weights, opinions, strict=True)), opinions)


def _share(name: str, value: float, top: float = 1.0) -> None:
    if not 0.0 <= value <= top:
        raise ValueError(f"{name} is {value}, not in [0, {top}]")


def _numbers(opinions: Sequence[float]) -> None:
    if not all(map(isfinite, opinions)):
        raise ValueError("an opinion is no number")


def _weights(trust: Sequence[Sequence[float]], size: int) -> None:
    if len(trust) != size:
        raise ValueError(f"trust has {len(trust)} rows for {size} opinions")
    for number, row in enumerate(trust):
        if len(row) != size:
            raise ValueError(f"row {number} of trust has {len(row)} weights for {size} opinions")
        if any(weight < 0 for weight in row) or not isclose(fsum(row), 1.0, abs_tol=1e-9):
            raise ValueError(f"row {number} of trust is no set of weights: none below 0, their sum 1")


def degroot(opinions: Sequence[float], trust: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Return each agent's average of all opinions, weighted by its trust in the others.

    M. H. DeGroot, "Reaching a Consensus", Journal of the American Statistical Association 69 (345), 1974, 118-121.

    Args:
        opinions: n opinions.
        trust: n rows of n weights, each row >= 0 with the sum 1; `trust[i][j]` is how much i listens to j.

    Returns:
        n opinions, inside the interval of the old ones.

    Raises:
        ValueError: the shapes do not fit, an opinion is no finite number, or a row is no set of weights.
    """
    _numbers(opinions)
    _weights(trust, len(opinions))
    return tuple(averaged(opinions, row) for row in trust)


def friedkin_johnsen(
    opinions: Sequence[float],
    initial: Sequence[float],
    trust: Sequence[Sequence[float]],
    stubbornness: Sequence[float],
) -> tuple[float, ...]:
    """Return DeGroot's averages, each pulled back towards the agent's initial opinion.

    N. E. Friedkin, E. C. Johnsen, "Social Influence and Opinions", Journal of Mathematical Sociology 15 (3-4), 1990,
    193-206.
    The paper's susceptibility is 1 - stubbornness.

    Args:
        opinions: n opinions now.
        initial: n opinions as they were before anybody spoke.
        trust: as for `degroot`.
        stubbornness: n shares in [0, 1]; at 0 the step is DeGroot's, at 1 the agent is back at its first opinion.

    Returns:
        n opinions, inside the interval that `opinions` and `initial` span.

    Raises:
        ValueError: the shapes do not fit, an opinion is no finite number, or a weight or share is out of range.
    """
    if not len(opinions) == len(initial) == len(stubbornness):
        raise ValueError("opinions, initial and stubbornness differ in length")
    _numbers(initial)
    moved = degroot(opinions, trust)
    steps = []
    for heard, first, hold in zip(moved, initial, stubbornness, strict=True):
        _share("stubbornness", hold)
        steps.append(held_back(heard, first, hold))
    return tuple(steps)


def hegselmann_krause(opinions: Sequence[float], epsilon: float | Sequence[float]) -> tuple[float, ...]:
    """Return for each agent the mean of the opinions, its own included, within its bound of confidence.

    R. Hegselmann, U. Krause, "Opinion Dynamics and Bounded Confidence", Journal of Artificial Societies and Social
    Simulation 5 (3), 2002. With one epsilon for all, opinions never cross; with one each they can.

    Args:
        opinions: n opinions.
        epsilon: the bound, >= 0, for all, or n of them.

    Returns:
        n opinions; none moves further than its epsilon.

    Raises:
        ValueError: a bound is negative, their number does not fit, or an opinion is no finite number.
    """
    bounds = (epsilon,) * len(opinions) if isinstance(epsilon, int | float) else tuple(epsilon)
    if len(bounds) != len(opinions):
        raise ValueError(f"{len(bounds)} bounds for {len(opinions)} opinions")
    _numbers(opinions)
    if not all(bound >= 0 for bound in bounds):
        raise ValueError("a bound of confidence is not 0 or more")
    ordered = sorted(opinions)  # so that who is near is found, and not searched for, in a crowd of a thousand

    @cache
    def mean(start: int, end: int) -> float:
        return between(fsum(ordered[start:end]) / (end - start), (ordered[start], ordered[end - 1]))

    @cache  # most think alike before long
    def moved(own: float, bound: float) -> float:
        start = bisect_left(ordered, True, key=lambda other: own - other <= bound)
        return mean(start, bisect_left(ordered, True, start, key=lambda other: other - own > bound))

    return tuple(moved(own, bound) for own, bound in zip(opinions, bounds, strict=True))


def deffuant_weisbuch(one: float, other: float, epsilon: float, mu: float = 0.5) -> tuple[float, float]:
    """Return the opinions of two agents after they met: closer, if they differed by less than the bound.

    G. Deffuant, D. Neau, F. Amblard, G. Weisbuch, "Mixing Beliefs among Interacting Agents", Advances in Complex
    Systems 3 (1-4), 2000, 87-98.

    Args:
        one: an opinion.
        other: the opinion it meets.
        epsilon: the bound, >= 0.
        mu: the share of the distance that each walks, in [0, 0.5]; at 0.5 both meet in the middle.

    Returns:
        Both opinions, their mean unchanged.

    Raises:
        ValueError: `epsilon` is negative, `mu` out of range, or an opinion no finite number.
    """
    _numbers((one, other))
    if not epsilon >= 0:
        raise ValueError("the bound of confidence is not 0 or more")
    _share("mu", mu, 0.5)
    if abs(one - other) >= epsilon:
        return one, other
    walk = mu * (other - one)
    return one + walk, other - walk
