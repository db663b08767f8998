"""What all APIs have in common: the parts of a request, what a `ModelRunner` needs of one, and asking over HTTP."""

import asyncio
import json
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from eda.errors import RunnerUnavailableError
from eda.runners.answer_text import StreamedAnswer
from eda.runners.models import Model, Provider
from eda.runners.protocol import Prompt, Purpose
from eda.runners.server import OK, UNREADABLE, StatusError
from eda.words import ENGLISH

if TYPE_CHECKING:
    from httpx2 import AsyncClient

# Of a reply, thinking included.
_MAX_TOKENS: Mapping[Purpose, int] = {
    "speak": 8_000,
    "ask": 8_000,
    "report": 16_000,
    "baseline": 8_000,
    "summarise": 4_000,
}
_MAX_TOKENS_ELSE = 1_000
_MAX_TOKENS_A_BID = 100
THINKING_ROOM = 4_000
"""Tokens added to a cheap call where the model cannot be kept from thinking."""
_EPHEMERAL = {"type": "ephemeral"}


def max_tokens(prompt: Prompt) -> int:
    """Return the tokens that a reply may have."""
    return max(_MAX_TOKENS.get(prompt.purpose, _MAX_TOKENS_ELSE), _MAX_TOKENS_A_BID * len(prompt.asked))


def with_form(prompt: Prompt) -> str:
    """Return the prompt's own part; it ends with the schema of an answer, unless the prompt shows its form already."""
    if prompt.answer is None:
        return prompt.own
    shown = "".join((*prompt.held, prompt.own))
    if any(f'{{"{name}"' in shown for name in prompt.answer.model_fields):
        return prompt.own
    asked = "Answer with one JSON object and nothing else. It must fit this JSON schema:"
    return f"{prompt.own}\n\n{asked}\n{json.dumps(prompt.answer.model_json_schema())}"


# Keys of a JSON schema that a strict one must not have, or needs none of: what comes is checked.
_NO_RULES = ("title", "default", "minLength", "maxLength", "minimum", "maximum")


