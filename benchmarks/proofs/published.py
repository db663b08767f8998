"""Published figures, and those that a formula closes, found again by the project's own rules, models and measures."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import combinations_with_replacement, permutations, product
from math import comb, factorial, prod, sqrt
from random import Random
from statistics import fmean
from typing import Any

import numpy as np

from eda.events import Ballot
from eda.study.measures.panel import krippendorff_alpha, tastle_wierman
from eda.study.measures.polarisation import clusters, esteban_ray, prediction_errors
from eda.study.statistics import equivalence, holm, paired_interval, sign_flips, wilson
from eda.study.tasks import believes, tasks_named
from eda.voting import RULES
from eda.voting.pairwise import condorcet_winner, pairs
from proofs.base import Check, Row, row_of, spread
from proofs.opinions import deffuant, degroot, friedkin_johnsen, hegselmann_krause, simulate, voter
from proofs.panels import covers

# Opinions, on the bus

_DEFFUANT = {0.05: (9.0, 0.5), 0.1: (4.5, 0.5), 0.15: (2.95, 0.2), 0.2: (2.1, 0.3), 0.25: (1.9, 0.2), 0.3: (1.1, 0.3),
             0.5: (1.0, 0.0)}  # fmt: skip
"""Mean clusters and tolerance, by bound: 1,000 members, 20 seeds."""
_KRAUSE = {0.01: (36.98, 1.0), 0.15: (2.64, 0.25), 0.25: (1.0, 0.0)}
"""Mean clusters and tolerance, by bound: 625 members, 50 seeds."""
_CONSENSUS = {0.2: 0.10, 0.22: 0.68, 0.25: 0.98}
"""P(consensus), by bound: 1,000 members; found with 200 seeds."""
_PUBLISHED = 50
"""Runs of which the published shares are, so that chance moves those, too."""
_STEPS = {6: 6, 12: 11, 18: 16, 30: 26, 60: 51}
"""Steps to the end of opinions 1 apart, by their number: the bound is 1."""
_SWEEPS = 7
"""Steps over the bound after which a crowd has its clusters; what two single members still do changes none."""
_WON = 0.4
"""Share of the voters who are for A at first."""


def _opinions(runs: Sequence[tuple[str, float, int]]) -> list[float]:
    """Return what each run ends with: clusters, or 1 where A won."""
    return [_ends(*run) for run in runs]


def _ends(model: str, bound: float, seed: int) -> float:
    rng = Random(f"{model} {seed}")
    if model == "voter":
        return simulate(voter(), [1.0, 1.0, 0.0, 0.0, 0.0], seed=seed).path[-1][0]
    start = [rng.random() for _ in range(625 if model == "krause" else 1000)]
    if model == "deffuant":
        most = round(_SWEEPS / bound)
        last = simulate(deffuant(bound), start, seed=seed, tolerance=1e-3, most=most, crowd=True).path[-1]
        return clusters(last, bound / 2)
    last = simulate(hegselmann_krause(bound), start, tolerance=1e-6, crowd=True).path[-1]
    return clusters(last, min(0.01, bound / 2), 0)


def opinion_dynamics(size: float = 1.0) -> Row:
    """Return whether the models of opinions, as listeners on the bus, end as published."""
    times = {"deffuant": 20, "krause": 50, "consensus": 200, "voter": 2000}
    seeds = {model: range(max(1, round(number * size))) for model, number in times.items()}
    bounds = {"deffuant": [*_DEFFUANT], "krause": [*_KRAUSE], "consensus": [*_CONSENSUS], "voter": [_WON]}
    runs = [(model, bound, seed) for model, each in bounds.items() for bound in each for seed in seeds[model]]
    shuffled = Random(1).sample(runs, len(runs))  # so that no block has all the long ones
    ended: dict[tuple[str, float], list[float]] = {}
    for (model, bound, _), end in zip(shuffled, spread(_opinions, shuffled, here=size < 1), strict=True):
        ended.setdefault((model, bound), []).append(end)
    checks = [
        Check(f"clusters, {model}, bound {bound}", mean, fmean(ended[model, bound]), apart / sqrt(size))
        for model, each in (("deffuant", _DEFFUANT), ("krause", _KRAUSE))
        for bound, (mean, apart) in each.items()
    ]
    for bound, share in _CONSENSUS.items():
        one = [clusters_ == 1 for clusters_ in ended["consensus", bound]]
        known = max(2, round(_PUBLISHED * size))
        checks.append(_share(f"consensus of Hegselmann and Krause, bound {bound}", share, one, known))
    won = [end == 1 for end in ended["voter", _WON]]
    checks.append(_share("the voter model, A wins", _WON, won, len(won)))
    for number, steps in _STEPS.items():
        found = len(simulate(hegselmann_krause(1.0), [float(place) for place in range(number)]).path) - 1
        checks.append(Check(f"steps of {number} opinions in a row", steps, found))
    return row_of("opinion-dynamics", "models of opinions on the bus end as published", [*checks, *_closed_forms()])


def _share(what: str, share: float, hits: Sequence[bool], runs: int) -> Check:
    """Return a check of whether Wilson's interval of the share of hits, as so many runs have it, covers this one."""
    found = fmean(hits)
    low, high = wilson(round(found * runs), runs)
    return Check(what, share, found, high - found if share > found else found - low)


