"""Turns a prompt into a request of the Messages API: house rules, then what all agents share, then what differs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel

from eda.runners.models import STRONG, Model
from eda.runners.protocol import Prompt
from eda.runners.request_parts import THINKING_ROOM, blocks, cache_ends, max_tokens, with_form


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
    elif schema is not None:
        own = with_form(prompt, schema)
    if model.effort:
        output["effort"] = "medium" if as_speech else "low"
    most = max_tokens(prompt)
    body: dict[str, Any] = {
        "model": model.id,
        "messages": [{"role": "user", "content": blocks((*prompt.shared, *prompt.held), own, cache_ends(prompt))}],
    }
    if prompt.system:
        body["system"] = [{"type": "text", "text": prompt.system}]
    if output:
        body["output_config"] = output
    if cheap and not as_speech and model.thinking_off is not None:
        body["thinking"] = {"type": model.thinking_off}
    elif cheap:
        most += THINKING_ROOM
    return {**body, "max_tokens": most}


@cache
def _schema(answer: type[BaseModel], *, structured: bool) -> dict[str, Any]:
    if not structured:
        return answer.model_json_schema()
    from anthropic import transform_schema  # noqa: PLC0415 - the SDK takes a second to import

    return transform_schema(answer)


def beginning(request: Mapping[str, Any]) -> str:
    """Return the request up to its last cache mark; empty if nothing is marked."""
    content = request["messages"][0]["content"]
    marks = [place for place, block in enumerate(content) if "cache_control" in block]
    if not marks:
        return ""
    beside = [request.get(each) for each in ("model", "system", "output_config", "thinking")]
    return json.dumps([*beside, content[: marks[-1] + 1]], sort_keys=True)
