"""Bus and memory put together by hand, without a `Debate`: each part does its own work."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from started import ran
from stated import stated

from eda import (
    AgentState,
    CallMade,
    ConversationMemory,
    Debate,
    Decision,
    DecisionFound,
    Event,
    MemoryStats,
    MessageBus,
    OnText,
    Prompt,
    Proposal,
    ProposalMade,
    ReactionSeen,
    Reply,
    ScriptedRunner,
    Session,
    Settings,
    Summary,
    SummaryWritten,
    memory_of,
    progress_of,
)
from eda.cli import cli
from eda.errors import InputError, SessionError, UsageError


async def test_memory_on_a_bus_folds_sums_up_and_announces() -> None:
    """Whoever has agents of another framework could not use the memory without a debate of this one."""
    bus, announced = MessageBus(), list[Event]()
    memory = ConversationMemory(every=2).attach(bus)
    for kind in (ProposalMade, ReactionSeen, DecisionFound, SummaryWritten):
        bus.on(kind, announced.append)
    await bus.say("Ada", "I have read the figures.\n[PROPOSE] Ship on Friday, with a rollback plan")
    await bus.say("Ben", "Friday suits the on-call rota.\n[SUPPORT p1.0] it fits the rota")
    assert [(one.first, one.last) for one in memory.summaries] == [(1, 2)]  # it stands when `say` returns
    assert [type(event) for event in announced] == [ProposalMade, ReactionSeen, SummaryWritten]
    await bus.say("Ada", "Decision: we ship on Friday.")
    assert DecisionFound in map(type, announced)
    (proposal,), (decision,) = memory.proposals, memory.decisions
    assert proposal.content == "Ship on Friday, with a rollback plan"
    assert proposal.backers("support") == ("Ben",)
    assert [type(one) for one in (proposal, decision, memory.summaries[0], memory.agents["Ada"], memory.stats())] == [
        Proposal,
        Decision,
        Summary,
        AgentState,
        MemoryStats,
    ]
    assert [line.who for line in memory.recent(2)] == ["Ben", "Ada"]
    assert len(memory.recent(99)) == 3
    assert "Friday" in memory.brief_context().text
    assert "Friday" in memory.full_context("Ada").text


def test_a_talk_by_hand_is_a_session_that_a_panel_goes_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What README's own example said would be on disk, and no command could read it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDA_SESSIONS", str(tmp_path / "sessions"))
    readme = (Path(__file__).parent.parent / "README.md").read_text("utf-8")
    example = readme.partition("```python\n")[2].partition("```")[0]
    assert len([line for line in example.splitlines() if line]) <= 12
    assert ran(script=example).returncode == 0

    def eda(*args: str) -> Any:
        return CliRunner().invoke(cli, [*args, "--json"])

    for command in ("show", "report"):
        assert "Wait a week" in eda(command, "release").stdout
    assert [row["messages"] for row in json.loads(eda("sessions").stdout)["sessions"]] == [2]
    refused = eda("resume", "release", "--runner", "simulated")
    assert refused.exit_code == 2
    assert "--panel" in refused.stderr
    monkeypatch.setenv("EDA_RUNNER", "simulated")  # as the tutorial says
    resumed = eda("resume", "release", "--panel", "red-team", "--max-messages", "8")
    assert resumed.exit_code == 0, resumed.output
    with Session.read("release") as session:
        memory, progress = memory_of(session), progress_of(session)
        assert [line.who for line in memory.recent(8)][:2] == ["Zoe", "Ada"]
        assert memory.proposals[0].content == "Wait a week"
        assert progress.verdict is not None
        assert len(progress.voters) == len(session.started().members) > 2
        assert progress.spent.seconds < 60
    monkeypatch.delenv("EDA_RUNNER")
    seated = eda("resume", "release", "--panel", "red-team")
    assert (seated.exit_code, "has a panel" in seated.stderr) == (2, True), "a missing model was blamed"
    assert eda("fork", "release", "--at", "m1").exit_code == 2
    assert eda("resume", "release", "--max-messages", "10").exit_code == 0


class _Same:
    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        return Reply("I think so.")


def test_a_runner_that_says_the_same_each_time_is_named_in_the_result() -> None:
    """A debate of nothing would look like one that had no more to say."""
    settings = Settings(max_messages=8)
    result = Debate("Ship?", ["sceptic", "historian"], _Same(), options=["A", "B"], settings=settings).run_sync()
    assert set(result.in_vain) == {"bid", *(member.title for member in result.kept.started().members)}
    assert "_Same" in repr(result)
    good = Debate("Ship?", ["sceptic", "historian"], "simulated", settings=settings).run_sync()
    assert not good.in_vain
    assert "simulated" not in repr(good)


async def test_both_contexts_take_the_same_arguments() -> None:
    """Who swaps one for the other would be told of a TypeError."""
    memory = ConversationMemory().attach(bus := MessageBus())
    for number in range(30):
        await bus.say("Ben", f"Point {number} is about the rota.")
    await bus.say("Ada", "The lorry needs a new gearbox.\n[POSITION] Repair the lorry first")
    for number in range(30):
        await bus.say("Cy", f"Point {number} is about the tea.")
    for context in (memory.full_context, memory.brief_context):
        assert "Your last position" in context("Ada", 400).text
        assert "gearbox" in context("Ada", 400, "the lorry").text
        with pytest.raises(UsageError, match="empty"):
            context(None, None, " ")


async def test_the_interval_of_summaries_can_change_at_any_time() -> None:
    """A talk that turns out long would stay with the interval that it began with."""
    bus = MessageBus()
    memory = ConversationMemory(every=4).attach(bus)
    for number in range(1, 7):
        await bus.say("Ada", f"Point {number} is about the rota.")
    memory.every = 2
    await bus.say("Ben", "Agreed so far.")
    assert [(one.first, one.last) for one in memory.summaries] == [(1, 4), (5, 6)]
    for wrong in (1, 0, -3):
        with pytest.raises(UsageError, match="no less than they do"):
            memory.every = wrong
    with pytest.raises(UsageError, match="no less than they do"):
        ConversationMemory(every=1)


async def test_a_memory_attached_late_has_read_what_was_said_before(tmp_path) -> None:
    """A log of last week would be forgotten by whoever attaches a memory today."""
    with Session.create("talk", tmp_path) as session:
        bus = MessageBus(session.log)
        await bus.say("Ada", "Hello.")
        await bus.say("Ben", "Hello, Ada.")
    with Session.open("talk", tmp_path) as session:
        bus = MessageBus(session.log)
        memory = ConversationMemory().attach(bus)
        assert (await bus.say("Ada", "Where were we?")).number == 3
        assert memory.message_count == 3
        with pytest.raises(UsageError, match="has a memory already"):
            ConversationMemory().attach(bus)


async def test_a_model_writes_the_summaries_of_a_memory_by_hand() -> None:
    """Whoever has a key would get sentences that code picked, where a model chooses in a debate."""
    runner = ScriptedRunner(stated, summarises=True)
    bus, memory = MessageBus(), ConversationMemory(every=2, runner=runner)
    memory.attach(bus)
    for number in range(1, 5):
        await bus.say("Ada", f"Point {number} is about the rota.")
    await bus.drain()
    assert [(one.first, one.last, one.by) for one in memory.summaries] == [(1, 2, "scripted"), (3, 4, "scripted")]
    assert memory.summaries[0].text.startswith('Ada (m1): "Point 1 is about the rota."')
    assert [fact.nth for fact in bus.facts() if isinstance(fact, CallMade)] == [1, 2]  # each call has its own name


async def test_a_memory_is_saved_to_a_file_and_goes_on(tmp_path: Path) -> None:
    """Last week's talk could not be taken up without a session folder."""
    memory = ConversationMemory(every=2).attach(bus := MessageBus())
    await bus.say("Ada", "I have read it.\n[PROPOSE] Ship on Friday, with a rollback plan")
    await bus.say("Ben", "It suits us.\n[SUPPORT p1.0] it fits the rota")
    memory.save(tmp_path / "talk.json")
    again = ConversationMemory.load(tmp_path / "talk.json")
    for one in (memory, again):
        assert [item.message_id for item in one.recall("suits", k=1)] == [2]
    assert (again.proposals, again.summaries, again.recent(9)) == (memory.proposals, memory.summaries, memory.recent(9))
    assert again.proposals[0].at == memory.proposals[0].at is not None
    bus = MessageBus()
    again.attach(bus)
    assert (await bus.say("Cy", "And the weekend?")).number == 3
    assert again.message_count == 3
    assert os.listdir(tmp_path) == ["talk.json"]  # noqa: PTH208 - a path would block in a coroutine


