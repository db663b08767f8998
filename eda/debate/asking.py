"""Asks a runner: a call comes back as facts to publish, with a reply or with the reason why there is none.

One failure is raised: `RunnerUnavailableError`. No call will succeed before somebody acts, so the debate is paused. Any
other failure is an answer without a reply.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pydantic import ValidationError

from eda.errors import BudgetError, BudgetReason, RunnerError, RunnerUnavailableError
from eda.events import Bid, CallMade, Event, TurnFailed
from eda.runners.answers import MemberBid, structured
from eda.runners.protocol import OnText, Prompt, Reply, Runner, Usage
from eda.runners.shipped import checked_reply

__all__ = [
    "CALLS_A_TURN",
    "Answer",
    "Read",
    "Turn",
    "ask",
    "ask_for_bids",
    "ask_for_fields",
    "call_made",
    "read_bids",
    "reply_of_failure",
    "side_by_side",
]

CALLS_A_TURN = 2
"""A reply that repeats an earlier message, or that cannot be read, is asked for once more."""

Read = tuple[Mapping[str, Any] | None, str]
"""The fields of a structured answer; None, and what is wrong with the answer, where it cannot be read."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one question to a runner."""

    calls: tuple[CallMade, ...] = ()
    """Calls that took something. The answers of a person are no calls."""
    reply: Reply | None = None
    """None where the last call failed or was not made."""
    error: RunnerError | None = None
    """Why there is no reply."""
    fields: Mapping[str, Any] | None = None
    """What a structured answer says; see `ask_for_fields`."""
    unreadable: str = ""
    """What is wrong with a reply that could not be read."""
    failed: int = 0
    """The number of the call that failed and took nothing, which no fact of a call tells; else 0."""

    @property
    def short(self) -> BudgetReason | None:
        """`tokens` or `money` where the call was not made because the budget has not enough of it left."""
        return self.error.reason if isinstance(self.error, BudgetError) else None

    @property
    def why(self) -> str:
        """Why there is no usable answer."""
        return str(self.error) if self.error else self.unreadable


@dataclass(frozen=True, slots=True)
class Turn:
    """What came of asking one member, or several in one call: the facts to publish, in order."""

    facts: tuple[Event, ...] = ()
    bids: tuple[Bid, ...] | None = ()
    """Each bid and each pass, in seat order; None where a failed call for several says nothing of any of them."""
    short: BudgetReason | None = None
    """Where a call was not made because the budget has not enough of it left."""
    failed: bool = False
    """Whether every call for a bid failed: these passes are no silence."""


async def ask(
    runner: Runner,
    prompt: Prompt,
    on_text: OnText | None = None,
    *,
    lost: Callable[..., object] | None = None,
) -> Answer:
    """Return the reply with the fact of its call, or an answer that says why there is no reply.

    `lost` is given the fact of a call that took something and is given up, or after which no other will succeed. Inside
    a debate the `BudgetedRunner` keeps account of those.

    Raises:
        RunnerUnavailableError: no call will succeed before somebody acts.
        asyncio.CancelledError: the call was given up.
        UsageError: the runner answered with something that is no `Reply`.
    """
    try:
        reply = checked_reply(await runner.run(prompt, on_text))
    except (RunnerUnavailableError, asyncio.CancelledError) as error:
        if lost is not None:
            lost(*_calls(replace(prompt, nth=0), reply_of_failure(error)))
        raise
    except RunnerError as error:
        calls = _calls(prompt, reply_of_failure(error))
        made = not isinstance(error, BudgetError)
        return Answer(calls, error=error, failed=prompt.nth if made and not calls else 0)
    return Answer(_calls(prompt, reply), reply)


async def ask_for_fields(
    runner: Runner, prompt: Prompt, read: Callable[[Reply], Read], corrected: Callable[[Prompt, str], Prompt]
) -> Answer:
    """Return an answer that `read` could read. A reply that cannot be read is asked for once more.

    `corrected` gives the second prompt from the first one and what was wrong with the reply.

    Raises:
        RunnerUnavailableError: as in `ask`.
    """
    calls: tuple[CallMade, ...] = ()
    answer = Answer()
    for _ in range(CALLS_A_TURN):
        answer = await ask(runner, prompt)
        calls += answer.calls
        if answer.reply is None:
            break
        fields, wrong = read(answer.reply)
        answer = replace(answer, fields=fields, unreadable=wrong)
        if fields is not None:
            break
        prompt = corrected(prompt, wrong)
    return replace(answer, calls=calls)


