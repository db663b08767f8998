"""A simulated panel that writes as careless models do. The one rule: what is careless is drawn by the seed.

A reply that is asked for once more is clean.
"""

from __future__ import annotations

import re
import tomllib
from _random import Random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import orjson

from eda.runners.answer_text import without_json
from eda.runners.protocol import OnText, Prompt, Reply
from eda.runners.simulated.runner import SimulatedRunner
from eda.runners.simulated.stance import seed_of

Row = dict[str, Any]
DRESSES: dict[str, list[str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
T = TypeVar("T")
_MOVE = re.compile(r"\[([A-Z]+)( [^\]]*)?\] ?(.*)")
_ON = re.compile(r"^(\[(?:AMEND|SUPPORT|OPPOSE|UNDECIDED) )p\d+")
_BEYOND = 60
"""What is added to the number of the last message for an id that does not exist."""


class CarelessRunner(SimulatedRunner):
    """Bold tags, dead ids, prose ballots: what a panel of small models writes, offline."""

    spec = "simulated:careless"

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        reply = await super().run(prompt)
        text = careless_text(prompt, reply.text)
        if on_text is not None:
            on_text(text)
        return replace(reply, text=text, data=None)


def careless_text(prompt: Prompt, text: str) -> str:
    """Return a careless version of a clean reply, as a client passes it on; empty now and then."""
    if prompt.attempt > 1:
        return text
    rng = Random(seed_of("careless", prompt.seed, prompt.purpose, prompt.agent, prompt.nth, prompt.last))
    if prompt.answer is None and prompt.purpose != "speak":
        return text
    if (nothing := rng.random()) < 0.06:
        return "" if nothing < 0.03 else _drawn(prompt, rng, "refusals")
    if prompt.answer is not None:
        return _one(rng, _DRESSES)(orjson.loads(text))
    return without_json(_speech(prompt, text, rng))


def dressed(move: str, tag: str) -> str:
    """Return a move line in the dress that `tag` shows: see `tags` in careless.toml."""
    parts = _MOVE.fullmatch(move)
    if parts is None:
        return move
    kind, on, text = parts.groups("")
    return tag.format(KIND=kind, Kind=kind.title(), kind=kind.lower(), on=on, text=text)


def _one(rng: Random, of: Sequence[T]) -> T:
    return of[int(rng.random() * len(of))]


def _drawn(prompt: Prompt, rng: Random, key: str) -> str:
    peer = _one(rng, [who for who in prompt.members if who != prompt.agent] or ["Nobody"])
    return _one(rng, DRESSES[key]).format(who=prompt.agent, peer=peer)


def _speech(prompt: Prompt, text: str, rng: Random) -> str:
    talk, begun, block = text.partition("\n\n[")
    moves = f"[{block}".splitlines() if begun else []
    if rng.random() < 0.2:
        moves = [_ON.sub(rf"\g<1>p{prompt.last + _BEYOND}", move) for move in moves]
    tag = _one(rng, DRESSES["tags"])
    moves = [dressed(move, tag) for move in moves]
    if rng.random() < 0.3:
        moves.insert(int(rng.random() * (len(moves) + 1)), _drawn(prompt, rng, "unknown"))
    if rng.random() < 0.1:
        return f"```json\n{orjson.dumps({'speech': talk, 'moves': moves}).decode()}\n```"
    parts = [talk, "\n".join(moves)]
    if rng.random() < 0.3:
        parts.insert(1, _drawn(prompt, rng, "puppets"))
    if rng.random() < 0.3:
        parts.append(_drawn(prompt, rng, "courtesies"))
    return "\n\n".join(part for part in parts if part)


def _json(answer: Row, **other: Any) -> str:
    return orjson.dumps({**answer, **other}).decode()


def _figures(answer: Row, figure: Callable[[float], Any]) -> Row:
    return {key: figure(value) for key, value in answer.items() if key in ("confidence", "urgency")}


_DRESSES: tuple[Callable[[Row], str], ...] = (
    lambda answer: f"Sure! Here is my answer:\n\n```json\n{_json(answer)}\n```\nI hope this helps!",
    lambda answer: f"{_json(answer)[:-1]},}}",
    lambda answer: _json({"answer": answer}),
    lambda answer: _json(answer, **_figures(answer, lambda _: "high")),
    lambda answer: _json(answer, **_figures(answer, lambda share: round(100 * share))),
    lambda answer: _json(
        answer, **({"bids": {row["agent"]: row for row in answer["bids"]}} if "bids" in answer else {})
    ),
    lambda answer: f"I vote for “{answer['choice']}”." if answer.get("choice") else _json(answer),
    lambda answer: _json(answer, choice=None) if "choice" in answer else _json(answer),  # an abstention that ranks
)
