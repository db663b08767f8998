"""What the floor guarantees, whatever the members do: panels that shout, fail, repeat, pass, plead and babble."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext

import pytest
from hostile import HABITS, HostileRunner, panel_of
from hypothesis import given, strategies as st
from in_turn import in_turn
from pydantic import ValidationError

from eda import Debate, Event, MessagePosted
from eda.debate.floor.policies import Bidding, Moderated, RandomFloor
from eda.debate.floor.stop import SILENT_ROUNDS, TRIES, may_speak
from eda.debate.state import DebateState
from eda.errors import RunnerUnavailableError
from eda.events import (
    Bid,
    BidsTaken,
    FloorGranted,
    ModeratorSpoke,
    PhaseStarted,
    SessionEnded,
    TurnFailed,
    TurnPassed,
    VerdictReached,
)
from eda.panels.agenda import agenda_names, load_agenda
from eda.panels.settings import FloorName, Settings
from eda.runners.answers import BidAnswer

TITLES = ("Ada", "Ben", "Cleo", "Dora", "Ezra", "Fay")
PANELS: tuple[tuple[str, ...], ...] = (
    ("shouts", "shouts", "pleads", "pleads", "pleads"),
    ("pairs", "pairs", "pleads", "shouts"),
    ("fails", "empty", "repeats", "babbles", "pleads"),
    ("moody", "moody", "moody", "moody", "moody", "moody"),
    ("shouts", "fails", "passes"),
    ("pairs", "pairs"),
)
FLOORS: tuple[FloorName, ...] = ("round-robin", "random", "simultaneous", "bidding", "moderated")


def room_for(floor: FloorName, habits: Sequence[str]) -> int:
    """Messages of a debate, fewer where each takes many calls: the longest wait that is allowed is 17 turns."""
    if "fails" in habits:
        return 60
    return 80 if floor in ("bidding", "moderated") else 100


def held(habits: Sequence[str], floor: FloorName, moderator: str, room: int, agenda: str = "panel") -> Debate:
    """A debate of members with these habits, run to its end."""
    seats = dict(zip(TITLES, habits, strict=False))
    debate = Debate(
        "Should we move?",
        panel_of(seats),
        HostileRunner({**seats, "": moderator}),
        settings=Settings(max_messages=room, summary_every=40, full_budget=200, brief_budget=100),
        seed=1,
        agenda=load_agenda(agenda).with_floor(floor),
    )
    debate.run_sync()
    return debate


def check_turns(facts: Sequence[Event]) -> None:
    """One speaker at a time: each grant is followed by one turn of that member, before anybody is granted the floor."""
    holder: str | None = None
    for fact in facts:
        match fact:
            case FloorGranted():
                assert holder is None, f"{fact.agent} was granted the floor while {holder} had it"
                holder = fact.agent
            case MessagePosted(who=who) | TurnPassed(who=who) | TurnFailed(purpose="speak", who=who):
                assert holder in (None, who), f"{who} spoke while {holder} had the floor"
                holder = None
            case PhaseStarted():
                assert holder is None, f"{holder} was granted the floor and had no turn"
            case _:
                pass


def longest_wait(facts: Sequence[Event]) -> int:
    """The most rounds, one after the other, in which one member bid and did not get the floor."""
    waits: Counter[str] = Counter()
    most = 0
    for fact in facts:
        match fact:
            case BidsTaken():
                wanting = {bid.agent for bid in fact.bids if bid.wants}
                waits = Counter({who: waits[who] + 1 for who in wanting})
            case FloorGranted():
                del waits[fact.agent]
                most = max((most, *waits.values()))
            case PhaseStarted():
                waits.clear()
            case _:
                pass
    return most


def check_silence(facts: Sequence[Event], members: int) -> None:
    """Silence ends: by what the moderator asks after the first silent round, then with the phase."""
    silent = idle = 0
    asked = False
    for fact in facts:
        match fact:
            case BidsTaken():
                silent = silent + 1 if not any(bid.wants for bid in fact.bids) else 0
                assert silent <= SILENT_ROUNDS
            case ModeratorSpoke(why="silence"):
                assert not asked, "the moderator asked twice with nothing said in between"
                asked = True
            case TurnPassed() | TurnFailed(purpose="speak"):
                idle += 1
                assert idle <= (TRIES + 1) * members
            case MessagePosted():
                silent = idle = 0
                asked = False
            case PhaseStarted(why="silence"):
                assert asked, "a phase ended in silence, and nobody had asked"
                silent = idle = 0
            case PhaseStarted():
                silent = idle = 0
                asked = False
            case _:
                pass


def check_end(facts: Sequence[Event], room: int) -> None:
    """It ended, once, with a verdict; its messages are numbered without a hole and within its limit."""
    assert isinstance(facts[-1], SessionEnded)
    assert sum(isinstance(fact, VerdictReached) for fact in facts) == 1
    numbers = [fact.number for fact in facts if isinstance(fact, MessagePosted)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) <= room


def longest_turns(facts: Sequence[Event], habits: Sequence[str]) -> int:
    """The most turns of one phase that somebody who neither failed nor repeated was left out of, one after another."""
    good = {who for who, habit in zip(TITLES, habits, strict=False) if habit in ("shouts", "pleads", "pairs")}
    waits = dict.fromkeys(good, 0)
    most = 0
    for fact in facts:
        match fact:
            case FloorGranted():
                waits = {who: 0 if who == fact.agent else waited + 1 for who, waited in waits.items()}
                most = max((most, *waits.values()))
            case PhaseStarted():
                waits = dict.fromkeys(good, 0)
            case _:
                pass
    return most


@pytest.mark.parametrize(("floor", "habits"), in_turn(FLOORS, PANELS, 5))
def test_hostile_members_break_no_guarantee_of_the_floor(floor: FloorName, habits: tuple[str, ...]) -> None:
    """A panel of models that misbehave must still be heard one by one, all of them, and come to an end."""
    room = room_for(floor, habits)
    debate = held(habits, floor, "shouts" if len(habits) % 2 else "babbles", room)
    facts = list(debate.session.events())
    check_turns(facts)
    check_silence(facts, len(habits))
    check_end(facts, room)
    assert longest_wait(facts) < 2 * len(habits)
    if floor == "round-robin":
        assert longest_turns(facts, habits) <= len(habits)
    if floor == "random":
        assert longest_turns(facts, habits) <= 2 * len(habits) - 2
    if floor == "moderated":
        assert longest_turns(facts, habits) < 3 * len(habits)


@pytest.mark.parametrize(("agenda", "third"), in_turn(agenda_names(), (0, 1, 2), 3))
def test_every_agenda_ends_whatever_its_members_do(agenda: str, third: int) -> None:
    """A format that hangs, or that goes on for ever, costs money until somebody looks."""
    pauses = any(phase.does.open for phase in load_agenda(agenda))  # a discussion of which every turn fails
    with pytest.raises(RunnerUnavailableError) if pauses else nullcontext():
        held(("fails",) * 4, "bidding", "fails", 16, agenda)
    for place, habit in [*enumerate(each for each in HABITS if each != "fails")][third::3]:
        floor = FLOORS[(place + len(agenda)) % len(FLOORS)]
        facts = list(held((habit,) * 4, floor, habit, 16, agenda).session.events())
        check_turns(facts)
        check_silence(facts, 4)
        check_end(facts, 16)


@given(size=st.integers(2, 6), seed=st.integers(0, 1 << 32))
def test_no_standing_bid_waits_for_twice_as_many_rounds_as_there_are_members(size: int, seed: int) -> None:
    """Whoever has something to say is heard, however loud the others are and whomever they address."""
    lot, names = random.Random(seed), TITLES[:size]
    eager = [lot.random() for _ in names]
    progress = DebateState(members=list(names), settings=Settings(floor="bidding"))
    waits: Counter[str] = Counter()
    for _ in range(150):
        members = may_speak(progress, names)
        if not members:
            return
        bids = [
            Bid(agent=who, wants=lot.random() < eager[names.index(who)] + 0.3, urgency=lot.choice((0.0, 0.5, 1.0)))
            for who in members
        ]
        granted = Bidding().grant(members, progress, bids)
        progress.fold(BidsTaken(bids=tuple(bids)))
        waits = Counter({bid.agent: waits[bid.agent] + 1 for bid in bids if bid.wants})
        if granted is None:
            assert not waits
            continue
        del waits[granted.agent]
        assert max(waits.values(), default=0) < 2 * size
        took_turn(progress, granted, lot, names[:2])


@pytest.mark.long
@given(size=st.integers(2, 6), seed=st.integers(0, 1 << 32))
def test_no_moderator_keeps_anybody_from_the_floor(size: int, seed: int) -> None:
    """A moderator that favours two members must not silence the others."""
    lot, names = random.Random(seed), TITLES[:size]
    progress = DebateState(members=list(names), settings=Settings(floor="moderated"))
    waits: Counter[str] = Counter()
    for _ in range(150):
        members = may_speak(progress, names)
        if not members:
            return
        named = [Bid(agent=lot.choice((*names[:2], "Nobody")), wants=True)]
        granted = Moderated().first(members, progress) or Moderated().grant(members, progress, named)
        waits = Counter({who: waits[who] + 1 for who in members if who != granted.agent})
        assert max(waits.values(), default=0) < 3 * size
        took_turn(progress, granted, lot, names[:2])


@pytest.mark.long
@given(size=st.integers(2, 6), seed=st.integers(0, 1 << 32))
def test_no_lot_keeps_anybody_from_the_floor(size: int, seed: int) -> None:
    """Bad luck must have an end that whoever chooses this floor can count on."""
    lot, names = random.Random(seed), TITLES[:size]
    progress = DebateState(members=list(names), settings=Settings(floor="random"))
    waits: Counter[str] = Counter()
    for _ in range(150):
        members = may_speak(progress, names)
        if not members:
            return
        granted = RandomFloor().grant(members, progress)
        waits = Counter({who: waits[who] + 1 for who in members if who != granted.agent})
        assert max(waits.values(), default=0) <= 2 * size - 2
        took_turn(progress, granted, lot, names[:2])


def took_turn(progress: DebateState, granted: FloorGranted, lot: random.Random, favoured: Sequence[str]) -> None:
    """A turn that is said to one of those favoured, or comes to nothing."""
    who, number, to = granted.agent, progress.messages + 1, lot.choice(favoured)
    progress.fold(granted)
    said = MessagePosted(number=number, who=who, text="x", to=to if to != who else None)
    failed = TurnFailed(who=who, purpose="speak", error="x")
    passed = TurnPassed(who=who, why="repeated", repeats=1)
    progress.fold(lot.choice((said, said, said, failed, passed)))


@given(urgency=st.one_of(st.floats(), st.text(max_size=3), st.none(), st.booleans()))
def test_an_urgency_that_is_none_is_a_pass(urgency: object) -> None:
    """Neither infinity nor a word for a number may win the floor for ever."""
    try:
        answer = BidAnswer.model_validate({"wants": True, "urgency": urgency})
    except ValidationError:
        return
    assert 0 <= answer.urgency <= 1
