"""All calls to a model wait when its server asks for rest, whichever debate and runner makes them."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from fake_anthropic import Fail, FakeAnthropic

from eda import Prompt
from eda.events import CallDelayed
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.server import on_wait

SPEAK = Prompt(purpose="speak", agent="Ada", own="What now?")
BID = Prompt(purpose="bid", agent="Ben", own="Shall we?")


def runner(fake: FakeAnthropic, waits: Any = asyncio.sleep) -> AnthropicRunner:
    return AnthropicRunner("sonnet", api_key="sk-not-a-key", base_url=fake.url, sleep=waits)


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


async def test_a_wait_for_a_server_that_rests_is_told_and_stopped(fake: FakeAnthropic) -> None:
    """A screen that stands still for a minute looks like a crash."""
    asked, other = runner(fake), runner(fake)
    await asyncio.gather(asked.run(BID), other.run(BID))  # opens the connections
    fake.play(Fail(429, "rate_limit_error", "slow down", headers={"retry-after": "60"}))
    waits: asyncio.Queue[CallDelayed] = asyncio.Queue()
    on_wait.set(waits.put_nowait)
    held = [asyncio.create_task(asked.run(SPEAK))]
    told = [await waits.get()]
    held += [asyncio.create_task(other.run(SPEAK)) for _ in range(3)]
    told += [await waits.get() for _ in range(3)]
    for task in held:
        task.cancel()
    assert all(isinstance(each, asyncio.CancelledError) for each in await asyncio.gather(*held, return_exceptions=True))
    assert [50 < each.seconds <= 75 for each in told] == [True] * 4
    assert ["limits a minute" in each.reason for each in told] == [False, True, True, True]
    assert len(fake.requests) == 1
    await asked.close()
    await other.close()
