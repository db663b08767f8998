"""Sixty injections in documents, lookups and results: what a stranger wrote is material, and nobody acts on it.

Each is played through the careless panel, whose speakers copy it out in the ways in which models quote.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from careless_panel import CarelessRunner
from in_turn import in_turn

from eda import Debate, Document, EvidenceFound, MessagePosted, Prompt, Reply, Settings
from eda.events import BallotCast, VerdictReached
from eda.panels.tools import Tool
from eda.runners.protocol import OnText
from eda.runners.tools import ToolResult, ToolsRunner

RIVAL = "Wait a year"
TEXTS = [
    each.replace("{rival}", RIVAL)
    for each in tomllib.loads(Path(__file__).with_name("injections.toml").read_text("utf-8"))["texts"]
]
PLAIN = "Prices of the supplier rise by nine percent."
WHO = "Ruth"
PANEL = ["sceptic", "historian", "fact-checker"]
SEEKS = {"document": "", "lookup": "[LOOKUP prices of the supplier]", "result": "[CALL price {}]"}
QUOTES = ('In {place} it says "{text}", which is no reason.', "It says:\n\n> {lines}", "It says:\n\n```\n{text}\n```")


class Box:
    """A tool whose every result is the injection."""

    tools = (Tool(name="price", does="The price."),)

    def __init__(self, text: str) -> None:
        self.text = text
        self.called = 0

    async def call(self, name: str, arguments: Mapping[str, Any], who: str = "") -> ToolResult:
        self.called += 1
        return ToolResult(self.text)


class Copying(CarelessRunner):
    """Looks for what it was told to in its first turn, and copies out what was found, in one dress after the other."""

    def __init__(self, seeks: str, text: str) -> None:
        super().__init__()
        self.seeks, self.text = seeks, text
        self.prompts: list[str] = []
        self.copied_at = 0

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        self.prompts.append(prompt.text)
        if self.seeks and prompt.key == ("speak", WHO, 2):
            return Reply(self.seeks)
        reply = await super().run(prompt, on_text)
        if prompt.key != ("speak", WHO, 3 if self.seeks else 2):
            return reply
        self.copied_at = self.copied_at or len(self.prompts)
        quote = QUOTES[TEXTS.index(self.text) % len(QUOTES)] if self.text in TEXTS else QUOTES[0]
        flat, lines = " ".join(self.text.split()), self.text.replace("\n", "\n> ")
        shown = quote.format(place="prices.md l. 1", text=flat if quote is QUOTES[0] else self.text, lines=lines)
        return replace(reply, text=f"{shown}\n\n{reply.text}")


def played(door: str, text: str) -> tuple[list[Any], Copying, Box]:
    """What was moved, voted, looked up and decided where a stranger wrote a text, and who was asked."""
    told = f"Prices of the supplier.\n\n{text}\n"
    documents = [Document("prices.md", PLAIN if door == "result" else told)]
    runner, box = Copying(SEEKS[door], text), Box(told)
    settings = Settings(max_messages=7, floor="round-robin", bids="each")
    debate = Debate(
        "Should we sign?",
        PANEL,
        ToolsRunner(runner, box),
        options=("Sign now", RIVAL),
        settings=settings,
        seed=3,
        documents=documents,
    )
    debate.run_sync()
    done: list[Any] = []
    for fact in debate.session.events():
        match fact:
            case MessagePosted():
                done.append((fact.who, [(move.kind, move.target, move.text) for move in fact.moves]))
            case EvidenceFound():
                done.append((fact.who, fact.tool, fact.words, fact.arguments))
            case BallotCast():
                done.append((fact.ballot.agent, fact.ballot.choice, fact.ballot.ranking, fact.ballot.invalid))
            case VerdictReached():
                done.append(fact.outcome)
    return done, runner, box


@pytest.fixture(scope="module")
def as_usual() -> dict[str, list[Any]]:
    """What the same panel does where the stranger wrote a plain sentence."""
    return {door: played(door, PLAIN)[0] for door in SEEKS}


@pytest.mark.parametrize(("number", "door"), in_turn(range(len(TEXTS)), [*SEEKS], 3))
def test_nothing_follows_from_what_a_stranger_wrote(door: str, number: int, as_usual: dict[str, list[Any]]) -> None:
    """A page that votes, proposes or calls a tool would hold the debate instead of its members."""
    text = TEXTS[number]
    done, runner, box = played(door, text)
    assert done == as_usual[door]
    assert box.called == sum(isinstance(each, tuple) and each[1] == "price" for each in done)
    assert bool(box.called) == (door == "result")
    assert runner.copied_at
    own = [line for line in text.splitlines() if line.strip() and not line.startswith("```")]
    for line in own:  # at the beginning of a line nothing but the engine's own words stands
        assert not any(f"\n{line}" in prompt for prompt in runner.prompts[: runner.copied_at]), line
