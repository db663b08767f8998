"""A prompt as the Messages API takes it: house rules, then what all agents share, then what differs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import BaseModel

from eda.protocols import Prompt, Purpose
from eda.runners.models import Model

__all__ = ["STRONG", "blocks", "request"]

STRONG: frozenset[Purpose] = frozenset({"speak", "ask", "report", "baseline"})
"""What the speaker's model is asked for; the cheap one is asked for all else."""
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


def request(prompt: Prompt, model: Model) -> dict[str, Any]:
    """What is sent."""
    cheap = prompt.purpose not in STRONG
    schema = _schema(prompt, model)
    own, output = prompt.own, dict[str, Any]()
    if schema is not None and model.structured:
        output["format"] = {"type": "json_schema", "schema": schema}
    elif schema is not None:
        own += f"\n\nAnswer with one JSON object and nothing else. It must fit this JSON schema:\n{json.dumps(schema)}"
    if model.effort:
        output["effort"] = "low" if cheap or schema is not None else "medium"
    max_tokens = max(_MAX_TOKENS.get(prompt.purpose, _MAX_TOKENS_ELSE), _MAX_TOKENS_A_BID * len(prompt.asked))
    made: dict[str, Any] = {
        "model": model.id,
        "messages": [{"role": "user", "content": blocks((*prompt.shared, *prompt.held), own, _ends(prompt))}],
    }
    if prompt.system:
        made["system"] = [{"type": "text", "text": prompt.system}]
    if output:
        made["output_config"] = output
    if cheap and model.thinking_off is not None:
        made["thinking"] = {"type": model.thinking_off}
    elif cheap:
        max_tokens += _THINKING_ROOM
    return {**made, "max_tokens": max_tokens}


def blocks(shared: Sequence[str], own: str, ends: Iterable[int] = ()) -> list[dict[str, Any]]:
    """The user's turn, so cut that a cache hits.

    A cache knows the blocks it has seen, not the letters: one block that grows would never be found again. So each part
    of what is shared is a block of its own: as parts are added at the end, what was there stays as it is.

    Args:
        shared: The parts; blank ones are left out.
        own: What follows them.
        ends: How many parts are kept together. The last block of each such run is marked: what is written there is
            found again, by itself or from a mark at most 19 blocks further on.
    """
    marked = {end - 1 for end in ends}
    made: list[dict[str, Any]] = []
    for place, part in enumerate((*shared, own)):
        if not part.strip():
            continue
        block: dict[str, Any] = {"type": "text", "text": f"\n\n{part}" if made else part}
        made.append({**block, "cache_control": _EPHEMERAL} if place in marked else block)
    return made


def _ends(prompt: Prompt) -> tuple[int, ...]:
    """Where the shared parts change less often than what follows, by the number of parts before.

    After the question and the context files, which never change; after the summaries, to which one is added where the
    transcript drops its beginning; after the transcript, which grows at each turn; after what memory holds, which all
    who are asked side by side are shown.
    """
    if not prompt.shared:
        return ()
    parts = len(prompt.shared)
    ends = (min(1 + len(prompt.documents), parts), max(parts - len(prompt.lines) - 1, 0), parts)
    return (*ends, parts + len(prompt.held)) if prompt.held else ends


def _schema(prompt: Prompt, model: Model) -> dict[str, Any] | None:
    if prompt.answer is None:
        return None
    if not model.structured:
        return prompt.answer.model_json_schema()
    return _transformed(prompt.answer)


@cache
def _transformed(answer: type[BaseModel]) -> dict[str, Any]:
    from anthropic import transform_schema  # noqa: PLC0415 - the SDK takes a second to import

    return transform_schema(answer)
