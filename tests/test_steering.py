"""Steering: who sits, who may speak, how it goes on. Each is a fact, so a resume goes on with it."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings, strategies as st
from test_resume import cut, facts, new_debate

from eda import Debate, Session, Settings
from eda.cli import cli
from eda.debate.control.changes import Change, Changed, Seat, steer
from eda.debate.prompt_preview import speaker_prompt
from eda.debate.replay import progress_of
from eda.errors import SessionBusyError, UnknownNameError, UsageError
from eda.events import (
    BallotCast,
    BidsTaken,
    FloorGranted,
    MemberChanged,
    MessagePosted,
    PhaseStarted,
    SessionPaused,
    SessionResumed,
    SettingChanged,
    SummaryWritten,
)
from eda.panels.panel import Library

LIBRARY = Library()
SEATS = ["sceptic", "historian", "pragmatic-engineer", "finance-director"]


def titles(*names: str) -> list[str]:
    return [LIBRARY.persona(name).title for name in names]


RUTH, WALTER, MAYA, BEATRIZ, TOMAS = titles(*SEATS, "product-manager")


def stopped(folder: Path, at: int = 7, floor: str = "bidding") -> Session:
    """A session that was stopped after message `at`."""
    session = Session.create("s", folder)
    debate = new_debate(session, floor=floor)

    @debate.on(MessagePosted)
    def stop(message: MessagePosted) -> None:
        if message.number == at:
            debate.stop()

    debate.run_sync()
    return session


@cache
def _stopped_log() -> bytes:
    with TemporaryDirectory() as folder:
        with stopped(Path(folder)):
            pass
        return (Path(folder) / "s" / "events.jsonl").read_bytes()


def stopped_at_seven(folder: Path) -> None:
    """Lay a session that was stopped after message 7 into a folder."""
    (folder / "s").mkdir()
    (folder / "s" / "events.jsonl").write_bytes(_stopped_log())


def after(session: Session, seq: int) -> list[object]:
    return list(session.events(seq))


def test_a_muted_member_is_not_asked_and_still_votes(tmp_path: Path) -> None:
    """Whoever drowns the others out can be quieted without losing their vote."""
    with stopped(tmp_path) as session:
        steer(session, [Seat("muted", RUTH, by="Ada")])
        at = session.log.last_seq
        Debate.resume(session).run_sync()
        events = after(session, at)
    assert not [e for e in events if isinstance(e, MessagePosted) and e.who == RUTH]
    assert not [e for e in events if isinstance(e, FloorGranted) and e.agent == RUTH]
    assert not [b for e in events if isinstance(e, BidsTaken) for b in e.bids if b.agent == RUTH]
    assert RUTH in {e.ballot.agent for e in events if isinstance(e, BallotCast)}


def test_an_added_member_hears_what_was_said_and_takes_part(tmp_path: Path) -> None:
    """The colleague who joins late must not be a stranger to the panel, nor the panel to them."""
    with stopped(tmp_path) as session:
        steer(session, [Seat("added", persona=LIBRARY.persona("product-manager"), by="Ada")])
        at = session.log.last_seq
        debate = Debate.resume(session, max_messages=24)
        debate.run_sync()
        events = after(session, at)
    assert [member.title for member in debate.members] == [RUTH, WALTER, MAYA, BEATRIZ, TOMAS]
    assert TOMAS in {e.who for e in events if isinstance(e, MessagePosted)}
    assert TOMAS in {e.ballot.agent for e in events if isinstance(e, BallotCast)}


def test_a_replaced_member_leaves_its_seat_to_another(tmp_path: Path) -> None:
    """A panel that lacks a lawyer can have one without beginning again."""
    with stopped(tmp_path) as session:
        steer(session, [Seat("replaced", "historian", LIBRARY.persona("product-manager"))])
        at = session.log.last_seq
        debate = Debate.resume(session)
        debate.run_sync()
        events = after(session, at)
    assert debate.progress.members == [RUTH, TOMAS, MAYA, BEATRIZ]
    voted = [e.ballot.agent for e in events if isinstance(e, BallotCast)]
    assert sorted(voted) == sorted([RUTH, TOMAS, MAYA, BEATRIZ])


def test_the_round_of_bids_that_is_printed_asks_who_sits_now(tmp_path: Path) -> None:
    """Whoever checks what a change of members does to the next prompt must not be shown the old panel."""
    with stopped(tmp_path) as session:
        steer(
            session,
            [
                Seat("removed", WALTER),
                Seat("added", persona=LIBRARY.persona("product-manager"), by="Ada"),
                Seat("muted", BEATRIZ, by="Ada"),
            ],
        )
        told = speaker_prompt(session, RUTH)
    assert [name for name in (RUTH, WALTER, MAYA, BEATRIZ, TOMAS) if f"\n- {name}, " in told] == [
        RUTH,
        MAYA,
        BEATRIZ,
        TOMAS,
    ]
    assert f"{WALTER} (has left), {BEATRIZ} (is muted)" in told


def test_a_removed_member_votes_no_more_and_what_it_said_stays(tmp_path: Path) -> None:
    """Leaving is not unsaying."""
    with stopped(tmp_path) as session:
        steer(session, [Seat("removed", WALTER)])
        debate = Debate.resume(session)
        result = debate.run_sync()
    assert result.verdict is not None
    voters = {name for names in result.verdict.tally.values() for name in names} | set(result.verdict.abstained)
    assert voters == {RUTH, MAYA, BEATRIZ}
    assert WALTER in debate.memory.agents


@pytest.mark.long
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    what=st.sampled_from(["muted", "added", "replaced", "removed", "both", "summaries"]),
    at=st.integers(2, 11),
    floor=st.sampled_from(["bidding", "round-robin", "random"]),
)
def test_a_steered_session_cut_anywhere_and_resumed_equals_the_uninterrupted_one(
    tmp_path_factory: pytest.TempPathFactory, what: str, at: int, floor: str
) -> None:
    """Whoever loses power after a change of the panel gets the debate that would have been."""
    folder = tmp_path_factory.mktemp("steered")
    persona = LIBRARY.persona("product-manager")
    changes: dict[str, list[Change]] = {
        "muted": [Seat("muted", RUTH)],
        "added": [Seat("added", persona=persona)],
        "replaced": [Seat("replaced", MAYA, persona)],
        "removed": [Seat("removed", BEATRIZ)],
        "both": [Seat("added", persona=persona), Seat("muted", WALTER), Seat("muted", TOMAS), Seat("unmuted", WALTER)],
        "summaries": [Changed({"summary_every": 2})],
    }
    with stopped(folder, at, floor) as session:
        steer(session, changes[what])
        first = session.log.last_seq
        Debate.resume(session).run_sync()
        expected = facts(session)
    count = len((folder / "s" / "events.jsonl").read_bytes().splitlines())
    for kept in range(first, count, 17):
        name = cut(session, folder / str(kept), kept)
        with Session.open(name, folder / str(kept)) as again:
            Debate.resume(again).run_sync()
            assert facts(again) == expected, f"cut after line {kept}"


def test_all_changes_or_none(tmp_path: Path) -> None:
    """Half of what was asked for is what nobody asked for."""
    with stopped(tmp_path) as session:
        before = session.log.last_seq
        with pytest.raises(UnknownNameError, match="unknown member"):
            steer(session, [Seat("muted", RUTH), Seat("muted", "Nobody")])
        assert session.log.last_seq == before
        steer(session, [Seat("muted", RUTH), Seat("unmuted", RUTH), Seat("muted", "ruth")])
        assert session.log.last_seq == before + 3
        assert set(progress_of(session).muted) == {RUTH}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ([Seat("muted", RUTH), Seat("muted", RUTH)], "muted already"),
        ([Seat("unmuted", RUTH)], "is not muted"),
        ([Seat("added", persona=LIBRARY.persona("sceptic"))], "sits on the panel already"),
        ([Seat("replaced", RUTH, LIBRARY.persona("historian"))], "sits on the panel already"),
        ([Seat("removed", RUTH), Seat("removed", WALTER), Seat("removed", MAYA)], "at least two members"),
        ([Seat("muted", each) for each in (RUTH, WALTER, MAYA, BEATRIZ)], "nobody would be left"),
        ([Changed({"rule": "judge", "judge": RUTH}), Seat("removed", RUTH)], "is the judge"),
        ([Changed({"max_massages": 3})], "unknown setting"),
        ([Changed({"max_messages": "many"})], "'max_messages' should be a whole number"),
        ([Changed({"max_messages": None})], "'max_messages' should be a whole number"),
        ([Changed({"max_cost": "inf"})], "'max_cost' should be a finite number"),
        ([Changed({"quorum": 1})], "'quorum' should be less than 1"),
        ([Changed({"bids": None})], "bids cannot be none"),
        ([Changed({"rule": "judge"})], "needs a judge"),
        ([Changed({})], "are so already"),
    ],
)
def test_what_cannot_be_is_refused_in_words(tmp_path: Path, changes: list[Change], says: str) -> None:
    """A panel of nobody would end at once, with a verdict that nobody wanted."""
    stopped_at_seven(tmp_path)
    with Session.open("s", tmp_path) as session, pytest.raises(UsageError, match=says):
        steer(session, changes)


async def test_a_running_debate_is_steered_between_two_turns(tmp_path: Path) -> None:
    """Whoever watches can act on what they see, without stopping it."""
    session = Session.in_memory()
    debate = new_debate(session)

    @debate.on(MessagePosted)
    def act(message: MessagePosted) -> None:
        if message.number == 6:
            debate.mute("sceptic", "Ada")
            debate.add("product-manager")
            debate.change(max_messages=20)
        if message.number == 9:
            debate.unmute(RUTH)
            with pytest.raises(UnknownNameError):
                debate.mute("Nobody")
            with pytest.raises(UsageError, match="sits on the panel already"):
                debate.add("historian")

    result = await debate.run()
    events = list(session.events())
    seqs = [e.seq for e in events if isinstance(e, MemberChanged)]
    assert [(e.who, e.change) for e in events if isinstance(e, MemberChanged)] == [
        (RUTH, "muted"),
        (TOMAS, "added"),
        (RUTH, "unmuted"),
    ]
    said = [e.who for e in events if isinstance(e, MessagePosted) and seqs[0] < e.seq < seqs[2]]
    assert RUTH not in said
    assert result.messages == 20
    assert isinstance(next(e for e in events if isinstance(e, SettingChanged)), SettingChanged)
    assert not result.failures


async def test_who_asked_is_told_what_became_impossible_before_the_turn_ended() -> None:
    """Two people who steer at once: the one who came second must not believe that it was their doing."""
    debate = new_debate(Session.in_memory())
    told: list[object] = []

    @debate.on(MessagePosted)
    def act(message: MessagePosted) -> None:
        if message.number == 6:
            debate.inbox.change([Seat("muted", RUTH), Changed({"max_messages": 20})], told.append)
            debate.bus.publish(MemberChanged(who=RUTH, change="muted"))

    result = await debate.run()
    (why,) = told
    assert isinstance(why, UsageError)
    assert str(why) == f"{RUTH} is muted already"
    assert result.messages < 20


async def test_a_pause_holds_the_debate_until_it_goes_on() -> None:
    """Somebody comes to the door; the panel must not use up its messages meanwhile."""
    session = Session.in_memory()
    debate = new_debate(session)

    @debate.on(MessagePosted)
    def pause(message: MessagePosted) -> None:
        if message.number == 6:
            debate.pause("Ada")

    paused = asyncio.Event()
    debate.bus.subscribe(SessionPaused, lambda _: paused.set())
    running = asyncio.create_task(debate.run())
    await paused.wait()
    assert debate.progress.state == "paused"
    assert debate.progress.messages == 6
    debate.mute(RUTH)
    for _ in range(20):
        await asyncio.sleep(0)
    assert debate.progress.messages == 6
    assert set(debate.progress.muted) == {RUTH}
    debate.go_on()
    result = await running
    assert result.verdict is not None
    kinds = [type(event) for event in session.events()]
    assert kinds.count(SessionPaused) == kinds.count(SessionResumed) == 1


async def test_stopping_a_paused_debate_leaves_it_resumable() -> None:
    """Ctrl-C at the door."""
    session = Session.in_memory()
    debate = new_debate(session)
    debate.bus.subscribe(MessagePosted, lambda message: debate.pause() if message.number == 6 else None)
    debate.bus.subscribe(SessionPaused, lambda _: debate.stop())
    assert (await debate.run()).reason == "stopped"
    assert (await Debate.resume(session).run()).verdict is not None


async def test_moving_on_ends_the_phase_that_it_was_asked_in() -> None:
    """`/next` in the discussion must never cost the closing words."""
    session = Session.in_memory()
    debate = new_debate(session, most=24)
    told: list[str] = []
    debate.inbox.refused = told.append

    @debate.on(MessagePosted)
    def move(message: MessagePosted) -> None:
        if message.number == 7:
            debate.move_on()
        if message.number == 10:
            debate.move_on()

    result = await debate.run()
    phases = [(e.phase, e.why) for e in session.events() if isinstance(e, PhaseStarted)]
    assert phases[:2] == [("opening", ""), ("discussion", "done")]
    assert phases[2:4] == [("closing", "person"), ("ballot", "person")]
    assert result.reason == "person"
    assert result.messages == 7 + len(debate.members), "closing words are written side by side"
    with pytest.raises(UsageError, match="has stopped"):
        debate.move_on()
    assert told == []


def eda(*args: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, args, prog_name="eda")
    return done.exit_code, done.output


def test_the_floor_can_be_changed_on_the_way(tmp_path: Path) -> None:
    """Also where the format or `--floor` named another, and where all turns so far went by another order."""
    with stopped(tmp_path, floor="round-robin") as session:
        steer(session, [Changed({"floor": "random", "max_messages": 24})])
        at = session.log.last_seq
        debate = Debate.resume(session)
        assert debate.run_sync().verdict is not None
        reasons = {e.why for e in after(session, at) if isinstance(e, FloorGranted)}
    assert reasons == {"lot"}


def test_summaries_can_come_more_often_from_now_on(tmp_path: Path) -> None:
    """Who sees a long talk coming would have to begin a new session for shorter summaries."""
    with stopped(tmp_path) as session:
        steer(session, [Changed({"summary_every": 3})])
        debate = Debate.resume(session)
        debate.run_sync()
        summaries = [fact for fact in session.events() if isinstance(fact, SummaryWritten) and fact.level == 1]
    assert [(one.first, one.last) for one in summaries[:3]] == [(1, 3), (4, 6), (7, 9)]


def test_what_ballots_were_asked_for_by_stays_until_they_are_counted(tmp_path: Path) -> None:
    """A vote of which half was asked for one choice and half for approvals has no honest count."""
    with Session.create("s", tmp_path) as whole:
        debate = new_debate(whole)
        debate.run_sync()
        ballots = [e for e in whole.events() if isinstance(e, BallotCast)]
    with Session.read(cut(whole, tmp_path / "cut", ballots[-1].seq), tmp_path / "cut") as half:
        progress = progress_of(half)
    for late in ({"rule": "approval"}, {"own_proposals": False}):
        with pytest.raises(UsageError, match="4 of 4 ballots are cast"):
            Changed(late).fact(progress, debate.memory)
    assert Changed({"rule": "approval", "max_messages": 40}).fact(debate.progress, debate.memory)


def test_the_command(tmp_path: Path) -> None:
    """A saved session is steered in one line, and says what was done."""
    stopped(tmp_path).close()
    here = ("--sessions", str(tmp_path))
    code, output = eda("steer", "s", "--mute", "ruth", "--add", "product-manager", "--set", "max_messages=18", *here)
    assert code == 0, output
    assert f"{RUTH} is muted (by you)" in output
    assert f"{TOMAS} joins the panel (by you)" in output
    assert "max_messages: 12, now 18" in output
    assert f"{RUTH} is muted" in eda("show", "s", *here)[1]
    code, output = eda("steer", "s", "--mute", "ruth", *here)
    assert (code, "muted already" in output) == (2, True)
    code, output = eda("steer", "s", *here)
    assert (code, "no change was given" in output) == (2, True)
    code, output = eda("steer", "s", "--set", "max_messages", *here)
    assert (code, "KEY=VALUE" in output) == (2, True)
    code, output = eda("steer", "s", "--set", "max_messages=20", "--set", "max_messages=18", *here)
    assert (code, "max_messages is set twice" in output) == (2, True)
    copytree(tmp_path / "s", tmp_path / "short")
    with Session.read("s", tmp_path) as session:
        taken = progress_of(session).spent.tokens
    code, output = eda("steer", "short", "--set", f"max_tokens={taken + 100}", *here)
    assert (code, "the discussion ends at once (tokens)" in output) == (0, True)
    code, output = eda("steer", "s", "--replace", f"{MAYA}=lawyerr", *here)
    assert (code, "unknown persona" in output) == (2, True)
    assert eda("resume", "s", "--quiet", *here)[0] == 0
    shown = json.loads(eda("show", "s", "--json", *here)[1])
    assert shown["messages"] == 18
    assert [member["title"] for member in shown["members"]] == [RUTH, WALTER, MAYA, BEATRIZ, TOMAS]


def test_an_ended_session_whose_limit_was_raised_goes_on(tmp_path: Path) -> None:
    """`--set max_messages=18` and then `eda resume`: nobody should have to say it twice."""
    with Session.create("s", tmp_path) as session:
        new_debate(session).run_sync()
    here = ("--sessions", str(tmp_path))
    assert eda("report", "s", *here)[0] == 0
    assert eda("resume", "s", "--quiet", *here)[0] == 2
    assert eda("steer", "s", "--set", "max_messages=18", *here)[0] == 0
    assert eda("resume", "s", "--quiet", *here)[0] == 0
    assert json.loads(eda("show", "s", "--json", *here)[1])["messages"] == 18
    assert eda("resume", "s", "--quiet", *here)[0] == 2


def test_a_session_that_is_being_written_is_left_alone(tmp_path: Path) -> None:
    """Two writers of one log would tear it."""
    with stopped(tmp_path), pytest.raises(SessionBusyError):
        Session.open("s", tmp_path)


def test_a_judge_can_be_named_and_let_go_again(tmp_path: Path) -> None:
    """`none` takes a setting away: a panel would keep its judge for ever."""
    with stopped(tmp_path) as session:
        steer(session, [Changed({"rule": "judge", "judge": RUTH}), Changed({"rule": None, "judge": None})])
        assert progress_of(session).settings.judge == ""


def test_settings_of_a_debate_are_not_touched_by_a_refused_change() -> None:
    """What was refused must leave nothing behind."""
    debate = Debate("Is it so?", SEATS, settings=Settings(max_messages=10))
    with pytest.raises(UsageError, match="has not begun"):
        debate.change(max_messages=20)
