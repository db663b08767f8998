"""A session cut at any event and resumed equals the one that was never cut."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner
from hostile import HostileRunner, panel_of
from hypothesis import HealthCheck, given, settings, strategies as st
from in_turn import each_other, in_turn

from eda import Debate, Document, Event, MessagePosted, Session, Settings
from eda.cli import cli
from eda.debate.prompt_preview import speaker_prompt
from eda.debate.replay import memory_of, read_back, save_memory
from eda.debate.state import DebateState
from eda.errors import RunnerUnavailableError
from eda.events import FloorGranted, PhaseStarted, SessionPaused, SessionResumed, SettingChanged
from eda.memory.snapshot import dump, load
from eda.panels.agenda import agenda_names, load_agenda
from eda.panels.registry import FLOORS
from eda.panels.settings import FloorName
from eda.runners.protocol import OnText, Prompt, Reply
from eda.runners.simulated.runner import SimulatedRunner
from eda.session.log import JsonlLog

GOLDEN = Path(__file__).parent / "golden"
QUESTION = "Should we move the billing service out of the monolith?"
OPTIONS = ("Move it this quarter", "Fix the test suite first")
DOCUMENT = Document(
    "facts.md", "The batch takes 5 h 20 min. It failed twice in twelve months. One engineer leaves in March."
)


def facts(session: Session) -> list[dict[str, object]]:
    """The log without what a pause may change."""
    return [
        event.model_dump(mode="json", exclude={"seq", "at"})
        for event in session.events()
        if not isinstance(event, SessionPaused | SessionResumed)
    ]


def new_debate(session: Session, *, floor: str = "bidding", seed: int = 3, every: int = 4, most: int = 12) -> Debate:
    return Debate(
        QUESTION,
        ["sceptic", "historian", "pragmatic-engineer", "finance-director"],
        options=OPTIONS,
        documents=[DOCUMENT],
        settings=Settings(max_messages=most, floor=floor, summary_every=every),
        seed=seed,
        session=session,
    )


def cut(source: Session, target: Path, kept: int) -> str:
    """A session of `target` that holds the first `kept` lines of another."""
    folder = target / f"{source.name}"
    folder.mkdir(parents=True)
    lines = (source.folder / "events.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "events.jsonl").write_bytes(b"".join(lines[:kept]))
    return source.name


def places(folder: Path) -> list[int]:
    """How many lines of a log to keep: to the first of each kind of fact, and to the last place where one kind follows
    another, for all such pairs. So a debate is left in each situation that it came to."""
    rows = [json.loads(line) for line in (folder / "events.jsonl").read_bytes().splitlines()]
    kinds = [row["type"] for row in rows]
    lasts = {pair: kept for kept, pair in enumerate(itertools.pairwise(kinds), 1)}
    firsts = {(row["type"], row.get("purpose")): kept for kept, row in reversed([*enumerate(rows, 1)])}
    return sorted({*lasts.values(), *firsts.values()} - {len(kinds)})


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """A debate that ran from its first fact to its last."""
    folder = tmp_path_factory.mktemp("whole")
    with Session.create("whole", folder) as session:
        new_debate(session).run_sync()
    return Session.read("whole", folder)


@pytest.mark.parametrize("third", [0, *(pytest.param(third, marks=pytest.mark.long) for third in (1, 2))])
async def test_a_session_cut_in_any_situation_and_resumed_equals_the_uninterrupted_one(
    whole: Session, tmp_path: Path, third: int
) -> None:
    """Whoever loses power gets the debate that would have been: cut in each situation that it came to (`places`)."""
    expected = facts(whole)
    for kept in places(whole.folder)[third::3]:
        name = cut(whole, tmp_path / str(kept), kept)
        with Session.open(name, tmp_path / str(kept)) as session:
            await Debate.resume(session).run()
            assert facts(session) == expected, f"cut after line {kept}"


@settings(
    max_examples=settings().max_examples // 6,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    floor=st.sampled_from(FLOORS.names()),
    seed=st.integers(0, 10_000),
    every=st.integers(2, 9),
    part=st.floats(0.01, 0.99),
)
def test_any_floor_seed_interval_and_cut_resume_to_the_same_log(
    tmp_path_factory: pytest.TempPathFactory, floor: str, seed: int, every: int, part: float
) -> None:
    """The promise holds for every setting, not for the one that was tried."""
    folder = tmp_path_factory.mktemp("any")
    with Session.create("s", folder) as session:
        new_debate(session, floor=floor, seed=seed, every=every).run_sync()
        expected = facts(session)
    lines = len((folder / "s" / "events.jsonl").read_bytes().splitlines())
    name = cut(Session.read("s", folder), folder / "cut", max(1, int(lines * part)))
    with Session.open(name, folder / "cut") as session:
        Debate.resume(session).run_sync()
        assert facts(session) == expected


@pytest.mark.parametrize("agenda", ["panel", "red-team", "delphi"])
@pytest.mark.parametrize(("limit", "kept"), [(6_500, 4), (7_250, 6)])
def test_a_budget_that_ends_the_openings_ends_them_after_a_cut_too(
    agenda: str, limit: int, kept: int, tmp_path: Path
) -> None:
    """What was said beside a call is no more in the log than in the run: else a resume asks whom the run refused."""
    panel, limits = ["sceptic", "historian", "pragmatic-engineer"], Settings(max_messages=40, max_tokens=limit)
    with Session.create("s", tmp_path) as session:
        Debate("Should we go?", panel, options=OPTIONS, settings=limits, agenda=agenda, session=session).run_sync()
        expected = facts(session)
    name = cut(Session.read("s", tmp_path), tmp_path / "cut", kept)
    with Session.open(name, tmp_path / "cut") as session:
        Debate.resume(session).run_sync()
        assert facts(session) == expected


def walked(agenda: str, floor: FloorName, session: Session) -> Debate:
    """A debate of members who do everything wrong now and then, with polls on the way."""
    seats = dict.fromkeys(("Ada", "Ben", "Cleo", "Dora"), "moody")
    order = load_agenda(agenda).with_floor(floor)
    consensus = 0.9 if any(phase.kind == "open" for phase in order) else None
    return Debate(
        "Should we move?",
        panel_of(seats),
        HostileRunner({**seats, "": "moody"}),
        settings=Settings(max_messages=16, consensus=consensus, poll_every=3, summary_every=5),
        agenda=order,
        session=session,
    )


@pytest.mark.parametrize(
    ("pair", "half"),
    in_turn(
        sorted(
            {("panel", floor) for floor in FLOORS.names()}
            | {*zip(agenda_names(), itertools.cycle(FLOORS.names()), strict=False)}
        ),
        (0, 1),
        6,
    ),
)
def test_every_agenda_resumes_in_every_phase(tmp_path: Path, pair: tuple[str, FloorName], half: int) -> None:
    """Whoever loses power in the middle of a ballot, a poll, a lap or a grant of the floor loses nothing by it."""
    agenda, floor = pair
    with Session.create("s", tmp_path) as session:
        walked(agenda, floor, session).run_sync()
        expected = facts(session)
    whole = Session.read("s", tmp_path)
    lines = (whole.folder / "events.jsonl").read_bytes().splitlines()
    kinds = {b'"stance_taken"', b'"ballot_cast"', b'"phase_started"', b'"floor_granted"', b'"bids_taken"'}
    firsts = {kind: next((n for n, line in enumerate(lines, 1) if kind in line), 1) for kind in kinds}
    lasts = {kind: max((n for n, line in enumerate(lines, 1) if kind in line), default=1) for kind in kinds}
    spread = len(agenda) + len(floor)
    between = (1 + spread % 7) * len(lines) // 8
    chosen = {*(firsts if spread % 2 else lasts).values(), between}
    for kept in sorted(chosen - {len(lines)})[half::2]:
        name = cut(whole, tmp_path / str(kept), kept)
        with Session.open(name, tmp_path / str(kept)) as session:
            if kept % 2:
                save_memory(session, *read_back(session))
            runner = HostileRunner(dict.fromkeys(("Ada", "Ben", "Cleo", "Dora", ""), "moody"))
            Debate.resume(session, runner).run_sync()
            assert facts(session) == expected, f"cut after line {kept}: {lines[kept - 1][:80]!r}"


@pytest.mark.parametrize("floor", each_other(FLOORS.names()))
def test_two_runs_with_one_seed_write_the_same_log_but_for_times(tmp_path: Path, floor: str) -> None:
    """A researcher's figure can be made again by somebody else."""
    logs = []
    for folder in ("a", "b"):
        with Session.create("s", tmp_path / folder) as session:
            new_debate(session, floor=floor).run_sync()
            logs.append([event.model_dump(mode="json", exclude={"at"}) for event in session.events()])
    assert logs[0] == logs[1]


