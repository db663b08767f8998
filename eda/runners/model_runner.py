"""Asks a server of models, whatever its API. A reply is whole, or there is none.

A stream that breaks off or is cancelled never becomes a reply: the call is tried again from the start, and `on_text`
gets its pieces from the start too. This is the only layer that retries. A persona whose `model:` names a runner is
asked by that one.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from socket import gaierror
from typing import Any, NamedTuple, NoReturn, TypeVar

from eda.errors import RunnerError, RunnerUnavailableError, UsageError
from eda.runners.answer_text import (
    CallUsage,
    StreamedAnswer,
    VisibleText,
    check_usable,
    is_vain,
    readable,
    whole_sentences,
    without_json,
)
from eda.runners.api_client import ApiClient, CacheWarmup
from eda.runners.models import Model, ModelSpec, Provider, own_spec
from eda.runners.protocol import OnText, Prompt, Reply, Runner, close_runner
from eda.runners.repair import fit, without_thinking
from eda.runners.server import (
    IN_ALL,
    UNREADABLE,
    Caller,
    ModelAwayError,
    PassingError,
    Sleep,
    StatusError,
    TakesNotError,
    delayed,
    error_line,
    meaning_of,
    most_quiet,
    secrets_of,
    server_at,
)
from eda.words import ENGLISH

# Of a reply and its thinking, far more than any call asks for: a server that ignores the limit may write for ever.
_MOST_CHARACTERS = 200_000

_MOST_REFUSED = 5  # Refused calls in a row after which a server is given up, though it answers a greeting.
GREETING = Prompt(purpose="speak", own="Say hello in one word.")
"""Asked of a server whose answer is none: whoever answers nobody does not answer this either."""
FIRST, _SPEECH = Prompt(purpose="poll"), Prompt(purpose="speak")
"""Who is asked before any call; and which model speaks for whoever names none of its own."""

T = TypeVar("T")


class _EmptyError(RunnerError):
    """A model ended its answer before it had written anything: asked once more it may write."""


class _Call(NamedTuple):
    """One call to one model."""

    prompt: Prompt
    model: Model
    request: dict[str, Any]
    on_text: OnText | None
    usage: CallUsage


class ModelRunner:
    """Asks a model, retries failures that may pass, then asks the fallback model if there is one.

    A structured answer that does not fit its schema is a reply with its text and no data: whoever asked can ask again.
    An empty answer is an empty reply, unless there is a fallback. Pieces of a structured answer do not go to `on_text`.
    """

    deterministic = False
    summarises = True

    def __init__(
        self,
        given: ModelSpec,
        place: Provider,
        client: ApiClient,
        *,
        address: str,
        key: str,
        attempts: int,
        timeout: float,
        sleep: Sleep,
    ) -> None:
        """Ask the server at `address`, whose breaker all runners share, by `client`; no error has the `key`."""
        self.given = given
        """Which models it asks."""
        self.spec = str(given)
        """Its name in a session."""
        self.client = client
        self._place = place
        self._address = address
        self._secrets = secrets_of(key, address)
        self._attempts = attempts
        self._timeout = timeout
        self._sleep = sleep
        self._cache_warmup = CacheWarmup()
        self.make: Callable[[str], Runner] | None = None
        """Makes the runner that a persona's `model:` names; None where there is no other than this one."""
        self._others: dict[str, Runner] = {}

    def model_for(self, prompt: Prompt) -> str:
        """Return the id of the model to ask."""
        return self.given.asked(prompt).id

    async def prepare(self, prompt: Prompt = FIRST) -> None:
        """Find out what `model_for` needs to know; `spec` then names the models. Called before each call.

        Raises:
            RunnerError: the server does not say.
        """

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Answer one prompt, calling `on_text` with pieces of the prose as they come.

        The prompt of a persona whose `model:` names a runner is answered by that runner.

        Raises:
            RunnerError: no model gave an answer. Its `usage` and `model`, like those of a CancelledError, say what the
                attempts took.
            RunnerUnavailableError: no call will succeed before somebody acts.
        """
        own = own_spec(prompt)
        if own and own != self.spec and self.make is not None:
            return await self._ask_own(own, prompt, on_text)
        usage = CallUsage()
        try:
            await self.prepare(prompt)
            try:
                reply = await self._ask_models(prompt, on_text, usage)
            except TakesNotError as failure:
                server_at(self._address).refused += 1
                await self._doubt(prompt, usage, str(failure))
                raise
            if is_vain(prompt, reply.text):
                await self._doubt(prompt, usage, ENGLISH.say("server-no-fields"))
                reply = replace(reply, usage=usage.counted(prompt, reply.text))
            else:
                server_at(self._address).refused = 0
        except (RunnerError, asyncio.CancelledError) as error:
            if usage.model:
                vars(error).update(usage=usage.usage, model=usage.model)
            raise
        return reply

    async def _ask_models(self, prompt: Prompt, on_text: OnText | None, usage: CallUsage) -> Reply:
        """Return the reply of the model, else of the fallback model."""
        model, other = self.given.asked(prompt), self.given.fallback
        another = other not in ("", model.id)
        try:
            return await self._answer(prompt, model, on_text, usage, another=another)
        except RunnerError as failure:
            hopeless = isinstance(failure, RunnerUnavailableError) and not isinstance(failure, ModelAwayError)
            if hopeless or not another:
                if isinstance(failure, _EmptyError):
                    return self._reply(prompt, "", model, usage)
                raise
            first = failure
        delayed(prompt, 0.0, ENGLISH.say("server-fallback", model=other, why=str(first)), usage.attempts)
        try:
            return await self._answer(prompt, self.given.priced(other), on_text, usage)
        except RunnerError as second:
            kind = RunnerUnavailableError if isinstance(second, RunnerUnavailableError) else RunnerError
            raise kind(f"{first}; and the fallback: {second}", hint=second.hint) from second

    async def _doubt(self, prompt: Prompt, usage: CallUsage, why: str) -> None:
        """Raise RunnerUnavailableError unless the server answers a greeting: then it is this call alone."""
        if prompt.purpose == "baseline":  # the debate is over: nothing of it is lost
            return
        server, model, text = server_at(self._address), self.given.asked(prompt), ""
        call = _Call(GREETING, model, self.client.request(GREETING, model, speaks=False), None, usage)
        if server.refused < _MOST_REFUSED:
            with suppress(TakesNotError):
                answer = await self._retrying(prompt, model.id, partial(self._try, call))
                usage.usage = replace(usage.usage, greetings=1)
                text = answer.text if answer.stop != "max_tokens" else GREETING.own
        if is_vain(GREETING, readable(text)):
            server.refused = 0
            raise RunnerUnavailableError(
                ENGLISH.say("server-answers-nothing", place=self._place.label, why=why), hint=self._place.later
            )

    async def _ask_own(self, spec: str, prompt: Prompt, on_text: OnText | None) -> Reply:
        """Return the reply of the persona's own runner, which the reply, or the failure, names."""
        provider = spec.partition(":")[0]
        try:
            return replace(await self.other(spec).run(prompt, on_text), provider=provider)
        except UsageError as error:  # of a member that was seated later: the debate pauses
            raise RunnerUnavailableError(str(error), hint=error.hint) from error
        except (RunnerError, asyncio.CancelledError) as error:
            vars(error).update(provider=provider)
            raise

    def other(self, spec: str) -> Runner:
        """Return the runner of a persona whose `model:` names one, made once.

        Raises:
            UsageError: the spec is malformed, or names no model.
            RunnerUnavailableError: it lacks a key.
        """
        if spec not in self._others:
            if not ModelSpec.parse(spec).speak:
                raise UsageError(f"{spec!r} names no model", hint="A member with a runner of its own names its model.")
            if self.make is None:
                raise UsageError(f"nobody can make {spec!r}", hint="Pass the runner to a Debate.")
            made = self._others[spec] = self.make(spec)
            if isinstance(made, ModelRunner):
                made.make = None  # it is the one that the persona asks for, however the spec is spelled
        return self._others[spec]

    async def ping(self) -> Reply:
        """Have the cheap model write one word, without a retry; return the reply, with what it took."""
        prompt, usage = replace(GREETING, purpose="poll"), CallUsage()
        await self.prepare(prompt)
        model = self.given.asked(prompt)
        try:
            answer = await self._try(
                _Call(prompt, model, self.client.request(prompt, model, speaks=False), None, usage)
            )
        except PassingError as failure:
            raise RunnerError(f"{model.id} failed: {failure}", hint=self._place.later) from failure
        return Reply(text=answer.text, usage=usage.usage, model=model.id)

    async def close(self) -> None:
        """Close the connections. A later call opens new ones."""
        await self.client.close()
        for other in self._others.values():
            await close_runner(other)

    async def listed(self) -> list[str]:
        """Return the models that the server says it has; empty if it does not say.

        Raises:
            PassingError: a failure that may pass.
            RunnerUnavailableError: the server refuses the key, or its address cannot be used.
        """
        seconds, wire_errors = most_quiet(self._timeout), self.client.wire_errors()
        try:
            async with asyncio.timeout(seconds):
                listed = await self.client.models()
        except TimeoutError as error:
            raise _late("progress for", seconds) from error
        except StatusError as error:
            meaning = meaning_of(self._place, "", error, self._secrets, own_model=True)
            if isinstance(meaning, PassingError) or getattr(meaning, "hint", "") == self._place.access:
                raise meaning from None
            return []
        except UNREADABLE:
            return []
        except wire_errors as error:
            self._unconnected(error)
        rows = listed.get("data") if isinstance(listed, dict) else None
        names = [row.get("id") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        return [name.strip() for name in names if isinstance(name, str) and name.strip()]

    async def _answer(
        self, prompt: Prompt, model: Model, on_text: OnText | None, usage: CallUsage, *, another: bool = False
    ) -> Reply:
        body = self.client.request(prompt, model, speaks=self.model_for(_SPEECH) == model.id)
        call = _Call(prompt, model, body, on_text if prompt.answer is None else None, usage)
        text, cut = await self._ask(call, another=another)
        if prompt.answer is not None:
            data, _ = fit(prompt.answer, text)
            return self._reply(prompt, text, model, usage, data)
        text = without_json(text)
        if cut:
            text = whole_sentences(text)
            if not text:
                raise RunnerError(f"{model.id} used up its tokens before it had written one sentence")
        return self._reply(prompt, text, model, usage)

    def _reply(
        self, prompt: Prompt, text: str, model: Model, usage: CallUsage, data: dict[str, Any] | None = None
    ) -> Reply:
        return Reply(text, data, usage.counted(prompt, text), model.id, answered=usage.answered, refused=usage.refused)

    async def _ask(self, call: _Call, *, another: bool) -> tuple[str, bool]:
        """Return the whole text of an answer, and whether it was cut at the token limit."""
        answer = await self._retrying(call.prompt, call.model.id, partial(self._try, call), another=another)
        if answer.stop == "refusal":
            raise RunnerError(f"{call.model.id} refused to answer")
        text = without_thinking(readable(answer.text))
        cut = answer.stop in ("max_tokens", "model_context_window_exceeded")
        if not text:
            ended = answer.stop in ("end_turn", "stop_sequence") and not answer.text.strip()
            empty = _EmptyError if ended else RunnerError
            raise empty(f"{call.model.id} answered without any text (it stopped for: {answer.stop})")
        return text, cut

    async def _retrying(
        self,
        prompt: Prompt,
        name: str,
        once: Callable[[], Awaitable[T]],
        *,
        another: bool = False,
        answers: bool = True,
    ) -> T:
        """Return what `once` returns, calling it again after each failure that may pass; see `Server`."""
        tell = partial(delayed, prompt)
        caller = Caller(name, self._attempts, self._place.later, self._sleep, tell, another=another, answers=answers)
        return await server_at(self._address).call(once, caller)

    async def _try(self, call: _Call) -> StreamedAnswer:
        """Return the answer of one attempt, held back while another call writes the cache that this one can read."""
        async with self._cache_warmup.call(self.client.beginning(call.prompt, call.request)) as begun:
            return await self._stream(call, begun)

    async def _stream(self, call: _Call, begun: Callable[[], None]) -> StreamedAnswer:
        answer = StreamedAnswer()
        visible = None if call.on_text is None else VisibleText(call.on_text)
        call.usage.attempts += 1
        kind = "nothing"
        wire_errors = self.client.wire_errors()  # the import takes time, which is no delay of the server's
        seconds, loop = most_quiet(self._timeout), asyncio.get_running_loop()
        try:
            async with (
                asyncio.timeout(seconds * IN_ALL),
                asyncio.timeout(seconds) as quiet,
                self.client.events(
                    call.request,
                    lambda left_out: delayed(call.prompt, 0.0, f"{call.model.id} {left_out}", call.usage.attempts),
                ) as (headers, events),
            ):
                kind = headers.get("content-type", "nothing")
                async for event in events:
                    quiet.reschedule(loop.time() + seconds)
                    piece = self.client.take(answer, event)
                    if answer.begun:
                        begun()
                    if piece and visible is not None:
                        visible(piece)
                    if answer.size > _MOST_CHARACTERS:
                        answer.stop = "max_tokens"
                        break
        except StatusError as error:
            # One that a persona asks for may be missing alone.
            own = call.model.id in (self.given.speak or self.given.name, self.given.cheap, self.given.fallback)
            meaning = meaning_of(self._place, call.model.id, error, self._secrets, own_model=own)
            raise meaning from (None if any(secret in str(error) for secret in self._secrets) else error)
        except asyncio.CancelledError:
            answer.begun = True  # it was sent, so it may have to be paid for
            raise
        except TimeoutError as error:
            raise (
                _late("progress for", seconds) if quiet.expired() else _late("end after", seconds * IN_ALL)
            ) from error
        except wire_errors as error:
            self._unconnected(error)
        finally:
            if answer.begun:
                call.usage.add(call.model, answer)
        check_usable(answer, kind)
        return answer

    def _unconnected(self, error: Exception) -> NoReturn:
        """Raise what a failure without a status code means."""
        import httpx2  # noqa: PLC0415 - only a call needs it

        words = error_line(error, self._secrets)
        if isinstance(error, httpx2.UnsupportedProtocol | httpx2.InvalidURL):
            # In a malformed URL it is not known which part is the password.
            why = "it cannot be read" if "@" in self._address else words
            raise RunnerUnavailableError(
                f"{self._place.label}'s base URL cannot be used: {why}", hint=self._place.address, refused=True
            ) from error
        unread = isinstance(error, UNREADABLE)
        if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
            unnamed = error.__cause__ is not None and isinstance(error.__cause__.__context__, gaierror)
            hint = ENGLISH.say("server-name-unknown") if unnamed else ""
            raise PassingError(f"{self._place.label} is not there: {words}", vain=True, hint=hint) from error
        raise PassingError(f"what came is no answer of a model: {words}" if unread else words, vain=unread) from error


def _late(what: str, seconds: float) -> PassingError:
    """Return the failure of a call that took too long."""
    return PassingError(f"no {what} {seconds:g} seconds; --call-timeout sets another limit", late=True)
