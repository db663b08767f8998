"""What a program that is written against EDA is given, and what it is told where it is wrong."""

from __future__ import annotations

import json
import pkgutil
import traceback
from pathlib import Path
from typing import Any

import orjson
import pytest
from aside import ask_now
from click.testing import CliRunner

import eda
from eda import (
    Agenda,
    ConversationMemory,
    Debate,
    HumanRunner,
    MessagePosted,
    Phase,
    Prompt,
    Reply,
    Session,
    Settings,
    analyze,
    helped,
    memory_of,
    progress_of,
    votes_of,
)
from eda.cli import cli
from eda.errors import UsageError
from eda.runners.simulated.runner import SimulatedRunner

PANEL = ["sceptic", "historian"]
SHORT = Settings(max_messages=2)


class Text:
    """Forgets that a runner gives a `Reply`."""

    async def run(self, prompt: Prompt, on_text: object = None) -> Any:
        return "Hello"


async def answer(prompt: Prompt, on_text: object = None) -> Reply:
    return Reply("Hello")


def test_no_exported_name_is_that_of_a_module() -> None:
    """Importing the module puts it in the function's place, and `helped(...)` is "not callable" an import later."""
    assert not {module.name for module in pkgutil.iter_modules(eda.__path__)} & set(eda.__all__)


@pytest.mark.parametrize("wrong", [answer, Text, 3])
def test_what_is_no_runner_is_refused_at_once(wrong: Any) -> None:
    """A function or a class in a runner's place would end the debate in its first turn, deep inside."""
    for given in ({"runner": wrong}, {"seats": {"sceptic": wrong}}):
        with pytest.raises(UsageError, match="is no runner"):
            Debate("Ship it?", PANEL, **given)


def test_a_resume_and_a_question_aside_refuse_it_too() -> None:
    """They take a runner as well."""
    session = Session.in_memory()
    Debate("Ship it?", PANEL, settings=SHORT, session=session).run_sync()
    with pytest.raises(UsageError, match="is no runner"):
        Debate.resume(session, Text, max_messages=4)  # type: ignore[arg-type]  # the slip
    with pytest.raises(UsageError, match="is no runner"):
        ask_now(session, "sceptic", "Why?", answer)  # type: ignore[arg-type]  # the slip
    with pytest.raises(UsageError, match="answered with str"):
        ask_now(session, "sceptic", "Why?", Text())


def test_a_reply_that_is_none_is_said_so() -> None:
    """`'str' object has no attribute 'usage'` names nothing that its author wrote."""
    with pytest.raises(UsageError, match="answered with str") as caught:
        Debate("Ship it?", PANEL, Text(), settings=SHORT).run_sync()
    assert f"hint: {caught.value.hint}" in "".join(traceback.format_exception(caught.value))


async def test_a_notebook_is_told_what_to_write() -> None:
    """Where a loop runs, `run_sync` cannot; the way out is one word."""
    with pytest.raises(UsageError) as caught:
        Debate("Ship it?", PANEL, settings=SHORT).run_sync()
    assert "await debate.run()" in caught.value.hint


def test_a_person_is_asked_by_an_async_function() -> None:
    """A plain one would hold up the panel, and ended in a TypeError from asyncio."""
    ada = HumanRunner(lambda _: "Hello")  # type: ignore[arg-type,return-value]  # the slip
    with pytest.raises(UsageError, match="no async function"):
        Debate("Ship it?", PANEL, settings=SHORT, human="Ada", seats={"Ada": ada}).run_sync()


def test_options_in_one_text_are_not_taken_letter_by_letter() -> None:
    """The panel would vote on "a" and "b"."""
    with pytest.raises(UsageError, match="one text"):
        Debate("Ship it?", PANEL, options="ab")


def test_an_agenda_is_made_of_phases() -> None:
    """A format that a study varies is made in a loop, not in files."""
    phases = (Phase(name="talk", kind="open"), Phase(name="vote", kind="ballot"), Phase(name="end", kind="verdict"))
    agenda = Agenda(name="talk", title="Talk", description="Any.", promise="A vote.", rule="borda", phases=phases)
    result = Debate("Ship it?", PANEL, agenda=agenda, options=["Ship", "Wait"], settings=SHORT).run_sync()
    assert result.verdict is not None
    assert result.verdict.rule == "borda"


