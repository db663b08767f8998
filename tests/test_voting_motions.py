"""Votes on motions: a motion stands where its best text stands; a text is decided that more want than refuse."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, strategies as st
from in_turn import in_one
from told import verdict_lines

from eda.events import NONE, Ballot, BallotText, VerdictReached
from eda.events.outcome import Tie, Undecided
from eda.events.votes import AnswerKind, flat, ranks_of
from eda.voting import RULES, Account, compare, slate, tally, verdict
from eda.voting.rules import checked
from eda.voting.tallies import text_of

COUNTED = [name for name in RULES if name != "shift"]


def texts_of(*motions: str) -> list[BallotText]:
    """`"Aab"`: the motion A with the texts A, a and b."""
    return [BallotText(id=each, motion=motion[0], text=f"text {each}") for motion in motions for each in motion]


def ballot(who: str, order: str | None, **more: Any) -> Ballot:
    """A ballot that accepts texts by their letters, best first; "" accepts none, None abstains."""
    words = tuple(f"text {each}" for each in order or "")
    choice = None if order is None else words[0] if words else NONE
    for field in ("also", "blocked", "withheld"):
        more[field] = tuple(f"text {each}" for each in more.get(field, ""))
    scores = {f"text {each}": float(score) for each, score in more.pop("scores", {}).items()}
    return Ballot(agent=who, choice=choice, ranking=words, approved=words, scores=scores, **more)


def tying(cut: Sequence[int], vote: Ballot) -> Ballot:
    """The same ballot with a new rank at each of these places only; what stands between two of them is tied."""
    ends = (*cut, len(vote.ranking))
    ranks = ranks_of(flat(vote.ranking)[begin:end] for begin, end in pairwise((0, *ends)))
    best = ranks[0] if ranks else vote.choice
    return vote.model_copy(update={"choice": best if isinstance(best, str) else None, "ranking": ranks})


def ballots(*orders: str | None) -> list[Ballot]:
    return [ballot(f"v{place}", order) for place, order in enumerate(orders)]


def decide(rule: str, cast: Sequence[Ballot], texts: Sequence[BallotText], **more: Any) -> VerdictReached:
    members = more.pop("members", [each.agent for each in cast])
    more = {"quorum": 0.5, "seed": 7, "judge": cast[0].agent if rule == "judge" and cast else "", **more}
    quorum, seed = more.pop("quorum"), more.pop("seed")
    account = Account(cast, texts=texts, answer=more.pop("answer", "one"), before=more.pop("before", ()))
    return verdict(account, rule, quorum, seed, members, **more)


# ---------------------------------------------------------------- laws


@dataclass
class Profile:
    """Texts and ballots over them."""

    texts: list[BallotText]
    ballots: list[Ballot]


@st.composite
def profiles(draw: st.DrawFn) -> Profile:
    """Two to four motions of one to three texts; members accept some, in any order, score, block, or say none."""
    names = ("Aab", "Bcd", "Cef", "Dgh")[: draw(st.integers(2, 4))]
    texts = texts_of(*(name[: draw(st.integers(1, 3))] for name in names))
    letters = [text.id for text in texts]
    cast = []
    for place in range(draw(st.integers(1, 7))):
        if draw(st.integers(0, 9)) == 0:
            cast.append(ballot(f"v{place}", None))
            continue
        order = "".join(draw(st.permutations(letters))[: draw(st.integers(0, len(letters)))])
        cut = [at for at in range(1, len(order)) if draw(st.integers(0, 2))]
        cast.append(
            tying(
                cut,
                ballot(
                    f"v{place}",
                    order,
                    scores={each: draw(st.integers(6, 10)) for each in order},
                    blocked=draw(st.sampled_from(["", *(each for each in letters if each not in order)])),
                    also=draw(st.sampled_from(["", *letters])),
                ),
            )
        )
    return Profile(texts, cast)


def with_version(data: st.DataObject, profile: Profile) -> Profile:
    """The same with one more text of a motion, below that motion's best or right beside it on each ballot."""
    motion = data.draw(st.sampled_from(sorted({text.motion for text in profile.texts})))
    own = {text.text for text in profile.texts if text.motion == motion}
    new = BallotText(id="x", motion=motion, text="text x")
    blocked = {text for each in profile.ballots for text in each.blocked}
    stands = any((own - blocked).intersection(each.accepted) for each in profile.ballots)
    cast = []
    for each in profile.ballots:
        best = next((at for at, rank in enumerate(each.ranking) if own.intersection(flat([rank]))), None)
        if best is None or not data.draw(st.booleans()):
            blocks = not stands and own.intersection(each.blocked)
            cast.append(each.model_copy(update={"blocked": (*each.blocked, new.text)}) if blocks else each)
            continue
        at = data.draw(st.integers(best + 1, len(each.ranking)))
        order = (*each.ranking[:at], new.text, *each.ranking[at:])
        most = max(each.scores[text] for text in own.intersection(flat([each.ranking[best]])))
        scores = {**each.scores, new.text: data.draw(st.integers(0, int(most)))}
        cast.append(each.model_copy(update={"ranking": order, "approved": flat(order), "scores": scores}))
    return Profile([*profile.texts, new], cast)


