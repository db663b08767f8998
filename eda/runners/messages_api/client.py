"""Reaches a server that speaks the Messages API, by its SDK, which takes a second to import: at the first call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from eda.runners.answer_text import StreamedAnswer
from eda.runners.api_client import CONNECT, ApiClient
from eda.runners.messages_api.request import beginning, request
from eda.runners.models import Model
from eda.runners.protocol import Prompt
from eda.runners.server_errors import UNREADABLE, StatusError, check_proxies

if TYPE_CHECKING:
    from anthropic import APIStatusError, AsyncAnthropic

_COUNTS = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_input_tokens": "cache_read_tokens",
    "cache_creation_input_tokens": "cache_write_tokens",
}
"""The API's names of token counts, and ours."""


class MessagesClient(ApiClient["AsyncAnthropic"]):
    """Asks by the SDK, which is told not to retry."""

    def __init__(self, key: str, base_url: str | None, headers: Callable[[], Mapping[str, Any]] = dict) -> None:
        """Ask at `base_url`, by default the SDK's own; `headers` returns those beside the SDK's."""
        super().__init__()
        self._key = key
        self._base_url = base_url
        self._headers = headers

    def _connection(self) -> tuple[AsyncAnthropic, Callable[[], Awaitable[None]]]:
        from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient, Timeout  # noqa: PLC0415 - see the docstring above

        check_proxies()
        client = AsyncAnthropic(
            api_key=self._key,
            base_url=self._base_url,
            max_retries=0,
            timeout=Timeout(None, connect=CONNECT),
            default_headers=self._headers(),
            http_client=DefaultAsyncHttpxClient(follow_redirects=False),
        )
        return client, client.close

    def request(self, prompt: Prompt, model: Model, extra: Mapping[str, Any], *, speaks: bool) -> dict[str, Any]:
        """Return the arguments of the SDK's call."""
        body = request(prompt, model, speaks=speaks)
        return {**body, "extra_body": dict(extra)} if extra else body

    def beginning(self, prompt: Prompt, request: Mapping[str, Any]) -> str:  # noqa: ARG002 - the request has marks
        """Return the request up to its last cache mark."""
        return beginning(request)

    @asynccontextmanager
    async def events(
        self,
        request: Mapping[str, Any],
        tell: Callable[[str], object],  # noqa: ARG002 - nothing is left out
    ) -> AsyncIterator[tuple[Mapping[str, str], AsyncIterator[Any]]]:
        """Give the headers and the SDK's events of a call."""
        from anthropic import APIStatusError  # noqa: PLC0415 - see the docstring above

        try:
            async with await (await self.open()).messages.create(**request, stream=True) as events:
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