def test_the_memory_of_a_session_is_saved_with_its_messages(tmp_path: Path) -> None:
    """A file without the words would say who proposed what, and nothing could be recalled from it."""
    with Session.create("s", tmp_path) as session:
        debate = Debate("Ship?", ["sceptic", "historian"], settings=Settings(max_messages=6), session=session)
        debate.run_sync()
        debate.memory.save(tmp_path / "s.json")
        again = ConversationMemory.load(tmp_path / "s.json")
        assert again.recent(3) == debate.memory.recent(3)
        assert again.agents == debate.memory.agents


def test_what_is_no_saved_memory_is_refused_by_name(tmp_path: Path) -> None:
    """A traceback says neither which file nor what to do."""
    for text in ("{}", "[1]", '{"memory": {}}', '{"memory": {"seq": 1, "parts": {"nothing": 1}}}'):
        (tmp_path / "bad.json").write_text(text)
        with pytest.raises(InputError, match=r"bad\.json: is not a memory that this version saved"):
            ConversationMemory.load(tmp_path / "bad.json")
    (tmp_path / "bad.json").write_text("")
    with pytest.raises(InputError, match=r"bad\.json, line 1: is no valid JSON"):
        ConversationMemory.load(tmp_path / "bad.json")
    with pytest.raises(InputError, match="no such file"):
        ConversationMemory.load(tmp_path / "none.json")
    with pytest.raises(SessionError, match="cannot be written"):
        ConversationMemory().save(tmp_path / "no" / "folder.json")


def test_a_memory_that_other_rules_made_says_so(tmp_path: Path) -> None:
    """What better rules would find today would be missing without a word."""
    ConversationMemory().save(tmp_path / "old.json")
    saved = json.loads((tmp_path / "old.json").read_text())
    (tmp_path / "old.json").write_text(json.dumps(saved | {"rules": "older"}))
    with pytest.warns(UserWarning, match="saved by other rules"):
        again = ConversationMemory.load(tmp_path / "old.json")
    assert again.message_count == 0
