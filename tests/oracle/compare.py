"""Holds the decision rules against `pref_voting`, an independent implementation: `make test-voting`.

Random profiles: complete, truncated, and ballots over texts that are projected onto motions and `none`. Compared are
the sets of winners before any tie is broken, for projected ballots without `none`, which loses each tie. Exits with 1
where a rule differs. No part of the test suite: the library is large, and is installed apart.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from math import factorial, prod
from typing import Any

from pref_voting.c1_methods import condorcet, copeland, top_cycle
from pref_voting.grade_methods import approval, score_voting
from pref_voting.grade_profiles import GradeProfile
from pref_voting.iterative_methods import instant_runoff_put
from pref_voting.margin_based_methods import beat_path, ranked_pairs
from pref_voting.other_methods import absolute_majority
from pref_voting.profiles import Profile
from pref_voting.profiles_with_ties import ProfileWithTies
from pref_voting.scoring_methods import borda, borda_for_profile_with_ties, plurality

from eda.events import NONE, Ballot, BallotText
from eda.voting import RULES, Account, tie_order
from eda.voting.pairwise import condorcet_winner, pairs, smith_set

PROFILES = 3000
SEED = 20260101
MOST_ORDERS = 120
"""Orders of equal margins up to which ranked pairs are run through one by one; beyond, the oracle looks for stacks."""

Winners = set[int]
Compared = Iterator[tuple[str, Winners, Winners]]


def ours(rule: str, ballots: list[Ballot], names: list[str]) -> Winners:
    count = RULES[rule].counting()
    assert count is not None
    outcome = count(ballots, names, tie_order(names, 1))
    winners = outcome.tied or ((outcome.winner,) if outcome.winner is not None else ())
    assert outcome.winner is None or outcome.winner in winners
    return {names.index(winner) for winner in winners}


def ranked_pairs_winners(profile: Any, options: int) -> Winners:
    graph = profile.margin_graph()
    margins = [graph.margin(one, other) for one in range(options) for other in range(options) if one != other]
    level = [len(list(group)) for _, group in groupby(sorted(margin for margin in margins if margin >= 0))]
    few = prod(map(factorial, level)) <= MOST_ORDERS
    return set(ranked_pairs(graph, algorithm="basic" if few else "from_stacks"))


def by_duels(profile: Any, ballots: list[Ballot], names: list[str]) -> Compared:
    found = pairs(ballots, names)
    winner = condorcet_winner(found, names)
    oracle = set(condorcet(profile))
    yield "condorcet winner", {names.index(winner)} if winner else set(range(len(names))), oracle
    yield "smith set", {names.index(one) for one in smith_set(found, names)}, set(top_cycle(profile))
    yield "copeland", ours("copeland", ballots, names), set(copeland(profile))
    yield "schulze", ours("schulze", ballots, names), set(beat_path(profile))
    yield "ranked-pairs", ours("ranked-pairs", ballots, names), ranked_pairs_winners(profile, len(names))


def complete(orders: list[list[int]], names: list[str]) -> Compared:
    profile = Profile(orders)
    ballots = as_ballots(orders, names)
    yield "plurality", ours("plurality", ballots, names), set(plurality(profile))
    yield "majority", ours("majority", ballots, names), set(absolute_majority(profile))
    yield "borda", ours("borda", ballots, names), set(borda(profile))
    yield "instant-runoff", ours("instant-runoff", ballots, names), set(instant_runoff_put(profile))
    yield from by_duels(profile, ballots, names)


def truncated(orders: list[list[int]], names: list[str]) -> Compared:
    ranks = [{option: place for place, option in enumerate(order, 1)} for order in orders]
    profile = ProfileWithTies(ranks, candidates=list(range(len(names))))
    profile.use_extended_strict_preference()
    ballots = as_ballots(orders, names)
    tops = {option: sum(order[0] == option for order in orders) for option in range(len(names))}
    oracle = profile.plurality_scores()
    assert {option: count for option, count in tops.items() if count} == {o: c for o, c in oracle.items() if c}
    most = max(oracle.values())
    yield "plurality", ours("plurality", ballots, names), {option for option, count in oracle.items() if count == most}
    yield "borda", ours("borda", ballots, names), set(borda_for_profile_with_ties(profile))
    yield (
        "instant-runoff",
        ours("instant-runoff", ballots, names),
        set(instant_runoff_put(profile, score_method="split")),
    )
    yield from by_duels(profile, ballots, names)


def graded(rng: random.Random, voters: int, names: list[str]) -> Compared:
    options = range(len(names))
    grades = [{option: rng.randint(0, 10) for option in options} for _ in range(voters)]
    profile = GradeProfile(grades, list(range(11)), candidates=list(options))
    ballots = [
        Ballot(agent=str(place), choice=None, scores={names[o]: float(g) for o, g in grade.items()})
        for place, grade in enumerate(grades)
    ]
    yield "score", ours("score", ballots, names), set(score_voting(profile, evaluation_method="sum"))
    approved = [{option: rng.randint(0, 1) for option in options} for _ in range(voters)]
    if any(any(grade.values()) for grade in approved):
        ballots = [
            Ballot(agent=str(place), choice=None, approved=tuple(names[o] for o, g in grade.items() if g))
            for place, grade in enumerate(approved)
        ]
        oracle = GradeProfile(approved, [0, 1], candidates=list(options))
        yield "approval", ours("approval", ballots, names), set(approval(oracle))


def projected(rng: random.Random, voters: int, motions: int) -> Compared:
    """Ballots that accept some of several texts a motion, as ballots with ties over the motions and `none`."""
    texts = [
        BallotText(id=f"{motion}.{at}", motion=str(motion), text=f"text {motion}.{at}")
        for motion in range(motions)
        for at in range(rng.randint(1, 3))
    ]
    cast: list[Ballot] = []
    ranks: list[dict[int, int]] = []
    for voter in range(voters):
        order = rng.sample(texts, rng.randint(0, len(texts)))
        words = tuple(text.text for text in order)
        cast.append(Ballot(agent=str(voter), choice=words[0] if words else NONE, ranking=words, approved=words))
        best = [*dict.fromkeys(int(text.motion) for text in order), motions]  # `none` below all that it accepts
        ranks.append({item: best.index(item) if item in best else len(best) for item in range(motions + 1)})
    account = Account(cast, texts=texts)
    ballots, options = account.votes, account.options
    names = list(options)
    assert names == [*map(str, range(motions)), NONE]
    profile = ProfileWithTies(ranks, candidates=list(range(len(names))))
    profile.use_extended_strict_preference()
    yield "borda", *among("borda", ballots, names, set(borda_for_profile_with_ties(profile)))
    split = set(instant_runoff_put(profile, score_method="split"))
    yield "instant-runoff", *among("instant-runoff", ballots, names, split)
    tops = Counter(min(rank, key=lambda item: rank[item]) for rank in ranks)
    most = {item for item, count in tops.items() if count == max(tops.values())}
    yield "plurality", *among("plurality", ballots, names, most)
    yield "majority", *among("majority", ballots, names, {item for item in most if tops[item] * 2 > voters})
    found = pairs(ballots, names)
    winner = condorcet_winner(found, names)
    yield "condorcet winner", {names.index(winner)} if winner else set(range(len(names))), set(condorcet(profile))
    yield "smith set", {names.index(one) for one in smith_set(found, names)}, set(top_cycle(profile))
    yield "copeland", *among("copeland", ballots, names, set(copeland(profile)))
    yield "schulze", *among("schulze", ballots, names, set(beat_path(profile)))
    yield "ranked-pairs", *among("ranked-pairs", ballots, names, ranked_pairs_winners(profile, len(names)))


def among(rule: str, ballots: list[Ballot], names: list[str], oracle: Winners) -> tuple[Winners, Winners]:
    """Our winners, and the oracle's without `none` where it has others beside it, or those of its that are ours."""
    mine = ours(rule, ballots, names)
    if rule in ("instant-runoff", "ranked-pairs") and len(oracle) > 1:
        return mine, mine & oracle  # a tie on the way that `none` loses ends some ways to win
    return mine, oracle - {len(names) - 1} if len(oracle) > 1 else oracle