@given(profiles(), st.data())
def test_a_version_more_never_changes_the_winning_motion(profile: Profile, data: st.DataObject) -> None:
    """Whoever words a rival's motion anew would split its votes, or multiply its own."""
    more = with_version(data, profile)
    for rule in COUNTED:
        if rule == "consent" and not _same_standing(profile, more):
            continue  # a wording that nobody blocks is how a blocked motion comes to stand
        before, after = decide(rule, profile.ballots, profile.texts), decide(rule, more.ballots, more.texts)
        assert (before.motion, before.note, before.flips) == (after.motion, after.note, after.flips), rule


def _same_standing(one: Profile, other: Profile) -> bool:
    blocked = [[each.blocked for each in Account(p.ballots, texts=p.texts).votes] for p in (one, other)]
    return blocked[0] == blocked[1]


@given(profiles(), st.randoms(use_true_random=False), st.sampled_from(["one", "list"]))
def test_the_order_of_ballots_never_matters(profile: Profile, rng: random.Random, answer: str) -> None:
    """A panel in another seat order must come to the same verdict, lots included."""
    shuffled = rng.sample(profile.ballots, len(profile.ballots))
    for rule in COUNTED:
        one = decide(rule, profile.ballots, profile.texts, answer=answer, judge="v0")
        other = decide(rule, shuffled, profile.texts, answer=answer, judge="v0")
        for field in ("outcome", "motion", "version", "figures", "order", "margin", "flips", "rival", "tie", "note"):
            assert getattr(one, field) == getattr(other, field), (rule, field)


@given(profiles())
def test_a_text_that_was_decided_is_wanted_by_more_than_refuse_it(profile: Profile) -> None:
    """A careless reader would come away with something that no majority held."""
    for rule in COUNTED:
        reached = decide(rule, profile.ballots, profile.texts, quorum=0)
        if reached.version and rule != "judge":
            voted = [each for each in profile.ballots if each.has_voted]
            wants = [each.agent for each in voted if reached.text in each.ranked]
            assert len(wants) > len(voted) - len(wants), rule
            assert reached.accepted[reached.version] == tuple(wants)
            assert {each.agent for each in reached.dissent} == {each.agent for each in voted} - set(wants)


def levels(cast: Sequence[Ballot], texts: Sequence[BallotText]) -> list[dict[str, int]]:
    """Each vote as places of motions and `none`: a second reading of the definition, straight from the texts."""
    motion = {text.text: text.motion for text in texts}
    places = []
    for each in cast:
        if not each.has_voted:
            continue
        at: dict[str, int] = {}
        for place, rank in enumerate(each.ranking):
            for text in flat([rank]):
                at.setdefault(motion[text], place)
        at[NONE] = len(each.ranking)
        places.append({key: at.get(key, len(each.ranking) + 1) for key in (*dict.fromkeys(motion.values()), NONE)})
    return places


