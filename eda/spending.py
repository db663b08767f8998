"""A budget is kept before a call, not after it. The one rule: what a call will take is reserved, or it is not made.

Summaries alone are made unreserved, and count once they are written: they come beside the debate, and whether one is
made must not depend on how far the debate has come meanwhile.

A tenth of each budget, or what the ballots will take if that is more, is held back for the ballot. Calls run side by
side only while twice their estimates fit; nearer to the end each waits for what the one before it took. So the last
call alone can miss its estimate at the budget's expense.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict

from eda.calls import unanswered
from eda.errors import RunnerError
from eda.events import CallMade
from eda.memory import ConversationMemory
from eda.progress import Progress
from eda.protocols import OnText, Prompt, Purpose, Reply, Runner, Usage
from eda.runners.models import FREE, Model, look_up
from eda.runners.names import checked_reply
from eda.runners.request import STRONG
from eda.runners.spec import ModelSpec, asks_models, wished
from eda.spent import Spent
from eda.stop import HELD_BACK

__all__ = ["BudgetError", "BudgetReason", "Need", "ReplyLength", "Spending", "model_for", "reply_lengths"]

_LEEWAY = 2
"""Calls run side by side while their estimates fit so many times over."""


class ReplyLength(BaseModel):
    """Tokens of a reply."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tokens: tuple[int, int, int]
    """At least, usually, at most."""


@cache
def reply_lengths() -> Mapping[str, ReplyLength]:
    """How long replies are taken to be, by purpose; a purpose that is not listed is as long as a speech."""
    table = tomllib.loads(files("eda").joinpath("replies.toml").read_text(encoding="utf-8"))
    return {purpose: ReplyLength.model_validate(row) for purpose, row in table.items()}


BudgetReason = Literal["tokens", "money"]


class BudgetError(RunnerError):
    """A call was not made, because it does not fit into what is left of a budget."""

    def __init__(self, reason: BudgetReason) -> None:
        super().__init__(f"the budget has no {reason} left for this call", hint="Raise the limit: eda resume ID.")
        self.reason: BudgetReason = reason


@dataclass(frozen=True, slots=True)
class Need:
    """What a call is expected to take, or took."""

    tokens: int = 0
    """In and out."""
    cost: float = 0.0
    """US dollars; 0 where the price is unknown."""

    def __add__(self, other: Need) -> Need:
        return Need(self.tokens + other.tokens, self.cost + other.cost)

    def __sub__(self, other: Need) -> Need:
        return Need(self.tokens - other.tokens, self.cost - other.cost)

    def __mul__(self, times: int) -> Need:
        return Need(self.tokens * times, self.cost * times)

    @classmethod
    def of(cls, usage: Usage) -> Need:
        """What one call took."""
        return cls(usage.tokens, usage.cost or 0.0)


def model_for(spec: str, prompt: Prompt) -> Model | None:
    """The model that a runner of that spec asks; None where the spec names none."""
    given = _parsed(spec)
    if given is None:
        return None
    wish = wished(prompt)
    if given.name == "local":
        wish = wish if look_up(wish).price is None else ""  # a server of one's own has no model of Anthropic's
    name = wish or given.speak if prompt.purpose in STRONG else given.cheap or given.speak
    return Model(id=name or given.name, price=FREE) if given.name == "local" else look_up(name)


@cache
def _parsed(spec: str) -> ModelSpec | None:
    return ModelSpec.parse(spec) if asks_models(spec) else None


