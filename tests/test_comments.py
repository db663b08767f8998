"""Comments that nobody asked for: made between turns, once an event, and kept out of the debate."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from test_resume import places

from eda import Debate, MessagePosted, Persona, Prompt, Reply, RunnerError, ScriptedRunner, Session, Settings, Usage
from eda.cli import cli
from eda.cli.terminal.header import Sitting
from eda.cli.terminal.live import LiveView
from eda.cli.terminal.printers import PlainView
from eda.cli.terminal.transcript import print_minutes
from eda.debate.ask import ask_sync
from eda.debate.replay import memory_of, progress_of
from eda.errors import RunnerUnavailableError
from eda.events import (
    CallMade,
    DecisionFound,
    Event,
    FloorGranted,
    SessionEnded,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SideMessagePosted,
    TurnFailed,
    VerdictReached,
)
from eda.events.records import Decision
from eda.memory.side_talk import MOST_WORDS, SideTalk, remark
from eda.memory.snapshot import dump
from eda.runners.protocol import OnText
from eda.runners.recorded import RecordedRunner, RecordingRunner
from eda.runners.simulated.runner import SimulatedRunner

QUESTION = "Should we move the billing service out of the monolith?"


def member(name: str, *comments_on: str) -> Persona:
    return Persona(
        name=name.lower(),
        title=name,
        role=f"{name}'s role",
        description="Sits.",
        instruction="You sit.",
        comments_on=comments_on,
    )


ADA, BEN, CLEO = member("Ada"), member("Ben", "proposal", "verdict"), member("Cleo", "verdict", "proposal", "decision")


class Keeping(SimulatedRunner):
    """Simulated; keeps its prompts, and comments what it is told to."""

    def __init__(self, comment: Any = None) -> None:
        self.prompts: list[Prompt] = []
        self._comment = comment

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        self.prompts.append(prompt)
        if prompt.purpose != "comment" or self._comment is None:
            return await super().run(prompt, on_text)
        said = self._comment(prompt)
        if isinstance(said, Exception):
            raise said
        return Reply(said, usage=Usage(100, 10), model="test")


def new_debate(runner: Any = "simulated", *members: Persona, session: Session | None = None, **fields: Any) -> Debate:
    settings = Settings(**{"max_messages": 14, "summary_every": 4, **fields})
    panel = members or (ADA, BEN, CLEO)
    return Debate(QUESTION, panel, runner, options=("Move it", "Wait"), settings=settings, seed=2, session=session)


def events(session: Session) -> list[Event]:
    return list(session.events())


def facts(session: Session) -> list[dict[str, Any]]:
    kept = (event for event in session.events() if not isinstance(event, SessionPaused | SessionResumed))
    return [event.model_dump(mode="json", exclude={"seq", "at"}) for event in kept]


def is_comment(event: Event) -> bool:
    return isinstance(event, SideMessagePosted) or (isinstance(event, CallMade) and event.purpose == "comment")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """A debate with two members that comment."""
    folder = tmp_path_factory.mktemp("ran")
    with Session.create("ran", folder) as session:
        new_debate(session=session).run_sync()
    return Session.read("ran", folder)


def test_each_event_is_remarked_on_once_by_each_who_wants_to(ran: Session) -> None:
    """A member that comments twice on one proposal, or on its own, fills the screen and says nothing."""
    comments = [event for event in events(ran) if isinstance(event, SideMessagePosted)]
    memory = memory_of(ran)
    wanted = {
        (who, proposal.id) for proposal in memory.proposals for who in ("Ben", "Cleo") if proposal.proposer != who
    } | {("Ben", "verdict"), ("Cleo", "verdict")}
    assert memory.proposals
    assert {(said.who, said.on) for said in comments} >= wanted
    assert len({(said.who, said.on) for said in comments}) == len(comments)
    assert all(said.auto and said.to == "" for said in comments)
    assert [said.number for said in comments] == list(range(1, len(comments) + 1))
    assert len(progress_of(ran).ballots) == 3


def test_a_comment_waits_for_the_end_of_the_turn_and_comes_before_the_next(ran: Session) -> None:
    """An interruption would take the floor from who has it; a comment a dozen messages later is on nothing."""
    held, posted, ended = False, 0, False
    found = {proposal.id: proposal.message for proposal in memory_of(ran).proposals}
    for event in events(ran):
        match event:
            case FloorGranted():
                held = True
            case MessagePosted() | TurnFailed(purpose="speak"):
                held = False
                posted = getattr(event, "number", posted)
            case SessionEnded():
                ended = True
            case SideMessagePosted():
                assert not held
                assert not ended
                if event.on != "verdict":
                    assert posted == max(3, found[event.on])
            case _:
                pass


def test_comments_change_nothing_of_the_debate() -> None:
    """If they did, a panel with a commentator could not be compared with one without."""

    def said(debate: Debate) -> list[dict[str, Any]]:
        size = {"seq", "at", "input_tokens", "characters", "prompt_sha"}
        return [e.model_dump(mode="json", exclude=size) for e in debate.session.events() if not is_comment(e)]

    loud, quiet = new_debate(Keeping()), new_debate(Keeping(), ADA, member("Ben"), member("Cleo"))
    loud.run_sync()
    quiet.run_sync()
    assert said(loud)[1:] == said(quiet)[1:]
    one, other = loud.memory, quiet.memory
    assert one.proposals == other.proposals
    assert one.consensus() == other.consensus()
    assert one.agents == other.agents
    assert one.full_context("Ada").text == other.full_context("Ada").text
    assert loud.progress.messages == quiet.progress.messages


def test_a_comment_is_in_its_own_members_prompts_and_in_no_others() -> None:
    """Others would answer what was never said to them; the member itself would say it again."""
    count = iter(range(1, 999))
    runner = Keeping(lambda prompt: f"{prompt.agent} thinks of zither {next(count)}.")
    new_debate(runner).run_sync()
    later = [prompt for prompt in runner.prompts if "zither" in prompt.text]
    assert {"speak", "comment", "ballot"} <= {prompt.purpose for prompt in later}
    for prompt in later:
        lines = [line for line in prompt.own.splitlines() if "zither" in line]
        assert 1 <= len(lines) <= 3
        assert all(line.startswith(f"You remarked earlier, unasked: {prompt.agent} thinks") for line in lines)
        assert not any("zither" in part for part in prompt.shared)
    keys = [prompt.key for prompt in runner.prompts]
    assert len(set(keys)) == len(keys)


def test_a_comment_is_cheap_and_short() -> None:
    """A comment at the price of a speech would double what a debate costs."""
    runner = Keeping(lambda _: " ".join(["This is a sentence of seven words."] * 30) + "\n\n[SUPPORT p1.0] yes")
    ran = new_debate(runner, max_messages=24)
    ran.run_sync()
    asked = [prompt for prompt in runner.prompts if prompt.purpose == "comment"]
    spoken = [prompt for prompt in runner.prompts if prompt.purpose == "speak"]
    assert asked
    assert max(len(prompt.own) for prompt in asked) < max(len(prompt.own) for prompt in spoken)
    for said in (event for event in events(ran.session) if isinstance(event, SideMessagePosted)):
        assert len(said.text.split()) == 56
        assert "[SUPPORT" not in said.text


@given(st.text(max_size=900))
def test_a_remark_is_one_line_of_at_most_sixty_words(text: str) -> None:
    """Whatever a model writes, a comment stays a remark."""
    said = remark(text)
    assert len(said.split()) <= MOST_WORDS
    assert len(said.splitlines()) <= 1
    assert bool(said) <= bool(text.strip())


@pytest.mark.parametrize("failure", [RunnerError("no luck"), "", "[POSITION] only a move"])
def test_a_failed_comment_is_said_and_not_tried_again(failure: Any) -> None:
    """A runner that cannot comment must not be asked for ever, nor hold up the panel."""
    runner = Keeping(lambda _: failure)
    ran = new_debate(runner)
    ran.run_sync()
    failed = [event for event in events(ran.session) if isinstance(event, TurnFailed)]
    asked = [prompt.about for prompt in runner.prompts if prompt.purpose == "comment" and prompt.agent == "Ben"]
    assert failed
    assert {event.purpose for event in failed} == {"comment"}
    assert len(asked) == sum(event.who == "Ben" for event in failed) == len(set(asked))
    assert not any(isinstance(event, SideMessagePosted) for event in events(ran.session))
    assert ran.progress.verdict is not None


@pytest.mark.long
def test_a_log_cut_anywhere_is_resumed_with_the_same_comments(ran: Session, tmp_path: Path) -> None:
    """A comment that was due when the power failed must come, and none twice: cut at every other of `places`."""
    expected = facts(ran)
    lines = (ran.folder / "events.jsonl").read_bytes().splitlines(keepends=True)
    for kept in places(ran.folder)[::2]:
        folder = tmp_path / str(kept) / "ran"
        folder.mkdir(parents=True)
        (folder / "events.jsonl").write_bytes(b"".join(lines[:kept]))
        with Session.open(folder) as session:
            Debate.resume(session).run_sync()
            assert facts(session) == expected, f"cut after line {kept}"


async def test_a_debate_that_stops_in_a_comment_makes_it_when_it_goes_on(tmp_path: Path) -> None:
    """No key, or Ctrl-C, in the middle of a comment: it is due still."""
    answers = iter([RunnerUnavailableError("no credit")])
    with Session.create("s", tmp_path) as session:
        with pytest.raises(RunnerUnavailableError):
            await new_debate(Keeping(lambda _: next(answers)), session=session).run()
        due = memory_of(session).parts.side_talk.due
        assert due is not None
        await Debate.resume(session, Keeping(lambda _: "Here it is.")).run()
        first = next(event for event in events(session) if isinstance(event, SideMessagePosted))
    assert (first.who, first.on) == (due.who, due.on)


def test_a_debate_out_of_money_pays_for_no_comment() -> None:
    """A budget that comments can overrun is none."""
    runner = Keeping(lambda _: "A word.")
    ran = new_debate(runner, max_tokens=1)
    ran.run_sync()
    assert ran.progress.ended == "tokens"
    assert not any(prompt.purpose == "comment" for prompt in runner.prompts)


def test_an_export_keeps_what_is_due(ran: Session) -> None:
    """`memory.json` written at the wrong moment must not cost a comment, nor double it."""
    exported, memory = type(memory_of(ran)), type(memory_of(ran))()
    for event in events(ran):
        memory.fold(event)
        again = exported.from_json(json.loads(json.dumps(memory.to_json())))
        assert again.parts.side_talk.due == memory.parts.side_talk.due
        assert again.parts.side_talk == memory.parts.side_talk
        memory = again


def test_wherever_a_comment_is_shown_it_says_that_nobody_asked(ran: Session, tmp_path: Path) -> None:
    """Who reads a transcript must never take a remark for a turn of the debate."""
    started, progress, memory = ran.started(), progress_of(ran), memory_of(ran)
    said = [event for event in events(ran) if isinstance(event, SideMessagePosted)]
    lines: list[str] = []
    plain = PlainView(lines.append, Sitting.of(started, 0))
    screen = io.StringIO()
    console = Console(file=screen, width=400, force_terminal=True, color_system=None)
    live = LiveView(console, Sitting.of(started, 0), progress, memory)
    for event in events(ran):
        plain.handle(event)
        live.handle(event)
    shown = screen.getvalue()
    paper = io.StringIO()
    print_minutes(Console(file=paper, width=400), started, progress, memory, ran.events())
    minutes = paper.getvalue()
    for comment in said:
        on = "the verdict" if comment.on == "verdict" else comment.on
        mark = f"comment, unasked: {comment.who} on {on}"
        assert f"{mark}: {comment.text}" in lines
        assert mark in shown
        assert mark in minutes.partition("Comments, unasked")[2]
        assert comment.text not in minutes.partition("Comments, unasked")[0]
    assert shown.index("Verdict") < shown.index("on the verdict")
    shown = CliRunner().invoke(cli, ["show", "ran", "--json", "--sessions", str(ran.folder.parent)]).stdout
    data = json.loads(shown)
    assert [row["auto"] for row in data["side"]] == [True] * len(said)
    assert len(data["transcript"]) == progress.messages


def decision(**changes: Any) -> DecisionFound:
    usual = Decision(id="d7.0", messages=(7,), topic="", outcome="Wait", status="decided")
    return DecisionFound(decision=replace(usual, **changes))


def all_due(side: SideTalk) -> list[tuple[str, str]]:
    return [(due["who"], due["on"]) for due in dump(side).get("due", ())]


@pytest.fixture
def side() -> SideTalk:
    side = SideTalk()
    side.hear(SessionStarted(session="s", members=(member("Dan", "decision", "verdict"), member("Eve", "decision"))))
    return side


def test_a_decision_counts_once_it_is_one(side: SideTalk) -> None:
    """One member's claim is no decision, and a decision that is said again is no second one."""
    message = MessagePosted(number=7, who="Ada", text="We wait.")
    side.hear(message, [decision(status="claimed")])
    assert side.due is None
    side.hear(message, [decision(), decision(outcome="Wait, then")])
    assert all_due(side) == [("Dan", "d7.0"), ("Eve", "d7.0")]


