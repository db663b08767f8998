"""Why a debate ended, in a word that a program can act on: each is reached by a real debate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import orjson
import pytest
from click.testing import CliRunner
from test_circles import shuffled

from eda import Debate, Prompt, RunnerError, Session, Settings
from eda.agenda import load_agenda
from eda.cli import cli
from eda.events import EndReason, MessagePosted, SessionEnded
from eda.protocols import OnText, Reply, Usage
from eda.runners.scripted import ScriptedRunner
from eda.runners.simulated import SimulatedRunner
from eda.view.phrases import ended_phrase

PANEL = ["sceptic", "historian", "pragmatic-engineer"]
OPTIONS = ("Yes", "No")


class Agreeing(SimulatedRunner):
    """All hold the first option when asked in private."""

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        if prompt.purpose == "poll":
            return Reply("", {"choice": "Yes", "confidence": 0.9})
        return await super().run(prompt, on_text)


class Priced(SimulatedRunner):
    """Each call takes a cent and a thousand tokens."""

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        reply = await super().run(prompt, on_text)
        return Reply(reply.text, reply.data, Usage(900, 100, cost=0.01), "priced")


class Failing(SimulatedRunner):
    """No turn of the discussion succeeds."""

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        if prompt.purpose == "speak" and prompt.stage == "discussion":
            raise RunnerError("overloaded")
        return await super().run(prompt, on_text)


def in_circles(prompt: Prompt) -> str:
    return shuffled(prompt.last * 5 + prompt.attempt)


def person(debate: Debate) -> None:
    debate.bus.subscribe(MessagePosted, lambda message: debate.move_on() if message.number == 5 else None)


def nothing(_: Debate) -> None:
    pass


ENDINGS: dict[str, tuple[Callable[[], Any], dict[str, Any], Callable[[Debate], None]]] = {
    "messages": (SimulatedRunner, {"max_messages": 12}, nothing),
    "consensus": (Agreeing, {"consensus": 0.8, "poll_every": 2, "max_messages": 30}, nothing),
    "silence": (
        lambda: ScriptedRunner(lambda prompt: f"Word {prompt.last}.", bids=lambda _: {"wants": False}),
        {"max_messages": 30},
        nothing,
    ),
    "circle": (lambda: ScriptedRunner(in_circles), {"max_messages": 200}, nothing),
    "tokens": (Priced, {"max_tokens": 30_000, "max_messages": 200}, nothing),
    "money": (Priced, {"max_cost": 0.3, "max_messages": 200}, nothing),
    "time": (SimulatedRunner, {"max_seconds": 0.000_001}, nothing),
    "person": (SimulatedRunner, {"max_messages": 30}, person),
    "errors": (Failing, {"max_messages": 30}, nothing),
}


@pytest.mark.parametrize("reason", ENDINGS)
def test_each_reason_is_reached_and_read_back(reason: str, tmp_path: Path) -> None:
    """A script that retries what money ended, and not what the panel settled, must be able to tell them apart."""
    runner, settings, steered = ENDINGS[reason]
    with Session.create("one", tmp_path) as session:
        debate = Debate("Move it?", PANEL, runner(), options=OPTIONS, settings=Settings(**settings), session=session)
        steered(debate)
        result = debate.run_sync()
        assert result.reason == reason
        assert [event.reason for event in session.events() if isinstance(event, SessionEnded)] == [reason]
    shown = CliRunner().invoke(cli, ["show", "one", "--json", "--sessions", str(tmp_path)], prog_name="eda")
    assert orjson.loads(shown.stdout)["reason"] == reason


def test_an_agenda_that_is_walked_to_its_end_is_done() -> None:
    """Nothing cut it short."""
    agenda = load_agenda("delphi")
    result = Debate("Move it?", PANEL, options=OPTIONS, agenda=agenda, settings=Settings(max_messages=60)).run_sync()
    assert result.reason == "done"


def test_no_reason_is_without_a_test_and_words() -> None:
    """A reason that nothing reaches is a promise that nobody keeps."""
    assert {*ENDINGS, "done"} == set(get_args(EndReason))
    for reason in get_args(EndReason):
        assert len(ended_phrase(reason).split()) > 2
