"""What comes of a call: the fact that it was made, also where no answer came, and the data that its answer holds."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import orjson

from eda.errors import RunnerError
from eda.events import CallMade
from eda.protocols import Prompt, Reply, Usage

__all__ = ["call_made", "failed_call", "structured", "unanswered"]


def call_made(prompt: Prompt, reply: Reply) -> CallMade:
    """The fact that a call was made and answered."""
    usage = reply.usage
    return CallMade(
        purpose=prompt.purpose,
        agent=prompt.agent,
        last=prompt.last,
        attempt=prompt.attempt,
        model=reply.model,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        cost=usage.cost,
        characters=len(prompt.text),
    )


def failed_call(prompt: Prompt, error: RunnerError | asyncio.CancelledError) -> tuple[CallMade, ...]:
    """The fact that a call was made and took something, though no answer came of it; none where it took nothing."""
    reply = unanswered(error)
    return () if reply is None else (call_made(prompt, reply),)


def unanswered(error: RunnerError | asyncio.CancelledError) -> Reply | None:
    """What a call took that failed or was given up, as a reply without words; None where it took nothing."""
    usage: Usage | None = getattr(error, "usage", None)
    return None if usage is None else Reply("", usage=usage, model=getattr(error, "model", ""))


def structured(reply: Reply) -> Mapping[str, Any] | None:
    """The structured answer: apart from the text, or the JSON object in it; None where there is none."""
    if isinstance(reply.data, Mapping):
        return reply.data
    start, end = reply.text.find("{"), reply.text.rfind("}")
    try:
        found = orjson.loads(reply.text[start : end + 1].encode("utf-8", "replace")) if 0 <= start < end else None
    except orjson.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None
