"""What memory makes of polls and ballots: who holds what, who changed, after whom, and in which direction."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given, strategies as st

from eda import ConversationMemory, Debate, MessagePosted, PhaseStarted
from eda.events import Ballot, BallotCast, BallotText, Event, SessionStarted, StanceTaken, VerdictReached
from eda.events.records import Consensus, StanceChange
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.polls import direction

CHOICES = ("Move it this quarter", "Wait and fix the test suite first")
MOVE, WAIT = CHOICES


def said(number: int, who: str, text: str, *, sealed: bool = False) -> MessagePosted:
    return MessagePosted(number=number, who=who, text=text, **read_reply(text)._asdict(), sealed=sealed)


def stance(who: str, poll: int, choice: str | None, after: int, **more: Any) -> StanceTaken:
    return StanceTaken(who=who, poll=poll, choices=CHOICES, choice=choice, after=after, **more)


def vote(who: str, choice: str | None, **more: Any) -> BallotCast:
    return BallotCast(ballot=Ballot(agent=who, choice=choice, **more), choices=CHOICES)


def folded(*facts: Event) -> ConversationMemory:
    memory = ConversationMemory()
    for seq, fact in enumerate((SessionStarted(session="one", question="?", options=CHOICES), *facts), 1):
        memory.fold(fact.model_copy(update={"seq": seq}))
    return memory


OPENINGS = (
    PhaseStarted(phase="opening"),
    said(1, "Ada", "I am for it.\n\n[POSITION] Move it this quarter, it only gets dearer.", sealed=True),
    said(2, "Ben", "Tests first.\n\n[POSITION] Wait and fix the test suite first.", sealed=True),
    said(3, "Cleo", "Tests first.\n\n[POSITION] Wait and fix the test suite first.", sealed=True),
    said(4, "Dan", "Both have their price.\n\n[POSITION] I am torn.", sealed=True),
    PhaseStarted(phase="discussion", why="done"),
)


AMENDED = "Move it this quarter, tests first"
GIVEN = (BallotText(id="o1", motion="o1", text=MOVE), BallotText(id="o2", motion="o2", text=WAIT))
TABLE = (*GIVEN, BallotText(id="p5.0", motion="o1", text=AMENDED), BallotText(id="p6.0", motion="p6.0", text="Sell it"))


def cast(who: str, choice: str | None, texts: tuple[BallotText, ...] = TABLE, *, first: bool = False) -> BallotCast:
    ballot = Ballot(agent=who, choice=choice, ranking=(choice,) if choice not in (None, "none") else ())
    return BallotCast(ballot=ballot, choices=tuple(each.text for each in texts), texts=texts, first=first)


def test_what_was_said_in_openings_is_no_stance() -> None:
    """Seven members who never moved had "changed": choices read out of prose were compared with ballots."""
    memory = folded(*OPENINGS, said(5, "Ben", "Oskar leaves in March."), vote("Ada", WAIT), vote("Cleo", WAIT))
    assert memory.stance_changes == ()


def test_the_first_ballot_and_the_last_one_are_compared_by_motion() -> None:
    """Whoever votes for an amendment of its own option would count as one who changed its mind."""
    first = [cast(who, choice, GIVEN, first=True) for who, choice in (("Ada", MOVE), ("Ben", WAIT), ("Dan", WAIT))]
    last = [("Ada", AMENDED), ("Ben", AMENDED), ("Cleo", WAIT), ("Dan", "Sell it")]
    talk = (said(1, "Ada", "Oskar leaves."), said(2, "Cleo", "Hm."))
    began = folded(PhaseStarted(phase="first ballot"), *first, *talk)
    assert began.consensus().basis == "options", "a first ballot is no consensus"
    memory = folded(
        PhaseStarted(phase="first ballot"),
        *first,
        cast("Cleo", "none", GIVEN, first=True),
        PhaseStarted(phase="discussion"),
        *talk,
        PhaseStarted(phase="ballot"),
        *(cast(who, choice) for who, choice in last),
    )
    assert [(c.who, c.before, c.after, c.joined) for c in memory.stance_changes] == [
        ("Ben", WAIT, AMENDED, "Ada"),
        ("Cleo", "none", WAIT, ""),
        ("Dan", WAIT, "Sell it", ""),
    ]


def test_wordings_of_one_motion_are_one_consensus() -> None:
    """Four who are for one motion in two wordings would stand as divided, and two who want nothing as agreed."""
    others = cast("Ben", AMENDED), cast("Cleo", AMENDED)
    both = cast("Ada", MOVE)
    both = both.model_copy(update={"ballot": both.ballot.model_copy(update={"ranking": (MOVE, AMENDED)})})
    memory = folded(said(1, "Ada", "So."), both, *others)
    refused = folded(said(1, "Ada", "So."), cast("Ada", MOVE), *others)
    assert refused.consensus() == Consensus(False, "ballot", AMENDED, ("Ben", "Cleo"), ("Ada",))
    assert memory.consensus() == Consensus(True, "ballot", AMENDED, ("Ada", "Ben", "Cleo"), (), 1)
    again = [
        each.model_copy(update={"ballot": each.ballot.model_copy(update={"ranking": (AMENDED, MOVE)})})
        for each in others
    ]
    won = VerdictReached(
        rule="majority", outcome=MOVE, version="o1", offered=TABLE, accepted={}, tally={MOVE: ("Ada",)}
    )
    ruled = folded(said(1, "Ada", "So."), both, *again, won)
    assert ruled.consensus() == Consensus(True, "ballot", MOVE, ("Ada", "Ben", "Cleo"), (), 1), "what was decided"
    nothing = folded(said(1, "Ada", "So."), cast("Ada", "none"), cast("Ben", "none"))
    assert nothing.consensus() == Consensus(False, "ballot", "", (), ("Ada", "Ben"))


def test_an_older_ballot_before_the_first_message_is_a_first_ballot() -> None:
    """Sessions of before say so by their order alone."""
    memory = folded(vote("Ada", MOVE), vote("Ben", WAIT), PhaseStarted(phase="discussion"), said(1, "Ada", "So."))
    memory.fold(PhaseStarted(seq=8, phase="ballot"))
    memory.fold(vote("Ada", WAIT).model_copy(update={"seq": 9}))
    assert [(c.who, c.before, c.after) for c in memory.stance_changes] == [("Ada", MOVE, WAIT)]


def test_a_change_names_the_message_that_the_member_named_and_who_held_it_already() -> None:
    """Who moved whom is what a researcher looks for; the last message that was heard is a guess at it."""
    memory = folded(
        *OPENINGS,
        *(stance(who, 1, choice, 4) for who, choice in (("Ada", MOVE), ("Ben", WAIT), ("Cleo", WAIT))),
        said(5, "Ada", "Think of Oskar."),
        said(6, "Dan", "Hm."),
        said(7, "Cleo", "Ada has a point."),
        stance("Ada", 2, MOVE, 7),
        stance("Ben", 2, None, 7),
        stance("Cleo", 2, MOVE, 7, moved_by=5),
    )
    assert memory.stance_changes == (
        StanceChange("Ben", 2, WAIT, None, 0, "", "", "away"),
        StanceChange("Cleo", 2, WAIT, MOVE, 5, "Ada", "Ada", "away"),
    )


def test_consensus_rests_on_what_was_said_in_private() -> None:
    """One member's "we all agree" must never end a debate that its own poll contradicts."""
    talk = (
        *OPENINGS,
        said(5, "Ada", "We all agree.\n\n[POSITION] Wait and fix the test suite first."),
        said(6, "Dan", "Yes.\n\n[POSITION] Wait and fix the test suite first."),
    )
    assert folded(*talk).consensus().basis == "options"
    split = folded(*talk, stance("Ada", 1, WAIT, 6), stance("Ben", 1, WAIT, 6), stance("Cleo", 1, MOVE, 6))
    assert split.consensus() == Consensus(False, "poll", WAIT, ("Ada", "Ben"), ("Cleo",))
    undecided = folded(*talk, stance("Ada", 1, WAIT, 6), stance("Ben", 1, WAIT, 6), stance("Cleo", 1, None, 6))
    assert undecided.consensus().others == ("Cleo",)
    broken = folded(
        *talk, stance("Ada", 1, WAIT, 6), stance("Ben", 1, WAIT, 6), stance("Cleo", 1, None, 6, invalid=True)
    )
    assert broken.consensus() == Consensus(False, "poll", WAIT, ("Ada", "Ben"), ())
    agreed = folded(
        *talk,
        stance("Ada", 1, WAIT, 6),
        stance("Ben", 1, WAIT, 6),
        said(7, "Cleo", "Fine."),
        vote("Ada", WAIT),
        vote("Ben", WAIT),
    )
    assert agreed.consensus() == Consensus(True, "ballot", WAIT, ("Ada", "Ben"), (), 6)


