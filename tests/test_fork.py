"""Any moment of a session can be gone back to: looked at, or gone on from in another session."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings, strategies as st
from in_turn import each_other
from test_resume_models import Hashed
from told import persona

from eda import Debate, Prompt, Reply, Settings, memory_of, progress_of
from eda.cli import cli
from eda.debate.control.forks import changed, reworded
from eda.debate.prompt_preview import speaker_prompt
from eda.errors import UsageError
from eda.events import (
    CallMade,
    Event,
    FloorGranted,
    LineAnswered,
    MemberChanged,
    MessagePosted,
    Parent,
    PhaseStarted,
    SessionStarted,
)
from eda.events.lines import LineRead
from eda.events.records import Move
from eda.panels.agenda import load_agenda
from eda.runners.protocol import innermost
from eda.runners.recorded import CALLS_FILE, RecordedRunner, RecordingRunner, ReplayThenLive
from eda.runners.shipped import make_runner
from eda.session import Session
from eda.session.fork import fork, upto
from eda.session.schema import decode

EXAMPLE = Path(__file__).parent.parent / "sessions" / "example"


def eda(*args: object, code: int = 0, **more: str) -> Result:
    done = CliRunner().invoke(cli, [str(arg) for arg in args], catch_exceptions=False, **more)
    assert done.exit_code == code, done.output
    return done


def course(session: Session) -> list[dict[str, object]]:
    """The facts without their places, and without those that a resume adds."""
    beside = ("session_started", "session_resumed", "call_made", "floor_granted")
    return [event.model_dump(exclude={"seq", "at"}) for event in session.events() if event.type not in beside]


class Refusing:
    """Fails whoever asks it: a replay that is complete never does."""

    spec = "refusing"

    async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
        raise AssertionError(f"asked live: {prompt.key} after m{prompt.last}")


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A debate of the simulated panel, and one of models whose reply is a function of every letter; both recorded."""
    folder = tmp_path_factory.mktemp("sessions")
    for name, runner in (("one", make_runner("simulated")), ("letters", Hashed())):
        with Session.create(name, folder) as session:
            recorded = RecordingRunner(runner, folder / name / CALLS_FILE)
            limits = Settings(max_messages=12, summary_every=5)
            options = ("Go", "Wait")
            Debate(
                "Ship it?", "red-team", recorded, options=options, settings=limits, session=session, seed=3
            ).run_sync()
    return folder


@pytest.mark.parametrize("at", each_other(range(1, 13), of=3))
def test_an_unchanged_fork_goes_on_as_the_session_did(sessions: Path, at: int) -> None:
    """What differs after a change would be laid to the change, and came from the fork."""
    with Session.read("one", sessions) as session:
        expected = course(session)
        with fork(session, at, f"m{at}", sessions) as forked:
            same = forked.log.last_seq
            assert forked.started().parent == Parent(session="one", at=at, head=session.head(same))
            Debate.resume(forked).run_sync()
            assert course(forked) == expected


def test_the_memory_of_a_message_is_what_it_was_then(sessions: Path) -> None:
    """A table with what was said later would explain an earlier turn wrongly."""
    with Session.read("one", sessions) as session:
        past: list[Event] = []
        events = list(session.events())
        for event, following in pairwise(events):
            past.append(event)
            if isinstance(event, MessagePosted):
                memory = memory_of(session, at=event.number)
                shown = event.sealed and isinstance(following, PhaseStarted)
                assert memory.seq == event.seq + shown
                assert list(upto(session, event.number).events()) == ([*past, following] if shown else past)
        assert memory_of(session, at=12).message_count == 12


def test_after_the_last_opening_all_openings_are_on_the_table(tmp_path: Path) -> None:
    """`--at m5` of a panel of five would show a table after m0, and a fork from there would hide what all had read."""
    with Session.read("example", EXAMPLE.parent) as session:
        assert "p2.0" not in memory_of(session, at=4).brief_context().text
        assert "p2.0" in memory_of(session, at=5).brief_context().text


OFFER = LineRead("offered", (Move("support", "", "o1"),))
PLACE = MessagePosted(number=1, who="Nell", text="The mill, I think.", line=OFFER)
YES = LineAnswered(who="Nell", message=1, answer="yes", moves=OFFER.moves)
NEXT, GRANT = MessagePosted(number=2, who="Ruth", text="Well."), FloorGranted(agent="Ruth", why="in turn")


