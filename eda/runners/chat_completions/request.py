"""Turns a prompt into a request of the Chat Completions API: house rules, then what all share, then what differs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel

from eda.runners.models import STRONG, Model
from eda.runners.protocol import Prompt
from eda.runners.providers import Provider
from eda.runners.request_parts import THINKING_ROOM, blocks, cache_ends, max_tokens, with_form

_NO_RULES = ("title", "default", "minLength", "maxLength")
"""Keys of a JSON schema that a strict one must not have, or needs none of."""


def request(prompt: Prompt, model: Model, provider: Provider) -> dict[str, Any]:
    """Return the body of the request.

    The text asks for the form of an answer in words, too: a server may not know schemas, and then is asked without. All
    models may think, so that every small call has room for it.
    """
    schema = None if prompt.answer is None else prompt.answer.model_json_schema()
    own = prompt.own if schema is None else with_form(prompt, schema)
    parts = blocks((*prompt.shared, *prompt.held), own, cache_ends(prompt))
    marked = bool(provider.cache_marks) and model.id.startswith(provider.cache_marks)
    system = [{"type": "text", "text": prompt.system}]
    turns = [("system", system)] * bool(prompt.system) + [("user", parts)]
    most = max_tokens(prompt) + (0 if prompt.purpose in STRONG else THINKING_ROOM)
    body: dict[str, Any] = {
        "model": model.id,
        "messages": [
            {"role": role, "content": content if marked else "".join(part["text"] for part in content)}
            for role, content in turns
        ],
        provider.max_tokens: most,
    }
    if prompt.answer is not None and (provider.schema_where == "always" or not prompt.shared):
        named = {"name": prompt.answer.__name__, "strict": True, "schema": strict(prompt.answer)}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
        body |= provider.with_schema
    return body


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