def test_a_tie_is_held_by_nobody_more_than_by_others() -> None:
    """Whoever reads `on` would take the first of two level choices for the panel's own."""
    level = folded(*OPENINGS, stance("Ada", 1, WAIT, 4), stance("Ben", 1, MOVE, 4), stance("Cleo", 1, None, 4))
    assert level.consensus() == Consensus(False, "poll", "", (), ("Ada", "Ben", "Cleo"))
    voiced = folded(
        *OPENINGS[:1],
        said(1, "Ada", f"So.\n\n[POSITION] {MOVE}"),
        said(2, "Ben", f"No.\n\n[POSITION] {WAIT}"),
    )
    assert voiced.consensus() == Consensus(False, "options", "", (), ("Ada", "Ben"))


def test_an_answer_that_was_none_does_not_hide_the_change_around_it() -> None:
    """A member whose ballot was unreadable once would seem never to have moved."""
    memory = folded(
        stance("Ada", 1, MOVE, 0),
        *OPENINGS,
        stance("Ada", 2, None, 4, invalid=True),
        stance("Ben", 2, WAIT, 4),
        said(5, "Ben", "Oskar leaves."),
        stance("Ada", 3, WAIT, 5),
        stance("Ben", 3, WAIT, 5),
    )
    assert [(c.who, c.poll, c.before, c.after) for c in memory.stance_changes] == [("Ada", 3, MOVE, WAIT)]