@given(profiles())
def test_borda_gives_a_point_for_each_item_beaten_and_half_for_a_tie(profile: Profile) -> None:
    """The figures of projected ballots are counted here a second time, pair by pair."""
    votes = levels(profile.ballots, profile.texts)
    outcome = tally("borda", Account(profile.ballots, texts=profile.texts), 1).outcome
    points = dict.fromkeys(outcome.figures, 0.0)
    for vote in votes:
        for one, other in combinations(vote, 2):
            points[one] += 1 if vote[one] < vote[other] else 0.5 if vote[one] == vote[other] else 0
            points[other] += 1 if vote[one] > vote[other] else 0.5 if vote[one] == vote[other] else 0
    assert outcome.figures == points


TIED = [
    Ballot(agent="v0", choice=None, ranking=(("text A", "text B"), "text C"), approved=("text A", "text B", "text C")),
    Ballot(agent="v1", choice="text B", ranking=("text B", ("text A", "text C"))),
    Ballot(agent="v2", choice="text C", ranking=("text C",), approved=("text C",)),
]
"""Hand-made: {A B} C, B {A C}, and C alone, which leaves A and B level below `none`."""


@pytest.mark.parametrize(
    ("rule", "figures", "winner"),
    [
        ("plurality", {"A": 0.5, "B": 1.5, "C": 1, NONE: 0}, "B"),
        ("consent", {"A": 0.5, "B": 1.5, "C": 1, NONE: 0}, "B"),
        ("borda", {"A": 2.5 + 1.5 + 0.5, "B": 2.5 + 3 + 0.5, "C": 1 + 1.5 + 3, NONE: 0 + 0 + 2}, "B"),
        ("instant-runoff", {"A": 0.5, "B": 2, "C": 1, NONE: 0}, "B"),
        ("copeland", {"A": 1.5, "B": 3, "C": 1.5, NONE: 0}, "B"),
        ("approval", {"A": 2, "B": 2, "C": 3, NONE: 0}, "C"),
        ("judge", {"A": 1, "B": 1, "C": 0, NONE: 0}, None),
    ],
)
def test_ties_of_a_ranking_are_counted_as_ties(rule: str, figures: dict[str, float], winner: str | None) -> None:
    """Who finds two texts equally good would decide between them by the order in which they were written."""
    outcome = tally(rule, Account(TIED, texts=texts_of("A", "B", "C")), 1, judge="v0").outcome
    assert dict(outcome.figures) == figures
    assert outcome.winner == winner or (winner is None and outcome.tied == ("A", "B"))


def test_three_thirds_are_a_vote_and_half_a_vote_is_no_majority() -> None:
    """Rounding would make a majority, or lose one."""
    tied = ballot("v", "ABC")
    thirds = [tying([], tied.model_copy(update={"agent": f"t{at}"})) for at in range(3)]
    account = Account([*thirds, ballot("v0", "A"), ballot("v1", "B")], texts=texts_of("A", "B", "C"))
    assert tally("plurality", account, 1).outcome.figures == {"A": 2, "B": 2, "C": 1, NONE: 0}
    half = Account([tying([], ballot("v0", "AB")), ballot("v1", "A"), ballot("v2", "B")], texts=texts_of("A", "B"))
    assert tally("majority", half, 1).winner is None
    more = Account([*half.ballots, ballot("v3", "A"), ballot("v4", "A")], texts=half.texts)
    assert tally("majority", more, 1).winner == "A"


