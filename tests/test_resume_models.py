"""A debate whose members are models, cut at any line and resumed, is the debate that was never cut.

The runner's reply is a function of the prompt's text: a prompt that differs in one letter gives another debate.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from pathlib import Path

import pytest
from test_resume import cut, facts, places

from eda import Debate, Prompt, Reply, RunnerError, Session, Settings, Usage
from eda.debate.replay import read_back, save_memory
from eda.panels.panel import Library
from eda.panels.persona import Persona

WORDS = ("budget", "team", "march", "release", "risk", "vendor", "ledger", "billing", "suite", "engineer", "data")


class Hashed:
    """Speaks, votes, sums up, takes minutes and comments by the hash of what it is asked; fails now and then."""

    deterministic = True
    summarises = True

    async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
        key = f"{prompt.text}{prompt.purpose}{prompt.agent}{prompt.attempt}"
        draw = random.Random(hashlib.sha256(key.encode()).hexdigest())
        usage = Usage(int(len(prompt.text) // 4 * draw.uniform(0.6, 1.6)), 50)

        def said(count: int) -> str:
            return " ".join(f"{draw.choice(WORDS)}{draw.randint(1, 40)}" for _ in range(count))

        if prompt.purpose == "bid":
            return Reply("", {"wants": draw.random() < 0.85, "urgency": round(draw.random(), 2), "reason": "x"}, usage)
        if draw.random() < 0.06:
            raise RunnerError("not this time")
        if prompt.purpose == "ballot":
            return Reply("", {"choice": draw.choice([*prompt.options, None]), "reason": "r"}, usage)
        if prompt.purpose == "summarise":
            return Reply(self.minutes(prompt, draw, said(20)), usage=usage)
        text = draw.choice(["I propose that we ", "We agreed to ", "I agree: "]) + said(14) + "."
        if prompt.lines and draw.random() < 0.2:
            text = draw.choice(prompt.lines).text
        ids = [proposal.id for proposal in prompt.proposals] or ["p1.0"]
        move = draw.choice(
            ["[PROPOSE] {}", "[SUPPORT {id}] {}", "[OPPOSE {id}] {}", "[POSITION] {}", "[NOTE 700 cost] {}"]
        )
        return Reply(f"{text}\n{move.format(said(6), id=draw.choice(ids))}", usage=usage)

    def minutes(self, prompt: Prompt, draw: random.Random, summary: str) -> str:
        """A summary and minutes; some of their quotes stand in the messages."""
        rows = [
            {"message": line.number, "quote": " ".join(line.text.split()[:4]), "text": summary[:30]}
            for line in prompt.lines
            if draw.random() < 0.3
        ]
        denied = [{"id": item, "why": "no"} for item in re.findall(r"\b[pd]\d+@\d+", prompt.own) if draw.random() < 0.3]
        return json.dumps({"summary": summary, "decisions": rows[:2], "proposals": rows[2:4], "denied": denied})


def members() -> list[Persona]:
    library = Library()
    return [library.persona(name) for name in ("sceptic", "historian", "pragmatic-engineer", "finance-director")]


SETTINGS = {
    "small budgets": Settings(max_messages=18, summary_every=5, full_budget=900, brief_budget=200),
    "a limit of tokens": Settings(max_messages=30, summary_every=3, max_tokens=45_000, floor="round-robin"),
    "often": Settings(max_messages=18, summary_every=2, floor="random"),
}


@pytest.mark.parametrize(
    "case", ["small budgets", *(pytest.param(case, marks=pytest.mark.long) for case in [*SETTINGS][1:])]
)
def test_a_cut_in_any_situation_changes_nothing_whoever_speaks(case: str, tmp_path: Path) -> None:
    """Summaries, minutes, votes and budgets must not depend on when the power failed.

    Cut in every third situation that the debate came to (`places`).
    """

    def debate(session: Session) -> Debate:
        return Debate("Which way with billing?", members(), Hashed(), settings=SETTINGS[case], seed=3, session=session)

    with Session.create("whole", tmp_path) as session:
        debate(session).run_sync()
        expected = facts(session)
    source = Session.read("whole", tmp_path)
    every_third = places(tmp_path / "whole")[len(case) % 3 :: 3]
    for turn, kept in enumerate(every_third):
        name = cut(source, tmp_path / str(kept), kept)
        with Session.open(name, tmp_path / str(kept)) as session:
            if turn % 2:
                save_memory(session, *read_back(session))
            Debate.resume(session, Hashed()).run_sync()
            assert facts(session) == expected, f"cut after line {kept}"
