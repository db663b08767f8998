"""A server of the user's own that speaks the Messages API: llama.cpp, Ollama, vLLM, LM Studio, a LiteLLM proxy.

It needs no key, may not know structured output and may count no tokens. The user's key for Claude is never sent to it.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from dataclasses import replace
from typing import Any

from eda.errors import UsageError
from eda.runners.messages_api.client import MessagesRunner
from eda.runners.messages_api.errors import UNREADABLE, Place, meaning_of
from eda.runners.models import FREE, INHERIT, STRONG, Model, ModelSpec, look_up, wished
from eda.runners.protocol import Prompt
from eda.runners.server import CALL_TIMEOUT, TRIES, Deadline, PassingError, Sleep

_KEY_NAME = "EDA_LOCAL_KEY"
"""The environment variable with the server's key, if it wants one."""
_NO_KEY = "none"
_UNNAMED = "local"


class LocalRunner(MessagesRunner):
    """Asks a server of the user's own. Its answers cost nothing.

    The prompt asks for JSON. A persona's `model:` is obeyed unless it is one of Claude's: personas made for another
    program often name one.

    Args:
        url: Its address, without `/v1`.
        model: The speaker's; None for the first that the server lists (`spec` then names it), or `local` if it lists
            none.
        cheap_model: For bids, summaries, polls and ballots; None or `inherit` for the speaker's.
        fallback_model: Asked if another has failed; None for none.
        temperature: From 0; None for the server's own.
        top_p: From 0 to 1; None for the server's own.
        api_key: None for EDA_LOCAL_KEY, or `none` if that is not set either.
        attempts: Failures in a row after which the server is given up.
        timeout: Seconds that a call may go without progress, and a fifth of those that it may take in all.
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
        attempts: int = TRIES,
        timeout: float = CALL_TIMEOUT,
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
        )
        key = (api_key or os.environ.get(_KEY_NAME, "")).strip() or _NO_KEY
        super().__init__(place, key=key, base_url=given.url, attempts=attempts, timeout=timeout, sleep=sleep)
        self.spec = str(given)
        self.fallback_model = given.fallback
        self._given = given
        self._speaker = given.speak

    def model_for(self, prompt: Prompt) -> str:
        """Return the model to ask; `local` before the server has said which models it has."""
        speaker = self._speaker or _UNNAMED
        if prompt.purpose not in STRONG:
            return self._given.cheap or speaker
        wish = wished(prompt)
        return wish if wish and look_up(wish).price is None else speaker

    async def _prepare(self, prompt: Prompt) -> None:
        if self._speaker:
            return
        listed = await self._retrying(
            prompt, f"the list of models of {self._place.name}", self._first_listed, answers=False
        )
        self._speaker = listed or _UNNAMED
        with suppress(UsageError):  # not every name can be written in a spec
            self.spec = str(replace(self._given, speak=listed).checked())

    def _known(self, name: str) -> Model:
        return Model(id=name, price=FREE)

    def _is_own(self, name: str) -> bool:
        asks_which = not self._speaker  # no call is made before the list of models is there
        return asks_which or name in (self._speaker, self._given.cheap, self.fallback_model)

    def _extra(self, prompt: Prompt) -> dict[str, Any]:
        """Sampling, with the seed if one was chosen: a strict server refuses fields that it does not know."""
        given = {"temperature": self._given.temperature, "top_p": self._given.top_p}
        extra: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        return {**extra, "seed": prompt.seed} if extra or prompt.seed else {}

    def _headers(self) -> dict[str, Any]:
        """Omit the headers that the user has the SDK send to Claude: one may be a key."""
        from anthropic import omit  # noqa: PLC0415 - the SDK takes a second to import

        custom = os.environ.get("ANTHROPIC_CUSTOM_HEADERS", "").splitlines()
        return {line.partition(":")[0].strip(): omit for line in custom if ":" in line}

    async def _first_listed(self) -> str:
        """Return the first model that the server lists; empty if it lists none.

        Raises:
            PassingError: a failure that may pass.
        """
        import anthropic  # noqa: PLC0415 - the SDK takes a second to import
        import httpx2  # noqa: PLC0415 - it comes with the SDK

        deadline = Deadline.of(self._timeout)
        try:
            async with asyncio.timeout(deadline.quiet):
                listed: Any = await (await self._open()).get("/v1/models", cast_to=object)
        except TimeoutError as error:
            raise self._late(deadline, quiet=True) from error
        except anthropic.APIStatusError as error:
            meaning = meaning_of(self._place, _UNNAMED, error, self._secrets, own_model=True)
            if isinstance(meaning, PassingError):
                raise meaning from None
            return ""
        except (anthropic.APIError, httpx2.HTTPError, httpx2.InvalidURL) as error:
            self._unconnected(error)
        except UNREADABLE:
            return ""
        try:
            name = listed["data"][0]["id"]
        except (KeyError, IndexError, TypeError):
            return ""
        return name.strip() if isinstance(name, str) else ""