class Spending:
    """A runner that asks another one, within the budgets of a debate's settings."""

    def __init__(
        self,
        runner: Runner,
        progress: Progress,
        memory: ConversationMemory,
        ballots: Callable[[], tuple[Prompt, int]],
    ) -> None:
        """Spend on `runner`'s calls; `ballots` gives one ballot's prompt and how many such there will be."""
        self._runner = runner
        self._progress = progress
        self._memory = memory
        self._ballots = ballots
        self._spoken = Need(progress.spent.tokens, progress.spent.cost) - self._summed_up()
        self._reserved: dict[int, Need] = {}
        """What is under way, by the number of the call."""
        self._numbers = itertools.count()
        self._settled = asyncio.Event()
        self._unwritten: dict[int, tuple[Prompt, Reply]] = {}

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Ask, once what it will take is reserved.

        Raises:
            BudgetError: it does not fit into what is left.
        """
        if prompt.purpose == "summarise":
            return await self._asked(prompt, on_text)
        need = await self._room(prompt)
        number = next(self._numbers)
        self._reserved[number] = need
        try:
            reply = await self._asked(prompt, on_text)
        except RunnerError as error:
            if error.usage is not None:
                self._spoken += Need.of(error.usage)
            raise
        else:
            self._spoken += Need.of(reply.usage)
            return reply
        finally:
            del self._reserved[number]
            self._settled.set()
            self._settled = asyncio.Event()

    async def _asked(self, prompt: Prompt, on_text: OnText | None) -> Reply:
        number = next(self._numbers)
        try:
            reply = checked_reply(await self._runner.run(prompt, on_text))
        except (RunnerError, asyncio.CancelledError) as error:
            spent = unanswered(error)
            if spent is not None:
                self._unwritten[number] = prompt, spent
            raise
        self._unwritten[number] = prompt, reply
        return reply

    @property
    def unwritten(self) -> tuple[tuple[Prompt, Reply], ...]:
        """Calls that took something and are not in the log yet, as after an answer that nobody came to use.

        In the order in which they were asked, which is that of the seats, and not in that of their ends.
        """
        return tuple(self._unwritten[number] for number in sorted(self._unwritten))

    def written(self, call: CallMade) -> None:
        """A call stands in the log."""
        key = (call.purpose, call.agent, call.last, call.attempt)
        found = next((number for number, (prompt, _) in self._unwritten.items() if prompt.key == key), None)
        if found is not None:
            del self._unwritten[found]

    def estimate(self, prompt: Prompt, more: int = 0) -> Need:
        """What a call will take: its prompt and `more` tokens, and the output that calls of its purpose had so far."""
        seen = self._progress.by_purpose.get(prompt.purpose)
        named = ""
        if prompt.purpose == "ballot":  # ranking, approved or blocked, scores, choice: each in full
            named = "".join(prompt.options) * 3 + max(prompt.options, key=len, default="")
        output = self._output(prompt.purpose, max(1, len(prompt.asked)), self._memory.tokens.of(named))
        inputs = self._memory.tokens.of(prompt.text) + more
        # A replay runs out where its recording did: what it reserves is what was reserved for the models of then.
        spec = getattr(self._runner, "replays", "") or getattr(self._runner, "spec", "")
        model = model_for(spec, prompt)
        # Nothing promises that a cache will be hit: the dearest kind of input is what is sure to be enough.
        cost = model.priced(Usage(cache_write_tokens=inputs, output_tokens=output)).cost if model else None
        if cost is None and seen and seen.calls > seen.unpriced_calls:
            cost = seen.cost / (seen.calls - seen.unpriced_calls)
        return Need(inputs + output, cost or 0.0)

    def _summed_up(self) -> Need:
        """What the summaries took that stand in the log."""
        seen = self._progress.by_purpose.get("summarise")
        return Need(seen.tokens, seen.cost) if seen else Need()

    def _output(self, purpose: Purpose, asked: int = 1, named: int = 0) -> int:
        """Tokens of a reply: the mean of those seen; before the first, the usual ones for each who is asked.

        `named`: tokens that are named in it, beside the usual ones.
        """
        seen = self._progress.by_purpose.get(purpose, Spent())
        # What side by side calls brought is published when all are there; a resume finds it in the log.
        there = [reply.usage.output_tokens for made, reply in self._unwritten.values() if made.purpose == purpose]
        calls = seen.calls + len(there)
        lengths = reply_lengths()
        usual = lengths.get(purpose, lengths["speak"]).tokens[1] * asked + named
        return math.ceil((seen.output_tokens + sum(there)) / calls) if calls else usual

    async def _room(self, prompt: Prompt) -> Need:
        """The call's estimate, as soon as that fits beside what is under way."""
        settings = self._progress.settings
        if settings.max_tokens is None and settings.max_cost is None:
            return Need()
        while True:
            need = self.estimate(prompt)
            under_way = sum(self._reserved.values(), Need())
            wanted = (under_way + need) * _LEEWAY if self._reserved else need
            reason = self._short(self._held_back(prompt) + wanted + self._spoken + self._summed_up())
            if reason is None:
                return need
            if not self._reserved:
                raise BudgetError(reason)
            await self._settled.wait()

    def _held_back(self, prompt: Prompt) -> Need:
        """What this call must leave."""
        if prompt.purpose in ("ballot", "report") or self._decides(prompt):
            return Need()
        settings = self._progress.settings
        tokens = math.ceil(HELD_BACK * (settings.max_tokens or 0))
        cost = HELD_BACK * (settings.max_cost or 0.0)
        at = self._progress.at
        if at is not None and at.kind in ("ballot", "verdict"):
            return Need(tokens, cost)
        one, times = self._ballots()
        # What is being said now is read by everybody who votes; openings are unheard until all are there.
        unheard = times if at is not None and at.kind == "blind" else int(prompt.purpose == "speak")
        ballots = self.estimate(one, min(unheard * self._output("speak"), settings.full_budget)) * times
        return Need(max(tokens, ballots.tokens), max(cost, ballots.cost))

    def _decides(self, prompt: Prompt) -> bool:
        """Whether this is an answer to the poll that the verdict rests on, as in an agenda without a ballot."""
        at, agenda = self._progress.at, self._progress.agenda
        if prompt.purpose != "poll" or at is None or at.kind != "poll":
            return False
        return not any(phase.kind in ("poll", "ballot") for phase in agenda.later(at.name))

    def _short(self, total: Need) -> BudgetReason | None:
        """What a total is too much of."""
        settings = self._progress.settings
        if settings.max_tokens is not None and total.tokens > settings.max_tokens:
            return "tokens"
        if settings.max_cost is not None and total.cost > settings.max_cost:
            return "money"
        return None
