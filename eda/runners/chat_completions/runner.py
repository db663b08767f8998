"""Models of any server that speaks the Chat Completions API: of a provider, or of the user's own.

A request has the house rules, then what all share, then what differs. Servers differ in what they take: what one
refuses by name is left out from then on, or goes by its other name.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from eda.errors import UsageError
from eda.runners.answer_text import StreamedAnswer
from eda.runners.api_client import (
    THINKING_ROOM,
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
from eda.runners.model_runner import FIRST, ModelRunner
from eda.runners.models import OWN_KEY, STRONG, Model, ModelSpec, Provider, providers
from eda.runners.protocol import Prompt
from eda.runners.server import CALL_TIMEOUT, OK, TRIES, Sleep, StatusError
from eda.text import regex
from eda.words import ENGLISH

if TYPE_CHECKING:
    from httpx2 import Response


def request(prompt: Prompt, model: Model, provider: Provider, *, speaks: bool = False) -> dict[str, Any]:
    """Return the body of the request.

    The text asks for the form of an answer in words, too: a server may not know schemas, and then is asked without. All
    models may think, so that every small call has room for it.
    """
    parts = blocks((*prompt.shared, *prompt.held), with_form(prompt), cache_ends(prompt))
    marked = bool(provider.cache_marks) and model.id.startswith(provider.cache_marks)
    turns = [("system", [{"type": "text", "text": prompt.system}])] * bool(prompt.system) + [("user", parts)]
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
    held = schema_of(prompt)
    if prompt.answer is not None and held and (always or held_to_form(prompt, speaks=speaks)):
        named = {"name": prompt.answer.__name__, "strict": True, "schema": held}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
        body |= provider.with_schema
    return body


# Reasons to finish, in the words of the Messages API; with an error the answer is broken.
_STOPS = {
    "stop": "end_turn",
    "eos": "end_turn",
    "length": "max_tokens",
    "model_length": "model_context_window_exceeded",
    "content_filter": "refusal",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "error": None,
}
_REFUSES = (400, 404, 422, 500, 501)  # Statuses with which servers refuse a field.
# What an error says of a schema that a server does not take.
_REFUSES_SCHEMA = regex(
    r"response_?format|output_?(?:config|format)|schema|structured.?output|guided|grammar|requested parameters",
    "I",
)
_LIMITS = ("max_tokens", "max_completion_tokens")
# Fields that a request can do without, with what the error says of each where the server refuses it.
_OPTIONAL: Mapping[str, re.Pattern[str]] = {
    "response_format": _REFUSES_SCHEMA,
    "stream_options": regex(r"stream_options|include_usage"),
    "seed": regex(r"\bseed\b"),
    "random_seed": regex(r"random_seed"),
    **dict.fromkeys(_LIMITS, regex(r"too large|in the completion", "I")),
}


# Bytes: a longer line is none that a model wrote; and those of an error that are read.
_LONGEST_LINE, _MOST_ERROR = 4_000_000, 100_000


class ChatClient(HttpClient):
    """Asks one server of a provider."""

    def __init__(self, provider: Provider, key: str, sampling: Mapping[str, float]) -> None:
        """Ask a provider, with these fields of `sampling` and the debate's seed in each request."""
        super().__init__(provider.url, {"authorization": f"Bearer {key}"} if key else {})
        self._sampling = sampling
        self._provider = provider
        self._without: dict[str, set[str]] = {}  # By model, fields that the server refuses.

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
        self, request: Mapping[str, Any], tell: Tell
    ) -> AsyncIterator[tuple[Mapping[str, str], AsyncIterator[Any]]]:
        """Give the headers and the events of a reply; a request that is refused for one field is sent without it."""
        while True:
            body = self.taken_by(request)
            async with (await self.open()).stream("POST", f"{self._url}/chat/completions", json=body) as response:
                if response.status_code == OK:
                    async with aclosing(_events(response)) as events:
                        yield response.headers, events
                    return
                error = refusal_of(response.status_code, response.headers, await _begun(response))
            if self.taken_by(request) != body:
                continue  # another call has learnt it meanwhile
            if not (learnt := self.learnt(body, error)):
                raise error
            tell(learnt)

    async def models(self) -> Any:
        """Return the list of the server's models, as it sends it."""
        response = await (await self.open()).get(f"{self._url}/models")
        if response.status_code != OK:
            raise refusal_of(response.status_code, response.headers, response.content)
        return json.loads(response.content)

    def taken_by(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return a request in the form that the server is known to take."""
        without = self._without.get(request["model"], set())
        body = {**request, "stream": True, "stream_options": {"include_usage": True}}
        if "other limit" in without:
            old, new = _LIMITS if _LIMITS[0] in body else _LIMITS[::-1]
            body[new] = body.pop(old)
        gone = {*without, *(self._provider.with_schema if "response_format" in without else ())}
        return {field: value for field, value in body.items() if field not in gone}

    def learnt(self, body: Mapping[str, Any], error: StatusError) -> str:
        """Note the field that the server refuses, and return what is done about it; empty if there is none."""
        words, without = f"{error.code} {error}", self._without.setdefault(body["model"], set())
        if error.status_code not in _REFUSES:
            return ""
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
        """Add one chunk to the answer; return the text that it added."""
        if not isinstance(event, dict):
            return ""
        if event.get("error"):
            raise refusal_of(OK, {}, json.dumps(event).encode())
        answer.begun = True
        if not answer.model:
            answer.answers_as(event.get("model"))
        _count(answer, event.get("usage"), self._provider.cost)
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return answer.add("")
        delta = choice.get("delta") or choice.get("message")
        delta = delta if isinstance(delta, dict) else {}
        finish = choice.get("finish_reason")
        if isinstance(finish, str) and finish:
            answer.stop = _STOPS.get(finish, finish)
        if isinstance(delta.get("refusal"), str) and delta["refusal"].strip():
            answer.stop = "refusal"
        thought = _text(delta.get("reasoning")) or _text(delta.get("reasoning_content"))
        return answer.add(_text(delta.get("content")), thought)


async def _begun(response: "Response") -> bytes:
    """Return the beginning of an error's text."""
    text = b""
    async with aclosing(response.aiter_bytes()) as pieces:
        async for piece in pieces:
            text += piece
            if len(text) > _MOST_ERROR:
                break
    return text


async def _events(response: "Response") -> AsyncGenerator[Any]:
    """Yield the events of a reply; None for a comment, which shows that the server is at work.

    Raises:
        JSONDecodeError, UnicodeDecodeError: what came is none.
    """
    if response.headers.get("content-type", "").startswith("application/json"):
        yield json.loads(await response.aread())  # it does not stream
        return
    data: list[bytes] = []
    async with aclosing(_lines(response)) as lines:
        async for line in lines:
            if line.startswith(b"data:"):
                data.append(line[len(b"data:") :].strip())
            elif not line and data:
                whole, data = b"\n".join(data), []
                if whole == b"[DONE]":
                    return
                if (event := json.loads(whole)) != {"type": "ping"}:  # no sign that the model is at work
                    yield event
            elif line.startswith(b":"):
                yield None
    if data and data != [b"[DONE]"]:
        yield json.loads(b"\n".join(data))


async def _lines(response: "Response") -> AsyncGenerator[bytes]:
    """Yield lines as they end. They end at a line feed only: words may hold what else separates lines."""
    rest = b""
    async with aclosing(response.aiter_bytes()) as pieces:
        async for piece in pieces:
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                yield line.rstrip(b"\r")
            if len(rest) > _LONGEST_LINE:
                raise UnicodeDecodeError("utf-8", rest[:1], 0, 1, "a line without end")
    if rest:
        yield rest


def _text(content: Any) -> str:
    """Return the text of a content, or of the parts of one that are text and no thinking."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _count(answer: StreamedAnswer, usage: Any, cost: str) -> None:
    """Count tokens: those of the prompt include cached ones, and those of the reply may lack what was thought."""
    if not isinstance(usage, dict):
        return
    prompt, completion, total = (_number(usage, f"{name}_tokens") for name in ("prompt", "completion", "total"))
    details = usage.get("prompt_tokens_details")
    details = details if isinstance(details, dict) else {}
    read = min(_number(details, "cached_tokens") or _number(usage, "prompt_cache_hit_tokens"), prompt)
    write = min(_number(details, "cache_write_tokens"), prompt - read)
    if not (prompt or completion):
        return
    counts = {"input_tokens": prompt - read - write, "output_tokens": max(completion, total - prompt)}
    for name, number in (counts | {"cache_read_tokens": read, "cache_write_tokens": write}).items():
        answer.count(name, number)
    dollars = usage.get(cost) if cost else None
    if isinstance(dollars, int | float) and not isinstance(dollars, bool) and 0 <= dollars < float("inf"):
        answer.cost = float(dollars)


def _number(row: Mapping[str, Any], name: str) -> int:
    value = row.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


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
        provider = _provider(given)
        if not given.speak and not provider.own:
            raise UsageError(
                f"the runner {given.name!r} needs the name of a model",
                hint=f"Write it as {given.name}:MODEL. {provider.models}",
            )
        key = checked_key(api_key, provider, needed=not (provider.own or given.url))
        sampling = {"temperature": given.temperature, "top_p": given.top_p}
        chosen = {name: value for name, value in sampling.items() if value is not None}
        super().__init__(
            given,
            provider,
            ChatClient(provider, key, chosen),
            address=provider.url,
            key=key,
            attempts=attempts,
            timeout=timeout,
            sleep=sleep,
        )

    async def prepare(self, prompt: Prompt = FIRST) -> None:
        """Find out which models a server of the user's own has, where none is named."""
        if self.given.speak:
            return
        what = ENGLISH.say("server-list", place=self._place.name)
        listed = await self._retrying(prompt, what, self.listed, answers=False)
        given, self.given = self.given, replace(self.given, speak=listed[0] if listed else self.given.name)
        with suppress(UsageError):  # not every name can be written in a spec
            self.spec = str(replace(given, speak=listed[0] if listed else "").checked())


def _provider(given: ModelSpec) -> Provider:
    """Return the provider of a spec; at an address of the user's it may be another server, which knows usual names."""
    provider = providers()[given.name]
    own = f"{given.name}:{given.url or provider.url}#MODEL"
    later = ENGLISH.say("server-asked-at", later=provider.later, url=provider.url) if provider.own else provider.later
    there: dict[str, Any] = {"later": later, "address": ENGLISH.say("server-other-address", spec=own)}
    if given.url:
        keys = provider.keys if given.name == "local" else (OWN_KEY,)
        there = {
            "max_tokens": "max_tokens",
            "schema_where": "always",
            "keys": keys,
            "url": given.endpoint,
            "label": ENGLISH.say("server-at", url=given.url),
            "access": ENGLISH.say("server-set-own-key", variable=keys[0]),
            "later": ENGLISH.say("server-runs", url=given.endpoint),
            "models": f"{provider.models if provider.own else 'GET /models lists them.'} Write {own}.",
            "address": ENGLISH.say("server-end-of-address", name=given.name),
        }
    return replace(provider, **there)
