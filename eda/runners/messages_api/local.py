"""A server of the user's own that speaks the Messages API: llama.cpp, Ollama, vLLM, LM Studio, a LiteLLM proxy.

It needs no key, may not know structured output and may count no tokens. The user's key for Claude is never sent to it.
"""

from __future__ import annotations

import asyncio
import os
from typing import Any

from eda.runners.messages_api.client import MessagesClient
from eda.runners.models import ModelSpec
from eda.runners.server import CALL_TIMEOUT, TRIES, Sleep
from eda.runners.server_errors import Place
from eda.runners.server_runner import ServerRunner
from eda.words import ENGLISH

_KEY_NAME = "EDA_LOCAL_KEY"
"""The environment variable with the server's key, if it wants one."""
_NO_KEY = "none"


class LocalRunner(ServerRunner):
    """Asks a server of the user's own. Its answers cost nothing.

    The prompt asks for JSON.

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
            speak=model or "",
            cheap=cheap_model or "",
            fallback=fallback_model or "",
            temperature=temperature,
            top_p=top_p,
        ).checked()
        place = Place(
            name=ENGLISH.say("server-at", url=given.url),
            access=ENGLISH.say("server-set-key", variable=_KEY_NAME),
            later="Start it, or look what it logs; `eda doctor --runner local:URL --live` tries it out.",
            models="Ask it: GET /v1/models. Write local:URL#MODEL.",
            address="Write it as local:http://127.0.0.1:8080.",
        )
        key = (api_key or os.environ.get(_KEY_NAME, "")).strip() or _NO_KEY
        super().__init__(
            given,
            place,
            MessagesClient(key, given.url, _without_headers_for_claude),
            address=given.url,
            key=key,
            attempts=attempts,
            timeout=timeout,
            sleep=sleep,
        )


def _without_headers_for_claude() -> dict[str, Any]:
    """Omit the headers that the user has the SDK send to Claude: one may be a key."""
    from anthropic import omit  # noqa: PLC0415 - the SDK takes a second to import

    custom = os.environ.get("ANTHROPIC_CUSTOM_HEADERS", "").splitlines()
    return {line.partition(":")[0].strip(): omit for line in custom if ":" in line}