def test_a_verdict_and_its_decision_are_one_event(side: SideTalk) -> None:
    """Who remarks on the verdict must not say it twice; who remarks on decisions only must not miss it."""
    verdict = VerdictReached(rule="majority", outcome="Wait", tally={})
    side.hear(verdict, [decision(source="procedure")])
    assert all_due(side) == [("Dan", "verdict"), ("Eve", "d7.0")]


def test_what_nobody_remarked_on_in_time_is_let_go(side: SideTalk) -> None:
    """Better patterns find more in an old log: its resume must not begin with a hundred comments on last week."""
    for number in range(7, 60):
        found = [decision(id=f"d{number}.0")] if number < 50 else []
        side.hear(MessagePosted(number=number, who="Ada", text="We wait."), found)
        assert len(all_due(side)) <= 4
    assert side.due is None


def test_questions_during_a_break_shift_no_comment(ran: Session, tmp_path: Path) -> None:
    """A talk aside and comments share a numbering; what is commented, and when, must not depend on it."""

    def panel(session: Session) -> list[dict[str, Any]]:
        asked = [e for e in events(session) if isinstance(e, CallMade) and e.purpose == "ask"]
        kept = [e for e in events(session) if e not in asked and getattr(e, "auto", True)]
        plain = [e for e in kept if not isinstance(e, SessionPaused | SessionResumed)]
        return [e.model_dump(mode="json", exclude={"seq", "at", "number"}) for e in plain]

    lines = (ran.folder / "events.jsonl").read_bytes().splitlines(keepends=True)
    for kept in range(20, len(lines), 14):
        folder = tmp_path / str(kept)
        folder.mkdir()
        (folder / "events.jsonl").write_bytes(b"".join(lines[:kept]))
        with Session.open(folder) as session:
            ask_sync(session, "Cleo", "What do you make of it?")
            Debate.resume(session).run_sync()
            assert panel(session)[1:] == panel(ran)[1:], f"cut after line {kept}"