def as_ballots(orders: list[list[int]], names: list[str]) -> list[Ballot]:
    return [
        Ballot(agent=str(place), choice=names[order[0]], ranking=tuple(names[option] for option in order))
        for place, order in enumerate(orders)
    ]


def main() -> int:
    rng = random.Random(SEED)
    same: Counter[str] = Counter()
    tied: Counter[str] = Counter()
    wrong: list[str] = []
    for place in range(PROFILES):
        names = list("ABCDEF"[: rng.randint(2, 6)])
        voters = rng.randint(1, 15)
        orders = [rng.sample(range(len(names)), len(names)) for _ in range(voters)]
        kind, compare = ("complete", complete)
        if place % 2:
            orders = [order[: rng.randint(1, len(order))] for order in orders]
            kind, compare = ("truncated", truncated)
        runs = (
            (kind, compare(orders, names)),
            ("graded", graded(rng, voters, names)),
            ("projected", projected(rng, voters, len(names) - 1)),
        )
        for label, found in runs:
            for rule, mine, oracle in found:
                key = f"{rule}, {label}"
                same[key] += mine == oracle
                tied[key] += len(oracle) > 1
                if mine != oracle:
                    wrong.append(f"{key}: {sorted(mine)}, the oracle says {sorted(oracle)}: {orders}")
    for key, count in sorted(same.items()):
        print(f"{key}: {count} the same, {tied[key]} of them tied")
    print(f"{PROFILES} profiles, {sum(same.values())} comparisons the same, {len(wrong)} different")
    print("\n".join(wrong[:20]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