@given(profiles())
def test_in_a_run_off_level_tops_share_the_vote_exactly(profile: Profile) -> None:
    """Thirds in floating point would let a rounding error send a motion out."""
    votes = levels(profile.ballots, profile.texts)
    counting = RULES["instant-runoff"].counting()
    assert counting is not None
    account = Account(profile.ballots, texts=profile.texts)
    counted, options = account.votes, account.options
    outcome = counting(counted, options, options)
    for shown in outcome.rounds:
        shares = dict.fromkeys(shown, Fraction())
        for vote in votes:
            best = min(vote[key] for key in shown)
            tops = [key for key in shown if vote[key] == best]
            for key in tops:
                shares[key] += Fraction(1, len(tops))
        assert {key: pytest.approx(float(share)) for key, share in shares.items()} == dict(shown)
        assert sum(shares.values()) in (0, len(votes))


@given(profiles(), st.integers(0, 3))
def test_a_tie_falls_by_lots_of_the_motions_alone(profile: Profile, seed: int) -> None:
    """A lot for each wording would give a motion of three wordings three tickets; and `none` has no ticket."""
    bare = [text for text in profile.texts if text.id == text.motion]
    cast = [each for each in profile.ballots if not each.has_voted]
    cast += ballots(*(text.id for text in bare))
    one, other = (decide("plurality", cast, texts, seed=seed) for texts in (bare, profile.texts))
    assert one.motion == other.motion
    tied = decide("plurality", [ballot("a", "A"), ballot("b", "")], profile.texts, seed=seed)
    assert (tied.motion, tied.version, tied.tie) == ("A", "", None)


@given(profiles(), st.sampled_from(["one", "list"]))
def test_old_ballots_are_counted_as_they_were_cast(profile: Profile, answer: AnswerKind) -> None:
    """A verdict that was read out years ago would change by itself."""
    words = [text.text for text in profile.texts]
    for rule in COUNTED:
        flat = Account(profile.ballots, words, answer=answer)
        reached, found = verdict(flat, rule, 0, 7, ["v0"], judge="v0"), tally(rule, flat, 7, judge="v0")
        assert (reached.outcome, reached.motion, reached.offered, reached.adopted) == (found.outcome.winner, "", (), ())
        assert NONE not in reached.figures
        assert set(reached.tally) == set(words)


def test_an_old_run_off_lets_a_ballot_run_out() -> None:
    """Before schema 5 a ballot whose options had all left counted no more, and does so still."""
    words = ["text A", "text B", "text C"]
    cast = ballots("A", "A", "A", "BC", "BC", "C", "C")
    flat = tally("instant-runoff", Account(cast, words), 1).outcome
    assert flat.rounds[-1] in ({"text A": 3, "text B": 2}, {"text A": 3, "text C": 4})
    shared = tally("instant-runoff", Account(cast, texts=texts_of("A", "B", "C")), 1).outcome
    assert all(sum(votes.values()) == pytest.approx(7) for votes in shared.rounds)


# ---------------------------------------------------------------- the motion


def test_what_four_of_five_stand_behind_wins_in_their_words() -> None:
    """A ballot offered the three texts of the beginning, and the verdict named one that three of its voters denied."""
    texts = texts_of("Aab", "B", "C")
    reached = decide("majority", ballots("aA", "ab", "a", "ba", "B"), texts)
    assert (reached.outcome, reached.motion, reached.version, reached.text) == ("text a", "A", "a", "text a")
    assert reached.tally == {"text a": ("v0", "v1", "v2", "v3"), "text B": ("v4",), "text C": ()}
    assert (reached.margin, reached.flips) == (3, 2)
    assert reached.offered == tuple(texts)
    assert [each.agent for each in reached.dissent] == ["v4"]


def test_none_is_counted_and_wins_nothing() -> None:
    """Who refuses all texts has voted: for the quorum, against each text, and for no verdict where most say so."""
    texts = texts_of("A", "B")
    reached = decide("majority", ballots("A", "A", "", "", ""), texts)
    assert (reached.outcome, reached.motion, reached.version) == (None, "", "")
    assert reached.note == Undecided("none first", 3, 5)
    assert reached.tally[NONE] == ("v2", "v3", "v4")
    assert reached.abstained == ()
    assert decide("majority", ballots("A", "A", "", None, None, None), texts, quorum=0.4).outcome == "text A"
    assert decide("majority", ballots("A", None, None), texts).note == Undecided("no quorum", 1, 3)


