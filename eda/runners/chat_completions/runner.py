"""Models of any server that speaks the Chat Completions API: of a provider, or of the user's own."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from eda.errors import RunnerUnavailableError, UsageError
from eda.runners.chat_completions.client import ChatClient
from eda.runners.models import ModelSpec
from eda.runners.protocol import Prompt
from eda.runners.providers import OWN_KEY, Provider, providers
from eda.runners.server import CALL_TIMEOUT, TRIES, Sleep
from eda.runners.server_errors import Place
from eda.runners.server_runner import ServerRunner
from eda.words import ENGLISH


class ChatRunner(ServerRunner):
    """Asks a provider by its spec, such as `openrouter:VENDOR/MODEL+CHEAP,fallback=MODEL` or `openai:URL#MODEL`.

    The key is read from the provider's environment variable. To an address that the spec gives only the key in
    EDA_OPENAI_KEY is sent.

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
            provider = provider.model_copy(update={"max_tokens": "max_tokens", "schema_where": "always"})
        key = (api_key or (os.environ.get(OWN_KEY, "") if given.url else provider.key[1])).strip()
        _check_key(key, given, provider)
        url = given.url or provider.url
        super().__init__(
            given,
            _place(given, provider),
            ChatClient(provider, url, key),
            address=url,
            key=key,
            attempts=attempts,
            timeout=timeout,
            sleep=sleep,
        )
        self._provider = provider

    def _extra(self, prompt: Prompt) -> dict[str, Any]:
        """Sampling, with the seed where the provider takes one."""
        extra = super()._extra(prompt)
        seed = extra.pop("seed", 0)
        return {**extra, self._provider.seed: seed} if seed and self._provider.seed else extra


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
            access=ENGLISH.say("server-set-own-key", variable=OWN_KEY),
            later=ENGLISH.say("server-runs", url=given.url),
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