def test_another_seed_is_another_debate(tmp_path: Path) -> None:
    """If the seed changed nothing, a study would count one debate many times."""
    said = []
    for seed in (1, 2):
        session = Session.in_memory()
        new_debate(session, seed=seed).run_sync()
        said.append([event.text for event in session.events() if isinstance(event, MessagePosted)])
    assert said[0] != said[1]


async def test_stopping_a_run_pauses_it_and_a_resume_goes_on_with_the_next_message(
    whole: Session, tmp_path: Path
) -> None:
    """Ctrl-C in the middle of a turn must cost neither what was said nor the numbering."""
    with Session.create("whole", tmp_path) as session:
        debate = new_debate(session)

        @debate.on(FloorGranted)
        def stop_at_the_third(grant: FloorGranted) -> None:
            if debate.progress.messages == 6:
                debate.stop()

        result = await debate.run()
        assert result.reason == "stopped"
        assert result.verdict is None
        assert isinstance(list(session.events())[-1], SessionPaused)
    with Session.open("whole", tmp_path) as session:
        result = await Debate.resume(session).run()
        assert result.verdict is not None
        assert facts(session) == facts(whole)


async def test_a_cancelled_run_is_paused_too(tmp_path: Path) -> None:
    """A program that gives up waiting must find a session that can be resumed."""
    with Session.create("s", tmp_path) as session:
        debate = new_debate(session)
        started = asyncio.Event()

        @debate.on(MessagePosted)
        async def go(_: MessagePosted) -> None:
            started.set()

        task = asyncio.create_task(debate.run())
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert debate.progress.why_stopped == "stopped"