@in_one("rule", COUNTED)
def test_where_most_want_none_of_them_there_is_no_verdict_under_any_rule(rule: str) -> None:
    """A rule by which two friends of a text beat three who refuse everything names what no majority held."""
    cast = [ballot("a", ""), ballot("b", ""), ballot("c", ""), ballot("d", "A", scores={"A": 9})]
    cast.append(ballot("e", "B", scores={"B": 9}))
    reached = decide(rule, cast, texts_of("A", "B"))
    assert reached.outcome is None
    assert reached.adopted == ()


def test_approvals_and_scores_are_held_against_none() -> None:
    """A text that two approve and three refuse with all others would win, since nobody asks for `none` by points."""
    texts = texts_of("A", "B")
    assert decide("approval", ballots("A", "AB", "", ""), texts).motion == "A"
    assert decide("approval", ballots("A", "A", "", "", ""), texts).note == Undecided("none first", 3, 5)
    judged = decide("approval", ballots("A", "A", "", "", ""), texts, judge="v0")  # a judge that the rule does not ask
    assert judged.note == Undecided("none first", 3, 5)
    scored = [ballot(who, "A", scores={"A": 10}) for who in "ab"]
    low = [ballot(who, "", scores={"A": 5}) for who in "cd"]
    assert decide("score", [*scored, *low, ballot("e", "")], texts).motion == "A"
    none = [ballot(who, "") for who in "efg"]
    assert decide("score", [*scored, *low, *none], texts).note.why == "none first"


def test_scores_of_a_motion_are_those_of_its_best_text() -> None:
    """A poor wording beside a good one would pull its motion down."""
    cast = [ballot("a", "aA", scores={"a": 8, "A": 2}), ballot("b", "A", scores={"A": 6, "B": 5})]
    reached = decide("score", cast, texts_of("Aa", "B"))
    assert reached.figures == {"text A": 7, "text B": 2.5}
    assert (reached.motion, reached.version) == ("A", "A")


def test_the_words_of_a_custom_rule_are_ids_that_it_need_not_read() -> None:
    """A rule of a user's own counts motions, whatever their texts are."""
    seen: list[Sequence[str]] = []

    class First:
        name = "first"

        def count(self, ballots: Sequence[Ballot], options: Sequence[str]) -> str | None:
            seen.append(sorted(options))
            return next((each.choice for each in ballots if each.choice), None)

    rule = checked(First())
    assert rule is not None
    reached = verdict(Account(ballots("aA", "aA", "B"), texts=texts_of("Aa", "B")), rule, 0, 1, "abc")
    assert ["A", "B", NONE] in seen
    assert (reached.motion, reached.version) == ("A", "a")


def test_a_member_kept_from_its_own_texts_says_nothing_of_them() -> None:
    """Where nobody votes on their own, an author would be counted against the text it wrote."""
    texts = texts_of("A", "B", "C")
    cast = [ballot("a", "C", withheld="A"), ballot("b", "A", withheld="B"), ballot("c", "A", withheld="C")]
    reached = decide("copeland", cast, texts)
    assert (reached.motion, reached.version) == ("A", "A")
    assert reached.dissent == ()
    split = [ballot("a", "c", withheld="A"), ballot("b", "c")]
    assert Account(split, texts=texts_of("Ac", "B")).votes[0].withheld == ()


# ---------------------------------------------------------------- the text


