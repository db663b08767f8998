"""Asks a server that speaks the Messages API. A reply is whole, or there is none.

A stream that breaks off or is cancelled never becomes a reply: the call is tried again from the start, and `on_text`
gets its pieces from the start too. This is the only layer that retries; the SDK is told not to. The SDK takes a second
to import, so it is imported at the first call.
"""

from __future__ import annotations

import asyncio
import os
import random
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from eda.errors import RunnerError, RunnerUnavailableError
from eda.runners.messages_api.answer_text import (
    StreamedAnswer,
    VisibleText,
    readable,
    whole_sentences,
    without_json,
)
from eda.runners.messages_api.errors import (
    UNREADABLE,
    ModelAwayError,
    PassingError,
    Place,
    check_proxies,
    error_line,
    meaning_of,
    secrets_of,
)
from eda.runners.messages_api.request import CacheWarmup, request
from eda.runners.models import Model
from eda.runners.protocol import OnText, Prompt, Reply, Usage
from eda.runners.repair import fit, without_thinking
from eda.runners.retry_notices import on_wait
from eda.text import rough_tokens

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

_FIRST_WAIT, _LONGEST_WAIT, _LONGEST_ORDERED = 0.5, 16.0, 120.0
"""Seconds: the first back-off, the longest back-off, and the longest wait that a server may ask for."""
_PATIENCE = 5
"""Time-outs that a server may keep a connection alive with pings and write nothing."""
_MOST_CHARACTERS = 200_000
"""Of a reply and its thinking, far more than any call asks for: a server that ignores the limit may write for ever."""

Sleep = Callable[[float], Awaitable[None]]
T = TypeVar("T")


@dataclass
class _CallUsage:
    """What all attempts of one call took, of whichever model."""

    usage: Usage = field(default_factory=Usage)
    model: str = ""
    """The last model that began to answer; empty if none did."""
    attempts: int = 0

    def add(self, model: Model, answer: StreamedAnswer) -> None:
        """Add one attempt, also one that broke off."""
        one = model.priced(Usage(**answer.counts), counted=bool(answer.counts))
        self.model = model.id
        self.usage = Usage(
            input_tokens=self.usage.input_tokens + one.input_tokens,
            output_tokens=self.usage.output_tokens + one.output_tokens,
            cache_read_tokens=self.usage.cache_read_tokens + one.cache_read_tokens,
            cache_write_tokens=self.usage.cache_write_tokens + one.cache_write_tokens,
            cost=None if one.cost is None or self.usage.cost is None else self.usage.cost + one.cost,
        )

    def counted(self, prompt: Prompt, text: str) -> Usage:
        """Return what was taken; an estimate if the server counts no tokens, or no budget would ever be spent."""
        if self.usage.tokens:
            return self.usage
        inputs, outputs = rough_tokens(len(prompt.text)), rough_tokens(len(text))
        return replace(self.usage, input_tokens=inputs, output_tokens=outputs)


class _EmptyError(RunnerError):
    """A model ended its answer before it had written anything: asked once more it may write."""


@dataclass
class _Call:
    """One call to one model."""

    prompt: Prompt
    model: Model
    request: dict[str, Any]
    on_text: OnText | None
    usage: _CallUsage


