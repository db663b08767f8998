"""Motions group the texts on the table: a root and its versions, and the text that is live."""

from __future__ import annotations

from dataclasses import replace

from folded import debated

from eda import Motion, Unresolved
from eda.events.records import Proposal, Reaction
from eda.memory.minutes.motions import live_version, motions_of

OPTION = Proposal("o1", 0, "", "End the free plan, with 60 days' notice", source="procedure")
LOOK_UP = Proposal("p4.0", 4, "Maya", "Before the cap, two weeks in December on client look-up", source="declared")
CAP = Proposal("p9.1", 9, "Tomas", "Cap Free at 20 bookings a month for new sign-ups from February", source="declared")


def supported(proposal: Proposal, *agents: str) -> Proposal:
    return replace(
        proposal, reactions=tuple(Reaction(20, agent, "support", proposal.id, link="id") for agent in agents)
    )


def ids(motions: tuple[Motion, ...]) -> dict[str, list[str]]:
    return {motion.id: [version.id for version in motion.versions] for motion in motions}


def test_an_amendment_is_a_version_of_the_text_that_it_amends() -> None:
    """Versions would compete with one another as if they were different proposals."""
    shorter = Proposal("p12.0", 12, "Petra", "Cap Free at 20 bookings from March", amends="p9.1", source="declared")
    again = Proposal("p15.0", 15, "Petra", "Cap Free at 25 bookings from March", amends="p12.0", source="declared")
    notice = Proposal("p16.0", 16, "Maya", "End the free plan, with 90 days' notice", amends="o1", source="declared")
    motions = motions_of([OPTION], [LOOK_UP, CAP, shorter, again, notice])
    assert ids(motions) == {"o1": ["o1", "p16.0"], "p4.0": ["p4.0"], "p9.1": ["p9.1", "p12.0", "p15.0"]}


def test_a_text_that_joins_two_motions_makes_one_of_them() -> None:
    """Additions that belong together would be voted on against each other."""
    both = Proposal("p21.0", 21, "Anjali", "Look-up in December, cap at 20", amends="p9.1", joins=("p4.0",))
    assert ids(motions_of([], [LOOK_UP, CAP, both])) == {"p4.0": ["p4.0", "p9.1", "p21.0"]}


def test_the_live_text_is_the_open_one_with_most_supporters_and_of_equals_the_newest() -> None:
    """Members would be shown, and asked about, a text that fewer of them back."""
    newer = Proposal("p12.0", 12, "Petra", "Cap Free at 20 bookings from March", amends="p9.1")
    assert live_version([CAP, newer]) == newer
    assert live_version([supported(CAP, "Maya"), newer]) == supported(CAP, "Maya")
    assert live_version([supported(CAP, "Tomas"), newer]) == newer, "an author's own support counts once"
    assert live_version([supported(CAP, "Maya"), replace(newer, status="withdrawn")]) == supported(CAP, "Maya")
    assert live_version([replace(CAP, status="modified")]) is None


def test_a_text_that_was_struck_is_no_version() -> None:
    """What a person struck would come back on the table."""
    assert motions_of([], [replace(CAP, status="struck")]) == ()


def test_a_proposal_of_a_pattern_is_taken_up_once_a_member_names_it_by_id() -> None:
    """A remark that nobody meant as a proposal would stand on the ballot."""
    spoken = replace(LOOK_UP, id="p4@10", source="pattern")
    (motion,) = motions_of([], [spoken])
    assert not motion.taken_up
    (motion,) = motions_of([], [supported(spoken, "Petra")])
    assert motion.taken_up


def test_memory_tells_motions_and_claims_and_what_it_could_not_resolve() -> None:
    """A prompt, a screen and a report could not show the same table."""
    memory = debated(
        ("Maya", "So.\n\n[PROPOSE] Two engineers on client look-up in December."),
        ("Petra", "Sooner.\n\n[AMEND p1.0] Two engineers on client look-up in November."),
        ("Beatriz", "[DECISION] We look up clients in November."),
    )
    assert ids(memory.motions) == {"p1.0": ["p1.0", "p2.0"]}
    assert [(claim.status, claim.supporters) for claim in memory.claims] == [("claimed", ("Beatriz",))]
    unresolved: tuple[Unresolved, ...] = memory.unresolved
    assert unresolved == ()


def test_who_turns_against_its_own_text_is_no_supporter_of_it() -> None:
    """A text that even its author gave up would stay the live one."""
    newer = Proposal("p12.0", 12, "Petra", "Cap Free at 20 bookings from March", amends="p9.1")
    against = replace(newer, reactions=(Reaction(20, "Petra", "oppose", "p12.0", link="id"),))
    assert live_version([CAP, newer]) == newer
    assert live_version([CAP, against]) == CAP