def test_a_winner_whose_every_wording_is_refused_is_a_motion_without_a_text() -> None:
    """Each of five wants the ferry in other words: the verdict must not put one wording into all five mouths."""
    texts = texts_of("Aabcd", "B")
    reached = decide("majority", ballots("A", "a", "b", "c", "d"), texts)
    assert (reached.motion, reached.version, reached.text, reached.outcome) == ("A", "", "", "text A")
    assert reached.note is None
    assert reached.accepted["a"] == ("v1",)
    assert reached.dissent == ()
    only_versions = [text for text in texts if text.id != "A"]
    assert decide("majority", ballots("a", "b", "c"), only_versions).outcome == "text a"


def test_a_text_that_most_refuse_gives_way_to_the_next() -> None:
    """The wording with the most first places would win though three of five refuse it."""
    reached = decide("plurality", ballots("Ab", "A", "ab", "b", "B"), texts_of("Aab", "B"))
    assert (reached.motion, reached.version) == ("A", "b")
    assert reached.accepted["A"] == ("v0", "v1")


@pytest.mark.parametrize("rule", ["majority", "approval", "ranked-pairs"])
def test_a_lot_between_wordings_of_what_won_is_told(rule: str) -> None:
    """Two of four put each wording first, all accept both: how the one came to stand was told nowhere."""
    cast = ballots("ab", "ba", "ab", "ba")
    lots = [decide(rule, cast, texts_of("Aab", "B"), seed=seed) for seed in range(8)]
    assert {reached.version for reached in lots} == {"a", "b"}
    for seed, reached in enumerate(lots):
        assert reached.tie is None
        assert reached.wording_tie == Tie(("a", "b"), reached.version, seed)
    sure = decide(rule, ballots("ab", "ba", "ab", "ba", "a"), texts_of("Aab", "B"))
    assert (sure.version, sure.wording_tie) == ("a", None)
    for seed in range(8):  # of a list as well
        listed = decide(rule, cast, texts_of("Aab", "B"), seed=seed, answer="list")
        assert listed.ties == (Tie(("a", "b"), listed.adopted[0].id, seed),)
        assert any(
            f"lots drawn with seed {seed} decided for {listed.adopted[0].id}" in each for each in verdict_lines(listed)
        )


def test_a_text_that_beats_the_one_decided_is_named() -> None:
    """Who reads that A won would never learn that three of five prefer B to it."""
    reached = decide("plurality", ballots("A", "A", "A", "BA", "BA", "CBA", "CBA"), texts_of("A", "B", "C"))
    assert (reached.version, reached.rival) == ("A", "B")
    assert decide("plurality", ballots("A", "A", "BA"), texts_of("A", "B")).rival == ""


def test_under_consent_a_text_that_anybody_blocks_is_out_and_its_motion_may_stand() -> None:
    """A mediation would fail because one wording of what all can live with is blocked."""
    cast = [ballot("a", "A"), ballot("b", "Ab"), ballot("c", "b", blocked="A")]
    reached = decide("consent", cast, texts_of("Ab", "B"))
    assert (reached.motion, reached.version) == ("A", "b")
    assert reached.blocked == {"text A": ("c",)}


def test_under_consent_what_all_accept_wins_where_all_favourites_are_blocked() -> None:
    """Each party's own text is blocked, and nobody blocks the third: there is a result, and it was thrown away."""
    cast = [ballot("a", "AC", blocked="B"), ballot("b", "BC", blocked="A"), ballot("c", "C")]
    assert decide("consent", cast, texts_of("A", "B", "C")).version == "C"


def test_where_all_texts_are_blocked_there_is_no_verdict_and_the_reason_is_told() -> None:
    """An empty result without a reason sends the parties home with nothing to work on."""
    cast = [ballot("a", "A", blocked="B"), ballot("b", "B", blocked="A"), ballot("c", "A")]
    reached = decide("consent", cast, texts_of("A", "B"))
    assert reached.outcome is None
    assert reached.note == Undecided("all blocked")
    assert reached.blocked == {"text A": ("b",), "text B": ("a",)}
    assert [each.agent for each in reached.dissent] == ["a", "b"]
    left = decide("consent", [*cast, ballot("d", "C")], texts_of("A", "B", "C"))
    assert left.note == Undecided("refused more than wanted")


