"""Claude: a stronger model for speech, a cheap one for bids, summaries, polls and ballots.

It is asked by its SDK, which takes a second to import: at the first call. A request has the house rules, then what all
agents share, then what differs.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from eda.runners.answer_text import MESSAGES_COUNTS, StreamedAnswer, counted
from eda.runners.api_client import (
    THINKING_ROOM,
    CacheWarmup,
    HttpClient,
    Tell,
    blocks,
    cache_ends,
    checked_key,
    held_to_form,
    max_tokens,
    refusal_of,
    schema_of,
    with_form,
)
from eda.runners.model_runner import ModelRunner
from eda.runners.models import INHERIT, STRONG, Model, ModelSpec, Provider, look_up
from eda.runners.protocol import Prompt
from eda.runners.server import CALL_TIMEOUT, TRIES, Sleep
from eda.words import ENGLISH

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic


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
    schema = schema_of(prompt)
    structured = schema is not None and model.structured and not prompt.shared
    as_speech = (speaks and bool(prompt.shared)) or not (cheap or structured)
    own = prompt.own if structured else with_form(prompt)
    most = max_tokens(prompt)
    body: dict[str, Any] = {
        "model": model.id,
        "messages": [{"role": "user", "content": blocks((*prompt.shared, *prompt.held), own, cache_ends(prompt))}],
    }
    if prompt.system:
        body["system"] = [{"type": "text", "text": prompt.system}]
    held = structured or (model.structured and held_to_form(prompt, speaks=speaks))
    if output := _output(model, schema if held else None, as_speech=as_speech):
        body["output_config"] = output
    if cheap and not as_speech and model.thinking_off is not None:
        body["thinking"] = {"type": model.thinking_off}
    elif cheap:
        most += THINKING_ROOM
    return {**body, "max_tokens": most}


def _output(model: Model, schema: Mapping[str, Any] | None, *, as_speech: bool) -> dict[str, Any]:
    """Return the form and the effort that are asked for, where the model takes them."""
    form = {"format": {"type": "json_schema", "schema": schema}} if schema else {}
    return form | ({"effort": "medium" if as_speech else "low"} if model.effort else {})


_WORDED = "worded"


class MessagesClient(HttpClient):
    """Asks a server of the Messages API by the SDK, which is told not to retry."""

    def __init__(self, url: str, key: str) -> None:
        """Ask at `url`, with this key."""
        super().__init__(url, {})
        self._key = key
        self._probes = CacheWarmup(1)  # Has one call of each model find out whether its server takes a schema.
        self._refusers: set[str] = set()  # Models whose server takes none.

    async def _sdk(self) -> "AsyncAnthropic":
        from anthropic import AsyncAnthropic  # noqa: PLC0415 - see the head of this file

        client = await self.open()
        return AsyncAnthropic(
            api_key=self._key, base_url=self._url, max_retries=0, timeout=client.timeout, http_client=client
        )

    @asynccontextmanager
    async def events(
        self, request: Mapping[str, Any], tell: Tell
    ) -> AsyncIterator[tuple[Mapping[str, str], AsyncIterator[Any]]]:
        """Give the headers and the SDK's events of a call; one that is refused as invalid is sent without its schema.

        Where that is taken, the model is sent no schema any more.
        """
        from anthropic import BadRequestError, UnprocessableEntityError  # noqa: PLC0415 - see the head of this file

        body = {**request}
        worded, model = body.pop(_WORDED, None), body["model"]
        async with self._probes.call(model if worded else "") as known:
            if worded and model in self._refusers:
                body, worded = worded, None
            with _inner_errors():
                create = (await self._sdk()).messages.create
                try:
                    stream = await create(**body, stream=True)
                except (BadRequestError, UnprocessableEntityError):
                    if worded is None:
                        raise
                    stream = await create(**worded, stream=True)
                    self._refusers.add(model)
                    tell(ENGLISH.say("server-no-field", field="output_config.format", form=True))
                known()
                async with stream as events:
                    yield events.response.headers, (_plain(event) async for event in events)

    async def models(self) -> Any:
        """Return the list of the server's models, as it sends it."""
        with _inner_errors():
            return await (await self._sdk()).get("/v1/models", cast_to=object)

    def wire_errors(self) -> tuple[type[Exception], ...]:
        """Return the errors of the SDK and of what it is built on."""
        from anthropic import APIError  # noqa: PLC0415 - see the head of this file

        return (APIError, *super().wire_errors())

    def request(self, prompt: Prompt, model: Model, *, speaks: bool) -> dict[str, Any]:
        """Return the body of the request; one with a schema has another beside it, which asks for the form in words."""
        body = request(prompt, model, speaks=speaks)
        if "format" in body.get("output_config", {}):
            body[_WORDED] = request(prompt, model.model_copy(update={"structured": False}), speaks=speaks)
        return body

    def beginning(self, prompt: Prompt, request: Mapping[str, Any]) -> str:  # noqa: ARG002 - the request has marks
        """Return the request up to its last cache mark; empty if nothing is marked."""
        content = request["messages"][0]["content"]
        marks = [place for place, block in enumerate(content) if "cache_control" in block]
        if not marks:
            return ""
        beside = [request.get(each) for each in ("model", "system", "output_config", "thinking")]
        return json.dumps([*beside, content[: marks[-1] + 1]], sort_keys=True)

    def take(self, answer: StreamedAnswer, event: Any) -> str:
        """Add one event to the answer; what is sent in place of words is left out."""
        piece = thought = ""
        match event:
            case {"type": "message_start", "message": dict(message)}:
                answer.begun = True
                answer.answers_as(message.get("model"))
                counted(answer, message.get("usage"), MESSAGES_COUNTS)
            case {"type": "content_block_start", "content_block": {"type": "text", "text": str(words)}}:
                piece = words
            case {"type": "content_block_delta", "delta": {"type": "text_delta", "text": str(words)}}:
                piece = words
            case {"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": str(words)}}:
                thought = words
            case {"type": "message_delta", "delta": dict(delta)}:
                answer.stop = delta.get("stop_reason") or answer.stop
                counted(answer, event.get("usage"), MESSAGES_COUNTS)
            case {"type": "message_stop"}:
                answer.stop = answer.stop or "no reason given"
        return answer.add(piece, thought)


