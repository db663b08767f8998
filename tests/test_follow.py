"""Who follows a session gets every fact once and in order, from the log first and then live; notes are seen at once."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import signal
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings, strategies as st
from in_turn import in_one
from started import OPTIONS, QUESTION, SLOW, program, wait_for
from test_resume import new_debate

from eda import Debate, MessageBus, Session
from eda.cli import cli
from eda.cli.sessions import span_of
from eda.cli.terminal.slash_commands import Commands
from eda.debate.control.changes import Change, Corrected, Noted
from eda.debate.control.socket import changed_session, is_running
from eda.errors import LogDamagedError
from eda.events import BallotCast, Event, MemoryCorrected, MessagePosted, ModeratorSpoke, NoteTaken, SessionEnded
from eda.runners.protocol import OnText, Prompt, Reply
from eda.runners.simulated.runner import SimulatedRunner
from eda.session.names import SOCKET_FILE
from eda.session.places import lock_folder

DEBATE = ("debate", QUESTION, *OPTIONS, "--max-messages", "10", "--session", "s", "--sessions", ".")
PANEL = ["sceptic", "historian", "pragmatic-engineer"]


@pytest.fixture(autouse=True)
def in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path of a socket has to be short; so it is said from the folder that one works in."""
    monkeypatch.chdir(tmp_path)


def eda(command: str, *args: str) -> Result:
    return CliRunner().invoke(cli, [command, *args, "--sessions", "."], prog_name="eda")