def _closed_forms() -> list[Check]:
    rng = np.random.default_rng(1)
    start, hold, checks = rng.random(6), rng.random(6), []
    trust = rng.random((6, 6))
    trust /= trust.sum(axis=1, keepdims=True)
    values, left = np.linalg.eig(trust.T)
    weights = np.real(left[:, np.argmax(np.real(values))])
    pulled = np.linalg.solve(np.eye(6) - (1 - hold)[:, None] * trust, hold * start)
    rows = trust.tolist()
    for name, model, end in (
        ("DeGroot", degroot(rows), np.full(6, weights @ start / weights.sum())),
        ("Friedkin and Johnsen", friedkin_johnsen(hold.tolist(), rows), pulled),
    ):
        last = np.array(simulate(model, start.tolist(), tolerance=1e-15).path[-1])
        checks.append(Check(f"furthest from the closed form of {name}", 0, float(abs(last - end).max()), 1e-12))
    return checks


# Votes

_MERRILL = {3: (79.1, 96.2, 90.9), 4: (68.4, 92.5, 87.4), 5: (61.8, 89.1, 85.9)}
"""Percent of Condorcet winners that plurality, Hare and Borda elect, by the number of options: 25 random voters."""
_MERRILLS_RULES = ("plurality", (_HARE := "instant-runoff"), "borda")
_PROFILES, _RUNOFFS, _VOTERS, _MANY = 20_000, 6_000, 25, 101
"""Profiles; those counted by Hare's rule, which takes long and differs less; voters of Merrill's, and of many."""


@cache
def _cards(options: int) -> list[Ballot]:
    """Return a ballot of each order of the options."""
    names = "ABCDEFG"[:options]
    return [Ballot(agent="voter", choice=order[0], ranking=order, approved=order) for order in permutations(names)]


def _elections(seeds: Sequence[tuple[int, int]]) -> list[dict[str, bool]]:
    """Return for each profile whether there is `any` Condorcet winner, and whether each rule elects it."""
    counts: dict[str, Any] = {rule: RULES[rule].ways for rule in _MERRILLS_RULES}
    found = []
    for options, seed in seeds:
        rng, names = Random(f"{options} {seed}"), "ABCDEFG"[: options or 3]
        ballots = rng.choices(_cards(options or 3), k=_VOTERS if options else _MANY)
        best = condorcet_winner(pairs(ballots, names), names)
        lots = rng.sample(names, len(names))
        rules = [rule for rule in _MERRILLS_RULES if options and best and (rule != _HARE or seed < _RUNOFFS)]
        found.append({rule: counts[rule](ballots, names, lots).winner == best for rule in rules} | {"any": bool(best)})
    return found