@pytest.mark.parametrize(
    ("after", "kept", "late"),
    [
        ((GRANT, YES, NEXT), 2, False),
        ((GRANT, NEXT, YES), 0, True),
        ((YES.model_copy(update={"answer": "asked"}), NEXT), 0, False),
        ((YES.model_copy(update={"message": 9}), NEXT), 0, False),
        ((PhaseStarted(phase="ballot"), YES), 0, True),
        ((PhaseStarted(phase="talk"), GRANT, YES), 3, False),
        ((YES, YES.model_copy(update={"answer": "taken back"}), GRANT), 2, False),
    ],
)
def test_what_a_person_says_of_how_its_line_was_read_goes_with_the_line(
    tmp_path: Path, after: tuple[Event, ...], kept: int, late: bool
) -> None:
    """A fork at a line had lost the yes of its author, and nothing said so."""
    start = SessionStarted(
        session="mill",
        question="Where?",
        options=("Mill", "Barn"),
        agenda=load_agenda("panel"),
        members=(persona("Nell", "miller"), persona("Ruth", "cook")),
    )
    place = PLACE.model_copy(update={"sealed": kept == 3})
    facts = enumerate((start, place, *after), 1)
    stamped = [each.model_copy(update={"seq": seq, "at": datetime(2026, 5, 1, tzinfo=UTC)}) for seq, each in facts]
    Session.of_facts("mill", stamped, tmp_path, ours=True).close()
    said = eda("fork", "mill", "--at", "m1", "--sessions", tmp_path, "--session", "barn").output
    with Session.read("barn", tmp_path) as forked:
        assert [event.type for event in forked.events()][2:] == [event.type for event in after[:kept]]
    eda("edit", "mill", "m1", "The barn, I think.", "--sessions", tmp_path, "--session", "anew")
    with Session.read("anew", tmp_path) as forked:
        assert "line_answered" not in {event.type for event in forked.events()}
    assert ("what Nell said later of how m1 was read" in said) == late, said


def test_a_message_that_there_is_not_is_answered_with_the_range(sessions: Path) -> None:
    """`--at m99` would make a copy of the whole and call it m99."""
    with Session.read("one", sessions) as session:
        for at in (0, 13, -1):
            with pytest.raises(UsageError, match=f"no message m{at}") as caught:
                memory_of(session, at=at)
            assert caught.value.hint == "Its messages are m1 to m12."


@pytest.mark.parametrize("at", each_other(range(1, 13), first=1, of=3))
def test_a_recorded_fork_replays_to_its_end_without_a_call(sessions: Path, at: int) -> None:
    """Each prompt of a fork is the recorded one to the letter, or somebody pays for a debate that they have already."""
    replay = ReplayThenLive(RecordedRunner(sessions / "letters" / CALLS_FILE), Refusing())
    with Session.read("letters", sessions) as session, fork(session, at, f"again{at}", sessions) as forked:
        Debate.resume(forked, replay).run_sync()
        assert course(forked) == course(session)


