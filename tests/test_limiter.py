"""All calls to a model keep to the limits that its server tells, whichever debate and runner makes them."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest
from fake_anthropic import Fail, FakeAnthropic, Say, Waits

from eda import Prompt
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.server import Limiter, on_wait

SPEAK = Prompt(purpose="speak", agent="Ada", own="What now?")
BID = Prompt(purpose="ask", agent="Ben", own="Shall we?")


class Strict:
    """A server with a bucket of `kind` a model, which fills up evenly, and which refuses what does not fit."""

    def __init__(self, kind: str, limit: int, left: float, need: int) -> None:
        self.kind, self.limit, self.need = kind, limit, need
        self.left: dict[str, float] = {}
        self.first, self.at, self.refused = left, 0.0, 0

    def __call__(self, body: dict[str, Any]) -> Say | Fail:
        now, model = time.monotonic(), body["model"]
        left = self.left[model] + (now - self.at) * self.limit / 60 if model in self.left else self.first
        self.at = now
        fits = left >= self.need
        self.left[model] = left - self.need * fits
        told = f"anthropic-ratelimit-{self.kind}"
        headers = {f"{told}-limit": f"{self.limit}", f"{told}-remaining": f"{int(max(0, self.left[model]))}"}
        if fits:
            return Say("So.", usage={"input_tokens": self.need, "output_tokens": 1}, headers=headers)
        self.refused += 1
        short = (self.need - left) * 60 / self.limit
        return Fail(429, "rate_limit_error", "slow down", headers={**headers, "retry-after": f"{short:.3f}"})


def runner(fake: FakeAnthropic, waits: Any = asyncio.sleep) -> AnthropicRunner:
    return AnthropicRunner("sonnet", api_key="sk-not-a-key", base_url=fake.url, sleep=waits)


@pytest.mark.parametrize(
    ("kind", "limit", "left", "need"), [("requests", 1200, 4, 1), ("input-tokens", 60_000, 260, 50)]
)
async def test_no_call_is_refused_once_the_limits_are_known(
    fake: FakeAnthropic, kind: str, limit: int, left: float, need: int
) -> None:
    """Two hundred debates that each find out by a refusal spend their minutes on refusals, and some give up."""
    strict = Strict(kind, limit, left, need)
    fake.answer = strict
    one, other = runner(fake), runner(fake)
    await one.run(SPEAK)
    began = time.monotonic()
    replies = await asyncio.gather(*(each.run(SPEAK) for each in (one, other) for _ in range(8)))
    assert {reply.text for reply in replies} == {"So."}
    assert strict.refused == 0
    assert time.monotonic() - began >= 0.5  # twelve or more waited for 50 ms each
    await one.close()
    await other.close()


async def test_a_refusal_holds_up_the_other_calls_to_the_model_and_no_other_model(fake: FakeAnthropic) -> None:
    """A server that asks for rest is asked again by every debate, and blocks the account at last."""
    one, other = runner(fake), runner(fake)
    await asyncio.gather(one.run(BID), other.run(BID))  # opens the connections
    fake.play(Fail(429, "rate_limit_error", "slow down", headers={"retry-after": "2"}))
    began = time.monotonic()
    first = asyncio.create_task(one.run(SPEAK))
    while not fake.requests:  # noqa: ASYNC110 - the server's thread tells nobody
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.1)  # until the refusal is there
    await other.run(BID)
    assert not first.done()
    assert len(fake.requests) == 2
    await other.run(SPEAK)
    assert time.monotonic() - began >= 2
    assert (await first).text == "It is so."
    assert [json.dumps(each).count("What now?") for each in fake.requests] == [1, 0, 1, 1]
    await one.close()
    await other.close()


async def test_a_wait_for_the_limits_is_told_and_stopped(fake: FakeAnthropic) -> None:
    """A screen that stands still for a minute looks like a crash."""
    headers = {"anthropic-ratelimit-requests-limit": "5", "anthropic-ratelimit-requests-remaining": "0"}
    fake.play(Say("So.", headers=headers))
    waits, told = Waits(), []
    asked = runner(fake, waits)
    on_wait.set(told.append)
    await asked.run(SPEAK)
    assert (waits, told) == ([], [])
    await asked.run(SPEAK)
    assert 11 < waits[0] <= 12
    assert "limits a minute" in told[0].reason
    slow = runner(fake)
    held = [asyncio.create_task(slow.run(SPEAK)) for _ in range(3)]
    await asyncio.sleep(0.05)
    for task in held:
        task.cancel()
    assert all(isinstance(each, asyncio.CancelledError) for each in await asyncio.gather(*held, return_exceptions=True))
    assert len(fake.requests) == 2
    await asked.close()
    await slow.close()


async def test_headers_that_make_no_sense_pace_nothing() -> None:
    """A proxy that sends words where numbers belong would stop every debate."""
    limiter, waits = Limiter(), Waits()
    for limit, left in (("0", "0"), ("many", "0"), ("-5", "1"), ("5", "none"), ("²", "²")):
        told = {"anthropic-ratelimit-requests-limit": limit, "anthropic-ratelimit-requests-remaining": left}
        limiter.heard(told, answered=True)
    async with limiter.room(waits, rested=False):
        pass
    assert waits == []


async def test_a_reply_to_an_older_call_does_not_end_the_rest() -> None:
    """Streams that had begun before the refusal would let every debate ask again at once."""
    limiter, waits, refused = Limiter(), Waits(), asyncio.Event()

    async def older() -> None:
        async with limiter.room(waits, rested=False):
            await refused.wait()
            limiter.heard({}, answered=True)

    running = asyncio.create_task(older())
    await asyncio.sleep(0)
    limiter.rest(60)
    refused.set()
    await running
    async with limiter.room(waits, rested=False):
        limiter.heard({}, answered=True)
    assert [round(wait) for wait in waits] == [60]
    async with limiter.room(waits, rested=False):
        pass
    assert len(waits) == 1