@cache
def strict(answer: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of an answer as strict servers want it: every field required, and no field beside them."""
    schema: dict[str, Any] = _strict(answer.model_json_schema())
    return schema


def schema_of(prompt: Prompt) -> Mapping[str, Any] | None:
    """Return the schema that a request can hold the answer to; None for prose, and where words alone ask for it."""
    return None if prompt.answer is None or prompt.strict == {} else prompt.strict or strict(prompt.answer)


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


def held_to_form(prompt: Prompt, *, speaks: bool) -> bool:
    """Return whether a model is held to the form of an answer although a cache is compared by its schema, too.

    A vote may cost one cache write of the prefix. Bids and what is asked between turns come again and again: where the
    model also `speaks`, they would have all of it written a second time.
    """
    return bool(prompt.strict) and not (speaks and prompt.purpose in ("bid", "declare", "terms"))


def blocks(shared: Sequence[str], own: str, ends: Iterable[int] = ()) -> list[dict[str, Any]]:
    """Return the user's turn as blocks, cut so that a provider's cache hits.

    A cache matches whole blocks: one block that grows would never be found again. So each shared part is a block of its
    own, and parts are only added at the end.

    Args:
        shared: The parts; blank ones are left out.
        own: What follows them.
        ends: Numbers of parts after which a cache mark stands. A cache written there is found again by the same mark,
            or by one at most 19 blocks further on.
    """
    marked = {end - 1 for end in ends}
    content: list[dict[str, Any]] = []
    for place, part in enumerate((*shared, own)):
        if not part.strip():
            continue
        block: dict[str, Any] = {"type": "text", "text": f"\n\n{part}" if content else part}
        content.append({**block, "cache_control": _EPHEMERAL} if place in marked else block)
    return content


def cache_ends(prompt: Prompt) -> tuple[int, ...]:
    """Return the numbers of parts after which a mark stands: where the parts before change less often than those after.

    Where the prompt says so; after the transcript, which grows at each turn; after the memory that all members asked in
    the same batch are shown.
    """
    if not prompt.shared:
        return ()
    parts = len(prompt.shared)
    return (*prompt.ends, parts, parts + len(prompt.held))


Tell = Callable[[str], object]
_KEPT = 64  # Beginnings that are remembered, far more than are under way at one time.
_LEAST = 2_000  # Characters; a shorter beginning is not cached.


class CacheWarmup:
    """Holds calls back that begin alike, so that the first writes the provider's cache and the others read it.

    A cache can be read once the answer to the call that writes it has begun. Sent all at once, each call would write
    the cache for itself, at a quarter more than plain input.
    """

    def __init__(self, least: int = _LEAST) -> None:
        self._least = least
        # By event loop and beginning: no loop can wait for an event of another.
        self._begun: OrderedDict[tuple[int, str], asyncio.Event] = OrderedDict()

    @asynccontextmanager
    async def call(self, beginning: str) -> AsyncIterator[Callable[[], None]]:
        """Make a call inside, and call the function given when its answer begins. A failed call holds none back.

        `beginning` is what a cache could hold of the request; empty if nothing.
        """
        beginning = beginning if len(beginning) >= self._least else ""
        key = id(asyncio.get_running_loop()), beginning
        begun = self._begun.get(key)
        if begun is not None:
            await begun.wait()
        else:
            begun = asyncio.Event()
            if beginning:
                self._begun[key] = begun
                if len(self._begun) > _KEPT:
                    self._begun.popitem(last=False)[1].set()
        try:
            yield begun.set
        finally:
            begun.set()


class ApiClient(ABC):
    """Makes requests of one API and reads its streams. Retries nothing; every limit of time is its caller's."""

    @abstractmethod
    def request(self, prompt: Prompt, model: Model, *, speaks: bool) -> dict[str, Any]:
        """Return the body of a request; `speaks` where the model also writes the speeches."""

    def beginning(self, prompt: Prompt, request: Mapping[str, Any]) -> str:  # noqa: ARG002 - a program caches by itself
        """Return what a provider's cache could hold of a prompt's request; empty if nothing."""
        return ""

    @abstractmethod
    def events(
        self, request: Mapping[str, Any], tell: Tell
    ) -> AbstractAsyncContextManager[tuple[Mapping[str, str], AsyncIterator[Any]]]:
        """Send a request; give the headers of the reply and the events of its stream.

        `tell` is told of what was left out of the request since the server refuses it.

        Raises:
            StatusError: the server answers with an error.
        """

    @abstractmethod
    def take(self, answer: StreamedAnswer, event: Any) -> str:
        """Add one event of the stream to an answer; return the piece of text that it brought.

        Raises:
            StatusError: the event is an error.
        """

    async def models(self) -> Any:  # noqa: B027 - a program lists none
        """Return the list of the server's models, as it sends it; None where it has none.

        Raises:
            StatusError: the server answers with an error.
        """

    @abstractmethod
    def wire_errors(self) -> tuple[type[Exception], ...]:
        """Return what is raised where no whole answer came; imported late."""

    async def close(self) -> None:  # noqa: B027 - a program has nothing open
        """Close what the running event loop has open. A later call opens it again."""


_CONNECT = 10.0  # Seconds in which a connection must stand.


class HttpClient(ApiClient):
    """Asks one server. Connections do not outlive the event loop that opened them."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        """Ask at `url`, with these headers in each request."""
        self._url, self._headers = url.rstrip("/"), headers
        # The connection of each event loop, and what closes it.
        self._clients: dict[asyncio.AbstractEventLoop, tuple[AsyncClient, AsyncGenerator[None]]] = {}

    def wire_errors(self) -> tuple[type[Exception], ...]:
        """Return the errors of httpx2, and of what it reads."""
        from httpx2 import HTTPError, InvalidURL  # noqa: PLC0415 - only a call needs it

        return (HTTPError, InvalidURL, *UNREADABLE)

    async def open(self) -> "AsyncClient":
        """Return the connection of the running event loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            from httpx2 import AsyncClient, Timeout  # noqa: PLC0415 - only a call needs it

            try:
                client = AsyncClient(
                    timeout=Timeout(None, connect=_CONNECT), headers=self._headers, follow_redirects=False
                )
            except (ValueError, ImportError) as error:  # it may hold a password
                raise RunnerUnavailableError(
                    ENGLISH.say("server-proxy", lacks=isinstance(error, ImportError)),
                    hint=ENGLISH.say("server-proxy-hint"),
                    refused=True,
                ) from None
            until_the_end = _open_until_the_end(client.aclose)
            await anext(until_the_end)
            for ended in [each for each in list(self._clients) if each.is_closed()]:
                self._clients.pop(ended, None)
            self._clients[loop] = client, until_the_end
        return self._clients[loop][0]

    async def close(self) -> None:
        """Close the connection of the running event loop. A later call opens a new one."""
        opened = self._clients.pop(asyncio.get_running_loop(), None)
        if opened is not None:
            await opened[1].aclose()


async def _open_until_the_end(close: Callable[[], Awaitable[None]]) -> AsyncGenerator[None]:
    """Close a connection when its loop ends, which ends its generators: an open one warns in the next loop."""
    try:
        yield
    finally:
        await close()


def checked_key(given: str | None, provider: Provider, *, needed: bool = True) -> str:
    """Return the key that is given, else the provider's in the environment.

    Raises:
        RunnerUnavailableError: there is none where one is `needed`, or it holds a character that no key has.
    """
    key = (given or provider.key[1]).strip()
    if not key and needed:
        names = " or ".join(provider.keys)
        raise RunnerUnavailableError(
            f"the runner {provider.name!r} needs an API key, and {names} is not set",
            hint=f"Set {provider.keys[-1]} to one. {provider.access}",
            refused=True,
        )
    if not (key.isascii() and (key.isprintable() or not key)):
        raise RunnerUnavailableError("the API key holds a character that no key has", hint="Copy it again.")
    return key


def refusal_of(status: int, headers: Mapping[str, str], body: bytes) -> StatusError:
    """Return the error that a server sends with a status, or in an event of an answer (status `OK`).

    Servers write `{"error": {"message", "type", "code"}}`, the same in a list, `{"error": "words"}`, `{"message"}`,
    `{"detail": "words"}` or a list of `{"loc", "msg"}`. A code may be a status of its own, or stand under `details`.
    """
    text = body.decode("utf-8", "replace").strip()
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        page = text.startswith("<") or not text
        words = "not found" if page and status == 404 else "a page came, and no JSON" if page else text
        return StatusError(words, status=status, headers=headers)
    row = row[0] if isinstance(row, list) and row else row
    row = row if isinstance(row, dict) else {"message": text}
    error = row.get("error", row)
    error = error if isinstance(error, dict) else {"message": str(error)}
    code, details = error.get("code"), error.get("details")
    code = code or (details.get("error_code") if isinstance(details, dict) else None)
    status = code if status == OK and isinstance(code, int) and 400 <= code <= 599 else status
    kind = error.get("type") or error.get("status") or ""
    return StatusError(_words(error) or text, status=status, kind=str(kind), code=str(code or ""), headers=headers)


def _words(error: Mapping[str, Any]) -> str:
    """Return what an error says, with what the provider behind a router says; each fault of a request by its fields."""
    words = error.get("message") or error.get("detail") or error.get("msg") or ""
    if isinstance(words, list):
        faults = [each if isinstance(each, dict) else {"msg": each} for each in words]
        words = "; ".join(f"{'.'.join(map(str, each.get('loc') or ()))}: {each.get('msg', '')}" for each in faults)
    metadata = error.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, dict) else None
    return f"{words}: {raw}" if isinstance(raw, str) and raw.strip() else str(words)
