"""What a question asks for is known before anybody speaks, and nobody takes a simulation for minds."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Literal

import pytest
from click.testing import CliRunner
from mcp.client import Client

from eda import CallMade, Debate, Reply, ScriptedRunner, Session, Settings
from eda.cli.program import cli
from eda.debate.course import PlayedBy, Players
from eda.debate.verdict import answer_of, kind_of
from eda.errors import UsageError
from eda.events import MemberChanged, SessionResumed, SessionStarted
from eda.report.gather import report_of
from eda.report.overview import session_row
from eda.report.sections import caution_lines, panel_words, source_line, sure_lines
from eda.runners.protocol import Runner
from eda.serve.mcp_server import PanelServer
from eda.serve.panel_tools import PanelTools

HOUSE = "Should we buy a house or keep renting?"
PANEL = ("economist", "ethicist", "forecaster")


@pytest.mark.parametrize(
    ("question", "options", "agenda", "answer", "kind"),
    [
        (HOUSE, (), "panel", None, "one"),
        (HOUSE, ("Buy", "Rent"), "panel", None, "options"),
        ("Should we buy a house?", (), "panel", None, "yes-no"),
        ("What should we do first?", (), "panel", "list", "list"),
        ("What could go wrong?", (), "red-team", None, "list"),
        ("Should we buy a house?", (), "mediation", None, "one"),
        ("Should we buy a house?", (), "oxford", None, "yes-no"),
    ],
)
def test_the_kind_of_a_question_is_settled_in_its_first_fact(
    question: str,
    options: tuple[str, ...],
    agenda: str,
    answer: Literal["list"] | None,
    kind: str,
) -> None:
    """`Should we buy a house or keep renting?` ended with both adopted, and nobody had asked for a list."""
    settings = Settings(answer=answer)
    started = Debate(question, PANEL, options=options, agenda=agenda, settings=settings).started
    assert kind_of(started, started.settings) == kind
    assert (started.settings.answer is None) == (agenda == "oxford")


def test_a_session_from_before_keeps_the_list_that_it_was() -> None:
    """A resume that makes one answer of a list would decide another thing than the panel talked about."""
    debate = Debate(HOUSE, PANEL, settings=Settings(max_messages=8))
    first = debate.started.model_copy(update={"settings": Settings(max_messages=8)})
    debate.progress.fold(first)
    assert answer_of(debate.progress) == "list"
    assert kind_of(first, first.settings) == "list"
    with pytest.raises(UsageError, match="answer cannot be none"):
        Debate.resume(_ended(), settings={"answer": None, "max_messages": 12})


def _ended() -> Session:
    debate = Debate(HOUSE, PANEL, settings=Settings(max_messages=8))
    debate.run_sync()
    return debate.session


def test_what_answered_for_a_member_is_read_from_its_calls() -> None:
    """A replay of a simulation is no model's opinion, and a session may be resumed by another runner."""
    members = Debate(HOUSE, PANEL).started.members
    ada, ben, cleo = (member.title for member in members)
    person = members[2].model_copy(update={"person": True, "title": "Zoe", "name": "zoe"})
    players = Players()
    for fact in (
        SessionStarted(session="s", members=members, runner="recorded:calls.jsonl"),
        CallMade(purpose="speak", agent=ada, model="opus"),
        CallMade(purpose="ballot", agent=ada, model="opus"),
        CallMade(purpose="speak", agent=ben, model="simulated"),
        CallMade(purpose="ask", agent=ben, model="haiku"),
        SessionResumed(runner="anthropic"),
        CallMade(purpose="speak", agent=ada, model="sonnet"),
        MemberChanged(who="Zoe", change="added", persona=person),
    ):
        players.fold(fact)
    assert players.by == {
        ada: [PlayedBy("recorded", "opus"), PlayedBy("model", "sonnet")],
        ben: [PlayedBy("simulated")],
        cleo: [],
        "Zoe": [PlayedBy("person")],
    }
    assert players.marks == ("recorded", "simulated")


@pytest.mark.parametrize(
    ("runner", "how"),
    [
        ("simulated", "simulated"),
        (ScriptedRunner(lambda _: "Let us see."), "scripted"),
        (ScriptedRunner(lambda _: Reply("Let us see.")), "program"),
    ],
)
def test_no_program_passes_for_a_panel_of_minds(runner: Runner | str, how: str) -> None:
    """A script was told as "one model plays all": somebody would believe that a model had thought about it."""
    debate = Debate(HOUSE, PANEL, runner, settings=Settings(max_messages=8))
    debate.run_sync()
    assert {player.how for each in debate.progress.players.by.values() for player in each} >= {how}
    report = report_of(debate.session, debate.progress, debate.memory)
    assert not any("One model" in line for line in sure_lines(report))
    assert not source_line(report)
    assert report.answer.startswith("(")
    assert next(panel_words(report)) == "3 members"
    assert bool([*caution_lines(report)]) == (how == "simulated")
    assert how in session_row(debate.started, debate.progress)["marks"]


def test_the_command_line_says_it_first(tmp_path: Path) -> None:
    """The verdict is what is quoted; a mark further below is not."""
    where = ["--sessions", str(tmp_path)]
    ask = ["debate", HOUSE, "--runner", "simulated", "--max-messages", "8", "--session", "s"]
    ran = CliRunner().invoke(cli, [*ask, *where]).stdout.splitlines()
    assert "asks for one answer" in ran
    assert next(line for line in ran if line.startswith("verdict: ")).startswith("verdict: (simulated) ")
    listed = CliRunner().invoke(cli, ["sessions", *where]).stdout
    assert listed.rstrip().endswith("simulated")
    data = json.loads(CliRunner().invoke(cli, ["show", "s", "--json", *where]).stdout)
    assert data["asks_for"] == "one"
    assert {tuple(each[0].values()) for each in data["played_by"].values()} == {("simulated", "")}
    assert "**(simulated) " in CliRunner().invoke(cli, ["report", "s", *where]).stdout
    assert "<title>(simulated) " in (tmp_path / "s" / "report.html").read_text()


def test_mcp_refuses_without_a_model_and_says_how_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An editor without a key got a verdict of gibberish, and took it for a panel's."""
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    asked = {"question": HOUSE, "max_messages": 8}

    async def call(runner: str | None) -> tuple[bool, str]:
        async with Client(PanelServer(PanelTools(tmp_path, runner))) as client:
            told = await client.call_tool("debate", asked)
            return bool(told.is_error), told.content[0].text  # type: ignore[union-attr]  # a text

    failed, text = asyncio.run(call(None))
    assert failed
    assert "ANTHROPIC_API_KEY" in text
    assert not [*tmp_path.iterdir()]
    failed, text = asyncio.run(call("simulated"))
    assert not failed
    outcome = json.loads(text)
    assert outcome["asks_for"] == "one"
    assert {player["how"] for each in outcome["played_by"].values() for player in each} == {"simulated"}
