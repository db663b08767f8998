"""Votes are counted, not felt."""

from __future__ import annotations

from typing import Any

import pytest

from eda.errors import UnknownNameError
from eda.events import Ballot, VerdictReached
from eda.events.outcome import Tie, Undecided
from eda.voting import Account, verdict

CHOICES = ("Go now", "Wait")


def votes(*choices: str | None) -> list[Ballot]:
    return [Ballot(agent=f"a{place}", choice=choice, reason="because") for place, choice in enumerate(choices)]


def majority(ballots: list[Ballot], choices: tuple[str, ...] = CHOICES, **more: Any) -> VerdictReached:
    return by("majority", ballots, choices, **more)


def by(rule: str, ballots: list[Ballot], choices: tuple[str, ...] = CHOICES, **more: Any) -> VerdictReached:
    members = more.pop("members", [ballot.agent for ballot in ballots])
    quorum = more.pop("quorum", 0.5)
    return verdict(Account(ballots, choices, before=more.pop("before", ())), rule, quorum, 7, members, **more)


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
    assert one.note == Undecided("no quorum", 1, 3)
    assert majority([], ()).note == Undecided("nothing to vote on")
    assert majority(votes(None)).note == Undecided("nobody voted")
    assert majority(votes("Go now", "Wait")).note is None


def test_the_quorum_counts_members_who_cast_no_ballot() -> None:
    """Two who voted while four were away must not speak for six; and the share asked for is the share that counts."""
    panel = [f"a{place}" for place in range(6)]
    assert majority(votes("Wait", "Wait"), members=panel).note == Undecided("no quorum", 2, 6)
    assert majority(votes("Wait", "Wait"), members=panel, quorum=0.3).outcome == "Wait"
    assert majority(votes("Wait", "Wait", "Wait"), members=panel).outcome is None
    assert by("borda", votes("Wait"), members=panel).note == Undecided("no quorum", 1, 6)
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


def test_an_unreadable_ballot_counts_for_nothing_and_is_no_abstention() -> None:
    """What could not be read must neither decide nor object, and must be seen."""
    bad = Ballot(agent="b", choice=None, blocked=("Wait",), invalid=True)
    reached = by("consent", [*votes("Wait", "Wait"), bad])
    assert reached.outcome == "Wait"
    assert (reached.abstained, reached.unreadable) == ((), ("b",))
    assert reached.blocked == {}


def test_a_tie_is_broken_by_lots_that_are_named() -> None:
    """A tie that is broken in silence looks like a win."""
    reached = by("plurality", votes("Go now", "Wait"))
    assert reached.outcome in CHOICES
    assert reached.tie == Tie(reached.order, reached.order[0], 7)
    assert reached.margin == 0
    assert by("plurality", votes("Go now", "Wait")) == reached
    assert by("plurality", votes("Wait")).tie is None


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
    assert by("score", votes("Wait", "Wait")).note == Undecided("no scores", rule="score")
    assert by("judge", votes("Wait", "Wait")).note == Undecided("no judge", rule="judge")
    judged = by("judge", votes("Wait", "Go now"), judge="a0")
    assert judged.outcome == "Wait"
    assert (judged.tally, [each.agent for each in judged.dissent]) == ({"Wait": ("a0",), "Go now": ("a1",)}, ["a1"])
    assert by("shift", votes("Wait", "Wait")).note == Undecided("not two polls", rule="shift")
    assert by("shift", votes("Wait", "Wait"), before=votes("Wait", None)).outcome == "Wait"
    assert by("shift", votes("Wait", "Wait"), before=votes("Wait", "Wait")).note == Undecided("no side gained")
    with pytest.raises(UnknownNameError):
        by("acclaim", votes("Wait"))
