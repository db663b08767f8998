"""Claude, or whatever speaks its Messages API. The one rule: a reply is whole, or there is none.

A stream that breaks off, ends early or is cancelled never becomes a reply: the turn is asked again from the start, and
`on_text` then gets its pieces from the start too. Whoever shows pieces replaces them by the message that is posted.
This is the only layer that asks again; the SDK is told not to. The SDK takes a second to import, so it is imported at
the first call.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from time import time
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from eda.errors import RunnerError, RunnerUnavailableError
from eda.protocols import OnText, Prompt, Purpose, Reply, Usage
from eda.runners.models import Model, look_up

if TYPE_CHECKING:
    from anthropic import APIStatusError, AsyncAnthropic
    from anthropic.types import Message

__all__ = ["AnthropicRunner"]

_SPEAKER = "claude-sonnet-5-5"
_STRONG: frozenset[Purpose] = frozenset({"speak", "ask", "report", "judge"})
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
_FIRST_WAIT, _LONGEST_WAIT, _LONGEST_ORDERED = 0.5, 16.0, 120.0
"""Seconds: the first back-off, the longest of our own, and the longest that a server may ask for."""
_ACCOUNT_TYPES = {"authentication_error", "permission_error", "billing_error"}
_ACCOUNT_CODES = {
    "enforced_spend_limit_reached",
    "contract_spend_limit_reached",
    "linked_organization_spend_limit_reached",
    "linked_organization_billing_unavailable",
    "organization_on_hold",
}
_ACCOUNT_WORDS = re.compile(r"credit balance|API usage limits", re.IGNORECASE)
"""An empty account and a limit that its owner set come as a plain 400; only the wording tells."""
_SHORTEST_SECRET = 8
"""Characters. A gateway on the same machine is given `x` or `ollama` for a key, and those are words of errors too."""
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]*_]*(?=\s|$)|[。！？][」』）”]*")
_LIST_NUMBER = re.compile(r"\s*(\d{1,3}|[a-z])\.")
_NO_KEY = "Set ANTHROPIC_API_KEY to a key from https://platform.claude.com; `--runner simulated` needs none."
_BAD_ACCOUNT = (
    "Check the key in ANTHROPIC_API_KEY and the account's credit and limits; `--runner simulated` needs none."
)

Sleep = Callable[[float], Awaitable[None]]


class _PassingError(Exception):
    """A failure that may not happen again."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait
        """Seconds that the server asked for."""


@dataclass
class _Call:
    """One question to one model, and what asking it took so far."""

    model: Model
    own_model: bool
    """Whether the model is the runner's and not a persona's: then every call fails if it does not exist."""
    request: dict[str, Any]
    on_text: OnText | None
    usage: Usage = field(default_factory=Usage)

    def count(self, message: Message) -> None:
        """Add what one attempt took, also one that broke off."""
        seen = getattr(message, "usage", None)
        one = self.model.priced(
            Usage(
                input_tokens=getattr(seen, "input_tokens", None) or 0,
                output_tokens=getattr(seen, "output_tokens", None) or 0,
                cache_read_tokens=getattr(seen, "cache_read_input_tokens", None) or 0,
                cache_write_tokens=getattr(seen, "cache_creation_input_tokens", None) or 0,
            )
        )
        self.usage = Usage(
            input_tokens=self.usage.input_tokens + one.input_tokens,
            output_tokens=self.usage.output_tokens + one.output_tokens,
            cache_read_tokens=self.usage.cache_read_tokens + one.cache_read_tokens,
            cache_write_tokens=self.usage.cache_write_tokens + one.cache_write_tokens,
            cost=None if one.cost is None or self.usage.cost is None else self.usage.cost + one.cost,
        )


