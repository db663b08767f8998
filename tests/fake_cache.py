"""The Messages API on loopback that counts caches as the provider says it does. The one rule: no clock but the test's.

What is kept are prefixes, in the order tools, system, messages, each written only where a block is marked. A marked
block finds what was written at itself or at one of the blocks before it, `POSITIONS` in all. Too short a prefix is not
kept, and nobody says so. What is written can be read once its reply has begun, for five minutes from its last use.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fake_anthropic import Fail, FakeAnthropic, Say, Waits
from starlette.requests import Request
from starlette.responses import Response
from stated import stated

from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.models import look_up
from eda.runners.protocol import Prompt, Usage

__all__ = ["Bill", "Caches", "CachingAnthropic", "Panel", "least_cached"]

MARKS = 4
"""Blocks that a request may mark."""
POSITIONS = 20
"""Blocks at which a mark looks for what was written, itself counted."""
LIFE = 300.0
"""Seconds."""
PER_TOKEN = 4
"""Characters."""
_LEAST, _LEAST_SMALL = 1_024, 4_096
"""Tokens of the shortest prefix that is kept, where the table does not say: of most models, and of small ones."""
_SECONDS_A_CALL = 10.0
"""Of a speech: about 200 tokens."""
_WORDS = 150
"""Of a reply that is no structured answer."""


def least_cached(model: str) -> int:
    """Tokens of the shortest prefix that is kept."""
    return look_up(model).cache_floor or (_LEAST_SMALL if "haiku" in model else _LEAST)


@dataclass(slots=True)
class Bill:
    """Input of some calls, in tokens."""

    calls: int = 0
    uncached: int = 0
    read: int = 0
    written: int = 0
    cost: float = 0.0
    """US dollars, at the model's own prices."""

    @property
    def sent(self) -> int:
        """All input: what is billed where nothing is cached."""
        return self.uncached + self.read + self.written

    @property
    def billed(self) -> float:
        """In tokens of plain input: a read is a tenth of one, a write that lives five minutes one and a quarter."""
        return self.uncached + 0.1 * self.read + 1.25 * self.written

    def add(self, other: Bill) -> None:
        """Add calls."""
        self.calls += other.calls
        self.uncached += other.uncached
        self.read += other.read
        self.written += other.written
        self.cost += other.cost


