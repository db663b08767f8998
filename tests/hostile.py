"""Panels that do everything wrong. The one rule: what a member does is drawn from its prompt's key."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from eda import Persona, Prompt, Reply, RunnerError
from eda.runners.protocol import OnText

__all__ = ["HABITS", "HostileRunner", "panel_of", "words"]

_GARBAGE: tuple[Any, ...] = (
    None,
    {},
    {"wants": "maybe"},
    {"wants": True, "urgency": float("nan")},
    {"wants": True, "urgency": float("inf")},
    {"wants": True, "urgency": -3},
    {"wants": None, "urgency": "high", "reason": ["x"]},
    {"choice": "none of these", "ranking": ["A", "A"], "confidence": 7},
    {"choice": 3},
    {"agent": "Nobody", "why": ""},
    {"agent": None},
)


def words(lot: random.Random, count: int = 6) -> str:
    """A sentence that nobody has said."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return " ".join("".join(lot.choices(letters, k=7)) for _ in range(count)).capitalize() + "."


def panel_of(habits: Mapping[str, str]) -> list[Persona]:
    """Who sits: a title and a habit each."""
    return [
        Persona(name=title.lower(), title=title, role=habit, description=habit, instruction=f"You are {habit}.")
        for title, habit in habits.items()
    ]


class HostileRunner:
    """Answers as the habits have it: of each member by its title, of the moderator by `""`."""

    deterministic = True
    summarises = False
    spec = "hostile"

    def __init__(self, habits: Mapping[str, str], seed: int = 0) -> None:
        self._habits = habits
        self._seed = seed
        self.prompts: list[Prompt] = []

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Do what the habit says."""
        del on_text
        self.prompts.append(prompt)
        lot = random.Random(f"{self._seed}:{prompt.key}")
        habit = self._habits.get(prompt.agent, "shouts")
        if habit == "moody":
            habit = lot.choice(HABITS[:-1])
        return HostileRunner._ANSWERS.get(habit, _plain)(prompt, lot)

    _ANSWERS: Mapping[str, Callable[[Prompt, random.Random], Reply]] = {}


def _structured(prompt: Prompt, lot: random.Random, *, wants: bool = True, urgency: float = 1.0) -> dict[str, Any]:
    picked = lot.choice(prompt.options) if prompt.options else None
    return {
        "bid": {"wants": wants, "urgency": urgency, "reason": "now"},
        "moderate": {"agent": prompt.members[0] if prompt.members else "", "why": "as always"},
        "poll": {"choice": picked, "confidence": 0.5, "change_mind": "nothing"},
        "ballot": {
            "choice": picked,
            "approved": [picked] if picked else [],
            "blocked": [lot.choice(prompt.options)] if prompt.options and lot.random() < 0.5 else [],
            "reason": "drawn",
        },
    }[prompt.purpose]


def _plain(prompt: Prompt, lot: random.Random) -> Reply:
    if prompt.purpose in ("bid", "moderate", "poll", "ballot"):
        return Reply("", data=_structured(prompt, lot))
    return Reply(words(lot))


def _fails(prompt: Prompt, lot: random.Random) -> Reply:
    if prompt.purpose == "bid":
        return _plain(prompt, lot)
    raise RunnerError("no answer")


def _repeats(prompt: Prompt, lot: random.Random) -> Reply:
    said = "The batch takes five hours, it failed twice, and one engineer leaves in March."
    return _plain(prompt, lot) if prompt.purpose != "speak" else Reply(said)


def _empty(prompt: Prompt, lot: random.Random) -> Reply:
    return _plain(prompt, lot) if prompt.purpose == "bid" else Reply("")


def _passes(prompt: Prompt, lot: random.Random) -> Reply:
    if prompt.purpose == "bid":
        return Reply("", data=_structured(prompt, lot, wants=False, urgency=0))
    return _plain(prompt, lot)


def _pleads(prompt: Prompt, lot: random.Random) -> Reply:
    """Always wants to speak, and never urgently."""
    if prompt.purpose == "bid":
        return Reply("", data=_structured(prompt, lot, urgency=0.0))
    return _plain(prompt, lot)


def _pairs(prompt: Prompt, lot: random.Random) -> Reply:
    """Always addresses one and the same other member."""
    if prompt.purpose != "speak":
        return _plain(prompt, lot)
    place = prompt.members.index(prompt.agent) ^ 1
    return Reply(f"@{prompt.members[place % len(prompt.members)]}, {words(lot)}")


def _babbles(prompt: Prompt, lot: random.Random) -> Reply:
    if prompt.purpose == "speak":
        return Reply(
            lot.choice((f"[PROPOSE] {words(lot)}", f"@Nobody {words(lot)}", f"m{prompt.last + 9}: {words(lot)}"))
        )
    return Reply("{not json", data=lot.choice(_GARBAGE))


HostileRunner._ANSWERS = {
    "shouts": _plain,
    "fails": _fails,
    "repeats": _repeats,
    "empty": _empty,
    "passes": _passes,
    "pleads": _pleads,
    "pairs": _pairs,
    "babbles": _babbles,
}
HABITS = (*HostileRunner._ANSWERS, "moody")