# ---------------------------------------------------------------- beside it, and lists


def test_what_most_want_beside_the_answer_is_adopted_whichever_wins() -> None:
    """A proposal that all supported "lost" to another that it never competed with."""
    texts = texts_of("A", "B", "Cc")
    cast = [ballot(who, "A", also="c") for who in "abc"] + [ballot("d", "B", also="C"), ballot("e", "", also="Cc")]
    reached = decide("majority", cast, texts)
    assert reached.outcome == "text A"
    (beside,) = reached.adopted
    assert (beside.motion, beside.id, beside.voters, beside.of) == ("C", "c", ("a", "b", "c", "d", "e"), 5)
    assert decide("supermajority-2/3", cast, texts).adopted == ()
    none = decide("majority", [ballot(who, "", also="C") for who in "abc"], texts)
    assert (none.outcome, none.adopted) == (None, ())


@pytest.mark.parametrize(
    ("rule", "adopted"),
    [
        ("majority", ["A", "B", "C"]),
        ("plurality", ["A", "B", "C"]),
        ("supermajority-2/3", ["A", "B"]),
        ("supermajority-3/4", ["A", "B"]),
        ("unanimity", ["A"]),
        ("consent", ["A", "C"]),
        ("borda", ["B", "A", "C"]),
    ],
)
def test_each_motion_of_a_list_is_adopted_by_itself(rule: str, adopted: list[str]) -> None:
    """Three things that belong together were made to compete, and two of them "lost"."""
    cast = [ballot(f"v{at}", order) for at, order in enumerate(["BACD", "BCA", "BAC", "BA", "A"])]
    cast[4] = ballot("v4", "A", blocked="B")
    reached = decide(rule, cast, texts_of("A", "B", "C", "D"), answer="list")
    assert [each.motion for each in reached.adopted] == adopted
    assert reached.outcome == tuple(f"text {each}" for each in adopted)
    assert reached.tally["text C"] == ("v0", "v1", "v2")
    assert reached.tally["text D"] == ("v0",)
    assert bool(reached.order) == (rule == "borda")
    assert (reached.motion, reached.version, reached.margin, reached.flips) == ("", "", None, None)


@pytest.mark.parametrize(
    ("rule", "orders", "version"),
    [
        ("unanimity", ["aA", "aA", "aA", "A"], "A"),
        ("unanimity", ["a", "aA", "A"], ""),
        ("majority", ["aA", "aA", "aA", "A"], "a"),
        ("supermajority-3/4", ["a", "aA", "aA", "aA", "A", "A"], "A"),
    ],
)
def test_a_text_needs_the_votes_that_its_rule_asks_for(rule: str, orders: list[str], version: str) -> None:
    """Under unanimity a text was decided that one of four refused: three had put it first of its motion."""
    for answer in ("one", "list"):
        reached = decide(rule, ballots(*orders), texts_of("Aa", "B"), answer=answer)
        assert (reached.adopted[0].id if answer == "list" else reached.version) == version


def test_a_list_of_which_nothing_is_adopted_says_so() -> None:
    """An empty list would read as if the panel had found nothing."""
    reached = decide("majority", ballots("A", "B", "C", ""), texts_of("A", "B", "C"), answer="list")
    assert reached.outcome is None
    assert reached.note == Undecided("nothing adopted")
    assert reached.tally[NONE] == ("v3",)


def test_a_motion_of_a_list_in_five_wordings_is_adopted_without_one() -> None:
    """All want it, each in other words: it is adopted, and its wording is open."""
    reached = decide("majority", ballots("A", "a", "b"), texts_of("Aab", "B"), answer="list")
    (item,) = reached.adopted
    assert (item.motion, item.id, item.text, item.of) == ("A", "", "text A", 3)


# ---------------------------------------------------------------- margins and small panels


