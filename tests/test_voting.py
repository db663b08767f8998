"""Votes are counted, not felt."""

from __future__ import annotations

from typing import Any

import pytest

from eda.cli.terminal.verdict import votes_phrase
from eda.errors import UnknownNameError
from eda.events import Ballot, VerdictReached
from eda.events.records import AgentState, Decision, Position, Proposal, Reaction
from eda.voting import KEEP_DISCUSSING, ballot_choices, shown_order, verdict

CHOICES = ("Go now", "Wait")
LONG = (
    "Move the billing database to managed machines with nightly backups, a restore that is tested every quarter, a "
    "rollback plan that support has rehearsed and a weekly report of slow queries, on"
)


def votes(*choices: str | None) -> list[Ballot]:
    return [Ballot(agent=f"a{place}", choice=choice, reason="because") for place, choice in enumerate(choices)]


def majority(ballots: list[Ballot], choices: tuple[str, ...] = CHOICES, **more: Any) -> VerdictReached:
    return by("majority", ballots, choices, **more)


def by(rule: str, ballots: list[Ballot], choices: tuple[str, ...] = CHOICES, **more: Any) -> VerdictReached:
    members = more.pop("members", [ballot.agent for ballot in ballots])
    quorum = more.pop("quorum", 0.5)
    return verdict(ballots, choices, rule, quorum, 7, members, **{"agents": {}, **more})


def test_more_than_half_of_the_votes_cast_decides() -> None:
    """Half is no majority; an abstention is no vote."""
    assert majority(votes("Go now", "Go now", "Wait")).outcome == "Go now"
    assert majority(votes("Go now", "Wait")).outcome is None
    assert majority(votes("Go now", "Go now", None)).outcome == "Go now"
    assert majority(votes(None, None)).outcome is None
    assert majority([], ()).outcome is None


def test_one_vote_of_a_silent_panel_decides_nothing() -> None:
    """Without a quorum the one who did not abstain would decide for all."""
    one = majority(votes("Go now", None, None))
    assert one.outcome is None
    assert one.note == "no quorum: 1 of 3 voted"
    assert majority([], ()).note == "there was nothing to vote on"
    assert majority(votes(None)).note == "nobody voted"
    assert majority(votes("Go now", "Wait")).note == ""


def test_the_quorum_counts_members_who_cast_no_ballot() -> None:
    """Two who voted while four were away must not speak for six; and the share asked for is the share that counts."""
    panel = [f"a{place}" for place in range(6)]
    assert majority(votes("Wait", "Wait"), members=panel).note == "no quorum: 2 of 6 voted"
    assert majority(votes("Wait", "Wait"), members=panel, quorum=0.3).outcome == "Wait"
    assert majority(votes("Wait", "Wait", "Wait"), members=panel).outcome is None
    assert by("borda", votes("Wait"), members=panel).note == "no quorum: 1 of 6 voted"
    assert majority(votes("Wait"), members=panel, quorum=0).quorum == 0


def test_the_verdict_names_who_dissents_and_who_abstained() -> None:
    """Dissent that is not shown is lost."""
    reached = majority(votes("Go now", "Go now", "Wait", None))
    assert [ballot.agent for ballot in reached.dissent] == ["a2"]
    assert reached.abstained == ("a3",)
    assert reached.tally == {"Go now": ("a0", "a1"), "Wait": ("a2",)}


def test_who_ranks_and_approves_of_nothing_did_not_approve_of_what_won() -> None:
    """Else one approval of three wins, and the report says that nobody was against it."""
    ranked = [Ballot(agent=who, choice="Go now", ranking=("Go now", "Wait")) for who in ("b", "c")]
    reached = by("approval", [Ballot(agent="a", choice="Wait", approved=("Wait",)), *ranked, *votes(None)])
    assert reached.outcome == "Wait"
    assert [ballot.agent for ballot in reached.dissent] == ["b", "c"]