def test_the_same_seed_gives_the_same_debate_from_both_sides(tmp_path: Path) -> None:
    """A run that was found with the command line could not be looked into from Python."""
    args = ["--seed", "7", "--max-messages", "6", "--option", "Ship", "--option", "Wait", "--session", "there", "-q"]
    done = CliRunner().invoke(cli, ["debate", "Ship it?", "--sessions", str(tmp_path), "--runner", "simulated", *args])
    assert done.exit_code == 0, done.output
    with Session.create("here", tmp_path) as session:
        settings = Settings(max_messages=6)
        Debate("Ship it?", options=["Ship", "Wait"], seed=7, settings=settings, session=session).run_sync()

    def facts(name: str) -> list[dict[str, Any]]:
        rows = (tmp_path / name / "events.jsonl").read_bytes().splitlines()
        return [
            {k: v for k, v in orjson.loads(row).items() if k not in ("at", "chain", "crc", "session")} for row in rows
        ]

    assert facts("here") == facts("there")
    with Session.read("there", tmp_path) as saved:
        talk = helped(progress_of(saved), memory_of(saved))
    assert talk is not None
    assert talk.members == 5


def test_a_memory_is_saved_alone() -> None:
    """A memory of a transcript that could not be read without a log that is gone would be lost."""
    rows = [{"speaker": "Ana", "text": "PROPOSED: merge the documents"}, {"speaker": "Ben", "text": "+1"}]
    memory = ConversationMemory.from_json(json.loads(json.dumps(analyze(rows).to_json())))
    assert memory.recall("documents", k=1)[0].text == "PROPOSED: merge the documents"
    assert memory.full_context().text == analyze(rows).full_context().text


def test_a_memory_that_cannot_be_read_says_why() -> None:
    """`KeyError: 1` tells nobody that the messages are in a log."""
    session = Session.in_memory()
    debate = Debate("Ship it?", PANEL, settings=SHORT, session=session)
    debate.run_sync()
    state = debate.memory.to_json()
    with pytest.raises(ValueError, match="give `fact`"):
        ConversationMemory.from_json(state)
    assert ConversationMemory.from_json(state, fact=session.fact).to_json() == state
    with pytest.raises(ValueError, match="no memory"):
        ConversationMemory.from_json({"rows": []})


@pytest.mark.parametrize("number", [0, 1, 3])
def test_a_message_that_does_not_count_on_is_refused(number: int) -> None:
    """With a gap memory would cite, find and save other messages than it was told."""
    memory = ConversationMemory()
    memory.fold(MessagePosted(number=1, who="Ana", text="Hello."))
    with pytest.raises(ValueError, match="after message 1"):
        memory.fold(MessagePosted(number=number, who="Ben", text="Hello."))
    assert memory.stats().total_messages == 1


def test_the_votes_of_a_debate_are_those_that_its_members_cast() -> None:
    """Whoever counts by another rule would count nothing, or what some other debate voted."""
    debate = Debate("Q?", PANEL, settings=SHORT, options=("Go", "Wait"))
    debate.run_sync()
    votes = votes_of(debate.session, debate.progress)
    assert [ballot.agent for ballot in votes.ballots] == debate.progress.members
    assert votes.choices[:2] == ("Go", "Wait")


@pytest.mark.parametrize(("own", "closed"), [(False, [1, 2]), (True, [0, 0])])
def test_who_made_a_runner_closes_it(monkeypatch: pytest.MonkeyPatch, *, own: bool, closed: list[int]) -> None:
    """A question to an ended debate would leave connections open; or close those that a program still uses."""
    times: list[object] = []

    async def close(runner: object) -> None:
        times.append(runner)

    monkeypatch.setattr(SimulatedRunner, "close", close, raising=False)
    debate = Debate("Should we go?", PANEL, SimulatedRunner() if own else "simulated", settings=SHORT)
    debate.run_sync()
    assert len(times) == closed[0]
    ask_now(debate, "sceptic", "Why?")
    assert len(times) == closed[1]