@dataclass(slots=True)
class Caches:
    """What the provider keeps."""

    used: dict[str, float] = field(default_factory=dict)
    """When each prefix was written or last read, by its digest."""

    def count(self, body: dict[str, Any], now: float) -> tuple[Bill, tuple[str, ...]]:
        """The input of a request, and the digests of the prefixes to `keep` once its reply begins.

        Raises:
            ValueError: it marks too many blocks.
        """
        blocks = _blocks(body)
        marks = [place for place, (_, marked) in enumerate(blocks) if marked]
        if len(marks) > MARKS:
            raise ValueError(f"A maximum of {MARKS} blocks with cache_control may be provided. Found {len(marks)}.")
        digests, ends, sent, so_far = list[str](), list[int](), 0, hashlib.sha256(_beginning(body))
        for text, _ in blocks:
            so_far.update(f"{len(text)} {text}".encode())
            sent += len(text)
            digests.append(so_far.hexdigest())
            ends.append(sent // PER_TOKEN)
        found = max((self._found(digests, mark, now) for mark in marks), default=-1)
        read = ends[found] if found >= 0 else 0
        new = [place for place in marks if place > found and ends[place] >= least_cached(body["model"])]
        written = ends[new[-1]] - read if new else 0
        bill = Bill(1, sent // PER_TOKEN - read - written, read, written)
        counted = Usage(input_tokens=bill.uncached, cache_read_tokens=read, cache_write_tokens=written)
        bill.cost = look_up(body["model"]).priced(counted).cost or 0.0
        return bill, tuple(digests[place] for place in new)

    def keep(self, digests: Sequence[str], now: float) -> None:
        """A reply has begun: from now on others find what was written."""
        self.used.update(dict.fromkeys(digests, now))

    def _found(self, digests: Sequence[str], mark: int, now: float) -> int:
        """The last place up to a mark at which something was written; -1 where there is none near enough."""
        for place in range(mark, max(mark - POSITIONS, -1), -1):
            used = self.used.get(digests[place])
            if used is not None and now - used <= LIFE:
                self.used[digests[place]] = now
                return place
        return -1


def _beginning(body: dict[str, Any]) -> bytes:
    """What two requests must share beside their text: schema and effort are read before it, and thinking changes it."""
    return json.dumps([body["model"], body.get("output_config"), body.get("thinking")]).encode()


def _blocks(body: dict[str, Any]) -> list[tuple[str, bool]]:
    """The blocks in the order in which they are read, and which of them are marked."""
    tools = [{**tool, "text": json.dumps({**tool, "cache_control": None})} for tool in body.get("tools", ())]
    parts = [tools, body.get("system", ()), *(message["content"] for message in body["messages"])]
    listed = [[{"text": part}] if isinstance(part, str) else part for part in parts]
    return [(block["text"], "cache_control" in block) for part in listed for block in part]


class CachingAnthropic(FakeAnthropic):
    """Counts input by its caches and answers for a panel; its replies begin when all calls under way have come in."""

    def __init__(self) -> None:
        super().__init__()
        self.piece = 200
        self.clock: Callable[[], float] = lambda: _SECONDS_A_CALL * len(self.requests)
        """Seconds."""
        self.caches = Caches()
        self.bills: dict[str, Bill] = {}
        """By purpose; of calls that no `Panel` made, by ''."""
        self.prompts: dict[str, Prompt] = {}
        """What a `Panel` asks, by the name under which it asks."""
        self.names = False
        """Whether each message names who is next."""
        self._arrived = 0
        self._all_in = asyncio.Condition()
        draw = random.Random(1)
        self._words = ["".join(draw.choices("abcdefghijklmnoprstu", k=draw.randint(3, 7))) for _ in range(60_000)]

    def bill(self, *purposes: str) -> Bill:
        """Of the calls for these purposes; of all, where none is named."""
        whole = Bill()
        for purpose in purposes or self.bills:
            whole.add(self.bills[purpose])
        return whole

    async def _messages(self, request: Request) -> Response:
        body = json.loads(await request.body())
        prompt = self.prompts.get(body.get("metadata", {}).get("user_id", ""))
        try:
            bill, written = self.caches.count(body, self.clock())
        except ValueError as error:
            self.script.append(Fail(400, "invalid_request_error", str(error)))
            return await super()._messages(request)
        self.bills.setdefault(prompt.purpose if prompt else "", Bill()).add(bill)
        async with self._all_in:
            self._arrived += 1
            self._all_in.notify_all()
            await self._all_in.wait_for(lambda: self._arrived >= len(self.prompts))
        self.caches.keep(written, self.clock())
        text = self._answer(prompt) if prompt else "It is so."
        usage = {
            "input_tokens": bill.uncached,
            "cache_read_input_tokens": bill.read,
            "cache_creation_input_tokens": bill.written,
            "output_tokens": len(text) // PER_TOKEN,
        }
        self.script.append(Say(text, usage=usage))
        return await super()._messages(request)

    def _answer(self, prompt: Prompt) -> str:  # noqa: PLR0911 - one for each purpose
        """New words, so that nobody repeats anybody, or what the purpose asks for: the same for the same call."""
        draw = random.Random(f"{prompt.purpose} {prompt.agent} {prompt.last} {prompt.attempt}")
        asked = prompt.answer.model_fields if prompt.answer else {}
        bids = [{"agent": title, "wants": True, "urgency": _urgency(prompt, title)} for title in prompt.members]
        if "bids" in asked:
            return json.dumps({"bids": bids})
        if prompt.purpose == "bid":
            return json.dumps(next(bid for bid in bids if bid["agent"] == prompt.agent))
        if prompt.purpose == "report":
            return json.dumps({"reasons": [], "dissent": [], "risks": [], "open": []})
        if prompt.purpose == "ballot":
            return json.dumps({"choice": prompt.options[0], "reason": ""})
        sentences = [" ".join(draw.choices(self._words, k=15)).capitalize() + "." for _ in range(_WORDS // 15)]
        said = " ".join(sentences)
        if prompt.purpose == "declare":
            return json.dumps({"acts": []})
        if prompt.purpose == "summarise":
            return stated(prompt, 12)
        return said + (f"\n[NEXT {_silent_longest(prompt)}]" if self.names and prompt.purpose == "speak" else "")


def _silent_longest(prompt: Prompt) -> str:
    last = {line.who: line.number for line in prompt.lines}
    return min((who for who in prompt.members if who != prompt.agent), key=lambda who: last.get(who, 0))


class Panel(AnthropicRunner):
    """The real runner, which tells the server of each call before it makes it, and waits for nothing in between.

    Summaries stand from a fixed message on, so that two debates differ by their settings alone.
    """

    deterministic = True

    def __init__(self, server: CachingAnthropic, *, cheap_model: str | None = None) -> None:
        super().__init__(cheap_model=cheap_model, api_key="sk-ant-not-a-key", base_url=server.url, sleep=Waits())
        self._server = server

    async def _stream(self, call: Any, begun: Callable[[], None]) -> Any:
        """Ask, once all who are asked at the same time have said so."""
        self._server.prompts[_name(call.prompt)] = call.prompt
        call.request["metadata"] = {"user_id": _name(call.prompt)}
        await asyncio.sleep(0)
        return await super()._stream(call, begun)


def _name(prompt: Prompt) -> str:
    return " ".join(map(str, prompt.key))


def _urgency(prompt: Prompt, title: str) -> float:
    return round(random.Random(f"{title} {prompt.last} {prompt.attempt}").random(), 3)