class MessagesRunner(ABC):
    """Asks a model, retries failures that may pass, then asks the fallback model if there is one.

    A structured answer that does not fit its schema is a reply with its text and no data: whoever asked can ask again.
    An empty answer is an empty reply, unless there is a fallback. Pieces of a structured answer do not go to `on_text`.
    """

    deterministic = False
    summarises = True
    fallback_model = ""
    """The id of the model that is asked if another failed; empty for none."""

    def __init__(
        self, place: Place, *, key: str, base_url: str | None, attempts: int, timeout: float, sleep: Sleep
    ) -> None:
        self._place = place
        self._key = key
        self._base_url = base_url
        url = base_url or os.environ.get("ANTHROPIC_BASE_URL", "")
        self._secrets = secrets_of(key, url)
        self._guarded = "@" in url
        self._attempts = attempts
        self._timeout = timeout
        self._sleep = sleep
        self._jitter = random.Random()
        self._clients: dict[asyncio.AbstractEventLoop, tuple[AsyncAnthropic, AsyncGenerator[None]]] = {}
        """The client of each event loop, and what closes it: connections do not outlive the loop that opened them."""
        self._cache_warmup = CacheWarmup()

    @abstractmethod
    def model_for(self, prompt: Prompt) -> str:
        """Return the id of the model to ask."""

    @abstractmethod
    def _known(self, name: str) -> Model:
        """Return the data of a model."""

    async def _prepare(self, prompt: Prompt) -> None:  # noqa: B027 - most runners need nothing
        """Find out what `model_for` needs to know; called before each call."""

    @abstractmethod
    def _is_own(self, name: str) -> bool:
        """True if the model is the runner's and not a persona's: then every call fails if it is missing."""

    def _headers(self) -> dict[str, Any]:
        """Return headers that every request carries besides those of the SDK."""
        return {}

    def _extra(self, prompt: Prompt) -> dict[str, Any]:  # noqa: ARG002 - for runners that have some
        """Return request fields that the API does not document."""
        return {}

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Answer one prompt, calling `on_text` with pieces of the prose as they come.

        Raises:
            RunnerError: no model gave an answer. Its `usage` and `model`, like those of a CancelledError, say what the
                attempts took.
            RunnerUnavailableError: no call will succeed before somebody acts.
        """
        usage = _CallUsage()
        try:
            await self._prepare(prompt)
            model, other = self._known(self.model_for(prompt)), self.fallback_model
            try:
                return await self._answer(prompt, model, on_text, usage)
            except RunnerError as failure:
                hopeless = isinstance(failure, RunnerUnavailableError) and not isinstance(failure, ModelAwayError)
                if hopeless or other in ("", model.id):
                    if isinstance(failure, _EmptyError):
                        return Reply("", usage=usage.counted(prompt, ""), model=model.id)
                    raise
                return await self._fall_back(prompt, self._known(other), on_text, usage, failure)
        except (RunnerError, asyncio.CancelledError) as error:
            if usage.model:
                vars(error).update(usage=usage.usage, model=usage.model)
            raise

    async def prepare(self) -> None:
        """Find out which models the server has; `spec` then names them.

        Raises:
            RunnerError: the server does not say.
        """
        await self._prepare(Prompt(purpose="poll"))

    async def ping(self) -> Reply:
        """Have the cheap model write one token, without a retry; return the reply, with what it took."""
        prompt, usage = Prompt(purpose="poll", own="Hi."), _CallUsage()
        await self._prepare(prompt)
        model = self._known(self.model_for(prompt))
        body = {"model": model.id, "messages": [{"role": "user", "content": "Hi."}], "max_tokens": 1}
        try:
            answer = await self._try(_Call(prompt, model, body, None, usage))
        except PassingError as failure:
            raise RunnerError(f"{model.id} failed: {failure}", hint=self._place.later) from failure
        return Reply(text=answer.text, usage=usage.usage, model=model.id)

    async def close(self) -> None:
        """Close the connections. A later call opens new ones."""
        opened = self._clients.pop(asyncio.get_running_loop(), None)
        if opened is not None:
            await opened[1].aclose()

    async def _open(self) -> AsyncAnthropic:
        """Return the client of the running loop."""
        from anthropic import AsyncAnthropic, Timeout  # noqa: PLC0415 - see the module's docstring

        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            check_proxies()
            timeout = Timeout(self._timeout, connect=min(10.0, self._timeout))
            client = AsyncAnthropic(
                api_key=self._key,
                base_url=self._base_url,
                max_retries=0,
                timeout=timeout,
                default_headers=self._headers(),
            )
            until_the_end = _open_until_the_end(client)
            await anext(until_the_end)
            for ended in [each for each in list(self._clients) if each.is_closed()]:
                self._clients.pop(ended, None)
            self._clients[loop] = client, until_the_end
        return self._clients[loop][0]

    async def _fall_back(
        self, prompt: Prompt, other: Model, on_text: OnText | None, usage: _CallUsage, first: RunnerError
    ) -> Reply:
        tell = on_wait.get()
        if tell is not None:
            tell(prompt, 0.0, f"now {other.id} is asked, since {first}", usage.attempts)
        try:
            return await self._answer(prompt, other, on_text, usage)
        except RunnerUnavailableError:
            raise
        except RunnerError as second:
            raise RunnerError(f"{first}; and the fallback: {second}", hint=second.hint) from second

    async def _answer(self, prompt: Prompt, model: Model, on_text: OnText | None, usage: _CallUsage) -> Reply:
        body = request(prompt, model)
        extra = self._extra(prompt)
        if extra:
            body["extra_body"] = extra
        call = _Call(prompt, model, body, on_text if prompt.answer is None else None, usage)
        text, cut = await self._ask(call)
        if prompt.answer is not None:
            data, _ = fit(prompt.answer, text)
            return Reply(text=text, data=data, usage=usage.counted(prompt, text), model=model.id)
        text = without_json(text)
        if cut:
            text = whole_sentences(text)
            if not text:
                raise RunnerError(f"{model.id} used up its tokens before it had written one sentence")
        return Reply(text=text, usage=usage.counted(prompt, text), model=model.id)

    async def _ask(self, call: _Call) -> tuple[str, bool]:
        """Return the whole text of an answer, and whether it was cut at the token limit."""
        answer = await self._retrying(call.prompt, call.model.id, partial(self._try, call))
        if answer.stop == "refusal":
            raise RunnerError(f"{call.model.id} refused to answer")
        text = without_thinking(readable(answer.text))
        cut = answer.stop in ("max_tokens", "model_context_window_exceeded")
        if not text:
            ended = answer.stop in ("end_turn", "stop_sequence") and not answer.text.strip()
            empty = _EmptyError if ended else RunnerError
            raise empty(f"{call.model.id} answered without any text (it stopped for: {answer.stop})")
        return text, cut

    async def _retrying(self, prompt: Prompt, name: str, once: Callable[[], Awaitable[T]]) -> T:
        """Return what `once` returns, calling it again after each failure that may pass."""
        attempt = 1
        while True:
            try:
                return await once()
            except PassingError as failure:
                if attempt == self._attempts:
                    times = "once" if attempt == 1 else f"{attempt} times, the last time"
                    raise RunnerError(f"{name} failed {times} with: {failure}", hint=self._place.later) from failure
                seconds = self._wait(name, attempt, failure)
                tell = on_wait.get()
                if tell is not None:
                    tell(prompt, seconds, f"{failure}, from {name}", attempt)
            await self._sleep(seconds)
            attempt += 1

    def _wait(self, name: str, attempt: int, failure: PassingError) -> float:
        """Return the seconds to wait: what the server asked for, else twice as long each time, with jitter."""
        if failure.wait is not None and failure.wait > _LONGEST_ORDERED:
            message = f"the server wants {failure.wait:.0f} seconds of rest for {name}: {failure}"
            away = ModelAwayError if self._is_own(name) else RunnerError
            raise away(message, hint="Go on with it later, or set --fallback-model.") from failure
        own = min(_FIRST_WAIT * 2.0 ** (attempt - 1), _LONGEST_WAIT) * self._jitter.uniform(0.75, 1.25)
        return own if failure.wait is None else max(own, failure.wait * self._jitter.uniform(1.0, 1.25))

    async def _try(self, call: _Call) -> StreamedAnswer:
        """Make one attempt, held back while another call writes the cache that this one can read."""
        async with self._cache_warmup.call(call.request) as begun:
            return await self._stream(call, begun)

    async def _stream(self, call: _Call, begun: Callable[[], None]) -> StreamedAnswer:
        import anthropic  # noqa: PLC0415 - see the module's docstring
        import httpx2  # noqa: PLC0415 - it comes with the SDK

        answer = StreamedAnswer()
        visible = None if call.on_text is None else VisibleText(call.on_text)
        call.usage.attempts += 1
        silence = self._timeout * _PATIENCE
        try:
            async with asyncio.timeout(silence) as patience:
                async with await (await self._open()).messages.create(**call.request, stream=True) as events:
                    kind = events.response.headers.get("content-type", "nothing")
                    async for event in events:
                        patience.reschedule(asyncio.get_running_loop().time() + silence)
                        begun()
                        piece = answer.take(event)
                        if piece and visible is not None:
                            visible(piece)
                        if answer.size > _MOST_CHARACTERS:
                            answer.stop = "max_tokens"
                            break
        except anthropic.APIStatusError as error:
            own = self._is_own(call.model.id)
            meaning = meaning_of(self._place, call.model.id, error, self._secrets, own_model=own)
            raise meaning from (None if any(secret in str(error) for secret in self._secrets) else error)
        except asyncio.CancelledError:
            answer.begun = True  # it was sent, so it may have to be paid for
            raise
        except TimeoutError as error:
            raise PassingError(f"nothing was written for {silence:g} seconds") from error
        except (anthropic.APIError, httpx2.HTTPError, httpx2.InvalidURL, *UNREADABLE) as error:
            self._unconnected(error)
        finally:
            if answer.begun:
                call.usage.add(call.model, answer)
        if answer.stop is None:
            stream = answer.begun or kind.startswith("text/event-stream")
            raise PassingError("the answer broke off" if stream else f"what came is no answer of a model but {kind}")
        return answer

    def _unconnected(self, error: Exception) -> NoReturn:
        """Raise what a failure without a status code means."""
        import httpx2  # noqa: PLC0415 - it comes with the SDK

        cause, words = error.__cause__ or error, error_line(error, self._secrets)
        if isinstance(cause, httpx2.UnsupportedProtocol | httpx2.InvalidURL):
            # In a malformed URL it is not known which part is the password.
            why = "it cannot be read" if self._guarded else words
            message = f"{self._place.name}'s base URL cannot be used: {why}"
            raise RunnerUnavailableError(message, hint=self._place.address) from error
        if self._place.near and isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout):
            raise RunnerUnavailableError(f"{self._place.name} is not there: {words}", hint=self._place.later) from error
        late = any(isinstance(one, httpx2.TimeoutException) for one in (error, cause))
        raise PassingError("the server did not answer in time" if late else words) from error


async def _open_until_the_end(client: AsyncAnthropic) -> AsyncGenerator[None]:
    """Close `client` when its loop ends, which ends its generators: an open client warns in the next loop."""
    try:
        yield
    finally:
        await client.close()