def _plain(event: Any) -> Any:
    """Return an event as the server wrote it; what is none, as it is."""
    return event.model_dump(exclude_unset=True, warnings=False) if isinstance(event, BaseModel) else event


@contextmanager
def _inner_errors() -> Iterator[None]:
    """Raise what is inside the errors of the SDK: what the server says, or what went wrong on the way."""
    from anthropic import APIError, APIStatusError  # noqa: PLC0415 - see the head of this file

    try:
        yield
    except APIStatusError as error:
        raise refusal_of(error.status_code, error.response.headers, json.dumps(error.body).encode()) from None
    except APIError as error:
        raise (error.__cause__ or error) from (error.__cause__ and error.__cause__.__cause__)


_ADDRESS = "https://api.anthropic.com"
_SPEAKER, _CHEAP = "sonnet", "haiku"
_API = Provider(
    name="anthropic",
    label="the API",
    url=_ADDRESS,
    keys=("ANTHROPIC_API_KEY",),
    access="Check ANTHROPIC_API_KEY, a key from https://platform.claude.com, and the account's credit and limits; "
    "`--runner simulated` needs none.",
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
        key = checked_key(api_key, _API)
        own = base_url or os.environ.get("ANTHROPIC_BASE_URL", "").strip()
        later = "Try again later. Is ANTHROPIC_BASE_URL right?" if own else _API.later
        speak, cheap = (model or _SPEAKER).strip(), (cheap_model or _CHEAP).strip()
        speaker = look_up(_SPEAKER if speak.lower() == INHERIT else speak).id
        cheaper = speaker if cheap.lower() == INHERIT else look_up(cheap).id
        fallback = look_up(fallback_model).id if fallback_model else ""
        super().__init__(
            ModelSpec("anthropic", speak=speaker, cheap=cheaper, fallback=fallback),
            replace(_API, later=later),
            MessagesClient(own or _ADDRESS, key),
            address=own or _ADDRESS,
            key=key,
            attempts=attempts,
            timeout=timeout,
            sleep=sleep,
        )
