"""Asks a server that speaks the Chat Completions API, over httpx2, which comes with the SDK for Claude.

A request has the house rules, then what all share, then what differs. Servers differ in what they take.
What one refuses by name is left out from then on, or goes by its other name.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Any

from eda.runners.answer_text import StreamedAnswer
from eda.runners.api_client import CONNECT, ApiClient
from eda.runners.chat_completions.stream import events_of, refusal_of, taken
from eda.runners.models import Model
from eda.runners.protocol import Prompt
from eda.runners.providers import Provider
from eda.runners.server_errors import OK, UNREADABLE, check_proxies
from eda.words import ENGLISH

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Response


from functools import cache

from pydantic import BaseModel

from eda.runners.models import STRONG
from eda.runners.request_parts import (
    REFUSES,
    THINKING_ROOM,
    blocks,
    cache_ends,
    held_to_form,
    max_tokens,
    refuses_schema,
    with_form,
)

_NO_RULES = ("title", "default", "minLength", "maxLength")
"""Keys of a JSON schema that a strict one must not have, or needs none of."""


def request(prompt: Prompt, model: Model, provider: Provider, *, speaks: bool = False) -> dict[str, Any]:
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
    always = provider.schema_where == "always" or not prompt.shared
    if prompt.answer is not None and (always or held_to_form(prompt, speaks=speaks)):
        named = {"name": prompt.answer.__name__, "strict": True, "schema": prompt.strict or strict(prompt.answer)}
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


_MOST_ERROR = 100_000
"""Bytes of an error that are read."""
_LIMITS = ("max_tokens", "max_completion_tokens")
_OPTIONAL: Mapping[str, re.Pattern[str]] = {
    "response_format": refuses_schema,
    "stream_options": re.compile(r"stream_options|include_usage"),
    "seed": re.compile(r"\bseed\b"),
    "random_seed": re.compile(r"random_seed"),
    **dict.fromkeys(_LIMITS, re.compile(r"too large|in the completion", re.IGNORECASE)),
}
"""Fields that a request can do without, with what the error says of each where the server refuses it."""


class ChatClient(ApiClient["AsyncClient"]):
    """Asks one server of a provider."""

    least_tokens = 16

    def __init__(self, provider: Provider, url: str, key: str, sampling: Mapping[str, float]) -> None:
        """Ask at `url`, with these fields of `sampling` and the debate's seed in each request."""
        super().__init__()
        self._sampling = sampling
        self._provider = provider
        self._url = url
        self._key = key
        self._without: dict[str, set[str]] = {}
        """By model, fields that the server refuses."""

    def _connection(self) -> tuple[AsyncClient, Callable[[], Awaitable[None]]]:
        from httpx2 import AsyncClient, Timeout  # noqa: PLC0415 - only a call needs it

        check_proxies()
        headers = {"authorization": f"Bearer {self._key}"} if self._key else {}
        client = AsyncClient(timeout=Timeout(None, connect=CONNECT), headers=headers, follow_redirects=False)
        return client, client.aclose

    def request(self, prompt: Prompt, model: Model, *, speaks: bool) -> dict[str, Any]:
        """Return the body of the request, as the server would take it at best."""
        body = {**request(prompt, model, self._provider, speaks=speaks), **self._sampling}
        # The seed only where one was chosen: a strict server refuses fields that it does not know.
        return {**body, self._provider.seed: prompt.seed} if prompt.seed and self._provider.seed else body

    def beginning(self, prompt: Prompt, request: Mapping[str, Any]) -> str:
        """Return what stands before the prompt's own part; empty where nothing is shared."""
        if not prompt.shared:
            return ""
        form = json.dumps(request.get("response_format"))
        return "\n\n".join((request["model"], form, prompt.system, *prompt.shared, *prompt.held))

    @asynccontextmanager
    async def events(
        self, request: Mapping[str, Any], tell: Callable[[str], object]
    ) -> AsyncIterator[tuple[Mapping[str, str], AsyncIterator[Any]]]:
        """Give the headers and the chunks of a reply; a request that is refused for one field is sent without it."""
        while True:
            body = self._taken_by(request)
            async with (await self.open()).stream("POST", f"{self._url}/chat/completions", json=body) as response:
                if response.status_code == OK:
                    async with aclosing(events_of(response)) as events:
                        yield response.headers, events
                    return
                error = refusal_of(response.status_code, response.headers, await _begun(response))
            if error.status_code not in REFUSES:
                raise error
            if self._taken_by(request) != body:
                continue  # another call has learnt it meanwhile
            learnt = self._learnt(body, f"{error.code} {error}")
            if not learnt:
                raise error
            tell(learnt)

    def _taken_by(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return a request in the form that the server is known to take."""
        without = self._without.get(request["model"], set())
        body = {**request, "stream": True, "stream_options": {"include_usage": True}}
        if "other limit" in without:
            old, new = _LIMITS if _LIMITS[0] in body else _LIMITS[::-1]
            body[new] = body.pop(old)
        for field in without:
            body.pop(field, None)
        if "response_format" in without:
            body = {field: value for field, value in body.items() if field not in self._provider.with_schema}
        return body

    def _learnt(self, body: Mapping[str, Any], words: str) -> str:
        """Note the field that the server refuses, and return what is done about it; empty if there is none."""
        without = self._without.setdefault(body["model"], set())
        old = next((name for name in _LIMITS if name in body), "")
        if old and "other limit" not in without and _LIMITS[1] in words and not _OPTIONAL[old].search(words):
            without.add("other limit")
            return ENGLISH.say("server-no-limit", field=old)
        for field, refused in _OPTIONAL.items():
            if field in body and refused.search(words):
                without.add(field)
                return ENGLISH.say("server-no-field", field=field, form=field == "response_format")
        return ""

    def take(self, answer: StreamedAnswer, event: Any) -> str:
        """Add one chunk to the answer."""
        return taken(answer, event, self._provider.cost)

    async def models(self) -> Any:
        """Return what GET /models answers."""
        response = await (await self.open()).get(f"{self._url}/models")
        if response.status_code != OK:
            raise refusal_of(response.status_code, response.headers, response.content)
        return json.loads(response.content)

    def wire_errors(self) -> tuple[type[Exception], ...]:
        """Return the errors of httpx2, and of what it reads."""
        from httpx2 import HTTPError, InvalidURL  # noqa: PLC0415 - only a call needs it

        return (HTTPError, InvalidURL, *UNREADABLE)


async def _begun(response: Response) -> bytes:
    """Return the beginning of an error's text."""
    text = b""
    async with aclosing(response.aiter_bytes()) as pieces:
        async for piece in pieces:
            text += piece
            if len(text) > _MOST_ERROR:
                break
    return text
