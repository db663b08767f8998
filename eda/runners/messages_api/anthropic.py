"""Claude: a stronger model for speech, a cheap one for bids, summaries, polls and ballots.

It is asked by its SDK, which takes a second to import: at the first call. A request has the house rules, then what all
agents share, then what differs.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from eda.errors import RunnerUnavailableError
from eda.runners.answer_text import StreamedAnswer
from eda.runners.api_client import CONNECT, ApiClient
from eda.runners.model_runner import ModelRunner
from eda.runners.models import INHERIT, STRONG, Model, ModelSpec, look_up, wished
from eda.runners.protocol import Prompt
from eda.runners.server import CALL_TIMEOUT, TRIES, Sleep
from eda.runners.server_errors import UNREADABLE, Place, StatusError, check_proxies

if TYPE_CHECKING:
    from anthropic import APIStatusError, AsyncAnthropic


import json
from functools import cache

from pydantic import BaseModel

from eda.runners.request_parts import (
    THINKING_ROOM,
    blocks,
    cache_ends,
    held_to_form,
    max_tokens,
    with_form,
)


def request(prompt: Prompt, model: Model, *, speaks: bool = False) -> dict[str, Any]:
    """Return the body of the request.

    Calls of one model must differ in nothing but their ends, or none finds what another wrote into the cache: schema,
    effort and thinking belong to what is compared. So a prompt with a shared part asks for JSON in words, unless it is
    held to its form. The model that speaks thinks about such a prompt as
    it does about a speech. Every other small call thinks as little as its model can.

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
    if model.structured and held_to_form(prompt, speaks=speaks):
        output["format"] = {"type": "json_schema", "schema": prompt.strict}
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


_COUNTS = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_input_tokens": "cache_read_tokens",
    "cache_creation_input_tokens": "cache_write_tokens",
}
"""The API's names of token counts, and ours."""


class MessagesClient(ApiClient["AsyncAnthropic"]):
    """Asks by the SDK, which is told not to retry."""

    def __init__(self, key: str, base_url: str | None) -> None:
        """Ask at `base_url`, by default the SDK's own."""
        super().__init__()
        self._key = key
        self._base_url = base_url

    def _connection(self) -> tuple[AsyncAnthropic, Callable[[], Awaitable[None]]]:
        from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient, Timeout  # noqa: PLC0415 - see the docstring above

        check_proxies()
        client = AsyncAnthropic(
            api_key=self._key,
            base_url=self._base_url,
            max_retries=0,
            timeout=Timeout(None, connect=CONNECT),
            http_client=DefaultAsyncHttpxClient(follow_redirects=False),
        )
        return client, client.close

    def request(self, prompt: Prompt, model: Model, *, speaks: bool) -> dict[str, Any]:
        """Return the arguments of the SDK's call."""
        return request(prompt, model, speaks=speaks)

    def beginning(self, prompt: Prompt, request: Mapping[str, Any]) -> str:  # noqa: ARG002 - the request has marks
        """Return the request up to its last cache mark; empty if nothing is marked."""
        content = request["messages"][0]["content"]
        marks = [place for place, block in enumerate(content) if "cache_control" in block]
        if not marks:
            return ""
        beside = [request.get(each) for each in ("model", "system", "output_config", "thinking")]
        return json.dumps([*beside, content[: marks[-1] + 1]], sort_keys=True)

    @asynccontextmanager
    async def events(
        self,
        request: Mapping[str, Any],
        tell: Callable[[str], object],  # noqa: ARG002 - nothing is left out
    ) -> AsyncIterator[tuple[Mapping[str, str], AsyncIterator[Any]]]:
        """Give the headers and the SDK's events of a call."""
        from anthropic import APIStatusError  # noqa: PLC0415 - see the docstring above

        client = await self.open()
        try:
            async with await client.messages.create(**request, stream=True) as events:
                yield events.response.headers, events
        except APIStatusError as error:
            raise _refusal(error) from None

    def take(self, answer: StreamedAnswer, event: Any) -> str:
        """Add one event to the answer; what is sent in place of words is left out."""
        piece = thought = ""
        match getattr(event, "type", ""):
            case "message_start":
                answer.begun = True
                answer.answers_as(getattr(event.message, "model", None))
                _count(answer, getattr(event.message, "usage", None))
            case "content_block_start":
                piece = _words(event.content_block, "text")
            case "content_block_delta":
                piece, thought = _words(event.delta, "text"), _words(event.delta, "thinking")
            case "message_delta":
                answer.stop = getattr(event.delta, "stop_reason", None) or answer.stop
                _count(answer, getattr(event, "usage", None))
            case "message_stop":
                answer.stop = answer.stop or "no reason given"
        return answer.add(piece, thought)

    async def models(self) -> Any:
        """Return what GET /v1/models answers."""
        from anthropic import APIStatusError  # noqa: PLC0415 - see the docstring above

        try:
            return await (await self.open()).get("/v1/models", cast_to=object)
        except APIStatusError as error:
            raise _refusal(error) from None

    def wire_errors(self) -> tuple[type[Exception], ...]:
        """Return the errors of the SDK and of what it is built on."""
        import httpx2  # noqa: PLC0415 - it comes with the SDK
        from anthropic import APIError  # noqa: PLC0415 - see the docstring above

        return (APIError, httpx2.HTTPError, httpx2.InvalidURL, *UNREADABLE)