@pytest.mark.parametrize(
    ("rule", "orders", "flips"),
    [
        ("majority", ["A", "A", "A", "A", "B"], 2),
        ("majority", ["Aa", "aA", "a", "B", "B"], 1),
        ("majority", ["A", "A", "A", "", ""], 1),
        ("unanimity", ["A", "A", "A"], 1),
        ("supermajority-2/3", ["A", "A", "A", "A", "B"], 1),
        ("supermajority-3/4", ["A", "A", "A", "A", "A", "B"], 1),
        ("approval", ["AB", "AB", "AB", "A"], 1),
        ("borda", ["A", "A", "A"], 2),
        ("instant-runoff", ["A", "A", "A", "B", "B"], 1),
    ],
)
def test_how_many_votes_would_have_to_flip(rule: str, orders: list[str], flips: int) -> None:
    """A verdict that one vote would turn, to another motion or to none, is another thing than one that half would."""
    assert decide(rule, ballots(*orders), texts_of("Aa", "B")).flips == flips


@in_one("rule", [name for name in COUNTED if name != "score"])
def test_one_member_decides_for_itself_alone(rule: str) -> None:
    """A panel of one is a panel."""
    reached = decide(rule, ballots("a"), texts_of("Aa", "B"))
    assert (reached.motion, reached.version) == ("A", "a")
    assert decide(rule, ballots(""), texts_of("Aa", "B")).outcome is None


@pytest.mark.parametrize("answer", ["one", "list"])
@pytest.mark.parametrize("rule", COUNTED)
def test_where_all_abstain_nobody_voted(rule: str, answer: str) -> None:
    """A panel that says nothing has not decided, and has not refused either."""
    reached = decide(rule, ballots(None, None), texts_of("A", "B"), answer=answer)
    assert (reached.outcome, reached.note, reached.abstained) == (None, Undecided("nobody voted"), ("v0", "v1"))


def test_two_texts_in_the_same_words_are_one() -> None:
    """A ballot names texts by their words: the vote for one must not be a vote for its double."""
    double = [*texts_of("A", "B"), BallotText(id="z", motion="B", text="text A")]
    assert decide("majority", ballots("A", "A", "B"), double).motion == "A"


def test_forty_motions_are_counted_in_bounded_work() -> None:
    """A ballot that offers all that was given must not take the evening to count."""
    options = [f"Option {at}" for at in range(40)]
    texts = slate("Which?", options, ()).texts
    rng = random.Random(1)
    cast = []
    for at in range(7):
        order = tuple(rng.sample(options, 12))
        cast.append(Ballot(agent=f"v{at}", choice=order[0], ranking=order, approved=order))
    found = compare(Account(cast, texts=texts), 1, judge="v0")
    assert {one.rule for one in found.tallies if not one.missing} == set(COUNTED) - {"score"}


def test_the_text_of_a_motion_in_another_script() -> None:
    """Nothing that is counted may depend on the letters of a language."""
    words = ("支払いを移す", "支払いを来年移す", "支払いを移さない")
    texts = [BallotText(id=f"p{at}.0", motion="p0.0" if at < 2 else "p2.0", text=text) for at, text in enumerate(words)]
    cast = [Ballot(agent=who, choice=words[1], ranking=words[1::-1]) for who in "ab"]
    cast.append(Ballot(agent="c", choice=words[2], ranking=words[2:]))
    assert text_of("p0.0", Account(cast, texts=texts), RULES["majority"], 1) == (texts[1], None)
    assert decide("majority", cast, texts).outcome == words[1]


def test_texts_of_a_motion_that_as_many_approve_are_told_apart_by_who_puts_them_first() -> None:
    """A lot would name a text that nobody put first, where all four prefer the other one."""
    for seed in range(8):
        reached = decide("approval", ballots("aA", "aA", "aA", "aA", "B"), texts_of("Aa", "B"), seed=seed)
        assert (reached.motion, reached.text) == ("A", "text a")
