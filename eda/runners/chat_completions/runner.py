"""Models of any server that speaks the Chat Completions API: of a provider, or of the user's own.

They are asked over httpx2, which comes with the SDK for Claude. A request has the house rules, then what all share,
then what differs. Servers differ in what they take: what one refuses by name is left out from then on, or goes by its
other name.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from eda.errors import RunnerUnavailableError, UsageError
from eda.runners.answer_text import StreamedAnswer
from eda.runners.api_client import CONNECT, ApiClient
from eda.runners.chat_completions.stream import events_of, refusal_of, taken
from eda.runners.model_runner import ModelRunner
from eda.runners.models import STRONG, Model, ModelSpec, is_claude, priced_at, wished
from eda.runners.protocol import Prompt
from eda.runners.providers import OWN_KEY, Provider, providers
from eda.runners.request_parts import (
    REFUSES,
    THINKING_ROOM,
    blocks,
    cache_ends,
    held_to_form,
    max_tokens,
    refuses_schema,
    strict,
    with_form,
)
from eda.runners.server import CALL_TIMEOUT, TRIES, Sleep
from eda.runners.server_errors import OK, UNREADABLE, Place, check_proxies
from eda.words import ENGLISH

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Response


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


class ChatRunner(ModelRunner):
    """Asks a provider by its spec, such as `openrouter:VENDOR/MODEL+CHEAP,fallback=MODEL` or `openai:URL#MODEL`.

    Where the spec names no model, the first is asked that a server of the user's own lists; `spec` then names it. A
    persona's `model:` is obeyed unless it is one of Claude's: personas made for another program often name one. The key
    is read from the provider's environment variable. To an address that the spec gives only the key in EDA_OPENAI_KEY
    is sent, or for `local` that in EDA_LOCAL_KEY.

    Args:
        spec: As a string, or read already.
        api_key: Sent instead of the one in the environment.
        attempts: Failures in a row after which the server is given up.
        timeout: Seconds that a call may go without progress, and a fifth of those that it may take in all.
        sleep: Waits between attempts.

    Raises:
        UsageError: the spec is malformed, or names no model where the provider has many.
        RunnerUnavailableError: there is no key, or it holds a character that no key has.
    """

    def __init__(
        self,
        spec: str | ModelSpec,
        *,
        api_key: str | None = None,
        attempts: int = TRIES,
        timeout: float = CALL_TIMEOUT,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        given = ModelSpec.parse(spec) if isinstance(spec, str) else spec
        provider = providers()[given.name]
        if not given.speak and not provider.own:
            raise UsageError(
                f"the runner {given.name!r} needs the name of a model",
                hint=f"Write it as {given.name}:MODEL. {provider.models}",
            )
        if given.url:  # it may be another server, which knows the usual name
            usual = {"max_tokens": "max_tokens", "schema_where": "always"}
            own_key = provider.keys if given.name == "local" else (OWN_KEY,)
            provider = provider.model_copy(update={**usual, "keys": own_key, "url": given.endpoint})
        key = (api_key or provider.key[1]).strip()
        _check_key(key, given, provider)
        sampling = {"temperature": given.temperature, "top_p": given.top_p}
        chosen = {name: value for name, value in sampling.items() if value is not None}
        super().__init__(
            _place(given, provider),
            ChatClient(provider, provider.url, key, chosen),
            address=provider.url,
            key=key,
            attempts=attempts,
            timeout=timeout,
            sleep=sleep,
        )
        self.spec = str(given)
        self.fallback_model = given.fallback
        self._given = given
        self._speaker = given.speak

    def model_for(self, prompt: Prompt) -> str:
        """Return the model to ask; the runner's name before the server has said which models it has."""
        speaker = self._speaker or self._given.name
        if prompt.purpose not in STRONG:
            return self._given.cheap or speaker
        wish = wished(prompt)
        return wish if wish and not is_claude(wish) else speaker

    async def _prepare(self, prompt: Prompt) -> None:
        if self._speaker:
            return
        what = ENGLISH.say("server-list", place=self._place.name)
        listed = await self._retrying(prompt, what, self.listed, answers=False)
        self._speaker = listed[0] if listed else self._given.name
        with suppress(UsageError):  # not every name can be written in a spec
            self.spec = str(replace(self._given, speak=listed[0] if listed else "").checked())

    def _known(self, name: str) -> Model:
        return priced_at(self._given.name, name)

    def _is_own(self, name: str) -> bool:
        asks_which = not self._speaker  # no call is made before the list of models is there
        return asks_which or name in (self._speaker, self._given.cheap, self.fallback_model)


def _check_key(key: str, given: ModelSpec, provider: Provider) -> None:
    if not key and not provider.own and not given.url:
        names = " or ".join(provider.keys)
        raise RunnerUnavailableError(
            f"the runner {given.name!r} needs an API key, and {names} is not set",
            hint=f"Set {provider.keys[-1]} to one. {provider.access}",
            refused=True,
        )
    if not (key.isascii() and (key.isprintable() or not key)):
        raise RunnerUnavailableError("the API key holds a character that no key has", hint="Copy it again.")


def _place(given: ModelSpec, provider: Provider) -> Place:
    own = f"{given.name}:{given.url or provider.url}#MODEL"
    if given.url:
        return Place(
            name=ENGLISH.say("server-at", url=given.url),
            access=ENGLISH.say("server-set-own-key", variable=provider.keys[0]),
            later=ENGLISH.say("server-runs", url=provider.url),
            models=f"{provider.models if provider.own else 'GET /models lists them.'} Write {own}.",
            address=ENGLISH.say("server-end-of-address", name=given.name),
        )
    return Place(
        name=provider.label,
        access=provider.access,
        later=ENGLISH.say("server-asked-at", later=provider.later, url=provider.url)
        if provider.own
        else provider.later,
        models=provider.models,
        address=ENGLISH.say("server-other-address", spec=own),
    )
