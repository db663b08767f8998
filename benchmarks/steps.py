"""Calls of a debate, and those of them that must follow one another: `python benchmarks/steps.py`.

The default format with two options: 24 messages of five members, both ballots, minutes and the report included. Each
call takes one second of a clock that only calls move, so the seconds of a debate are its steps. Members end a speech
with whom they want to hear, and answer in words that nobody said before; nobody is for a text, so nobody is asked for
terms. `bids`: the same panel names nobody, as before speeches could.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import selectors
import time
from pathlib import Path
from typing import Any

from results import told

from eda import Debate, Prompt, Reply, Session, Settings
from eda.events import BidsTaken, CallMade, FloorGranted, MessagePosted
from eda.events.records import Line
from eda.report.write import write_report

MESSAGES = 24
PANELS = ("product-decision", "architecture-review", "public-policy")


class Stepping(selectors.SelectSelector):
    """Waits for nothing: the time that it would have waited is added to the clock."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        """Return what is ready."""
        ready = super().select(0)
        if not ready and timeout:
            time.sleep(0)
            self.now += timeout
        return ready


class Clock(asyncio.SelectorEventLoop):
    """An event loop whose time goes on by its waits alone."""

    def __init__(self) -> None:
        self.waits = Stepping()
        super().__init__(self.waits)

    def time(self) -> float:
        """Return the seconds waited."""
        return self.waits.now


class Naming:
    """Answers each call after a second; a speech names the member that has been silent longest, or nobody."""

    summarises = True
    deterministic = False

    def __init__(self, *, names: bool) -> None:
        self._names = names
        draw = random.Random(1)
        self._words = ["".join(draw.choices("abcdefghijklmnoprstu", k=draw.randint(3, 7))) for _ in range(60_000)]

    async def run(self, prompt: Prompt, on_text: object = None) -> Reply:  # noqa: ARG002 - the protocol's shape
        """Some sentences, or what the purpose asks for."""
        await asyncio.sleep(1)
        draw = random.Random(f"{prompt.purpose} {prompt.agent} {prompt.last} {prompt.attempt}")
        text = " ".join(" ".join(draw.choices(self._words, k=15)).capitalize() + "." for _ in range(8))
        match prompt.purpose:
            case "bid":
                return _data({"bids": [{"agent": one.agent, "wants": True, "urgency": 0.5} for one in prompt.each]})
            case "ballot":
                return _data({"ranking": [prompt.texts[0].id], "also": [], "moved_by": None, "reason": ""})
            case "summarise":
                return _data({"summary": [_minuted(line) for line in prompt.lines]})
            case "report":
                return _data({"reasons": [], "dissent": [], "risks": [], "open": []})
            case "declare":
                return _data({"acts": []})
        said = [line.who for line in prompt.lines if line.who != prompt.agent]
        others = sorted((who for who in prompt.members if who != prompt.agent), key=lambda who: _last(said, who))
        return Reply(f"{text}\n\n[POSITION] {prompt.options[0]}" + (f"\n[NEXT {others[0]}]" if self._names else ""))


def _last(said: list[str], who: str) -> int:
    return max((place for place, each in enumerate(said) if each == who), default=-1)


def _minuted(line: Line) -> dict[str, Any]:
    words = line.text.partition(".")[0]
    return {"message": line.number, "quote": words}


def _data(data: dict[str, Any]) -> Reply:
    return Reply(json.dumps(data), data=data)


async def taken(panel: str, *, names: bool) -> tuple[int, float, int, int]:
    """Return the calls of a debate, its steps, its rounds of bids and the fewest turns of a member."""
    loop, began, session = asyncio.get_running_loop(), asyncio.get_running_loop().time(), Session.in_memory()
    question, runner = "Should we move the billing service out of the monolith?", Naming(names=names)
    settings = Settings(max_messages=MESSAGES)
    debate = Debate(question, panel, runner, options=("move it", "leave it"), settings=settings, session=session)
    await debate.run()
    await write_report(session, runner)
    facts = list(session.events())
    assert sum(isinstance(fact, MessagePosted) for fact in facts) == MESSAGES
    grants = [fact.agent for fact in facts if isinstance(fact, FloorGranted)]
    fewest = min(grants.count(who) for who in debate.progress.members)
    rounds = sum(isinstance(fact, BidsTaken) for fact in facts)
    return sum(isinstance(fact, CallMade) for fact in facts), loop.time() - began, rounds, fewest


def table() -> str:
    """Return the table."""
    lines = [
        "| panel | who is next | calls a message | steps a message | rounds of bids | fewest turns |",
        "|---|---|---|---|---|---|",
    ]
    for panel in PANELS:
        for names in (False, True):
            with asyncio.Runner(loop_factory=Clock) as clock:
                calls, steps, rounds, fewest = clock.run(taken(panel, names=names))
            each = f"{calls / MESSAGES:.2f} | {steps / MESSAGES:.2f} | {rounds} | {fewest}"
            lines.append(f"| {panel} | {'named' if names else 'bids'} | {each} |")
    return "\n".join(lines)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    told("steps", f"python benchmarks/{Path(__file__).name} --write", table(), write=options.parse_args().write)