class AnthropicRunner:
    """Asks Claude: a stronger model for speech, a cheap one for bids, summaries, polls and ballots.

    A structured answer that does not fit is sent back once with what is wrong; if the next does not fit either, the
    reply has its text and no data. Pieces of a structured answer do not go to `on_text`.
    """

    deterministic = False
    summarises = True

    def __init__(
        self,
        model: str | None = None,
        *,
        cheap_model: str = "claude-haiku-5-5",
        api_key: str | None = None,
        base_url: str | None = None,
        attempts: int = 7,
        timeout: float = 120.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        key = (api_key or os.environ.get("ANTHROPIC_API_KEY", "")).strip()
        if not key:
            raise RunnerUnavailableError("the runner 'anthropic' needs an API key, and none is set", hint=_NO_KEY)
        if not (key.isascii() and key.isprintable()):
            raise RunnerUnavailableError("the API key holds a character that no key has", hint="Copy it again.")
        self.model = look_up(model or _SPEAKER).id
        self.cheap_model = look_up(cheap_model).id
        self.spec = f"anthropic:{self.model}"
        self._key = key
        self._base_url = base_url
        self._attempts = attempts
        self._timeout = timeout
        self._sleep = sleep
        self._jitter = random.Random()
        self._client: AsyncAnthropic | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Answer one prompt, calling `on_text` with pieces of the prose as they come."""
        name = self._model_for(prompt)
        model = look_up(name)
        own_model = name in (self.model, self.cheap_model)
        request = _request(prompt, model, self._schema(prompt, model))
        call = _Call(model, own_model, request, on_text if prompt.answer is None else None)
        text, cut = await self._ask(call)
        if prompt.answer is not None:
            text, data = await self._fitted(call, prompt.answer, text)
            return Reply(text=text, data=data, usage=call.usage, model=model.id)
        if cut:
            text = _whole_sentences(text)
            if not text:
                raise RunnerError(f"{model.id} used up its tokens before it had written one sentence")
        return Reply(text=text, usage=call.usage, model=model.id)

    async def close(self) -> None:
        """Let go of the connections. A later call opens new ones."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.close()

    def _model_for(self, prompt: Prompt) -> str:
        if prompt.purpose not in _STRONG:
            return self.cheap_model
        wish = (prompt.persona.model or "").strip() if prompt.persona is not None else ""
        return self.model if wish.lower() in ("", "inherit") else look_up(wish).id

    def _schema(self, prompt: Prompt, model: Model) -> dict[str, Any] | None:
        if prompt.answer is None:
            return None
        if not model.structured:
            return prompt.answer.model_json_schema()
        from anthropic import transform_schema  # noqa: PLC0415 - see the module's docstring

        return transform_schema(prompt.answer)

    def _open(self) -> AsyncAnthropic:
        """The client of the running loop: connections do not outlive the loop that opened them."""
        from anthropic import AsyncAnthropic, Timeout  # noqa: PLC0415 - see the module's docstring

        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            timeout = Timeout(self._timeout, connect=min(10.0, self._timeout))
            self._client = AsyncAnthropic(api_key=self._key, base_url=self._base_url, max_retries=0, timeout=timeout)
            self._loop = loop
        return self._client

    async def _fitted(self, call: _Call, answer: type[BaseModel], text: str) -> tuple[str, dict[str, Any] | None]:
        """The structured answer in a text, asked for once more where it does not fit."""
        data, wrong = _fit(answer, text)
        if data is not None:
            return text, data
        again = f"That does not fit: {wrong}. Answer again with one JSON object that does, and nothing else."
        turns = [{"role": "assistant", "content": text}, {"role": "user", "content": again}]
        call.request = {**call.request, "messages": [*call.request["messages"], *turns]}
        try:
            text, _ = await self._ask(call)
        except RunnerUnavailableError:
            raise
        except RunnerError:
            return text, None
        return text, _fit(answer, text)[0]

    async def _ask(self, call: _Call) -> tuple[str, bool]:
        """The whole text of an answer, and whether it was cut at the token limit."""
        for attempt in range(1, self._attempts + 1):
            try:
                message = await self._once(call)
            except _PassingError as failure:
                if attempt == self._attempts:
                    raise RunnerError(
                        f"{call.model.id} failed {attempt} times, the last time with: {failure}",
                        hint="Try again later, or look at https://status.claude.com.",
                    ) from failure
                await self._sleep(self._wait(attempt, failure))
            else:
                break
        if message.stop_reason == "refusal":
            raise RunnerError(f"{call.model.id} refused to answer")
        text = "".join(block.text for block in message.content if block.type == "text").strip()
        if not text:
            raise RunnerError(f"{call.model.id} answered without any text (it stopped for: {message.stop_reason})")
        return text, message.stop_reason in ("max_tokens", "model_context_window_exceeded")

    def _wait(self, attempt: int, failure: _PassingError) -> float:
        """Seconds to wait: what the server asked for, else twice as long each time; never all agents at once."""
        if failure.wait is not None and failure.wait > _LONGEST_ORDERED:
            raise RunnerError(
                f"the server wants {failure.wait:.0f} seconds of rest: {failure}", hint="Go on with it later."
            ) from failure
        own = min(_FIRST_WAIT * 2.0 ** (attempt - 1), _LONGEST_WAIT) * self._jitter.uniform(0.75, 1.25)
        return own if failure.wait is None else max(own, failure.wait * self._jitter.uniform(1.0, 1.25))

    async def _once(self, call: _Call) -> Message:
        """One attempt."""
        import anthropic  # noqa: PLC0415 - see the module's docstring
        import httpx2  # noqa: PLC0415 - it comes with the SDK

        message: Message | None = None
        try:
            async with self._open().messages.stream(**call.request) as stream:
                try:
                    async for event in stream:
                        if event.type == "message_start":
                            message = stream.current_message_snapshot
                        elif event.type == "text" and call.on_text is not None:
                            call.on_text(event.text)
                finally:
                    if message is not None:
                        message = stream.current_message_snapshot
                        call.count(message)
        except anthropic.APIStatusError as error:
            judged = self._judged(call, error)
            raise judged from (None if self._key in str(error) else error)
        except (anthropic.APIError, httpx2.HTTPError, httpx2.InvalidURL, json.JSONDecodeError) as error:
            if isinstance(error.__cause__ or error, httpx2.UnsupportedProtocol | httpx2.InvalidURL):
                said = f"the API's base URL cannot be used: {self._said(error)}"
                raise RunnerUnavailableError(said, hint="See ANTHROPIC_BASE_URL.") from error
            raise _PassingError(self._said(error)) from error
        if message is None or message.stop_reason is None:
            raise _PassingError("the answer broke off")
        return message

    def _judged(self, call: _Call, error: APIStatusError) -> Exception:
        """What a status error means: ask again, give up this call, or give up all calls."""
        status, kind, said = error.status_code, error.type, self._said(error)
        if (
            status in (401, 402, 403)
            or kind in _ACCOUNT_TYPES
            or error.error_code in _ACCOUNT_CODES
            or (status == 400 and _ACCOUNT_WORDS.search(said))
        ):
            return RunnerUnavailableError(f"the API refuses this key or account: {said}", hint=_BAD_ACCOUNT)
        if status == 404 or kind == "not_found_error":
            if call.own_model:
                hint = f"Is {call.model.id} the name of a model there? See also ANTHROPIC_BASE_URL."
                return RunnerUnavailableError(f"the API does not know what was asked for: {said}", hint=hint)
            return RunnerError(f"the API does not know the model {call.model.id} that the persona asks for: {said}")
        orders = error.response.headers.get("x-should-retry")
        mid_stream = status == 200
        passing = status in (408, 409, 429) or status >= 500 or (mid_stream and kind != "invalid_request_error")
        if orders == "true" or (passing and orders != "false"):
            return _PassingError(said, _ordered_wait(error.response.headers))
        return RunnerError(f"{call.model.id} did not take the question: {said}")

    def _said(self, error: Exception) -> str:
        """An error in one line, the key taken out."""
        deepest = error.__cause__ or error  # the SDK says of any broken connection no more than that it is one
        words = getattr(error, "api_message", None) or str(deepest) or type(deepest).__name__
        status = getattr(error, "status_code", None)
        secret = self._key if len(self._key) >= _SHORTEST_SECRET else "\0"
        line = " ".join(str(words).replace(secret, "[key]").split())[:300]
        return f"{line} ({status})" if status not in (None, 200) else line


def _request(prompt: Prompt, model: Model, schema: dict[str, Any] | None) -> dict[str, Any]:
    """What is sent: house rules, then what all agents share, then what differs."""
    cheap = prompt.purpose not in _STRONG
    own, output = prompt.own, dict[str, Any]()
    if schema is not None and model.structured:
        output["format"] = {"type": "json_schema", "schema": schema}
    elif schema is not None:
        own += f"\n\nAnswer with one JSON object and nothing else. It must fit this JSON schema:\n{json.dumps(schema)}"
    if model.effort:
        output["effort"] = "low" if cheap or schema is not None else "medium"
    max_tokens = _MAX_TOKENS.get(prompt.purpose, _MAX_TOKENS_ELSE)
    request: dict[str, Any] = {
        "model": model.id,
        "messages": [{"role": "user", "content": _blocks(prompt.shared, own)}],
    }
    if prompt.system:
        request["system"] = [{"type": "text", "text": prompt.system}]
    if output:
        request["output_config"] = output
    if cheap and model.thinking_off is not None:
        request["thinking"] = {"type": model.thinking_off}
    elif cheap:
        max_tokens += _THINKING_ROOM
    return {**request, "max_tokens": max_tokens}


def _blocks(shared: tuple[str, ...], own: str) -> list[dict[str, Any]]:
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


def _fit(answer: type[BaseModel], text: str) -> tuple[dict[str, Any] | None, str]:
    """The answer that a text holds, or what is wrong with it."""
    start, end = text.find("{"), text.rfind("}")
    try:
        fitted = answer.model_validate_json(text[start : end + 1] if 0 <= start < end else text)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)[:5]
        return None, "; ".join(f"{'.'.join(map(str, one['loc'])) or 'the answer'}: {one['msg']}" for one in faults)
    return fitted.model_dump(mode="json"), ""


def _whole_sentences(text: str) -> str:
    """The text up to the end of its last whole sentence; empty where there is none."""
    for match in reversed(list(_SENTENCE_END.finditer(text))):
        whole = text[: match.end()]
        if not _LIST_NUMBER.fullmatch(whole.rpartition("\n")[2]):
            return whole
    return ""


def _ordered_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks for: milliseconds, seconds or a date."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            return max(0.0, float(headers.get(name, "")) / unit)
        except ValueError:
            continue
    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time())
    except ValueError:
        return None