async def all_of(facts: AsyncGenerator[Event, None]) -> list[Event]:
    async with aclosing(facts):
        return [fact async for fact in facts]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The log of a whole debate."""
    folder = tmp_path_factory.mktemp("whole")
    with Session.create("s", folder) as session:
        new_debate(session).run_sync()
    return (folder / "s" / "events.jsonl").read_bytes()


# ------------------------------------------------------------ every fact, once and in order


@given(joined=st.lists(st.integers(0, 40), min_size=1, max_size=5), seed=st.integers(0, 10_000))
def test_each_reader_of_a_bus_gets_every_fact_once_and_in_order(joined: list[int], seed: int) -> None:
    """A page that misses one fact shows another debate than the one that was held."""
    chance = random.Random(seed)

    async def go() -> list[list[Event]]:
        bus = MessageBus()
        readers: list[asyncio.Task[list[Event]]] = []
        waiting = sorted(joined)
        while len(tuple(bus.facts())) < 40:
            group = [ModeratorSpoke(text=str(n)) for n in range(chance.randint(1, 4))]
            bus.publish(*group)
            last = tuple(bus.facts())[-1].seq
            while waiting and waiting[0] <= last:
                readers.append(asyncio.create_task(all_of(bus.stream(waiting.pop(0)))))
            for _ in range(chance.randint(0, 2)):
                await asyncio.sleep(0)
        await bus.close()
        late = [await all_of(bus.stream(after)) for after in waiting]
        everything = tuple(bus.facts())
        got = [*await asyncio.gather(*readers), *late]
        assert got == [list(everything[after:]) for after in sorted(joined)]
        return got

    asyncio.run(asyncio.wait_for(go(), 60))


@given(
    joined=st.lists(st.floats(0, 1), min_size=1, max_size=4),
    cuts=st.lists(st.floats(0, 1), max_size=12),
    after=st.integers(0, 30),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_each_reader_of_a_file_gets_every_fact_once_and_in_order(
    lines: bytes, tmp_path: Path, joined: list[float], cuts: list[float], after: int
) -> None:
    """Whoever joins at any moment, while a line is half written too, and comes back after any fact."""
    folder = tmp_path / f"s{time.monotonic_ns()}"
    folder.mkdir()
    log = folder / "events.jsonl"
    pieces = sorted({0, len(lines), *(int(share * len(lines)) for share in cuts)})
    log.touch()
    lock = lock_folder(folder)
    readers: list[asyncio.Task[list[Event]]] = []

    async def go() -> None:
        for start, end in itertools.pairwise(pieces):
            new = (Session.read(folder) for share in joined if start <= share * len(lines) < end)
            readers.extend(asyncio.create_task(all_of(session.follow(after, interval=0.001))) for session in new)
            await asyncio.sleep(0)
            with log.open("ab") as file:
                file.write(lines[start:end])
            await asyncio.sleep(0.002)
        lock.release(force=True)
        readers.append(asyncio.create_task(all_of(Session.read(folder).follow(after))))
        await asyncio.gather(*readers)

    asyncio.run(asyncio.wait_for(go(), 60))
    with Session.read(folder) as session:
        everything = list(session.events(after))
    assert len(everything) > 30
    assert all(reader.result() == everything for reader in readers)


async def test_a_stream_of_a_debate_ends_with_its_run_and_can_be_taken_up_again() -> None:
    """A reader whose connection broke goes on where it was."""
    with Session.create("s", Path()) as session:
        debate = new_debate(session)
        early = asyncio.create_task(all_of(debate.stream()))
        running = asyncio.create_task(debate.run())
        seen: list[Event] = []
        while not running.done() or not any(isinstance(fact, SessionEnded) for fact in seen):
            async with aclosing(debate.stream(len(seen))) as facts:
                async for fact in facts:
                    seen.append(fact)
                    if fact.seq % 7 == 0:
                        break
        await running
        everything = list(session.events())
        assert await early == everything
        assert seen + await all_of(debate.stream(len(seen))) == everything
        assert await all_of(debate.stream(everything[-1].seq)) == []


async def test_a_debate_in_another_process_is_followed_to_its_end() -> None:
    """Whoever watches sees each fact, and the screen ends with the debate."""
    with program(*DEBATE, script=SLOW) as process:
        wait_for(process, "m6 ")
        with Session.read("s", Path()) as session:
            assert session.written
            async with asyncio.timeout(120):
                facts = await all_of(session.follow(3))
        assert process.stdout is not None
        process.stdout.read()
        process.wait()
    with Session.read("s", Path()) as session:
        assert isinstance(facts[-1], SessionEnded)
        assert facts == list(session.events(3))[: len(facts)]
        assert not session.written


@pytest.mark.long
async def test_following_ends_when_the_writer_is_gone_unless_it_is_to_go_on(tmp_path: Path) -> None:
    """A screen that waits for a process that was killed would wait for ever."""
    with program(*DEBATE, script=SLOW) as process:
        wait_for(process, "m6 ")
        with Session.read("s", Path()) as session:
            following = asyncio.create_task(all_of(session.follow(interval=0.01)))
            ever = aclosing(Session.read("s", Path()).follow(forever=True, interval=0.01))
            await asyncio.sleep(0)
            process.send_signal(signal.SIGKILL)
            process.wait()
            facts = await asyncio.wait_for(following, 60)
    with Session.read("s", Path()) as session:
        assert facts == list(session.events())
    async with ever as more:
        assert [await anext(more) for _ in facts] == facts
        waiting = asyncio.ensure_future(anext(more))
        note = await asyncio.to_thread(eda, "edit", "s", "--note", "Mind the auditors.")
        assert note.exit_code == 0, note.output
        assert isinstance(await asyncio.wait_for(waiting, 60), NoteTaken)


def test_a_log_that_is_damaged_or_shortened_while_it_is_read_is_an_error(lines: bytes, tmp_path: Path) -> None:
    """A wrong fact must never be shown as one that was said."""
    half = lines.index(b"\n", len(lines) // 2) + 1
    for change in (lines[:half] + lines[half:].replace(b'"', b"'", 1), lines[:100]):
        folder = tmp_path / str(len(change))
        folder.mkdir()
        (folder / "events.jsonl").write_bytes(lines[:half])
        with Session.read(folder) as session:
            (folder / "events.jsonl").write_bytes(change)
            with pytest.raises(LogDamagedError):
                asyncio.run(all_of(session.follow()))


# ------------------------------------------------------------ notes and corrections at once


class Stuck(SimulatedRunner):
    """Stands still in a speech, or in the ballot, until it is let go."""

    def __init__(self, purpose: str, nth: int = 1) -> None:
        super().__init__()
        self.purpose = purpose
        self.nth = nth
        self.stands = asyncio.Event()
        self.go = asyncio.Event()

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        if prompt.purpose == self.purpose and prompt.nth == self.nth:
            self.stands.set()
            await self.go.wait()
        return await super().run(prompt, on_text)


def change(changes: Sequence[Change], told: list[str]) -> tuple[tuple[Event, ...], bool]:
    return changed_session("s", Path(), changes, told.append)


async def test_a_note_and_a_correction_do_not_wait_for_a_slow_turn() -> None:
    """What a person sees amiss must be seen to be set right; and the debate began in Python, with no screen."""
    with Session.create("s", Path()) as session:
        runner = Stuck("speak", 3)
        debate = Debate(QUESTION, PANEL, runner, options=("Move it", "Wait"), session=session)
        running = asyncio.create_task(debate.run())
        await runner.stands.wait()
        assert await asyncio.to_thread(is_running, session)
        seen = asyncio.create_task(all_of(debate.stream(session.log.last_seq)))
        told: list[str] = []
        item = debate.memory.proposals[-1].id
        (note,), running_now = await asyncio.to_thread(change, [Noted("Mind the auditors.", "Ada")], told)
        (correction,), _ = await asyncio.to_thread(change, [Corrected(item, "Wait for the auditors.", "Ada")], told)
        assert running_now
        assert told == []
        assert (note.type, correction.type) == ("note_taken", "memory_corrected")
        assert debate.memory.notes[-1].text == "Mind the auditors."
        assert not runner.go.is_set()
        runner.go.set()
        result = await running
        assert (await seen)[:2] == [note, correction]
    assert result.verdict is not None
    assert not Path("s", SOCKET_FILE).exists()  # noqa: ASYNC240 - at once


async def test_a_correction_waits_for_the_votes_that_are_being_taken_and_a_note_does_not() -> None:
    """Half of the panel would vote on one text, and half on another."""
    with Session.create("s", Path()) as session:
        runner = Stuck("ballot", 2)
        debate = Debate(QUESTION, PANEL, runner, options=("Move it", "Wait"), session=session)
        running = asyncio.create_task(debate.run())
        await runner.stands.wait()
        commands = Commands(debate, "Ada", print, print)
        item = debate.memory.proposals[-1].id
        commands.run("/note Mind the auditors.")
        debate.correct(item, "Wait for the auditors.", "Ada")
        runner.go.set()
        await running
        kinds = [type(fact) for fact in session.events() if isinstance(fact, NoteTaken | MemoryCorrected | BallotCast)]
    last_ballots = kinds[-len(PANEL) - 2 :]
    assert last_ballots == [NoteTaken, *[BallotCast] * len(PANEL), MemoryCorrected]


def test_a_person_at_the_table_takes_notes_and_nobody_takes_them_for_a_member() -> None:
    """`/note` of a person who sits there was refused as if Ada were a member of the panel."""
    debate = Debate(QUESTION, PANEL, human="Ada")
    commands = Commands(debate, "Ada", print, print)
    debate.on(MessagePosted)(lambda said: commands.run("/note Mind the auditors.") if said.number == 3 else None)
    debate.run_sync()
    assert [(note.who, note.text) for note in debate.memory.notes if note.who == "Ada"] == [
        ("Ada", "Mind the auditors.")
    ]


# ------------------------------------------------------------ the commands


async def test_a_running_debate_is_noted_and_asked_from_other_terminals() -> None:
    """While a member is still writing: the note and the answer beside the panel are stored at once."""
    with Session.create("s", Path()) as session:
        runner = Stuck("speak", 3)
        debate = Debate(QUESTION, PANEL, runner, options=("Move it", "Wait"), session=session)
        running = asyncio.create_task(debate.run())
        await runner.stands.wait()
        noted = await asyncio.to_thread(eda, "edit", "s", "--note", "Mind the auditors.", "--as", "Ada")
        assert noted.exit_code == 0, noted.output
        asked = await asyncio.to_thread(eda, "ask", "s", "ruth", "Why?", "--as", "Ada")
        assert asked.exit_code == 0, asked.output
        side = json.loads((await asyncio.to_thread(eda, "show", "s", "--side", "--json")).stdout)["side"]
        assert " ".join(asked.stdout.split()) in [" ".join(each["text"].split()) for each in side]
        for wrong in (("nobody", "Why?"), ("ruth", "Why?", "--runner", "none")):
            refused = await asyncio.to_thread(eda, "ask", "s", *wrong)
            assert (refused.exit_code, refused.stderr.count("error: ")) == (2, 1)
        assert not runner.go.is_set()
        runner.go.set()
        await running
        assert [note.text for note in debate.memory.notes] == ["Mind the auditors."]


# ------------------------------------------------------------ dates, counts


@in_one(
    ("text", "begin", "end"),
    [
        ("today", "2026-11-22", "2026-11-23"),
        ("Yesterday", "2026-11-21", "2026-11-22"),
        ("this week", "2026-11-16", "2026-11-23"),
        ("last  week", "2026-11-09", "2026-11-16"),
        ("this month", "2026-11-01", "2026-11-23"),
        ("last month", "2026-10-01", "2026-11-01"),
        ("tomorrow", "2026-11-23", "2026-11-24"),
        ("next week", "2026-11-23", "2026-11-30"),
        ("next month", "2026-12-01", "2027-01-01"),
        ("in 3 days", "2026-11-25", "2026-11-26"),
        ("in 2 weeks", "2026-12-06", "2026-12-07"),
        ("3 days ago", "2026-11-19", "2026-11-20"),
        ("1 week ago", "2026-11-15", "2026-11-16"),
        ("2 hours ago", "2026-11-22T13:30", "2026-11-22T15:30"),
        ("2026-11-01", "2026-11-01", "2026-11-02"),
        ("2026-11-01T09:15", "2026-11-01T09:15", "2026-11-01T09:16"),
    ],
)
def test_dates_are_read_as_people_write_them(text: str, begin: str, end: str) -> None:
    """The week begins on Monday; 22 November 2026 is a Sunday."""
    span = span_of(text, datetime(2026, 11, 22, 15, 30))  # noqa: DTZ001 - a local time
    assert span is not None
    assert (span.begin, span.end) == tuple(datetime.fromisoformat(each).astimezone() for each in (begin, end))


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "last", "days ago", "9999-12-31", "9999 weeks ago", "0 m"])
def test_what_is_no_date_is_none(text: str) -> None:
    """`9999 weeks ago` is a date; nothing else of these is."""
    span = span_of(text, datetime(2026, 11, 22))  # noqa: DTZ001 - a local time
    assert (span is not None) == (text == "9999 weeks ago")


def test_recall_takes_dates_and_messages() -> None:
    """What was said last week is looked for by the week."""
    with Session.create("s", Path()) as session:
        new_debate(session).run_sync()
        last = next(fact for fact in reversed(list(session.events())) if isinstance(fact, MessagePosted)).number

    def found(*args: str) -> list[int]:
        result = eda("recall", "s", "the test suite", "-k", "50", "--json", *args)
        assert result.exit_code == 0, result.output
        return sorted(row["message_id"] for row in json.loads(result.stdout)["found"])

    everything = found()
    assert len(everything) > 3
    assert found("--since", "today", "--until", "today") == everything
    assert found("--since", "yesterday", "--until", f"m{last // 2}") == [n for n in everything if n <= last // 2]
    assert found("--since", f"m{last // 2}", "--until", "1 hours ago") == [n for n in everything if n >= last // 2]
    assert found("--since", "last month", "--until", "2 days ago") == []
    wrong = eda("recall", "s", "x", "--since", "soon")
    assert wrong.exit_code == 2
    assert "'soon' is not understood; these are: m12, 2026-11-20, " in wrong.stderr
    assert "--until is before --since" in eda("recall", "s", "x", "--since", "today", "--until", "yesterday").stderr
