"""A debate whose replies are paid for, in a process that can be killed right after a reply.

It has a question aside and a report. Each call that is made is a line of `asked.txt` in its folder, or a
request to a server.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import warm
from started import PATIENCE

from eda import Debate, Prompt, Reply, Session, Settings, Usage
from eda.debate.ask import ask
from eda.debate.replay import memory_of, progress_of
from eda.panels.panel import Library
from eda.report.write import write_report
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.protocol import OnText
from eda.session.journal import Journal

__all__ = ["OPTIONS", "SETUPS", "Counted", "killed", "live", "whole"]

OPTIONS = ("Go", "Wait")
SETUPS: dict[str, dict[str, Any]] = {
    "each": {"bids": "each", "consensus": 1.0, "poll_every": 2},
    "together": {"bids": "together"},
    "moderated": {"floor": "moderated"},
    "in turn": {"floor": "round-robin"},
}
"""What differs from one debate to the other; together they make calls of each purpose."""


Data = Callable[[Prompt, str], Any]
DATA: dict[str, Data] = {
    "moderate": lambda prompt, _: {"agent": prompt.members[0], "why": "it has waited"},
    "poll": lambda prompt, _: {"choice": prompt.options[len(prompt.agent) % 2], "confidence": 0.5},
    "ballot": lambda prompt, _: {"choice": prompt.options[0], "reason": "so"},
    "summarise": lambda _, text: {"summary": text},
    "report": lambda _, text: {"verdict": [{"text": text, "cited": []}]},
    "bid": lambda prompt, _: (
        {"bids": [{"agent": one.agent, "wants": True, "urgency": 0.5} for one in prompt.each]}
        if prompt.asked
        else {"wants": True, "urgency": 0.5 + prompt.nth / 99}
    ),
}
"""The structured answers, by purpose."""


class Counted:
    """Answers for money, the same to the same call, and writes down each call that it is asked."""

    spec = "counted"

    def __init__(self, asked: Path) -> None:
        self._asked = asked

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        with self._asked.open("a") as file:
            file.write(f"{prompt.key}\n")
        for _ in range(prompt.nth % 3):  # those asked side by side end in another order than they began
            await asyncio.sleep(0)
        word = hashlib.sha256(repr(prompt.key).encode()).hexdigest()
        text = f"{word[:9]} and {word[9:20]} stand against {word[20:33]} with {word[33:44]} in mind."
        if prompt.purpose == "speak" and prompt.nth == 1:
            text += f"\n\n[PROPOSE] Let {word[44:54]} move the {word[54:]}."
        data = DATA.get(prompt.purpose, lambda *_: None)(prompt, text)
        return Reply(text, data, Usage(1000, 100, cost=0.01), "a-model")


class Steady:
    """The same, with each summary where a replay has it, so that two runs can be compared fact by fact."""

    deterministic = True
    spec = "counted"

    def __init__(self, inner: Counted) -> None:
        self.inner = inner

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        return await self.inner.run(prompt, on_text)


def live(folder: Path, url: str = "") -> Any:
    if not url:
        return Steady(Counted(folder / "asked.txt"))
    runner = AnthropicRunner(api_key="sk-ant-not-a-key-4711", base_url=url)
    runner.summarises = False  # its summaries would stand where the network has them stand
    return runner


async def whole(folder: Path, setup: str, runner: Any) -> None:
    """Run what is left of the debate and of what follows it."""
    panel = [Library().persona(name) for name in ("sceptic", "historian", "pragmatic-engineer")]
    new = not (folder / "s").exists()
    with Session.create("s", folder) if new else Session.open("s", folder) as session:
        if new:
            settings = Settings(max_messages=10, summary_every=3, **SETUPS[setup])
            await Debate("Shall we go?", panel, runner, options=OPTIONS, settings=settings, session=session).run()
        elif progress_of(session).ended is None:
            await Debate.resume(session, runner).run()
        progress, memory = progress_of(session), memory_of(session)
        if not memory.parts.side_talk.exchanges(panel[1].title, "you", 9):
            await ask(session, panel[1].title, "Why do you say so?", runner)
            progress, memory = progress_of(session), memory_of(session)
        if progress.report is None:
            await write_report(session, runner, progress=progress, memory=memory)


def killed(folder: Path, setup: str, purpose: str, nth: int, url: str = "") -> None:
    """Run the debate in a process of its own, which is killed when the reply of call `nth` of `purpose` is kept."""
    here, given = str(Path(__file__).parent), (str(folder), setup, purpose, nth, url)
    code = f"import sys; sys.path.insert(0, {here!r})\nimport paid_debate\npaid_debate._die(*{given!r})"
    with warm.Popen(warm.PROGRAM, [sys.executable, "-c", code]) as process:
        assert process.wait(PATIENCE) == -signal.SIGKILL


def _die(folder: str, setup: str, purpose: str, nth: int, url: str) -> None:
    add, added = Journal.add, []

    async def add_and_die(self: Journal, row: Any) -> None:
        await add(self, row)
        added.extend([row] if row["purpose"] == purpose else [])
        if len(added) == nth:
            os.kill(os.getpid(), signal.SIGKILL)

    Journal.add = add_and_die  # type: ignore[method-assign]
    asyncio.run(whole(Path(folder), setup, live(Path(folder), url)))