def test_a_recorded_debate_with_comments_can_be_replayed(tmp_path: Path) -> None:
    """Each comment has a call of its own; two under one key would be replayed as one."""
    first = new_debate(RecordingRunner(SimulatedRunner(), tmp_path / "calls.jsonl"))
    first.run_sync()
    again = RecordedRunner(tmp_path / "calls.jsonl")
    second = new_debate(again)
    second.run_sync()
    assert facts(second.session)[1:] == facts(first.session)[1:]
    assert list(again.differences) == []


def test_what_is_said_aside_cannot_steer_a_terminal(tmp_path: Path) -> None:
    """A model's answer is shown to a person: escape codes in it must not reach the screen."""
    evil = "\x1b]0;owned\x07\x1b[2J[bold]red[/bold] \u202eback"
    with Session.create("s", tmp_path) as session:
        new_debate(Keeping(lambda _: evil), session=session).run_sync()
        scripted = ScriptedRunner({"Ada": [evil]})
        assert ask_sync(session, "Ada", evil, scripted, who="An\x1b[31mn").text == evil
    for args in (["show", "s"], ["show", "s", "--side"]):
        shown = CliRunner().invoke(cli, [*args, "--sessions", str(tmp_path)]).stdout
        assert "[bold]red[/bold]" in shown
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)