def test_memory_after_a_resume_is_the_memory_of_the_log(whole: Session, tmp_path: Path) -> None:
    """A load that kept half of the state would forget what was decided last week."""
    exported = memory_of(whole)
    (whole.folder / "memory.json").rename(tmp_path / "aside.json")
    rebuilt = memory_of(whole)
    (tmp_path / "aside.json").rename(whole.folder / "memory.json")
    assert exported.to_json() == rebuilt.to_json()
    assert exported.full_context("Ruth").text == rebuilt.full_context("Ruth").text


@pytest.mark.parametrize("log", sorted(GOLDEN.glob("*v?.jsonl")), ids=lambda path: path.stem)
def test_the_saved_state_is_that_of_the_log_after_each_fact(log: Path, tmp_path: Path) -> None:
    """A resume reads the state, not the log: a field that it lost would be a turn too many, or a vote asked twice."""
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "events.jsonl").write_bytes(log.read_bytes())
    with Session.read("s", tmp_path) as session:
        facts = list(session.events())
    state = DebateState()
    for fact in facts:
        state.fold(fact)
        saved = orjson.loads(orjson.dumps(dump(state)))
        assert load(DebateState, saved, started=facts[0], parts=state.parts) == state


def test_state_and_memory_are_read_in_one_pass(whole: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reading of a log of ten thousand messages takes a second."""
    name = cut(whole, tmp_path, 10_000)
    read: list[int] = []
    fact = JsonlLog._fact
    monkeypatch.setattr(JsonlLog, "_fact", lambda log, number, line: read.append(number) or fact(log, number, line))
    with Session.open(name, tmp_path) as session:
        folded = read_back(session)
        assert read == [*range(1, session.log.last_seq + 1)]
        save_memory(session, *folded)
        read.clear()
        saved = read_back(session)
        assert len(read) < 9
    assert replace(saved[0], parts=folded[0].parts) == folded[0]
    assert saved[1].to_json() == folded[1].to_json()


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"version": 1}', b'{"version": 99, "memory": {}}'])
def test_a_broken_memory_file_is_rebuilt_from_the_log(whole: Session, tmp_path: Path, damage: bytes) -> None:
    """`memory.json` is an export: losing it loses nothing."""
    name = cut(whole, tmp_path, 40)
    (tmp_path / name / "memory.json").write_bytes(damage)
    with Session.read(name, tmp_path) as session:
        assert memory_of(session).message_count > 0


def test_a_memory_file_of_another_log_is_not_believed(whole: Session, tmp_path: Path) -> None:
    """A copied or cut log must not be read with the memory of what is not in it."""
    name = cut(whole, tmp_path, 40)
    (tmp_path / name / "memory.json").write_bytes((whole.folder / "memory.json").read_bytes())
    with Session.read(name, tmp_path) as session:
        memory = memory_of(session)
        assert memory.seq == session.log.last_seq < memory_of(whole).seq


async def test_an_ended_session_goes_on_with_a_higher_limit(whole: Session, tmp_path: Path) -> None:
    """Whoever comes back next week can let the same panel go on, with all that it remembers."""
    name = cut(whole, tmp_path, 10_000)
    with Session.open(name, tmp_path) as session:
        before = memory_of(session).message_count
        result = await Debate.resume(session, max_messages=before + 10).run()
        events: list[Event] = list(session.events())
    assert result.messages > before
    assert result.verdict is not None
    assert any(isinstance(event, SettingChanged) for event in events)
    numbers = [event.number for event in events if isinstance(event, MessagePosted)]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("agenda", agenda_names())
def test_no_two_calls_of_a_session_have_one_name_even_when_it_is_taken_up_and_nobody_speaks(agenda: str) -> None:
    """A recording finds a call by its name: the second vote would replay as the first."""

    def held_again(habit: str) -> HostileRunner:
        return HostileRunner(dict.fromkeys(("Ada", "Ben", "Cleo", ""), habit))

    session, runner, silent = Session.in_memory(), held_again("shouts"), held_again("fails")
    panel, limit = panel_of(dict.fromkeys(("Ada", "Ben", "Cleo"), "x")), Settings(max_messages=14)
    Debate("Should we move?", panel, runner, settings=limit, agenda=agenda, session=session).run_sync()
    with suppress(RunnerUnavailableError):  # a discussion in which every turn fails is paused
        Debate.resume(session, silent, max_messages=40).run_sync()
    keys = Counter(prompt.key for prompt in (*runner.prompts, *silent.prompts))
    assert [key for key, count in keys.items() if count > 1] == []


def test_in_a_ballot_the_context_is_the_ballots(whole: Session, tmp_path: Path) -> None:
    """Whoever asks what a voter was shown must not be told what a speaker would be."""
    events = list(whole.events())
    kept = next(e.seq for e in events if isinstance(e, PhaseStarted) and e.phase == "ballot")
    with Session.read(cut(whole, tmp_path, kept), tmp_path) as session:
        assert "# The ballot" in speaker_prompt(session, "Ruth")


def test_the_context_printed_is_exactly_what_the_agent_is_given(whole: Session, tmp_path: Path) -> None:
    """Whoever asks why an agent said something must see the very prompt that it answered."""
    asked: list[Prompt] = []

    class Listening(SimulatedRunner):
        async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
            asked.append(prompt)
            return await super().run(prompt, on_text)

    events = list(whole.events())
    kept = next(e.seq for e in events if isinstance(e, FloorGranted) and e.seq > len(events) // 2)
    name = cut(whole, tmp_path, kept)
    with Session.open(name, tmp_path) as session:
        agent = next(e.agent for e in reversed(events[:kept]) if isinstance(e, FloorGranted))
        printed = speaker_prompt(session, agent)
        Debate.resume(session, Listening()).run_sync()
    assert printed == next(prompt.text for prompt in asked if (prompt.agent, prompt.purpose) == (agent, "speak"))


def test_another_runner_on_resume_is_a_fact_that_header_and_report_name(tmp_path: Path) -> None:
    """A report would say that one model argued what another did."""
    eda = partial(CliRunner().invoke, cli, prog_name="eda", catch_exceptions=False)
    at = ["--sessions", str(tmp_path)]
    eda(["debate", "Shall we go?", "--session", "one", "--max-messages", "8", "--quiet", *at])
    eda(["resume", "one", "--max-messages", "12", "--runner", "simulated:fixed", "--quiet", *at])
    eda(["resume", "one", "--max-messages", "16", "--runner", "simulated:fixed", "--quiet", *at])
    with Session.read("one", tmp_path) as session:
        resumed = [event.runner for event in session.events() if isinstance(event, SessionResumed)]
    assert resumed == ["simulated:fixed", ""]
    assert "simulated then simulated:fixed · seed 0" in " ".join(eda(["show", "one", *at]).stdout.split())
    assert "Runner: simulated then simulated:fixed" in eda(["report", "one", *at]).stdout.replace("\\", "")
