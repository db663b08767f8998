"""A server of the user's own that speaks the Messages API: llama.cpp, Ollama, vLLM, LM Studio, a LiteLLM proxy.

The one rule: nothing is taken for granted. It needs no key, may not know structured output, may count no tokens. The
user's key for Claude is never sent to it.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from dataclasses import replace
from typing import Any

from eda.errors import UsageError
from eda.protocols import Prompt
from eda.runners.failures import UNREADABLE, PassingError, Place, judged
from eda.runners.messages import MessagesRunner, Sleep
from eda.runners.models import FREE, Model, look_up
from eda.runners.request import STRONG
from eda.runners.spec import INHERIT, ModelSpec, wished

__all__ = ["LocalRunner"]

_KEY_NAME = "EDA_LOCAL_KEY"
"""The environment variable with the server's key, where it wants one."""
_NO_KEY = "none"
_UNNAMED = "local"


class LocalRunner(MessagesRunner):
    """Asks a server of the user's own; what it answers costs nothing.

    JSON is asked for in the prompt. A persona's `model:` is obeyed unless it is one of Claude's, which a persona made
    for another program often names.

    Args:
        url: Where it listens, without `/v1`.
        model: The speaker's; None for the first that the server lists, which `spec` names once it was asked, or `local`
            where it lists none.
        cheap_model: Of what is no speech; None or `inherit` for the speaker's.
        fallback_model: Asked where another has failed; None for none.
        temperature: From 0; None for the server's own.
        top_p: From 0 to 1; None for the server's own.
        api_key: None for EDA_LOCAL_KEY, and `none` where that is not set either.
        attempts: Of one question to one model.
        timeout: Seconds without a byte; a long prompt takes a small machine minutes.
        sleep: Waits between attempts.
    """

    def __init__(
        self,
        url: str,
        model: str | None = None,
        *,
        cheap_model: str | None = None,
        fallback_model: str | None = None,
        temperature: float | None = None,
        top_p: float | None = None,
        api_key: str | None = None,
        attempts: int = 5,
        timeout: float = 600.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        given = ModelSpec(
            "local",
            url=url,
            speak=model if model and model.lower() != INHERIT else "",
            cheap=cheap_model if cheap_model and cheap_model.lower() != INHERIT else "",
            fallback=fallback_model or "",
            temperature=temperature,
            top_p=top_p,
        ).checked()
        place = Place(
            name=f"the server at {given.url}",
            access=f"Set {_KEY_NAME} to the key that it wants.",
            later="Start it, or look what it logs; `eda doctor --runner local:URL --live` tries it out.",
            models="Ask it: GET /v1/models. Write local:URL#MODEL.",
            address="Write it as local:http://127.0.0.1:8080.",
            near=True,
        )
        key = (api_key or os.environ.get(_KEY_NAME, "")).strip() or _NO_KEY
        super().__init__(place, key=key, base_url=given.url, attempts=attempts, timeout=timeout, sleep=sleep)
        self.spec = str(given)
        self._given = given
        self._speaker = given.speak

    def model_for(self, prompt: Prompt) -> str:
        """The model that is asked; `local` for one that is not named, before the server was asked which it has."""
        speaker = self._speaker or _UNNAMED
        if prompt.purpose not in STRONG:
            return self._given.cheap or speaker
        wish = wished(prompt)
        return wish if wish and look_up(wish).price is None else speaker

    async def _prepare(self, prompt: Prompt) -> None:
        if self._speaker:
            return
        listed = await self._again(prompt, f"the list of models of {self._place.name}", self._first_listed)
        self._speaker = listed or _UNNAMED
        with suppress(UsageError):  # not every name can be written in a spec
            self.spec = str(replace(self._given, speak=listed).checked())

    def _known(self, name: str) -> Model:
        return Model(id=name, price=FREE)

    @property
    def _fallback(self) -> str:
        return self._given.fallback

    def _is_own(self, name: str) -> bool:
        asks_which = not self._speaker  # before that list is there, no call to any model is made
        return asks_which or name in (self._speaker, self._given.cheap, self._given.fallback)

    def _extra(self, prompt: Prompt) -> dict[str, Any]:
        """Sampling. A seed goes with it where one was chosen: a server that is strict refuses what it does not know."""
        given = {"temperature": self._given.temperature, "top_p": self._given.top_p}
        extra: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        return {**extra, "seed": prompt.seed} if extra or prompt.seed else {}

    def _headers(self) -> dict[str, Any]:
        """Keeps back what the user has the SDK send to Claude: it may be a key."""
        from anthropic import omit  # noqa: PLC0415 - the SDK takes a second to import

        meant = os.environ.get("ANTHROPIC_CUSTOM_HEADERS", "").splitlines()
        return {line.partition(":")[0].strip(): omit for line in meant if ":" in line}

    async def _first_listed(self) -> str:
        """The first model that the server lists; empty where it lists none.

        Raises:
            PassingError: it may, asked again.
        """
        import anthropic  # noqa: PLC0415 - the SDK takes a second to import
        import httpx2  # noqa: PLC0415 - it comes with the SDK

        try:
            listed = await (await self._open()).get("/v1/models", cast_to=object)
        except anthropic.APIStatusError as error:
            meant = judged(self._place, _UNNAMED, error, self._secrets, own_model=True)
            if isinstance(meant, PassingError):
                raise meant from None
            return ""
        except (anthropic.APIError, httpx2.HTTPError, httpx2.InvalidURL) as error:
            self._unconnected(error)
        except UNREADABLE:
            return ""
        found = listed.get("data") if isinstance(listed, dict) else None
        first = found[0] if isinstance(found, list) and found else None
        name = first.get("id") if isinstance(first, dict) else None
        return name.strip() if isinstance(name, str) else ""
