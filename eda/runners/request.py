"""A prompt as the Messages API takes it: house rules, then what all agents share, then what differs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from eda.protocols import Prompt, Purpose
from eda.runners.models import Model

__all__ = ["STRONG", "blocks", "request"]

STRONG: frozenset[Purpose] = frozenset({"speak", "ask", "report", "judge"})
"""What the speaker's model is asked for; the cheap one is asked for all else."""
_MAX_TOKENS: Mapping[Purpose, int] = {
    "speak": 8_000,
    "ask": 8_000,
    "report": 16_000,
    "judge": 8_000,
    "summarise": 4_000,
}
"""Of a reply, thinking included."""
_MAX_TOKENS_ELSE = 1_000
_THINKING_ROOM = 4_000
"""Tokens added to a cheap call where the model cannot be kept from thinking."""
_CHUNK = 2_000
"""Characters. What all agents share is sent in blocks of at least this, each ending with a line."""
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
    max_tokens = _MAX_TOKENS.get(prompt.purpose, _MAX_TOKENS_ELSE)
    made: dict[str, Any] = {
        "model": model.id,
        "messages": [{"role": "user", "content": blocks(prompt.shared, own)}],
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


def blocks(shared: tuple[str, ...], own: str) -> list[dict[str, Any]]:
    """The user's turn, so cut that a cache hits.

    A cache knows the blocks it has seen, not the letters: one block that grows would never be found again. So what is
    shared goes in blocks of full lines that stay as they are while the text grows. The first breakpoint, after the last
    full block, is found again by later turns (within the 20 blocks that the API looks back); the second, after the
    rest, by the other agents who are asked at this turn.
    """
    text = "\n\n".join(part for part in shared if part)
    pieces, start = list[str](), 0
    while (end := text.find("\n", start + _CHUNK)) >= 0:
        pieces.append(text[start : end + 1])
        start = end + 1
    full = [{"type": "text", "text": piece} for piece in pieces if piece.strip()]
    rest = [{"type": "text", "text": piece} for piece in (text[start:],) if piece.strip()]
    marked = [{**block, "cache_control": _EPHEMERAL} for block in (*full[-1:], *rest)]
    last = [{"type": "text", "text": f"\n\n{own}" if marked else own}] if own.strip() else []
    return [*full[:-1], *marked, *last]


def _schema(prompt: Prompt, model: Model) -> dict[str, Any] | None:
    if prompt.answer is None:
        return None
    if not model.structured:
        return prompt.answer.model_json_schema()
    from anthropic import transform_schema  # noqa: PLC0415 - the SDK takes a second to import

    return transform_schema(prompt.answer)