@settings(max_examples=settings().max_examples // 6, deadline=None)
@given(seed=st.integers(0, 99), panel=st.sampled_from(["red-team", "public-policy"]), data=st.data())
def test_an_unchanged_fork_of_any_debate_says_and_votes_the_same(seed: int, panel: str, data: st.DataObject) -> None:
    """A comparison of two forks that differ for no reason says nothing of the change."""
    with TemporaryDirectory() as folder, Session.create("one", Path(folder)) as session:
        limit = Settings(max_messages=9)
        Debate("Ship it?", panel, options=("Go", "Wait"), settings=limit, session=session, seed=seed).run_sync()
        at = data.draw(st.integers(1, progress_of(session).messages))
        with fork(session, at, "two", Path(folder)) as forked:
            Debate.resume(forked).run_sync()
            assert course(forked) == course(session)


def test_a_changed_fork_replays_what_is_as_it_was_and_says_where_it_goes_live(
    sessions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was paid for is not paid again; and nobody takes a live reply for the recorded one."""
    monkeypatch.setenv("EDA_SESSIONS", str(sessions))
    eda("fork", "one", "--at", "m8", "--change", "persona:henrik=economist", "--session", "live")
    shown = eda("resume", "live", "--runner", "recorded").stdout
    with Session.read("live") as session:
        (call,) = (each for each in session.events() if isinstance(each, CallMade) and each.live)
    assert (call.last, call.live) == (8, "its prompt is not the recorded one")
    who = f"the {call.purpose} call of {call.agent or 'the engine'}"
    line = f"live: from {who} after m8 on, as its prompt is not the recorded one"
    assert line in shown
    assert line in eda("show", "live").stdout
    eda("edit", "one", "m8", "Nothing of the kind.", "--session", "said")
    shown = eda("resume", "said", "--runner", "recorded,then=simulated:fixed").stdout
    assert "after m8 on, as its prompt is not the recorded one" in shown
    assert "it is no fork" in eda("resume", "one", "--runner", "recorded", code=2).stderr
    eda("fork", "said", "--at", "m9", "--session", "unrecorded")
    assert "was not recorded" in eda("resume", "unrecorded", "--runner", "recorded", code=2).stderr


def test_a_runner_behind_a_replay_is_the_one_that_is_closed_and_journaled(sessions: Path) -> None:
    """A live reply that no journal keeps is lost with a kill, and paid for twice."""
    live = Refusing()
    replay = ReplayThenLive(RecordedRunner(sessions / "one" / CALLS_FILE), live)
    assert innermost(RecordingRunner(replay, sessions / "none")) is live
    assert replay.spec.endswith(f"{CALLS_FILE},then=refusing")
    shipped = EXAMPLE.parent.parent / "docs" / "examples" / "panel-recording.jsonl"
    with pytest.raises(UsageError, match="lacks the prompts"):
        make_runner(f"recorded:{shipped},then=simulated")
    for spec in ("recorded:", "recorded:calls.jsonl,then=", "recorded,then=simulated"):
        with pytest.raises(UsageError, match="needs a file"):
            make_runner(spec)


def test_what_is_changed_is_a_fact_that_every_page_says(sessions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fork whose panel had an economist, shown as if it were the same panel, would mislead whoever compares."""
    monkeypatch.setenv("EDA_SESSIONS", str(sessions))
    changes = ["persona:henrik=economist", 'option:"Wait a year"', "setting:max_messages=14", "setting:rule=borda"]
    args = [each for change in changes for each in ("--change", change)]
    data = json.loads(eda("fork", "one", "--at", "m6", *args, "--session", "all", "--json").stdout)["parent"]
    changed = "persona:henrik=economist; option:Wait a year; setting:max_messages=14; setting:rule=borda"
    with Session.read("one", sessions) as session:
        shared = [event.seq for event in session.events() if isinstance(event, MessagePosted) and event.number == 6]
        assert data == {"session": "one", "at": 6, "changed": changed, "head": session.head(shared[0])}
    parent = f"one at m6 ({changed})"
    with Session.read("all") as session:
        *_, seat, changed_settings = session.events()
        assert isinstance(seat, MemberChanged)
        assert seat.who == "Henrik"
        assert changed_settings.settings.max_messages == 14
        assert session.started().options == ("Go", "Wait", "Wait a year")
    assert f"from: {parent}" in eda("resume", "all").stdout
    shown = eda("show", "all").stdout
    assert f"from    {parent}" in shown
    assert "“Wait a year” (o3)" in shown or "Wait a year" in shown.partition("Verdict")[2]
    assert f"Forked from: {parent.replace('_', chr(92) + '_')}." in eda("report", "all").stdout
    assert json.loads(eda("show", "all", "--json").stdout)["from"] == data


@pytest.mark.parametrize(
    ("change", "says", "hint"),
    [
        ("persno:a=b", "unknown change 'persno'", "persona"),
        ("persona:henrick=economist", "unknown member 'henrick'", "Henrik"),
        ("persona:henrik=economst", "unknown persona 'economst'", "economist"),
        ("persona:henrik", "lacks a name or a value", "persona:MEMBER=PERSONA"),
        ("setting:max_mesages=30", "unknown setting 'max_mesages'", "max_messages"),
        ("option:wait", "an option is given twice", "differ"),
        ("option:", "says nothing of option", 'option:"TEXT"'),
        ("model:cheep=haiku", "unknown model to change 'cheep'", "cheap"),
        ("model:speak=opus", "has no models to choose", "--runner"),
        ("runner:nobody", "unknown runner 'nobody'", "anthropic"),
        ("runner:simulated", "asks simulated already", "another"),
        ("rule:bordo", "unknown rule 'bordo'", "borda"),
    ],
)
def test_a_change_that_cannot_be_made_is_said_and_nothing_is_made(
    sessions: Path, monkeypatch: pytest.MonkeyPatch, change: str, says: str, hint: str
) -> None:
    """A fork without the change that was typed would be taken for one with it."""
    monkeypatch.setenv("EDA_SESSIONS", str(sessions))
    said = eda("fork", "one", "--at", "m6", "--change", change, "--session", "no", code=2).stderr
    assert says in said.partition("hint:")[0]
    assert hint in said.partition("hint:")[2]
    assert not (sessions / "no").exists()


def test_another_model_is_asked_from_the_fork_on(sessions: Path, tmp_path: Path) -> None:
    """The same debate from m6 on with a stronger speaker: the session says which model, so a plain resume asks it."""
    with Session.read("one", sessions) as session:
        past = upto(session, 6)
    first, *facts = past.events()
    local = first.model_copy(update={"runner": "local:http://127.0.0.1:9#small"})
    with Session.of_facts("one", [local, *facts], tmp_path) as session:
        change = changed(["model:speak=large", "model:cheap=small"])
        with fork(session, name="two", sessions=tmp_path, change=change) as forked:
            assert forked.started().runner == "local:http://127.0.0.1:9#large+small"
            changes = "model:speak=large; model:cheap=small"
            assert forked.started().parent == Parent(session="one", changed=changes, head=session.head())


def test_an_option_that_is_proposed_already_or_comes_too_late_is_refused(sessions: Path) -> None:
    """What members said of p5.0 would be read as said of the new option."""
    with Session.read("one", sessions) as session:
        proposal = memory_of(session).proposals[-1]
        with pytest.raises(UsageError, match=f"{proposal.id} says so already"):
            fork(session, 12, "no", sessions, change=changed([f"option:{proposal.content}"]))
        past = upto(session, None)
        cast = [event for event in past.events() if event.type not in ("session_ended", "verdict_reached")]
        with Session.of_facts("cast", cast, sessions) as half, pytest.raises(UsageError, match="ballots are cast"):
            fork(half, None, "no", sessions, change=changed(["option:Wait a year"]))


def test_a_message_is_reworded_and_read_anew(sessions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What came after it was said to other words."""
    monkeypatch.setenv("EDA_SESSIONS", str(sessions))
    with Session.read("one") as session:
        before = {each.number: each for each in session.events() if isinstance(each, MessagePosted)}
    text = "Zora, do you see it?\n[SUPPORT p1.0] it works"
    assert "(m7 reworded)" in eda("edit", "one", "m7", text, "--session", "seven").stdout
    eda("edit", "one", "7", "-", "--session", "noted", input=f"{before[7].text}\n[NOTE] kept")
    with Session.read("seven") as seven, Session.read("noted") as noted:
        *_, said = seven.events()
        *_, kept = noted.events()
        assert (said.number, said.who, said.talk, said.to) == (7, before[7].who, "Zora, do you see it?", "Zora")
        assert [(move.kind, move.target) for move in said.moves] == [("support", "p1.0")]
        assert kept.moves[-1].kind == "note"
        assert kept.talk == before[7].talk
        assert memory_of(seven).message_count == 7
    eda("resume", "seven", "--quiet")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], "the text is empty"),
        ([" "], "the text is empty"),
        (["AS IT IS"], "m6 reads so already"),
        (["AS IT IS", "--session", "one"], "m6 reads so already"),
    ],
)
def test_an_edit_that_comes_to_nothing_is_said_and_nothing_is_made(
    sessions: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], says: str
) -> None:
    """A copy that says "reworded" and is not would be compared with its parent, word for word, for nothing."""
    monkeypatch.setenv("EDA_SESSIONS", str(sessions))
    with Session.read("one") as session:
        (was,) = (each.text for each in session.events() if isinstance(each, MessagePosted) and each.number == 6)
    there = sorted(sessions.iterdir())
    assert says in eda("edit", "one", "m6", *(was if arg == "AS IT IS" else arg for arg in args), code=2).stderr
    assert sorted(sessions.iterdir()) == there


def test_the_prompt_of_then_is_the_one_that_was_sent(sessions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Why did Viktor say that? Only the prompt that he had tells."""
    monkeypatch.setenv("EDA_SESSIONS", str(sessions))
    rows = [json.loads(line) for line in (sessions / "one" / CALLS_FILE).read_text().splitlines()]
    sent = {row["last"]: row["prompt"] for row in rows if row["key"][0] == "speak" and row["last"]}
    with Session.read("one") as session:
        said = {each.number: each for each in session.events() if isinstance(each, MessagePosted)}
        same = [at for at in range(6, 12) if speaker_prompt(upto(session, at), said[at + 1].who) == sent[at]]
    # Between m9 and m10 the moderator named what nobody had spoken of; then it asked for a text that most could sign.
    assert same == [6, 7, 8, 11]
    args = ("show", "one", "--at", "m8", "--prompt", said[9].who)
    assert eda(*args).stdout.split() == sent[8].split()
    assert "Its messages are m1 to m12." in eda("show", "--table", "one", "--at", "m13", code=2).stderr


def test_where_two_sessions_part_and_what_came_of_it_is_said(sessions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads both from the top finds the first difference by luck."""
    monkeypatch.setenv("EDA_SESSIONS", str(sessions))
    eda("fork", "one", "--at", "m4", "--change", "persona:henrik=economist", "--session", "other")
    eda("resume", "other", "--quiet")
    lines = eda("diff", "one", "other").stdout.splitlines()
    assert lines[0] == "from: other comes from one at m4 (persona:henrik=economist)"
    assert lines[1].startswith("part: after m4, one: m5 Jonah: ")
    assert lines[2] == "part: after m4, other: table: Leila takes the seat of Henrik"
    data = json.loads(eda("diff", "one", "other", "--json").stdout)
    votes = {}
    for name in ("one", "other"):
        with Session.read(name) as session:
            votes[name] = {cast.ballot.agent: cast.ballot.choice for cast in progress_of(session).ballots}
    differ = {who for who in votes["one"] | votes["other"] if votes["one"].get(who) != votes["other"].get(who)}
    assert {vote["who"]: vote["texts"] for vote in data["votes"]} == {
        who: [votes["one"].get(who), votes["other"].get(who)] for who in differ
    }
    assert sum(line.startswith("vote: ") for line in lines) == len(differ) > 1
    assert sum(line.startswith("proposal: only in") for line in lines) == sum(map(len, data["proposals"])) > 0
    eda("fork", "one", "--session", "twin")
    assert "are the same" in eda("diff", "one", "twin").stdout
    assert json.loads(eda("diff", "twin", "one", "--json").stdout)["same"] is True
    eda("fork", "one", "--at", "m9", "--session", "short")
    assert "part: after m9, short: has no more" in eda("diff", "one", "short").stdout
    with Session.read("one") as session:
        last = max(proposal.message for proposal in memory_of(session).proposals)
    eda("fork", "one", "--at", f"m{last}", "--session", "late")
    late = eda("diff", "one", "late").stdout
    assert "proposals: the same in one and late" in late
    assert "proposal: only in" not in late
    eda("fork", "one", "--at", "m2", "--change", "option:Wait a year", "--session", "three")
    assert "setup: options: Go, Wait in one, Go, Wait, Wait a year in three" in eda("diff", "one", "three").stdout
    assert "unknown session 'on'" in eda("diff", "on", "one", code=2).stderr


def test_a_session_is_forked_and_changed_by_hand(sessions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What would the panel have said with another sceptic? Nobody could ask."""
    monkeypatch.setenv("EDA_SESSIONS", str(sessions))
    assert eda("fork", "one", "--at", "m4").stdout.startswith("one-at-m4 comes from one at m4; ")
    assert json.loads(eda("fork", "one", "--at", "4", "--json").stdout)["session"] == "one-at-m4-2"
    eda("steer", "one-at-m4", "--set", "max_messages=6")
    eda("resume", "one-at-m4", "--quiet")
    rows = {row["session"]: row for row in json.loads(eda("sessions", "--json").stdout)["sessions"]}
    parent = {"session": "one", "at": 4, "changed": ""}
    assert rows["one-at-m4"]["from"].items() >= parent.items()
    assert rows["one-at-m4"]["messages"] == 6
    assert "one at m4" in eda("sessions").stdout
    assert "exists already" in eda("fork", "one", "--session", "one-at-m4", code=2).stderr
    assert "write it as m12" in eda("fork", "one", "--at", "four", code=2).stderr
    shown = json.loads(eda("show", "one", "--at", "m4", "--json").stdout)
    assert [message["number"] for message in shown["transcript"]] == [1, 2, 3, 4]
    assert eda("fork", "one", "--session", "copy").exit_code == 0
    with Session.read("one") as session, Session.read("copy") as copy:
        assert course(copy) == course(session)


def test_what_stands_before_a_damage_is_kept_by_the_command_that_the_error_names(
    sessions: Path, tmp_path: Path
) -> None:
    """One bad byte closed the whole session, and the hint named something that no command did."""
    lines = (sessions / "one" / "events.jsonl").read_bytes().splitlines(keepends=True)
    at = next(nth for nth, line in enumerate(lines) if b'"number":6,' in line and b'"message_posted"' in line)
    lines[at] = lines[at].replace(b"message_posted", b"message_pasted")
    folder = tmp_path / "one"
    folder.mkdir()
    (folder / "events.jsonl").write_bytes(b"".join(lines))
    where = ("--sessions", tmp_path)
    for command in (("show", "one"), ("fork", "one"), ("resume", "one")):
        assert "--at m5" in eda(*command, *where, code=1).stderr
    assert "eda fork one --sessions" in eda("show", "one", *where, code=1).stderr
    assert "m1 to m5" in eda("fork", "one", "--at", "m6", *where, code=2).stderr
    done = eda("fork", "one", "--at", "m5", *where)
    assert f"line {at + 1}: " in done.stderr
    assert "nothing after it" in done.stderr
    with (
        Session.read("one", sessions) as whole,
        Session.read("one-at-m5", tmp_path) as kept,
        fork(whole, 5, "whole-at-m5", tmp_path) as expected,
    ):
        assert course(kept) == course(expected)
    assert (folder / "events.jsonl").read_bytes() == b"".join(lines)


def test_the_example_is_forked_in_a_moment(tmp_path: Path) -> None:
    """Whoever waits for a fork makes none."""
    with Session.read(EXAMPLE) as session:
        for at in range(1, 21):
            began = time.process_time()
            fork(session, at, f"m{at}", tmp_path).close()
            assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("words", "parent"),
    [
        ("one", Parent(session="one")),
        ("one at m4", Parent(session="one", at=4)),
        ("one (option:Wait (a year))", Parent(session="one", changed="option:Wait (a year)")),
        ("one at m4 (runner:simulated)", Parent(session="one", at=4, changed="runner:simulated")),
        ("", None),
    ],
)
def test_an_older_fork_knows_its_parent(words: str, parent: Parent | None) -> None:
    """Older logs name the parent, the message and the change in one text."""
    body = f'{{"seq":1,"at":"2026-01-02T03:04:05Z","type":"session_started","session":"two","parent":"{words}"'.encode()
    started = decode(b'%b,"crc":"%08x"}' % (body, crc32(body)))
    assert isinstance(started, SessionStarted)
    assert started.parent == parent


@pytest.mark.parametrize("number", [1, 3, 4])
def test_any_message_of_a_debate_is_reworded(sessions: Path, tmp_path: Path, number: int) -> None:
    """Behind the last of the sealed openings stands that they were read: it was taken for a transcript's."""
    words = "Something else.\n[PROPOSE] Wait a month"
    made = fork(Session.read("one", sessions), number, "again", tmp_path, change=reworded(words))
    messages = [event for event in made.events() if isinstance(event, MessagePosted)]
    assert [(each.number, each.text) for each in messages[-1:]] == [(number, words)]
    assert [move.kind for move in messages[-1].moves] == ["propose"]
