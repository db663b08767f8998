"""What a debate will take, before a call. The one rule: the prompts are the real ones, only replies are assumed.

The debate is run in memory, three times: the simulated panel answers, and each answer is drawn out to the length that
replies to such a prompt are taken to have. So a prompt is as long as it will be, and its tokens are counted from what
would be sent. What all share is read from the cache where an earlier call to the same model has sent it.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from eda.briefing import CALLS_A_TURN
from eda.debate import Debate
from eda.errors import UsageError
from eda.events import CallMade
from eda.memory.checks import CONCISE
from eda.memory.extractive import open_questions
from eda.memory.moves import parse_moves
from eda.memory.tokens import rough_tokens
from eda.progress import Progress
from eda.protocols import OnText, Prompt, Reply, Runner, Usage
from eda.replay import publisher
from eda.report import report_of, write_prose
from eda.runners.anthropic import AnthropicRunner
from eda.runners.models import Model
from eda.runners.request import request
from eda.runners.simulated import SimulatedRunner
from eda.runners.spec import ModelSpec, asks_models
from eda.spending import model_for, reply_lengths
from eda.spent import Spent

__all__ = ["Forecast", "forecast", "named_models"]

_LEAST_CACHED = 1024
"""Tokens; taken where the table does not say what a model caches: it is 512 to 4,096, by model."""
_PER_TOKEN = 4
_LONGEST_SUMMARY = CONCISE * 6 - 12
"""Characters: nearly as many words as a summary may have, each with its space."""
_ITEM = re.compile(r"\b[pd]\d+[.@]\d+")
_LETTERS = str.maketrans("0123456789", "ghijklmnop")

Call = tuple[str, str]
"""Purpose and model."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """Three debates: with short replies, a panel that falls silent and agrees; as is usual; long, and never at one.

    How often a phase is gone through again until stances settle, or nothing is blocked, nobody can know before: in the
    second it is half-way between that of the first and that of the third.
    """

    least: Mapping[Call, Spent]
    usual: Mapping[Call, Spent]
    most: Mapping[Call, Spent]
    totals: tuple[Spent, Spent, Spent]
    """Of the three, in that order."""
    ended: tuple[str, str, str]
    """Why each of them ended."""


def forecast(debate: Callable[[Runner], Debate], spec: str) -> Forecast:
    """Run a debate three times without a call to a model.

    Args:
        debate: Makes the debate, in memory, with the runner that it is given.
        spec: Of the runner that is to be forecast, as `named_models` gives it.
    """
    runs = [_run(debate, spec, place) for place in range(3)]
    (least, usual, most), totals, ended = zip(*runs, strict=True)
    return Forecast(least, usual, most, totals, ended)


def named_models(spec: str) -> str:
    """The spec of a runner with the names of all models that it would ask; no key is needed.

    Raises:
        UsageError: it asks no model.
    """
    if not asks_models(spec):
        raise UsageError(f"the runner {spec!r} asks no model", hint="Forecast another: --runner anthropic.")
    given = ModelSpec.parse(spec)
    if given.name == "local":
        return str(given)
    return AnthropicRunner(given.speak, cheap_model=given.cheap, fallback_model=given.fallback, api_key="none").spec


def _run(debate: Callable[[Runner], Debate], spec: str, place: int) -> tuple[dict[Call, Spent], Spent, str]:
    runner = _Assumed(spec, place)
    played = debate(runner)
    runner.progress = played.progress
    played.run_sync()
    session, progress, memory = played.session, played.progress, played.memory
    publish = publisher(session, progress, memory)
    asyncio.run(write_prose(session, progress, memory, report_of(session, progress, memory), runner, publish))
    found: dict[Call, Spent] = {}
    for event in played.session.events():
        if isinstance(event, CallMade):
            found.setdefault((event.purpose, event.model), Spent()).add(event)
    return found, progress.spent, progress.ended or ""


class _Assumed:
    """The simulated panel with replies of an assumed length, and the usage that a provider would count."""

    deterministic = True
    summarises = True

    def __init__(self, spec: str, place: int) -> None:
        self.spec = spec
        self._place = place
        self._simulated = SimulatedRunner()
        self._caches: dict[str, _Cache] = {}
        self._stances: dict[str, Mapping[str, Any]] = {}
        self.progress = Progress()
        """Of the debate that it is asked by."""

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Answer with what the simulated panel says, drawn out; nobody is shown it."""
        del on_text
        model = model_for(self.spec, prompt) or Model(id="")
        said = await self._simulated.run(prompt)
        lengths = reply_lengths()
        length = lengths.get(prompt.purpose, lengths["speak"]).tokens[self._place] * max(1, len(prompt.asked))
        text, data = said.text, said.data
        if prompt.purpose == "bid" and data is not None and self._place:
            data = _all_want(data)
        elif prompt.purpose in ("poll", "ballot"):
            data = self._voted(prompt, data or {})
        elif prompt.purpose == "summarise":
            text = _drawn_out(_summary(prompt), prompt, min(length * _PER_TOKEN, _LONGEST_SUMMARY))
            data = {"summary": text} if prompt.answer else None
        elif prompt.answer is None:
            text = _drawn_out(text, prompt, length * _PER_TOKEN)
        cache = self._caches.setdefault(model.id, _Cache(model.cache_floor or _LEAST_CACHED))
        usage = model.priced(replace(cache.count(prompt, model), output_tokens=length))
        return Reply(text, data, usage, model.id)

    def _voted(self, prompt: Prompt, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer to a poll or a ballot; as is usual, the first seat holds out until half of the laps are over."""
        if self._place != 1:
            return _agreed(prompt, data) if self._place == 0 else _at_odds(prompt, data)
        at = self.progress.at
        if at is not None and at.until is not None:
            fewest = 2 if at.until == "settled" else 1
            if self.progress.laps[at.name] < (fewest + at.laps + 1) // 2:
                data = _at_odds(prompt, data) if prompt.agent == prompt.members[0] else data
            elif prompt.purpose == "ballot":
                data = {**data, "blocked": ()}
            else:
                data = self._stances.get(prompt.agent, data)
        if prompt.purpose == "poll":
            self._stances[prompt.agent] = data
        return data


def _all_want(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same bid, or bids of all who were asked together, none of them a pass."""
    if "bids" in data:
        return {"bids": [_all_want(bid) for bid in data["bids"]]}
    return {**data, "wants": True}


def _agreed(prompt: Prompt, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """An answer that everybody gives, and gives again: a poll settles, a ballot blocks nothing."""
    return {**data, "choice": prompt.options[0]} if prompt.purpose == "poll" else {**data, "blocked": ()}


def _at_odds(prompt: Prompt, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """An answer with which no poll settles and no ballot is unblocked."""
    if prompt.purpose == "ballot":
        return {"choice": None, "blocked": prompt.options}
    choices = (*prompt.options, None)
    return {**data, "choice": choices[prompt.attempt // CALLS_A_TURN % len(choices)]}


@dataclass(slots=True)
class _Cache:
    """What a provider keeps of the prompts to one model."""

    least: int
    """Tokens of the shortest prefix that is kept."""
    kept: set[str] = field(default_factory=set)
    """Digests of prefixes; of calls made side by side the first one writes, and the others wait for that and read."""

    def count(self, prompt: Prompt, model: Model) -> Usage:
        """The input of a call."""
        read = marked = sent = 0
        so_far = hashlib.sha256()
        for text, mark in _sent(prompt, model):
            so_far.update(text.encode())
            sent += len(text)
            digest = so_far.hexdigest()
            if digest in self.kept:
                read = sent
            if mark and rough_tokens(sent) >= self.least:
                marked = sent
                self.kept.add(digest)
        return Usage(
            input_tokens=rough_tokens(sent - max(marked, read)),
            cache_read_tokens=rough_tokens(read),
            cache_write_tokens=rough_tokens(max(0, marked - read)),
        )


def _sent(prompt: Prompt, model: Model) -> Sequence[tuple[str, bool]]:
    """The blocks of a request, and which of them end what is to be cached."""
    # A schema that the API holds to is no part of the text; that in words is.
    body = request(replace(prompt, answer=None) if model.structured else prompt, model)
    blocks = [*body.get("system", ()), *body["messages"][0]["content"]]
    return [(block["text"], "cache_control" in block) for block in blocks]


def _summary(prompt: Prompt) -> str:
    """A summary that is taken as it is: it names all that its prompt says must not be lost."""
    asked = [item.line for item in open_questions(prompt.lines)] or re.findall(r"\[UNRESOLVED\].*", prompt.own)
    return "\n".join((*asked, " ".join(dict.fromkeys(_ITEM.findall(prompt.own)))))


def _drawn_out(text: str, prompt: Prompt, characters: int) -> str:
    """A text of that length: meaningless words, like no others, at the end of what was said, before the moves."""
    at, _ = parse_moves(text)
    talk, moves = (text, "") if at is None else (text[:at], text[at:])
    missing = characters - len(text)
    if missing <= 0:
        return text
    words, length = list[str](), 0
    while length < missing:
        seed = f"{prompt.agent} {prompt.last} {prompt.attempt} {len(words)}"
        word = hashlib.sha256(seed.encode()).hexdigest()[:5].translate(_LETTERS)
        words.append(word)
        length += len(word) + 1
    return f"{talk.rstrip()} {' '.join(words)}.\n\n{moves}".rstrip()
