"""Asks a server by a spec that names it and its models; what `local` and all providers have in common."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from eda.errors import UsageError
from eda.runners.api_client import ApiClient
from eda.runners.model_runner import ModelRunner
from eda.runners.models import STRONG, Model, ModelSpec, is_claude, priced_at, wished
from eda.runners.protocol import Prompt
from eda.runners.server import Sleep
from eda.runners.server_errors import Place
from eda.words import ENGLISH


class ServerRunner(ModelRunner):
    """Asks the models of a spec; where it names none, the first that the server lists, which `spec` then names.

    A persona's `model:` is obeyed unless it is one of Claude's: personas made for another program often name one.
    """

    def __init__(
        self,
        given: ModelSpec,
        place: Place,
        client: ApiClient[Any],
        *,
        address: str,
        key: str,
        attempts: int,
        timeout: float,
        sleep: Sleep,
    ) -> None:
        super().__init__(place, client, address=address, key=key, attempts=attempts, timeout=timeout, sleep=sleep)
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

    def _extra(self, prompt: Prompt) -> dict[str, Any]:
        """Sampling, with the seed if one was chosen: a strict server refuses fields that it does not know."""
        given = {"temperature": self._given.temperature, "top_p": self._given.top_p}
        extra: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        return {**extra, "seed": prompt.seed} if extra or prompt.seed else {}
