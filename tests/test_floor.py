"""Who speaks next: fair, explained, and the same whenever it is asked again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eda.events import Bid, FloorGranted, MessagePosted
from eda.floor import Addressing, Bidding, RandomFloor, RoundRobin, floor_policy
from eda.progress import Progress

NAMES = ["Maya", "Ruth", "Tomas", "Amara"]


def after(*speakers: str, to: str | None = None) -> Progress:
    """A debate in which these have spoken; the last one addressed `to`."""
    progress = Progress()
    for number, who in enumerate(speakers, 1):
        addressed = to if number == len(speakers) else None
        progress.fold(MessagePosted(number=number, who=who, text="...", to=addressed))
    return progress


def bids(**urgencies: float) -> list[Bid]:
    return [
        Bid(agent=name, wants=urgency > 0, urgency=urgency, reason="to say it") for name, urgency in urgencies.items()
    ]


def test_the_highest_urgency_gets_the_floor_and_the_reason_is_kept() -> None:
    """A reader who cannot see why somebody spoke cannot trust the order."""
    grant = Bidding().grant(NAMES, after("Amara"), bids(Maya=0.4, Ruth=0.9, Tomas=0.1))
    assert grant == FloorGranted(agent="Ruth", reason="urgency 0.90: to say it")


def test_equal_bids_go_to_whoever_spoke_longest_ago_not_to_the_first_seat() -> None:
    """By seat order one agent would take every turn."""
    progress = after("Ruth", "Tomas", "Maya", "Amara")
    grant = Bidding().grant(NAMES, progress, bids(Maya=0.5, Ruth=0.5, Tomas=0.5))
    assert grant is not None
    assert grant.agent == "Ruth"


def test_the_addressed_member_comes_before_the_most_urgent() -> None:
    """A question to somebody would be answered by somebody else."""
    grant = Bidding().grant(NAMES, after("Ruth", to="Tomas"), bids(Maya=1.0, Tomas=0.1))
    assert grant is not None
    assert grant.agent == "Tomas"
    assert "addressed by Ruth" in grant.reason


def test_nobody_speaks_twice_in_a_row_unless_addressed() -> None:
    """A talker would fill the debate alone."""
    assert "Ruth" not in Bidding().eligible(NAMES, after("Maya", "Ruth"))
    assert "Ruth" in Bidding().eligible(NAMES, after("Maya", "Ruth", to="Ruth"))


def test_nobody_is_granted_the_floor_where_all_pass() -> None:
    """Silence must be seen as silence."""
    assert Bidding().grant(NAMES, after("Maya"), bids(Ruth=0, Tomas=0)) is None


@given(st.lists(st.lists(st.floats(0.01, 1), min_size=4, max_size=4), min_size=30, max_size=60))
def test_with_equal_bids_everybody_speaks_equally_often(rounds: list[list[float]]) -> None:
    """Whatever the urgencies, as long as all are equal, no seat is favoured."""
    progress = after("Maya")
    for number, urgencies in enumerate(rounds, 2):
        eligible = Bidding().eligible(NAMES, progress)
        grant = Bidding().grant(NAMES, progress, bids(**dict.fromkeys(eligible, urgencies[0])))
        assert grant is not None
        progress.fold(MessagePosted(number=number, who=grant.agent, text="..."))
    last_four = sorted(progress.spoke_at.values())[-4:]
    assert max(last_four) - min(last_four) == 3


def test_round_robin_goes_by_seat_again_and_again() -> None:
    """Whoever chose it wants to know who is next."""
    progress, spoken = Progress(), []
    for number in range(1, 10):
        grant = RoundRobin().grant(NAMES, progress)
        progress.fold(grant)
        progress.fold(MessagePosted(number=number, who=grant.agent, text="..."))
        spoken.append(grant.agent)
    assert spoken == (NAMES * 3)[:9]


def test_lots_are_drawn_from_the_seed_and_nobody_speaks_twice_in_a_row() -> None:
    """The same seed must draw the same lots after a resume."""

    def drawn() -> list[str]:
        progress, spoken = Progress(), []
        for number in range(1, 40):
            grant = RandomFloor().grant(NAMES, progress)
            progress.fold(grant)
            progress.fold(MessagePosted(number=number, who=grant.agent, text="..."))
            spoken.append(grant.agent)
        return spoken

    assert drawn() == drawn()
    assert all(a != b for a, b in zip(drawn(), drawn()[1:], strict=False))
    assert set(drawn()) == set(NAMES)


@pytest.mark.parametrize("name", ["bidding", "round-robin", "random"])
def test_every_policy_obeys_one_contract(name: str) -> None:
    """A policy that grants the floor to a stranger would hang the debate."""
    policy = floor_policy(name)
    grant = policy.grant(NAMES, after("Maya"), bids(Ruth=0.5, Tomas=0.5))
    assert grant is not None
    assert grant.agent in NAMES
    assert set(policy.eligible(NAMES, Progress())) == set(NAMES)


@pytest.mark.parametrize(
    ("text", "addressed"),
    [
        ("I wonder, @Tomas, whether that holds.", "Tomas"),
        ("Tomas, what would that cost?", "Tomas"),
        ("That is fine. Amara: is it lawful?", "Amara"),
        ("What would you need, Maya?", "Maya"),
        ("maya, you said so.", "Maya"),
        ("Tomas said it costs nothing.", None),
        ("I agree with Maya, and with Tomas.", None),
        ("Ruth, I say to myself, be kind.", None),
        ("Mayan temples, Tomasina?", None),
        ("", None),
    ],
)
def test_who_is_addressed(text: str, addressed: str | None) -> None:
    """A name that is only mentioned must not pull the floor to it; a question must."""
    assert Addressing(NAMES).find(text, "Ruth") == addressed


def test_a_message_number_names_what_is_answered() -> None:
    """A reply to the future, or to a number that is part of a word, is none."""
    assert Addressing.answered("In m3 you said so, and in m2.", 5) == 3
    assert Addressing.answered("In m9 you will say so.", 5) is None
    assert Addressing.answered("The m3u file of item3.", 5) is None
