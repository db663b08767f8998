"""What requests of all APIs have in common: the length of a reply, the form of an answer in words, and the blocks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import BaseModel

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
THINKING_ROOM = 4_000
"""Tokens added to a cheap call where the model cannot be kept from thinking."""
_EPHEMERAL = {"type": "ephemeral"}


def max_tokens(prompt: Prompt) -> int:
    """Return the tokens that a reply may have."""
    return max(_MAX_TOKENS.get(prompt.purpose, _MAX_TOKENS_ELSE), _MAX_TOKENS_A_BID * len(prompt.asked))


def with_form(prompt: Prompt, schema: Mapping[str, Any]) -> str:
    """Return the prompt's own part; it ends with the schema of the answer, unless the prompt shows its form already."""
    shown = "".join((*prompt.held, prompt.own))
    if any(f'{{"{name}"' in shown for name in schema["properties"]):
        return prompt.own
    asked = "Answer with one JSON object and nothing else. It must fit this JSON schema:"
    return f"{prompt.own}\n\n{asked}\n{json.dumps(schema)}"


_NO_RULES = ("title", "default", "minLength", "maxLength", "minimum", "maximum")
"""Keys of a JSON schema that a strict one must not have, or needs none of: what comes is checked."""


@cache
def strict(answer: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of an answer as strict servers want it: every field required, and no field beside them."""
    schema = _strict(answer.model_json_schema())
    assert isinstance(schema, dict)
    return schema


def _strict(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    properties = schema.get("properties")
    plain = {key: _strict(value) for key, value in schema.items() if key not in (*_NO_RULES, "properties")}
    if isinstance(properties, Mapping):
        fields = {name: _strict(value) for name, value in properties.items()}
        plain |= {"properties": fields, "required": list(fields), "additionalProperties": False}
    return plain


def held_to_form(prompt: Prompt, *, speaks: bool) -> bool:
    """Return whether a model is held to the form of an answer although a cache is compared by its schema, too.

    A vote may cost one cache write of the prefix. Bids and what is asked between turns come again and again: where the
    model also `speaks`, they would have all of it written a second time.
    """
    return prompt.strict is not None and not (speaks and prompt.purpose in ("bid", "declare", "terms"))


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


def cache_ends(prompt: Prompt) -> tuple[int, ...]:
    """Return the numbers of parts after which a mark stands: where the parts before change less often than those after.

    Where the prompt says so; after the transcript, which grows at each turn; after the memory that all members asked in
    the same batch are shown.
    """
    if not prompt.shared:
        return ()
    parts = len(prompt.shared)
    return (*prompt.ends, parts, parts + len(prompt.held))
