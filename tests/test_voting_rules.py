"""The decision rules: what the textbooks say of them, and the laws that hold for all ballots."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise, permutations

import pytest
from hypothesis import given, strategies as st
from in_turn import in_one

from eda.errors import UnknownNameError
from eda.events import Ballot
from eda.events.outcome import Lot, Undecided
from eda.voting import RULES, Counted, rule_named, tie_order
from eda.voting.counts import shift
from eda.voting.pairwise import condorcet_winner, pairs, smith_set
from eda.voting.rules import REGISTRY

ABC = ("A", "B", "C")
COUNTED = [name for name, rule in RULES.items() if rule.ways is not None]
MAJORITARIAN = ("plurality", "majority", "instant-runoff", "copeland", "ranked-pairs", "schulze")
CONDORCET = ("copeland", "ranked-pairs", "schulze")
MONOTONE = ("plurality", "majority", "supermajority-2/3", "supermajority-3/4", "unanimity", "borda", *CONDORCET)


def count(rule: str, ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str] | None = None) -> Counted:
    counting = RULES[rule].counting()
    assert counting is not None
    return counting(ballots, choices, lots or choices)


def ranks(*orders: str) -> list[Ballot]:
    """`3 ABC`: three ballots of that ranking."""
    made: list[Ballot] = []
    for text in orders:
        times, _, order = text.rpartition(" ")
        made += [Ballot(agent=f"{order}{n}", choice=order[0], ranking=tuple(order)) for n in range(int(times or 1))]
    return made


@st.composite
def profiles(draw: st.DrawFn) -> tuple[tuple[str, ...], list[Ballot]]:
    """Two to four options, and ballots with all that a ballot can say; some are cut short, some abstain."""
    choices = ("A", "B", "C", "D")[: draw(st.integers(2, 4))]
    ballots = []
    for place in range(draw(st.integers(1, 7))):
        order = draw(st.permutations(choices))[: draw(st.integers(0, len(choices)))]
        ballots.append(
            Ballot(
                agent=f"v{place}",
                choice=order[0] if order else None,
                ranking=tuple(order),
                approved=tuple(order[: draw(st.integers(0, 2))]),
                scores={choice: float(draw(st.integers(0, 10))) for choice in order},
                blocked=tuple(draw(st.sets(st.sampled_from(choices), max_size=1)) - set(order[:1])),
            )
        )
    return choices, ballots


def test_every_rule_that_can_be_set_is_there() -> None:
    """A rule that a setting offers and nobody counts would end a debate with an error at its verdict."""
    assert set(RULES) == set(REGISTRY.names())
    assert all(rule.line.endswith(".") for rule in RULES.values())
    assert rule_named("Ranked Pairs").name == "ranked-pairs"
    with pytest.raises(UnknownNameError) as caught:
        rule_named("coplend")
    assert "copeland" in caught.value.hint


def test_a_condorcet_cycle_has_no_best_option() -> None:
    """Each option loses to another: a rule that hides this sells chance as the will of the panel."""
    ballots = ranks("ABC", "BCA", "CAB")
    assert condorcet_winner(pairs(ballots, ABC), ABC) is None
    assert smith_set(pairs(ballots, ABC), ABC) == ABC
    for rule in (*CONDORCET, "borda", "plurality", "instant-runoff"):
        assert set(count(rule, ballots, ABC).tied) == set(ABC)
    assert count("majority", ballots, ABC).winner is None


def test_copeland_counts_a_level_duel_as_half() -> None:
    """With no half for a draw, an option that never loses could come last."""
    ballots = ranks("2 ABC", "2 BAC")
    outcome = count("copeland", ballots, ABC)
    assert outcome.figures == {"A": 1.5, "B": 1.5, "C": 0}
    assert outcome.tied == ("A", "B")


def test_the_instant_runoff_can_punish_more_support() -> None:
    """Ten voters who raise the winner to the top make it lose: whoever picks the rule should know."""
    assert count("instant-runoff", ranks("39 ABC", "35 BCA", "26 CAB"), ABC).winner == "A"
    assert count("instant-runoff", ranks("49 ABC", "25 BCA", "26 CAB"), ABC).winner == "C"


def test_the_instant_runoff_can_reward_staying_at_home() -> None:
    """The no-show paradox: eleven voters who prefer A to B get A by not voting."""
    assert count("instant-runoff", ranks("25 ABC", "40 BCA", "35 CAB"), ABC).winner == "B"
    assert count("instant-runoff", ranks("25 ABC", "40 BCA", "24 CAB"), ABC).winner == "A"


def test_the_rounds_of_a_run_off_are_kept() -> None:
    """Without the rounds nobody can follow how second choices decided."""
    outcome = count("instant-runoff", ranks("4 ABC", "3 BCA", "2 CB"), ABC)
    assert outcome.rounds == ({"A": 4, "B": 3, "C": 2}, {"A": 4, "B": 5})
    assert outcome.order == ("B", "A", "C")
    level = count("instant-runoff", ranks("2 ABC", "1 BAC", "1 CBA"), ABC)
    assert level.lots == (Lot(1, ("B", "C"), "C"), Lot(2, ("A", "B"), "B"))


def test_borda_depends_on_options_that_cannot_win() -> None:
    """With C on the ballot B wins, without it A does, though nobody changed their mind on A and B."""
    with_c = ranks("3 ABC", "2 BCA")
    assert count("borda", with_c, ABC).figures == {"A": 6, "B": 7, "C": 2}
    assert count("borda", with_c, ("A", "B")).winner == "A"
    assert count("majority", with_c, ABC).winner == "A"


def test_borda_shares_what_a_short_ballot_leaves_open() -> None:
    """A voter who names one option alone must give no more, and no fewer, points than one who ranks all."""
    outcome = count("borda", ranks("A"), ("A", "B", "C", "D"))
    assert outcome.figures == {"A": 3, "B": 1, "C": 1, "D": 1}


def test_ranked_pairs_and_schulze_can_differ() -> None:
    """Both break cycles, and not in the same way: one must not be a copy of the other."""
    ballots = ranks("7 CADB", "5 DBAC", "5 BACD", "1 CBAD")
    assert count("ranked-pairs", ballots, tuple("ABCD")).winner == "A"
    assert count("schulze", ballots, tuple("ABCD")).winner == "C"


@pytest.mark.parametrize("rule", ["ranked-pairs", "schulze"])
@pytest.mark.parametrize("lots", [*permutations("ABCD")])
def test_a_level_duel_puts_neither_option_below_the_other(rule: str, lots: Sequence[str]) -> None:
    """B and C have one ballot each: a lot between them must not be told as a duel won."""
    outcome = count(rule, ranks("2 A", "AB", "C"), tuple("ABCD"), lots)
    assert outcome.winner == "A"
    assert outcome.figures == {"A": 3, "B": 1, "C": 1, "D": 0}


@in_one(
    ("rule", "votes", "winner"),
    [
        ("majority", (3, 3), None),
        ("majority", (4, 3), "A"),
        ("plurality", (3, 2, 2), "A"),
        ("majority", (3, 2, 2), None),
        ("supermajority-2/3", (4, 2), "A"),
        ("supermajority-2/3", (5, 3), None),
        ("supermajority-3/4", (3, 1), "A"),
        ("supermajority-3/4", (5, 2), None),
        ("unanimity", (5, 0), "A"),
        ("unanimity", (5, 1), None),
    ],
)
def test_a_threshold_is_met_or_it_is_not(rule: str, votes: tuple[int, ...], winner: str | None) -> None:
    """Half is no majority, two thirds are two thirds, and an abstention is no vote."""
    ballots = ranks(*(f"{times} {choice}" for times, choice in zip(votes, "ABC", strict=False)))
    assert count(rule, [*ballots, Ballot(agent="x", choice=None)], ABC).winner == winner


def test_consent_needs_nobody_to_object() -> None:
    """One who cannot live with an option must be able to stop it; then the next takes its place, or none."""
    ballots = [
        Ballot(agent="a", choice="A"),
        Ballot(agent="b", choice="A"),
        Ballot(agent="c", choice="B", blocked=("A",)),
    ]
    assert count("consent", ballots, ABC).winner == "B"
    stopped = count("consent", [*ballots, Ballot(agent="d", choice=None, blocked=("B",))], ABC)
    assert stopped.winner is None
    assert stopped.note == Undecided("all firsts blocked")
    invalid = Ballot(agent="d", choice=None, blocked=("B",), invalid=True)
    assert count("consent", [*ballots, invalid], ABC).winner == "B"


def test_scores_are_means_over_those_who_scored() -> None:
    """An abstention must not count as 0, and one friend alone must not carry an option that nobody else scored."""
    ballots = [
        Ballot(agent="a", choice="A", scores={"A": 6, "B": 4}),
        Ballot(agent="b", choice="A", scores={"A": 8, "B": 4, "C": 10}),
        Ballot(agent="c", choice=None),
    ]
    assert count("score", ballots, ABC).figures == {"A": 7, "B": 4, "C": 5}
    assert count("score", ballots, ABC).winner == "A"


def test_a_judge_decides_alone() -> None:
    """The rule asks one member; who is named and did not vote decides nothing."""
    ballots = [*ranks("3 ABC"), Ballot(agent="Ada", choice="C")]
    judge = RULES["judge"].counting("ada")
    nobody = RULES["judge"].counting("Bo")
    assert judge is not None
    assert nobody is not None
    assert judge(ballots, ABC, ABC).winner == "C"
    assert nobody(ballots, ABC, ABC).winner is None
    assert RULES["judge"].missing(ballots) == Undecided("no judge", rule="judge")


def test_the_shift_goes_to_the_side_that_gained_most() -> None:
    """The larger side wins no debate that moved minds the other way; the undecided count in both polls."""
    sides = ("For", "Against")
    before = [Ballot(agent=str(n), choice=c) for n, c in enumerate(["For"] * 6 + ["Against"] + [None] * 3)]
    after = [Ballot(agent=str(n), choice=c) for n, c in enumerate(["For"] * 6 + ["Against"] * 3 + [None])]
    outcome = shift(before, after, sides, sides)
    assert outcome.winner == "Against"
    assert outcome.figures == {"For": 0, "Against": 0.2}
    assert shift(after, before, sides, sides).winner is None


def test_lots_hang_on_the_seed_alone() -> None:
    """A tie that falls another way at each count is no verdict."""
    assert tie_order("ABCDEF", 7) == tie_order("ABCDEF", 7)
    assert {tie_order("ABC", seed)[0] for seed in range(40)} == set(ABC)


@in_one("rule", COUNTED)
def test_nobody_wins_where_nobody_voted(rule: str) -> None:
    """The first option of the list must not win an empty ballot."""
    assert count(rule, [Ballot(agent="a", choice=None)], ABC).winner is None
    assert count(rule, [], ABC).winner is None
    assert count(rule, [], ()).winner is None


@given(profiles(), st.randoms(use_true_random=False))
def test_who_cast_a_ballot_and_when_changes_nothing(
    profile: tuple[tuple[str, ...], list[Ballot]], rng: random.Random
) -> None:
    """Anonymity: a panel in another seat order must come to the same verdict."""
    choices, ballots = profile
    shuffled = [ballot.model_copy(update={"agent": f"x{n}"}) for n, ballot in enumerate(ballots)]
    rng.shuffle(shuffled)
    for rule in COUNTED:
        assert count(rule, ballots, choices) == count(rule, shuffled, choices)


@given(profiles(), st.randoms(use_true_random=False))
def test_no_option_is_favoured_by_its_name_or_place(
    profile: tuple[tuple[str, ...], list[Ballot]], rng: random.Random
) -> None:
    """Neutrality: renamed options, and lots renamed with them, come out renamed and otherwise the same."""
    choices, ballots = profile
    names = dict(zip(choices, rng.sample(choices, len(choices)), strict=True))
    renamed = [
        Ballot(
            agent=ballot.agent,
            choice=names.get(ballot.choice or ""),
            ranking=tuple(names[option] for option in ballot.ranking),
            approved=tuple(names[option] for option in ballot.approved),
            scores={names[option]: score for option, score in ballot.scores.items()},
            blocked=tuple(names[option] for option in ballot.blocked),
        )
        for ballot in ballots
    ]
    for rule in COUNTED:
        before, after = count(rule, ballots, choices), count(rule, renamed, choices, [names[c] for c in choices])
        assert after.winner == names.get(before.winner or "")
        assert set(after.tied) == {names[option] for option in before.tied}
        assert after.order == tuple(names[option] for option in before.order)


@given(profiles())
def test_the_lots_can_choose_just_those_that_are_said_to_be_tied(profile: tuple[tuple[str, ...], list[Ballot]]) -> None:
    """A tie that is not said looks like a clear win; one that is said and none would cast doubt on a clear one."""
    choices, ballots = profile
    for rule in COUNTED:
        outcomes = [count(rule, ballots, choices, lots) for lots in permutations(choices)]
        possible = {outcome.winner for outcome in outcomes}
        assert all(set(one.tied or (one.winner,)) == possible for one in outcomes)
        assert all(set(outcome.order) in (set(choices), set()) for outcome in outcomes)


@given(profiles(), st.data())
def test_raising_the_winner_does_not_make_it_lose(
    profile: tuple[tuple[str, ...], list[Ballot]], data: st.DataObject
) -> None:
    """Monotonicity, where the rule has it: support that harms would make honest voting foolish."""
    choices, ballots = profile
    place = data.draw(st.integers(0, len(ballots) - 1))
    for rule in MONOTONE:
        winner = count(rule, ballots, choices).winner
        if winner is not None:
            old = ballots[place]
            rest = tuple(option for option in old.ranking if option != winner)
            raised = old.model_copy(update={"choice": winner, "ranking": (winner, *rest)})
            assert count(rule, [*ballots[:place], raised, *ballots[place + 1 :]], choices).winner == winner, rule


@given(profiles())
def test_who_has_more_than_half_wins_by_every_majoritarian_rule(profile: tuple[tuple[str, ...], list[Ballot]]) -> None:
    """A rule by which most of the panel can lose to the rest would be named wrongly."""
    choices, ballots = profile
    winner = count("majority", ballots, choices).winner
    if winner is not None:
        assert {count(rule, ballots, choices).winner for rule in MAJORITARIAN} == {winner}
    duels = condorcet_winner(pairs(ballots, choices), choices)
    if duels is not None:
        assert {count(rule, ballots, choices).winner for rule in CONDORCET} == {duels}


@given(profiles())
def test_stricter_thresholds_agree_with_weaker_ones(profile: tuple[tuple[str, ...], list[Ballot]]) -> None:
    """What all want, three quarters want, and two thirds, and most."""
    choices, ballots = profile
    steps = ("plurality", "majority", "supermajority-2/3", "supermajority-3/4", "unanimity")
    winners = [count(rule, ballots, choices).winner for rule in steps]
    for weaker, stricter in pairwise(winners):
        assert stricter in (None, weaker)


@given(profiles())
def test_what_all_put_first_wins(profile: tuple[tuple[str, ...], list[Ballot]]) -> None:
    """Unanimity: no rule may find another winner than the one that everybody wants."""
    choices, ballots = profile
    wanted = choices[-1]
    united = [
        Ballot(
            agent=ballot.agent,
            choice=wanted,
            ranking=(wanted, *(option for option in ballot.ranking if option != wanted)),
            approved=(wanted,),
            scores={wanted: 10.0},
        )
        for ballot in ballots
    ]
    assert {count(rule, united, choices).winner for rule in COUNTED} == {wanted}


@given(profiles())
def test_consent_never_takes_what_somebody_blocks(profile: tuple[tuple[str, ...], list[Ballot]]) -> None:
    """A block that is outvoted is none."""
    choices, ballots = profile
    assert count("consent", ballots, choices).winner not in {option for ballot in ballots for option in ballot.blocked}