def voting_paradoxes(size: float = 1.0) -> Row:
    """Return whether Condorcet's paradox is as frequent, and the rules find his winner as often, as published."""
    checks = []
    for voters, exact in ((3, Fraction(1, 18)), (5, Fraction(5, 72))):
        without = Fraction(0)
        for cards in combinations_with_replacement(range(6), voters):
            if condorcet_winner(pairs([_cards(3)[card] for card in cards], "ABC"), "ABC") is None:
                same = prod(factorial(cards.count(card)) for card in set(cards))
                without += Fraction(factorial(voters) // same, 6**voters)
        checks.append(Check(f"no Condorcet winner of {voters} voters", float(exact), float(without)))
    runs = [(options, seed) for options in (0, *_MERRILL) for seed in range(round(_PROFILES * size))]
    by_options: dict[int, list[dict[str, bool]]] = {}
    for (options, _), each in zip(runs, spread(_elections, runs, here=size < 1), strict=True):
        by_options.setdefault(options, []).append(each)
    without_one = fmean(not each["any"] for each in by_options[0])
    checks.append(Check(f"no Condorcet winner of {_MANY} voters", 0.0877, without_one, 0.005 / sqrt(size)))
    for options, efficiencies in _MERRILL.items():
        for rule, percent in zip(_MERRILLS_RULES, efficiencies, strict=True):
            found = 100 * fmean(each[rule] for each in by_options[options] if rule in each)
            checks.append(Check(f"Condorcet efficiency of {rule}, {options} options", percent, found, 1 / sqrt(size)))
    return row_of("voting-paradoxes", "winners are missed as often as published", checks)


def juries(_size: float = 1.0) -> Row:
    """Return whether a jury decides by majority as rightly as Condorcet's theorem says, and Bayes' rule as it says."""
    right, checks = Fraction(6, 10), []
    for jurors, known in ((3, 0.6480), (11, 0.7535), (51, 0.9265)):
        decides = Fraction(0)
        for votes in range(jurors + 1):
            ballots = [Ballot(agent="juror", choice="A" if place < votes else "B") for place in range(jurors)]
            count: Any = RULES["majority"].ways
            won = count(ballots, "AB", "AB").winner == "A"
            decides += won * comb(jurors, votes) * right**votes * (1 - right) ** (jurors - votes)
        checks.append(Check(f"a jury of {jurors} of whom each is right with .6", known, round(float(decides), 4)))
    task = tasks_named("jury", 1, 1, 7)[0]
    told = " ".join(task.facts.unshared)
    odds = Fraction(int(told.split(" times in 10")[0].split()[-1]), 10)
    ahead = sum(1 if f"points to the {task.options[0]};" in fact else -1 for fact in task.facts.unshared)
    bayes = float(odds**ahead / (odds**ahead + (1 - odds) ** ahead))
    found = believes(task, task.facts.unshared)[task.options[0]]
    return row_of("juries", "majorities and posteriors are exact", [*checks, Check("posterior", bayes, found, 1e-12)])


# Measures and statistics

_RATINGS = (30, 40, 210, 130, 530, 50, 10)
_CODERS = ("*****34121133*3", "1*213343*******", "**21344*21133*4")
"""The table of three coders that is printed with alpha (Krippendorff 2011)."""
_DARWIN = (49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48)
"""Eighths of an inch between crossed and self-fertilised maize (R. A. Fisher, "The Design of Experiments", 1935)."""


def formulas(_size: float = 1.0) -> Row:
    """Return whether measures give the figures that are printed with them, or that a proof gives."""
    units = [[int(row[place]) for row in _CODERS if row[place] != "*"] for place in range(15)]
    estimates = [Random(1).uniform(-50, 50) for _ in range(9)]
    collective, single, spread_of = prediction_errors(estimates, 12.5)
    placed = (
        [place / 4 for place, many in enumerate(each) for _ in range(many)] for each in product(range(5), repeat=5)
    )
    poles = max(esteban_ray(values) or 0.0 for values in placed if len(values) == 4)
    checks = [
        Check("Tastle and Wierman, example of agrmt", 0.7256876, tastle_wierman(_RATINGS) or 0.0, 1e-6),
        Check("alpha of three coders, nominal", 0.691, krippendorff_alpha(units) or 0.0, 1e-3),
        Check("mean error less diversity is collective error", collective, single - spread_of, 1e-12 * single),
        Check("Esteban and Ray: two equal poles are the maximum", 0.5**2.3, poles, 1e-12),
    ]
    return row_of("formulas", "measures give the printed figures", checks)


def statistics(size: float = 1.0) -> Row:
    """Return whether tests give the printed figures, and intervals hold the truth as often as they say."""
    checks = [
        Check("sign flips of Darwin's maize", 1726 / 32768, sign_flips(_DARWIN, range(15)), 1e-12),
        Check("McNemar's test of 8 against 2", 112 / 1024, sign_flips([1] * 8 + [-1] * 2, range(10)), 1e-12),
        Check("Wilson, 81 of 263, low", 0.2553, wilson(81, 263)[0], 5e-5),
        Check("Wilson, 81 of 263, high", 0.3662, wilson(81, 263)[1], 5e-5),
        Check("Holm, third of .01 .04 .03 .005", 0.06, holm([0.01, 0.04, 0.03, 0.005])[2], 1e-12),
    ]
    studies = max(60, round(_STUDIES * size))
    least = _LEAST if size >= 1 else covers(studies)[0] / studies
    cases = [(tasks, each, differ) for tasks, each in product((8, 15, 30, 60, 120), (1, 3)) for differ in _DIFFER]
    for (tasks, each, differ), held in zip(cases, spread(partial(_held, studies), cases, here=size < 1), strict=True):
        most = 1.0 if differ < max(_DIFFER) or tasks * each < _MANY_PAIRS else 2 * 0.95 - least
        what = f"share of intervals that hold the truth: {tasks} clusters of {each}, {differ:.0%} of pairs differ"
        checks.append(Check(what, (most + least) / 2, held, (most - least) / 2))
    rng = Random(1)
    drawn = [[rng.gauss(0.1, 0.2) for _ in range(8)] for _ in range(studies)]
    open_ = sum((equivalence(each, range(8), 0.1) or 0.0) >= 0.05 for each in drawn) / studies
    checks.append(
        Check("share of effects at the bound that are not called equivalent", (1 + least) / 2, open_, (1 - least) / 2)
    )
    return row_of("statistics", "tests give the printed figures, intervals the coverage", checks)


_STUDIES, _LEAST = 2000, 0.935
"""Studies of a case, and the least share whose intervals may hold the truth: .92 is told from .95 by that."""
_DIFFER = (0.05, 0.1, 0.2, 0.5)
"""Shares of pairs that differ. Where few do, intervals may hold the truth more often than they say."""
_MANY_PAIRS = 24
_GAINS = 0.75
"""The share of pairs that differ which gain; the others lose."""


def _held(studies: int, cases: Sequence[tuple[int, int, float]]) -> list[float]:
    """Return in which share of studies the interval holds the truth, of each case: clusters, pairs of each, differ."""
    shares = []
    for tasks, each, differ in cases:
        rng, held, truth = Random(f"{tasks} {each} {differ}"), 0, differ * (2 * _GAINS - 1)
        names = [place // each for place in range(tasks * each)]
        for _ in range(studies):
            made = paired_interval([_gain(rng, differ) for _ in names], names, bounds=(-1, 1))
            held += made.low <= truth <= made.high
        shares.append(held / studies)
    return shares


def _gain(rng: Random, differ: float) -> int:
    """Return a difference of a pair: -1, 0 or 1; so large a share differs."""
    luck = rng.random()
    return (luck < differ * _GAINS) - (luck > 1 - differ * (1 - _GAINS))
