"""Models of any server that speaks the Chat Completions API: of a provider, or of the user's own."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

from eda.errors import RunnerUnavailableError, UsageError
from eda.runners.chat_completions.client import ChatClient
from eda.runners.model_runner import ModelRunner
from eda.runners.models import STRONG, Model, ModelSpec, is_claude, priced_at, wished
from eda.runners.protocol import Prompt
from eda.runners.providers import OWN_KEY, Provider, providers
from eda.runners.server import CALL_TIMEOUT, TRIES, Sleep
from eda.runners.server_errors import Place
from eda.words import ENGLISH


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