def _refusal(error: APIStatusError) -> StatusError:
    words = str(error.api_message or error.__cause__ or error)
    kind, code = str(error.type or ""), str(error.error_code or "")
    return StatusError(words, status=error.status_code, kind=kind, code=code, headers=error.response.headers)


def _count(answer: StreamedAnswer, usage: Any) -> None:
    for theirs, ours in _COUNTS.items():
        answer.count(ours, getattr(usage, theirs, None))


def _words(part: Any, kind: str) -> str:
    """The text of a part of this kind; empty for another kind, and where a server sends something that is no text."""
    words = getattr(part, kind, None) if getattr(part, "type", None) in (kind, f"{kind}_delta") else None
    return words if isinstance(words, str) else ""


_ADDRESS = "https://api.anthropic.com"
_SPEAKER, _CHEAP = "sonnet", "haiku"
_NO_KEY = "Set ANTHROPIC_API_KEY to a key from https://platform.claude.com; `--runner simulated` needs none."
_API = Place(
    name="the API",
    access="Check the key in ANTHROPIC_API_KEY and the account's credit and limits; `--runner simulated` needs none.",
    later="Try again later, or look at https://status.claude.com.",
    models="haiku, sonnet and opus stand for current ones, as in --speak-model sonnet. See also ANTHROPIC_BASE_URL.",
    address="See ANTHROPIC_BASE_URL.",
)


class AnthropicRunner(ModelRunner):
    """Asks Claude.

    Args:
        model: The speaker's; an id or an alias, None or `inherit` for the usual one.
        cheap_model: For bids, summaries, polls and ballots; `inherit` for the speaker's.
        fallback_model: Asked if another has failed; None for none.
        api_key: None for ANTHROPIC_API_KEY.
        base_url: None for ANTHROPIC_BASE_URL, or the API's own if that is not set.
        attempts: Failures in a row after which the server is given up.
        timeout: Seconds that a call may go without progress, and a fifth of those that it may take in all.
        sleep: Waits between attempts.

    Raises:
        RunnerUnavailableError: there is no key, or it holds a character that no key has.
    """

    def __init__(
        self,
        model: str | None = None,
        *,
        cheap_model: str | None = None,
        fallback_model: str | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
        attempts: int = TRIES,
        timeout: float = CALL_TIMEOUT,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        key = (api_key or os.environ.get("ANTHROPIC_API_KEY", "")).strip()
        if not key:
            message = "the runner 'anthropic' needs an API key, and none is set"
            raise RunnerUnavailableError(message, hint=_NO_KEY, refused=True)
        if not (key.isascii() and key.isprintable()):
            raise RunnerUnavailableError("the API key holds a character that no key has", hint="Copy it again.")
        own = base_url or os.environ.get("ANTHROPIC_BASE_URL", "").strip()
        place = replace(_API, later="Try again later. Is ANTHROPIC_BASE_URL right?") if own else _API
        super().__init__(
            place,
            MessagesClient(key, base_url),
            address=own or _ADDRESS,
            key=key,
            attempts=attempts,
            timeout=timeout,
            sleep=sleep,
        )
        speak, cheap = (model or _SPEAKER).strip(), (cheap_model or _CHEAP).strip()
        self.model = look_up(_SPEAKER if speak.lower() == INHERIT else speak).id
        self.cheap_model = self.model if cheap.lower() == INHERIT else look_up(cheap).id
        self.fallback_model = look_up(fallback_model).id if fallback_model else ""
        named = ModelSpec("anthropic", speak=self.model, cheap=self.cheap_model, fallback=self.fallback_model)
        self.spec = str(named)

    def model_for(self, prompt: Prompt) -> str:
        """Return the id of the model to ask: for speech, the persona's own if it names one."""
        if prompt.purpose not in STRONG:
            return self.cheap_model
        return look_up(wished(prompt) or self.model).id

    def _known(self, name: str) -> Model:
        return look_up(name)

    def _is_own(self, name: str) -> bool:
        return name in (self.model, self.cheap_model, self.fallback_model)