def test_a_second_ballot_is_compared_with_the_first() -> None:
    """A debate that is taken up again, or goes through its ballot twice, would count one voter twice."""
    memory = folded(
        *OPENINGS,
        PhaseStarted(phase="ballot"),
        vote("Ada", MOVE),
        vote("Ben", WAIT),
        PhaseStarted(phase="discussion", round=2),
        said(5, "Ben", "Well."),
        PhaseStarted(phase="ballot", round=2),
        vote("Ada", WAIT),
        vote("Ben", WAIT),
    )
    assert [(c.who, c.before, c.after) for c in memory.stance_changes] == [("Ada", MOVE, WAIT)]
    assert memory.consensus().holders == ("Ada", "Ben")


@pytest.mark.parametrize(
    ("held", "before", "after", "expected"),
    [
        (("a", "a", "b"), "b", "a", "towards"),
        (("a", "a", "b"), "a", "b", "away"),
        (("a", "a", "b"), "a", None, "away"),
        (("a", "a", None), None, "a", "towards"),
        (("a", "a", "b"), "b", "c", "aside"),
        (("a", "b"), "a", "b", "aside"),
        ((None,), None, "a", "aside"),
    ],
)
def test_the_direction_is_seen_from_the_majority_before(
    held: tuple[str | None, ...], before: str | None, after: str | None, expected: str
) -> None:
    """Conformity is measured by it: a move between two level camps is neither towards nor away from a majority."""
    assert direction(held, before, after) == expected