async def ask_for_bids(runner: Runner, prompt: Prompt, members: Sequence[str]) -> Turn:
    """Return the bids of `members`: of the only one, or of all of them where one prompt asks for all.

    A bid that the answer does not hold is a pass that says so. If one call for all holds no bid, or fails, nobody was
    asked: the turn has no bids, so that each can be asked by itself.

    Raises:
        RunnerUnavailableError: as in `ask`.
    """
    answer = await ask(runner, prompt)
    if answer.short:
        return Turn(bids=None, short=answer.short)
    together = bool(prompt.asked)
    if answer.reply is None and not together:
        failed = TurnFailed(who=members[0], purpose="bid", error=answer.why, nth=answer.failed)
        return Turn((*answer.calls, failed), (_pass(members[0], "the call failed"),), failed=True)
    bids = None if answer.reply is None else read_bids(answer.reply, members, together=together)
    if bids is None:
        why = answer.why or "the answer held no member's bid"
        failed = TurnFailed(who="", purpose="bid", error=why, nth=answer.failed)
        return Turn((*answer.calls, failed), None)
    return Turn(answer.calls, bids)


_STRANGERS, _NAME = 3, 40
"""Names that no member has, and characters of each, that a pass tells of."""


def read_bids(reply: Reply, members: Sequence[str], *, together: bool = True) -> tuple[Bid, ...] | None:
    """Return the bid of each member, the first where there are two; None where an answer for all holds no bid."""
    fields = structured(reply) or {}
    rows = fields.get("bids") if together else [{**fields, "agent": members[0]}]
    titles = {title.casefold(): title for title in members}
    bids: dict[str, Bid] = {}
    missing: dict[str, str] = {}
    strangers: list[str] = []
    for row in rows if isinstance(rows, list) else []:
        name = str(row.get("agent", "")).strip(" *_`@\n") if isinstance(row, Mapping) else ""
        title = titles.get(name.casefold())
        if title is None:
            strangers += [name[:_NAME]] if name else []
            continue
        try:
            answer = MemberBid.model_validate(row)
        except ValidationError:
            missing[title] = "unreadable bid"
        else:
            bids.setdefault(title, Bid(**{**answer.model_dump(), "agent": title}))
    if together and not bids:
        return None
    others = f" (it names {', '.join(map(repr, strangers[:_STRANGERS]))})" if strangers else ""
    none = f"no bid in the answer{others}"
    return tuple(bids.get(title) or _pass(title, missing.get(title, none)) for title in members)


def _pass(title: str, reason: str) -> Bid:
    return Bid(agent=title, wants=False, reason=reason)


def call_made(prompt: Prompt, reply: Reply) -> CallMade:
    """Return the fact that a call was made and answered."""
    usage = reply.usage
    return CallMade(
        purpose=prompt.purpose,
        agent=prompt.agent,
        last=prompt.last,
        attempt=prompt.attempt,
        nth=prompt.nth,
        model=reply.model,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        cost=usage.cost,
        characters=len(prompt.text),
    )


def reply_of_failure(error: RunnerError | asyncio.CancelledError) -> Reply | None:
    """Return what a failed or cancelled call took, as a reply without words; None where it took nothing."""
    usage: Usage | None = getattr(error, "usage", None)
    return None if usage is None else Reply("", usage=usage, model=getattr(error, "model", ""))


def _calls(prompt: Prompt, reply: Reply | None) -> tuple[CallMade, ...]:
    """The facts of one call; none where it took nothing, or a person answered, who is not paid for."""
    person = prompt.persona is not None and prompt.persona.person
    return () if reply is None or person else (call_made(prompt, reply),)


T = TypeVar("T")


async def side_by_side(asked: Iterable[Awaitable[T]], keep: Callable[[list[T]], None] | None = None) -> list[T]:
    """Return all results in the order asked.

    Where one raises, the others are cancelled, and `keep` is given the results that are there: they are paid for.
    """
    tasks = [asyncio.ensure_future(one) for one in asked]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        there = (task for task in tasks if task.done() and not task.cancelled() and not task.exception())
        if keep is not None and (results := [task.result() for task in there]):
            keep(results)
        raise
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