def test_the_verdict_says_by_how_much_and_who_cannot_live_with_what() -> None:
    """A bare winner hides that it won by a hair, or over a member's block."""
    ballots = [*votes("Go now", "Go now", "Wait"), Ballot(agent="b", choice="Go now", blocked=("Wait",))]
    ballots.append(Ballot(agent="c", choice=None, blocked=("Go now",)))
    reached = majority(ballots)
    assert reached.figures == {"Go now": 3, "Wait": 1}
    assert reached.order == ("Go now", "Wait")
    assert reached.margin == 2
    assert reached.blocked == {"Go now": ("c",), "Wait": ("b",)}
    assert [ballot.agent for ballot in reached.dissent] == ["a2", "c"]
    assert by("consent", ballots).outcome is None


def test_an_invalid_ballot_is_an_abstention() -> None:
    """What could not be read must neither decide nor object, and must be seen."""
    bad = Ballot(agent="b", choice=None, blocked=("Wait",), invalid=True)
    reached = by("consent", [*votes("Wait", "Wait"), bad])
    assert reached.outcome == "Wait"
    assert reached.abstained == ("b",)
    assert reached.blocked == {}


def test_a_tie_is_broken_by_lots_that_are_named() -> None:
    """A tie that is broken in silence looks like a win."""
    reached = by("plurality", votes("Go now", "Wait"))
    assert reached.outcome in CHOICES
    assert reached.tie.startswith(
        f"{reached.order[0]} and {reached.order[1]} could each have won; lots drawn with seed 7"
    )
    assert reached.margin == 0
    assert by("plurality", votes("Go now", "Wait")) == reached
    assert by("plurality", votes("Wait")).tie == ""


def test_ballots_without_a_single_first_choice_are_votes() -> None:
    """Who approves of two options has voted, and does not dissent where one of them wins."""
    ballots = [
        Ballot(agent="a", choice=None, approved=("A", "B")),
        Ballot(agent="b", choice="B", approved=("B",)),
        Ballot(agent="c", choice=None, approved=("C",)),
    ]
    reached = by("approval", ballots, ("A", "B", "C"))
    assert reached.outcome == "B"
    assert reached.abstained == ()
    assert [ballot.agent for ballot in reached.dissent] == ["c"]


def test_a_rule_that_the_ballots_do_not_feed_says_so() -> None:
    """Scores that nobody gave must not end in a winner, nor in an unexplained none."""
    assert by("score", votes("Wait", "Wait")).note.endswith("no ballot gives scores")
    assert by("judge", votes("Wait", "Wait")).note.endswith("no judge is named")
    judged = by("judge", votes("Wait", "Go now"), judge="a0")
    assert (judged.outcome, votes_phrase(judged)) == ("Wait", "judge rule, a0 decides; 1 of 2 votes")
    assert by("shift", votes("Wait", "Wait")).note.endswith("it compares two polls")
    assert by("shift", votes("Wait", "Wait"), before=votes("Wait", None)).outcome == "Wait"
    assert by("shift", votes("Wait", "Wait"), before=votes("Wait", "Wait")).note == "no side gained"
    with pytest.raises(UnknownNameError):
        by("acclaim", votes("Wait"))


def test_the_evidence_is_the_messages_that_the_outcome_rests_on() -> None:
    """A verdict without message numbers cannot be checked."""
    agents = {"a0": AgentState("a0", positions=(Position(9, "a0", "for going", ("Go now",)),), holds=("Go now",))}
    proposal = Proposal("p4.0", 4, "a1", "Go now", reactions=(Reaction(6, "a0", "support", "p4.0"),))
    decision = Decision("d7.0", (7,), "", "Go now")
    reached = majority(votes("Go now"), agents=agents, proposals=[proposal], decisions=[decision])
    assert reached.evidence == (4, 6, 7, 9)


def standing(*wordings: str) -> list[Proposal]:
    return [Proposal(f"p{place}.0", place, "a0", wording) for place, wording in enumerate(wordings, 1)]


def test_what_can_be_voted_on() -> None:
    """Options first; a yes or a no where that is the question; else what was proposed and still stands."""
    proposals = [
        Proposal("p1.0", 1, "a0", "Paint it"),
        Proposal("p2.0", 2, "a0", "Sell it", status="accepted"),
        Proposal("p3.0", 3, "a0", "Burn it", status="rejected"),
    ]
    assert ballot_choices("Which?", CHOICES, proposals) == CHOICES
    assert ballot_choices("Which?", (), proposals) == ("Sell it", "Paint it", KEEP_DISCUSSING)
    assert ballot_choices("Should we sell it?", (), proposals) == ("Yes", "No")
    assert ballot_choices("Should we sell it or not?", (), proposals) == ("Yes", "No")
    assert ballot_choices("Should we sell it or paint it?", (), proposals) == ("Sell it", "Paint it", KEEP_DISCUSSING)
    assert ballot_choices("What now?", (), []) == ()


