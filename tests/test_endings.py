"""Why a debate ended, in a word that a program can act on: each is reached by a real debate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner
from test_stagnation import shuffled

from eda import Debate, Prompt, RunnerError, Session, Settings
from eda.cli import cli
from eda.debate.replay import memory_of, progress_of, publisher
from eda.errors import RunnerUnavailableError
from eda.events import MessagePosted, PhaseStarted, SessionEnded
from eda.panels.agenda import Agenda, Phase, load_agenda, read_agenda
from eda.panels.registry import STOPS
from eda.report.phrases import ended_phrase
from eda.runners.protocol import OnText, Reply, Usage
from eda.runners.scripted import ScriptedRunner
from eda.runners.simulated.runner import SimulatedRunner

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
    return shuffled(prompt.last * 5 + prompt.nth)


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


@pytest.mark.parametrize("older", [True, False], ids=["ended by an older version", "paused"])
def test_a_discussion_that_an_outage_cut_is_taken_up_when_the_models_answer_again(tmp_path: Path, older: bool) -> None:
    """Without it the hour that was lost to an outage stays lost."""
    with Session.create("one", tmp_path) as session:
        debate = Debate("Move it?", PANEL, Failing(), options=OPTIONS, session=session)
        with pytest.raises(RunnerUnavailableError, match="overloaded"):
            debate.run_sync()
        before = debate.progress.messages
        if older:
            publisher(session, progress_of(session), memory_of(session))(SessionEnded(reason="errors"))
            assert ended_phrase("errors") == "too many turns failed"
        result = Debate.resume(session, SimulatedRunner()).run_sync()
        assert result.reason != "errors"
        assert result.messages > before + 2 * len(PANEL)


def test_an_agenda_that_is_walked_to_its_end_is_done() -> None:
    """Nothing cut it short."""
    agenda = load_agenda("delphi")
    result = Debate("Move it?", PANEL, options=OPTIONS, agenda=agenda, settings=Settings(max_messages=60)).run_sync()
    assert result.reason == "done"


class Swinging(SimulatedRunner):
    """Nobody holds a stance for two polls; each voter blocks every text; each call takes a thousand tokens."""

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        reply = await super().run(prompt, on_text)
        data = reply.data
        if prompt.purpose == "poll":
            data = {"choice": prompt.options[prompt.nth % 2], "confidence": 0.5, "change_mind": ""}
        if prompt.purpose == "ballot":
            data = {"choice": None, "blocked": list(prompt.options), "reason": "no"}
        return Reply(reply.text, data, Usage(900, 100, cost=0.01), "priced")


@pytest.mark.parametrize(
    ("agenda", "limit", "reason"),
    [
        ("delphi", {"max_messages": 8}, "messages"),
        ("delphi", {"max_tokens": 12_000}, "tokens"),
        ("delphi", {"max_cost": 0.12}, "money"),
        ("delphi", {"max_seconds": 0.000_001}, "time"),
        ("mediation", {"max_messages": 9}, "messages"),
        ("oxford", {"max_seconds": 0.000_001}, "time"),
    ],
)
def test_a_format_that_a_limit_cuts_short_is_not_called_done(agenda: str, limit: dict[str, float], reason: str) -> None:
    """Rounds that stop because nothing is left to pay them with would pass for stances that have settled."""
    settings = Settings.model_validate({"max_messages": 60, **limit})
    debate = Debate("Should we move it?", PANEL, Swinging(), agenda=agenda, settings=settings)
    assert debate.run_sync().reason == reason
    assert debate.progress.verdict is not None


def test_rounds_that_have_no_room_are_not_called_done_and_not_polled_about() -> None:
    """A format of many rounds would end as if all had been held, after paying for vote upon vote with nothing said."""
    rounds = [Phase(name=f"{kind}-{number}", kind=kind) for number in range(4) for kind in ("round", "poll", "ballot")]
    verdict = Phase(name="verdict", kind="verdict")
    own = Agenda(name="own", title="Own", description="Long.", promise="A vote.", phases=(*rounds, verdict))
    debate = Debate("Which?", options=["A", "B"], agenda=own, settings=Settings(max_messages=7))
    assert debate.run_sync().reason == "messages"
    assert debate.progress.messages == 7
    phases = [event.phase for event in debate.session.events() if isinstance(event, PhaseStarted)]
    assert [name for name in phases if name[:1] in "pb"] == ["poll-0", "ballot-0", "poll-3", "ballot-3"]


def test_no_second_blind_round_begins_when_time_is_over() -> None:
    """What is asked side by side would be asked however long ago the limit has passed."""
    kinds = ("blind", "blind", "ballot", "verdict")
    phases = tuple(Phase(name=f"{kind}-{place}", kind=kind) for place, kind in enumerate(kinds))
    own = Agenda(name="own", title="Own", description="Two rounds.", promise="A vote.", phases=phases)
    debate = Debate("Which?", PANEL, options=OPTIONS, agenda=own, settings=Settings(max_seconds=0.000_001))
    assert debate.run_sync().reason == "time"
    assert debate.progress.messages == len(PANEL)


@pytest.mark.parametrize("cut", [True, False])
def test_a_closing_word_that_time_cuts_off_says_so(cut: bool) -> None:
    """Members who were not heard in the last round must not look as if they had been."""
    debate = Debate("Move it?", PANEL, agenda=read_agenda(ROUND, "mine.toml"), options=OPTIONS)

    @debate.on(MessagePosted)
    def run_out(message: MessagePosted) -> None:
        if cut and message.number == 2:
            debate.change(max_seconds=1.05 * debate.progress.spent.seconds)

    result = debate.run_sync()
    assert (result.reason, result.messages) == (("time", 2) if cut else ("done", 3))


ROUND = """
name = "mine"
title = "Mine"
description = "For a test."
promise = "A verdict."
phase = [{name = "words", kind = "round"}, {name = "vote", kind = "ballot"}, {name = "end", kind = "verdict"}]
"""


def test_what_ended_a_session_once_is_not_why_it_ended_the_second_time() -> None:
    """A mediation that was taken up again and found its text would be read as one that ran out of messages."""
    session = Session.in_memory()
    settings = Settings(max_messages=9)
    first = Debate("Should we move it?", PANEL, Swinging(), agenda="mediation", settings=settings, session=session)
    assert first.run_sync().reason == "messages"
    agreeing = ScriptedRunner(lambda prompt: f"Word {prompt.last}.\n[PROPOSE] Say word {prompt.last} to the owners")
    second = Debate.resume(session, agreeing, max_messages=40)
    assert second.run_sync().reason == "done"
    assert second.progress.verdict is not None
    assert second.progress.verdict.outcome is not None


def test_no_reason_is_without_a_test_and_words() -> None:
    """A reason that nothing reaches is a promise that nobody keeps."""
    assert {*ENDINGS, "done"} == {*STOPS.shipped, "person"}
    for reason in (*STOPS.shipped, "person"):
        assert len(ended_phrase(reason).split()) > 2
