"""A program breaks in the middle of a debate: it pauses and names the program, and goes on as if nothing had been."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from stand_ins import on_path

from eda import Debate, Session, Settings
from eda.errors import RunnerUnavailableError
from eda.events import BallotCast, CallMade, MessagePosted, SessionPaused, VerdictReached
from eda.runners.agents.programs import AgentRunner
from eda.runners.protocol import Prompt

SPECS = {"claude-code:sonnet": "claude-code", "codex:gpt-x": "codex", "acp:acp": "acp"}
EVERY = (
    *("hang", "closed", "flood", "long line", "complaints", "die", "half", "no end", "rubbish", "no text", "killed"),
    "silent",
)
FAULTS = [
    *(  # each fault by one program in turn, and by the others too in `make test-long`
        pytest.param(spec, fault, marks=() if nth % len(SPECS) == which else pytest.mark.long)
        for nth, fault in enumerate(EVERY)
        for which, spec in enumerate(SPECS)
    ),
    *(("claude-code:sonnet", fault) for fault in ("limit", "no login", "error")),
    *(("codex:gpt-x", fault) for fault in ("limit", "error")),
    *(("acp:acp", fault) for fault in ("no login", "no session")),
]
SPEAK = Prompt(purpose="speak")
_SECONDS = {"hang": 2.0, "closed": 2.0, "complaints": 1.0}
"""Seconds after which a program is given up that is never done; one that complains works all the while."""


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the stand-ins on the PATH."""
    on_path(tmp_path / "bin", monkeypatch)
    monkeypatch.setenv("FAKE_COUNT", str(tmp_path / "asked"))
    monkeypatch.setenv("FAKE_AFTER", "3")
    monkeypatch.delenv("FAKE_AGENT", raising=False)


async def at_once(_: float) -> None:
    await asyncio.sleep(0)


def agent(spec: str, timeout: float = 60.0) -> AgentRunner:
    return AgentRunner(spec, attempts=2, timeout=timeout, sleep=at_once)


def outcome(session: Session) -> list[dict[str, object]]:
    """Return what a reader sees of a debate: messages, votes, verdict."""
    kinds = MessagePosted | BallotCast | VerdictReached
    return [fact.model_dump(exclude={"seq", "at"}) for fact in session.events() if isinstance(fact, kinds)]


async def held(spec: str, folder: Path, runner: AgentRunner) -> Session:
    session = Session.create(f"{SPECS[spec]}-{folder.name}", folder)
    settings = Settings(max_messages=4, floor="round-robin", first_vote=False)
    panel = ("sceptic", "historian")
    debate = Debate("Go?", panel, runner, options=("Go", "Wait"), settings=settings, session=session)
    with suppress(RunnerUnavailableError):  # the log has it
        await debate.run()
    return session


@pytest.fixture(scope="module")
def whole() -> dict[str, list[dict[str, object]]]:
    """What each program's debate comes to where nothing breaks."""
    return {}


@pytest.mark.parametrize(("spec", "fault"), FAULTS)
async def test_a_fault_of_a_program_pauses_the_debate_which_goes_on_equal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: dict[str, list[dict[str, object]]], spec: str, fault: str
) -> None:
    """Else an evening's debate ends with half a sentence, a passed turn or a vote that nobody cast."""
    if spec not in whole:
        (tmp_path / "whole").mkdir()
        with await held(spec, tmp_path / "whole", agent(spec)) as session:
            whole[spec] = outcome(session)
    assert [fact["type"] for fact in whole[spec]].count("message_posted") == 4
    (tmp_path / "asked").unlink(missing_ok=True)
    monkeypatch.setenv("FAKE_AGENT", fault)
    (tmp_path / "broken").mkdir()
    with await held(spec, tmp_path / "broken", agent(spec, _SECONDS.get(fault, 60.0))) as session:
        (paused,) = [fact for fact in session.events() if isinstance(fact, SessionPaused)]
        assert any(name in paused.error for name in (SPECS[spec], agent(spec).model_for(SPEAK)))
        before = outcome(session)
        assert before == whole[spec][: len(before)]
        answered = sum(isinstance(fact, CallMade) and fact.nth > 0 for fact in session.events())
        assert answered <= 3 < (tmp_path / "asked").stat().st_size
        monkeypatch.delenv("FAKE_AGENT")
        await Debate.resume(session, agent(spec)).run()
        assert outcome(session) == whole[spec]