def test_options_and_proposals_stand_on_one_ballot_where_that_is_wanted() -> None:
    """A good proposal of the panel must not be lost because somebody named options first."""
    both = ballot_choices("Which?", CHOICES, standing("Sell it"), source="both")
    assert both == (*CHOICES, "Sell it")
    assert (
        ballot_choices("Which?", CHOICES, standing("Sell it"), source="both", keep_discussing=True)[-1]
        == KEEP_DISCUSSING
    )
    assert ballot_choices("Should we?", CHOICES, standing("Sell it"), source="proposals") == (
        "Sell it",
        KEEP_DISCUSSING,
    )
    assert ballot_choices("Which?", (), standing("Sell it"), source="options") == ()
    assert ballot_choices("Which?", (), standing("Sell it"), keep_discussing=False) == ("Sell it",)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Move the billing service next quarter", "We should move our billing services in the next quarter."),
        ("Ship now — with tests", "ship now, with tests"),
        ("Keep billing & split search", "Let us keep billing and split search"),
        ("Run a pilot/trial for two teams", "Run a pilot – trial for two teams"),
    ],
)
def test_one_thing_said_twice_is_one_choice(one: str, other: str) -> None:
    """Two wordings of one idea split its votes, and the idea that most want loses."""
    assert len(ballot_choices("Which?", (), standing(one, other), keep_discussing=False)) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Move the billing service to the cloud", "Do not move the billing service to the cloud"),
        (
            "Hire 2 engineers for the billing service team in Berlin",
            "Hire 3 engineers for the billing service team in Berlin",
        ),
        ("Move the billing service out on Monday", "Move the billing service out on Tuesday"),
        ("支払いを移す", "支払いを移さない"),
        (f"{LONG} Postgres", f"{LONG} MySQL"),
        (f"{LONG} vendor A", f"{LONG} vendor B"),
        (f"{LONG} two sites", f"{LONG} three sites"),
        (f"{LONG}", f"{LONG} for €5"),
        ("Cut the budget this year for everybody", "Cut the IT budget this year for everybody"),
        ("Fund schools and roads", "Fund schools or roads"),
        (f"{LONG} on call", f"{LONG} on call at weekends from Berlin"),
        (f"Stop to {LONG.lower()}", LONG),
        ("Hire more people for support before the launch", "Hire fewer people for support before the launch"),
    ],
)
def test_what_differs_in_one_telling_word_stays_two_choices(one: str, other: str) -> None:
    """Merged with its contrary, a proposal could no longer be voted against."""
    assert len(ballot_choices("Which?", (), standing(one, other), keep_discussing=False)) == 2


def test_a_ballot_stays_short_and_drops_no_option() -> None:
    """Nobody ranks thirty proposals; what a person put on the ballot stays there."""
    ideas = [f"Idea number {number} about {word}" for number, word in enumerate("abcdefghijklmnopq")]
    assert len(ballot_choices("Which?", (), standing(*ideas))) == 8
    assert len(ballot_choices("Which?", CHOICES, standing(*ideas), source="both")) == 8
    assert ballot_choices("Which?", ideas, standing("Sell it"), source="both") == tuple(ideas)
    assert len(ballot_choices("Which?", (), standing(*ideas), keep_discussing=False, most=16)) == 16


def test_each_voter_sees_an_order_of_its_own() -> None:
    """Models favour what stands first: one order for all would decide the vote."""
    choices = ("A", "B", "C", "D")
    assert shown_order(choices, 1, "Ada") == shown_order(choices, 1, "Ada")
    assert {shown_order(choices, seed, "Ada")[0] for seed in range(40)} == set(choices)
    assert len({shown_order(choices, 1, name) for name in ("Ada", "Bo", "Cy", "Di")}) > 1
    assert sorted(shown_order(choices, 1, "Ada")) == sorted(choices)
