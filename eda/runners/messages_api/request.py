"""Turns a prompt into a request of the Messages API: house rules, then what all agents share, then what differs."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from pydantic import BaseModel

from eda.runners.models import STRONG, Model
from eda.runners.protocol import Prompt, Purpose

_MAX_TOKENS: Mapping[Purpose, int] = {
    "speak": 8_000,
    "ask": 8_000,
    "report": 16_000,
    "baseline": 8_000,
    "summarise": 4_000,
}
"""Of a reply, thinking included."""
_MAX_TOKENS_ELSE = 1_000
_MAX_TOKENS_A_BID = 100
_THINKING_ROOM = 4_000
"""Tokens added to a cheap call where the model cannot be kept from thinking."""
_EPHEMERAL = {"type": "ephemeral"}
_KEPT = 64
"""Beginnings that are remembered, far more than are under way at one time."""
_LEAST = 2_000
"""Characters; a shorter beginning is not cached."""


def request(prompt: Prompt, model: Model, *, speaks: bool = False) -> dict[str, Any]:
    """Return the body of the request.

    Calls of one model must differ in nothing but their ends, or none finds what another wrote into the cache: schema,
    effort and thinking belong to what is compared. So a prompt with a shared part asks for JSON in words, and the model
    that speaks thinks about it as it does about a speech. Every other small call thinks as little as its model can.

    Args:
        prompt: What to ask.
        model: Whom to ask.
        speaks: Whether the model also writes the speeches.
    """
    cheap = prompt.purpose not in STRONG
    structured = model.structured and not prompt.shared
    schema = None if prompt.answer is None else _schema(prompt.answer, structured=structured)
    as_speech = (speaks and bool(prompt.shared)) or not (cheap or schema)
    own, output = prompt.own, dict[str, Any]()
    if schema is not None and structured:
        output["format"] = {"type": "json_schema", "schema": schema}
    elif schema is not None and f'{{"{next(iter(schema["properties"]))}"' not in "".join((*prompt.held, own)):
        own += f"\n\nAnswer with one JSON object and nothing else. It must fit this JSON schema:\n{json.dumps(schema)}"
    if model.effort:
        output["effort"] = "medium" if as_speech else "low"
    max_tokens = max(_MAX_TOKENS.get(prompt.purpose, _MAX_TOKENS_ELSE), _MAX_TOKENS_A_BID * len(prompt.asked))
    body: dict[str, Any] = {
        "model": model.id,
        "messages": [{"role": "user", "content": blocks((*prompt.shared, *prompt.held), own, _ends(prompt))}],
    }
    if prompt.system:
        body["system"] = [{"type": "text", "text": prompt.system}]
    if output:
        body["output_config"] = output
    if cheap and not as_speech and model.thinking_off is not None:
        body["thinking"] = {"type": model.thinking_off}
    elif cheap:
        max_tokens += _THINKING_ROOM
    return {**body, "max_tokens": max_tokens}


def blocks(shared: Sequence[str], own: str, ends: Iterable[int] = ()) -> list[dict[str, Any]]:
    """Return the user's turn as blocks, cut so that a provider's cache hits.

    A cache matches whole blocks: one block that grows would never be found again. So each shared part is a block of its
    own, and parts are only added at the end.

    Args:
        shared: The parts; blank ones are left out.
        own: What follows them.
        ends: Numbers of parts after which a cache mark stands. A cache written there is found again by the same mark,
            or by one at most 19 blocks further on.
    """
    marked = {end - 1 for end in ends}
    content: list[dict[str, Any]] = []
    for place, part in enumerate((*shared, own)):
        if not part.strip():
            continue
        block: dict[str, Any] = {"type": "text", "text": f"\n\n{part}" if content else part}
        content.append({**block, "cache_control": _EPHEMERAL} if place in marked else block)
    return content


def _ends(prompt: Prompt) -> tuple[int, ...]:
    """The numbers of parts after which a mark stands: where the parts before change less often than those after.

    Where the prompt says so; after the transcript, which grows at each turn; after the memory that all members asked in
    the same batch are shown.
    """
    if not prompt.shared:
        return ()
    parts = len(prompt.shared)
    return (*prompt.ends, parts, parts + len(prompt.held))


@cache
def _schema(answer: type[BaseModel], *, structured: bool) -> dict[str, Any]:
    if not structured:
        return answer.model_json_schema()
    from anthropic import transform_schema  # noqa: PLC0415 - the SDK takes a second to import

    return transform_schema(answer)


class CacheWarmup:
    """Holds calls back that begin alike, so that the first writes the provider's cache and the others read it.

    A cache can be read once the answer to the call that writes it has begun. Sent all at once, each call would write
    the cache for itself, at a quarter more than plain input.
    """

    def __init__(self) -> None:
        self._begun: OrderedDict[tuple[int, str], asyncio.Event] = OrderedDict()
        """By event loop and beginning: no loop can wait for an event of another."""

    @asynccontextmanager
    async def call(self, request: Mapping[str, Any]) -> AsyncIterator[Callable[[], None]]:
        """Make a call inside, and call the function given when its answer begins. A failed call holds none back."""
        beginning = _beginning(request)
        key = id(asyncio.get_running_loop()), beginning
        begun = self._begun.get(key)
        if begun is not None:
            await begun.wait()
        else:
            begun = asyncio.Event()
            if beginning:
                self._begun[key] = begun
                if len(self._begun) > _KEPT:
                    self._begun.popitem(last=False)[1].set()
        try:
            yield begun.set
        finally:
            begun.set()


def _beginning(request: Mapping[str, Any]) -> str:
    """The request up to its last cache mark; empty if nothing is marked."""
    content = request["messages"][0]["content"]
    marks = [place for place, block in enumerate(content) if "cache_control" in block]
    if not marks:
        return ""
    beside = [request.get(each) for each in ("model", "system", "output_config", "thinking")]
    text = json.dumps([*beside, content[: marks[-1] + 1]], sort_keys=True)
    return text if len(text) >= _LEAST else ""