def test_a_ballot_that_puts_several_level_is_no_stance() -> None:
    """Whoever approves three ideas has not changed its mind to the first of them."""
    assert Ballot(agent="Ada", choice=None, ranking=("x", "y")).first_choice == "x"
    assert Ballot(agent="Ada", choice=None, approved=("x", "y")).first_choice is None
    polled = (stance("Ada", 1, MOVE, 4), stance("Ben", 1, WAIT, 4))
    memory = folded(*OPENINGS, *polled, vote("Ada", None, approved=CHOICES), vote("Ben", None))
    assert [(c.who, c.after) for c in memory.stance_changes] == [("Ben", None)]


_WHO = ("Ada", "Ben", "Cleo")


@pytest.mark.long
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("say"), st.sampled_from(_WHO), st.none()),
            st.tuples(st.just("poll"), st.just(""), st.tuples(*[st.sampled_from((*CHOICES, None))] * 3)),
            st.tuples(st.just("vote"), st.just(""), st.tuples(*[st.sampled_from((*CHOICES, None))] * 3)),
        ),
        max_size=12,
    ),
    st.integers(0, 60),
)
def test_a_memory_cut_anywhere_goes_on_as_if_it_had_not_been(steps: list[Any], cut: int) -> None:
    """A debate that is resumed in mid-poll would count changes that were none."""
    facts: list[Event] = [*OPENINGS]
    number, poll = 4, 0
    for kind, who, held in steps:
        if kind == "say":
            number += 1
            facts.append(said(number, who, f"Point {number}."))
        elif kind == "poll":
            poll += 1
            facts += [stance(one, poll, choice, number) for one, choice in zip(_WHO, held, strict=True)]
        else:
            facts.append(PhaseStarted(phase="ballot"))
            facts += [vote(one, choice) for one, choice in zip(_WHO, held, strict=True)]
    whole, part = folded(*facts), folded(*facts[:cut])
    again = ConversationMemory.from_json(orjson.loads(orjson.dumps(part.to_json())))
    for seq, fact in enumerate(facts[cut:], 2 + cut):
        again.fold(fact.model_copy(update={"seq": seq}))
    assert again.to_json() == whole.to_json()
    assert again.stance_changes == whole.stance_changes
    assert all(change.before != change.after for change in whole.stance_changes)


def test_an_export_from_before_there_were_polls_still_loads() -> None:
    """A session of an older version would not open."""
    debate = Debate("Ship it?", ["sceptic", "historian"], seed=1)
    debate.run_sync()
    state = debate.memory.to_json()
    del state["polls"]
    assert ConversationMemory.from_json(state, fact=debate.session.fact).stance_changes == ()


def test_a_change_between_ballots_names_the_message_that_the_voter_names_and_no_other() -> None:
    """The last word before a vote would be read as what moved it."""
    memory = folded(vote("Ada", MOVE), vote("Ben", MOVE), PhaseStarted(phase="discussion"))
    memory.fold(said(1, "Ben", "So.").model_copy(update={"seq": 8}))
    memory.fold(said(2, "Cleo", "No.").model_copy(update={"seq": 9}))
    memory.fold(PhaseStarted(seq=10, phase="ballot"))
    for seq, who, moved_by in ((11, "Ada", 1), (12, "Ben", None)):
        cast = vote(who, WAIT)
        ballot = cast.ballot.model_copy(update={"moved_by": moved_by})
        memory.fold(cast.model_copy(update={"seq": seq, "ballot": ballot}))
    assert [(c.who, c.message, c.speaker) for c in memory.stance_changes] == [("Ada", 1, "Ben"), ("Ben", 0, "")]
