"""Keeps budgets: a call is made only if what it is estimated to take fits and is reserved.

Only summaries are made without a reservation; they count once they are written. They run beside the debate, so whether
one is made must not depend on how far the debate has come meanwhile. What a tool takes is known once it was called.

A tenth of each budget, or what the ballots will take if that is more, is kept for the ballot. Calls run side by side
only while twice their estimates fit; near the end each waits for the one before it. So only the last call can exceed
its estimate at the budget's expense.

`JournaledRunner` keeps each reply in the journal until its fact is in the log: none is paid for twice.
"""

import asyncio
import itertools
import math
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import asdict, dataclass, replace
from typing import Any

from eda.debate.asking import call_made, my_turn, reply_of_failure
from eda.debate.floor.stop import HELD_BACK
from eda.debate.seating import RunnerPerSeat
from eda.debate.state import CallNames, DebateState
from eda.errors import BudgetError, BudgetReason, RunnerError, RunnerUnavailableError
from eda.events import CallMade, UsageTotals
from eda.memory import ConversationMemory
from eda.runners.models import model_for, reply_lengths
from eda.runners.protocol import (
    CallKey,
    OnText,
    Prompt,
    Purpose,
    Reply,
    Runner,
    Usage,
    Wrapper,
    checked_reply,
    digest,
    innermost,
)
from eda.session.journal import Journal


