"""Claude: a stronger model for speech, a cheap one for bids, summaries, polls and ballots."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace

from eda.errors import RunnerUnavailableError
from eda.runners.messages_api.client import MessagesClient
from eda.runners.model_runner import ModelRunner
from eda.runners.models import INHERIT, STRONG, Model, ModelSpec, look_up, wished
from eda.runners.protocol import Prompt
from eda.runners.server import CALL_TIMEOUT, TRIES, Sleep
from eda.runners.server_errors import Place

_ADDRESS = "https://api.anthropic.com"
_SPEAKER, _CHEAP = "sonnet", "haiku"
_NO_KEY = "Set ANTHROPIC_API_KEY to a key from https://platform.claude.com; `--runner simulated` needs none."
_API = Place(
    name="the API",
    access="Check the key in ANTHROPIC_API_KEY and the account's credit and limits; `--runner simulated` needs none.",
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
        key = (api_key or os.environ.get("ANTHROPIC_API_KEY", "")).strip()
        if not key:
            message = "the runner 'anthropic' needs an API key, and none is set"
            raise RunnerUnavailableError(message, hint=_NO_KEY, refused=True)
        if not (key.isascii() and key.isprintable()):
            raise RunnerUnavailableError("the API key holds a character that no key has", hint="Copy it again.")
        own = base_url or os.environ.get("ANTHROPIC_BASE_URL", "").strip()
        place = replace(_API, later="Try again later. Is ANTHROPIC_BASE_URL right?") if own else _API
        super().__init__(
            place,
            MessagesClient(key, base_url),
            address=own or _ADDRESS,
            key=key,
            attempts=attempts,
            timeout=timeout,
            sleep=sleep,
        )
        speak, cheap = (model or _SPEAKER).strip(), (cheap_model or _CHEAP).strip()
        self.model = look_up(_SPEAKER if speak.lower() == INHERIT else speak).id
        self.cheap_model = self.model if cheap.lower() == INHERIT else look_up(cheap).id
        self.fallback_model = look_up(fallback_model).id if fallback_model else ""
        named = ModelSpec("anthropic", speak=self.model, cheap=self.cheap_model, fallback=self.fallback_model)
        self.spec = str(named)

    def model_for(self, prompt: Prompt) -> str:
        """Return the id of the model to ask: for speech, the persona's own if it names one."""
        if prompt.purpose not in STRONG:
            return self.cheap_model
        return look_up(wished(prompt) or self.model).id

    def _known(self, name: str) -> Model:
        return look_up(name)

    def _is_own(self, name: str) -> bool:
        return name in (self.model, self.cheap_model, self.fallback_model)