class JournaledRunner(Wrapper):
    """A runner that asks another one, and takes a reply from the journal where the same prompt was answered before.

    Replies of a runner that depends on nothing but its prompt are not kept: they can be had again for nothing.
    """

    def __init__(self, runner: Runner, journal: Journal, calls: CallNames, publish: Callable[..., object]) -> None:
        """Ask `runner`.

        Args:
            runner: the one whose replies are kept.
            journal: that of the session.
            calls: the calls that the log has.
            publish: stores the fact of a call whose prompt changed since, so that nobody uses its reply.
        """
        self.inner = runner
        self._journal, self._publish = journal, publish
        for purpose, agent, nth in tuple(journal.waiting):
            if calls.next(purpose, agent) > nth:
                journal.settle(purpose, agent, nth)

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return the reply in the journal; else ask, and store the reply there before it is returned.

        Raises:
            SessionError: the journal cannot be written.
            RunnerError: the call failed, now or when it was made.
        """
        asked = self.inner.of(prompt.agent) if isinstance(self.inner, RunnerPerSeat) else self.inner
        if prompt.purpose != "tool" and getattr(innermost(asked), "deterministic", False):
            return await self.inner.run(prompt, on_text)
        if (row := self._row_of(prompt)) is None:
            return await self._ask(prompt, on_text)
        reply = _reply(row)
        if "error" in row:
            failed = RunnerError(row["error"])
            failed.usage, failed.model, failed.provider = reply.usage, reply.model, reply.provider
            raise failed
        if on_text is not None and reply.text:
            on_text(reply.text)
        return reply

    def _row_of(self, prompt: Prompt) -> Mapping[str, Any] | None:
        """Return the finished call of this prompt. One of its name with another prompt is paid for and not used."""
        row = self._journal.waiting.get(prompt.key)
        if row is None or row["prompt"] == digest(prompt):
            return row
        self._publish(_unused(row))
        self._journal.settle(*prompt.key)
        if not self._journal.waiting:
            self._journal.close()  # its fact has no number, so a resume would count the line once more
        return None

    async def _ask(self, prompt: Prompt, on_text: OnText | None) -> Reply:
        try:
            reply = checked_reply(await self.inner.run(prompt, on_text))
        except RunnerUnavailableError:
            raise  # asked again on resume
        except RunnerError as error:
            if (failed := reply_of_failure(error)) is not None:
                await self._journal.add(_row(prompt, failed, error=str(error)))
            raise
        await self._journal.add(_row(prompt, reply))
        await my_turn()
        return reply


def publish_unused(journal: Journal, publish: Callable[..., object]) -> None:
    """Publish the facts of all calls left in the journal, whose replies nobody will use, and empty it."""
    left = dict(journal.waiting)
    publish(*map(_unused, left.values()))
    for name in left:
        journal.settle(*name)


def _unused(row: Mapping[str, Any]) -> CallMade:
    facts = {name: row[name] for name in ("agent", "last", "attempt", "characters")}
    return call_made(Prompt(purpose=row["purpose"]), _reply(row)).model_copy(update={**facts, "nth": 0})


def _row(prompt: Prompt, reply: Reply, **more: str) -> dict[str, Any]:
    return {
        "purpose": prompt.purpose,
        "agent": prompt.agent,
        "nth": prompt.nth,
        "last": prompt.last,
        "attempt": prompt.attempt,
        "characters": len(prompt.text),
        "prompt": digest(prompt),
        "text": reply.text,
        "data": None if reply.data is None else dict(reply.data),
        "usage": asdict(reply.usage),
        "model": reply.model,
        "answered": reply.answered,
        "live": reply.live,
        "provider": reply.provider,
        "refused": reply.refused,
        **more,
    }


def _reply(row: Mapping[str, Any]) -> Reply:
    more = {name: row.get(name, "") for name in ("answered", "live", "provider")}
    refused = tuple(row.get("refused", ()))
    return Reply(row["text"], row["data"], Usage(**row["usage"]), row["model"], **more, refused=refused)


Told = Callable[[Prompt, Reply | RunnerError | asyncio.CancelledError, int], object]
# Told of each call of a debate, once its reply is there, or why there is none, and when it began: nanoseconds since
# 1970. No fact has that time: it would differ in a replay.
on_call: ContextVar[Told] = ContextVar("on_call", default=lambda *_: None)
_LEEWAY = 2  # Calls run side by side while this many times their estimates fit.


@dataclass(frozen=True, slots=True)
class Need:
    """What a call is expected to take, or has taken."""

    tokens: int = 0  # In and out.
    cost: float = 0.0  # US dollars; 0 where the price is unknown.

    def __add__(self, other: "Need") -> "Need":
        return Need(self.tokens + other.tokens, self.cost + other.cost)

    def __mul__(self, times: int) -> "Need":
        return Need(self.tokens * times, self.cost * times)

    @classmethod
    def of(cls, usage: Usage | UsageTotals) -> "Need":
        """Return what one call took, or several."""
        return cls(usage.tokens, usage.cost or 0.0)


class BudgetedRunner:
    """A runner that asks another one within the budgets of a debate's settings."""

    def __init__(
        self,
        runner: Runner,
        progress: DebateState,
        memory: ConversationMemory,
        ballots: Callable[[], tuple[Prompt, int]],
    ) -> None:
        """Budget the calls of `runner`; `ballots` returns the prompt of one ballot and their number."""
        self._runner, self._ballots = runner, ballots
        self._progress, self._memory = progress, memory
        # Estimates of the calls under way, by the number of the call.
        self._reserved: dict[int, Need] = {}
        self._numbers, self._settled = itertools.count(), asyncio.Event()
        self._unwritten: dict[int, tuple[CallKey, Prompt, Reply]] = {}

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Reserve what the call is estimated to take, then make it and return its reply.

        Raises:
            BudgetError: the estimate does not fit into what is left.
        """
        if prompt.purpose in ("summarise", "tool"):
            return await self._call(prompt, on_text)
        number = next(self._numbers)
        self._reserved[number] = await self._room(prompt)
        try:
            return await self._call(prompt, on_text)
        finally:
            del self._reserved[number]
            self._settled.set()
            self._settled = asyncio.Event()

    async def _call(self, prompt: Prompt, on_text: OnText | None) -> Reply:
        number, tell, began = next(self._numbers), on_call.get(), time.time_ns()
        try:
            reply = checked_reply(await self._runner.run(prompt, on_text))
        except (RunnerError, asyncio.CancelledError) as error:
            tell(prompt, error, began)
            if (failure := reply_of_failure(error)) is not None:
                self._unwritten[number] = prompt.key, prompt, failure
            raise
        self._unwritten[number] = prompt.key, prompt, reply
        tell(prompt, reply, began)
        return reply

    @property
    def unwritten(self) -> tuple[CallMade, ...]:
        """Calls that took something and are not in the log yet, such as those whose answer was never used.

        They are in the order in which they were made: by seats, not by when they ended.
        """
        return tuple(call_made(*self._unwritten[number][1:]) for number in sorted(self._unwritten))

    def written(self, key: tuple[str, str, int]) -> None:
        """Note that a call is in the log."""
        self._unwritten = {number: made for number, made in self._unwritten.items() if made[0] != key}

    def estimate(self, prompt: Prompt, more: int = 0) -> Need:
        """Return an estimate of a call: its prompt, `more` tokens, and the mean output of its purpose so far."""
        seen = self._progress.by_purpose.get(prompt.purpose)
        named = ""
        if prompt.purpose == "ballot":  # ranking, approved or blocked, scores, choice: each in full
            named = "".join(prompt.options) * 3 + max(prompt.options, key=len, default="")
        output = self._output(prompt.purpose, max(1, len(prompt.asked)), self._memory.parts.tokens.of(named))
        inputs = self._memory.parts.tokens.of(prompt.text) + more
        # A replay reserves with the recorded run's model prices, so it runs out of budget at the same call.
        model = model_for(getattr(self._runner, "replays", "") or getattr(self._runner, "spec", ""), prompt)
        # A cache hit is not certain, so the estimate uses the dearest kind of input.
        cost = model.priced(Usage(cache_write_tokens=inputs, output_tokens=output)).cost if model else None
        if cost is None and seen and seen.calls > seen.unpriced_calls:
            cost = seen.cost / (seen.calls - seen.unpriced_calls)
        return Need(inputs + output, cost or 0.0)

    def _output(self, purpose: Purpose, members: int = 1, named: int = 0) -> int:
        """Return the expected tokens of a reply: the mean so far; before the first, the usual number a member.

        `named`: tokens of the choices that the reply will name, besides the usual ones.
        """
        seen = self._progress.by_purpose.get(purpose, UsageTotals())
        # Calls made side by side are published when all are there; a resume finds them in the log.
        there = [
            reply.usage.output_tokens for _, prompt, reply in self._unwritten.values() if prompt.purpose == purpose
        ]
        calls = seen.calls + len(there)
        lengths = reply_lengths()
        usual = lengths.get(purpose, lengths["speak"])[1] * members + named
        return math.ceil((seen.output_tokens + sum(there)) / calls) if calls else usual

    async def _room(self, prompt: Prompt) -> Need:
        """Return the call's estimate, as soon as that fits beside the calls under way."""
        limits = self._progress.settings.limits
        if limits.tokens is None and limits.cost is None:
            return Need()
        while True:
            need = self.estimate(prompt)
            under_way = sum(self._reserved.values(), Need())
            wanted = (under_way + need) * _LEEWAY if self._reserved else need
            # What a summary took is counted once it is in the log: when one ends is no matter of the debate's order.
            there = (reply.usage for _, made, reply in self._unwritten.values() if made.purpose != "summarise")
            spent = sum(map(Need.of, there), Need.of(self._progress.spent))
            reason = self._short(self._held_back(prompt) + wanted + spent)
            if reason is None:
                return need
            if not self._reserved:
                raise BudgetError(reason)
            await self._settled.wait()

    def _held_back(self, prompt: Prompt) -> Need:
        """Return what this call must leave for the ballot."""
        does = self._progress.does
        first = prompt.purpose == "ballot" and not does.ballots
        votes_later = any(each.does.votes for each in self._progress.agenda.later(self._progress.phase))
        decides = prompt.purpose == does.asks == "poll" and not votes_later  # in an agenda without a ballot
        if (prompt.purpose in ("ballot", "report") and not first) or decides:
            return Need()
        settings = self._progress.settings
        tokens = math.ceil(HELD_BACK * (settings.limits.tokens or 0))
        cost = HELD_BACK * (settings.limits.cost or 0.0)
        if does.ballots or does.asks == "nothing":
            return Need(tokens, cost)
        one, times = self._ballots()
        if not one.last:  # it has no table before the first message
            one = replace(one, held=(self._memory.full_context().text, *one.held))
        # Everybody who votes will read what is being said now; openings are unheard until all are there.
        together = prompt.purpose == "terms" or does.sealed
        unheard = times if together else int(prompt.purpose == "speak")
        said = self._output("terms" if prompt.purpose == "terms" else "speak")
        ballots = self.estimate(one, min(unheard * said, settings.full_budget)) * times
        return Need(max(tokens, ballots.tokens), max(cost, ballots.cost))

    def _short(self, total: Need) -> BudgetReason | None:
        """Return the budget that a total exceeds; None if it fits."""
        most = self._progress.settings.limits
        took: dict[BudgetReason, tuple[float, float | None]] = {
            "tokens": (total.tokens, most.tokens),
            "money": (total.cost, most.cost),
        }
        return next((reason for reason, (taken, of) in took.items() if of is not None and taken > of), None)
